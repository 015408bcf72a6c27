// Outlooks for processors with AVX-512.
#define VECTOR_BYTES 64
#include "outlook_inline.hpp"

namespace paohuzi {

const OutlookFill AVX512_OUTLOOK = {fill_plain, fill_bytes, fill_words};

} // namespace paohuzi

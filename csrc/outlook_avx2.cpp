// Outlooks for processors with AVX2.
#define VECTOR_BYTES 32
#include "outlook_inline.hpp"

namespace paohuzi {

const OutlookFill AVX2_OUTLOOK = {fill_plain, fill_bytes, fill_words};

} // namespace paohuzi

// Outlooks for any processor.
#define VECTOR_BYTES 16
#include "outlook_inline.hpp"

namespace paohuzi {

const OutlookFill PORTABLE_OUTLOOK = {fill_plain, fill_bytes, fill_words};

} // namespace paohuzi

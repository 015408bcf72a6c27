// Many queries by AVX-512: see Kernels::solve_queries.
#pragma once

#include "kernels.hpp"
#include "query.hpp"

#include <cstddef>
#include <cstdint>

namespace paohuzi {

std::size_t solve_queries_avx512(const Query *queries, std::size_t n, std::int16_t *xi, std::uint16_t *open);

} // namespace paohuzi

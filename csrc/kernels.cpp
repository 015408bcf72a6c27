#include "kernels.hpp"

#include <cstdlib>
#include <cstring>

namespace paohuzi {

namespace {

#ifdef PAOHUZI_X86
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }
bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vbmi");
}
#endif

const Kernels &choose() {
    const char *named = std::getenv("PAOHUZI_SIMD");
    const auto is_named = [named](const Kernels &level) {
        return named != nullptr && std::strcmp(named, level.name) == 0;
    };
    if (is_named(PORTABLE_KERNELS)) {
        return PORTABLE_KERNELS;
    }
#ifdef PAOHUZI_X86
    if (has_avx512() && !is_named(AVX2_KERNELS)) {
        return AVX512_KERNELS;
    }
    if (has_avx2()) {
        return AVX2_KERNELS;
    }
#endif
    return PORTABLE_KERNELS;
}

} // namespace

const Kernels &kernels() noexcept {
    static const Kernels &chosen = choose();
    return chosen;
}

} // namespace paohuzi

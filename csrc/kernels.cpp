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
           __builtin_cpu_supports("avx512vbmi");
}
#endif

const Kernels &choose() {
#ifdef PAOHUZI_X86
    const char *forced = std::getenv("PAOHUZI_SIMD");
    const bool is_free = forced == nullptr;
    if (has_avx512() && (is_free || std::strcmp(forced, "avx512") == 0)) {
        return AVX512_KERNELS;
    }
    if (has_avx2() && (is_free || std::strcmp(forced, "portable") != 0)) {
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

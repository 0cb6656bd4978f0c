// SPDX-License-Identifier: MIT
// Messages from kernels, and their ends, in CUDA C++.
#ifndef YOKE_DRIVER_CUDA_IMPL_PRELUDE_DIAGNOSTICS_IPP
#define YOKE_DRIVER_CUDA_IMPL_PRELUDE_DIAGNOSTICS_IPP

#include <yoke/core/config.hpp>

#include <string_view>

namespace yoke::inline YOKE_ABI::cuda::detail {

inline constexpr std::string_view diagnostics_words = R"yoke(//part diagnostics
//words yoke_printf YOKE_ASSERT YOKE_TRAP
#define yoke_printf(...) ((void)printf(__VA_ARGS__))
// NDEBUG may be defined later than this: it is looked at where the word is used.
#define YOKE_ASSERT(condition) YOKE_CAT(YOKE_D_ASSERT_, NDEBUG)(condition)
#define YOKE_D_ASSERT_(condition) ((void)0)
#define YOKE_D_ASSERT_1(condition) ((void)0)
#define YOKE_D_ASSERT_NDEBUG(condition) assert(condition)
#define YOKE_TRAP() __trap()
)yoke";

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif

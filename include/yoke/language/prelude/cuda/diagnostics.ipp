// SPDX-License-Identifier: MIT
// Messages from kernels, and their ends, in CUDA C++.
R"yoke(//part diagnostics
//words yoke_printf YOKE_ASSERT YOKE_TRAP
#define yoke_printf printf
// NDEBUG may be defined later than this: it is looked at where the word is used.
#define YOKE_ASSERT(condition) YOKE_CAT(YOKE_D_ASSERT_, NDEBUG)(condition)
#define YOKE_D_ASSERT_(condition) ((void)0)
#define YOKE_D_ASSERT_1(condition) ((void)0)
#define YOKE_D_ASSERT_NDEBUG(condition) assert(condition)
#define YOKE_TRAP() __trap()
)yoke"

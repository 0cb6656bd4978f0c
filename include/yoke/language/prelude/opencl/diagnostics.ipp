// SPDX-License-Identifier: MIT
// Messages from kernels in OpenCL C, which can end no kernel.
R"yoke(//part diagnostics
//words yoke_printf YOKE_ASSERT YOKE_TRAP
#define yoke_printf printf
// NDEBUG may be defined later than this: it is looked at where the word is used.
#define YOKE_ASSERT(condition) YOKE_CAT(YOKE_D_ASSERT_, NDEBUG)(condition)
#define YOKE_D_ASSERT_(condition) ((void)0)
#define YOKE_D_ASSERT_1(condition) ((void)0)
#define YOKE_D_ASSERT_NDEBUG(condition) \
  ((condition) ? (void)0 : (void)printf("%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #condition))
#define YOKE_TRAP() ((void)printf("%s:%d: trap\n", __FILE__, __LINE__))
)yoke"

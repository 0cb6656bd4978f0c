// SPDX-License-Identifier: MIT
// Structs that the host shares, in the dialect itself.
R"yoke(//part structs
//words YOKE_STRUCT YOKE_CHECK_SIZE YOKE_CHECK_OFFSET
#define YOKE_STRUCT(name) typedef struct name name; struct name
#if YOKE_BACKEND_OPENCL
#define YOKE_D_CHECK(condition, text) _Static_assert(condition, text)
#define YOKE_D_OFFSET(name, member) __builtin_offsetof(name, member)
#else
#define YOKE_D_CHECK(condition, text) static_assert(condition, text)
#if defined __GNUC__ || defined __YOKE_SIMULATOR__
#define YOKE_D_OFFSET(name, member) __builtin_offsetof(name, member)
#else
#define YOKE_D_OFFSET(name, member) __INTADDR__(&((name*)0)->member)
#endif
#endif
#define YOKE_CHECK_SIZE(name, bytes) YOKE_D_CHECK(sizeof(name) == (bytes), #name " does not have " #bytes " bytes")
#define YOKE_CHECK_OFFSET(name, member, bytes) \
  YOKE_D_CHECK(YOKE_D_OFFSET(name, member) == (bytes), #name "::" #member " is not at byte " #bytes)
)yoke"

// SPDX-License-Identifier: MIT
// The types of sums that use `double` where the device has it.
R"yoke(// OpenCL's division and root of floats may be off in the last bit; by doubles they are rounded once, as elsewhere.
#if YOKE_HAS_FP64
typedef double yoke_x_wide;
typedef double2 yoke_x_wide2;
#else
typedef float yoke_x_wide;
typedef float2 yoke_x_wide2;
#endif
)yoke"

// SPDX-License-Identifier: MIT
// How a thread waits for others in CUDA C++.
R"yoke(//part waiting
//words yoke_pause
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define yoke_pause(nanoseconds) ((void)(nanoseconds))
#else
#define yoke_pause(nanoseconds) __nanosleep(nanoseconds)
#endif
)yoke"

// SPDX-License-Identifier: MIT
// The sanitizer that the engine is built with; kernels are compiled with the same one.
#ifndef YOKE_SIMULATOR_ENGINE_SYSTEM_SANITIZERS_HPP
#define YOKE_SIMULATOR_ENGINE_SYSTEM_SANITIZERS_HPP

#if defined(__SANITIZE_ADDRESS__)
#define YOKE_SIMULATOR_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define YOKE_SIMULATOR_TSAN 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(YOKE_SIMULATOR_ASAN)
#define YOKE_SIMULATOR_ASAN 1
#endif
#if __has_feature(thread_sanitizer) && !defined(YOKE_SIMULATOR_TSAN)
#define YOKE_SIMULATOR_TSAN 1
#endif
#endif

namespace yoke::simulator {
#ifdef YOKE_SIMULATOR_ASAN
inline constexpr bool with_address_sanitizer = true;
#else
inline constexpr bool with_address_sanitizer = false;
#endif
}  // namespace yoke::simulator

#endif

// SPDX-License-Identifier: MIT
// The version and the configuration macros of the library.
#ifndef YOKE_CORE_CONFIG_HPP
#define YOKE_CORE_CONFIG_HPP

#define YOKE_VERSION_MAJOR 0
#define YOKE_VERSION_MINOR 1
#define YOKE_VERSION_PATCH 0
#define YOKE_VERSION (YOKE_VERSION_MAJOR * 10000 + YOKE_VERSION_MINOR * 100 + YOKE_VERSION_PATCH)
#define YOKE_VERSION_STRING "0.1.0"
// The suffix of a pre-release, as in "rc1"; empty in a release.
#define YOKE_VERSION_STATUS ""

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "yoke needs C++20: compile with -std=c++20 or newer"
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#error "yoke needs GCC or Clang: on Windows MinGW-w64 or clang-cl"
#endif

// clang-format off
#if defined(YOKE_HEADER_ONLY)
#error "YOKE_HEADER_ONLY is gone: define YOKE_IMPLEMENTATION in one file of the program instead, before its first header of yoke"
#endif
// clang-format on

// Copied headers work without the library: one file of the program defines YOKE_IMPLEMENTATION before its first header
// of yoke and so holds the bodies. They get the visibility which that file is compiled with, so that each shared object
// may have its own.
#if defined(YOKE_IMPLEMENTATION)
#define YOKE_API
#else
#define YOKE_API __attribute__((visibility("default")))
#endif

// Exception types keep default visibility, so that handlers in other shared objects catch them.
#define YOKE_API_TYPE __attribute__((visibility("default")))

#endif

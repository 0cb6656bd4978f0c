// SPDX-License-Identifier: MIT
// Version, build mode and the inline ABI namespace: every switch the library has.
#ifndef YOKE_CORE_CONFIG_HPP
#define YOKE_CORE_CONFIG_HPP

#define YOKE_VERSION_MAJOR 0
#define YOKE_VERSION_MINOR 1
#define YOKE_VERSION_PATCH 0
#define YOKE_VERSION (YOKE_VERSION_MAJOR * 10000 + YOKE_VERSION_MINOR * 100 + YOKE_VERSION_PATCH)
#define YOKE_VERSION_STRING "0.1.0"
// What a pre-release adds to the version, as in "rc1"; empty in a release.
#define YOKE_VERSION_STATUS ""

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "yoke needs C++20: compile with -std=c++20 or newer"
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#error "yoke needs GCC or Clang: on Windows MinGW-w64 or clang-cl"
#endif

// The mode is part of the namespace: translation units of different modes do not link, and two shared objects of
// different modes keep two separate copies.
#if defined(YOKE_HEADER_ONLY)
#define YOKE_ABI v0_1_header_only
#define YOKE_INLINE inline
#define YOKE_API
#else
#define YOKE_ABI v0_1
#define YOKE_INLINE
#define YOKE_API __attribute__((visibility("default")))
#endif

// The headers bring their bodies into every file in header-only mode, and into the one file of a program that stands in for
// the library: it defines YOKE_IMPLEMENTATION before its first header of yoke.
#if defined(YOKE_HEADER_ONLY) && defined(YOKE_IMPLEMENTATION)
#error "with YOKE_HEADER_ONLY every file has the bodies: leave out one of YOKE_HEADER_ONLY and YOKE_IMPLEMENTATION"
#elif defined(YOKE_HEADER_ONLY) || defined(YOKE_IMPLEMENTATION)
#define YOKE_BODIES
#endif

// A function that runs once or on failure: compiled for size, apart from the rest.
#define YOKE_COLD YOKE_INLINE __attribute__((cold))

// Exception types keep default visibility in both modes, so that handlers in other shared objects catch them.
#define YOKE_API_TYPE __attribute__((visibility("default")))

#endif

// SPDX-License-Identifier: MIT
// What the programs of separate_objects and separate_objects_cuda share; their side.hpp, before this one, says what the other side is.
#ifndef YOKE_TESTS_CONSUMERS_RUN_WITH_SIDE_HPP
#define YOKE_TESTS_CONSUMERS_RUN_WITH_SIDE_HPP

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include <dlfcn.h>

/// Throws: when one number is not the other.
inline void check(const std::string& what, long is, long should_be) {
  if (is != should_be) {
    throw std::runtime_error(what + ": " + std::to_string(is) + ", not " + std::to_string(should_be));
  }
}

/// Effects: by itself the program opens the plugin and runs with that: what it does not export, the plugin has once more. Then it
/// starts the program with the library, which runs with that. Returns: for `main`.
inline int run_with_side(void (*run)(named_action* side)) {
  try {
#if defined(WITH_LIBRARY)
    run(&act);
#else
    std::printf("yoke 0\n");
    std::fflush(stdout);
#if defined(SIMULATOR)
    ::setenv("YOKE_CUDA_DRIVER", SIMULATOR, 1);
#endif
    void* const plugin = ::dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) throw std::runtime_error(::dlerror());
    auto* const opened = reinterpret_cast<named_action*>(::dlsym(plugin, "act"));
    if (opened == nullptr) throw std::runtime_error(::dlerror());
    run(opened);
    if (std::system(WITH_LIBRARY_PROGRAM) != 0) throw std::runtime_error("with a library it goes wrong");
#endif
  } catch (const std::exception& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
  return 0;
}

#endif

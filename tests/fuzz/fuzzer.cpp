// SPDX-License-Identifier: MIT
// One harness as a program of libFuzzer; YOKE_FUZZ_HARNESS names it. The file has the library's bodies, so that they are instrumented, too.
#define YOKE_IMPLEMENTATION
#if defined(YOKE_FUZZ_SIMULATOR)
#include <fuzz/simulator_harnesses.hpp>
#else
#include <fuzz/harnesses.hpp>
#endif

#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (const char* problem = yoke_fuzz::YOKE_FUZZ_HARNESS(std::as_bytes(std::span{data, size}))) {
    std::fprintf(stderr, "%s\n", problem);
    std::abort();
  }
  return 0;
}

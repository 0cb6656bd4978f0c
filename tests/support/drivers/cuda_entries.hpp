// SPDX-License-Identifier: MIT
// The CUDA entry points as numbers, names, symbols and versions, all made from the library's one list.
#ifndef YOKE_TESTS_SUPPORT_CUDA_ENTRIES_HPP
#define YOKE_TESTS_SUPPORT_CUDA_ENTRIES_HPP

#include <support/drivers/entry_facts.hpp>

#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/cuda/compiler/functions.hpp>

#include <array>
#include <string_view>

namespace yoke_test {

namespace cuda_abi = yoke::cuda::abi;

inline constexpr std::array cuda_entries{
#define YOKE_TEST_ENTRY(name, symbol, version, ...) entry_facts{#name, symbol, version},
    YOKE_CUDA_FUNCTIONS(YOKE_TEST_ENTRY)
#undef YOKE_TEST_ENTRY
};

struct nvrtc_entry_facts {
  std::string_view name;
  const char* symbol;
  bool required;
};

inline constexpr std::array nvrtc_entries{
#define YOKE_TEST_ENTRY(name, symbol, need, ...)                                                                       \
  nvrtc_entry_facts{#name, symbol, cuda_abi::presence::need == cuda_abi::presence::required},
    YOKE_NVRTC_FUNCTIONS(YOKE_TEST_ENTRY)
#undef YOKE_TEST_ENTRY
};

/// Returns: the facts of the entry of that own name; refuses to compile a name that there is not.
consteval entry_facts cuda_entry(std::string_view name) {
  for (const entry_facts& each : cuda_entries) {
    if (each.name == name) return each;
  }
  throw "no entry of that name";
}

}  // namespace yoke_test

#endif

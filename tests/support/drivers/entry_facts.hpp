// SPDX-License-Identifier: MIT
// An entry point of a driver, as the library's list names it.
#ifndef YOKE_TESTS_SUPPORT_ENTRY_FACTS_HPP
#define YOKE_TESTS_SUPPORT_ENTRY_FACTS_HPP

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace yoke_test {

struct entry_facts {
  std::string_view name;  ///< the library's own, "create_buffer"
  const char* symbol;     ///< the driver's, "clCreateBuffer"
  int version;  ///< the first OpenCL version that has it, times 10; the version of CUDA's ABI that is asked for
};

/// Returns: the place of the entry of that own name. Throws: `std::invalid_argument`, so that a misspelt test cannot pass.
inline std::size_t entry_index(std::span<const entry_facts> entries, std::string_view name) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name == name) return i;
  }
  throw std::invalid_argument("no entry point is called " + std::string(name));
}

}  // namespace yoke_test

#endif

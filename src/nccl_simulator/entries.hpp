// SPDX-License-Identifier: MIT
// The entry points of the simulated NCCL, under NCCL's names.
#ifndef YOKE_NCCL_SIMULATOR_ENTRIES_HPP
#define YOKE_NCCL_SIMULATOR_ENTRIES_HPP

#include <yoke/core/config.hpp>
#include <yoke/driver/nccl/functions.hpp>

#include <type_traits>

namespace yoke::nccl_simulator {

namespace abi = yoke::nccl::abi;

namespace entries {
#define YOKE_DECLARE(own, symbol, since, ...)                                                                          \
  extern __attribute__((visibility("default"))) std::remove_pointer_t<decltype(abi::functions::own)> own __asm__(      \
      symbol);
YOKE_NCCL_FUNCTIONS(YOKE_DECLARE)
#undef YOKE_DECLARE
}  // namespace entries

/// Returns: the bytes of an element; 1 for a type that does not exist.
constexpr std::size_t type_bytes(abi::data_type type) noexcept {
  constexpr std::size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  const auto number = static_cast<std::size_t>(type);
  return number < sizeof bytes / sizeof *bytes ? bytes[number] : 1;
}

}  // namespace yoke::nccl_simulator

#endif

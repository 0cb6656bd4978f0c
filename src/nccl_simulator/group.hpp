// SPDX-License-Identifier: MIT
// Groups: what a thread collects until the outermost one ends, and how that is run.
#ifndef YOKE_NCCL_SIMULATOR_GROUP_HPP
#define YOKE_NCCL_SIMULATOR_GROUP_HPP

#include <memory>
#include <new>

#include "communicator.hpp"
#include "known.hpp"

namespace yoke::nccl_simulator {

/// A communicator whose ranks have to come.
struct pending_init {
  communicator* made = nullptr;
  std::unique_ptr<communicator> owned{};  ///< of a blocking one, which nobody knows yet
  abi::communicator* to = nullptr;
};
struct pending_operation {
  communicator* of = nullptr;
  operation what{};
  cuda_abi::stream in = nullptr;
};

/// Effects: opens a group of this thread, inside of the present one if there is one.
void begin_group();
/// Effects: ends a group, whatever it has come to. The outermost one runs what was collected: communicators that block
/// at once, others behind the call. Returns: the group's code.
abi::status end_group();
/// Effects: in a group, keeps its first error. Returns: the code.
abi::status noted(abi::status code);

/// Effects: adds to this thread's group. Returns: a code; NCCL refuses groups in which only some block.
abi::status add_to_group(pending_init what);
abi::status add_to_group(const pending_operation& what);

/// Effects: an entry's body, whose exceptions and failures become codes.
template <class Act>
abi::status entry(const Act& act) noexcept {
  try {
    return noted(act());
  } catch (const std::bad_alloc&) {
    return noted(abi::system_error);
  } catch (...) {
    return noted(abi::internal_error);
  }
}
/// Effects: the same, in a group of its own.
template <class Act>
abi::status entry_in_group(const Act& act) noexcept {
  return entry([&] {
    begin_group();
    abi::status code = abi::internal_error;
    try {
      code = noted(act());
    } catch (...) {
      (void)noted(abi::internal_error);
      (void)end_group();
      throw;
    }
    const abi::status ended = end_group();
    return code != abi::success ? code : ended;
  });
}

}  // namespace yoke::nccl_simulator

#endif

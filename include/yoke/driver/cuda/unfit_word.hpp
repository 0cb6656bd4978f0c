// SPDX-License-Identifier: MIT
// Why a driver refuses memory operations, for streams and graphs.
#ifndef YOKE_DRIVER_CUDA_UNFIT_WORD_HPP
#define YOKE_DRIVER_CUDA_UNFIT_WORD_HPP

#include <yoke/driver/cuda/invoke.hpp>

#include <span>
#include <string>

namespace yoke::inline v0_1::cuda::detail {

/// Returns: which word lies in memory that does not support these operations; empty if all are supported.
inline std::string unfit_word(const abi::functions* table, std::span<const abi::mem_op_params> operations) {
  const auto has = [&](abi::pointer_attribute what, abi::device_pointer address) {
    void* value = nullptr;  // large enough for either attribute
    return call<&abi::functions::pointer_get_attribute>(table, static_cast<void*>(&value), what, address) ==
               abi::success &&
           value != nullptr;
  };
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const abi::device_pointer address = operations[i].address;
    if (address == 0) continue;
    const char* const kind = has(abi::pointer_attribute::is_managed, address)       ? "managed"
                             : has(abi::pointer_attribute::mempool_handle, address) ? "stream-ordered"
                                                                                    : nullptr;
    if (kind == nullptr) continue;
    return text("the word", operations.size() == 1 ? std::string() : text(" of operation ", i), " is in ", kind,
                " memory, which takes no memory operations: use an allocation made without a stream, or mapped "
                "page-locked memory");
  }
  return {};
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif

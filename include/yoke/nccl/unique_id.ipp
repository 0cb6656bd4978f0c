// SPDX-License-Identifier: MIT
// Body of nccl/unique_id.hpp.
#ifndef YOKE_NCCL_UNIQUE_ID_IPP
#define YOKE_NCCL_UNIQUE_ID_IPP

#include <yoke/nccl/unique_id.hpp>

#include <yoke/driver/nccl/error.hpp>

#include <cstring>

namespace yoke::inline v0_1::nccl {

unique_id get_unique_id(const source_location& where) {
  const abi::functions& table = detail::default_library(where).table;
  abi::unique_id made;
  if (const abi::status code = table.get_unique_id(&made)) {
    detail::throw_failure(code, "ncclGetUniqueId", detail::failure_text(table, nullptr, code), where);
  }
  unique_id result;
  static_assert(sizeof result.bytes == sizeof made);
  std::memcpy(result.bytes.data(), &made, sizeof made);
  return result;
}

}  // namespace yoke::inline v0_1::nccl

#endif

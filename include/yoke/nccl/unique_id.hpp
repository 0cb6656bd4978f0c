// SPDX-License-Identifier: MIT
// The number by which the ranks of a communicator find each other.
#ifndef YOKE_NCCL_UNIQUE_ID_HPP
#define YOKE_NCCL_UNIQUE_ID_HPP

#include <yoke/driver/nccl/loader.hpp>

#include <array>
#include <cstddef>

namespace yoke::inline v0_1::nccl {

/// The id of one communicator. One rank makes it by `get_unique_id` and gives its bytes to the others, by MPI, a file or
/// a socket. It serves for one communicator. A value; an id that nobody made is all zeros.
struct unique_id {
  std::array<std::byte, 128> bytes{};
};

/// Returns: a new id. Throws: `unsupported_error` without NCCL; `communication_error`. Thread safety: safe.
/// Wraps `ncclGetUniqueId`, which opens a socket.
[[nodiscard]] YOKE_API unique_id get_unique_id(const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::nccl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/unique_id.ipp>
#endif

#endif

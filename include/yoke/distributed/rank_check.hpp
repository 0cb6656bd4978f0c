// SPDX-License-Identifier: MIT
// Compares what the ranks of a communicator call, and says which call does not match.
#ifndef YOKE_DISTRIBUTED_RANK_CHECK_HPP
#define YOKE_DISTRIBUTED_RANK_CHECK_HPP

#include <yoke/core/error.hpp>
#include <yoke/distributed/operators.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace yoke::inline v0_1::detail {

/// The call of a verb by one rank.
struct rank_call {
  const char* verb = "";
  std::size_t count = 0;    // elements of the smaller side: of one rank
  std::size_t element = 1;  // bytes
  const char* type = "";    // the name in kernels; "" for a type without one
  int by = -1;              // the operator's number; -1 without one
  int root = -1;            // -1 without one
  source_location where{};

  [[nodiscard]] bool has_range() const noexcept { return *type != '\0' || element != 1 || count != 0; }
};

/// Returns: "all_reduce of 1024 float, summed", "broadcast of 8 elements of 12 bytes from rank 2", "barrier".
[[nodiscard]] YOKE_API std::string words_of(const rank_call& of);
/// Returns: "rank 2 calls broadcast of 1024 float from rank 0 (at train.cpp:57)".
[[nodiscard]] YOKE_API std::string words_of(int rank, const rank_call& of);
/// Whether two ranks call the same operation. Types compare by name and size.
[[nodiscard]] YOKE_API bool is_same_call(const rank_call& left, const rank_call& right) noexcept;
/// Throws: `communication_error` (`errc::mismatched_ranks`) with both calls unless all ranks call what `rank` calls.
YOKE_API void check_calls(int rank, std::span<const rank_call* const> calls);

/// Throws: `logic_error` unless the rank exists. `what`: "root" or "peer".
YOKE_API void check_rank(const char* verb, const char* what, int rank, int size, const source_location& where);
/// Throws: `logic_error` unless the larger range has `size` times the elements of the smaller one.
YOKE_API void check_parts(const char* verb, std::size_t mine, std::size_t all, int size, const source_location& where);
/// Throws: `logic_error` unless both ranges have as many elements.
YOKE_API void check_counts(const char* verb, std::size_t from, std::size_t into, const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/distributed/rank_check.ipp>
#endif

#endif

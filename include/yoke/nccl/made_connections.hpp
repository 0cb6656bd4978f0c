// SPDX-License-Identifier: MIT
// The connections that NCCL has made for a process's communicators: it makes each at a call's first use.
#ifndef YOKE_NCCL_MADE_CONNECTIONS_HPP
#define YOKE_NCCL_MADE_CONNECTIONS_HPP

#include <yoke/nccl/rank_call.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace yoke::inline v0_1::nccl::detail {

/// A bit for each verb of all ranks, for each root of a gather, a scatter or an all_to_all, and for each way of messages.
class made_connections {
 public:
  /// Whether a call of the rank `rank` of `size` has what it needs.
  [[nodiscard]] bool has(const rank_call& call, int rank, int size) const noexcept {
    if (call.which < verb::gather) return (verbs_ >> static_cast<unsigned>(call.which) & 1U) != 0;
    const std::size_t bit = number(call, rank, size);
    return bit / 64 < others_.size() && (others_[bit / 64] >> bit % 64 & 1U) != 0;
  }
  /// Throws: `std::bad_alloc`.
  void note(const rank_call& call, int rank, int size) {
    if (call.which < verb::gather) {
      verbs_ |= 1U << static_cast<unsigned>(call.which);
      return;
    }
    const std::size_t bit = number(call, rank, size);
    if (bit / 64 >= others_.size()) others_.resize(bit / 64 + 1);
    others_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }

 private:
  [[nodiscard]] static std::size_t number(const rank_call& call, int rank, int size) noexcept {
    const auto ranks = static_cast<std::size_t>(size);
    const auto other = static_cast<std::size_t>(call.root);
    if (call.which < verb::send) {
      const std::size_t kind = static_cast<std::size_t>(call.which) - static_cast<std::size_t>(verb::gather);
      return 2 * ranks * ranks + kind * ranks + other;
    }
    return 2 * (static_cast<std::size_t>(rank) * ranks + other) + (call.which == verb::send ? 0 : 1);
  }

  unsigned verbs_ = 0;
  std::vector<std::uint64_t> others_{};
};

}  // namespace yoke::inline v0_1::nccl::detail

#endif

// SPDX-License-Identifier: MIT
// Options of staged copies, which move pageable host memory through page-locked blocks that several threads fill.
#ifndef YOKE_EXECUTION_STAGING_OPTIONS_HPP
#define YOKE_EXECUTION_STAGING_OPTIONS_HPP

#include <yoke/core/shared.hpp>

#include <cstddef>

namespace yoke::inline v0_1 {

/// How blocking copies of pageable host memory are staged. Ignored by backends whose drivers copy pageable memory at
/// full speed. Units: bytes.
struct staging_options {
  bool enabled = true;                   ///< false: the driver makes all copies
  std::size_t from_bytes = 64ULL << 20;  ///< the driver makes smaller copies
  std::size_t block_bytes = 0;           ///< two such blocks for each thread; 0: fitted to the copy, at most 1 MiB
  unsigned threads = 0;                  ///< at most 64; 0: half of the machine's hardware threads, at most 8

  [[nodiscard]] friend bool operator==(const staging_options&, const staging_options&) noexcept = default;
};

namespace detail {

/// A context's staging options. Thread safety: safe.
class staging_setting {
 public:
  /// Returns: the least size of staged copies.
  [[nodiscard]] std::size_t from_bytes() const noexcept { return effective_.load(order::relaxed); }
  [[nodiscard]] staging_options get() const noexcept {
    return {effective_.load(order::relaxed) != never, from_.load(order::relaxed), block_.load(order::relaxed),
            threads_.load(order::relaxed)};
  }
  void set(const staging_options& to) noexcept {
    from_.store(to.from_bytes, order::relaxed);
    block_.store(to.block_bytes, order::relaxed);
    threads_.store(to.threads, order::relaxed);
    effective_.store(to.enabled ? to.from_bytes : never, order::relaxed);
  }

 private:
  static constexpr std::size_t never = ~std::size_t{0};
  static constexpr staging_options first{};
  atomic<std::size_t> effective_{first.from_bytes};
  atomic<std::size_t> from_{first.from_bytes};
  atomic<std::size_t> block_{first.block_bytes};
  atomic<unsigned> threads_{first.threads};
};

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif

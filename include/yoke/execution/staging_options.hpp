// SPDX-License-Identifier: MIT
// How a context copies large ordinary host memory: through page-locked blocks that several threads fill.
#ifndef YOKE_EXECUTION_STAGING_OPTIONS_HPP
#define YOKE_EXECUTION_STAGING_OPTIONS_HPP

#include <yoke/core/shared.hpp>

#include <cstddef>

namespace yoke::inline v0_1 {

/// How blocking copies of ordinary host memory are staged. Backends whose drivers copy such memory as fast as any other
/// stage nothing. Units: bytes.
struct staging_options {
  bool enabled = true;                   ///< false: the driver copies alone
  std::size_t from_bytes = 64ULL << 20;  ///< smaller copies are the driver's
  std::size_t block_bytes = 0;           ///< of each of the two blocks a thread; 0: what fits the copy, at most 1 MiB
  unsigned threads = 0;                  ///< at most 64; 0: half of the machine's, at most 8

  [[nodiscard]] friend bool operator==(const staging_options&, const staging_options&) noexcept = default;
};

namespace detail {

/// The options that a context has, read and written by any thread.
class staging_setting {
 public:
  /// Returns: the bytes from which on copies are staged.
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

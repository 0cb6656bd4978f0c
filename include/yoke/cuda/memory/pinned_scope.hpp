// SPDX-License-Identifier: MIT
// Page-locks, or maps for the device, several ranges of the program's own memory for a scope.
#ifndef YOKE_CUDA_MEMORY_PINNED_SCOPE_HPP
#define YOKE_CUDA_MEMORY_PINNED_SCOPE_HPP

#include <yoke/cuda/memory/registered_memory.hpp>

#include <tuple>
#include <utility>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// A context with the caller's source location, for a call with any number of ranges.
struct context_here {
  context_here(const cuda::context& in, const source_location& at = source_location::current())  // NOLINT: implicit
      : context(in), where(at) {}
  const cuda::context& context;
  source_location where;
};
template <class Range>
using pinned_element = std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>;
}  // namespace detail

/// Page-locks ranges for as long as it lives, all or none. Its views are page-locked memory for copies. Neither
/// copyable nor movable.
/// Requires: the ranges outlive this and the transfers of its views.
/// Thread safety: as a `std::span`.
/// Example: `cuda::pinned_scope pin{ctx, x, y}; const auto& [px, py] = pin.views(); yoke::copy_async(px, device_x,
/// stream);`
template <class... T>
class pinned_scope {
 public:
  /// Effects: page-locks one range after the other; if one fails, those before are unlocked again.
  /// Throws: as `registered_memory`. Wraps `cuMemHostRegister`.
  template <class... Ranges>
  explicit pinned_scope(const detail::context_here& in, Ranges&... ranges)
      : pinned_scope(registration_options{}, in, ranges...) {}
  pinned_scope(const pinned_scope&) = delete;
  pinned_scope& operator=(const pinned_scope&) = delete;

  /// The ranges, in order, as page-locked memory.
  [[nodiscard]] const std::tuple<registered_memory<T>...>& views() const& noexcept { return views_; }
  void views() const&& = delete;

 private:
  template <class...>
  friend class mapped_scope;
  template <class... Ranges>
  pinned_scope(const registration_options& options, const detail::context_here& in, Ranges&... ranges)
      : views_{registered_memory<T>(in.context, std::span<T>(std::data(ranges), std::size(ranges)), options,
                                    in.where)...} {}

  std::tuple<registered_memory<T>...> views_;  // initialised with braces, so in order
};
template <class... Ranges>
pinned_scope(const context&, Ranges&...) -> pinned_scope<detail::pinned_element<Ranges>...>;

/// As `pinned_scope`, and the device accesses the ranges over the bus: the views are device memory for kernels, copies
/// and fills.
/// Requires: enqueued work with the views is done before this ends.
/// Example: `cuda::mapped_scope map{ctx, x, y}; auto [dx, dy] = map.views(); yoke::fill(dx, 1.0f, stream);`
template <class... T>
class mapped_scope {
 public:
  /// Effects, throws: as `pinned_scope`. Wraps `cuMemHostRegister`, `cuMemHostGetDevicePointer`.
  template <class... Ranges>
  explicit mapped_scope(const detail::context_here& in, Ranges&... ranges)
      : pinned_(registration_options{.mapped = true}, in, ranges...),
        views_(std::apply([&](const auto&... each) { return std::tuple<device_span<T>...>(mapped(each, in.where)...); },
                          pinned_.views())) {}
  mapped_scope(const mapped_scope&) = delete;
  mapped_scope& operator=(const mapped_scope&) = delete;

  /// The ranges, in order, as the device sees them.
  [[nodiscard]] const std::tuple<device_span<T>...>& views() const& noexcept { return views_; }
  void views() const&& = delete;

 private:
  pinned_scope<T...> pinned_;
  std::tuple<device_span<T>...> views_;
};
template <class... Ranges>
mapped_scope(const context&, Ranges&...) -> mapped_scope<detail::pinned_element<Ranges>...>;

}  // namespace yoke::inline v0_1::cuda

#endif

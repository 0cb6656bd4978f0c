// SPDX-License-Identifier: MIT
// Maps several ranges of the program's own memory as device memory for a scope.
#ifndef YOKE_OPENCL_MEMORY_MAPPED_SCOPE_HPP
#define YOKE_OPENCL_MEMORY_MAPPED_SCOPE_HPP

#include <yoke/opencl/memory/buffer.hpp>

#include <initializer_list>
#include <tuple>
#include <utility>

namespace yoke::inline v0_1::opencl {

namespace detail {
/// A stream with the caller's source location, for a call with any number of ranges.
struct stream_here {
  stream_here(const opencl::stream& in, const source_location& at = source_location::current())  // NOLINT: implicit
      : stream(in), where(at) {
    if (!in) yoke::detail::throw_empty_handle("stream", at);
  }
  const opencl::stream& stream;
  source_location where;
};
/// Throws: `logic_error` with the positions of two ranges that overlap: OpenCL does not define the content of buffers
/// over the same memory.
inline void check_apart(std::initializer_list<std::span<const std::byte>> ranges, const source_location& where) {
  for (auto later = ranges.begin(); later != ranges.end(); ++later) {
    for (auto earlier = ranges.begin(); earlier != later; ++earlier) {
      const auto first = reinterpret_cast<std::uintptr_t>(earlier->data());
      const auto second = reinterpret_cast<std::uintptr_t>(later->data());
      if (first >= second + later->size() || second >= first + earlier->size()) continue;
      yoke::detail::throw_error(errc::invalid_argument, where, "ranges ", earlier - ranges.begin(), " and ",
                                later - ranges.begin(), " of a mapped_scope overlap");
    }
  }
}
/// Returns: a buffer over a range, which the caller keeps.
template <class T>
[[nodiscard]] device_allocation<std::remove_const_t<T>> buffer_of_range(std::span<T> range, const stream_here& in) {
  using element = std::remove_const_t<T>;
  const context& of = in.stream.context_of();
  if (range.empty()) return device_allocation<element>(of, 0, in.where);
  const buffer_options options{.kernels = std::is_const_v<T> ? kernel_access::read_only : kernel_access::read_write};
  void* const host = const_cast<element*>(range.data());
  return adopt_buffer<element>(of, make_buffer(of, options, range.size_bytes(), host, true, in.where), range.size(),
                               nullptr, in.where);
}
/// Effects: makes kernels' results visible in host memory; a failure goes to the cleanup handler.
template <class T>
void show_to_host(device_allocation<T>& buffer, const stream& order) noexcept {
  try {
    (void)map(buffer, order, map_read);
  } catch (...) {
    yoke::detail::report_cleanup_exception("opencl::mapped_scope");
  }
}
}  // namespace detail

/// Contiguous ranges as device memory for as long as it lives, all or none: its views are arguments of kernels, and
/// operands of copies and fills. When it ends, the host's ranges contain the results of the stream's commands. Neither
/// copyable nor movable.
/// Effects: its end waits for the stream. A failure there goes to the cleanup handler.
/// Requires: the ranges and the stream outlive this; the host does not access the ranges meanwhile; work of other
/// streams with the views is done before it ends. Thread safety: as a `std::span`.
/// Example: `opencl::mapped_scope map{stream, x, y}; auto [dx, dy] = map.views(); yoke::fill(dx, 1.0f, stream);`
template <class... T>
class mapped_scope {
 public:
  /// Effects: makes one buffer after the other; if one fails, the earlier ones end. Const ranges are read-only for
  /// kernels.
  /// Throws: `logic_error` for an empty stream, and for ranges that overlap; `memory_error`; `error`. Wraps
  /// `clCreateBuffer`, `clEnqueueMapBuffer`.
  template <class... Ranges>
  explicit mapped_scope(const detail::stream_here& in, Ranges&... ranges)
      : order_((detail::check_apart({std::as_bytes(std::span(std::data(ranges), std::size(ranges)))...}, in.where),
                in.stream)),
        buffers_{detail::buffer_of_range(std::span<T>(std::data(ranges), std::size(ranges)), in)...},
        views_(std::apply([&](auto&... each) { return std::tuple<device_span<T>...>(each.span(in.where)...); },
                          buffers_)) {}
  mapped_scope(const mapped_scope&) = delete;
  mapped_scope& operator=(const mapped_scope&) = delete;
  ~mapped_scope() {
    std::apply([&](auto&... each) { (show<T>(each), ...); }, buffers_);
    try {
      order_.synchronize();
    } catch (...) {
      yoke::detail::report_cleanup_exception("opencl::mapped_scope");
    }
  }

  /// The ranges, in order, as the device sees them.
  [[nodiscard]] const std::tuple<device_span<T>...>& views() const& noexcept { return views_; }
  void views() const&& = delete;

 private:
  template <class Element>
  void show(device_allocation<std::remove_const_t<Element>>& buffer) noexcept {
    if constexpr (!std::is_const_v<Element>) detail::show_to_host(buffer, order_);
  }

  const stream& order_;
  std::tuple<device_allocation<std::remove_const_t<T>>...> buffers_;  // initialised with braces, so in order
  std::tuple<device_span<T>...> views_;
};
template <class... Ranges>
mapped_scope(const stream&, Ranges&...)
    -> mapped_scope<std::remove_pointer_t<decltype(std::data(std::declval<Ranges&>()))>...>;

/// Does not compile: OpenCL cannot page-lock existing memory.
class pinned_scope {
 public:
  template <class Owner, class... Ranges>
  explicit pinned_scope(const Owner&, Ranges&...) {
    static_assert(sizeof(Owner) == 0,
                  "OpenCL page-locks no memory that exists already: use a pagelocked_array, or an "
                  "opencl::mapped_scope");
  }
};

}  // namespace yoke::inline v0_1::opencl

#endif

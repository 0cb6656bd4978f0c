// SPDX-License-Identifier: MIT
// Device memory as a host range for a while: mapped here, unmapped at the end of the scope.
#ifndef YOKE_OPENCL_MEMORY_MAP_HPP
#define YOKE_OPENCL_MEMORY_MAP_HPP

#include <yoke/array/geometry/shape.hpp>
#include <yoke/opencl/names.hpp>

namespace yoke::inline v0_1 {
// Defined in <yoke/array.hpp>, for maps with axes.
template <std::size_t Rank>
class array_layout;
template <class Memory, std::size_t Rank>
class host_array;
}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::opencl {

/// How mapped memory is used: the type decides whether its elements are const.
template <map_mode Mode>
struct map_tag {
  static_assert(Mode == map_mode::read || Mode == map_mode::write || Mode == map_mode::read_write,
                "memory is mapped to read, to write, or both");
  static constexpr map_mode mode = Mode;
};
inline constexpr map_tag<map_mode::read> map_read{};    ///< the host reads
inline constexpr map_tag<map_mode::write> map_write{};  ///< the host writes every element; old values are lost
inline constexpr map_tag<map_mode::read_write> map_read_write{};  ///< the host reads and writes

namespace detail {
/// Ends a mapping; derived for buffers and for SVM.
class mapping {
 public:
  mapping() = default;
  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  virtual ~mapping() = default;
  /// Effects: enqueues the unmapping after events, in the mapping's own stream if `order` is null. If this throws, the
  /// memory is still mapped. Returns: the command's event.
  virtual event end(const stream* order, const wait_list& after, const source_location& where) = 0;
};
}  // namespace detail

/// The options of an asynchronous map.
struct map_options {
  wait_list after{};  ///< events, also of other streams
};

/// A mapped range of `T`, contiguous; unmapped in its stream's order when it ends. Move-only.
/// While it lives, launches and copies of the memory throw. Thread safety: as a `std::vector`.
template <class T>
class mapped_view {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;

  mapped_view() noexcept = default;
  mapped_view(T* data, std::size_t size, yoke::detail::owner<detail::mapping> mapping) noexcept
      : data_(data), size_(size), mapping_(std::move(mapping)), is_mapped_(true) {}
  mapped_view(mapped_view&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        mapping_(std::move(other.mapping_)),
        is_mapped_(std::exchange(other.is_mapped_, false)) {}
  mapped_view& operator=(mapped_view&& other) noexcept {
    if (this != &other) {
      reset();
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
      mapping_ = std::move(other.mapping_);
      is_mapped_ = std::exchange(other.is_mapped_, false);
    }
    return *this;
  }
  ~mapped_view() = default;

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Whether a mapping exists, also of zero elements: false after a move or `reset`. Launches refuse an empty view.
  [[nodiscard]] bool is_mapped() const noexcept { return is_mapped_; }
  [[nodiscard]] T* begin() const noexcept { return data_; }
  [[nodiscard]] T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t index) const noexcept { return data_[index]; }
  /// Unmaps after events, and does not wait; the view is empty afterwards. Returns: the event of the unmapping.
  /// Throws: `logic_error` when nothing is mapped, as for zero elements, or for events of another context; `error`; the
  /// memory is then still mapped. Wraps `clEnqueueUnmapMemObject`, `clEnqueueSVMUnmap`.
  event unmap(const map_options& options = {}, const source_location& where = source_location::current()) {
    return unmap_in(nullptr, options, where);
  }
  /// As above, in another stream of the context. Commands of the first stream do not wait for the unmapping.
  event unmap(const stream& order, const map_options& options = {},
              const source_location& where = source_location::current()) {
    return unmap_in(&order, options, where);
  }
  /// Unmaps now; the view is empty afterwards. Throws: nothing; a failure goes to the cleanup handler.
  void reset() noexcept {
    mapping_.reset();
    data_ = nullptr;
    size_ = 0;
    is_mapped_ = false;
  }

 private:
  event unmap_in(const stream* order, const map_options& options, const source_location& where) {
    if (!mapping_) yoke::detail::throw_empty_handle("mapped view", where);
    event done = mapping_->end(order, options.after, where);
    reset();
    return done;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  yoke::detail::owner<detail::mapping> mapping_;
  bool is_mapped_ = false;
};

/// A map in progress. Effects: the memory counts as mapped from the start; the destructor unmaps it after the map.
/// Move-only. Thread safety: one non-const handle from one thread at a time.
template <class T>
class pending_map {
 public:
  pending_map() noexcept = default;
  pending_map(mapped_view<T>&& view, event&& done) noexcept : view_(std::move(view)), done_(std::move(done)) {}

  /// The event of the map; empty for no elements. Other streams and callbacks may wait for it.
  [[nodiscard]] const event& done() const noexcept { return done_; }
  /// Whether `get` returns at once. Throws: `error`.
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) const {
    return !done_ || done_.is_done(where);
  }
  /// Waits for the map. Returns: the view; this is empty afterwards.
  /// Throws: `runtime_error` when the map, or a command that it waited for, has failed; `logic_error` when empty.
  [[nodiscard]] mapped_view<T> get(const source_location& where = source_location::current()) {
    if (!view_.is_mapped()) yoke::detail::throw_empty_handle("pending map", where);
    if (done_) done_.wait(where);
    done_.reset();
    return std::move(view_);
  }

 private:
  mapped_view<T> view_;
  event done_;
};

// The first line of the message names the reason why a map does not compile.
template <class Element>
struct const_memory_is_mapped_with_map_read_alone;

namespace detail {

template <class T, map_mode Mode>
using mapped_element = std::conditional_t<Mode == map_mode::read, const T, T>;

/// A mapped buffer: its address and its unmapping.
struct mapped_buffer {
  void* address;
  yoke::detail::owner<mapping> end;
};
/// A part of native memory to map. Units: bytes.
struct mapped_part {
  abi::context context;
  abi::memory memory;
  std::size_t offset;
  std::size_t bytes;
};
/// An asynchronous map: the events that it waits for, and its own event.
struct map_later {
  const wait_list& after;
  event done{};
};
/// Effects: maps; `count` counts the views of the memory, or is null. Waits unless `later` is given.
YOKE_API mapped_buffer map_buffer(yoke::detail::map_count count, const mapped_part& part, const stream& order,
                                  map_mode mode, map_later* later, const source_location& where);

}  // namespace detail

namespace detail {
template <std::size_t Rank>
void check_map_shape(const yoke::shape<Rank>& extents, std::size_t element_bytes, std::size_t size, array_order axes,
                     const source_location& where) {
  const array_layout<Rank> layout(extents, element_bytes, axes, where);
  if (layout.size() != size) yoke::detail::throw_range_size(size, layout.axes(), where);
}
template <class T, map_mode Mode>
[[nodiscard]] mapped_view<mapped_element<T, Mode>> map_allocation(device_allocation<T>& allocation, const stream& order,
                                                                  map_later* later, const source_location& where) {
  allocation.check(where);
  if (allocation.empty()) return {nullptr, 0, nullptr};
  auto mapped =
      map_buffer(allocation.maps(),
                 {allocation.context_of().native_handle(), allocation.native_handle(), 0, allocation.size_bytes()},
                 order, Mode, later, where);
  return {static_cast<mapped_element<T, Mode>*>(mapped.address), allocation.size(), std::move(mapped.end)};
}
template <class T, map_mode Mode>
[[nodiscard]] mapped_view<mapped_element<T, Mode>> map_span(const device_span<T>& span, const stream& order,
                                                            map_later* later, const source_location& where) {
  if constexpr (std::is_const_v<T> && Mode != map_mode::read) {
    (void)sizeof(const_memory_is_mapped_with_map_read_alone<T>);
    return {};
  } else {
    if (span.native_context() == nullptr) yoke::detail::throw_empty_handle("device span", where);
    if (span.empty()) return {nullptr, 0, nullptr};
    auto mapped =
        map_buffer(span.maps().share(),
                   {span.native_context(), span.native_handle(), span.offset() * sizeof(T), span.size_bytes()}, order,
                   Mode, later, where);
    return {static_cast<mapped_element<T, Mode>*>(mapped.address), span.size(), std::move(mapped.end)};
  }
}
}  // namespace detail

/// Maps a whole allocation for the host. Effects: waits until the data is there, behind the stream's earlier commands.
/// Returns: the view; with `map_read` its elements are const. The allocation may move or end while it is mapped.
/// Throws: `logic_error` when empty or of another context, or when a writing view would not be the allocation's only
/// view; `error`. Thread safety: as the allocation.
/// Wraps `clEnqueueMapBuffer`, `clEnqueueUnmapMemObject`.
template <class T, map_mode Mode>
[[nodiscard]] mapped_view<detail::mapped_element<T, Mode>> map(
    device_allocation<T>& allocation, const stream& order, map_tag<Mode>,
    const source_location& where = source_location::current()) {
  return detail::map_allocation<T, Mode>(allocation, order, nullptr, where);
}

/// Maps the elements of a span; with const elements only `map_read` compiles.
/// Effects: the whole allocation counts as mapped: launches, copies and fills of any part of it throw meanwhile.
/// Requires: the memory exists when it is mapped; then it may end. Views of memory after `release()`,
/// or through a span that the caller built, are not counted.
/// Returns, throws, thread safety, wraps: as above.
template <class T, map_mode Mode>
[[nodiscard]] mapped_view<detail::mapped_element<T, Mode>> map(
    const device_span<T>& span, const stream& order, map_tag<Mode>,
    const source_location& where = source_location::current()) {
  return detail::map_span<T, Mode>(span, order, nullptr, where);
}

/// Maps a whole allocation, or the elements of a span, with axes and without gaps. It needs `<yoke/array.hpp>`.
/// Returns: the view as an array of the host; `memory().unmap()` or its end unmaps it. For other strides, or a map of
/// `map_async` or of shared memory: `yoke::host_array table{pending.get(), layout}`.
/// Throws: `logic_error` when the number of elements differs from that of the shape, before anything is mapped; as
/// above. Thread safety, wraps: as above.
/// Example: `auto table = opencl::map(x, {3, 4}, stream, opencl::map_write); table(1, 2) = 5;`
template <class T, std::size_t Rank, map_mode Mode>
[[nodiscard]] host_array<mapped_view<detail::mapped_element<T, Mode>>, Rank> map(
    device_allocation<T>& allocation, const yoke::shape<Rank>& extents, const stream& order, map_tag<Mode> how,
    array_order axes = array_order::c, const source_location& where = source_location::current()) {
  detail::check_map_shape(extents, sizeof(T), allocation.size(), axes, where);
  return {map(allocation, order, how, where), extents, axes, where};
}
template <class T, std::size_t Rank, map_mode Mode>
[[nodiscard]] auto map(device_allocation<T>& allocation, const axis_extent (&extents)[Rank], const stream& order,
                       map_tag<Mode> how, array_order axes = array_order::c,
                       const source_location& where = source_location::current()) {
  return map(allocation, yoke::shape<Rank>::of(extents), order, how, axes, where);
}
template <class T, std::size_t Rank, map_mode Mode>
[[nodiscard]] host_array<mapped_view<detail::mapped_element<T, Mode>>, Rank> map(
    const device_span<T>& span, const yoke::shape<Rank>& extents, const stream& order, map_tag<Mode> how,
    array_order axes = array_order::c, const source_location& where = source_location::current()) {
  detail::check_map_shape(extents, sizeof(T), span.size(), axes, where);
  return {map(span, order, how, where), extents, axes, where};
}
template <class T, std::size_t Rank, map_mode Mode>
[[nodiscard]] auto map(const device_span<T>& span, const axis_extent (&extents)[Rank], const stream& order,
                       map_tag<Mode> how, array_order axes = array_order::c,
                       const source_location& where = source_location::current()) {
  return map(span, yoke::shape<Rank>::of(extents), order, how, axes, where);
}

/// Maps a whole allocation, or the elements of a span, behind the stream's earlier commands and the options' events.
/// Effects: does not wait; flushes the stream. Returns: the map in progress, with its event.
/// Throws: as above; `runtime_error` when an event's command has failed. Thread safety, wraps: as above.
template <class T, map_mode Mode>
[[nodiscard]] pending_map<detail::mapped_element<T, Mode>> map_async(
    device_allocation<T>& allocation, const stream& order, map_tag<Mode>, const map_options& options = {},
    const source_location& where = source_location::current()) {
  detail::map_later later{options.after};
  auto view = detail::map_allocation<T, Mode>(allocation, order, &later, where);
  if (later.done) order.flush(where);
  return {std::move(view), std::move(later.done)};
}
template <class T, map_mode Mode>
[[nodiscard]] pending_map<detail::mapped_element<T, Mode>> map_async(
    const device_span<T>& span, const stream& order, map_tag<Mode>, const map_options& options = {},
    const source_location& where = source_location::current()) {
  detail::map_later later{options.after};
  auto view = detail::map_span<T, Mode>(span, order, &later, where);
  if (later.done) order.flush(where);
  return {std::move(view), std::move(later.done)};
}

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/memory/map.ipp>
#endif

#endif

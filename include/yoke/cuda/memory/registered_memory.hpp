// SPDX-License-Identifier: MIT
// A range of the program's own memory, page-locked while this lives.
#ifndef YOKE_CUDA_MEMORY_REGISTERED_MEMORY_HPP
#define YOKE_CUDA_MEMORY_REGISTERED_MEMORY_HPP

#include <yoke/cuda/names.hpp>

#include <span>
#include <utility>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// A registration; transfers share it, so that the range stays page-locked until they are complete.
class registration {
 public:
  YOKE_API registration(const context& in, void* address, std::size_t bytes, const registration_options& options,
                        const source_location& where);
  /// A registration made by other code. Throws: `logic_error` when the range is not page-locked.
  YOKE_API registration(const context& in, void* address, std::size_t bytes, native_ownership ownership,
                        const source_location& where);
  registration(const registration&) = delete;
  registration& operator=(const registration&) = delete;
  YOKE_API ~registration();

  /// Effects: leaves the range page-locked at the end.
  void give_up() const noexcept { owned_ = false; }

  bool has_range = false;  // whether the range ends with this

 private:
  yoke::detail::context_view<port> context_;
  void* address_;
  mutable bool owned_ = true;  // the view alone, which has a share, gives it up
};
/// A registration with its range.
template <class Range>
struct registered_range {
  registered_range(const context& in, Range&& given, const registration_options& options, const source_location& where)
      : range(std::move(given)),
        registered(in, const_cast<void*>(static_cast<const void*>(std::ranges::data(range))),
                   std::ranges::size(range) * sizeof(std::ranges::range_value_t<Range>), options, where) {
    registered.has_range = true;
  }
  Range range;
  registration registered;  // destroyed first
};
/// A range that owns its elements, moved in by the caller.
template <class Range, class T>
concept range_to_own =
    !std::is_reference_v<Range> && !std::is_const_v<Range> && std::ranges::contiguous_range<Range> &&
    std::ranges::sized_range<Range> && !std::ranges::borrowed_range<Range> &&
    std::convertible_to<std::remove_reference_t<std::ranges::range_reference_t<Range>> (*)[], T (*)[]>;
}  // namespace detail

/// `size()` elements, page-locked: copies of them may be asynchronous. A view of elements with another owner, or the
/// owner of a range that was moved into it. With `const` elements it can only be the source of copies. Move-only.
/// Requires: the elements of a view outlive this and the transfers of it.
/// Thread safety: as a `std::span`.
/// Example: `std::vector<float> host(n); cuda::registered_memory pinned{ctx, std::span{host}};`
template <class T>
class registered_memory
    : public yoke::detail::block_handle<registered_memory<T>, port, const detail::registration, std::span<T>> {
  using base = yoke::detail::block_handle<registered_memory<T>, port, const detail::registration, std::span<T>>;

 public:
  static_assert(device_element<std::remove_const_t<T>>, "page-locked memory holds trivially copyable types");
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using port_type = port;

  registered_memory() noexcept = default;
  /// Effects: page-locks the pages of the range. Zero elements cost no driver call.
  /// Throws: `logic_error` when a part of the range is page-locked already; `unsupported_error` for `.read_only` if
  /// the device lacks it; `memory_error`; `error`. Wraps `cuMemHostRegister`.
  registered_memory(const context& in, std::span<T> range, const registration_options& options = {},
                    const source_location& where = source_location::current())
      : base(in, range) {
    (void)in.port(where);
    if (range.empty()) return;
    this->keep(yoke::detail::make_shared<const detail::registration>(in, const_cast<value_type*>(range.data()),
                                                                     range.size_bytes(), options, where));
  }
  /// As above, for a range that is moved in: a `std::vector`, an `aligned_array`. It lives as long as this and its
  /// transfers. Throws: as above; the range is then lost.
  template <class Range>
    requires detail::range_to_own<Range, T>
  registered_memory(const context& in, Range&& range, const registration_options& options = {},
                    const source_location& where = source_location::current())
      : base(in, {}) {
    (void)in.port(where);
    if (std::ranges::size(range) == 0) return;
    auto made =
        yoke::detail::make_shared<detail::registered_range<Range>>(in, std::forward<Range>(range), options, where);
    this->facts() = std::span<T>(std::ranges::data(made->range), std::ranges::size(made->range));
    const detail::registration* const registered = &made->registered;
    this->keep({registered, made.give_up()});
  }
  /// Takes ownership of a range that other code has page-locked, and unlocks it at the end. Requires: `range` is all of
  /// it.
  /// Throws: `logic_error` for a range that is empty or not page-locked, which then stays the caller's; `error`.
  /// Wraps `cuPointerGetAttribute`.
  [[nodiscard]] static registered_memory adopt(const context& in, std::span<T> range,
                                               const source_location& where = source_location::current()) {
    return registered_memory(in, range, native_ownership::plain, where);
  }
  /// Uses a range, or a part of one, that other code has page-locked. This does not unlock it; it must stay page-locked
  /// until this and its transfers end. Throws: as `adopt`.
  [[nodiscard]] static registered_memory borrow(const context& in, std::span<T> range,
                                                const source_location& where = source_location::current()) {
    return registered_memory(in, range, native_ownership::borrowed, where);
  }
  [[nodiscard]] T* data() const noexcept { return span().data(); }
  [[nodiscard]] std::size_t size() const noexcept { return span().size(); }
  [[nodiscard]] bool empty() const noexcept { return span().empty(); }
  [[nodiscard]] T* begin() const noexcept { return data(); }
  [[nodiscard]] T* end() const noexcept { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t index) const noexcept { return data()[index]; }
  [[nodiscard]] std::span<T> span() const noexcept { return this->facts(); }
  /// Elements [first, first + count), or those from `first` on, as page-locked memory that shares this registration.
  /// Requires: the elements outlive it and the transfers of it. Throws: `logic_error` when a part of them is outside.
  template <integer First, integer Count>
  [[nodiscard]] pagelocked_span<T> subspan(First first, Count count,
                                           const source_location& where = source_location::current()) const {
    return pagelocked_span<T>(this->context_of(), span(), this->block()).subspan(first, count, where);
  }
  template <integer First>
  [[nodiscard]] pagelocked_span<T> subspan(First first,
                                           const source_location& where = source_location::current()) const {
    return pagelocked_span<T>(this->context_of(), span(), this->block()).subspan(first, where);
  }

  /// Gives up the page-locking: the caller has to end it by `cuMemHostUnregister`, once the transfers of it are done.
  /// Returns: the range, which stays page-locked; this is empty afterwards. A range that was moved in cannot be given
  /// up: the result is empty. Throws: nothing.
  [[nodiscard]] std::span<T> release() noexcept {
    if (*this && this->block()->has_range) return {};
    const std::span<T> range = span();
    if (*this) this->block()->give_up();
    this->reset();
    return range;
  }

 private:
  registered_memory(const context& in, std::span<T> range, native_ownership ownership, const source_location& where)
      : base(in, range) {
    (void)in.port(where);
    if (range.empty()) yoke::detail::throw_null_native("page-locked range", where);
    this->keep(yoke::detail::make_shared<const detail::registration>(in, const_cast<value_type*>(range.data()),
                                                                     range.size_bytes(), ownership, where));
  }
};
template <class Range>
  requires(!std::is_reference_v<Range> && !std::ranges::borrowed_range<Range>)
registered_memory(const context&, Range&&)
    -> registered_memory<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;
template <class Range>
  requires(!std::is_reference_v<Range> && !std::ranges::borrowed_range<Range>)
registered_memory(const context&, Range&&, const registration_options&)
    -> registered_memory<std::remove_reference_t<std::ranges::range_reference_t<Range>>>;

/// The options of page-locked memory as the driver reports them: with unified addressing all of it is mapped.
/// Throws: `logic_error` when empty or registered; `error`. Thread safety: safe. Wraps `cuMemHostGetFlags`.
template <class T>
[[nodiscard]] pagelocked_options options_of(const pagelocked_array<T>& array,
                                            const source_location& where = source_location::current()) {
  if (!array) yoke::detail::throw_empty_handle("page-locked array", where);
  const context& in = array.context_of();
  return in.port(where).pagelocked_options_of(in.native_handle(), array.native_handle(), where);
}

/// Page-locked memory as a view for kernels and copies on the device, which reach it over the bus.
/// Requires: the memory outlives the view.
/// Throws: `logic_error` when empty; `error`. Thread safety: safe. Wraps `cuMemHostGetDevicePointer`.
template <class T>
[[nodiscard]] device_span<T> mapped(pagelocked_array<T>& array,
                                    const source_location& where = source_location::current());
template <class T>
[[nodiscard]] device_span<const T> mapped(const pagelocked_array<T>& array,
                                          const source_location& where = source_location::current());
template <class T>
[[nodiscard]] device_span<T> mapped(const registered_memory<T>& memory,
                                    const source_location& where = source_location::current());
template <class T>
[[nodiscard]] device_span<T> mapped(const pagelocked_span<T>& part,
                                    const source_location& where = source_location::current());

namespace detail {
template <class T>
device_span<T> mapped_span(const context& in, T* address, std::size_t size, const source_location& where) {
  if (!in) {
    yoke::detail::throw_error(errc::empty_handle, "this memory is empty (moved from, released or never set)", where);
  }
  const port& with = in.port(where);
  auto* const plain = const_cast<std::remove_const_t<T>*>(address);
  const abi::device_pointer native = size == 0 ? 0 : with.mapped_address(in.native_handle(), plain, where);
  return {in.native_handle(), native, 0, size};
}
}  // namespace detail

template <class T>
device_span<T> mapped(pagelocked_array<T>& array, const source_location& where) {
  return detail::mapped_span<T>(array.context_of(), array.data(), array.size(), where);
}
template <class T>
device_span<const T> mapped(const pagelocked_array<T>& array, const source_location& where) {
  return detail::mapped_span<const T>(array.context_of(), array.data(), array.size(), where);
}
template <class T>
device_span<T> mapped(const registered_memory<T>& memory, const source_location& where) {
  return detail::mapped_span<T>(memory.context_of(), memory.data(), memory.size(), where);
}
template <class T>
device_span<T> mapped(const pagelocked_span<T>& part, const source_location& where) {
  return detail::mapped_span<T>(part.context_of(), part.data(), part.size(), where);
}

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {
template <class T>
struct memory_access<cuda::registered_memory<T>> {
  static memory_side<pagelocked_place<cuda::port>, T> describe(const cuda::registered_memory<T>& memory) noexcept {
    return {.at = memory.data(),
            .size = memory.size(),
            .context = memory.context_of().native_handle(),
            .keep_alive = memory.keep_alive()};
  }
};
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/registered_memory.ipp>
#endif

#endif

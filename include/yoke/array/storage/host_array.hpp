// SPDX-License-Identifier: MIT
// An owner of host memory together with its axes: page-locked, aligned and mapped memory as arrays.
#ifndef YOKE_ARRAY_STORAGE_HOST_ARRAY_HPP
#define YOKE_ARRAY_STORAGE_HOST_ARRAY_HPP

#include <yoke/array/storage/host_view.hpp>

namespace yoke::inline v0_1 {

namespace detail {
/// An owner of contiguous elements that the host reads.
template <class Memory>
concept host_owner = !std::is_reference_v<Memory> && !std::is_const_v<Memory> && host_range<Memory> &&
                     requires { requires device_element<std::remove_const_t<lent_element<Memory&>>>; };
/// An option of an owner's constructor; numbers, such as an alignment, become `std::size_t`.
template <class Option>
[[nodiscard]] decltype(auto) owner_option(const Option& given, const source_location& where) {
  if constexpr (integer<Option>) {
    return narrow<std::size_t>(given, "option", where);
  } else {
    return (given);
  }
}
}  // namespace detail

/// Host memory with axes: an owner of contiguous elements, such as a `pagelocked_array`, an `aligned_array`, a mapped
/// buffer or a `std::vector`, and their layout. Copies take it as they take its memory; unless it lies without gaps in
/// C order they refuse it, but take `memory()`. `view()` gives all functions of a `host_view`.
/// Thread safety: as its memory.
/// Example: `yoke::host_array<cuda::pagelocked_array<float>, 2> a{ctx, {3, 4}}; a(1, 2) = 5;`
template <class Memory, std::size_t Rank>
class host_array : public detail::call_operators<host_array<Memory, Rank>>,
                   public detail::layout_facts<host_array<Memory, Rank>, Rank> {
  using place = source_location;

 public:
  static_assert(detail::host_owner<Memory>, "the memory is an owner of contiguous elements on the host");
  using memory_type = Memory;
  using element_type = detail::lent_element<Memory&>;
  using const_element_type = detail::lent_element<const Memory&>;
  using value_type = std::remove_const_t<element_type>;

  /// No memory and no elements.
  host_array() = default;
  /// Takes memory over, with a shape and without gaps.
  /// Throws: `logic_error` when the number of elements differs from that of the shape, and for an extent below 0; the
  /// caller then keeps the memory.
  /// Example: `yoke::host_array table{opencl::map(x, stream, opencl::map_write), yoke::shape{3, 4}};`
  host_array(Memory&& memory, const yoke::shape<Rank>& extents, array_order order = array_order::c,
             const place& where = place::current())
      : layout_(extents, sizeof(value_type), order, where) {
    if (std::size(memory) != layout_.size()) detail::throw_range_size(std::size(memory), layout_.axes(), where);
    memory_ = std::move(memory);
  }
  /// Takes memory over, with any strides. Throws: `logic_error` for a layout that leaves the memory, has elements of
  /// another size, or misaligned ones; the caller then keeps the memory.
  template <detail::layout_of_rank<Rank> Layout>
  host_array(Memory&& memory, const Layout& layout, const place& where = place::current()) : layout_(layout) {
    detail::check_layout(layout, std::size(memory), sizeof(value_type), alignof(value_type), where);
    memory_ = std::move(memory);
  }
  /// Allocates the memory in a context, or from a pool: `Memory{parent, count}`. Throws: `logic_error` for an extent
  /// below 0; as `Memory`. Example: `host_array<pagelocked_array<float>, 2> a{ctx, {3, 4}, array_order::f};`
  template <class Parent>
    requires std::constructible_from<Memory, const Parent&, std::size_t, const place&>
  host_array(const Parent& parent, const yoke::shape<Rank>& extents, array_order order = array_order::c,
             const place& where = place::current())
      : layout_(extents, sizeof(value_type), order, where), memory_(parent, layout_.size(), where) {}
  /// The same with options of `Memory`: `{ctx, {3, 4}, array_order::c, yoke::zeroed}`.
  template <class Parent, class Options>
    requires std::constructible_from<Memory, const Parent&, std::size_t, const Options&, const place&>
  host_array(const Parent& parent, const yoke::shape<Rank>& extents, array_order order, const Options& options,
             const place& where = place::current())
      : layout_(extents, sizeof(value_type), order, where), memory_(parent, layout_.size(), options, where) {}
  /// Allocates memory that needs no context: `host_array<aligned_array<float>, 2> a{{3, 4}};`. Throws: as above.
  explicit host_array(const yoke::shape<Rank>& extents, array_order order = array_order::c,
                      const place& where = place::current())
    requires std::constructible_from<Memory, std::size_t>
      : layout_(extents, sizeof(value_type), order, where), memory_(layout_.size()) {}
  /// The same with options of `Memory`: `{{3, 4}, array_order::c, 256}` aligns to 256 bytes, `yoke::zeroed` sets zeros.
  template <class Options>
    requires std::constructible_from<Memory, std::size_t, const Options&>
  host_array(const yoke::shape<Rank>& extents, array_order order, const Options& options,
             const place& where = place::current())
      : layout_(extents, sizeof(value_type), order, where),
        memory_(layout_.size(), detail::owner_option(options, where)) {}
  host_array(const host_array&) = delete;
  host_array& operator=(const host_array&) = delete;
  host_array(host_array&& other) noexcept
      : layout_(std::exchange(other.layout_, none())), memory_(std::move(other.memory_)) {}
  host_array& operator=(host_array&& other) noexcept {
    if (this != &other) {
      layout_ = std::exchange(other.layout_, none());
      memory_ = std::move(other.memory_);
    }
    return *this;
  }
  ~host_array() = default;

  [[nodiscard]] const array_layout<Rank>& layout() const noexcept { return layout_; }

  /// A view of all elements. Requires: this, with its memory, outlives the view.
  [[nodiscard]] host_view<element_type, Rank> view() & noexcept { return {std::data(memory_), layout_}; }
  [[nodiscard]] host_view<const_element_type, Rank> view() const& noexcept { return {std::data(memory_), layout_}; }
  host_view<element_type, Rank> view() && = delete;  // a view does not keep the memory alive
  /// All elements in C order.
  [[nodiscard]] auto begin() noexcept { return view().begin(); }
  [[nodiscard]] auto end() noexcept { return view().end(); }
  [[nodiscard]] auto begin() const noexcept { return view().begin(); }
  [[nodiscard]] auto end() const noexcept { return view().end(); }
  /// An element, `a(1, 2)`, or a view of a part; as `host_view`.
  using detail::call_operators<host_array>::operator();
  template <array_index... Indices>
  [[nodiscard]] decltype(auto) part_at(const place& where, const Indices&... indices) & {
    return view().part_at(where, indices...);
  }
  template <array_index... Indices>
  [[nodiscard]] decltype(auto) part_at(const place& where, const Indices&... indices) const& {
    return view().part_at(where, indices...);
  }
  [[nodiscard]] decltype(auto) operator[](const detail::placed_index<std::ptrdiff_t>& index)
    requires(Rank > 0)
  {
    return view()[index];
  }
  [[nodiscard]] decltype(auto) operator[](const detail::placed_index<std::ptrdiff_t>& index) const
    requires(Rank > 0)
  {
    return view()[index];
  }

  /// The memory, in its own order: for `unmap`, and for copies of memory in F order or with gaps.
  [[nodiscard]] Memory& memory() noexcept { return memory_; }
  [[nodiscard]] const Memory& memory() const noexcept { return memory_; }
  /// Gives up the memory. Returns: the memory; this is empty afterwards.
  [[nodiscard]] Memory release() noexcept {
    layout_ = none();
    return std::move(memory_);
  }
  /// Frees, or unmaps, the memory now.
  void reset() noexcept {
    layout_ = none();
    memory_ = Memory();
  }
  void swap(host_array& other) noexcept {
    std::swap(layout_, other.layout_);
    std::swap(memory_, other.memory_);
  }
  friend void swap(host_array& left, host_array& right) noexcept { left.swap(right); }

 private:
  static array_layout<Rank> none() noexcept { return {yoke::shape<Rank>{}, sizeof(value_type)}; }

  array_layout<Rank> layout_ = none();
  Memory memory_{};
};

template <class Memory, std::size_t Rank>
  requires detail::host_owner<Memory>
host_array(Memory&&, const shape<Rank>&) -> host_array<Memory, Rank>;
template <class Memory, std::size_t Rank>
  requires detail::host_owner<Memory>
host_array(Memory&&, const shape<Rank>&, array_order) -> host_array<Memory, Rank>;
template <class Memory, std::size_t Rank>
  requires detail::host_owner<Memory>
host_array(Memory&&, const array_layout<Rank>&) -> host_array<Memory, Rank>;

template <class Memory, std::size_t Rank>
struct memory_access<host_array<Memory, Rank>> {
  template <class Array>
  static auto describe(Array& array) noexcept {
    auto side = detail::describe(array.memory());
    static_assert(decltype(side)::place::on_host, "the memory of a host_array is on the host");
    side.at += array.layout().offset_bytes() / sizeof(typename Array::value_type);
    side.size = array.size();
    detail::describe_axes(side, array.layout());
    return side;
  }
};

}  // namespace yoke::inline v0_1

#endif

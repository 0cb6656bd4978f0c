// SPDX-License-Identifier: MIT
// An array on the device: memory, shape and stream.
#ifndef YOKE_ARRAY_STORAGE_DEVICE_ARRAY_HPP
#define YOKE_ARRAY_STORAGE_DEVICE_ARRAY_HPP

#include <yoke/array/storage/array_operations.hpp>
#include <yoke/array/storage/print.hpp>

namespace yoke::inline v0_1 {

namespace detail {
struct write_b_is_a_copy_or_yoke_max_or_where {};
/// Returns: the layout. Throws: `logic_error` unless it is one of elements of type `T`.
template <class T, std::size_t Rank>
[[nodiscard]] const array_layout<Rank>& checked_layout(const array_layout<Rank>& of, const source_location& where) {
  check_layout(of, of.end_byte() / sizeof(T) + 1, sizeof(T), alignof(T), where);
  return of;
}
/// Returns: the shape of a new array with the elements of an expression. Does not compile for an expression of another
/// rank.
template <std::size_t Rank, class Expression>
[[nodiscard]] shape<Rank> new_shape(const Expression& of, const source_location& where) {
  using made = std::remove_cvref_t<decltype(of.shape(where))>;
  static_assert(std::same_as<made, shape<Rank>>, "the expression has another number of axes than the array");
  if constexpr (std::same_as<made, shape<Rank>>) {
    return of.shape(where);
  } else {
    return {};
  }
}
}  // namespace detail

/// Owns an array on the device and keeps the stream of its work alive. It has gaps only where it is made with a layout
/// that has. Move-only.
///
/// It has the functions of its view: `a(slice(1, none))`, `a.reshape({4, -1})`, `a.to_host()`. Its views and
/// expressions share its memory, which lives as long as any of them. The memory is allocated and freed in the stream's
/// order.
/// Thread safety: one non-const array from one thread at a time.
template <class T, std::size_t Rank, class Port>
class device_array : public detail::array_operations<device_array<T, Rank, Port>> {
 public:
  static_assert(device_element<T>, "device arrays hold trivially copyable, non-pointer, non-const types");
  using element_type = T;
  using value_type = T;
  using port_type = Port;
  using native_type = typename Port::memory_handle;

  /// An empty array; using it throws `logic_error`.
  device_array() noexcept = default;
  /// An uninitialised array. An array without elements makes no driver call.
  /// Throws: `logic_error` for an extent below 0; as `device_allocation`.
  device_array(const stream<Port>& stream, const yoke::shape<Rank>& extents, array_order order = array_order::c,
               const source_location& where = source_location::current())
      : layout_(extents, sizeof(T), order, where), block_(detail::make_block(layout_.size_bytes(), stream, where)) {}
  /// The same with memory of a pool or of a `memory_resource`, which takes it back in the stream's order. What is made
  /// from the array comes from there, too; the array and all of these keep the pool or the resource.
  /// Throws: as above, and as the pool or the resource; `logic_error` for an empty pool, a null resource, and a stream
  /// of another context.
  /// Example: `yoke::device_array<float, 2> a{pool, {3, 4}, stream}; yoke::device_array b(2 * a);`
  template <detail::memory_origin<Port> From>
  device_array(const From& from, const yoke::shape<Rank>& extents, const stream<Port>& stream,
               array_order order = array_order::c, const source_location& where = source_location::current())
      : device_array(detail::stream_with(stream, from, where), extents, order, where) {}
  /// Takes ownership of an allocation. What is made from the array comes from the allocation's pool or resource.
  /// Throws: `logic_error` when its number of elements differs from that of the shape, or its context from that of the
  /// stream; the caller then keeps the memory.
  device_array(device_allocation<T, Port>&& memory, const yoke::shape<Rank>& extents, const stream<Port>& stream,
               array_order order = array_order::c, const source_location& where = source_location::current())
      : layout_(extents, sizeof(T), order, where) {
    memory.check(where);
    detail::check_side(stream, detail::describe(memory), "memory", where);
    if (memory.size() != layout_.size()) detail::throw_range_size(memory.size(), layout_.axes(), where);
    const detail::shared<detail::memory_source<Port>> from = memory.source();
    if (from.get() == stream.memory()) {
      block_ = detail::make_shared<detail::allocated_block<T, Port>>(std::move(memory), stream, where);
    } else {
      const yoke::stream<Port> same = stream.another(from.get(), where);
      block_ = detail::make_shared<detail::allocated_block<T, Port>>(std::move(memory), same, where);
    }
  }
  /// Takes ownership of memory that host and device can access: a `cuda::managed_allocation`, or a mapped
  /// `cuda::pagelocked_array`. The end of the array waits for the stream's work, then frees it.
  /// Throws: as above.
  /// Example: `yoke::device_array a{cuda::managed_allocation<float>{ctx, 12}, yoke::shape{3, 4}, stream};`
  template <detail::shared_memory_owner<T, Port> Owner>
  device_array(Owner&& memory, const yoke::shape<Rank>& extents, const stream<Port>& stream,
               array_order order = array_order::c, const source_location& where = source_location::current())
      : layout_(extents, sizeof(T), order, where) {
    const device_span<T, Port> span = detail::device_memory_of(memory, where);
    detail::check_side(stream, detail::describe(span), "memory", where);
    if (span.size() != layout_.size()) detail::throw_range_size(span.size(), layout_.axes(), where);
    block_ = detail::make_shared<detail::shared_block<Owner, Port>>(std::forward<Owner>(memory), stream, where);
  }
  /// An uninitialised array with any strides: memory from the start to the layout's end. Elements that share bytes are
  /// only read. Throws: `logic_error` for a layout of elements of another size, or misaligned ones; as above.
  /// Example: `device_array<float, 2> a{stream, array_layout<2>{{3, 4}, {64, 4}, 0, sizeof(float)}};`
  template <detail::layout_of_rank<Rank> Layout>
  device_array(const yoke::stream<Port>& stream, const Layout& layout,
               const source_location& where = source_location::current())
      : layout_(detail::checked_layout<T>(layout, where)),
        block_(detail::make_block(layout.end_byte(), stream, where)) {}
  /// The same in memory that it takes over: an allocation, or memory that host and device can access, as above.
  /// Throws: also `logic_error` for a layout that leaves the memory; the caller then keeps it.
  template <detail::layout_of_rank<Rank> Layout>
  device_array(device_allocation<T, Port>&& memory, const Layout& layout, const yoke::stream<Port>& stream,
               const source_location& where = source_location::current())
      : layout_(layout) {
    memory.check(where);
    detail::check_side(stream, detail::describe(memory), "memory", where);
    detail::check_layout(layout, memory.size(), sizeof(T), alignof(T), where);
    block_ = detail::make_shared<detail::allocated_block<T, Port>>(std::move(memory), stream, where);
  }
  template <detail::shared_memory_owner<T, Port> Owner, detail::layout_of_rank<Rank> Layout>
  device_array(Owner&& memory, const Layout& layout, const yoke::stream<Port>& stream,
               const source_location& where = source_location::current())
      : layout_(layout) {
    const device_span<T, Port> span = detail::device_memory_of(memory, where);
    detail::check_side(stream, detail::describe(span), "memory", where);
    detail::check_layout(layout, span.size(), sizeof(T), alignof(T), where);
    block_ = detail::make_shared<detail::shared_block<Owner, Port>>(std::forward<Owner>(memory), stream, where);
  }
  /// An array with the elements of an expression, or of the result of a function of `pass`, in the stream of its first
  /// array. Throws: as `evaluate`.
  /// Example: `device_array<float, 1> c = 2 * a;`
  template <detail::assignable Expression>
  device_array(const Expression& expression,  // NOLINT: reads like an assignment
               const source_location& where = source_location::current())
      : device_array(expression.stream(where), detail::new_shape<Rank>(expression, where), array_order::c, where) {
    expression.evaluate_in(stream(where), view(where), where);
  }
  /// Does not compile: the array takes the stream of the expression's first array.
  template <detail::assignable Expression, class Other>
  device_array(const Expression&, const yoke::stream<Other>&) {
    static_assert(!detail::assignable<Expression>,
                  "an expression is evaluated in the stream of its first array: write device_array c(2 * a), or "
                  "c(2 * a.bind(stream))");
  }
  /// A copy of a view's elements, converted if the types differ. Throws: as `device_view::assign`.
  /// Example: `yoke::device_array c(a(slice(0, 3)));`
  template <class U>
  explicit device_array(const device_view<U, Rank, Port>& elements,
                        const source_location& where = source_location::current())
      : device_array(elements.stream(where), elements.shape(),
                     elements.is_f_contiguous() && !elements.is_c_contiguous() ? array_order::f : array_order::c,
                     where) {
    view(where).assign(elements, where);
  }
  /// Does not compile: copying a view needs an explicit conversion.
  template <class View>
    requires detail::is_device_view<View>
  device_array(const View&) {  // NOLINT: implicit, so that the message appears
    static_assert(
        !detail::is_device_view<View>,
        "a view does not become an array by itself: write device_array b(view), or b = view.copy(), which copy "
        "its elements, or take a device_view");
  }
  device_array(const device_array&)
    requires(Rank > max_array_rank)  // never
  = delete;
  /// Copying an array takes `copy()`. GCC's first error shows only the name of the type, Clang's only the text.
  template <class Array>
    requires std::same_as<Array, device_array>
  device_array(const Array&, detail::write_b_is_a_copy_or_yoke_max_or_where = {})
#if defined(__clang__)
      __attribute__((unavailable("an array is no copy of another: write b = a.copy(), yoke::max(a, b) or where(...)")));
#else
      = delete;
#endif
  device_array(device_array&& other) noexcept
      : layout_(std::exchange(other.layout_, none())), block_(std::move(other.block_)) {}
  /// Takes the memory of another array. Views and expressions of this array keep its old memory.
  // A template, so that `array = expression` does not convert the expression to a new array first.
  template <class Array = device_array>
    requires std::same_as<Array, device_array>
  device_array& operator=(Array&& other) noexcept {
    if (this != &other) {
      block_.reset();
      layout_ = std::exchange(other.layout_, none());
      block_ = std::move(other.block_);
    }
    return *this;
  }
  /// Evaluates an expression into this array's memory, copies a view's elements there, or sets every element:
  /// `array = 5`. The shape stays. Throws: as `device_view::assign` and `fill`; `logic_error` for an empty array.
  device_array& operator=(const detail::assigned_expression<T, Rank, Port>& source) {
    if (!block_) [[unlikely]]
      detail::throw_empty_destination(source.where());
    source.assign_to(view(source.where()));
    return *this;
  }
  device_array& operator=(const device_array&)
    requires(Rank > max_array_rank)  // never
  = delete;
  /// Does not compile: it could mean a copy of the elements or a second owner of the memory.
  template <class Array>
    requires std::same_as<Array, device_array>
  device_array& operator=(const Array&) {
    static_assert(
        !std::same_as<Array, device_array>,
        "`a = b` of two arrays could mean two things: write a.assign(b) to copy the elements into a's memory, "
        "a = b.copy() for new memory, or a = std::move(b)");
    return *this;
  }
  /// Does not compile: the element type and the rank of an array are fixed.
  template <class U, std::size_t Other>
    requires(!std::same_as<device_array<U, Other, Port>, device_array>)
  device_array& operator=(device_array<U, Other, Port>&&) {
    static_assert(
        std::same_as<device_array<U, Other, Port>, device_array>,
        "the new array has elements of another type, or another number of axes: write a.assign(b) to convert its "
        "elements into a's memory, or make it of a's type");
    return *this;
  }
  ~device_array() = default;
  void swap(device_array& other) noexcept {
    std::swap(layout_, other.layout_);
    block_.swap(other.block_);
  }
  friend void swap(device_array& left, device_array& right) noexcept { left.swap(right); }
  /// Empties the array. The memory lives on while views share it, else it is freed.
  void reset() noexcept {
    layout_ = none();
    block_.reset();
  }
  /// Whether it has a shape and a stream; true for an array without elements.
  [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }

  [[nodiscard]] const array_layout<Rank>& layout() const noexcept { return layout_; }
  /// A view of all elements, which shares their memory. Throws: `logic_error` for an empty array.
  [[nodiscard]] device_view<T, Rank, Port> view(const source_location& where = source_location::current()) {
    return {memory(where), block_->stream(), layout_, block_};
  }
  [[nodiscard]] device_view<const T, Rank, Port> view(const source_location& where = source_location::current()) const {
    return {memory(where), block_->stream(), layout_, block_};
  }
  // The operand of an expression: an empty view for an empty array.
  [[nodiscard]] device_view<const T, Rank, Port> operand() const noexcept {
    return block_ ? view() : device_view<const T, Rank, Port>();
  }
  /// As `view`.
  [[nodiscard]] device_view<T, Rank, Port> share(const source_location& where = source_location::current()) {
    return view(where);
  }
  [[nodiscard]] device_view<const T, Rank, Port> share(
      const source_location& where = source_location::current()) const {
    return view(where);
  }
  /// Returns: the stream of its work. Throws: `logic_error` for an empty array.
  [[nodiscard]] const yoke::stream<Port>& stream(const source_location& where = source_location::current()) const {
    check(where);
    return block_->stream();
  }
  /// Declares work in another stream that the array cannot know, such as work with its `span`. The memory is freed
  /// behind that work. Throws: as `device_allocation::record_use`.
  void record_use(const yoke::stream<Port>& of, const source_location& where = source_location::current()) {
    check(where);
    block_->record_use(of, where);
  }
  /// Waits for the work with the elements. Returns: the elements for the host, with the array's axes. Valid until the
  /// next work.
  /// Throws: `unsupported_error` for memory that the host cannot access; `logic_error` for an empty array; `error`.
  [[nodiscard]] host_view<T, Rank> host(const source_location& where = source_location::current()) {
    detail::settle(memory(where), detail::memory_use::writes, where);
    return {static_cast<T*>(block_->host(where)), layout_};
  }
  [[nodiscard]] host_view<const T, Rank> host(const source_location& where = source_location::current()) const {
    detail::settle(memory(where), detail::memory_use::reads, where);
    return {static_cast<const T*>(block_->host(where)), layout_};
  }
  /// The driver's memory; null for an array that is empty or has no elements. The program orders work that uses it.
  /// Effects: the array's stream waits for the work of other streams with the elements so far; if it cannot, this
  /// thread waits.
  [[nodiscard]] native_type native_handle() const noexcept {
    if (!block_) return {};
    block_->settle();
    return block_->memory();
  }

  // Makes an array of all elements of a view. Requires: the view has a block's memory and stream.
  [[nodiscard]] static device_array over(const device_view<T, Rank, Port>& elements) noexcept {
    device_array made;
    made.layout_ = elements.layout();
    const detail::array_memory<Port>& memory = elements.memory();
    memory.owner->add();
    made.block_ = {static_cast<detail::array_block<Port>*>(memory.uses.uses), memory.owner};
    return made;
  }

  // For launches, which read the driver's handle in the block.
  [[nodiscard]] detail::array_block<Port>* block() const noexcept { return block_.get(); }

 private:
  static array_layout<Rank> none() noexcept { return {yoke::shape<Rank>{}, sizeof(T)}; }
  void check(const source_location& where) const {
    if (!block_) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this device array is empty (moved from or never set)", where);
  }
  [[nodiscard]] detail::array_memory<Port> memory(const source_location& where) const {
    check(where);
    return {block_->memory(), block_->bytes(), block_->stream().context_of().native_handle(),
            block_->maps(),   block_.count(),  {block_.get()}};
  }

  array_layout<Rank> layout_ = none();
  detail::shared<detail::array_block<Port>> block_;
};

template <detail::assignable Expression, class Port>
device_array(const Expression&, const stream<Port>&) -> device_array<float, 1, Port>;  // shows that message
template <class T, std::size_t Rank, class Port>
device_array(const device_view<T, Rank, Port>&) -> device_array<std::remove_const_t<T>, Rank, Port>;
template <class T, class Port, std::size_t Rank>
device_array(device_allocation<T, Port>&&, const shape<Rank>&, const stream<Port>&) -> device_array<T, Rank, Port>;
template <class Owner, std::size_t Rank, class Port>
  requires detail::shared_memory_owner<Owner, typename Owner::value_type, Port>
device_array(Owner&&, const shape<Rank>&, const stream<Port>&) -> device_array<typename Owner::value_type, Rank, Port>;
template <class T, class Port, std::size_t Rank>
device_array(device_allocation<T, Port>&&, const array_layout<Rank>&, const stream<Port>&)
    -> device_array<T, Rank, Port>;
template <class Owner, std::size_t Rank, class Port>
  requires detail::shared_memory_owner<Owner, typename Owner::value_type, Port>
device_array(Owner&&, const array_layout<Rank>&, const stream<Port>&)
    -> device_array<typename Owner::value_type, Rank, Port>;

namespace detail {
template <class T, std::size_t Rank, class Port>
inline constexpr bool has_elements<device_array<T, Rank, Port>> = true;
}

/// Copies and kernels take an array as they take its view, unless it lies in F order.
template <class T, std::size_t Rank, class Port>
struct memory_access<device_array<T, Rank, Port>> {
  template <class Array>
  static memory_side<device_place<Port>, detail::element_of<Array, T>> describe(Array& array) noexcept {
    if (array.block() == nullptr) return {};
    return memory_access<device_view<detail::element_of<Array, T>, Rank, Port>>::describe(array.view());
  }
  static kept_alive kept(const device_array<T, Rank, Port>& array) noexcept {
    return array.block() == nullptr ? kept_alive() : array.view().memory().share();
  }
  [[gnu::always_inline]] static detail::launched_memory<Port> launched(
      const device_array<T, Rank, Port>& array) noexcept {
    detail::array_block<Port>* const block = array.block();
    const array_layout<Rank>& layout = array.layout();
    if (block == nullptr || block->maps().mapped() || !layout.is_c_contiguous() || layout.offset_bytes() != 0)
      return {};
    return {&block->memory(), &block->stream().context_of(), nullptr, {}, {block}};
  }
};

template <class T, std::size_t Rank, class Port>
device_array<std::remove_const_t<T>, Rank, Port> device_view<T, Rank, Port>::copy(const source_location& where) const {
  const bool f = layout_.is_f_contiguous() && !layout_.is_c_contiguous();
  device_array<value_type, Rank, Port> result(stream(where), layout_.shape(), f ? array_order::f : array_order::c,
                                              where);
  result.view(where).assign(*this, where);
  return result;
}

template <class T, std::size_t Rank, class Port>
template <std::size_t New>
device_array<std::remove_const_t<T>, New, Port> device_view<T, Rank, Port>::reshape_copy(
    const yoke::shape<New>& extents, array_order order, const source_location& where) const {
  // Elements packed in that order form a dense array, which has a view of every shape.
  device_array<value_type, Rank, Port> packed(stream(where), layout_.shape(), order, where);
  const array_layout<New> layout = packed.layout().reshape(extents, order, where);
  device_array<value_type, New, Port> result(stream(where), layout.shape(), order, where);
  const auto to = result.view(where);
  device_view<value_type, Rank, Port>(to.memory(), stream(where), packed.layout()).assign(*this, where);
  return result;
}

template <class T, std::size_t Rank, class Port>
template <class U>
device_array<U, Rank, Port> device_view<T, Rank, Port>::astype(const source_location& where) const {
  static_assert(detail::number_element<value_type> && detail::number_element<U>,
                "elements are converted between arithmetic types, half, bfloat16 and complex numbers");
  static_assert(!detail::complex_element<value_type> || detail::complex_element<U>,
                "a complex number is no real one: evaluate real(z), imag(z) or abs(z)");
  const auto& order = stream(where);
  const bool f = layout_.is_f_contiguous() && !layout_.is_c_contiguous();
  device_array<U, Rank, Port> result(order, layout_.shape(), f ? array_order::f : array_order::c, where);
  detail::operation_memory operation(order);
  detail::check_memory(operation, memory_, detail::memory_use::reads, "source", where);
  auto plan = detail::merge_copy(result.layout().axes(), 0, layout_.axes(), layout_.offset_bytes(), sizeof(U));
  if (plan.is_empty) return result;
  if (!detail::use_elements(plan, sizeof(U), sizeof(value_type))) {
    detail::throw_within_element(layout_.offset_bytes(), sizeof(value_type), where);
  }
  detail::launch_copy(order, detail::copy_text<U, value_type>, result.view(where).memory(), memory_, plan, where);
  return result;
}

}  // namespace yoke::inline v0_1

#endif

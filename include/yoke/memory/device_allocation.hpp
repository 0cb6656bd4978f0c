// SPDX-License-Identifier: MIT
// An owner of device memory, plain or stream-ordered.
#ifndef YOKE_MEMORY_DEVICE_ALLOCATION_HPP
#define YOKE_MEMORY_DEVICE_ALLOCATION_HPP

#include <yoke/memory/allocation_end.hpp>
#include <yoke/memory/device_span.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// A contiguous range of elements that the host reads.
template <class R>
concept host_range = requires(const R& range) {
  { std::data(range) } -> std::convertible_to<const void*>;
  { std::size(range) } -> std::convertible_to<std::size_t>;
};

}  // namespace detail

/// `size()` elements of device memory, uninitialised. Move-only.
///
/// `{ctx, n}` is a plain allocation. `{ctx, n, stream}` is stream-ordered: allocated and freed in that stream's order;
/// declare other streams that use it with `record_use`. `{ctx, range, stream}` also copies the range's elements. A
/// count of 0 is legal and makes no driver call.
/// Thread safety: one non-const handle from one thread at a time.
template <class T, class Port = any_port>
class device_allocation : public detail::handle<device_allocation<T, Port>, detail::context_reference<Port>,
                                                typename Port::memory_handle, detail::allocation_facts<Port>> {
  using reference_type = detail::context_reference<Port>;
  using facts_type = detail::allocation_facts<Port>;
  using base = detail::handle<device_allocation<T, Port>, reference_type, typename Port::memory_handle, facts_type>;

 public:
  static_assert(device_element<T>, "device memory holds trivially copyable, non-pointer, non-const types");
  using element_type = T;
  using value_type = T;
  using port_type = Port;
  using native_type = typename Port::memory_handle;
  static constexpr const char* noun = "device allocation";

  device_allocation() noexcept = default;

  /// A plain allocation of `count` elements.
  /// Throws: `memory_error`, with the device's limit if it has one; `logic_error` for a negative or too large count.
  /// Wraps `clCreateBuffer`.
  template <integer Count>
  device_allocation(const context<Port>& context, Count count,
                    const source_location& where = source_location::current())
      : device_allocation(context, checked_count(count, where), 0, where) {}

  /// Ends the compilation: the context is of another port.
  template <class Other, class... More>
    requires(!std::same_as<Other, Port>)
  device_allocation(const context<Other>&, const More&...) {
    static_assert(std::same_as<Other, Port>,
                  "this context is of another port: write device_allocation<T, Port> with its port");
  }

  /// An allocation that is made and freed in a stream's order.
  /// Throws: as above. Wraps `clCreateBuffer`.
  template <integer Count>
  device_allocation(const context<Port>& context, Count count, const stream<Port>& stream,
                    const source_location& where = source_location::current())
      : device_allocation(context, stream, checked_count(count, where), where) {}

  /// The same, with the elements of a contiguous host range copied into it. Defined in <yoke/memory/copy.hpp>.
  /// Throws: as above, and as `copy`.
  template <detail::host_range Range>
  device_allocation(const context<Port>& context, const Range& range, const stream<Port>& stream,
                    const source_location& where = source_location::current());

  /// An allocation from a pool, in a stream's order. Defined in <yoke/memory/memory_pool.hpp>. Makes no driver call if
  /// the pool has an idle block of the stream.
  /// Throws: as above; `memory_error` with the pool's figures; `logic_error` for a stream of another context.
  template <integer Count>
  device_allocation(const memory_pool<Port, device_memory>& pool, Count count, const stream<Port>& stream,
                    const source_location& where = source_location::current());
  /// An allocation from a `memory_resource`; `resource` is a pointer that keeps it alive, such as a `std::shared_ptr`.
  /// Throws: as the resource; `logic_error` for a null resource or a stream of another context; `std::bad_alloc`.
  template <memory_resource_pointer<Port> Resource, integer Count>
  device_allocation(const Resource& resource, Count count, const stream<Port>& stream,
                    const source_location& where = source_location::current())
      : device_allocation(resource, checked_count(count, where), stream, 0, where) {}

  /// Takes ownership of one reference to native memory of at least `count` elements. The handle does not see views that
  /// map the same memory through another handle.
  /// Throws: `logic_error` if the memory is too small or not a buffer; on CUDA also for an address inside a block and
  /// for stream-ordered memory. The caller then keeps the reference.
  /// Wraps `clGetMemObjectInfo`, `cuPointerGetAttribute`.
  template <integer Count>
  [[nodiscard]] static device_allocation adopt(const context<Port>& context, native_type native, Count count,
                                               const source_location& where = source_location::current()) {
    return device_allocation(context, native, checked_count(count, where), native_ownership::plain, where);
  }
  /// The same for stream-ordered memory, as `release()` of such an allocation returns it. It is freed in this stream's
  /// order.
  /// Requires: other work with it was enqueued before, or is declared with `record_use`.
  /// Throws: as above; on CUDA also for plain memory.
  template <integer Count>
  [[nodiscard]] static device_allocation adopt(const context<Port>& context, native_type native, Count count,
                                               const stream<Port>& stream,
                                               const source_location& where = source_location::current()) {
    device_allocation adopted(checked_stream(context, stream, where).origin(), native, checked_count(count, where),
                              native_ownership::ordered, where);
    adopted.facts().end = {stream, where};
    adopted.take_ownership();
    return adopted;
  }
  /// Adds native memory, released from the pool or allocated from the driver, to a pool as a block in use. Frees idle
  /// blocks to stay below the pool's limit. Defined in <yoke/memory/memory_pool.hpp>.
  /// Throws: as `adopt`; `logic_error` above the limit, and if the pool has the memory already. The caller then keeps
  /// the memory.
  template <integer Count>
  [[nodiscard]] static device_allocation adopt(const memory_pool<Port, device_memory>& pool, native_type native,
                                               Count count, const stream<Port>& stream,
                                               const source_location& where = source_location::current());
  /// Uses native memory without owning it. On CUDA it may be an address inside a block, if aligned for `T`. As with
  /// `adopt`, the handle does not see other handles' views.
  /// Requires: the memory outlives this. Throws: as `adopt`.
  template <integer Count>
  [[nodiscard]] static device_allocation borrow(const context<Port>& context, native_type native, Count count,
                                                const source_location& where = source_location::current()) {
    return device_allocation(context, native, checked_count(count, where), native_ownership::borrowed, where);
  }
  /// Shares native memory with the caller, by a reference of this handle's own: neither has to outlive the other. As
  /// with `adopt`, the handle does not see other handles' views.
  /// Throws: as `adopt`. Wraps `clRetainMemObject`.
  template <integer Count>
  [[nodiscard]] static device_allocation retain(const context<Port>& context, native_type native, Count count,
                                                const source_location& where = source_location::current())
    requires counting_port<Port>
  {
    device_allocation shared = borrow(context, native, count, where);
    if constexpr (counting_port<Port>) context.port(where).retain_memory(native, where);
    shared.take_ownership();
    return shared;
  }

  [[nodiscard]] std::size_t size() const noexcept { return this->facts().size; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size() * sizeof(T); }
  [[nodiscard]] const context<Port>& context_of() const noexcept { return this->parent().get(); }

  /// Declares that another stream uses this memory, so that it is freed after that stream's work so far. Does nothing
  /// for a plain allocation, which the driver keeps until all enqueued work is done.
  /// Requires: the work has been enqueued; `stream` is of this context.
  /// Throws: `logic_error` when empty or of another context; `std::bad_alloc`.
  void record_use(const stream<Port>& stream, const source_location& where = source_location::current()) {
    check(where);
    if (!stream) detail::throw_error(errc::empty_handle, "the stream is empty (moved from or never made)", where);
    if (!(stream.context_of() == context_of())) {
      detail::throw_error(errc::wrong_context, "the stream is of another context than the allocation", where);
    }
    port_traits<Port>::check_process(context_of().port(where), where);
    detail::allocation_end<Port>& end = this->facts().end;
    if (end.stream() == typename Port::stream_handle{} || end.is_ordered_by(stream)) return;
    end.add_use(stream, where);
  }

  /// A view of all elements, or of a part. Throws: `logic_error` when moved from or out of range.
  [[nodiscard]] device_span<T, Port> span(const source_location& where = source_location::current()) {
    check(where);
    return {context_of().native_handle(), this->native_handle(), 0, size(), maps()};
  }
  [[nodiscard]] device_span<const T, Port> span(const source_location& where = source_location::current()) const {
    check(where);
    return {context_of().native_handle(), this->native_handle(), 0, size(), maps()};
  }
  template <integer First, integer Count>
  [[nodiscard]] device_span<T, Port> subspan(First first, Count count,
                                             const source_location& where = source_location::current()) {
    return span(where).subspan(first, count, where);
  }
  template <integer First, integer Count>
  [[nodiscard]] device_span<const T, Port> subspan(First first, Count count,
                                                   const source_location& where = source_location::current()) const {
    return span(where).subspan(first, count, where);
  }

  // The pool or resource that the memory came from, for arrays that are made from it; null: none, or it has ended.
  [[nodiscard]] detail::shared<detail::memory_source<Port>> source() const {
    const detail::allocation_extra<Port>* const extra = this->facts().end.extra();
    return extra == nullptr ? nullptr : extra->source();
  }
  // Memory of a source, which counts bytes, as elements. Requires: `bytes` holds whole elements.
  [[nodiscard]] static device_allocation of_bytes(device_allocation<std::byte, Port>&& bytes) noexcept {
    if constexpr (std::same_as<T, std::byte>) {
      return std::move(bytes);
    } else {
      return device_allocation(std::move(bytes));
    }
  }
  // The handle's storage, whose address launches pass to the driver.
  using base::native_place;
  // The count of views that map this allocation; null if mapping is impossible.
  [[nodiscard]] const detail::map_count& maps() const noexcept { return this->facts().maps; }
  [[nodiscard]] detail::map_count& maps() noexcept { return this->facts().maps; }
  /// Throws: `logic_error` when moved from.
  void check(const source_location& where) const {
    if (!context_of()) [[unlikely]] {
      detail::throw_error(errc::empty_handle, "this device allocation is empty (moved from, released or never set)",
                          where);
    }
  }

 private:
  friend base;
  template <class, class>
  friend class device_allocation;
  friend detail::pool_handles<Port, device_memory>;
  template <std::same_as<std::byte> Byte>
    requires(!std::same_as<T, std::byte>)
  explicit device_allocation(device_allocation<Byte, Port>&& bytes) noexcept
      : base(std::exchange(bytes.parent(), reference_type{}), std::exchange(bytes.native_slot(), native_type{}),
             bytes.is_owned(), std::exchange(bytes.facts(), facts_type{})) {
    this->facts().size /= sizeof(T);
  }
  static void destroy(reference_type& parent, native_type native, facts_type& facts) noexcept {
    if (facts.give_back(parent, native)) return;
    const detail::context_state<Port>& in = *parent.get().shared();  // an owner has a context
    const bool left_us = in.left_us();
    if (facts.end.stream() == typename Port::stream_handle{}) {
      if (!left_us) in.report(in.port.release_memory(in.native, native));
    } else if (left_us) {  // the streams ended with the context; memory of the device's pool did not
      in.report(in.port.release_memory(in.native, native));
    } else {
      in.report(in.port.release_memory_ordered(in.native, native, facts.end.stream(), facts.end.uses()));
    }
  }
  template <integer Count>
  static std::size_t checked_count(Count count, const source_location& where) {
    return detail::element_count(count, sizeof(T), where);
  }
  static native_type allocate(const context<Port>& context, std::size_t count, const source_location& where) {
    const detail::context_state<Port>& in = context.state(where);
    if (count == 0) return {};
    return detail::allocate_in(in, [&] { return in.port.allocate(in.living(where), count * sizeof(T), where); });
  }
  device_allocation(const context<Port>& context, std::size_t count, int, const source_location& where)
      : base(context, allocate(context, count, where), true, {count}) {
    count_maps();
  }
  device_allocation(const context<Port>& context, const stream<Port>& stream, std::size_t count,
                    const source_location& where)
      : base(checked_stream(context, stream, where).origin(), native_type{}, true) {
    this->facts().end = {stream, where};
    if (count == 0) return;
    const detail::context_state<Port>& in = *context_of().shared();
    this->native_slot() = detail::allocate_in(in, [&] {
      return port_traits<Port>::allocate_ordered(in.port, in.native, this->facts().end.stream(), count * sizeof(T),
                                                 where);
    });
    this->facts().size = count;
    count_maps();
  }
  template <class Resource>
  device_allocation(const Resource& resource, std::size_t count, const stream<Port>& stream, int,
                    const source_location& where)
      : base(checked_stream(detail::checked_resource(resource, where).context_of(), stream, where).origin(),
             native_type{}, true) {
    this->facts().end = {stream, where};
    if (count == 0) return;
    memory_resource<Port>& from = *resource;
    auto extra =
        detail::make_owner<detail::resource_allocation<Port>>(from, yoke::keep_alive(resource), count * sizeof(T));
    count_maps_of(context_of());
    this->native_slot() = detail::allocate_from(from, count * sizeof(T), stream, where);
    this->facts().end.set_extra(extra.release());
    this->facts().size = count;
  }
  /// An allocation over a pool's block; null for no elements. Defined in <yoke/memory/memory_pool.hpp>.
  device_allocation(detail::device_block<Port>* block, std::size_t count, const stream<Port>& stream,
                    const source_location& where);
  device_allocation(reference_type parent, native_type native, std::size_t count, native_ownership ownership,
                    const source_location& where)
      : base(std::move(parent), native, false, {count}) {
    check_native(context_of(), native, count, ownership, where);
    count_maps();
    // Last: if a check above throws, the caller keeps the reference.
    if (ownership == native_ownership::plain) this->take_ownership();
  }
  void count_maps() {
    if (!empty()) count_maps_of(context_of());
  }
  void count_maps_of(const context<Port>& in) {
    if constexpr (map_port<Port>) maps() = detail::make_map_count(in.shared()->port.mapped_views());
  }

  static const stream<Port>& checked_stream(const context<Port>& context, const stream<Port>& stream,
                                            const source_location& where) {
    if (!stream) detail::throw_error(errc::empty_handle, "the stream is empty (moved from or never made)", where);
    if (!(stream.context_of() == context)) {
      detail::throw_error(errc::wrong_context, "the stream is of another context", where);
    }
    return stream;
  }
  static void check_native(const context<Port>& context, native_type native, std::size_t count,
                           native_ownership ownership, const source_location& where) {
    if (native == native_type{}) detail::throw_null_native("memory", where);
    const auto owner =
        detail::ask_native("memory", native, where, [&] { return context.port(where).memory_context(native, where); });
    // Memory of a driver's pool has a null context.
    if (owner != typename Port::context_handle{} && !(owner == context.native_handle())) {
      detail::throw_foreign_native("memory", detail::native_value(native), "context", where);
    }
    const std::size_t bytes = context.port(where).memory_bytes(native, where);
    if (bytes / sizeof(T) < count) {
      detail::throw_error(
          errc::size_mismatch,
          detail::text("native memory of ", bytes, " bytes cannot hold ", count, " elements of ", sizeof(T), " bytes"),
          where);
    }
    port_traits<Port>::check_native_memory(context.port(where), native, alignof(T), ownership, where);
  }
};

template <class T, class Port>
struct memory_access<device_allocation<T, Port>> {
  template <class Allocation>
  static auto describe(Allocation& allocation) noexcept {
    return memory_side<device_place<Port>, detail::element_of<Allocation, T>>{
        .at = {allocation.native_handle(), 0},
        .size = allocation.size(),
        .context = allocation.context_of().native_handle(),
        .maps = allocation.maps()};
  }
  [[gnu::always_inline]] static detail::whole_side<Port> whole(const detail::context_state<Port>& in,
                                                               const device_allocation<T, Port>& memory) noexcept {
    return {detail::difference(memory.context_of().shared(), &in), memory.size(), 0, memory.native_handle(), nullptr};
  }
  [[gnu::always_inline]] static detail::launched_memory<Port> launched(
      const device_allocation<T, Port>& memory) noexcept {
    // Other ports cannot map memory.
    return {&memory.native_place(), &memory.context_of(), map_port<Port> ? memory.maps().get() : nullptr, {}};
  }
};

template <detail::host_range Range, class Port>
device_allocation(const context<Port>&, const Range&, const stream<Port>&)
    -> device_allocation<std::remove_const_t<std::remove_pointer_t<decltype(std::data(std::declval<const Range&>()))>>,
                         Port>;

}  // namespace yoke::inline v0_1

#endif

// SPDX-License-Identifier: MIT
// Owners of page-locked host memory, which asynchronous copies need.
#ifndef YOKE_MEMORY_PAGELOCKED_ARRAY_HPP
#define YOKE_MEMORY_PAGELOCKED_ARRAY_HPP

#include <yoke/memory/aligned_array.hpp>
#include <yoke/memory/block_handle.hpp>
#include <yoke/memory/block_pool.hpp>
#include <yoke/memory/memory_resource.hpp>
#include <yoke/memory/pagelocked_span.hpp>

#include <cstring>

namespace yoke::inline v0_1 {

namespace detail {
/// A page-locked block. The array and its transfers share it and keep its context alive.
template <class Port>
struct pagelocked_block {
  pagelocked_block(const context<Port>& in, std::size_t bytes, const source_location& where)
      : context(in.state(where)),
        native(context.port.allocate_pagelocked(context.living(where), in.devices(where).front().native_handle(), bytes,
                                                &address, where)) {}
  template <class Options>
  pagelocked_block(const context<Port>& in, std::size_t bytes, const Options& options, const source_location& where)
      : context(in.state(where)),
        native(context.port.allocate_pagelocked_with(context.living(where), bytes, options, where)) {
    address = native;  // these ports' handle is the address
  }
  /// A block over adopted or borrowed memory.
  pagelocked_block(const context<Port>& in, typename Port::native_pagelocked made, std::size_t bytes,
                   native_ownership ownership, const source_location& where)
      : context(in.state(where)),
        owned(ownership != native_ownership::borrowed),
        native(context.port.adopt_pagelocked(context.living(where), in.devices(where).front().native_handle(), made,
                                             bytes, ownership, &address, where)) {}
  pagelocked_block(const pagelocked_block&) = delete;
  pagelocked_block& operator=(const pagelocked_block&) = delete;
  ~pagelocked_block() {
    if (context.left_us()) return;
    context.report(owned ? context.port.release_pagelocked(context.native, native)
                         : port_traits<Port>::detach_pagelocked(context.port, context.native, native));
  }

  context_view<Port> context;
  void* address = nullptr;
  mutable bool owned = true;  // cleared by `release` of the array
  typename Port::pagelocked_handle native;
};

/// The block's size and address, cached so that copies do not read the block.
struct pagelocked_facts {
  std::size_t size = 0;  // elements
  void* data = nullptr;
};
}  // namespace detail

/// `size()` elements of page-locked host memory, uninitialised; a contiguous range. Move-only.
/// Thread safety: as a `std::vector`.
template <class T, class Port = any_port>
class pagelocked_array : public detail::block_handle<pagelocked_array<T, Port>, Port,
                                                     const detail::pagelocked_block<Port>, detail::pagelocked_facts> {
  using base = detail::block_handle<pagelocked_array<T, Port>, Port, const detail::pagelocked_block<Port>,
                                    detail::pagelocked_facts>;

 public:
  static_assert(device_element<T>, "page-locked memory holds trivially copyable, non-pointer, non-const types");
  using element_type = T;
  using value_type = T;
  using port_type = Port;
  using native_type = typename Port::native_pagelocked;

  pagelocked_array() noexcept = default;
  /// A count of 0 is legal and makes no driver call.
  /// Throws: `memory_error`; `logic_error` for a negative or too large count.
  /// Wraps `clCreateBuffer` with `CL_MEM_ALLOC_HOST_PTR` and `clEnqueueMapBuffer`, mapped for the array's whole life.
  template <integer Count>
  pagelocked_array(const context<Port>& context, Count count, const source_location& where = source_location::current())
      : base(context, {detail::element_count(count, sizeof(T), where)}) {
    (void)context.port(where);
    if (!empty()) keep(detail::make_shared<const detail::pagelocked_block<Port>>(context, size() * sizeof(T), where));
  }
  /// The same, with all bytes set to zero: `{ctx, n, yoke::zeroed}`.
  template <integer Count>
  pagelocked_array(const context<Port>& context, Count count, zeroed_t,
                   const source_location& where = source_location::current())
      : pagelocked_array(context, count, where) {
    if (!empty()) std::memset(static_cast<void*>(data()), 0, size() * sizeof(T));
  }
  /// The same with options: `{ctx, n, {.write_combined = true}}`. Wraps `cuMemHostAlloc`.
  template <integer Count, pagelocked_options_port P = Port>
  pagelocked_array(const context<Port>& context, Count count, const typename P::pagelocked_options& options,
                   const source_location& where = source_location::current())
      : base(context, {detail::element_count(count, sizeof(T), where)}) {
    (void)context.port(where);
    if (empty()) return;
    keep(detail::make_shared<const detail::pagelocked_block<Port>>(context, size() * sizeof(T), options, where));
  }
  /// An array from a pool. Its memory goes back to the pool with the last transfer that uses it, and may be reused at
  /// once.
  /// Requires: copies of `enqueue_copy` with it are done by then.
  /// Throws: as above; `memory_error` with the pool's figures. Defined in <yoke/memory/memory_pool.hpp>.
  template <integer Count>
  pagelocked_array(const memory_pool<Port, pagelocked_memory>& pool, Count count,
                   const source_location& where = source_location::current());
  /// Takes ownership of page-locked memory of at least `count` elements.
  /// Effects: on OpenCL, maps it until the array and its transfers end.
  /// Throws: `logic_error` when the memory is null, too small, of another context or not page-locked, and on CUDA when
  /// it lies inside a block; the caller then keeps it.
  /// Wraps `clGetMemObjectInfo`, `clEnqueueMapBuffer`, `cuPointerGetAttribute`.
  template <integer Count>
  [[nodiscard]] static pagelocked_array adopt(const context<Port>& context, native_type native, Count count,
                                              const source_location& where = source_location::current()) {
    return pagelocked_array(context, native, detail::element_count(count, sizeof(T), where), native_ownership::plain,
                            where);
  }
  /// Uses page-locked memory without owning it. On CUDA it may lie inside a block, and may be registered memory of the
  /// program.
  /// Requires: it outlives this and its transfers; on OpenCL nobody else maps it meanwhile.
  /// Effects, throws: as `adopt`.
  template <integer Count>
  [[nodiscard]] static pagelocked_array borrow(const context<Port>& context, native_type native, Count count,
                                               const source_location& where = source_location::current()) {
    return pagelocked_array(context, native, detail::element_count(count, sizeof(T), where), native_ownership::borrowed,
                            where);
  }
  [[nodiscard]] T* data() noexcept { return static_cast<T*>(this->facts().data); }
  [[nodiscard]] const T* data() const noexcept { return static_cast<const T*>(this->facts().data); }
  [[nodiscard]] std::size_t size() const noexcept { return this->facts().size; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] T* begin() noexcept { return data(); }
  [[nodiscard]] T* end() noexcept { return data() + size(); }
  [[nodiscard]] const T* begin() const noexcept { return data(); }
  [[nodiscard]] const T* end() const noexcept { return data() + size(); }
  [[nodiscard]] T& operator[](std::size_t index) noexcept { return data()[index]; }
  [[nodiscard]] const T& operator[](std::size_t index) const noexcept { return data()[index]; }
  [[nodiscard]] std::span<T> span() noexcept { return {data(), size()}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data(), size()}; }

  /// Returns: the elements [first, first + count), or from `first` on, as page-locked memory that shares this block.
  /// Throws: `logic_error` when they exceed the array.
  template <integer First, integer Count>
  [[nodiscard]] pagelocked_span<T, Port> subspan(First first, Count count,
                                                 const source_location& where = source_location::current()) {
    return pagelocked_span<T, Port>(this->context_of(), span(), this->block()).subspan(first, count, where);
  }
  template <integer First, integer Count>
  [[nodiscard]] pagelocked_span<const T, Port> subspan(
      First first, Count count, const source_location& where = source_location::current()) const {
    return pagelocked_span<const T, Port>(this->context_of(), span(), this->block()).subspan(first, count, where);
  }
  template <integer First>
  [[nodiscard]] pagelocked_span<T, Port> subspan(First first,
                                                 const source_location& where = source_location::current()) {
    return pagelocked_span<T, Port>(this->context_of(), span(), this->block()).subspan(first, where);
  }
  template <integer First>
  [[nodiscard]] pagelocked_span<const T, Port> subspan(
      First first, const source_location& where = source_location::current()) const {
    return pagelocked_span<const T, Port>(this->context_of(), span(), this->block()).subspan(first, where);
  }

  /// The driver's handle: a `cl_mem`, or the address on CUDA; null when empty. Throws: nothing.
  [[nodiscard]] native_type native_handle() const noexcept {
    const auto& block = this->block();
    return block ? block->context.port.native_of_pagelocked(block->native) : native_type{};
  }
  /// Gives up the memory: the caller must free it once its transfers are done; on OpenCL it is unmapped then.
  /// Returns: the driver's handle; this is empty afterwards. Throws: nothing; a failure goes to the cleanup handler.
  [[nodiscard]] native_type release() noexcept {
    const native_type native = native_handle();
    if (*this) this->block()->owned = false;
    this->reset();
    return native;
  }

 private:
  pagelocked_array(const context<Port>& context, native_type native, std::size_t count, native_ownership ownership,
                   const source_location& where)
      : base(context, {count}) {
    (void)context.port(where);
    if (native == native_type{}) detail::throw_null_native("page-locked memory", where);
    auto block =
        detail::make_shared<const detail::pagelocked_block<Port>>(context, native, count * sizeof(T), ownership, where);
    const auto address = reinterpret_cast<std::uintptr_t>(block->address);
    if (address % alignof(T) != 0) [[unlikely]] {
      block->owned = false;  // the caller keeps it
      detail::throw_error(errc::misaligned,
                          detail::text("page-locked memory at 0x", detail::hex_digits(address), " is no multiple of ",
                                       alignof(T), " bytes, as elements of this type need"),
                          where);
    }
    keep(std::move(block));
  }
  using shared_block = detail::shared<const detail::pagelocked_block<Port>>;
  void keep(shared_block block) noexcept {
    this->facts().data = block->address;
    base::keep(std::move(block));
  }
  void keep(shared_block block, const context<Port>& of_pool) noexcept {
    this->facts().data = block->address;
    base::keep(std::move(block), of_pool);
  }
};

template <class T, class Port>
struct memory_access<pagelocked_array<T, Port>> {
  template <class Array>
  static auto describe(Array& array) noexcept {
    return memory_side<pagelocked_place<Port>, detail::element_of<Array, T>>{
        .at = array.data(),
        .size = array.size(),
        .context = array.context_of().native_handle(),
        .keep_alive = array.keep_alive()};
  }
  [[gnu::always_inline]] static detail::whole_side<Port> whole(const detail::context_state<Port>& in,
                                                               const pagelocked_array<T, Port>& memory) noexcept {
    return {detail::difference(memory.context_of().shared(), &in), memory.size(), 0, {}, memory.data()};
  }
};

}  // namespace yoke::inline v0_1

#endif

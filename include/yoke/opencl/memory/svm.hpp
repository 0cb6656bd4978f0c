// SPDX-License-Identifier: MIT
// Shared virtual memory with its granularity in the type: the host maps coarse memory, and uses fine memory directly.
#ifndef YOKE_OPENCL_MEMORY_SVM_HPP
#define YOKE_OPENCL_MEMORY_SVM_HPP

#include <yoke/opencl/memory/buffer.hpp>
#include <yoke/opencl/memory/svm_span.hpp>

namespace yoke::inline v0_1::opencl {

/// The granularities of shared virtual memory.
namespace svm {
struct coarse {};        ///< the host maps it
struct fine {};          ///< the host uses it directly, between commands
struct fine_atomics {};  ///< host and device use it at once, through atomics
}  // namespace svm

template <class Kind>
concept svm_kind =
    std::same_as<Kind, svm::coarse> || std::same_as<Kind, svm::fine> || std::same_as<Kind, svm::fine_atomics>;

/// The options of shared virtual memory.
struct svm_options {
  std::size_t alignment = 0;  ///< bytes; 0 means the element's alignment
  kernel_access kernels = kernel_access::read_write;
};

namespace detail {

/// The parameters of a block of SVM. Units: bytes.
struct svm_request {
  std::size_t bytes;
  std::size_t alignment;
  kernel_access kernels;
  bool fine;
  bool atomics;
};

/// A block of SVM; owners, transfers and mapped views share it.
class svm_block;

/// A pool of SVM of one grain.
class YOKE_API svm_pool_state : public yoke::detail::context_pool<port> {
 public:
  /// Throws: `unsupported_error` if a device lacks the granularity.
  svm_pool_state(const opencl::context& in, const pool_options& options, const svm_options& of_blocks, bool fine,
                 bool atomics, ending with);

 protected:
  yoke::detail::pool_block& make(std::size_t bytes, const void* order, const source_location& where) override;
  void end(yoke::detail::pool_block& idle, yoke::detail::pool_stream* home) noexcept override;
  void forget(yoke::detail::pool_block& gone) noexcept override;
  [[nodiscard]] bool ends_behind_work() const noexcept override { return false; }

 private:
  svm_options of_blocks_;
  bool fine_;
  bool atomics_;
};

/// Throws: `logic_error` for an alignment that is not a power of two, or is above 2^31.
YOKE_API void check_svm_alignment(std::size_t alignment, const source_location& where);
/// Returns: a new block, freed in the stream's order when one is given.
YOKE_API yoke::detail::shared<svm_block> make_svm_block(const context& in, const svm_request& request,
                                                        const stream* order, const source_location& where);
/// Returns: a block over foreign memory; if `owned`, it is freed like the library's own.
YOKE_API yoke::detail::shared<svm_block> take_svm_block(const context& in, void* address, bool owned,
                                                        const stream* order, const source_location& where);
/// Returns: a block from a pool, which gets it back. Throws: as `block_pool::take`.
YOKE_API yoke::detail::shared<svm_block> take_svm_block(svm_pool_state& pool, std::size_t bytes, const stream& order,
                                                        const source_location& where);
/// Effects: the block no longer frees its memory.
YOKE_API void disown_svm_block(svm_block& block) noexcept;
YOKE_API void* svm_address(const svm_block& block) noexcept;
YOKE_API const yoke::detail::map_count& svm_maps(const svm_block& block) noexcept;
YOKE_API void svm_record_use(svm_block& block, const stream& order, const source_location& where);
/// Effects: maps `bytes` bytes from `offset` on. Waits unless `later` is given.
YOKE_API yoke::detail::owner<mapping> map_svm(const yoke::detail::shared<svm_block>& block, const stream& order,
                                              std::size_t offset, std::size_t bytes, map_mode mode, map_later* later,
                                              const source_location& where);
/// Effects: enqueues the free after events and all streams that use the block; a pool's block can then be reused.
/// Throws: `logic_error` when it has other users, and for foreign memory; `error`; the block is then unchanged.
YOKE_API event free_svm_later(const yoke::detail::shared<svm_block>& block, const stream& order, const wait_list& after,
                              const source_location& where);
/// Effects: frees the block at once. Throws: as `free_svm_later`; `logic_error` for memory of a pool.
YOKE_API void free_svm_now(const yoke::detail::shared<svm_block>& block, const source_location& where);
/// Effects: from now on the block is freed in the stream's order; a null `order` means after all users.
YOKE_API void bind_svm(svm_block& block, const stream* order, const source_location& where);
/// Throws: `unsupported_error` if a device of the context lacks the granularity.
YOKE_API void check_svm_support(const context& in, bool fine, bool atomics, const source_location& where);
/// Throws: `logic_error` when empty or of another context than the stream.
YOKE_API void check_svm_use(const context& of, const stream& order, const source_location& where);

}  // namespace detail

/// Allocates shared virtual memory of one grain, all of it with the same options: `svm_allocation<T,
/// Kind>{allocator, n, stream}`. It keeps no memory; `memory_pool pool{allocator}` does, and hands out the same. A
/// value. Thread safety: safe.
/// Example: `ocl::svm_allocator allocator{ctx, ocl::svm::coarse{}, {.alignment = 4096}};`
template <svm_kind Kind>
class svm_allocator {
 public:
  using port_type = port;
  using kind_type = Kind;

  /// Throws: `unsupported_error` if a device of the context lacks the granularity; `logic_error` for an empty context,
  /// and for an alignment that is not a power of two, or is above 2^31.
  svm_allocator(const context& in, Kind, const svm_options& options = {},
                const source_location& where = source_location::current())
      : context_(in), options_(options) {
    (void)in.port(where);
    detail::check_svm_support(in, !std::same_as<Kind, svm::coarse>, std::same_as<Kind, svm::fine_atomics>, where);
    if (options.alignment != 0) detail::check_svm_alignment(options.alignment, where);
  }
  [[nodiscard]] const context& context_of() const noexcept { return context_; }
  [[nodiscard]] const svm_options& options() const noexcept { return options_; }

 private:
  context context_;
  svm_options options_;
};

/// `size()` elements of shared virtual memory, uninitialised. Move-only.
///
/// `{ctx, n}` is freed after all streams that have used it, `{ctx, n, stream}` in that stream's order, after the other
/// streams that have used it. Launches, copies, fills, maps and migrations note their streams. Use `record_use` for
/// uses that the library does not see: kernels that reach the memory through pointers in memory, native calls, and
/// other streams that use memory of a pool. Its end never waits. It keeps the native streams until then. Zero elements
/// are legal and cost no driver call. Fine memory is a contiguous range for the host; coarse memory is one only while
/// mapped.
/// Thread safety: one non-const handle from one thread at a time.
template <class T, svm_kind Kind>
class svm_allocation : public yoke::detail::block_handle<svm_allocation<T, Kind>, port, detail::svm_block, std::size_t>,
                       public yoke::detail::compared_by_native<svm_allocation<T, Kind>> {
  using base = yoke::detail::block_handle<svm_allocation<T, Kind>, port, detail::svm_block, std::size_t>;

 public:
  static_assert(device_element<T>, "shared virtual memory holds trivially copyable, non-pointer, non-const types");
  using element_type = T;
  using value_type = T;
  using port_type = port;
  using native_type = T*;
  static constexpr bool is_fine = !std::same_as<Kind, svm::coarse>;
  static constexpr const char* noun = "SVM allocation";

  svm_allocation() noexcept = default;
  /// Throws: `unsupported_error` if a device of the context lacks the granularity; `memory_error`; `logic_error` for a
  /// count that is negative or too large. Wraps `clSVMAlloc`; `clEnqueueSVMFree`, or `clSVMFree` if no stream has used
  /// it.
  template <integer Count>
  svm_allocation(const context& in, Count count, const source_location& where = source_location::current())
      : svm_allocation(in, yoke::detail::element_count(count, sizeof(T), where), {}, nullptr, where) {}
  /// Throws: as above. Wraps `clSVMAlloc`, `clEnqueueSVMFree`.
  template <integer Count>
  svm_allocation(const context& in, Count count, const stream& order,
                 const source_location& where = source_location::current())
      : svm_allocation(in, yoke::detail::element_count(count, sizeof(T), where), {}, &order, where) {}
  /// As above, with an alignment or with the access that kernels have. Throws: also `logic_error` for an alignment that
  /// is not a power of two, is above 2^31, or is beyond `CL_DEVICE_MEM_BASE_ADDR_ALIGN` and refused by the driver.
  template <integer Count>
  svm_allocation(const context& in, Count count, const svm_options& options,
                 const source_location& where = source_location::current())
      : svm_allocation(in, yoke::detail::element_count(count, sizeof(T), where), options, nullptr, where) {}
  template <integer Count>
  svm_allocation(const context& in, Count count, const stream& order, const svm_options& options,
                 const source_location& where = source_location::current())
      : svm_allocation(in, yoke::detail::element_count(count, sizeof(T), where), options, &order, where) {}
  /// Memory of an allocator, with its options; freed as the memory of the same without an allocator. Throws: as above.
  template <integer Count>
  svm_allocation(const svm_allocator<Kind>& from, Count count,
                 const source_location& where = source_location::current())
      : svm_allocation(from.context_of(), count, from.options(), where) {}
  template <integer Count>
  svm_allocation(const svm_allocator<Kind>& from, Count count, const stream& order,
                 const source_location& where = source_location::current())
      : svm_allocation(from.context_of(), count, order, from.options(), where) {}
  /// An allocation from a pool, which is freed in the stream's order and reused after that.
  /// Throws: as above; `memory_error` with the pool's figures; `logic_error` for another context's stream, or for an
  /// element aligned to more than 128 bytes.
  template <integer Count>
  svm_allocation(const yoke::memory_pool<port, Kind>& pool, Count count, const stream& order,
                 const source_location& where = source_location::current())
      : base(yoke::detail::element_count(count, sizeof(T), where)) {
    static_assert(alignof(T) <= 128, "a pool's blocks are aligned to 128 bytes");
    auto& from = pool.state(where);
    detail::check_svm_use(from.context, order, where);
    if (empty()) {
      this->enter(from.context);
    } else {
      this->keep(detail::take_svm_block(from, size_bytes(), order, where), from.context);
    }
  }
  /// Takes ownership of `count` elements from `clSVMAlloc` in this context. They are freed after their users; with a
  /// stream, in its order. Requires: the memory has this size and granularity; the driver cannot tell.
  /// Throws: `logic_error` for null or another context's stream; `unsupported_error`; the memory then stays the
  /// caller's.
  template <integer Count>
  [[nodiscard]] static svm_allocation adopt(const context& in, T* native, Count count,
                                            const source_location& where = source_location::current()) {
    return svm_allocation(in, native, yoke::detail::element_count(count, sizeof(T), where), true, nullptr, where);
  }
  template <integer Count>
  [[nodiscard]] static svm_allocation adopt(const context& in, T* native, Count count, const stream& order,
                                            const source_location& where = source_location::current()) {
    return svm_allocation(in, native, yoke::detail::element_count(count, sizeof(T), where), true, &order, where);
  }
  /// Uses shared memory without owning it; it has to outlive this. Throws: as above.
  template <integer Count>
  [[nodiscard]] static svm_allocation borrow(const context& in, T* native, Count count,
                                             const source_location& where = source_location::current()) {
    return svm_allocation(in, native, yoke::detail::element_count(count, sizeof(T), where), false, nullptr, where);
  }
  [[nodiscard]] std::size_t size() const noexcept { return this->facts(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size() * sizeof(T); }
  /// The address, the same on host and device; null when there are no elements.
  [[nodiscard]] T* native_handle() const noexcept {
    return block() ? static_cast<T*>(detail::svm_address(*block())) : nullptr;
  }

  // Fine memory is a host range. Requires: no command that writes it is running.
  [[nodiscard]] T* data() const noexcept
    requires is_fine
  {
    return native_handle();
  }
  [[nodiscard]] T* begin() const noexcept
    requires is_fine
  {
    return native_handle();
  }
  [[nodiscard]] T* end() const noexcept
    requires is_fine
  {
    return native_handle() + size();
  }
  [[nodiscard]] T& operator[](std::size_t index) const noexcept
    requires is_fine
  {
    return native_handle()[index];
  }

  /// Maps the memory for the host, behind the stream's earlier commands; waits until the data is there.
  /// Throws: `logic_error` when empty or of another context; `error`. Wraps `clEnqueueSVMMap`, `clEnqueueSVMUnmap`.
  template <map_mode Mode>
  [[nodiscard]] mapped_view<detail::mapped_element<T, Mode>> map(
      const stream& order, map_tag<Mode>, const source_location& where = source_location::current()) {
    return map_elements<Mode>({0, size()}, order, nullptr, where);
  }
  /// As above, for `count` elements from `first` on. Effects: all of the memory counts as mapped.
  /// Throws: also `logic_error` for a part that is not entirely inside.
  template <map_mode Mode, integer First, integer Count>
  [[nodiscard]] mapped_view<detail::mapped_element<T, Mode>> map(
      const stream& order, map_tag<Mode>, First first, Count count,
      const source_location& where = source_location::current()) {
    return map_elements<Mode>(yoke::detail::part_of_range(first, count, size(), where), order, nullptr, where);
  }
  /// As above, after the options' events and without waiting. Returns: the map in progress, with its event.
  /// Throws: as above; `runtime_error` when an event's command has failed.
  template <map_mode Mode>
  [[nodiscard]] pending_map<detail::mapped_element<T, Mode>> map_async(
      const stream& order, map_tag<Mode>, const map_options& options = {},
      const source_location& where = source_location::current()) {
    return map_elements_later<Mode>({0, size()}, order, options, where);
  }
  template <map_mode Mode, integer First, integer Count>
  [[nodiscard]] pending_map<detail::mapped_element<T, Mode>> map_async(
      const stream& order, map_tag<Mode>, First first, Count count, const map_options& options = {},
      const source_location& where = source_location::current()) {
    return map_elements_later<Mode>(yoke::detail::part_of_range(first, count, size(), where), order, options, where);
  }

  /// A view of all elements, or of a part, for copies, fills and kernels. It keeps nothing alive.
  /// Throws: `logic_error` when empty, or for a part that is not entirely inside.
  [[nodiscard]] svm_span<T> span(const source_location& where = source_location::current()) {
    return {context_for_use(where).native_handle(), native_handle(), size(), watch()};
  }
  [[nodiscard]] svm_span<const T> span(const source_location& where = source_location::current()) const {
    return {context_for_use(where).native_handle(), native_handle(), size(), watch()};
  }
  template <integer First, integer Count>
  [[nodiscard]] svm_span<T> subspan(First first, Count count,
                                    const source_location& where = source_location::current()) {
    return span(where).subspan(first, count, where);
  }
  template <integer First, integer Count>
  [[nodiscard]] svm_span<const T> subspan(First first, Count count,
                                          const source_location& where = source_location::current()) const {
    return span(where).subspan(first, count, where);
  }

  /// Frees the memory in a stream's order, after the events and all streams that use it; does not wait. This is empty
  /// afterwards. Memory of a pool returns to it; its next owner waits for the free. Returns: the event of the free.
  /// Throws: `logic_error` when empty, for borrowed memory, or while a view, a transfer or a buffer uses it; `error`;
  /// this then keeps the memory. Wraps `clEnqueueSVMFree`, for a pool's `clEnqueueMarkerWithWaitList`.
  event free_async(const stream& order, const map_options& options = {},
                   const source_location& where = source_location::current()) {
    detail::check_svm_use(this->context_of(), order, where);
    event done =
        block() ? detail::free_svm_later(block(), order, options.after, where) : order.record(options.after, where);
    this->reset();
    return done;
  }
  /// Frees the memory at once. This is empty afterwards. Requires: no command that uses it is pending.
  /// Throws: as `free_async`; `logic_error` for memory of a pool. Wraps `clSVMFree`.
  void free_now(const source_location& where = source_location::current()) {
    (void)context_for_use(where);
    if (block()) detail::free_svm_now(block(), where);
    this->reset();
  }
  /// From now on the memory is freed in this stream's order. Effects: the stream waits for the one that was bound
  /// before.
  /// Throws: `logic_error` when empty or of another context; `error`. Wraps `clEnqueueMarkerWithWaitList`.
  void bind(const stream& order, const source_location& where = source_location::current()) {
    detail::check_svm_use(this->context_of(), order, where);
    if (block()) detail::bind_svm(*block(), &order, where);
  }
  /// From now on the memory is freed after all streams that use it, as if it had been made without a stream.
  /// Throws: `logic_error` when empty, or for memory of a pool; `error`. Wraps `clRetainCommandQueue`.
  void unbind(const source_location& where = source_location::current()) {
    (void)context_for_use(where);
    if (block()) detail::bind_svm(*block(), nullptr, where);
  }
  /// Declares that work on another stream uses this memory, so that it is freed after that.
  /// Throws: `logic_error` when empty or of another context; `std::bad_alloc`.
  void record_use(const stream& order, const source_location& where = source_location::current()) {
    detail::check_svm_use(this->context_of(), order, where);
    if (block()) detail::svm_record_use(*block(), order, where);
  }

  /// Gives up the memory: the caller has to free it. Returns: its address; this is empty afterwards.
  [[nodiscard]] T* release() noexcept {
    T* const native = native_handle();
    if (block()) detail::disown_svm_block(*block());
    this->reset();
    return native;
  }
  // For copies, fills and launches.
  using base::block;

 private:
  using elements = yoke::detail::range_part;
  svm_allocation(const context& in, std::size_t count, const svm_options& options, const stream* order,
                 const source_location& where)
      : base(in, count) {
    constexpr bool atomics = std::same_as<Kind, svm::fine_atomics>;
    detail::check_svm_support(in, is_fine, atomics, where);
    if (order != nullptr) detail::check_svm_use(in, *order, where);
    if (count == 0) return;
    const bool is_power = (options.alignment & (options.alignment - 1)) == 0;  // else refused as it is
    const std::size_t alignment = is_power && options.alignment < alignof(T) ? alignof(T) : options.alignment;
    this->keep(detail::make_svm_block(in, {size_bytes(), alignment, options.kernels, is_fine, atomics}, order, where));
  }
  [[nodiscard]] const context& context_for_use(const source_location& where) const {
    if (!this->context_of()) {
      yoke::detail::throw_error(errc::empty_handle, "this SVM allocation is empty (moved from or never set)", where);
    }
    return this->context_of();
  }
  [[nodiscard]] yoke::detail::map_watch watch() const noexcept {
    return block() ? yoke::detail::map_watch(detail::svm_maps(*block())) : yoke::detail::map_watch();
  }
  template <map_mode Mode>
  [[nodiscard]] mapped_view<detail::mapped_element<T, Mode>> map_elements(const elements& of, const stream& order,
                                                                          detail::map_later* later,
                                                                          const source_location& where) {
    detail::check_svm_use(this->context_of(), order, where);
    if (!block() || of.count == 0) return {nullptr, 0, nullptr};
    auto mapping = detail::map_svm(block(), order, of.first * sizeof(T), of.count * sizeof(T), Mode, later, where);
    return {native_handle() + of.first, of.count, std::move(mapping)};
  }
  template <map_mode Mode>
  [[nodiscard]] pending_map<detail::mapped_element<T, Mode>> map_elements_later(const elements& of, const stream& order,
                                                                                const map_options& options,
                                                                                const source_location& where) {
    detail::map_later later{options.after};
    auto view = map_elements<Mode>(of, order, &later, where);
    if (later.done) order.flush(where);
    return {std::move(view), std::move(later.done)};
  }
  svm_allocation(const context& in, T* native, std::size_t count, bool owned, const stream* order,
                 const source_location& where)
      : base(in, count) {
    detail::check_svm_support(in, is_fine, std::same_as<Kind, svm::fine_atomics>, where);
    if (order != nullptr) detail::check_svm_use(in, *order, where);
    if (native == nullptr) yoke::detail::throw_error(errc::invalid_argument, "the native address is null", where);
    this->keep(detail::take_svm_block(in, native, owned, order, where));
  }
};

}  // namespace yoke::inline v0_1::opencl

namespace yoke::inline v0_1::detail {
/// A pool of SVM. The host may use fine memory as soon as it gets it.
template <opencl::svm_kind Kind>
class pool_state<opencl::port, Kind> final : public opencl::detail::svm_pool_state {
 public:
  pool_state(const opencl::context& in, const pool_options& options) : pool_state(in, options, {}) {}
  pool_state(const opencl::svm_allocator<Kind>& from, const pool_options& options)
      : pool_state(from.context_of(), options, from.options()) {}

 private:
  pool_state(const opencl::context& in, const pool_options& options, const opencl::svm_options& of_blocks)
      : svm_pool_state(in, options, of_blocks, !std::same_as<Kind, opencl::svm::coarse>,
                       std::same_as<Kind, opencl::svm::fine_atomics>, &destroy) {}
  static void destroy(shared_count* count) noexcept { delete static_cast<pool_state*>(count); }
};
}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {
template <class Kind>
memory_pool(const opencl::svm_allocator<Kind>&) -> memory_pool<opencl::port, Kind>;
template <class Kind>
memory_pool(const opencl::svm_allocator<Kind>&, const pool_options&) -> memory_pool<opencl::port, Kind>;
}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1 {
template <class T, class Kind>
struct memory_access<opencl::svm_allocation<T, Kind>> {
  template <class Allocation>
  static auto describe(Allocation& allocation) noexcept {
    return memory_side<opencl::svm_place, detail::element_of<Allocation, T>>{
        .at = allocation.native_handle(),
        .size = allocation.size(),
        .context = allocation.context_of().native_handle(),
        .keep_alive = allocation.block(),
        .maps = allocation.block() ? detail::map_watch(opencl::detail::svm_maps(*allocation.block()))
                                   : detail::map_watch()};
  }
};
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/memory/svm.ipp>
#endif

#endif

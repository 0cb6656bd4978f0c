// SPDX-License-Identifier: MIT
// An owner of managed memory, which the host and every device use at one address. Its pages migrate between them.
#ifndef YOKE_CUDA_MEMORY_MANAGED_ALLOCATION_HPP
#define YOKE_CUDA_MEMORY_MANAGED_ALLOCATION_HPP

#include <yoke/cuda/memory/managed_span.hpp>
#include <yoke/memory/memory_pool.hpp>

namespace yoke::inline v0_1::cuda {

/// Selects managed memory, as in `memory_pool{ctx, cuda::managed_memory{}}`.
struct managed_memory {};

namespace detail {
/// A block that a pool of managed memory keeps.
class managed_pool_block final : public yoke::detail::pool_block {
 public:
  abi::device_pointer address = 0;
};
/// A pool's block of managed memory, or none.
class managed_block {
 public:
  managed_block() noexcept = default;
  explicit managed_block(managed_pool_block* from) noexcept : of_(from) {}
  managed_block(managed_block&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
  managed_block& operator=(managed_block&& other) noexcept {
    std::swap(of_, other.of_);
    return *this;
  }
  ~managed_block() {
    if (of_ != nullptr) yoke::detail::block_pool::give_away(*of_);  // the handle was released
  }
  /// Effects: gives the block back to its pool. Returns: whether there was one.
  [[nodiscard]] bool give_back(bool is_spoiled) noexcept {
    if (of_ == nullptr) return false;
    yoke::detail::block_pool::give_back(*std::exchange(of_, nullptr), is_spoiled);
    return true;
  }

 private:
  managed_pool_block* of_ = nullptr;
};
/// The size of managed memory, its attachment, and its pool's block.
struct managed_facts {
  std::size_t size = 0;                          // shared with views, which may outlive the handle
  yoke::detail::shared<attached_to> attached{};  // for `attachment::single`: the stream's end would attach the memory
                                                 // globally
  yoke::detail::retained_stream<port> stream{};  // of `attachment::single`: its end would attach the memory globally
  managed_block block{};
  bool is_spoiled = false;  // it was attached, so that the pool must not reuse the block
};
}  // namespace detail

/// `size()` elements of managed memory, uninitialised. Move-only. Freeing it waits for its device. Zero elements cost
/// no driver call. Do not allocate more managed memory than the device has: with oversubscription some drivers hang.
/// Thread safety: one non-const handle from one thread at a time.
/// Example: `cuda::managed_allocation<float> x{ctx, n}; kernel(stream, shape, x); float first = x.host(stream)[0];`
template <class T>
class managed_allocation : public yoke::detail::handle<managed_allocation<T>, yoke::detail::context_reference<port>,
                                                       abi::device_pointer, detail::managed_facts> {
  using base = yoke::detail::handle<managed_allocation<T>, yoke::detail::context_reference<port>, abi::device_pointer,
                                    detail::managed_facts>;

 public:
  static_assert(device_element<T>, "managed memory holds trivially copyable, non-pointer, non-const types");
  using element_type = T;
  using value_type = T;
  using port_type = port;
  using native_type = abi::device_pointer;
  static constexpr const char* noun = "managed allocation";

  managed_allocation() noexcept = default;
  /// Throws: `unsupported_error` when the device has no managed memory; `memory_error`; `logic_error` for a count that
  /// is negative or too large, and for `attachment::single`. Wraps `cuMemAllocManaged`.
  template <integer Count>
  managed_allocation(const context& in, Count count, attachment attached = attachment::global,
                     const source_location& where = source_location::current())
      : managed_allocation(in, yoke::detail::element_count(count, sizeof(T), where), attached, kept(attached), where) {}
  /// An allocation from a pool. It is freed in the stream's order and reused after that: its first use has to follow in
  /// that stream's order, also by `host(stream)`. Memory that was attached returns to the driver instead of the pool.
  /// Throws: as above; `memory_error` with the pool's figures; `logic_error` for another context's stream.
  template <integer Count>
  managed_allocation(const yoke::memory_pool<port, managed_memory>& pool, Count count, const stream& order,
                     const source_location& where = source_location::current())
      : managed_allocation(pool.state(where), yoke::detail::element_count(count, sizeof(T), where), order, where) {}
  /// Takes ownership of managed memory of at least `count` elements, of any context; it counts as attached globally.
  /// Throws: `logic_error` for an address that is null, not managed memory, misaligned or inside a block, and for a
  /// block that is too small; it then stays the caller's. Wraps `cuPointerGetAttribute`.
  template <integer Count>
  [[nodiscard]] static managed_allocation adopt(const context& in, native_type native, Count count,
                                                const source_location& where = source_location::current()) {
    return managed_allocation(in, native, yoke::detail::element_count(count, sizeof(T), where), native_ownership::plain,
                              where);
  }
  /// Uses managed memory without owning it: it has to outlive this, and may lie inside a block. Throws: as `adopt`.
  template <integer Count>
  [[nodiscard]] static managed_allocation borrow(const context& in, native_type native, Count count,
                                                 const source_location& where = source_location::current()) {
    return managed_allocation(in, native, yoke::detail::element_count(count, sizeof(T), where),
                              native_ownership::borrowed, where);
  }
  [[nodiscard]] std::size_t size() const noexcept { return this->facts().size; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size() * sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }

  /// Enqueues a change of the users of the memory: every stream, only the host, or this stream. Without concurrent
  /// managed access, only these may use it from then on; with it, nothing changes. An allocation that is attached to a
  /// stream keeps the stream alive.
  /// Throws: `logic_error` when moved from or for an empty stream; `error`. Wraps `cuStreamAttachMemAsync`.
  void attach_global(const stream& on, const source_location& where = source_location::current()) {
    attach_to(attachment::global, on, where);
  }
  void attach_host(const stream& on, const source_location& where = source_location::current()) {
    attach_to(attachment::host, on, where);
  }
  void attach(const stream& on, const source_location& where = source_location::current()) {
    yoke::detail::retained_stream<port> retained(on, where);
    attach_to(attachment::single, on, where);
    this->facts().stream = std::move(retained);
  }
  /// The last attachment. Throws: nothing.
  [[nodiscard]] attachment attached() const noexcept {
    const auto& attached = this->facts().attached;
    return attached == nullptr ? attachment::global : attached->what;
  }

  // As in `managed_span`, for the whole memory.
  void prefetch(const stream& on, const source_location& where = source_location::current()) const {
    whole().prefetch(on, where);
  }
  void prefetch(const memory_location& to, const stream& on,
                const source_location& where = source_location::current()) const {
    whole().prefetch(to, on, where);
  }
  void advise(const advice& what, const source_location& where = source_location::current()) const {
    whole().advise(what, where);
  }
  [[nodiscard]] bool is_read_mostly(const source_location& where = source_location::current()) const {
    return whole().is_read_mostly(where);
  }
  [[nodiscard]] memory_location preferred_location(const source_location& where = source_location::current()) const {
    return whole().preferred_location(where);
  }
  [[nodiscard]] memory_location last_prefetch(const source_location& where = source_location::current()) const {
    return whole().last_prefetch(where);
  }
  [[nodiscard]] bool is_accessed_by(const memory_location& processor,
                                    const source_location& where = source_location::current()) const {
    return whole().is_accessed_by(processor, where);
  }
  [[nodiscard]] std::span<T> host(const stream& after, const source_location& where = source_location::current()) {
    return whole<T>().host(after, where);
  }
  [[nodiscard]] std::span<const T> host(const stream& after,
                                        const source_location& where = source_location::current()) const {
    return whole().host(after, where);
  }
  [[nodiscard]] std::span<T> host(const source_location& where = source_location::current()) {
    return whole<T>().host(where);
  }
  [[nodiscard]] std::span<const T> host(const source_location& where = source_location::current()) const {
    return whole().host(where);
  }

  [[nodiscard]] device_span<T> span() noexcept { return whole<T>().span(); }
  [[nodiscard]] device_span<const T> span() const noexcept { return whole().span(); }
  [[nodiscard]] device_span<T> span_in(const context& in) noexcept { return whole<T>().span_in(in); }
  [[nodiscard]] device_span<const T> span_in(const context& in) const noexcept { return whole().span_in(in); }
  template <integer First, integer Count>
  [[nodiscard]] managed_span<T> part(First first, Count count,
                                     const source_location& where = source_location::current()) {
    return whole<T>().part(first, count, where);
  }
  template <integer First, integer Count>
  [[nodiscard]] managed_span<const T> part(First first, Count count,
                                           const source_location& where = source_location::current()) const {
    return whole().part(first, count, where);
  }
  template <integer First>
  [[nodiscard]] managed_span<T> part(First first, const source_location& where = source_location::current()) {
    return whole<T>().part(first, where);
  }
  template <integer First>
  [[nodiscard]] managed_span<const T> part(First first,
                                           const source_location& where = source_location::current()) const {
    return whole().part(first, where);
  }

  // The variable with the address, for launches.
  using base::native_place;

 private:
  friend base;
  static void destroy(yoke::detail::context_reference<port>& parent, native_type native,
                      detail::managed_facts& facts) noexcept {
    if (facts.block.give_back(facts.is_spoiled) || parent.state().left_us()) return;
    parent.report(parent.state().port.release_memory(parent.get().native_handle(), native));
  }
  using kept_attachment = yoke::detail::shared<detail::attached_to>;
  [[nodiscard]] static kept_attachment kept(attachment to) {
    auto made = yoke::detail::make_shared<detail::attached_to>();
    made->what = to;
    return made;
  }
  // The attachment is an argument, because making it may run out of memory, which has to come before the allocation.
  managed_allocation(const context& in, std::size_t count, attachment to, kept_attachment attached,
                     const source_location& where)
      : base(in, allocate(in, count * sizeof(T), to, where), true, {.size = count, .attached = std::move(attached)}) {}
  template <class Pool>
  managed_allocation(Pool& pool, std::size_t count, const stream& order, const source_location& where)
      : managed_allocation(pool, count, kept(attachment::global), order, where) {}
  template <class Pool>
  managed_allocation(Pool& pool, std::size_t count, kept_attachment attached, const stream& order,
                     const source_location& where)
      : managed_allocation(pool.context,
                           static_cast<detail::managed_pool_block*>(
                               yoke::detail::take_in_order(pool, count * sizeof(T), order, where)),
                           count, std::move(attached)) {}
  managed_allocation(const context& in, detail::managed_pool_block* block, std::size_t count,
                     kept_attachment attached) noexcept
      : base(in, block == nullptr ? native_type{} : block->address, true,
             {.size = count, .attached = std::move(attached), .block = detail::managed_block(block)}) {}
  managed_allocation(const context& in, native_type native, std::size_t count, native_ownership ownership,
                     const source_location& where)
      : base(in, native, false, {.size = count, .attached = kept(attachment::global)}) {
    detail::check_managed(in, native, count, sizeof(T), alignof(T), ownership, where);
    if (ownership != native_ownership::borrowed) this->take_ownership();
  }
  static native_type allocate(const context& in, std::size_t bytes, attachment attached, const source_location& where) {
    const port& with = in.port(where);
    if (bytes == 0) return {};
    return yoke::detail::allocate_in(in.state(where),
                                     [&] { return with.allocate_managed(in.native_handle(), bytes, attached, where); });
  }
  void attach_to(attachment to, const stream& on, const source_location& where) {
    if (!context_of()) detail::throw_empty_managed(where);
    this->facts().is_spoiled = true;
    detail::attach(context_of(), this->native_handle(), to, on, where);
    *this->facts().attached = {to, to == attachment::single ? on.native_handle() : nullptr};
    this->facts().stream = {};
  }
  template <class Element = const T>
  [[nodiscard]] managed_span<Element> whole() const noexcept {
    return {context_of(), this->native_handle(), size(), this->facts().attached};
  }
};

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1::detail {
template <std::same_as<cuda::port> Port>
class pool_state<Port, cuda::managed_memory> final : public context_pool<Port> {
 public:
  pool_state(const context<Port>& in, const pool_options& options) : context_pool<Port>(in, options, false, &destroy) {}

 protected:
  pool_block& make(std::size_t bytes, const void*, const source_location& where) override {
    auto made = make_owner<cuda::detail::managed_pool_block>();
    made->address = this->context.port(where).allocate_managed(this->context.native_handle(), bytes,
                                                               cuda::attachment::global, where);
    return *made.release();
  }
  void end(pool_block& idle, pool_stream*) noexcept override {
    const context_state<Port>& in = *this->context.shared();
    const auto address = static_cast<cuda::detail::managed_pool_block&>(idle).address;
    if (!in.left_us()) in.report(in.port.release_memory(in.native, address));
    forget(idle);
  }
  void forget(pool_block& gone) noexcept override { delete &static_cast<cuda::detail::managed_pool_block&>(gone); }
  [[nodiscard]] bool ends_behind_work() const noexcept override { return true; }

 private:
  static void destroy(shared_count* count) noexcept { delete static_cast<pool_state*>(count); }
};
}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {
/// An operand of copies and fills, and an argument of launches.
template <class T>
struct memory_access<cuda::managed_allocation<T>> {
  template <class Allocation>
  static auto describe(Allocation& memory) noexcept {
    return memory.span();
  }
  [[gnu::always_inline]] static detail::launched_memory<cuda::port> launched(
      const cuda::managed_allocation<T>& memory) noexcept {
    return {&memory.native_place(), &memory.context_of(), nullptr, {}};
  }
};
}  // namespace yoke::inline v0_1

#endif

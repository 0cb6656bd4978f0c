// SPDX-License-Identifier: MIT
// A pool of memory: blocks that come back are used again, in the order of streams.
#ifndef YOKE_MEMORY_MEMORY_POOL_HPP
#define YOKE_MEMORY_MEMORY_POOL_HPP

#include <yoke/memory/context_pool.hpp>
#include <yoke/memory/pagelocked_array.hpp>
#include <yoke/memory/pool_bins.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// A block of device memory.
template <class Port>
class device_block final : public allocation_extra<Port>, public pool_block {
 public:
  device_block(const context<Port>& in, typename Port::memory_handle native)
      : memory(native), context(in), of_context(!in.is_owner()) {
    if constexpr (map_port<Port>) maps = make_map_count(in.shared()->port.mapped_views());
  }
  bool give_back(context_reference<Port>& in, allocation_facts<Port>& facts,
                 typename Port::memory_handle) noexcept override {
    facts.end.set_extra(nullptr);
    // The end of a context frees its own pool's blocks: it comes after all else, and an idle block does not keep it.
    context_reference<Port> last;
    (of_context ? last : context) = std::move(in);
    maps = std::move(facts.maps);
    if (!this->uses.natives().empty()) [[unlikely]]
      record_uses(context.get(), this->uses, *this);
    bool is_mapped = false;
    if (maps != nullptr) {
      // Views of the last owner keep what they map; spans of it no longer ask about this block.
      is_mapped = maps->views.load(order::relaxed) != 0;
      maps->generation.store(maps->generation.load(order::relaxed) + 1, order::relaxed);  // nobody else writes it
    }
    block_pool::give_back(*this, is_mapped);
    return true;
  }
  void end() noexcept override { block_pool::give_away(*this); }
  [[nodiscard]] bool is_ordered_by(const stream<Port>& of) const noexcept override {
    return block_pool::is_of(*this, of.slot());
  }
  void check_use(const stream<Port>& of, const source_location& where) const override {
    (void)checked_pool_stream(of.context_of(), of, where);
  }
  /// Returns: what keeps the context of the block's owner alive.
  [[nodiscard]] context_reference<Port> lend(const stream<Port>& to) {
    return of_context ? to.origin() : std::move(context);
  }

  typename Port::memory_handle memory;
  // Empty while the block is in use: the allocation has them. A block of a context's own pool keeps the context's name.
  context_reference<Port> context;
  map_count maps;
  const bool of_context;
};

/// A pool of a kind: `block`, and how one is made and ended.
template <class Port, class Kind>
class pool_state;

template <class Port>
class pool_state<Port, device_memory> final : public context_pool<Port> {
 public:
  using block = device_block<Port>;
  pool_state(memory_resource<Port>& from, shared<const void> keeps, const pool_options& options)
      : context_pool<Port>(from.context_of(), options, false, &destroy), from_(from), keeps_(std::move(keeps)) {}

 protected:
  pool_block& make(std::size_t bytes, const void* stream, const source_location& where) override {
    struct unowned {
      memory_resource<Port>& from;
      typename Port::memory_handle memory;
      std::size_t bytes;
      ~unowned() {
        if (!(memory == typename Port::memory_handle{})) from.deallocate(memory, bytes, {}, {});
      }
    } made{from_, allocate_from(from_, bytes, *static_cast<const yoke::stream<Port>*>(stream), where), bytes};
    auto* const result = new block(this->context, made.memory);
    made.memory = {};
    return *result;
  }
  void end(pool_block& idle, pool_stream* home) noexcept override {
    block& last = static_cast<block&>(idle);
    const auto order =
        home == nullptr ? typename Port::stream_handle{} : static_cast<pool_stream_of<Port>*>(home)->native_handle();
    from_.deallocate(last.memory, last.capacity(), order, {});
    delete &last;
  }
  void forget(pool_block& gone) noexcept override { delete &static_cast<block&>(gone); }
  [[nodiscard]] std::uint64_t native_of(const pool_block& of) const noexcept override {
    return native_value(static_cast<const block&>(of).memory);
  }
  [[nodiscard]] bool ends_behind_work() const noexcept override { return from_.frees_behind_all_work(); }
  [[nodiscard]] bool ends_in_order() const noexcept override { return from_.frees_in_order(); }

 private:
  static void destroy(shared_count* count) noexcept { delete static_cast<pool_state*>(count); }

  memory_resource<Port>& from_;
  shared<const void> keeps_;
};

/// A page-locked block. The array and its transfers share it; with the last of them it goes back.
template <class Port>
class pagelocked_pool_block final : public pool_block, public shared_count {
 public:
  pagelocked_pool_block(const context<Port>& in, std::size_t bytes, const source_location& where)
      : shared_count(&go_back), memory(in, bytes, where) {}

  const pagelocked_block<Port> memory;

 private:
  static void go_back(shared_count* count) noexcept {
    auto& self = static_cast<pagelocked_pool_block&>(*count);
    if (!self.memory.owned) return block_pool::give_away(self);
    self.owners.store(1, order::relaxed);  // the next owner's; the pool's lock is between them
    block_pool::give_back(self);
  }
};

template <class Port>
class pool_state<Port, pagelocked_memory> final : public context_pool<Port> {
 public:
  using block = pagelocked_pool_block<Port>;
  // An array's transfers keep its block, so an idle block is the host's at once.
  pool_state(const context<Port>& in, const pool_options& options) : context_pool<Port>(in, options, false, &destroy) {}

 protected:
  pool_block& make(std::size_t bytes, const void*, const source_location& where) override {
    return *make_owner<block>(this->context, bytes, where).release();
  }
  void end(pool_block& idle, pool_stream*) noexcept override { forget(idle); }
  void forget(pool_block& gone) noexcept override { delete &static_cast<block&>(gone); }
  [[nodiscard]] bool ends_behind_work() const noexcept override { return true; }

 private:
  static void destroy(shared_count* count) noexcept { delete static_cast<pool_state*>(count); }
};

/// The last handle of a pool closes it. Blocks in use keep the rest.
template <class Port, class Kind>
class pool_handles {
 public:
  explicit pool_handles(pool_state<Port, Kind>* made) noexcept : state(made, made) {}
  pool_handles(const pool_handles&) = delete;
  pool_handles& operator=(const pool_handles&) = delete;
  ~pool_handles() { state->close(); }
  const shared<pool_state<Port, Kind>> state;
};

/// Throws: `logic_error` for impossible options.
inline const pool_options& checked_options(const pool_options& options, const source_location& where) {
  if (options.leading_bits > 16) {
    throw_error(errc::out_of_range,
                text("leading_bits of a pool is ", options.leading_bits, ", at most 16 is possible"), where);
  }
  return options;
}

}  // namespace detail

/// A pool of one kind of memory. Copies are the same pool. Allocate as `device_allocation<T>{pool, n, stream}`,
/// `pagelocked_array<T>{pool, n}`, or `svm_allocation<T, Kind>{pool, n, stream}`; blocks that come back wait for reuse.
///
/// In its own stream a block is used again at once, at no driver call. Another stream takes it behind an event, unless the
/// options say otherwise. Sizes are rounded up as PyOpenCL's and PyCUDA's pools round them. The pool may end before its
/// blocks: they then end with their owners.
/// Thread safety: safe.
template <class Port, class Kind>
class memory_pool {
  using state_type = detail::pool_state<Port, Kind>;

 public:
  using port_type = Port;
  static constexpr const char* noun = "memory pool";

  /// A pool of plain device memory: `deferred_allocator`. Throws: `logic_error` for an empty context or impossible options;
  /// `std::bad_alloc`.
  explicit memory_pool(const context<Port>& in, const pool_options& options = {},
                       const source_location& where = source_location::current())
    requires std::same_as<Kind, device_memory>
  {
    (void)in.port(where);
    auto from = detail::make_shared<deferred_allocator<Port>>(in, where);
    found(from, options, where);
  }
  /// A pool over a `memory_resource` that `resource` points to and keeps alive: a `std::shared_ptr`, for instance.
  /// Throws: `logic_error` for a null resource or impossible options; `std::bad_alloc`.
  template <memory_resource_pointer<Port> Resource>
  explicit memory_pool(const Resource& resource, const pool_options& options = {},
                       const source_location& where = source_location::current())
    requires std::same_as<Kind, device_memory>
  {
    (void)detail::checked_resource(resource, where);
    found(resource, options, where);
  }

  /// A pool of another kind of memory: `memory_pool{ctx, yoke::pagelocked}`, `memory_pool{ctx, opencl::svm::coarse{}}`.
  /// Throws: as above; `unsupported_error` where the device lacks the kind.
  memory_pool(const context<Port>& in, Kind, const pool_options& options = {},
              const source_location& where = source_location::current())
    requires(!std::same_as<Kind, device_memory>)
  {
    (void)in.port(where);
    found(detail::make_owner<state_type>(in, detail::checked_options(options, where)));
  }

  [[nodiscard]] explicit operator bool() const noexcept { return handles_ != nullptr; }
  [[nodiscard]] friend bool operator==(const memory_pool& left, const memory_pool& right) noexcept {
    return left.handles_ == right.handles_;
  }
  void reset() noexcept { handles_.reset(); }
  void swap(memory_pool& other) noexcept { handles_.swap(other.handles_); }
  friend void swap(memory_pool& left, memory_pool& right) noexcept { left.swap(right); }

  /// The context of its memory. Throws: `logic_error` when moved from.
  [[nodiscard]] const context<Port>& context_of(const source_location& where = source_location::current()) const {
    return state(where).context;
  }
  [[nodiscard]] const pool_options& options(const source_location& where = source_location::current()) const {
    return state(where).options();
  }
  /// The present figures. While other threads allocate, those of several streams may be of different moments.
  /// Throws: `logic_error` when moved from.
  [[nodiscard]] pool_statistics statistics(const source_location& where = source_location::current()) const {
    return state(where).statistics();
  }
  /// The blocks in use by the place that has allocated them, most bytes first. Requires: the pool was made with `.track`;
  /// else all blocks have one place, "". Throws: `logic_error` when moved from; `std::bad_alloc`.
  [[nodiscard]] std::vector<pool_holder> holders(const source_location& where = source_location::current()) const {
    return state(where).holders();
  }
  /// Gives all idle blocks back. Throws: `logic_error` when moved from.
  void free_held(const source_location& where = source_location::current()) const { state(where).free_held(); }
  /// The same, and from now on blocks that come back are freed at once. There is no way back.
  void stop_holding(const source_location& where = source_location::current()) const { state(where).stop_holding(); }
  /// Gives idle blocks back, the largest first, until the pool manages at most `bytes` bytes or none is idle.
  void trim(std::size_t bytes, const source_location& where = source_location::current()) const {
    state(where).trim(bytes);
  }
  /// The bin of a size, and the size of a bin's blocks. Units: bytes.
  [[nodiscard]] std::size_t bin_number(std::size_t bytes,
                                       const source_location& where = source_location::current()) const {
    return detail::pool_bin_number(bytes, state(where).options().leading_bits);
  }
  [[nodiscard]] std::size_t alloc_size(std::size_t bin,
                                       const source_location& where = source_location::current()) const {
    const unsigned bits = state(where).options().leading_bits;
    if (bin >= std::size_t{64} << bits) {
      detail::throw_error(errc::out_of_range,
                          detail::text("bin ", bin, " is not one of the pool's ", std::size_t{64} << bits), where);
    }
    return detail::pool_alloc_size(bin, bits);
  }
  // For allocations.
  [[nodiscard]] state_type& state(const source_location& where) const {
    if (handles_ == nullptr) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this memory pool is empty (moved from)", where);
    return *handles_->state;
  }

 private:
  template <class Resource>
  void found(const Resource& resource, const pool_options& options, const source_location& where) {
    found(detail::make_owner<state_type>(*resource, keep_alive(resource), detail::checked_options(options, where)));
  }
  void found(detail::owner<state_type> made) {
    handles_ = detail::make_shared<detail::pool_handles<Port, Kind>>(made.get());
    (void)made.release();
  }

  detail::shared<detail::pool_handles<Port, Kind>> handles_;
};

/// While this lives, a pool keeps the memory that it would give to the driver; the end of this gives it. A driver may stop for
/// each free. When memory runs out, the pool gives it earlier. Scopes may overlap.
/// Thread safety: safe.
template <class Port = any_port, class Kind = device_memory>
class deferred_frees {
 public:
  /// Throws: `logic_error` for an empty pool.
  explicit deferred_frees(const memory_pool<Port, Kind>& pool,
                          const source_location& where = source_location::current())
      : pool_(pool) {
    pool.state(where).begin_deferral();
  }
  deferred_frees(const deferred_frees&) = delete;
  deferred_frees& operator=(const deferred_frees&) = delete;
  ~deferred_frees() { pool_.state({}).end_deferral(); }

 private:
  memory_pool<Port, Kind> pool_;
};

template <class Port>
memory_pool(const context<Port>&) -> memory_pool<Port, device_memory>;
template <class Port>
memory_pool(const context<Port>&, const pool_options&) -> memory_pool<Port, device_memory>;
template <class Resource>
memory_pool(const Resource&)
    -> memory_pool<typename std::remove_cvref_t<decltype(*std::declval<const Resource&>())>::port_type, device_memory>;
template <class Resource>
memory_pool(const Resource&, const pool_options&)
    -> memory_pool<typename std::remove_cvref_t<decltype(*std::declval<const Resource&>())>::port_type, device_memory>;

template <class T, class Port>
device_allocation<T, Port>::device_allocation(detail::device_block<Port>* block, std::size_t count,
                                              const stream<Port>& stream, const source_location& where)
    : base(block == nullptr ? reference_type(stream.origin()) : block->lend(stream),
           block == nullptr ? native_type{} : block->memory, true,
           block == nullptr ? facts_type{0, {}, {stream, where}}
                            : facts_type{count, std::move(block->maps), {*block, stream.native_handle()}}) {}
template <class T, class Port>
template <integer Count>
device_allocation<T, Port>::device_allocation(const memory_pool<Port, device_memory>& pool, Count count,
                                              const stream<Port>& stream, const source_location& where)
    : device_allocation(static_cast<detail::device_block<Port>*>(detail::take_in_order<Port>(
                            pool.state(where), checked_count(count, where) * sizeof(T), stream, where)),
                        static_cast<std::size_t>(count), stream, where) {}

template <class T, class Port>
template <integer Count>
device_allocation<T, Port> device_allocation<T, Port>::adopt(const memory_pool<Port, device_memory>& pool,
                                                             native_type native, Count count,
                                                             const stream<Port>& stream, const source_location& where) {
  auto& into = pool.state(where);
  (void)detail::checked_pool_stream(into.context, stream, where);
  const std::size_t size = checked_count(count, where);
  check_native(into.context, native, size, native_ownership::plain, where);
  auto block = detail::make_owner<detail::device_block<Port>>(into.context, native);
  into.adopt(*block, into.cache_of(stream.slot(), &stream, where), into.context.port(where).memory_bytes(native, where),
             size * sizeof(T), where);
  return device_allocation(block.release(), size, stream, where);
}

template <class T, class Port>
template <integer Count>
pagelocked_array<T, Port>::pagelocked_array(const memory_pool<Port, pagelocked_memory>& pool, Count count,
                                            const source_location& where)
    : base(detail::pagelocked_facts{detail::element_count(count, sizeof(T), where)}) {
  auto& from = pool.state(where);
  if (empty()) {
    this->enter(from.context);
    return;
  }
  using pooled_block = detail::pagelocked_pool_block<Port>;
  auto& block = static_cast<pooled_block&>(from.take(from.common_cache(), size() * sizeof(T), nullptr, where));
  keep({&block.memory, &block}, from.context);
}

}  // namespace yoke::inline v0_1

#endif

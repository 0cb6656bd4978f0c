// SPDX-License-Identifier: MIT
// Memory pools, which reuse freed blocks in the order of streams.
#ifndef YOKE_MEMORY_MEMORY_POOL_HPP
#define YOKE_MEMORY_MEMORY_POOL_HPP

#include <yoke/memory/context_pool.hpp>
#include <yoke/memory/memory_source.hpp>
#include <yoke/memory/pagelocked_array.hpp>
#include <yoke/memory/pool_bins.hpp>

#include <mutex>

namespace yoke::inline v0_1 {

namespace detail {

/// A pool's block of device memory.
template <class Port>
class device_block final : public allocation_extra<Port>, public pool_block {
 public:
  device_block(const context<Port>& in, typename Port::memory_handle native)
      : memory(native), context(in), is_of_context_pool(!in.is_owner()) {
    if constexpr (map_port<Port>) maps = make_map_count(in.shared()->port.mapped_views());
  }
  bool give_back(context_reference<Port>& in, allocation_facts<Port>& facts,
                 typename Port::memory_handle) noexcept override {
    facts.end.set_extra(nullptr);
    // An idle block of the context's own pool must not keep the context alive: the context's end frees that pool.
    context_reference<Port> last;
    (is_of_context_pool ? last : context) = std::move(in);
    maps = std::move(facts.maps);
    if (!this->uses.natives().empty()) [[unlikely]]
      record_uses(context.get(), this->uses, *this);
    bool is_mapped = false;
    if (maps != nullptr) {
      // Views of the last owner still map the memory; a new generation cuts off the owner's spans.
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
  [[nodiscard]] shared<memory_source<Port>> source() const override;
  /// Returns: the context reference for the block's next owner.
  [[nodiscard]] context_reference<Port> lend(const stream<Port>& to) {
    return is_of_context_pool ? to.origin() : std::move(context);
  }

  typename Port::memory_handle memory;
  // The allocation has these two while the block is in use. A block of the context's own pool always keeps `context`,
  // which does not keep the context alive.
  context_reference<Port> context;
  map_count maps;
  const bool is_of_context_pool;
};

/// A pool of one kind of memory: the type `block`, and how blocks are made and freed.
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

 public:
  /// Effects: says what the handles share. Null: the last of them ends.
  void set_handles(memory_source<Port>* handles) noexcept {
    const std::lock_guard lock(mutex_);
    handles_ = handles;
  }
  /// Returns: what the handles share; null if the last of them has ended.
  [[nodiscard]] shared<memory_source<Port>> handles() noexcept {
    const std::lock_guard lock(mutex_);
    if (handles_ == nullptr || !handles_->add_if_any()) return {};
    return {handles_, handles_};
  }

 private:
  static void destroy(shared_count* count) noexcept { delete static_cast<pool_state*>(count); }

  std::mutex mutex_;
  memory_source<Port>* handles_ = nullptr;  // not owned
  memory_resource<Port>& from_;
  shared<const void> keeps_;
};

/// A pool's page-locked block. The array and its transfers share it; the last of them gives it back.
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
    self.owners.store(1, order::relaxed);  // for the next owner, which the pool's lock orders behind this
    block_pool::give_back(self);
  }
};

template <class Port>
class pool_state<Port, pagelocked_memory> final : public context_pool<Port> {
 public:
  using block = pagelocked_pool_block<Port>;
  // Transfers share their array's block, so the host may use an idle block at once.
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

/// Shared by the handles of a pool; the last one closes it. Blocks in use keep the state alive.
template <class Port, class Kind>
class pool_handles {
 public:
  explicit pool_handles(pool_state<Port, Kind>* made) noexcept : state(made, made) {}
  pool_handles(const pool_handles&) = delete;
  pool_handles& operator=(const pool_handles&) = delete;
  ~pool_handles() { state->close(); }
  const shared<pool_state<Port, Kind>> state;
};

template <class Port>
shared<memory_source<Port>> device_block<Port>::source() const {
  if (is_of_context_pool) return {};
  // Every block of a pool of device memory is of this type of pool.
  return static_cast<pool_state<Port, device_memory>&>(block_pool::pool_of(*this)).handles();
}

/// The same for device memory, of which arrays are made.
template <class Port>
class pool_handles<Port, device_memory> final : public memory_source<Port> {
 public:
  explicit pool_handles(pool_state<Port, device_memory>* made) noexcept
      : memory_source<Port>(&destroy), state(made, made) {}
  ~pool_handles() {
    state->set_handles(nullptr);
    state->close();
  }
  [[nodiscard]] device_allocation<std::byte, Port> allocate(std::size_t bytes, const stream<Port>& order,
                                                            const source_location& where) override {
    auto* const block = static_cast<device_block<Port>*>(take_in_order<Port>(*state, bytes, order, where));
    return {block, bytes, order, where};
  }
  const shared<pool_state<Port, device_memory>> state;

 private:
  static void destroy(shared_count* count) noexcept { delete static_cast<pool_handles*>(count); }
};

/// Throws: `logic_error` for options out of range.
inline const pool_options& checked_options(const pool_options& options, const source_location& where) {
  if (options.leading_bits > 16) {
    throw_error(errc::out_of_range,
                text("leading_bits of a pool is ", options.leading_bits, ", at most 16 is possible"), where);
  }
  return options;
}

}  // namespace detail

/// A pool of one kind of memory. Copies share it. Allocate with `device_allocation<T>{pool, n, stream}`,
/// `pagelocked_array<T>{pool, n}` or `svm_allocation<T, Kind>{pool, n, stream}`; freed blocks wait for reuse.
///
/// The stream that freed a block reuses it at once, without a driver call. Another stream takes it behind an event,
/// unless the options forbid it. Sizes are rounded up as in PyOpenCL's and PyCUDA's pools. If the pool ends before its
/// blocks, they are freed with their owners.
/// Thread safety: safe.
template <class Port, class Kind>
class memory_pool {
  using state_type = detail::pool_state<Port, Kind>;

 public:
  using port_type = Port;
  static constexpr const char* noun = "memory pool";

  /// A pool of plain device memory, from a `deferred_allocator`.
  /// Throws: `logic_error` for an empty context or options out of range; `std::bad_alloc`.
  explicit memory_pool(const context<Port>& in, const pool_options& options = {},
                       const source_location& where = source_location::current())
    requires std::same_as<Kind, device_memory>
  {
    (void)in.port(where);
    auto from = detail::make_shared<deferred_allocator<Port>>(in, where);
    create(from, options, where);
  }
  /// A pool over a `memory_resource`; `resource` is a pointer that keeps it alive, such as a `std::shared_ptr`.
  /// Throws: `logic_error` for a null resource or options out of range; `std::bad_alloc`.
  template <memory_resource_pointer<Port> Resource>
  explicit memory_pool(const Resource& resource, const pool_options& options = {},
                       const source_location& where = source_location::current())
    requires std::same_as<Kind, device_memory>
  {
    (void)detail::checked_resource(resource, where);
    create(resource, options, where);
  }

  /// A pool of another kind of memory: `memory_pool{ctx, yoke::pagelocked}`, `memory_pool{ctx, opencl::svm::coarse{}}`.
  /// Throws: as above; `unsupported_error` if the device lacks the kind.
  memory_pool(const context<Port>& in, Kind, const pool_options& options = {},
              const source_location& where = source_location::current())
    requires(!std::same_as<Kind, device_memory>)
  {
    (void)in.port(where);
    create(detail::make_owner<state_type>(in, detail::checked_options(options, where)));
  }

  /// The same with the options of an allocator: `memory_pool{opencl::svm_allocator{ctx, opencl::svm::coarse{},
  /// {...}}}`. Throws: as above.
  template <class Allocator>
    requires(!std::same_as<Kind, device_memory> && !std::same_as<Allocator, context<Port>> &&
             std::constructible_from<state_type, const Allocator&, const pool_options&>)  // last: it needs a whole port
  explicit memory_pool(const Allocator& from, const pool_options& options = {},
                       const source_location& where = source_location::current()) {
    create(detail::make_owner<state_type>(from, detail::checked_options(options, where)));
  }

  [[nodiscard]] explicit operator bool() const noexcept { return handles_ != nullptr; }
  [[nodiscard]] friend bool operator==(const memory_pool& left, const memory_pool& right) noexcept {
    return left.handles_ == right.handles_;
  }
  void reset() noexcept { handles_.reset(); }
  void swap(memory_pool& other) noexcept { handles_.swap(other.handles_); }
  friend void swap(memory_pool& left, memory_pool& right) noexcept { left.swap(right); }

  /// The context of the pool's memory. Throws: `logic_error` when moved from.
  [[nodiscard]] const context<Port>& context_of(const source_location& where = source_location::current()) const {
    return state(where).context;
  }
  [[nodiscard]] const pool_options& options(const source_location& where = source_location::current()) const {
    return state(where).options();
  }
  /// The current figures. While other threads allocate, the figures of different streams may be of different moments.
  /// Throws: `logic_error` when moved from.
  [[nodiscard]] pool_statistics statistics(const source_location& where = source_location::current()) const {
    return state(where).statistics();
  }
  /// The blocks in use, grouped by the line that allocated them, most bytes first. Without the option `.track`, all
  /// blocks have one location, "".
  /// Throws: `logic_error` when moved from; `std::bad_alloc`.
  [[nodiscard]] std::vector<pool_holder> holders(const source_location& where = source_location::current()) const {
    return state(where).holders();
  }
  /// Frees all idle blocks. Throws: `logic_error` when moved from.
  void free_held(const source_location& where = source_location::current()) const { state(where).free_held(); }
  /// The same, and from now on frees blocks as soon as they come back. Cannot be undone.
  void stop_holding(const source_location& where = source_location::current()) const { state(where).stop_holding(); }
  /// Frees idle blocks, the largest first, until the pool manages at most `bytes` bytes or no block is idle.
  void trim(std::size_t bytes, const source_location& where = source_location::current()) const {
    state(where).trim(bytes);
  }
  /// The bin of a size, and the block size of a bin. Units: bytes.
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
  // For arrays, which keep the pool open.
  [[nodiscard]] detail::shared<detail::memory_source<Port>> source(const source_location& where) const
    requires std::same_as<Kind, device_memory>
  {
    (void)state(where);
    return handles_;
  }
  // For allocations.
  [[nodiscard]] state_type& state(const source_location& where) const {
    if (handles_ == nullptr) [[unlikely]]
      detail::throw_error(errc::empty_handle, "this memory pool is empty (moved from)", where);
    return *handles_->state;
  }

 private:
  template <class Resource>
  void create(const Resource& resource, const pool_options& options, const source_location& where) {
    create(detail::make_owner<state_type>(*resource, keep_alive(resource), detail::checked_options(options, where)));
  }
  void create(detail::owner<state_type> made) {
    if constexpr (std::same_as<Kind, device_memory>) {
      auto* const handles = new detail::pool_handles<Port, Kind>(made.get());
      handles_ = {handles, handles};
      made.release()->set_handles(handles);
    } else {
      handles_ = detail::make_shared<detail::pool_handles<Port, Kind>>(made.get());
      (void)made.release();
    }
  }

  detail::shared<detail::pool_handles<Port, Kind>> handles_;
};

/// While this lives, a pool collects the blocks that it would free, because drivers may stall at each free. The
/// destructor frees them; the pool does so earlier if memory runs out. Scopes may overlap.
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

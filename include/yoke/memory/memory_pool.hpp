// SPDX-License-Identifier: MIT
// A pool of memory: blocks that come back are used again, in the order of streams.
#ifndef YOKE_MEMORY_MEMORY_POOL_HPP
#define YOKE_MEMORY_MEMORY_POOL_HPP

#include <yoke/memory/device_allocation.hpp>
#include <yoke/memory/pool_core.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

/// An event, and what ends it.
template <class Port>
class event_point final : public pool_point {
 public:
  event_point(const context<Port>& in, typename Port::event_handle native) noexcept : context_(in), native_(native) {}
  ~event_point() override {
    const context_state<Port>& in = context_.state();
    if (!in.left_us()) in.report(in.port.release_event(native_));
  }
  [[nodiscard]] typename Port::event_handle native_handle() const noexcept { return native_; }
  [[nodiscard]] bool is_done() noexcept override {
    if (done_) return true;
    try {
      const event_status now = context_.state().port.status(native_, {});
      done_ = now == event_status::complete || now == event_status::failed;
    } catch (...) {  // work of a lost context does not run any more
      done_ = true;
    }
    return done_;
  }
  void wait() noexcept override {
    try {
      if (!context_.state().left_us()) context_.state().port.wait(native_, {});
    } catch (...) {  // a command that failed is over, too; its failure is not the pool's
    }
  }

 private:
  context_reference<Port> context_;
  typename Port::event_handle native_;
  bool done_ = false;
};

/// Returns: a point behind the work of a native stream; null if the stream has ended with its context.
template <class Port>
shared<pool_point> record_point(const context<Port>& context, typename Port::stream_handle native,
                                const source_location& where) {
  const context_state<Port>& in = context.state(where);
  if (in.left_us()) return nullptr;
  struct unowned {
    const context_state<Port>& in;
    typename Port::event_handle event;
    ~unowned() {
      if (!(event == typename Port::event_handle{})) in.report(in.port.release_event(event));
    }
  } made{in, port_traits<Port>::record_in(in.port, in.native, native, where)};
  auto point = make_shared<event_point<Port>>(context, made.event);
  made.event = {};
  return point;
}

template <class Port>
class pool_stream_of final : public pool_stream {
 public:
  pool_stream_of(const stream<Port>& of, const source_location& where)
      : context_(of.context_of()), native_(of, where) {}
  [[nodiscard]] typename Port::stream_handle native_handle() const noexcept { return native_.native_handle(); }
  [[nodiscard]] shared<pool_point> record(const source_location& where) override {
    return record_point<Port>(context_.get(), native_handle(), where);
  }
  void wait(pool_point& point, const source_location& where) override {
    const auto event = static_cast<event_point<Port>&>(point).native_handle();
    context_.state().port.wait_in_stream(native_handle(), std::span(&event, 1), where);
  }
  void synchronize(const source_location& where) override { context_.state().port.synchronize(native_handle(), where); }

 private:
  context_reference<Port> context_;
  retained_stream<Port> native_;
};

/// Throws: `logic_error` for an empty stream or another context's; `unsupported_error` for CUDA's per-thread default stream,
/// which is another stream in each thread.
template <class Port>
const stream<Port>& checked_pool_stream(const context<Port>& in, const stream<Port>& stream,
                                        const source_location& where) {
  if (!stream) [[unlikely]]
    throw_error(errc::empty_handle, "the stream is empty (moved from or never made)", where);
  if (stream.context_of().shared() != in.shared() && !(stream.context_of() == in)) [[unlikely]]
    throw_error(errc::wrong_context, "the stream is of another context than the pool", where);
  // CUDA's number for that stream; no driver has an object at that address.
  constexpr std::uint64_t per_thread_stream = 2;
  if (native_value(stream.native_handle()) == per_thread_stream) [[unlikely]]
    throw_error(errc::unsupported,
                "the per-thread default stream is another stream in each thread: a pool needs a stream that is made",
                where);
  return stream;
}

/// A block of device memory.
template <class Port>
class device_block final : public allocation_extra<Port>, public pool_block {
 public:
  device_block(const context<Port>& in, typename Port::memory_handle native) : memory(native), context(in) {
    if constexpr (map_port<Port>) maps = make_map_count(in.shared()->port.mapped_views());
  }
  bool give_back(allocation_parent<Port>& parent, typename Port::memory_handle) noexcept override {
    parent.set_extra(nullptr);
    context = std::move(parent.context);
    if (!this->uses.natives().empty()) [[unlikely]]
      record_uses();
    bool is_mapped = false;
    if (maps != nullptr) {
      // Views of the last owner keep what they map; spans of it no longer ask about this block.
      is_mapped = maps->views.load(order::relaxed) != 0;
      maps->generation.fetch_add(1, order::relaxed);
    }
    pool_core::give_back(*this, is_mapped);
    return true;
  }
  void end() noexcept override { pool_core::give_away(*this); }
  [[nodiscard]] bool is_ordered_by(const stream<Port>& of) const noexcept override {
    return pool_core::is_of(*this, of.slot());
  }
  void check_use(const stream<Port>& of, const source_location& where) const override {
    (void)checked_pool_stream(of.context_of(), of, where);
  }

  typename Port::memory_handle memory;
  origin_reference<Port> context;  // empty while the block is in use: the allocation has it
  map_count maps;

 private:
  [[gnu::noinline]] void record_uses() noexcept {
    for (const auto native : this->uses.natives()) {
      try {
        if (auto point = record_point<Port>(context.get(), native, {})) this->add_point(std::move(point));
      } catch (...) {  // a late reuse is better than an early one: if the stream takes no point, this thread waits
        try {
          context.state().port.synchronize(native, {});
        } catch (...) {
          report_cleanup_exception("memory_pool");
        }
      }
    }
    this->uses = {};
  }
};

/// What the handles of a pool share, besides the kind.
template <class Port>
class pool_base : public pool_core, public shared_count {
 public:
  pool_base(const context<Port>& in, const pool_options& options, bool host_uses, ending with)
      : pool_core(options, largest_block_of(in), host_uses), shared_count(with), context(in) {}

  const yoke::context<Port> context;

 protected:
  shared<pool_stream> make_stream(const void* stream, const source_location& where) override {
    return make_shared<pool_stream_of<Port>>(*static_cast<const yoke::stream<Port>*>(stream), where);
  }
  void share() noexcept override { this->add(); }
  void drop() noexcept override { shared_count::drop(); }

 private:
  static std::size_t largest_block_of(const yoke::context<Port>& in) {
    std::size_t least = ~std::size_t{0};
    for (const device_limits& each : in.shared()->limits) {
      if (each.max_allocation_bytes != 0) least = (std::min<std::size_t>)(least, each.max_allocation_bytes);
    }
    return least;
  }
};

/// A pool of a kind: `block`, and how one is made and ended.
template <class Port, class Kind>
class pool_state;

template <class Port>
class pool_state<Port, device_memory> final : public pool_base<Port> {
 public:
  using block = device_block<Port>;
  pool_state(memory_resource<Port>& from, shared<const void> keeps, const pool_options& options)
      : pool_base<Port>(from.context_of(), options, false, &destroy), from_(from), keeps_(std::move(keeps)) {}

 protected:
  pool_block& make(std::size_t bytes, const void* stream, const source_location& where) override {
    struct unowned {
      memory_resource<Port>& from;
      typename Port::memory_handle memory;
      std::size_t bytes;
      ~unowned() {
        if (!(memory == typename Port::memory_handle{})) from.deallocate(memory, bytes, {}, {});
      }
    } made{from_, from_.allocate(bytes, *static_cast<const yoke::stream<Port>*>(stream), where), bytes};
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
  [[nodiscard]] bool ends_behind_work() const noexcept override { return from_.frees_behind_all_work(); }

 private:
  static void destroy(shared_count* count) noexcept { delete static_cast<pool_state*>(count); }

  memory_resource<Port>& from_;
  shared<const void> keeps_;
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

/// Throws: `logic_error` for options that cannot be.
inline const pool_options& checked_options(const pool_options& options, const source_location& where) {
  if (options.leading_bits > 16) {
    throw_error(errc::out_of_range,
                text("leading_bits of a pool is ", options.leading_bits, ", at most 16 is possible"), where);
  }
  return options;
}

}  // namespace detail

/// A pool of device memory. Copies are the same pool. Allocate as `device_allocation<T>{pool, n, stream}`; blocks that come
/// back wait for reuse.
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
  /// The figures of now. While other threads allocate, those of several streams may be of different moments.
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
    auto made =
        detail::make_owner<state_type>(*resource, keep_alive(resource), detail::checked_options(options, where));
    handles_ = detail::make_shared<detail::pool_handles<Port, Kind>>(made.get());
    (void)made.release();
  }

  detail::shared<detail::pool_handles<Port, Kind>> handles_;
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

namespace detail {
/// Returns: an active block of a pool; null for 0 bytes. Throws: as `pool_core::take`; `logic_error`.
template <class Port>
device_block<Port>* take_block(const memory_pool<Port, device_memory>& pool, std::size_t bytes,
                               const stream<Port>& order, const source_location& where) {
  auto& from = pool.state(where);
  (void)checked_pool_stream(from.context, order, where);
  if (bytes == 0) return nullptr;
  return &static_cast<device_block<Port>&>(from.take(from.cache_of(order.slot(), &order, where), bytes, &order, where));
}
}  // namespace detail

template <class T, class Port>
device_allocation<T, Port>::device_allocation(detail::device_block<Port>* block, std::size_t count,
                                              const stream<Port>& stream, const source_location& where)
    : base(block == nullptr ? parent_type(stream, where)
                            : parent_type(*block, stream.native_handle(), std::move(block->context)),
           block == nullptr ? native_type{} : block->memory, true,
           {count, block == nullptr ? detail::map_count() : block->maps}) {}
template <class T, class Port>
template <integer Count>
device_allocation<T, Port>::device_allocation(const memory_pool<Port, device_memory>& pool, Count count,
                                              const stream<Port>& stream, const source_location& where)
    : device_allocation(detail::take_block(pool, checked_count(count, where) * sizeof(T), stream, where),
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

}  // namespace yoke::inline YOKE_ABI

#endif

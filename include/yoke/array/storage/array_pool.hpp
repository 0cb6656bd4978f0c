// SPDX-License-Identifier: MIT
// The pool in which a context keeps the memory of destroyed arrays for new ones.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_POOL_HPP
#define YOKE_ARRAY_STORAGE_ARRAY_POOL_HPP

#include <yoke/core/idle_caches.hpp>
#include <yoke/memory/memory_pool.hpp>

#include <optional>

namespace yoke::inline v0_1 {

/// Options of the pool for a context's arrays.
struct array_pool_options {
  bool enabled = true;                        ///< false: each array calls the driver for its memory
  std::size_t limit_bytes = ~std::size_t{0};  ///< the limit of memory in arrays and in the pool together
  /// Whether a driver that guards memory, such as the CUDA simulator, detects each access beyond an array and to a
  /// destroyed one. There each array gets memory of exactly its size, and the pool keeps none. Other drivers ignore
  /// the option.
  bool guarded = true;
};

namespace detail {

/// Returns: the options that the environment variables set.
[[nodiscard]] YOKE_API array_pool_options default_array_pool_options();
/// Whether the options and the environment ask for guarded memory where the driver guards it.
[[nodiscard]] YOKE_API bool wants_guarded_arrays(const array_pool_options& options);
[[noreturn, gnu::cold]] YOKE_API void throw_has_array_pool(const source_location& where);

/// The source of a context's pool. It allocates plain memory, because the pool itself frees kept blocks when memory
/// runs out. Guarded memory is allocated and freed in its stream's order: each access beyond an array faults, and
/// freeing waits for nothing.
template <class Port>
class array_source final : public deferred_allocator<Port> {
 public:
  using native_type = typename Port::memory_handle;
  using native_stream = typename Port::stream_handle;

  array_source(const context<Port>& in, bool guarded, const source_location& where)
      : deferred_allocator<Port>(in, where), guarded_(guarded) {}
  [[nodiscard]] native_type allocate(std::size_t bytes, const stream<Port>& order,
                                     const source_location& where) override {
    const context_state<Port>& in = this->context_of().state(where);
    if (!guarded_) return in.port.allocate(in.living(where), bytes, where);
    return port_traits<Port>::allocate_ordered(in.port, in.living(where), order.native_handle(), bytes, where);
  }
  void deallocate(native_type memory, std::size_t bytes, native_stream order,
                  std::span<const native_stream> uses) noexcept override {
    const context_state<Port>& in = *this->context_of().shared();
    if (!guarded_) return deferred_allocator<Port>::deallocate(memory, bytes, order, uses);
    in.report(in.left_us() ? in.port.release_memory(in.native, memory)  // the streams end with the context
                           : in.port.release_memory_ordered(in.native, memory, order, uses));
  }
  [[nodiscard]] bool frees_behind_all_work() const noexcept override { return !guarded_; }
  [[nodiscard]] bool frees_in_order() const noexcept override { return guarded_; }

 private:
  const bool guarded_;
};

/// The pool for a context's arrays. The context owns it, so the pool does not keep the context alive; blocks in use
/// do.
template <class Port>
class array_pool final : public kept_memory {
 public:
  static constexpr std::size_t large_bytes = std::size_t{32} << 20;

  array_pool(context_state<Port>& in, const array_pool_options& options, const source_location& where) {
    if (!options.enabled) return;
    const bool guarded = port_traits<Port>::guards_memory(in.port) && wants_guarded_arrays(options);
    // Reuses a block of another stream only as a last resort, because the streams could no longer overlap. Large
    // blocks are not rounded up: two large arrays may be meant to fill the device.
    pool_.emplace(
        make_shared<array_source<Port>>(context<Port>::unowned(in), guarded, where),
        pool_options{
            .limit_bytes = options.limit_bytes, .across_streams = false, .exact_from = guarded ? 0 : large_bytes},
        where);
    if (guarded) pool_->stop_holding(where);
  }
  /// Returns: the pool of a context; null before the first array.
  [[nodiscard]] static array_pool* find(const context_state<Port>& in) noexcept {
    return static_cast<array_pool*>(in.kept.load(order::acquire));
  }
  /// Returns: the pool of a context. Effects: makes it with `options()` if there is none.
  template <class Options>
  static array_pool& find_or_make(context_state<Port>& in, const source_location& where, const Options& options) {
    if (array_pool* const there = find(in)) [[likely]]
      return *there;
    auto& made = in.attached.template get<array_pool>([&] { return array_pool(in, options(), where); });
    in.kept.store(&made, order::release);
    return made;
  }

  template <class T>
  [[nodiscard]] device_allocation<T, Port> allocate(std::size_t count, const stream<Port>& order,
                                                    const source_location& where) const {
    if (!pool_ || is_per_thread(order)) return {order.context_of(), count, order, where};
    return {*pool_, count, order, where};
  }
  bool give_up() noexcept override {
    if (!pool_ || pool_->statistics().held_blocks == 0) return false;
    pool_->free_held();
    return true;
  }
  [[nodiscard]] pool_statistics statistics() const { return pool_ ? pool_->statistics() : pool_statistics{}; }
  void trim(std::size_t bytes) const {
    if (pool_) pool_->trim(bytes);
  }

 private:
  std::optional<memory_pool<Port, device_memory>> pool_;
};

/// Returns: uninitialised memory for an array or a temporary, allocated in a stream's order: from the source of the
/// stream's handle if it has one, else from the pool of its context.
/// Throws: as `device_allocation`; `memory_error` with the pool's statistics.
template <class T, class Port>
[[nodiscard]] device_allocation<T, Port> allocate_for_array(const stream<Port>& order, std::size_t count,
                                                            const source_location& where) {
  context_state<Port>& in = order.context_of().state(where);
  port_traits<Port>::check_process(in.port, where);  // a kept block calls no driver, which would check it
  if (order.memory() != nullptr) [[unlikely]]
    return device_allocation<T, Port>::of_bytes(order.memory()->allocate(count * sizeof(T), order, where));
  return array_pool<Port>::find_or_make(in, where, &default_array_pool_options)
      .template allocate<T>(count, order, where);
}

}  // namespace detail

/// Sets the options of the pool for a context's arrays. Call it before the first array. Where a program does not call
/// it, `YOKE_ARRAY_POOL=off` turns the pool off, and `YOKE_ARRAY_POOL=keep` keeps memory on the CUDA simulator, too.
/// Throws: `logic_error` after the first array of the context, or a second call; `std::bad_alloc`.
/// Example: `yoke::use_array_pool(ctx, {.limit_bytes = std::size_t{8} << 30});`
template <class Port>
void use_array_pool(const context<Port>& context, const array_pool_options& options,
                    const source_location& where = source_location::current()) {
  bool taken = false;
  (void)detail::array_pool<Port>::find_or_make(context.state(where), where, [&] {
    taken = true;
    return options;
  });
  if (!taken) detail::throw_has_array_pool(where);
}
/// Returns: the memory of a context's arrays in use and kept in the pool. All figures are 0 where the pool is off.
/// Throws: `logic_error` for an empty context. Thread safety: safe.
template <class Port>
[[nodiscard]] pool_statistics array_pool_statistics(const context<Port>& context,
                                                    const source_location& where = source_location::current()) {
  const auto* const pool = detail::array_pool<Port>::find(context.state(where));
  return pool != nullptr ? pool->statistics() : pool_statistics{};
}
/// Frees blocks of the pool of a context's arrays, the largest first, until at most `bytes` bytes are in use and kept
/// together. With `bytes == 0` what the context keeps for later calls goes as well: tables of transforms, handles and
/// plans of the vendors' libraries. Throws: `logic_error` for an empty context. Thread safety: safe.
template <class Port>
void trim_array_pool(const context<Port>& context, std::size_t bytes = 0,
                     const source_location& where = source_location::current()) {
  detail::context_state<Port>& in = context.state(where);
  if (bytes == 0) in.attached.template get<detail::idle_caches>().drop();
  if (const auto* const pool = detail::array_pool<Port>::find(in)) pool->trim(bytes);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/storage/array_pool.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// The pool of a context's arrays: memory that they have given back, for the next ones.
#ifndef YOKE_ARRAY_STORAGE_ARRAY_POOL_HPP
#define YOKE_ARRAY_STORAGE_ARRAY_POOL_HPP

#include <yoke/memory/memory_pool.hpp>

#include <optional>

namespace yoke::inline v0_1 {

/// What a context does with the memory of its arrays.
struct array_pool_options {
  bool enabled = true;                        ///< if not, each array asks the driver for its memory
  std::size_t limit_bytes = ~std::size_t{0};  ///< of arrays and of what is kept for the next ones, together
  /// Whether a driver that guards memory, as the CUDA simulator does, is to find each access beyond an array and to one that has
  /// ended: there the memory is then as large as the array, and none is kept. Other drivers take no notice.
  bool guarded = true;
};

namespace detail {

/// Returns: the options that the environment gives.
[[nodiscard]] YOKE_API array_pool_options default_array_pool_options();
/// Whether the options, and the environment, want memory guarded where the driver guards it.
[[nodiscard]] YOKE_API bool wants_guarded_arrays(const array_pool_options& options);
[[noreturn, gnu::cold]] YOKE_API void throw_has_array_pool(const source_location& where);

/// Plain memory, for the pool that a context keeps: the pool knows itself what to free when there is none. Memory that is guarded
/// is made and freed in its stream's order, so that an access faults from the array's end on, and the end waits for nothing.
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
    in.report(in.left_us() ? in.port.release_memory(in.native, memory)  // the streams ended with the context
                           : in.port.release_memory_ordered(in.native, memory, order, uses));
  }
  [[nodiscard]] bool frees_behind_all_work() const noexcept override { return !guarded_; }
  [[nodiscard]] bool frees_in_order() const noexcept override { return guarded_; }

 private:
  const bool guarded_;
};

/// The pool of a context's arrays. The context owns it, so that it does not keep the context alive; blocks in use do.
template <class Port>
class array_pool final : public kept_memory {
 public:
  static constexpr std::size_t large_bytes = std::size_t{32} << 20;

  array_pool(context_state<Port>& in, const array_pool_options& options, const source_location& where) {
    if (!options.enabled) return;
    const bool guarded = port_traits<Port>::guards_memory(in.port) && wants_guarded_arrays(options);
    // Streams are to overlap: a block of another stream, which would have to wait for it, is the last resort. Two large
    // arrays may be meant to fill a device.
    pool_.emplace(
        make_shared<array_source<Port>>(context<Port>::unowned(in), guarded, where),
        pool_options{
            .limit_bytes = options.limit_bytes, .across_streams = false, .exact_from = guarded ? 0 : large_bytes},
        where);
    if (guarded) pool_->stop_holding(where);
  }
  /// Returns: the pool that a context has; null if it has none yet.
  [[nodiscard]] static array_pool* find(const context_state<Port>& in) noexcept {
    return static_cast<array_pool*>(in.kept.load(order::acquire));
  }
  /// Returns: the pool of a context, made with `options()` if there is none.
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

/// Returns: uninitialised memory for an array or a temporary, in a stream's order.
/// Throws: as `device_allocation`; `memory_error` with the pool's figures.
template <class T, class Port>
[[nodiscard]] device_allocation<T, Port> allocate_for_array(const stream<Port>& order, std::size_t count,
                                                            const source_location& where) {
  context_state<Port>& in = order.context_of().state(where);
  port_traits<Port>::check_process(in.port, where);  // a kept block asks no driver
  return array_pool<Port>::find_or_make(in, where, &default_array_pool_options)
      .template allocate<T>(count, order, where);
}

}  // namespace detail

/// Sets what a context does with the memory of its arrays, before the first one. `YOKE_ARRAY_POOL=off` turns the pool off
/// where a program sets nothing; `YOKE_ARRAY_POOL=keep` keeps memory on the CUDA simulator, too.
/// Throws: `logic_error` when arrays of the context have been made, or this was called before; `std::bad_alloc`.
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
/// Returns: the figures of the memory of a context's arrays: what is in use, and what is kept. All 0 where the pool is off.
/// Throws: `logic_error` for an empty context. Thread safety: safe.
template <class Port>
[[nodiscard]] pool_statistics array_pool_statistics(const context<Port>& context,
                                                    const source_location& where = source_location::current()) {
  const auto* const pool = detail::array_pool<Port>::find(context.state(where));
  return pool != nullptr ? pool->statistics() : pool_statistics{};
}
/// Gives kept memory of a context's arrays to the driver, the largest blocks first, until at most `bytes` bytes are left,
/// those in use included. Throws: `logic_error` for an empty context. Thread safety: safe.
template <class Port>
void trim_array_pool(const context<Port>& context, std::size_t bytes = 0,
                     const source_location& where = source_location::current()) {
  if (const auto* const pool = detail::array_pool<Port>::find(context.state(where))) pool->trim(bytes);
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/storage/array_pool.ipp>
#endif

#endif

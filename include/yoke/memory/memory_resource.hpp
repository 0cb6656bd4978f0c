// SPDX-License-Identifier: MIT
// The interface of sources of device memory, and the allocators that use the driver.
#ifndef YOKE_MEMORY_MEMORY_RESOURCE_HPP
#define YOKE_MEMORY_MEMORY_RESOURCE_HPP

#include <yoke/execution/stream.hpp>

#include <concepts>
#include <typeinfo>

namespace yoke::inline v0_1 {

/// A source of device memory for `device_allocation{resource, n, stream}` and `memory_pool{resource}`. Derive from it
/// to allocate in your own way.
/// Thread safety: every function must be safe to call from any thread.
template <class Port = any_port>
class memory_resource {
 public:
  using port_type = Port;
  using native_type = typename Port::memory_handle;
  using native_stream = typename Port::stream_handle;

  memory_resource() = default;
  memory_resource(const memory_resource&) = delete;
  memory_resource& operator=(const memory_resource&) = delete;
  virtual ~memory_resource() = default;

  /// The context of all memory from this source.
  [[nodiscard]] virtual const context<Port>& context_of() const noexcept = 0;
  /// Returns: memory of at least `bytes` bytes, aligned for every element type, for work that `order` enqueues later;
  /// null for 0 bytes, for which allocations and pools do not ask. Requires: `order` is of the same context.
  /// Throws: `memory_error` when memory runs out: a pool then frees idle blocks and asks again; `error`. Callers treat
  /// a null result for some bytes as a `memory_error` that names the resource's type and `bytes`.
  [[nodiscard]] virtual native_type allocate(std::size_t bytes, const stream<Port>& order,
                                             const source_location& where) = 0;
  /// Takes memory back; null is an empty block. Work enqueued so far in `order`, if not null, and in `uses` may still
  /// use it.
  virtual void deallocate(native_type memory, std::size_t bytes, native_stream order,
                          std::span<const native_stream> uses) noexcept = 0;
  /// Whether `deallocate` is safe while work of any stream still uses the memory, as for plain memory of the driver. If
  /// false, a pool first waits for the work of streams whose handles are gone.
  [[nodiscard]] virtual bool frees_behind_all_work() const noexcept { return false; }
  /// Whether `deallocate` frees behind all commands and waits enqueued in `order` so far, without blocking the host. A
  /// pool then makes that stream wait for others that used the memory; if false, the calling thread waits.
  [[nodiscard]] virtual bool frees_in_order() const noexcept { return false; }
  /// Whether arrays that are made from an array of this memory take theirs from here, too. False for a source of one
  /// block alone.
  [[nodiscard]] virtual bool serves_arrays() const noexcept { return true; }
};

/// A pointer whose copies keep a `memory_resource` alive: a `std::shared_ptr`, not a raw pointer.
template <class P, class Port>
concept memory_resource_pointer = !std::is_pointer_v<P> && requires(const P& pointer) {
  { *pointer } -> std::convertible_to<memory_resource<Port>&>;
  { pointer == nullptr } -> std::convertible_to<bool>;
};

namespace detail {
/// The options of an allocator, on backends that have them.
template <class Port>
struct allocator_options {};
template <buffer_options_port Port>
struct allocator_options<Port> {
  typename Port::buffer_options value{};
};
}  // namespace detail

/// Allocates plain memory from the driver, as `device_allocation{ctx, n}` does. On OpenCL, a device may allocate the
/// memory only at the buffer's first use, which then fails.
template <class Port = any_port>
class deferred_allocator : public memory_resource<Port> {
 public:
  using native_type = typename Port::memory_handle;
  using native_stream = typename Port::stream_handle;

  /// Throws: `logic_error` for an empty context.
  explicit deferred_allocator(const context<Port>& in, const source_location& where = source_location::current())
      : context_(in) {
    (void)in.port(where);
  }
  /// The same with the access that kernels and the host have, and where the memory is. Only on OpenCL.
  /// Example: `std::make_shared<yoke::deferred_allocator<ocl::port>>(ctx, ocl::buffer_options{.in_host_memory = true})`
  template <buffer_options_port P = Port>
  deferred_allocator(const context<Port>& in, const typename P::buffer_options& options,
                     const source_location& where = source_location::current())
      : deferred_allocator(in, where) {
    options_.value = options;
  }
  [[nodiscard]] const context<Port>& context_of() const noexcept override { return context_; }
  /// Returns: null for 0 bytes. Throws: `memory_error`; `error`. Wraps `clCreateBuffer`, `cuMemAlloc`.
  [[nodiscard]] native_type allocate(std::size_t bytes, const stream<Port>&, const source_location& where) override {
    const detail::context_state<Port>& in = context_.state(where);
    if (bytes == 0) return {};
    return detail::allocate_in(in, [&] {
      if constexpr (buffer_options_port<Port>) {
        if (options_.value != typename Port::buffer_options{}) {
          return in.port.allocate_with(in.living(where), bytes, options_.value, where);
        }
      }
      return in.port.allocate(in.living(where), bytes, where);
    });
  }
  void deallocate(native_type memory, std::size_t, native_stream, std::span<const native_stream>) noexcept override {
    if (memory == native_type{}) return;
    const detail::context_state<Port>& in = *context_.shared();
    if (!in.left_us()) in.report(in.port.release_memory(in.native, memory));
  }
  [[nodiscard]] bool frees_behind_all_work() const noexcept override { return true; }

 private:
  context<Port> context_;
  [[no_unique_address]] detail::allocator_options<Port> options_;
};

/// The same, but makes the device allocate at once, so that missing memory is a `memory_error` of the allocation.
/// Effects: writes one byte of each block in the requesting stream.
template <class Port = any_port>
class immediate_allocator final : public deferred_allocator<Port> {
 public:
  using deferred_allocator<Port>::deferred_allocator;

  /// Returns: null for 0 bytes. Throws: as above, and as `fill`. Wraps `clEnqueueFillBuffer`, `cuMemsetD8Async`.
  [[nodiscard]] typename Port::memory_handle allocate(std::size_t bytes, const stream<Port>& order,
                                                      const source_location& where) override {
    const auto made = deferred_allocator<Port>::allocate(bytes, order, where);
    if (made == typename Port::memory_handle{}) return made;
    try {
      const unsigned char zero = 0;
      this->context_of().port(where).fill(order.native_handle(), made, 0, &zero, 1, 1, where);
    } catch (...) {
      this->deallocate(made, bytes, {}, {});
      throw;
    }
    return made;
  }
};

/// Kind of memory: device memory.
struct device_memory {};
/// Kind of memory: page-locked host memory.
struct pagelocked_memory {};
inline constexpr pagelocked_memory pagelocked{};  ///< for `memory_pool{ctx, yoke::pagelocked}`

template <class Port = any_port, class Kind = device_memory>
class memory_pool;

namespace detail {
/// Throws: `memory_error` for a null result of a resource. `type` is the resource's type as `std::type_info::name`
/// spells it.
[[noreturn, gnu::cold]] YOKE_API void throw_null_memory(const char* type, std::size_t bytes,
                                                        const source_location& where);
/// Returns: memory of a resource, never null. Throws: as the resource; `memory_error` when it returns null.
template <class Port>
typename Port::memory_handle allocate_from(memory_resource<Port>& from, std::size_t bytes, const stream<Port>& order,
                                           const source_location& where) {
  const typename Port::memory_handle made = from.allocate(bytes, order, where);
  if (made == typename Port::memory_handle{}) [[unlikely]] {
#if defined(__cpp_rtti)
    throw_null_memory(typeid(from).name(), bytes, where);
#else
    throw_null_memory("", bytes, where);
#endif
  }
  return made;
}

/// Throws: `logic_error` for a null resource or one with an empty context.
template <class Resource>
auto& checked_resource(const Resource& resource, const source_location& where) {
  static_assert(std::is_copy_constructible_v<Resource>, "memory shares its resource: pass a std::shared_ptr to it");
  if (resource == nullptr) throw_error(errc::invalid_argument, "the memory resource is null", where);
  (void)(*resource).context_of().port(where);
  return *resource;
}
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/memory/memory_resource.ipp>
#endif

#endif

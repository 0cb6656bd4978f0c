// SPDX-License-Identifier: MIT
// The driver's pools of stream-ordered memory: their memory, figures and policies, and the processes that share them.
#ifndef YOKE_CUDA_MEMORY_DRIVER_POOL_HPP
#define YOKE_CUDA_MEMORY_DRIVER_POOL_HPP

#include <yoke/cuda/device/shared_native.hpp>
#include <yoke/cuda/memory/file_descriptor.hpp>

namespace yoke::inline v0_1::cuda {

/// When the driver gives freed memory to another stream. All three are on by default. The second makes addresses depend
/// on timing; the third may make a stream wait.
struct pool_reuse {
  bool follow_event_dependencies = true;    ///< if the other stream waits for an event after the free
  bool allow_opportunistic = true;          ///< if the free is already complete
  bool allow_internal_dependencies = true;  ///< after a wait that the driver adds

  [[nodiscard]] friend bool operator==(const pool_reuse&, const pool_reuse&) noexcept = default;
};

/// The options of a pool.
struct driver_pool_options {
  std::size_t max_bytes = 0;            ///< 0: the whole device memory; from CUDA 12.2 on
  std::uint64_t release_threshold = 0;  ///< the bytes that the pool keeps at synchronisations; `keep_all` for all
  pool_reuse reuse{};
  bool shareable = false;  ///< other processes open it by a file descriptor
};
inline constexpr std::uint64_t keep_all = ~std::uint64_t{0};

/// The memory of a pool, in bytes. The high figures are the largest since `reset_high_figures`.
struct driver_pool_figures {
  std::uint64_t used_bytes = 0;  ///< in allocations
  std::uint64_t used_high_bytes = 0;
  std::uint64_t reserved_bytes = 0;  ///< taken from the device, used or not
  std::uint64_t reserved_high_bytes = 0;
};

/// The handle by which another process finds memory of a pool that it has opened: plain bytes, to be sent in any way.
struct ipc_pool_memory {
  abi::pool_export_data native{};
  std::uint64_t size = 0;  ///< elements
  std::uint32_t element_bytes = 0;
  std::int32_t process = 0;  ///< the process that made the handle
};

namespace detail {
/// A native pool as a memory resource, kept alive by its allocations.
class driver_pool_state final : public memory_resource<port> {
 public:
  explicit driver_pool_state(const context& of) noexcept : in(of) {}
  driver_pool_state(const driver_pool_state&) = delete;
  driver_pool_state& operator=(const driver_pool_state&) = delete;
  YOKE_API ~driver_pool_state() override;

  [[nodiscard]] const context& context_of() const noexcept override { return in.get(); }
  [[nodiscard]] YOKE_API abi::device_pointer allocate(std::size_t bytes, const stream& order,
                                                      const source_location& where) override;
  YOKE_API void deallocate(abi::device_pointer memory, std::size_t bytes, abi::stream order,
                           std::span<const abi::stream> uses) noexcept override;

  yoke::detail::context_reference<port> in;
  abi::memory_pool native = nullptr;
  std::size_t limit_bytes = 0;  // as set at the creation here; for messages
  bool owned = false;
  yoke::detail::atomic<bool> exported{false};  // whether a descriptor was made
};

/// Memory of another process's pool, as a memory resource for one allocation.
class opened_pool_memory final : public memory_resource<port> {
 public:
  opened_pool_memory(yoke::detail::shared<driver_pool_state> pool, const abi::pool_export_data& data) noexcept
      : pool_(std::move(pool)), data_(data) {}
  [[nodiscard]] const context& context_of() const noexcept override { return pool_->context_of(); }
  [[nodiscard]] YOKE_API abi::device_pointer allocate(std::size_t bytes, const stream& order,
                                                      const source_location& where) override;
  void deallocate(abi::device_pointer memory, std::size_t bytes, abi::stream order,
                  std::span<const abi::stream> uses) noexcept override {
    pool_->deallocate(memory, bytes, order, uses);
  }
  [[nodiscard]] bool serves_arrays() const noexcept override { return false; }

 private:
  yoke::detail::shared<driver_pool_state> pool_;
  abi::pool_export_data data_;
};
}  // namespace detail

/// A pool of the driver, whose memory is allocated and freed in the order of streams: `device_allocation<T>{pool, n,
/// stream}`. Copies share the pool, and its memory keeps it.
///
/// It differs from `memory_pool`, which keeps plain memory itself: the driver knows all streams and processes, and
/// returns memory to the device itself. A `memory_pool{pool}` can use a driver pool.
/// Thread safety: safe; one object from one thread at a time.
/// Example: `cuda::driver_pool pool{ctx, {.release_threshold = cuda::keep_all}}; cuda::device_allocation<float> x{pool,
/// n, stream};`
class driver_pool : public detail::shared_native<driver_pool, detail::driver_pool_state> {
  using base = detail::shared_native<driver_pool, detail::driver_pool_state>;

 public:
  static constexpr const char* noun = "driver's pool";

  driver_pool() noexcept = default;
  /// A new pool on the context's device.
  /// Throws: `unsupported_error` when the device has no pools, or cannot share one that is to be shared, and for a
  /// limit with drivers before CUDA 12.2; `error`. Wraps `cuMemPoolCreate`; the end wraps `cuMemPoolDestroy`.
  YOKE_API explicit driver_pool(const context& in, const driver_pool_options& options = {},
                                const source_location& where = source_location::current());
  /// The device's own pool, which never ends. Throws: `error`. Wraps `cuDeviceGetDefaultMemPool`.
  [[nodiscard]] YOKE_API static driver_pool default_of(const context& in,
                                                       const source_location& where = source_location::current());
  /// The pool that `device_allocation<T>{ctx, n, stream}` takes from. Requires: it outlives this.
  /// Throws: `error`. Wraps `cuDeviceGetMemPool`.
  [[nodiscard]] YOKE_API static driver_pool current_of(const context& in,
                                                       const source_location& where = source_location::current());
  /// Opens a pool that another process has exported. `open` with a handle opens its memory; it cannot be allocated from
  /// here. The descriptor stays the caller's.
  /// Throws: `logic_error` for an empty or closed descriptor; `error` for one that no driver made.
  /// Wraps `cuMemPoolImportFromShareableHandle`.
  [[nodiscard]] YOKE_API static driver_pool open(const context& in, const file_descriptor& descriptor,
                                                 const source_location& where = source_location::current());
  /// Takes ownership of a native pool of the context's device, or uses one that outlives this.
  /// Throws: `logic_error` for null, and for an empty context.
  [[nodiscard]] static driver_pool adopt(const context& in, native_type native,
                                         const source_location& where = source_location::current()) {
    return found(in, native, true, where);
  }
  [[nodiscard]] static driver_pool borrow(const context& in, native_type native,
                                          const source_location& where = source_location::current()) {
    return found(in, native, false, where);
  }

  /// Makes this the pool that `device_allocation<T>{ctx, n, stream}` takes from, for all users of the device, until it
  /// ends or another pool becomes current. Throws: `logic_error` when empty; `error`. Wraps `cuDeviceSetMemPool`.
  YOKE_API void make_current(const source_location& where = source_location::current()) const;

  /// The following functions throw `logic_error` when empty, and `error`. Thread safety: safe. Wrap
  /// `cuMemPoolGetAttribute`.
  [[nodiscard]] YOKE_API driver_pool_figures figures(const source_location& where = source_location::current()) const;
  [[nodiscard]] YOKE_API std::uint64_t release_threshold(
      const source_location& where = source_location::current()) const;
  [[nodiscard]] YOKE_API pool_reuse reuse(const source_location& where = source_location::current()) const;
  /// Wrap `cuMemPoolSetAttribute`.
  YOKE_API void set_release_threshold(std::uint64_t bytes,
                                      const source_location& where = source_location::current()) const;
  YOKE_API void set_reuse(const pool_reuse& policies, const source_location& where = source_location::current()) const;
  YOKE_API void reset_high_figures(const source_location& where = source_location::current()) const;
  /// Gives idle memory back to the device until the pool has `bytes_to_keep` bytes; used memory stays.
  /// Wraps `cuMemPoolTrimTo`.
  YOKE_API void trim_to(std::size_t bytes_to_keep, const source_location& where = source_location::current()) const;

  /// Lets kernels of a device use the pool's memory, or revokes that; its own device always may.
  /// Throws: also `error` for a device that cannot access the pool's device. Wraps `cuMemPoolSetAccess`.
  YOKE_API void set_access(const device& of, bool may_access,
                           const source_location& where = source_location::current()) const;
  /// Wraps `cuMemPoolGetAccess`.
  [[nodiscard]] YOKE_API bool may_access(const device& of,
                                         const source_location& where = source_location::current()) const;

  /// A descriptor by which another process opens the pool; each call makes a new one.
  /// Throws: `error` unless the pool was made here with `.shareable`. Wraps `cuMemPoolExportToShareableHandle`.
  [[nodiscard]] YOKE_API file_descriptor share(const source_location& where = source_location::current()) const;
  /// Lets other processes that have opened the pool open memory of it.
  /// Requires: they release it before it is freed here.
  /// Throws: `logic_error` when it is empty or of another pool; `error`. Wraps `cuMemPoolExportPointer`.
  template <class T>
  [[nodiscard]] ipc_pool_memory share(const device_allocation<T>& memory,
                                      const source_location& where = source_location::current()) const {
    return shared_memory(memory.native_handle(), memory.size(), sizeof(T), where);
  }
  /// Memory of the other process's pool, in the order of a stream. Its end, in the same order, only unmaps it: the
  /// other process frees it. It keeps this pool.
  /// Requires: the other process keeps the memory meanwhile, and both synchronise its use, by events for example.
  /// Throws: `logic_error` for memory of this process, for elements of another size, and for another context's stream;
  /// `error`. Wraps `cuMemPoolImportPointer`; the end wraps `cuMemFreeAsync`.
  template <class T>
  [[nodiscard]] device_allocation<T> open(const ipc_pool_memory& handle, const stream& order,
                                          const source_location& where = source_location::current()) const {
    return device_allocation<T>(opened_memory(handle, sizeof(T), where), static_cast<std::size_t>(handle.size), order,
                                where);
  }

  // The pool as a resource for `device_allocation` and `memory_pool`.
  [[nodiscard]] memory_resource<port>& operator*() const { return state({}); }
  [[nodiscard]] friend bool operator==(const driver_pool& pool, std::nullptr_t) noexcept { return !pool; }

 private:
  explicit driver_pool(yoke::detail::shared<detail::driver_pool_state> state) noexcept : base(std::move(state)) {}
  YOKE_API static driver_pool found(const context& in, native_type native, bool owned, const source_location& where);
  YOKE_API ipc_pool_memory shared_memory(abi::device_pointer memory, std::size_t size, std::size_t element_bytes,
                                         const source_location& where) const;
  YOKE_API yoke::detail::shared<memory_resource<port>> opened_memory(const ipc_pool_memory& handle,
                                                                     std::size_t element_bytes,
                                                                     const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/driver_pool.ipp>
#endif

#endif

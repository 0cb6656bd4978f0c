// SPDX-License-Identifier: MIT
// Device memory without an address until it is mapped, which other processes can open.
#ifndef YOKE_CUDA_MEMORY_PHYSICAL_MEMORY_HPP
#define YOKE_CUDA_MEMORY_PHYSICAL_MEMORY_HPP

#include <yoke/cuda/device/shared_native.hpp>
#include <yoke/cuda/memory/file_descriptor.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
struct physical_memory_state {
  yoke::detail::context_reference<port> in;
  abi::physical_memory native = 0;
  std::size_t bytes = 0;
  bool owned = false;

  explicit physical_memory_state(const context& of) noexcept : in(of) {}
  physical_memory_state(const physical_memory_state&) = delete;
  physical_memory_state& operator=(const physical_memory_state&) = delete;
  YOKE_API ~physical_memory_state();
};

/// Throws: `logic_error` for an empty descriptor.
void check_descriptor(int descriptor, const source_location& where);
}  // namespace detail

struct physical_memory_options {
  bool shareable = false;  ///< other processes open it by a file descriptor
};

/// Memory of the context's device without an address. Copies share it, and mappings keep it.
/// Thread safety: safe; one object from one thread at a time.
/// Example: `cuda::physical_memory block{ctx, 64 << 20, {.shareable = true}};`
class physical_memory : public detail::shared_native<physical_memory, detail::physical_memory_state> {
  using base = detail::shared_native<physical_memory, detail::physical_memory_state>;

 public:
  static constexpr const char* noun = "physical memory";

  physical_memory() noexcept = default;
  /// Takes `bytes` bytes of the device, rounded up to its granularity.
  /// Throws: `logic_error` for no bytes or a negative number; `memory_error` with the device's memory;
  /// `unsupported_error` when the device has no virtual memory, or cannot share memory that is to be shared; `error`.
  /// Wraps `cuMemCreate`; the end wraps `cuMemRelease`.
  template <integer Bytes>
  physical_memory(const context& in, Bytes bytes, const physical_memory_options& options = {},
                  const source_location& where = source_location::current())
      : physical_memory(in, yoke::detail::narrow<std::size_t>(bytes, "byte count", where), options, 0, where) {}

  /// Opens `bytes` bytes of memory that another process has exported. The descriptor stays the caller's.
  /// Throws: `logic_error` for no bytes, and for an empty or closed descriptor; `error` for one that no driver made.
  /// Wraps `cuMemImportFromShareableHandle`.
  template <integer Bytes>
  [[nodiscard]] static physical_memory open(const context& in, const file_descriptor& descriptor, Bytes bytes,
                                            const source_location& where = source_location::current()) {
    return opened(in, descriptor.native_handle(), yoke::detail::narrow<std::size_t>(bytes, "byte count", where), where);
  }
  /// The memory behind a mapped address; `bytes` is its size. Throws: `logic_error` if nothing is mapped there;
  /// `error`.
  /// Wraps `cuMemRetainAllocationHandle`.
  template <integer Bytes>
  [[nodiscard]] static physical_memory at(const context& in, abi::device_pointer mapped, Bytes bytes,
                                          const source_location& where = source_location::current()) {
    return behind(in, mapped, yoke::detail::narrow<std::size_t>(bytes, "byte count", where), where);
  }
  /// Takes ownership of one reference to native memory of `bytes` bytes, or uses one that outlives this.
  /// Throws: `logic_error` for a null handle, and for an empty context.
  [[nodiscard]] static physical_memory adopt(const context& in, native_type native, std::size_t bytes,
                                             const source_location& where = source_location::current()) {
    return found(in, native, bytes, true, where);
  }
  [[nodiscard]] static physical_memory borrow(const context& in, native_type native, std::size_t bytes,
                                              const source_location& where = source_location::current()) {
    return found(in, native, bytes, false, where);
  }

  [[nodiscard]] std::size_t size_bytes(const source_location& where = source_location::current()) const {
    return state(where).bytes;
  }
  /// Whether `share` works. Throws: `logic_error` when empty; `error`. Thread safety: safe.
  /// Wraps `cuMemGetAllocationPropertiesFromHandle`.
  [[nodiscard]] YOKE_API bool is_shareable(const source_location& where = source_location::current()) const;
  /// A descriptor by which another process opens the memory; each call makes a new one.
  /// Throws: `logic_error` when empty, or when it was made without `.shareable`; `error`. Thread safety: safe.
  /// Wraps `cuMemExportToShareableHandle`.
  [[nodiscard]] YOKE_API file_descriptor share(const source_location& where = source_location::current()) const;

 private:
  explicit physical_memory(yoke::detail::shared<detail::physical_memory_state> state) noexcept
      : base(std::move(state)) {}
  YOKE_API physical_memory(const context& in, std::size_t bytes, const physical_memory_options& options, int,
                           const source_location& where);
  YOKE_API static physical_memory opened(const context& in, int descriptor, std::size_t bytes,
                                         const source_location& where);
  YOKE_API static physical_memory behind(const context& in, abi::device_pointer mapped, std::size_t bytes,
                                         const source_location& where);
  YOKE_API static physical_memory found(const context& in, native_type native, std::size_t bytes, bool owned,
                                        const source_location& where);
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/physical_memory.ipp>
#endif

#endif

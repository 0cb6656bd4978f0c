// SPDX-License-Identifier: MIT
// A range of reserved device addresses, without memory until some is mapped there.
#ifndef YOKE_CUDA_MEMORY_ADDRESS_RANGE_HPP
#define YOKE_CUDA_MEMORY_ADDRESS_RANGE_HPP

#include <yoke/cuda/device/shared_native.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
struct address_range_state {
  yoke::detail::context_reference<port> in;
  abi::device_pointer native = 0;
  std::size_t bytes = 0;
  bool owned = false;

  explicit address_range_state(const context& of) noexcept : in(of) {}
  address_range_state(const address_range_state&) = delete;
  address_range_state& operator=(const address_range_state&) = delete;
  YOKE_API ~address_range_state();
};

/// Returns: the bytes, rounded up. Throws: `logic_error` for 0 bytes, or if the rounding overflows.
[[nodiscard]] std::size_t whole_blocks(std::size_t bytes, std::size_t granularity, const char* what,
                                       const source_location& where);
}  // namespace detail

/// The granularity of virtual memory on the context's device, in bytes: sizes and addresses are multiples of it; 2 MiB
/// on present devices. `recommended` asks for the granularity that makes kernels fastest. Throws: `unsupported_error`
/// when the device has no virtual memory; `error`. Thread safety: safe. Wraps `cuMemGetAllocationGranularity`.
[[nodiscard]] YOKE_API std::size_t memory_granularity(const context& in, bool recommended = false,
                                                      const source_location& where = source_location::current());

/// The wanted position of an address range.
struct address_range_options {
  std::size_t alignment_bytes = 0;  ///< a power of two; 0: the device's granularity
  abi::device_pointer at = 0;       ///< 0: anywhere; the driver may choose a different address
};

/// Reserved addresses, for `memory_mapping`. Copies share the range, and mappings keep it. Reserving costs no memory: a
/// range may be larger than the device's.
/// Thread safety: safe; one object from one thread at a time.
/// Example: `cuda::address_range range{ctx, 1u << 30}; cuda::memory_mapping mapping{range, 0,
/// cuda::physical_memory{ctx, n}};`
class address_range : public detail::shared_native<address_range, detail::address_range_state> {
  using base = detail::shared_native<address_range, detail::address_range_state>;

 public:
  static constexpr const char* noun = "address range";

  address_range() noexcept = default;
  /// Reserves `bytes` bytes, rounded up to the device's granularity.
  /// Throws: `logic_error` for no bytes, a negative number, and an alignment that is not a power of two; `memory_error`
  /// when no free range is large enough; `unsupported_error` when the device has no virtual memory; `error`.
  /// Wraps `cuMemAddressReserve`; the end wraps `cuMemAddressFree`.
  template <integer Bytes>
  address_range(const context& in, Bytes bytes, const address_range_options& options = {},
                const source_location& where = source_location::current())
      : address_range(in, yoke::detail::narrow<std::size_t>(bytes, "byte count", where), options, 0, where) {}

  /// Takes ownership of a range of exactly `bytes` bytes, with nothing mapped, or uses one that outlives this.
  /// Throws: `logic_error` for a null address, and for an empty context.
  [[nodiscard]] static address_range adopt(const context& in, native_type native, std::size_t bytes,
                                           const source_location& where = source_location::current()) {
    return found(in, native, bytes, true, where);
  }
  [[nodiscard]] static address_range borrow(const context& in, native_type native, std::size_t bytes,
                                            const source_location& where = source_location::current()) {
    return found(in, native, bytes, false, where);
  }

  [[nodiscard]] std::size_t size_bytes(const source_location& where = source_location::current()) const {
    return state(where).bytes;
  }

 private:
  explicit address_range(yoke::detail::shared<detail::address_range_state> state) noexcept : base(std::move(state)) {}
  YOKE_API address_range(const context& in, std::size_t bytes, const address_range_options& options, int,
                         const source_location& where);
  YOKE_API static address_range found(const context& in, native_type native, std::size_t bytes, bool owned,
                                      const source_location& where);
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/memory/address_range.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// Interprets a device's numbers: how many work-items run together, how accesses to local memory conflict, why a launch
// does not fit.
#ifndef YOKE_OPENCL_DEVICE_CHARACTERIZE_HPP
#define YOKE_OPENCL_DEVICE_CHARACTERIZE_HPP

#include <yoke/opencl/device/device.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::opencl::characterize {

/// The input of these functions. A value; `facts_of` queries a device for it.
struct device_facts {
  device_kind kind = device_kind::other;
  std::string vendor{};
  std::optional<unsigned> warp_size{};           ///< NVIDIA's
  std::optional<unsigned> wavefront_width{};     ///< AMD's
  std::optional<unsigned> compute_capability{};  ///< NVIDIA's, 90 for 9.0
  bool local_is_global = false;                  ///< local memory is part of global memory, as on a CPU
  std::uint64_t local_bytes = 0;
};

/// Throws: `logic_error` for an empty device; `error`. Thread safety: safe. Wraps `clGetDeviceInfo`.
[[nodiscard]] YOKE_API device_facts facts_of(const device& of,
                                             const source_location& where = source_location::current());

/// NVIDIA's compute capability: 90 for 9.0; nothing for other devices.
[[nodiscard]] inline std::optional<unsigned> compute_capability(const device_facts& of) noexcept {
  return of.compute_capability;
}
/// The number of work-items that run in lockstep; nothing if neither driver nor vendor says. 1 for a CPU: its compiler
/// vectorises work-items itself. For a kernel see `kernel.limits().preferred_multiple`.
[[nodiscard]] YOKE_API std::optional<unsigned> simd_group_size(const device_facts& of);
/// The number of work-items that access local memory at the same time.
[[nodiscard]] YOKE_API unsigned simultaneous_local_access(const device_facts& of) noexcept;
/// The number of banks of local memory; nothing if local memory is cached global memory, which has none.
[[nodiscard]] YOKE_API std::optional<unsigned> local_bank_count(const device_facts& of) noexcept;
/// The local memory that a kernel can use itself, in bytes. The `parameters` of a kernel are in local memory before
/// compute capability 2.0.
[[nodiscard]] YOKE_API std::uint64_t usable_local_bytes(const device_facts& of,
                                                        std::optional<unsigned> parameters = {}) noexcept;
/// Options that make arithmetic faster and less exact, for `compile_options::options`. `.math = {.fast = true}` does so
/// for every backend.
[[nodiscard]] YOKE_API std::vector<std::string> fast_inaccurate_options(const device_facts& of);

/// The worst bank conflict in local memory.
struct bank_conflict {
  unsigned multiplicity = 1;  ///< serialised accesses; 1: no conflict
  std::string reason{};       ///< the axis, bank and work-items; empty without a conflict
};
/// Computes the bank conflicts when consecutive work-items access an array in local memory along each of its axes.
/// `shape` has the array's extents, the last one contiguous; `stored`, if not empty, those with padding: {16, 17} for
/// rows of 16 that are 17 apart. Returns: no conflict if local memory has no banks. Throws: `logic_error` for shapes
/// that do not match, and for elements of 0 bytes.
[[nodiscard]] YOKE_API bank_conflict local_access_conflict(const device_facts& of, std::size_t element_bytes,
                                                           std::span<const std::size_t> shape,
                                                           std::span<const std::size_t> stored = {},
                                                           const source_location& where = source_location::current());

/// Whether the driver counts the members of a struct as separate parameters, as PoCL before 0.15 did: then kernels
/// cannot take structs by value. Effects: compiles a kernel. Throws: `error`. Thread safety: safe. Wraps
/// `clGetKernelInfo`.
[[nodiscard]] YOKE_API bool has_struct_argument_bug(const context& in,
                                                    const source_location& where = source_location::current());

/// Why a launch of a kernel with these facts does not fit a device: "block 2048 exceeds this kernel's 1024"; empty if
/// it fits. `local_bytes` is the size of its `local<T>` arguments.
[[nodiscard]] YOKE_API std::string why_not(const kernel_limits& kernel, const device_limits& on,
                                           const launch_shape& shape, std::size_t local_bytes = 0);
/// As above, for a kernel on a device of its context. Throws: `logic_error`; `error`. Wraps `clGetKernelWorkGroupInfo`.
template <class Signature>
[[nodiscard]] std::string why_not(const kernel<Signature>& launched, const device& on, const launch_shape& shape,
                                  std::size_t local_bytes = 0,
                                  const source_location& where = source_location::current()) {
  return why_not(launched.limits(on, where), on.limits(where), shape, local_bytes);
}

}  // namespace yoke::inline v0_1::opencl::characterize

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/opencl/device/characterize.ipp>
#endif

#endif

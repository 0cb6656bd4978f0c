// SPDX-License-Identifier: MIT
// Attributes of a kernel on a device, each in its own type, and those that can be set.
#ifndef YOKE_CUDA_DEVICE_KERNEL_INFO_HPP
#define YOKE_CUDA_DEVICE_KERNEL_INFO_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

/// An attribute of a kernel; `Writable` ones can be set. `cuda::kernel_info` defines each.
template <class Value, bool Writable = false>
struct kernel_attribute {
  abi::function_attribute which;
  const char* name;
};

/// How the blocks of clusters are distributed over the device (`CUclusterSchedulingPolicy`).
using cluster_scheduling = abi::cluster_scheduling;
/// The division of memory between L1 cache and shared memory (`CUfunc_cache`).
using cache_preference = abi::cache_config;

/// The attributes of kernels (`CUfunction_attribute`). Sizes are bytes.
namespace kernel_info {
using which = abi::function_attribute;
inline constexpr kernel_attribute<int> max_block{which::max_threads_per_block, "max_block"};  ///< threads of a block
inline constexpr kernel_attribute<std::size_t> static_shared_bytes{which::shared_size_bytes, "static_shared_bytes"};
inline constexpr kernel_attribute<std::size_t> constant_bytes{which::const_size_bytes, "constant_bytes"};
inline constexpr kernel_attribute<std::size_t> private_bytes{which::local_size_bytes, "private_bytes"};  ///< per thread
inline constexpr kernel_attribute<int> registers{which::num_regs, "registers"};                          ///< per thread
inline constexpr kernel_attribute<int> ptx_version{which::ptx_version, "ptx_version"};                   ///< 90 for 9.0
inline constexpr kernel_attribute<int> binary_version{which::binary_version, "binary_version"};          ///< 90 for 9.0
inline constexpr kernel_attribute<bool> caches_globals_in_l1{which::cache_mode_ca, "caches_globals_in_l1"};
/// The most dynamic shared memory of a launch; launches raise it automatically.
inline constexpr kernel_attribute<std::size_t, true> max_dynamic_shared_bytes{which::max_dynamic_shared_size_bytes,
                                                                              "max_dynamic_shared_bytes"};
/// The part of the L1 cache that is shared memory, in percent; -1 leaves it to the driver.
inline constexpr kernel_attribute<int, true> shared_carveout{which::preferred_shared_memory_carveout,
                                                             "shared_carveout"};
inline constexpr kernel_attribute<bool> needs_cluster{which::cluster_size_must_be_set, "needs_cluster"};
inline constexpr kernel_attribute<int> required_cluster_x{which::required_cluster_width, "required_cluster_x"};
inline constexpr kernel_attribute<int> required_cluster_y{which::required_cluster_height, "required_cluster_y"};
inline constexpr kernel_attribute<int> required_cluster_z{which::required_cluster_depth, "required_cluster_z"};
/// Whether clusters may exceed the size that every device of the architecture supports.
inline constexpr kernel_attribute<bool, true> non_portable_cluster{which::non_portable_cluster_size_allowed,
                                                                   "non_portable_cluster"};
inline constexpr kernel_attribute<cluster_scheduling, true> cluster_policy{which::cluster_scheduling_policy_preference,
                                                                           "cluster_policy"};
}  // namespace kernel_info

namespace detail {
/// Effects: sets an attribute. Throws: `logic_error` that names the attribute and the refused value.
YOKE_API void set_kernel_attribute(const context& in, abi::kernel kernel, abi::function_attribute which,
                                   const char* name, long long value, const source_location& where);
}  // namespace detail

/// An attribute of a kernel on its context's device: `cuda::get(kernel, cuda::kernel_info::registers)`.
/// Throws: `logic_error` for an empty kernel; `error`. Thread safety: safe. Wraps `cuKernelGetAttribute`.
template <class Signature, class Value, bool Writable>
[[nodiscard]] Value get(const kernel<Signature>& of, const kernel_attribute<Value, Writable>& attribute,
                        const source_location& where = source_location::current()) {
  const context& in = of.context_of(where);
  return static_cast<Value>(
      in.port(where).attribute(of.native_handle(), in.only_device(where).native_handle(), attribute.which, where));
}
/// As above, on any device: a module's kernels exist on all devices.
template <class Signature, class Value, bool Writable>
[[nodiscard]] Value get(const kernel<Signature>& of, const device& on,
                        const kernel_attribute<Value, Writable>& attribute,
                        const source_location& where = source_location::current()) {
  return static_cast<Value>(
      of.context_of(where).port(where).attribute(of.native_handle(), on.native_handle(), attribute.which, where));
}

/// Sets an attribute of a kernel on its context's device, for every handle of the kernel. Read-only attributes do not
/// compile here.
/// Throws: `logic_error` with the attribute and the value if the device refuses it; `error`.
/// Thread safety: safe. Wraps `cuKernelSetAttribute`.
template <class Signature, class Value>
void set(const kernel<Signature>& of, const kernel_attribute<Value, true>& attribute,
         const std::type_identity_t<Value>& value, const source_location& where = source_location::current()) {
  long long number = 0;
  if constexpr (integer<Value>) {
    number = yoke::detail::narrow<int>(value, attribute.name, where);
  } else {
    number = static_cast<long long>(value);
  }
  detail::set_kernel_attribute(of.context_of(where), of.native_handle(), attribute.which, attribute.name, number,
                               where);
}
/// Sets whether a kernel prefers L1 cache or shared memory on its context's device; the driver may ignore it.
/// Throws: `logic_error` for an empty kernel; `error`. Thread safety: safe. Wraps `cuKernelSetCacheConfig`.
template <class Signature>
void set_cache(const kernel<Signature>& of, cache_preference preference,
               const source_location& where = source_location::current()) {
  const context& in = of.context_of(where);
  in.port(where).set_cache(of.native_handle(), in.only_device(where).native_handle(), preference, where);
}

/// Loads a kernel's code into its context now. Else drivers load it at the first launch, which takes longer then and
/// waits for kernels that run: a measured time contains it, and a kernel that waits for another one waits for ever.
/// Throws: `logic_error` for an empty kernel; `unsupported_error` before driver 12.4; `error`. Thread safety: safe.
/// Wraps `cuFuncLoad`. Example: `cuda::load(doublify);`
template <class Signature>
void load(const kernel<Signature>& of, const source_location& where = source_location::current()) {
  const context& in = of.context_of(where);
  in.port(where).load_kernel(in.native_handle(), of.native_handle(), where);
}
/// Returns: whether the kernel's context has its code. Throws: as `load`. Thread safety: safe.
/// Wraps `cuFuncIsLoaded`.
template <class Signature>
[[nodiscard]] bool is_loaded(const kernel<Signature>& of, const source_location& where = source_location::current()) {
  const context& in = of.context_of(where);
  return in.port(where).is_kernel_loaded(in.native_handle(), of.native_handle(), where);
}

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/device/kernel_info.ipp>
#endif

#endif

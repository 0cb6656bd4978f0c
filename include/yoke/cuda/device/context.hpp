// SPDX-License-Identifier: MIT
// Features of CUDA's contexts: flags, limits, caches, priorities, ids, and the primary context's state.
#ifndef YOKE_CUDA_DEVICE_CONTEXT_HPP
#define YOKE_CUDA_DEVICE_CONTEXT_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

/// A scope in which a context is current on its thread: `const auto active = ctx.activate();`.
using active_context = yoke::active_context<port>;

/// Creates a context apart from the primary one, which libraries over the runtime API use. It is current on no
/// thread; the last handle made in it destroys it.
/// Throws: `error`. Thread safety: safe. Wraps `cuCtxCreate`.
/// Example: `cuda::create_context(device, {.waiting = cuda::schedule::blocking_sync})`
[[nodiscard]] YOKE_API context create_context(const device& on, const context_options& options = {},
                                              const source_location& where = source_location::current());
/// The options that a context was made with. Throws: `error`. Thread safety: safe. Wraps `cuCtxGetFlags`.
[[nodiscard]] YOKE_API context_options options_of(const context& of,
                                                  const source_location& where = source_location::current());

/// Whether code in the process retains a device's primary context, and the context's options.
/// Throws: `error`. Thread safety: safe. Wraps `cuDevicePrimaryCtxGetState`.
[[nodiscard]] YOKE_API primary_state primary_state_of(const device& of,
                                                      const source_location& where = source_location::current());
/// Sets the options of a device's primary context, now and whenever it is made again, for the whole process.
/// Throws: `error`. Thread safety: safe. Wraps `cuDevicePrimaryCtxSetFlags`.
YOKE_API void set_primary_options(const device& of, const context_options& options,
                                  const source_location& where = source_location::current());
/// Destroys everything in a device's primary context, for the whole process: memory, streams, modules, also those of
/// other libraries. Remaining handles throw `context_lost_error` and end silently.
/// Requires: nobody else uses the device. Throws: `error`. Thread safety: safe. Wraps `cuDevicePrimaryCtxReset`.
YOKE_API void reset_primary_context(const device& of, const source_location& where = source_location::current());

/// Throws: `unsupported_error` if the device does not have that limit; `error`. Thread safety: safe.
/// Wraps `cuCtxGetLimit`.
[[nodiscard]] YOKE_API std::size_t get_limit(const context& of, limit which,
                                             const source_location& where = source_location::current());
/// Sets a limit of a context.
/// Returns: the limit in force: the driver rounds the value, and caps it at the device's maximum.
/// Throws: `logic_error` if the driver refuses the value, for example for a buffer that kernels already use;
/// `unsupported_error`.
/// Thread safety: safe. Wraps `cuCtxSetLimit`, `cuCtxGetLimit`.
template <integer Value>
std::size_t set_limit(const context& of, limit which, Value value,
                      const source_location& where = source_location::current()) {
  return of.port(where).set_limit(of.native_handle(), which, yoke::detail::narrow<std::size_t>(value, "limit", where),
                                  where);
}

/// The default division between L1 cache and shared memory for kernels: a hint.
/// Throws: `error`. Thread safety: safe. Wraps `cuCtxGetCacheConfig`.
[[nodiscard]] YOKE_API cache_config get_cache_config(const context& of,
                                                     const source_location& where = source_location::current());
/// Throws: `error`. Thread safety: safe. Wraps `cuCtxSetCacheConfig`.
YOKE_API void set_cache_config(const context& of, cache_config config,
                               const source_location& where = source_location::current());

/// The priorities that streams can have. Throws: `error`. Thread safety: safe. Wraps `cuCtxGetStreamPriorityRange`.
[[nodiscard]] YOKE_API priority_range stream_priorities(const context& of,
                                                        const source_location& where = source_location::current());
/// A number that is unique among all contexts of the process, also later ones. Throws: `error`. Thread safety: safe.
/// Wraps `cuCtxGetId`.
[[nodiscard]] YOKE_API std::uint64_t id_of(const context& of,
                                           const source_location& where = source_location::current());
/// The version of the interface that made a context, 3020 for 3.2; not the driver's version.
/// Throws: `error`. Thread safety: safe. Wraps `cuCtxGetApiVersion`.
[[nodiscard]] YOKE_API unsigned api_version_of(const context& of,
                                               const source_location& where = source_location::current());
/// The device's free and total memory, seen from a context. Throws: `error`. Thread safety: safe.
/// Wraps `cuMemGetInfo`.
[[nodiscard]] YOKE_API memory_info memory_of(const context& of,
                                             const source_location& where = source_location::current());
/// Waits for all streams of a context.
/// Throws: `context_lost_error` after a kernel that failed; `error`. Thread safety: safe. Wraps `cuCtxSynchronize`.
YOKE_API void synchronize(const context& all_of, const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/device/context.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/memory_pool.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_MEMORY_POOL_IPP
#define YOKE_DRIVER_CUDA_MEMORY_MEMORY_POOL_IPP

#include <yoke/driver/cuda/memory/memory_pool.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/allocation.hpp>
#include <yoke/driver/cuda/memory/shared_descriptor.hpp>
#include <yoke/driver/cuda/port.hpp>

#include <string>

namespace yoke::inline v0_1::cuda {

namespace detail {

inline constexpr int pools_supported = 115;  // CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED
inline constexpr int pool_handle_types = 119;
inline constexpr int pool_limits_since = 12020;

/// Whether an attribute is an `int` rather than a 64-bit number.
constexpr bool is_pool_policy(abi::pool_attribute which) noexcept {
  return which <= abi::pool_attribute::reuse_allow_internal_dependencies;
}

/// Throws: `unsupported_error` that names the ability which a device or a driver lacks.
void check_pool(const abi::functions* table, device_id device, std::size_t max_bytes, bool shareable,
                const source_location& where) {
  require_attribute(table, device.native(), pools_supported,
                    "has no memory pools (CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)", where);
  if (shareable) {
    int types = 0;
    invoke<&abi::functions::device_get_attribute>(table, where, &types, pool_handle_types, device.native());
    if ((types & static_cast<int>(abi::shared_handle_type::file_descriptor)) == 0) {
      throw_error(errc::unsupported, where, "device ", device.native(),
                  " shares no pools by file descriptor (CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES)");
    }
  }
  if (max_bytes == 0) return;
  int version = 0;
  invoke<&abi::functions::driver_get_version>(table, where, &version);
  if (version < pool_limits_since) {
    throw_error(errc::unsupported, where, "this CUDA driver, of CUDA ", version / 1000, ".", version % 1000 / 10,
                ", limits no pools, and the limit asked for is ", max_bytes, " bytes: CUDA 12.2 does");
  }
}

}  // namespace detail

abi::memory_pool memory_pool_functions::create_pool(abi::context context, device_id device, std::size_t max_bytes,
                                                    bool shareable, const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  detail::check_pool(table(), device, max_bytes, shareable, where);
  abi::pool_properties wanted{};
  wanted.type = abi::allocation_type::pinned;
  wanted.handle_types = shareable ? abi::shared_handle_type::file_descriptor : abi::shared_handle_type::none;
  wanted.location = {abi::memory_location_type::device, device.native()};
  wanted.max_bytes = max_bytes;
  abi::memory_pool pool = nullptr;
  detail::invoke<&abi::functions::mem_pool_create>(table(), where, &pool,
                                                   static_cast<const abi::pool_properties*>(&wanted));
  return pool;
}
release_result memory_pool_functions::destroy_pool(abi::memory_pool pool) const noexcept {
  return detail::release<&abi::functions::mem_pool_destroy>(table(), pool);
}
abi::memory_pool memory_pool_functions::default_pool(device_id device, const source_location& where) const {
  abi::memory_pool pool = nullptr;
  detail::invoke<&abi::functions::device_get_default_mem_pool>(table(), where, &pool, device.native());
  return pool;
}
abi::memory_pool memory_pool_functions::current_pool(device_id device, const source_location& where) const {
  abi::memory_pool pool = nullptr;
  detail::invoke<&abi::functions::device_get_mem_pool>(table(), where, &pool, device.native());
  return pool;
}
void memory_pool_functions::set_current_pool(device_id device, abi::memory_pool pool,
                                             const source_location& where) const {
  detail::invoke_explained<&abi::functions::device_set_mem_pool>(
      table(), where,
      [&](abi::status status) {
        return detail::text("device ", device.native(), " does not take this pool as its own: ", error_text(status),
                            "; the pool must be of that device and of this process");
      },
      device.native(), pool);
}

std::uint64_t memory_pool_functions::pool_attribute(abi::memory_pool pool, abi::pool_attribute which,
                                                    const source_location& where) const {
  int policy = 0;
  std::uint64_t bytes = 0;
  void* const to = detail::is_pool_policy(which) ? static_cast<void*>(&policy) : static_cast<void*>(&bytes);
  detail::invoke<&abi::functions::mem_pool_get_attribute>(table(), where, pool, which, to);
  return detail::is_pool_policy(which) ? static_cast<std::uint64_t>(policy) : bytes;
}
void memory_pool_functions::set_pool_attribute(abi::memory_pool pool, abi::pool_attribute which, std::uint64_t value,
                                               const source_location& where) const {
  int policy = value == 0 ? 0 : 1;
  void* const from = detail::is_pool_policy(which) ? static_cast<void*>(&policy) : static_cast<void*>(&value);
  detail::invoke<&abi::functions::mem_pool_set_attribute>(table(), where, pool, which, from);
}
void memory_pool_functions::trim_pool(abi::memory_pool pool, std::size_t bytes_to_keep,
                                      const source_location& where) const {
  detail::invoke<&abi::functions::mem_pool_trim_to>(table(), where, pool, bytes_to_keep);
}
void memory_pool_functions::set_pool_access(abi::memory_pool pool, device_id device, abi::access_flags access,
                                            const source_location& where) const {
  const abi::access_descriptor wanted{{abi::memory_location_type::device, device.native()}, access};
  detail::invoke_explained<&abi::functions::mem_pool_set_access>(
      table(), where,
      [&](abi::status status) {
        return detail::text("access of device ", device.native(), " to a pool cannot be ",
                            access == abi::access_flags::none ? "taken away: " : "given: ", error_text(status),
                            "; the pool's own device always has it, another one must be a peer that can access that");
      },
      pool, static_cast<const abi::access_descriptor*>(&wanted), std::size_t{1});
}
abi::access_flags memory_pool_functions::pool_access(abi::memory_pool pool, device_id device,
                                                     const source_location& where) const {
  abi::memory_location place{abi::memory_location_type::device, device.native()};
  abi::access_flags access = abi::access_flags::none;
  detail::invoke<&abi::functions::mem_pool_get_access>(table(), where, &access, pool, &place);
  return access;
}

abi::device_pointer memory_pool_functions::allocate_from_pool(abi::context context, abi::memory_pool pool,
                                                              abi::stream stream, std::size_t bytes,
                                                              std::size_t limit_bytes,
                                                              const source_location& where) const {
  const detail::default_stream_context scope(table(), context, stream, where);
  abi::device_pointer memory = 0;
  const abi::status status =
      detail::call_present<&abi::functions::mem_alloc_from_pool_async>(table(), where, &memory, bytes, pool, stream);
  if (status == abi::success) return memory;
  std::string what = detail::device_allocation_of(bytes);
  if (status == abi::error_out_of_memory) {
    try {
      what += detail::text(" from a pool that has ", pool_attribute(pool, abi::pool_attribute::used_mem_current, where),
                           " bytes in use and ", pool_attribute(pool, abi::pool_attribute::reserved_mem_current, where),
                           " of the device's");
      if (limit_bytes != 0) what += detail::text(", and a limit of ", limit_bytes);
    } catch (const error&) {  // the allocation's own failure is thrown
    }
  } else if (status == abi::error_invalid_value) {
    what += ": a pool that was opened from another process gives none, but opens what that has shared";
  }
  detail::throw_no_memory(table(), context, status, "cuMemAllocFromPoolAsync", std::move(what), where);
}

int memory_pool_functions::export_pool(abi::memory_pool pool, const source_location& where) const {
  int descriptor = -1;
  detail::invoke_explained<&abi::functions::mem_pool_export>(
      table(), where,
      [](abi::status status) {
        return detail::text("this pool cannot be exported: ", error_text(status),
                            "; it must be made in this process with .shareable = true");
      },
      static_cast<void*>(&descriptor), pool, abi::shared_handle_type::file_descriptor, abi::ulong{0});
  return detail::closed_on_exec(descriptor);
}
abi::memory_pool memory_pool_functions::import_pool(abi::context context, int descriptor,
                                                    const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::memory_pool pool = nullptr;
  detail::invoke_explained<&abi::functions::mem_pool_import>(
      table(), where, [&](abi::status status) { return detail::refused_descriptor(descriptor, "pool", status); }, &pool,
      detail::as_shared_handle(descriptor, where), abi::shared_handle_type::file_descriptor, abi::ulong{0});
  return pool;
}
abi::pool_export_data memory_pool_functions::export_from_pool(abi::device_pointer memory,
                                                              const source_location& where) const {
  abi::pool_export_data data{};
  detail::invoke_explained<&abi::functions::mem_pool_export_pointer>(
      table(), where,
      [&](abi::status status) {
        return detail::text("memory at 0x", yoke::detail::hex_digits(memory), " cannot be shared: ", error_text(status),
                            "; it must come from a pool that was made with .shareable = true");
      },
      &data, memory);
  return data;
}
abi::device_pointer memory_pool_functions::import_from_pool(abi::context context, abi::memory_pool pool,
                                                            const abi::pool_export_data& data,
                                                            const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::pool_export_data copy = data;
  abi::device_pointer memory = 0;
  detail::invoke_explained<&abi::functions::mem_pool_import_pointer>(
      table(), where,
      [](abi::status status) {
        return detail::text("memory of another process's pool cannot be opened: ", error_text(status),
                            "; it must be of the pool that this one was opened from, and not be freed there");
      },
      &memory, pool, &copy);
  return memory;
}

}  // namespace yoke::inline v0_1::cuda

#endif

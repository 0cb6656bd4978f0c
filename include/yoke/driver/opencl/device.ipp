// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/device.hpp.
#ifndef YOKE_DRIVER_OPENCL_DEVICE_IPP
#define YOKE_DRIVER_OPENCL_DEVICE_IPP

#include <yoke/driver/opencl/device.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/pocl.hpp>

namespace yoke::inline v0_1::opencl {

std::vector<abi::device> device_functions::devices(const source_location& where) const {
  detail::note_used_process();
  std::vector<abi::device> all;
  abi::uint count = 0;
  const abi::status status = table()->get_platform_ids(0, nullptr, &count);
  if (status == -1001 || (status == 0 && count == 0)) return all;  // the loader found no driver, which is not an error
  if (status != 0) detail::throw_failure(status, "clGetPlatformIDs", "", where);
  std::vector<abi::platform> platforms(count);
  detail::invoke<&abi::functions::get_platform_ids>(table(), where, count, platforms.data(),
                                                    static_cast<abi::uint*>(nullptr));
  for (const abi::platform platform : platforms) {
    abi::uint found = 0;
    const abi::status listed = table()->get_device_ids(platform, abi::device_type_all, 0, nullptr, &found);
    if (listed == -1 || (listed == 0 && found == 0)) continue;  // a platform without devices
    if (listed != 0) detail::throw_failure(listed, "clGetDeviceIDs", "", where);
    const std::size_t before = all.size();
    all.resize(before + found);
    detail::invoke<&abi::functions::get_device_ids>(table(), where, platform, abi::device_type_all, found,
                                                    all.data() + before, static_cast<abi::uint*>(nullptr));
  }
  return all;
}
std::size_t device_functions::device_property(abi::device device, std::uint32_t property, void* out, std::size_t bytes,
                                              const source_location& where) const {
  std::size_t size = 0;
  detail::invoke<&abi::functions::get_device_info>(table(), where, device, property, bytes, out, &size);
  return size;
}
device_summary device_functions::summary(abi::device device, const source_location& where) const {
  constexpr auto get = &abi::functions::get_device_info;
  device_summary result;
  result.name = detail::query_text<get>(table(), where, device, info::name.code);
  result.vendor = detail::query_text<get>(table(), where, device, info::vendor.code);
  result.version = detail::query_text<get>(table(), where, device, info::version.code);
  result.driver_version = detail::query_text<get>(table(), where, device, info::driver_version.code);
  const auto platform = detail::query<abi::platform, get>(table(), where, device, info::platform.code);
  result.platform =
      detail::query_text<&abi::functions::get_platform_info>(table(), where, platform, abi::platform_name);
  const auto type = detail::query<abi::ulong, get>(table(), where, device, info::type.code);
  result.kind = (type & 4u) != 0   ? device_kind::gpu
                : (type & 8u) != 0 ? device_kind::accelerator
                : (type & 2u) != 0 ? device_kind::cpu
                                   : device_kind::other;
  result.compute_units = detail::query<abi::uint, get>(table(), where, device, info::max_compute_units.code);
  result.clock_mhz = detail::query<abi::uint, get>(table(), where, device, info::max_clock_frequency.code);
  result.global_memory_bytes = detail::query<abi::ulong, get>(table(), where, device, info::global_mem_size.code);
  return result;
}
device_limits device_functions::limits(abi::device device, const source_location& where) const {
  constexpr auto get = &abi::functions::get_device_info;
  device_limits result;
  result.max_block = detail::query<std::size_t, get>(table(), where, device, info::max_work_group_size.code);
  const auto extent = detail::query_list<std::size_t, get>(table(), where, device, info::max_work_item_sizes.code);
  for (std::size_t i = 0; i < 3; ++i) result.max_block_extent[i] = i < extent.size() ? extent[i] : 1;
  result.local_memory_bytes =
      static_cast<std::size_t>(detail::query<abi::ulong, get>(table(), where, device, info::local_mem_size.code));
  result.max_allocation_bytes = detail::query<abi::ulong, get>(table(), where, device, info::max_mem_alloc_size.code);
  result.base_alignment_bytes =
      detail::query<abi::uint, get>(table(), where, device, info::mem_base_addr_align.code) / 8u;
  if (result.base_alignment_bytes == 0) result.base_alignment_bytes = 1;
  detail::note_blocking_commands(table(), device, where);  // every context queries its devices before it is used
  return result;
}
void device_functions::retain_device(abi::device device, const source_location& where) const {
  detail::invoke<&abi::functions::retain_device>(table(), where, device);
}
release_result device_functions::release_device(abi::device device) const noexcept {
  return detail::release<&abi::functions::release_device>(table(), device);
}
std::vector<abi::device> device_functions::partition(abi::device device, std::span<const std::intptr_t> properties,
                                                     const source_location& where) const {
  abi::uint count = 0;
  detail::invoke<&abi::functions::create_sub_devices>(table(), where, device, properties.data(), abi::uint{0},
                                                      static_cast<abi::device*>(nullptr), &count);
  std::vector<abi::device> parts(count);
  detail::invoke<&abi::functions::create_sub_devices>(table(), where, device, properties.data(), count, parts.data(),
                                                      static_cast<abi::uint*>(nullptr));
  return parts;
}

}  // namespace yoke::inline v0_1::opencl

#endif

// SPDX-License-Identifier: MIT
// Whether a device is PoCL's or another known driver's, to work around the faults of that driver.
#ifndef YOKE_DRIVER_OPENCL_POCL_HPP
#define YOKE_DRIVER_OPENCL_POCL_HPP

#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>

#include <string>
#include <string_view>

namespace yoke::inline v0_1::opencl::detail {

/// Returns: the name of a device's platform.
[[gnu::cold]] inline std::string platform_of(const abi::functions* table, abi::device device,
                                             const source_location& where) {
  const auto platform =
      query<abi::platform, &abi::functions::get_device_info>(table, where, device, info::platform.code);
  return query_text<&abi::functions::get_platform_info>(table, where, platform, abi::platform_name);
}

inline constexpr std::string_view pocl_platform = "Portable Computing Language";
inline constexpr std::string_view nvidia_platform = "NVIDIA CUDA";

[[gnu::cold]] inline bool is_pocl(const abi::functions* table, abi::device device, const source_location& where) {
  return platform_of(table, device, where) == pocl_platform;
}

/// Throws: `unsupported_error` for a kernel whose name plus ".so" is too long for a file name: PoCL ends the process
/// when it links this kernel, for a launch or a binary.
[[gnu::cold]] inline void check_kernel_name(const abi::functions* table, abi::program module, std::string_view name,
                                            const source_location& where) {
  constexpr std::size_t most = 252;
  if (name.size() <= most) return;
  const auto devices =
      query_list<abi::device, &abi::functions::get_program_info>(table, where, module, abi::program_devices);
  if (devices.empty() || !is_pocl(table, devices.front(), where)) return;
  throw_error(errc::unsupported, where, "a kernel's name of ", name.size(), " letters exceeds the ", most,
              " with which PoCL can make a file: ", name);
}

/// Effects: notes for a device's driver whether events of blocking commands must be queried, and whether its shared
/// virtual memory needs turns. PoCL's blocking commands wait for the queue. NVIDIA's reads return when the host has the
/// data, with the code of a failed kernel; its writes are unknown. Intel's CPU runtime returns from a write before the
/// device has the data.
[[gnu::cold]] inline void note_blocking_commands(const abi::functions* table, abi::device device,
                                                 const source_location& where) {
  const std::string name = platform_of(table, device, where);
  const bool pocl = name == pocl_platform;
  const bool nvidia = name == nvidia_platform;
  if (!pocl && !nvidia) table->notes->reads_are_asked.store(true, yoke::detail::order::relaxed);
  if (!pocl) table->notes->writes_are_asked.store(true, yoke::detail::order::relaxed);
  if (nvidia) table->notes->svm_takes_turns.store(true, yoke::detail::order::relaxed);
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif

// SPDX-License-Identifier: MIT
// Lists the machine's devices and chooses one: the device that $YOKE_DEVICE names, else the best of any backend.
#ifndef YOKE_EXECUTION_SELECT_HPP
#define YOKE_EXECUTION_SELECT_HPP

#include <yoke/driver/any/port.hpp>
#include <yoke/execution/context.hpp>

namespace yoke::inline v0_1 {

/// A device, and the specification that chose it.
struct device_choice {
  device<any_port> chosen;
  std::string reason;
};

/// Returns: every device of every backend, in the drivers' order; an empty list without a driver.
/// Throws: `error` when a driver fails; `unsupported_error` when `$YOKE_CUDA_DRIVER` names a driver that cannot be
/// used.
/// Thread safety: safe. Wraps `clGetPlatformIDs`, `clGetDeviceIDs`.
[[nodiscard]] YOKE_API std::vector<device<any_port>> devices(const source_location& where = source_location::current());

/// The devices that a specification names, in its order, each once.
///
/// A specification is a list of entries, separated by commas. An entry has one or more parts, joined by ':': a backend
/// ("cuda", "opencl"), a kind ("gpu", "accelerator", "cpu"), a text that is in the device's name, platform, vendor,
/// version or UUID (in any case), then an index. Examples: "cuda:0", "opencl:pocl:0", "h200", "opencl:0:1" (second
/// device of the first platform). Without an index an entry names every match, best first. A PCI bus id also names a
/// CUDA device: "0000:01:00.0", "cuda:01:00.0".
/// Throws: `unsupported_error` (`errc::no_device`) with a list of all devices when an entry names nothing, or is "?";
/// as
/// `devices()`, unless each entry begins with "opencl".
/// Thread safety: safe.
[[nodiscard]] YOKE_API std::vector<device<any_port>> select_devices(
    std::string_view specification, const source_location& where = source_location::current());

/// The device that `yoke::context` takes: the first that `specification` names, else the first of `$YOKE_DEVICE`, else
/// CUDA before OpenCL GPU, accelerator and CPU, and within a class the one with the most compute units times clock.
/// Throws: `unsupported_error` that says what was searched, and where; as `select_devices`. Thread safety: safe.
[[nodiscard]] YOKE_API device_choice choose_device(std::string_view specification = {},
                                                   const source_location& where = source_location::current());

/// Returns: a table of all devices, each with the specification that names it; without a driver, the libraries tried.
/// Thread safety: safe.
[[nodiscard]] YOKE_API std::string list_devices();

namespace detail {
template <>
struct automatic_choice<any_port> {
  static yoke::device<any_port> device(const source_location& where) { return choose_device({}, where).chosen; }
};

/// Returns: the indices into `candidates` that a specification names. `backends[i]` is the backend of `candidates[i]`;
/// `absent` is a part of error messages: the missing backends, and why they are missing.
YOKE_API std::vector<std::size_t> match_devices(const std::vector<device_summary>& candidates,
                                                const std::vector<std::string>& backends,
                                                std::string_view specification, const source_location& where,
                                                std::string_view absent = {});
/// Returns: a device's rank for the automatic choice; larger is better.
YOKE_API std::uint64_t device_rank(const device_summary& facts, std::string_view backend) noexcept;
/// Returns: every device of one port, in the driver's order.
template <class Port>
std::vector<device<Port>> devices_of(const Port& port, const source_location& where) {
  std::vector<device<Port>> all;
  for (const auto native : port.devices(where)) all.push_back(device<Port>::borrow(port, native, where));
  return all;
}
/// Returns: the devices of one port that a specification names; an empty one names all, best first.
template <class Port>
std::vector<device<Port>> select_from(const Port& port, std::string_view specification, const source_location& where) {
  std::vector<device_summary> candidates;
  std::vector<std::string> backends;
  const auto natives = port.devices(where);
  for (const auto native : natives) {
    candidates.push_back(port.summary(native, where));
    backends.emplace_back(port.backend_name());
  }
  std::vector<device<Port>> result;
  for (const std::size_t index : match_devices(candidates, backends, specification, where)) {
    result.push_back(device<Port>::borrow(port, natives[index]));
  }
  return result;
}
}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/execution/select.ipp>
#endif

#endif

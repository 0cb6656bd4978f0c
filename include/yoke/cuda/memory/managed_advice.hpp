// SPDX-License-Identifier: MIT
// Locations of managed memory, and advice on its use.
#ifndef YOKE_CUDA_MEMORY_MANAGED_ADVICE_HPP
#define YOKE_CUDA_MEMORY_MANAGED_ADVICE_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

/// A location of managed memory: a device, the host, a NUMA node of the host, or none.
class memory_location {
 public:
  constexpr memory_location() noexcept : native_{abi::memory_location_type::invalid, abi::device_invalid} {}
  memory_location(const device& of) noexcept  // NOLINT: a device is a location
      : native_{abi::memory_location_type::device, of.native_handle().native()} {}
  explicit constexpr memory_location(const abi::memory_location& native) noexcept : native_(native) {}
  [[nodiscard]] static constexpr memory_location host() noexcept { return of_host(abi::memory_location_type::host); }
  /// A NUMA node of the host, by its number, or the node nearest to the calling thread. Needs CUDA 12.2.
  [[nodiscard]] static constexpr memory_location host_numa(int node) noexcept {
    return memory_location(abi::memory_location{abi::memory_location_type::host_numa, node});
  }
  [[nodiscard]] static constexpr memory_location host_numa_current() noexcept {
    return of_host(abi::memory_location_type::host_numa_current);
  }

  [[nodiscard]] constexpr bool is_device() const noexcept { return native_.type == abi::memory_location_type::device; }
  /// Whether it names a location.
  [[nodiscard]] explicit constexpr operator bool() const noexcept {
    return native_.type != abi::memory_location_type::invalid;
  }
  /// Type and number of the device or node; the host has -1.
  [[nodiscard]] constexpr const abi::memory_location& native() const noexcept { return native_; }
  [[nodiscard]] friend constexpr bool operator==(const memory_location& left, const memory_location& right) noexcept {
    return left.native_.type == right.native_.type && left.native_.id == right.native_.id;
  }

 private:
  static constexpr memory_location of_host(abi::memory_location_type type) noexcept {
    return memory_location(abi::memory_location{type, abi::device_cpu});
  }
  abi::memory_location native_;
};

/// Advice on the use of managed memory. It affects only the speed of programs, never a result.
class advice {
 public:
  /// Every processor keeps its own copy for reading. A write invalidates the others.
  [[nodiscard]] static constexpr advice read_mostly() noexcept { return abi::memory_advice::set_read_mostly; }
  [[nodiscard]] static constexpr advice not_read_mostly() noexcept { return abi::memory_advice::unset_read_mostly; }
  /// Pages stay at this location if possible, and other processors map them.
  [[nodiscard]] static constexpr advice preferred_location(const memory_location& at) noexcept {
    return {abi::memory_advice::set_preferred_location, at};
  }
  [[nodiscard]] static constexpr advice no_preferred_location() noexcept {
    return abi::memory_advice::unset_preferred_location;
  }
  /// A device, or the host, keeps the memory mapped, so that its accesses do not fault.
  [[nodiscard]] static constexpr advice accessed_by(const memory_location& processor) noexcept {
    return {abi::memory_advice::set_accessed_by, processor};
  }
  [[nodiscard]] static constexpr advice not_accessed_by(const memory_location& processor) noexcept {
    return {abi::memory_advice::unset_accessed_by, processor};
  }

  [[nodiscard]] constexpr abi::memory_advice native() const noexcept { return native_; }
  [[nodiscard]] constexpr const memory_location& location() const noexcept { return location_; }

 private:
  // The driver requires an existing location even if it ignores it.
  constexpr advice(abi::memory_advice native, const memory_location& at = memory_location::host()) noexcept  // NOLINT
      : native_(native), location_(at) {}

  abi::memory_advice native_;
  memory_location location_;
};

}  // namespace yoke::inline v0_1::cuda

#endif

// SPDX-License-Identifier: MIT
// A device: a copyable value that gives its facts and limits.
#ifndef YOKE_EXECUTION_DEVICE_HPP
#define YOKE_EXECUTION_DEVICE_HPP

#include <yoke/core/cleanup.hpp>
#include <yoke/core/native.hpp>
#include <yoke/core/shared.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/concepts.hpp>
#include <yoke/driver/port_traits.hpp>
#include <yoke/driver/types.hpp>

#include <compare>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace yoke::inline v0_1 {

namespace detail {
/// Effects: hands a failed release to the cleanup handler.
template <class Port>
void report_release(const Port& port, const release_result& result) noexcept {
  if (result.code != 0) report_cleanup_failure(port.error_code(result.code), result.call);
}
/// Returns: the port to the machine's driver. Throws: `unsupported_error` if the driver is missing.
template <class Port>
[[nodiscard]] Port default_port(const source_location& where) {
  if constexpr (std::constructible_from<Port, const source_location&>) {
    return Port(where);
  } else {
    return Port{};
  }
}
}  // namespace detail

/// A device of some backend. Copies name the same device; a sub-device lives as long as a copy does.
/// Thread safety: safe.
template <class Port = any_port>
class device {
  static_assert(detail::known_port<Port>, "handles of any backend are in <yoke/yoke.hpp>: include that");

 public:
  using port_type = Port;
  using native_type = typename Port::device_handle;

  /// The device with this number, from 0, in the driver's order.
  /// Throws: `logic_error` (`errc::out_of_range`) with the valid ordinals; `unsupported_error` without a driver or
  /// without any device.
  template <integer Ordinal>
  explicit device(Ordinal ordinal, const source_location& where = source_location::current())
    requires(!std::same_as<Port, any_port> && std::default_initializable<Port>)
      : device(detail::default_port<Port>(where), ordinal, where) {}
  /// The same for another driver than the machine's default, such as a simulator.
  template <integer Ordinal>
  [[gnu::cold]] device(const Port& port, Ordinal ordinal, const source_location& where = source_location::current())
      : port_(port) {
    const auto all = port.devices(where);
    if (all.empty()) {
      detail::throw_error(errc::no_device,
                          detail::text("device ordinal ", ordinal, ": there is no device for ", port.backend_name()),
                          where);
    }
    if (std::cmp_less(ordinal, 0) || std::cmp_greater_equal(ordinal, all.size())) {
      detail::throw_error(
          errc::out_of_range,
          detail::text("device ordinal ", ordinal, " is outside 0 .. ", all.size() - 1, ": there ",
                       all.size() == 1 ? "is " : "are ", all.size(), all.size() == 1 ? " device" : " devices"),
          where);
    }
    native_ = all[static_cast<std::size_t>(ordinal)];
  }

  /// Uses a native device without owning it. Throws: `logic_error` when it is null.
  [[nodiscard]] static device borrow(const Port& port, native_type native,
                                     const source_location& where = source_location::current()) {
    return device(port, native, where);
  }
  /// Takes over one reference to a sub-device; the last copy releases it.
  /// Throws: `logic_error` when it is null; `std::bad_alloc`; the caller then keeps the reference.
  [[nodiscard]] static device adopt(const Port& port, native_type native,
                                    const source_location& where = source_location::current()) {
    device result(port, native, where);
    result.keep_alive_ = detail::make_shared<const reference>(port, native);
    return result;
  }

  /// Shares a sub-device with the caller, by a reference that the last copy releases. Throws: as `adopt`; `error`.
  /// Wraps `clRetainDevice`.
  [[nodiscard]] static device retain(const Port& port, native_type native,
                                     const source_location& where = source_location::current())
    requires counting_port<Port>
  {
    device result(port, native, where);
    port_traits<Port>::retain_device(port, native, where);
    try {
      result.keep_alive_ = detail::make_shared<const reference>(port, native);
    } catch (...) {
      detail::report_release(port, port_traits<Port>::release_device(port, native));
      throw;
    }
    return result;
  }

  // The same device as another port's handle. `kept` keeps a sub-device alive.
  [[nodiscard]] static device sharing(const Port& port, native_type native, detail::shared<const void> kept,
                                      const source_location& where) {
    device result(port, native, where);
    result.keep_alive_ = std::move(kept);
    return result;
  }
  [[nodiscard]] const detail::shared<const void>& keep_alive() const noexcept { return keep_alive_; }

  [[nodiscard]] const Port& port() const noexcept { return port_; }
  [[nodiscard]] native_type native_handle() const noexcept { return native_; }
  [[nodiscard]] const char* backend_name() const noexcept { return port_.backend_name(); }

  /// Name, platform, vendor, versions, kind, size and speed. Throws: `error`. Wraps `clGetDeviceInfo`.
  [[nodiscard]] device_summary summary(const source_location& where = source_location::current()) const {
    return port_.summary(native_, where);
  }
  /// The limits of launches and allocations. Throws: `error`. Wraps `clGetDeviceInfo`.
  [[nodiscard]] device_limits limits(const source_location& where = source_location::current()) const {
    return port_.limits(native_, where);
  }
  /// The device's name. Throws: `error`.
  [[nodiscard]] std::string name(const source_location& where = source_location::current()) const {
    return summary(where).name;
  }

  [[nodiscard]] friend bool operator==(const device& left, const device& right) noexcept {
    return left.port_ == right.port_ && left.native_ == right.native_;
  }
  /// An order for sorted containers. CUDA devices of one driver are in the order of their numbers.
  [[nodiscard]] friend std::strong_ordering operator<=>(const device& left, const device& right) noexcept
    requires std::has_unique_object_representations_v<native_type> && std::has_unique_object_representations_v<Port>
  {
    if (left == right) return std::strong_ordering::equal;
    if (const auto order = left.number() <=> right.number(); order != 0) return order;
    return std::memcmp(&left.port_, &right.port_, sizeof left.port_) <=> 0;  // NOLINT: compares values, not pointees
  }

 private:
  struct reference {
    reference(const Port& port, native_type native) noexcept : port_(port), native_(native) {}
    reference(const reference&) = delete;
    reference& operator=(const reference&) = delete;
    ~reference() { detail::report_release(port_, port_traits<Port>::release_device(port_, native_)); }
    Port port_;
    native_type native_;
  };

  [[gnu::cold]] device(const Port& port, native_type native, const source_location& where)
      : port_(port), native_(native) {
    if (native == native_type{}) [[unlikely]]
      detail::throw_null_native("device", where);
  }

  [[nodiscard]] std::uintptr_t number() const noexcept {
    std::uintptr_t number = 0;
    std::memcpy(&number, &native_, sizeof native_);
    return number;
  }

  Port port_;
  native_type native_{};
  detail::shared<const void> keep_alive_;  // the reference to a sub-device
};

}  // namespace yoke::inline v0_1

/// Equal devices have equal hashes.
template <class Port>
  requires std::has_unique_object_representations_v<typename Port::device_handle>
struct std::hash<yoke::device<Port>> {
  std::size_t operator()(const yoke::device<Port>& of) const noexcept {
    const typename Port::device_handle native = of.native_handle();
    std::uintptr_t number = 0;
    std::memcpy(&number, &native, sizeof native);
    return std::hash<std::uintptr_t>{}(number);
  }
};

#endif

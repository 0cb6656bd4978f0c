// SPDX-License-Identifier: MIT
// What the tests of CUDA's programs start from.
#ifndef YOKE_TESTS_CUDA_CUDA_RIG_HPP
#define YOKE_TESTS_CUDA_CUDA_RIG_HPP

#include <support/devices/devices.hpp>
#include <support/drivers/cuda_interposer.hpp>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace yoke_test {

namespace cu = yoke::cuda;

/// Returns: the same device, driven through a table of the caller's.
inline cuda_device through_table(const cuda_abi::functions* table, const cuda_device& device) {
  return cuda_device::borrow(cu::port{table}, device.native_handle());
}

/// A context and a stream, through the interposer.
struct cuda_rig {
  /// `newest`: the driver lacks what is newer; 0: nothing.
  explicit cuda_rig(const cuda_device& on, int newest = 0)
      : driver(*on.port().table()),
        device(through_table(shorten(driver, newest).table(), on)),
        context(device),
        stream(context) {}
  cuda_rig(const cuda_rig&) = delete;
  cuda_rig& operator=(const cuda_rig&) = delete;
  /// Waits for the context's callback thread, which may still hold what a graph kept, and would use the driver's table later.
  ~cuda_rig() {
    if (context) context.state().callbacks.finish(nullptr);
  }

  cuda_interposer driver;
  cuda_device device;
  cu::context context;
  cu::stream stream;

 private:
  static cuda_interposer& shorten(cuda_interposer& driver, int newest) {
    if (newest != 0) driver.remove_newer_than(newest);
    return driver;
  }
};

/// Returns: the bytes of the image in what `export_binary` wrote: they stand in there behind its identity.
inline std::vector<std::byte> raw_image(const cu::module& module) {
  const auto binary = module.export_binary();
  std::uint32_t name = 0;
  std::memcpy(&name, binary.data() + 12, sizeof name);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, binary.data() + 16 + name, sizeof bytes);
  const auto begin = binary.begin() + 16 + static_cast<std::ptrdiff_t>(name) + 8;
  return {begin, begin + static_cast<std::ptrdiff_t>(bytes)};
}

[[nodiscard]] inline bool is_simulated(const cuda_device& device) {
  return device.name().find("simulator") != std::string::npos;
}

/// A driver whose devices lack what `cuDeviceGetAttribute` is asked for with that code. One at a time.
struct poorer_driver {
  explicit poorer_driver(const cuda_device& device, int without = 0) : table(*device.port().table()) {
    real() = table.device_get_attribute;
    lacking() = without;
    table.device_get_attribute = [](int* value, int code, cuda_abi::device of) -> cuda_abi::status {
      const cuda_abi::status status = real()(value, code, of);
      if (code == lacking()) *value = 0;
      return status;
    };
  }
  static decltype(cuda_abi::functions::device_get_attribute)& real() {
    static decltype(cuda_abi::functions::device_get_attribute) function = nullptr;
    return function;
  }
  static int& lacking() {
    static int code = 0;
    return code;
  }
  cuda_abi::functions table;
};

/// Whether other processes can open plain memory. The simulator's blocks lie beside each other with AddressSanitizer.
[[nodiscard]] inline bool shares_plain_memory(const cuda_device& device) {
#if defined(__SANITIZE_ADDRESS__)
  constexpr bool with_address_sanitizer = true;
#elif defined(__has_feature)
  constexpr bool with_address_sanitizer = __has_feature(address_sanitizer);
#else
  constexpr bool with_address_sanitizer = false;
#endif
  return !(with_address_sanitizer && is_simulated(device));
}

[[nodiscard]] inline bool has_pools(const cuda_device& device) {
  return cu::get(device, cu::info::memory_pools_supported);
}
/// Whether other processes can open the driver's pools, by a file descriptor.
[[nodiscard]] inline bool shares_pools(const cuda_device& device) {
  return has_pools(device) && (cu::get(device, cu::info::mempool_supported_handle_types) & 1) != 0;
}
/// Whether other processes can open physical memory, by a file descriptor.
[[nodiscard]] inline bool shares_physical_memory(const cuda_device& device) {
  return cu::get(device, cu::info::virtual_memory_management_supported) &&
         cu::get(device, cu::info::handle_type_posix_file_descriptor_supported);
}

/// Returns: the folders of the toolkit's headers, where there is a GPU; the simulator serves its own.
inline std::vector<std::string> toolkit_headers(const cuda_device& device) {
  if (is_simulated(device)) return {};
  const char* const home = std::getenv("CUDA_HOME");
  const std::string toolkit = home == nullptr ? "/usr/local/cuda" : home;
  return {toolkit + "/include", toolkit + "/include/cccl"};
}

/// Returns: what an act says when it is refused with that condition.
template <class Error, class Act>
std::string cuda_refusal(yoke::errc condition, Act&& act) {
  try {
    act();
  } catch (const Error& e) {
    CHECK(e.code() == condition);
    return e.what();
  }
  FAIL_CHECK("threw nothing");
  return "";
}

}  // namespace yoke_test

#endif

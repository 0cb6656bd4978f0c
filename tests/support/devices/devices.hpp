// SPDX-License-Identifier: MIT
// The devices the tests run on: all, or those that $YOKE_TEST_DEVICES names; and test cases that run on each.
#ifndef YOKE_TESTS_SUPPORT_DEVICES_HPP
#define YOKE_TESTS_SUPPORT_DEVICES_HPP

#include <support/catch.hpp>
#include <support/devices/backends.hpp>
#include <support/process/variables.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace yoke_test {

using opencl_device = opencl_backend::device;
using cuda_device = cuda_backend::device;
using any_device = yoke::device<yoke::any_port>;

/// Devices, or why there is none.
template <class Device>
struct selection {
  std::vector<Device> devices;
  std::string reason;
};

/// Every backend, behind the port that is chosen at run time.
struct any_backend {
  using device = any_device;
};

/// Effects: makes a context that stays until the process ends. While none lives, PoCL 3.1 takes half a second for the first
/// compilation of the next; under the sanitizers of a GPU, a primary context takes seconds, and stays where the variable says so.
inline void keep_context(const any_device& of) {
  if (of.backend_name() == std::string_view(opencl_backend::name)) {
    const opencl_device device = opencl_backend::from(of);
    auto* native = device.native_handle();
    (void)device.port().table()->create_context(nullptr, 1, &native, nullptr, nullptr, nullptr);
  } else if (std::getenv("YOKE_TEST_KEEP_CONTEXTS") != nullptr) {
    const cuda_device device = cuda_backend::from(of);
    cuda_abi::context stays = nullptr;
    (void)device.port().table()->primary_context_retain(&stays, device.native_handle());
  }
}

/// Returns: the selected devices of a backend: what `$YOKE_TEST_DEVICES` names, a specification as of
/// `yoke::select_devices`; "" means all.
template <class Backend>
const selection<typename Backend::device>& test_devices();

template <>
inline const selection<any_device>& test_devices<any_backend>() {
  static const selection<any_device> once = [] {
    selection<any_device> found;
    const char* const specification = std::getenv("YOKE_TEST_DEVICES");
    try {
      found.devices = yoke::select_devices(specification == nullptr ? "" : specification);
    } catch (const yoke::unsupported_error& e) {
      found.reason = e.what();
    }
    for (const any_device& each : found.devices) keep_context(each);
    return found;
  }();
  return once;
}

template <class Backend>
const selection<typename Backend::device>& test_devices() {
  static const auto once = [] {
    selection<typename Backend::device> found;
    for (const any_device& each : test_devices<any_backend>().devices) {
      if (each.backend_name() == std::string_view(Backend::name)) found.devices.push_back(Backend::from(each));
    }
    const yoke::availability available = Backend::available();
    if (!available) {
      found.reason = available.reason;
    } else if (test_devices<any_backend>().devices.empty()) {
      found.reason = test_devices<any_backend>().reason;
    } else {
      found.reason = "YOKE_TEST_DEVICES names none of ";
      found.reason.append(Backend::name);
    }
    return found;
  }();
  return once;
}

/// Effects: notes the device of a case for processes that the case starts. Returns: whether this process is one that was
/// started for another device.
inline bool is_for_another_device(std::size_t index) {
  const std::string number = std::to_string(index);
  const char* const parents = std::getenv("YOKE_TEST_CHILD") == nullptr ? nullptr : std::getenv("YOKE_TEST_DEVICE");
  if (parents != nullptr) return parents != number;
  set_variable("YOKE_TEST_DEVICE", number.c_str());
  return false;
}

}  // namespace yoke_test

// A test case of shared behaviour, registered once a backend. The body gets `device`, of the backend's static type, and
// runs once for each selected device (and each path through its sections). It is a template over `Backend`; the
// backend's handles are `backend::stream`, `backend::device_allocation<int>`, ...
//   YOKE_DEVICE_TEST_CASE("a buffer holds what was written", "[memory]") { backend::context context{device}; ... }
#define YOKE_DEVICE_TEST_CASE(title, tags) YOKE_TEST_SHARED(YOKE_TEST_UNIQUE(__LINE__), title, tags)
// The same on one backend alone.
#define YOKE_OPENCL_TEST_CASE(title, tags)                                                                             \
  YOKE_TEST_OF_BACKEND(YOKE_TEST_UNIQUE(__LINE__), ::yoke_test::opencl_backend, title, tags)
#define YOKE_CUDA_TEST_CASE(title, tags)                                                                               \
  YOKE_TEST_OF_BACKEND(YOKE_TEST_UNIQUE(__LINE__), ::yoke_test::cuda_backend, title, tags)
// The same for every backend at once; `device` is a `yoke::device<yoke::any_port>`.
#define YOKE_ANY_DEVICE_TEST_CASE(title, tags)                                                                         \
  YOKE_TEST_OF_BACKEND(YOKE_TEST_UNIQUE(__LINE__), ::yoke_test::any_backend, title, tags)

#define YOKE_TEST_UNIQUE(line) YOKE_TEST_UNIQUE_OF(line)
#define YOKE_TEST_UNIQUE_OF(line) yoke_device_test_##line
#define YOKE_TEST_ON_DEVICES(function, Backend, title, tags)                                                           \
  TEST_CASE(title, tags) {                                                                                             \
    const auto& found = ::yoke_test::test_devices<Backend>();                                                          \
    if (found.devices.empty()) YOKE_SKIP("no device: " + found.reason.substr(0, found.reason.find('\n')));             \
    const std::size_t index = GENERATE_REF(range(std::size_t{0}, found.devices.size()));                               \
    if (::yoke_test::is_for_another_device(index)) return;                                                             \
    const auto& device = found.devices[index];                                                                         \
    INFO("device " << device.backend_name() << ": " << device.name());                                                 \
    function(device);                                                                                                  \
  }
#define YOKE_TEST_OF_BACKEND(function, Backend, title, tags)                                                           \
  static void function(const Backend::device& device);                                                                 \
  YOKE_TEST_ON_DEVICES(function, Backend, title, tags)                                                                 \
  static void function([[maybe_unused]] const Backend::device& device)
// The body is a member of a class template, so that it finds the handles' names in it without `typename`.
#define YOKE_TEST_SHARED(unique, title, tags)                                                                          \
  namespace {                                                                                                          \
  namespace unique {                                                                                                   \
  template <class Backend>                                                                                             \
  struct backend {                                                                                                     \
    using port = typename Backend::port;                                                                               \
    using calls = typename Backend::calls;                                                                             \
    using codes = typename Backend::codes;                                                                             \
    using interposer = typename Backend::interposer;                                                                   \
    YOKE_TEST_NAMES(port)                                                                                              \
    static void run(const yoke::device<port>& device);                                                                 \
  };                                                                                                                   \
  }                                                                                                                    \
  }                                                                                                                    \
  YOKE_TEST_ON_DEVICES(unique::backend<::yoke_test::opencl_backend>::run, ::yoke_test::opencl_backend,                 \
                       title " (OpenCL)", "[opencl]" tags)                                                             \
  YOKE_TEST_ON_DEVICES(unique::backend<::yoke_test::cuda_backend>::run, ::yoke_test::cuda_backend, title " (CUDA)",    \
                       "[cuda]" tags)                                                                                  \
  template <class Backend>                                                                                             \
  void unique::backend<Backend>::run([[maybe_unused]] const yoke::device<port>& device)

#endif

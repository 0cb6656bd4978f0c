// SPDX-License-Identifier: MIT
// The driver's table for loops that make thousands of contexts, where making one takes long.
#ifndef YOKE_TESTS_SUPPORT_SPARED_CONTEXTS_HPP
#define YOKE_TESTS_SUPPORT_SPARED_CONTEXTS_HPP

#include <support/raw_opencl.hpp>

#include <chrono>
#include <mutex>
#include <vector>

namespace yoke_test {

namespace detail {

/// A context that stays for the rest of the process, and what it was made with.
struct spared_context {
  std::vector<std::intptr_t> properties;
  std::vector<abi::device> devices;
  abi::context context;
};

/// Returns: a context of the driver; when making one takes long, one that nobody but the list refers to any more.
inline abi::context spare_context(const std::intptr_t* properties, abi::uint count, const abi::device* devices,
                                  abi::context_callback callback, void* data, abi::status* status) {
  using namespace std::chrono_literals;
  static std::mutex mutex;
  static std::vector<spared_context> list;
  const abi::functions& cl = raw_opencl();
  constexpr abi::uint reference_count = 0x1080;

  spared_context wanted{{}, {devices, devices + count}, nullptr};
  for (const std::intptr_t* each = properties; each != nullptr && *each != 0; ++each)
    wanted.properties.push_back(*each);
  const std::lock_guard lock(mutex);
  for (const spared_context& each : list) {
    abi::uint references = 0;
    if (each.properties != wanted.properties || each.devices != wanted.devices ||
        cl.get_context_info(each.context, reference_count, sizeof references, &references, nullptr) != 0 ||
        references != 1) {
      continue;
    }
    const abi::status retained = cl.retain_context(each.context);
    if (status != nullptr) *status = retained;
    return retained == 0 ? each.context : nullptr;
  }
  const auto before = std::chrono::steady_clock::now();
  wanted.context = cl.create_context(properties, count, devices, callback, data, status);
  // NVIDIA's driver takes about a tenth of a second, the others less than a millisecond.
  const bool slow = std::chrono::steady_clock::now() - before > 20ms;
  if (slow && wanted.context != nullptr && cl.retain_context(wanted.context) == 0) list.push_back(wanted);
  return wanted.context;
}

}  // namespace detail

/// Returns: the driver's table, but for contexts that cost much: those are used again once they are free.
/// Each context handed out is nobody else's, so that what is counted and released stays as it is on the driver.
inline const abi::functions& thrifty_opencl() {
  static const abi::functions table = [] {
    abi::functions copy = raw_opencl();
    if (copy.create_context != nullptr) copy.create_context = &detail::spare_context;
    return copy;
  }();
  return table;
}

}  // namespace yoke_test

#endif

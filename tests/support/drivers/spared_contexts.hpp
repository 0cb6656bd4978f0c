// SPDX-License-Identifier: MIT
// The driver's table for tests that make a context each, where a context's first compilation takes long, or making it.
#ifndef YOKE_TESTS_SUPPORT_SPARED_CONTEXTS_HPP
#define YOKE_TESTS_SUPPORT_SPARED_CONTEXTS_HPP

#include <support/drivers/raw_opencl.hpp>

#include <algorithm>
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

/// Returns: whether each of the devices is no part of another one, so that it stays.
inline bool all_are_roots(const abi::device* devices, abi::uint count) {
  constexpr abi::uint parent_device = 0x1042;
  return std::all_of(devices, devices + count, [](const abi::device each) {
    abi::device parent = nullptr;
    return raw_opencl().get_device_info(each, parent_device, sizeof(parent), &parent, nullptr) == 0 &&
           parent == nullptr;
  });
}

/// Returns: a context of the driver; one that nobody but the list refers to any more, if there is one.
inline abi::context spare_context(const std::intptr_t* properties, abi::uint count, const abi::device* devices,
                                  abi::context_callback callback, void* data, abi::status* status) {
  static std::mutex mutex;
  static std::vector<spared_context> list;
  const abi::functions& cl = raw_opencl();
  constexpr abi::uint reference_count = 0x1080;

  if (callback != nullptr || devices == nullptr || !all_are_roots(devices, count)) {
    return cl.create_context(properties, count, devices, callback, data, status);
  }
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
  // NVIDIA's driver takes about a tenth of a second for a context, and PoCL half of one for its first compilation.
  wanted.context = cl.create_context(properties, count, devices, callback, data, status);
  if (wanted.context != nullptr && cl.retain_context(wanted.context) == 0) list.push_back(wanted);
  return wanted.context;
}

}  // namespace detail

/// Returns: a driver's table, but for contexts: those are used again once they are free.
/// Each context handed out is nobody else's, so that what is counted and released stays as it is on the driver.
inline abi::functions thrifty(const abi::functions& table) {
  abi::functions copy = table;
  if (copy.create_context != nullptr) copy.create_context = &detail::spare_context;
  return copy;
}
/// Returns: that of the driver's own table.
inline const abi::functions& thrifty_opencl() {
  static const abi::functions table = thrifty(raw_opencl());
  return table;
}

}  // namespace yoke_test

#endif

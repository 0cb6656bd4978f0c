// SPDX-License-Identifier: MIT
// The library's part.
#include "maps.hpp"

#include <yoke/opencl/map.hpp>

void while_mapped(const void* memory, const void* stream, const std::function<void()>& act) {
  using allocation = yoke::opencl::device_allocation<int>;
  const auto view = yoke::opencl::map(*static_cast<allocation*>(const_cast<void*>(memory)),
                                      *static_cast<const yoke::opencl::stream*>(stream), yoke::opencl::map_read);
  act();
}

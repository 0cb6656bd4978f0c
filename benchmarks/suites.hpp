// SPDX-License-Identifier: MIT
// Where a device's operations come from.
#ifndef YOKE_BENCHMARKS_SUITES_HPP
#define YOKE_BENCHMARKS_SUITES_HPP

#include <yoke/yoke.hpp>

#include "burst.hpp"

namespace bench {

suite cuda_suite(const yoke::device<yoke::any_port>& device);
suite opencl_suite(const yoke::device<yoke::any_port>& device);

/// Effects: adds compilations, cold and from caches.
void add_compilations(suite& into, const yoke::device<yoke::any_port>& device);

inline suite suite_of(const yoke::device<yoke::any_port>& device) {
  suite result = std::string_view(device.backend_name()) == "cuda" ? cuda_suite(device) : opencl_suite(device);
  add_compilations(result, device);
  return result;
}

}  // namespace bench

#endif

// SPDX-License-Identifier: MIT
// What tests of recorded arrays share.
#ifndef YOKE_TESTS_ARRAY_RECORDED_RIG_HPP
#define YOKE_TESTS_ARRAY_RECORDED_RIG_HPP

#include <array/array_rig.hpp>
#include <support/devices/settle.hpp>

#include <yoke/graph.hpp>

#include <string_view>

namespace yoke_test::arrays {

/// A rig whose end waits for what launches kept, which may keep the context.
struct recorded_rig : any_rig {
  using any_rig::any_rig;
  ~recorded_rig() { settle(stream); }
};

/// Whether it is a CUDA driver without conditional nodes.
inline bool lacks_conditions(const yoke::device<>& device) {
  return device.backend_name() == std::string_view("cuda") &&
         yoke::as_cuda(device).port().table()->graph_add_node == nullptr;
}

}  // namespace yoke_test::arrays

#endif

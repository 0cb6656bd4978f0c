// SPDX-License-Identifier: MIT
// The shared object's part: linked with the program, or opened by it.
#include "side.hpp"

#include <stdexcept>
#include <string>
#include <utility>

void act(const char* what, handles& with) {
  const std::string how = what;
  if (how == "allocate") {
    with.memory = cu::device_allocation<int>(with.context, 16, with.stream);
  } else if (how == "record") {
    with.point = with.stream.record();
  } else if (how == "free") {
    with.memory.reset();
  } else if (how == "end the stream") {
    with.stream.reset();
  } else if (how == "guard") {
    with.guard = with.context.activate();
  } else if (how == "end the guard") {
    const cu::active_context ends = std::move(with.guard);
  } else if (how == "device of a context") {
    with.device = cu::port{with.table}.context_devices(with.native, {}).front().native();
  } else if (how == "export") {
    with.binary = with.module.export_binary();
  } else if (how == "fail") {
    with.code = {218, cu::error_category()};  // CUDA_ERROR_INVALID_PTX
    const auto gone = cu::context::borrow(cu::port{with.table}, with.native);
    (void)cu::memory_of(gone);
  } else {
    throw std::runtime_error("nothing is called " + how);
  }
}

// SPDX-License-Identifier: MIT
// What a shared object does with CUDA's handles that the program gives it.
#ifndef YOKE_TESTS_CONSUMERS_SEPARATE_OBJECTS_CUDA_SIDE_HPP
#define YOKE_TESTS_CONSUMERS_SEPARATE_OBJECTS_CUDA_SIDE_HPP

#include <yoke/cuda.hpp>

#include <cstddef>
#include <system_error>
#include <vector>

namespace cu = yoke::cuda;

/// What both sides use, and what the shared object leaves in it.
struct handles {
  explicit handles(const cu::device& device) : context(device), stream(context) {}
  cu::context context;
  cu::stream stream;
  cu::device_allocation<int> memory;
  cu::active_context guard;
  cu::event point;
  cu::module module;
  std::vector<std::byte> binary;
  const cu::abi::functions* table = nullptr;
  cu::abi::context native = nullptr;
  int device = -1;
  std::error_code code;
};
using named_action = void(const char* what, handles& with);

/// Effects: does what `what` says. Throws: what goes wrong.
extern "C" __attribute__((visibility("default"))) void act(const char* what, handles& with);

#endif

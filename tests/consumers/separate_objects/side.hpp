// SPDX-License-Identifier: MIT
// What a shared object does with the handles that the program gives it.
#ifndef YOKE_TESTS_CONSUMERS_SEPARATE_OBJECTS_SIDE_HPP
#define YOKE_TESTS_CONSUMERS_SEPARATE_OBJECTS_SIDE_HPP

#include <yoke/yoke.hpp>

struct handles {
  const yoke::opencl::stream& stream;
  yoke::opencl::device_allocation<int>& memory;
  yoke::opencl::device_allocation<int>& other;
  yoke::opencl::kernel<void(int*)>& twice;
};
using action = void(const handles&);
using named_action = void(const char* what, const handles&, action* other_side);

#define YOKE_FROM_OUTSIDE extern "C" __attribute__((visibility("default")))
/// Effects: does what `what` says: "map" and "gate" around the other side's action, "use" and "wait" by themselves.
YOKE_FROM_OUTSIDE void act(const char* what, const handles& with, action* other_side);

/// How many of four uses of mapped memory are refused: a copy in the stream, one that blocks, a launch, one of a span.
inline int refusals(const handles& with) {
  int refused = 0;
  const auto use = [&](auto&& as_it_likes) {
    try {
      as_it_likes();
    } catch (const yoke::logic_error& e) {
      refused += static_cast<int>(e.code() == yoke::errc::mapped);
    }
  };
  use([&] { yoke::enqueue_copy(with.memory, with.other, with.stream); });
  use([&] { yoke::copy(with.memory, with.other, with.stream); });
  use([&] { with.twice(with.stream, yoke::launch_over(1), with.memory); });
  use([&] { with.twice(with.stream, yoke::launch_over(1), with.memory.span()); });
  with.stream.synchronize();
  return refused;
}

#endif

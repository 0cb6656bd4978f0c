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

/// Returns: 1 where memory that is mapped was refused, 0 where it was used.
template <class Use>
int refused_as_mapped(Use use) {
  try {
    use();
  } catch (const yoke::logic_error& e) {
    return static_cast<int>(e.code() == yoke::errc::mapped);
  }
  return 0;
}

/// How many of `uses` of mapped memory are refused: copies in the stream, that block, that are in flight, of it and of a span; a fill;
/// launches with it and with a span.
inline constexpr int uses = 8;
inline int refusals(const handles& with) {
  const int refused = refused_as_mapped([&] { yoke::enqueue_copy(with.memory, with.other, with.stream); }) +
                      refused_as_mapped([&] { yoke::copy(with.memory, with.other, with.stream); }) +
                      refused_as_mapped([&] { yoke::enqueue_copy(with.memory.span(), with.other, with.stream); }) +
                      refused_as_mapped([&] { yoke::copy(with.memory.span(), with.other, with.stream); }) +
                      refused_as_mapped([&] { (void)yoke::copy_async(with.memory, with.other, with.stream); }) +
                      refused_as_mapped([&] { yoke::fill(with.memory, 1, with.stream); }) +
                      refused_as_mapped([&] { with.twice(with.stream, yoke::launch_over(1), with.memory); }) +
                      refused_as_mapped([&] { with.twice(with.stream, yoke::launch_over(1), with.memory.span()); });
  with.stream.synchronize();
  return refused;
}

#endif

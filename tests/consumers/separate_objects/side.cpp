// SPDX-License-Identifier: MIT
// The shared object's part: linked with the program, or opened by it.
#include "side.hpp"

#include <stdexcept>
#include <string>

void act(const char* what, const handles& with, action* other_side) {
  const std::string how = what;
  if (how == "map") {
    const auto view = yoke::opencl::map(with.memory, with.stream, yoke::opencl::map_read);
    other_side(with);
  } else if (how == "use") {
    if (const int refused = refusals(with); refused != uses) {
      throw std::runtime_error("refused " + std::to_string(refused) + " uses of what the program maps");
    }
  } else if (how == "use in a state of its own") {  // of the same native context, whose views it does not count
    const auto context = yoke::opencl::context::borrow(yoke::opencl::port{}, with.stream.context_of().native_handle());
    const auto stream = yoke::opencl::stream::borrow(context, with.stream.native_handle());
    const auto memory = with.memory.span(), other = with.other.span();
    std::vector<int> host(16);
    const int refused = refused_as_mapped([&] { yoke::enqueue_copy(memory, other, stream); }) +
                        refused_as_mapped([&] { yoke::enqueue_copy(other, memory, stream); }) +
                        refused_as_mapped([&] { (void)yoke::copy_async(memory, other, stream); }) +
                        refused_as_mapped([&] { yoke::copy(memory, host, stream); });
    if (refused != 4)
      throw std::runtime_error("refused " + std::to_string(refused) + " of 4 uses in a state of its own");
  } else if (how == "gate") {  // the program enqueues behind an event that then fails
    yoke::opencl::user_event gate(with.stream.context_of());
    with.stream.wait(gate.as_event());
    other_side(with);
    gate.fail(-7);
  } else {
    throw std::runtime_error("nothing is called " + how);
  }
}

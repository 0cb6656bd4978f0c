// SPDX-License-Identifier: MIT
// What one of them has mapped the other refuses, and takes again behind it; what fails behind an event of the other fails,
// and ends nothing else. The other is a shared library of the program, or a plugin.
#include "side.hpp"

#include "../run_with_side.hpp"

namespace {

yoke::transfer<yoke::opencl::port> in_flight;

void run(named_action* side) {
  const yoke::opencl::context context(yoke::opencl::device(yoke::opencl::port{}, 0));
  const yoke::opencl::stream stream(context);
  yoke::opencl::device_allocation<int> memory(context, 16);
  yoke::opencl::device_allocation<int> other(context, 16);
  const auto module = yoke::compile(context, "__kernel void twice(__global int* a) { a[0] *= 2; }");
  auto twice = module.get_kernel<void(int*)>("twice");
  yoke::fill(memory, 1, stream);
  const handles with{stream, memory, other, twice};

  check("refused before", refusals(with), 0);
  side("map", with, [](const handles& given) { check("refused of what it maps", refusals(given), uses); });
  check("refused between", refusals(with), 0);
  {
    const auto view = yoke::opencl::map(memory, stream, yoke::opencl::map_read);
    side("use", with, nullptr);
    side("use in a state of its own", with, nullptr);
  }
  check("refused behind", refusals(with), 0);

  const yoke::opencl::stream doomed(context);  // what has failed fails for good
  side("gate", {doomed, memory, other, twice}, [](const handles& given) {
    yoke::enqueue_copy(given.memory, given.other, given.stream);  // of which nobody holds an event
    in_flight = yoke::copy_async(given.other, given.memory, given.stream);
  });
  int failed = 0;
  try {
    in_flight.wait();
  } catch (const yoke::runtime_error&) {
    failed = 1;
  }
  check("failed behind its event", failed, 1);
}

}  // namespace

int main() { return run_with_side(run); }

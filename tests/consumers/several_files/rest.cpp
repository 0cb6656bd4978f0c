// SPDX-License-Identifier: MIT
// Uses the umbrellas that the implementation does not name.
#include "rest.hpp"

#include <yoke/cache.hpp>
#include <yoke/link.hpp>
#include <yoke/struct.hpp>

#include <array>

struct point {
  float x;
  int number;
};
YOKE_STRUCT(point, x, number);

namespace {

bool caches_and_times(const yoke::context<>& context) {
  const yoke::stream<> stream(context, {.timing = true});
  const yoke::program_cache cache;
  for (int i = 0; i < 2; ++i) {
    const auto module = yoke::compile(context, R"(
      YOKE_KERNEL count(YOKE_GLOBAL point* at) { if (get_global_id(0) == 0) at[0].number += 1; })",
                                      {.cache = &cache, .types = {yoke::describe_struct<point>()}});
    const auto count = module.get_kernel<void(point*)>("count");
    std::array<point, 1> points{point{1.5f, 6}};
    const yoke::timed_event<> before = stream.record_timed();
    count(stream, yoke::launch_over(1), yoke::in_out(points));
    const yoke::timed_event<> after = stream.record_timed();
    after.wait();
    if (points[0].number != 7 || points[0].x != 1.5f || after.time_since(before).count() < 0) return false;
  }
  return true;
}

bool links() {
  yoke::cuda::linker().add_source("");
  if (!yoke::opencl::available()) return true;
  const yoke::opencl::context context(yoke::opencl::device(0));
  const auto part = yoke::opencl::compile_part(context, "int seven(void) { return 7; }");
  const auto other = yoke::opencl::compile_part(context, R"(
    int seven(void);
    __kernel void write(__global int* to) { to[0] = seven(); })");
  const auto module = yoke::opencl::link(context, {part, other});
  std::array<int, 1> written{};
  module.get_kernel<void(int*)>("write")(yoke::opencl::stream(context), yoke::launch_over(1), yoke::out(written));
  return written[0] == 7;
}

}  // namespace

bool use_the_rest(const yoke::context<>& context) { return caches_and_times(context) && links(); }

// SPDX-License-Identifier: MIT
// Only timed events carry times.
// expect 1: has no member named .time_since|no member named 'time_since'
// expect 2: has no member named .times|no member named 'times'
// expect 3: (cannot convert|no viable conversion|invalid initialization|no known conversion)
#include <yoke/opencl/opencl.hpp>

namespace ocl = yoke::opencl;

extern const ocl::timed_event& start;
extern const ocl::timed_event& stop;
extern const ocl::event& plain;

void use() {
#if YOKE_BAD == 1
  (void)plain.time_since(plain);
#elif YOKE_BAD == 2
  (void)plain.times();
#elif YOKE_BAD == 3
  (void)stop.time_since(plain);
#else
  (void)stop.time_since(start);
  (void)stop.times();
  plain.wait();
#endif
}

int main() {}

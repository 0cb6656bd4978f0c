// SPDX-License-Identifier: MIT
// Only timed events carry times, and on CUDA they are points, not commands with four times.
// expect 1: has no member named .time_since|no member named 'time_since'
// expect 2: (cannot convert|no viable conversion|invalid initialization|no known conversion)
// expect 3: (constraints not satisfied|no matching function|no matching member function|invalid reference to function)
// expect 4: has no member named .time_since|no member named 'time_since'
// expect 5: timed_event_options
// expect 6: (no matching function|no known conversion|cannot convert|invalid initialization)
#include <yoke/yoke.hpp>

namespace cu = yoke::cuda;

extern const cu::timed_event& start;
extern const cu::timed_event& stop;
extern const cu::event& plain;
extern const cu::context& context;

void use() {
#if YOKE_BAD == 1
  (void)plain.time_since(plain);
#elif YOKE_BAD == 2
  (void)stop.time_since(plain);
#elif YOKE_BAD == 3
  (void)stop.times();
#elif YOKE_BAD == 4
  (void)cu::create_event(context, {.blocking = true}).time_since(start);
#elif YOKE_BAD == 5
  (void)cu::create_timed_event(context, {.interprocess = true});
#elif YOKE_BAD == 6
  (void)cu::share(start);
#else
  (void)cu::create_timed_event(context, {.blocking = true}).time_since(start);
  (void)cu::share(cu::create_event(context, {.blocking = true, .interprocess = true}));
  (void)stop.time_since(start);
  plain.wait();
#endif
}

int main() {}

// SPDX-License-Identifier: MIT
// Operations that a forked process has to refuse.
#ifndef YOKE_TESTS_SUPPORT_FORKED_HPP
#define YOKE_TESTS_SUPPORT_FORKED_HPP

#include <support/catch.hpp>
#include <yoke/yoke.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace yoke_test {

/// Returns: 1 unless `act` is refused because this process was forked.
template <class Act>
int not_refused(const char* what, Act act) {
  std::string how = "nothing was thrown";
  try {
    act();
  } catch (const yoke::unsupported_error& e) {
    if (std::string(e.what()).find("forked") != std::string::npos) return 0;
    how = e.what();
  } catch (const std::exception& e) {
    how = e.what();
  }
  std::fprintf(stderr, "after fork, %s: %s\n", what, how.c_str());
  return 1;
}
#define NOT_REFUSED(...) not_refused(#__VA_ARGS__, [&] { (void)(__VA_ARGS__); })

/// Returns: how many operations that each backend has are not refused in a forked process.
template <class Port>
int shared_not_refused(const yoke::device<Port>& device, const yoke::context<Port>& context,
                       const yoke::stream<Port>& stream, yoke::device_allocation<int, Port>& plain,
                       yoke::device_allocation<int, Port>& ordered, yoke::pagelocked_array<int, Port>& host,
                       yoke::event<Port>& point, const yoke::timed_event<Port>& first,
                       const yoke::timed_event<Port>& last, const yoke::kernel<void(int*), Port>& kernel) {
  std::vector<int> own(16);
  return NOT_REFUSED(yoke::context<Port>(device)) + NOT_REFUSED(yoke::stream<Port>(context)) +
         // Without a named driver OpenCL's devices are left.
         (std::getenv("YOKE_CUDA_DRIVER") != nullptr ? NOT_REFUSED(yoke::devices()) : 0) + NOT_REFUSED(stream.flush()) +
         // OpenCL keeps memory until its work is done.
         (std::string_view(device.backend_name()) == "opencl"
              ? 0
              : NOT_REFUSED(plain.record_use(stream)) + NOT_REFUSED(ordered.record_use(stream))) +
         NOT_REFUSED(stream.synchronize()) + NOT_REFUSED(stream.is_done()) + NOT_REFUSED(stream.record()) +
         NOT_REFUSED(stream.record_timed()) + NOT_REFUSED(stream.record_into(point)) + NOT_REFUSED(stream.wait(point)) +
         NOT_REFUSED(point.wait()) + NOT_REFUSED(point.is_done()) + NOT_REFUSED(point.status()) +
         NOT_REFUSED(last.time_since(first)) + NOT_REFUSED(yoke::device_allocation<int, Port>(context, 16)) +
         NOT_REFUSED(yoke::device_allocation<int, Port>(context, 16, stream)) +
         NOT_REFUSED(yoke::pagelocked_array<int, Port>(context, 16)) + NOT_REFUSED(yoke::copy(own, plain, stream)) +
         NOT_REFUSED(yoke::copy(plain, own, stream)) + NOT_REFUSED(yoke::enqueue_copy(plain, ordered, stream)) +
         NOT_REFUSED(yoke::enqueue_copy(host, plain, stream)) + NOT_REFUSED(yoke::copy_async(plain, host, stream)) +
         NOT_REFUSED(yoke::copy(yoke::strided(host, {.width = 2, .height = 2, .row_pitch = 4}),
                                yoke::strided(plain, {.width = 2, .height = 2, .row_pitch = 4}), stream)) +
         NOT_REFUSED(yoke::fill(plain, 0, stream)) + NOT_REFUSED(yoke::fill(ordered, 7, stream)) +
         NOT_REFUSED(kernel(stream, yoke::launch_over(1), plain)) +
         NOT_REFUSED(kernel.enqueue(stream, yoke::launch_over(1), plain)) +
         NOT_REFUSED(yoke::compile(context, "YOKE_KERNEL other(YOKE_GLOBAL int* a) { a[0] = 1; }"));
}

/// Effects: forks, and checks that `wrong()` is 0 there.
template <class Wrong>
void in_fork(Wrong wrong) {
  std::fflush(nullptr);
  const pid_t forked = ::fork();
  if (forked == 0) {
    ::alarm(60);  // what waits for threads of the parent waits for ever
    ::_exit(wrong());
  }
  int status = -1;
  REQUIRE(::waitpid(forked, &status, 0) == forked);
  CHECK(status == 0);
}

}  // namespace yoke_test

#endif

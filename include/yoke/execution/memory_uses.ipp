// SPDX-License-Identifier: MIT
// Bodies of execution/memory_uses.hpp.
#ifndef YOKE_EXECUTION_MEMORY_USES_IPP
#define YOKE_EXECUTION_MEMORY_USES_IPP

#include <yoke/execution/memory_uses.hpp>

namespace yoke::inline v0_1::detail {

std::uint64_t this_thread_number() noexcept {
  static atomic<std::uint64_t> threads{0};
  thread_local const std::uint64_t mine = threads.fetch_add(1, order::relaxed) + 1;
  return mine;
}
void throw_stream_of_other_thread(const source_location& where) {
  throw_error(errc::invalid_argument,
              "an array belongs to the per-thread default stream of another thread, for which nothing can wait: make "
              "arrays that threads share in a stream of their own, or order the work yourself and pass a.bind(stream)",
              where);
}
void throw_work_before_capture(const source_location& where) {
  throw_error(
      errc::invalid_argument,
      "captured work would have to wait for another stream's work with an array, which is not captured: let that "
      "be done before the capture, make the array in the stream that is captured, or order the work yourself and "
      "pass a.bind(stream)",
      where);
}

}  // namespace yoke::inline v0_1::detail

#endif

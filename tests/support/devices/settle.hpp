// SPDX-License-Identifier: MIT
// Waits for what a context's callback thread holds, which may be handles of the context.
#ifndef YOKE_TESTS_SUPPORT_SETTLE_HPP
#define YOKE_TESTS_SUPPORT_SETTLE_HPP

#include <support/soon.hpp>

#include <yoke/execution/stream.hpp>

#include <future>

namespace yoke_test {

/// Effects: waits until the callback thread of the stream's context has run all that it has for this stream.
template <class Port>
void settle(const yoke::stream<Port>& stream) {
  std::promise<void> promise;
  auto done = promise.get_future();
  stream.record().on_complete([&](yoke::event_status) { promise.set_value(); });
  stream.flush();
  soon(done);
}

}  // namespace yoke_test

#endif

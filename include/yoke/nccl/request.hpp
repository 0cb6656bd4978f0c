// SPDX-License-Identifier: MIT
// Communication in flight, whose result another stream can take.
#ifndef YOKE_NCCL_REQUEST_HPP
#define YOKE_NCCL_REQUEST_HPP

#include <yoke/execution/stream.hpp>

namespace yoke::inline v0_1::nccl {

/// Messages that a stream of NCCL's runs. Dropping it does not stop them. Move-only. Thread safety: one thread at a time.
template <class Port = any_port>
class [[nodiscard]] request {
 public:
  request() noexcept = default;
  explicit request(event<Port> done) noexcept : done_(std::move(done)) {}

  /// Lets later commands of a stream see the result. Throws: `error`.
  void finish(const stream<Port>& in, const source_location& where = source_location::current()) const {
    if (done_) in.wait(done_, where);
  }
  /// Returns when the messages have arrived. It has no deadline: `communicator::wait` has. Throws: `error`.
  void wait(const source_location& where = source_location::current()) const {
    if (done_) done_.wait(where);
  }
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) const {
    return !done_ || done_.is_done(where);
  }

 private:
  event<Port> done_{};
};

}  // namespace yoke::inline v0_1::nccl

#endif

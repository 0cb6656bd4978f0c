// SPDX-License-Identifier: MIT
// Communication in flight, whose result another stream can take.
#ifndef YOKE_NCCL_REQUEST_HPP
#define YOKE_NCCL_REQUEST_HPP

#include <yoke/execution/stream.hpp>
#include <yoke/nccl/engine.hpp>

#include <memory>

namespace yoke::inline v0_1::nccl {

/// Messages that a stream of NCCL's runs. Dropping it does not stop them. Move-only. Thread safety: one thread at a time.
template <class Port = any_port>
class [[nodiscard]] request {
 public:
  request() noexcept = default;
  request(event<Port> done, const std::shared_ptr<detail::engine>& of) noexcept : done_(std::move(done)), of_(of) {}

  /// Lets later commands of a stream see the result. Throws: `error`.
  void finish(const stream<Port>& in, const source_location& where = source_location::current()) const {
    if (done_) in.wait(done_, where);
  }
  /// Returns when the messages have arrived. Throws: as `communicator::wait`; when the communicator has failed before.
  void wait(const source_location& where = source_location::current()) const {
    if (!done_) return;
    // The end of a communicator has waited for its streams, or aborted what they have of it.
    if (const auto of = of_.lock()) of->wait_until([&] { return done_.is_done(where); }, where);
    done_.wait(where);
  }
  [[nodiscard]] bool is_done(const source_location& where = source_location::current()) const {
    return !done_ || done_.is_done(where);
  }

 private:
  event<Port> done_{};
  std::weak_ptr<detail::engine> of_{};
};

}  // namespace yoke::inline v0_1::nccl

#endif

// SPDX-License-Identifier: MIT
// The backend's part of memory pools that every kind of memory shares: points in streams, and the base of pools.
#ifndef YOKE_MEMORY_CONTEXT_POOL_HPP
#define YOKE_MEMORY_CONTEXT_POOL_HPP

#include <yoke/execution/memory_uses.hpp>
#include <yoke/memory/block_pool.hpp>
#include <yoke/memory/device_allocation.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// A point that owns a native event.
template <class Port>
class event_point final : public pool_point {
 public:
  event_point(const context<Port>& in, typename Port::event_handle native) noexcept : context_(in), native_(native) {}
  /// Returns: a point that owns one reference to a native event. Throws: `std::bad_alloc`; then releases the reference.
  [[nodiscard]] static shared<pool_point> own(const yoke::context<Port>& in, typename Port::event_handle native) {
    try {
      return make_shared<event_point>(in, native);
    } catch (...) {
      const context_state<Port>& state = *in.shared();
      state.report(state.port.release_event(native));
      throw;
    }
  }
  ~event_point() override {
    const context_state<Port>& in = context_.state();
    if (!in.left_us()) in.report(in.port.release_event(native_));
  }
  [[nodiscard]] typename Port::event_handle native_handle() const noexcept { return native_; }
  [[nodiscard]] bool is_done() noexcept override {
    if (done_.load(order::acquire)) return true;
    bool done = true;
    try {
      const event_status now =
          context_.state().left_us() ? event_status::complete : context_.state().port.status(native_, {});
      done = now == event_status::complete || now == event_status::failed;
    } catch (...) {  // a lost context runs no work: done
    }
    if (done) done_.store(true, order::release);
    return done;
  }
  void wait() noexcept override {
    try {
      if (!context_.state().left_us()) context_.state().port.wait(native_, {});
    } catch (...) {  // a failed command has ended, too, and does not concern the pool
    }
  }

 private:
  context_reference<Port> context_;
  typename Port::event_handle native_;
  atomic<bool> done_{false};
};

/// Returns: a point behind the work of a native stream; null if the stream has ended with its context.
template <class Port>
shared<pool_point> record_point(const context<Port>& context, typename Port::stream_handle native,
                                const source_location& where) {
  const context_state<Port>& in = context.state(where);
  if (in.left_us()) return nullptr;
  return event_point<Port>::own(context, port_traits<Port>::record_in(in.port, in.native, native, where));
}

/// Effects: makes the next user of an idle block wait for the streams of `uses`.
template <class Port>
void record_uses(const context<Port>& in, stream_uses<Port>& uses, pool_block& block) noexcept {
  for (const auto native : uses.natives()) {
    try {
      if (auto point = record_point<Port>(in, native, {})) block.add_point(std::move(point));
    } catch (...) {  // the stream could not record: this thread waits, so that the block is not reused too early
      try {
        in.state().port.synchronize(native, {});
      } catch (...) {
        report_pool_failure();
      }
    }
  }
  uses = {};
}

template <class Port>
class pool_stream_of final : public pool_stream {
 public:
  /// `in` is the pool's context, whose copies may not keep it alive.
  pool_stream_of(const context<Port>& in, const stream<Port>& of, const source_location& where)
      : context_(in), native_(of, where) {}
  [[nodiscard]] typename Port::stream_handle native_handle() const noexcept { return native_.native_handle(); }
  [[nodiscard]] shared<pool_point> record(const source_location& where) override {
    return record_point<Port>(context_.get(), native_handle(), where);
  }
  void wait(pool_point& point, const source_location& where) override {
    const auto event = static_cast<event_point<Port>&>(point).native_handle();
    context_.state().port.wait_in_stream(native_handle(), std::span(&event, 1), where);
  }
  void synchronize(const source_location& where) override { context_.state().port.synchronize(native_handle(), where); }

 private:
  context_reference<Port> context_;
  retained_stream<Port> native_;
};

/// Throws: `logic_error` for an empty stream or a stream of another context; `unsupported_error` for CUDA's per-thread
/// default stream, one handle for a different stream in each thread.
template <class Port>
const stream<Port>& checked_pool_stream(const context<Port>& in, const stream<Port>& stream,
                                        const source_location& where) {
  if (!stream) [[unlikely]]
    throw_error(errc::empty_handle, "the stream is empty (moved from or never made)", where);
  if (stream.context_of().shared() != in.shared() && !(stream.context_of() == in)) [[unlikely]]
    throw_error(errc::wrong_context, "the stream is of another context than the pool", where);
  if (is_per_thread(stream)) [[unlikely]]
    throw_error(errc::unsupported,
                "the per-thread default stream is another stream in each thread: a pool needs a stream that is made",
                where);
  return stream;
}

/// The state that the handles of a pool share, for every kind of memory.
template <class Port>
class context_pool : public block_pool, public shared_count {
 public:
  context_pool(const context<Port>& in, const pool_options& options, bool host_uses, ending with)
      : block_pool(options, largest_block_of(in), host_uses), shared_count(with), context(in) {}

  const yoke::context<Port> context;

 protected:
  shared<pool_stream> make_stream(const void* stream, const source_location& where) override {
    return make_shared<pool_stream_of<Port>>(context, *static_cast<const yoke::stream<Port>*>(stream), where);
  }
  // For pools that cannot adopt memory.
  [[nodiscard]] std::uint64_t native_of(const pool_block&) const noexcept override { return 0; }
  void share() noexcept override { this->add(); }
  void drop() noexcept override { shared_count::drop(); }

 private:
  static std::size_t largest_block_of(const yoke::context<Port>& in) {
    std::size_t least = ~std::size_t{0};
    for (const device_limits& each : in.shared()->limits) {
      if (each.max_allocation_bytes != 0) least = (std::min<std::size_t>)(least, each.max_allocation_bytes);
    }
    return least;
  }
};

/// Returns: an active block of a pool for work in a stream's order; null for 0 bytes.
/// Throws: as `block_pool::take` and `checked_pool_stream`.
template <class Port>
pool_block* take_in_order(context_pool<Port>& from, std::size_t bytes, const stream<Port>& order,
                          const source_location& where) {
  (void)checked_pool_stream(from.context, order, where);
  if (bytes == 0) return nullptr;
  return &from.take(from.cache_of(order.slot(), &order, where), bytes, &order, where);
}

}  // namespace detail

}  // namespace yoke::inline v0_1

#endif

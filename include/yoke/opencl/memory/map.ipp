// SPDX-License-Identifier: MIT
// Bodies of opencl/memory/map.hpp: what a mapping keeps, and how it ends.
#ifndef YOKE_OPENCL_MEMORY_MAP_IPP
#define YOKE_OPENCL_MEMORY_MAP_IPP

#include <yoke/opencl/memory/map.hpp>

#include <utility>

namespace yoke::inline v0_1::opencl::detail {

// One more view maps the memory; one less when this ends. A view that writes stands alone, as OpenCL demands.
class counted_map {
 public:
  counted_map(yoke::detail::map_count count, map_mode mode, const source_location& where)
      : count_(std::move(count)), weight_(mode == map_mode::read ? 1 : writer) {
    const int before = count_->add_view(weight_);
    if (before >= writer || (before != 0 && weight_ == writer)) {
      count_->drop_view(weight_);
      yoke::detail::throw_error(
          errc::mapped,
          "this memory is mapped for the host already: an allocation has any number of views that "
          "read, or one that writes, whatever parts they show",
          where);
    }
  }
  counted_map(const counted_map&) = delete;
  counted_map& operator=(const counted_map&) = delete;
  ~counted_map() { count_->drop_view(weight_); }

 private:
  static constexpr int writer = 1 << 20;
  yoke::detail::map_count count_;
  int weight_;
};

/// Throws: `logic_error` for an empty stream, or one of another context.
inline void check_map_stream(const stream& order, abi::context of, const source_location& where) {
  if (!order) yoke::detail::throw_error(errc::empty_handle, "the stream is empty (moved from or never made)", where);
  if (order.context_of().native_handle() == of) return;
  yoke::detail::throw_error(errc::wrong_context, "the stream is of another context than the memory to be mapped",
                            where);
}
/// Returns: the event of a command that was enqueued in a stream. `order` is null for a stream that has no handle any more.
inline event own_event(const yoke::detail::context_reference<port>& in, const stream* order,
                       abi::event native) noexcept {
  return event::own(order != nullptr ? order->origin() : in, native);
}

class buffer_mapping final : public mapping {
 public:
  buffer_mapping(yoke::detail::map_count count, const mapped_part& part, const stream& order, map_mode mode,
                 map_later* later, const source_location& where)
      : order_(order.origin()),
        queue_(order.native_handle()),
        retained_(order_.keeps_stream() ? yoke::detail::retained_stream<port>()
                                        : yoke::detail::retained_stream<port>(order, where)),
        counted_(std::move(count), mode, where),
        memory_(part.memory) {
    const port& with = order_.state().port;
    with.retain_memory(memory_, where);
    try {
      if (later == nullptr) {
        address_ = with.map(queue_, memory_, part.offset, part.bytes, mode, where);
      } else {
        const auto after = later->after.view(order.context_of(), where);
        abi::event done = nullptr;
        address_ = with.map_later(queue_, memory_, part.offset, part.bytes, mode, after, done, where);
        later->done = event::own(order.origin(), done);
      }
    } catch (...) {
      order_.report(with.release_memory(order_.get().native_handle(), memory_));
      throw;
    }
  }
  ~buffer_mapping() override {
    const port& with = order_.state().port;
    if (!ended_) order_.report(with.unmap(queue_, memory_, address_));
    order_.report(with.release_memory(order_.get().native_handle(), memory_));
  }
  [[nodiscard]] void* address() const noexcept { return address_; }
  event end(const stream* order, const wait_list& after, const source_location& where) override {
    if (order != nullptr) check_map_stream(*order, order_.get().native_handle(), where);
    const abi::event done = order_.state().port.unmap_later(order != nullptr ? order->native_handle() : queue_, memory_,
                                                            address_, after.view(order_.get(), where), where);
    ended_ = true;
    return own_event(order_, order, done);
  }

 private:
  yoke::detail::context_reference<port> order_;
  abi::queue queue_;
  // The queue of a borrowed handle is its owner's. Releasing a queue flushes it: what shares the stream does without.
  yoke::detail::retained_stream<port> retained_;
  counted_map counted_;
  abi::memory memory_;
  void* address_ = nullptr;
  bool ended_ = false;
};

mapped_buffer map_buffer(yoke::detail::map_count count, const mapped_part& part, const stream& order, map_mode mode,
                         map_later* later, const source_location& where) {
  check_map_stream(order, part.context, where);
  if (count == nullptr) count = yoke::detail::make_map_count(order.context_of().state().port.mapped_views());
  auto mapping = yoke::detail::make_owner<buffer_mapping>(std::move(count), part, order, mode, later, where);
  void* address = mapping->address();
  return {address, std::move(mapping)};
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif

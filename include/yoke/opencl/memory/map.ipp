// SPDX-License-Identifier: MIT
// Bodies of opencl/memory/map.hpp: the state of a buffer's mapping, and its end.
#ifndef YOKE_OPENCL_MEMORY_MAP_IPP
#define YOKE_OPENCL_MEMORY_MAP_IPP

#include <yoke/opencl/memory/map.hpp>

#include <yoke/opencl/memory/counted_map.hpp>

#include <utility>

namespace yoke::inline v0_1::opencl::detail {

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
  // A borrowed handle's queue belongs to its owner. Objects that share the stream do without the flush of a released
  // queue.
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

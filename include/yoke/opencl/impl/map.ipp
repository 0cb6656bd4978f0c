// SPDX-License-Identifier: MIT
// Bodies of opencl/map.hpp: what a mapping keeps, and how it ends.
#ifndef YOKE_OPENCL_IMPL_MAP_IPP
#define YOKE_OPENCL_IMPL_MAP_IPP

#include <yoke/opencl/map.hpp>

namespace yoke::inline YOKE_ABI::opencl::detail {

// One more view maps the memory; one less when this ends. A view that writes stands alone, as OpenCL demands.
class counted_map {
 public:
  counted_map(const yoke::detail::map_count& count, map_mode mode, const source_location& where)
      : count_(count), weight_(mode == map_mode::read ? 1 : writer) {
    const int before = count_->views.fetch_add(weight_);
    if (before >= writer || (before != 0 && weight_ == writer)) {
      count_->views.fetch_sub(weight_);
      yoke::detail::throw_error(
          errc::mapped,
          "this memory is mapped for the host already: an allocation has any number of views that "
          "read, or one that writes, whatever parts they show",
          where);
    }
  }
  counted_map(const counted_map&) = delete;
  counted_map& operator=(const counted_map&) = delete;
  ~counted_map() { count_->views.fetch_sub(weight_); }

 private:
  static constexpr int writer = 1 << 20;
  yoke::detail::map_count count_;
  int weight_;
};

class buffer_mapping final : public mapping {
 public:
  buffer_mapping(const yoke::detail::map_count& count, const mapped_part& part, const stream& order, map_mode mode,
                 const source_location& where)
      : stream_(order, where), context_(order.context_of()), counted_(count, mode, where), memory_(part.memory) {
    const port& with = context_.state().port;
    with.retain_memory(memory_, where);
    try {
      address_ = with.map(order.native_handle(), memory_, part.offset, part.bytes, mode, where);
    } catch (...) {
      context_.report(with.release_memory(context_.get().native_handle(), memory_));
      throw;
    }
  }
  ~buffer_mapping() override {
    const port& with = context_.state().port;
    context_.report(with.unmap(stream_.native_handle(), memory_, address_));
    context_.report(with.release_memory(context_.get().native_handle(), memory_));
  }
  [[nodiscard]] void* address() const noexcept { return address_; }

 private:
  yoke::detail::retained_stream<port> stream_;
  yoke::detail::context_reference<port> context_;
  counted_map counted_;
  abi::memory memory_;
  void* address_ = nullptr;
};

YOKE_INLINE mapped_buffer map_buffer(yoke::detail::map_count count, const mapped_part& part, const stream& order,
                                     map_mode mode, const source_location& where) {
  if (!order) yoke::detail::throw_error(errc::empty_handle, "the stream is empty (moved from or never made)", where);
  if (order.context_of().native_handle() != part.context) {
    yoke::detail::throw_error(errc::wrong_context, "the stream is of another context than the memory to be mapped",
                              where);
  }
  if (count == nullptr) count = yoke::detail::make_map_count();
  auto mapping = yoke::detail::make_owner<buffer_mapping>(count, part, order, mode, where);
  void* address = mapping->address();
  return {address, std::move(mapping)};
}

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif

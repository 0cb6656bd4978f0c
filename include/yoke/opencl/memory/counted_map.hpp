// SPDX-License-Identifier: MIT
// Common parts of mappings of buffers and of SVM: the count of views, and the checks of a mapping's stream.
#ifndef YOKE_OPENCL_MEMORY_COUNTED_MAP_HPP
#define YOKE_OPENCL_MEMORY_COUNTED_MAP_HPP

#include <yoke/memory/map_count.hpp>
#include <yoke/opencl/names.hpp>

#include <utility>

namespace yoke::inline v0_1::opencl::detail {

/// Counts one view that maps the memory, while this lives. OpenCL demands that a writing view is the only one.
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
/// Returns: the event of a command that was enqueued in a stream. `order` is null if the stream has no handle any more.
inline event own_event(const yoke::detail::context_reference<port>& in, const stream* order,
                       abi::event native) noexcept {
  return event::own(order != nullptr ? order->origin() : in, native);
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif

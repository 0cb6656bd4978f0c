// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/peer_copy.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_PEER_COPY_IPP
#define YOKE_DRIVER_CUDA_MEMORY_PEER_COPY_IPP

#include <yoke/driver/cuda/memory/peer_copy.hpp>

#include <yoke/driver/cuda/event.hpp>
#include <yoke/driver/cuda/memory/copy_rows.hpp>
#include <yoke/driver/cuda/port.hpp>

namespace yoke::inline v0_1::cuda {

void peer_copy_functions::copy_between(abi::stream stream, abi::device_pointer source, abi::context source_context,
                                       const box_side& from, abi::device_pointer destination,
                                       abi::context destination_context, const box_side& to, const box_size& box,
                                       completion<abi::event> done, const source_location& where) const {
  const detail::copy_side sides[] = {detail::source_at(source + from.offset, detail::extent_of(from, box)),
                                     detail::destination_at(destination + to.offset, detail::extent_of(to, box))};
  if (box.rows == 1 && box.slices == 1) {
    detail::enqueue_copy<&abi::functions::memcpy_peer_async>(table(), stream, sides, where, destination + to.offset,
                                                             destination_context, source + from.offset, source_context,
                                                             box.row_bytes);
  } else {
    abi::copy_3d request{};
    request.source_type = abi::memory_type::device;
    request.source_device = source + from.offset;
    request.source_context = source_context;
    request.source_pitch = from.row_pitch;
    request.source_height = box.slices == 1 ? 0 : from.slice_pitch / from.row_pitch;
    request.destination_type = abi::memory_type::device;
    request.destination_device = destination + to.offset;
    request.destination_context = destination_context;
    request.destination_pitch = to.row_pitch;
    request.destination_height = box.slices == 1 ? 0 : to.slice_pitch / to.row_pitch;
    request.width_bytes = box.row_bytes;
    request.height = box.rows;
    request.depth = box.slices;
    detail::enqueue_copy<&abi::functions::memcpy_3d_peer_async>(table(), stream, sides, where,
                                                                static_cast<const abi::copy_3d*>(&request));
  }
  detail::finish_or_record(table(), stream, done, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif

// SPDX-License-Identifier: MIT
// Bodies of array/storage/host_view.hpp: copies within the host.
#ifndef YOKE_ARRAY_STORAGE_HOST_VIEW_IPP
#define YOKE_ARRAY_STORAGE_HOST_VIEW_IPP

#include <yoke/array/storage/host_view.hpp>

#include <yoke/array/geometry/merged_copy.hpp>

namespace yoke::inline v0_1::detail {

namespace {
/// The strides of elements in C order without gaps.
struct packed_strides {
  explicit packed_strides(const byte_layout& like) {
    set_dense_strides(like.axes.extents, strides, like.axes.rank, like.element, array_order::c, {});
  }
  std::ptrdiff_t strides[max_array_rank]{};
};
}  // namespace

std::vector<std::byte> pack_on_host(const byte_layout& of, const std::byte* memory) {
  std::vector<std::byte> packed(of.bytes());
  const packed_strides dense(of);
  copy_on_host(packed.data(), memory,
               merge_copy({of.axes.extents, dense.strides, of.axes.rank}, 0, of.axes, of.offset, of.element));
  return packed;
}
void unpack_on_host(const byte_layout& to, std::byte* memory, const std::byte* packed) noexcept {
  const packed_strides dense(to);
  copy_on_host(memory, packed,
               merge_copy(to.axes, to.offset, {to.axes.extents, dense.strides, to.axes.rank}, 0, to.element));
}

}  // namespace yoke::inline v0_1::detail

#endif

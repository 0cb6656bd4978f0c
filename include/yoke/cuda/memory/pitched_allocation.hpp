// SPDX-License-Identifier: MIT
// Device memory in rows, padded for the device.
#ifndef YOKE_CUDA_MEMORY_PITCHED_ALLOCATION_HPP
#define YOKE_CUDA_MEMORY_PITCHED_ALLOCATION_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
struct pitched_facts {
  box_layout box{0, 0};
};
}  // namespace detail

/// `height()` rows of `width()` elements of device memory, `row_pitch()` elements apart, uninitialised. Copies and
/// fills take it as a strided view and never write the gaps between rows. Move-only. Freeing it waits for the device.
/// Zero elements cost no driver call.
/// Thread safety: one non-const handle from one thread at a time.
/// Example: `cuda::pitched_allocation<float> image{ctx, 640, 480}; yoke::copy(host, image, stream);`
template <class T>
class pitched_allocation : public yoke::detail::handle<pitched_allocation<T>, yoke::detail::context_reference<port>,
                                                       abi::device_pointer, detail::pitched_facts> {
  using base = yoke::detail::handle<pitched_allocation<T>, yoke::detail::context_reference<port>, abi::device_pointer,
                                    detail::pitched_facts>;

 public:
  static_assert(device_element<T>, "device memory holds trivially copyable, non-pointer, non-const types");
  // The driver pads for accesses of 4, 8 or 16 bytes; the pitch is a multiple of those.
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "rows are padded for elements of 1, 2, 4, 8 or 16 bytes");
  using element_type = T;
  using value_type = T;
  using port_type = port;
  using native_type = abi::device_pointer;
  static constexpr const char* noun = "pitched allocation";

  pitched_allocation() noexcept = default;
  /// Throws: `memory_error`; `logic_error` for counts that are negative or too large. Wraps `cuMemAllocPitch`.
  template <integer Width, integer Height>
  pitched_allocation(const context& in, Width width, Height height,
                     const source_location& where = source_location::current())
      : pitched_allocation(in, yoke::detail::element_count(width, sizeof(T), where),
                           yoke::detail::element_count(height, 1, where), std::size_t{0}, where) {}
  [[nodiscard]] std::size_t width() const noexcept { return layout().width; }
  [[nodiscard]] std::size_t height() const noexcept { return layout().height; }
  /// The distance of rows, in elements.
  [[nodiscard]] std::size_t row_pitch() const noexcept { return layout().row_pitch; }
  [[nodiscard]] std::size_t row_pitch_bytes() const noexcept { return layout().row_pitch * sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return layout().width == 0 || layout().height == 0; }
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }

  /// All of the memory with its gaps: pass it to kernels together with the pitch. Throws: nothing.
  [[nodiscard]] device_span<T> span() noexcept {
    return {context_of().native_handle(), this->native_handle(), 0, layout().row_pitch * layout().height};
  }
  [[nodiscard]] device_span<const T> span() const noexcept {
    return {context_of().native_handle(), this->native_handle(), 0, layout().row_pitch * layout().height};
  }
  /// The rows without the gaps; for a part: `yoke::strided(image.span(), {.width = ..., .row_pitch = pitch})`.
  [[nodiscard]] const box_layout& layout() const noexcept { return this->facts().box; }

 private:
  friend base;
  static void destroy(yoke::detail::context_reference<port>& parent, native_type native,
                      detail::pitched_facts&) noexcept {
    if (parent.state().left_us()) return;
    parent.report(parent.state().port.release_memory(parent.get().native_handle(), native));
  }
  // The driver writes the pitch to `pitch_bytes`, before the box is made from it.
  pitched_allocation(const context& in, std::size_t width, std::size_t height, std::size_t pitch_bytes,
                     const source_location& where)
      : base(in, allocate(in, width, height, pitch_bytes, where), true) {
    this->facts().box = {width, height, 1, pitch_bytes / sizeof(T), pitch_bytes / sizeof(T) * height, 0};
  }
  static native_type allocate(const context& in, std::size_t width, std::size_t height, std::size_t& pitch_bytes,
                              const source_location& where) {
    const port& with = in.port(where);
    pitch_bytes = width * sizeof(T);
    if (width == 0 || height == 0) return {};
    const auto access_bytes = static_cast<unsigned>(sizeof(T) < 4 ? 4 : sizeof(T));
    return yoke::detail::allocate_in(in.state(where), [&] {
      return with.allocate_pitched(in.native_handle(), width * sizeof(T), height, access_bytes, pitch_bytes, where);
    });
  }
};

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {
/// An operand of copies and fills, as a strided view.
template <class T>
struct memory_access<cuda::pitched_allocation<T>> {
  template <class Allocation>
  static auto describe(Allocation& allocation) noexcept {
    const auto all = allocation.span();
    return detail::boxed(detail::describe(all), allocation.layout());
  }
};
}  // namespace yoke::inline v0_1

#endif

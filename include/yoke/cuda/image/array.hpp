// SPDX-License-Identifier: MIT
// CUDA's arrays: opaque memory of texels in every shape that textures and surfaces take, and mipmapped arrays.
#ifndef YOKE_CUDA_IMAGE_ARRAY_HPP
#define YOKE_CUDA_IMAGE_ARRAY_HPP

#include <yoke/cuda/image/names.hpp>
#include <yoke/driver/cuda/image/texture.hpp>

namespace yoke::inline v0_1::cuda {

template <texel T>
class mipmapped_array;

namespace detail {

/// An array shared by its handle and its textures and surfaces. Allocated before the driver's array is made, so that
/// nothing can fail afterwards.
struct array_state {
  array_state(const context& of, image_format format, const array_shape& counts, const source_location& where)
      : in(of),
        shape(counts),
        record(of.port(where).create_array(of.state(where).living(where), format, counts, where)) {}
  array_state(const context& of, abi::array native, image_format format, bool is_owner, kept_alive whole,
              const source_location& where)
      : in(of),
        record(of.port(where).adopt_array(of.native_handle(), native, format, is_owner, shape, where)),
        keeps(std::move(whole)) {}
  array_state(const array_state&) = delete;
  array_state& operator=(const array_state&) = delete;
  ~array_state() {
    const auto& state = in.state();
    if (record == nullptr || state.left_us()) return;
    state.report(owned ? state.port.release_image(state.native, record)
                       : state.port.detach_image(state.native, record));
  }

  context in;
  array_shape shape{};  // declared before the record, which fills it in
  image_array* record;
  bool owned = true;
  kept_alive keeps;  // the mipmapped array that a level belongs to
};

}  // namespace detail

/// An array of texels of type `T`. Copies, fills and regions take it like an image; a cube is six layers. Move-only;
/// its textures and surfaces keep its memory alive. Units: texels.
/// Thread safety: one non-const handle from one thread at a time.
/// Example: `cuda::array<yoke::float4> cubes{ctx, {.width = 64, .height = 64, .layers = 3, .cubemap = true}};`
template <texel T>
class array : public yoke::detail::compared_by_native<array<T>> {
 public:
  using element_type = T;
  using value_type = T;
  using port_type = port;
  using native_type = abi::array;
  static constexpr image_format format = texel_traits<T>::format;

  array() noexcept = default;
  /// Throws: `logic_error` for a size that arrays cannot have or above the device's limit, before the driver is called;
  /// `error`.
  /// Wraps `cuArray3DCreate`, which makes every array.
  array(const context& in, const array_shape& shape, const source_location& where = source_location::current())
      : state_(yoke::detail::make_shared<detail::array_state>(in, format, shape, where)) {}

  /// Takes ownership of a native array. Throws: `logic_error` when it has another format; it then stays the caller's.
  /// Wraps `cuArray3DGetDescriptor`.
  [[nodiscard]] static array adopt(const context& in, native_type native,
                                   const source_location& where = source_location::current()) {
    return array(in, native, true, {}, where);
  }
  /// Uses a native array without owning it: the array has to outlive this handle and its textures and surfaces. Throws:
  /// as `adopt`.
  [[nodiscard]] static array borrow(const context& in, native_type native,
                                    const source_location& where = source_location::current()) {
    return array(in, native, false, {}, where);
  }

  [[nodiscard]] native_type native_handle() const noexcept {
    return state_ ? state_->in.state().port.native_of_image(state_->record) : native_type{};
  }
  /// Gives up the driver's array: the caller has to release it after its textures and surfaces.
  [[nodiscard]] native_type release() noexcept {
    const native_type native = native_handle();
    if (state_) state_->owned = false;
    state_.reset();
    return native;
  }
  void reset() noexcept { state_.reset(); }
  void swap(array& other) noexcept { state_.swap(other.state_); }
  friend void swap(array& left, array& right) noexcept { left.swap(right); }
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

  /// The size and abilities that it was made with.
  [[nodiscard]] array_shape shape() const noexcept { return state_ ? state_->shape : array_shape{}; }
  /// The driver's own description. Throws: `logic_error` when empty; `error`. Wraps `cuArray3DGetDescriptor`.
  [[nodiscard]] abi::array_descriptor descriptor(const source_location& where = source_location::current()) const {
    check(where);
    return state_->in.port(where).array_descriptor_of(native_handle(), where);
  }
  /// The number of texels.
  [[nodiscard]] std::size_t size() const noexcept { return state_ ? yoke::detail::texel_count(copy_shape()) : 0; }
  [[nodiscard]] context context_of() const noexcept { return state_ ? state_->in : context::none(); }

  // For textures, surfaces and copies.
  [[nodiscard]] image_shape copy_shape() const noexcept { return detail::shape_of(shape()); }
  [[nodiscard]] image_array* port_handle() const noexcept { return state_ ? state_->record : nullptr; }
  [[nodiscard]] kept_alive share() const noexcept { return state_; }
  void check(const source_location& where) const {
    if (!state_) yoke::detail::throw_empty_handle("array", where);
  }

 private:
  template <texel>
  friend class mipmapped_array;
  array(const context& in, native_type native, bool owned, kept_alive whole, const source_location& where) {
    if (native == native_type{}) yoke::detail::throw_null_native("array", where);
    state_ = yoke::detail::make_shared<detail::array_state>(in, native, format, owned, std::move(whole), where);
  }

  yoke::detail::shared<detail::array_state> state_;
};

namespace detail {
struct mipmap_state {
  context in;
  abi::mipmapped_array native;
  mipmap_state(const context& of, image_format format, const array_shape& shape, unsigned levels,
               const source_location& where)
      : in(of), native(of.port(where).create_mipmapped(of.state(where).living(where), format, shape, levels, where)) {}
  mipmap_state(const mipmap_state&) = delete;
  mipmap_state& operator=(const mipmap_state&) = delete;
  ~mipmap_state() {
    const auto& state = in.state();
    if (!state.left_us()) state.report(state.port.release_mipmapped(state.native, native));
  }
};
}  // namespace detail

/// An array with smaller copies (levels), each half the size of the previous one. Move-only; levels and textures keep
/// it alive.
/// Thread safety: one non-const handle from one thread at a time.
template <texel T>
class mipmapped_array : public yoke::detail::compared_by_native<mipmapped_array<T>> {
 public:
  using element_type = T;
  using native_type = abi::mipmapped_array;
  static constexpr image_format format = texel_traits<T>::format;

  mipmapped_array() noexcept = default;
  /// Throws: `logic_error` for more levels than possible, with the possible number; as `array`. Wraps
  /// `cuMipmappedArrayCreate`.
  mipmapped_array(const context& in, const array_shape& shape, unsigned levels,
                  const source_location& where = source_location::current())
      : state_(yoke::detail::make_shared<detail::mipmap_state>(in, format, shape, levels, where)),
        shape_(shape),
        levels_(levels) {}

  /// A level as an array, which keeps the whole alive. Throws: `logic_error` beyond the last one. Wraps
  /// `cuMipmappedArrayGetLevel`.
  [[nodiscard]] array<T> level(unsigned number, const source_location& where = source_location::current()) const {
    check(where);
    if (number >= levels_) {
      yoke::detail::throw_error(errc::out_of_range, where, "level ", number, " of a mipmapped array of ", levels_);
    }
    const auto native = state_->in.port(where).mipmap_level(state_->native, number, where);
    return array<T>(state_->in, native, false, share(), where);
  }
  [[nodiscard]] unsigned levels() const noexcept { return state_ ? levels_ : 0; }
  [[nodiscard]] array_shape shape() const noexcept { return state_ ? shape_ : array_shape{}; }
  [[nodiscard]] native_type native_handle() const noexcept { return state_ ? state_->native : native_type{}; }
  void reset() noexcept { *this = {}; }
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  [[nodiscard]] context context_of() const noexcept { return state_ ? state_->in : context::none(); }
  // For textures.
  [[nodiscard]] kept_alive share() const noexcept { return state_; }
  void check(const source_location& where) const {
    if (!state_) yoke::detail::throw_empty_handle("mipmapped array", where);
  }

 private:
  yoke::detail::shared<detail::mipmap_state> state_;
  array_shape shape_{};
  unsigned levels_ = 0;
};

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {

/// An operand of copies and fills.
template <class T>
struct memory_access<cuda::array<T>> {
  template <class Array>
  static auto describe(Array& of) noexcept {
    return detail::boxed(
        memory_side<image_place<cuda::port>, detail::element_of<Array, T>>{
            .at = {of.port_handle(), of.copy_shape(), cuda::array<T>::format},
            .size = of.size(),
            .context = of.context_of().native_handle()},
        detail::whole_box(of.copy_shape()));
  }
};

}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::cuda {
/// A box of an array's texels, as an operand of copies and fills; layers and faces count along the axis after the last
/// one.
/// Returns, throws, thread safety: as `yoke::region` of an image.
template <class T>
[[nodiscard]] image_region<array<T>> region(array<T>& of, const image_origin& origin, const extent3& extent,
                                            const source_location& where = source_location::current()) {
  return {&of, yoke::detail::region_box(of.copy_shape(), origin.at, extent, where)};
}
template <class T>
[[nodiscard]] image_region<const array<T>> region(const array<T>& of, const image_origin& origin, const extent3& extent,
                                                  const source_location& where = source_location::current()) {
  return {&of, yoke::detail::region_box(of.copy_shape(), origin.at, extent, where)};
}
}  // namespace yoke::inline v0_1::cuda

#endif

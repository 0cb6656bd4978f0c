// SPDX-License-Identifier: MIT
// Features of images that only OpenCL has: supported formats, descriptions, images over buffers, maps, migration.
#ifndef YOKE_OPENCL_IMAGE_IMAGE_HPP
#define YOKE_OPENCL_IMAGE_IMAGE_HPP

#include <yoke/array/geometry/shape.hpp>
#include <yoke/opencl/image/names.hpp>
#include <yoke/opencl/memory/buffer.hpp>

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace yoke::inline v0_1 {
// Defined in <yoke/array.hpp>, for mapped images with axes.
template <std::size_t Rank>
class array_layout;
template <class T, std::size_t Rank>
class host_view;
}  // namespace yoke::inline v0_1

namespace yoke::inline v0_1::opencl {

/// The formats that a context has for images of a kind, in the driver's enumerators; `flags` are `CL_MEM_...`.
/// Throws: `error`. Thread safety: safe. Wraps `clGetSupportedImageFormats`.
[[nodiscard]] inline std::vector<abi::image_format> supported_image_formats(
    const context& in, image_kind kind, std::uint64_t flags = abi::mem_read_write,
    const source_location& where = source_location::current()) {
  return in.port(where).supported_formats(in.native_handle(), flags, detail::native_image_type(kind), where);
}
/// Whether a context supports images of texels of type `T`. Throws, thread safety, wraps: as above.
template <texel T>
[[nodiscard]] bool has_image_format(const context& in, image_kind kind = image_kind::d2,
                                    const source_location& where = source_location::current()) {
  const abi::image_format wanted = detail::native_format(texel_traits<T>::format);
  for (const abi::image_format& each : supported_image_formats(in, kind, abi::mem_read_write, where)) {
    if (each == wanted) return true;
  }
  return false;
}

/// The driver's description of an image. Throws: `logic_error` when empty; `error`. Thread safety: safe. Wraps
/// `clGetImageInfo`.
template <class T, image_kind Kind>
[[nodiscard]] image_description description_of(const basic_image<T, Kind, port>& image,
                                               const source_location& where = source_location::current()) {
  if (!image) yoke::detail::throw_empty_handle("image", where);
  return image.context_of().port(where).describe_image(image.native_handle(), where);
}

/// The driver's facts about an image's memory: flags, bytes, references, maps. Throws, thread safety: as above. Wraps
/// `clGetMemObjectInfo`.
template <class T, image_kind Kind>
[[nodiscard]] buffer_description memory_description_of(const basic_image<T, Kind, port>& image,
                                                       const source_location& where = source_location::current()) {
  if (!image) yoke::detail::throw_empty_handle("image", where);
  return image.context_of().port(where).describe_buffer(image.native_handle(), where);
}

/// The options of an image. Units: texels.
struct image_options {
  kernel_access kernels = kernel_access::read_write;
  host_access host = host_access::read_write;
  bool in_host_memory = false;  ///< in memory that the host accesses fast (`CL_MEM_ALLOC_HOST_PTR`)
  std::size_t row_pitch = 0;    ///< between rows of the host's range; 0: no gaps
  std::size_t slice_pitch = 0;  ///< between slices of the host's range; 0: no gaps
};

namespace detail {
template <class Range>
using texel_of_range = std::remove_const_t<element_of_range<Range>>;

/// Throws: `logic_error` for a range without texels.
inline void check_some_texels(std::size_t count, const source_location& where) {
  if (count != 0) return;
  yoke::detail::throw_error(errc::size_mismatch, "the range has no texels for an image", where);
}
/// Returns: an image over the host's texels if `over_host`, else with a copy of them unless they are null.
template <texel T, unsigned Dimensions>
[[nodiscard]] image<T, Dimensions> make_image(const context& in, const extent3& extent, const image_options& options,
                                              void* texels, std::size_t count, bool over_host,
                                              const source_location& where) {
  const image_shape shape = yoke::detail::checked_shape(image<T, Dimensions>::kind, extent, 1, where);
  if (over_host && options.in_host_memory) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "an image over the caller's memory cannot also be in host memory of the driver's", where);
  }
  abi::ulong flags = flags_of({options.kernels, options.host, options.in_host_memory});
  if (texels != nullptr) flags |= over_host ? abi::mem_use_host_ptr : abi::mem_copy_host_ptr;
  image_host host{texels, count * sizeof(T), 0, 0};
  if (__builtin_mul_overflow(options.row_pitch, sizeof(T), &host.row_pitch) ||
      __builtin_mul_overflow(options.slice_pitch, sizeof(T), &host.slice_pitch)) {
    yoke::detail::throw_error(errc::size_mismatch, where, "pitches of ", options.row_pitch, " and ",
                              options.slice_pitch, " texels are beyond the address space");
  }
  const auto& state = in.state(where);
  const abi::memory made = yoke::detail::allocate_in(state, [&] {
    return state.port.create_image_with(state.living(where), flags, texel_traits<T>::format, shape, host, where);
  });
  return image<T, Dimensions>::own(in, made, shape, where);
}
}  // namespace detail

/// An image with access flags; its texels are uninitialised.
/// Throws: `logic_error` for pitches; as the constructor of an image. Thread safety: safe. Wraps `clCreateImage`.
/// Example: `auto to = ocl::make_image<yoke::float4, 2>(ctx, {640, 480}, {.kernels = ocl::kernel_access::write_only});`
template <texel T, unsigned Dimensions>
[[nodiscard]] image<T, Dimensions> make_image(const context& in, const extent3& extent, const image_options& options,
                                              const source_location& where = source_location::current()) {
  return detail::make_image<T, Dimensions>(in, extent, options, nullptr, 0, false, where);
}
/// The same with a copy of the host's texels, whose rows and slices may lie apart. The range has each row and slice
/// whole, with its gap. Throws: also `logic_error` for pitches below the rows, and for too few texels.
/// Example: `auto part = ocl::make_image<2>(ctx, texels, {96, 64}, {.row_pitch = 300});`
template <unsigned Dimensions, yoke::detail::host_range Range>
[[nodiscard]] auto make_image(const context& in, const Range& range, const extent3& extent,
                              const image_options& options = {},
                              const source_location& where = source_location::current()) {
  using T = detail::texel_of_range<const Range>;
  detail::check_some_texels(std::size(range), where);
  return detail::make_image<T, Dimensions>(in, extent, options, const_cast<T*>(std::data(range)), std::size(range),
                                           false, where);
}
/// An image over the host's texels, which it takes over: `image_over<2>(ctx, std::move(texels), {96, 64})`. A thread of
/// the driver destroys the range once no command uses the image any more. Kernels may work on a copy: map the image to
/// see their results.
/// Throws: as above; the range is then lost. Thread safety: safe. Wraps `clCreateImage`,
/// `clSetMemObjectDestructorCallback`.
template <unsigned Dimensions, yoke::detail::host_range Range>
  requires(!std::is_lvalue_reference_v<Range> && !std::is_const_v<Range>)
[[nodiscard]] auto image_over(const context& in, Range&& range, const extent3& extent,
                              const image_options& options = {},
                              const source_location& where = source_location::current()) {
  static_assert(!std::ranges::enable_borrowed_range<Range>,
                "a view has no memory that an image could take over: move the range itself here");
  using T = detail::texel_of_range<Range>;
  detail::check_const_host(std::is_const_v<detail::element_of_range<Range>>, {.kernels = options.kernels}, where);
  auto kept = yoke::detail::make_owner<detail::kept_owner<Range>>(std::forward<Range>(range));
  auto& owner = kept->owner;
  detail::check_some_texels(std::size(owner), where);
  auto made = detail::make_image<T, Dimensions>(in, extent, options, const_cast<T*>(std::data(owner)), std::size(owner),
                                                true, where);
  detail::keep_for_buffer(in, made.native_handle(), std::move(kept), where);
  return made;
}

/// A 1D image whose texels are the elements of an allocation; kernels take it as `image1d_buffer_t`.
/// Requires: nobody uses both at once. Throws: `logic_error` for more texels than elements or than the device supports,
/// with the limit; `unsupported_error`; `error`. Thread safety: safe. Wraps `clCreateImage`.
template <texel T>
[[nodiscard]] image<T, 1> image_over(device_allocation<T>& buffer, const extent3& extent,
                                     const source_location& where = source_location::current()) {
  buffer.check(where);
  const context& in = buffer.context_of();
  const image_shape shape = yoke::detail::checked_shape(image_kind::d1, extent, 1, where);
  const port& with = in.port(where);
  with.check_image_of(in.native_handle(), shape, sizeof(T), 0, buffer.size_bytes(), where);
  const abi::memory made =
      with.create_image_of(in.native_handle(), buffer.native_handle(), texel_traits<T>::format, shape, 0, where);
  return image<T, 1>::own(in, made, shape, where);
}
/// As above, as a 2D image whose rows are `row_pitch` elements apart.
/// Throws: also `unsupported_error` when a device cannot have 2D images over buffers, and `logic_error` for a
/// misaligned pitch.
template <texel T>
[[nodiscard]] image<T, 2> image_over(device_allocation<T>& buffer, const extent3& extent, std::size_t row_pitch,
                                     const source_location& where = source_location::current()) {
  buffer.check(where);
  const context& in = buffer.context_of();
  const image_shape shape = yoke::detail::checked_shape(image_kind::d2, extent, 1, where);
  const port& with = in.port(where);
  std::size_t pitch_bytes = 0;
  if (__builtin_mul_overflow(row_pitch, sizeof(T), &pitch_bytes)) {
    yoke::detail::throw_error(errc::size_mismatch, where, "rows of an image ", row_pitch,
                              " elements apart are above the ", buffer.size(), " elements of its buffer");
  }
  with.check_image_of(in.native_handle(), shape, sizeof(T), pitch_bytes, buffer.size_bytes(), where);
  const abi::memory made = with.create_image_of(in.native_handle(), buffer.native_handle(), texel_traits<T>::format,
                                                shape, pitch_bytes, where);
  return image<T, 2>::own(in, made, shape, where);
}

namespace detail {
/// Throws: `logic_error` for an empty image or stream, and for a stream of another context.
inline void check_image_stream(bool is_image, const context& of, const stream& order, const source_location& where) {
  if (!is_image) yoke::detail::throw_empty_handle("image", where);
  if (!order) yoke::detail::throw_empty_handle("stream", where);
  if (order.context_of().native_handle() == of.native_handle()) return;
  yoke::detail::throw_error(errc::wrong_context, "the image is of another context than the stream", where);
}
}  // namespace detail

/// Moves an image to the stream's device ahead of its use, or to the host. Throws: `logic_error` when empty or of
/// another context; `error`. Thread safety: safe. Wraps `clEnqueueMigrateMemObjects`.
template <class T, image_kind Kind>
void migrate(const basic_image<T, Kind, port>& image, const stream& order, bool to_host = false,
             const source_location& where = source_location::current()) {
  detail::check_image_stream(static_cast<bool>(image), image.context_of(), order, where);
  image.context_of().port(where).migrate_image(order.native_handle(), image.native_handle(), to_host, where);
}

/// The texels of an image, mapped for the host until this ends. Move-only. The driver chooses the pitch of rows.
/// Requires: it ends before kernels or copies use the image. The image and the stream may end first.
/// Thread safety: one non-const handle from one thread at a time.
template <class T>
class mapped_image {
 public:
  mapped_image(const context& in, yoke::detail::retained_stream<port>&& order, abi::memory image, void* address,
               const extent3& extent, std::size_t row_pitch, std::size_t slice_pitch) noexcept
      : in_(in),
        order_(std::move(order)),
        image_(image),
        address_(static_cast<std::byte*>(address)),
        extent_(extent),
        row_pitch_(row_pitch),
        slice_pitch_(slice_pitch) {}
  mapped_image(mapped_image&& other) noexcept
      : in_(other.in_),
        order_(std::move(other.order_)),
        image_(other.image_),
        address_(std::exchange(other.address_, nullptr)),
        extent_(other.extent_),
        row_pitch_(other.row_pitch_),
        slice_pitch_(other.slice_pitch_) {}
  mapped_image& operator=(mapped_image&&) = delete;
  ~mapped_image() {
    if (address_ == nullptr) return;
    const auto& in = in_.state();
    in.report(in.port.unmap(order_.native_handle(), image_, address_));
    in.report(in.port.release_memory(in_.native_handle(), image_));
  }
  /// A row of texels. Requires: the row is inside.
  [[nodiscard]] std::span<T> row(std::size_t y = 0, std::size_t z = 0) const noexcept {
    return {reinterpret_cast<T*>(address_ + z * slice_pitch_ + y * row_pitch_), extent_.x};
  }
  /// The texels with axes, x last: `view<2>()(y, x)`, `view<3>()(z, y, x)`. It needs `<yoke/array.hpp>`. Throws:
  /// `logic_error` for several rows or slices of which there is no axis. Requires: this outlives the view.
  template <std::size_t Rank>
    requires(Rank >= 1 && Rank <= 3)
  [[nodiscard]] host_view<T, Rank> view(const source_location& where = source_location::current()) const {
    const std::size_t counts[3]{extent_.z, extent_.y, extent_.x};
    const std::size_t steps[3]{slice_pitch_, row_pitch_, sizeof(T)};
    yoke::shape<Rank> extents;
    std::array<std::ptrdiff_t, Rank> strides{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (i + Rank >= 3) {
        extents[i + Rank - 3] = counts[i];
        strides[i + Rank - 3] = static_cast<std::ptrdiff_t>(steps[i]);
      } else if (counts[i] != 1) {
        yoke::detail::throw_error(errc::size_mismatch, where, "a view of ", Rank, " axes of a mapped image of {",
                                  extent_.x, ", ", extent_.y, ", ", extent_.z, "} texels");
      }
    }
    return host_view<T, Rank>(reinterpret_cast<T*>(address_),
                              array_layout<Rank>(extents, strides, 0, sizeof(T), where));
  }
  [[nodiscard]] const extent3& extent() const noexcept { return extent_; }
  [[nodiscard]] std::size_t row_pitch_bytes() const noexcept { return row_pitch_; }
  [[nodiscard]] std::size_t slice_pitch_bytes() const noexcept { return slice_pitch_; }

 private:
  context in_;
  yoke::detail::retained_stream<port> order_;
  abi::memory image_;
  std::byte* address_;
  extent3 extent_;
  std::size_t row_pitch_;
  std::size_t slice_pitch_;
};

/// Maps a box of an image for the host, and waits until the data is there. Layers count along the axis after the
/// image's last one.
/// Throws: `logic_error` when the image is empty or of another context, or the box is empty or outside the image;
/// `error`. Thread safety: safe. Wraps `clEnqueueMapImage`.
template <class T, image_kind Kind>
[[nodiscard]] mapped_image<T> map_image(basic_image<T, Kind, port>& image, const stream& order,
                                        const image_origin& origin, const extent3& extent,
                                        map_mode mode = map_mode::read_write,
                                        const source_location& where = source_location::current()) {
  detail::check_image_stream(static_cast<bool>(image), image.context_of(), order, where);
  const box_layout box = yoke::detail::region_box(image.shape(), origin.at, extent, where);
  if (extent.x == 0 || extent.y == 0 || extent.z == 0) {
    yoke::detail::throw_error(errc::invalid_argument, where, "a region of {", extent.x, ", ", extent.y, ", ", extent.z,
                              "} has no texels to map");
  }
  yoke::detail::retained_stream<port> kept(order, where);
  const context& in = image.context_of();
  const port& with = in.port(where);
  const abi::memory native = image.native_handle();
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;
  void* address = nullptr;
  with.retain_memory(native, where);
  try {
    address =
        with.map_image(order.native_handle(), native, yoke::detail::box_of_image(image.shape(), sizeof(T), box, where),
                       mode, row_pitch, slice_pitch, where);
  } catch (...) {
    in.state().report(with.release_memory(in.native_handle(), native));
    throw;
  }
  // For the driver, layers of 1D images are slices; here they are rows.
  const bool lines = Kind == image_kind::d1_layered;
  return {in, std::move(kept), native, address, extent, lines ? slice_pitch : row_pitch, slice_pitch};
}

}  // namespace yoke::inline v0_1::opencl

#endif

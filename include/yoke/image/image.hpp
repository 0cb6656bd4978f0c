// SPDX-License-Identifier: MIT
// Owners of images: texels in one to three dimensions or in layers, which kernels read through samplers and write.
#ifndef YOKE_IMAGE_IMAGE_HPP
#define YOKE_IMAGE_IMAGE_HPP

#include <yoke/execution/context_reference.hpp>
#include <yoke/image/image_place.hpp>
#include <yoke/image/texel.hpp>
#include <yoke/memory/copy.hpp>

namespace yoke::inline v0_1 {

namespace detail {

/// The facts of an image besides its handle.
struct image_facts {
  image_shape shape{};
  const void* parameter = nullptr;  // the argument for kernels; null if that is the handle itself
  std::size_t parameter_bytes = 0;
  kernel_access kernels = kernel_access::read_write;
};

[[nodiscard]] consteval image_kind kind_of_dimensions(unsigned dimensions, bool layered) {
  if (layered) return dimensions == 1 ? image_kind::d1_layered : image_kind::d2_layered;
  return dimensions == 1 ? image_kind::d1 : dimensions == 2 ? image_kind::d2 : image_kind::d3;
}

/// Returns: the shape of an image. Throws: `logic_error` for a count of 0, and for a count along a missing axis.
YOKE_API image_shape checked_shape(image_kind kind, const extent3& extent, std::size_t layers,
                                   const source_location& where);
/// Throws: `logic_error` when a range and an image have different numbers of texels.
YOKE_API void check_texel_count(std::size_t given, const image_shape& shape, const source_location& where);

}  // namespace detail

/// An image of texels of type `T`, which determines its format. Its memory is uninitialised. Move-only.
///
/// Copies and fills take it and its regions (`yoke::region`) like other memory; in host ranges, x varies fastest, then
/// y, then z or layers. Kernels take it as `read_image`, `write_image` or `read_write_image`. Write `yoke::image<T,
/// Dimensions>` or `yoke::layered_image<T, Dimensions>`. Units: texels.
/// Thread safety: one non-const handle from one thread at a time; launches may share a const handle between threads.
/// Example: `yoke::image<yoke::float4, 2> picture{ctx, {640, 480}};`
template <texel T, image_kind Kind, class Port = any_port>
class basic_image : public detail::handle<basic_image<T, Kind, Port>, detail::context_reference<Port>,
                                          typename Port::image_handle, detail::image_facts> {
  using parent_type = detail::context_reference<Port>;
  using image_handle = typename Port::image_handle;
  using base = detail::handle<basic_image<T, Kind, Port>, parent_type, image_handle, detail::image_facts>;
  static constexpr bool has_layers = detail::is_layered(Kind);

 public:
  using element_type = T;
  using value_type = T;
  using port_type = Port;
  using native_type = typename Port::native_image;
  /// The type that kernels read and write.
  using kernel_type = typename texel_traits<T>::value_type;
  static constexpr image_kind kind = Kind;
  static constexpr image_format format = texel_traits<T>::format;
  static constexpr const char* noun = "image";

  basic_image() noexcept = default;

  /// Throws: `unsupported_error` when a device of the context lacks the format; `logic_error` for a count of 0 or above
  /// the device's limit; `memory_error`.
  /// Wraps `clCreateImage`, `cuArray3DCreate`, `cuTexObjectCreate`, `cuSurfObjectCreate`.
  basic_image(const context<Port>& in, const extent3& extent, const source_location& where = source_location::current())
    requires(!has_layers)
      : basic_image(in, extent, image_options{}, where) {}
  /// The same for kernels that only read it, or only write it: `{ctx, {640, 480}, {.kernels =
  /// yoke::kernel_access::read_only}}`. Wraps: also `CL_MEM_READ_ONLY` and `CL_MEM_WRITE_ONLY`; on CUDA, only the
  /// objects that such kernels need.
  basic_image(const context<Port>& in, const extent3& extent, const image_options& options,
              const source_location& where = source_location::current())
    requires(!has_layers)
      : basic_image(in, detail::checked_shape(Kind, extent, 1, where), options, where) {}
  /// The same with layers.
  template <integer Layers>
  basic_image(const context<Port>& in, const extent3& extent, Layers layers,
              const source_location& where = source_location::current())
    requires(has_layers)
      : basic_image(in, extent, layers, image_options{}, where) {}
  template <integer Layers>
  basic_image(const context<Port>& in, const extent3& extent, Layers layers, const image_options& options,
              const source_location& where = source_location::current())
    requires(has_layers)
      : basic_image(in,
                    detail::checked_shape(Kind, extent, detail::narrow<std::size_t>(layers, "layers", where), where),
                    options, where) {}
  /// The same, with the texels of a contiguous host range copied into it. Throws: as above, and as `copy`.
  template <detail::host_range Range>
  basic_image(const context<Port>& in, const Range& range, const extent3& extent, const stream<Port>& stream,
              const source_location& where = source_location::current())
    requires(!has_layers)
      : basic_image(in, range, extent, stream, image_options{}, where) {}
  template <detail::host_range Range>
  basic_image(const context<Port>& in, const Range& range, const extent3& extent, const stream<Port>& stream,
              const image_options& options, const source_location& where = source_location::current())
    requires(!has_layers)
      : basic_image(in, extent, options, where) {
    detail::check_texel_count(std::size(range), shape(), where);
    copy(range, *this, stream, where);
  }
  template <detail::host_range Range, integer Layers>
  basic_image(const context<Port>& in, const Range& range, const extent3& extent, Layers layers,
              const stream<Port>& stream, const source_location& where = source_location::current())
    requires(has_layers)
      : basic_image(in, range, extent, layers, stream, image_options{}, where) {}
  template <detail::host_range Range, integer Layers>
  basic_image(const context<Port>& in, const Range& range, const extent3& extent, Layers layers,
              const stream<Port>& stream, const image_options& options,
              const source_location& where = source_location::current())
    requires(has_layers)
      : basic_image(in, extent, layers, options, where) {
    detail::check_texel_count(std::size(range), shape(), where);
    copy(range, *this, stream, where);
  }

  /// Takes ownership of one reference to a native image.
  /// Throws: `logic_error` unless context, kind, format and shape match; the caller then keeps the reference.
  /// Wraps `clGetImageInfo`, `cuArray3DGetDescriptor`.
  [[nodiscard]] static basic_image adopt(const context<Port>& in, native_type native, const extent3& extent,
                                         const source_location& where = source_location::current())
    requires(!has_layers)
  {
    return basic_image(in, native, detail::checked_shape(Kind, extent, 1, where), true, where);
  }
  template <integer Layers>
  [[nodiscard]] static basic_image adopt(const context<Port>& in, native_type native, const extent3& extent,
                                         Layers layers, const source_location& where = source_location::current())
    requires(has_layers)
  {
    const auto count = detail::narrow<std::size_t>(layers, "layers", where);
    return basic_image(in, native, detail::checked_shape(Kind, extent, count, where), true, where);
  }
  /// Uses a native image without owning it. Requires: the native image outlives this. Throws: as `adopt`.
  [[nodiscard]] static basic_image borrow(const context<Port>& in, native_type native, const extent3& extent,
                                          const source_location& where = source_location::current())
    requires(!has_layers)
  {
    return basic_image(in, native, detail::checked_shape(Kind, extent, 1, where), false, where);
  }
  template <integer Layers>
  [[nodiscard]] static basic_image borrow(const context<Port>& in, native_type native, const extent3& extent,
                                          Layers layers, const source_location& where = source_location::current())
    requires(has_layers)
  {
    const auto count = detail::narrow<std::size_t>(layers, "layers", where);
    return basic_image(in, native, detail::checked_shape(Kind, extent, count, where), false, where);
  }
  /// Shares a native image with the caller, by a reference of this handle's own. Throws: as `adopt`. Wraps
  /// `clRetainMemObject`.
  [[nodiscard]] static basic_image retain(const context<Port>& in, native_type native, const extent3& extent,
                                          const source_location& where = source_location::current())
    requires(!has_layers && counting_port<Port>)
  {
    return borrow(in, native, extent, where).counted(native, where);
  }
  template <integer Layers>
  [[nodiscard]] static basic_image retain(const context<Port>& in, native_type native, const extent3& extent,
                                          Layers layers, const source_location& where = source_location::current())
    requires(has_layers && counting_port<Port>)
  {
    return borrow(in, native, extent, layers, where).counted(native, where);
  }

  /// The driver's image; null when empty. Throws: nothing.
  [[nodiscard]] native_type native_handle() const noexcept {
    return *this ? this->parent().state().port.native_of_image(base::native_handle()) : native_type{};
  }
  /// Gives up the driver's image: the caller has to release it, unless it was borrowed.
  /// Returns: the driver's image; this handle is empty afterwards. Throws: nothing.
  [[nodiscard]] native_type release() noexcept {
    const native_type native = native_handle();
    if (*this) {
      const parent_type in = this->parent();
      in.report(port_traits<Port>::detach_image(in.state().port, in.get().native_handle(), base::release()));
    }
    return native;
  }

  [[nodiscard]] const image_shape& shape() const noexcept { return this->facts().shape; }
  [[nodiscard]] std::size_t width() const noexcept { return shape().width; }
  [[nodiscard]] std::size_t height() const noexcept { return shape().height; }
  [[nodiscard]] std::size_t depth() const noexcept { return shape().depth; }
  [[nodiscard]] std::size_t layers() const noexcept { return shape().layers; }
  /// The number of texels; 0 when empty.
  [[nodiscard]] std::size_t size() const noexcept { return *this ? detail::texel_count(shape()) : 0; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size() * sizeof(T); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// The access that kernels have; launches refuse other access.
  [[nodiscard]] kernel_access kernels() const noexcept { return this->facts().kernels; }
  [[nodiscard]] const context<Port>& context_of() const noexcept { return this->parent().get(); }

  // The argument of a launch: its address and size.
  [[nodiscard]] const void* argument_place() const noexcept {
    return this->facts().parameter != nullptr ? this->facts().parameter : &this->native_place();
  }
  [[nodiscard]] std::size_t argument_bytes() const noexcept { return this->facts().parameter_bytes; }
  [[nodiscard]] bool is_argument_by_value() const noexcept { return this->facts().parameter != nullptr; }
  [[nodiscard]] bool is_writable() const noexcept { return kernels() != kernel_access::read_only; }
  [[nodiscard]] bool is_readable() const noexcept { return kernels() != kernel_access::write_only; }
  /// Takes ownership of a new image of the port, of this format and shape, also where it throws. Throws: `error`.
  [[nodiscard]] static basic_image own(const context<Port>& in, image_handle made, const image_shape& shape,
                                       const source_location& where) {
    basic_image owned(in, made, shape);
    owned.note_access(where);
    return owned;
  }
  // For copies: the port's own handle.
  [[nodiscard]] image_handle port_handle() const noexcept { return base::native_handle(); }

 private:
  friend base;
  static void destroy(parent_type& parent, image_handle image, detail::image_facts&) noexcept {
    const detail::context_state<Port>& in = parent.state();
    if (in.left_us()) return;
    in.report(in.port.release_image(in.native, image));
  }
  basic_image(const context<Port>& in, const image_shape& shape, const image_options& options,
              const source_location& where)
      : base(in, make(in.state(where), shape, options, where), true,
             {.shape = shape, .parameter = nullptr, .parameter_bytes = 0, .kernels = options.kernels}) {
    note_argument();
  }
  static image_handle make(const detail::context_state<Port>& in, const image_shape& shape,
                           const image_options& options, const source_location& where) {
    if (options.kernels > kernel_access::write_only) {
      detail::throw_error(errc::invalid_argument, where, "an image has .kernels ",
                          static_cast<unsigned>(options.kernels), ": the last one is 2");
    }
    return detail::allocate_in(
        in, [&] { return in.port.create_image(in.living(where), format, shape, options.kernels, where); });
  }
  basic_image(const context<Port>& in, image_handle made, const image_shape& shape) noexcept
      : base(in, made, true, {shape}) {
    note_argument();
  }
  basic_image(const context<Port>& in, native_type native, const image_shape& shape, bool owned,
              const source_location& where)
      : base(in, taken(in, native, shape, owned, where), owned, {shape}) {
    note_argument();
    // A record of the port is always owned; it knows whether the image is.
    if (this->facts().parameter != nullptr) this->take_ownership();
    try {
      note_access(where);
    } catch (...) {
      (void)release();  // the image stays the caller's
      throw;
    }
  }
  static image_handle taken(const context<Port>& in, native_type native, const image_shape& shape, bool owned,
                            const source_location& where) {
    if (native == native_type{}) detail::throw_null_native("image", where);
    return in.port(where).adopt_image(in.native_handle(), native, format, shape, owned, where);
  }
  /// Effects: adds a reference to the borrowed native image. Returns: its owner.
  [[nodiscard]] basic_image counted(native_type native, const source_location& where) && {
    if constexpr (counting_port<Port>) context_of().port(where).retain_memory(native, where);
    this->take_ownership();
    return std::move(*this);
  }
  void note_argument() noexcept {
    const Port& with = this->parent().state().port;
    const kernel_argument argument = with.image_argument(base::native_handle());
    this->facts().parameter = argument.data;
    this->facts().parameter_bytes = argument.bytes;
  }
  void note_access(const source_location& where) {
    this->facts().kernels =
        port_traits<Port>::access_to_image(this->parent().state().port, base::native_handle(), where);
  }
};

/// An image of 1, 2 or 3 dimensions.
template <class T, unsigned Dimensions, class Port = any_port>
  requires(Dimensions >= 1 && Dimensions <= 3)
using image = basic_image<T, detail::kind_of_dimensions(Dimensions, false), Port>;
/// Layers of images of 1 or 2 dimensions. A sampler never mixes layers.
template <class T, unsigned Dimensions, class Port = any_port>
  requires(Dimensions == 1 || Dimensions == 2)
using layered_image = basic_image<T, detail::kind_of_dimensions(Dimensions, true), Port>;

/// A part of an image; `region` makes it.
template <class Image>
struct image_region {
  Image* image;
  box_layout box;
};
/// The first texel of a region: x, y and z or layer; missing ones are 0.
struct image_origin {
  std::size_t at[3]{};

  constexpr image_origin() noexcept = default;
  /// Throws: `logic_error` for a negative number.
  template <integer X>
  constexpr image_origin(X x, const source_location& where = source_location::current())  // NOLINT: 16 is a place
      : at{detail::narrow<std::size_t>(x, "x", where), 0, 0} {}
  template <integer X, integer Y>
  constexpr image_origin(X x, Y y, const source_location& where = source_location::current())
      : at{detail::narrow<std::size_t>(x, "x", where), detail::narrow<std::size_t>(y, "y", where), 0} {}
  template <integer X, integer Y, integer Z>
  constexpr image_origin(X x, Y y, Z z, const source_location& where = source_location::current())
      : at{detail::narrow<std::size_t>(x, "x", where), detail::narrow<std::size_t>(y, "y", where),
           detail::narrow<std::size_t>(z, "z", where)} {}
};

/// A box of an image's texels, as a side of copies and fills. Layers are the axis after the image's last one.
/// Requires: the image outlives the view.
/// Throws: `logic_error` with the axis and its limit when the box exceeds the image.
/// Thread safety: a value. Units: texels.
/// Example: `yoke::copy(host, yoke::region(picture, {10, 20}, {64, 32}), stream);`
template <class Image>
  requires requires { std::remove_const_t<Image>::kind; }
[[nodiscard]] image_region<Image> region(Image& of, const image_origin& origin, const extent3& extent,
                                         const source_location& where = source_location::current()) {
  return {&of, detail::region_box(of.shape(), origin.at, extent, where)};
}

/// Which index of a matrix varies fastest in memory.
enum class matrix_order : unsigned char {
  row_major,     ///< the column, as in C
  column_major,  ///< the row, as in Fortran
};
/// Returns: the extents of a 2D image that holds a matrix in its memory order. x is the fastest index: texel (x, y) is
/// the element in row y and column x of a row-major matrix, and in row x and column y of a column-major one.
/// Throws: `logic_error` for a negative count. Thread safety: safe.
template <integer Rows, integer Columns>
[[nodiscard]] extent3 matrix_extent(Rows rows, Columns columns, matrix_order order,
                                    const source_location& where = source_location::current()) {
  return order == matrix_order::row_major ? extent3(columns, rows, where) : extent3(rows, columns, where);
}

template <class T, image_kind Kind, class Port>
struct memory_access<basic_image<T, Kind, Port>> {
  template <class Image>
  static auto describe(Image& of) noexcept {
    return detail::boxed(
        memory_side<image_place<Port>, detail::element_of<Image, T>>{
            .at = {of.port_handle(), of.shape(), std::remove_const_t<Image>::format},
            .size = of.size(),
            .context = of.context_of().native_handle()},
        detail::whole_box(of.shape()));
  }
};
template <class Image>
struct memory_access<image_region<Image>> {
  static auto describe(const image_region<Image>& part) noexcept {
    return detail::boxed(detail::describe(*part.image), part.box);
  }
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/image/image.ipp>
#endif

#endif

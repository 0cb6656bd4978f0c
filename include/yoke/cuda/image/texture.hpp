// SPDX-License-Identifier: MIT
// CUDA's texture and surface objects, which keep their memory alive.
#ifndef YOKE_CUDA_IMAGE_TEXTURE_HPP
#define YOKE_CUDA_IMAGE_TEXTURE_HPP

#include <yoke/array/evaluation/array_memory.hpp>
#include <yoke/array/geometry/array_layout.hpp>
#include <yoke/cuda/image/array.hpp>
#include <yoke/cuda/memory/pitched_allocation.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string_view>

namespace yoke::inline v0_1::cuda {

/// How a texture object reads. Textures over linear memory are fetched by whole numbers (`tex1Dfetch`) and ignore all
/// options but `as_integers`.
struct texture_options {
  std::array<address_mode, 3> address{};  ///< along x, y, z
  filter_mode filter = filter_mode::nearest;
  bool normalised = false;   ///< coordinates from 0 to 1; mipmaps need it
  bool as_integers = false;  ///< 8 and 16 bits stay integers; else they become numbers from 0 or -1 to 1
  bool srgb = false;         ///< `std::uint8_t` channels are sRGB, and are read as linear colours
  std::array<float, 4> border{};
  unsigned max_anisotropy = 0;   ///< 0 to 16
  bool exact_trilinear = false;  ///< `CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION`
  bool seamless_cubemap = false;
  filter_mode level_filter = filter_mode::nearest;  ///< between levels of a mipmap
  float level_bias = 0;
  float least_level = 0;
  float last_level = 0;
  std::optional<texture_view> view{};  ///< a part of an array; none: all of it
  /// Whether linear memory may begin between the addresses that textures begin at. The texture then begins before it,
  /// and kernels add `texture::offset()` to their indices. Else such memory is refused.
  bool allow_offset = false;
};

/// Rows of an allocation for a texture, `row_pitch` texels apart.
/// Example: `cuda::texture picture{cuda::texture_rows<float>{memory, 640, 480, 1024}};`
template <texel T>
struct texture_rows {
  std::shared_ptr<const device_allocation<T>> memory;
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t row_pitch = 0;
};

namespace detail {

/// The memory behind a texture: the driver's description, the format, and the owner that keeps it alive.
struct texture_source {
  context in;
  abi::resource_descriptor resource;
  image_format format;
  kept_alive keeps;
  unsigned levels = 1;
};
template <class T>
texture_source texture_source_of(const array<T>& of, const source_location& where) {
  of.check(where);
  return {of.context_of(), resource_of(of.native_handle()), array<T>::format, of.share()};
}
template <class T>
texture_source texture_source_of(const mipmapped_array<T>& of, const source_location& where) {
  of.check(where);
  abi::resource_descriptor resource{};
  resource.type = abi::resource_type::mipmapped_array;
  resource.of_mipmap.handle = of.native_handle();
  return {of.context_of(), resource, mipmapped_array<T>::format, of.share(), of.levels()};
}
template <texel T>
abi::resource_descriptor resource_of(abi::device_pointer address, std::size_t size) noexcept {
  constexpr image_format format = texel_traits<T>::format;
  abi::resource_descriptor resource{};
  resource.type = abi::resource_type::linear;
  resource.linear.address = address;
  resource.linear.format = native_format(format.type);
  resource.linear.channels = format.channels;
  resource.linear.bytes = size * sizeof(T);
  return resource;
}
template <texel T>
abi::resource_descriptor resource_of(const device_allocation<T>& of) noexcept {
  return resource_of<T>(of.native_handle(), of.size());
}
template <texel T>
abi::resource_descriptor resource_of(abi::device_pointer address, std::size_t width, std::size_t height,
                                     std::size_t row_pitch) noexcept {
  constexpr image_format format = texel_traits<T>::format;
  abi::resource_descriptor resource{};
  resource.type = abi::resource_type::pitch2d;
  resource.pitch2d.address = address;
  resource.pitch2d.format = native_format(format.type);
  resource.pitch2d.channels = format.channels;
  resource.pitch2d.width = width;
  resource.pitch2d.height = height;
  resource.pitch2d.pitch_bytes = row_pitch * sizeof(T);
  return resource;
}
template <texel T>
abi::resource_descriptor resource_of(const pitched_allocation<T>& of) noexcept {
  return resource_of<T>(of.native_handle(), of.width(), of.height(), of.row_pitch());
}
template <class T>
texture_source texture_source_of(const texture_rows<T>& of, const source_location& where) {
  if (of.memory == nullptr || !of.memory->context_of()) yoke::detail::throw_empty_handle("memory of a texture", where);
  const box_layout box{of.width, of.height, 1, of.row_pitch, 0, 0};
  (void)yoke::detail::checked_box(box, of.memory->size(), where);
  return {of.memory->context_of(), resource_of<T>(of.memory->native_handle(), of.width, of.height, of.row_pitch),
          texel_traits<T>::format, yoke::keep_alive(of.memory)};
}
template <class Memory>
  requires requires(const Memory& of) { resource_of(of); }
texture_source texture_source_of(const std::shared_ptr<Memory>& of, const source_location& where) {
  if (of == nullptr || !of->context_of()) yoke::detail::throw_empty_handle("memory of a texture", where);
  return {of->context_of(), resource_of(*of), texel_traits<typename Memory::element_type>::format,
          yoke::keep_alive(of)};
}
/// Linear memory that its owner keeps alive.
template <class T>
  requires texel<std::remove_const_t<T>>
texture_source texture_source_of(const context& in, const device_span<T>& of, const source_location& where) {
  using type = std::remove_const_t<T>;
  (void)in.port(where);
  if (!(of.native_context() == in.native_handle())) {
    if (of.native_context() == nullptr) yoke::detail::throw_empty_handle("memory of a texture", where);
    yoke::detail::throw_error(errc::wrong_context, "the memory of a texture is of another context", where);
  }
  return {
      in, resource_of<type>(of.native_handle() + of.offset() * sizeof(T), of.size()), texel_traits<type>::format, {}};
}
/// A `device_array` or a `device_view` of texels.
template <class A>
concept texel_array = requires(const A& of) {
  { of.layout() };
  { of.stream() };
  requires std::same_as<typename A::port_type, port>;
  requires texel<typename A::value_type>;
  requires A::rank() == 1 || A::rank() == 2;
};
template <texel_array A>
texture_source texture_source_of(const A& of, const source_location& where) {
  using type = typename A::value_type;
  const stream& order = of.stream(where);
  const auto& layout = of.layout();
  const yoke::detail::array_memory<port> memory = [&] {
    if constexpr (requires { of.memory(); }) {
      return of.memory();
    } else {
      return of.view(where).memory();
    }
  }();
  constexpr std::size_t last = A::rank() - 1;
  constexpr auto texel_bytes = static_cast<std::ptrdiff_t>(sizeof(type));
  const bool dense = layout.shape()[last] <= 1 || layout.strides()[last] == texel_bytes;
  const bool forwards = layout.shape()[0] <= 1 || (layout.strides()[0] > 0 && layout.strides()[0] % texel_bytes == 0);
  if (!dense || !forwards) {
    const yoke::detail::const_axes axes = layout.axes();
    yoke::detail::throw_error(
        errc::invalid_argument, where, "a view of ", yoke::detail::shape_text(axes.extents, axes.rank),
        " with strides of ", yoke::detail::strides_text(axes.strides, axes.rank),
        " bytes does not fit a texture: texels lie without gaps along the last axis, and rows go forwards");
  }
  yoke::detail::settle(memory, yoke::detail::memory_use::reads, where);
  const abi::device_pointer first = memory.memory + layout.offset_bytes();
  abi::resource_descriptor resource{};
  if constexpr (A::rank() == 1) {
    resource = resource_of<type>(first, layout.size());
  } else {
    const std::size_t width = layout.shape()[1];
    const auto step = static_cast<std::size_t>(layout.strides()[0]) / sizeof(type);
    resource = resource_of<type>(first, width, layout.shape()[0], layout.shape()[0] <= 1 ? width : step);
  }
  return {order.context_of(), resource, texel_traits<type>::format, memory.share()};
}
/// The facts that a texture keeps from its creation.
struct texture_facts {
  kept_alive keeps{};
  std::size_t offset = 0;
  bool has_view = false;  // needed because drivers describe a view even of textures that have none
  image_format format{};
};

template <class Memory>
concept texture_memory = requires(const Memory& of, const source_location& where) { texture_source_of(of, where); };

}  // namespace detail

/// A texture object. Kernels take it as `cudaTextureObject_t`, `unsigned long long` in a signature: pass
/// `native_handle()`. Move-only. Keeps its memory alive.
/// Thread safety: one non-const handle from one thread at a time.
/// Example: `cuda::texture picture{array, {.filter = yoke::filter_mode::linear, .normalised = true}};`
class texture : public yoke::detail::handle<texture, yoke::detail::context_reference<port>, abi::texture_object,
                                            detail::texture_facts> {
  using base =
      yoke::detail::handle<texture, yoke::detail::context_reference<port>, abi::texture_object, detail::texture_facts>;

 public:
  using native_type = abi::texture_object;
  static constexpr const char* noun = "texture";

  texture() noexcept = default;
  /// Reads an `array` or a `mipmapped_array`, whose memory it keeps alive; a `std::shared_ptr` to a
  /// `device_allocation`, which is read by `tex1Dfetch`, or to a `pitched_allocation`; `texture_rows`; or a
  /// `device_array` or `device_view`, whose memory it keeps alive: of one axis by `tex1Dfetch`, of two axes by `tex2D`,
  /// the last axis along x. Work that reads an array by its texture is declared by `record_use`, as with a span.
  /// Throws: `logic_error`, before the driver is called, for a linear filter over integers, repeated addresses without
  /// normalised coordinates, a misaligned address or pitch, sizes above the device's limits; `error`.
  /// Wraps `cuTexObjectCreate`.
  template <detail::texture_memory Memory>
  explicit texture(const Memory& of, const texture_options& options = {},
                   const source_location& where = source_location::current())
      : texture(detail::texture_source_of(of, where), options, where) {}
  /// Reads a span by `tex1Dfetch`. Requires: its memory outlives this. Throws: as above; also `logic_error` for memory
  /// of another context. Example: `cuda::texture t{ctx, x.subspan(3, 100), {.allow_offset = true}};`
  template <class T>
    requires texel<std::remove_const_t<T>>
  texture(const context& in, const device_span<T>& memory, const texture_options& options = {},
          const source_location& where = source_location::current())
      : texture(detail::texture_source_of(in, memory, where), options, where) {}

  /// The texels between the texture's first one and its memory's, which kernels add to their indices:
  /// `tex1Dfetch<float>(t, i + offset)`. 0 unless it was made with `.allow_offset`.
  [[nodiscard]] std::size_t offset() const noexcept { return this->facts().offset; }
  /// The driver's description. Throws: `logic_error` when empty; `error`. Wraps `cuTexObjectGetResourceDesc`,
  /// `cuTexObjectGetTextureDesc`.
  [[nodiscard]] abi::resource_descriptor resource(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    return this->parent().state().port.texture_resource(this->parent().get().native_handle(), native, where);
  }
  [[nodiscard]] abi::texture_descriptor descriptor(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    return this->parent().state().port.texture_descriptor_of(this->parent().get().native_handle(), native, where);
  }
  /// The driver's description of a texture's `.view`. Throws: as above; also `logic_error` for a texture without
  /// `.view`. Wraps `cuTexObjectGetResourceViewDesc`.
  [[nodiscard]] abi::resource_view_descriptor view(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    if (!this->facts().has_view) {
      yoke::detail::throw_error(errc::invalid_argument,
                                "this texture has no view: it was made without .view, and sees all of its memory",
                                where);
    }
    return this->parent().state().port.texture_view_of(this->parent().get().native_handle(), native, where);
  }
  /// The format of the texels, or that of `.view`: of an array, whose format `resource()` lacks, too. Throws:
  /// `logic_error` when empty.
  [[nodiscard]] image_format format(const source_location& where = source_location::current()) const {
    (void)this->use(where);
    return this->facts().format;
  }
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }

 private:
  friend base;
  static void destroy(yoke::detail::context_reference<port>& parent, native_type native,
                      detail::texture_facts&) noexcept {
    const auto& in = parent.state();
    if (!in.left_us()) in.report(in.port.release_texture(in.native, native));
  }
  texture(detail::texture_source of, const texture_options& options, const source_location& where)
      : texture(of,
                options.allow_offset
                    ? of.in.port(where).align_texture(of.in.native_handle(), of.resource, of.format, where)
                    : 0,
                options, where) {}
  texture(const detail::texture_source& of, std::size_t offset, const texture_options& options,
          const source_location& where)
      : base(of.in,
             of.in.port(where).create_texture(of.in.native_handle(), of.resource, descriptor_of(options, where),
                                              of.format, of.levels, options.view.has_value() ? &*options.view : nullptr,
                                              where),
             true, detail::texture_facts{of.keeps, offset, options.view.has_value(), seen_format(of, options)}) {}
  static image_format seen_format(const detail::texture_source& of, const texture_options& options) noexcept {
    return options.view.has_value() && options.view->format.has_value() ? *options.view->format : of.format;
  }
  static abi::texture_descriptor descriptor_of(const texture_options& options, const source_location& where) {
    abi::texture_descriptor result{};
    for (const filter_mode each : {options.filter, options.level_filter}) {
      yoke::detail::check_sampler({.filter = each}, where);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      yoke::detail::check_sampler({.address = options.address[axis], .normalised = true}, where);
      result.address[axis] = detail::native_address(options.address[axis]);
    }
    result.filter = detail::native_filter(options.filter);
    result.flags = (options.as_integers ? abi::texture_read_as_integer : 0) |
                   (options.normalised ? abi::texture_normalized_coordinates : 0) |
                   (options.srgb ? abi::texture_srgb : 0) |
                   (options.exact_trilinear ? abi::texture_disable_trilinear_optimization : 0) |
                   (options.seamless_cubemap ? abi::texture_seamless_cubemap : 0);
    result.max_anisotropy = options.max_anisotropy;
    result.mipmap_filter = detail::native_filter(options.level_filter);
    result.mipmap_level_bias = options.level_bias;
    result.min_mipmap_level = options.least_level;
    result.max_mipmap_level = options.last_level;
    for (std::size_t i = 0; i < 4; ++i) result.border_colour[i] = options.border[i];
    return result;
  }
};

/// A surface object over an array made with `.surface`. Kernels read and write texels by it; there x counts bytes.
/// Kernels take it as `cudaSurfaceObject_t`, `unsigned long long` in a signature: pass `native_handle()`. Move-only.
/// Keeps the array's memory alive. Thread safety: one non-const handle from one thread at a time.
class surface
    : public yoke::detail::handle<surface, yoke::detail::context_reference<port>, abi::surface_object, kept_alive> {
  using base = yoke::detail::handle<surface, yoke::detail::context_reference<port>, abi::surface_object, kept_alive>;

 public:
  using native_type = abi::surface_object;
  static constexpr const char* noun = "surface";

  surface() noexcept = default;
  /// Throws: `logic_error` for an array made without `.surface`; `error`. Wraps `cuSurfObjectCreate`.
  template <class T>
  explicit surface(const array<T>& of, const source_location& where = source_location::current())
      : base(of.context_of(),
             (of.check(where),
              of.context_of().port(where).create_surface(of.context_of().native_handle(), of.native_handle(), where)),
             true, of.share()) {}

  /// The driver's description. Throws: `logic_error` when empty; `error`. Wraps `cuSurfObjectGetResourceDesc`.
  [[nodiscard]] abi::resource_descriptor resource(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    return this->parent().state().port.surface_resource(this->parent().get().native_handle(), native, where);
  }
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }

 private:
  friend base;
  static void destroy(yoke::detail::context_reference<port>& parent, native_type native, kept_alive&) noexcept {
    const auto& in = parent.state();
    if (!in.left_us()) in.report(in.port.release_surface(in.native, native));
  }
};

/// Functions for CUDA C++ sources that read 64-bit and complex texels, for which CUDA has no formats: a `double` is an
/// `int2` texel, a complex number of floats a `float2`, one of doubles an `int4`. Put the text before a source.
///
/// `wide_double(int2)` and `wide_double2(int4)` make numbers of texels, `wide_texel(double)` and `wide_texel2(double,
/// double)` texels of numbers: `wide_double(tex2D<int2>(texture, x, y))`, `surf2Dwrite(wide_texel(value), surface, 8 *
/// x, y)`.
inline constexpr std::string_view wide_texels = R"(
static __device__ __forceinline__ double wide_double(int2 t) {
  return __hiloint2double(t.y, t.x);
}
static __device__ __forceinline__ double2 wide_double2(int4 t) {
  return make_double2(__hiloint2double(t.y, t.x), __hiloint2double(t.w, t.z));
}
static __device__ __forceinline__ int2 wide_texel(double v) {
  return make_int2(__double2loint(v), __double2hiint(v));
}
static __device__ __forceinline__ int4 wide_texel2(double a, double b) {
  return make_int4(__double2loint(a), __double2hiint(a), __double2loint(b), __double2hiint(b));
}
)";

}  // namespace yoke::inline v0_1::cuda

#endif

// SPDX-License-Identifier: MIT
// Tensor maps: an array's description by which the device copies its tiles to shared memory and back (TMA).
#ifndef YOKE_CUDA_TENSOR_TENSOR_MAP_HPP
#define YOKE_CUDA_TENSOR_TENSOR_MAP_HPP

#include <yoke/array/storage/device_array.hpp>
#include <yoke/cuda/device/stream.hpp>
#include <yoke/driver/cuda/image/tensor_map.hpp>
#include <yoke/program/kernel.hpp>
#include <yoke/program/kernel/object_argument.hpp>

#include <array>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace yoke::inline v0_1::cuda {

/// How the chunks of a tile's rows are permuted in shared memory.
using tensor_swizzle = abi::tensor_swizzle;
/// The smallest read of the L2 cache.
using tensor_promotion = abi::tensor_promotion;
/// The value of elements outside the array: zeros, or, for floating-point elements only, NaN.
using tensor_fill = abi::tensor_fill;
/// The treatment of `float` elements.
enum class tensor_float : unsigned char {
  exact,         ///< unchanged
  flushed,       ///< `add_tile` treats denormal numbers as zeros
  tf32,          ///< `load_tile` rounds to the nearest TF32
  tf32_flushed,  ///< both
};

/// Further options of a tensor map. Example: `{.swizzle = cuda::tensor_swizzle::bytes_128}`
struct tensor_map_options {
  tensor_swizzle swizzle = tensor_swizzle::none;
  tensor_promotion promotion = tensor_promotion::none;
  tensor_fill fill = tensor_fill::zero;
  tensor_float floats = tensor_float::exact;  ///< for elements of `float`
  /// The step between the elements of a tile along each axis of the array; 0 is 1, and the last axis must have step 1.
  /// A tile of `n` takes `n / step` elements, rounded up.
  std::array<unsigned, detail::tensor_axes> steps{};
};

/// Reports arguments that do not compile: the first error names a missing member, whose name says what to write.
template <class... Given>
struct tensor_map_mismatch {};

namespace detail {
/// Whether the hardware supports the type: integers and floating-point numbers of 1 to 8 bytes.
template <class T>
concept tensor_number = (std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8) || std::same_as<T, half> ||
                        std::same_as<T, bfloat16> || std::same_as<T, float> || std::same_as<T, double>;
/// The hardware has no signed integers below 4 bytes; they are only copied.
template <tensor_number T>
[[nodiscard]] consteval abi::tensor_element tensor_element_of() noexcept {
  using enum abi::tensor_element;
  if constexpr (std::same_as<T, half>) return float16;
  if constexpr (std::same_as<T, yoke::bfloat16>) return bfloat16;
  if constexpr (std::same_as<T, float>) return float32;
  if constexpr (std::same_as<T, double>) return float64;
  if constexpr (sizeof(T) == 1) return uint8;
  if constexpr (sizeof(T) == 2) return uint16;
  if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? int32 : uint32;
  return std::is_signed_v<T> ? int64 : uint64;
}
/// The element type and rank of an array or a view on the device; nothing for other types.
template <class Given>
struct array_kind {
  static constexpr bool is_view = false;
  static constexpr bool is_array = false;
};
template <class T, std::size_t Rank, class Port>
struct array_kind<device_view<T, Rank, Port>> {
  using element = T;
  using port_type = Port;
  static constexpr std::size_t rank = Rank;
  static constexpr bool is_view = true;
  static constexpr bool is_array = false;
};
template <class T, std::size_t Rank, class Port>
struct array_kind<device_array<T, Rank, Port>> : array_kind<device_view<T, Rank, Port>> {
  static constexpr bool is_view = false;
  static constexpr bool is_array = true;
};
/// Returns: the view for a map; does not compile for other arguments.
template <class T, std::size_t Rank, class Given>
[[nodiscard]] device_view<T, Rank, port> view_for_map(Given&& given, const source_location& where) {
  using object = std::remove_reference_t<Given>;
  using kind = array_kind<std::remove_const_t<object>>;
  using wrong = tensor_map_mismatch<object, T>;
  if constexpr (!kind::is_view && !kind::is_array) {
    (void)wrong::pass_an_array_or_a_view_on_the_device;
  } else if constexpr (!std::same_as<typename kind::port_type, port>) {
    (void)wrong::pass_an_array_of_the_cuda_port;
  } else if constexpr (kind::rank != Rank) {
    (void)wrong::pass_an_array_of_the_maps_rank;
  } else if constexpr (!std::same_as<std::remove_const_t<typename kind::element>, std::remove_const_t<T>>) {
    (void)wrong::pass_an_array_of_the_maps_type;
  } else if constexpr (kind::is_array && !std::is_lvalue_reference_v<Given>) {
    (void)wrong::the_array_ends_with_the_statement_pass_a_variable;
  } else if constexpr (!std::is_const_v<T> &&
                       (std::is_const_v<typename kind::element> || (kind::is_array && std::is_const_v<object>))) {
    (void)wrong::this_array_cannot_be_written_make_a_map_of_const_elements;
  } else if constexpr (kind::is_view) {
    return given;
  } else {
    return given.view(where);
  }
  return {};
}

/// Returns: the map of an array and its tiles, with the options applied. Throws: as `tensor_map`.
[[nodiscard]] YOKE_API abi::tensor_map make_tensor_map(const context& in, tensor_plan plan,
                                                       const tensor_map_options& options, const source_location& where);
/// Throws: as `tensor_map::move_to`.
YOKE_API void move_map(const context& in, abi::tensor_map& map, const tensor_plan& from, const tensor_plan& to,
                       const source_location& where);
}  // namespace detail

/// An array, and tiles of it that a kernel copies to shared memory and back by one instruction each (TMA), on devices
/// from compute capability 9.0 on. It is an argument of launches: `get_kernel<void(cuda::tensor_map<float, 2>,
/// float*)>(...)`. In the kernel it is a `const __grid_constant__` struct of 128 bytes; `cuda::tensor_tiles` has the
/// type and functions for it. A map of `const T` is for kernels that only read. It shares the array's memory, and
/// orders the work on it as an argument of launches. Requires: memory behind a view of a span outlives the launches.
/// Thread safety: a value.
/// Example: `const cuda::tensor_map<float, 2> map(array.view(), {64, 32});`
template <class T, std::size_t Rank>
class tensor_map {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  static_assert(Rank >= 1 && Rank <= detail::tensor_axes, "a tensor map has one to five axes");
  static_assert(detail::tensor_number<value_type>,
                "a tensor map has integers or floating-point numbers of 1 to 8 bytes; cast the array to such a type");

  /// Tiles of `box` elements, by the axes of an array, or of a view.
  /// Throws: `logic_error` that names the axis, the value and the limit: for an empty view; for a last axis with gaps;
  /// for other strides, or a start, that are not multiples of 16 bytes; for tiles of more than 256 elements along an
  /// axis, or whose rows are not a multiple of 16 bytes or longer than the swizzle; `unsupported_error` for a device
  /// below 9.0; `error`. Wraps `cuTensorMapEncodeTiled`.
  template <class Array>
  tensor_map(Array&& of, const shape<Rank>& box, const tensor_map_options& options = {},
             const source_location& where = source_location::current())
      : tensor_map(made{}, detail::view_for_map<T, Rank>(std::forward<Array>(of), where), box, options, where) {}
  /// Converts a map for kernels that write to one for kernels that only read.
  template <class U>
    requires(std::same_as<const U, T>)
  tensor_map(const tensor_map<U, Rank>& other) noexcept  // NOLINT: adding const is harmless
      : native_(other.native()),
        context_(other.context_of()),
        keep_alive_(other.keep_alive()),
        uses_(other.uses()),
        layout_(other.layout()),
        box_(other.box()),
        steps_(other.steps()),
        swizzle_(other.swizzle()) {}

  /// Effects: makes it a map of another array of the same extents and strides: the next tile of a sequence, the other
  /// of two buffers.
  /// Throws: `logic_error` for other extents or strides, another context, or a start that is not a multiple of 16
  /// bytes. Wraps `cuTensorMapReplaceAddress`.
  template <class Array>
  void move_to(Array&& array, const source_location& where = source_location::current()) {
    const auto of = detail::view_for_map<T, Rank>(std::forward<Array>(array), where);
    if (empty()) yoke::detail::throw_error(errc::empty_handle, "this tensor map is empty (moved from)", where);
    if (!(of.stream(where).context_of() == context_)) {
      yoke::detail::throw_error(errc::wrong_context, "the tensor map is of another context than the array", where);
    }
    detail::move_map(context_, native_, plan_of({}, layout_), plan_of(of.memory().memory, of.layout()), where);
    keep_alive_ = of.keep_alive();
    uses_ = of.memory().uses;
    layout_ = of.layout();
  }

  [[nodiscard]] static constexpr std::size_t rank() noexcept { return Rank; }
  /// Whether it was moved from; a launch refuses it.
  [[nodiscard]] bool empty() const noexcept { return !context_; }
  [[nodiscard]] const array_layout<Rank>& layout() const noexcept { return layout_; }
  [[nodiscard]] const shape<Rank>& box() const noexcept { return box_; }
  [[nodiscard]] const std::array<unsigned, detail::tensor_axes>& steps() const noexcept { return steps_; }
  [[nodiscard]] tensor_swizzle swizzle() const noexcept { return swizzle_; }
  /// The bytes that the copy of a tile transfers, for a barrier. Units: bytes.
  [[nodiscard]] std::size_t tile_bytes() const noexcept {
    std::size_t count = sizeof(T);
    for (std::size_t axis = 0; axis < Rank; ++axis) count *= (box_[axis] + steps_[axis] - 1) / steps_[axis];
    return empty() ? 0 : count;
  }
  /// The shared memory of a tile: with a swizzle, rows are as far apart as it is wide. Units: bytes.
  [[nodiscard]] std::size_t shared_bytes() const noexcept {
    const std::size_t row = box_[Rank - 1] * sizeof(T);
    const std::size_t width = detail::swizzle_bytes(swizzle_);
    return empty() ? 0 : tile_bytes() / row * (width == 0 ? row : width);
  }
  /// The bytes of the driver's own `CUtensorMap`; with <cuda.h>, `std::bit_cast` converts them.
  [[nodiscard]] const abi::tensor_map& native() const noexcept { return native_; }
  [[nodiscard]] const context& context_of() const noexcept { return context_; }
  [[nodiscard]] const kept_alive& keep_alive() const noexcept { return keep_alive_; }
  // The uses of the memory, by which launches order streams.
  [[nodiscard]] const yoke::detail::uses_of_memory<port>& uses() const noexcept { return uses_; }

 private:
  struct made {};
  tensor_map(made, const device_view<T, Rank, port>& of, const shape<Rank>& box, const tensor_map_options& options,
             const source_location& where)
      : context_(of.stream(where).context_of()),
        keep_alive_(of.keep_alive()),
        uses_(of.memory().uses),
        layout_(of.layout()),
        box_(box),
        steps_(options.steps),
        swizzle_(options.swizzle) {
    for (unsigned& step : steps_) step = step == 0 ? 1 : step;
    native_ = detail::make_tensor_map(context_, plan_of(of.memory().memory, layout_), options, where);
  }
  /// Returns: the array and its tiles.
  [[nodiscard]] detail::tensor_plan plan_of(abi::device_pointer memory,
                                            const array_layout<Rank>& layout) const noexcept {
    detail::tensor_plan plan;
    plan.address = memory + layout.offset_bytes();
    plan.element = detail::tensor_element_of<value_type>();
    plan.element_bytes = sizeof(T);
    plan.rank = Rank;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      plan.extents[axis] = layout.extent(axis);
      plan.strides[axis] = layout.strides()[axis];
      plan.box[axis] = box_[axis];
      plan.steps[axis] = steps_[axis];
    }
    return plan;
  }

  abi::tensor_map native_{};
  context context_;
  kept_alive keep_alive_{};
  yoke::detail::uses_of_memory<port> uses_{};
  array_layout<Rank> layout_{};
  shape<Rank> box_{};
  std::array<unsigned, detail::tensor_axes> steps_{};
  tensor_swizzle swizzle_{};
};

// Accepts any port, so that the constructor can report a wrong one.
template <class U, std::size_t Rank, class Port>
tensor_map(device_array<U, Rank, Port>&, const shape<Rank>&, const tensor_map_options& = {}) -> tensor_map<U, Rank>;
template <class U, std::size_t Rank, class Port>
tensor_map(const device_array<U, Rank, Port>&, const shape<Rank>&, const tensor_map_options& = {})
    -> tensor_map<const U, Rank>;
template <class U, std::size_t Rank, class Port>
tensor_map(const device_view<U, Rank, Port>&, const shape<Rank>&, const tensor_map_options& = {})
    -> tensor_map<U, Rank>;

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {

template <class T, std::size_t Rank>
inline constexpr bool is_kernel_parameter<cuda::tensor_map<T, Rank>> = false;  // see `argument` below

namespace detail {

template <class T>
inline constexpr bool is_tensor_map = false;
template <class T, std::size_t Rank>
inline constexpr bool is_tensor_map<cuda::tensor_map<T, Rank>> = true;

template <std::size_t Index, class T, std::size_t Rank, bool Async>
class argument<Index, cuda::tensor_map<T, Rank>, cuda::port, Async>
    : public object_argument<argument<Index, cuda::tensor_map<T, Rank>, cuda::port, Async>, Index, cuda::port> {
  using base = object_argument<argument<Index, cuda::tensor_map<T, Rank>, cuda::port, Async>, Index, cuda::port>;

 public:
  static constexpr const char* noun = "a tensor map";

  template <class Given>
  argument(Given&& given) noexcept {  // NOLINT: launches read like calls
    using plain = std::remove_cvref_t<Given>;
    using wrong = kernel_argument_mismatch<Index + 1, plain, cuda::tensor_map<T, Rank>>;
    if constexpr (std::same_as<plain, cuda::tensor_map<T, Rank>> ||
                  std::same_as<plain, cuda::tensor_map<std::remove_const_t<T>, Rank>>) {
      this->take(given.context_of().shared(), &given.native(), sizeof(cuda::abi::tensor_map), true);
      uses_ = given.uses();
    } else if constexpr (!is_tensor_map<plain>) {
      (void)wrong::pass_a_tensor_map;
    } else if constexpr (plain::rank() != Rank) {
      (void)wrong::pass_a_tensor_map_of_the_parameters_rank;
    } else if constexpr (!std::same_as<typename plain::value_type, std::remove_const_t<T>>) {
      (void)wrong::pass_a_tensor_map_of_the_parameters_type;
    } else {
      (void)wrong::the_kernel_writes_by_it_pass_a_tensor_map_without_const;
    }
  }
  [[nodiscard]] bool is_usual(const context_state<cuda::port>& in, cuda::port::stream_handle stream) const noexcept {
    return base::is_usual(in, stream) && uses_.is_usual(stream);
  }
  kernel_argument prepare(const launch_target<cuda::port>& target) const {
    const kernel_argument made = base::prepare(target);
    if (target.operation != nullptr) {
      target.operation->use(uses_, nullptr, std::is_const_v<T> ? memory_use::reads : memory_use::writes, target.where);
    }
    return made;
  }

 private:
  uses_of_memory<cuda::port> uses_{};
};

template <class T, std::size_t Rank>
struct described_parameter<cuda::tensor_map<T, Rank>> {
  /// The kernel may give the struct any name.
  static parameter_info info() {
    parameter_info info;
    info.space = address_space::value;
    info.bytes = sizeof(cuda::abi::tensor_map);
    info.alignment = cuda::abi::tensor_map_alignment;
    info.scalar = scalar_kind::unknown;
    info.spelling = "tensor_map<" + spelled<T>() + ", " + std::to_string(Rank) + ">";
    return info;
  }
};

}  // namespace detail
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/tensor/tensor_map.ipp>
#endif

#endif

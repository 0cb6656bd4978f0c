// SPDX-License-Identifier: MIT
// Images and samplers as kernel parameters: the types in signatures, and the arguments of launches.
#ifndef YOKE_IMAGE_IMAGE_ARGUMENT_HPP
#define YOKE_IMAGE_IMAGE_ARGUMENT_HPP

#include <yoke/image/image.hpp>
#include <yoke/program/kernel.hpp>
#include <yoke/program/kernel/object_argument.hpp>

#include <array>
#include <string>

namespace yoke::inline v0_1 {

namespace detail {
/// An image parameter of a kernel. `V` is the type that the kernel reads or writes.
template <class V, image_kind Kind, image_access Access>
struct image_parameter {};
}  // namespace detail

/// Image parameters in signatures. `V` is the type that a kernel reads and writes: `float`, `std::int32_t`,
/// `std::uint32_t` or their vectors of two and four. An argument is an image with that `kernel_type`:
/// `read_image<float4, 2>` takes an `image<float4, 2>`, an `image<unorm<std::uint8_t, 4>, 2>` or an `image<half4, 2>`.
template <class V, unsigned Dimensions>
using read_image = detail::image_parameter<V, detail::kind_of_dimensions(Dimensions, false), image_access::read>;
template <class V, unsigned Dimensions>
using write_image = detail::image_parameter<V, detail::kind_of_dimensions(Dimensions, false), image_access::write>;
template <class V, unsigned Dimensions>
using read_write_image =
    detail::image_parameter<V, detail::kind_of_dimensions(Dimensions, false), image_access::read_write>;
template <class V, unsigned Dimensions>
using read_layered_image = detail::image_parameter<V, detail::kind_of_dimensions(Dimensions, true), image_access::read>;
template <class V, unsigned Dimensions>
using write_layered_image =
    detail::image_parameter<V, detail::kind_of_dimensions(Dimensions, true), image_access::write>;
template <class V, unsigned Dimensions>
using read_write_layered_image =
    detail::image_parameter<V, detail::kind_of_dimensions(Dimensions, true), image_access::read_write>;

// Shown in the compiler's first error for a wrong argument.
template <class Value, image_kind Kind>
struct given_image_of;
template <class Value, image_kind Kind>
struct expected_image_of;
struct expected_sampler;

namespace detail {

template <class T>
inline constexpr bool is_image = false;
template <class T, image_kind Kind, class Port>
inline constexpr bool is_image<basic_image<T, Kind, Port>> = true;

template <class T, image_kind Kind, class Port>
struct kind_of_argument<basic_image<T, Kind, Port>> {
  using type = given_image_of<typename basic_image<T, Kind, Port>::kernel_type, Kind>;
};
template <class T, image_kind Kind, class Port>
struct kind_of_argument<const basic_image<T, Kind, Port>> : kind_of_argument<basic_image<T, Kind, Port>> {};

/// Ends the compilation: the kernel cannot take the argument as an image.
template <std::size_t Position, class V, image_kind Kind, image_access Access, class Port, class Given>
constexpr void refuse_image_argument() noexcept {
  using plain = std::remove_cvref_t<Given>;
  if constexpr (!is_image<plain>) {
    using wrong =
        kernel_argument_mismatch<Position, typename kind_of_argument<plain>::type, expected_image_of<V, Kind>>;
    (void)wrong::pass_an_image;
  } else {
    using wrong = kernel_argument_mismatch<Position, given_image_of<typename plain::kernel_type, plain::kind>,
                                           expected_image_of<V, Kind>>;
    if constexpr (plain::kind != Kind) {
      (void)wrong::pass_an_image_of_the_parameters_dimensions;
    } else if constexpr (!std::same_as<typename plain::kernel_type, V>) {
      (void)wrong::kernels_read_its_texels_as_another_type_unorm_std_uint8_t_4_is_read_as_float4;
    } else if constexpr (!std::same_as<typename plain::port_type, Port>) {
      (void)wrong::pass_an_image_of_the_kernels_backend;
    } else if constexpr (Access != image_access::read && plain::format.type == channel_type::srgb8) {
      (void)wrong::kernels_only_read_srgb_texels;
    } else {
      (void)wrong::the_kernel_writes_it_pass_an_image_that_is_not_const;
    }
  }
}
template <class V, image_kind Kind, image_access Access, class Port, class Given>
consteval bool takes_image() {
  using plain = std::remove_cvref_t<Given>;
  if constexpr (is_image<plain>) {
    constexpr bool only_read = std::is_const_v<std::remove_reference_t<Given>>;
    return plain::kind == Kind && std::same_as<typename plain::kernel_type, V> &&
           std::same_as<typename plain::port_type, Port> &&
           (Access == image_access::read || (!only_read && plain::format.type != channel_type::srgb8));
  } else {
    return false;
  }
}

template <std::size_t Index, class V, image_kind Kind, image_access Access, class Port, bool Async>
class argument<Index, image_parameter<V, Kind, Access>, Port, Async>
    : public object_argument<argument<Index, image_parameter<V, Kind, Access>, Port, Async>, Index, Port> {
 public:
  static constexpr const char* noun = "an image";

  template <class Given>
  argument(Given&& given) noexcept {  // NOLINT: launches read like calls
    if constexpr (!takes_image<V, Kind, Access, Port, Given>()) {
      refuse_image_argument<Index + 1, V, Kind, Access, Port, Given>();
    } else {
      this->take(given.context_of().shared(), given.argument_place(), given.argument_bytes(),
                 given.is_argument_by_value());
      if constexpr (Access != image_access::read) {
        if (!given.empty() && !given.is_writable()) [[unlikely]]
          this->refuse(object_fault::read_only);
      }
      if constexpr (Access != image_access::write) {
        if (!given.empty() && !given.is_readable()) [[unlikely]]
          this->refuse(object_fault::write_only);
      }
    }
  }
};

/// The samplers of a context, each made by the first launch that needs it. The context's end releases them.
template <class Port>
class sampler_cache {
 public:
  using native_type = typename Port::sampler_handle;

  explicit sampler_cache(const context_state<Port>& in) noexcept : port_(in.port), context_(in.native) {}
  /// Requires: `other` is unused.
  sampler_cache(sampler_cache&& other) noexcept : port_(other.port_), context_(other.context_) {}
  sampler_cache& operator=(sampler_cache&&) = delete;
  ~sampler_cache() {
    for (const auto& each : slots_) {
      const slot* const made = each.load(order::acquire);
      if (made == nullptr) continue;
      report_release(port_, port_traits<Port>::release_sampler(port_, made->native));
      delete made;
    }
  }
  /// Returns: the address of the sampler's handle; null if it is not made yet. Thread safety: safe.
  [[nodiscard]] const native_type* find(const sampler& of) const noexcept {
    const slot* const made = slots_[sampler_code(of)].load(order::acquire);
    return made == nullptr ? nullptr : &made->native;
  }
  /// Returns: the address of the sampler's handle; makes the sampler if needed. Throws: `error`; `std::bad_alloc`.
  /// Thread safety: safe.
  const native_type* find_or_make(const sampler& of, const source_location& where) {
    atomic<slot*>& at = slots_[sampler_code(of)];
    if (slot* const made = at.load(order::acquire); made != nullptr) return &made->native;
    auto fresh = make_owner<slot>();
    fresh->native = port_.create_sampler(context_, of, where);
    slot* before = nullptr;
    if (at.compare_exchange_strong(before, fresh.get())) return &fresh.release()->native;
    report_release(port_, port_traits<Port>::release_sampler(port_, fresh->native));  // another thread was faster
    return &before->native;
  }

 private:
  struct slot {
    native_type native{};
  };
  Port port_;
  typename Port::context_handle context_;
  std::array<atomic<slot*>, sampler_codes> slots_{};
};
template <class Port>
[[nodiscard]] sampler_cache<Port>& samplers_of(context_state<Port>& in) {
  return in.attached.template get<sampler_cache<Port>>([&] { return sampler_cache<Port>(in); });
}

/// A program's own native sampler, as an argument.
template <class Port>
struct native_sampler_argument {
  const context_state<Port>* in;
  const typename Port::sampler_handle* place;
  bool is_linear;
};
template <class Given, class Port>
concept sampler_handle_of = requires(const Given& given) {
  { given.argument() } -> std::same_as<native_sampler_argument<Port>>;
};

/// How many image parameters a signature reads as floating-point numbers, and how many as integers.
struct read_counts {
  std::size_t reals = 0;
  std::size_t integers = 0;
};
template <class V>
inline constexpr bool is_of_reals = std::same_as<V, float>;
template <std::size_t N>
inline constexpr bool is_of_reals<vec<float, N>> = true;
template <class P>
inline constexpr read_counts reads_of{};
template <class V, image_kind Kind, image_access Access>
  requires(Access != image_access::write)
inline constexpr read_counts reads_of<image_parameter<V, Kind, Access>> = {is_of_reals<V> ? 1u : 0u,
                                                                           is_of_reals<V> ? 0u : 1u};
template <>
inline constexpr bool has_neighbours<sampler> = true;
/// Throws: `logic_error` for a filtering sampler of a kernel whose images hold only integers.
[[noreturn, gnu::cold]] YOKE_API void throw_filtered_integers(std::size_t position, const source_location& where);

template <std::size_t Index, class Port, bool Async>
class argument<Index, sampler, Port, Async>
    : public object_argument<argument<Index, sampler, Port, Async>, Index, Port> {
  using base = object_argument<argument<Index, sampler, Port, Async>, Index, Port>;

 public:
  static constexpr const char* noun = "a sampler";

  template <class Given>
  argument(const Given& given, const source_location& where = source_location::current()) {  // NOLINT: as a call
    if constexpr (std::same_as<Given, sampler>) {
      check_sampler(given, where);
      fields_ = given;
      is_linear_ = given.filter == filter_mode::linear;
    } else if constexpr (sampler_handle_of<Given, Port>) {
      const native_sampler_argument<Port> own = given.argument();
      this->take(own.in, own.place, sizeof(typename Port::sampler_handle));
      is_linear_ = own.is_linear;
      is_own_ = true;
    } else {
      using wrong = kernel_argument_mismatch<Index + 1, typename kind_of_argument<Given>::type, expected_sampler>;
      (void)wrong::pass_a_yoke_sampler;
    }
  }

  kernel_argument prepare(const launch_target<Port>& target) const {
    if (is_own_) return base::prepare(target);
    return {argument_kind::memory, samplers_of(*target.state).find_or_make(fields_, target.where),
            sizeof(typename Port::sampler_handle)};
  }
  /// Throws: `logic_error` for a filtering sampler if all images that the kernel reads hold integers, which cannot be
  /// filtered.
  template <class... All>
  void check_neighbours(const source_location& where) const {
    if constexpr ((reads_of<All>.integers + ... + 0) != 0 && (reads_of<All>.reals + ... + 0) == 0) {
      if (is_linear_) [[unlikely]]
        throw_filtered_integers(Index + 1, where);
    }
  }
  void check_unused(const launch_target<Port>& target) const {
    if (is_own_) base::check_unused(target);
  }
  /// Whether the sampler exists already. Effects: sets its address.
  [[nodiscard]] bool is_usual(const context_state<Port>& in, typename Port::stream_handle stream) const {
    if (is_own_) return base::is_usual(in, stream);
    // Attached objects are not part of the context's value, so the const_cast is safe.
    this->set_place(samplers_of(const_cast<context_state<Port>&>(in)).find(fields_));
    return this->place() != nullptr;
  }

 private:
  sampler fields_{};
  bool is_linear_ = false;
  bool is_own_ = false;
};

/// Returns: "image2d_t".
[[nodiscard]] constexpr const char* opencl_image_name(image_kind kind) noexcept {
  constexpr const char* names[] = {"image1d_t", "image2d_t", "image3d_t", "image1d_array_t", "image2d_array_t"};
  return names[static_cast<std::size_t>(kind)];
}
/// Returns: the description of an image or sampler parameter for the check of signatures.
[[nodiscard]] YOKE_API parameter_info image_parameter_info(image_kind kind, image_access access,
                                                           const std::string& value);
[[nodiscard]] YOKE_API parameter_info sampler_parameter_info();

template <class V, image_kind Kind, image_access Access>
struct described_parameter<image_parameter<V, Kind, Access>> {
  static_assert(vec_size<V> == 2 || vec_size<V> == 4 || vec_size<V> == 0, "kernels read 1, 2 or 4 channels");
  static parameter_info info() { return image_parameter_info(Kind, Access, spelled<V>()); }
};
template <>
struct described_parameter<sampler> {
  static parameter_info info() { return sampler_parameter_info(); }
};

}  // namespace detail

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/image/image_argument.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// An owner of a native sampler: for properties that `yoke::sampler` lacks, and for samplers made by other code.
#ifndef YOKE_OPENCL_IMAGE_SAMPLER_HPP
#define YOKE_OPENCL_IMAGE_SAMPLER_HPP

#include <yoke/opencl/image/names.hpp>

namespace yoke::inline v0_1::opencl {

namespace detail {
/// The facts about a native sampler that launches need.
struct sampler_facts {
  bool is_linear = false;
};
/// Returns: whether a list of properties has a linear filter.
[[nodiscard]] inline bool has_linear_filter(std::span<const std::uint64_t> properties) noexcept {
  for (std::size_t i = 0; i + 1 < properties.size() && properties[i] != 0; i += 2) {
    if (properties[i] == abi::sampler_filter_mode) return properties[i + 1] == abi::filter_linear;
  }
  return false;
}
}  // namespace detail

/// A native sampler. Launches take it where they take a `yoke::sampler`. Move-only.
/// Thread safety: one non-const handle from one thread at a time; launches with a const one from any number of threads.
/// Example: `opencl::sampler smooth{ctx, {.filter = yoke::filter_mode::linear}};`
class sampler
    : public yoke::detail::handle<sampler, yoke::detail::context_reference<port>, abi::sampler, detail::sampler_facts> {
  using base =
      yoke::detail::handle<sampler, yoke::detail::context_reference<port>, abi::sampler, detail::sampler_facts>;

 public:
  using native_type = abi::sampler;
  using port_type = port;
  static constexpr const char* noun = "sampler";

  sampler() noexcept = default;
  /// Throws: `logic_error` for fields that no sampler has; `error`. Wraps `clCreateSampler`.
  sampler(const context& in, const yoke::sampler& fields, const source_location& where = source_location::current())
      : base(in,
             (yoke::detail::check_sampler(fields, where),
              in.port(where).create_sampler(in.native_handle(), fields, where)),
             true, {fields.filter == filter_mode::linear}) {}
  /// Makes a sampler from properties: `CL_SAMPLER_...` keys with their values. The 0 at the end may be missing.
  /// Throws: `unsupported_error` before OpenCL 2.0; `logic_error` for a key without a value; `error`. Wraps
  /// `clCreateSamplerWithProperties`.
  sampler(const context& in, std::span<const std::uint64_t> properties,
          const source_location& where = source_location::current())
      : base(in, in.port(where).create_sampler_with(in.native_handle(), properties, where), true,
             {detail::has_linear_filter(properties)}) {}

  /// Takes ownership of one reference to a native sampler. Throws: `logic_error` for one of another context; it then
  /// stays the caller's. Wraps `clGetSamplerInfo`.
  [[nodiscard]] static sampler adopt(const context& in, native_type native,
                                     const source_location& where = source_location::current()) {
    return sampler(in, native, true, where);
  }
  /// Uses a native sampler without owning it: it has to outlive this. Throws: as `adopt`.
  [[nodiscard]] static sampler borrow(const context& in, native_type native,
                                      const source_location& where = source_location::current()) {
    return sampler(in, native, false, where);
  }
  /// Shares a native sampler with the caller, by a reference of this handle's own. Throws: as `adopt`. Wraps
  /// `clRetainSampler`.
  [[nodiscard]] static sampler retain(const context& in, native_type native,
                                      const source_location& where = source_location::current()) {
    sampler shared(in, native, false, where);
    in.port(where).retain_sampler(native, where);
    shared.take_ownership();
    return shared;
  }

  /// The driver's description. Throws: `logic_error` when empty; `error`. Wraps `clGetSamplerInfo`.
  [[nodiscard]] sampler_description description(const source_location& where = source_location::current()) const {
    const native_type native = this->use(where);
    return this->parent().state().port.describe_sampler(native, where);
  }
  [[nodiscard]] const context& context_of() const noexcept { return this->parent().get(); }
  // For launches.
  [[nodiscard]] yoke::detail::native_sampler_argument<port> argument() const noexcept {
    return {context_of().shared(), &this->native_place(), this->facts().is_linear};
  }

 private:
  friend base;
  static void destroy(yoke::detail::context_reference<port>& parent, native_type native,
                      detail::sampler_facts&) noexcept {
    parent.report(parent.state().port.release_sampler(native));
  }
  sampler(const context& in, native_type native, bool owned, const source_location& where) : base(in, native, false) {
    if (native == native_type{}) yoke::detail::throw_null_native("sampler", where);
    const sampler_description told = yoke::detail::ask_native(
        "sampler", native, where, [&] { return in.port(where).describe_sampler(native, where); });
    if (told.context != in.native_handle()) {
      yoke::detail::throw_foreign_native("sampler", yoke::detail::native_value(native), "context", where);
    }
    this->facts().is_linear = told.filter == abi::filter_linear;
    if (owned) this->take_ownership();
  }
};

}  // namespace yoke::inline v0_1::opencl

#endif

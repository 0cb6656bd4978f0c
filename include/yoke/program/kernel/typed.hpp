// SPDX-License-Identifier: MIT
// A kernel's name with its signature, for compilers that compare the two.
#ifndef YOKE_PROGRAM_KERNEL_TYPED_HPP
#define YOKE_PROGRAM_KERNEL_TYPED_HPP

#include <yoke/program/kernel/parameter.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {
template <class Signature>
struct signature_parameters;
template <class... P>
struct signature_parameters<void(P...)> {
  static std::vector<parameter_info> list() { return {describe_parameter<P>()...}; }
};
}  // namespace detail

/// A kernel for a backend's compiler to compare with `Signature`, a `void(P...)`: one of the `.kernels` of
/// `cuda::compile_options`. `name` is the kernel's name at the end of the source: "saxpy", "ns::scale", "scale<float>".
/// Throws: `std::bad_alloc`. Thread safety: a value.
template <class Signature>
[[nodiscard]] typed_kernel typed(std::string name) {
  return {std::move(name), detail::signature_parameters<Signature>::list()};
}

}  // namespace yoke::inline YOKE_ABI

#endif

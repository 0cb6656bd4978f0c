// SPDX-License-Identifier: MIT
// A module's variables as typed device memory: `__device__`, `__constant__` and `__managed__` ones.
#ifndef YOKE_CUDA_COMPILE_GLOBAL_HPP
#define YOKE_CUDA_COMPILE_GLOBAL_HPP

#include <yoke/cuda/names.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// Returns: the number of elements of a variable. Throws: `logic_error` when its bytes are not a whole number of
/// elements, or differ from `wanted`, if that is not null.
YOKE_API std::size_t global_elements(const global_variable& found, const std::string& name, std::size_t element_bytes,
                                     const std::size_t* wanted, const source_location& where);
YOKE_API global_variable find_global(const module& in, const std::string& name, const source_location& where);
}  // namespace detail

/// A variable of a module, in its context, as a view that copies, fills and kernels take.
///
/// `name` is the C name; for a variable in a namespace the whole name, "ns::table", or its mangled one; for a template
/// its name expression among `.name_expressions`, "&ns::table<4>". NVRTC may drop static variables
/// that no kernel uses. The view is valid as long as the module or a kernel of it lives.
/// Write a `__constant__` variable like any other memory, but not while a kernel reads it.
/// Throws: `logic_error` (`errc::kernel_not_found`) when there is none; `logic_error` (`errc::size_mismatch`) with the
/// variable's size and the elements' when they do not fit; `error`. Thread safety: safe.
/// Wraps `cuLibraryGetGlobal`, `cuLibraryGetManaged`. Units: elements.
/// Example: `yoke::copy(weights, cuda::get_global<float>(module, "weights"), stream);`
template <class T>
  requires device_element<std::remove_const_t<T>>
[[nodiscard]] device_span<T> get_global(const module& of, const std::string& name,
                                        const source_location& where = source_location::current()) {
  const global_variable found = detail::find_global(of, name, where);
  const std::size_t count = detail::global_elements(found, name, sizeof(T), nullptr, where);
  return {of.context_of(where).native_handle(), found.address, 0, count};
}
/// As above, for a variable of exactly `count` elements.
template <class T, integer Count>
  requires device_element<std::remove_const_t<T>>
[[nodiscard]] device_span<T> get_global(const module& of, const std::string& name, Count count,
                                        const source_location& where = source_location::current()) {
  const auto wanted = yoke::detail::narrow<std::size_t>(count, "element count", where);
  const global_variable found = detail::find_global(of, name, where);
  (void)detail::global_elements(found, name, sizeof(T), &wanted, where);
  return {of.context_of(where).native_handle(), found.address, 0, wanted};
}

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/compile/global.ipp>
#endif

#endif

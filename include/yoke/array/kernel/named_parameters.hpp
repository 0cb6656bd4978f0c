// SPDX-License-Identifier: MIT
// Helpers of kernels made from texts: named parameters, and definitions of their types.
#ifndef YOKE_ARRAY_KERNEL_NAMED_PARAMETERS_HPP
#define YOKE_ARRAY_KERNEL_NAMED_PARAMETERS_HPP

#include <yoke/array/kernel/elementwise_kernel.hpp>

namespace yoke::inline v0_1::detail {

/// The parameters of a text, in the forms in which its functions and kernels declare and pass them.
struct named_parameters {
  std::string declared;  ///< "YOKE_GLOBAL const yoke_x_type0* x, yoke_x_type1 a, "
  std::string numbered;  ///< the same with the names y0, y1, ..., and the offsets of arrays
  std::string passed;    ///< "y0 + yoke_x_begins.at[0], y1, "
  std::string types;     ///< the types that `numbered` uses
};
/// Returns: these texts. Throws: `logic_error` for names that `check_names` refuses.
YOKE_API named_parameters named_parameters_of(const char* what, std::span<const elementwise_parameter> parameters,
                                              std::span<const std::string_view> names, const source_location& where);

template <class P>
inline constexpr elementwise_parameter parameter_of{std::is_pointer_v<P>, std::is_const_v<std::remove_pointer_t<P>>};

/// Effects: adds the macros that define the types of the parameters in a text.
template <class... P>
void define_types(compile_options& options) {
  std::size_t number = 0;
  const auto add = [&]<class T>(std::type_identity<T>) {
    for (define& each : specialise<T>("yoke_x_type" + std::to_string(number))) {
      options.defines.push_back(std::move(each));
    }
    ++number;
  };
  (add(std::type_identity<elementwise_value<P>>{}), ...);
}

/// Effects: adds the descriptions of the registered structs among the parameters, unless the options have them.
template <class... T>
void describe_structs(compile_options& options) {
  std::vector<struct_description>& known = options.types;
  const auto add = [&]<class S>(std::type_identity<S>) {
    if constexpr (registered_struct<S>) {
      if (find_struct(known, device_struct<S>::name) == nullptr) known.push_back(describe_struct<S>());
    }
  };
  (add(std::type_identity<elementwise_value<T>>{}), ...);
}

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/array/kernel/named_parameters.ipp>
#endif

#endif

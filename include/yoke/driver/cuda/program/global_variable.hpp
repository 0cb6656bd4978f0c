// SPDX-License-Identifier: MIT
// The CUDA port's module variables, found by name.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_GLOBAL_VARIABLE_HPP
#define YOKE_DRIVER_CUDA_PROGRAM_GLOBAL_VARIABLE_HPP

#include <yoke/driver/cuda/facet.hpp>

#include <string>

namespace yoke::inline v0_1::cuda {

/// A variable of a module, in a context.
struct global_variable {
  abi::device_pointer address = 0;
  std::size_t bytes = 0;
};

/// A part of `port`.
class global_variable_functions : public facet<global_variable_functions> {
 public:
  /// `name` is a C name, a mangled one, a name expression, or a name with namespaces.
  /// Throws: `logic_error` for an unknown name.
  YOKE_API global_variable find_global(abi::context context, abi::library module, const std::string& name,
                                       const source_location& where) const;
};

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/cuda/program/global_variable.ipp>
#endif

#endif

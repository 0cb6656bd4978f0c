// SPDX-License-Identifier: MIT
// The OpenCL port's programs of several sources: compiled one by one, and linked.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_LINK_HPP
#define YOKE_DRIVER_OPENCL_PROGRAM_LINK_HPP

#include <yoke/driver/opencl/facet.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::opencl {

/// A part of `port`.
class link_functions : public facet<link_functions> {
 public:
  /// Compiles a source for linking. `headers` have the names by which the source includes them.
  YOKE_API abi::program compile_part(abi::context context, std::span<const abi::device> devices,
                                     const compile_request& request,
                                     std::span<const std::pair<std::string, std::string>> headers,
                                     const source_location& where) const;
  /// Links compiled parts, into a library if the options say so. `names` are the parts' names in messages.
  YOKE_API abi::program link_parts(abi::context context, std::span<const abi::device> devices,
                                   std::span<const abi::program> parts, const std::string& names,
                                   const std::vector<std::string>& options, const source_location& where) const;
};

}  // namespace yoke::inline v0_1::opencl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/driver/opencl/program/link.ipp>
#endif

#endif

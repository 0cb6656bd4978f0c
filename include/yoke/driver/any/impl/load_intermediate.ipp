// SPDX-License-Identifier: MIT
// Body of driver/any/port.hpp: intermediate code, for which CUDA's port needs a linker.
#ifndef YOKE_DRIVER_ANY_IMPL_LOAD_INTERMEDIATE_IPP
#define YOKE_DRIVER_ANY_IMPL_LOAD_INTERMEDIATE_IPP

#include <yoke/driver/any/impl/thunks.ipp>
#include <yoke/driver/any/port.hpp>

namespace yoke::inline YOKE_ABI {

YOKE_COLD any_port::module_handle any_port::load_intermediate(context_handle context,
                                                              std::span<const device_handle> devices,
                                                              std::span<const std::byte> bytes,
                                                              const compile_request& request,
                                                              const source_location& where) const {
  const auto load = [&]<class Port>(const Port& port) {
    const detail::passed<Port, std::span<const device_handle>> natives(devices);
    return detail::wrapped<module_handle>(port.load_intermediate(detail::native<typename Port::context_handle>(context),
                                                                 natives.get(), bytes, request, where));
  };
  const bool is_cuda = operations_->number == detail::number_of<cuda::port>;
  return is_cuda ? load(detail::port_of<cuda::port>(driver_)) : load(detail::port_of<opencl::port>(driver_));
}

}  // namespace yoke::inline YOKE_ABI

#endif

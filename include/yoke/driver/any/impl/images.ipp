// SPDX-License-Identifier: MIT
// Bodies of driver/any/port.hpp: images and samplers, in a unit of their own, so that programs without images have none of it.
#ifndef YOKE_DRIVER_ANY_IMPL_IMAGES_IPP
#define YOKE_DRIVER_ANY_IMPL_IMAGES_IPP

#include <yoke/driver/any/impl/thunks.ipp>
#include <yoke/driver/any/port.hpp>

namespace yoke::inline YOKE_ABI {

namespace detail {

static_assert(image_port<any_port> && image_port<cuda::port> && image_port<opencl::port>);

/// Effects: calls an operation of the backend with the handles converted. Returns: what it returns, converted.
template <class Result, class Call, class... Given>
Result call_backend(unsigned char number, const void* driver, Call call, Given... given) {
  const auto with = [&]<class Port>(const Port& port) -> Result {
    if constexpr (std::is_void_v<Result>) {
      call(port, passed<Port, Given>(given).get()...);
    } else {
      return returned<Result>(call(port, passed<Port, Given>(given).get()...));
    }
  };
  return number == number_of<cuda::port> ? with(port_of<cuda::port>(driver)) : with(port_of<opencl::port>(driver));
}

}  // namespace detail

#define YOKE_BEHIND_CALL(...) (operations_->number, driver_, call, __VA_ARGS__)
#define YOKE_DEFINE(result, name, parameters, arguments, ...)                                                          \
  YOKE_INLINE auto any_port::name parameters const __VA_ARGS__->result {                                               \
    const auto call = [](const auto& port, auto&&... given) -> decltype(auto) { return port.name(given...); };         \
    return detail::call_backend<result> YOKE_BEHIND_CALL arguments;                                                    \
  }
YOKE_IMAGE_OPERATIONS(YOKE_DEFINE)
#undef YOKE_DEFINE
#undef YOKE_BEHIND_CALL

}  // namespace yoke::inline YOKE_ABI

#endif

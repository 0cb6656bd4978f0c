// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/stream.hpp: what only CUDA's names ask of a stream.
#ifndef YOKE_DRIVER_CUDA_STREAM_FACTS_IPP
#define YOKE_DRIVER_CUDA_STREAM_FACTS_IPP

#include <yoke/driver/cuda/references.hpp>
#include <yoke/driver/cuda/stream.hpp>

namespace yoke::inline v0_1::cuda {

bool stream_functions::stream_is_done(abi::stream stream, const source_location& where) const {
  const abi::status status = detail::call<&abi::functions::stream_query>(table(), stream);
  if (status == abi::success) return true;
  if (status == abi::error_not_ready) return false;
  detail::throw_failure(status, "cuStreamQuery", "", where);
}
bool stream_functions::stream_is_non_blocking(abi::stream stream, const source_location& where) const {
  unsigned flags = 0;
  detail::invoke<&abi::functions::stream_get_flags>(table(), where, stream, &flags);
  return (flags & abi::stream_non_blocking) != 0;
}
int stream_functions::stream_priority(abi::stream stream, const source_location& where) const {
  int priority = 0;
  detail::invoke<&abi::functions::stream_get_priority>(table(), where, stream, &priority);
  return priority;
}
std::uint64_t stream_functions::stream_id(abi::stream stream, const source_location& where) const {
  abi::ulong id = 0;
  detail::invoke<&abi::functions::stream_get_id>(table(), where, stream, &id);
  return id;
}
void stream_functions::launch_host_function(abi::stream stream, abi::host_function function, void* data,
                                            const source_location& where) const {
  detail::invoke<&abi::functions::launch_host_function>(table(), where, stream, function, data);
}

}  // namespace yoke::inline v0_1::cuda

#endif

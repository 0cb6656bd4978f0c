// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/stream.hpp.
#ifndef YOKE_DRIVER_CUDA_STREAM_IPP
#define YOKE_DRIVER_CUDA_STREAM_IPP

#include <yoke/driver/cuda/stream.hpp>

#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>
#include <yoke/driver/cuda/unfit_word.hpp>

namespace yoke::inline v0_1::cuda {

abi::stream stream_functions::create_stream(abi::context context, device_id, const stream_options& options,
                                            const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  abi::stream stream = nullptr;
  detail::invoke<&abi::functions::stream_create>(
      table(), where, &stream, options.non_blocking ? abi::stream_non_blocking : abi::stream_default, options.priority);
  return stream;
}
void stream_functions::retain_stream(abi::stream stream, const source_location&) const {
  detail::add_reference(table(), stream);
}
release_result stream_functions::release_stream(abi::stream stream) const noexcept {
  if (forget_stream(stream)) return {};
  // The default streams are neither made nor destroyed.
  if (detail::is_default_stream(stream)) return {};
  return detail::release<&abi::functions::stream_destroy>(table(), stream);
}
bool stream_functions::forget_stream(abi::stream stream) const noexcept {
  return detail::drop_reference(table(), stream);
}
std::uint64_t stream_functions::capture_of(abi::stream stream) const noexcept {
  auto status = abi::capture_status::none;
  std::uint64_t number = 0;
  const abi::status code = detail::call<&abi::functions::stream_get_capture_info>(table(), stream, &status, &number);
  return code == abi::success && status != abi::capture_status::none ? number : 0;
}
device_id stream_functions::stream_device(abi::stream stream, const source_location& where) const {
  return device_id(detail::device_of(table(), stream_context(stream, where), where));
}
abi::context stream_functions::stream_context(abi::stream stream, const source_location& where) const {
  return detail::context_of(table(), stream, where);
}
void stream_functions::check_process(const source_location& where) const {
  if (detail::is_forked_process()) detail::throw_failure(abi::error_not_initialized, "", "", where);
}
void stream_functions::synchronize(abi::stream stream, const source_location& where) const {
  detail::invoke<&abi::functions::stream_synchronize>(table(), where, stream);
}
void stream_functions::wait_in_stream(abi::stream stream, std::span<const abi::event> events,
                                      const source_location& where) const {
  for (const abi::event event : events) {
    detail::invoke<&abi::functions::stream_wait_event>(table(), where, stream, event, abi::event_wait_default);
  }
}
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

void stream_functions::enqueue_mem_ops(abi::stream stream, std::span<const abi::mem_op_params> operations,
                                       const source_location& where) const {
  // The driver's parameter is not const, although the driver does not write there.
  detail::invoke_explained<&abi::functions::stream_batch_mem_op>(
      table(), where,
      [&](abi::status why) { return why == abi::error_invalid_value ? detail::unfit_word(table(), operations) : ""; },
      stream, static_cast<abi::uint>(operations.size()), const_cast<abi::mem_op_params*>(operations.data()), 0U);
}

}  // namespace yoke::inline v0_1::cuda

#endif

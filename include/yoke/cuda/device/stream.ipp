// SPDX-License-Identifier: MIT
// Bodies of cuda/device/stream.hpp.
#ifndef YOKE_CUDA_DEVICE_STREAM_IPP
#define YOKE_CUDA_DEVICE_STREAM_IPP

#include <yoke/cuda/device/stream.hpp>

namespace yoke::inline v0_1::cuda {

namespace detail {
default_stream borrow_default(const context& of, std::uintptr_t native, const source_location& where) {
  active_context active = of.activate(where);
  stream borrowed = stream::borrow(of, reinterpret_cast<abi::stream>(native), where);
  return {std::move(active), std::move(borrowed)};
}
/// Returns: the native stream. Throws: `logic_error` when empty.
abi::stream use(const stream& of, const source_location& where) {
  if (!of) yoke::detail::throw_empty_handle(stream::noun, where);
  return of.native_handle();
}
}  // namespace detail

default_stream::default_stream() noexcept = default;
default_stream::default_stream(active_context&& active, stream&& borrowed) noexcept
    : stream(std::move(borrowed)), active_(std::move(active)) {}
default_stream::default_stream(default_stream&&) noexcept = default;
default_stream& default_stream::operator=(default_stream&&) noexcept = default;
default_stream::~default_stream() { reset(); }

default_stream legacy_stream(const context& of, const source_location& where) {
  return detail::borrow_default(of, abi::legacy_stream, where);
}
default_stream per_thread_stream(const context& of, const source_location& where) {
  return detail::borrow_default(of, abi::per_thread_stream, where);
}
int priority_of(const stream& of, const source_location& where) {
  const abi::stream native = detail::use(of, where);
  return of.context_of().port(where).stream_priority(native, where);
}
bool is_non_blocking(const stream& of, const source_location& where) {
  const abi::stream native = detail::use(of, where);
  return of.context_of().port(where).stream_is_non_blocking(native, where);
}
std::uint64_t id_of(const stream& of, const source_location& where) {
  const abi::stream native = detail::use(of, where);
  return of.context_of().port(where).stream_id(native, where);
}

}  // namespace yoke::inline v0_1::cuda

#endif

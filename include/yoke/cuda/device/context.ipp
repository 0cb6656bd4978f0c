// SPDX-License-Identifier: MIT
// Bodies of cuda/device/context.hpp.
#ifndef YOKE_CUDA_DEVICE_CONTEXT_IPP
#define YOKE_CUDA_DEVICE_CONTEXT_IPP

#include <yoke/cuda/device/context.hpp>

namespace yoke::inline v0_1::cuda {

context create_context(const device& on, const context_options& options, const source_location& where) {
  const port& with = on.port();
  const abi::context native = with.create_context_with(on.native_handle(), options, where);
  try {
    return context::adopt(with, native, where);
  } catch (...) {
    yoke::detail::report_release(with, with.release_context(native));
    throw;
  }
}
context_options options_of(const context& of, const source_location& where) {
  return of.port(where).options_of(of.native_handle(), where);
}
primary_state primary_state_of(const device& of, const source_location& where) {
  return of.port().primary(of.native_handle(), where);
}
void set_primary_options(const device& of, const context_options& options, const source_location& where) {
  of.port().set_primary_options(of.native_handle(), options, where);
}
void reset_primary_context(const device& of, const source_location& where) {
  of.port().reset_primary(of.native_handle(), where);
}
std::size_t get_limit(const context& of, limit which, const source_location& where) {
  return of.port(where).get_limit(of.native_handle(), which, where);
}
cache_config get_cache_config(const context& of, const source_location& where) {
  return of.port(where).get_cache_config(of.native_handle(), where);
}
void set_cache_config(const context& of, cache_config config, const source_location& where) {
  of.port(where).set_cache_config(of.native_handle(), config, where);
}
priority_range stream_priorities(const context& of, const source_location& where) {
  return of.port(where).stream_priorities(of.native_handle(), where);
}
std::uint64_t id_of(const context& of, const source_location& where) {
  return of.port(where).context_id(of.native_handle(), where);
}
unsigned api_version_of(const context& of, const source_location& where) {
  return of.port(where).api_version(of.native_handle(), where);
}
memory_info memory_of(const context& of, const source_location& where) {
  return of.port(where).memory(of.native_handle(), where);
}
void synchronize(const context& all_of, const source_location& where) {
  all_of.port(where).synchronize_context(all_of.native_handle(), where);
}

}  // namespace yoke::inline v0_1::cuda

#endif

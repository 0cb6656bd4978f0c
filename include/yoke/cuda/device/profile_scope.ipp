// SPDX-License-Identifier: MIT
// Bodies of cuda/device/profile_scope.hpp.
#ifndef YOKE_CUDA_DEVICE_PROFILE_SCOPE_IPP
#define YOKE_CUDA_DEVICE_PROFILE_SCOPE_IPP

#include <yoke/cuda/device/profile_scope.hpp>

#include <yoke/cuda/device/context.hpp>
#include <yoke/driver/cuda/invoke.hpp>

namespace yoke::inline v0_1::cuda {

profile_scope::profile_scope(const context& of, const source_location& where) : context_(of) {
  const port& with = of.port(where);
  const detail::current_context scope(with.table(), of.native_handle(), where);
  const abi::status status = detail::call<&abi::functions::profiler_start>(with.table());
  if (status != abi::success && status != abi::error_profiler_disabled) {
    detail::throw_failure(status, "cuProfilerStart", "", where);
  }
}
profile_scope::~profile_scope() {
  if (context_.shared()->left_us()) return;
  const port& with = context_.shared()->port;
  context_.shared()->report(detail::outcome_of("cuProfilerStop", [&] {
    const detail::current_context scope(with.table(), context_.native_handle(), {});
    release_result ended = detail::release<&abi::functions::context_synchronize>(with.table());
    release_result stopped = detail::release<&abi::functions::profiler_stop>(with.table());
    if (stopped.code == abi::error_profiler_disabled) stopped = {};
    detail::add_outcome(ended, stopped);
    return ended;
  }));
}

}  // namespace yoke::inline v0_1::cuda

#endif

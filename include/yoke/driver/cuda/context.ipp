// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/context.hpp.
#ifndef YOKE_DRIVER_CUDA_CONTEXT_IPP
#define YOKE_DRIVER_CUDA_CONTEXT_IPP

#include <yoke/driver/cuda/context.hpp>

#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>

namespace yoke::inline v0_1::cuda {

abi::context context_functions::create_context(std::span<const device_id> devices, const source_location& where) const {
  if (devices.size() != 1) {
    detail::throw_error(errc::unsupported, where, "a CUDA context is over one device, not ", devices.size());
  }
  const abi::device device = devices.front();
  abi::context context = nullptr;  // unchanged by a failed retain
  detail::invoke<&abi::functions::primary_context_retain>(table(), where, &context, device);
  try {
    detail::contexts_of(table()).add({table(), context, detail::number_of(table(), context), device, true});
  } catch (...) {
    detail::report(detail::release<&abi::functions::primary_context_release>(table(), device));
    throw;
  }
  return context;
}
void context_functions::retain_context(abi::context context, const source_location& where) const {
  const detail::context_facts facts = detail::contexts_of(table()).find(table(), context, where);
  if (!facts.primary) return detail::add_reference(table(), context);
  abi::context same = nullptr;
  detail::invoke<&abi::functions::primary_context_retain>(table(), where, &same, facts.device);
}
release_result context_functions::release_context(abi::context context) const noexcept {
  return detail::outcome_of("cuCtxDestroy", [&]() -> release_result {
    detail::context_list& all = detail::contexts_of(table());
    // Other code may have ended the context: a primary one is released all the same; a created one is not, because its
    // address may now belong to another context.
    detail::context_facts facts = all.find_noted(table(), context);
    if (facts.context == nullptr) facts = all.find(table(), context, {});
    if (facts.primary) return detail::release<&abi::functions::primary_context_release>(table(), facts.device);
    if (detail::drop_reference(table(), context)) return {};
    all.forget(table(), context);
    const abi::ulong now = detail::number_of(table(), context);
    if (now != 0 && facts.id != 0 && now != facts.id) return {};
    return detail::release<&abi::functions::context_destroy>(table(), context);
  });
}
std::vector<device_id> context_functions::context_devices(abi::context context, const source_location& where) const {
  return {device_id(detail::contexts_of(table()).find(table(), context, where).device)};
}
std::uint64_t context_functions::context_identity(abi::context context) const noexcept {
  return detail::number_of(table(), context);
}
bool context_functions::context_is_gone(abi::context context, std::uint64_t id) const noexcept {
  abi::ulong now = 0;
  const abi::status status = detail::call<&abi::functions::context_get_id>(table(), context, &now);
  return status == abi::error_context_is_destroyed || (status == abi::success && id != 0 && now != id);
}

}  // namespace yoke::inline v0_1::cuda

#endif

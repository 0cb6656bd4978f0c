// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/execution.hpp.
#ifndef YOKE_DRIVER_CUDA_IMPL_EXECUTION_IPP
#define YOKE_DRIVER_CUDA_IMPL_EXECUTION_IPP

#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/execution.hpp>
#include <yoke/driver/cuda/impl/references.ipp>

#include <cmath>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {
YOKE_COLD std::string uuid_text(const abi::uuid& uuid) {
  constexpr const char* digits = "0123456789abcdef";
  std::string out = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}
}  // namespace detail

YOKE_COLD std::vector<device_id> execution_functions::devices(const source_location& where) const {
  int count = 0;
  detail::invoke<&abi::functions::device_get_count>(table_, where, &count);
  std::vector<device_id> all;
  for (int i = 0; i < count; ++i) {
    abi::device native = 0;
    detail::invoke<&abi::functions::device_get>(table_, where, &native, i);
    all.emplace_back(native);
  }
  return all;
}

YOKE_COLD device_summary execution_functions::summary(device_id device, const source_location& where) const {
  device_summary facts;
  char name[256] = {};
  detail::invoke<&abi::functions::device_get_name>(table_, where, static_cast<char*>(name), int{sizeof name - 1},
                                                   device.native());
  int version = 0;
  detail::invoke<&abi::functions::driver_get_version>(table_, where, &version);
  std::size_t bytes = 0;
  detail::invoke<&abi::functions::device_total_mem>(table_, where, &bytes, device.native());
  const auto number = [&](const auto& attribute) {
    return static_cast<std::uint32_t>(try_get(*table_, device.native(), attribute, where).value_or(0));
  };
  facts.name = name;
  facts.platform = "CUDA";
  facts.vendor = "NVIDIA";
  facts.version = detail::text("compute capability ", number(info::compute_capability_major), ".",
                               number(info::compute_capability_minor));
  facts.driver_version = detail::version_text(version);
  facts.kind = device_kind::gpu;
  facts.compute_units = number(info::multiprocessor_count);
  facts.clock_mhz = number(info::clock_rate) / 1000;  // kHz
  facts.global_memory_bytes = bytes;
  char bus_id[32] = {};
  detail::invoke<&abi::functions::device_get_pci_bus_id>(table_, where, static_cast<char*>(bus_id), int{sizeof bus_id},
                                                         device.native());
  facts.pci_bus_id = bus_id;
  abi::uuid uuid{};
  detail::invoke<&abi::functions::device_get_uuid>(table_, where, &uuid, device.native());
  facts.uuid = detail::uuid_text(uuid);
  return facts;
}

YOKE_COLD device_limits execution_functions::limits(device_id device, const source_location& where) const {
  const auto number = [&](const auto& attribute) {
    return static_cast<std::size_t>(get(*table_, device.native(), attribute, where));
  };
  device_limits result;
  result.max_block = number(info::max_threads_per_block);
  result.max_block_extent = {number(info::max_block_dim_x), number(info::max_block_dim_y),
                             number(info::max_block_dim_z)};
  result.local_memory_bytes = number(info::max_shared_memory_per_block_optin);
  std::size_t bytes = 0;
  detail::invoke<&abi::functions::device_total_mem>(table_, where, &bytes, device.native());
  result.max_allocation_bytes = bytes;
  return result;
}

YOKE_COLD abi::context execution_functions::create_context(devices_view devices, const source_location& where) const {
  if (devices.size() != 1) {
    detail::throw_error(errc::unsupported, detail::text("a CUDA context is over one device, not ", devices.size()),
                        where);
  }
  const abi::device device = devices.front();
  abi::context context = nullptr;  // a failed retain leaves it alone
  detail::invoke<&abi::functions::primary_context_retain>(table_, where, &context, device);
  try {
    detail::contexts_of(table_).add({table_, context, detail::number_of(table_, context), device, true});
  } catch (...) {
    detail::report(detail::release<&abi::functions::primary_context_release>(table_, device));
    throw;
  }
  return context;
}
YOKE_COLD void execution_functions::retain_context(abi::context context, const source_location& where) const {
  const detail::context_facts facts = detail::contexts_of(table_).find(table_, context, where);
  if (!facts.primary) return detail::add_reference(table_, context);
  abi::context same = nullptr;
  detail::invoke<&abi::functions::primary_context_retain>(table_, where, &same, facts.device);
}
YOKE_COLD release_result execution_functions::release_context(abi::context context) const noexcept {
  return detail::outcome_of("cuCtxDestroy", [&]() -> release_result {
    detail::context_list& all = detail::contexts_of(table_);
    // Others may have ended it: a primary one is released all the same, and what now has a created one's address stays.
    detail::context_facts facts = all.find_noted(table_, context);
    if (facts.context == nullptr) facts = all.find(table_, context, {});
    if (facts.primary) return detail::release<&abi::functions::primary_context_release>(table_, facts.device);
    if (detail::drop_reference(table_, context)) return {};
    all.forget(table_, context);
    const abi::ulong now = detail::number_of(table_, context);
    if (now != 0 && facts.id != 0 && now != facts.id) return {};
    return detail::release<&abi::functions::context_destroy>(table_, context);
  });
}
YOKE_COLD std::vector<device_id> execution_functions::context_devices(abi::context context,
                                                                      const source_location& where) const {
  return {device_id(detail::contexts_of(table_).find(table_, context, where).device)};
}

YOKE_INLINE std::uint64_t execution_functions::context_identity(abi::context context) const noexcept {
  return detail::number_of(table_, context);
}
YOKE_INLINE bool execution_functions::context_is_gone(abi::context context, std::uint64_t id) const noexcept {
  abi::ulong now = 0;
  const abi::status status = detail::call<&abi::functions::context_get_id>(table_, context, &now);
  return status == abi::error_context_is_destroyed || (status == abi::success && id != 0 && now != id);
}

YOKE_COLD abi::stream execution_functions::create_stream(abi::context context, device_id, const stream_options& options,
                                                         const source_location& where) const {
  const detail::current_context scope(table_, context, where);
  abi::stream stream = nullptr;
  detail::invoke<&abi::functions::stream_create>(
      table_, where, &stream, options.non_blocking ? abi::stream_non_blocking : abi::stream_default, options.priority);
  return stream;
}
YOKE_INLINE void execution_functions::retain_stream(abi::stream stream, const source_location&) const {
  detail::add_reference(table_, stream);
}
YOKE_COLD release_result execution_functions::release_stream(abi::stream stream) const noexcept {
  if (forget_stream(stream)) return {};
  // The default streams are neither made nor destroyed.
  if (reinterpret_cast<std::uintptr_t>(stream) <= abi::per_thread_stream) return {};
  return detail::release<&abi::functions::stream_destroy>(table_, stream);
}
YOKE_INLINE bool execution_functions::forget_stream(abi::stream stream) const noexcept {
  return detail::drop_reference(table_, stream);
}
YOKE_INLINE device_id execution_functions::stream_device(abi::stream stream, const source_location& where) const {
  return context_devices(stream_context(stream, where), where).front();
}
YOKE_INLINE abi::context execution_functions::stream_context(abi::stream stream, const source_location& where) const {
  abi::context context = nullptr;
  detail::invoke<&abi::functions::stream_get_context>(table_, where, stream, &context);
  return context;
}
YOKE_INLINE void execution_functions::synchronize(abi::stream stream, const source_location& where) const {
  detail::invoke<&abi::functions::stream_synchronize>(table_, where, stream);
}

namespace detail {
/// Effects: records a new event in a stream of this context.
YOKE_INLINE abi::event record_new(const abi::functions* table, abi::context context, abi::stream stream, unsigned flags,
                                  const source_location& where) {
  abi::event event = nullptr;
  {
    const current_context scope(table, context, where);
    invoke<&abi::functions::event_create>(table, where, &event, flags);
  }
  if (const abi::status status = call<&abi::functions::event_record>(table, event, stream); status != abi::success)
      [[unlikely]] {
    report(release<&abi::functions::event_destroy>(table, event));
    throw_failure(status, "cuEventRecord", "", where);
  }
  return event;
}
}  // namespace detail

YOKE_INLINE abi::event execution_functions::record_event(abi::stream stream, unsigned flags,
                                                         const source_location& where) const {
  return detail::record_new(table_, stream_context(stream, where), stream, flags, where);
}
YOKE_INLINE abi::event execution_functions::record_in(abi::context context, abi::stream stream,
                                                      const source_location& where) const {
  // A default stream belongs to the current context.
  if (reinterpret_cast<std::uintptr_t>(stream) <= abi::per_thread_stream) [[unlikely]]
    context = stream_context(stream, where);
  return detail::record_new(table_, context, stream, abi::event_disable_timing, where);
}
YOKE_INLINE void execution_functions::finish_or_record(abi::stream stream, completion<abi::event> done,
                                                       const source_location& where) const {
  if (done.blocks()) {
    synchronize(stream, where);
  } else if (done.wanted()) {
    done.give(record_event(stream, abi::event_disable_timing, where));
  }
}
YOKE_INLINE abi::event execution_functions::record(abi::stream stream, events_view after,
                                                   const source_location& where) const {
  wait_in_stream(stream, after, where);
  return record_event(stream, abi::event_disable_timing, where);
}
YOKE_INLINE abi::event execution_functions::record_timed(abi::stream stream, events_view after,
                                                         const source_location& where) const {
  wait_in_stream(stream, after, where);
  return record_event(stream, abi::event_default, where);
}
YOKE_INLINE abi::event execution_functions::record_into(abi::stream stream, abi::event existing,
                                                        const source_location& where) const {
  detail::invoke<&abi::functions::event_record>(table_, where, existing, stream);
  return existing;
}
YOKE_INLINE void execution_functions::wait_in_stream(abi::stream stream, events_view events,
                                                     const source_location& where) const {
  for (const abi::event event : events) {
    detail::invoke<&abi::functions::stream_wait_event>(table_, where, stream, event, abi::event_wait_default);
  }
}
YOKE_INLINE void execution_functions::retain_event(abi::event event, const source_location&) const {
  detail::add_reference(table_, event);
}
YOKE_INLINE release_result execution_functions::release_event(abi::event event) const noexcept {
  if (detail::drop_reference(table_, event)) return {};
  return detail::release<&abi::functions::event_destroy>(table_, event);
}
YOKE_INLINE void execution_functions::wait(abi::event event, const source_location& where) const {
  detail::invoke<&abi::functions::event_synchronize>(table_, where, event);
}
YOKE_INLINE event_status execution_functions::status(abi::event event, const source_location& where) const {
  const abi::status status = detail::call<&abi::functions::event_query>(table_, event);
  if (status == abi::success) return event_status::complete;
  if (status == abi::error_not_ready) return event_status::submitted;  // the driver tells no more
  detail::throw_failure(status, "cuEventQuery", "", where);
}
YOKE_INLINE std::int64_t execution_functions::elapsed(abi::event start, abi::event stop,
                                                      const source_location& where) const {
  float milliseconds = 0;
  const abi::status status = detail::call<&abi::functions::event_elapsed_time>(table_, &milliseconds, start, stop);
  if (status != abi::success) [[unlikely]] {
    const bool untimed = status == abi::error_invalid_handle;
    detail::throw_failure(status, "cuEventElapsedTime", untimed ? yoke::detail::untimed_event : "", where);
  }
  return std::llround(static_cast<double>(milliseconds) * 1e6);
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif

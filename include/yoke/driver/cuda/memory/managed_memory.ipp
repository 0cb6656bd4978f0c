// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/memory/managed_memory.hpp.
#ifndef YOKE_DRIVER_CUDA_MEMORY_MANAGED_MEMORY_IPP
#define YOKE_DRIVER_CUDA_MEMORY_MANAGED_MEMORY_IPP

#include <yoke/driver/cuda/memory/managed_memory.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/memory/allocation.hpp>
#include <yoke/driver/cuda/port.hpp>

#include <string>

namespace yoke::inline v0_1::cuda {

namespace detail {

std::string location_text(abi::memory_location at) {
  switch (at.type) {
    case abi::memory_location_type::device: return text("device ", at.id);
    case abi::memory_location_type::host: return "the host";
    case abi::memory_location_type::host_numa: return text("the host's NUMA node ", at.id);
    case abi::memory_location_type::host_numa_current: return "the host's nearest NUMA node";
    case abi::memory_location_type::invalid: break;
  }
  return "no location";
}

/// Returns: the location as a device number, for the entries of version 8000. Throws: `unsupported_error` for a NUMA
/// node.
abi::device location_as_device(abi::memory_location at, const char* call, const source_location& where) {
  if (at.type == abi::memory_location_type::device) return at.id;
  if (at.type == abi::memory_location_type::host) return abi::device_cpu;
  throw_error(errc::unsupported, where, "this CUDA driver knows no NUMA nodes in ", call, ", and was asked for ",
              location_text(at), ": CUDA 12.2 has them");
}

std::string advice_text(abi::memory_advice advice, abi::memory_location place) {
  switch (advice) {
    case abi::memory_advice::set_read_mostly: return "advised to be read mostly";
    case abi::memory_advice::unset_read_mostly: return "advised not to be read mostly";
    case abi::memory_advice::set_preferred_location: return "advised to prefer " + location_text(place);
    case abi::memory_advice::unset_preferred_location: return "advised to prefer no location";
    case abi::memory_advice::set_accessed_by: return "advised to be accessed by " + location_text(place);
    case abi::memory_advice::unset_accessed_by: return "advised not to be accessed by " + location_text(place);
  }
  return "advised";
}

/// Returns: the message for a refused range of managed memory.
std::string refused_range(abi::status status, const std::string& what, abi::device_pointer memory, std::size_t bytes) {
  if (status != abi::error_invalid_value && status != abi::error_invalid_device && status != abi::error_not_supported) {
    return "";
  }
  return text(bytes, " bytes of managed memory at 0x", yoke::detail::hex_digits(memory), " cannot be ", what, ": ",
              error_text(status),
              "; the location must exist, and its device and the stream's need concurrent managed access");
}

/// Returns: an attribute of a range that is one number.
int range_number(const abi::functions* table, abi::context context, abi::memory_range_attribute what,
                 abi::device_pointer memory, std::size_t bytes, const source_location& where) {
  const current_context scope(table, context, where);
  int number = 0;
  invoke<&abi::functions::mem_range_get_attribute>(table, where, static_cast<void*>(&number), sizeof number, what,
                                                   memory, bytes);
  return number;
}

/// Returns: the location in the attributes `type` and the next one; if the driver lacks these, in `old`.
abi::memory_location range_location(const abi::functions* table, abi::context context, abi::memory_range_attribute old,
                                    abi::memory_range_attribute type, abi::device_pointer memory, std::size_t bytes,
                                    const source_location& where) {
  using enum abi::memory_location_type;
  if (table->mem_advise_v2 == nullptr) {  // the entry is as old as the attributes
    const int number = range_number(table, context, old, memory, bytes, where);
    if (number == abi::device_invalid) return {invalid, abi::device_invalid};
    return number == abi::device_cpu ? abi::memory_location{host, number} : abi::memory_location{device, number};
  }
  const current_context scope(table, context, where);
  unsigned type_number = 0;
  int id = 0;
  void* results[] = {&type_number, &id};
  std::size_t rooms[] = {sizeof type_number, sizeof id};
  abi::memory_range_attribute asked[] = {type,
                                         static_cast<abi::memory_range_attribute>(static_cast<unsigned>(type) + 1)};
  invoke<&abi::functions::mem_range_get_attributes>(
      table, where, static_cast<void**>(results), static_cast<std::size_t*>(rooms),
      static_cast<abi::memory_range_attribute*>(asked), std::size_t{2}, memory, bytes);
  return {static_cast<abi::memory_location_type>(type_number), id};
}

}  // namespace detail

abi::device_pointer managed_memory_functions::allocate_managed(abi::context context, std::size_t bytes,
                                                               attachment attached,
                                                               const source_location& where) const {
  if (attached == attachment::single) {
    detail::throw_error(errc::invalid_argument,
                        "managed memory is made for all streams or for the host: attach it to one stream afterwards",
                        where);
  }
  const detail::current_context scope(table(), context, where);
  abi::device_pointer memory = 0;
  const abi::status status = detail::call_present<&abi::functions::mem_alloc_managed>(table(), where, &memory, bytes,
                                                                                      static_cast<unsigned>(attached));
  if (status != abi::success) {
    const char* const why = status == abi::error_not_supported
                                ? ": this device has no managed memory (CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY)"
                                : "";
    detail::throw_no_memory(table(), context, status, "cuMemAllocManaged",
                            detail::text("managed allocation of ", bytes, " bytes", why), where);
  }
  return memory;
}

bool managed_memory_functions::is_managed(abi::device_pointer memory, const source_location& where) const {
  unsigned managed = 0;
  const abi::status told = detail::call<&abi::functions::pointer_get_attribute>(
      table(), static_cast<void*>(&managed), abi::pointer_attribute::is_managed, memory);
  if (told != abi::success && told != abi::error_invalid_value) {
    detail::throw_failure(told, "cuPointerGetAttribute", "", where);
  }
  return told == abi::success && managed != 0;
}

void managed_memory_functions::attach_managed(abi::stream stream, abi::device_pointer memory, attachment to,
                                              const source_location& where) const {
  detail::invoke<&abi::functions::stream_attach_mem_async>(table(), where, stream, memory, std::size_t{0},
                                                           static_cast<unsigned>(to));
}

void managed_memory_functions::prefetch_managed(abi::stream stream, abi::device_pointer memory, std::size_t bytes,
                                                abi::memory_location to, const source_location& where) const {
  const auto explain = [&](abi::status status) {
    return detail::refused_range(status, "prefetched to " + detail::location_text(to), memory, bytes);
  };
  if (table()->mem_prefetch_async_v2 != nullptr) {
    detail::invoke_explained<&abi::functions::mem_prefetch_async_v2>(table(), where, explain, memory, bytes, to, 0U,
                                                                     stream);
  } else {
    detail::invoke_explained<&abi::functions::mem_prefetch_async>(
        table(), where, explain, memory, bytes, detail::location_as_device(to, "cuMemPrefetchAsync", where), stream);
  }
}

void managed_memory_functions::advise_managed(abi::context context, abi::device_pointer memory, std::size_t bytes,
                                              abi::memory_advice advice, abi::memory_location place,
                                              const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  const auto explain = [&](abi::status status) {
    return detail::refused_range(status, detail::advice_text(advice, place), memory, bytes);
  };
  if (table()->mem_advise_v2 != nullptr) {
    detail::invoke_explained<&abi::functions::mem_advise_v2>(table(), where, explain, memory, bytes, advice, place);
  } else {
    detail::invoke_explained<&abi::functions::mem_advise>(table(), where, explain, memory, bytes, advice,
                                                          detail::location_as_device(place, "cuMemAdvise", where));
  }
}

bool managed_memory_functions::managed_is_read_mostly(abi::context context, abi::device_pointer memory,
                                                      std::size_t bytes, const source_location& where) const {
  return detail::range_number(table(), context, abi::memory_range_attribute::read_mostly, memory, bytes, where) != 0;
}
abi::memory_location managed_memory_functions::managed_preferred_location(abi::context context,
                                                                          abi::device_pointer memory, std::size_t bytes,
                                                                          const source_location& where) const {
  return detail::range_location(table(), context, abi::memory_range_attribute::preferred_location,
                                abi::memory_range_attribute::preferred_location_type, memory, bytes, where);
}
abi::memory_location managed_memory_functions::managed_last_prefetch(abi::context context, abi::device_pointer memory,
                                                                     std::size_t bytes,
                                                                     const source_location& where) const {
  return detail::range_location(table(), context, abi::memory_range_attribute::last_prefetch_location,
                                abi::memory_range_attribute::last_prefetch_location_type, memory, bytes, where);
}
std::vector<abi::device> managed_memory_functions::managed_accessors(abi::context context, abi::device_pointer memory,
                                                                     std::size_t bytes,
                                                                     const source_location& where) const {
  const detail::current_context scope(table(), context, where);
  int count = 0;
  detail::invoke<&abi::functions::device_get_count>(table(), where, &count);
  std::vector<abi::device> found(static_cast<std::size_t>(count) + 1, abi::device_invalid);  // one more for the host
  detail::invoke<&abi::functions::mem_range_get_attribute>(table(), where, static_cast<void*>(found.data()),
                                                           found.size() * sizeof found[0],
                                                           abi::memory_range_attribute::accessed_by, memory, bytes);
  std::erase(found, abi::device_invalid);
  return found;
}

}  // namespace yoke::inline v0_1::cuda

#endif

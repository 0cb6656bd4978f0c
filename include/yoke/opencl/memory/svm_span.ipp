// SPDX-License-Identifier: MIT
// Bodies of opencl/memory/svm_span.hpp.
#ifndef YOKE_OPENCL_MEMORY_SVM_SPAN_IPP
#define YOKE_OPENCL_MEMORY_SVM_SPAN_IPP

#include <yoke/opencl/memory/svm_span.hpp>

namespace yoke::inline v0_1::opencl {

namespace detail {

void check_system_svm(const context& in, const source_location& where) {
  for (const device& each : in.devices(where)) {
    if (each.port().svm(each.native_handle(), where).fine_system) continue;
    yoke::detail::throw_error(errc::unsupported, where, each.name(where),
                              " has no fine-grained system shared virtual memory");
  }
}

/// Throws: `logic_error` for memory that is empty or of another context. `number` counts from 1.
inline void check_svm_reference(const svm_reference& memory, std::size_t number, abi::context in,
                                const source_location& where) {
  // To the driver, 0 bytes mean the whole allocation.
  if (memory.in == nullptr || memory.address == nullptr || memory.bytes == 0) {
    yoke::detail::throw_error(errc::empty_handle, where, "shared virtual memory ", number, " of the list is empty");
  }
  if (memory.in != in) {
    yoke::detail::throw_error(errc::wrong_context, where, "shared virtual memory ", number,
                              " of the list is of another context");
  }
}

std::vector<const void*> reached_addresses(std::initializer_list<svm_reference> memory, const context& in,
                                           const source_location& where) {
  std::vector<const void*> addresses;
  addresses.reserve(memory.size());
  for (const svm_reference& each : memory) {
    check_svm_reference(each, addresses.size() + 1, in.native_handle(), where);
    addresses.push_back(each.address);
  }
  return addresses;
}

}  // namespace detail

event detail::migrate_svm(std::initializer_list<svm_reference> memory, const stream& order,
                          const migrate_options& options, const source_location& where) {
  if (!order) yoke::detail::throw_empty_handle("stream", where);
  if (memory.size() == 0) yoke::detail::throw_error(errc::invalid_argument, "there is no memory to migrate", where);
  std::vector<const void*> addresses = detail::reached_addresses(memory, order.context_of(), where);
  std::vector<std::size_t> bytes;
  for (const svm_reference& each : memory) {
    bytes.push_back(each.bytes);
    if (auto* const notes = each.maps.notes()) notes->note(order.native_handle(), where);
  }
  abi::ulong flags = options.to_host ? abi::migrate_to_host : 0;
  if (options.without_content) flags |= abi::migrate_without_content;
  const port& with = order.context_of().port(where);
  return event::own(order.origin(), with.svm_migrate(order.native_handle(), addresses, bytes, flags,
                                                     options.after.view(order.context_of(), where), where));
}

}  // namespace yoke::inline v0_1::opencl

#endif

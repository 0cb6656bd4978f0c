// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program/program.hpp.
#ifndef YOKE_DRIVER_CUDA_PROGRAM_PROGRAM_IPP
#define YOKE_DRIVER_CUDA_PROGRAM_PROGRAM_IPP

#include <yoke/driver/cuda/program/program.hpp>

#include <yoke/core/text.hpp>
#include <yoke/driver/binary.hpp>
#include <yoke/driver/cuda/binary/binary_facts.hpp>
#include <yoke/driver/cuda/binary/binary_kernels.hpp>
#include <yoke/driver/cuda/binary/loaded_binaries.hpp>
#include <yoke/driver/cuda/compiler/jit_options.hpp>
#include <yoke/driver/cuda/device.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/program/jit_arguments.hpp>
#include <yoke/driver/cuda/references.hpp>

#include <string>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

/// Throws: the driver's error for code that it could not compile.
void check_loaded(const abi::functions* table, abi::context context, abi::library library, const char* log,
                  const source_location& where) {
  const current_context scope(table, context, where);
  abi::loaded_module loaded = nullptr;
  const abi::status status = call<&abi::functions::library_get_module>(table, &loaded, library);
  if (status != abi::success) throw_failure(status, "cuLibraryGetModule", log, where);
}

abi::library load_record(const abi::functions* table, abi::context context, image_record&& record,
                         const jit_options& jit, const source_location& where) {
  if (record.entries.empty()) record.entries = image_entries(record.image);
  if (record.kernels.empty()) list_kernels(record);
  jit_arguments arguments(jit, where);
  record.image.push_back(std::byte{0});  // PTX is text and needs a terminating zero
  abi::library library = nullptr;
  const abi::status status =
      call<&abi::functions::library_load_data>(table, &library, record.image.data(), arguments.names(),
                                               arguments.values(), arguments.count(), nullptr, nullptr, 0U);
  if (status != abi::success) {
    throw_failure(status, "cuLibraryLoadData", joined_logs(arguments.error_log(), arguments.info_log()), where);
  }
  record.library = library;
  try {
    // A driver may report broken PTX only in its log, and still return an empty library.
    if (arguments.error_log()[0] != '\0') check_loaded(table, context, library, arguments.error_log(), where);
    record.image.pop_back();
    record.log = joined_logs(std::move(record.log), arguments.info_log());
    images_of(table).add(std::move(record));
  } catch (...) {
    report(release<&abi::functions::library_unload>(table, library));
    throw;
  }
  return library;
}

}  // namespace detail

abi::library program_functions::load_binary(abi::context context, std::span<const device_id> devices, bytes_view bytes,
                                            const source_location& where) const {
  return load_binary_with(context, devices, bytes, {}, where);
}

abi::library program_functions::load_binary_with(abi::context context, std::span<const device_id> devices,
                                                 bytes_view bytes, const jit_options& jit,
                                                 const source_location& where) const {
  const auto entries = yoke::detail::unpack_binary(bytes, where);
  const std::string identity = detail::identity_of(table(), devices.front(), where);
  for (const yoke::detail::binary_entry& entry : entries) {
    if (entry.identity != identity) continue;
    detail::image_record record;
    record.identity = identity;
    record.image.assign(entry.payload.begin(), entry.payload.end());
    if (!detail::take_facts(record, entry.facts)) {
      detail::throw_error(errc::incompatible_binary, where, "binary of ", bytes.size(),
                          " bytes: its facts about kernels are damaged");
    }
    return detail::load_record(table(), context, std::move(record), jit, where);
  }
  detail::throw_error(errc::incompatible_binary, where, "the binary was made for \"", entries.front().identity,
                      "\", not for this device, \"", identity, "\"");
}

std::vector<std::byte> program_functions::export_binary(abi::library module, const source_location& where) const {
  const auto record = detail::images_of(table()).find(module);
  if (record == nullptr) {
    detail::throw_error(errc::unsupported, "the driver gives no binary of a module that was loaded elsewhere", where);
  }
  const std::vector<std::byte> facts = detail::facts_of(*record);
  return yoke::detail::pack_binary({{record->identity, record->image, facts}});
}

void program_functions::retain_module(abi::library module, const source_location&) const {
  detail::add_reference(table(), module);
}
release_result program_functions::release_module(abi::library module) const noexcept {
  if (detail::drop_reference(table(), module)) return {};
  detail::images_of(table()).forget(module);
  return detail::release<&abi::functions::library_unload>(table(), module);
}
std::string program_functions::build_log(abi::library module, device_id, const source_lines&,
                                         const source_location&) const {
  const auto record = detail::images_of(table()).find(module);
  return record == nullptr ? "" : record->log;
}

}  // namespace yoke::inline v0_1::cuda

#endif

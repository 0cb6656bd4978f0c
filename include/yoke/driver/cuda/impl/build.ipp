// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/program.hpp: programs, by NVRTC or from images.
#ifndef YOKE_DRIVER_CUDA_IMPL_BUILD_IPP
#define YOKE_DRIVER_CUDA_IMPL_BUILD_IPP

#include <yoke/driver/cuda/device_info.hpp>
#include <yoke/driver/cuda/impl/prelude.ipp>
#include <yoke/driver/cuda/impl/references.ipp>
#include <yoke/driver/cuda/program.hpp>
#include <yoke/driver/impl/binary.ipp>

#include <algorithm>
#include <memory>

namespace yoke::inline YOKE_ABI::cuda {

namespace detail {

/// What the library remembers of a loaded image: the driver does not give it back.
struct image_record {
  abi::library library;
  std::string identity;
  std::string log;
  std::vector<std::byte> image;
};

/// The images loaded by this copy of the library.
class image_list {
 public:
  void add(image_record&& record) {
    const std::lock_guard lock(mutex_);
    list_.push_back(std::make_shared<const image_record>(std::move(record)));
  }
  /// Returns: the record, or null for a library that came from elsewhere.
  std::shared_ptr<const image_record> find(abi::library library) {
    const std::lock_guard lock(mutex_);
    for (const auto& each : list_) {
      if (each->library == library) return each;
    }
    return nullptr;
  }
  void forget(abi::library library) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(list_, [&](const auto& each) { return each->library == library; });
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<const image_record>> list_;
};
YOKE_INLINE image_list& the_images() {
  static image_list* const once = new image_list;
  return *once;
}

/// Returns: what makes an image fit a device, as readable text.
YOKE_INLINE std::string identity_of(const execution_functions& port, abi::device device, const source_location& where) {
  const device_summary facts = port.summary(device_id(device), where);
  return "CUDA | " + facts.name + " | " + facts.version;
}

YOKE_INLINE int compute_capability(const abi::functions* table, abi::device device, const source_location& where) {
  return get(*table, device, info::compute_capability_major, where) * 10 +
         get(*table, device, info::compute_capability_minor, where);
}

/// An NVRTC program for a scope.
class nvrtc_source {
 public:
  nvrtc_source(const abi::nvrtc_functions& nvrtc, const compile_request& request, const source_location& where)
      : nvrtc_(nvrtc) {
    const abi::nvrtc_status status =
        nvrtc.create_program(&program_, request.text.c_str(), request.lines.name.c_str(), 0, nullptr, nullptr);
    if (status != 0) throw_nvrtc_failure(status, "nvrtcCreateProgram", "", where);
  }
  nvrtc_source(const nvrtc_source&) = delete;
  nvrtc_source& operator=(const nvrtc_source&) = delete;
  ~nvrtc_source() { (void)nvrtc_.destroy_program(&program_); }

  [[nodiscard]] abi::nvrtc_program get() const noexcept { return program_; }
  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    if (nvrtc_.get_program_log_size(program_, &size) != 0 || size == 0) return "";
    std::string text(size, '\0');
    if (nvrtc_.get_program_log(program_, text.data()) != 0) return "";
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }

 private:
  const abi::nvrtc_functions& nvrtc_;
  abi::nvrtc_program program_ = nullptr;
};

/// Returns: "sm_90" where NVRTC knows the device, else the newest "compute_.." that the driver can go on from.
YOKE_INLINE std::string architecture_for(const abi::nvrtc_functions& nvrtc, int capability,
                                         const source_location& where) {
  int count = 0;
  abi::nvrtc_status status = nvrtc.get_num_supported_archs(&count);
  std::vector<int> known(static_cast<std::size_t>((std::max)(count, 0)));
  if (status == 0 && !known.empty()) status = nvrtc.get_supported_archs(known.data());
  if (status != 0) throw_nvrtc_failure(status, "nvrtcGetSupportedArchs", "", where);
  int best = 0;
  for (const int each : known) {
    if (each <= capability) best = (std::max)(best, each);
  }
  if (best == 0) {
    throw_error(
        errc::unsupported,
        text("NVRTC compiles for no device as old as compute capability ", capability / 10, ".", capability % 10),
        where);
  }
  return (best == capability ? "sm_" : "compute_") + std::to_string(best);
}

/// Returns: the options in NVRTC's words; what the caller gave goes last.
YOKE_INLINE std::vector<std::string> finished_options(const compile_request& request, const std::string& architecture) {
  std::vector<std::string> options;
  const auto names = [&](std::string_view option) {
    return std::any_of(request.options.begin(), request.options.end(), [&](const std::string& each) {
      const std::string_view plain =
          std::string_view(each).substr((std::min)(each.find_first_not_of('-'), each.size()));
      return plain.substr(0, option.size()) == option;
    });
  };
  if (!request.standard.empty() || !names("std")) {
    options.push_back("--std=" + (request.standard.empty() ? std::string("c++17") : request.standard));
  }
  if (!names("gpu-architecture") && !names("arch")) options.push_back("--gpu-architecture=" + architecture);
  if (request.portable) options.emplace_back("--device-as-default-execution-space");
  for (const std::string& folder : request.include_folders) options.push_back("--include-path=" + folder);
  options.insert(options.end(), request.options.begin(), request.options.end());
  return options;
}

}  // namespace detail

YOKE_INLINE std::string_view program_functions::prelude() const noexcept { return detail::prelude_text; }

YOKE_INLINE abi::library program_functions::compile(abi::context, devices_view devices, const compile_request& request,
                                                    const source_location& where) const {
  const abi::device device = devices.front();
  const abi::nvrtc_functions& nvrtc = detail::default_nvrtc(where).table;
  const std::string architecture =
      detail::architecture_for(nvrtc, detail::compute_capability(table_, device, where), where);
  const std::vector<std::string> options = detail::finished_options(request, architecture);
  std::vector<const char*> pointers;
  std::string joined;
  for (const std::string& each : options) {
    pointers.push_back(each.c_str());
    joined += (joined.empty() ? "" : " ") + each;
  }
  const detail::nvrtc_source program(nvrtc, request, where);
  const abi::nvrtc_status status =
      nvrtc.compile_program(program.get(), static_cast<int>(pointers.size()), pointers.data());
  std::string log = program.log();
  if (status != 0) {
    compile_error::details facts{log, joined, request.source, "nvcc -cubin " + joined + " -x cu " + request.lines.name};
    std::string message = "building " + request.lines.name + " with options \"" + joined + "\" failed";
    if (!log.empty()) message += ":\n" + log;
    throw compile_error({status, nvrtc_error_category()}, "nvrtcCompileProgram", message, std::move(facts), where);
  }
  // A real architecture gives a cubin; a virtual one only PTX, which the driver compiles when it loads it.
  std::size_t size = 0;
  std::vector<std::byte> image;
  if (nvrtc.get_cubin_size(program.get(), &size) == 0 && size != 0) {
    image.resize(size);
    const abi::nvrtc_status given = nvrtc.get_cubin(program.get(), reinterpret_cast<char*>(image.data()));
    if (given != 0) detail::throw_nvrtc_failure(given, "nvrtcGetCUBIN", "", where);
  } else {
    abi::nvrtc_status given = nvrtc.get_ptx_size(program.get(), &size);
    if (given == 0) {
      image.resize(size);
      given = nvrtc.get_ptx(program.get(), reinterpret_cast<char*>(image.data()));
    }
    if (given != 0) detail::throw_nvrtc_failure(given, "nvrtcGetPTX", "", where);
  }
  return load_image(device_id(device), image, std::move(log), where);
}

YOKE_INLINE abi::library program_functions::load_image(device_id device, bytes_view image, std::string log,
                                                       const source_location& where) const {
  detail::image_record record{
      nullptr, detail::identity_of(*this, device, where), std::move(log), {image.begin(), image.end()}};
  record.image.push_back(std::byte{0});  // PTX is text: it has to end
  char jit_log[8192] = {};
  abi::jit_option names[] = {abi::jit_option::error_log_buffer, abi::jit_option::error_log_buffer_size_bytes};
  void* values[] = {jit_log, reinterpret_cast<void*>(std::uintptr_t{sizeof jit_log - 1})};
  abi::library library = nullptr;
  const abi::status status =
      table_->library_load_data(&library, record.image.data(), names, values, 2, nullptr, nullptr, 0);
  if (status != abi::success) detail::throw_failure(status, "cuLibraryLoadData", jit_log, where);
  record.image.pop_back();
  record.library = library;
  try {
    detail::the_images().add(std::move(record));
  } catch (...) {
    detail::report(detail::release<&abi::functions::library_unload>(table_, library));
    throw;
  }
  return library;
}

YOKE_INLINE abi::library program_functions::load_binary(abi::context, devices_view devices, bytes_view bytes,
                                                        const source_location& where) const {
  const auto entries = yoke::detail::unpack_binary(bytes, where);
  const std::string identity = detail::identity_of(*this, devices.front(), where);
  for (const yoke::detail::binary_entry& entry : entries) {
    if (entry.identity == identity) return load_image(devices.front(), entry.payload, "", where);
  }
  detail::throw_error(
      errc::incompatible_binary,
      "the binary was made for \"" + entries.front().identity + "\", not for this device, \"" + identity + "\"", where);
}

YOKE_INLINE abi::library program_functions::load_intermediate(abi::context, devices_view devices, bytes_view bytes,
                                                              const compile_request&,
                                                              const source_location& where) const {
  const std::string_view ptx(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (ptx.find(".version") == std::string_view::npos || ptx.find(".target") == std::string_view::npos) {
    detail::throw_error(errc::incompatible_binary,
                        detail::text("intermediate code of ", bytes.size(), " bytes is not PTX"), where);
  }
  return load_image(devices.front(), bytes, "", where);
}

YOKE_INLINE std::vector<std::byte> program_functions::export_binary(abi::library module,
                                                                    const source_location& where) const {
  const auto record = detail::the_images().find(module);
  if (record == nullptr) {
    detail::throw_error(errc::unsupported, "the driver gives no binary of a module that was loaded elsewhere", where);
  }
  return yoke::detail::pack_binary({{record->identity, record->image}});
}

YOKE_INLINE void program_functions::retain_module(abi::library module, const source_location&) const {
  detail::the_extra_references().add(module);
}
YOKE_INLINE release_result program_functions::release_module(abi::library module) const noexcept {
  if (detail::the_extra_references().drop(module)) return {};
  detail::the_images().forget(module);
  return detail::release<&abi::functions::library_unload>(table_, module);
}
YOKE_INLINE std::string program_functions::build_log(abi::library module, device_id, const source_lines&,
                                                     const source_location&) const {
  const auto record = detail::the_images().find(module);
  return record == nullptr ? "" : record->log;
}

}  // namespace yoke::inline YOKE_ABI::cuda

#endif

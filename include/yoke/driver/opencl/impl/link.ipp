// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/program.hpp: sources compiled apart, and linked.
#ifndef YOKE_DRIVER_OPENCL_IMPL_LINK_IPP
#define YOKE_DRIVER_OPENCL_IMPL_LINK_IPP

#include <yoke/driver/opencl/impl/build.ipp>

#include <memory>

namespace yoke::inline YOKE_ABI::opencl {

namespace detail {

YOKE_COLD abi::program program_of_text(const abi::functions* table, abi::context context, const std::string& code,
                                       const source_location& where) {
  const char* text = code.c_str();
  const std::size_t length = code.size();
  return create<&abi::functions::create_program_with_source>(table, where, context, abi::uint{1}, &text,
                                                             static_cast<const std::size_t*>(&length));
}

/// Throws: what a code of the compiler or the linker stands for, with its log.
[[noreturn]] YOKE_COLD void fail_step(abi::status status, const char* call, const std::string& what,
                                      const std::string& options, const std::string& source, const std::string& log,
                                      const source_location& where) {
  std::string message = what + " with options \"" + options + "\" failed";
  if (!log.empty()) message += ":\n" + log;
  const bool by_input = status == -11 || status == -15 || status == -17 || status == -43 || status == -66 ||
                        status == -67 || (!log.empty() && (status == -30 || status == -59));
  if (by_input) throw compile_error({status, error_category()}, call, message, {log, options, source, ""}, where);
  throw_failure(status, call, message, where);
}

}  // namespace detail

YOKE_COLD abi::program program_functions::compile_part(abi::context context, devices_view devices,
                                                       const compile_request& request,
                                                       std::span<const std::pair<std::string, std::string>> headers,
                                                       const source_location& where) const {
  std::string options = detail::finished_options(request, where);
  options += (options.empty() ? "" : " ") + std::string("-cl-kernel-arg-info");
  auto* const compile = detail::entry<&abi::functions::compile_program>(table_, where);
  std::vector<std::unique_ptr<detail::program_owner>> owners;
  std::vector<abi::program> natives;
  std::vector<const char*> names;
  for (const auto& [name, code] : headers) {
    owners.push_back(std::make_unique<detail::program_owner>(table_, nullptr));
    owners.back()->take(detail::program_of_text(table_, context, code, where));
    natives.push_back(owners.back()->get());
    names.push_back(name.c_str());
  }
  detail::program_owner program{table_, detail::program_of_text(table_, context, request.text, where)};
  const abi::status status =
      compile(program.get(), static_cast<abi::uint>(devices.size()), devices.data(), options.c_str(),
              static_cast<abi::uint>(natives.size()), natives.empty() ? nullptr : natives.data(),
              names.empty() ? nullptr : names.data(), nullptr, nullptr);
  if (status != 0) {
    detail::fail_step(status, "clCompileProgram", "compiling " + request.lines.name, options, request.source,
                      detail::logs_of(*this, program, devices, request.lines, where), where);
  }
  return program.release();
}

YOKE_COLD abi::program program_functions::link_parts(abi::context context, devices_view devices,
                                                     std::span<const abi::program> parts,
                                                     const std::vector<std::string>& options,
                                                     const source_location& where) const {
  std::string all;
  for (const std::string& each : options) all += (all.empty() ? "" : " ") + each;
  auto* const link = detail::entry<&abi::functions::link_program>(table_, where);
  abi::status status = 0;
  // A program may be there although the linker failed: it has the log.
  detail::program_owner linked{table_,
                               link(context, static_cast<abi::uint>(devices.size()), devices.data(), all.c_str(),
                                    static_cast<abi::uint>(parts.size()), parts.data(), nullptr, nullptr, &status)};
  if (status == 0 && linked.get() == nullptr) status = -17;
  if (status != 0) {
    const std::string log =
        linked.get() == nullptr ? "" : detail::logs_of(*this, linked, devices, source_lines{"linked", 0}, where);
    detail::fail_step(status, "clLinkProgram", detail::text("linking ", parts.size(), " programs"), all, "", log,
                      where);
  }
  return linked.release();
}

}  // namespace yoke::inline YOKE_ABI::opencl

#endif

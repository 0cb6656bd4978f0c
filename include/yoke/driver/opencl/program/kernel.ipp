// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/program/kernel.hpp: kernels and their facts.
#ifndef YOKE_DRIVER_OPENCL_PROGRAM_KERNEL_IPP
#define YOKE_DRIVER_OPENCL_PROGRAM_KERNEL_IPP

#include <yoke/driver/opencl/program/kernel.hpp>

#include <yoke/driver/opencl/port.hpp>

#include <yoke/core/native.hpp>
#include <yoke/driver/opencl/device_info.hpp>
#include <yoke/driver/opencl/invoke.hpp>
#include <yoke/driver/opencl/platform_version.hpp>
#include <yoke/driver/opencl/pocl.hpp>
#include <yoke/driver/opencl/program/made_kernel.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::opencl {

kernel_clones* kernel_functions::create_kernel(abi::program module, const char* name,
                                               const source_location& where) const {
  // Every step that may fail after the creation precedes the handover of the kernel.
  detail::made_kernel original{table()};
  abi::status status = 0;
  original.kernel = table()->create_kernel(module, name, &status);
  if (status == -46) {
    std::string list;
    for (const std::string& other : kernel_names(module, where)) list += " " + other;
    throw logic_error({status, error_category()}, "clCreateKernel",
                      std::string("no kernel \"") + name + "\" in this module" + yoke::detail::near_names(name, list) +
                          "; it has:" + (list.empty() ? " none" : list),
                      where);
  }
  if (status != 0 || original.kernel == nullptr) {
    detail::throw_failure(status == 0 ? -6 : status, "clCreateKernel", std::string("kernel \"") + name + "\"", where);
  }
  detail::check_kernel_name(table(), module, name, where);
  kernel_clones* result = describe_kernel(module, original.kernel, true, where);
  original.kernel = nullptr;
  return result;
}

kernel_clones* kernel_functions::adopt_kernel(abi::program module, abi::kernel kernel, bool owned,
                                              const source_location& where) const {
  const auto of = yoke::detail::ask_native("kernel", kernel, where, [&] {
    return detail::query<abi::program, &abi::functions::get_kernel_info>(table(), where, kernel, abi::kernel_program);
  });
  if (of != module) {
    yoke::detail::throw_foreign_native("kernel", yoke::detail::native_value(kernel), "module", where);
  }
  return describe_kernel(module, kernel, owned, where);
}

kernel_clones* kernel_functions::describe_kernel(abi::program module, abi::kernel kernel, bool owned,
                                                 const source_location& where) const {
  auto clones = std::make_unique<kernel_clones>();
  const auto devices =
      detail::query_list<abi::device, &abi::functions::get_program_info>(table(), where, module, abi::program_devices);
  for (const abi::device device : devices) {
    const auto local = detail::query<abi::ulong, &abi::functions::get_kernel_work_group_info>(
        table(), where, kernel, device, abi::kernel_local_mem_size);
    clones->static_local_bytes = std::max(clones->static_local_bytes, static_cast<std::size_t>(local));
    if (local == 0) continue;
    const auto most =
        detail::query<abi::ulong, &abi::functions::get_device_info>(table(), where, device, info::local_mem_size.code);
    clones->keeps_first = clones->keeps_first && local <= most;
  }
  clones->can_clone =
      table()->clone_kernel != nullptr && detail::platform_version(table(), devices.front(), where) >= 21;
  clones->original = kernel;
  clones->owned = owned;
  return clones.release();
}

void kernel_functions::retain_kernel(kernel_clones* kernel, const source_location& where) const {
  detail::invoke<&abi::functions::retain_kernel>(table(), where, kernel->original);
  kernel->owned = true;
}
abi::kernel kernel_functions::native_of(kernel_clones* kernel) const noexcept { return kernel->original; }

release_result kernel_functions::detach_kernel(kernel_clones* kernel) const noexcept {
  kernel->owned = false;
  return release_kernel(kernel);
}

release_result kernel_functions::release_kernel(kernel_clones* kernel) const noexcept {
  const std::unique_ptr<kernel_clones> clones{kernel};
  release_result first{0, "clReleaseKernel"};
  const auto end = [&](yoke::detail::atomic<abi::kernel>& slot) {
    const abi::kernel clone = slot.exchange(nullptr);
    if (clone != nullptr) detail::add_outcome(first, detail::release<&abi::functions::release_kernel>(table(), clone));
  };
  end(kernel->own);
  end(kernel->shared);
  for (auto& slot : kernel->idle) end(slot);
  for (auto& slot : kernel->idle_svm) {
    const std::unique_ptr<detail::svm_clone> clone{slot.exchange(nullptr)};
    if (clone) detail::add_outcome(first, detail::release<&abi::functions::release_kernel>(table(), clone->kernel));
  }
  if (kernel->owned) {
    detail::add_outcome(first, detail::release<&abi::functions::release_kernel>(table(), kernel->original));
  }
  return first;
}

namespace detail {

/// Effects: prefixes an image's or a pipe's type with its access, as some drivers do themselves.
void add_access(const abi::functions* table, abi::kernel kernel, abi::uint parameter, std::string& type) {
  abi::uint access = 0;
  if (table->get_kernel_arg_info(kernel, parameter, abi::kernel_arg_access_qualifier, sizeof access, &access,
                                 nullptr) != 0 ||
      access == abi::access_none) {
    return;
  }
  if (type.rfind("pipe ", 0) != 0) type.erase(0, type.rfind(' ') + 1);
  type.insert(0, access == abi::access_write_only  ? "write_only "
                 : access == abi::access_read_only ? "read_only "
                                                   : "read_write ");
}

/// Returns: the driver's facts about a kernel's parameters.
kernel_signature signature_of(const abi::functions* table, abi::kernel kernel, const source_location& where) {
  constexpr auto get = &abi::functions::get_kernel_arg_info;
  kernel_signature result;
  result.count = query<abi::uint, &abi::functions::get_kernel_info>(table, where, kernel, abi::kernel_num_args);
  for (abi::uint i = 0; i < result.count; ++i) {
    abi::uint space = 0;
    const abi::status status =
        table->get_kernel_arg_info(kernel, i, abi::kernel_arg_address_qualifier, sizeof space, &space, nullptr);
    if (is_undescribed(status)) return result;
    if (status != 0) throw_failure(status, "clGetKernelArgInfo", "", where);
    parameter_info info;
    info.type = query_text<get>(table, where, kernel, i, abi::kernel_arg_type_name);
    info.name = query_text<get>(table, where, kernel, i, abi::kernel_arg_name);
    const auto qualifiers = query<abi::ulong, get>(table, where, kernel, i, abi::kernel_arg_type_qualifier);
    if ((qualifiers & abi::type_pipe) != 0) info.type = "pipe " + info.type;  // the driver gives the packets' type
    if (!info.type.empty() && info.type.back() == '*') {
      info.type.pop_back();
      while (!info.type.empty() && info.type.back() == ' ') info.type.pop_back();
    }
    if (info.type.find("image") != std::string::npos || info.type.rfind("pipe ", 0) == 0)
      add_access(table, kernel, i, info.type);
    info.is_const = (qualifiers & abi::type_const) != 0;
    switch (space) {
      case abi::address_global: info.space = address_space::global; break;
      case abi::address_local: info.space = address_space::local; break;
      case abi::address_constant: info.space = address_space::constant; break;
      default: info.space = address_space::value; break;
    }
    result.parameters.push_back(std::move(info));
  }
  result.described = true;
  return result;
}

}  // namespace detail

kernel_signature kernel_functions::signature(abi::context, kernel_clones* kernel, const source_location& where) const {
  return detail::signature_of(table(), kernel->original, where);
}

std::size_t kernel_functions::parameter_count(kernel_clones* kernel, const source_location& where) const {
  return detail::query<abi::uint, &abi::functions::get_kernel_info>(table(), where, kernel->original,
                                                                    abi::kernel_num_args);
}

std::vector<std::string> kernel_functions::kernel_names(abi::program module, const source_location& where) const {
  const std::string all =
      detail::query_text<&abi::functions::get_program_info>(table(), where, module, abi::program_kernel_names);
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin < all.size()) {
    const std::size_t end = std::min(all.find(';', begin), all.size());
    if (end > begin) names.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  std::sort(names.begin(), names.end());
  return names;
}
std::vector<typed_kernel> kernel_functions::described_kernels(abi::program of, const source_location& where) const {
  std::vector<typed_kernel> described;
  try {
    for (const std::string& name : kernel_names(of, where)) {
      abi::status status = 0;
      const detail::made_kernel made{table(), table()->create_kernel(of, name.c_str(), &status)};
      if (status != 0 || made.kernel == nullptr) continue;
      try {
        kernel_signature told = detail::signature_of(table(), made.kernel, where);
        if (told.described) described.push_back({name, std::move(told.parameters)});
      } catch (const error&) {  // the driver does not describe this kernel
      }
    }
  } catch (const error&) {  // the driver cannot even list the kernels
  }
  return described;
}

bool kernel_functions::accepts(abi::context, kernel_clones* kernel, std::span<const kernel_argument> arguments,
                               const source_location& where) const {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const abi::status status =
        table()->set_kernel_arg(kernel->original, static_cast<abi::uint>(i), arguments[i].bytes, arguments[i].data);
    if (status == -51 || status == -50) return false;  // the argument has another size or kind
    if (status != 0) detail::throw_failure(status, "clSetKernelArg", detail::text("argument ", i + 1), where);
  }
  return true;
}

kernel_limits kernel_functions::limits_of_kernel(kernel_clones* kernel, abi::device device,
                                                 const source_location& where) const {
  constexpr auto get = &abi::functions::get_kernel_work_group_info;
  kernel_limits result;
  result.max_block =
      detail::query<std::size_t, get>(table(), where, kernel->original, device, abi::kernel_work_group_size);
  result.static_local_bytes = static_cast<std::size_t>(
      detail::query<abi::ulong, get>(table(), where, kernel->original, device, abi::kernel_local_mem_size));
  result.preferred_multiple =
      detail::query<std::size_t, get>(table(), where, kernel->original, device, abi::kernel_preferred_multiple);
  result.private_bytes = static_cast<std::size_t>(
      detail::query<abi::ulong, get>(table(), where, kernel->original, device, abi::kernel_private_mem_size));
  result.required_block = detail::query<std::array<std::size_t, 3>, get>(table(), where, kernel->original, device,
                                                                         abi::kernel_compile_work_group_size);
  return result;
}

namespace detail {
/// Effects: tells a native kernel which SVM it reaches through pointers in memory.
void set_reached(const abi::functions* table, abi::kernel kernel, std::span<const void* const> addresses,
                 const source_location& where) {
  invoke<&abi::functions::set_kernel_exec_info>(table, where, kernel, abi::kernel_exec_info_svm_ptrs,
                                                addresses.size_bytes(), static_cast<const void*>(addresses.data()));
}
}  // namespace detail

void kernel_functions::reach_svm(kernel_clones* kernel, std::span<const void* const> addresses,
                                 const source_location& where) const {
  std::vector<const void*> kept(addresses.begin(), addresses.end());
  const auto tell = [&](abi::kernel clone) {
    if (clone != nullptr) detail::set_reached(table(), clone, kept, where);
  };
  tell(kernel->original);
  tell(kernel->own.load());
  tell(kernel->shared.load());
  for (const auto& slot : kernel->idle) tell(slot.load());
  for (const auto& slot : kernel->idle_svm) {
    const detail::svm_clone* const clone = slot.load();
    if (clone != nullptr) tell(clone->kernel);
  }
  kernel->reached = std::move(kept);
}

abi::kernel kernel_functions::new_clone(kernel_clones* kernel, const source_location& where) const {
  if (kernel->reached.empty()) return new_plain_clone(kernel, where);
  detail::made_kernel made{table(), new_plain_clone(kernel, where)};
  detail::set_reached(table(), made.kernel, kernel->reached, where);
  return std::exchange(made.kernel, nullptr);
}
abi::kernel kernel_functions::new_plain_clone(kernel_clones* kernel, const source_location& where) const {
  if (kernel->can_clone) return detail::create<&abi::functions::clone_kernel>(table(), where, kernel->original);
  const auto program = detail::query<abi::program, &abi::functions::get_kernel_info>(table(), where, kernel->original,
                                                                                     abi::kernel_program);
  const std::string name =
      detail::query_text<&abi::functions::get_kernel_info>(table(), where, kernel->original, abi::kernel_function_name);
  return detail::create<&abi::functions::create_kernel>(table(), where, program, name.c_str());
}

}  // namespace yoke::inline v0_1::opencl

#endif
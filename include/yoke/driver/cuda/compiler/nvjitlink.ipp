// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/compiler/nvjitlink.hpp.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVJITLINK_IPP
#define YOKE_DRIVER_CUDA_COMPILER_NVJITLINK_IPP

#include <yoke/driver/cuda/compiler/nvjitlink.hpp>

#include <yoke/core/environment.hpp>
#include <yoke/driver/cuda/compiler/compiler_files.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <set>

namespace yoke::inline v0_1::cuda {

namespace detail {

inline constinit std::atomic<const loaded_nvjitlink*> the_nvjitlink{nullptr};

/// Returns: the folders of NVRTC and of nvJitLink's own packages.
std::vector<std::string> nvjitlink_folders() {
  std::vector<std::string> folders = nvrtc_folders();
  constexpr std::string_view package = "/cuda_nvrtc/";
  for (std::string& each : folders) {
    if (const std::size_t at = each.find(package); at != std::string::npos) {
      each.replace(at, package.size(), "/nvjitlink/");
    }
  }
  return folders;
}

/// Effects: fills the table. Returns: nvJitLink; null with the reason if it is unusable.
std::unique_ptr<loaded_nvjitlink> resolve_nvjitlink(void* library, const std::string& name, std::string& why) {
  auto linker = std::make_unique<loaded_nvjitlink>();
  linker->name = name;
  abi::nvjitlink_functions& table = linker->table;
#define YOKE_LOAD(own, symbol, ...)                                                                                    \
  table.own = reinterpret_cast<decltype(table.own)>(yoke::detail::library_symbol(library, symbol));                    \
  if (table.own == nullptr) {                                                                                          \
    why = "it lacks " symbol;                                                                                          \
    return nullptr;                                                                                                    \
  }
  YOKE_NVJITLINK_FUNCTIONS(YOKE_LOAD)
#undef YOKE_LOAD
  return linker;
}

/// Returns: the major versions in the order in which they are tried.
std::vector<int> nvjitlink_majors(const std::vector<nvrtc_file>& files) {
  std::set<int, std::greater<>> majors{12, 13};
  for (const nvrtc_file& file : files) majors.insert(file.version[0]);
  std::vector<int> order(majors.begin(), majors.end());
  // Only the major version that made LTO-IR can read it.
  if (const loaded_nvrtc* const nvrtc = nvrtc_if_loaded()) {
    const auto own = std::find(order.begin(), order.end(), nvrtc->version / 1000);
    if (own != order.end()) std::rotate(order.begin(), own, own + 1);
  }
  return order;
}

/// Returns: the machine's nvJitLink; null with the reason if there is none.
std::unique_ptr<loaded_nvjitlink> open_nvjitlink(std::string& reason) {
  const std::vector<std::string> folders = nvjitlink_folders();
  const std::vector<nvrtc_file> files = nvrtc_files(folders, nvjitlink_stem);
  return open_compiler_library(resolve_nvjitlink, "nvJitLink", nvjitlink_stem, nvjitlink_majors(files), folders, files,
                               reason);
}

/// Returns: the nvJitLink in a driver that the user chose; null with the reason if it is unusable; null without a
/// reason if the user chose no driver, or it contains none.
std::unique_ptr<loaded_nvjitlink> nvjitlink_of_named_driver(std::string& reason) {
  if (process_environment().cuda_driver.empty()) return nullptr;
  load_failure failure;
  const loaded_driver* driver = find_driver(failure);
  if (driver == nullptr) {
    reason = "no nvJitLink: " + failure.reason;
    return nullptr;
  }
  if (yoke::detail::library_symbol(driver->library, "nvJitLinkCreate") == nullptr) {
    if (driver->is_simulator) reason = "no nvJitLink: the simulator " + driver->name + " lacks nvJitLinkCreate";
    return nullptr;
  }
  std::string why;
  auto linker = resolve_nvjitlink(driver->library, driver->name, why);
  if (linker == nullptr) reason = "no nvJitLink: " + driver->name + " brings one, but " + why;
  return linker;
}

const loaded_nvjitlink* find_nvjitlink(std::string& reason) {
  if (const loaded_nvjitlink* linker = the_nvjitlink.load(std::memory_order_acquire)) return linker;
  std::string refused;
  auto linker = nvjitlink_of_named_driver(refused);
  if (linker == nullptr && refused.empty()) linker = open_nvjitlink(refused);
  if (linker == nullptr) {
    reason = std::move(refused);
    return nullptr;
  }
  const loaded_nvjitlink* expected = nullptr;
  if (the_nvjitlink.compare_exchange_strong(expected, linker.get(), std::memory_order_acq_rel)) {
    return linker.release();
  }
  return expected;
}

std::string nvjitlink_name(bool open) {
  std::string reason;
  if (open && find_nvjitlink(reason) == nullptr) return "";
  constexpr const char* what = "nvJitLink";
  if (const loaded_nvjitlink* const linker = the_nvjitlink.load(std::memory_order_acquire)) {
    const void* const symbol = reinterpret_cast<const void*>(linker->table.create);
    const loaded_driver* const driver = process_environment().cuda_driver.empty() ? nullptr : driver_if_loaded();
    if (driver != nullptr && driver->name == linker->name) return name_of_compiler_within(symbol);
    return nvrtc_file_name(yoke::detail::file_of_address(symbol), what);
  }
  if (!process_environment().cuda_driver.empty()) {
    const loaded_driver* const driver = driver_if_loaded();
    if (driver == nullptr) return "";
    if (const void* const symbol = yoke::detail::library_symbol(driver->library, "nvJitLinkCreate"))
      return name_of_compiler_within(symbol);
    if (driver->is_simulator) return "";
  }
  const std::vector<nvrtc_file> files = nvrtc_files(nvjitlink_folders(), nvjitlink_stem);
  const std::string path = likely_library(nvjitlink_stem, "nvJitLinkCreate", nvjitlink_majors(files), files);
  return path.empty() ? "" : nvrtc_file_name(path, what);
}

const loaded_nvjitlink& default_nvjitlink(const source_location& where) {
  std::string reason;
  const loaded_nvjitlink* linker = find_nvjitlink(reason);
  if (linker == nullptr) yoke::detail::throw_error(errc::driver_unavailable, reason, where);
  return *linker;
}

}  // namespace detail

availability nvjitlink_available() {
  availability result;
  result.available = detail::find_nvjitlink(result.reason) != nullptr;
  return result;
}

}  // namespace yoke::inline v0_1::cuda

#endif

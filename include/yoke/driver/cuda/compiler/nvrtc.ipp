// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/compiler/nvrtc.hpp: searches the folders of toolkits, distributions and environments.
#ifndef YOKE_DRIVER_CUDA_COMPILER_NVRTC_IPP
#define YOKE_DRIVER_CUDA_COMPILER_NVRTC_IPP

#include <yoke/driver/cuda/compiler/nvrtc.hpp>

#include <yoke/core/environment.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/compiler/compiler_files.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {

inline constinit std::atomic<const loaded_nvrtc*> the_nvrtc{nullptr};

/// Effects: fills the table. Returns: NVRTC; null with the reason if it is unusable.
std::unique_ptr<loaded_nvrtc> resolve_nvrtc(void* library, const std::string& name, std::string& why) {
  auto nvrtc = std::make_unique<loaded_nvrtc>();
  nvrtc->name = name;
  abi::nvrtc_functions& table = nvrtc->table;
#define YOKE_LOAD(own, symbol, need, ...)                                                                              \
  table.own = reinterpret_cast<decltype(table.own)>(yoke::detail::library_symbol(library, symbol));                    \
  if (table.own == nullptr && abi::presence::need == abi::presence::required) {                                        \
    why = "it lacks " symbol;                                                                                          \
    return nullptr;                                                                                                    \
  }
  YOKE_NVRTC_FUNCTIONS(YOKE_LOAD)
#undef YOKE_LOAD
  int major = 0;
  int minor = 0;
  if (const abi::nvrtc_status status = table.version(&major, &minor)) {
    why = yoke::detail::text("nvrtcVersion gives ", status);
    return nullptr;
  }
  nvrtc->version = major * 1000 + minor * 10;
  if (nvrtc->version >= abi::required_version) return nvrtc;
  why = yoke::detail::text("it is NVRTC ", version_text(nvrtc->version), ", needed is ",
                           version_text(abi::required_version), " or newer");
  return nullptr;
}

/// Returns: the machine's NVRTC; null with the reason if there is none.
std::unique_ptr<loaded_nvrtc> open_nvrtc(std::string& reason) {
  const std::vector<std::string> folders = nvrtc_folders();
  const std::vector<nvrtc_file> files = nvrtc_files(folders);
  const std::vector<int> majors = nvrtc_majors(files, abi::required_version / 1000);
  auto nvrtc = open_compiler_library(resolve_nvrtc, "NVRTC", nvrtc_stem, majors, folders, files, reason);
  if (nvrtc != nullptr) return nvrtc;
  for (const nvrtc_file& file : files) {
    if (file.version[0] < abi::required_version / 1000) reason += "; " + file.path + ": it is too old";
  }
  return nullptr;
}

/// Returns: the NVRTC in a driver that the user chose; null with the reason if it is unusable; null without a reason if
/// the user chose no driver, or it contains none.
std::unique_ptr<loaded_nvrtc> nvrtc_of_named_driver(std::string& reason) {
  if (process_environment().cuda_driver.empty()) return nullptr;
  load_failure failure;
  const loaded_driver* driver = find_driver(failure);
  if (driver == nullptr) {
    reason = "no NVRTC: " + failure.reason;
    return nullptr;
  }
  if (yoke::detail::library_symbol(driver->library, "nvrtcVersion") == nullptr) {
    // The simulator loads only images of its own compiler.
    if (driver->is_simulator) reason = "no NVRTC: the simulator " + driver->name + " lacks nvrtcVersion";
    return nullptr;
  }
  std::string why;
  auto nvrtc = resolve_nvrtc(driver->library, driver->name, why);
  if (nvrtc == nullptr) reason = "no NVRTC: " + driver->name + " brings one, but " + why;
  return nvrtc;
}

const loaded_nvrtc* find_nvrtc(std::string& reason) {
  if (const loaded_nvrtc* nvrtc = the_nvrtc.load(std::memory_order_acquire)) return nvrtc;
  std::string refused;
  auto nvrtc = nvrtc_of_named_driver(refused);
  if (nvrtc == nullptr && refused.empty()) nvrtc = open_nvrtc(refused);
  if (nvrtc == nullptr) {
    reason = std::move(refused);
    return nullptr;
  }
  const loaded_nvrtc* expected = nullptr;
  if (the_nvrtc.compare_exchange_strong(expected, nvrtc.get(), std::memory_order_acq_rel)) return nvrtc.release();
  return expected;
}

const loaded_nvrtc* nvrtc_if_loaded() noexcept { return the_nvrtc.load(std::memory_order_acquire); }

bool has_compiler_within() {
  if (process_environment().cuda_driver.empty()) return false;
  const loaded_driver* const driver = driver_if_loaded();
  return driver == nullptr || driver->is_simulator ||
         yoke::detail::library_symbol(driver->library, "nvrtcVersion") != nullptr;
}
std::string driver_file_name() {
  const loaded_driver* const driver = driver_if_loaded();
  const void* const symbol = driver == nullptr ? nullptr : yoke::detail::library_symbol(driver->library, "cuInit");
  const std::string name = symbol == nullptr ? "" : nvrtc_file_name(yoke::detail::file_of_address(symbol), "library");
  return name.empty() ? "" : ", " + name;
}

std::string nvrtc_name(const loaded_nvrtc& nvrtc) {
  const void* const symbol = reinterpret_cast<const void*>(nvrtc.table.version);
  const loaded_driver* const driver = process_environment().cuda_driver.empty() ? nullptr : driver_if_loaded();
  if (driver != nullptr && driver->name == nvrtc.name) return name_of_compiler_within(symbol);
  const std::string name = nvrtc_file_name(yoke::detail::file_of_address(symbol), "NVRTC");
  return name.empty() ? "NVRTC " + version_text(nvrtc.version) : name;
}

std::string nvrtc_name_without_opening() {
  if (const loaded_nvrtc* const nvrtc = nvrtc_if_loaded()) return nvrtc_name(*nvrtc);
  if (!process_environment().cuda_driver.empty()) {
    const loaded_driver* const driver = driver_if_loaded();
    if (driver == nullptr) return "";
    if (const void* const symbol = yoke::detail::library_symbol(driver->library, "nvrtcVersion"))
      return name_of_compiler_within(symbol);
    if (driver->is_simulator) return "";
  }
  const std::vector<nvrtc_file> files = nvrtc_files(nvrtc_folders());
  const std::string path = likely_library(nvrtc_stem, "nvrtcVersion", nvrtc_majors(files, 0), files);
  return path.empty() ? "" : nvrtc_file_name(path, "NVRTC");
}

const loaded_nvrtc& default_nvrtc(const source_location& where) {
  std::string reason;
  const loaded_nvrtc* nvrtc = find_nvrtc(reason);
  if (nvrtc == nullptr) yoke::detail::throw_error(errc::driver_unavailable, reason, where);
  return *nvrtc;
}

}  // namespace detail

availability nvrtc_available() {
  availability result;
  result.available = detail::find_nvrtc(result.reason) != nullptr;
  return result;
}

}  // namespace yoke::inline v0_1::cuda

#endif

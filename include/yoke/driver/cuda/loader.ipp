// SPDX-License-Identifier: MIT
// Bodies of driver/cuda/loader.hpp: opens the driver, fills the table by cuGetProcAddress, and initialises it,
// idempotently.
#ifndef YOKE_DRIVER_CUDA_LOADER_IPP
#define YOKE_DRIVER_CUDA_LOADER_IPP

#include <yoke/driver/cuda/loader.hpp>

#include <yoke/core/environment.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/error.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace yoke::inline v0_1::cuda {

namespace detail {

// Constant-initialised and never freed: safe in any order of static construction, and at exit.
inline constinit std::atomic<const loaded_driver*> the_driver{nullptr};
inline constinit std::atomic<void (*)(abi::functions&)> table_filter{nullptr};

bool set_table_filter(void (*filter)(abi::functions& table)) noexcept {
  if (the_driver.load() != nullptr) return table_filter.load() == filter;
  table_filter.store(filter);
  return true;
}

std::string version_text(int version) { return yoke::detail::text(version / 1000, ".", version % 1000 / 10); }

/// The driver's versioned name; an unversioned file may be a toolkit's stub.
#if defined(_WIN32)
inline constexpr const char* driver_file = "nvcuda.dll";
#else
inline constexpr const char* driver_file = "libcuda.so.1";
#endif

void* open_simulator(const std::string& plain, const char* wanted, std::string& name, std::string& reason) {
  const std::string versioned = yoke::detail::text(plain, ".", YOKE_VERSION_MAJOR, ".", YOKE_VERSION_MINOR);
  std::string folder = yoke::detail::file_of_address(&the_driver);
  if (!folder.empty()) {
    // For a program the path is argv[0]: a name found by PATH, or a path relative to a folder that it has left.
    if (!yoke::detail::is_absolute_path(folder) || folder == "/proc/self/exe") {
      std::error_code none;
      folder = std::filesystem::read_symlink("/proc/self/exe", none).string();
    }
    folder.resize(folder.rfind('/') + 1);  // "" without a slash
  }
  reason = yoke::detail::text(wanted, ", looked for ", versioned, " and ", plain, " by the dynamic loader",
                              folder.empty() ? "" : " and in " + folder);
  for (const std::string& prefix : {std::string(), folder}) {
    for (const std::string& file : {versioned, plain}) {
      name = prefix + file;
      std::string why;
      if (void* library = yoke::detail::open_library(name, why)) return library;
      // `reason` already names missing files, but not unusable ones.
      if (why.find("No such file") == std::string::npos) reason += "; " + why;
    }
    if (folder.empty()) break;
  }
  return nullptr;
}

/// Effects: opens the driver that the environment names, else the machine's.
void* open_driver(loaded_driver& driver, std::string& reason) {
  const std::string& wish = process_environment().cuda_driver;
  driver.named = !wish.empty();
  driver.is_simulator = wish == "simulator";
  if (driver.is_simulator) {
    return open_simulator("libyoke_cuda_simulator.so", "no CUDA simulator: YOKE_CUDA_DRIVER is \"simulator\"",
                          driver.name, reason);
  }
  driver.name = wish.empty() ? driver_file : wish;
  std::string why;
  void* const library = yoke::detail::open_library(driver.name, why);
  if (library == nullptr) {
    reason = yoke::detail::text("no CUDA driver: ", wish.empty() ? "looked for " : "YOKE_CUDA_DRIVER names ",
                                driver.name, " (", why, ")");
  }
  return library;
}

/// The two ways to query a driver for an entry point: by version, or by name alone.
struct resolver {
  abi::get_proc_address* five = nullptr;
  abi::get_proc_address_v1* four = nullptr;

  /// Returns: the entry point with that name and ABI version; null with the reason if there is none.
  void* operator()(const char* symbol, int version, const char*& why) const {
    void* address = nullptr;
    auto query = abi::address_query::success;
    const abi::status status = five != nullptr ? five(symbol, &address, version, abi::legacy_stream_symbols, &query)
                                               : four(symbol, &address, version, abi::legacy_stream_symbols);
    if (status == abi::success && address != nullptr) return address;
    why = status != abi::success                                ? error_name(status)
          : query == abi::address_query::version_not_sufficient ? "the driver is too old for it"
                                                                : "no such symbol";
    return nullptr;
  }
};

/// Effects: fills the table. Returns: whether every required entry is present.
bool resolve_all(loaded_driver& driver, const resolver& find, std::string& reason) {
  const char* why = "";
  // All names in one string, each ended by a zero.
#define YOKE_NAME(own, symbol, version, ...) symbol "\0"
#define YOKE_VERSION_OF(own, symbol, version, ...) version,
#define YOKE_PLACE(own, symbol, version, ...) offsetof(abi::functions, own),
  static constexpr char names[] = YOKE_CUDA_FUNCTIONS(YOKE_NAME);
  static constexpr std::uint16_t versions[] = {YOKE_CUDA_FUNCTIONS(YOKE_VERSION_OF)};
  static constexpr std::uint16_t places[] = {YOKE_CUDA_FUNCTIONS(YOKE_PLACE)};
#undef YOKE_PLACE
#undef YOKE_VERSION_OF
#undef YOKE_NAME
  const char* name = names;
  for (std::size_t i = 0; i < std::size(places); name += std::strlen(name) + 1, ++i) {
    void* const address = versions[i] > driver.version ? nullptr : find(name, versions[i], why);
    if (address == nullptr && versions[i] <= abi::required_version) {
      reason = yoke::detail::text("the CUDA driver ", driver.name, " (CUDA ", version_text(driver.version), ") lacks ",
                                  name, " of ABI version ", versions[i], ": ", why);
      return false;
    }
    std::memcpy(reinterpret_cast<std::byte*>(&driver.table) + places[i], &address, sizeof address);
  }
  return true;
}

/// Returns: a hint from the state of this machine why a driver cannot be initialised, or finds no device.
std::string init_hint([[maybe_unused]] const loaded_driver& driver, abi::status code) {
  std::string hint;
  if (code == abi::error_not_initialized && is_forked_process()) {
    return "; this process was forked after CUDA was initialised: fork first, or exec";
  }
  if (code == abi::error_no_device || code == abi::error_invalid_device) {
    if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) {
      hint += yoke::detail::text("; CUDA_VISIBLE_DEVICES is \"", visible, "\"",
                                 *visible == '\0' ? " and hides every device" : " and may hide devices");
    }
  }
#if !defined(_WIN32)
  if (driver.named) return hint;  // the device files concern the real driver only
  constexpr const char* control = "/dev/nvidiactl";
  if (::access(control, F_OK) != 0) {
    if (::access("/dev/dxg", F_OK) != 0) {  // the Windows Subsystem for Linux has this device file instead
      hint += "; there is no /dev/nvidiactl: the kernel driver is not loaded, or a container was started without GPUs";
    }
  } else if (::access(control, R_OK | W_OK) != 0) {
    hint += "; this user may not open /dev/nvidiactl";
  }
#endif
  return hint;
}

std::string describe_failure(const loaded_driver& driver, const char* call, abi::status code) {
  return yoke::detail::text("the CUDA driver ", driver.name, " cannot be used: ", call, " gives ", error_name(code),
                            " (", code, "), ", error_text(code), init_hint(driver, code));
}

const loaded_driver* driver_if_loaded() noexcept { return the_driver.load(std::memory_order_acquire); }

const loaded_driver* find_driver(load_failure& failure) {
  if (const loaded_driver* driver = driver_if_loaded()) return driver;
  auto driver = std::make_unique<loaded_driver>();
  driver->library = open_driver(*driver, failure.reason);
  if (driver->library == nullptr) return nullptr;
  const auto symbol = [&](const char* name) { return yoke::detail::library_symbol(driver->library, name); };
  const auto fail = [&](const char* call, abi::status code) {
    failure = {describe_failure(*driver, call, code), code, call};
    return nullptr;
  };

  // Queried first, and by name: it works before cuInit, and on drivers that are too old for the rest.
  const auto get_version = reinterpret_cast<abi::status (*)(int*)>(symbol("cuDriverGetVersion"));
  if (get_version == nullptr) {
    failure.reason = driver->name + " is no CUDA driver: it has no cuDriverGetVersion";
    return nullptr;
  }
  if (const abi::status status = get_version(&driver->version)) return fail("cuDriverGetVersion", status);
  if (driver->version < abi::required_version) {
    failure.reason = yoke::detail::text("the CUDA driver ", driver->name, " is too old: it serves CUDA ",
                                        version_text(driver->version), ", needed is CUDA ",
                                        version_text(abi::required_version), " or newer");
    return nullptr;
  }
  const resolver find{reinterpret_cast<abi::get_proc_address*>(symbol("cuGetProcAddress_v2")),
                      reinterpret_cast<abi::get_proc_address_v1*>(symbol("cuGetProcAddress"))};
  if (find.five == nullptr && find.four == nullptr) {
    failure.reason = driver->name + " is no CUDA driver: it has no cuGetProcAddress";
    return nullptr;
  }
  if (!resolve_all(*driver, find, failure.reason)) return nullptr;
  // The simulator identifies itself, whatever name it was opened by.
  if (symbol("cuYokeSimulatorVersion") != nullptr) driver->table.notes->guards_memory.store(true);
  if (const abi::status status = driver->table.init(0)) return fail("cuInit", status);
  note_initialized_process();
  if (const auto filter = table_filter.load()) filter(driver->table);

  const loaded_driver* expected = nullptr;
  if (the_driver.compare_exchange_strong(expected, driver.get(), std::memory_order_acq_rel)) return driver.release();
  return expected;
}

const abi::functions* default_functions(const source_location& where) {
  if (const loaded_driver* driver = driver_if_loaded()) [[likely]]
    return &driver->table;
  load_failure failure;
  const loaded_driver* driver = find_driver(failure);
  if (driver != nullptr) return &driver->table;
  if (failure.code == 0) yoke::detail::throw_error(errc::driver_unavailable, failure.reason, where);
  // Here every code means that no driver can be used.
  throw unsupported_error({failure.code, error_category()}, failure.call, failure.reason, where);
}

const abi::functions* find_functions(std::string& reason) {
  load_failure failure;
  const loaded_driver* driver = find_driver(failure);
  if (driver != nullptr) return &driver->table;
  reason = std::move(failure.reason);
  return nullptr;
}

}  // namespace detail

availability available() {
  detail::load_failure failure;
  const detail::loaded_driver* opened = detail::find_driver(failure);
  if (opened == nullptr) return {false, std::move(failure.reason)};
  int count = 0;
  if (const abi::status status = opened->table.device_get_count(&count)) {
    return {false, detail::describe_failure(*opened, "cuDeviceGetCount", status)};
  }
  if (count > 0) return {true, {}};
  return {false, yoke::detail::text("the CUDA driver ", opened->name, " lists no device",
                                    detail::init_hint(*opened, abi::error_no_device))};
}

}  // namespace yoke::inline v0_1::cuda

#endif

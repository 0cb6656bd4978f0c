// SPDX-License-Identifier: MIT
// Bodies of driver/nccl/loader.hpp: opens NCCL and fills the table by its names.
#ifndef YOKE_DRIVER_NCCL_LOADER_IPP
#define YOKE_DRIVER_NCCL_LOADER_IPP

#include <yoke/driver/nccl/loader.hpp>

#include <yoke/core/environment.hpp>
#include <yoke/core/error.hpp>
#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/cuda/libraries/library_files.hpp>
#include <yoke/driver/cuda/loader.hpp>

#include <atomic>
#include <memory>

namespace yoke::inline v0_1::nccl {

namespace detail {

// Constant-initialised and never freed: safe in any order of static construction, and at exit.
inline constinit std::atomic<const loaded_library*> the_library{nullptr};
inline constinit std::atomic<void (*)(abi::functions&)> table_filter{nullptr};

bool set_table_filter(void (*filter)(abi::functions& table)) noexcept {
  if (the_library.load() != nullptr) return table_filter.load() == filter;
  table_filter.store(filter);
  return true;
}

std::string version_text(int version) {
  return yoke::detail::text(version / 10000, ".", version % 10000 / 100, ".", version % 100);
}
std::string name_of(const loaded_library& library) {
  return yoke::detail::text("this NCCL is ", version_text(library.info.version), " (", library.info.path,
                            library.info.was_loaded ? ", loaded by another part of the program)" : ")");
}
void throw_too_old(const loaded_library& library, const char* needs, int since, const source_location& where) {
  yoke::detail::throw_error(errc::unsupported, where, name_of(library), "; ", needs, " ", version_text(since));
}

/// Effects: fills the table. Returns: whether the library can be used.
bool resolve(void* handle, std::string& why, void* to) {
  auto& made = *static_cast<loaded_library*>(to);
  made.table.get_version =
      reinterpret_cast<decltype(made.table.get_version)>(yoke::detail::library_symbol(handle, "ncclGetVersion"));
  if (made.table.get_version == nullptr) {
    why = "it has no ncclGetVersion";
    return false;
  }
  int& version = made.info.version;
  if (const abi::status code = made.table.get_version(&version)) {
    why = yoke::detail::text("ncclGetVersion gives ", code);
    return false;
  }
  // Versions before 2.9 have numbers of their own: 2708 for 2.7.8.
  if (version < abi::required_version) {
    why = yoke::detail::text("it is NCCL ", version < 10000 ? yoke::detail::text(version) : version_text(version),
                             ", needed is ", version_text(abi::required_version), " or newer");
    return false;
  }
  // A symbol that is newer than the library's version is left alone: it may have had another signature before.
#define YOKE_LOAD(own, symbol, since, ...)                                                                             \
  if (since <= version) {                                                                                              \
    made.table.own = reinterpret_cast<decltype(made.table.own)>(yoke::detail::library_symbol(handle, symbol));         \
    if (made.table.own == nullptr && since <= abi::required_version) {                                                 \
      why = "it lacks " symbol;                                                                                        \
      return false;                                                                                                    \
    }                                                                                                                  \
  }
  YOKE_NCCL_FUNCTIONS(YOKE_LOAD)
#undef YOKE_LOAD
  return true;
}

#if defined(_WIN32)
inline constexpr cuda::detail::library_kind nccl_kind{"NCCL", "nccl", "nccl", 0};
#else
inline constexpr cuda::detail::library_kind nccl_kind{"NCCL", "nccl", "libnccl.so.", 0};
#endif

/// Effects: opens the library that the environment names, the simulated one beside the simulated driver, else the
/// machine's.
bool open(loaded_library& made, std::string& reason) {
  std::string wish = process_environment().nccl_library;
  const cuda::detail::loaded_driver* driver = cuda::detail::driver_if_loaded();
  if (driver == nullptr && !process_environment().cuda_driver.empty()) {  // it may be the simulator
    cuda::detail::load_failure failure;
    driver = cuda::detail::find_driver(failure);
  }
  const bool simulated = driver != nullptr && driver->table.notes->guards_memory.load();
  if (wish.empty() && simulated) wish = "simulator";
  std::string why;
  if (wish == "simulator") {
    made.info.is_simulator = true;
    const std::string plain = "libyoke_nccl_simulator.so";
    made.handle = cuda::detail::open_simulator(plain, "no simulated NCCL", made.info.path, reason);
    if (made.handle == nullptr && driver != nullptr) {  // beside the simulated driver
      made.info.path = yoke::detail::folder_of_path(driver->name) + plain;
      made.handle = yoke::detail::open_library(made.info.path, why);
    }
    if (made.handle == nullptr) return false;
    if (driver != nullptr && !simulated) {
      reason = yoke::detail::text("the simulated NCCL ", made.info.path,
                                  " needs the CUDA simulator: set YOKE_CUDA_DRIVER=simulator, too");
      return false;
    }
  } else if (!wish.empty()) {
    made.info.path = wish;
    made.handle = yoke::detail::open_library(wish, why);
    if (made.handle == nullptr) {
      reason = yoke::detail::text("no NCCL: YOKE_NCCL_LIBRARY names ", wish, " (", why, ")");
      return false;
    }
  } else {
    constexpr int majors[]{2};
    const std::string name = cuda::detail::library_file_name(nccl_kind, majors[0]);
    if (void* const before = yoke::detail::open_library_again(name)) {
      made.info.was_loaded = true;
      yoke::detail::close_library(before);
    }
    const auto found =
        cuda::detail::open_library_of(nccl_kind, majors, cuda::detail::places_of(nccl_kind), &resolve, &made, reason);
    made.handle = found.library;
    made.info.path = found.path;
    if (made.handle == nullptr) {
      reason += "; YOKE_NCCL_LIBRARY may name one";
      return false;
    }
    return true;
  }
  if (resolve(made.handle, why, &made)) return true;
  reason = yoke::detail::text("no NCCL: ", made.info.path, ": ", why);
  return false;
}

const loaded_library* find_library(std::string& reason) {
  if (const loaded_library* const library = the_library.load(std::memory_order_acquire)) return library;
  auto made = std::make_unique<loaded_library>();
  if (!open(*made, reason)) return nullptr;
  const std::string file = yoke::detail::file_of_address(reinterpret_cast<const void*>(made->table.get_version));
  if (!file.empty()) made->info.path = file;
  if (const auto filter = table_filter.load()) filter(made->table);
  const loaded_library* expected = nullptr;
  if (the_library.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return made.release();
  return expected;
}
const loaded_library& default_library(const source_location& where) {
  std::string reason;
  const loaded_library* const library = find_library(reason);
  if (library == nullptr) yoke::detail::throw_error(errc::driver_unavailable, reason, where);
  return *library;
}

}  // namespace detail

availability available() {
  availability result;
  result.available = detail::find_library(result.reason) != nullptr;
  return result;
}
library_info library(const source_location& where) { return detail::default_library(where).info; }

}  // namespace yoke::inline v0_1::nccl

#endif

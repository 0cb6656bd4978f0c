// SPDX-License-Identifier: MIT
// Bodies of driver/opencl/loader.hpp: opens the loader library and fills the table, idempotently.
#ifndef YOKE_DRIVER_OPENCL_LOADER_IPP
#define YOKE_DRIVER_OPENCL_LOADER_IPP

#include <yoke/core/system.hpp>
#include <yoke/core/text.hpp>
#include <yoke/driver/opencl/error.hpp>
#include <yoke/driver/opencl/loader.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace yoke::inline v0_1::opencl {

namespace detail {

// Constant-initialised and never freed: safe in any order of static construction, and at exit.
inline constinit std::atomic<const abi::functions*> loaded_functions{nullptr};
inline constinit std::atomic<void (*)(abi::functions&)> table_filter{nullptr};

bool set_table_filter(void (*filter)(abi::functions& table)) noexcept {
  if (loaded_functions.load() != nullptr) return table_filter.load() == filter;
  table_filter.store(filter);
  return true;
}

/// The loader library's versioned name; an unversioned one may be a development stub.
#if defined(_WIN32)
inline constexpr const char* loader_file = "OpenCL.dll";
inline constexpr const char* where_drivers_are_registered = "the registry";
#else
inline constexpr const char* loader_file = "libOpenCL.so.1";
inline constexpr const char* where_drivers_are_registered = "/etc/OpenCL/vendors or OCL_ICD_VENDORS";
#endif

const abi::functions* find_functions(std::string& reason) {
  if (const abi::functions* table = loaded_functions.load(std::memory_order_acquire)) return table;
  std::string why;
  void* const library = yoke::detail::open_library(loader_file, why);
  if (library == nullptr) {
    reason = yoke::detail::text("no OpenCL loader: looked for ", loader_file, " (", why, ")");
    return nullptr;
  }
  auto table = std::make_unique<abi::functions>();
  // All names in one string, each ended by a zero.
#define YOKE_NAME(own, symbol, version, ...) symbol "\0"
#define YOKE_VERSION_OF(own, symbol, version, ...) version,
#define YOKE_PLACE(own, symbol, version, ...) offsetof(abi::functions, own),
  static constexpr char names[] = YOKE_OPENCL_FUNCTIONS(YOKE_NAME);
  static constexpr unsigned char versions[] = {YOKE_OPENCL_FUNCTIONS(YOKE_VERSION_OF)};
  static constexpr std::uint16_t places[] = {YOKE_OPENCL_FUNCTIONS(YOKE_PLACE)};
#undef YOKE_PLACE
#undef YOKE_VERSION_OF
#undef YOKE_NAME
  const char* name = names;
  for (std::size_t i = 0; i < std::size(places); name += std::strlen(name) + 1, ++i) {
    void* const address = yoke::detail::library_symbol(library, name);
    if (address == nullptr && versions[i] <= 12) {
      reason = yoke::detail::text("the OpenCL loader ", loader_file, " lacks ", name, ": OpenCL 1.2 is needed");
      return nullptr;
    }
    std::memcpy(reinterpret_cast<std::byte*>(table.get()) + places[i], &address, sizeof address);
  }
  if (const auto filter = table_filter.load()) filter(*table);
  const abi::functions* expected = nullptr;
  if (loaded_functions.compare_exchange_strong(expected, table.get(), std::memory_order_acq_rel)) {
    return table.release();
  }
  return expected;
}

template <class Pointer>
struct entry_signature;
template <class Signature>
struct entry_signature<Signature*> {
  using type = Signature;
};
template <class Pointer>
using abi_signature = typename entry_signature<Pointer>::type;
/// A replacement entry that fails, or succeeds, as its kind of call reports that.
template <bool Succeeds, class Signature>
struct refusing_entry;
template <bool Succeeds, class Result, class... Arguments>
struct refusing_entry<Succeeds, Result(Arguments...)> {
  static Result call([[maybe_unused]] Arguments... arguments) {
    constexpr abi::status code = Succeeds ? 0 : abi::invalid_operation;
    if constexpr (std::same_as<Result, abi::status>) {
      return code;
    } else if constexpr (!std::is_void_v<Result>) {
      // Calls that make an object report the status through their last argument.
      const auto all = std::tie(arguments...);
      if constexpr (sizeof...(Arguments) > 0) {
        const auto last = std::get<sizeof...(Arguments) - 1>(all);
        if constexpr (std::same_as<std::remove_cvref_t<decltype(last)>, abi::status*>) {
          if (last != nullptr) *last = code;
        }
      }
      return nullptr;
    }
  }
};
consteval bool begins_with(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

const abi::functions* refusing_functions() noexcept {
#define YOKE_REFUSING(own, symbol, version, ...)                                                                       \
  .own = &refusing_entry<begins_with(symbol, "clRelease"), abi_signature<decltype(abi::functions::own)>>::call,
  static constexpr abi::functions table{YOKE_OPENCL_FUNCTIONS(YOKE_REFUSING)};
#undef YOKE_REFUSING
  return &table;
}

const abi::functions* default_functions(const source_location& where) {
  if (const abi::functions* table = loaded_functions.load(std::memory_order_acquire)) [[likely]]
    return table;
  std::string reason;
  const abi::functions* table = find_functions(reason);
  if (table == nullptr) yoke::detail::throw_error(errc::driver_unavailable, reason, where);
  return table;
}

}  // namespace detail

availability available() {
  availability result;
  if (detail::is_forked_process()) {
    result.reason = "this process was forked after OpenCL was used";
    return result;
  }
  const abi::functions* table = detail::find_functions(result.reason);
  if (table == nullptr) return result;
  detail::note_used_process();
  abi::uint platforms = 0;
  abi::status status = table->get_platform_ids(0, nullptr, &platforms);
  constexpr abi::status no_platform = -1001;  // the loaders' code for no platform
  if (status == no_platform || (status == 0 && platforms == 0)) {
    result.reason = yoke::detail::text(detail::loader_file, " lists no platform: no driver is registered in ",
                                       detail::where_drivers_are_registered);
    return result;
  }
  std::unique_ptr<abi::platform[]> list{new abi::platform[platforms]};
  if (status == 0) status = table->get_platform_ids(platforms, list.get(), nullptr);
  if (status != 0) {
    result.reason = yoke::detail::text(detail::loader_file, " cannot be used: clGetPlatformIDs gives ",
                                       error_name(status), " (", status, ")");
    return result;
  }
  for (abi::uint i = 0; i < platforms; ++i) {
    abi::uint devices = 0;
    if (table->get_device_ids(list[i], abi::device_type_all, 0, nullptr, &devices) == 0 && devices > 0) {
      result.available = true;
      return result;
    }
  }
  result.reason = yoke::detail::text(detail::loader_file, " lists ", platforms, " platform(s), but none has a device");
  return result;
}

}  // namespace yoke::inline v0_1::opencl

#endif

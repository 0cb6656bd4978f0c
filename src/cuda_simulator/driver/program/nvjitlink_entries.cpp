// SPDX-License-Identifier: MIT
// nvJitLink's entries: the engine's linker, for no device.
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "driver/entries.hpp"
#include "engine/binary/architectures.hpp"
#include "engine/binary/image_format.hpp"
#include "engine/compile/linker.hpp"
#include "machine/base/call.hpp"
#include "machine/base/handles.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"

namespace yoke::simulator {

namespace {

struct jit_link {
  architecture target{};
  bool takes_lto = false;
  std::vector<link_piece> pieces{};
  link_result result{};
  std::string error_log{};
};

/// Like NVRTC it works without cuInit, so it has a lock of its own; nothing is linked under it.
struct jit_link_state {
  std::mutex mutex{};
  handle_table<jit_link, abi::nvjitlink, handle_kind::jit_link> links{};
};
jit_link_state& all_links() {
  static jit_link_state& all = *new jit_link_state;
  return all;
}

std::shared_ptr<jit_link> link_of(abi::nvjitlink handle) {
  const std::lock_guard lock(all_links().mutex);
  std::shared_ptr<jit_link> found = all_links().links.find(handle);
  require(found != nullptr, abi::nvjitlink_error_invalid_input);
  return found;
}

/// Effects: runs the body. Returns: success, or the code of its refusal.
template <class Body>
abi::nvjitlink_status link_entry(Body&& body) noexcept {
  try {
    body();
    return abi::nvjitlink_success;
  } catch (const refusal& refused) {
    return refused.code;
  } catch (...) {
    return abi::nvjitlink_error_internal;
  }
}

/// Effects: applies one option. Returns: false if it is unknown.
bool take_option(jit_link& to, std::string_view option) {
  constexpr std::string_view architecture_option = "-arch=";
  if (option.substr(0, architecture_option.size()) == architecture_option) {
    to.target = parse_architecture(option.substr(architecture_option.size()), the_settings().driver_version);
    require(to.target.number != 0, abi::nvjitlink_error_unrecognized_arch);
    return true;
  }
  if (option == "-lto") to.takes_lto = true;
  constexpr std::array flags = {"-lto",      "-time",
                                "-verbose",  "-g",
                                "-lineinfo", "-O0",
                                "-O3",       "-optimize-unused-variables",
                                "-no-cache", "-device-stack-protector"};
  constexpr std::array valued = {"-maxrregcount=",
                                 "-ftz=",
                                 "-prec-div=",
                                 "-prec-sqrt=",
                                 "-fma=",
                                 "-kernels-used=",
                                 "-variables-used=",
                                 "-Xptxas=",
                                 "-split-compile=",
                                 "-split-compile-extended=",
                                 "-jump-table-density="};
  return std::find(flags.begin(), flags.end(), option) != flags.end() ||
         std::any_of(valued.begin(), valued.end(), [&](std::string_view each) {
           return option.size() > each.size() && option.substr(0, each.size()) == each;
         });
}

void add_input(jit_link& to, abi::nvjitlink_input kind, link_piece piece) {
  using enum abi::nvjitlink_input;
  require(kind >= cubin && kind <= archive, abi::nvjitlink_error_unrecognized_input);
  require(kind != ltoir || to.takes_lto, abi::nvjitlink_error_lto_not_enabled);
  const auto size = image_size(piece.bytes.data(), piece.bytes.size());
  if (size.has_value()) piece.bytes.resize(*size);  // text has a terminating zero
  if (!can_be_linked(piece.bytes)) {
    to.error_log += "ERROR: '" + piece.name + "' is no code of the CUDA simulator that can be linked\n";
    refuse(abi::nvjitlink_error_invalid_input);
  }
  to.pieces.push_back(std::move(piece));
}

abi::nvjitlink_status give_size(abi::nvjitlink handle, std::size_t* bytes, std::string_view (*text)(const jit_link&),
                                std::size_t more) {
  return link_entry([&] {
    const auto what = link_of(handle);
    require(bytes != nullptr, abi::nvjitlink_error_null_input);
    *bytes = text(*what).size() + more;
  });
}
abi::nvjitlink_status give_bytes(abi::nvjitlink handle, char* to, std::string_view (*text)(const jit_link&),
                                 bool ends) {
  return link_entry([&] {
    const auto what = link_of(handle);
    require(to != nullptr, abi::nvjitlink_error_null_input);
    const std::string_view from = text(*what);
    std::copy(from.begin(), from.end(), to);  // an empty log has no data
    if (ends) to[from.size()] = '\0';
  });
}

std::string_view image_of(const jit_link& what) {
  require(!what.result.image.empty(), abi::nvjitlink_error_finalize);
  return what.result.image;
}
std::string_view error_log_of(const jit_link& what) { return what.error_log; }
std::string_view info_log_of(const jit_link&) { return {}; }

}  // namespace

namespace nvjitlink_entries {

abi::nvjitlink_status create(abi::nvjitlink* result, unsigned count, const char** options) {
  return link_entry([&] {
    require(result != nullptr && (count == 0 || options != nullptr), abi::nvjitlink_error_null_input);
    auto made = std::make_shared<jit_link>();
    for (unsigned each = 0; each < count; ++each) {
      require(options[each] != nullptr, abi::nvjitlink_error_null_input);
      require(take_option(*made, options[each]), abi::nvjitlink_error_unrecognized_option);
    }
    require(made->target.number != 0, abi::nvjitlink_error_missing_arch);
    {
      const std::lock_guard lock(all_links().mutex);
      *result = all_links().links.add(std::move(made));
    }
    const driver_lock lock(driver_mutex());
    state<ledger>().add(object_kind::jit_link, *result);
  });
}

abi::nvjitlink_status destroy(abi::nvjitlink* handle) {
  return link_entry([&] {
    require(handle != nullptr, abi::nvjitlink_error_null_input);
    link_of(*handle);
    {
      const std::lock_guard lock(all_links().mutex);
      all_links().links.remove(*handle);
    }
    const driver_lock lock(driver_mutex());
    state<ledger>().remove(object_kind::jit_link, *handle);
    *handle = nullptr;
  });
}

abi::nvjitlink_status add_data(abi::nvjitlink handle, abi::nvjitlink_input kind, const void* data, std::size_t bytes,
                               const char* name) {
  return link_entry([&] {
    const auto to = link_of(handle);
    require(data != nullptr && bytes != 0, abi::nvjitlink_error_null_input);
    add_input(*to, kind, {name == nullptr ? "<unnamed>" : name, std::string(static_cast<const char*>(data), bytes)});
  });
}

abi::nvjitlink_status add_file(abi::nvjitlink handle, abi::nvjitlink_input kind, const char* path) {
  return link_entry([&] {
    const auto to = link_of(handle);
    require(path != nullptr, abi::nvjitlink_error_null_input);
    std::ifstream file(path, std::ios::binary);
    require(file.is_open(), abi::nvjitlink_error_invalid_input);
    add_input(*to, kind, {path, std::string{std::istreambuf_iterator<char>(file), {}}});
  });
}

abi::nvjitlink_status complete(abi::nvjitlink handle) {
  return link_entry([&] {
    const auto what = link_of(handle);
    require(!what->pieces.empty(), abi::nvjitlink_error_invalid_input);
    what->result = link_images(what->pieces, what->target.number, the_settings().driver_version);
    what->error_log += what->result.log;
    require(!what->result.image.empty(), abi::nvjitlink_error_finalize);
  });
}

abi::nvjitlink_status get_cubin_size(abi::nvjitlink handle, std::size_t* bytes) {
  return give_size(handle, bytes, &image_of, 0);
}
abi::nvjitlink_status get_cubin(abi::nvjitlink handle, void* to) {
  return give_bytes(handle, static_cast<char*>(to), &image_of, false);
}
abi::nvjitlink_status get_error_log_size(abi::nvjitlink handle, std::size_t* bytes) {
  return give_size(handle, bytes, &error_log_of, 1);
}
abi::nvjitlink_status get_error_log(abi::nvjitlink handle, char* to) {
  return give_bytes(handle, to, &error_log_of, true);
}
abi::nvjitlink_status get_info_log_size(abi::nvjitlink handle, std::size_t* bytes) {
  return give_size(handle, bytes, &info_log_of, 1);
}
abi::nvjitlink_status get_info_log(abi::nvjitlink handle, char* to) {
  return give_bytes(handle, to, &info_log_of, true);
}

}  // namespace nvjitlink_entries

}  // namespace yoke::simulator

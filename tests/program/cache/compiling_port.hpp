// SPDX-License-Identifier: MIT
// A backend whose compiler does as a script says, and counts what it is asked for.
#ifndef YOKE_TESTS_PROGRAM_CACHE_COMPILING_PORT_HPP
#define YOKE_TESTS_PROGRAM_CACHE_COMPILING_PORT_HPP

#include <program/cache/cache_rig.hpp>
#include <support/drivers/archetype_port.hpp>

#include <yoke/core/error.hpp>
#include <yoke/execution/execution.hpp>
#include <yoke/program/program.hpp>

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace yoke_test {

/// What the compiler and the driver do, and what they were asked.
struct compiler_script {
  std::string compiler = "script 1";  ///< "": none is installed
  std::string guess = "script 1";     ///< what is known without opening it; "": nothing
  std::string target = "device";
  std::function<void()> on_compile{};  ///< runs within each compile
  std::function<void()> on_load{};     ///< runs within each load
  bool exports = true;                 ///< whether the driver gives bytes
  bool closed = false;                 ///< whether the compiler has no headers but those in the folders and its own
  yoke::kernel_language language{.name = "Script",
                                 .backend = "Script",
                                 .source_name = "kernel.archetype",
                                 .prelude = "#define YOKE_BACKEND_ARCHETYPE 1\n",
                                 .math = {.contract = {"-contract", "-no-contract"}}};

  int opened = 0;
  int compiled = 0;
  int loaded = 0;
};

inline compiler_script& script() {
  static compiler_script one;
  return one;
}
inline std::mutex& script_mutex() {
  static std::mutex one;
  return one;
}

class compiling_port : public archetype_port {
  using where_type = const yoke::source_location&;

 public:
  using archetype_port::archetype_port;
  compiling_port(const archetype_port& port) : archetype_port(port) {}  // NOLINT

  yoke::build_target target_of(std::span<const device_handle>, where_type) const {
    return {"scripted", "bytes", "1", script().target, script().closed};
  }
  const yoke::kernel_language& language() const noexcept { return script().language; }
  std::string compiler_of(std::span<const device_handle>, bool open, where_type) const {
    const std::lock_guard lock(script_mutex());
    script().opened += open ? 1 : 0;
    return open ? script().compiler : script().guess;
  }
  module_handle compile(context_handle, std::span<const device_handle>, const yoke::compile_request& request,
                        where_type where) const {
    {
      const std::lock_guard lock(script_mutex());
      ++script().compiled;
    }
    if (script().on_compile) script().on_compile();
    if (script().compiler.empty()) yoke::detail::throw_error(yoke::errc::driver_unavailable, "no compiler", where);
    return remember("program of " + request.text + " by " + script().compiler);
  }
  module_handle load_intermediate(context_handle, std::span<const device_handle>, std::span<const std::byte> code,
                                  const yoke::compile_request& request, where_type) const {
    {
      const std::lock_guard lock(script_mutex());
      ++script().compiled;
    }
    if (script().on_compile) script().on_compile();
    return remember((request.to_keep ? "machine code of " : "module of ") + text_of(code));
  }
  module_handle load_binary(context_handle, std::span<const device_handle>, std::span<const std::byte> bytes,
                            where_type) const {
    if (script().on_load) script().on_load();
    const std::lock_guard lock(script_mutex());
    ++script().loaded;
    return remember_locked(text_of(bytes));
  }
  std::vector<std::byte> export_binary(module_handle module, where_type where) const {
    if (!script().exports) yoke::detail::throw_error(yoke::errc::unsupported, "no bytes", where);
    const std::lock_guard lock(script_mutex());
    for (const auto& each : modules()) {
      if (each.first == module) return bytes_of(each.second);
    }
    return {};
  }
  std::string build_log(module_handle, device_handle, const yoke::source_lines& lines, where_type) const {
    return "the driver's log of " + lines.name;
  }

 private:
  static std::vector<std::pair<module_handle, std::string>>& modules() {
    static std::vector<std::pair<module_handle, std::string>> all;
    return all;
  }
  module_handle remember(const std::string& what) const {
    const std::lock_guard lock(script_mutex());
    return remember_locked(what);
  }
  module_handle remember_locked(const std::string& what) const {
    const auto made = make<module_handle>("module");
    modules().insert(modules().begin(), {made, what});
    return made;
  }
};
static_assert(yoke::driver_port<compiling_port>);

/// A context of that backend; the script is a new one for each.
struct compiling_rig {
  compiling_rig() { script() = {}; }
  ~compiling_rig() { script() = {}; }
  compiling_rig(const compiling_rig&) = delete;
  compiling_rig& operator=(const compiling_rig&) = delete;

  archetype_driver driver;
  yoke::context<compiling_port> context{yoke::device<compiling_port>{compiling_port{archetype_port{driver}}, 0}};

  [[nodiscard]] std::string compile(const std::string& source, const yoke::compile_options& options) const {
    return text_of(yoke::compile(context, source, options).export_binary());
  }
};

}  // namespace yoke_test

#endif

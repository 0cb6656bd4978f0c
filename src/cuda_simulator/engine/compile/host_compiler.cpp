// SPDX-License-Identifier: MIT
// Looks for the host compiler and knows how GCC and Clang differ.
#include "engine/compile/host_compiler.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "engine/compile/prelude_text.hpp"
#include "engine/system/sanitizers.hpp"

namespace yoke::simulator {

namespace {

namespace fs = std::filesystem;

/// Returns: the program's path, looked up in PATH where it is a bare name; empty if it cannot be run.
std::string runnable(std::string_view name) {
  if (name.empty()) return {};
  if (name.find('/') != std::string_view::npos) {
    std::string path(name);
    if (::access(path.c_str(), X_OK) != 0) path.clear();
    return path;
  }
  const char* const variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
    std::string path = std::string(folder.empty() ? "." : folder) + "/" + std::string(name);
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

bool is_clang(const std::string& path) {
  std::error_code ignored;
  const fs::path real = fs::canonical(path, ignored);  // c++ is a link to the one or the other
  return path.find("clang") != std::string::npos || real.filename().string().find("clang") != std::string::npos;
}

void choose_flags(host_compiler& compiler) {
  // Everything is hidden, or a kernel named like a function of this process would be bound to that. Aliasing is as
  // loose as GPU code expects; a product and a sum are never contracted, so that results repeat. A section for each
  // function, so that its relocations show its uses. Large frames touch the stack page by page, or they would skip the
  // guard below it. Arrays of variable length are errors, as in NVRTC.
  compiler.code_flags = {
      "-fPIC",           "-fvisibility=hidden", "-fno-threadsafe-statics",  "-fno-strict-aliasing", "-ffp-contract=off",
      "-fno-math-errno", "-ffunction-sections", "-fstack-clash-protection", "-Werror=vla"};
  compiler.link_flags = {"-Wl,-Bsymbolic"};
  compiler.plain_messages = is_clang(compiler.path) ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret";
  if (is_clang(compiler.path)) {
    // The prelude defines new and delete as hidden, which needs this option; Clang 18 deprecates it, and older versions
    // know no other.
    for (const char* each : {"-Wno-unknown-attributes", "-Wno-ignored-attributes", "-Wno-unused-command-line-argument",
                             "-fvisibility-global-new-delete-hidden", "-Wno-deprecated", "-Wdeprecated-declarations"}) {
      compiler.code_flags.emplace_back(each);
    }
  } else {
    // Unique symbols would be one for all images; wrappers around thread-local variables are never needed here.
    for (const char* each : {"-pipe", "-Wno-attributes", "-Wno-psabi", "-fno-gnu-unique", "-fno-extern-tls-init"}) {
      compiler.code_flags.emplace_back(each);
    }
  }
#if defined(YOKE_SIMULATOR_ASAN)
  constexpr std::string_view sanitizer = "-fsanitize=address";
#elif defined(YOKE_SIMULATOR_TSAN)
  constexpr std::string_view sanitizer = "-fsanitize=thread";
#else
  constexpr std::string_view sanitizer;
#endif
  if (!sanitizer.empty()) {
    for (const std::string_view each :
         {sanitizer, std::string_view("-g1"), std::string_view("-fno-omit-frame-pointer")}) {
      compiler.code_flags.emplace_back(each);
    }
#if defined(YOKE_SIMULATOR_TSAN)
    if (!is_clang(compiler.path)) compiler.code_flags.emplace_back("-Wno-tsan");
#endif
    compiler.link_flags.insert(compiler.link_flags.end(), {std::string(sanitizer), "-lm"});
  } else {
    compiler.link_flags.insert(compiler.link_flags.end(), {"-Wl,-z,defs", "-nodefaultlibs", "-lm", "-lc", "-lgcc"});
  }
}

}  // namespace

host_compiler host_compiler::find() {
  host_compiler compiler;
  const char* const asked = ::secure_getenv("YOKE_SIMULATOR_COMPILER");
  if (asked != nullptr && *asked != '\0') {
    compiler.path = runnable(asked);
    if (compiler.path.empty()) {
      const bool bare = std::string_view(asked).find('/') == std::string_view::npos;
      compiler.reason = "the CUDA simulator's compiler cannot be run: YOKE_SIMULATOR_COMPILER=" + std::string(asked) +
                        (bare ? " is no program in PATH" : ": " + std::generic_category().message(errno));
    }
  } else {
    compiler.path = runnable(configured_compiler);
    if (compiler.path.empty()) compiler.path = runnable("c++");
    if (compiler.path.empty()) {
      compiler.reason = "the CUDA simulator needs a C++ compiler to run kernels on the CPU: neither '" +
                        std::string(configured_compiler) +
                        "' nor c++ in PATH can be run; install one or set YOKE_SIMULATOR_COMPILER";
    }
  }
  if (!compiler.path.empty()) choose_flags(compiler);
  const char* const level = ::secure_getenv("YOKE_SIMULATOR_OPTIMISE");
  compiler.optimisation = std::string("-O") + (level != nullptr && is_optimisation_level(level) ? level : "1");
  return compiler;
}

}  // namespace yoke::simulator

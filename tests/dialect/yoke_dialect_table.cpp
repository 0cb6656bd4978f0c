// SPDX-License-Identifier: MIT
// Prints the conformance table's kernels and the preludes, and compiles the kernels with NVRTC where there is no GPU.
#include <dialect/fetches.hpp>
#include <dialect/table.hpp>
#include <language/opencl_c_sources.hpp>
#include <program/source/ordinary_definitions.hpp>
#include <support/nvrtc.hpp>

#include <yoke/driver/cuda/port.hpp>
#include <yoke/language/cuda_prelude.hpp>
#include <yoke/language/dialect.hpp>
#include <yoke/language/opencl_c_prelude.hpp>
#include <yoke/language/opencl_prelude.hpp>
#include <yoke/program/compile.hpp>

#include <cstdio>
#include <string_view>

namespace {

namespace cu = yoke::cuda;
namespace table = yoke_test::dialect;

constexpr const char* usage =
    "usage: yoke_dialect_table MODE\n"
    "  --compile-only     compile every kernel, and those of OpenCL C, with NVRTC for sm_90, without a device; 77: "
    "there is no NVRTC\n"
    "  --fetches          compare the PTX of fetches with that of the same kernels written by hand, and see that "
    "images\n"
    "                     which are written and read go by surfaces; 77: as above\n"
    "  --sources          print the text of every kernel\n"
    "  --prelude BACKEND  print the whole prelude of opencl or cuda\n"
    "Exit status 1: something failed; 2: wrong arguments.\n";

/// Returns: whether NVRTC makes the kernel of a text without a word; what it says is printed.
bool compiles(const cu::abi::nvrtc_functions& nvrtc, const std::string& name, const std::string& text,
              const std::string& kernel) {
  const auto result =
      yoke_test::compile_with(nvrtc, name, text,
                              {"--std=c++17", "--gpu-architecture=sm_90", "--device-as-default-execution-space",
                               "--diag-suppress=1444"});  // as for every source of the dialect that says double4
  const bool fine = result.compiled && result.log.empty() && result.has_kernel(kernel);
  std::printf("%s %s\n%s", fine ? "ok    " : "FAILED", name.c_str(), result.log.c_str());
  if (result.compiled && !result.has_kernel(kernel)) std::printf("there is no kernel %s in it\n", kernel.c_str());
  return fine;
}

/// Returns: the instructions of a kernel, or 0, with what NVRTC says printed.
int instructions(const cu::abi::nvrtc_functions& nvrtc, const char* name, const std::string& text) {
  const auto result = yoke_test::compile_with(
      nvrtc, name, text, {"--std=c++17", "--gpu-architecture=compute_90", "--device-as-default-execution-space"});
  if (!result.compiled || !result.has_kernel("run")) std::printf("%s", result.log.c_str());
  return result.compiled && result.has_kernel("run") ? table::instructions_of(result.ptx) : 0;
}

/// Whether a kernel's images are read and written by surfaces: what textures give is cached apart from what is written.
bool goes_by_surfaces(const cu::abi::nvrtc_functions& nvrtc, const char* name, const std::string& text) {
  const auto result = yoke_test::compile_with(
      nvrtc, name, text,
      {"--std=c++17", "--gpu-architecture=compute_90", "--device-as-default-execution-space", "--diag-suppress=1444"});
  const auto has = [&](const char* instruction) { return result.ptx.find(instruction) != std::string::npos; };
  const bool fine = result.compiled && has("suld.b.") && has("sust.b.") && !has("tex.") && !has("tld4.");
  std::printf("%s %s: reads and writes by surfaces\n%s", fine ? "ok    " : "FAILED", name, result.log.c_str());
  return fine;
}

int compare_fetches() {
  std::string reason;
  const auto* const nvrtc = cu::detail::find_nvrtc(reason);
  if (nvrtc == nullptr || nvrtc->name.find("simulator") != std::string::npos) {
    std::printf("no NVRTC: %s\n", nvrtc == nullptr ? reason.c_str() : nvrtc->name.c_str());
    return 77;
  }
  int failed = 0;
  for (const table::fetch_pair& each : table::fetch_pairs()) {
    const std::string prelude = yoke::detail::dialect_for(cu::detail::prelude_text, {each.dialect});
    const int ours = instructions(nvrtc->table, each.name, prelude + "#line 1\n" + each.dialect);
    const int by_hand = instructions(nvrtc->table, each.name, each.by_hand);
    const bool fine = ours > 0 && by_hand > 0 && ours <= by_hand;
    std::printf("%s %s: %d instructions, %d by hand\n", fine ? "ok    " : "FAILED", each.name, ours, by_hand);
    failed += fine ? 0 : 1;
  }
  for (const table::kernel& each : table::table()) {
    if (!each.in_place) continue;
    const std::string prelude = yoke::detail::dialect_for(cu::detail::prelude_text, {each.source});
    failed += goes_by_surfaces(nvrtc->table, each.name.c_str(), prelude + "#line 1\n" + each.source) ? 0 : 1;
  }
  const yoke::compile_request in_opencl_c =
      yoke::detail::make_request(cu::detail::language(), yoke_test::opencl_c_sources::read_back,
                                 {.language = yoke::source_language::opencl_c}, yoke::source_location::current());
  failed += goes_by_surfaces(nvrtc->table, "OpenCL C", in_opencl_c.text) ? 0 : 1;
  return failed == 0 ? 0 : 1;
}

int compile_only() {
  std::string reason;
  const auto* const nvrtc = cu::detail::find_nvrtc(reason);
  if (nvrtc == nullptr) {
    std::printf("no NVRTC: %s\n", reason.c_str());
    return 77;
  }
  std::printf("%s, version %d\n", nvrtc->name.c_str(), nvrtc->version);
  int failed = 0;
  for (const table::kernel& each : table::table()) {
    const std::string prelude = yoke::detail::dialect_for(cu::detail::prelude_text, {each.source});
    if (!compiles(nvrtc->table, each.name, prelude + "#line 1 \"" + each.name + ".cu\"\n" + each.source, "run")) {
      ++failed;
    }
  }
  std::printf("%d of %zu kernels failed\n", failed, table::table().size());
  for (const auto& [kernel, text] : yoke_test::opencl_c_sources::all) {
    const yoke::compile_request request = yoke::detail::make_request(
        cu::detail::language(), text, {.language = yoke::source_language::opencl_c}, yoke::source_location::current());
    if (!compiles(nvrtc->table, std::string("OpenCL C: ") + kernel, request.text, kernel)) ++failed;
  }
  // Beside all of the ordinary definitions, and beside each.
  std::vector<std::vector<std::string>> given{yoke_test::ordinary_definitions()};
  for (const std::string& each : given.front()) given.push_back({each});
  for (const auto& options : given) {
    for (const bool in_dialect : {true, false}) {
      const bool one = options.size() == 1;
      using namespace yoke_test::beside_definitions;
      const char* const text = one          ? (in_dialect ? "YOKE_CAT(YOKE_, KERNEL) run() {}" : "kernel void run() {}")
                               : in_dialect ? dialect
                                            : opencl_c;
      const yoke::compile_request request = yoke::detail::make_request(
          cu::detail::language(), text,
          {.options = options,
           .language = in_dialect ? yoke::source_language::portable : yoke::source_language::opencl_c},
          yoke::source_location::current());
      const std::string name =
          (in_dialect ? "the dialect with " : "OpenCL C with ") + (one ? options[0] : "definitions");
      const bool fine = yoke::detail::options_beside_text(request).empty();
      if (!fine) std::printf("FAILED %s: it is still an option\n", name.c_str());
      if (!fine || !compiles(nvrtc->table, name, request.text, "run")) ++failed;
    }
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  const std::string_view mode = count > 1 ? values[1] : "";
  const std::string_view backend = count > 2 ? values[2] : "";
  if (mode == "--compile-only" && count == 2) return compile_only();
  if (mode == "--fetches" && count == 2) return compare_fetches();
  if (mode == "--sources" && count == 2) {
    for (const table::kernel& each : table::table()) std::printf("%s", each.source.c_str());
    return 0;
  }
  if (mode == "--prelude" && (backend == "opencl" || backend == "cuda")) {
    const std::string_view text = backend == "cuda" ? cu::detail::prelude_text : yoke::opencl::detail::prelude_text;
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (backend == "cuda") std::fputs(std::string(cu::detail::opencl_c_prelude_text).c_str(), stdout);
    return 0;
  }
  std::fputs(usage, stderr);
  return 2;
}

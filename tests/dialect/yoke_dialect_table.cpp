// SPDX-License-Identifier: MIT
// Prints the conformance table's kernels and the preludes, and compiles the kernels with NVRTC where there is no GPU.
#include <dialect/table.hpp>
#include <program/opencl_c_sources.hpp>

#include <yoke/driver/cuda/impl/prelude.ipp>
#include <yoke/driver/cuda/nvrtc_loader.hpp>
#include <yoke/driver/opencl/impl/prelude.ipp>
#include <yoke/program/compile.hpp>
#include <yoke/program/dialect.hpp>

#include <cstdio>
#include <string_view>

namespace {

namespace cu = yoke::cuda;
namespace table = yoke_test::dialect;

constexpr const char* usage =
    "usage: yoke_dialect_table MODE\n"
    "  --compile-only     compile every kernel, and those of OpenCL C, with NVRTC for sm_90, without a device; 77: "
    "there is no NVRTC\n"
    "  --sources          print the text of every kernel\n"
    "  --prelude BACKEND  print the whole prelude of opencl or cuda\n"
    "Exit status 1: something failed; 2: wrong arguments.\n";

/// Returns: whether NVRTC takes a text without a word; what it says is printed.
bool compiles(const cu::abi::nvrtc_functions& nvrtc, const std::string& name, const std::string& text) {
  const char* const options[] = {"--std=c++17", "--gpu-architecture=sm_90", "--device-as-default-execution-space",
                                 "--diag-suppress=1444"};  // as for every source of the dialect that says double4
  cu::abi::nvrtc_program program = nullptr;
  if (nvrtc.create_program(&program, text.c_str(), (name + ".cu").c_str(), 0, nullptr, nullptr) != 0) return false;
  const auto status = nvrtc.compile_program(program, 4, options);
  std::size_t size = 0;
  std::string log;
  if (nvrtc.get_program_log_size(program, &size) == 0 && size > 1) {
    log.resize(size);
    (void)nvrtc.get_program_log(program, log.data());
  }
  (void)nvrtc.destroy_program(&program);
  const bool fine = status == 0 && log.empty();
  std::printf("%s %s\n%s", fine ? "ok    " : "FAILED", name.c_str(), log.c_str());
  return fine;
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
    if (!compiles(nvrtc->table, each.name, prelude + "#line 1 \"" + each.name + ".cu\"\n" + each.source)) ++failed;
  }
  std::printf("%d of %zu kernels failed\n", failed, table::table().size());
  for (const auto& [name, source] : yoke_test::opencl_c_sources::all) {
    const yoke::compile_request request =
        yoke::detail::make_request(cu::detail::prelude_text, "kernel.cu", source,
                                   {.language = yoke::source_language::opencl_c}, yoke::source_location::current());
    if (!compiles(nvrtc->table, std::string("OpenCL C: ") + name, request.text)) ++failed;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  const std::string_view mode = count > 1 ? values[1] : "";
  const std::string_view backend = count > 2 ? values[2] : "";
  if (mode == "--compile-only" && count == 2) return compile_only();
  if (mode == "--sources" && count == 2) {
    for (const table::kernel& each : table::table()) std::printf("%s", each.source.c_str());
    return 0;
  }
  if (mode == "--prelude" && (backend == "opencl" || backend == "cuda")) {
    const std::string_view text = backend == "cuda" ? cu::detail::prelude_text : yoke::opencl::detail::prelude_text;
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
  }
  std::fputs(usage, stderr);
  return 2;
}

// SPDX-License-Identifier: MIT
// NVRTC as a compiler object: options for every source, under those of a call.
#include <cuda/cuda_rig.hpp>
#include <program/cache/cache_folder.hpp>
#include <support/process/variables.hpp>
#include <support/process/without_driver.hpp>

#include <yoke/cuda/compile/nvrtc.hpp>
#include <yoke/driver/cuda/compiler/nvjitlink.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/program/source/include_scan.hpp>

using namespace yoke_test;

namespace {

/// Returns: the options that a compilation which fails tells.
template <class Act>
std::string options_of(Act&& act) {
  try {
    act();
  } catch (const yoke::compile_error& e) {
    return e.options();
  }
  FAIL_CHECK("compiled");
  return "";
}

}  // namespace

YOKE_CUDA_TEST_CASE("an NVRTC object has options for every source, under those of a call", "[cuda]") {
  const cu::context context{device};
  const cu::nvrtc compiler{.options = {"-DBY=3", "--fmad=true", "-std", "c++14", "-arch=compute_80"}};
  const auto module = compiler.compile(context, "extern \"C\" __global__ void put(int* a) { a[0] = BY; }",
                                       {.architecture = "compute_75"});
  const cu::stream stream{context};
  std::vector<int> out(1);
  module.get_kernel<void(int*)>("put")(stream, {.grid = 1}, yoke::out(out));
  CHECK(out == std::vector<int>{3});

  const auto told = [&](const cu::compile_options& with) {
    const std::string compiled = options_of([&] { (void)compiler.compile(context, "an error", with); });
    CHECK(options_of([&] { (void)compiler.compile_to(cu::image_kind::ptx, "an error", with); }) == compiled);
    return compiled;
  };
  CHECK_THAT(told({}), ContainsSubstring("-DBY=3") && ContainsSubstring("--fmad=true") &&
                           ContainsSubstring("-std=c++14") && ContainsSubstring("-arch=compute_80"));
  CHECK_THAT(told({.standard = "c++17"}), !ContainsSubstring("c++14") && ContainsSubstring("--std=c++17"));
  CHECK_THAT(told({.architecture = "compute_86"}),
             !ContainsSubstring("compute_80") && ContainsSubstring("--gpu-architecture=compute_86"));
  CHECK_THAT(told({.options = {"--fmad=false"}}), !ContainsSubstring("--fmad=true"));
  CHECK_THAT(told({.math = {.contract = false}}),
             !ContainsSubstring("--fmad=true") && ContainsSubstring("--fmad=false"));
  CHECK_THAT(told({.options = {"--fmad=true"}, .math = {.contract = false}}), !ContainsSubstring("--fmad=false"));
}

TEST_CASE("NVRTC finds headers in the folders given, beside the file that includes them, and nowhere else",
          "[cuda][cache]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; },
                                                         {{"CPLUS_INCLUDE_PATH", "/usr/include"}});
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  CHECK_FALSE(cu::detail::has_compiler_within());
  // A cache holds that a header in none of the folders is none, or NVRTC's own: whatever breaks this breaks the cache.
  const scratch_folder scratch;
  for (const char* each : {"given/deep/inner", "beside", "current", "cpath"}) fs::create_directories(scratch / each);
  set_variable("CPATH", (scratch / "cpath").c_str());
  write_file(scratch / "cpath/in_cpath.h", "");
  write_file(scratch / "beside/beside.h", "");
  write_file(scratch / "current/current.h", "");
  write_file(scratch / "given/given.h", "");
  write_file(scratch / "given/deep/a.h", "#include \"inner/b.h\"\n");
  write_file(scratch / "given/deep/beside_a.h", "");
  write_file(scratch / "given/deep/inner/b.h", "#include \"beside_a.h\"\n");
  write_file(scratch / "given/deep/angle.h", "#include <beside_a.h>\n");
  write_file(scratch / "given/from_current.h", "#include \"current.h\"\n");
  fs::current_path(scratch / "current");
  const auto compiles = [&](const std::string& what, const std::string& name = "kernel.cu") {
    try {
      (void)cu::compile_to(cu::image_kind::ptx, "#include " + what + "\n",
                           {.include_folders = {scratch / "given"}, .name = name});
      return true;
    } catch (const yoke::compile_error& e) {
      CHECK_THAT(e.log(), ContainsSubstring("cannot open source file"));
      return false;
    }
  };
  CHECK(compiles("<given.h>"));
  CHECK(compiles("\"current.h\""));  // the scan looks there too
  CHECK(compiles("\"beside.h\"", scratch / "beside/kernel.cu"));
  for (const char* none : {"<current.h>", "<in_cpath.h>", "\"in_cpath.h\"", "<stdio.h>", "<utility>",
                           "<cuda_runtime.h>", "<cuda_fp16.h>", "<deep/a.h>", "<deep/angle.h>", "<from_current.h>"}) {
    INFO(none);
    CHECK_FALSE(compiles(none));
  }
  CHECK_FALSE(compiles("<beside.h>", scratch / "beside/kernel.cu"));
}

TEST_CASE("a toolkit's headers are followed without a word of the caller's", "[cuda][cache]") {
  std::string folder;
  for (const char* each : {"/usr/local/cuda/include", "/opt/cuda/include", "/usr/include"}) {
    if (folder.empty() && fs::exists(std::string(each) + "/cuda_fp16.h")) folder = each;
  }
  if (folder.empty()) YOKE_SKIP("no CUDA toolkit's headers are installed");
  const std::vector<std::string> folders{folder};
  const std::string source = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
  const auto open = yoke::detail::scan_includes(source, "kernel.cu", folders, {});
  CHECK_FALSE(open.problem.empty());  // a compiler that has folders of its own may find <utility> elsewhere
  const auto closed = yoke::detail::scan_includes(source, "kernel.cu", folders, {}, {.closed = true});
  CHECK(closed.problem.empty());
  CHECK(closed.headers == open.headers);
  CHECK(closed.headers.size() >= 4);
}

TEST_CASE("NVRTC's name for a cache is told without loading NVRTC", "[cuda][cache]") {
  const std::string name = current_test_name();
  if (!is_child(name)) {
    const child_result child = run_child(name, {{"YOKE_CUDA_DRIVER", ""}});
    INFO(child.output);
    CHECK(child.status == 0);
    if (child.output.find("no NVRTC: ") != std::string::npos) YOKE_SKIP("no NVRTC: none is installed");
    return;
  }
  const std::string before = cu::detail::nvrtc_name_without_opening();
  const std::string linker = cu::detail::nvjitlink_name(false);
  CHECK_THAT(contents("/proc/self/maps"), !ContainsSubstring("libnvrtc") && !ContainsSubstring("libnvJitLink"));
  CHECK(cu::detail::nvrtc_if_loaded() == nullptr);
  const auto found = cu::nvrtc_available();
  if (!found) {
    std::puts(found.reason.c_str());
    CHECK(before.empty());
    return;
  }
  CHECK_THAT(before, StartsWith("NVRTC ") && !ContainsSubstring("/"));
  CHECK(cu::detail::nvrtc_name(*cu::detail::nvrtc_if_loaded()) == before);
  CHECK_THAT(contents("/proc/self/maps"), ContainsSubstring("libnvrtc"));
  if (cu::nvjitlink_available()) {
    CHECK_THAT(linker, StartsWith("nvJitLink ") && !ContainsSubstring("/"));
    CHECK(cu::detail::nvjitlink_name(true) == linker);
  }
}

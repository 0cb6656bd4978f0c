// SPDX-License-Identifier: MIT
// A compiler's errors name the user's file and line: behind defines and headers, in headers, templates and macros.
#include <program/compiling.hpp>
#include <support/temporary_folder.hpp>
#include <support/without_driver.hpp>
#include <yoke/cuda.hpp>

#include <string_view>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

/// A source with an error, and where that is.
struct broken {
  const char* what;
  std::string text;
  const char* place;         ///< file and line, as "mine:4"
  const char* unnamed = "";  ///< and where a compiler says it that ignores `#line`
};

/// The same mistakes in the dialect and in OpenCL C: `kernel`, `global` and the type of what is pointed to differ.
std::vector<broken> mistakes(const std::string& kernel, const std::string& global) {
  const std::string head = kernel + " f(" + global + " int* out) {\n";
  return {
      {"behind headers", "#include \"first.h\"\n#include \"second.h\"\n" + head + "  out[0] = missing;\n}", "mine:4"},
      {"in a header", "#include \"first.h\"\n#include \"wrong.h\"\n" + head + "  out[0] = 1;\n}", "wrong.h:3"},
      {"in a header's header", "\n#include \"outer.h\"\n" + head + "  out[0] = 1;\n}", "wrong.h:3"},
      {"a header that is not there", "\n\n#include \"nowhere.h\"\n" + head + "}", "mine:3"},
      {"in a macro's use", "#define TWICE(x) ((x) + (x))\n" + head + "\n  out[0] = TWICE(missing);\n}", "mine:4"},
      {"behind a continued line", "#define LONG \\\n  1 + \\\n  2\n" + head + "  out[0] = missing;\n}", "mine:5"},
      {"behind a comment of several lines", "/* one\n two\n*/ " + head + "  out[0] = missing; // four\n}", "mine:4"},
      {"with lines that end in two characters", "\r\n" + head + "\r\n  out[0] = missing;\r\n}", "mine:4"},
      {"under another name", "#line 70 \"generated\"\n" + head + "  out[0] = missing;\n}", "generated:71", "mine:3"},
      {"#error", "\n\n\n#error stop\n" + head + "}", "mine:4"},
  };
}

void put_headers(const temporary_folder& folder) {
  const auto put = [&](const char* name, const std::string& text) {
    const auto part = std::as_bytes(std::span{text.data(), text.size()});
    folder.put(name, {part.begin(), part.end()});
  };
  put("first.h", "// one\n// two\n#define FIRST 1\n");
  put("second.h", "#define SECOND \\\n 2\n");
  put("wrong.h", "// one\n// two\ninline int wrong(int a) { return missing + a; }\n");
  put("outer.h", "\n\n\n\n#include \"wrong.h\"\n");
}

/// Effects: checks that an error stands at "file:line", which NVRTC writes as "file(line)".
void check_place(const std::string& log, const std::string& place, const std::string& other = "") {
  const std::size_t colon = place.find(':');
  const std::string bracketed = place.substr(0, colon) + "(" + place.substr(colon + 1) + ")";
  INFO("the log is " << log);
  CHECK((log.find(place) != std::string::npos || log.find(bracketed) != std::string::npos ||
         (!other.empty() && log.find(other) != std::string::npos)));
}

const char* const in_a_template = "\n\ntemplate <class T> __global__ void f(T* out) {\n  out[0] = out.missing;\n}";
const char* const below_a_kernel =
    "template <class T> __device__ T inner(T a) {\n  return a.missing;\n}\n"
    "extern \"C\" __global__ void f(int* out) {\n  out[0] = inner(1);\n}";

}  // namespace

YOKE_DEVICE_TEST_CASE("an error in the dialect is told at its own file and line", "[program][messages]") {
  rig on(device);
  const temporary_folder folder;
  put_headers(folder);
  for (const broken& each : mistakes("YOKE_KERNEL", "YOKE_GLOBAL")) {
    INFO(each.what);
    const auto e = failed_build(on, each.text,
                                {.include_folders = {folder.path().string()},
                                 .defines = {{"ONE", 1}, {"TWO", "1 + 1"}},
                                 .name = "mine",
                                 .language = yoke::source_language::portable});
    check_place(e.log(), each.place, std::string_view(Backend::name) == "opencl" ? each.unnamed : "");
  }
}

YOKE_DEVICE_TEST_CASE("an error in OpenCL C is told at its own file and line", "[program][messages]") {
  rig on(device);
  const temporary_folder folder;
  put_headers(folder);
  for (const broken& each : mistakes("__kernel void", "__global")) {
    INFO(each.what);
    const auto e = failed_build(on, each.text,
                                {.include_folders = {folder.path().string()},
                                 .defines = {{"ONE", 1}, {"TWO", "1 + 1"}},
                                 .name = "mine",
                                 .language = yoke::source_language::opencl_c});
    check_place(e.log(), each.place, std::string_view(Backend::name) == "opencl" ? each.unnamed : "");
  }
}

YOKE_CUDA_TEST_CASE("an error in a template is told at its line, and where it is used", "[program][messages]") {
  const cu::context context{device};
  const auto log_of = [&](const char* text, std::vector<std::string> names) {
    try {
      (void)cu::compile(context, text, {.name = "mine", .name_expressions = std::move(names)});
    } catch (const yoke::compile_error& e) {
      return e.log();
    }
    return std::string("compiled");
  };
  check_place(log_of(in_a_template, {"f<int>"}), "mine:4");
  check_place(log_of(below_a_kernel, {}), "mine:2");
  const std::string used = log_of(below_a_kernel, {});
  CHECK((used.find("mine(5)") != std::string::npos || used.find("at line 5") != std::string::npos));
}

TEST_CASE("NVRTC tells an error at its own file and line without a device, too", "[program][messages]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const temporary_folder folder;
  put_headers(folder);
  const auto log_of = [&](const std::string& text, yoke::source_language language,
                          std::vector<std::string> names = {}) {
    try {
      (void)cu::compile_to(cu::image_kind::ptx, text,
                           {.include_folders = {folder.path().string()},
                            .name = "mine",
                            .language = language,
                            .name_expressions = std::move(names),
                            .architecture = "compute_90"});
    } catch (const yoke::compile_error& e) {
      return e.log();
    }
    return std::string("compiled");
  };
  using language = yoke::source_language;
  for (const broken& each : mistakes("YOKE_KERNEL", "YOKE_GLOBAL")) {
    INFO("dialect: " << each.what);
    check_place(log_of(each.text, language::portable), each.place);
  }
  for (const broken& each : mistakes("__kernel void", "__global")) {
    INFO("OpenCL C: " << each.what);
    check_place(log_of(each.text, language::opencl_c), each.place);
  }
  check_place(log_of(in_a_template, language::automatic, {"f<int>"}), "mine:4");
  check_place(log_of(below_a_kernel, language::automatic), "mine:2");
  CHECK_THAT(log_of(below_a_kernel, language::automatic), ContainsSubstring("at line 5"));
}

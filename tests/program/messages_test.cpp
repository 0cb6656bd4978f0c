// SPDX-License-Identifier: MIT
// A compiler's errors name the user's file and line: behind defines and headers, in headers, templates and macros.
#include <program/compiling.hpp>
#include <support/process/temporary_folder.hpp>
#include <support/process/without_driver.hpp>
#include <support/sample.hpp>
#include <yoke/cuda.hpp>
#include <yoke/cuda/compile/nvcc.hpp>

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

constexpr std::string_view a_call = "a call of a word";

/// Calls of a language's own words with arguments that they do not take, each in the third line.
std::vector<broken> wrong_calls(const std::string& kernel, const std::string& global, const std::string& atomic_add) {
  std::vector<broken> list;
  for (const std::string& call :
       {atomic_add + "(\"text\", 1)", atomic_add + "(out)", std::string("get_global_id()"), std::string("vload4(0)"),
        std::string("dot(out, out)"), std::string("clamp(out, 1, 2)"), std::string("convert_int4(out)"),
        std::string("fmin(1.0f)"), std::string("mul_hi(out, out)")}) {
    list.push_back({a_call.data(),
                    "#include \"first.h\"\n" + kernel + " f(" + global + " int* out) {\n  " + call + ";\n}", "mine:3"});
  }
  return list;
}

std::vector<broken> both(std::vector<broken> first, const std::vector<broken>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
std::vector<broken> in_the_dialect() {
  return both(mistakes("YOKE_KERNEL", "YOKE_GLOBAL"), wrong_calls("YOKE_KERNEL", "YOKE_GLOBAL", "yoke_atomic_add"));
}
std::vector<broken> in_opencl_c() {
  return both(mistakes("__kernel void", "__global"), wrong_calls("__kernel void", "__global", "atomic_add"));
}

/// The headers of `put_headers`, as texts.
std::vector<yoke::embedded_header> headers_as_texts() {
  return {{"first.h", "// one\n// two\n#define FIRST 1\n"},
          {"second.h", "#define SECOND \\\n 2\n"},
          {"wrong.h", "// one\n// two\ninline int wrong(int a) { return missing + a; }\n"},
          {"outer.h", "\n\n\n\n#include \"wrong.h\"\n"}};
}

void put_headers(const temporary_folder& folder) {
  for (const yoke::embedded_header& each : headers_as_texts()) {
    folder.put(each.name, std::as_bytes(std::span(each.text)));
  }
}

/// Effects: checks that an error stands at "file:line", which NVRTC writes as "file(line)".
void check_place(const std::string& log, const std::string& place, const std::string& other = "") {
  const std::size_t colon = place.find(':');
  const std::string bracketed = place.substr(0, colon) + "(" + place.substr(colon + 1) + ")";
  INFO("the log is " << log);
  CHECK((log.find(place) != std::string::npos || log.find(bracketed) != std::string::npos ||
         (!other.empty() && log.find(other) != std::string::npos)));
}

const char* const in_a_header_s_template =
    "#include \"template.h\"\nextern \"C\" __global__ void f(int* out) {\n  out[0] = inner(1);\n}";
const char* const template_header = "\ntemplate <class T> __device__ T inner(T a) {\n  return a.missing;\n}\n";
const char* const in_a_template = "\n\ntemplate <class T> __global__ void f(T* out) {\n  out[0] = out.missing;\n}";
const char* const below_a_kernel =
    "template <class T> __device__ T inner(T a) {\n  return a.missing;\n}\n"
    "extern \"C\" __global__ void f(int* out) {\n  out[0] = inner(1);\n}";

}  // namespace

YOKE_DEVICE_TEST_CASE("an error in the dialect is told at its own file and line", "[program][messages]") {
  rig on(device);
  const temporary_folder folder;
  put_headers(folder);
  turns turn(device);  // calls of words, and headers as texts
  for (const broken& each : in_the_dialect()) {
    INFO(each.what);
    const bool is_ours = turn();
    if (each.what == a_call && !is_ours) continue;
    const auto e = failed_build(on, each.text,
                                {.include_folders = {folder.path().string()},
                                 .defines = {{"ONE", 1}, {"TWO", "1 + 1"}},
                                 .name = "mine",
                                 .language = yoke::source_language::portable});
    check_place(e.log(), each.place, std::string_view(Backend::name) == "opencl" ? each.unnamed : "");
    if (each.what == a_call || !is_ours) continue;
    const auto with_texts = failed_build(
        on, each.text, {.name = "mine", .language = yoke::source_language::portable, .headers = headers_as_texts()});
    check_place(with_texts.log(), each.place, std::string_view(Backend::name) == "opencl" ? each.unnamed : "");
  }
}

YOKE_DEVICE_TEST_CASE("an error in OpenCL C is told at its own file and line", "[program][messages]") {
  rig on(device);
  const temporary_folder folder;
  put_headers(folder);
  turns turn(device);
  for (const broken& each : in_opencl_c()) {
    INFO(each.what);
    const bool is_ours = turn();
    if (each.what == a_call && !is_ours) continue;
    const auto e = failed_build(on, each.text,
                                {.include_folders = {folder.path().string()},
                                 .defines = {{"ONE", 1}, {"TWO", "1 + 1"}},
                                 .name = "mine",
                                 .language = yoke::source_language::opencl_c});
    check_place(e.log(), each.place, std::string_view(Backend::name) == "opencl" ? each.unnamed : "");
    if (each.what == a_call || !is_ours) continue;
    const auto with_texts = failed_build(
        on, each.text, {.name = "mine", .language = yoke::source_language::opencl_c, .headers = headers_as_texts()});
    check_place(with_texts.log(), each.place, std::string_view(Backend::name) == "opencl" ? each.unnamed : "");
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
  (void)folder.put("template.h", std::as_bytes(std::span(std::string_view(template_header))));
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
  for (const broken& each : in_the_dialect()) {
    INFO("dialect: " << each.what);
    check_place(log_of(each.text, language::portable), each.place);
  }
  for (const broken& each : in_opencl_c()) {
    INFO("OpenCL C: " << each.what);
    check_place(log_of(each.text, language::opencl_c), each.place);
  }
  check_place(log_of(in_a_template, language::automatic, {"f<int>"}), "mine:4");
  check_place(log_of(in_a_header_s_template, language::automatic), "template.h:3");
  check_place(log_of(below_a_kernel, language::automatic), "mine:2");
  CHECK_THAT(log_of(below_a_kernel, language::automatic), ContainsSubstring("at line 5"));
}

YOKE_CUDA_TEST_CASE("an error in a header's template is told in the header, and where it is used",
                    "[program][messages]") {
  const cu::context context{device};
  const temporary_folder folder;
  (void)folder.put("template.h", std::as_bytes(std::span(std::string_view(template_header))));
  for (const bool as_text : {false, true}) {
    cu::compile_options options{.name = "mine"};
    if (as_text) {
      options.headers = {{"template.h", template_header}};
    } else {
      options.include_folders = {folder.path().string()};
    }
    std::string log = "compiled";
    try {
      (void)cu::compile(context, in_a_header_s_template, options);
    } catch (const yoke::compile_error& e) {
      log = e.log();
    }
    check_place(log, "template.h:3");
    CHECK((log.find("mine(3)") != std::string::npos || log.find("at line 3 of mine") != std::string::npos));
  }
}

TEST_CASE("nvcc tells an error at its own file and line", "[program][messages]") {
  const cu::nvcc compiler;
  if (compiler.location().empty()) YOKE_SKIP("no nvcc is installed");
  const temporary_folder folder;
  put_headers(folder);
  (void)folder.put("template.h", std::as_bytes(std::span(std::string_view(template_header))));
  const auto log_of = [&](const std::string& text, const std::vector<yoke::embedded_header>& texts = {}) {
    cu::compile_options options{
        .name = "mine", .language = yoke::source_language::native, .architecture = "compute_90", .headers = texts};
    if (texts.empty()) options.include_folders = {folder.path().string()};
    try {
      (void)compiler.compile_to(cu::image_kind::ptx, text, options);
    } catch (const yoke::compile_error& e) {
      return e.log();
    }
    return std::string("compiled");
  };
  for (const broken& each : mistakes("extern \"C\" __global__ void", "")) {
    INFO(each.what);
    check_place(log_of(each.text), each.place);
  }
  check_place(log_of("#include \"outer.h\"\n", headers_as_texts()), "wrong.h:3");
  check_place(log_of("\n__global__ void f(int* out) {\n  atomicAdd(\"text\", 1);\n}"), "mine:3");
  check_place(log_of(below_a_kernel), "mine:2");
  CHECK_THAT(log_of(below_a_kernel), ContainsSubstring("at line 5"));
  const std::string in_header = log_of(in_a_header_s_template);
  check_place(in_header, "template.h:3");
  CHECK_THAT(in_header, ContainsSubstring("at line 3 of mine"));
}

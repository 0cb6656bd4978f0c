// SPDX-License-Identifier: MIT
// Compiling: options, folders, defines, standards, languages, refusals, and what an error carries.
#include <program/compiling.hpp>
#include <support/devices/languages.hpp>
#include <support/process/temporary_folder.hpp>
#include <support/process/variables.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace yoke_test;

namespace {

/// A folder with a header.
struct header_folder : temporary_folder {
  header_folder() {
    std::filesystem::create_directories(path() / "inner");
    std::ofstream(path() / "answer.h") << "#include \"inner/deep.h\"\n#define ANSWER (DEEP + 2)\n";
    std::ofstream(path() / "inner" / "deep.h") << "#define DEEP 40\n";
  }
};

yoke::compile_request request(const yoke::compile_options& options, std::string_view source = "kernel void f() {}") {
  return yoke::detail::make_request(opencl_language("PRELUDE\n"), source, options, {});
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a source is compiled with folders, defines and options", "[program]") {
  if (in_wine()) YOKE_SKIP("behind Wine a driver does not see files by their Windows paths");
  rig on(device);
  const header_folder headers;
  yoke::compile_options options;
  options.include_folders = {headers.path().string()};
  options.defines = {{"PLUS", 100}, {"TEXT", "1 + 2 * 3"}, {"SCALE(x)", "((x) * 1000)"}, "FLAG", {"BIG", ~0ULL}};
  options.options = {"-DGIVEN=10000"};
  const int result = result_of(on, R"(
    #include "answer.h"
    #if FLAG != 1 || BIG != 18446744073709551615UL
    #error "the defines did not arrive"
    #endif
    YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = ANSWER + PLUS + (TEXT) + SCALE(2) + GIVEN; }
  )",
                               options);
  CHECK(result == 42 + 100 + 7 + 2000 + 10000);
}

YOKE_DEVICE_TEST_CASE("an option without a letter is refused before a compiler sees it", "[program]") {
  const yoke::context context{device};
  const auto build = [&](std::vector<std::string> options) {
    (void)yoke::compile(context, "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = 1; }",
                        {.options = std::move(options)});
  };
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { build({""}); }),
             StartsWith("option \"\" is blank"));
  build({"-DX=1"});
}

YOKE_DEVICE_TEST_CASE("a source of the dialect knows its backend", "[program]") {
  rig on(device);
  CHECK(
      result_of(on, "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = YOKE_BACKEND_OPENCL + 2 * YOKE_BACKEND_CUDA; }") ==
      (std::string_view(Backend::name) == "opencl" ? 1 : 2));
}

TEST_CASE("what cannot be passed to a compiler is refused in words", "[program]") {
  const auto refused = [](const yoke::compile_options& options, std::string_view source = "kernel void f() {}") {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)request(options, source); });
  };
  CHECK_THAT(refused({.standard = "CL1.2 -DX"}), ContainsSubstring("standard \"CL1.2 -DX\" has a space"));
  CHECK_THAT(refused({.options = {"-D\nX"}}), ContainsSubstring("has a line end or zero character"));
  CHECK_THAT(refused({.options = {std::string("-D\0X", 4)}}), StartsWith("option \"-D\\0X\" has a line end"));
  CHECK_THAT(refused({.options = {"-w", ""}}), StartsWith("option \"\" is blank, an option has at least 1 letter"));
  CHECK_THAT(refused({.options = {" \t"}}), StartsWith("option \" \t\" is blank"));
  CHECK_NOTHROW(request({.options = {"-w -g"}}));
  CHECK_THAT(refused({.include_folders = {"/a\nb"}}), ContainsSubstring("has a line end or zero character"));
  CHECK_THAT(refused({.include_folders = {""}}), ContainsSubstring("is empty"));
  CHECK_THAT(refused({.defines = {{"1X", 1}}}), ContainsSubstring("define \"1X\" is not a name"));
  CHECK_THAT(refused({.defines = {{"", 1}}}), ContainsSubstring("define \"\" is not a name"));
  CHECK_THAT(refused({.defines = {{"A B", 1}}}), ContainsSubstring("define \"A B\" is not a name"));
  CHECK_THAT(refused({.defines = {{"A", "1\n#error"}}}), ContainsSubstring("define \"A\" has a line end in its value"));
  CHECK_THAT(refused({.defines = {{"A", std::string("1\0 2", 4)}}}),
             ContainsSubstring("define \"A\" has a zero character in its value"));
  for (const char* name : {"F(x", "F(x) /*", "F(x)y", "F(,)", "F(x y)", "F(..., x)", "F(1)", "F(x))", "F (x)", "(x)"}) {
    CHECK_THAT(refused({.defines = {{name, 1}}}),
               ContainsSubstring("define \"" + std::string(name) + "\" is not a name"));
  }
  for (const char* name : {"F()", "F( )", "F(x)", "F(x, _y2)", "F(...)", "F( x , ... )"}) {
    CHECK_NOTHROW(request({.defines = {{name, 1}}}));
  }
  for (const char* value : {"4 \\", "4 \\ ", "\\\t \v", "4 ?\?/", "\\"}) {
    CHECK_THAT(refused({.defines = {{"N", value}}}),
               ContainsSubstring("define \"N\" ends in a backslash, which would swallow the next line"));
  }
  CHECK_THAT(refused({.defines = {{"N", "1 /* 2"}}}),
             ContainsSubstring("define \"N\" opens a comment, which would swallow the source"));
  CHECK_NOTHROW(request({.defines = {{"N", "'\\\\' + \\x "}, {"EMPTY", ""}, {"BLANK", "  "}}}));
  CHECK_THAT(refused({.options = {"-w", "-DX=\"a"}}),
             ContainsSubstring("option \"-DX=\"a\" has a \" that is not closed"));
  CHECK_THAT(refused({.options = {"-DX='"}}), ContainsSubstring("has a ' that is not closed"));
  CHECK_THAT(refused({.options = {"-DX=\"a\\\""}}), ContainsSubstring("has a \" that is not closed"));
  CHECK_NOTHROW(request({.options = {"-DX=\"a'b\"", "-DY='\"'", "-DZ=\\\""}}));
  CHECK_THAT(refused({.name = "a\"b.cl"}), ContainsSubstring("source name \"a\"b.cl\" has a quote"));
  CHECK_THAT(refused({.name = "a\nb.cl"}), ContainsSubstring("line end"));
  CHECK_THAT(refused({}, std::string_view("kernel\0void", 11)),
             ContainsSubstring("source has a zero character at byte 6"));
}

TEST_CASE("a request is the prelude, the defines, a line directive and the source", "[program]") {
  const auto native = request({.defines = {{"N", 4}, {"NAME"}, {"T", "float x"}}, .name = "mine.cl"});
  CHECK(native.text == "#define N 4\n#define NAME 1\n#define T float x\n#line 1 \"mine.cl\"\nkernel void f() {}\n");
  CHECK(native.source == "kernel void f() {}");
  CHECK(native.lines.name == "mine.cl");
  CHECK(request({}).text == "#line 1 \"kernel.cl\"\nkernel void f() {}\n");
  CHECK(request({.language = yoke::source_language::portable, .portable = false}).text ==
        "PRELUDE\n#line 1 \"kernel.cl\"\nkernel void f() {}\n");
  CHECK(request({}, "YOKE_KERNEL f() {}").text == "PRELUDE\n#line 1 \"kernel.cl\"\nYOKE_KERNEL f() {}\n");
  CHECK(request({}, "typedef yoke_int32 i;\n").text == "PRELUDE\n#line 1 \"kernel.cl\"\ntypedef yoke_int32 i;\n");
  CHECK(request({.language = yoke::source_language::native}, "YOKE_KERNEL f() {}\n").text ==
        "#line 1 \"kernel.cl\"\nYOKE_KERNEL f() {}\n");
}

YOKE_DEVICE_TEST_CASE("a build error carries log, options, source and command line", "[program]") {
  rig on(device);
  const std::string source = "YOKE_KERNEL f(YOKE_GLOBAL int* out) {\n  out[0] = 1;\n  out[1] = undeclared_thing;\n}\n";
  const auto e = failed_build(on, source, {.options = {"-DGIVEN=1"}, .name = "broken.cl"});
  CHECK(e.code() == yoke::errc::build_failed);
  CHECK(std::string(e.call()) == Backend::compile_symbol);
  // The line is the user's, whatever the prelude put before it.
  CHECK_THAT(e.log(), ContainsSubstring("undeclared_thing") && ContainsSubstring("3"));
  CHECK_THAT(e.log(), ContainsSubstring("broken.cl:3") || ContainsSubstring("broken.cl(3"));
  CHECK_THAT(e.options(), ContainsSubstring("-DGIVEN=1"));
  CHECK(e.source() == source);
  CHECK_THAT(e.command_line(), ContainsSubstring(e.options()) && ContainsSubstring("broken.cl"));
  CHECK_THAT(e.what(), ContainsSubstring("building broken.cl with options \"") &&
                           ContainsSubstring("undeclared_thing") && ContainsSubstring("compile_test.cpp:"));
  const yoke::compile_error copy = e;
  CHECK(copy.log() == e.log());
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("compiling in no context says so", "[program]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  refusal<yoke::logic_error>(yoke::errc::empty_handle,
                             [] { (void)yoke::compile(backend::context::none(), "YOKE_KERNEL f() {}"); });
  refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
    (void)yoke::compile(on.context, "YOKE_KERNEL f() {}", {.defines = {{"1", 1}}});
  });
  CHECK(on.driver.count_all(mark) == 0);
}

TEST_CASE("a language that there is not is refused", "[program]") {
  try {
    (void)request({.language = static_cast<yoke::source_language>(99)});
    FAIL("took it");
  } catch (const yoke::logic_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("compile_options::language is 99, none of 0, 1, 2, 3"));
  }
}

YOKE_DEVICE_TEST_CASE("a source without a name is called as its backend's sources are", "[program]") {
  const backend::context context{device};
  const std::string name = context.port().language().source_name;
  CHECK(name == (std::string(Backend::name) == "cuda" ? "kernel.cu" : "kernel.cl"));
  try {
    (void)yoke::compile(context, "\nYOKE_KERNEL f() {\n  undeclared;\n}\n");
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.log(), ContainsSubstring(name + ":3") || ContainsSubstring(name + "(3)"));
  }
}

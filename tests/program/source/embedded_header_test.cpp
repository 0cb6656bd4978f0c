// SPDX-License-Identifier: MIT
// Headers that are texts, in the place of their includes; and headers in files, where OpenCL C is translated.
#include <program/compiling.hpp>
#include <support/process/temporary_folder.hpp>
#include <yoke/program/cache/program_cache.hpp>
#include <yoke/program/source/embedded_header.hpp>

#include <sys/stat.h>
#include <unistd.h>

using namespace yoke_test;

namespace {

using headers = std::vector<yoke::embedded_header>;

std::string expanded(const std::string& source, const headers& with, bool opencl = true) {
  return yoke::detail::expand_headers({source, "main", with, {}, opencl});
}

}  // namespace

TEST_CASE("a header goes in the place of its include, whatever is written around that", "[program][headers]") {
  const headers with{{"a.h", "int a;"}};
  const auto check = [&](const std::string& source, const std::string& line_behind) {
    INFO(source);
    const std::string text = expanded(source + "int b;\n", with);
    const std::size_t begin = text.find("#line 1 \"a.h\"\n");
    REQUIRE(begin != std::string::npos);
    CHECK((begin == 0 || text[begin - 1] == '\n'));
    CHECK(text.substr(begin) == "#line 1 \"a.h\"\nint a;\n#line " + line_behind + " \"main\"\nint b;\n");
  };
  check("#include \"a.h\"\n", "2");
  check("#include <a.h>\r\n", "2");
  check("#include \"./a.h\"\n", "2");
  check("\n  #  include \"a.h\" // one\n", "3");
  check("#include \"a.h\" // one \\\n two\n", "3");
  check("#include \"a.h\" /* one\n two\n three */ int junk;\n", "4");
  check("#include /* one\n */ \"a.h\"\n", "3");
  check("/* one\n two */ #include \"a.h\"\n", "3");
  check("#include \\\n\"a.h\"\n", "3");
  check("#inc\\\r\nlude \"a.\\\r\nh\"\r\n", "4");
  check("# \\\n include \"a.h\" \\\n\n", "4");
  check("%:include \"a.h\"\n", "2");
  check("\xEF\xBB\xBF#include \"a.h\"\n", "2");
  check("#if 0\n don't\n#endif\n#include \"a.h\"\n", "5");
  CHECK(expanded("#include \"a.h\"", with) == "#line 1 \"a.h\"\nint a;\n#line 1 \"main\"\n");
  CHECK(expanded("#include \"a.h\" /* open", with) == "#line 1 \"a.h\"\nint a;\n#line 1 \"main\"\n");
}

TEST_CASE("what is no include of a header that is given stays as it is", "[program][headers]") {
  const headers with{{"a.h", "int a;"}};
  for (const char* const source :
       {"// #include \"a.h\"\n", "/*\n#include \"a.h\"\n*/\n", "int b; #include \"a.h\"\n", "// \\\n#include \"a.h\"\n",
        "#include \"b.h\"\n", "#include A\n", "#define A \\\n#include \"a.h\"\n", "\"\\\n#include <a.h>\"\n",
        "#include_next \"a.h\"\n", "#import \"a.h\"\n", "#if __has_include(\"a.h\")\n#endif\n", "#pragma once\n",
        "#include \"/a.h\"\n", "#include \"a.h\n"}) {
    INFO(source);
    CHECK(expanded(source, with) == source);
  }
  // C++ has raw strings, OpenCL C has none.
  const std::string raw = "x = R\"(\n#include \"a.h\"\n)\";\n";
  CHECK(expanded(raw, with, false) == raw);
  CHECK(expanded(raw, with, true) == "x = R\"(\n#line 1 \"a.h\"\nint a;\n#line 3 \"main\"\n)\";\n");
}

TEST_CASE("lines keep the names and numbers that the source gave them", "[program][headers]") {
  const headers with{{"a.h", "int a;\n"}, {"b.h", "#line 9 \"of \\\"b\\\"\"\n#include \"a.h\"\nint b;\n"}};
  CHECK(expanded("#line 70 \"generated\"\n\n#include \"a.h\"\n", with) ==
        "#line 70 \"generated\"\n\n#line 1 \"a.h\"\nint a;\n#line 72 \"generated\"\n");
  CHECK(expanded("# 70\n#include \"a.h\"\n", with) == "# 70\n#line 1 \"a.h\"\nint a;\n#line 71 \"main\"\n");
  CHECK(expanded("#include \"b.h\"\n", with) ==
        "#line 1 \"b.h\"\n#line 9 \"of \\\"b\\\"\"\n#line 1 \"a.h\"\nint a;\n#line 10 \"of \\\"b\\\"\"\nint b;\n"
        "#line 2 \"main\"\n");
  CHECK(expanded("#line LATER\n#include \"a.h\"\n", with) ==
        "#line LATER\n#line 1 \"a.h\"\nint a;\n#line 3 \"main\"\n");
}

TEST_CASE("headers find headers, beside them first, and stop at themselves", "[program][headers]") {
  CHECK(expanded("#include \"in/a.h\"\n",
                 {{"in/a.h", "#include \"b.h\"\n#include <b.h>\n"}, {"in/b.h", "1"}, {"b.h", "2"}}) ==
        "#line 1 \"in/a.h\"\n#line 1 \"in/b.h\"\n1\n#line 2 \"in/a.h\"\n#line 1 \"b.h\"\n2\n#line 3 \"in/a.h\"\n"
        "#line 2 \"main\"\n");
  const std::string once = expanded("#include \"a.h\"\n#include \"a.h\"\n", {{"a.h", "# pragma /**/ once\nint a;\n"}});
  CHECK(once ==
        "#ifndef YOKE_HEADER_0_IS_READ\n#define YOKE_HEADER_0_IS_READ\n#line 1 \"a.h\"\n\nint a;\n#endif\n#line 2 "
        "\"main\"\n"
        "#ifndef YOKE_HEADER_0_IS_READ\n#define YOKE_HEADER_0_IS_READ\n#line 1 \"a.h\"\n\nint a;\n#endif\n#line 3 "
        "\"main\"\n");
  const std::string endless = expanded("\n#include \"a.h\"\n", {{"a.h", "#include \"a.h\"\n"}});
  CHECK_THAT(endless, ContainsSubstring("#line 1 \"a.h\"\n#error \"header a.h includes itself without an end\"\n"));
  // A thousand includes of itself, four levels deep, would be a text without an end.
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "#include \"a.h\"\n";
  const std::string large = expanded("#include \"a.h\"\n", {{"a.h", many}});
  CHECK(large.size() < std::size_t{17} << 20);
  CHECK_THAT(large, ContainsSubstring("makes the source larger than 16 MiB"));
  headers chain;
  for (int i = 0; i < 250; ++i) {
    chain.push_back({"h" + std::to_string(i), "#include \"h" + std::to_string(i + 1) + "\"\n"});
  }
  CHECK_THAT(expanded("#include \"h0\"\n", chain), ContainsSubstring("#error \"header h200 stands in 200 others\""));
}

YOKE_DEVICE_TEST_CASE("headers that are texts reach every language", "[program][headers]") {
  rig on(device);
  const headers with{{"twice.h", "#include \"deep/two.h\"\n#define TWICE(x) (TWO * (x))\n"},
                     {"deep/two.h", "#pragma once\n#define TWO 2\n"}};
  using language = yoke::source_language;
  CHECK(result_of(
            on, "#include <deep/two.h>\n#include \"twice.h\"\nYOKE_KERNEL f(YOKE_GLOBAL int* a) { a[0] = TWICE(21); }",
            {.headers = with}) == 42);
  CHECK(result_of(
            on, "#include \"twice.h\"\n__kernel void f(__global int* a) { a[0] = (int2)(TWICE(20), 2).y + TWICE(20); }",
            {.language = language::opencl_c, .headers = with}) == 42);
  // The word that asks for the dialect may stand in a header alone.
  CHECK(result_of(on, "#include \"all.h\"\n",
                  {.headers = {{"all.h", "YOKE_KERNEL f(YOKE_GLOBAL int* a) { a[0] = 42; }"}}}) == 42);
  // Before the same name in a folder; a header in a file is found by one that is a text.
  const temporary_folder folder;
  const std::string three = "#define TWO 3\n", one = "#define ONE 1\n";
  (void)folder.put("two.h", std::as_bytes(std::span(three)));
  (void)folder.put("one.h", std::as_bytes(std::span(one)));
  CHECK(result_of(on, "#include \"two.h\"\nYOKE_KERNEL f(YOKE_GLOBAL int* a) { a[0] = TWO + ONE; }",
                  {.include_folders = {folder.path().string()},
                   .headers = {{"two.h", "#include \"one.h\"\n#define TWO 2\n"}}}) == 3);
}

YOKE_DEVICE_TEST_CASE("errors in headers that are texts, and behind them, are told at their lines",
                      "[program][headers]") {
  rig on(device);
  const headers with{{"fine.h", "// one\n// two\n// three\n"},
                     {"wrong.h", "\n\ninline int wrong(int a) { return missing + a; }\n"}};
  for (const auto& [language, kernel] :
       {std::pair(yoke::source_language::portable, "YOKE_KERNEL f(YOKE_GLOBAL int* a)"),
        std::pair(yoke::source_language::opencl_c, "__kernel void f(__global int* a)")}) {
    const auto log = [&, of = language](const std::string& text) {
      return failed_build(on, text, {.name = "mine", .language = of, .headers = with}).log();
    };
    const std::string in_header = log(std::string("#include \"fine.h\"\n#include \"wrong.h\"\n") + kernel + " {}\n");
    CHECK_THAT(in_header, ContainsSubstring("wrong.h:3") || ContainsSubstring("wrong.h(3)"));
    const std::string behind =
        log(std::string("#include \"fine.h\" /* one\n two */\n") + kernel + " {\n  a[0] = missing;\n}\n");
    CHECK_THAT(behind, ContainsSubstring("mine:4") || ContainsSubstring("mine(4)"));
    const std::string continued =
        log(std::string("#include \\\n \"fine.h\"\n") + kernel + " {\n  a[0] = missing;\n}\n");
    CHECK_THAT(continued, ContainsSubstring("mine:4") || ContainsSubstring("mine(4)"));
  }
}

YOKE_DEVICE_TEST_CASE("headers that no source can include are refused", "[program][headers]") {
  rig on(device);
  const auto refused = [&](const headers& with) {
    try {
      (void)yoke::compile(on.context, "", {.headers = with});
    } catch (const yoke::logic_error& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  CHECK_THAT(refused({{"a.h", ""}, {"", ""}}), ContainsSubstring("header 1 has no name"));
  CHECK_THAT(refused({{"../a.h", ""}}), ContainsSubstring("header \"../a.h\" has a name that leads out of its folder"));
  CHECK_THAT(refused({{"/a.h", ""}}), ContainsSubstring("header \"/a.h\" has a name that leads out"));
  CHECK_THAT(refused({{"a.h", std::string("\0", 1)}}), ContainsSubstring("header \"a.h\" has a zero character"));
  CHECK_THAT(refused({{"a.h", ""}, {"a.h", "2"}}), ContainsSubstring("header \"a.h\" is given twice"));
}

YOKE_DEVICE_TEST_CASE("a program with headers that are texts is kept, and is another with another text",
                      "[program][headers]") {
  rig on(device);
  const temporary_folder folder;
  const yoke::program_cache cache{{.folder = folder.path().string()}, {}};
  for (const auto& [language, source] :
       {std::pair(yoke::source_language::portable, "#include \"n.h\"\nYOKE_KERNEL f(YOKE_GLOBAL int* a) { a[0] = N; }"),
        std::pair(yoke::source_language::opencl_c,
                  "#include \"n.h\"\n__kernel void f(__global int* a) { a[0] = N; }")}) {
    const auto result = [&, of = language, all = source](const char* text) {
      return result_of(on, all, {.language = of, .cache = &cache, .headers = {{"n.h", text}}});
    };
    CHECK(result("#define N 1\n") == 1);
    CHECK(cache.last_not_kept() == "");
    const std::size_t kept = cache.size();
    CHECK(result("#define N 1\n") == 1);
    CHECK(cache.size() == kept);
    CHECK(result("#define N 2\n") == 2);
    CHECK(cache.size() == kept + 1);
  }
}

YOKE_CUDA_TEST_CASE("OpenCL C: what is no file in a folder of headers is an error, and is not waited for",
                    "[program][opencl_c][headers]") {
  rig on(device);
  const temporary_folder folder;
  const std::string path = folder.path().string();
  REQUIRE(::mkfifo((path + "/pipe.h").c_str(), 0600) == 0);
  REQUIRE(::mkdir((path + "/folder.h").c_str(), 0700) == 0);
  REQUIRE(::symlink("/dev/zero", (path + "/device.h").c_str()) == 0);
  const yoke::compile_options options{
      .include_folders = {path}, .name = "mine.cl", .language = yoke::source_language::opencl_c};
  for (const char* const name : {"pipe.h", "folder.h", "device.h"}) {
    const auto e = failed_build(on, std::string("\n\n#include \"") + name + "\"\nkernel void f() {}", options);
    INFO(e.log());
    CHECK_THAT(e.log(), ContainsSubstring(std::string("/") + name + " is no file"));
    CHECK_THAT(e.log(), ContainsSubstring("mine.cl:3") || ContainsSubstring("mine.cl(3)"));
    // Left out by a condition it is nobody's concern.
    CHECK(result_of(on,
                    std::string("#if 0\n#include \"") + name + "\"\n#endif\nkernel void f(global int* a) { a[0] = 7; }",
                    options) == 7);
  }
}

YOKE_CUDA_TEST_CASE("OpenCL C: a header that is read once is known by every path", "[program][opencl_c][headers]") {
  rig on(device);
  const temporary_folder folder;
  const std::string path = folder.path().string();
  REQUIRE(::mkdir((path + "/in").c_str(), 0700) == 0);
  const std::string once = "#pragma once\nconstant int two = 2;\n";
  const std::string other = "#include \"../in/../once.h\"\n";
  (void)folder.put("once.h", std::as_bytes(std::span(once)));
  (void)folder.put("in/other.h", std::as_bytes(std::span(other)));
  REQUIRE(::symlink("once.h", (path + "/link.h").c_str()) == 0);
  CHECK(result_of(on,
                  "#include <once.h>\n#include \"in/other.h\"\n#include \"./once.h\"\n#include \"link.h\"\n"
                  "kernel void f(global int* a) { a[0] = two; }",
                  {.include_folders = {path}, .language = yoke::source_language::opencl_c}) == 2);
}

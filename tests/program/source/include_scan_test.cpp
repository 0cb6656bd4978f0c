// SPDX-License-Identifier: MIT
// The includes of a source: found whatever stands around them, followed through the folders, and said where they cannot be.
#include <support/catch.hpp>

#include <support/process/temporary_folder.hpp>

#include <yoke/language/find_includes.hpp>
#include <yoke/program/source/include_scan.hpp>

#include <fmt/format.h>
#include <filesystem>
#include <fstream>
#include <utility>

#include <sys/stat.h>

using namespace yoke_test;
using yoke::detail::find_includes;

namespace {

namespace fs = std::filesystem;

/// Returns: the names, `"a.h"` or `<a.h>`, one behind the other; and the problem behind `!`.
std::string found(std::string_view source) {
  const auto list = find_includes(source);
  std::string out;
  for (const auto& each : list.directives) {
    const auto [open, close] = each.quoted ? std::pair('"', '"') : std::pair('<', '>');
    out += fmt::format("{}{}{}{}:{}", out.empty() ? "" : " ", open, each.name, close, each.line);
  }
  if (!list.problem.empty()) out += (out.empty() ? "!" : " !") + list.problem;
  return out;
}

/// Folders of headers, and a scan through some of them.
struct header_tree : temporary_folder {
  std::string write(const std::string& name, const std::string& text) {
    fs::create_directories((path() / name).parent_path());
    std::ofstream(path() / name, std::ios::binary) << text;
    return (path() / name).string();
  }
  [[nodiscard]] yoke::detail::include_scan scan(const std::string& source, std::vector<std::string> folders,
                                                const std::vector<std::string>& options = {},
                                                const std::string& name = "kernel.cl") const {
    for (std::string& each : folders) each = (path() / each).string();
    return yoke::detail::scan_includes(source, name, folders, options);
  }
  /// Returns: the names of the headers, without the folder of all, and the problem behind `!`.
  [[nodiscard]] std::string names(const yoke::detail::include_scan& scan) const {
    std::string out;
    for (const auto& [name, content] : scan.headers) {
      CHECK(content == contents(name));
      out += fmt::format("{}{}", out.empty() ? "" : " ", name.substr(path().string().size() + 1));
    }
    if (!scan.problem.empty()) out += (out.empty() ? "!" : " !") + scan.problem;
    return out;
  }
  static std::string contents(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

}  // namespace

TEST_CASE("includes are found in all their spellings", "[cache]") {
  CHECK(found("").empty());
  CHECK(found("kernel void f() {}").empty());
  CHECK(found("#include \"a.h\"") == "\"a.h\":1");
  CHECK(found("#include <a/b.h>\n") == "<a/b.h>:1");
  CHECK(found("int a;\n  #  include\t\"a.h\" // why\n") == "\"a.h\":2");
  CHECK(found("#include\"a.h\"\n#include<b.h>") == "\"a.h\":1 <b.h>:2");
  CHECK(found("/* x */ # /* y\n */ include /**/ <a.h>") == "<a.h>:1");
  CHECK(found("#inc\\\nlude \\\r\n \"a\\\n.h\"\n") == "\"a.h\":1");
  CHECK(found("%:include <a.h>") == "<a.h>:1");
  CHECK(found("#import \"a.h\"") == "\"a.h\":1");
  CHECK(found("\xEF\xBB\xBF#include \"a.h\"") == "\"a.h\":1");
  CHECK(found("\v\f#include \"a.h\"\r\nint b;\r\n#include \"b.h\"\r\n") == "\"a.h\":1 \"b.h\":3");
  CHECK(found("#include <a//b.h>\n#include <a/*b.h>\n#include \"*/c.h\"") == "<a//b.h>:1 <a/*b.h>:2 \"*/c.h\":3");
}

TEST_CASE("includes in branches that are not taken are followed too", "[cache]") {
  CHECK(found("#if 0\n#include \"a.h\"\n#else\n#include \"b.h\"\n#endif") == "\"a.h\":2 \"b.h\":4");
  CHECK(found("#if __has_include(<a.h>) && __has_include ( \"b.h\" )\n#endif") == "<a.h>:1 \"b.h\":1");
  CHECK(found("#define HAS __has_include(<a.h>)") == "<a.h>:1");
  CHECK(found("#ifdef __has_include\n#if defined(__has_include) && !defined __has_include\n#endif").empty());
  CHECK(found("#if 0\nit's fine\n#endif\n#include \"a.h\"") == "\"a.h\":4");
}

TEST_CASE("what only looks like an include is none", "[cache]") {
  CHECK(found("// #include \"a.h\"\n/*\n#include \"b.h\"\n*/ int x;").empty());
  CHECK(found("// a \\\n#include \"a.h\"\n#include \"b.h\"").empty() == false);
  CHECK(found("// a \\\n#include \"a.h\"\n#include \"b.h\"") == "\"b.h\":3");
  CHECK(found("int x; /* a\n*/ #include \"a.h\"").empty());
  CHECK(found("x #include \"a.h\"\n#pragma include \"a.h\"\n#define include \"a.h\"\n#includes \"a.h\"").empty());
  CHECK(found("char* s = \"\\\n#include \\\"a.h\\\"\";").empty());
  CHECK(found("char* s = \"/*\"; \n#include \"a.h\"\nchar* t = \"*/\";") == "\"a.h\":2");
  CHECK(found("char c = '\"'; // \"\n#include \"a.h\"") == "\"a.h\":2");
  CHECK(found("char c = '\\''; /* '\n#include \"a.h\" */\n#include \"b.h\"") == "\"b.h\":3");
}

TEST_CASE("where C and C++ read a text differently, either reading counts", "[cache]") {
  // A raw string in C++; in C the line behind an open quote.
  CHECK(found("auto s = R\"(\n#include \"a.h\"\n)\";\n#include \"b.h\"") == "\"b.h\":4 \"a.h\":2");
  CHECK(found("auto s = u8R\"x( /* )\" )x\";\n#include \"b.h\"") == "\"b.h\":2");
  CHECK(found("auto s = LR\"(\\\n)\\\n\")\";\n#include \"b.h\"").find("\"b.h\":4") == 0);
  CHECK(found("int xR; char* s = xR\"(/*\";\n#include \"b.h\"\n// )\"").find("\"b.h\":2") == 0);
  // A separator in C++; a literal in C.
  CHECK(found("int i = 1'000 + '/*';\n#include \"a.h\"\n//*/") == "\"a.h\":2");
  CHECK(found("int i = 1'0 /*'0;\n#include \"a.h\"\n//*/").find("\"a.h\":2") == 0);
  CHECK(found("float x = 0x1.8p+3f'; /*\n#include \"a.h\"\n*/").find("!line 1 has a comment behind a quote") !=
        std::string::npos);
}

TEST_CASE("what cannot be followed is said", "[cache]") {
  CHECK(found("\n#include NAME") == "!line 2 includes by a macro");
  CHECK(found("#include_next <a.h>") == "!line 1 has an #include_next");
  CHECK(found("#embed \"a.bin\"") == "!line 1 has an #embed");
  CHECK(found("#include \"a.h\n") == "!line 1 includes no name");
  CHECK(found("#include <>") == "!line 1 includes no name");
  CHECK(found("#include") == "!line 1 includes by a macro");
  CHECK(found("#if __has_include(NAME)") == "!line 1 includes by a macro");
  CHECK(found("#if __has_include_next(<a.h>)") == "!line 1 asks for more than whether a header is there");
  CHECK(found("#if __has_embed(<a.h>)") == "!line 1 asks for more than whether a header is there");
  CHECK(found("?\?=include \"a.h\"") == "!has a trigraph");
  CHECK(found("// a?\?/\n#include \"a.h\"") == "\"a.h\":2 !has a trigraph");
  CHECK(found("asm(\".incbin \\\"a\\\"\");") == "!has an .incbin");
  CHECK(found("a\rb") == "!has a carriage return within a line");
  CHECK(found("// a \\ \n#include \"a.h\"") == "\"a.h\":2 !has blanks behind a backslash at the end of a line");
  CHECK(found(std::string_view("a\0b", 3)) == "!has a zero character");
  CHECK(found("auto s = R\"a b(\";") == "!line 1 has a raw string that is none");
}

TEST_CASE("headers are followed through the folders", "[cache]") {
  header_tree tree;
  tree.write("one/a.h", "#include \"inner/b.h\"\n#include <c.h>\n");
  tree.write("one/inner/b.h", "#pragma once\n#include \"../a.h\"\n#include \"b2.h\"\n");
  tree.write("one/inner/b2.h", "int b2;\n");
  tree.write("two/c.h", "int c;");
  CHECK(tree.names(tree.scan("#include <a.h>", {"one", "two"})) == "one/a.h one/inner/b.h two/c.h one/inner/b2.h");
  CHECK(tree.names(tree.scan("#include <a.h>", {"one/", "two"})) == "one/a.h one/inner/b.h two/c.h one/inner/b2.h");
  CHECK(tree.names(tree.scan("#include <c.h>\n", {"two"})) == "two/c.h");
  CHECK(tree.names(tree.scan("#include \"" + (tree.path() / "two/c.h").string() + "\"\n", {})) == "two/c.h");
  CHECK(tree.names(tree.scan("int x;", {"two"})).empty());

  SECTION("options name folders too") {
    const std::string two = (tree.path() / "two").string();
    for (const std::vector<std::string>& options : {std::vector<std::string>{"-I" + two},
                                                    {"-I", two},
                                                    {"-I " + two},
                                                    {"-w -I \"" + two + "\" -DA=b"},
                                                    {"--include-path=" + two},
                                                    {"-DX=a b", "-I=" + two}}) {
      INFO(options.front());
      CHECK(tree.names(tree.scan("#include <c.h>", {}, options)) == "two/c.h");
    }
  }
  SECTION("what is in several folders is there from each: any of them may be meant") {
    tree.write("one/c.h", "int another;");
    CHECK(tree.names(tree.scan("#include <c.h>", {"two"})) == "two/c.h");
    CHECK(tree.names(tree.scan("#include <c.h>", {"one", "two"})) == "one/c.h two/c.h");
  }
  SECTION("a header in none of the folders may be the compiler's own") {
    CHECK(tree.names(tree.scan("\n#include <none.h>", {"one"})) ==
          "!<none.h> in line 2 of kernel.cl is in none of the folders given: the compiler may find it elsewhere");
    CHECK_THAT(tree.names(tree.scan("#include <a.h>", {"one"})),
               ContainsSubstring("!<c.h> in line 2 of ") && ContainsSubstring("one/a.h is in none of the folders"));
    CHECK_THAT(tree.names(tree.scan("#if __has_include(\"none.h\")\n#endif", {"one"})), StartsWith("!\"none.h\""));
  }
  SECTION("a file beside the source's name may be meant, and is followed, but not every compiler looks there") {
    const std::string name = (tree.path() / "two/kernel.cl").string();
    CHECK_THAT(tree.names(tree.scan("#include \"c.h\"", {}, {}, name)), StartsWith("two/c.h !\"c.h\" in line 1 of "));
    tree.write("one/c.h", "int another;");
    CHECK(tree.names(tree.scan("#include \"c.h\"", {"one"}, {}, name)) == "two/c.h one/c.h");
    CHECK(tree.names(tree.scan("#include <c.h>", {"one"}, {}, name)) == "one/c.h");
  }
  SECTION("a header within itself, by whatever way, is one") {
    tree.write("one/self.h", "#include \"self.h\"\n#include \"../one/self.h\"\n#include <inner/../self.h>\n");
    CHECK(tree.names(tree.scan("#include \"self.h\"", {"one"})) == "one/self.h");
  }
  SECTION("what is no file, or cannot be read, is a problem") {
    fs::create_directories(tree.path() / "one/folder.h");
    CHECK_THAT(tree.names(tree.scan("#include <folder.h>", {"one"})), ContainsSubstring("one/folder.h is no file"));
    REQUIRE(::mkfifo((tree.path() / "one/pipe.h").c_str(), 0600) == 0);
    CHECK_THAT(tree.names(tree.scan("#include <pipe.h>", {"one"})), ContainsSubstring("one/pipe.h is no file"));
    fs::create_symlink("loop.h", tree.path() / "one/loop.h");
    CHECK_THAT(tree.names(tree.scan("#include <loop.h>", {"one"})), ContainsSubstring("loop.h cannot be read: "));
  }
  SECTION("a problem in a header is said of the header") {
    tree.write("one/macro.h", "\n#include NAME\n");
    CHECK_THAT(tree.names(tree.scan("#include <macro.h>", {"one"})),
               ContainsSubstring("one/macro.h: line 2 includes by a macro"));
  }
}

TEST_CASE("there is an end to headers", "[cache]") {
  header_tree tree;
  std::string all;
  for (int i = 0; i < 4100; ++i) {
    const std::string name = fmt::format("h{}.h", i);
    tree.write("many/" + name, "");
    all += fmt::format("#include <{}>\n", name);
  }
  const auto scan = tree.scan(all, {"many"});
  CHECK(scan.headers.size() == 4096);
  CHECK_THAT(scan.problem, StartsWith("there are more than 4096 headers"));
  const std::string large = tree.write("one/large.h", "");
  fs::resize_file(large, std::uintmax_t{10} << 30);  // takes no room
  const auto other = tree.scan("#include <large.h>", {"one"});
  CHECK(other.headers.empty());
  CHECK_THAT(other.problem, ContainsSubstring("larger than"));
}

TEST_CASE("options that make a compiler read or write files are a problem", "[cache]") {
  const auto problem = [](const std::vector<std::string>& options) {
    return yoke::detail::scan_includes("int x;", "kernel.cl", {}, options).problem;
  };
  for (const char* each : {"-include a.h",
                           "-include=a.h",
                           "--pre-include=a.h",
                           "-imacros",
                           "-isystem /x",
                           "-iquote x",
                           "--options-file=x",
                           "-optf",
                           "@x",
                           "-create-pch=x",
                           "--use-pch=x",
                           "-pch",
                           "-s x.cl",
                           "-save-temps",
                           "--time=x.csv",
                           "x.h",
                           "-F/x",
                           "-Bx",
                           "--sysroot=x",
                           "-Xclang",
                           "-fdevice-time-trace=x",
                           "-Wp,-include,x",
                           "-MD"}) {
    CHECK_THAT(problem({each}), StartsWith("option \"") && ContainsSubstring("may name a file"));
  }
  CHECK_THAT(problem({"-DX=__has_include(<a.h>)"}), ContainsSubstring("may ask for a header"));
  CHECK_THAT(problem({"-D", "X=__has_include(<a.h>)"}), ContainsSubstring("may ask for a header"));
  CHECK_THAT(problem({"-I"}), ContainsSubstring("no folder after -I"));
  CHECK(problem({"-cl-std=CL2.0",
                 "-cl-fast-relaxed-math -w",
                 "-Werror",
                 "-g",
                 "-O2",
                 "--std=c++17",
                 "-std",
                 "c++20",
                 "--gpu-architecture=sm_90",
                 "--use_fast_math",
                 "-fmad=false",
                 "--maxrregcount=32",
                 "-lineinfo",
                 "-G",
                 "-DX=\"a/b.h\"",
                 "-D",
                 "PATH=/usr",
                 "-UX",
                 "-cl-nv-verbose",
                 "-ftz=true",
                 "-default-device",
                 "--device-as-default-execution-space",
                 "-x",
                 "spir"})
            .empty());
}

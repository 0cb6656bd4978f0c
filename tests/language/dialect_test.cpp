// SPDX-License-Identifier: MIT
// Which parts of a prelude go before a source, where messages point to, and what kernels print.
#include <program/compiling.hpp>
#include <yoke/language/dialect.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

using namespace yoke_test;
using yoke::detail::dialect_for;

namespace {

constexpr std::string_view prelude =
    "core\n"
    "//part one\n//words one_* only\nfirst\n"
    "//part two\n//needs one missing\n//words two *_two\nsecond\n"
    "//part three\n//when one four\nthird\n"
    "//part four\n//words four\n//words vier\nfourth\n";

/// What goes to standard output while it lives, that of drivers too.
class captured_output {
 public:
  captured_output() : file_(std::tmpfile()) {
    std::fflush(stdout);
    before_ = ::dup(STDOUT_FILENO);
    (void)::dup2(::fileno(file_), STDOUT_FILENO);
  }
  captured_output(const captured_output&) = delete;
  captured_output& operator=(const captured_output&) = delete;
  ~captured_output() {
    restore();
    std::fclose(file_);
  }
  /// Effects: ends it. Returns: the text.
  std::string text() {
    restore();
    std::string all;
    std::rewind(file_);
    for (int letter = 0; (letter = std::fgetc(file_)) != EOF;) all += static_cast<char>(letter);
    return all;
  }

 private:
  void restore() {
    if (before_ < 0) return;
    std::fflush(stdout);
    (void)::dup2(before_, STDOUT_FILENO);
    ::close(before_);
    before_ = -1;
  }
  std::FILE* file_;
  int before_ = -1;
};

}  // namespace

TEST_CASE("a source gets the parts whose words it says", "[program][dialect]") {
  const std::string one = "#line 1 \"yoke/one\"\nfirst\n";
  const std::string two = "#line 1 \"yoke/two\"\nsecond\n";
  const std::string three = "#line 1 \"yoke/three\"\nthird\n";
  const std::string four = "#line 1 \"yoke/four\"\nfourth\n";
  CHECK(dialect_for(prelude, {"nothing: one two_ xtwo onl only4 _four"}) == "core\n");
  CHECK(dialect_for(prelude, {"a(one_more)"}) == "core\n" + one);
  CHECK(dialect_for(prelude, {"only"}) == "core\n" + one);
  CHECK(dialect_for(prelude, {"// only two\n/* four\nvier */ x = \"two\"; y = 'only';"}) == "core\n");
  CHECK(dialect_for(prelude, {"x = '\"'; only // \" two"}) == "core\n" + one);
  CHECK(dialect_for(prelude, {"x = \"//\"; only"}) == "core\n" + one);
  CHECK(dialect_for(prelude, {"#define f(x) /* two */ only\n"}) == "core\n" + one);
  CHECK(dialect_for(prelude, {"x = 1'000; // only'"}) == "core\n" + one);         // C reads that as a literal
  CHECK(dialect_for(prelude, {"x = \"a \\ \n /* b\"; only"}) == "core\n" + one);  // GCC joins these lines
  CHECK(dialect_for(prelude, {"x", "1+two*2"}) == "core\n" + one + two);          // with what it needs
  CHECK(dialect_for(prelude, {"make_two"}) == "core\n" + one + two);
  CHECK(dialect_for(prelude, {"vier"}) == "core\n" + four);
  CHECK(dialect_for(prelude, {"four", "only"}) == "core\n" + one + three + four);  // both: what is for both, too
  CHECK(dialect_for(prelude, {"four two"}) == "core\n" + one + two + three + four);
  // Words that are put together, or come from elsewhere, cannot be seen.
  const std::string everything = "core\n" + one + two + three + four;
  CHECK(dialect_for(prelude, {"#define F(T) make_##T"}) == everything);
  CHECK(dialect_for(prelude, {"YOKE_CAT(o, ne)"}) == everything);
  CHECK(dialect_for(prelude, {"#include \"mine.h\""}) == everything);
  CHECK(dialect_for(prelude, {"", "-include mine.h"}) == everything);
  CHECK(dialect_for("no parts\n", {"one"}) == "no parts\n");
  CHECK(dialect_for("", {"one"}).empty());
}

YOKE_DEVICE_TEST_CASE("a define and an option may say the dialect's words", "[program][dialect]") {
  rig on(device);
  CHECK(result_of(on, "YOKE_KERNEL f(YOKE_GLOBAL int* out) { T v = MAKE(4, 5); out[0] = v.y; }",
                  {.defines = {{"T", "int2"}, {"MAKE(a, b)", "make_int2(a, b)"}}}) == 5);
  CHECK(result_of(on, "YOKE_KERNEL f(YOKE_GLOBAL int* out) { T v; v.x = 6; out[0] = v.x + (v + v).x; }",
                  {.options = {"-DT=int2"}}) == 18);
}

YOKE_DEVICE_TEST_CASE("messages name the source's lines behind any part of the dialect", "[program][dialect]") {
  rig on(device);
  const auto points_to = [&](const std::string& line, const std::string& text) {
    const yoke::compile_error e = failed_build(on, text, {.name = "mine"});
    INFO(e.log());
    CHECK(
        (e.log().find("mine:" + line) != std::string::npos || e.log().find("mine(" + line + ")") != std::string::npos));
    return e.log();
  };
  points_to("2", "YOKE_KERNEL f(YOKE_GLOBAL int* out) {\n  out[0] = missing;\n}");
  points_to("3", "YOKE_KERNEL f(YOKE_GLOBAL float4* out) {\n  yoke_work_group_reduce_add;\n  out[0] = missing;\n}");
  points_to("4", "#define ANY a##b\n\nYOKE_KERNEL f(YOKE_GLOBAL int* out) {\n  out[0] = missing;\n}");
  // What is wrong in a word's use is wrong where it is used.
  points_to("3", "YOKE_KERNEL f(YOKE_GLOBAL float4* out) {\n  float4 v = out[1];\n  yoke_atomic_add(v, missing);\n}");
  const std::string size = points_to("2",
                                     "YOKE_STRUCT(pair) { int a, b; };\nYOKE_CHECK_SIZE(pair, 12);\nYOKE_KERNEL "
                                     "f(YOKE_GLOBAL pair* p) { p[0].a = 1; }");
  CHECK_THAT(size, ContainsSubstring("pair does not have 12 bytes"));
  const std::string place =
      points_to("3",
                "YOKE_STRUCT(pair) { int a, b; };\nYOKE_CHECK_SIZE(pair, 8);\nYOKE_CHECK_OFFSET(pair, b, "
                "8);\nYOKE_KERNEL f(YOKE_GLOBAL pair* p) { p[0].a = 1; }");
  CHECK_THAT(place, ContainsSubstring("pair::b is not at byte 8"));
}

YOKE_DEVICE_TEST_CASE("kernels print", "[program][dialect]") {
  rig on(device);
  captured_output output;
  const int result = result_of(on, R"(YOKE_KERNEL f(YOKE_GLOBAL int* out) {
    YOKE_ASSERT(out[0] == -1);
    yoke_printf("yoke: %d and %s\n", 40 - out[0], "words");
    out[0] = 7;
  })");
  CHECK(result == 7);
  on.stream.synchronize();  // the last moment for what is printed
  CHECK_THAT(output.text(), ContainsSubstring("yoke: 41 and words\n"));
}

YOKE_DEVICE_TEST_CASE("NDEBUG takes assertions out", "[program][dialect]") {
  rig on(device);
  CHECK(result_of(on, "YOKE_KERNEL f(YOKE_GLOBAL int* out) { YOKE_ASSERT(out[0] == 99); out[0] = 7; }",
                  {.defines = {"NDEBUG"}}) == 7);
  CHECK(result_of(
            on, "#define NDEBUG\nYOKE_KERNEL f(YOKE_GLOBAL int* out) { YOKE_ASSERT(out[0] == 99); out[0] = 7; }") == 7);
}

YOKE_OPENCL_TEST_CASE("on OpenCL a failed assertion says so and goes on", "[program][dialect]") {
  rig on(device);
  captured_output output;
  const int result = result_of(on,
                               "YOKE_KERNEL f(YOKE_GLOBAL int* out) {\n  YOKE_ASSERT(out[0] == 5);\n  if (out[0] < 0) "
                               "YOKE_TRAP();\n  out[0] = 7;\n}",
                               {.name = "mine"});
  CHECK(result == 7);
  on.stream.synchronize();
  const std::string text = output.text();
  CHECK_THAT(text, ContainsSubstring("assertion failed: out[0] == 5\n") && ContainsSubstring("trap\n"));
}

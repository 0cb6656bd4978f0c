// SPDX-License-Identifier: MIT
// Definitions among the options: they apply to the source, not to a prelude or to a compiler's own headers.
#include <program/compiling.hpp>
#include <program/source/ordinary_definitions.hpp>
#include <support/devices/languages.hpp>
#include <support/sample.hpp>

using namespace yoke_test;

namespace {

using words = std::vector<std::string>;

/// Checks that the request has the options, split into `split`. Returns: what a compiler gets of them: the lines before the
/// source, and the options that are left.
std::pair<std::string, words> parts_of(const words& options, const yoke::kernel_language& language,
                                       const words& split) {
  const yoke::compile_request request = yoke::detail::make_request(language, "source\n", {.options = options}, {});
  CHECK(request.options == split);
  const std::size_t begin = request.text.find("#line 1");
  return {request.text.substr(0, begin), yoke::detail::options_beside_text(request)};
}
std::pair<std::string, words> parts_of(const words& options, const yoke::kernel_language& language = cuda_language()) {
  return parts_of(options, language, options);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("ordinary definitions meet no name of the prelude or of the compiler", "[program][dialect]") {
  rig on(device);
  const auto results = [&](const char* source, yoke::source_language language) {
    const auto kernel = yoke::get_kernel<void(std::int64_t*, yoke::local<float>)>(
        yoke::compile(on.context, source, {.options = ordinary_definitions(), .language = language}), "run");
    std::vector<std::int64_t> out(5);
    kernel(on.stream, {.grid = 1, .block = 1}, yoke::in_out(out), yoke::local<float>(1));
    return out;
  };
  CHECK(ordinary_definitions().size() >= 88);
  using enum yoke::source_language;
  CHECK(results(beside_definitions::dialect, automatic) ==
        std::vector<std::int64_t>{120, 0 + 3 + 2 + 0x3f800000, 8 + 4, 4 + 255 + 2, 0x3f80 + 8});
  CHECK(results(beside_definitions::opencl_c, opencl_c) ==
        std::vector<std::int64_t>{4 + 25 + 36 + 64, 140 + 3 + 2 + 0x40000000 + 5, 8 + 6 + 0 + 1, 4 + 255 + 2,
                                  8 + 8 + 16 + 15 + 4});
}

YOKE_DEVICE_TEST_CASE("each ordinary definition compiles by itself", "[program][dialect]") {
  rig on(device);
  // A name that takes another's place hides what that one would meet; a tenth of them by themselves each.
  const words all = ordinary_definitions();
  turns turn(device);
  for (std::size_t i = 0; i < all.size(); i += 10) {
    if (!turn()) continue;
    INFO(all[i]);
    CHECK_NOTHROW(yoke::compile(on.context, "YOKE_KERNEL run(YOKE_GLOBAL float4* yoke_0) { yoke_0[0] = -yoke_0[1]; }",
                                {.options = {all[i]}}));
    CHECK_NOTHROW(yoke::compile(on.context, "kernel void run(global float4* yoke_0) { yoke_0[0] = -yoke_0[1]; }",
                                {.options = {all[i]}, .language = yoke::source_language::opencl_c}));
  }
}

TEST_CASE("definitions among the options become lines before the source", "[program]") {
  CHECK(parts_of({"-DA", "-DB=2", "-w", "-DC=", "-D", "D=a b", "-UB"}) ==
        std::pair(
            std::string("#undef A\n#define A 1\n#undef B\n#define B 2\n#undef C\n#define C \n#undef D\n#define D a b\n"
                        "#undef B\n"),
            words{"-w"}));
  CHECK(parts_of({"--define-macro=A=1", "--define-macro", "B", "--undefine-macro=A", "-define-macro=C", "-D E=5"}) ==
        std::pair(std::string("#undef A\n#define A 1\n#undef B\n#define B 1\n#undef A\n#undef C\n#define C 1\n"
                              "#undef E\n#define E 5\n"),
                  words{}));
  CHECK(parts_of({"-DF(a, b)=(a * b)"}) == std::pair(std::string("#undef F\n#define F(a, b) (a * b)\n"), words{}));
  // Several in one text are as good as several.
  for (const yoke::kernel_language& each : {cuda_language(), opencl_language()}) {
    CHECK(parts_of({"-DA=1 -D B=2", "-DC -w"}, each, {"-DA=1", "-D B=2", "-DC", "-w"}) ==
          std::pair(std::string("#undef A\n#define A 1\n#undef B\n#define B 2\n#undef C\n#define C 1\n"), words{"-w"}));
  }
  CHECK(parts_of({"-w", "-DQ=\\\"a\\\""}, opencl_language()) == std::pair(std::string(), words{"-w", "-DQ=\\\"a\\\""}));
}

TEST_CASE("definitions that compilers ask for, or that are no lines, stay options", "[program]") {
  for (const char* const each :
       {"-DNDEBUG", "-D_GNU_SOURCE", "-D__CUDA_NO_HALF_OPERATORS__", "-U__FAST_MATH__", "-DA=/*", "-DA=1 // one",
        "-DA=1\\", "-D1=2", "-D", "-D=", "-DF(=1", "-U", "-dlto", "--device-debug", "--define-macros=A"}) {
    INFO(each);
    CHECK(parts_of({each}) == std::pair(std::string(), words{each}));
  }
  // A header that is read before the text may ask for any of them.
  for (const char* const each : {"--pre-include=mine.h", "-include=mine.h"}) {
    CHECK(parts_of({each, "-DA"}) == std::pair(std::string(), words{each, "-DA"}));
  }
}

YOKE_DEVICE_TEST_CASE("definitions among the options move no line, and are told as they were given", "[program]") {
  rig on(device);
  const auto e = failed_build(on, "\n\n#error \"third\"\n", {.options = {"-DA=1", "-DB"}, .name = "mine"});
  CHECK_THAT(e.log(), ContainsSubstring("mine:3") || ContainsSubstring("mine(3)"));
  CHECK_THAT(e.options(), ContainsSubstring("-DA=1 -DB"));
}

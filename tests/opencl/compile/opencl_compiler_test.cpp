// SPDX-License-Identifier: MIT
// The compiler object with default options: what they reach, and what stands above them.
#include <program/cache/cache_folder.hpp>
#include <program/compiling.hpp>
#include <support/devices/build_options.hpp>
#include <support/process/in_child.hpp>

#include <yoke/link.hpp>
#include <yoke/opencl/compile/compiler.hpp>

using namespace yoke_test;

namespace {

using words = std::vector<std::string>;

const std::string answer = "kernel void f(global int* out) { out[0] = ANSWER; }";

int answer_of(const ocl::context& context, const ocl::module& module) {
  const ocl::stream stream{context};
  std::vector<int> result(1);
  module.get_kernel<void(int*)>("f")(stream, {.grid = 1, .block = 1}, yoke::in_out(result));
  return result[0];
}

}  // namespace

TEST_CASE("default options of OpenCL's compiler object stand back behind the call's", "[opencl]") {
  const ocl::compiler fast{.options = {"-cl-fast-relaxed-math", "-D", "N=4", "-cl-std=CL2.0", "-I", "/a"}};
  CHECK(fast.options_for().options == words{"-cl-fast-relaxed-math", "-DN=4", "-cl-std=CL2.0", "-I /a"});
  CHECK(fast.options_for({.options = {"-DN=5", "-w"}}).options ==
        words{"-cl-fast-relaxed-math", "-cl-std=CL2.0", "-I /a", "-DN=5", "-w"});
  CHECK(fast.options_for({.options = {"-DN=4"}}).options ==
        words{"-cl-fast-relaxed-math", "-cl-std=CL2.0", "-I /a", "-DN=4"});
  // A field of the call says it, too.
  const auto with_standard = fast.options_for({.standard = "CL1.2"});
  CHECK(with_standard.options == words{"-cl-fast-relaxed-math", "-DN=4", "-I /a"});
  CHECK(with_standard.standard == "CL1.2");
  const auto exact = fast.options_for({.math = {.contract = false}});
  CHECK(exact.options == words{"-DN=4", "-cl-std=CL2.0", "-I /a"});
  CHECK(exact.math.contract == false);
  const auto rest = ocl::compiler{}.options_for({.options = {"-w"}, .name = "mine.cl", .header_digest = bytes_of("1")});
  CHECK(rest.options == words{"-w"});
  CHECK(rest.name == "mine.cl");
  CHECK(rest.header_digest == bytes_of("1"));
}

YOKE_OPENCL_TEST_CASE("default options reach the driver's compiler, those of a variable first", "[opencl]") {
  if (!in_child({{"YOKE_OPENCL_OPTIONS", "-DANSWER=1 -D_OUTSIDE"}})) return;
  rig on(device);  // definitions of ordinary names are in the text
  std::vector<std::string> given;
  record_options(on.driver, given);
  const ocl::compiler own{.options = {"-DANSWER=2", "-D_OWN"}};
  CHECK(answer_of(on.context, yoke::compile(on.context, answer)) == 1);
  CHECK(answer_of(on.context, own.compile(on.context, answer)) == 2);
  CHECK_THAT(given.back(), ContainsSubstring("-D_OUTSIDE -D_OWN"));
  CHECK_THAT(given.back(), !ContainsSubstring("ANSWER"));
  CHECK(answer_of(on.context, own.compile(on.context, answer, {.options = {"-DANSWER=3"}})) == 3);
  CHECK_THAT(given.back(), ContainsSubstring("-D_OUTSIDE -D_OWN"));
  // Other defaults are another program to a cache.
  const yoke::program_cache cache{{.enabled = false}, {}};
  const ocl::compiler other{.options = {"-DANSWER=4"}};
  for (int round = 0; round < 2; ++round) {
    CHECK(answer_of(on.context, own.compile(on.context, answer, {.cache = &cache})) == 2);
    CHECK(answer_of(on.context, other.compile(on.context, answer, {.cache = &cache})) == 4);
  }
  CHECK(cache.counters().compiled == 2);
  CHECK(cache.counters().from_memory == 2);
  // What is linked takes them as well.
  const auto part = ocl::compile_part(on.context, answer, {}, other.options_for());
  CHECK(answer_of(on.context, ocl::link(on.context, {part})) == 4);
  try {
    (void)own.compile(on.context, "nonsense");
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.options(), ContainsSubstring("-D_OUTSIDE -DANSWER=2 -D_OWN"));
  }
}

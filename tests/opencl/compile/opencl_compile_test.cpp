// SPDX-License-Identifier: MIT
// Compiling as OpenCL does it: options and standards in the driver's words, sources without the prelude.
#include <program/compiling.hpp>
#include <support/devices/build_options.hpp>

using namespace yoke_test;

YOKE_OPENCL_TEST_CASE("the language standard is always given", "[program]") {
  rig on(device);
  std::vector<std::string> given;
  record_options(on.driver, given);
  const std::string source = "kernel void f(global int* out) { out[0] = __OPENCL_C_VERSION__; }";
  CHECK(result_of(on, source) == 120);
  CHECK(result_of(on, source, {.standard = "CL1.1"}) == 110);
  CHECK(result_of(on, source, {.options = {"-cl-std=CL1.1"}}) == 110);
  REQUIRE(given.size() == 3);
  CHECK(given[0] == "-cl-std=CL1.2 -cl-kernel-arg-info");
  CHECK(given[1] == "-cl-std=CL1.1 -cl-kernel-arg-info");
  CHECK(given[2] == "-cl-std=CL1.1 -cl-kernel-arg-info");
}

YOKE_OPENCL_TEST_CASE("options, folders and the standard reach the compiler in its own words", "[program]") {
  rig on(device);
  std::string given;
  on.driver.replace<&abi::functions::build_program>(
      [&](abi::program, abi::uint, const abi::device*, const char* options, abi::program_callback, void*) {
        given = options;
        return abi::status{-11};
      });
  const auto options_of = [&](const yoke::compile_options& options) {
    (void)failed_build(on, "kernel void f() {}", options);
    return given;
  };
  CHECK(options_of({}) == "-cl-std=CL1.2 -cl-kernel-arg-info");
  CHECK(options_of({.options = {"-a -cl-std=CL2.0"}}) == "-a -cl-std=CL2.0 -cl-kernel-arg-info");
  CHECK(options_of({.options = {"-a", "-b"}, .include_folders = {"/x", "/y"}, .standard = "CL3.0"}) ==
        "-cl-std=CL3.0 -a -b -I /x -I /y -cl-kernel-arg-info");

  const std::size_t mark = on.driver.mark();
  const auto refused = [&](const yoke::compile_options& options) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                      [&] { (void)yoke::compile(on.context, "kernel void f() {}", options); });
  };
  CHECK_THAT(refused({.options = {"-cl-std=CL2.0"}, .standard = "CL1.2"}),
             ContainsSubstring("option \"-cl-std=CL2.0\" names a second standard, after \"CL1.2\""));
  CHECK_THAT(refused({.options = {"-cl-std=CL2.0", "-cl-std=CL1.2"}}),
             ContainsSubstring("option \"-cl-std=CL1.2\" names a second standard, after \"-cl-std=CL2.0\""));
  CHECK_THAT(refused({.options = {"-a -cl-std=CL2.0"}, .standard = "CL3.0"}), ContainsSubstring("after \"CL3.0\""));
  CHECK_THAT(refused({.include_folders = {"/a\nb"}}), ContainsSubstring("include folder \"/a"));
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_OPENCL_TEST_CASE("the prelude goes before portable sources only", "[program]") {
  rig on(device);
  CHECK(result_of(on, "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = YOKE_BACKEND_OPENCL; }") == 1);
  CHECK(result_of(on, R"(
    #ifdef YOKE_KERNEL_
    #endif
    kernel void f(global int* out) {
    #ifdef YOKE_GLOBAL
      out[0] = 1;
    #else
      out[0] = 2;
    #endif
    })",
                  {.language = yoke::source_language::native}) == 2);
  CHECK_FALSE(failed_build(on, "YOKE_KERNEL f(YOKE_GLOBAL int* out) {}", {.language = yoke::source_language::native})
                  .log()
                  .empty());
}

YOKE_OPENCL_TEST_CASE("an option that the driver refuses is a build error, too", "[program]") {
  rig on(device);
  on.driver.fail_function("build_program", 1, fault_mode::once, -43);  // and then has no log either
  const auto e = failed_build(on, "kernel void f() {}", {.options = {"--no-such-option"}});
  CHECK(e.code() == std::error_code(-43, ocl::error_category()));
  CHECK_THAT(e.options(), ContainsSubstring("--no-such-option"));
  CHECK(on.live().empty());
}

YOKE_OPENCL_TEST_CASE("a build error carries OpenCL's options", "[program]") {
  rig on(device);
  const std::string source = "YOKE_KERNEL f(YOKE_GLOBAL int* out) {\n  out[0] = 1;\n  out[1] = undeclared_thing;\n}\n";
  const auto e = failed_build(on, source, {.options = {"-DGIVEN=1"}, .name = "broken.cl"});
  CHECK(e.code() == yoke::errc::build_failed);
  CHECK(std::string(e.call()) == "clBuildProgram");
  // The line is the user's, whatever the prelude put before it.
  CHECK_THAT(e.log(), ContainsSubstring("undeclared_thing") && ContainsSubstring("3"));
  CHECK_THAT(e.log(), ContainsSubstring("broken.cl:3") || ContainsSubstring("broken.cl(3"));
  CHECK(e.options() == "-DGIVEN=1 -cl-std=CL1.2 -cl-kernel-arg-info");
  CHECK(e.source() == source);
  CHECK_THAT(e.command_line(), ContainsSubstring(e.options()) && ContainsSubstring("broken.cl"));
  CHECK_THAT(e.what(), ContainsSubstring("building broken.cl with options \"-DGIVEN=1 -cl-std=CL1.2") &&
                           ContainsSubstring("undeclared_thing") && ContainsSubstring("compile_test.cpp:"));
  const yoke::compile_error copy = e;
  CHECK(copy.log() == e.log());
}

YOKE_OPENCL_TEST_CASE("CUDA C++ that does not compile gets a hint that names the dialect", "[program]") {
  rig on(device);
  const auto cuda = failed_build(on, "// a kernel\n__global__ void f(int* a) { a[threadIdx.x] = 1; }");
  CHECK_THAT(cuda.what(),
             ContainsSubstring("kernel.cl:2 says __global__, a word of CUDA C++: OpenCL takes OpenCL C, and "
                               "every backend takes yoke's dialect, with YOKE_KERNEL and get_global_id(0)"));
  const auto index = failed_build(on, "kernel void f(global int* a) {\n  a[blockIdx.x] = 1;\n}");
  CHECK_THAT(index.what(), ContainsSubstring("kernel.cl:2 says blockIdx, a word of CUDA C++"));
  const auto own = failed_build(on, "kernel void f(global int* a) { a[0] = missing; } // threadIdx");
  CHECK_THAT(own.what(), !ContainsSubstring("CUDA"));
}

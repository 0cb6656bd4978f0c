// SPDX-License-Identifier: MIT
// The simulator's NVRTC: programs, logs with the user's lines, names, and the order in which things may be asked.
#include <algorithm>
#include <cuda_simulator/driver.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;

TEST_CASE("compile errors give the log with the user's lines") {
  const compiled_text bad = compile_by_nvrtc("extern \"C\" __global__ void k() {\n  int a = undeclared;\n}\n");
  CHECK(bad.status == cuda_abi::nvrtc_error_compilation);
  CHECK_THAT(bad.log, ContainsSubstring("user.cu(2)") && ContainsSubstring("undeclared"));
}

TEST_CASE("unknown options are refused") {
  const compiled_text bad = compile_by_nvrtc("__global__ void k() {}", {"--no-such-option"});
  CHECK(bad.status == cuda_abi::nvrtc_error_invalid_option);
  CHECK_THAT(bad.log, ContainsSubstring("--no-such-option"));
}

TEST_CASE("name expressions have lowered names, and those are the kernels'") {
  const compiled_text made = compile_by_nvrtc(
      "template <class T> __global__ void fill(T* out, T value) { *out = value; }", {}, {"fill<float>", "fill<int>"});
  REQUIRE(made.status == cuda_abi::nvrtc_success);
  CHECK(made.lowered.at("fill<float>") != made.lowered.at("fill<int>"));
  cuda_abi::library library = nullptr;
  ok(driver().library_load_data(&library, made.image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  cuda_abi::kernel kernel = nullptr;
  CHECK(driver().library_get_kernel(&kernel, library, made.lowered.at("fill<int>").c_str()) == cuda_abi::success);
  ok(driver().library_unload(library));
}

TEST_CASE("headers come by name") {
  const primary_context context;
  const char* texts[] = {"#define ANSWER 42\n"};
  const char* names[] = {"answer.h"};
  cuda_abi::nvrtc_program program = nullptr;
  ok(nvrtc().create_program(&program, "#include \"answer.h\"\nextern \"C\" __global__ void k(int* a) { *a = ANSWER; }",
                            nullptr, 1, texts, names));
  CHECK(nvrtc().compile_program(program, 0, nullptr) == cuda_abi::nvrtc_success);
  std::size_t ptx = 0, cubin = 0, ltoir = 1;
  CHECK(nvrtc().get_ptx_size(program, &ptx) == cuda_abi::nvrtc_success);
  CHECK(nvrtc().get_cubin_size(program, &cubin) == cuda_abi::nvrtc_success);
  std::string as_ptx(ptx, '\0'), as_cubin(cubin, '\0');
  CHECK(nvrtc().get_ptx(program, as_ptx.data()) == cuda_abi::nvrtc_success);
  CHECK(nvrtc().get_cubin(program, as_cubin.data()) == cuda_abi::nvrtc_success);
  // Both run; only PTX tells of parameters.
  CHECK_THAT(as_cubin, EndsWith("\n// kernels\nk\n"));
  CHECK_THAT(as_ptx, EndsWith("\n// kernels\nk\n\n// as PTX\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n"));
  for (const std::string& image : {as_ptx, as_cubin}) {
    cuda_abi::library loaded = nullptr;
    cuda_abi::kernel kernel = nullptr;
    ok(driver().library_load_data(&loaded, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(driver().library_get_kernel(&kernel, loaded, "k") == cuda_abi::success);
    ok(driver().library_unload(loaded));
  }
  CHECK(nvrtc().get_ltoir_size(program, &ltoir) == cuda_abi::nvrtc_success);
  CHECK(ltoir == 0);
  CHECK(nvrtc().get_ltoir(program, as_ptx.data()) == cuda_abi::nvrtc_error_invalid_program);
  ok(nvrtc().destroy_program(&program));
}

TEST_CASE("what comes too early or too late is refused") {
  cuda_abi::nvrtc_program program = nullptr;
  ok(nvrtc().create_program(&program, "__global__ void k() {}", "k.cu", 0, nullptr, nullptr));
  const char* lowered = nullptr;
  std::size_t bytes = 0;
  CHECK(nvrtc().get_lowered_name(program, "k", &lowered) == cuda_abi::nvrtc_error_no_lowered_names_before_compilation);
  CHECK(nvrtc().get_cubin_size(program, &bytes) == cuda_abi::nvrtc_error_invalid_program);
  CHECK(nvrtc().get_program_log_size(program, &bytes) == cuda_abi::nvrtc_success);
  CHECK(bytes == 1);
  CHECK(nvrtc().add_name_expression(program, "k") == cuda_abi::nvrtc_success);
  CHECK(nvrtc().compile_program(program, 0, nullptr) == cuda_abi::nvrtc_success);
  CHECK(nvrtc().add_name_expression(program, "k") == cuda_abi::nvrtc_error_no_name_expressions_after_compilation);
  CHECK(nvrtc().get_lowered_name(program, "other", &lowered) == cuda_abi::nvrtc_error_name_expression_not_valid);
  CHECK(nvrtc().get_lowered_name(program, "k", &lowered) == cuda_abi::nvrtc_success);
  CHECK(nvrtc().create_program(nullptr, "", nullptr, 0, nullptr, nullptr) == cuda_abi::nvrtc_error_invalid_input);
  cuda_abi::nvrtc_program gone = program;
  CHECK(nvrtc().destroy_program(&program) == cuda_abi::nvrtc_success);
  CHECK(program == nullptr);
  CHECK(nvrtc().destroy_program(&gone) == cuda_abi::nvrtc_error_invalid_program);
}

TEST_CASE("the toolkit names its architectures") {
  int count = 0;
  CHECK(nvrtc().get_num_supported_archs(&count) == cuda_abi::nvrtc_success);
  std::vector<int> archs(static_cast<std::size_t>(count));
  CHECK(nvrtc().get_supported_archs(archs.data()) == cuda_abi::nvrtc_success);
  CHECK(archs == std::vector<int>{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121});
}

TEST_CASE("a temporary folder that cannot be used is named in the log") {
  const std::string name = "a temporary folder that cannot be used is named in the log";
  if (is_child(name)) {
    const compiled_text bad = compile_by_nvrtc("__global__ void k() {}");
    CHECK(bad.status == cuda_abi::nvrtc_error_internal_error);
    CHECK_THAT(bad.log,
               ContainsSubstring("no folder can be made in /nonexistent/folder, the value of TMPDIR: No such"));
    return;
  }
  const child_result child = run_child(name, {{"TMPDIR", "/nonexistent/folder"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

// SPDX-License-Identifier: MIT
// Sources compiled apart, with headers that are texts, and linked into modules and libraries.
#include <program/linked_sources.hpp>
#include <support/devices/background.hpp>
#include <support/process/temporary_folder.hpp>
#include <support/rig.hpp>

#include <yoke/cache.hpp>
#include <yoke/link.hpp>
#include <yoke/opencl/compile/link.hpp>

#include <array>
#include <sstream>

using namespace yoke_test;
using yoke::errc;

namespace {

const std::vector<ocl::embedded_header> headers = linked_headers();

ocl::compiled_program helper_part(const ocl::context& context, const char* factor = "") {
  return ocl::compile_part(context, opencl_helper, {}, {.defines = {{"FACTOR", factor}}, .name = "helper.cl"});
}

}  // namespace

YOKE_OPENCL_TEST_CASE("sources are compiled apart, with headers that are texts, and linked", "[program]") {
  const ocl::context context{device};
  const ocl::compiled_program caller = ocl::compile_part(context, opencl_caller, headers);
  const ocl::compiled_program helper = helper_part(context);
  const ocl::module module = ocl::link(context, {caller, helper});
  CHECK(called(context, module) == std::vector<int>{103, 106, 109});
  // The parts are linked again with others.
  const ocl::compiled_program other = helper_part(context, "+ 1");
  CHECK(called(context, ocl::link(context, {caller, other})) == std::vector<int>{104, 107, 110});
}

YOKE_OPENCL_TEST_CASE("a library is linked into a module", "[program]") {
  const ocl::context context{device};
  const ocl::compiled_program helper = helper_part(context);
  const ocl::program_library library = ocl::link_library(context, {helper});
  CHECK(static_cast<bool>(library));
  CHECK(library.context_of().native_handle() == context.native_handle());
  const ocl::compiled_program caller = ocl::compile_part(context, opencl_caller, headers);
  CHECK(called(context, ocl::link(context, {caller, library})) == std::vector<int>{103, 106, 109});
}

namespace {

constexpr const char* checked_source = R"(
  float helper(float a);
  kernel void scale(global float* y, global const float* x, local float* tile, float4 by, uint n) {
    size_t i = get_global_id(0);
    tile[get_local_id(0)] = by.x;
    if (i < n) y[i] = helper(x[i]) * tile[get_local_id(0)];
  })";
constexpr const char* checked_helper =
    "float helper(float a); float helper(float a) { return a + 1; }\n"
    "kernel void other(global double_or_int* a) { a[0] = 1; }";

using scale_signature = void(float*, const float*, yoke::local<float>, yoke::float4, unsigned);

/// Effects: checks that the kernels of a module of these two are compared by what one that is compiled at once is.
void check_signatures(const ocl::module& module, yoke::signature_check as) {
  CHECK(module.get_kernel<scale_signature>("scale").checked() == as);
  CHECK(module.get_kernel<void(int*)>("other").checked() == as);
  const std::string difference = refusal<yoke::logic_error>(errc::signature_mismatch, [&] {
    (void)module.get_kernel<void(float*, const float*, yoke::local<float>, yoke::float4, int)>("scale");
  });
  CHECK_THAT(difference,
             ContainsSubstring("kernel scale is void(float*, const float*, local<float>, float4, uint), asked "
                               "for as void(float*, const float*, local<float>, float4, int): parameter 5 "
                               "(n) is uint, not int"));
  CHECK_THAT(
      refusal<yoke::logic_error>(errc::signature_mismatch, [&] { (void)module.get_kernel<void(float*)>("other"); }),
      ContainsSubstring("kernel other is void(int*), asked for as void(float*): parameter 1 (a) is int*"));
}

}  // namespace

YOKE_OPENCL_TEST_CASE("kernels of linked programs are compared by names, as those of compiled ones", "[program]") {
  const ocl::context context{device};
  const yoke::compile_options with_type{.defines = {{"double_or_int", "int"}}, .name = "helper.cl"};
  const ocl::compiled_program caller = ocl::compile_part(context, checked_source, {}, {.name = "scale.cl"});
  const ocl::compiled_program helper = ocl::compile_part(context, checked_helper, {}, with_type);
  const auto compiled = yoke::compile(context, std::string(checked_helper) + checked_source, with_type)
                            .get_kernel<scale_signature>("scale");
  REQUIRE(compiled.checked() == yoke::signature_check::names);

  const ocl::module linked = ocl::link(context, {caller, helper});
  check_signatures(linked, yoke::signature_check::names);
  // What was linked before it was linked again is the module: it runs.
  const ocl::stream stream{context};
  std::vector<float> y(2);
  const std::vector<float> x{1, 2};
  linked.get_kernel<scale_signature>("scale")(stream, {.grid = 1, .block = 2}, yoke::out(y), yoke::in(x),
                                              yoke::local<float>(2), yoke::float4{3, 0, 0, 0}, 2);
  CHECK(y == std::vector<float>{6, 9});

  check_signatures(ocl::link(context, {ocl::compiled_program::borrow(context, caller.native_handle()), helper}),
                   yoke::signature_check::names);

  const ocl::program_library library = ocl::link_library(context, {helper});
  const ocl::module with_library = ocl::link(context, {caller, library});
  if (is_intel_cpu(device)) {
    CHECK(with_library.get_kernel<void(int*)>("other").checked() == yoke::signature_check::sizes);
    YOKE_SKIP("the driver does not describe the kernels of libraries");
  }
  check_signatures(with_library, yoke::signature_check::names);
  const ocl::program_library both = ocl::link_library(context, {caller, helper});
  check_signatures(ocl::link(context, {both}), yoke::signature_check::names);
  check_signatures(yoke::load(context, linked.export_binary()), yoke::signature_check::names);
}

YOKE_OPENCL_TEST_CASE("a linker that describes no kernels is asked once more, and what it refuses is not needed",
                      "[program]") {
  rig on(device);
  const ocl::compiled_program helper = helper_part(on.context);
  const ocl::compiled_program caller = ocl::compile_part(on.context, opencl_caller, headers);
  std::vector<std::string> linked;
  bool takes_flag = true;
  on.driver.replace<&abi::functions::link_program>(
      [&](abi::context context, abi::uint count, const abi::device* devices, const char* options, abi::uint inputs,
          const abi::program* programs, abi::program_callback call, void* data, abi::status* status) -> abi::program {
        linked.emplace_back(options);
        if (!takes_flag && *options != '\0') {
          *status = -67;  // CL_INVALID_LINKER_OPTIONS
          return nullptr;
        }
        return on.driver.real().link_program(context, count, devices, options, inputs, programs, call, data, status);
      });
  bool describes = false;
  on.driver.replace<&abi::functions::get_kernel_arg_info>(
      [&](abi::kernel kernel, abi::uint index, abi::uint what, std::size_t size, void* value, std::size_t* needed) {
        if (!describes) return -19;  // CL_KERNEL_ARG_INFO_NOT_AVAILABLE
        return on.driver.real().get_kernel_arg_info(kernel, index, what, size, value, needed);
      });
  for (const bool takes : {true, false}) {
    linked.clear();
    takes_flag = takes;
    const ocl::module module = ocl::link(on.context, {caller, helper});
    CHECK(linked == std::vector<std::string>{"", "-cl-kernel-arg-info"});
    CHECK(module.get_kernel<void(int*)>("call").checked() == yoke::signature_check::sizes);
    CHECK(called(on.context, module) == std::vector<int>{103, 106, 109});
  }
  // The library is not asked: it has no kernels.
  linked.clear();
  takes_flag = true;
  (void)ocl::link_library(on.context, {helper});
  CHECK(linked == std::vector<std::string>{"-create-library"});
  describes = true;
  linked.clear();
  const ocl::module module = ocl::link(on.context, {caller, helper});
  CHECK(linked.size() <= 2);
  CHECK(module.get_kernel<void(int*)>("call").checked() == yoke::signature_check::names);
}

YOKE_OPENCL_TEST_CASE("a link asks one question of what its kernels take, however many there are", "[program]") {
  rig on(device);
  // NVIDIA (580.159) links no program that has a kernel without parameters.
  const bool is_nvidia = device.summary().platform.find("NVIDIA") != std::string::npos;
  const std::string idle = is_nvidia ? "" : "kernel void idle() {}\n";
  const ocl::compiled_program first = ocl::compile_part(
      on.context, idle + "kernel void one(global int* a, int b, float c) { a[b] = (int)c; }", {}, {.name = "first.cl"});
  const ocl::compiled_program second = ocl::compile_part(
      on.context, "kernel void two(global int* a, int b) { a[b] = 0; }\nkernel void three(global int* a) { a[0] = 1; }",
      {}, {.name = "second.cl"});
  int links = 0;
  int asked = 0;
  on.driver.replace<&abi::functions::link_program>(
      [&](abi::context context, abi::uint count, const abi::device* devices, const char* options, abi::uint inputs,
          const abi::program* programs, abi::program_callback call, void* data, abi::status* status) -> abi::program {
        ++links;
        return on.driver.real().link_program(context, count, devices, options, inputs, programs, call, data, status);
      });
  on.driver.replace<&abi::functions::get_kernel_arg_info>(
      [&](abi::kernel kernel, abi::uint index, abi::uint what, std::size_t size, void* value, std::size_t* needed) {
        ++asked;
        return on.driver.real().get_kernel_arg_info(kernel, index, what, size, value, needed);
      });
  const ocl::module module = ocl::link(on.context, {first, second});
  CHECK(asked == links);
  CHECK(links <= 2);
  // What nobody has asked for is asked now.
  CHECK(module.get_kernel<void(int*, int, float)>("one").checked() == yoke::signature_check::names);
  CHECK(module.get_kernel<void(int*, int)>("two").checked() == yoke::signature_check::names);
  CHECK(asked > links);
}

YOKE_OPENCL_TEST_CASE("the compiler and the linker get options, headers and programs", "[program]") {
  rig on(device);
  std::string compiled;
  std::vector<std::string> names;
  on.driver.replace<&abi::functions::compile_program>(
      [&](abi::program program, abi::uint count, const abi::device* devices, const char* options,
          abi::uint header_count, const abi::program* programs, const char** header_names, abi::program_callback call,
          void* data) {
        compiled = options;
        names.assign(header_names, header_names + header_count);
        return on.driver.real().compile_program(program, count, devices, options, header_count, programs, header_names,
                                                call, data);
      });
  std::string linked;
  abi::uint parts = 0;
  on.driver.replace<&abi::functions::link_program>(
      [&](abi::context context, abi::uint count, const abi::device* devices, const char* options, abi::uint inputs,
          const abi::program* programs, abi::program_callback call, void* data, abi::status* status) {
        linked = options;
        parts = inputs;
        return on.driver.real().link_program(context, count, devices, options, inputs, programs, call, data, status);
      });
  const ocl::compiled_program caller =
      ocl::compile_part(on.context, opencl_caller, headers, {.options = {"-D_UNUSED=1"}});
  CHECK_THAT(compiled, ContainsSubstring("-cl-std=CL1.2") && ContainsSubstring("-D_UNUSED=1"));
  CHECK(names == std::vector<std::string>{"helper.h", "inner/step.h"});
  const ocl::compiled_program helper = helper_part(on.context);
  CHECK(names.empty());
  (void)ocl::link_library(on.context, {helper});
  CHECK(linked == "-create-library");
  try {
    (void)ocl::link(on.context, {caller, helper}, {"-cl-denorms-are-zero"});
  } catch (const yoke::compile_error& e) {  // PoCL 3.1 takes options for libraries alone
    CHECK(e.options() == "-cl-denorms-are-zero");
    CHECK_THAT(e.what(), ContainsSubstring("linking 2 programs, \"kernel.cl\", \"helper.cl\", with options "
                                           "\"-cl-denorms-are-zero\""));
  }
  CHECK_THAT(linked, ContainsSubstring("-cl-denorms-are-zero"));
  CHECK(parts == 2);
}

YOKE_OPENCL_TEST_CASE("a part that does not compile says where and why", "[program]") {
  const ocl::context context{device};
  try {
    (void)ocl::compile_part(context, "#include \"a.h\"\nkernel void f(global int* a) {\n  a[0] = nothing_there;\n}\n",
                            std::array<ocl::embedded_header, 1>{{{"a.h", "int g(int);\n"}}}, {.name = "part.cl"});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK(e.code() == errc::build_failed);
    CHECK_THAT(e.log(), ContainsSubstring("nothing_there") && ContainsSubstring("part.cl:3"));
    CHECK_THAT(e.what(), ContainsSubstring("compiling part.cl with options"));
    CHECK_THAT(e.source(), ContainsSubstring("a[0]"));
  }
}

YOKE_OPENCL_TEST_CASE("an error in a header names the header as the source includes it", "[program]") {
  const ocl::context context{device};
  const auto log_of = [&](const std::vector<ocl::embedded_header>& some, const yoke::compile_options& options = {}) {
    try {
      (void)ocl::compile_part(context, "#include \"helper.h\"\nkernel void f(global int* a) {}\n", some, options);
    } catch (const yoke::compile_error& e) {
      CHECK_THAT(e.what(), ContainsSubstring(e.log()));
      return e.log();
    }
    FAIL_CHECK("compiled");
    return std::string();
  };
  const std::string log = log_of({{"helper.h", "#include \"inner/step.h\"\n\nint helper(nothing_there a);\n"},
                                  {"inner/step.h", "int step(missing_too a);\n"},
                                  {"step.h", ""}});
  INFO(log);
  // Oclgrind 21.10 calls all there is "input.cl".
  if (is_oclgrind(device)) YOKE_SKIP("the driver calls every file the same");
  std::istringstream lines(log);
  int found = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("nothing_there") != std::string::npos && line.find(".h:3") != std::string::npos) {
      ++found;
      CHECK_THAT(" " + line, ContainsSubstring(" helper.h:3:") && !ContainsSubstring("/helper.h"));
    }
    if (line.find("missing_too") != std::string::npos && line.find(".h:1") != std::string::npos) {
      ++found;
      CHECK_THAT(" " + line, ContainsSubstring(" inner/step.h:1:") && !ContainsSubstring("/inner"));
    }
  }
  CHECK(found == 2);
  // A file of the user's keeps its path.
  const temporary_folder folder;
  (void)folder.put("helper.h", std::as_bytes(std::span(std::string_view("int helper(nothing_there a);\n"))));
  CHECK_THAT(log_of({{"other/helper.h", ""}}, {.include_folders = {folder.path().string()}}),
             ContainsSubstring(folder.path().string() + "/helper.h:1"));
}

YOKE_OPENCL_TEST_CASE("a driver's way to a header is left out of its messages, a user's folder is not", "[program]") {
  rig on(device);
  const std::vector<ocl::embedded_header> own{{"helper.h", "\n"}, {"inner/step.h", "\n"}};
  const auto log_of = [&](const std::string& log, const yoke::compile_options& options = {}) {
    on.driver.replace<&abi::functions::get_program_build_info>(
        [&log](abi::program, abi::device, abi::uint, std::size_t bytes, void* out, std::size_t* size) {
          if (size != nullptr) *size = log.size() + 1;
          if (out != nullptr) std::copy_n(log.c_str(), std::min(bytes, log.size() + 1), static_cast<char*>(out));
          return abi::status{0};
        });
    try {
      (void)ocl::compile_part(on.context, "#include \"helper.h\"\nkernel void f(global nothing* a) {}\n", own, options);
    } catch (const yoke::compile_error& e) {
      return e.log();
    }
    FAIL_CHECK("compiled");
    return std::string();
  };
  // Intel's CPU runtime.
  CHECK_THAT(log_of("In file included from ./helper.h:1:\n./inner/step.h:1:10: error: it\n"),
             StartsWith("In file included from helper.h:1:\ninner/step.h:1:10: error: it"));
  // PoCL 3.1.
  CHECK_THAT(log_of("/tmp/pocl/u1/inner/step.h:1:10: error: it\n"), StartsWith("inner/step.h:1:10: error: it"));
  CHECK_THAT(log_of("./helper.h:1:2: error: it\n", {.include_folders = {"."}}), StartsWith("./helper.h:1:2"));
  CHECK_THAT(log_of("sub/helper.h:1:2: error: it\n"), StartsWith("sub/helper.h:1:2"));
}

YOKE_OPENCL_TEST_CASE("a link without a function that is used is an error", "[program]") {
  // Oclgrind 21.10 finds out when the kernel calls it.
  if (is_oclgrind(device)) YOKE_SKIP("the driver links what is missing");
  const ocl::context context{device};
  const ocl::compiled_program caller = ocl::compile_part(context, opencl_caller, headers);
  const ocl::compiled_program other =
      ocl::compile_part(context, "int unused(int a); int unused(int a) { return a; }", {}, {.name = "other.cl"});
  CHECK(other.name() == "\"other.cl\"");
  const auto message_of = [&](std::initializer_list<ocl::linkable> parts) {
    try {
      (void)ocl::link(context, parts);
    } catch (const yoke::compile_error& e) {
      return std::string(e.what());
    }
    FAIL_CHECK("linked");
    return std::string();
  };
  CHECK_THAT(message_of({caller}), ContainsSubstring("linking 1 programs, \"kernel.cl\", with options"));
  CHECK_THAT(message_of({caller, other}), ContainsSubstring("linking 2 programs, \"kernel.cl\", \"other.cl\", with"));
  const ocl::program_library library = ocl::link_library(context, {other});
  CHECK(library.name() == "library of \"other.cl\"");
  const auto native = ocl::compiled_program::borrow(context, caller.native_handle());
  CHECK(native.name().empty());
  CHECK_THAT(message_of({library, native}),
             ContainsSubstring("linking 2 programs, library of \"other.cl\", program 1, with"));
}

YOKE_OPENCL_TEST_CASE("what cannot be compiled apart or linked is refused", "[program]") {
  const ocl::context context{device};
  const auto refused = [&](errc condition, auto&& act) { return refusal<yoke::logic_error>(condition, act); };
  const auto with_headers = [&](std::vector<ocl::embedded_header> some) {
    return refused(errc::invalid_argument, [&] { (void)ocl::compile_part(context, "", some); });
  };
  CHECK_THAT(with_headers({{"", "text"}}), ContainsSubstring("header 0 has no name"));
  for (const char* name : {"/a.h", "../a.h", "a/../../b.h", "..", "a\nb.h", "a\"b.h"}) {
    INFO(name);
    CHECK_THAT(with_headers({{name, ""}}), ContainsSubstring("leads out of its folder"));
  }
  CHECK_THAT(with_headers({{"a.h", ""}, {"a.h", ""}}), ContainsSubstring("\"a.h\" is given twice"));
  CHECK_THAT(with_headers({{"a.h", std::string("a\0b", 3)}}), ContainsSubstring("\"a.h\" has a zero character"));
  const yoke::program_cache cache{{.folder = "/nowhere"}, {}};
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)ocl::compile_part(context, "", {}, {.cache = &cache}); }),
             ContainsSubstring("a cache keeps whole programs"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)ocl::compile_part(context, "", {}, {.keep = "/tmp"}); }),
             ContainsSubstring("kept in no folder"));
  const ocl::compiled_program helper = helper_part(context);
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)ocl::link(context, std::span<const ocl::linkable>{}); }),
             ContainsSubstring("nothing to link"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)ocl::link(context, {helper}, {""}); }),
             ContainsSubstring("link option \"\" is blank"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)ocl::link(context, {helper}, {"-create-library"}); }),
             ContainsSubstring("link_library gives it"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)ocl::link(context, {helper}, {"a\nb"}); }),
             ContainsSubstring("has a line end"));
  CHECK_THAT(refused(errc::empty_handle, [&] { (void)ocl::link(context, {ocl::compiled_program{}}); }),
             ContainsSubstring("empty"));
  const ocl::context other{device};
  CHECK_THAT(refused(errc::wrong_context, [&] { (void)ocl::link(other, {helper}); }),
             ContainsSubstring("program 0 to link, \"helper.cl\", is of another context"));
  CHECK_THROWS_AS(ocl::compiled_program::adopt(context, nullptr), yoke::logic_error);
  CHECK_THROWS_AS(ocl::compiled_program::borrow(other, helper.native_handle()), yoke::logic_error);
}

YOKE_OPENCL_TEST_CASE("parts have the verbs of handles", "[program]") {
  rig on(device);
  {
    ocl::compiled_program helper = helper_part(on.context);
    const abi::program native = helper.native_handle();
    const ocl::compiled_program borrowed = ocl::compiled_program::borrow(on.context, native);
    CHECK(borrowed.native_handle() == native);
    ocl::compiled_program moved = std::move(helper);
    CHECK_FALSE(static_cast<bool>(helper));  // NOLINT: it is empty
    CHECK_THROWS_AS(helper.context_of(), yoke::logic_error);
    const ocl::compiled_program again = ocl::compiled_program::adopt(on.context, moved.release());
    CHECK(again.native_handle() == native);
  }
  CHECK(on.driver.bad_releases().empty());
  for (const std::string& each : on.driver.live()) CHECK_THAT(each, !ContainsSubstring("program"));
}

YOKE_OPENCL_TEST_CASE("a driver without separate compilation is an unsupported_error", "[program]") {
  abi::functions table = *device.port().table();
  table.compile_program = nullptr;
  table.link_program = nullptr;
  const auto old = ocl::device::borrow(ocl::port{&table}, device.native_handle());
  const ocl::context context{old};
  CHECK_THAT(refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)helper_part(context); }),
             ContainsSubstring("clCompileProgram"));
}

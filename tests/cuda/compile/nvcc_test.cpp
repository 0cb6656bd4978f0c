// SPDX-License-Identifier: MIT
// PTX, cubins and LTO-IR without a device, by NVRTC and by nvcc, and what nvcc's failures say.
#include <cuda/cuda_rig.hpp>
#include <program/cache/cache_folder.hpp>
#include <support/process/child.hpp>
#include <support/process/without_driver.hpp>

#include <yoke/cuda/compile/link.hpp>
#include <yoke/cuda/compile/nvcc.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/struct.hpp>

#include <csignal>
#include <cstring>

using namespace yoke_test;
using cu::image_kind;
using yoke::errc;

namespace {

constexpr const char* source = R"(
extern "C" __global__ void put(int* a, int b) { a[0] = b; }
template <class T> __global__ void twice(T* a) { a[0] *= 2; }
template __global__ void twice<float>(float*);
)";

std::string text_of(const cu::compiled_image& image) {
  return {reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()};
}

/// Effects: compares an image with what its kind looks like, and with the names in it.
void check_image(const cu::compiled_image& image, image_kind kind, const char* architecture) {
  const std::string text = text_of(image);
  CHECK(image.kind == kind);
  REQUIRE(text.size() > 100);
  if (kind == image_kind::ptx) {
    CHECK_THAT(text, ContainsSubstring(".version ") && ContainsSubstring(std::string(".target ") + architecture));
    CHECK_THAT(text, ContainsSubstring(".visible .entry put("));
    CHECK_THAT(text, ContainsSubstring(".entry _Z5twiceIfEvPT_("));
    CHECK(text.find('\0') == std::string::npos);
  } else if (kind == image_kind::cubin) {
    CHECK(
        text.starts_with("\x7F"
                         "ELF\x02"));
    CHECK(static_cast<unsigned char>(text[18]) == 190);  // the machine is CUDA's
    CHECK_THAT(text, ContainsSubstring(".text.put") && ContainsSubstring(".text._Z5twiceIfEvPT_"));
  } else {
    CHECK(text.starts_with("\xED\x43\x4E\x7F"));
  }
}

/// Returns: the flags of a cubin, which hold its real architecture.
std::uint32_t architecture_of(const cu::compiled_image& image) {
  std::uint32_t flags = 0;
  REQUIRE(image.bytes.size() > 64);
  std::memcpy(&flags, image.bytes.data() + 48, sizeof flags);  // e_flags of an ELF file
  return flags;
}

/// A program that says what the text tells, in nvcc's place.
struct false_nvcc {
  explicit false_nvcc(const std::string& script) {
    write_file(folder / "nvcc", "#!/bin/sh\n" + script);
    ::chmod((folder / "nvcc").c_str(), 0700);
  }
  [[nodiscard]] cu::nvcc compiler() const { return {.path = folder / "nvcc"}; }
  scratch_folder folder;
};

yoke::compile_error failed_nvcc(const cu::nvcc& compiler, std::string_view text,
                                const cu::compile_options& options = {}, image_kind kind = image_kind::ptx) {
  try {
    (void)compiler.compile_to(kind, text, options);
  } catch (const yoke::compile_error& e) {
    CHECK(e.code() == errc::build_failed);
    return e;
  }
  throw std::runtime_error("compiled");
}

std::string refused(const cu::nvcc& compiler, image_kind kind, const cu::compile_options& options,
                    std::string_view text = source) {
  return cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                         [&] { (void)compiler.compile_to(kind, text, options); });
}

bool no_nvcc() { return cu::nvcc{}.location().empty(); }

/// The script's words: where the output goes to, and the input is.
constexpr const char* find_output =
    R"(while [ $# -gt 0 ]; do if [ "$1" = -o ]; then output=$2; fi; input=$1; shift; done
)";

struct shared_cell {
  float weights[2][3];
  yoke::uchar8 flags;
  int id;
};

}  // namespace

YOKE_STRUCT(shared_cell, weights, flags, id);

TEST_CASE("nvcc makes PTX, cubins, fatbins and LTO-IR without a device", "[cuda]") {
  if (no_nvcc()) YOKE_SKIP("no nvcc is installed");
  const cu::nvcc compiler;
  check_image(compiler.compile_to(image_kind::ptx, source, {.architecture = "compute_90"}), image_kind::ptx, "sm_90");
  check_image(compiler.compile_to(image_kind::ptx, source, {.architecture = "sm_80"}), image_kind::ptx, "sm_80");
  const auto cubin = compiler.compile_to(image_kind::cubin, source, {.architecture = "sm_90"});
  check_image(cubin, image_kind::cubin, "");
  const auto apart = compiler.compile_to(
      image_kind::cubin,
      "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != 800\n#error another\n#endif\n" + std::string(source),
      {.architecture = "compute_80", .code = "sm_90"});
  check_image(apart, image_kind::cubin, "");
  CHECK(architecture_of(apart) == architecture_of(cubin));
  check_image(compiler.compile_to(image_kind::cubin, source, {.options = {"-arch=sm_90"}}), image_kind::cubin, "");
  check_image(compiler.compile_to(image_kind::lto, source, {.architecture = "sm_90"}), image_kind::lto, "");
  const auto fatbin = compiler.compile_to(image_kind::fatbin, source, {.architecture = "sm_90"});
  CHECK(text_of(fatbin).starts_with("\x50\xED\x55\xBA"));
  CHECK(compiler.compile_to(image_kind::ptx, source).bytes.size() > 100);
}

TEST_CASE("nvcc gets options, folders, defines and a standard", "[cuda]") {
  if (no_nvcc()) YOKE_SKIP("no nvcc is installed");
  const scratch_folder scratch;
  fs::create_directory(scratch / "some folder");
  write_file(scratch / "some folder/more.h", "#include <vector>\n#define MORE 40\n");  // a header of the host's
  const cu::nvcc compiler{.options = {"-D", "OBJECT=1", "-std=c++17"}};
  const auto image = compiler.compile_to(image_kind::ptx, R"(
    #include "more.h"
    static_assert(MORE == 40 && OBJECT == 1 && CALL == 2 && DEFINED == 3 && __cplusplus > 201703L);
    template <class T> concept anything = true;
    static_assert(TEXT[1] == ' ');
    extern "C" __global__ void named_as_written() {})",
                                         {.options = {"-DCALL=2"},
                                          .include_folders = {scratch / "some folder"},
                                          .defines = {{"DEFINED", 3}, {"TEXT", "\"' $x`\""}},
                                          .standard = "c++20"});
  CHECK_THAT(text_of(image), ContainsSubstring(".entry named_as_written("));
}

TEST_CASE("what nvcc refuses is told with command line and both streams", "[cuda]") {
  if (no_nvcc()) YOKE_SKIP("no nvcc is installed");
  const std::string broken = "__global__ void f(int* a) {\n  a[0] = nothing_there;\n}\n";
  const yoke::compile_error failure =
      failed_nvcc({}, broken, {.options = {"-DQ='a b'"}, .name = "folder/mine.cu", .architecture = "sm_90"});
  CHECK_THAT(failure.log(), ContainsSubstring("folder/mine.cu(2)") && ContainsSubstring("nothing_there"));
  CHECK_THAT(failure.standard_output() + failure.standard_error(), ContainsSubstring("nothing_there"));
  CHECK_THAT(failure.what(), ContainsSubstring("nothing_there") && ContainsSubstring("ended with status"));
  CHECK(failure.source() == broken);
  CHECK(failure.command_line().starts_with(cu::nvcc{}.location() + " --ptx --std=c++17 --gpu-architecture=sm_90 "));
  CHECK_THAT(failure.command_line(), ContainsSubstring(R"('-DQ='\''a b'\''' -x cu -o )"));
  CHECK_THAT(failure.options(), ContainsSubstring("--gpu-architecture=sm_90"));
}

TEST_CASE("a program in nvcc's place that fails is told with both streams", "[cuda]") {
  const false_nvcc fails("echo to the output; echo to the errors >&2; exit 3");
  const yoke::compile_error failure = failed_nvcc(fails.compiler(), source);
  CHECK(failure.standard_output() == "to the output\n");
  CHECK(failure.standard_error() == "to the errors\n");
  CHECK(failure.log() == "to the errors\nto the output\n");
  CHECK_THAT(failure.what(), ContainsSubstring("building kernel.cu failed: " + (fails.folder / "nvcc") +
                                               " ended with status 3; the command was "));
  const false_nvcc killed("echo before >&2; kill -9 $$");
  const yoke::compile_error gone = failed_nvcc(killed.compiler(), source);
  CHECK_THAT(gone.what(), ContainsSubstring("was killed by signal 9 (Killed)"));
  CHECK(gone.standard_error() == "before\n");
  const false_nvcc lazy("exit 0");
  CHECK_THAT(failed_nvcc(lazy.compiler(), source).what(), ContainsSubstring("ended well, but left no output"));
  const false_nvcc chatty(
      "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; "
      "echo 0123456789012345678901234567890123456789 >&2; i=$((i+1)); done; exit 1");
  const yoke::compile_error loud = failed_nvcc(chatty.compiler(), source);  // more than a pipe holds
  CHECK(loud.standard_output().size() == 3000 * 41);
  CHECK(loud.standard_error().size() == 3000 * 41);
}

TEST_CASE("what nvcc says names the source, not the file that nvcc got", "[cuda]") {
  const scratch_folder scratch;
  const std::string both = std::string(find_output) +
                           "echo \"reading $input, $input\"; "
                           "echo \"1 error detected in the compilation of \\\"$input\\\".\" >&2; ";
  const false_nvcc fails(both + "exit 1");
  for (const std::string& kept : {std::string(), scratch / "kept"}) {
    CAPTURE(kept);
    const yoke::compile_error failure = failed_nvcc(fails.compiler(), source, {.name = "folder/mine.cu", .keep = kept});
    CHECK(failure.log() ==
          "1 error detected in the compilation of \"folder/mine.cu\".\nreading folder/mine.cu, folder/mine.cu\n");
    CHECK_THAT(failure.what(), ContainsSubstring(":\n" + failure.log()));
    CHECK(failure.standard_output() == "reading folder/mine.cu, folder/mine.cu\n");
    CHECK(failure.standard_error() == "1 error detected in the compilation of \"folder/mine.cu\".\n");
    CHECK_THAT(failure.command_line(), ContainsSubstring("/compiled.cu"));
  }
  const false_nvcc warns(both + "cp \"$input\" \"$output\"");
  CHECK_THAT(warns.compiler().compile_to(image_kind::ptx, source).log, EndsWith("reading kernel.cu, kernel.cu\n"));
}

TEST_CASE("an nvcc that is not there is named with where it was looked for", "[cuda]") {
  const std::string name = current_test_name();
  const scratch_folder scratch;
  CHECK(cu::nvcc{.path = "/nowhere/nvcc"}.location().empty());
  CHECK_THAT(failed_nvcc({.path = "/nowhere/nvcc"}, source).what(),
             ContainsSubstring("\"/nowhere/nvcc\" is no program that can be run"));
  CHECK(failed_nvcc({.path = "/nowhere/nvcc"}, source).command_line().starts_with("/nowhere/nvcc --ptx "));
  CHECK_THAT(failed_nvcc({.path = scratch / ""}, source).what(), ContainsSubstring("is no program that can be run"));
  write_file(scratch / "broken",
             "\x7F"
             "ELF and no more");
  ::chmod((scratch / "broken").c_str(), 0700);
  CHECK_THAT(failed_nvcc({.path = scratch / "broken"}, source).what(), ContainsSubstring("cannot be run: "));
  if (!is_child(name)) {
    fs::create_directories(scratch / "cuda/bin");
    fs::create_directories(scratch / "path");
    for (const std::string& each : {scratch / "cuda/bin/nvcc", scratch / "path/nvcc"}) {
      write_file(each, "#!/bin/sh\n");
      ::chmod(each.c_str(), 0700);
    }
    const auto expect = [&](const std::string& path, const std::string& home, const std::string& expected) {
      const child_result child =
          run_child(name, {{"PATH", path}, {"CUDA_PATH", ""}, {"CUDA_HOME", home}, {"YOKE_TEST_EXPECTED", expected}});
      INFO(child.output);
      CHECK(child.status == 0);
    };
    expect("relative:" + (scratch / "path") + ":/nowhere", scratch / "cuda", scratch / "path/nvcc");
    expect("/nowhere", scratch / "cuda", scratch / "cuda/bin/nvcc");
    expect("", "", ::access("/usr/local/cuda/bin/nvcc", X_OK) == 0 ? "/usr/local/cuda/bin/nvcc" : "");
    return;
  }
  const std::string expected = std::getenv("YOKE_TEST_EXPECTED");
  CHECK(cu::nvcc{}.location() == expected);
  if (expected.empty()) {
    CHECK_THAT(failed_nvcc({}, source).what(), ContainsSubstring("nvcc is not in $PATH, $CUDA_PATH/bin"));
  }
}

TEST_CASE("nvcc's files are removed in any case, and kept when asked for", "[cuda]") {
  const std::string name = current_test_name();
  if (!is_child(name)) {
    const scratch_folder scratch;
    fs::create_directory(scratch / "temporary");
    const child_result child =
        run_child(name, {{"TMPDIR", scratch / "temporary"}, {"YOKE_TEST_KEPT", scratch / "kept"}});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  const std::string temporary = std::getenv("TMPDIR");
  const std::string kept = std::getenv("YOKE_TEST_KEPT");
  const std::string good =
      std::string(find_output) +
      "echo a warning >&2; touch $TMPDIR/left; cp \"$input\" \"$output\"; echo $TMPDIR >> \"$output\"";
  {
    const false_nvcc copies(good);
    const auto image = copies.compiler().compile_to(image_kind::ptx, "// text");
    CHECK_THAT(text_of(image), ContainsSubstring("#line 1 \"kernel.cu\"\n// text\n" + temporary + "/yoke-nvcc-"));
    CHECK(image.log == "a warning\n");
    CHECK(image.kept_folder.empty());
    const auto again = copies.compiler().compile_to(image_kind::ptx, "// text", {.keep = kept});
    CHECK(again.kept_folder.starts_with(kept + "/kernel.cu-"));
    CHECK(contents(again.kept_folder + "/source.cu") == "// text");
    CHECK(contents(again.kept_folder + "/binary.ptx") == text_of(again));
    CHECK(contents(again.kept_folder + "/log.txt") == "a warning\n");
    CHECK_THAT(contents(again.kept_folder + "/options.txt"), StartsWith(copies.folder / "nvcc --ptx --std=c++17"));
    const false_nvcc fails("touch $TMPDIR/left; echo no >&2; exit 1");
    (void)failed_nvcc(fails.compiler(), source);
    const yoke::compile_error failure = failed_nvcc(fails.compiler(), "// other", {.keep = kept});
    CHECK_THAT(failure.what(), ContainsSubstring(", all of it is in \"" + kept + "/kernel.cu-"));
  }
  CHECK(fs::is_empty(temporary));
  CHECK(std::distance(fs::directory_iterator(kept), {}) == 2);
  const false_nvcc idle("exit 0");
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  try {
    (void)idle.compiler().compile_to(image_kind::ptx, source);
    FAIL("compiled");
  } catch (const yoke::runtime_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("the folder \"/nowhere/at/all/yoke-nvcc-"));
  }
}

TEST_CASE("what is not for nvcc is refused in words", "[cuda]") {
  const cu::nvcc compiler{.path = "/nowhere/nvcc"};
  using yoke::typed;
  const yoke::program_cache cache{{.enabled = false}, {}};
  CHECK_THAT(refused(compiler, image_kind::ptx, {.kernels = {typed<void(int*, int)>("put")}}),
             ContainsSubstring("nvcc compares no kernels"));
  CHECK_THAT(refused(compiler, image_kind::ptx, {.name_expressions = {"f<int>"}}),
             ContainsSubstring("nvcc takes no name expressions"));
  CHECK_THAT(refused(compiler, image_kind::ptx, {}, "YOKE_KERNEL f() {}"), ContainsSubstring("not the dialect"));
  CHECK_THAT(refused(compiler, image_kind::ptx, {.cache = &cache}), ContainsSubstring("a cache keeps programs"));
  CHECK_THAT(refused(compiler, image_kind::cubin, {}), ContainsSubstring("a cubin is for one architecture"));
  CHECK_THAT(refused(compiler, image_kind::cubin, {.architecture = "compute_90"}),
             ContainsSubstring(".architecture is \"compute_90\""));
  CHECK_THAT(refused(compiler, image_kind::ptx, {.architecture = "volta"}),
             ContainsSubstring("architecture \"volta\""));
  CHECK_THAT(refused(compiler, static_cast<image_kind>(9), {}), ContainsSubstring("image_kind is 9"));
  CHECK_THAT(
      cuda_refusal<yoke::logic_error>(errc::invalid_argument, [] { (void)cu::compile_to(image_kind::fatbin, source); }),
      ContainsSubstring("NVRTC makes no fatbin"));
}

YOKE_CUDA_TEST_CASE("what nvcc makes is loaded and runs", "[cuda]") {
  const cu::context context{device};
  const scratch_folder scratch;
  cu::nvcc compiler;
  if (is_simulated(device)) {  // it runs its own images only
    const auto image = raw_image(cu::compile(context, source));
    write_file(scratch / "image", {reinterpret_cast<const char*>(image.data()), image.size()});
    write_file(scratch / "nvcc", std::string("#!/bin/sh\necho \"$@\" > ") + (scratch / "words") + "\n" + find_output +
                                     "cp " + (scratch / "image") + " \"$output\"; echo some warning >&2");
    ::chmod((scratch / "nvcc").c_str(), 0700);
    compiler.path = scratch / "nvcc";
  } else if (no_nvcc()) {
    YOKE_SKIP("no nvcc is installed");
  }
  const auto module = compiler.compile(context, source, {.keep = scratch / "kept"});
  const cu::stream stream{context};
  std::vector<int> out(1);
  module.get_kernel<void(int*, int)>("put")(stream, {.grid = 1}, yoke::out(out), 77);
  CHECK(out[0] == 77);
  std::vector<float> values{21};
  module.get_kernel<void(float*)>("twice<float>")(stream, {.grid = 1}, yoke::in_out(values));
  CHECK(values[0] == 42);
  CHECK(module.kept_folder().starts_with(scratch / "kept/kernel.cu-"));
  if (is_simulated(device)) {
    const auto number = std::to_string(cu::get(device, cu::info::compute_capability_major)) +
                        std::to_string(cu::get(device, cu::info::compute_capability_minor));
    CHECK_THAT(contents(scratch / "words"),
               StartsWith("--cubin --std=c++17 --gpu-architecture=sm_" + number + " -x cu"));
    CHECK_THAT(module.build_log(), StartsWith("some warning\n"));
    (void)compiler.compile(context, source, {.options = {"-arch=native"}});
    CHECK_THAT(contents(scratch / "words"), StartsWith("--fatbin --std=c++17 -arch=native"));
    (void)compiler.compile(context, source, {.architecture = "compute_90"});
    CHECK_THAT(contents(scratch / "words"), StartsWith("--ptx "));
    (void)compiler.compile(context, source, {.architecture = "compute_80", .code = "sm_" + number});
    CHECK_THAT(contents(scratch / "words"),
               StartsWith("--cubin --std=c++17 --gpu-architecture=compute_80 --gpu-code=sm_" + number + " -x cu"));
    CHECK_THAT(cuda_refusal<yoke::logic_error>(
                   errc::invalid_argument,
                   [&] { (void)compiler.compile(context, source, {.architecture = "compute_70", .code = "sm_70"}); }),
               ContainsSubstring("code \"sm_70\" does not run on this device"));
  }
}

TEST_CASE("NVRTC makes PTX, cubins and LTO-IR without a device", "[cuda]") {
  const auto [goes_on, absent] =
      in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; },
                              {{"YOKE_CUDA_OPTIONS", "-DFROM_OUTSIDE -std c++14 -arch sm_80"}});
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const scratch_folder scratch;
  check_image(cu::compile_to(image_kind::ptx, source, {.architecture = "compute_90"}), image_kind::ptx, "sm_90");
  const auto cubin = cu::compile_to(image_kind::cubin, source, {.architecture = "sm_90", .keep = scratch / "kept"});
  check_image(cubin, image_kind::cubin, "");
  CHECK(contents(cubin.kept_folder + "/binary.cubin") == text_of(cubin));
  CHECK_THAT(contents(cubin.kept_folder + "/options.txt"),
             ContainsSubstring("--gpu-architecture=sm_90 -DFROM_OUTSIDE"));
  check_image(cu::compile_to(image_kind::lto, source, {.architecture = "compute_90"}), image_kind::lto, "");
  const auto apart = cu::compile_to(
      image_kind::cubin, "#if __CUDA_ARCH__ != 800\n#error another architecture\n#endif\n" + std::string(source),
      {.architecture = "compute_80", .code = "sm_90"});
  check_image(apart, image_kind::cubin, "");
  CHECK(architecture_of(apart) == architecture_of(cubin));
  CHECK(architecture_of(cu::compile_to(image_kind::cubin, source, {.architecture = "sm_80"})) !=
        architecture_of(cubin));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { (void)cu::compile_to(image_kind::ptx, source, {.code = "sm_90"}); }),
             ContainsSubstring("code \"sm_90\" is for a cubin or a fatbin: PTX has no machine code"));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(
                 errc::invalid_argument,
                 [&] { cu::linker().add_source(source, {.architecture = "compute_80", .code = "sm_90"}); }),
             ContainsSubstring("a linker makes code for the architecture that it links for"));
  CHECK_THAT(text_of(cu::compile_to(image_kind::ptx, source)), ContainsSubstring(".target sm_80"));
  const char* const new_words = "template <class T> concept anything = true;";
  CHECK_NOTHROW(cu::compile_to(image_kind::ptx, new_words, {.standard = "c++20"}));
  CHECK_THROWS_AS(cu::compile_to(image_kind::ptx, new_words), yoke::compile_error);
  const auto named =
      cu::compile_to(image_kind::ptx,
                     "#ifdef FROM_OUTSIDE\ntemplate <class T, int N> __global__ void add(T* a) { a[0] += N; }\n#endif",
                     {.name_expressions = {"add<int, 4>"}});
  REQUIRE(named.names.size() == 1);
  CHECK(named.names[0].first == "add<int, 4>");
  CHECK(named.names[0].second == "_Z3addIiLi4EEvPT_");
  CHECK_THAT(text_of(named), ContainsSubstring(".entry _Z3addIiLi4EEvPT_("));
  try {
    (void)cu::compile_to(image_kind::ptx, "nonsense;", {.keep = scratch / "kept"});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("kernel.cu(1)") && ContainsSubstring("all of it is in \""));
  }
}

TEST_CASE("NVRTC takes the text of shared structs, and tells a layout that differs, without a device",
          "[cuda][struct]") {
  const auto [goes_on, absent] = in_child_without_driver([] { return std::vector{cu::nvrtc_available()}; });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  using yoke::source_language;
  const std::pair<source_language, const char*> sources[] = {
      {source_language::portable, "YOKE_KERNEL f(YOKE_GLOBAL shared_cell* a) { a[1].id = (int)a[0].weights[1][2]; }"},
      {source_language::opencl_c, "kernel void f(global shared_cell* a) { a[1].id = a[0].flags.s7; }"},
      {source_language::native, "extern \"C\" __global__ void f(shared_cell* a) { a[1].id = a[0].weights[1][2]; }"}};
  for (const auto& each : sources) {
    const auto& language = each.first;
    const auto& source_text = each.second;
    INFO(source_text);
    auto type = yoke::describe_struct<shared_cell>();
    // CUDA has no vectors of eight: another member of that size stands there outside of OpenCL C.
    if (language != source_language::opencl_c) {
      type.members[1].cuda = type.members[1].dialect = "unsigned long long";
    }
    const auto ptx = [&] {
      return text_of(cu::compile_to(image_kind::ptx, source_text,
                                    {.language = language, .architecture = "compute_90", .types = {type}}));
    };
    CHECK_THAT(ptx(),
               ContainsSubstring(language == source_language::native ? ".entry f(" : ".entry _Z1fP11shared_cell("));
    type.members[2].offset += 4;
    CHECK_THROWS_WITH(
        ptx(), ContainsSubstring("offset_of_id_in_shared_cell") && ContainsSubstring("36") && ContainsSubstring("32"));
  }
}

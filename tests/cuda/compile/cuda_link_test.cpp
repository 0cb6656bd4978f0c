// SPDX-License-Identifier: MIT
// Several sources, images, files and libraries become one module: by the driver's linker, and by nvJitLink.
#include <cuda/cuda_rig.hpp>
#include <program/linked_sources.hpp>
#include <support/process/temporary_folder.hpp>
#include <support/process/without_driver.hpp>
#include <yoke/cache.hpp>
#include <yoke/cuda/compile/nvcc.hpp>
#include <yoke/link.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace yoke_test;
using yoke::errc;

namespace {

cu::linker both() {
  cu::linker list;
  list.add_source(cuda_caller, {.name = "caller.cu"}).add_source(cuda_helper, {.defines = {{"FACTOR", ""}}});
  return list;
}

/// Returns: relocatable code of a source, for no device.
cu::compiled_image part(cu::image_kind kind, const char* source, const std::string& architecture = {}) {
  return cu::compile_to(kind, source,
                        {.options = {"-rdc=true"}, .defines = {{"FACTOR", ""}}, .architecture = architecture});
}

std::string device_architecture(const cuda_device& device) {
  return "sm_" + std::to_string(cu::get(device, cu::info::compute_capability_major)) +
         std::to_string(cu::get(device, cu::info::compute_capability_minor));
}

template <class Act>
std::string link_failure(Act&& act) {
  try {
    act();
  } catch (const yoke::compile_error& e) {
    CHECK_FALSE(e.log().empty());
    return e.what();
  }
  FAIL_CHECK("linked");
  return "";
}

/// Returns: an archive as `ar` makes it.
std::vector<std::byte> archive_of(const std::vector<std::pair<std::string, std::vector<std::byte>>>& members) {
  std::string text = "!<arch>\n";
  for (const auto& [name, bytes] : members) {
    char head[61];
    std::snprintf(head, sizeof head, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", (name + "/").c_str(), 0, 0, 0, 0644U,
                  bytes.size());
    text += head;
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (bytes.size() % 2 != 0) text += "\n";
  }
  const auto view = std::as_bytes(std::span(text));
  return {view.begin(), view.end()};
}

}  // namespace

YOKE_CUDA_TEST_CASE("a kernel calls a function of another source", "[cuda]") {
  const cu::context context{device};
  const cu::module module = both().link(context);
  CHECK(called(context, module) == std::vector<int>{103, 106, 109});
  CHECK(cu::get_global<int>(module, "step").size() == 1);
  CHECK(called(context, yoke::load(context, module.export_binary())) == std::vector<int>{103, 106, 109});
}

YOKE_CUDA_TEST_CASE("several sources are compiled and linked by one call", "[cuda]") {
  const cu::context context{device};
  const std::vector<cu::named_source> sources{{"caller.cu", cuda_caller}, {"helper.cu", cuda_helper}};
  CHECK(called(context, cu::compile_all(context, sources, {.defines = {{"FACTOR", "+ 1"}}})) ==
        std::vector<int>{104, 107, 110});
  const auto refused = [&](const cu::compile_options& options) {
    return cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                           [&] { (void)cu::compile_all(context, sources, options); });
  };
  CHECK_THAT(refused({.name = "all.cu"}), ContainsSubstring(".name is of one source"));
  CHECK_THAT(refused({.name_expressions = {"f<int>"}}), ContainsSubstring(".name_expressions is of one source"));
  CHECK_THAT(refused({.kernels = {yoke::typed<void()>("f")}}), ContainsSubstring(".kernels is of one source"));
  try {
    const std::vector<cu::named_source> broken{{"fine.cu", cuda_helper}, {"broken.cu", "\nint a = nothing;\n"}};
    (void)cu::compile_all(context, broken, {.defines = {{"FACTOR", ""}}});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.log(), ContainsSubstring("broken.cu(2)"));
  }
}

YOKE_CUDA_TEST_CASE("a linked module knows the kernels and name expressions of its sources", "[cuda]") {
  const cu::context context{device};
  cu::linker list;
  list.add_source(cuda_helper, {.defines = {{"FACTOR", ""}},
                                .kernels = {yoke::typed<void(float*, float)>("fill<float>")},
                                .name_expressions = {"fill<int>", "&step"}});
  list.add_source(cuda_caller, {.kernels = {yoke::typed<void(int*)>("call")}});
  const cu::module module = list.link(context);
  const auto filled = module.get_kernel<void(float*, float)>("fill<float>");
  CHECK(filled.checked() == yoke::signature_check::types);
  CHECK(module.get_kernel<void(int*)>("call").checked() == yoke::signature_check::types);
  const cu::stream stream{context};
  std::vector<float> floats(2);
  filled(stream, {.grid = 1, .block = 2}, yoke::out(floats), 2.5F);
  CHECK(floats == std::vector<float>{2.5F, 2.5F});
  std::vector<int> ints(2);
  module.get_kernel<void(int*, int)>("fill<int>")(stream, {.grid = 1, .block = 2}, yoke::out(ints), 8);
  CHECK(ints == std::vector<int>{8, 8});
  CHECK(cu::get_global<int>(module, "&step").size() == 1);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::signature_mismatch,
                                             [&] { (void)module.get_kernel<void(int*, float)>("call"); }),
             ContainsSubstring("call"));
}

YOKE_CUDA_TEST_CASE("sources in the dialect are linked, too", "[cuda]") {
  const cu::context context{device};
  cu::linker list;
  list.add_source("float4 more(float4 a) { return a + make_float4(1, 2, 3, 4); }\n",
                  {.language = yoke::source_language::portable});
  list.add_source(
      "float4 more(float4 a);\n"
      "YOKE_KERNEL use(YOKE_GLOBAL float* a) { a[get_global_id(0)] = more(make_float4(1, 1, 1, 1)).y; }");
  const cu::module module = list.link(context);
  const cu::stream stream{context};
  std::vector<float> out(2);
  module.get_kernel<void(float*)>("use")(stream, {.grid = 1, .block = 2}, yoke::out(out));
  CHECK(out == std::vector<float>{3, 3});
}

YOKE_CUDA_TEST_CASE("PTX, cubins, libraries and their files are linked", "[cuda]") {
  const cu::context context{device};
  const cu::compiled_image caller = part(cu::image_kind::ptx, cuda_caller);
  const cu::compiled_image helper = part(cu::image_kind::cubin, cuda_helper, device_architecture(device));
  cu::linker list;
  list.add(caller, "caller").add(helper, "helper");
  CHECK(list.size() == 2);
  CHECK(called(context, list.link(context)) == std::vector<int>{103, 106, 109});

  const temporary_folder folder;
  const std::string ptx_path = folder.put("caller.ptx", caller.bytes).string();
  const std::string cubin_path = folder.put("helper.cubin", helper.bytes).string();
  cu::linker files;
  files.add_file(ptx_path).add_file(cubin_path);
  CHECK(called(context, files.link(context)) == std::vector<int>{103, 106, 109});

  if (!is_simulated(device)) return;  // a GPU's libraries hold object files of the host
  const auto library = archive_of({{"helper.o", helper.bytes}});
  cu::linker with_library;
  with_library.add(caller, "caller").add(cu::link_kind::library, library, "libhelper.a");
  CHECK(called(context, with_library.link(context)) == std::vector<int>{103, 106, 109});
  cu::linker with_file;
  with_file.add(caller, "caller").add_file(folder.put("libhelper.a", library).string());
  CHECK(called(context, with_file.link(context)) == std::vector<int>{103, 106, 109});
}

YOKE_CUDA_TEST_CASE("a file of PTX tells its kernels as its bytes do", "[cuda]") {
  const cu::context context{device};
  const temporary_folder folder;
  const cu::compiled_image image =
      part(cu::image_kind::ptx,
           "extern \"C\" __global__ void put(float* a, float b) { a[0] = b; }\n"
           "namespace ns { template <class T> __global__ void fill(T* a, T b) { *a = b; }\n"
           "template __global__ void fill<int>(int*, int); }");
  cu::linker of_bytes;
  of_bytes.add(image, "put");
  cu::linker of_file;
  of_file.add_file(folder.put("put.ptx", image.bytes).string());
  for (const cu::linker& list : {of_bytes, of_file}) {
    const cu::module module = list.link(context);
    const auto put = module.get_kernel<void(float*, float)>("put");
    CHECK(put.checked() == yoke::signature_check::sizes);  // a C name says nothing of types
    CHECK(module.get_kernel<void(int*, int)>("ns::fill<int>").checked() == yoke::signature_check::types);
    std::vector<std::string> names = module.kernel_names();
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"ns::fill<int>", "put"});
    const cu::stream stream{context};
    std::vector<float> value(1);
    put(stream, {.grid = 1, .block = 1}, yoke::out(value), 2.5F);
    CHECK(value[0] == 2.5F);
  }
}

namespace {

/// What a driver's linker gives that takes any file.
struct {
  std::vector<std::byte> image;
  std::string added;
} any_file;

}  // namespace

YOKE_CUDA_TEST_CASE("of a file of PTX that becomes a cubin the kinds of its numbers stay known", "[cuda]") {
  const temporary_folder folder;
  const std::string_view text =
      ".version 7.0\n.target sm_52\n.address_size 64\n"
      ".visible .entry put(.param .u64 a, .param .f32 b) { ret; }\n";
  // The simulator's linker takes no PTX: this one gives what a compiler makes of the same kernel.
  cuda_abi::functions table = *device.port().table();
  any_file.image =
      raw_image(cu::compile(cu::context{device}, "extern \"C\" __global__ void put(float* a, float b) { a[0] = b; }"));
  table.link_add_file = [](cuda_abi::link_state, cuda_abi::jit_input, const char* path, cuda_abi::uint,
                           cuda_abi::jit_option*, void**) {
    any_file.added = path;
    return cuda_abi::success;
  };
  table.link_complete = [](cuda_abi::link_state, void** to, std::size_t* bytes) {
    *to = any_file.image.data();
    *bytes = any_file.image.size();
    return cuda_abi::success;
  };
  const cu::context context{through_table(&table, device)};
  const std::string path = folder.put("put.ptx", std::as_bytes(std::span(text))).string();
  cu::linker list;
  list.add_file(path);
  const cu::module module = list.link(context);
  CHECK(any_file.added == path);
  CHECK(module.get_kernel<void(float*, float)>("put").checked() == yoke::signature_check::sizes);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::signature_mismatch,
                                             [&] { (void)module.get_kernel<void(float*, int)>("put"); }),
             ContainsSubstring("kernel put") && ContainsSubstring("parameter 2"));
}

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  CAPTURE(path.string());
  CHECK(file.good());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Returns: the folders in a folder.
std::vector<std::string> folders_in(const std::filesystem::path& path) {
  std::vector<std::string> names;
  for (const auto& each : std::filesystem::directory_iterator(path)) {
    if (each.is_directory()) names.push_back(each.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a link leaves its sources, their code, the logs and the binary in a folder", "[cuda]") {
  const cu::context context{device};
  const temporary_folder scratch;
  const std::string keep = (scratch.path() / "kept").string();
  const std::vector<cu::named_source> sources{{"caller.cu", cuda_caller}, {"helper.cu", cuda_helper}};
  const cu::module module =
      cu::compile_all(context, sources, {.options = {"-DMINE=1"}, .defines = {{"FACTOR", "+ 1"}}, .keep = keep});
  CHECK(called(context, module) == std::vector<int>{104, 107, 110});
  const std::filesystem::path own = module.kept_folder();
  CHECK(own.parent_path() == keep);
  CHECK(own.filename().string().starts_with("linked-"));
  CHECK(folders_in(keep) == std::vector<std::string>{own.filename().string()});
  const std::vector<std::string> parts = folders_in(own);
  REQUIRE(parts.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CAPTURE(parts[i]);
    CHECK(parts[i].starts_with(sources[i].name + "-"));
    CHECK(text_of(own / parts[i] / "source.cu") == sources[i].text);
    CHECK_THAT(text_of(own / parts[i] / "compiled.cu"), ContainsSubstring("#define FACTOR + 1"));
    CHECK_THAT(text_of(own / parts[i] / "options.txt"),
               ContainsSubstring("-rdc=true") && ContainsSubstring("-DMINE=1"));
    CHECK(std::filesystem::exists(own / parts[i] / "log.txt"));
    CHECK(text_of(own / parts[i] / "binary.ptx").size() > 50);
    CHECK_THAT(text_of(own / "inputs.txt"),
               ContainsSubstring(std::to_string(i + 1) + ": PTX \"" + sources[i].name + "\" of a source, in \"" +
                                 (own / parts[i]).string() + "\"\n"));
  }
  CHECK(text_of(own / "log.txt") == module.build_log());
  CHECK_THAT(text_of(own / "options.txt"), ContainsSubstring("the driver's linker"));
  const std::string binary = text_of(own / (is_simulated(device) ? "binary.bin" : "binary.cubin"));
  const auto exported = module.export_binary();
  CHECK(binary.size() > 50);
  CHECK_THAT(std::string(reinterpret_cast<const char*>(exported.data()), exported.size()), ContainsSubstring(binary));
  CHECK(cu::compile_all(context, sources, {.options = {"-DMINE=1"}, .defines = {{"FACTOR", "+ 1"}}, .keep = keep})
            .kept_folder() == own.string() + "-2");
  CHECK(both().link(context).kept_folder().empty());
}

YOKE_CUDA_TEST_CASE("what is linked beside a source is kept, and a link that fails names its folder", "[cuda]") {
  const cu::context context{device};
  const temporary_folder scratch;
  const std::string keep = (scratch.path() / "kept").string();
  const std::string elsewhere = (scratch.path() / "elsewhere").string();
  const cu::compiled_image helper = part(cu::image_kind::ptx, cuda_helper);
  cu::linker list;
  list.add(helper, "helper").add_source(cuda_caller, {.name = "caller.cu", .keep = keep});
  list.add_source("__device__ int more;", {.name = "more.cu", .keep = elsewhere});
  list.add_file(scratch.put("file.ptx", part(cu::image_kind::ptx, "__device__ int in_file;").bytes).string());
  const cu::linked_image image = list.link_image(context);
  const std::filesystem::path own = image.kept_folder;
  CHECK(own.parent_path() == keep);
  CHECK(text_of(own / "input-1.ptx") ==
        std::string(reinterpret_cast<const char*>(helper.bytes.data()), helper.bytes.size()));
  CHECK(text_of(own / "binary.cubin") ==
        std::string(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()));
  CHECK(folders_in(own).size() == 1);
  CHECK(folders_in(elsewhere).size() == 1);  // that source has a folder of its own
  CHECK_THAT(text_of(own / "inputs.txt"),
             ContainsSubstring("1: PTX \"helper\", in \"input-1.ptx\"\n2: PTX \"caller.cu\"") &&
                 ContainsSubstring("file.ptx\", a file\n"));

  const auto failed_in = [&](const cu::linker& failing) {
    try {
      (void)failing.link(context);
    } catch (const yoke::compile_error& e) {
      const std::string message = e.what();
      const std::size_t begin = message.find("all of it is in \"") + 17;
      const std::string folder = message.substr(begin, message.find('"', begin) - begin);
      CHECK_THAT(folder, ContainsSubstring(keep));
      CHECK(text_of(std::filesystem::path(folder) / "log.txt") == e.log());
      return folder;
    }
    FAIL_CHECK("linked");
    return std::string();
  };
  cu::linker missing;
  missing.add_source(cuda_caller, {.name = "caller.cu", .keep = keep});
  const std::filesystem::path folder = failed_in(missing);
  CHECK(folder.filename().string().starts_with("linked-"));
  CHECK(std::filesystem::exists(folder / "inputs.txt"));
  CHECK(folders_in(folder).size() == 1);
  cu::linker broken;
  broken.add_source("nonsense;", {.name = "broken.cu", .keep = keep});
  CHECK_THAT(failed_in(broken), ContainsSubstring("/linked-") && ContainsSubstring("/broken.cu-"));

  const std::string blocked = scratch.put("blocked", std::as_bytes(std::span("x", 1))).string();
  cu::linker unwritable;
  unwritable.add_source(cuda_caller, {.keep = blocked});
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)unwritable.link(context); }),
             ContainsSubstring("the folder \"" + blocked + "\""));
}

YOKE_CUDA_TEST_CASE("a list of inputs outlives what it was made of, and is linked again", "[cuda]") {
  const cu::context context{device};
  cu::linker list;
  {
    const cu::compiled_image caller = part(cu::image_kind::ptx, cuda_caller);
    list.add(caller, std::string("caller")).add_source(std::string(cuda_helper), {.defines = {{"FACTOR", ""}}});
  }
  CHECK(called(context, list.link(context)) == std::vector<int>{103, 106, 109});
  const cu::linked_image image = list.link_image(context, {.jit = {.verbose = true}});
  CHECK(image.time.count() > 0);
  CHECK(called(context, cu::load_image(context, image.bytes)) == std::vector<int>{103, 106, 109});
}

YOKE_CUDA_TEST_CASE("a link that fails names the input and the symbol", "[cuda]") {
  const cu::context context{device};
  const cu::compiled_image caller = part(cu::image_kind::ptx, cuda_caller);
  const cu::compiled_image helper = part(cu::image_kind::ptx, cuda_helper);
  cu::linker missing;
  missing.add(caller, "caller.ptx");
  const std::string said = link_failure([&] { (void)missing.link(context); });
  CHECK_THAT(said, ContainsSubstring("caller.ptx") && ContainsSubstring("_Z6helperi"));
  // The reason is where the message begins: the driver's code says "damaged" of it.
  CHECK_THAT(said.substr(0, said.find('\n')), StartsWith("linking \"caller.ptx\" failed: error") &&
                                                  ContainsSubstring("_Z6helperi") && !ContainsSubstring("damaged"));
  cu::linker twice;
  twice.add(helper, "one")
      .add(caller, "caller")
      .add(part(cu::image_kind::ptx, "__device__ int helper(int a) { return a; }"), "two");
  CHECK_THAT(link_failure([&] { (void)twice.link(context); }),
             ContainsSubstring("two") && ContainsSubstring("_Z6helperi"));
  if (is_simulated(device)) {
    cu::linker whole;
    whole.add(helper, "helper")
        .add(cu::compile_to(cu::image_kind::cubin, "__global__ void f() {}",
                            {.architecture = device_architecture(device)}),
             "whole.cubin");
    CHECK_THAT(link_failure([&] { (void)whole.link(context); }), ContainsSubstring("'whole.cubin' cannot be linked"));
  }
}

YOKE_CUDA_TEST_CASE("what cannot be linked is refused before a linker sees it", "[cuda]") {
  const cu::context context{device};
  const temporary_folder folder;
  const auto text = [](std::string_view words) { return std::as_bytes(std::span(words)); };
  cu::linker list;
  const auto refused = [&](errc condition, auto&& act) { return cuda_refusal<yoke::logic_error>(condition, act); };
  const auto of_kind = [&](cu::link_kind kind, std::string_view bytes) {
    return refused(errc::incompatible_binary, [&] { list.add(kind, text(bytes), "bad.x"); });
  };
  CHECK_THAT(of_kind(cu::link_kind::ptx, "words"), ContainsSubstring("\"bad.x\" of 5 bytes is no PTX"));
  CHECK_THAT(of_kind(cu::link_kind::cubin, "words"), ContainsSubstring("is no cubin"));
  CHECK_THAT(of_kind(cu::link_kind::fatbin, "words"), ContainsSubstring("is no fatbin"));
  CHECK_THAT(of_kind(cu::link_kind::object, "words"), ContainsSubstring("is no object file"));
  CHECK_THAT(of_kind(cu::link_kind::library, "words"), ContainsSubstring("is no library"));
  CHECK_THAT(of_kind(cu::link_kind::lto, ""), ContainsSubstring("is empty"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { list.add(static_cast<cu::link_kind>(77), text("x"), "x"); }),
             ContainsSubstring("link_kind"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { list.add_file("/nowhere/a.ptx"); }),
             ContainsSubstring("/nowhere/a.ptx"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { list.add_file(folder.put("a.txt", text("x")).string()); }),
             ContainsSubstring("a.txt\" ends in none of"));
  CHECK_THAT(refused(errc::incompatible_binary, [&] { list.add_file(folder.put("a.ptx", text("x")).string()); }),
             ContainsSubstring("a.ptx\" is no PTX"));
  const yoke::program_cache cache({.folder = folder.path() / "cache"}, {});
  CHECK_THAT(refused(errc::invalid_argument, [&] { list.add_source("", {.cache = &cache}); }),
             ContainsSubstring("a cache keeps whole programs"));
  CHECK_THAT(refused(errc::invalid_argument, [&] { list.add_source("", {.jit = {.max_registers = 32}}); }),
             ContainsSubstring(".jit is how the driver compiles what it links"));
  CHECK_THAT(refused(errc::invalid_argument,
                     [&] { (void)cu::compile_to(cu::image_kind::ptx, "", {.jit = {.max_registers = 32}}); }),
             ContainsSubstring(".jit is how the driver compiles what it loads"));
  const std::vector<cu::named_source> sources{{"a.cu", ""}};
  CHECK_THAT(
      refused(errc::invalid_argument, [&] { (void)cu::compile_all(context, sources, {.jit = {.verbose = true}}); }),
      ContainsSubstring(".jit is"));
  CHECK(list.size() == 0);
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)list.link(context); }), ContainsSubstring("nothing to link"));
  CHECK_THAT(refused(errc::out_of_range, [&] { (void)both().link(context, {.jit = {.max_registers = 0}}); }),
             ContainsSubstring("max_registers"));
}

YOKE_CUDA_TEST_CASE("a linker gets the JIT options, its inputs by name, and one destruction", "[cuda]") {
  cuda_rig rig(device);
  cu::linker list;
  list.add(part(cu::image_kind::ptx, cuda_caller), "caller").add(part(cu::image_kind::ptx, cuda_helper), "helper");
  const std::size_t since = rig.driver.mark();
  (void)list.link(rig.context, {.jit = {.max_registers = 40, .line_info = true}});
  CHECK(rig.driver.count("link_create", since) == 1);
  CHECK(rig.driver.count("link_add_data", since) == 2);
  CHECK(rig.driver.count("link_complete", since) == 1);
  CHECK(rig.driver.count("link_destroy", since) == 1);
  rig.driver.fail_function("link_add_data", 2, fault_mode::once, 218);  // PTX that is refused
  CHECK_THAT(cuda_refusal<yoke::compile_error>(errc::build_failed, [&] { (void)list.link(rig.context); }),
             ContainsSubstring("linking PTX \"helper\" failed"));
}

YOKE_CUDA_TEST_CASE("a source that could be linked is loaded by itself", "[cuda]") {
  const cu::context context{device};
  const cu::module module = cu::compile(context,
                                        "__device__ int two() { return 2; }\n"
                                        "extern \"C\" __global__ void call(int* a) { a[blockIdx.x] *= two(); }",
                                        {.options = {"-rdc=true"}});
  CHECK(called(context, module) == std::vector<int>{2, 4, 6});
}

YOKE_CUDA_TEST_CASE("LTO-IR is linked by nvJitLink", "[cuda]") {
  const cu::context context{device};
  if (!cu::nvjitlink_available()) YOKE_SKIP("no nvJitLink: none is installed");
  CHECK(called(context, both().link(context, {.link_time_optimization = true})) == std::vector<int>{103, 106, 109});
  cu::linker mixed;
  mixed.add(part(cu::image_kind::lto, cuda_caller), "caller.ltoir");
  mixed.add(part(cu::image_kind::ptx, cuda_helper), "helper.ptx");
  CHECK(called(context, mixed.link(context)) == std::vector<int>{103, 106, 109});
  cu::linker missing;
  missing.add(part(cu::image_kind::lto, cuda_caller), "caller.ltoir");
  CHECK_THAT(link_failure([&] { (void)missing.link(context); }), ContainsSubstring("_Z6helperi"));
  const auto refused = [&](const cu::link_options& options) {
    return cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)mixed.link(context, options); });
  };
  CHECK_THAT(refused({.jit = {.min_block = 64}}), ContainsSubstring("min_block is for the driver"));
  CHECK_THAT(refused({.options = {"-no-such-option"}}), ContainsSubstring("-no-such-option"));
  CHECK_THAT(refused({.options = {" "}}), ContainsSubstring("link option \" \" is blank"));
}

TEST_CASE("sources are linked for an architecture, without a GPU or a driver", "[cuda]") {
  const auto [goes_on, absent] = in_child_without_driver([] {
    return std::vector{cu::nvrtc_available(), cu::nvjitlink_available()};
  });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const auto is_cubin = [](const cu::linked_image& image) {
    return image.bytes.size() > 64 && std::memcmp(image.bytes.data(),
                                                  "\x7F"
                                                  "ELF",
                                                  4) == 0;
  };
  CHECK(is_cubin(both().link_image("sm_90")));
  CHECK(is_cubin(both().link_image("sm_90", {.link_time_optimization = true})));
  cu::linker mixed;
  mixed.add(part(cu::image_kind::lto, cuda_caller), "caller.ltoir");
  mixed.add(part(cu::image_kind::cubin, cuda_helper, "sm_90"), "helper.cubin");
  CHECK(is_cubin(mixed.link_image("sm_90", {.jit = {.max_registers = 64, .verbose = true}})));
  cu::linker missing;
  missing.add(part(cu::image_kind::ptx, cuda_caller), "caller.ptx");
  CHECK_THAT(link_failure([&] { (void)missing.link_image("sm_90"); }),
             ContainsSubstring("caller.ptx") && ContainsSubstring("_Z6helperi"));
  cu::linker other;
  other.add(part(cu::image_kind::cubin, cuda_helper, "sm_80"), "helper.cubin");
  CHECK_THROWS_AS(other.link_image("sm_90"), yoke::error);
  CHECK_THROWS_AS(other.link_image("compute_90"), yoke::logic_error);
  CHECK_THROWS_AS(other.link_image("anything"), yoke::logic_error);
}

TEST_CASE("fatbins, object files and libraries of nvcc are linked, without a GPU or a driver", "[cuda]") {
  const cu::nvcc compiler;
  const std::string program = compiler.location();
  if (program.empty()) YOKE_SKIP("no nvcc is installed");
  const auto [goes_on, absent] = in_child_without_driver([] {
    return std::vector{cu::nvrtc_available(), cu::nvjitlink_available()};
  });
  if (!absent.empty()) YOKE_SKIP(absent);
  if (!goes_on) return;
  const temporary_folder folder;
  const auto source = folder.put("helper.cu", std::as_bytes(std::span(std::string_view(cuda_helper))));
  const std::string object = (folder.path() / "helper.o").string();
  const std::string library = (folder.path() / "libhelper.a").string();
  const std::string words = "\"" + program + "\" -rdc=true -arch=sm_90 -DFACTOR= ";
  REQUIRE(std::system((words + "-c " + source.string() + " -o " + object).c_str()) == 0);
  REQUIRE(std::system((words + "-lib " + object + " -o " + library).c_str()) == 0);
  const cu::compiled_image caller = part(cu::image_kind::ptx, cuda_caller);
  const cu::compiled_image fatbin =
      compiler.compile_to(cu::image_kind::fatbin, cuda_helper,
                          {.options = {"-rdc=true"}, .defines = {{"FACTOR", ""}}, .architecture = "sm_90"});
  const auto linked = [&](auto&& add) {
    cu::linker list;
    list.add(caller, "caller.ptx");
    add(list);
    return list.link_image("sm_90").bytes.size();
  };
  CHECK(linked([&](cu::linker& list) { list.add(fatbin, "helper.fatbin"); }) > 64);
  CHECK(linked([&](cu::linker& list) { list.add_file(object); }) > 64);
  CHECK(linked([&](cu::linker& list) { list.add_file(library); }) > 64);
  // Without one of them there is no such function.
  CHECK_THAT(link_failure([&] { (void)linked([](cu::linker&) {}); }), ContainsSubstring("_Z6helperi"));
}

namespace {

int calls_until_failure = 0;

/// An entry that fails when its turn has come.
template <auto Member, class Function>
struct failing;
template <auto Member, class... A>
struct failing<Member, int(A...)> {
  static inline int (*real)(A...) = nullptr;
  static int call(A... arguments) {
    const bool fails = --calls_until_failure == 0;
    // A failing release releases, or the driver's object would be lost by the test.
    if (fails && !std::is_same_v<int(A...), int(cuda_abi::nvjitlink*)>) return cuda_abi::nvjitlink_error_internal;
    return real(arguments...);
  }
};

}  // namespace

YOKE_CUDA_TEST_CASE("each call of nvJitLink that fails is an error, and nothing is lost", "[cuda]") {
  if (!cu::nvjitlink_available()) YOKE_SKIP("no nvJitLink: none is installed");
  const cuda_abi::nvjitlink_functions& real = cu::detail::default_nvjitlink(yoke::source_location::current()).table;
  cuda_abi::nvjitlink_functions table = real;
#define YOKE_TEST_FAILING(name, symbol, ...)                                                                           \
  {                                                                                                                    \
    using entry = failing<&cuda_abi::nvjitlink_functions::name, std::remove_pointer_t<decltype(table.name)>>;          \
    entry::real = real.name;                                                                                           \
    table.name = &entry::call;                                                                                         \
  }
  YOKE_NVJITLINK_FUNCTIONS(YOKE_TEST_FAILING)
#undef YOKE_TEST_FAILING
  const temporary_folder folder;
  cu::link_request request;
  request.architecture = device_architecture(device);
  const cu::compiled_image caller = part(cu::image_kind::lto, cuda_caller);
  const std::string path = folder.put("helper.ptx", part(cu::image_kind::ptx, cuda_helper).bytes).string();
  request.inputs = {{cu::link_kind::lto, "caller", caller.bytes, {}}, {cu::link_kind::ptx, path, {}, {}}};
  const auto link = [&](int failing_call) {
    calls_until_failure = failing_call;
    return cu::detail::link_by_nvjitlink(table, request, yoke::source_location::current());
  };
  CHECK_FALSE(link(0).bytes.empty());
  const char* const failed[] = {"nvJitLinkCreate",   "caller", "helper.ptx", "linking \"caller\"", "linking \"caller\"",
                                "linking \"caller\""};
  for (int each = 1; each <= 6; ++each) {
    CAPTURE(each);
    try {
      (void)link(each);
      FAIL_CHECK("linked");
    } catch (const yoke::error& e) {
      CHECK_THAT(std::string(e.what()) + e.call(), ContainsSubstring(failed[each - 1]));
      CHECK(e.code().value() == cuda_abi::nvjitlink_error_internal);
    }
  }
  for (int each = 7; each <= 9; ++each) CHECK_FALSE(link(each).bytes.empty());  // logs and the release
}

// SPDX-License-Identifier: MIT
// What CUDA's compilers can be told, images from memory and files, and what is refused before a driver sees it.
#include <cuda/cuda_rig.hpp>
#include <support/process/child.hpp>
#include <support/process/temporary_folder.hpp>

#include <yoke/link.hpp>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

using namespace yoke_test;
using yoke::errc;

namespace {

constexpr const char* plain_source = R"(extern "C" __global__ void put(int* a, int b) { a[0] = b; })";

constexpr std::string_view ptx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry put(.param .u64 out, .param .u32 value) {
  .reg .u64 %address;
  .reg .u32 %word;
  ld.param.u64 %address, [out];
  ld.param.u32 %word, [value];
  cvta.to.global.u64 %address, %address;
  st.global.u32 [%address], %word;
  ret;
})";

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

void check_put(const cu::context& context, const cu::module& module) {
  const cu::stream stream{context};
  std::vector<int> out(1);
  module.get_kernel<void(int*, int)>("put")(stream, {.grid = 1}, yoke::out(out), 77);
  CHECK(out[0] == 77);
}

std::string refused_image(const cu::context& context, std::span<const std::byte> image) {
  return cuda_refusal<yoke::logic_error>(errc::incompatible_binary, [&] { (void)cu::load_image(context, image); });
}
std::string refused_options(const cu::context& context, const cu::compile_options& options) {
  return cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                         [&] { (void)cu::compile(context, plain_source, options); });
}

}  // namespace

YOKE_CUDA_TEST_CASE("CUDA sources are compiled with options, folders, defines and a standard", "[cuda]") {
  const cu::context context{device};
  const temporary_folder folder;
  (void)folder.put("more.h", bytes_of("#define MORE 40\n"));
  const auto module = cu::compile(context,
                                  "#include \"more.h\"\n"
                                  "template <class T> concept small = sizeof(T) < 9;\n"
                                  "template <small T> __device__ T same(T v) { return v; }\n"
                                  "extern \"C\" __global__ void put(TYPE* a, TYPE b) {\n"
                                  "  a[0] = same(b) + MORE + EXTRA + OPTION - 50 - FLAG; }",
                                  {.options = {"-DOPTION=6"},
                                   .include_folders = {folder.path().string()},
                                   .defines = {{"TYPE", "int"}, {"EXTRA", 5}, "FLAG"},
                                   .standard = "c++20"});
  check_put(context, module);
}

YOKE_CUDA_TEST_CASE("a CUDA compile error has file and line, log, options and source", "[cuda]") {
  const cu::context context{device};
  const char* const broken = "extern \"C\" __global__ void f(int* a) {\n  a[0] = 1;\n  a[0] = nothing_there;\n}\n";
  try {
    (void)cu::compile(context, broken, {.options = {"-DA=1"}, .defines = {{"N", 4}}, .name = "folder/mine.cu"});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK(e.code() == errc::build_failed);
    CHECK(e.source() == broken);
    CHECK_THAT(e.log(), ContainsSubstring("folder/mine.cu(3)") || ContainsSubstring("folder/mine.cu:3"));
    CHECK_THAT(e.what(), ContainsSubstring("nothing_there") && ContainsSubstring("folder/mine.cu"));
    CHECK_THAT(e.options(), ContainsSubstring("--std=c++17 --gpu-architecture=sm_") && ContainsSubstring("-DA=1"));
    CHECK_THAT(e.command_line(), ContainsSubstring("nvcc -cubin --std=c++17"));
  }
  try {
    (void)cu::compile(context, plain_source, {.options = {"--no-such-option"}});
    FAIL("compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("--no-such-option"));
    CHECK_THAT(e.what(), ContainsSubstring("kernel.cu"));
  }
}

YOKE_CUDA_TEST_CASE("options that contradict each other, or are none, are refused by name", "[cuda]") {
  const cu::context context{device};
  using yoke::typed;
  CHECK_THAT(refused_options(context, {.options = {"-std=c++14"}, .standard = "c++17"}),
             ContainsSubstring("standard \"c++17\" and option \"-std=c++14\" both choose the standard"));
  CHECK_THAT(refused_options(context, {.options = {"--gpu-architecture=sm_80"}, .architecture = "sm_90"}),
             ContainsSubstring("architecture \"sm_90\" and option \"--gpu-architecture=sm_80\" both choose"));
  CHECK_THAT(refused_options(context, {.options = {"-arch", "sm_80"}, .architecture = "sm_90"}),
             ContainsSubstring("option \"-arch\""));
  for (const char* const wrong : {"sm90", "sm_", "sm_x0", "compute_9999", "volta", "sm_90b"}) {
    CHECK_THAT(refused_options(context, {.architecture = wrong}),
               ContainsSubstring("architecture \"" + std::string(wrong) + "\" is not like \"sm_90\""));
  }
  CHECK_THAT(refused_options(context, {.name_expressions = {" "}}),
             ContainsSubstring("name expression \" \" is empty or has a line end"));
  CHECK_THAT(refused_options(context, {.name_expressions = {"f\ng"}}), ContainsSubstring("line end"));
  CHECK_THAT(refused_options(context, {.name_expressions = {"put", "put"}}),
             ContainsSubstring("name expression \"put\" is given twice"));
  CHECK_THAT(refused_options(context, {.kernels = {typed<void(int*)>("")}}), ContainsSubstring("kernel \"\" is empty"));
  CHECK_THAT(refused_options(context, {.kernels = {typed<void(int*, int)>("put"), typed<void(int*, int)>("put")}}),
             ContainsSubstring("kernel \"put\" is given twice"));
  CHECK_THAT(refused_options(context, {.defines = {"A B"}}), ContainsSubstring("define \"A B\""));
  CHECK_THAT(refused_options(context, {.include_folders = {""}}), ContainsSubstring("include folder \"\" is empty"));
  CHECK_THAT(
      cuda_refusal<yoke::logic_error>(
          errc::out_of_range, [&] { (void)cu::compile(context, plain_source, {.jit = {.optimization_level = 5}}); }),
      ContainsSubstring("JIT option optimization_level is 5, outside 0 .. 4"));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(
                 errc::out_of_range, [&] { (void)cu::compile(context, plain_source, {.jit = {.max_registers = 0}}); }),
             ContainsSubstring("JIT option max_registers is 0, outside 1 .. 255"));
}

YOKE_CUDA_TEST_CASE("an architecture can be chosen", "[cuda]") {
  const cu::context context{device};
  const auto major = cu::get(device, cu::info::compute_capability_major);
  const std::string number = std::to_string(major * 10 + cu::get(device, cu::info::compute_capability_minor));
  check_put(context, cu::compile(context, plain_source, {.architecture = "sm_" + number}));
  check_put(context, cu::compile(context, plain_source, {.architecture = "compute_" + number}));
  check_put(context, cu::compile(context, plain_source, {.options = {"-arch=compute_" + number}}));
}

namespace {
/// The driver's own function, and the compute capability that its compiler was last asked for; 0 for none.
decltype(cu::abi::functions::library_load_data) real_load = nullptr;
std::uintptr_t asked_target = 0;
}  // namespace

YOKE_CUDA_TEST_CASE("the real architecture is chosen apart from the virtual one", "[cuda]") {
  static cu::abi::functions table;
  table = *device.port().table();
  real_load = table.library_load_data;
  table.library_load_data = [](cu::abi::library* made, const void* code, cu::abi::jit_option* names, void** values,
                               cu::abi::uint count, cu::abi::library_option* more, void** more_values,
                               cu::abi::uint more_count) {
    asked_target = 0;
    for (cu::abi::uint i = 0; i < count; ++i) {
      if (names[i] == cu::abi::jit_option::target) asked_target = reinterpret_cast<std::uintptr_t>(values[i]);
    }
    return real_load(made, code, names, values, count, more, more_values, more_count);
  };
  const cu::context context{cu::device::borrow(cu::port(&table), device.native_handle())};
  const int major = cu::get(device, cu::info::compute_capability_major);
  const int number = major * 10 + cu::get(device, cu::info::compute_capability_minor);
  const std::string here = std::to_string(number);
  if (number <= 80) YOKE_SKIP("NVRTC 13 has no older virtual architecture than the device's");
  const auto module = cu::compile(
      context, "#if __CUDA_ARCH__ != 800\n#error another architecture\n#endif\n" + std::string(plain_source),
      {.architecture = "compute_80", .code = "sm_" + here});
  check_put(context, module);
  CHECK(asked_target == static_cast<std::uintptr_t>(number));
  // Where both are one, it is as .architecture alone.
  check_put(context, cu::compile(context, plain_source, {.code = "sm_" + here}));
  CHECK(asked_target == 0);
  check_put(context, cu::compile(context, plain_source, {.architecture = "compute_" + here, .code = "sm_" + here}));
  try {
    (void)cu::compile(context, "nonsense", {.architecture = "compute_80", .code = "sm_" + here});
    FAIL_CHECK("nonsense was compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.options(), ContainsSubstring("--gpu-architecture=compute_80"));
  }
  const auto refused = [&](const cu::compile_options& options, const std::string& text) {
    CHECK_THAT(refused_options(context, options), ContainsSubstring(text));
  };
  refused({.code = "compute_80"}, "code \"compute_80\" is not like \"sm_90\"");
  refused({.code = "sm_x"}, "architecture \"sm_x\"");
  refused({.architecture = "sm_80", .code = "sm_" + here},
          "architecture \"sm_80\" is real, and so is code \"sm_" + here + "\"");
  refused({.architecture = "compute_999", .code = "sm_" + here},
          "code \"sm_" + here + "\" is older than architecture \"compute_999\"");
  refused({.options = {"-arch=sm_80"}, .code = "sm_" + here}, "and option \"-arch=sm_80\" both choose");
  refused({.options = {"--gpu-code=sm_80"}, .code = "sm_" + here}, "and option \"--gpu-code=sm_80\" both choose");
  refused({.architecture = "compute_80", .code = "sm_" + std::to_string(number + 10)},
          "code \"sm_" + std::to_string(number + 10) + "\" does not run on this device of compute capability " +
              std::to_string(major) + ".");
  refused({.architecture = "compute_80", .code = "sm_" + here, .jit = {.target = 80}},
          "code \"sm_" + here + "\" and JIT option target 80 both choose");
}

namespace {

std::string options_of_a_failure(const cu::context& context) {
  try {
    (void)cu::compile(context, "nonsense");
  } catch (const yoke::compile_error& e) {
    return e.options();
  }
  return "";
}

}  // namespace

YOKE_CUDA_TEST_CASE("a device that NVRTC does not know yet gets PTX, one that it no longer knows an error", "[cuda]") {
  const char* const name = "a device that NVRTC does not know yet gets PTX, one that it no longer knows an error";
  if (!is_simulated(device)) YOKE_SKIP("the device is the one that is there");
  if (!is_child(name)) {
    for (const char* const capability : {"12.5", "5.0"}) {
      const child_result child = run_child(
          name, {{"YOKE_SIMULATOR_COMPUTE_CAPABILITY", capability}, {"YOKE_SIMULATOR_DRIVER_VERSION", "13000"}});
      INFO(child.output);
      CHECK(child.status == 0);
    }
    return;
  }
  const cu::context context{device};
  if (cu::get(device, cu::info::compute_capability_major) == 5) {
    CHECK_THAT(
        cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::compile(context, plain_source); }),
        ContainsSubstring("NVRTC compiles for no device as old as compute capability 5.0"));
  } else {
    CHECK_THAT(options_of_a_failure(context), ContainsSubstring("--gpu-architecture=compute_121"));
    check_put(context, cu::compile(context, plain_source));
  }
}

YOKE_CUDA_TEST_CASE("images are loaded from memory and from files", "[cuda]") {
  const cu::context context{device};
  const auto image = raw_image(cu::compile(context, plain_source));
  check_put(context, cu::load_image(context, image));
  const temporary_folder folder;
  const auto module = cu::load_file(context, folder.put("put.image", image), {.max_registers = 32, .verbose = true});
  check_put(context, module);
  check_put(context, yoke::load(context, module.export_binary()));
}

YOKE_CUDA_TEST_CASE("PTX is loaded from memory and from a file, with options", "[cuda]") {
  if (is_simulated(device)) YOKE_SKIP("the simulator loads no PTX");
  const cu::context context{device};
  const temporary_folder folder;
  // Another text each time: what the driver has in its cache it does not compile, and has nothing to say of.
  const std::string fresh = std::string(ptx).append("// ").append(
      std::to_string(std::chrono::system_clock::now().time_since_epoch().count()));
  const auto module = cu::load_file(context, folder.put("put.ptx", bytes_of(fresh)),
                                    {.max_registers = 64,
                                     .min_block = 128,
                                     .optimization_level = 3,
                                     .prefer_ptx = true,
                                     .cache = cu::jit_cache::global,
                                     .line_info = true,
                                     .verbose = true});
  check_put(context, module);
  CHECK_THAT(module.build_log(), ContainsSubstring("put"));  // what the compiler said of the kernel
  CHECK(module.get_kernel<void(int*, int)>("put").checked() == yoke::signature_check::sizes);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::signature_mismatch,
                                             [&] { (void)module.get_kernel<void(int*, float)>("put"); }),
             ContainsSubstring("parameter 2 is no floating point"));
  check_put(context, cu::load_image(context, bytes_of(ptx), {.debug_info = true}));
  check_put(context, yoke::load_intermediate(context, bytes_of(ptx)));
  std::string broken(ptx);
  broken.replace(broken.find("st.global"), 9, "st.nowhere");
  try {
    (void)cu::load_image(context, bytes_of(broken));
    FAIL("loaded");
  } catch (const yoke::error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("nowhere"));  // the compiler's own words
  }
}

YOKE_CUDA_TEST_CASE("fatbins are loaded", "[cuda]") {
  if (is_simulated(device)) YOKE_SKIP("the simulator loads no fatbin");
  const cu::context context{device};
  // A fatbin around one cubin, as fatbinary writes it: a header, and a header and the bytes of each entry.
  const std::vector<std::byte> cubin = raw_image(cu::compile(context, plain_source));
  struct outer {
    std::uint32_t magic = 0xBA55ED50;
    std::uint16_t version = 1, header_bytes = 16;
    std::uint64_t bytes = 0;
  } head;
  struct inner {
    std::uint16_t kind = 2, version = 0x101;  // a cubin
    std::uint32_t header_bytes = 64;
    std::uint64_t bytes = 0;
    std::uint32_t compressed_bytes = 0, options_offset = 0;
    std::uint16_t minor = 8, major = 1;
    std::uint32_t architecture = 0;
    std::uint32_t name_offset = 0, name_bytes = 0;
    std::uint64_t flags = 0x11, zero = 0, uncompressed_bytes = 0;
  } entry;
  static_assert(sizeof head == 16 && sizeof entry == 64);
  entry.architecture = static_cast<std::uint32_t>(cu::get(device, cu::info::compute_capability_major) * 10 +
                                                  cu::get(device, cu::info::compute_capability_minor));
  entry.bytes = (cubin.size() + 7) / 8 * 8;
  head.bytes = sizeof entry + entry.bytes;
  std::vector<std::byte> fatbin(sizeof head + head.bytes);
  std::memcpy(fatbin.data(), &head, sizeof head);
  std::memcpy(fatbin.data() + sizeof head, &entry, sizeof entry);
  std::memcpy(fatbin.data() + sizeof head + sizeof entry, cubin.data(), cubin.size());
  check_put(context, cu::load_image(context, fatbin));
}

YOKE_CUDA_TEST_CASE("what is no whole image never reaches the driver", "[cuda]") {
  cuda_rig on(device);
  const auto image = raw_image(cu::compile(on.context, plain_source));
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refused_image(on.context, {}), ContainsSubstring("image of 0 bytes is empty"));
  CHECK_THAT(refused_image(on.context, bytes_of("int main() {}")),
             ContainsSubstring("image of 13 bytes is no cubin, no fatbin and no PTX"));
  for (const std::size_t length : {image.size() - 1, image.size() / 2, std::size_t{100}, std::size_t{20}}) {
    CHECK_THAT(refused_image(on.context, std::span(image).first(length)), ContainsSubstring("cut off"));
  }
  // The head of an ELF file: 64 bits, and the machine at byte 18.
  std::vector<std::byte> elf(200);
  std::memcpy(elf.data(),
              "\x7F"
              "ELF\x02",
              5);
  elf[18] = std::byte{62};
  CHECK_THAT(refused_image(on.context, elf), ContainsSubstring("of another machine, no cubin"));
  elf[18] = std::byte{190};
  const auto put = [&](std::size_t at, auto value) { std::memcpy(elf.data() + at, &value, sizeof value); };
  put(40, std::uint64_t{72});  // two sections of 64 bytes from there
  put(58, std::uint16_t{64});
  put(60, std::uint16_t{3});
  CHECK_THAT(refused_image(on.context, elf), ContainsSubstring("is a cubin that was cut off"));
  put(60, std::uint16_t{2});
  put(72 + 24, std::uint64_t{190});  // the first section's bytes
  put(72 + 32, std::uint64_t{11});
  CHECK_THAT(refused_image(on.context, elf), ContainsSubstring("is a cubin that was cut off or damaged"));
  put(40, ~std::uint64_t{0});
  CHECK_THAT(refused_image(on.context, elf), ContainsSubstring("is a cubin that was cut off"));
  std::vector<std::byte> fatbin(32);
  std::memcpy(fatbin.data(), "\x50\xED\x55\xBA\x01\x00\x10\x00\x11", 9);
  CHECK_THAT(refused_image(on.context, fatbin), ContainsSubstring("image of 32 bytes is a fatbin that was cut off"));
  CHECK(on.driver.count("library_load_data", mark) == 0);
}

YOKE_CUDA_TEST_CASE("an image file that cannot be had is named", "[cuda]") {
  cuda_rig on(device);
  const temporary_folder folder;
  const auto refused = [&](const std::filesystem::path& path, errc condition = errc::invalid_argument) {
    return cuda_refusal<yoke::logic_error>(condition, [&] { (void)cu::load_file(on.context, path); });
  };
  const auto missing = folder.path() / "gone.cubin";
  CHECK_THAT(refused(missing), ContainsSubstring("image file \"" + missing.string() + "\" does not exist"));
  CHECK_THAT(refused(folder.path()), ContainsSubstring(folder.path().string() + "\" is a folder"));
  CHECK_THAT(refused(folder.put("empty.cubin", {})), ContainsSubstring("empty.cubin\" is empty"));
  CHECK_THAT(refused("/dev/zero"), ContainsSubstring("image file \"/dev/zero\" is a device"));  // it never ends
  const auto pipe = folder.path() / "pipe.ptx";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THAT(refused(pipe), ContainsSubstring("pipe.ptx\" is a pipe or a socket"));
  cu::linker list;
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { list.add_file(pipe.string()); }),
             ContainsSubstring("pipe.ptx\" is a pipe or a socket"));
  CHECK_THAT(refused(missing.string() + std::string("\0x", 2)), ContainsSubstring("has a zero character in its name"));
  CHECK_THAT(refused("/proc/self/mem"), ContainsSubstring("\"/proc/self/mem\" cannot be read: "));
  CHECK_THAT(refused(folder.put("text.cubin", bytes_of("no image")), errc::incompatible_binary),
             ContainsSubstring("text.cubin\" of 8 bytes is no cubin, no fatbin and no PTX"));
  CHECK(on.driver.count("library_load_data") == 0);
}

namespace {

std::vector<std::pair<cuda_abi::jit_option, std::uintptr_t>> seen_options;
const cuda_abi::functions* real_driver = nullptr;

/// Plays a driver whose compiler speaks: it fills the logs, and then loads, or refuses.
template <bool Refuses>
cuda_abi::status talkative_load(cuda_abi::library* library, const void* image, cuda_abi::jit_option* names,
                                void** values, unsigned count, cuda_abi::library_option*, void**, unsigned) {
  seen_options.clear();
  const auto say = [&](cuda_abi::jit_option which, cuda_abi::jit_option size, const char* text) {
    char* to = nullptr;
    std::size_t room = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (names[i] == which) to = static_cast<char*>(values[i]);
      if (names[i] == size) room = reinterpret_cast<std::uintptr_t>(values[i]);
    }
    if (to == nullptr || room == 0) return;
    std::strncpy(to, text, room);
    to[room] = '\0';
  };
  for (unsigned i = 0; i < count; ++i) {
    seen_options.emplace_back(names[i], reinterpret_cast<std::uintptr_t>(values[i]));
  }
  say(cuda_abi::jit_option::info_log_buffer, cuda_abi::jit_option::info_log_buffer_size_bytes,
      "ptxas info: 7 registers");
  if (Refuses) {
    say(cuda_abi::jit_option::error_log_buffer, cuda_abi::jit_option::error_log_buffer_size_bytes,
        "ptxas fatal: line 3 is wrong");
    return 218;  // invalid PTX
  }
  return real_driver->library_load_data(library, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

std::uintptr_t seen(cuda_abi::jit_option which) {
  for (const auto& [name, value] : seen_options) {
    if (name == which) return value;
  }
  return ~std::uintptr_t{0};
}

}  // namespace

YOKE_CUDA_TEST_CASE("options of the driver's compiler arrive, its logs come back", "[cuda]") {
  real_driver = device.port().table();
  cuda_abi::functions table = *real_driver;
  table.library_load_data = &talkative_load<false>;
  const cu::context context{through_table(&table, device)};
  using enum cuda_abi::jit_option;
  const auto module = cu::compile(context, plain_source,
                                  {.jit = {.max_registers = 40,
                                           .min_block = 128,
                                           .optimization_level = 0,
                                           .target = 90,
                                           .prefer_ptx = true,
                                           .cache = cu::jit_cache::all,
                                           .debug_info = true,
                                           .line_info = true,
                                           .verbose = true}});
  CHECK(seen(max_registers) == 40);
  CHECK(seen(threads_per_block) == 128);
  CHECK(seen(optimization_level) == 0);
  CHECK(seen(target) == 90);
  CHECK(seen(fallback_strategy) == 0);
  CHECK(seen(cache_mode) == 2);
  CHECK(seen(generate_debug_info) == 1);
  CHECK(seen(generate_line_info) == 1);
  CHECK(seen(log_verbose) == 1);
  CHECK_THAT(module.build_log(), ContainsSubstring("ptxas info: 7 registers"));
  (void)cu::compile(context, plain_source, {.jit = {.prefer_ptx = false}});
  CHECK(seen(fallback_strategy) == 1);  // CU_PREFER_BINARY
  CHECK(seen_options.size() == 5);
  (void)cu::compile(context, plain_source);
  CHECK(seen_options.size() == 4);  // what is not asked for is left to the driver: there are only the logs
  CHECK_THAT(cu::compile(context, plain_source, {.jit = {.log_bytes = 5}}).build_log(), EndsWith("ptxas "));

  table.library_load_data = &talkative_load<true>;
  try {
    (void)cu::load_image(context, bytes_of(ptx));
    FAIL("loaded");
  } catch (const yoke::error& e) {
    CHECK(e.code().value() == 218);
    CHECK_THAT(e.what(), ContainsSubstring("ptxas fatal: line 3 is wrong"));
  }
}

YOKE_CUDA_TEST_CASE("every bit of a simulated image's header counts", "[cuda]") {
  if (!is_simulated(device)) YOKE_SKIP("the device is a GPU");
  const cu::context context{device};
  auto image = raw_image(cu::compile(context, plain_source));
  constexpr std::size_t header = 64;
  for (std::size_t bit = 0; bit < 8 * header; ++bit) {
    CAPTURE(bit / 8, bit % 8);
    image[bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
    CHECK_THROWS_AS(cu::load_image(context, image), yoke::error);
    image[bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
  }
  CHECK_FALSE(cu::load_image(context, image).kernel_names().empty());
}

// SPDX-License-Identifier: MIT
// Libraries, kernels, modules and linking: only the simulator's own images, and a life of their own in each context.
#include <cstdio>
#include <cstring>
#include <cuda_simulator/driver.hpp>

using namespace yoke_test;

namespace {

const std::string several_text = R"(
  __device__ int counter = 5;
  __constant__ float table[4] = {1, 2, 3, 4};
  struct pair { int a; double b; };
  extern "C" __global__ void mixed(int a, double2 b, pair c, char d) {}
  extern "C" __global__ void __launch_bounds__(64) bounded(int* out) {
    __shared__ int tile[100];
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[0] = tile[0];
  }
  extern "C" __global__ void count(int* out) { if (threadIdx.x == 0) *out = ++counter; }
)";

cuda_abi::status load(const void* bytes) {
  cuda_abi::library library = nullptr;
  return driver().library_load_data(&library, bytes, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

int counted(cuda_abi::function what) {
  const test_memory out{4};
  ok(launch_status(what, 1, 1, 0, nullptr, out.pointer));
  int value = 0;
  ok(driver().memcpy_dtoh(&value, out, 4));
  return value;
}

}  // namespace

TEST_CASE("only the simulator's own images load") {
  const primary_context context;
  const unsigned fatbin[] = {0xBA55ED50, 0x00100001, 64, 0, 0, 0};
  CHECK(load(".version 8.0\n.target sm_90\n.address_size 64\n") == cuda_abi::error_invalid_image);
  CHECK(load("\x7f"
             "ELF\x02\x01\x01") == cuda_abi::error_invalid_image);
  CHECK(load(fatbin) == cuda_abi::error_invalid_image);
  CHECK(load("") == cuda_abi::error_invalid_image);
  CHECK(load(nullptr) == cuda_abi::error_invalid_value);
  cuda_abi::loaded_module module_handle = nullptr;
  CHECK(driver().module_load_data(&module_handle, "garbage", 0, nullptr, nullptr) == cuda_abi::error_invalid_image);
  std::string damaged = image_of(several_text);
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] + 1);
  CHECK(load(damaged.data()) == cuda_abi::error_invalid_image);
}

TEST_CASE("an image for a newer device does not load") {
  const compiled_text newer = compile_by_nvrtc(several_text, {"--gpu-architecture=sm_120"});
  REQUIRE(newer.status == cuda_abi::nvrtc_success);
  CHECK(load(newer.image.data()) == cuda_abi::error_no_binary_for_gpu);
}

TEST_CASE("a cubin loads on its own major version, PTX on every newer device") {
  const primary_context context;
  const auto status_for = [](const char* option) {
    const compiled_text made = compile_by_nvrtc("__global__ void k() {}", {option});
    REQUIRE(made.status == cuda_abi::nvrtc_success);
    return load(made.image.data());
  };
  CHECK(status_for("-arch=sm_90") == cuda_abi::success);
  CHECK(status_for("-arch=sm_90a") == cuda_abi::success);
  CHECK(status_for("-arch=sm_80") == cuda_abi::error_no_binary_for_gpu);
  CHECK(status_for("-arch=compute_80") == cuda_abi::success);
  CHECK(status_for("-arch=compute_100") == cuda_abi::error_no_binary_for_gpu);
}

TEST_CASE("logs that a caller offers come back empty") {
  char info[8] = "before", error[8] = "before";
  cuda_abi::jit_option options[] = {
      cuda_abi::jit_option::info_log_buffer, cuda_abi::jit_option::info_log_buffer_size_bytes,
      cuda_abi::jit_option::error_log_buffer, cuda_abi::jit_option::error_log_buffer_size_bytes};
  void* values[] = {info, reinterpret_cast<void*>(std::uintptr_t{8}), error,
                    reinterpret_cast<void*>(std::uintptr_t{8})};
  cuda_abi::library library = nullptr;
  CHECK(driver().library_load_data(&library, "garbage", options, values, 4, nullptr, nullptr, 0) ==
        cuda_abi::error_invalid_image);
  CHECK(info[0] == '\0');
  CHECK(error[0] == '\0');
  CHECK(values[1] == nullptr);
  CHECK(values[3] == nullptr);
}

TEST_CASE("a library tells its kernels") {
  const test_library library{several_text};
  unsigned count = 0;
  CHECK(driver().library_get_kernel_count(&count, library.handle) == cuda_abi::success);
  REQUIRE(count == 3);
  cuda_abi::kernel kernels[3] = {};
  CHECK(driver().library_enumerate_kernels(kernels, 3, library.handle) == cuda_abi::success);
  std::string names;
  for (const cuda_abi::kernel each : kernels) {
    const char* name = nullptr;
    CHECK(driver().kernel_get_name(&name, each) == cuda_abi::success);
    names += name + std::string(" ");
  }
  CHECK_THAT(names, ContainsSubstring("mixed ") && ContainsSubstring("bounded ") && ContainsSubstring("count "));
  cuda_abi::kernel kernel = nullptr;
  CHECK(driver().library_get_kernel(&kernel, library.handle, "absent") == cuda_abi::error_not_found);
  cuda_abi::library owner = nullptr;
  CHECK(driver().kernel_get_library(&owner, library.kernel("mixed")) == cuda_abi::success);
  CHECK(owner == library.handle);
}

TEST_CASE("parameters have offsets and sizes") {
  const test_library library{several_text};
  const cuda_abi::kernel mixed = library.kernel("mixed");
  const std::size_t expected[][2] = {{0, 4}, {16, 16}, {32, 16}, {48, 1}};
  std::size_t offset = 0, bytes = 0;
  for (std::size_t each = 0; each < 4; ++each) {
    CHECK(driver().kernel_get_param_info(mixed, each, &offset, &bytes) == cuda_abi::success);
    CHECK(offset == expected[each][0]);
    CHECK(bytes == expected[each][1]);
  }
  CHECK(driver().kernel_get_param_info(mixed, 4, &offset, &bytes) == cuda_abi::error_invalid_value);
  CHECK(driver().function_get_param_info(library.function("mixed"), 1, &offset, nullptr) == cuda_abi::success);
  CHECK(offset == 16);
}

TEST_CASE("kernels and functions have attributes") {
  const primary_context context;
  const test_library library{several_text};
  const cuda_abi::kernel bounded = library.kernel("bounded");
  cuda_abi::function function = nullptr;
  CHECK(driver().kernel_get_function(&function, bounded) == cuda_abi::success);
  using attribute = cuda_abi::function_attribute;
  int value = 0;
  CHECK(driver().kernel_get_attribute(&value, attribute::max_threads_per_block, bounded, 0) == cuda_abi::success);
  CHECK(value == 64);
  CHECK(driver().function_get_attribute(&value, attribute::shared_size_bytes, function) == cuda_abi::success);
  CHECK(value == 400);
  CHECK(driver().function_get_attribute(&value, attribute::binary_version, function) == cuda_abi::success);
  CHECK(value == 90);
  CHECK(driver().function_get_attribute(&value, attribute::num_regs, function) == cuda_abi::success);
  CHECK(value > 0);
  CHECK(driver().function_get_attribute(&value, static_cast<attribute>(99), function) == cuda_abi::error_invalid_value);
  CHECK(driver().function_get_attribute(&value, attribute::max_dynamic_shared_size_bytes, function) ==
        cuda_abi::success);
  CHECK(value == 48 * 1024 - 400);
  CHECK(driver().function_set_attribute(function, attribute::max_dynamic_shared_size_bytes, 100000) ==
        cuda_abi::success);
  CHECK(driver().kernel_get_attribute(&value, attribute::max_dynamic_shared_size_bytes, bounded, 0) ==
        cuda_abi::success);
  CHECK(value == 100000);
  CHECK(driver().kernel_get_attribute(&value, attribute::max_dynamic_shared_size_bytes, bounded, 1) ==
        cuda_abi::success);
  CHECK(value == 48 * 1024 - 400);  // each device for itself
  CHECK(driver().kernel_set_attribute(attribute::max_dynamic_shared_size_bytes, 227 * 1024, bounded, 0) ==
        cuda_abi::error_invalid_value);
  CHECK(driver().kernel_set_attribute(attribute::num_regs, 1, bounded, 0) == cuda_abi::error_invalid_value);
  CHECK(driver().kernel_set_cache_config(bounded, cuda_abi::cache_config::prefer_l1, 0) == cuda_abi::success);
  CHECK(driver().function_set_cache_config(function, cuda_abi::cache_config::prefer_shared) == cuda_abi::success);
  const char* name = nullptr;
  CHECK(driver().function_get_name(&name, function) == cuda_abi::success);
  CHECK(std::string(name) == "bounded");
}

TEST_CASE("each context has globals of its own") {
  const primary_context second{1};
  const primary_context first{0};
  const test_library library{several_text};
  cuda_abi::device_pointer pointer = 0;
  std::size_t bytes = 0;
  CHECK(driver().library_get_global(&pointer, &bytes, library.handle, "table") == cuda_abi::success);
  CHECK(bytes == 16);
  float values[4] = {};
  CHECK(driver().memcpy_dtoh(values, pointer, 16) == cuda_abi::success);
  CHECK(values[3] == 4);
  CHECK(driver().memcpy_dtoh(values, pointer, 17) == cuda_abi::error_invalid_value);
  CHECK(driver().library_get_global(&pointer, &bytes, library.handle, "absent") == cuda_abi::error_not_found);
  CHECK(driver().library_get_managed(&pointer, &bytes, library.handle, "table") == cuda_abi::error_not_found);

  CHECK(counted(library.function("count")) == 6);
  CHECK(counted(library.function("count")) == 7);
  ok(driver().context_push(second.handle));
  CHECK(counted(library.function("count")) == 6);
  cuda_abi::context popped = nullptr;
  ok(driver().context_pop(&popped));
  CHECK(counted(library.function("count")) == 8);
}

TEST_CASE("a module is a library in one context") {
  const primary_context context;
  const std::string& image = image_of(several_text);
  cuda_abi::loaded_module handle = nullptr, of_function = nullptr;
  REQUIRE(driver().module_load_data(&handle, image.data(), 0, nullptr, nullptr) == cuda_abi::success);
  cuda_abi::function function = nullptr;
  CHECK(driver().module_get_function(&function, handle, "absent") == cuda_abi::error_not_found);
  CHECK(driver().module_get_function(&function, handle, "count") == cuda_abi::success);
  CHECK(driver().function_get_module(&of_function, function) == cuda_abi::success);
  CHECK(of_function == handle);
  CHECK(counted(function) == 6);
  cuda_abi::device_pointer pointer = 0;
  std::size_t bytes = 0;
  CHECK(driver().module_get_global(&pointer, &bytes, handle, "counter") == cuda_abi::success);
  CHECK(bytes == 4);
  CHECK(driver().module_unload(handle) == cuda_abi::success);
  CHECK(driver().module_unload(handle) == cuda_abi::error_invalid_handle);
  CHECK(launch_status(function, 1, 1, 0, nullptr, pointer) == cuda_abi::error_invalid_handle);
  CHECK(driver().memset_d32(pointer, 0, 1) == cuda_abi::error_invalid_value);
}

TEST_CASE("a library's module comes and goes with the library") {
  const primary_context context;
  cuda_abi::loaded_module handle = nullptr;
  {
    const test_library library{several_text};
    CHECK(driver().library_get_module(&handle, library.handle) == cuda_abi::success);
    CHECK(driver().module_unload(handle) == cuda_abi::error_invalid_handle);
  }
  cuda_abi::function function = nullptr;
  CHECK(driver().module_get_function(&function, handle, "count") == cuda_abi::error_invalid_handle);
}

TEST_CASE("a library loads from a file") {
  const std::string path = "/tmp/yoke_simulator_library_" + std::to_string(::getpid());
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  const std::string& image = image_of(several_text);
  CHECK(std::fwrite(image.data(), 1, image.size(), file) == image.size());
  std::fclose(file);
  cuda_abi::library library = nullptr;
  CHECK(driver().library_load_from_file(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) ==
        cuda_abi::success);
  CHECK(driver().library_unload(library) == cuda_abi::success);
  CHECK(driver().library_unload(library) == cuda_abi::error_invalid_handle);
  std::remove(path.c_str());
  CHECK(driver().library_load_from_file(&library, path.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) ==
        cuda_abi::error_file_not_found);
}

namespace {

/// Returns: what a program compiled with `-rdc=true` gives as PTX.
std::string linkable(const std::string& text, std::vector<const char*> options = {"-rdc=true"}) {
  const cuda_abi::nvrtc_functions& compiler = nvrtc();
  cuda_abi::nvrtc_program program = nullptr;
  ok(compiler.create_program(&program, text.c_str(), "part.cu", 0, nullptr, nullptr));
  if (compiler.compile_program(program, static_cast<int>(options.size()), options.data()) != 0) {
    throw std::runtime_error("a part does not compile");
  }
  std::size_t bytes = 0;
  ok(compiler.get_ptx_size(program, &bytes));
  std::string image(bytes, '\0');
  ok(compiler.get_ptx(program, image.data()));
  ok(compiler.destroy_program(&program));
  return image;
}

/// A link with its error log and time, while it lives.
struct test_link {
  test_link() {
    cuda_abi::jit_option names[] = {cuda_abi::jit_option::error_log_buffer,
                                    cuda_abi::jit_option::error_log_buffer_size_bytes, cuda_abi::jit_option::wall_time};
    values[0] = log.data();
    values[1] = reinterpret_cast<void*>(log.size());
    ok(driver().link_create(3, names, values, &state));
  }
  ~test_link() { driver().link_destroy(state); }
  test_link(const test_link&) = delete;
  test_link& operator=(const test_link&) = delete;
  cuda_abi::status add(std::string code, const char* name, cuda_abi::jit_input kind = cuda_abi::jit_input::ptx) {
    return driver().link_add_data(state, kind, code.data(), code.size(), name, 0, nullptr, nullptr);
  }
  cuda_abi::status complete() { return driver().link_complete(state, &linked, &bytes); }

  cuda_abi::link_state state = nullptr;
  std::string log = std::string(1000, '?');
  void* values[3] = {};
  void* linked = nullptr;
  std::size_t bytes = 0;
};

const std::string caller_text = R"(
  extern __device__ int step;
  extern __constant__ int scale;
  __device__ int helper(int);
  extern "C" __global__ void call(int* out) {
    __shared__ int tile[10];
    tile[0] = helper(*out) * scale + step;
    *out = tile[0];
  })";
const std::string helper_text = R"(
  __device__ int step = 7;
  __constant__ int scale = 10;
  __device__ int helper(int a) {
    __shared__ int own[20];
    own[1] = a + (int)threadIdx.x + 1;
    return own[1];
  }
  extern "C" __global__ void other(int* out) { *out = helper(*out); })";

/// Returns: an archive as `ar` makes it.
std::string archive_of(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string text = "!<arch>\n";
  for (const auto& [name, bytes] : members) {
    char head[61];
    std::snprintf(head, sizeof head, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", (name + "/").c_str(), 0, 0, 0, 0644u,
                  bytes.size());
    text += head + bytes + (bytes.size() % 2 == 0 ? "" : "\n");
  }
  return text;
}

int result_of(void* image, const char* kernel, int in) {
  cuda_abi::loaded_module loaded = nullptr;
  cuda_abi::function function = nullptr;
  ok(driver().module_load_data(&loaded, image, 0, nullptr, nullptr));
  ok(driver().module_get_function(&function, loaded, kernel));
  const test_memory out{4};
  ok(driver().memcpy_htod(out, &in, 4));
  ok(launch_status(function, 1, 1, 0, nullptr, out.pointer));
  int value = 0;
  ok(driver().memcpy_dtoh(&value, out, 4));
  ok(driver().module_unload(loaded));
  return value;
}

}  // namespace

TEST_CASE("linking hands one whole image on") {
  const primary_context context;
  std::string image = image_of(several_text);
  cuda_abi::link_state link = nullptr;
  REQUIRE(driver().link_create(0, nullptr, nullptr, &link) == cuda_abi::success);
  void* linked = nullptr;
  std::size_t bytes = 0;
  char garbage[] = "no image";
  CHECK(driver().link_complete(link, &linked, &bytes) == cuda_abi::error_invalid_value);
  CHECK(driver().link_add_data(link, cuda_abi::jit_input::ptx, garbage, sizeof garbage, nullptr, 0, nullptr, nullptr) ==
        cuda_abi::error_invalid_image);
  CHECK(driver().link_add_file(link, cuda_abi::jit_input::ptx, "/nowhere/x.ptx", 0, nullptr, nullptr) ==
        cuda_abi::error_file_not_found);
  CHECK(driver().link_add_data(link, cuda_abi::jit_input::cubin, image.data(), image.size(), "x", 0, nullptr,
                               nullptr) == cuda_abi::success);
  CHECK(driver().link_complete(link, &linked, &bytes) == cuda_abi::success);
  CHECK(bytes == image.size());
  CHECK(std::memcmp(linked, image.data(), bytes) == 0);
  CHECK(driver().link_destroy(link) == cuda_abi::success);
  CHECK(driver().link_destroy(link) == cuda_abi::error_invalid_handle);
}

TEST_CASE("a kernel calls a function and reads variables of another image") {
  const primary_context context;
  test_link link;
  REQUIRE(link.add(linkable(caller_text), "caller") == cuda_abi::success);
  REQUIRE(link.add(linkable(helper_text), "helper") == cuda_abi::success);
  REQUIRE(link.complete() == cuda_abi::success);
  CHECK(std::string(link.log.c_str()).empty());
  float milliseconds = 0;
  std::memcpy(&milliseconds, &link.values[2], sizeof milliseconds);
  CHECK(milliseconds > 0);
  CHECK(result_of(link.linked, "call", 4) == (4 + 1) * 10 + 7);
  CHECK(result_of(link.linked, "other", 4) == 5);

  cuda_abi::library library = nullptr;
  ok(driver().library_load_data(&library, link.linked, nullptr, nullptr, 0, nullptr, nullptr, 0));
  cuda_abi::kernel kernel = nullptr;
  ok(driver().library_get_kernel(&kernel, library, "call"));
  int shared = 0;
  ok(driver().kernel_get_attribute(&shared, cuda_abi::function_attribute::shared_size_bytes, kernel, 0));
  CHECK(shared == 30 * 4);  // also what the other image's function has
  ok(driver().library_unload(library));
}

TEST_CASE("a linker names what is missing, what is there twice, and in which input") {
  const primary_context context;
  const std::string caller = linkable(caller_text);
  const std::string helper = linkable(helper_text);
  {
    test_link link;
    REQUIRE(link.add(caller, "caller.ptx") == cuda_abi::success);
    CHECK(link.complete() == cuda_abi::error_invalid_image);
    CHECK_THAT(link.log.c_str(), ContainsSubstring("Undefined reference to '_Z6helperi' in 'caller.ptx'"));
    CHECK(link.values[1] == reinterpret_cast<void*>(std::strlen(link.log.c_str())));
  }
  {
    test_link link;
    REQUIRE(link.add(helper, "one") == cuda_abi::success);
    REQUIRE(link.add(linkable("__device__ int helper(int a) { return a; }"), "two") == cuda_abi::success);
    CHECK(link.complete() == cuda_abi::error_invalid_image);
    CHECK_THAT(link.log.c_str(),
               ContainsSubstring("Multiple definition of '_Z6helperi' in 'two', first defined in 'one'"));
  }
  {
    test_link link;
    REQUIRE(link.add(image_of(several_text), "whole", cuda_abi::jit_input::cubin) == cuda_abi::success);
    REQUIRE(link.add(helper, "helper") == cuda_abi::success);
    CHECK(link.complete() == cuda_abi::error_invalid_image);
    CHECK_THAT(link.log.c_str(), ContainsSubstring("'whole' cannot be linked"));
  }
  test_link link;
  CHECK(link.add("rubbish", "bad.o", cuda_abi::jit_input::object) == cuda_abi::error_invalid_image);
  CHECK_THAT(link.log.c_str(), ContainsSubstring("bad.o"));
}

TEST_CASE("of an archive a linker takes what is needed") {
  const primary_context context;
  const std::string helper = linkable(helper_text);
  const std::string useless = linkable(
      "__device__ int helper_of_nobody(int);\n"
      "__device__ int nobody(int a) { return helper_of_nobody(a); }");
  test_link link;
  REQUIRE(link.add(linkable(caller_text), "caller") == cuda_abi::success);
  REQUIRE(link.add(archive_of({{"useless.o", useless}, {"helper.o", helper}}), "libhelp.a",
                   cuda_abi::jit_input::library) == cuda_abi::success);
  REQUIRE(link.complete() == cuda_abi::success);
  CHECK(result_of(link.linked, "call", 1) == 27);
  test_link damaged;
  REQUIRE(damaged.add(archive_of({{"helper.o", helper}}).substr(0, 500), "libcut.a", cuda_abi::jit_input::library) ==
          cuda_abi::success);
  CHECK(damaged.complete() == cuda_abi::error_invalid_image);
  CHECK_THAT(damaged.log.c_str(), ContainsSubstring("Archive 'libcut.a' is damaged"));
}

TEST_CASE("relocatable PTX loads by itself if nothing is missing, machine code does not") {
  const primary_context context;
  std::string whole = linkable(helper_text);
  CHECK(result_of(whole.data(), "other", 1) == 2);
  CHECK(load(linkable(caller_text).c_str()) == cuda_abi::error_invalid_ptx);
  const compiled_text machine_code = compile_by_nvrtc(helper_text, {"-rdc=true", "-arch=sm_90"});
  REQUIRE(machine_code.status == cuda_abi::nvrtc_success);
  CHECK(load(machine_code.image.data()) == cuda_abi::error_invalid_image);
}

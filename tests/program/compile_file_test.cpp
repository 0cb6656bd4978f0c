// SPDX-License-Identifier: MIT
// Sources that are files: their names in messages and in a cache, the headers beside them, and files that cannot be had.
#include <program/compiling.hpp>
#include <support/process/temporary_folder.hpp>
#include <yoke/cache.hpp>

#include <filesystem>
#include <fstream>

using namespace yoke_test;

namespace {

/// A folder with a file of text. Returns: the file's path.
std::string put(const temporary_folder& folder, const std::string& name, const std::string& text) {
  return folder.put(name, std::as_bytes(std::span{text})).string();
}

constexpr const char* adds = "#include \"answer.h\"\nYOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = ANSWER + MORE; }\n";

}  // namespace

YOKE_DEVICE_TEST_CASE("a file is compiled with the headers beside it", "[program]") {
  rig on(device);
  const temporary_folder folder;
  const std::string path = put(folder, "kernels/f.cl", adds);
  put(folder, "kernels/answer.h", "#define ANSWER 40\n");
  put(folder, "others/answer.h", "#define ANSWER 1000\n");  // looked at later
  const yoke::compile_options options{.include_folders = {(folder.path() / "others").string()},
                                      .defines = {{"MORE", 2}}};
  const auto module = yoke::compile_file(on.context, path, options);
  CHECK(module.kernel_names() == std::vector<std::string>{"f"});
  std::vector<int> result(1);
  module.template get_kernel<void(int*)>("f")(on.stream, {.grid = 1}, yoke::out(result));
  CHECK(result[0] == 42);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path() / "kernels");
  CHECK_NOTHROW(yoke::compile_file(on.context, "f.cl", options));  // in the folder that is current
  std::filesystem::current_path(before);
}

YOKE_DEVICE_TEST_CASE("a file in a folder with blanks in its name is compiled, with headers and without", "[program]") {
  rig on(device);
  const temporary_folder folder;
  std::vector<int> result(1);
  const auto run = [&](const auto& module) {
    module.template get_kernel<void(int*)>("f")(on.stream, {.grid = 1}, yoke::out(result));
    return result[0];
  };
  const std::string alone = put(folder, "my kernels/alone.cl", "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = 7; }\n");
  CHECK(run(yoke::compile_file(on.context, alone)) == 7);
  // Headers beside it, of theirs, in plain folders, and embedded ones; in the dialect and not.
  const std::string path = put(folder, "my kernels/f.cl",
                               "#include \"answer.h\"\n#include <plain.h>\n#include \"text.h\"\n"
                               "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = ANSWER + PLAIN + TEXT; }\n");
  put(folder, "my kernels/answer.h", "#pragma once\n#include \"within it/part.h\"\n#define ANSWER (PART + 1)\n");
  put(folder, "my kernels/within it/part.h", "#include \"../answer.h\"\n#define PART 20\n");
  put(folder, "plain/plain.h", "#define PLAIN 300\n");
  put(folder, "other one/answer.h", "#define ANSWER 0\n");  // looked at later
  const yoke::program_cache cache{{.folder = (folder.path() / "cache").string()}, {}};
  const yoke::compile_options options{
      .include_folders = {(folder.path() / "plain").string(), (folder.path() / "other one").string()},
      .cache = &cache,
      .headers = {{"text.h", "#define TEXT 4000\n"}}};
  CHECK(run(yoke::compile_file(on.context, path, options)) == 4321);
  CHECK(run(yoke::compile_file(on.context, path, options)) == 4321);
  CHECK(cache.counters().compiled == 1);
  put(folder, "my kernels/within it/part.h", "#define PART 30\n");
  CHECK(run(yoke::compile_file(on.context, path, options)) == 4331);
  CHECK(cache.counters().compiled == 2);
  // Messages name the file and its line.
  put(folder, "my kernels/answer.h", "\n#define ANSWER nowhere\n");
  try {
    (void)yoke::compile_file(on.context, path, options);
    FAIL_CHECK("was compiled");
  } catch (const yoke::compile_error& e) {
    CHECK_THAT(e.what(), ContainsSubstring("nowhere") && ContainsSubstring("f.cl"));
  }
}

YOKE_DEVICE_TEST_CASE("messages call a source by its file", "[program]") {
  rig on(device);
  const temporary_folder folder;
  const std::string path = put(folder, "wrong.cl", "YOKE_KERNEL f(YOKE_GLOBAL int* out) {\n  out[0] = nowhere;\n}\n");
  const auto said = [&](const yoke::compile_options& options) {
    try {
      (void)yoke::compile_file(on.context, path, options);
    } catch (const yoke::compile_error& e) {
      CHECK_THAT(e.log(), ContainsSubstring("nowhere"));
      return std::string(e.what());
    }
    FAIL_CHECK("was compiled");
    return std::string();
  };
  CHECK_THAT(said({}), ContainsSubstring("building " + path + " with options") &&
                           (ContainsSubstring("wrong.cl:2") || ContainsSubstring("wrong.cl(2")));
  CHECK_THAT(said({.name = "mine.cl"}), ContainsSubstring("mine.cl:2") || ContainsSubstring("mine.cl(2"));
}

YOKE_DEVICE_TEST_CASE("a file is found in a cache by its name and text", "[program]") {
  rig on(device);
  const temporary_folder folder;
  const std::string first = put(folder, "one/f.cl", adds), second = put(folder, "two/f.cl", adds);
  put(folder, "one/answer.h", "#define ANSWER 40\n");
  put(folder, "two/answer.h", "#define ANSWER 50\n");
  const yoke::program_cache cache{{.folder = (folder.path() / "cache").string()}, {}};
  const yoke::compile_options options{.defines = {{"MORE", 2}}, .cache = &cache};
  const auto answer = [&](const std::string& path) {
    std::vector<int> result(1);
    const auto module = yoke::compile_file(on.context, path, options);
    module.template get_kernel<void(int*)>("f")(on.stream, {.grid = 1}, yoke::out(result));
    return result[0];
  };
  CHECK(answer(first) == 42);
  CHECK(answer(second) == 52);
  CHECK(cache.counters().compiled == 2);
  CHECK(answer(first) == 42);
  CHECK(cache.counters().compiled == 2);
  put(folder, "one/answer.h", "#define ANSWER 60\n");
  CHECK(answer(first) == 62);
}

YOKE_DEVICE_TEST_CASE("a source file that cannot be had is named", "[program]") {
  rig on(device);
  const temporary_folder folder;
  const auto refused = [&](const std::string& path) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                      [&] { (void)yoke::compile_file(on.context, path); });
  };
  CHECK_THAT(refused((folder.path() / "gone.cl").string()),
             ContainsSubstring("source file \"") && ContainsSubstring("gone.cl\" does not exist"));
  CHECK_THAT(refused(folder.path().string()), ContainsSubstring("\" is a folder"));
  CHECK_THAT(refused(put(folder, "empty.cl", "")), ContainsSubstring("empty.cl\" is empty"));
  CHECK_THAT(refused("/dev/zero"), ContainsSubstring("\"/dev/zero\" is a device"));
}

YOKE_CUDA_TEST_CASE("a file of CUDA C++ is compiled with what CUDA's compilers take", "[program]") {
  namespace cu = yoke::cuda;
  rig on(device);
  const temporary_folder folder;
  const std::string path = put(folder, "scale.cu", R"(
    template <class T> __global__ void scale(T* a, T by) { a[threadIdx.x] *= by; }
    template __global__ void scale<float>(float*, float);)");
  const auto module = cu::compile_file(on.context, path, {.kernels = {yoke::typed<void(float*, float)>("scale")}});
  const auto scale = module.get_kernel<void(float*, float)>("scale");
  CHECK(scale.checked() == yoke::signature_check::types);
  auto memory = yoke::to_device(std::vector<float>(4, 2.0F), on.stream);
  scale(on.stream, {.grid = 1, .block = 4}, memory, 1.5F);
  CHECK(yoke::to_host(memory, on.stream) == std::vector<float>(4, 3.0F));
}

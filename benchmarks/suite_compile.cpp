// SPDX-License-Identifier: MIT
// What a program costs: compiled for the first time, compiled again, from the cache's folder, from its memory.
#include "suites.hpp"

#include <yoke/cache.hpp>
#include <yoke/cuda.hpp>
#include <yoke/driver/cuda/nvrtc_loader.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "kernels.hpp"

namespace bench {
namespace {

/// A context, and a folder for the cache that is gone at the end.
struct compiling {
  explicit compiling(const yoke::device<yoke::any_port>& device) : context(device) {
    if (::mkdtemp(folder.data()) == nullptr) fail("mkdtemp", errno);
  }
  ~compiling() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  compiling(const compiling&) = delete;
  compiling& operator=(const compiling&) = delete;

  yoke::context<yoke::any_port> context;
  std::string folder = (std::filesystem::temp_directory_path() / "yoke-bench-XXXXXX").string();
};

/// Returns: the kernels in the backend's own words, one of them with a number that no other run has had: drivers keep
/// caches of their own. Everybody compiles this same text.
std::string text(const std::string& backend, long long number) {
  return std::string(backend == "cuda" ? cuda_words : opencl_words) + source +
         "YOKE_KERNEL unique(YOKE_GLOBAL long* a) { a[0] = " + std::to_string(number) + "; }\n";
}
long long fresh() { return std::chrono::system_clock::now().time_since_epoch().count(); }

void compile(const compiling& on, const std::string& program, const yoke::program_cache* cache) {
  (void)yoke::compile(on.context, program, {.language = yoke::source_language::native, .cache = cache});
}

namespace cuda_abi = yoke::cuda::abi;
void compile_raw_cuda(const std::string& program, const std::string& architecture) {
  yoke::cuda::detail::load_failure ignored;
  const cuda_abi::functions& driver = yoke::cuda::detail::find_driver(ignored)->table;
  const cuda_abi::nvrtc_functions& nvrtc = yoke::cuda::detail::default_nvrtc({}).table;
  cuda_abi::nvrtc_program native = nullptr;
  check(nvrtc.create_program(&native, program.c_str(), "kernel.cu", 0, nullptr, nullptr), "nvrtcCreateProgram");
  const std::string gpu = "--gpu-architecture=" + architecture;
  const std::array options{gpu.c_str(), "--std=c++17"};
  check(nvrtc.compile_program(native, 2, options.data()), "nvrtcCompileProgram");
  std::size_t bytes = 0;
  check(nvrtc.get_cubin_size(native, &bytes), "nvrtcGetCUBINSize");
  std::string image(bytes, '\0');
  check(nvrtc.get_cubin(native, image.data()), "nvrtcGetCUBIN");
  check(nvrtc.destroy_program(&native), "nvrtcDestroyProgram");
  cuda_abi::library loaded = nullptr;
  check(driver.library_load_data(&loaded, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0), "cuLibraryLoadData");
  check(driver.library_unload(loaded), "cuLibraryUnload");
}
namespace opencl_abi = yoke::opencl::abi;
void compile_raw_opencl(const yoke::opencl::context& in, const std::string& program) {
  const opencl_abi::functions& driver = *in.port().table();
  const char* lines = program.c_str();
  opencl_abi::status code = 0;
  const opencl_abi::program native = driver.create_program_with_source(in.native_handle(), 1, &lines, nullptr, &code);
  check(code, "clCreateProgramWithSource");
  const opencl_abi::device device = in.devices().front().native_handle();
  check(driver.build_program(native, 1, &device, "-cl-std=CL1.2 -cl-kernel-arg-info", nullptr, nullptr),
        "clBuildProgram");
  check(driver.release_program(native), "clReleaseProgram");
}

contestant timed(std::string name, std::function<void()> before, std::function<void()> operate) {
  return {std::move(name), [=](int) {
            before();
            const double start = nanoseconds_now(timing::elapsed);
            operate();
            return nanoseconds_now(timing::elapsed) - start;
          }};
}

}  // namespace

void add_compilations(suite& into, const yoke::device<yoke::any_port>& device) {
  const std::string backend = into.backend;
  const std::string architecture = into.architecture;
  /// What the backend's own compiler does with a text.
  const auto raw = [=](const std::shared_ptr<compiling>& on) -> std::function<void(const std::string&)> {
    if (backend == "cuda") {
      return [on, architecture](const std::string& program) { compile_raw_cuda(program, architecture); };
    }
    const auto context = std::make_shared<yoke::opencl::context>(yoke::as_opencl(device));
    return [on, context](const std::string& program) { compile_raw_opencl(*context, program); };
  };
  const auto nothing = [] {};
  const auto add = [&](const char* name, auto make_yoke, bool again) {
    into.operations.push_back({name, timing::elapsed, 1, 9, [=] {
                                 const auto on = std::make_shared<compiling>(device);
                                 const auto by_raw = raw(on);
                                 std::vector<contestant> all = make_yoke(on);
                                 const std::string same = text(backend, fresh());
                                 if (again) by_raw(same);
                                 all.push_back(
                                     timed("raw", nothing, [=] { by_raw(again ? same : text(backend, fresh())); }));
                                 return all;
                               }});
  };
  using shared = std::shared_ptr<compiling>;
  add(
      "compile_cold",
      [=](const shared& on) {
        const auto plain = [=] { compile(*on, text(backend, fresh()), nullptr); };
        const auto cache = std::make_shared<yoke::program_cache>(yoke::disk_cache_options{.folder = on->folder});
        const auto kept = [=] { compile(*on, text(backend, fresh()), cache.get()); };
        return std::vector{timed("yoke", nothing, plain), timed("yoke_stored", nothing, kept)};
      },
      false);
  add(
      "compile_warm",
      [=](const shared& on) {
        const auto cache = std::make_shared<yoke::program_cache>(yoke::disk_cache_options{.folder = on->folder});
        const std::string program = text(backend, fresh());
        compile(*on, program, cache.get());
        compile(*on, program, nullptr);
        const auto again = [=] { compile(*on, program, cache.get()); };
        const auto plain = [=] { compile(*on, program, nullptr); };
        const auto forget = [=] { cache->clear_memory(); };
        return std::vector{timed("yoke", forget, again), timed("yoke_memory", nothing, again),
                           timed("yoke_no_cache", nothing, plain)};
      },
      true);
}

}  // namespace bench

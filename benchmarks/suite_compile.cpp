// SPDX-License-Identifier: MIT
// What a program costs: compiled for the first time, compiled again, from the cache's folder, from its memory.
#include "suites.hpp"

#include <yoke/cache.hpp>
#include <yoke/cuda.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>

#include "kernels.hpp"

namespace bench {
namespace {

/// A folder that is gone at the end.
struct temporary_folder {
  temporary_folder() {
    if (::mkdtemp(name.data()) == nullptr) fail("mkdtemp", errno);
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(name, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  std::string name = (std::filesystem::temp_directory_path() / "yoke-bench-XXXXXX").string();
};

/// A context, and a cache in a folder of its own.
struct compiling {
  explicit compiling(const yoke::device<yoke::any_port>& device) : context(device) {}
  yoke::context<yoke::any_port> context;
  temporary_folder folder;
  yoke::program_cache cache{yoke::disk_cache_options{.folder = folder.name}};
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

/// The same with a text that was compiled before.
struct compiled : compiling {
  compiled(const yoke::device<yoke::any_port>& device, std::string text) : compiling(device), program(std::move(text)) {
    compile(*this, program, &cache);
    compile(*this, program, nullptr);
  }
  std::string program;
};

namespace cuda_abi = yoke::cuda::abi;
void make_current(const yoke::cuda::context& context) {
  yoke::cuda::detail::load_failure ignored;
  const cuda_abi::functions& driver = yoke::cuda::detail::find_driver(ignored)->table;
  check(driver.context_set_current(context.native_handle()), "cuCtxSetCurrent");
}
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

bursts timed(std::function<void()> before, std::function<void()> operate) {
  return {.time = [=](int) {
    before();
    const double start = nanoseconds_now(timing::elapsed);
    operate();
    return nanoseconds_now(timing::elapsed) - start;
  }};
}

}  // namespace

void add_compilations(suite& into, const yoke::device<yoke::any_port>& device) {
  const std::string backend = into.backend;
  const auto cold = while_kept([=] { return std::make_shared<compiling>(device); });
  const auto warm = while_kept([=] { return std::make_shared<compiled>(device, text(backend, fresh())); });
  /// What the backend's own compiler does with a text.
  const auto raw = [=, architecture = into.architecture]() -> std::function<void(const std::string&)> {
    if (backend == "cuda") {
      const auto context = std::make_shared<yoke::cuda::context>(yoke::as_cuda(device));
      make_current(*context);
      return [context, architecture](const std::string& program) { compile_raw_cuda(program, architecture); };
    }
    const auto context = std::make_shared<yoke::opencl::context>(yoke::as_opencl(device));
    return [context](const std::string& program) { compile_raw_opencl(*context, program); };
  };
  const auto nothing = [] {};
  into.operations.push_back(
      {"compile_cold",
       timing::elapsed,
       1,
       9,
       {{"yoke", 0,
         [=] { return timed(nothing, [=, on = cold()] { compile(*on, text(backend, fresh()), nullptr); }); }},
        {"yoke_stored", 0,
         [=] { return timed(nothing, [=, on = cold()] { compile(*on, text(backend, fresh()), &on->cache); }); }},
        {"raw", 0, [=] { return timed(nothing, [=, by_raw = raw()] { by_raw(text(backend, fresh())); }); }}}});
  into.operations.push_back(
      {"compile_warm",
       timing::elapsed,
       1,
       9,
       {{"yoke", 0,
         [=] {
           const auto on = warm();
           return timed([=] { on->cache.clear_memory(); }, [=] { compile(*on, on->program, &on->cache); });
         }},
        {"yoke_memory", 0, [=] { return timed(nothing, [=, on = warm()] { compile(*on, on->program, &on->cache); }); }},
        {"yoke_no_cache", 0, [=] { return timed(nothing, [=, on = warm()] { compile(*on, on->program, nullptr); }); }},
        {"raw", 0, [=] {
           const auto by_raw = raw();
           const std::string same = text(backend, fresh());
           by_raw(same);
           return timed(nothing, [=] { by_raw(same); });
         }}}});
}

}  // namespace bench

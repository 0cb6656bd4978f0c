// SPDX-License-Identifier: MIT
// The simulated driver, opened by the library's own loader, in a test's few words.
#ifndef YOKE_TESTS_CUDA_SIMULATOR_DRIVER_HPP
#define YOKE_TESTS_CUDA_SIMULATOR_DRIVER_HPP

#include <yoke/driver/cuda/abi/status_codes.hpp>
#include <yoke/driver/cuda/compiler/nvrtc.hpp>
#include <yoke/driver/cuda/error.hpp>
#include <yoke/driver/cuda/loader.hpp>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <utility>
#include <vector>

namespace yoke_test {

namespace cuda_abi = yoke::cuda::abi;

/// Returns: the simulator's entry points. Two devices, unless the environment says otherwise.
inline const cuda_abi::functions& driver() {
  static const cuda_abi::functions* const table = [] {
    ::setenv("YOKE_CUDA_DRIVER", YOKE_TEST_CUDA_SIMULATOR, 1);
    ::setenv("YOKE_SIMULATOR_DEVICES", "2", 0);
    std::string reason;
    const cuda_abi::functions* const found = yoke::cuda::detail::find_functions(reason);
    if (found == nullptr) throw std::runtime_error(reason);
    return found;
  }();
  return *table;
}

inline const cuda_abi::nvrtc_functions& nvrtc() {
  driver();
  std::string reason;
  const auto* const found = yoke::cuda::detail::find_nvrtc(reason);
  if (found == nullptr) throw std::runtime_error(reason);
  return found->table;
}

/// Effects: throws what is not success, by its name.
inline void ok(cuda_abi::status status) {
  if (status == cuda_abi::success) return;
  const char* name = nullptr;
  driver().get_error_name(status, &name);
  throw std::runtime_error(name == nullptr ? "unknown status" : name);
}

/// Gives what memory or a pool of a device is made by.
template <class Properties>
struct properties_on {
  Properties operator()(int device = 0, cuda_abi::shared_handle_type types = cuda_abi::shared_handle_type::none) const {
    Properties wanted{};
    wanted.type = cuda_abi::allocation_type::pinned;
    wanted.handle_types = types;
    wanted.location = {cuda_abi::memory_location_type::device, device};
    return wanted;
  }
};

/// A primary context, retained and current while one lives.
class primary_context {
 public:
  explicit primary_context(cuda_abi::device of = 0) : device(of) {
    ok(driver().primary_context_retain(&handle, of));
    ok(driver().context_push(handle));
  }
  ~primary_context() {
    cuda_abi::context popped = nullptr;
    driver().context_pop(&popped);
    driver().primary_context_release(device);
  }
  primary_context(const primary_context&) = delete;
  primary_context& operator=(const primary_context&) = delete;

  cuda_abi::device device;
  cuda_abi::context handle = nullptr;
};

/// A stream of the current context.
class test_stream {
 public:
  explicit test_stream(unsigned flags = cuda_abi::stream_default) { ok(driver().stream_create(&handle, flags, 0)); }
  ~test_stream() { driver().stream_destroy(handle); }
  test_stream(const test_stream&) = delete;
  test_stream& operator=(const test_stream&) = delete;
  operator cuda_abi::stream() const { return handle; }

  cuda_abi::stream handle = nullptr;
};

/// Plain device memory of the current context.
class test_memory {
 public:
  explicit test_memory(std::size_t bytes) { ok(driver().mem_alloc(&pointer, bytes)); }
  ~test_memory() { driver().mem_free(pointer); }
  test_memory(const test_memory&) = delete;
  test_memory& operator=(const test_memory&) = delete;
  operator cuda_abi::device_pointer() const { return pointer; }

  cuda_abi::device_pointer pointer = 0;
};

/// Page-locked memory of the current context.
template <class T>
class test_pagelocked {
 public:
  explicit test_pagelocked(std::size_t count) : count_(count) {
    void* made = nullptr;
    ok(driver().mem_host_alloc(&made, count * sizeof(T), 0));
    data_ = static_cast<T*>(made);
  }
  ~test_pagelocked() { driver().mem_free_host(data_); }
  test_pagelocked(const test_pagelocked&) = delete;
  test_pagelocked& operator=(const test_pagelocked&) = delete;

  T* data() const { return data_; }
  T& operator[](std::size_t index) const { return data_[index]; }
  std::size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// What NVRTC made of a text.
struct compiled_text {
  cuda_abi::nvrtc_status status = 0;
  std::string image;
  std::string log;
  std::map<std::string, std::string> lowered;
};

inline compiled_text compile_by_nvrtc(const std::string& source, const std::vector<const char*>& options = {},
                                      const std::vector<std::string>& names = {}) {
  const cuda_abi::nvrtc_functions& compiler = nvrtc();
  compiled_text made;
  cuda_abi::nvrtc_program program = nullptr;
  ok(compiler.create_program(&program, source.c_str(), "user.cu", 0, nullptr, nullptr));
  for (const std::string& each : names) ok(compiler.add_name_expression(program, each.c_str()));
  made.status = compiler.compile_program(program, static_cast<int>(options.size()), options.data());
  std::size_t bytes = 0;
  ok(compiler.get_program_log_size(program, &bytes));
  made.log.resize(bytes);
  ok(compiler.get_program_log(program, made.log.data()));
  made.log.pop_back();
  if (made.status == cuda_abi::nvrtc_success) {
    ok(compiler.get_cubin_size(program, &bytes));
    made.image.resize(bytes);
    ok(compiler.get_cubin(program, made.image.data()));
    for (const std::string& each : names) {
      const char* lowered = nullptr;
      ok(compiler.get_lowered_name(program, each.c_str(), &lowered));
      made.lowered[each] = lowered;
    }
  }
  ok(compiler.destroy_program(&program));
  return made;
}

/// Returns: the image, compiled once in this process. Throws: std::runtime_error with the log.
inline const std::string& image_of(const std::string& source) {
  static std::map<std::string, std::string> known;
  std::string& image = known[source];
  if (image.empty()) {
    compiled_text made = compile_by_nvrtc(source);
    if (made.status != cuda_abi::nvrtc_success) throw std::runtime_error(made.log);
    image = std::move(made.image);
  }
  return image;
}

/// A library of a text's kernels.
class test_library {
 public:
  explicit test_library(const std::string& source) {
    ok(driver().library_load_data(&handle, image_of(source).data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  }
  ~test_library() { driver().library_unload(handle); }
  test_library(const test_library&) = delete;
  test_library& operator=(const test_library&) = delete;

  cuda_abi::kernel kernel(const char* name) const {
    cuda_abi::kernel found = nullptr;
    ok(driver().library_get_kernel(&found, handle, name));
    return found;
  }
  /// The kernel as a launch takes it.
  cuda_abi::function function(const char* name) const { return reinterpret_cast<cuda_abi::function>(kernel(name)); }

  cuda_abi::library handle = nullptr;
};

/// Returns: the status of a launch of one-dimensional shape.
template <class... A>
cuda_abi::status launch_status(cuda_abi::function what, unsigned grid, unsigned block, unsigned shared,
                               cuda_abi::stream on, A... arguments) {
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  return driver().launch_kernel(what, grid, 1, 1, block, 1, 1, shared, on, pointers, nullptr);
}

}  // namespace yoke_test

#endif

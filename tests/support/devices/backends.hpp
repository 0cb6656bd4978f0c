// SPDX-License-Identifier: MIT
// The backends that shared tests run on: their names for handles, calls and codes, and the driver without the library.
#ifndef YOKE_TESTS_SUPPORT_BACKENDS_HPP
#define YOKE_TESTS_SUPPORT_BACKENDS_HPP

#include <support/drivers/cuda_interposer.hpp>
#include <support/drivers/opencl_interposer.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/drivers/spared_contexts.hpp>

#include <yoke/cuda/cuda.hpp>
#include <yoke/execution/execution.hpp>
#include <yoke/opencl/opencl.hpp>

#include <array>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// The shared handles of a port, under the names that backends give them.
#define YOKE_TEST_NAMES(Port)                                                                                          \
  using device = ::yoke::device<Port>;                                                                                 \
  using context = ::yoke::context<Port>;                                                                               \
  using stream = ::yoke::stream<Port>;                                                                                 \
  using event = ::yoke::event<Port>;                                                                                   \
  using timed_event = ::yoke::timed_event<Port>;                                                                       \
  using wait_list = ::yoke::wait_list<Port>;                                                                           \
  using module = ::yoke::module<Port>;                                                                                 \
  using transfer = ::yoke::transfer<Port>;                                                                             \
  using native_context = typename Port::context_handle;                                                                \
  using native_stream = typename Port::stream_handle;                                                                  \
  using native_event = typename Port::event_handle;                                                                    \
  using native_memory = typename Port::memory_handle;                                                                  \
  using native_module = typename Port::module_handle;                                                                  \
  template <class Signature>                                                                                           \
  using kernel = ::yoke::kernel<Signature, Port>;                                                                      \
  template <class T>                                                                                                   \
  using device_allocation = ::yoke::device_allocation<T, Port>;                                                        \
  template <class T>                                                                                                   \
  using device_span = ::yoke::device_span<T, Port>;                                                                    \
  template <class T>                                                                                                   \
  using pagelocked_array = ::yoke::pagelocked_array<T, Port>;

namespace yoke_test {

struct opencl_backend {
  using port = yoke::opencl::port;
  using interposer = opencl_interposer;
  YOKE_TEST_NAMES(port)

  static constexpr const char* name = "opencl";
  static constexpr const char* version_prefix = "OpenCL ";
  /// Whether the driver counts references, so that each reference's end is a call.
  static constexpr bool counts_references = true;
  /// How strongly a kernel of the dialect is checked where the driver tells all it can.
  static constexpr yoke::signature_check dialect_check = yoke::signature_check::names;
  /// How many objects of the ledger a page-locked block is: a buffer and its mapping.
  static constexpr std::size_t pagelocked_objects = 2;
  /// How many objects of the ledger a kernel is that was launched: the original and a clone.
  static constexpr std::size_t kernel_objects = 2;

  /// Own names of functions that fault loops leave out.
  static constexpr std::array<const char*, 0> unexplored{};

  /// Own names of the calls that do the same thing on either backend.
  struct calls {
    static constexpr const char* create_context = "create_context";
    static constexpr const char* retain_context = "retain_context";
    static constexpr const char* release_context = "release_context";
    static constexpr const char* create_stream = "create_queue";
    static constexpr const char* release_stream = "release_queue";
    static constexpr const char* synchronize = "finish";
    static constexpr const char* record = "enqueue_marker";
    static constexpr const char* release_event = "release_event";
    static constexpr const char* wait = "wait_for_events";
    static constexpr const char* wait_in_stream = "enqueue_barrier";
    static constexpr const char* ask_event = "get_event_info";
    static constexpr const char* ask_device = "get_device_info";
    static constexpr const char* allocate = "create_buffer";
    static constexpr const char* allocate_ordered = "create_buffer";
    static constexpr const char* free = "release_memory";
    static constexpr const char* allocate_pagelocked = "create_buffer";
    static constexpr const char* free_pagelocked = "enqueue_unmap_memory";
    static constexpr const char* write = "enqueue_write_buffer";
    static constexpr const char* read = "enqueue_read_buffer";
    static constexpr const char* write_box = "enqueue_write_buffer_rect";
    static constexpr const char* load = "create_program_with_binary";
    static constexpr const char* release_module = "release_program";
    static constexpr const char* launch = "enqueue_kernel";
  };
  /// Failures by their portable meaning.
  struct codes {
    static constexpr abi::status out_of_memory = -4;
    static constexpr abi::status no_resources = -5;
    static constexpr abi::status invalid_device = -33;
    static constexpr abi::status invalid_handle = -38;
    static constexpr abi::status context_lost = -9999;
    static constexpr const char* context_lost_name = "CL_NVIDIA_ILLEGAL_BUFFER_ACCESS";
  };

  static yoke::availability available() { return yoke::opencl::available(); }
  static device from(const yoke::device<yoke::any_port>& chosen) { return yoke::as_opencl(chosen); }
  /// The driver's own table, but that contexts are used again.
  static const abi::functions& driver() { return thrifty_opencl(); }
  static const char* symbol(std::string_view call) { return facts_of(entry_named(call)).symbol; }
  static constexpr const char* compile_symbol = "clBuildProgram";
  /// A device that is in no context.
  static device stranger() { return device::borrow(port{}, reinterpret_cast<abi::device>(std::uintptr_t{16})); }
  static bool enqueues(std::string_view call) { return call.starts_with("enqueue_"); }
  /// A context that is not the one of `context{on}`.
  static context another_context(const device& on) { return context{on}; }

  static bool write(const stream& in, native_memory to, const void* from, std::size_t bytes) {
    return driver().enqueue_write_buffer(in.native_handle(), to, 1, 0, bytes, from, 0, nullptr, nullptr) == 0;
  }
  static bool read(const stream& in, native_memory from, void* to, std::size_t bytes) {
    return driver().enqueue_read_buffer(in.native_handle(), from, 1, 0, bytes, to, 0, nullptr, nullptr) == 0;
  }
  static std::vector<abi::device> native_devices() { return raw_devices(); }
  static std::size_t bytes_of(native_memory memory) {
    constexpr abi::uint memory_size = 0x1102;
    std::size_t bytes = 0;
    (void)driver().get_memory_info(memory, memory_size, sizeof bytes, &bytes, nullptr);
    return bytes;
  }
  static bool free(const abi::functions& table, native_memory memory) { return table.release_memory(memory) == 0; }
};

struct cuda_backend {
  using port = yoke::cuda::port;
  using interposer = cuda_interposer;
  YOKE_TEST_NAMES(port)

  static constexpr const char* name = "cuda";
  static constexpr const char* version_prefix = "compute capability ";
  static constexpr bool counts_references = false;
  static constexpr yoke::signature_check dialect_check = yoke::signature_check::types;
  static constexpr std::size_t pagelocked_objects = 1;
  static constexpr std::size_t kernel_objects = 0;
  /// "Invalid value" is how an older driver says that it does not know an attribute: cuda_device_info_test has that.
  /// And a failing "which number" is how a context that others have destroyed is told.
  static constexpr std::array<const char*, 2> unexplored{"device_get_attribute", "context_get_id"};

  struct calls {
    static constexpr const char* create_context = "primary_context_retain";
    static constexpr const char* retain_context = "primary_context_retain";
    static constexpr const char* release_context = "primary_context_release";
    static constexpr const char* create_stream = "stream_create";
    static constexpr const char* release_stream = "stream_destroy";
    static constexpr const char* synchronize = "stream_synchronize";
    static constexpr const char* record = "event_record";
    static constexpr const char* release_event = "event_destroy";
    static constexpr const char* wait = "event_synchronize";
    static constexpr const char* wait_in_stream = "stream_wait_event";
    static constexpr const char* ask_event = "event_query";
    static constexpr const char* ask_device = "device_get_name";
    static constexpr const char* allocate = "mem_alloc";
    static constexpr const char* allocate_ordered = "mem_alloc_async";
    static constexpr const char* free = "mem_free";
    static constexpr const char* allocate_pagelocked = "mem_host_alloc";
    static constexpr const char* free_pagelocked = "mem_free_host";
    static constexpr const char* write = "memcpy_htod_async";
    static constexpr const char* read = "memcpy_dtoh_async";
    static constexpr const char* write_box = "memcpy_3d_async";
    static constexpr const char* load = "library_load_data";
    static constexpr const char* release_module = "library_unload";
    static constexpr const char* launch = "launch_kernel";
  };
  struct codes {
    static constexpr cuda_abi::status out_of_memory = 2;
    static constexpr cuda_abi::status no_resources = 701;
    static constexpr cuda_abi::status invalid_device = 101;
    static constexpr cuda_abi::status invalid_handle = 400;
    static constexpr cuda_abi::status context_lost = 700;
    static constexpr const char* context_lost_name = "CUDA_ERROR_ILLEGAL_ADDRESS";
  };

  static yoke::availability available() { return yoke::cuda::available(); }
  static device from(const yoke::device<yoke::any_port>& chosen) { return yoke::as_cuda(chosen); }
  static const cuda_abi::functions& driver() {
    static const port loaded;
    return *loaded.table();
  }
  static const char* symbol(std::string_view call) { return cuda_interposer::facts_of(call).symbol; }
  static constexpr const char* compile_symbol = "nvrtcCompileProgram";
  static device stranger() { return device::borrow(port{}, port::device_handle(99)); }
  static bool enqueues(std::string_view call) {
    return call.starts_with("memcpy") || call.starts_with("memset") || call.starts_with("launch_");
  }
  /// A created context: `context{on}` is always the primary one.
  static context another_context(const device& on) { return yoke::cuda::create_context(on); }

  static bool write(const stream& in, native_memory to, const void* from, std::size_t bytes) {
    return driver().memcpy_htod_async(to, from, bytes, in.native_handle()) == 0 &&
           driver().stream_synchronize(in.native_handle()) == 0;
  }
  static bool read(const stream& in, native_memory from, void* to, std::size_t bytes) {
    return driver().memcpy_dtoh_async(to, from, bytes, in.native_handle()) == 0 &&
           driver().stream_synchronize(in.native_handle()) == 0;
  }
  static std::vector<cuda_abi::device> native_devices() {
    int count = 0;
    (void)driver().device_get_count(&count);
    std::vector<cuda_abi::device> all(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) (void)driver().device_get(&all[static_cast<std::size_t>(i)], i);
    return all;
  }
  static std::size_t bytes_of(native_memory memory) {
    std::size_t bytes = 0;
    (void)driver().pointer_get_attribute(&bytes, cuda_abi::pointer_attribute::range_size, memory);
    return bytes;
  }
  static bool free(const cuda_abi::functions& table, native_memory memory) { return table.mem_free(memory) == 0; }
};

template <class Port>
struct backend_of_port;
template <>
struct backend_of_port<yoke::opencl::port> {
  using type = opencl_backend;
};
template <>
struct backend_of_port<yoke::cuda::port> {
  using type = cuda_backend;
};
/// The backend of a port, for deduction: from a device follows all else.
template <class Port>
using backend_of = typename backend_of_port<Port>::type;

/// Returns: a native handle as messages show it.
template <class Native>
std::string native_text(Native native) {
  std::ostringstream out;
  if constexpr (std::is_pointer_v<Native>) {
    out << "0x" << std::hex << reinterpret_cast<std::uintptr_t>(native);
  } else {
    out << "0x" << std::hex << native;
  }
  return out.str();
}

/// Returns: the same device, driven through an interposer.
template <class Interposer, class Port>
yoke::device<Port> through(const Interposer& driver, const yoke::device<Port>& device) {
  return yoke::device<Port>::borrow(Port{driver.table()}, device.native_handle());
}

}  // namespace yoke_test

#endif

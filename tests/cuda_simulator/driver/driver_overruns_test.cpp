// SPDX-License-Identifier: MIT
// Accesses beyond a block and to freed ones are noticed without AddressSanitizer: when they happen, when something is
// waited for, freed, and at exit.
#include <cuda_simulator/driver.hpp>
#include <engine/system/sanitizers.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;

namespace {

const std::string careless_text = R"(
extern "C" __global__ void put(unsigned char* bytes, int at) { bytes[at] = 1; }
extern "C" __global__ void put_once(unsigned char* bytes, int at) {
  if (blockIdx.x == 7 && threadIdx.x == 9) bytes[at] = 1;
}
extern "C" __global__ void get(unsigned char* bytes, int at, int* out) { *out = ((volatile unsigned char*)bytes)[at]; }
struct alignas(16) wide { int words[4]; };
extern "C" __global__ void fill(wide* all, int first) { all[first + (int)(blockIdx.x * blockDim.x + threadIdx.x)].words[0] = 1; }
extern "C" __global__ void fill_floats(float* all) { all[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
extern "C" __global__ void clear(unsigned char* all, unsigned bytes) { memset(all, 0, bytes); }
extern "C" __global__ void waits(float* all) {
  if (threadIdx.x == 3) all[100] = 1;
  __syncthreads();
}
extern "C" __global__ void waits_often(unsigned char* bytes, int at) {
  for (int each = 0; each < 4000; ++each) __syncthreads();
  if (threadIdx.x == 3) bytes[at] = 1;
}
__device__ unsigned char* hidden;
extern "C" __global__ void hide(unsigned char* bytes) { hidden = bytes; }
extern "C" __global__ void put_hidden(int at) { hidden[at] = 1; }
extern "C" __global__ void nothing() {}
)";

struct guarded_context {
  cuda_abi::context handle = nullptr;
  guarded_context() { ok(driver().context_create(&handle, 0, 0)); }
  ~guarded_context() { driver().context_destroy(handle); }
  guarded_context(const guarded_context&) = delete;
  guarded_context& operator=(const guarded_context&) = delete;
};

/// Returns: whether this build sees accesses themselves, and the test has nothing to look for.
bool sees_accesses() {
  if (yoke::simulator::with_address_sanitizer) SUCCEED("AddressSanitizer ends the process at the access");
  return yoke::simulator::with_address_sanitizer;
}

/// Whether accesses that fault are turned into errors of the context.
bool has_handlers() {
#if defined(YOKE_SIMULATOR_ASAN) || defined(YOKE_SIMULATOR_TSAN)
  SUCCEED("the sanitizer has handlers of its own");
  return false;
#else
  return true;
#endif
}

/// Returns: what is said of a kernel that has to break its context with CUDA_ERROR_ILLEGAL_ADDRESS.
template <class... A>
std::string said_of(cuda_abi::function kernel, unsigned grid, unsigned block, A... arguments) {
  captured_stderr captured;
  const cuda_abi::status launched = launch_status(kernel, grid, block, 0, nullptr, arguments...);
  const cuda_abi::status status = driver().context_synchronize();
  const cuda_abi::status later = driver().context_synchronize();
  const std::string said = captured.finish();
  CHECK(launched == cuda_abi::success);
  CHECK(status == cuda_abi::error_illegal_address);
  CHECK(later == cuda_abi::error_illegal_address);
  return said;
}

cuda_abi::device_pointer plain(std::size_t bytes) {
  cuda_abi::device_pointer memory = 0;
  ok(driver().mem_alloc(&memory, bytes));
  return memory;
}

}  // namespace

TEST_CASE("a write behind a block breaks the context, and is said with its thread") {
  if (sees_accesses()) return;
  const test_library library{careless_text};
  for (const int how : {0, 1, 2, 3}) {
    const guarded_context context;
    const cuda_abi::device_pointer memory = plain(100);
    captured_stderr captured;
    REQUIRE(launch_status(library.function("put"), 1, 1, 0, nullptr, memory, 102) == cuda_abi::success);
    cuda_abi::event event = nullptr;
    char byte = 0;
    cuda_abi::status status = cuda_abi::success;
    if (how == 0) status = driver().context_synchronize();
    if (how == 1) status = driver().stream_synchronize(nullptr);
    if (how == 2) {
      driver().event_create(&event, 0);
      driver().event_record(event, nullptr);
      status = driver().event_synchronize(event);
      if (event == nullptr) status = driver().stream_synchronize(nullptr);
    }
    if (how == 3) status = driver().memcpy_dtoh(&byte, memory, 1);
    const cuda_abi::status later = driver().mem_free(memory);
    const std::string said = captured.finish();
    INFO(how << ": " << said);
    CHECK(status == cuda_abi::error_illegal_address);
    CHECK(later == cuda_abi::error_illegal_address);
    CHECK_THAT(said, ContainsSubstring("put: device memory of 100 bytes at 0x"));
    CHECK_THAT(said, ContainsSubstring("was written to behind its end, at bytes 102 to 102, in block (0, 0, 0), thread "
                                       "(0, 0, 0); made at yoke_simulator_tests("));
  }
}

// A forgotten `if (i < n)` does this under launch_over(n), which has blocks of 256 threads.
TEST_CASE("overruns within a block of 16-byte elements are said with their first thread") {
  if (!has_handlers()) return;
  const test_library library{careless_text};
  for (const int count : {1, 16, 100, 255}) {
    INFO(count);
    const auto first = "thread (" + std::to_string(count) + ", 0, 0); made at ";
    {
      const guarded_context context;
      const std::string said =
          said_of(library.function("fill"), 1, 256, plain(16 * static_cast<std::size_t>(count)), 0);
      CHECK_THAT(said, ContainsSubstring("fill: device memory of ") && ContainsSubstring(" behind its end, at byte"));
      CHECK_THAT(said, ContainsSubstring(", in block (0, 0, 0), " + first));
    }
    {
      const guarded_context context;
      const std::string said =
          said_of(library.function("fill_floats"), 1, 256, plain(4 * static_cast<std::size_t>(count)));
      CHECK_THAT(said, ContainsSubstring(" behind its end, at byte"));
      CHECK_THAT(said, ContainsSubstring(", in block (0, 0, 0), " + first));
    }
  }
  const guarded_context context;
  const std::string said = said_of(library.function("fill_floats"), 8, 256, plain(4 * 1100));
  CHECK_THAT(said, ContainsSubstring(" behind its end, at byte"));
  CHECK_THAT(said, ContainsSubstring(", in block ("));
}

TEST_CASE("underruns within a block of 16-byte elements are said, too") {
  if (!has_handlers()) return;
  const test_library library{careless_text};
  for (const int first : {-256, -100, -1}) {
    const guarded_context context;
    const std::string said = said_of(library.function("fill"), 1, 1, plain(64), first);
    INFO(said);
    CHECK_THAT(said, ContainsSubstring("was written to before its beginning, at byte"));
    CHECK_THAT(said, ContainsSubstring(" " + std::to_string(16 * first)));
    CHECK_THAT(said, ContainsSubstring(", in block (0, 0, 0), thread (0, 0, 0); made at "));
  }
}

TEST_CASE("a read far behind a block is said as one") {
  if (!has_handlers()) return;
  const test_library library{careless_text};
  const guarded_context context;
  const cuda_abi::device_pointer out = plain(4);
  const std::string said = said_of(library.function("get"), 1, 1, plain(256), 4000, out);
#if defined(__x86_64__)
  CHECK_THAT(said,
             ContainsSubstring("get: device memory of 256 bytes at 0x") &&
                 ContainsSubstring("was read behind its end, at byte 4000, in block (0, 0, 0), thread (0, 0, 0)"));
#else
  CHECK_THAT(said, ContainsSubstring("was accessed behind its end, at byte 4000"));
#endif
}

TEST_CASE("a use after a free is said with the places of both") {
  if (!has_handlers()) return;
  const test_library library{careless_text};
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{5} << 20}) {
    for (const char* const kernel : {"put", "get"}) {
      const guarded_context context;
      const cuda_abi::device_pointer out = plain(4);
      const cuda_abi::device_pointer memory = plain(bytes);
      ok(driver().mem_free(memory));
      const std::string said = said_of(library.function(kernel), 1, 1, memory, 5, out);
      INFO(said);
      CHECK_THAT(said,
                 ContainsSubstring(std::string(kernel) + ": device memory of " + std::to_string(bytes) + " bytes"));
      CHECK_THAT(said, ContainsSubstring(" after it was freed, at byte 5, in block (0, 0, 0), thread (0, 0, 0)"));
      CHECK_THAT(said, ContainsSubstring("; made at yoke_simulator_tests(") &&
                           ContainsSubstring("; freed at yoke_simulator_tests("));
    }
  }
  {
    const guarded_context context;
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc_async(&memory, 64, nullptr));
    ok(driver().mem_free_async(memory, nullptr));
    CHECK_THAT(said_of(library.function("put"), 1, 1, memory, 5), ContainsSubstring(" after it was freed, at byte 5"));
  }
  {
    const guarded_context context;
    void* memory = nullptr;
    ok(driver().mem_host_alloc(&memory, 64, 0));
    ok(driver().mem_free_host(memory));
    CHECK_THAT(
        said_of(library.function("put"), 1, 1, memory, 5),
        ContainsSubstring("page-locked memory of 64 bytes") && ContainsSubstring(" after it was freed, at byte 5"));
  }
  const guarded_context context;
  cuda_abi::device_pointer gone = 0;
  {
    const guarded_context other;
    gone = plain(64);
  }
  CHECK_THAT(said_of(library.function("put"), 1, 1, gone, 5), ContainsSubstring(" after it was freed, at byte 5"));
}

TEST_CASE("a write before a block, and one behind page-locked or stream-ordered memory, is seen, too") {
  if (sees_accesses()) return;
  const test_library library{careless_text};
  const cuda_abi::function put = library.function("put");
  {
    const guarded_context context;
    CHECK_THAT(said_of(put, 1, 1, plain(64), -3), ContainsSubstring("before its beginning, at bytes -3 to -3"));
  }
  {
    const guarded_context context;
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc_async(&memory, 64, nullptr));
    CHECK_THAT(said_of(put, 1, 1, memory, 64), ContainsSubstring("device memory of 64 bytes"));
  }
  if (!has_handlers()) return;
  for (const int at : {4095, 4096}) {
    const guarded_context context;
    void* memory = nullptr;
    ok(driver().mem_host_alloc(&memory, 4095, 0));
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % 4096 == 0);
    const std::string said = said_of(put, 1, 1, memory, at);
    CHECK_THAT(said,
               ContainsSubstring("page-locked memory of 4095 bytes") && ContainsSubstring(", in block (0, 0, 0)"));
  }
  {
    const guarded_context context;
    cuda_abi::device_pointer memory = 0;
    std::size_t pitch = 0;
    ok(driver().mem_alloc_pitch(&memory, &pitch, 10, 3, 4));
    CHECK_THAT(said_of(put, 1, 1, memory, static_cast<int>(3 * pitch)), ContainsSubstring("behind its end"));
  }
}

TEST_CASE("a thread that waits, and a block whose write is further off, are said as far as they are known") {
  if (sees_accesses()) return;
  const test_library library{careless_text};
  {
    const guarded_context context;
    CHECK_THAT(said_of(library.function("waits"), 1, 8, plain(400)),
               ContainsSubstring("at bytes 400 to 403, in block (0, 0, 0), thread (3, 0, 0); made at "));
  }
  {
    // After so many looks only the bytes next to the memory are looked at for each thread.
    const guarded_context context;
    CHECK_THAT(said_of(library.function("waits_often"), 1, 8, plain(10), 200),
               ContainsSubstring("at bytes 200 to 200, in block (0, 0, 0); made at "));
  }
  {
    const guarded_context context;
    CHECK_THAT(said_of(library.function("waits_often"), 1, 8, plain(10), 12),
               ContainsSubstring("at bytes 12 to 12, in block (0, 0, 0), thread (3, 0, 0); made at "));
  }
  const guarded_context context;
  // A large launch has none of the other looks.
  CHECK_THAT(said_of(library.function("put_once"), 512, 256, plain(10), 200),
             ContainsSubstring("at bytes 200 to 200, in block ("));
}

TEST_CASE("a write by memset in a kernel is an error of the context") {
  if (!has_handlers()) return;
  const test_library library{careless_text};
  const guarded_context context;
  CHECK_THAT(said_of(library.function("clear"), 1, 1, plain(64), 100'000u),
             ContainsSubstring("clear: device memory of 64 bytes at 0x") &&
                 ContainsSubstring("was written to behind its end") && ContainsSubstring("thread (0, 0, 0)"));
}

TEST_CASE("a write through a pointer that is no argument is seen at the next synchronisation") {
  if (sees_accesses()) return;
  const guarded_context context;
  const test_library library{careless_text};
  const cuda_abi::device_pointer memory = plain(100);
  ok(launch_status(library.function("hide"), 1, 1, 0, nullptr, memory));
  ok(driver().context_synchronize());
  const std::string said = said_of(library.function("put_hidden"), 1, 1, 102);
  CHECK_THAT(said, ContainsSubstring("device memory of 100 bytes at 0x"));
  CHECK_THAT(said, ContainsSubstring("was written to behind its end, at bytes 102 to 102; made at "));
  CHECK_THAT(said, ContainsSubstring("; noticed at a synchronisation after kernel put_hidden\n"));
}

TEST_CASE("what is noticed when a block is freed is said, and breaks nothing") {
  if (sees_accesses()) return;
  const guarded_context context;
  const test_library library{careless_text};
  const cuda_abi::device_pointer memory = plain(100);
  ok(launch_status(library.function("hide"), 1, 1, 0, nullptr, memory));
  captured_stderr captured;
  ok(launch_status(library.function("put_hidden"), 1, 1, 0, nullptr, 100));
  const cuda_abi::status freed = driver().mem_free(memory);
  const cuda_abi::status later = driver().context_synchronize();
  const std::string said = captured.finish();
  INFO(said);
  CHECK(freed == cuda_abi::success);
  CHECK(later == cuda_abi::success);
  CHECK_THAT(said, ContainsSubstring("behind its end, at bytes 100 to 100"));
  CHECK_THAT(said, ContainsSubstring("; noticed when it was freed"));
}

TEST_CASE("the context of the kernel is broken, not that of the block, and each overrun is said once") {
  if (sees_accesses()) return;
  const guarded_context first;
  const cuda_abi::device_pointer memory = plain(100);
  const test_library library{careless_text};
  std::string said;
  {
    const guarded_context second;
    said = said_of(library.function("put"), 1, 1, memory, 100);
  }
  captured_stderr captured;
  CHECK(launch_status(library.function("nothing"), 1, 1, 0, nullptr) == cuda_abi::success);
  CHECK(driver().context_synchronize() == cuda_abi::success);
  CHECK(driver().mem_free(memory) == cuda_abi::success);
  said += captured.finish();
  CHECK(said.find("was written to") == said.rfind("was written to"));
}

TEST_CASE("an overrun that another context's kernel leaves is seen by the owner, with the latest of its kernels") {
  if (sees_accesses()) return;
  const guarded_context first;
  const cuda_abi::device_pointer memory = plain(100);
  const test_library library{careless_text};
  {
    const guarded_context second;
    ok(launch_status(library.function("hide"), 1, 1, 0, nullptr, memory));
    ok(launch_status(library.function("put_hidden"), 1, 1, 0, nullptr, 100));
    CHECK(driver().context_synchronize() == cuda_abi::success);
  }
  ok(launch_status(library.function("nothing"), 1, 1, 0, nullptr));
  const std::string said = said_of(library.function("nothing"), 1, 1);
  CHECK_THAT(said, ContainsSubstring("after kernel nothing, the last of 2 launches since the one before"));
}

TEST_CASE("what nobody freed is looked at when the process ends") {
  const std::string name = "what nobody freed is looked at when the process ends";
  if (is_child(name)) {
    cuda_abi::context context = nullptr;
    ok(driver().primary_context_retain(&context, 0));
    ok(driver().context_push(context));
    void* memory = nullptr;
    ok(driver().mem_host_alloc(&memory, 1000, 0));
    static_cast<volatile char*>(memory)[1000] = 1;
    SUCCEED("the rest is the exit's");
    return;
  }
  if (sees_accesses()) return;
  const child_result child = run_child(name, {{"YOKE_SIMULATOR_LEAKS", "ignore"}});
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK_THAT(child.output, ContainsSubstring("page-locked memory of 1000 bytes"));
  CHECK_THAT(child.output, ContainsSubstring("at bytes 1000 to 1000") && ContainsSubstring("; noticed at exit"));
  CHECK_THAT(child.output, ContainsSubstring(": 1 block corrupted\n"));
}

// Nothing of these leaks: what was written where nobody may is all that the process can fail for.
TEST_CASE("corrupted memory fails the process if asked to, wherever it is noticed") {
  const std::string name = "corrupted memory fails the process if asked to, wherever it is noticed";
  const char* const which = std::getenv("YOKE_TEST_CORRUPTION");
  if (is_child(name) && which != nullptr) {
    const primary_context context;
    void* memory = nullptr;
    ok(driver().mem_host_alloc(&memory, 1000, 0));
    if (std::string(which) == "behind") static_cast<volatile char*>(memory)[1000] = 1;
    ok(driver().mem_free_host(memory));
    SUCCEED("the rest is the exit's");
    return;
  }
  if (sees_accesses()) return;
  const auto run = [&](const char* how, const char* policy) {
    return run_child(name, {{"YOKE_SIMULATOR_LEAKS", policy}, {"YOKE_TEST_CORRUPTION", how}});
  };
  const child_result failed = run("behind", "fail");
  INFO(failed.output);
  CHECK(failed.status == 99);
  const std::string said = "at bytes 1000 to 1000; made at ";
  CHECK_THAT(failed.output, ContainsSubstring(said) && ContainsSubstring(": 1 block corrupted\n"));
  CHECK(failed.output.find("leak") == std::string::npos);
  const child_result reported = run("behind", "report");
  CHECK(reported.status == 0);
  CHECK_THAT(reported.output, ContainsSubstring(said));
  CHECK(run("behind", "ignore").status == 0);
  const child_result sound = run("nothing", "fail");
  CHECK(sound.status == 0);
  CHECK(sound.output.find("block corrupted") == std::string::npos);
}

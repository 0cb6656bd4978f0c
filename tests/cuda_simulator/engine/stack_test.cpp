// SPDX-License-Identifier: MIT
// Stacks of kernels: as large as the context's limit asks for; a message names the kernel of an overflow or another fault.
#include <csignal>
#include <cuda_simulator/simulator.hpp>
#include <engine/system/sanitizers.hpp>
#include <support/process/child.hpp>

#include <unistd.h>
#include <cuda_simulator/driver.hpp>

using namespace yoke_test;

namespace {

const std::string deep_text = R"(
__device__ __noinline__ int deep(int left) {
  volatile char room[1024];
  room[left % 1024] = 1;
  return left == 0 ? room[0] : deep(left - 1) + room[left % 1024];
}
extern "C" __global__ void recurse(int* out, int depth) {
  if (blockIdx.x == 1 && threadIdx.x == 3) *out = deep(depth);
}
__device__ __noinline__ int large(int at) { volatile char room[600000]; room[at] = 5; return room[at]; }
extern "C" __global__ void large_frame(int* out, int at) {
  if (blockIdx.x == 1 && threadIdx.x == 3) *out = large(at);
}
extern "C" __global__ void wild(int* out, int at) {
  if (blockIdx.x == 1 && threadIdx.x == 3) *(volatile int*)(long)at = 1;
  *out = 2;
}
extern "C" __global__ void prints(int*, int at) {
  if (blockIdx.x == 1 && threadIdx.x == 3) printf("%s\n", (const char*)(long)at);
}
extern "C" __global__ void nowhere(int* out, int at) {
  if (blockIdx.x == 1 && threadIdx.x == 3) *out = *(volatile int*)((unsigned long)at << 48);
}
extern "C" __global__ void far_shared(int* out, int at) {
  __shared__ int numbers[4];
  if (blockIdx.x == 1 && threadIdx.x == 3) ((volatile int*)numbers)[(long)at * -1000000000] = 1;
  *out = numbers[0];
}
extern "C" __global__ void divides(int* out, int by) {
  volatile int divisor = by - 10;
  if (blockIdx.x == 1 && threadIdx.x == 3) *out = 5 / divisor;
}
extern "C" __global__ void illegal(int* out, int) {
  if (blockIdx.x == 1 && threadIdx.x == 3) __builtin_trap();
}
)";

constexpr bool has_sanitizer =
#if defined(YOKE_SIMULATOR_ASAN) || defined(YOKE_SIMULATOR_TSAN)
    true;
#else
    false;
#endif

void run_deep(const char* kernel, int argument) {
  const primary_context context;
  const test_library library{deep_text};
  const test_memory out{4};
  ok(launch_status(library.function(kernel), 2, 5, 0, nullptr, out.pointer, argument));
  ok(driver().context_synchronize());
}

void end_quietly(int) { ::_exit(42); }
void go_on(int) {
  static int times = 0;
  if (++times == 3) ::_exit(0);
}

}  // namespace

TEST_CASE("a stack that is used up is said with its kernel, block and thread") {
  const std::string name = "a stack that is used up is said with its kernel, block and thread";
  if (is_child(name)) {
    run_deep(std::getenv("YOKE_TEST_KERNEL"), std::atoi(std::getenv("YOKE_TEST_ARGUMENT")));
    return;
  }
  const auto run = [&](const char* kernel, const char* argument) {
    return run_child(name, {{"YOKE_TEST_KERNEL", kernel}, {"YOKE_TEST_ARGUMENT", argument}});
  };
  for (const auto& [kernel, argument] : {std::pair{"recurse", "100000"}, std::pair{"large_frame", "10"}}) {
    const child_result child = run(kernel, argument);
    INFO(child.output);
    CHECK(child.status != 0);
    if (has_sanitizer) continue;
    CHECK(child.status == 128 + SIGSEGV);
    CHECK_THAT(child.output, ContainsSubstring("yoke CUDA simulator: " + std::string(kernel) +
                                               ": stack overflow, in block (1, 0, 0), thread (3, 0, 0): its 266240 "
                                               "bytes are used up; CU_LIMIT_STACK_SIZE is 1024\n"));
  }
  const child_result wild = run("wild", "16");
  CHECK(wild.status != 0);
  CHECK(wild.output.find("stack overflow,") == std::string::npos);
}

TEST_CASE("a fault is said with its kernel, block, thread and address") {
  const std::string name = "a fault is said with its kernel, block, thread and address";
  if (is_child(name)) {
    run_deep(std::getenv("YOKE_TEST_KERNEL"), 10);
    return;
  }
  struct expectation {
    const char* kernel;
    int signal;
    const char* text;
  };
  for (const auto& [kernel, signal, text] : {expectation{"prints", SIGSEGV, "SIGSEGV at address 0xa,"},
                                             expectation{"divides", SIGFPE, "SIGFPE in the code at address 0x"},
                                             expectation{"illegal", SIGILL, "SIGILL in the code at address 0x"}}) {
    const child_result child = run_child(name, {{"YOKE_TEST_KERNEL", kernel}});
    INFO(child.output);
    CHECK(child.status != 0);
    if (has_sanitizer) continue;
    CHECK(child.status == 128 + signal);
    CHECK_THAT(child.output, ContainsSubstring("yoke CUDA simulator: " + std::string(kernel) + ": " + text) &&
                                 ContainsSubstring(" in block (1, 0, 0), thread (3, 0, 0)\n"));
  }
}

TEST_CASE("a wild pointer breaks the launch, and the next one runs") {
  if (has_sanitizer) {
    SUCCEED("the sanitizer has a handler of its own");
    return;
  }
  const loaded_source source(deep_text);
  for (const auto& [kernel, text] : {std::pair{"wild", "wild: write to 0xa"},
                                     std::pair{"nowhere", "nowhere: access to an address that no memory can have"},
                                     std::pair{"far_shared", "far_shared: write to 0x"}}) {
    int out = 0;
    const simulator::launch_result result = source.run(kernel, shape_of(2, 5), &out, 10);
    CHECK(result.status == simulator::launch_status::illegal_address);
    CHECK_THAT(result.text, StartsWith(text));
    CHECK_THAT(result.text, ContainsSubstring(", in block (1, 0, 0), thread (3, 0, 0)"));
    REQUIRE_THAT(source.run("recurse", shape_of(2, 5), &out, 1).text, Equals(""));
    CHECK(out > 0);
  }
}

TEST_CASE("the context's limit makes stacks larger") {
  const std::string name = "the context's limit makes stacks larger";
  if (is_child(name)) {
    const primary_context context;
    const test_library library{deep_text};
    const test_memory out{4};
    const auto run = [&](int depth) {
      int value = 0;
      ok(launch_status(library.function("recurse"), 2, 5, 0, nullptr, out.pointer, depth));
      ok(driver().memcpy_dtoh(&value, out, 4));
      return value;
    };
    CHECK(run(10) > 0);  // its small stacks are replaced
    CHECK(driver().context_set_limit(cuda_abi::limit::stack_size, std::size_t{512} * 1024) == cuda_abi::success);
    CHECK(run(400) > 0);
    CHECK(driver().context_set_limit(cuda_abi::limit::stack_size, std::size_t{512} * 1024 + 1) ==
          cuda_abi::error_invalid_value);
    std::size_t limit = 0;
    CHECK(driver().context_get_limit(&limit, cuda_abi::limit::stack_size) == cuda_abi::success);
    CHECK(limit == std::size_t{512} * 1024);
    return;
  }
  const child_result child = run_child(name, {});
  INFO(child.output);
  CHECK(child.status == 0);
}

TEST_CASE("a handler that the program has set gets the fault, and is there again after a launch") {
  const std::string name = "a handler that the program has set gets the fault, and is there again after a launch";
  if (is_child(name)) {
    static char room[65536];
    ::stack_t stack{};
    stack.ss_sp = &room[0];
    stack.ss_size = sizeof room;
    struct ::sigaction mine {};
    mine.sa_handler = &end_quietly;
    mine.sa_flags = SA_ONSTACK;
    REQUIRE(::sigaltstack(&stack, nullptr) == 0);
    REQUIRE(::sigaction(SIGSEGV, &mine, nullptr) == 0);
    REQUIRE(::sigaction(SIGFPE, &mine, nullptr) == 0);
    const loaded_source source(deep_text);
    int out = 0;
    REQUIRE_THAT(source.run("recurse", shape_of(2, 5), &out, 1).text, Equals(""));
    struct ::sigaction now {};
    REQUIRE(::sigaction(SIGSEGV, nullptr, &now) == 0);
    REQUIRE(now.sa_handler == &end_quietly);
    REQUIRE(::sigaction(SIGFPE, nullptr, &now) == 0);
    REQUIRE(now.sa_handler == &end_quietly);
    const std::string kernel = std::getenv("YOKE_TEST_KERNEL");
    source.run(kernel, shape_of(2, 5), &out, kernel == "divides" ? 10 : 100000);
    return;
  }
  if (has_sanitizer) {
    SUCCEED("the sanitizer has a handler of its own");
    return;
  }
  for (const auto& [kernel, text] :
       {std::pair{"recurse", "recurse: stack overflow, in block (1, 0, 0), thread (3, 0, 0)"},
        std::pair{"divides", "divides: SIGFPE in the code at address 0x"}}) {
    const child_result child = run_child(name, {{"YOKE_TEST_KERNEL", kernel}});
    INFO(child.output);
    CHECK(child.status == 42);
    CHECK_THAT(child.output, ContainsSubstring(text));
  }
}

TEST_CASE("a kernel that divides by zero ends the process, also where a handler would go on") {
  const std::string name = "a kernel that divides by zero ends the process, also where a handler would go on";
  if (is_child(name)) {
    REQUIRE(std::signal(SIGFPE, &go_on) != SIG_ERR);
    REQUIRE(std::signal(SIGILL, &go_on) != SIG_ERR);
    run_deep(std::getenv("YOKE_TEST_KERNEL"), 10);
    return;
  }
  if (has_sanitizer) {
    SUCCEED("the sanitizer has a handler of its own");
    return;
  }
  for (const auto& [kernel, signal] : {std::pair{"divides", SIGFPE}, std::pair{"illegal", SIGILL}}) {
    const child_result child = run_child(name, {{"YOKE_TEST_KERNEL", kernel}});
    INFO(child.output);
    CHECK(child.status == 128 + signal);
    const std::string line = "yoke CUDA simulator: " + std::string(kernel) + ": ";
    const std::size_t first = child.output.find(line);
    REQUIRE(first != std::string::npos);
    CHECK(child.output.find(line, first + 1) == std::string::npos);
  }
}

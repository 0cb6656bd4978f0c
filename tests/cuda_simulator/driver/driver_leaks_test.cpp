// SPDX-License-Identifier: MIT
// The report at exit: what was not released, where it was made, and the exit status that a CI job sees.
#include <yoke/cuda.hpp>

#include <cuda_simulator/driver.hpp>
#include <memory>
#include <support/process/child.hpp>

using namespace yoke_test;

namespace {

/// Lives until static objects are destroyed, which is late enough.
struct released_at_exit {
  cuda_abi::context context = nullptr;
  cuda_abi::device_pointer memory = 0;
  ~released_at_exit() {
    if (context == nullptr) return;
    driver().mem_free(memory);
    driver().primary_context_release(0);
  }
};
released_at_exit late;

}  // namespace

[[gnu::noinline]] void leave_behind() {
  cuda_abi::context context = nullptr;
  ok(driver().primary_context_retain(&context, 0));
  ok(driver().context_push(context));
  cuda_abi::device_pointer memory = 0;
  cuda_abi::stream stream = nullptr;
  cuda_abi::event event = nullptr;
  void* host = nullptr;
  static char range[100];
  CHECK(driver().mem_alloc(&memory, 1234) == cuda_abi::success);
  CHECK(driver().mem_alloc(&memory, 77) == cuda_abi::success);
  CHECK(driver().mem_free(memory) == cuda_abi::success);
  CHECK(driver().mem_host_alloc(&host, 4321, 0) == cuda_abi::success);
  CHECK(driver().mem_host_register(range, 100, 0) == cuda_abi::success);
  CHECK(driver().stream_create(&stream, 0, 0) == cuda_abi::success);
  CHECK(driver().event_create(&event, 0) == cuda_abi::success);
}

/// Through the library's own functions, of which some are in headers and some are not; and through a template of std.
[[gnu::noinline]] void leave_behind_by_library() {
  const yoke::cuda::context context{yoke::cuda::device{0}};
  auto stream = std::make_unique<yoke::cuda::stream>(context);
  static_cast<void>(stream->release());
  static_cast<void>(yoke::cuda::device_allocation<int>(context, 100).release());
}

/// Returns: the text without the namespace in which this file stands when it is compiled with others.
static std::string without_unit(std::string text) {
  const std::string unit = "in_cuda_simulator_driver_driver_leaks_test::";
  for (std::size_t at = text.find(unit); at != std::string::npos; at = text.find(unit, at)) text.erase(at, unit.size());
  return text;
}

TEST_CASE("the first caller that a leak names is the user's, not the library's") {
  const char* const name = "the first caller that a leak names is the user's, not the library's";
  if (is_child(name)) {
    driver();
    leave_behind_by_library();
    SUCCEED("the rest is the exit's");
    return;
  }
  const child_result child = run_child(name, {{"YOKE_SIMULATOR_LEAKS", "fail"}});
  INFO(child.output);
  CHECK(child.status == 99);
  CHECK_THAT(without_unit(child.output), ContainsSubstring("leak: stream, made at exe(leave_behind_by_library()+0x"));
  CHECK_THAT(without_unit(child.output), ContainsSubstring("400 bytes, made at exe(leave_behind_by_library()+0x"));
}

TEST_CASE("what is left behind is reported and fails the process if asked to") {
  if (is_child("what is left behind is reported and fails the process if asked to")) {
    leave_behind();
    return;
  }
  const auto run = [](const char* policy) {
    return run_child("what is left behind is reported and fails the process if asked to",
                     {{"YOKE_SIMULATOR_LEAKS", policy}});
  };
  const child_result failed = run("fail");
  INFO(failed.output);
  CHECK(failed.status == 99);
  CHECK_THAT(failed.output, ContainsSubstring("leak: device memory, 1234 bytes, made at "));
  CHECK_THAT(failed.output, ContainsSubstring("leak: page-locked memory, 4321 bytes"));
  CHECK_THAT(failed.output, ContainsSubstring("leak: registered host range, 100 bytes"));
  CHECK_THAT(failed.output, ContainsSubstring("leak: stream"));
  CHECK_THAT(failed.output, ContainsSubstring("leak: event"));
  CHECK_THAT(failed.output, ContainsSubstring("leak: retained primary context"));
  CHECK_THAT(failed.output, ContainsSubstring("6 objects leaked"));
  // The first caller is the user's, and has its name though the program is not linked with -rdynamic.
  CHECK_THAT(without_unit(failed.output), ContainsSubstring("1234 bytes, made at exe(leave_behind()+0x"));
  CHECK(failed.output.find("77 bytes") == std::string::npos);
  const child_result reported = run("report");
  CHECK(reported.status == 0);
  CHECK_THAT(reported.output, ContainsSubstring("6 objects leaked"));
  const child_result ignored = run("ignore");
  CHECK(ignored.status == 0);
  CHECK(ignored.output.find("leak") == std::string::npos);
}

TEST_CASE("what static objects release is no leak") {
  if (is_child("what static objects release is no leak")) {
    ok(driver().primary_context_retain(&late.context, 0));
    ok(driver().context_push(late.context));
    CHECK(driver().mem_alloc(&late.memory, 10) == cuda_abi::success);
    return;
  }
  const child_result child = run_child("what static objects release is no leak", {{"YOKE_SIMULATOR_LEAKS", "fail"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

TEST_CASE("memory that went with its context leaks unless somebody tries to free it") {
  if (is_child("memory that went with its context leaks unless somebody tries to free it")) {
    cuda_abi::context context = nullptr;
    cuda_abi::device_pointer kept = 0, tried = 0;
    ok(driver().context_create(&context, 0, 0));
    CHECK(driver().mem_alloc(&kept, 111) == cuda_abi::success);
    CHECK(driver().mem_alloc(&tried, 222) == cuda_abi::success);
    CHECK(driver().context_destroy(context) == cuda_abi::success);
    CHECK(driver().mem_free(tried) == cuda_abi::error_context_is_destroyed);
    return;
  }
  const child_result child = run_child("memory that went with its context leaks unless somebody tries to free it",
                                       {{"YOKE_SIMULATOR_LEAKS", "fail"}});
  INFO(child.output);
  CHECK(child.status == 99);
  CHECK_THAT(child.output, ContainsSubstring("111 bytes"));
  CHECK_THAT(child.output, ContainsSubstring("1 object leaked"));
}

TEST_CASE("work under way at exit does no harm") {
  if (is_child("work under way at exit does no harm")) {
    cuda_abi::context context = nullptr;
    ok(driver().primary_context_retain(&context, 0));
    ok(driver().context_push(context));
    cuda_abi::stream stream = nullptr;
    ok(driver().stream_create(&stream, 0, 0));
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc(&memory, 1 << 20));
    for (int each = 0; each < 2000; ++each)
      CHECK(driver().memset_d8_async(memory, 1, 1 << 20, stream) == cuda_abi::success);
    return;
  }
  const child_result child = run_child("work under way at exit does no harm",
                                       {{"YOKE_SIMULATOR_DELAY_US", "1000"}, {"YOKE_SIMULATOR_LEAKS", "ignore"}});
  INFO(child.output);
  CHECK(child.status == 0);
}

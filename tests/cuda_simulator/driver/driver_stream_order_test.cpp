// SPDX-License-Identifier: MIT
// Stream-ordered memory that another stream uses: behind the allocation, and the free behind it, or an error.
#include <atomic>
#include <cuda_simulator/driver.hpp>
#include <functional>
#include <support/process/child.hpp>
#include <thread>

using namespace yoke_test;

namespace {

const std::string scale_text = R"(
extern "C" __global__ void scale(int* all) { all[threadIdx.x] *= 2; }
)";

/// A context of its own with two streams that do not wait for the default one, and memory of the first.
struct two_streams {
  cuda_abi::context context = nullptr;
  cuda_abi::stream owner = nullptr, other = nullptr;
  cuda_abi::device_pointer memory = 0;

  explicit two_streams(unsigned flags = cuda_abi::stream_non_blocking) {
    ok(driver().context_create(&context, 0, 0));
    ok(driver().stream_create(&owner, flags, 0));
    ok(driver().stream_create(&other, flags, 0));
    ok(driver().mem_alloc_async(&memory, 64, owner));
  }
  ~two_streams() {
    for (const cuda_abi::stream each : {owner, other}) driver().stream_destroy(each);
    driver().context_destroy(context);
  }
  two_streams(const two_streams&) = delete;
  two_streams& operator=(const two_streams&) = delete;

  static void order(cuda_abi::stream first, cuda_abi::stream second) {
    cuda_abi::event event = nullptr;
    ok(driver().event_create(&event, cuda_abi::event_disable_timing));
    ok(driver().event_record(event, first));
    ok(driver().stream_wait_event(second, event, 0));
    ok(driver().event_destroy(event));
  }
  cuda_abi::status use(const test_library& library, cuda_abi::stream in) const {
    return launch_status(library.function("scale"), 1, 16, 0, in, memory);
  }
  cuda_abi::status free(cuda_abi::stream in) const { return driver().mem_free_async(memory, in); }
};

/// Effects: lets the program do something between the other stream's use and the free; it has to be in order then.
void check_ordered(const std::function<void(two_streams&)>& between) {
  const test_library library{scale_text};
  two_streams all;
  captured_stderr captured;
  two_streams::order(all.owner, all.other);
  CHECK(all.use(library, all.other) == cuda_abi::success);
  between(all);
  CHECK(all.free(all.owner) == cuda_abi::success);
  CHECK(driver().context_synchronize() == cuda_abi::success);
  CHECK_THAT(captured.finish(), Equals(""));
}

std::string text_of(cuda_abi::stream stream) {
  char text[40];
  std::snprintf(text, sizeof text, "stream %p", static_cast<const void*>(stream));
  return text;
}

}  // namespace

TEST_CASE("a free that nothing orders behind another stream's use is an error that names both") {
  const test_library library{scale_text};
  two_streams all;
  captured_stderr captured;
  two_streams::order(all.owner, all.other);
  const cuda_abi::status used = all.use(library, all.other);
  const cuda_abi::status freed = all.free(all.owner);
  const cuda_abi::status later = driver().context_synchronize();
  const std::string said = captured.finish();
  INFO(said);
  CHECK(used == cuda_abi::success);
  CHECK(freed == cuda_abi::error_illegal_address);
  CHECK(later == cuda_abi::error_illegal_address);
  CHECK_THAT(said, ContainsSubstring("device memory of 64 bytes of " + text_of(all.owner) + " is freed in " +
                                     text_of(all.owner) + ", and nothing orders that behind kernel scale in " +
                                     text_of(all.other)));
  CHECK_THAT(said, ContainsSubstring("write memory.record_use(other) behind that use; made at yoke_simulator_tests("));
  CHECK_THAT(said, ContainsSubstring("; freed at yoke_simulator_tests("));
}

TEST_CASE("a use that nothing orders behind the allocation is an error that names both streams") {
  const test_library library{scale_text};
  for (const int how : {0, 1, 2, 3}) {
    two_streams all;
    captured_stderr captured;
    int numbers[4] = {};
    cuda_abi::device_pointer plain = 0;
    ok(driver().mem_alloc(&plain, 64));
    cuda_abi::status used = cuda_abi::success;
    if (how == 0) used = all.use(library, all.other);
    if (how == 1) used = driver().memset_d32_async(all.memory, 1, 4, all.other);
    if (how == 2) used = driver().memcpy_htod_async(all.memory, numbers, sizeof numbers, all.other);
    if (how == 3) used = driver().memcpy_dtod_async(plain, all.memory, 64, all.other);
    const cuda_abi::status later = driver().context_synchronize();
    const std::string said = captured.finish();
    INFO(how << ": " << said);
    CHECK(used == cuda_abi::error_illegal_address);
    CHECK(later == cuda_abi::error_illegal_address);
    const char* const what = how == 0 ? "kernel scale" : how == 1 ? "a fill" : "a copy";
    CHECK_THAT(said, ContainsSubstring(what + (" in " + text_of(all.other)) + " uses device memory of 64 bytes of " +
                                       text_of(all.owner)));
    CHECK_THAT(said, ContainsSubstring("write other.wait(owner.record()) before; made at yoke_simulator_tests("));
  }
}

TEST_CASE("a free is in order behind an event of the use, also by way of a third stream") {
  check_ordered([](two_streams& all) { two_streams::order(all.other, all.owner); });
  check_ordered([](two_streams& all) {
    cuda_abi::stream third = nullptr;
    ok(driver().stream_create(&third, cuda_abi::stream_non_blocking, 0));
    two_streams::order(all.other, third);
    two_streams::order(third, all.owner);
  });
  check_ordered([](two_streams& all) {
    two_streams::order(all.other, all.owner);
    ok(driver().stream_destroy(std::exchange(all.other, nullptr)));
  });
}

TEST_CASE("a free is in order behind what the program has waited for") {
  check_ordered([](two_streams& all) { ok(driver().stream_synchronize(all.other)); });
  check_ordered([](two_streams&) { ok(driver().context_synchronize()); });
  check_ordered([](two_streams& all) {
    while (driver().stream_query(all.other) != cuda_abi::success) std::this_thread::yield();
  });
  for (const bool by_query : {false, true}) {
    check_ordered([&](two_streams& all) {
      cuda_abi::event event = nullptr;
      ok(driver().event_create(&event, cuda_abi::event_disable_timing));
      ok(driver().event_record(event, all.other));
      if (!by_query) ok(driver().event_synchronize(event));
      while (driver().event_query(event) != cuda_abi::success) std::this_thread::yield();
    });
  }
  check_ordered([](two_streams& all) {
    int number = 0;
    ok(driver().memcpy_dtoh_async(&number, all.memory, sizeof number, all.other));  // pageable: it has waited
  });
  check_ordered([](two_streams& all) {
    std::atomic<bool> told{false};
    ok(driver().launch_host_function(
        all.other, [](void* data) { static_cast<std::atomic<bool>*>(data)->store(true); }, &told));
    while (!told) std::this_thread::yield();
  });
}

TEST_CASE("an event from before the use orders nothing behind it") {
  const test_library library{scale_text};
  two_streams all;
  two_streams::order(all.owner, all.other);
  captured_stderr captured;
  two_streams::order(all.other, all.owner);
  CHECK(all.use(library, all.other) == cuda_abi::success);
  CHECK(all.free(all.owner) == cuda_abi::error_illegal_address);
  CHECK_THAT(captured.finish(), ContainsSubstring("record_use"));
}

TEST_CASE("the default stream orders the streams that it waits for") {
  const test_library library{scale_text};
  for (const bool is_gone : {false, true}) {
    two_streams all(cuda_abi::stream_default);
    captured_stderr captured;
    CHECK(all.use(library, nullptr) == cuda_abi::success);
    CHECK(all.use(library, all.other) == cuda_abi::success);
    if (is_gone) ok(driver().stream_destroy(std::exchange(all.other, nullptr)));
    CHECK(all.free(nullptr) == cuda_abi::success);
    CHECK(driver().context_synchronize() == cuda_abi::success);
    CHECK_THAT(captured.finish(), Equals(""));
  }
  const two_streams apart;
  captured_stderr captured;
  CHECK(apart.use(library, nullptr) == cuda_abi::error_illegal_address);
  CHECK_THAT(captured.finish(), ContainsSubstring("kernel scale in the default stream uses"));
}

TEST_CASE("a free in another stream comes behind the allocation, or is an error") {
  {
    const two_streams all;
    captured_stderr captured;
    CHECK(all.free(all.other) == cuda_abi::error_illegal_address);
    CHECK_THAT(captured.finish(), ContainsSubstring(" is freed in " + text_of(all.other) +
                                                    ", and nothing orders that behind the allocation; made at "));
  }
  const two_streams all;
  captured_stderr captured;
  two_streams::order(all.owner, all.other);
  CHECK(all.free(all.other) == cuda_abi::success);
  CHECK(driver().context_synchronize() == cuda_abi::success);
  CHECK_THAT(captured.finish(), Equals(""));
}

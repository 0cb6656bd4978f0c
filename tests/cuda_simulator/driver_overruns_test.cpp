// SPDX-License-Identifier: MIT
// Writes beyond a block are noticed without AddressSanitizer: when something is waited for, freed, and at exit.
#include <engine/sanitizers.hpp>
#include <support/child.hpp>

#include "driver.hpp"

using namespace yoke_test;

namespace {

const std::string careless_text = R"(
extern "C" __global__ void put(unsigned char* bytes, int at) { bytes[at] = 1; }
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

void overrun(const test_library& library, cuda_abi::device_pointer memory, int at) {
  REQUIRE(launch_status(library.function("put"), 1, 1, 0, nullptr, memory, at) == cuda_abi::success);
}

}  // namespace

TEST_CASE("a write behind a block breaks the context at the next synchronisation") {
  if (sees_accesses()) return;
  const test_library library{careless_text};
  for (const int how : {0, 1, 2, 3}) {
    const guarded_context context;
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc(&memory, 100));
    captured_stderr captured;
    overrun(library, memory, 102);
    cuda_abi::event event = nullptr;
    char byte = 0;
    cuda_abi::status status = cuda_abi::success;
    if (how == 0) status = driver().context_synchronize();
    if (how == 1) status = driver().stream_synchronize(nullptr);
    if (how == 2) {
      ok(driver().event_create(&event, 0));
      ok(driver().event_record(event, nullptr));
      status = driver().event_synchronize(event);
    }
    if (how == 3) status = driver().memcpy_dtoh(&byte, memory, 1);
    const cuda_abi::status later = driver().mem_free(memory);
    const std::string said = captured.finish();
    INFO(how << ": " << said);
    CHECK(status == cuda_abi::error_illegal_address);
    CHECK(later == cuda_abi::error_illegal_address);
    CHECK_THAT(said, ContainsSubstring("device memory of 100 bytes at 0x"));
    CHECK_THAT(said, ContainsSubstring("was written to behind its end, at bytes 102 to 102"));
    CHECK_THAT(said, ContainsSubstring("; made at yoke_simulator_tests("));
    CHECK_THAT(said, ContainsSubstring("; noticed at a synchronisation after kernel put\n"));
  }
}

TEST_CASE("a write before a block, and one behind page-locked or stream-ordered memory, is seen, too") {
  if (sees_accesses()) return;
  const test_library library{careless_text};
  const auto said_of = [&](cuda_abi::device_pointer memory, int at) {
    captured_stderr captured;
    overrun(library, memory, at);
    const cuda_abi::status status = driver().context_synchronize();
    const std::string said = captured.finish();
    CHECK(status == cuda_abi::error_illegal_address);
    return said;
  };
  {
    const guarded_context context;
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc(&memory, 64));
    CHECK_THAT(said_of(memory, -3), ContainsSubstring("before its beginning, at bytes -3 to -3"));
  }
  {
    const guarded_context context;
    cuda_abi::device_pointer memory = 0;
    ok(driver().mem_alloc_async(&memory, 64, nullptr));
    CHECK_THAT(said_of(memory, 64), ContainsSubstring("device memory of 64 bytes"));
  }
  {
    const guarded_context context;
    void* memory = nullptr;
    ok(driver().mem_host_alloc(&memory, 4096, 0));
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % 4096 == 0);
    CHECK_THAT(said_of(reinterpret_cast<std::uintptr_t>(memory), 4096),
               ContainsSubstring("page-locked memory of 4096 bytes"));
  }
  {
    const guarded_context context;
    cuda_abi::device_pointer memory = 0;
    std::size_t pitch = 0;
    ok(driver().mem_alloc_pitch(&memory, &pitch, 10, 3, 4));
    CHECK_THAT(said_of(memory, static_cast<int>(3 * pitch)), ContainsSubstring("behind its end"));
  }
}

TEST_CASE("what is noticed when a block is freed is said, and breaks nothing") {
  if (sees_accesses()) return;
  const guarded_context context;
  const test_library library{careless_text};
  cuda_abi::device_pointer memory = 0;
  ok(driver().mem_alloc(&memory, 100));
  captured_stderr captured;
  overrun(library, memory, 100);
  const cuda_abi::status freed = driver().mem_free(memory);
  const cuda_abi::status later = driver().context_synchronize();
  const std::string said = captured.finish();
  INFO(said);
  CHECK(freed == cuda_abi::success);
  CHECK(later == cuda_abi::success);
  CHECK_THAT(said, ContainsSubstring("behind its end, at bytes 100 to 100"));
  CHECK_THAT(said, ContainsSubstring("; noticed when it was freed"));
}

TEST_CASE("a block of another context is not blamed on this one, and each overrun is said once") {
  if (sees_accesses()) return;
  const guarded_context first;
  cuda_abi::device_pointer memory = 0;
  ok(driver().mem_alloc(&memory, 100));
  const test_library library{careless_text};
  captured_stderr captured;
  {
    const guarded_context second;
    overrun(library, memory, 100);
    CHECK(driver().context_synchronize() == cuda_abi::success);
  }
  CHECK(launch_status(library.function("nothing"), 1, 1, 0, nullptr) == cuda_abi::success);
  CHECK(launch_status(library.function("nothing"), 1, 1, 0, nullptr) == cuda_abi::success);
  const cuda_abi::status status = driver().context_synchronize();
  const std::string said = captured.finish();
  CHECK(status == cuda_abi::error_illegal_address);
  CHECK_THAT(said, ContainsSubstring("after kernel nothing, the last of 2 launches since the one before"));
  CHECK(said.find("was written to") == said.rfind("was written to"));
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
    const std::string how = which;
    if (how == "behind") static_cast<volatile char*>(memory)[1000] = 1;
    ok(driver().mem_free_host(memory));
    if (how == "freed") static_cast<volatile char*>(memory)[0] = 1;
    SUCCEED("the rest is the exit's");
    return;
  }
  if (sees_accesses()) return;
  const auto run = [&](const char* how, const char* policy) {
    return run_child(name, {{"YOKE_SIMULATOR_LEAKS", policy}, {"YOKE_TEST_CORRUPTION", how}});
  };
  const std::pair<const char*, const char*> cases[] = {{"behind", "at bytes 1000 to 1000; made at "},
                                                       {"freed", "byte 0 of a freed block of 1000 bytes at 0x"}};
  for (const auto& [how, said] : cases) {
    const child_result failed = run(how, "fail");
    INFO(failed.output);
    CHECK(failed.status == 99);
    CHECK_THAT(failed.output, ContainsSubstring(said) && ContainsSubstring(": 1 block corrupted\n"));
    CHECK(failed.output.find("leak") == std::string::npos);
    const child_result reported = run(how, "report");
    CHECK(reported.status == 0);
    CHECK_THAT(reported.output, ContainsSubstring(said));
    CHECK(run(how, "ignore").status == 0);
  }
  const child_result sound = run("nothing", "fail");
  CHECK(sound.status == 0);
  CHECK(sound.output.find("block corrupted") == std::string::npos);
}

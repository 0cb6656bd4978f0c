// SPDX-License-Identifier: MIT
// The allocation loop's own tests: arming, counting, and a toy with and without flaws.
#include <support/faults/allocation_faults.hpp>
#include <support/faults/fault_loop.hpp>
#include <support/faults/toy_buffers.hpp>

#include <set>
#include <thread>

using namespace yoke_test;

namespace {

/// Allocates and frees, where the optimiser cannot see it.
bool allocation_works() {
  static int* volatile kept = nullptr;
  try {
    kept = new int(1);
  } catch (const std::bad_alloc&) {
    return false;
  }
  delete kept;
  return true;
}

fault_report explore(toy_flaw flaw) {
  return explore_allocation_faults(
      "toy", raw_opencl(), [](opencl_interposer& driver) { return toy_context(driver, toy_flaw::none); },
      [flaw](opencl_interposer&, toy_context& context) { const toy_buffers both(context, flaw); },
      [](opencl_interposer&, toy_context&) {});
}

}  // namespace

TEST_CASE("allocations of the armed thread fail once or for ever", "[support]") {
  allocation_faults::arm(2, fault_mode::once);
  const bool once[] = {allocation_works(), allocation_works(), allocation_works()};
  allocation_faults::disarm();
  const std::size_t struck_once = allocation_faults::injected();
  allocation_faults::arm(2, fault_mode::for_ever);
  const bool for_ever[] = {allocation_works(), allocation_works(), allocation_works()};
  allocation_faults::disarm();
  CHECK((once[0] && !once[1] && once[2]));
  CHECK(struck_once == 1);
  CHECK((for_ever[0] && !for_ever[1] && !for_ever[2]));
  CHECK(allocation_faults::injected() == 2);
}

TEST_CASE("other threads and pauses are spared", "[support]") {
  std::atomic<int> step{0};
  bool elsewhere = false;
  std::thread other([&] {
    while (step != 1) std::this_thread::yield();
    elsewhere = allocation_works();
    step = 2;
  });
  allocation_faults::arm(1, fault_mode::for_ever);
  step = 1;
  while (step != 2) std::this_thread::yield();
  bool paused = false;
  {
    const allocation_pause pause;
    paused = allocation_works();
  }
  const bool here = allocation_works();
  allocation_faults::disarm();
  other.join();
  CHECK(elsewhere);
  CHECK(paused);
  CHECK_FALSE(here);
}

TEST_CASE("blocks are counted until whatever thread frees them", "[support]") {
  // Called as functions: a compiler may leave out the pairs of new and delete that it sees through.
  allocation_faults::arm(0, fault_mode::once);
  void* const plain = ::operator new(4);
  void* const array = ::operator new[](100);
  void* const aligned = ::operator new(96, std::align_val_t{64});
  void* const quiet = ::operator new(4, std::nothrow);
  allocation_faults::disarm();
  CHECK(allocation_faults::live_blocks() == 4);
  CHECK(reinterpret_cast<std::uintptr_t>(aligned) % 64 == 0);
  ::operator delete(aligned, std::align_val_t{64});
  ::operator delete[](array);
  ::operator delete(quiet);
  CHECK(allocation_faults::live_blocks() == 1);
  std::thread([&] { ::operator delete(plain); }).join();
  CHECK(allocation_faults::live_blocks() == 0);
}

TEST_CASE("the allocation loop accepts what keeps the promises and finds what does not", "[support]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no OpenCL driver: " + raw_opencl_loaded().reason);
  const fault_report good = explore(toy_flaw::none);
  CHECK(good.problems.empty());
  CHECK(good.injected == 2);  // the one allocation of the toy, in two modes; none of the driver's
  const fault_report lost = [] {
    const in_haste quick;
    return explore(toy_flaw::loses_memory);
  }();
  REQUIRE_FALSE(lost.problems.empty());
  CHECK_THAT(lost.problems.front(), ContainsSubstring("blocks of memory lost"));
  run_allocation_loop("toy, nothing kept", raw_opencl(), [](opencl_interposer& driver) {
    toy_context context(driver, toy_flaw::none);
    const toy_buffers both(context, toy_flaw::none);
  });
}

TEST_CASE("the loop over driver calls counts memory where blocks are counted", "[support]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no OpenCL driver: " + raw_opencl_loaded().reason);
  const auto first_problem = [](toy_flaw flaw) {
    const fault_report report = explore_faults(
        "toy", raw_opencl(), [](opencl_interposer& driver) { return toy_context(driver, toy_flaw::none); },
        [flaw](opencl_interposer&, toy_context& context) { const toy_buffers both(context, flaw); },
        [](opencl_interposer&, toy_context&) {}, {.absorbed = {}, .excluded = {}, .most_problems = 1});
    return report.problems.empty() ? "no problem" : report.problems.front();
  };
  CHECK(first_problem(toy_flaw::none) == "no problem");
  const in_haste quick;
  CHECK(first_problem(toy_flaw::loses_memory_on_failure) ==
        "once, out of memory, call 1 (clCreateBuffer): 1 blocks of memory lost");
}

TEST_CASE("the loop's driver stands at one address in every run", "[support]") {
  if (!raw_opencl_loaded().reason.empty()) YOKE_SKIP("no OpenCL driver: " + raw_opencl_loaded().reason);
  std::set<const void*> places;
  const fault_report report = explore_allocation_faults(
      "places", raw_opencl(),
      [&](opencl_interposer& driver) {
        places.insert(&driver);
        return toy_context(driver, toy_flaw::none);
      },
      [](opencl_interposer&, toy_context& context) { const toy_buffers both(context, toy_flaw::none); },
      [](opencl_interposer&, toy_context&) {});
  CHECK(report.runs > 2);
  CHECK(places.size() == 1);
}

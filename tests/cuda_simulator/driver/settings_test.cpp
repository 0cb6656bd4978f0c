// SPDX-License-Identifier: MIT
// The simulator says on stderr which variables it cannot read or does not know, and uses the default.
#include <cuda_simulator/driver.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;

namespace {

std::size_t lines_of(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("yoke CUDA simulator: "); at != text.npos;
       at = text.find("yoke CUDA simulator: ", at + 1))
    ++count;
  return count;
}

}  // namespace

TEST_CASE("a value that means nothing is said in one line and changes nothing") {
  const std::string name = "a value that means nothing is said in one line and changes nothing";
  if (is_child(name)) {
    const primary_context context;
    for (int each = 0; each < 3; ++each) {
      cuda_abi::device_pointer memory = 0;
      CHECK(driver().mem_alloc(&memory, 16) == cuda_abi::success);
      CHECK(driver().mem_free(memory) == cuda_abi::success);
    }
    int devices = 0;
    CHECK(driver().device_get_count(&devices) == cuda_abi::success);
    CHECK(devices == (std::getenv("YOKE_TEST_ONE_DEVICE") != nullptr ? 1 : 2));
    return;
  }
  struct wrong {
    const char* name;
    const char* value;
    const char* expected;
  };
  const wrong all[] = {
      {"YOKE_SIMULATOR_LAUNCH_FAILURE", "1:12345", "with n from 1 and the code of an error that CUresult has"},
      {"YOKE_SIMULATOR_LAUNCH_FAILURE", "1:0", "with n from 1 and the code of an error that CUresult has"},
      {"YOKE_SIMULATOR_LAUNCH_FAILURE", "0", "with n from 1 and the code of an error that CUresult has"},
      {"YOKE_SIMULATOR_LAUNCH_FAILURE", "1:", "with n from 1 and the code of an error that CUresult has"},
      {"YOKE_SIMULATOR_OUT_OF_MEMORY", "0", "a number from 1 to "},
      {"YOKE_SIMULATOR_OUT_OF_MEMORY", "-1", "a number from 1 to "},
      {"YOKE_SIMULATOR_DEVICES", "many", "a number from 0 to 64"},
      {"YOKE_SIMULATOR_COMPUTE_CAPABILITY", "sm_90", "a compute capability"},
      {"YOKE_SIMULATOR_LEAKS", "loud", "report, fail or ignore"},
      {"YOKE_SIMULATOR_OPTIMISE", "fast", "a number from 0 to 3"},
      {"YOKE_SIMULATOR_OPTIMISE", "4", "a number from 0 to 3"},
      {"YOKE_SIMULATOR_OPTIMISE", "03", "a number from 0 to 3"},
      {"YOKE_SIMULATOR_OUT_OF_MEMROY", "3", "no variable of the simulator"},
      {"YOKE_SIMULATOR_", "", "no variable of the simulator"},
  };
  for (const wrong& each : all) {
    const bool one_device = std::string(each.name) == "YOKE_SIMULATOR_DEVICES";
    std::vector<std::pair<std::string, std::string>> variables{{each.name, each.value}};
    if (one_device) variables.emplace_back("YOKE_TEST_ONE_DEVICE", "1");
    const child_result child = run_child(name, variables);
    INFO(each.name << ": " << child.output);
    CHECK(child.status == 0);
    CHECK(lines_of(child.output) == 1);
    CHECK_THAT(child.output, ContainsSubstring(std::string(each.name) + " is \"" + each.value + "\""));
    CHECK_THAT(child.output, ContainsSubstring("expected is ") && ContainsSubstring(each.expected));
  }
}

// SPDX-License-Identifier: MIT
// The devices of tests: what PYOPENCL_TEST names, and which variable counts.
#include <support/devices/devices.hpp>
#include <support/process/variables.hpp>

#include <yoke/testing/test_devices.hpp>

#include <cstdlib>
#include <vector>

using namespace yoke_test;
using indices = std::vector<std::size_t>;

namespace {

/// Sets a variable of the environment for a scope.
class variable {
 public:
  variable(const char* name, const char* value) : name_(name) {
    const char* const had = std::getenv(name);
    had_ = had != nullptr;
    if (had_) before_ = had;
    set(value);
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() { set(had_ ? before_.c_str() : nullptr); }

 private:
  void set(const char* value) {
    if (value == nullptr) {
      unset_variable(name_);
    } else {
      set_variable(name_, value);
    }
  }
  const char* name_;
  bool had_ = false;
  std::string before_;
};

yoke::device_summary fact(const char* platform, const char* name, const char* vendor) {
  yoke::device_summary facts;
  facts.platform = platform;
  facts.name = name;
  facts.vendor = vendor;
  return facts;
}
const std::vector<yoke::device_summary> there{
    fact("Portable Computing Language", "pthread-haswell", "GenuineIntel"),
    fact("NVIDIA CUDA", "H100", "NVIDIA Corporation"),
    fact("Intel(R) OpenCL", "Core i5", "Intel(R) Corporation"),
    fact("Intel(R) OpenCL", "Core i7", "Intel(R) Corporation"),
    fact("CUDA", "H100", "NVIDIA"),
};
const std::vector<std::string> backends{"opencl", "opencl", "opencl", "opencl", "cuda"};

indices named(std::string_view text) { return yoke::detail::match_pyopencl_test(there, backends, text, {}); }

}  // namespace

TEST_CASE("PYOPENCL_TEST names platforms and their devices by number or by text", "[execution]") {
  CHECK(named("0:0") == indices{0});
  CHECK(named("2:1,0") == indices{3, 2});
  CHECK(named("2") == indices{2, 3});
  CHECK(named("intel(r)=i7,i5;portable") == indices{3, 2, 0});
  CHECK(named(" nvidia : h100 ; 2 : 1 ") == indices{1, 3});
  CHECK(named("INTEL") == indices{0});  // the first platform with a name or vendor like that
  CHECK(named("2;2:0") == indices{2, 3});
  CHECK(named("2:core") == indices{2});  // the first
  CHECK(named(";").empty());
}

TEST_CASE("what PYOPENCL_TEST names and is not there is told, with what is", "[execution]") {
  CHECK_THROWS_AS(named("4"), yoke::unsupported_error);
  CHECK_THROWS_WITH(named("amd"), ContainsSubstring("PYOPENCL_TEST names the platform \"amd\", which is not there") &&
                                      ContainsSubstring("Intel(R) OpenCL: Core i7"));
  CHECK_THROWS_WITH(named("2:2"), ContainsSubstring("the device \"2\""));
  CHECK_THROWS_WITH(named("2:i9"), ContainsSubstring("the device \"i9\""));
  CHECK_THROWS_WITH(yoke::detail::match_pyopencl_test({}, {}, "0", {}), ContainsSubstring("there is no OpenCL device"));
}

YOKE_OPENCL_TEST_CASE("the environment selects the devices of tests", "[execution]") {
  const auto devices = [] { return yoke::select_test_devices().devices; };
  {
    const variable own("YOKE_TEST_DEVICES", nullptr);
    const variable theirs("PYOPENCL_TEST", nullptr);
    CHECK(devices().size() == yoke::devices().size());
    const variable portable("PYOPENCL_TEST", "0:0");
    REQUIRE(devices().size() == 1);
    CHECK(devices()[0].backend_name() == std::string_view("opencl"));
    {
      const variable nothing("PYOPENCL_TEST", " ; ");
      CHECK(devices().empty());
      CHECK(yoke::select_test_devices().reason == "PYOPENCL_TEST names no device: \" ; \"");
    }
    const variable both("YOKE_TEST_DEVICES", "opencl");
    CHECK(devices().size() == yoke::select_devices("opencl").size());
    const variable absent("YOKE_TEST_DEVICES", "no such device");
    CHECK_THROWS_AS(devices(), yoke::unsupported_error);
  }
}

// SPDX-License-Identifier: MIT
// The vendor's header beside <CL/cl.h> around the library's: the types are the same, whatever comes first.
#define CL_TARGET_OPENCL_VERSION 300
// clang-format off: the order is the test
#include <CL/cl.h>

#include <yoke/yoke.hpp>

#include <CL/cl.h>
// clang-format on

#include <support/catch.hpp>

TEST_CASE("interop: the vendor's header goes beside <CL/cl.h> the library's", "[opencl][interop]") {
  STATIC_REQUIRE(std::is_same_v<yoke::opencl::device_allocation<int>::native_type, cl_mem>);
  STATIC_REQUIRE(std::is_same_v<yoke::opencl::stream::native_type, cl_command_queue>);
  const yoke::opencl::device_allocation<int> none;
  const cl_mem native = none.native_handle();
  CHECK(native == nullptr);
}

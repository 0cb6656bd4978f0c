// SPDX-License-Identifier: MIT
// The vendor's headers beside <CL/cl.h> around the library's: the types are the same, whatever comes first.
#define CL_TARGET_OPENCL_VERSION 300
// clang-format off: the order is the test
#include <CL/cl.h>

#include <yoke/yoke.hpp>

#include <CL/cl.h>

#include <yoke/opencl/interop.hpp>

#include <CL/cl.h>
// clang-format on

#include <support/catch.hpp>

static_assert(CL_HPP_TARGET_OPENCL_VERSION == CL_TARGET_OPENCL_VERSION);

TEST_CASE("interop: the vendor's header goes beside <CL/cl.h> the library's", "[opencl][interop]") {
  STATIC_REQUIRE(std::is_same_v<yoke::opencl::device_allocation<int>::native_type, cl_mem>);
  STATIC_REQUIRE(std::is_same_v<yoke::opencl::stream::native_type, cl_command_queue>);
  STATIC_REQUIRE(std::is_same_v<decltype(yoke::opencl::to_cl(std::declval<yoke::opencl::stream>())), cl::CommandQueue>);
  const yoke::opencl::device_allocation<int> none;
  const cl_mem native = none.native_handle();
  CHECK(native == nullptr);
}

// SPDX-License-Identifier: MIT
// Conversions to and from OpenCL-CLHPP: both sides own a reference, and nothing leaks.
#include <support/catch.hpp>
#include <support/devices/background.hpp>
#include <support/devices/devices.hpp>
#include <support/devices/parts.hpp>
#include <support/drivers/opencl_interposer.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/soon.hpp>

#include <yoke/opencl/interop.hpp>
#include <yoke/yoke.hpp>

#include <CL/cl_half.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {
cl_uint references(cl_mem memory) {
  cl_uint count = 0;
  clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr);
  return count;
}
cl_uint references(const opencl_device& of) { return ocl::get(of, ocl::info::reference_count); }
}  // namespace

// The vendor's vectors have no more words in a language than their twins.
static_assert(std::string_view(yoke::device_type<cl_float4>::dialect) == "float4" &&
              std::string_view(yoke::device_type<cl_double4>::cuda) == "double4_32a");
static_assert(*yoke::device_type<cl_float8>::dialect == '\0' && *yoke::device_type<cl_float8>::cuda == '\0' &&
              std::string_view(yoke::device_type<cl_float8>::opencl_c) == "float8");

YOKE_OPENCL_TEST_CASE("interop: every handle goes to CLHPP and back", "[opencl][interop]") {
  const ocl::context ctx{device};
  const ocl::stream stream{ctx};
  CHECK(ocl::to_cl(device)() == device.native_handle());
  CHECK(ocl::from_cl(ocl::to_cl(device)) == device);

  const cl::Context vendor_context = ocl::to_cl(ctx);
  CHECK(vendor_context() == ctx.native_handle());
  const ocl::context again = ocl::from_cl(vendor_context);
  CHECK(again == ctx);

  const cl::CommandQueue vendor_queue = ocl::to_cl(stream);
  const ocl::stream stream_again = ocl::from_cl(ctx, vendor_queue);
  CHECK(stream_again.native_handle() == stream.native_handle());
  CHECK_THROWS_AS(ocl::from_cl(ocl::context{device}, vendor_queue), yoke::logic_error);

  std::vector<int> host(256);
  std::iota(host.begin(), host.end(), 0);
  auto memory = yoke::to_device(host, stream);
  const cl::Buffer buffer = ocl::to_cl(memory);
  CHECK(references(buffer()) == 2);
  std::vector<int> read(256);
  REQUIRE(vendor_queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof(int) * 256, read.data()) == CL_SUCCESS);
  CHECK(read == host);
  {
    auto adopted = ocl::from_cl<int>(ctx, buffer);
    CHECK(adopted.size() == 256);
    CHECK(references(buffer()) == 3);
    yoke::fill(adopted, 7, stream);
    stream.synchronize();
  }
  CHECK(references(buffer()) == 2);
  REQUIRE(vendor_queue.enqueueReadBuffer(buffer, CL_TRUE, 0, sizeof(int) * 256, read.data()) == CL_SUCCESS);
  CHECK(read == std::vector<int>(256, 7));

  const auto point = stream.record();
  const cl::Event vendor_event = ocl::to_cl(point);
  CHECK(vendor_event.wait() == CL_SUCCESS);
  CHECK(ocl::from_cl(ctx, vendor_event).status() == yoke::event_status::complete);
}

YOKE_OPENCL_TEST_CASE("interop: programs and kernels of CLHPP become typed", "[opencl][interop]") {
  const ocl::context ctx{device};
  const ocl::stream stream{ctx};
  cl::Program program(ocl::to_cl(ctx), std::string("kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }"));
  REQUIRE(program.build("-cl-std=CL1.2 -cl-kernel-arg-info") == CL_SUCCESS);
  const ocl::module module = ocl::from_cl(ctx, program);
  const auto twice = module.get_kernel<void(int*)>("twice");

  const cl::Kernel vendor_kernel(program, "twice");
  const auto from_kernel = ocl::from_cl<void(int*)>(module, vendor_kernel);
  CHECK(from_kernel.checked() == yoke::signature_check::names);
  CHECK_THROWS_AS(ocl::from_cl<void(float*)>(module, vendor_kernel), yoke::logic_error);

  std::vector<int> host(64, 3);
  auto memory = yoke::to_device(host, stream);
  twice(stream, yoke::launch_over(64, 64), memory);
  from_kernel(stream, yoke::launch_over(64, 64), memory);
  yoke::copy(memory, host, stream);
  CHECK(host == std::vector<int>(64, 12));

  const cl::Kernel back = ocl::to_cl(twice);
  CHECK(back.getInfo<CL_KERNEL_FUNCTION_NAME>() == "twice");
  CHECK(ocl::to_cl(module)() == module.native_handle());
}

YOKE_OPENCL_TEST_CASE("interop: the vendor's vectors are known to signatures", "[opencl][interop]") {
  const ocl::context ctx{device};
  const ocl::stream stream{ctx};
  const auto module = yoke::compile(ctx, "kernel void put(global float4* a, float4 v) { a[get_global_id(0)] = v; }");
  const auto put = module.get_kernel<void(cl_float4*, cl_float4)>("put");
  CHECK(put.checked() == yoke::signature_check::names);
  CHECK_THROWS_AS(module.get_kernel<void(cl_int4*, cl_float4)>("put"), yoke::logic_error);
  ocl::device_allocation<cl_float4> memory{ctx, 16};
  put(stream, yoke::launch_over(16, 16), memory, cl_float4{{1, 2, 3, 4}});
  std::vector<cl_float4> host(16);
  yoke::copy(memory, host, stream);
  CHECK(host[15].s[0] == 1.0f);
  CHECK(host[15].s[3] == 4.0f);
}

YOKE_OPENCL_TEST_CASE("interop: an out-of-order queue of CLHPP becomes an out-of-order stream", "[opencl][interop]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  if ((ocl::get(device, ocl::info::queue_on_host_properties) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0) {
    YOKE_SKIP("the device has no out-of-order streams");
  }
  const ocl::context ctx{device};
  const cl::CommandQueue queue(ocl::to_cl(ctx), ocl::to_cl(device), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  {
    const ocl::out_of_order_stream stream = ocl::out_of_order_from_cl(ctx, queue);
    CHECK(stream.native_handle() == queue());
    CHECK(queue.getInfo<CL_QUEUE_REFERENCE_COUNT>() == 2);
    stream.barrier().wait();
  }
  CHECK_THROWS_AS(ocl::out_of_order_from_cl(ocl::context{device}, queue), yoke::logic_error);
  CHECK_THROWS_AS(ocl::from_cl(ctx, queue), yoke::logic_error);
  // PoCL's worker may hold its own reference for a moment after the barrier is done.
  CHECK(soon([&] { return queue.getInfo<CL_QUEUE_REFERENCE_COUNT>() == 1; }));
}

YOKE_OPENCL_TEST_CASE("interop: null objects of CLHPP are refused by name, before any call", "[opencl][interop]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context ctx{through(driver, device)};
  const ocl::module module = yoke::compile(ctx, "kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }");
  const std::size_t mark = driver.mark();
  const auto refused = [](const std::string& noun, auto take) {
    try {
      take();
      FAIL_CHECK("a null " << noun << " was taken");
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::invalid_argument);
      CHECK_THAT(e.what(),
                 ContainsSubstring("the native " + noun + " is null") && ContainsSubstring("interop_test.cpp:"));
    }
  };
  refused("device", [&] { (void)ocl::from_cl(cl::Device{nullptr}, ctx.port()); });
  refused("context", [&] { (void)ocl::from_cl(cl::Context{nullptr}, ctx.port()); });
  refused("stream", [&] { (void)ocl::from_cl(ctx, cl::CommandQueue{nullptr}); });
  refused("stream", [&] { (void)ocl::out_of_order_from_cl(ctx, cl::CommandQueue{nullptr}); });
  refused("event", [&] { (void)ocl::from_cl(ctx, cl::Event{}); });
  refused("event", [&] { (void)ocl::timed_event_from_cl(ctx, cl::Event{}); });
  refused("event", [&] { (void)ocl::user_event_from_cl(ctx, cl::UserEvent{}); });
  refused("memory", [&] { (void)ocl::from_cl<int>(ctx, cl::Buffer{}); });
  refused("module", [&] { (void)ocl::from_cl(ctx, cl::Program{}); });
  refused("kernel", [&] { (void)ocl::from_cl<void(int*)>(module, cl::Kernel{}); });
  CHECK(driver.count_all(mark) == 0);
}

YOKE_OPENCL_TEST_CASE("interop: what cannot be taken over keeps its references", "[opencl][interop]") {
  const ocl::context ctx{device}, elsewhere{device};
  const ocl::stream stream{ctx};
  const auto point = stream.record();
  const cl::Event event = ocl::to_cl(point);
  point.wait();
  CHECK(soon([&] { return event.getInfo<CL_EVENT_REFERENCE_COUNT>() == 2; }));
  CHECK_THROWS_AS(ocl::from_cl(elsewhere, event), yoke::logic_error);
  CHECK(event.getInfo<CL_EVENT_REFERENCE_COUNT>() == 2);
  const ocl::device_allocation<int> memory{ctx, 4};
  const cl::Buffer buffer = ocl::to_cl(memory);
  CHECK_THROWS_AS(ocl::from_cl<int>(elsewhere, buffer), yoke::logic_error);
  CHECK(references(buffer()) == 2);
}

YOKE_OPENCL_TEST_CASE("interop: a kernel of CLHPP is called by its name in messages", "[opencl][interop]") {
  const ocl::context ctx{device};
  const ocl::module module = yoke::compile(ctx, "kernel void twice(global int* a) { a[get_global_id(0)] *= 2; }");
  const cl::Kernel vendor_kernel(ocl::to_cl(module), "twice");
  CHECK_THROWS_WITH(ocl::from_cl<void(int*, int)>(module, vendor_kernel), ContainsSubstring("kernel twice is "));
}

YOKE_OPENCL_TEST_CASE("interop: a sub-device of CLHPP's is kept by the library's handles", "[opencl][interop]") {
  auto parts = two_parts(device);
  if (parts.empty()) YOKE_SKIP("the device cannot be divided");
  opencl_interposer driver(raw_opencl());
  const opencl_device& part = parts[0];
  const cl_uint before = references(part);
  {
    cl::Device theirs = ocl::to_cl(part);
    CHECK(references(part) == before + 1);
    const opencl_device ours = ocl::from_cl(theirs, through(driver, device).port());
    CHECK(driver.count("retain_device") == 1);
    CHECK(references(part) == before + 2);
    theirs = cl::Device{};
    CHECK(references(part) == before + 1);
    const ocl::context ctx{std::vector{ours}};
    CHECK(ocl::stream{ctx}.device_of() == ours);
    CHECK(driver.count("release_device") == 0);
  }
  CHECK(driver.count("release_device") == 1);
  CHECK(references(part) == before);
}

YOKE_OPENCL_TEST_CASE("interop: events of CLHPP are timed and set", "[opencl][interop]") {
  const ocl::context ctx{device};
  const ocl::stream stream{ctx, {.timing = true}};
  const ocl::event point = stream.record();
  const cl::Event their_point = ocl::to_cl(point);
  CHECK(ocl::timed_event_from_cl(ctx, their_point).times().ended.count() > 0);
  CHECK_THROWS_WITH(ocl::user_event_from_cl(ctx, their_point), ContainsSubstring("is not a user event"));

  const cl::UserEvent theirs(ocl::to_cl(ctx));
  {
    ocl::user_event ours = ocl::user_event_from_cl(ctx, theirs);
    CHECK(ours.native_handle() == theirs());
    CHECK(ocl::to_cl(ours)() == theirs());
    CHECK_FALSE(ours.as_event().is_done());
    ours.complete();
  }
  CHECK(theirs.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE);

  const cl::UserEvent left(ocl::to_cl(ctx));
  const ocl::event waited = ocl::from_cl(ctx, left);  // CLHPP's to set
  (void)ocl::user_event_from_cl(ctx, left);           // ended unset: it fails
  CHECK(left.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() < 0);
  CHECK(waited.status() == yoke::event_status::failed);
  CHECK_THROWS_AS(ocl::user_event_from_cl(ocl::context{device}, left), yoke::logic_error);
}

YOKE_OPENCL_TEST_CASE("interop: a buffer of CLHPP's that is a part becomes an allocation", "[opencl][interop]") {
  const ocl::context ctx{device};
  const ocl::stream stream{ctx};
  cl::Buffer whole(ocl::to_cl(ctx), CL_MEM_READ_WRITE, 64 * sizeof(int));
  cl_buffer_region region{0, 16 * sizeof(int)};
  const cl::Buffer part = whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  auto all = ocl::from_cl<int>(ctx, whole);
  auto some = ocl::from_cl<int>(ctx, part);
  CHECK(some.size() == 16);
  yoke::fill(all, 1, stream);
  yoke::fill(some, 2, stream);
  std::vector<int> host(64);
  yoke::copy(all, host, stream);
  CHECK((host[15] == 2 && host[16] == 1));
}

// The vendor's vectors are laid out as the library's, so that one becomes the other by its bits.
#define SAME_LAYOUT(theirs, ours) static_assert(sizeof(theirs) == sizeof(ours) && alignof(theirs) == alignof(ours))
#define SAME_LAYOUTS(name)                                                                                             \
  SAME_LAYOUT(cl_##name##2, yoke::name##2);                                                                            \
  SAME_LAYOUT(cl_##name##3, ocl::name##3);                                                                             \
  SAME_LAYOUT(cl_##name##4, yoke::name##4);                                                                            \
  SAME_LAYOUT(cl_##name##8, yoke::name##8);                                                                            \
  SAME_LAYOUT(cl_##name##16, yoke::name##16)
SAME_LAYOUTS(char);
SAME_LAYOUTS(uchar);
SAME_LAYOUTS(short);
SAME_LAYOUTS(ushort);
SAME_LAYOUTS(int);
SAME_LAYOUTS(uint);
SAME_LAYOUTS(long);
SAME_LAYOUTS(ulong);
SAME_LAYOUTS(float);
SAME_LAYOUTS(double);
SAME_LAYOUT(cl_half, yoke::half);

YOKE_OPENCL_TEST_CASE("interop: a compiler that was unloaded compiles again", "[opencl][interop]") {
  const ocl::context context{device};
  const auto compiled = [&](const char* name) {
    const std::string source = "__kernel void " + std::string(name) + "(__global int* a) { a[0] = 7; }";
    return yoke::compile(context, source).template get_kernel<void(int*)>(name);
  };
  const auto before = compiled("before");
  CHECK(::clUnloadPlatformCompiler(ocl::get(device, ocl::info::platform)) == CL_SUCCESS);
  const ocl::stream stream{context};
  std::vector<int> found(1);
  const auto after = compiled("after");
  for (const auto* const kernel : {&before, &after}) {
    found[0] = 0;
    (*kernel)(stream, {.grid = 1, .block = 1}, yoke::out(found));
    CHECK(found[0] == 7);
  }
}

TEST_CASE("halves are those of OpenCL's headers", "[opencl][interop]") {
  CHECK(std::bit_cast<yoke::float4>(cl_float4{{1, 2, 3, 4}}) == yoke::float4{1, 2, 3, 4});
  std::size_t wrong = 0;
  for (unsigned i = 0; i <= 0xffffU; ++i) {
    const auto bits = static_cast<cl_half>(i);
    const auto ours = yoke::half::from_bits(bits);
    const float theirs = cl_half_to_float(bits);
    const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    if (!same(static_cast<float>(ours), theirs)) ++wrong;
    const float between = theirs * 1.0003F;  // and back, from what lies between the halves
    if (!std::isnan(between) && yoke::half{between}.bits() != cl_half_from_float(between, CL_HALF_RTE)) ++wrong;
  }
  CHECK(wrong == 0);
}

// SPDX-License-Identifier: MIT
// Owners of parts of an allocation: alignment, range, lifetime, use as an argument.
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>
#include <support/rig.hpp>

#include <yoke/opencl/opencl.hpp>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {
constexpr const char* source = "__kernel void twice(__global int* a) { a[get_global_id(0)] *= 2; }";

std::size_t step_of(const opencl_device& device) {
  return std::max<std::size_t>(device.limits().base_alignment_bytes / 4, 4);
}
}  // namespace

YOKE_OPENCL_TEST_CASE("a sub-buffer is a part of its allocation", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    const std::size_t step = step_of(device);
    ocl::device_allocation<int> whole{context, 3 * step};
    yoke::fill(whole, 1, stream);
    ocl::sub_buffer<int> part{whole, step, 4};
    CHECK(part.size() == 4);
    CHECK(part.native_handle() != whole.native_handle());
    const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
    twice(stream, {.grid = 1, .block = 4}, part);
    std::vector<int> host(3 * step), middle(4);
    yoke::copy(whole, host, stream);
    for (std::size_t i = 0; i < host.size(); ++i) CHECK(host[i] == (i >= step && i < step + 4 ? 2 : 1));
    yoke::fill(part, 9, stream);
    yoke::copy(part, middle, stream);
    CHECK(middle == std::vector(4, 9));
    yoke::copy(std::vector{1, 2, 3, 4}, part, stream);
    yoke::copy(whole.subspan(step, 4), middle, stream);
    CHECK(middle == std::vector{1, 2, 3, 4});
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a sub-buffer outlives its allocation", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  ocl::device_allocation<int> whole{context, step_of(device) * 2};
  yoke::fill(whole, 5, stream);
  ocl::sub_buffer<int> part{whole, step_of(device), 4};
  whole.reset();
  std::vector<int> host(4);
  yoke::copy(part, host, stream);
  CHECK(host == std::vector(4, 5));
}

YOKE_OPENCL_TEST_CASE("a misaligned sub-buffer is refused before the driver, with the alignment", "[opencl]") {
  // Also where the driver would accept it: NVIDIA's does although it reports an alignment.
  opencl_interposer driver(raw_opencl());
  abi::uint reported_bits = 1024;
  driver.replace<&abi::functions::get_device_info>(
      [&](abi::device of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        const abi::status status = driver.real().get_device_info(of, what, bytes, out, size);
        if (what == ocl::info::mem_base_addr_align.code && out != nullptr)
          *static_cast<abi::uint*>(out) = reported_bits;
        return status;
      });
  const ocl::context context{through(driver, device)};
  ocl::device_allocation<int> whole{context, 1024};
  try {
    const ocl::sub_buffer<int> part{whole, 33, 4};
    FAIL("a sub-buffer at byte 132 was made");
  } catch (const yoke::logic_error& e) {
    CHECK(e.code() == yoke::errc::misaligned);
    CHECK_THAT(e.what(), ContainsSubstring("sub-buffer starts at byte 132 (element 33)"));
    CHECK_THAT(e.what(), ContainsSubstring("not a multiple of this device's 128"));
  }
  CHECK_THROWS_AS((ocl::sub_buffer<int>{whole, 1, 1}), yoke::logic_error);
  CHECK(driver.count("create_sub_buffer") == 0);
}

YOKE_OPENCL_TEST_CASE("a sub-buffer lies within its allocation", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const std::size_t step = step_of(device);
  ocl::device_allocation<int> whole{context, step};
  CHECK_THROWS_AS((ocl::sub_buffer<int>{whole, 0, step + 1}), yoke::logic_error);
  CHECK_THROWS_AS((ocl::sub_buffer<int>{whole, step, 1}), yoke::logic_error);
  CHECK_THROWS_WITH((ocl::sub_buffer<int>{whole, -1, 1}), ContainsSubstring("first element is -1"));
  CHECK_THROWS_AS((ocl::sub_buffer<int>{whole, std::numeric_limits<std::size_t>::max(), 2}), yoke::logic_error);
  const ocl::sub_buffer<int> none{whole, step, 0};
  CHECK(none.empty());
  CHECK(driver.count("create_sub_buffer") == 0);
  ocl::device_allocation<int> moved = std::move(whole);
  CHECK_THROWS_AS((ocl::sub_buffer<int>{whole, 0, 1}), yoke::logic_error);  // NOLINT: moved from on purpose
}

YOKE_OPENCL_TEST_CASE("an empty sub-buffer is refused as an argument and in copies", "[opencl]") {
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto twice = yoke::compile(context, source).get_kernel<void(int*)>("twice");
  ocl::device_allocation<int> whole{context, 8};
  std::vector<int> host(4);
  const auto refused = [&](ocl::sub_buffer<int>& part) {
    CHECK_FALSE(static_cast<bool>(part));
    CHECK_THROWS_AS(twice(stream, {.grid = 1, .block = 4}, part), yoke::logic_error);
    CHECK_THROWS_AS(yoke::copy(host, part, stream), yoke::logic_error);
    CHECK_THROWS_AS(yoke::fill(part, 1, stream), yoke::logic_error);
  };
  ocl::sub_buffer<int> part{whole, 0, 4};
  const ocl::sub_buffer<int> moved = std::move(part);
  refused(part);  // NOLINT: moved from on purpose
  ocl::sub_buffer<int> reset{whole, 0, 4};
  reset.reset();
  refused(reset);
  ocl::sub_buffer<int> released{whole, 0, 4};
  const auto owner = ocl::device_allocation<int>::adopt(context, released.release(), 4);
  refused(released);
  ocl::sub_buffer<int> never;
  refused(never);
}

YOKE_OPENCL_TEST_CASE("a native sub-buffer is adopted and borrowed", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  {
    const ocl::context context{through(driver, device)};
    const ocl::stream stream{context};
    ocl::device_allocation<int> whole{context, 8};
    yoke::fill(whole, 5, stream);
    ocl::sub_buffer<int> part{whole, 0, 4};
    const abi::memory native = part.release();
    std::vector<int> host(4);
    {
      const auto borrowed = ocl::sub_buffer<int>::borrow(context, native, 4);
      yoke::copy(borrowed, host, stream);
      CHECK(host == std::vector<int>(4, 5));
    }
    CHECK(driver.count("release_memory") == 0);
    CHECK_THROWS_AS(ocl::sub_buffer<int>::adopt(context, native, 5), yoke::logic_error);
    { const auto adopted = ocl::sub_buffer<int>::adopt(context, native, 4); }
    CHECK(driver.count("release_memory") == 1);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("boxes of sub-buffers are copied on the device", "[opencl][trap]") {
  // PoCL 3.1 crashes on them: the driver gets boxes of the whole buffers.
  const ocl::context context{device};
  const ocl::stream stream{context};
  const std::size_t step = step_of(device);
  std::vector<int> host(4 * step + 64);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  ocl::device_allocation<int> whole{context, host.size()}, other{context, 64};
  ocl::sub_buffer<int> first{whole, step, 32}, second{whole, 3 * step, 32};
  const yoke::box_layout box{.width = 3, .height = 4, .row_pitch = 7};
  const yoke::box_layout cube{.width = 2, .height = 2, .depth = 3, .row_pitch = 3, .slice_pitch = 9};
  for (const yoke::box_layout& each : {box, cube}) {
    yoke::copy(host, whole, stream);
    yoke::fill(other, -1, stream);
    yoke::copy(yoke::strided(first, each), yoke::strided(second, each), stream);
    yoke::copy(yoke::strided(first, each), yoke::strided(other, each), stream);
    std::vector<int> found(host.size()), beside(64), expected = host, apart(64, -1);
    yoke::copy(whole, found, stream);
    yoke::copy(other, beside, stream);
    for (std::size_t z = 0; z < each.depth; ++z) {
      for (std::size_t y = 0; y < each.height; ++y) {
        for (std::size_t x = 0; x < each.width; ++x) {
          const std::size_t at = z * each.slice_pitch + y * each.row_pitch + x;
          expected[3 * step + at] = host[step + at];
          apart[at] = host[step + at];
        }
      }
    }
    CHECK(found == expected);
    CHECK(beside == apart);
  }
  // Rows of other distances: OpenCL has no such copy within one buffer, and these are parts of one.
  yoke::copy(host, whole, stream);
  yoke::copy(yoke::strided(first, box), yoke::strided(second, {.width = 3, .height = 4, .row_pitch = 5}), stream);
  std::vector<int> found(host.size()), expected = host;
  yoke::copy(whole, found, stream);
  for (std::size_t y = 0; y < 4; ++y) {
    for (std::size_t x = 0; x < 3; ++x) expected[3 * step + 5 * y + x] = host[step + 7 * y + x];
  }
  CHECK(found == expected);
}

YOKE_OPENCL_TEST_CASE("a part of a part is refused in words", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  const ocl::context context{through(driver, device)};
  const std::size_t step = step_of(device);
  ocl::device_allocation<int> whole{context, 4 * step};
  const std::size_t mark = driver.mark();
  ocl::sub_buffer<int> part{whole, 0, 2 * step};
  CHECK(driver.count_all(mark) == 4);  // it is made, and asked for its context, type and size
  // Some drivers make one all the same, which is then as good as any.
  driver.replace<&abi::functions::create_sub_buffer>(
      [&](abi::memory of, abi::ulong flags, abi::uint type, const void* region, abi::status* status) -> abi::memory {
        if (of == part.native_handle()) {
          *status = -38;
          return nullptr;
        }
        return driver.real().create_sub_buffer(of, flags, type, region, status);
      });
  try {
    const ocl::sub_buffer<int> piece{part.allocation(), step, step};
    FAIL("a part of a part was made");
  } catch (const yoke::logic_error& e) {
    CHECK_THAT(e.what(),
               ContainsSubstring("the allocation is itself a part of a buffer: make the part from the whole"));
    CHECK_THAT(e.what(), ContainsSubstring("sub_buffer_test.cpp:"));
    CHECK(e.call() == std::string("clCreateSubBuffer"));
    CHECK(e.code().value() == -38);
  }
  driver.fail_function("create_sub_buffer", 1, fault_mode::once, -6);
  CHECK_THROWS_WITH((ocl::sub_buffer<int>{whole, 0, step}), !ContainsSubstring("itself a part"));
}

YOKE_OPENCL_TEST_CASE("a sub-buffer narrows the access of its allocation", "[opencl]") {
  using part = ocl::sub_buffer<int>;
  const ocl::context context{device};
  const ocl::stream stream{context};
  const auto flags_of = [](const part& of) { return ocl::description_of(of).flags; };
  ocl::device_allocation<int> x{context, 4096};
  yoke::fill(x, 7, stream);
  part read{x, 0, 100, {.kernels = ocl::kernel_access::read_only}};
  CHECK((flags_of(read) & abi::mem_read_only) != 0);
  CHECK((flags_of(read) & (abi::mem_read_write | abi::mem_write_only)) == 0);
  CHECK(ocl::description_of(read).whole == x.native_handle());
  CHECK(yoke::to_host(read, stream) == std::vector<int>(100, 7));
  CHECK((flags_of({x, 2048, 100, {.kernels = ocl::kernel_access::write_only}}) & abi::mem_write_only) != 0);
  CHECK((flags_of({x, 2048, 100, {.host = ocl::host_access::none}}) & abi::mem_host_no_access) != 0);
  CHECK((flags_of({x, 2048, 100, {.host = ocl::host_access::read_only}}) & abi::mem_host_read_only) != 0);
  CHECK((flags_of({x, 2048, 100, {.host = ocl::host_access::write_only}}) & abi::mem_host_write_only) != 0);

  // Read and write, which says nothing, stands for the access of the allocation.
  auto only_read = ocl::make_buffer<int>(context, 4096, {.kernels = ocl::kernel_access::read_only});
  CHECK((flags_of({only_read, 0, 100, {.host = ocl::host_access::none}}) & abi::mem_read_only) != 0);
  auto only_written = ocl::make_buffer<int>(context, 4096, {.kernels = ocl::kernel_access::write_only});
  auto hidden = ocl::make_buffer<int>(context, 4096, {.host = ocl::host_access::none});
  auto host_reads = ocl::make_buffer<int>(context, 4096, {.host = ocl::host_access::read_only});
  auto host_writes = ocl::make_buffer<int>(context, 4096, {.host = ocl::host_access::write_only});
  const auto refuse = [&](ocl::device_allocation<int>& whole, const ocl::buffer_options& options, const char* words) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { part(whole, 0, 100, options); }),
               ContainsSubstring(words));
  };
  refuse(only_read, {.kernels = ocl::kernel_access::write_only}, "kernels that only read");
  refuse(only_written, {.kernels = ocl::kernel_access::read_only}, "kernels that only write");
  refuse(hidden, {.host = ocl::host_access::read_only}, "a host that has no access");
  refuse(hidden, {.host = ocl::host_access::write_only}, "a host that has no access");
  refuse(host_reads, {.host = ocl::host_access::write_only}, "a host that only reads");
  refuse(host_writes, {.host = ocl::host_access::read_only}, "a host that only writes");
  refuse(x, {.in_host_memory = true}, ".in_host_memory");
}

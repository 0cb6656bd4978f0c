// SPDX-License-Identifier: MIT
// Copies between contexts by AMD's extension, which a fake stands for, and what is refused.
#include <support/devices/devices.hpp>
#include <support/drivers/raw_opencl.hpp>

#include <yoke/opencl/opencl.hpp>

#include <optional>
#include <vector>

using namespace yoke_test;
namespace ocl = yoke::opencl;

namespace {

/// What the driver was asked for. A C function has no closure.
struct asked_copy {
  abi::queue queue;
  std::size_t source_offset, destination_offset, bytes;
  abi::uint events;
};
std::optional<asked_copy> asked;
abi::queue queue_of_destination = nullptr;
const abi::functions* counted = nullptr;  // by the ledger
abi::status answer = 0;

/// Stands for AMD's driver: the copy goes through the host.
abi::status fake_copy(abi::queue queue, abi::memory source, abi::memory destination, std::size_t source_offset,
                      std::size_t destination_offset, std::size_t bytes, abi::uint events, const abi::event* list,
                      abi::event* done) {
  asked = {queue, source_offset, destination_offset, bytes, events};
  if (answer != 0) return answer;
  std::vector<std::byte> host(bytes);
  const abi::functions& cl = raw_opencl();
  cl.enqueue_read_buffer(queue, source, 1, source_offset, bytes, host.data(), events, list, nullptr);
  cl.enqueue_write_buffer(queue_of_destination, destination, 1, destination_offset, bytes, host.data(), 0, nullptr,
                          nullptr);
  return counted->enqueue_marker(queue, 0, nullptr, done);
}

/// Effects: the driver says that it has the extension, and gives the call if `has_call`.
void pretend(opencl_interposer& driver, const bool& has_call) {
  driver.replace<&abi::functions::get_device_info>(
      [&](abi::device of, abi::uint what, std::size_t bytes, void* out, std::size_t* size) {
        constexpr std::string_view told = "cl_khr_fp64 cl_amd_copy_buffer_p2p";
        if (what != ocl::info::extensions.code) return driver.real().get_device_info(of, what, bytes, out, size);
        if (size != nullptr) *size = told.size() + 1;
        if (out != nullptr) std::copy_n(told.data(), told.size() + 1, static_cast<char*>(out));
        return abi::status{0};
      });
  driver.replace<&abi::functions::get_extension_function>([&](abi::platform, const char* name) -> void* {
    CHECK(std::string_view(name) == "clEnqueueCopyBufferP2PAMD");
    return has_call ? reinterpret_cast<void*>(&fake_copy) : nullptr;
  });
}

}  // namespace

YOKE_OPENCL_TEST_CASE("memory is copied to another context where the driver can", "[opencl]") {
  opencl_interposer driver(raw_opencl());
  bool has_call = true;
  pretend(driver, has_call);
  answer = 0;
  counted = driver.table();
  {
    const ocl::context here{through(driver, device)}, there{through(driver, device)};
    const ocl::stream stream{here}, stream_there{there};
    queue_of_destination = stream_there.native_handle();
    ocl::device_allocation<int> x{here, std::vector{1, 2, 3, 4}, stream};
    ocl::device_allocation<int> y{there, std::vector{0, 0, 0, 0}, stream_there};
    ocl::copy_to_peer(x, y, stream).wait();
    CHECK(yoke::to_host(y, stream_there) == std::vector{1, 2, 3, 4});
    CHECK((asked->queue == stream.native_handle() && asked->bytes == 16 && asked->events == 0));

    const ocl::event before = stream.record();
    ocl::copy_to_peer(x.subspan(0, 2), y.subspan(2, 2), stream, {.after = before}).wait();
    CHECK(yoke::to_host(y, stream_there) == std::vector{1, 2, 1, 2});
    CHECK((asked->source_offset == 0 && asked->destination_offset == 8 && asked->bytes == 8 && asked->events == 1));
    asked.reset();
    ocl::copy_to_peer(x.subspan(0, 0), y.subspan(0, 0), stream).wait();
    CHECK_FALSE(asked.has_value());

    ocl::device_allocation<int> elsewhere{here, 4};
    CHECK_THROWS_WITH(ocl::copy_to_peer(y, x, stream), ContainsSubstring("the source is of another context"));
    CHECK_THROWS_WITH(ocl::copy_to_peer(x, elsewhere, stream), ContainsSubstring("use yoke::copy"));
    CHECK_THROWS_WITH(ocl::copy_to_peer(x.subspan(0, 3), y, stream),
                      ContainsSubstring("the source has 3 elements, the destination 4"));
    CHECK_THROWS_WITH(ocl::copy_to_peer(ocl::device_allocation<int>{}, y, stream),
                      ContainsSubstring("the source is empty"));
    CHECK_THROWS_WITH(ocl::copy_to_peer(x, ocl::device_allocation<int>{}, stream),
                      ContainsSubstring("the destination is empty"));
    {
      const auto view = ocl::map(x, stream, ocl::map_read);
      CHECK_THROWS_WITH(ocl::copy_to_peer(x, y, stream), ContainsSubstring("the source is mapped for the host"));
    }
    CHECK_FALSE(asked.has_value());
    answer = -5;
    CHECK_THROWS_WITH(ocl::copy_to_peer(x, y, stream), ContainsSubstring("clEnqueueCopyBufferP2PAMD"));
    answer = 0;
    has_call = false;  // a driver that names the extension and has no call
    CHECK_THROWS_AS(ocl::copy_to_peer(x, y, stream), yoke::unsupported_error);
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("a device without the extension refuses copies between contexts, and names it", "[opencl]") {
  if (ocl::get(device, ocl::info::extensions).find("cl_amd_copy_buffer_p2p") != std::string::npos) {
    YOKE_SKIP("the device copies between contexts");
  }
  const ocl::context here{device}, there{device};
  const ocl::stream stream{here};
  const ocl::device_allocation<int> x{here, 4};
  ocl::device_allocation<int> y{there, 4};
  CHECK_THROWS_AS(ocl::copy_to_peer(x, y, stream), yoke::unsupported_error);
  CHECK_THROWS_WITH(ocl::copy_to_peer(x, y, stream),
                    ContainsSubstring(device.name()) && ContainsSubstring(" has no cl_amd_copy_buffer_p2p"));
}

// SPDX-License-Identifier: MIT
// Memory that two processes share by file descriptors: a pool's, and physical memory.
#include <cuda/cuda_rig.hpp>
#include <support/process/child.hpp>
#include <support/process/descriptor_socket.hpp>

#include <cstdlib>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using yoke::errc;

namespace {

int parents_socket() { return std::atoi(std::getenv("YOKE_TEST_SOCKET")); }
/// Returns: how the child ends.
child_result run_with(const descriptor_socket& sockets, const std::string& name) {
  return run_child(name, {{"YOKE_TEST_SOCKET", std::to_string(sockets.childs_end())}});
}

struct sent_physical {
  std::uint64_t bytes;
};

}  // namespace

YOKE_CUDA_TEST_CASE("another process uses memory of a pool of this one", "[cuda][ipc][processes]") {
  if (!shares_pools(device)) YOKE_SKIP("the device shares no pools by file descriptor");
  const std::string name = current_test_name();
  const cu::context context{device};
  const cu::stream stream{context};
  if (is_child(name)) {
    cu::ipc_pool_memory handle;
    auto descriptor = cu::file_descriptor::adopt(descriptor_socket::receive(parents_socket(), handle));
    cu::device_allocation<int> x;
    {
      const auto pool = cu::driver_pool::open(context, descriptor);
      descriptor.reset();
      CHECK(pool.may_access(device));
      CHECK_THROWS_AS(cu::device_allocation<int>(pool, 10, stream), yoke::error);  // it gives none here
      if (is_simulated(device)) {
        CHECK_THROWS_WITH(cu::device_allocation<int>(pool, 10, stream),
                          ContainsSubstring("allocation of 40 bytes: a pool that was opened from another process"));
      }
      CHECK_THAT(
          cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)pool.open<double>(handle, stream); }),
          ContainsSubstring("holds elements of 4 bytes, not of 8"));
      x = pool.open<int>(handle, stream);
    }
    CHECK(x.size() == 100000);  // it keeps the pool
    CHECK(yoke::to_host(x, stream) == std::vector<int>(100000, 7));
    yoke::fill(x, 8, stream);
    stream.synchronize();
    x.reset();
    stream.synchronize();
    return;
  }
  const cu::driver_pool pool{context, {.shareable = true}};
  cu::device_allocation<int> x{pool, 100000, stream};
  yoke::fill(x, 7, stream);
  stream.synchronize();
  const descriptor_socket sockets;
  sockets.send(pool.share().native_handle(), pool.share(x));
  const child_result child = run_with(sockets, name);
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(yoke::to_host(x, stream) == std::vector<int>(100000, 8));
}

YOKE_CUDA_TEST_CASE("another process maps physical memory of this one", "[cuda][ipc][processes]") {
  if (!shares_physical_memory(device)) YOKE_SKIP("the device shares no memory by file descriptor");
  const std::string name = current_test_name();
  const cu::context context{device};
  const cu::stream stream{context};
  if (is_child(name)) {
    sent_physical told{};
    auto descriptor = cu::file_descriptor::adopt(descriptor_socket::receive(parents_socket(), told));
    const auto memory = cu::physical_memory::open(context, descriptor, told.bytes);
    descriptor.reset();
    const cu::address_range range{context, told.bytes};
    const cu::memory_mapping mapping{range, 0, memory};
    const std::size_t count = told.bytes / sizeof(int);
    CHECK(yoke::to_host(mapping.span<int>(), stream) == std::vector<int>(count, 7));
    yoke::fill(mapping.span<int>(), 8, stream);
    stream.synchronize();
    return;
  }
  const cu::physical_memory memory{context, 1, {.shareable = true}};
  const cu::address_range range{context, memory.size_bytes()};
  const cu::memory_mapping mapping{range, 0, memory};
  yoke::fill(mapping.span<int>(), 7, stream);
  stream.synchronize();
  const descriptor_socket sockets;
  sockets.send(memory.share().native_handle(), sent_physical{memory.size_bytes()});
  const child_result child = run_with(sockets, name);
  INFO(child.output);
  CHECK(child.status == 0);
  CHECK(yoke::to_host(mapping.span<int>(), stream) == std::vector<int>(memory.size_bytes() / sizeof(int), 8));
}

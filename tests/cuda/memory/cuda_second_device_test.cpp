// SPDX-License-Identifier: MIT
// Memory of another process, opened on another device than its own.
#include <cuda/cuda_rig.hpp>
#include <support/process/child.hpp>
#include <support/process/descriptor_socket.hpp>
#include <support/process/sent_bytes.hpp>

#include <cstdlib>

using namespace yoke_test;

namespace {

int parents_socket() { return std::atoi(std::getenv("YOKE_TEST_SOCKET")); }

/// Returns: a device that can use the first one's memory; none if there is none. The simulator has two in a child.
std::vector<cu::device> peer_of(const cu::device& device) {
  std::vector<cu::device> found;
  for (const cu::device& each : cu::devices(device.port())) {
    if (!(each == device) && cu::can_access_peer(each, device)) found.push_back(each);
  }
  return found;
}
bool has_peer(const cu::device& device) { return is_simulated(device) || !peer_of(device).empty(); }

/// Effects: runs the test once more, in a process that has two devices.
void run_with_two(std::vector<std::pair<std::string, std::string>> variables, const std::string& name) {
  variables.emplace_back("YOKE_SIMULATOR_DEVICES", "2");
  const child_result child = run_child(name, std::move(variables));
  INFO(child.output);
  CHECK(child.status == 0);
}

/// A context and a stream of the second device, and what it does with memory that holds sevens.
struct second_device {
  explicit second_device(const cu::device& first) : device(peer_of(first).front()) {}

  template <class Memory>
  void use(Memory&& memory, std::size_t count) const {
    CHECK(yoke::to_host(memory, stream) == std::vector<int>(count, 7));
    cu::device_allocation<int> own{context, count};
    yoke::copy(memory, own, stream);
    add(stream, yoke::launch_over(count), own, count);
    yoke::copy(own, memory, stream);
    add(stream, yoke::launch_over(count), memory, count);  // a kernel of this device
    stream.synchronize();
  }

  cu::device device;
  cu::context context{device};
  cu::stream stream{context};
  cu::kernel<void(int*, int)> add =
      yoke::compile(
          context,
          "YOKE_KERNEL add(YOKE_GLOBAL int* a, int n) { int i = (int)get_global_id(0); if (i < n) a[i] += 1; }")
          .get_kernel<void(int*, int)>("add");
};

}  // namespace

YOKE_CUDA_TEST_CASE("plain memory and an event of another process are opened on a second device",
                    "[cuda][ipc][peer][processes]") {
  const std::string name = current_test_name();
  if (is_child(name)) {
    const second_device second(device);
    second.stream.wait(cu::open_event(second.context, sent_by<cu::ipc_event>("YOKE_TEST_IPC_EVENT")));
    const cu::imported_memory<int> x{second.context, sent_by<cu::ipc_memory>("YOKE_TEST_IPC_MEMORY")};
    second.use(x.span(), 1000);
    return;
  }
  if (!has_peer(device)) YOKE_SKIP("there is one CUDA device");
  if (!shares_plain_memory(device)) return;  // `share` refuses it, which another test sees
  const cu::context context{device};
  const cu::stream stream{context};
  cu::device_allocation<int> x{context, 1000};
  yoke::fill(x, 7, stream);
  cu::event written = cu::create_event(context, {.interprocess = true});
  stream.record_into(written);
  run_with_two({{"YOKE_TEST_IPC_MEMORY", hex(cu::share(x))}, {"YOKE_TEST_IPC_EVENT", hex(cu::share(written))}}, name);
  CHECK(yoke::to_host(x, stream) == std::vector<int>(1000, 9));
}

YOKE_CUDA_TEST_CASE("a pool of another process is opened on a second device", "[cuda][ipc][peer][processes]") {
  if (!shares_pools(device)) YOKE_SKIP("the device shares no pools by file descriptor");
  const std::string name = current_test_name();
  if (is_child(name)) {
    const second_device second(device);
    cu::ipc_pool_memory handle;
    const auto descriptor = cu::file_descriptor::adopt(descriptor_socket::receive(parents_socket(), handle));
    const auto pool = cu::driver_pool::open(second.context, descriptor);
    CHECK(pool.may_access(second.device));
    cu::device_allocation<int> x = pool.open<int>(handle, second.stream);
    second.use(x, 5000);
    x.reset();
    second.stream.synchronize();
    return;
  }
  if (!has_peer(device)) YOKE_SKIP("there is one CUDA device");
  const cu::context context{device};
  const cu::stream stream{context};
  const cu::driver_pool pool{context, {.shareable = true}};
  cu::device_allocation<int> x{pool, 5000, stream};
  yoke::fill(x, 7, stream);
  stream.synchronize();
  const descriptor_socket sockets;
  sockets.send(pool.share().native_handle(), pool.share(x));
  run_with_two({{"YOKE_TEST_SOCKET", std::to_string(sockets.childs_end())}}, name);
  CHECK(yoke::to_host(x, stream) == std::vector<int>(5000, 9));
}

YOKE_CUDA_TEST_CASE("physical memory of another process is mapped on a second device", "[cuda][ipc][peer][processes]") {
  if (!shares_physical_memory(device)) YOKE_SKIP("the device shares no memory by file descriptor");
  const std::string name = current_test_name();
  if (is_child(name)) {
    const second_device second(device);
    std::uint64_t bytes = 0;
    const auto descriptor = cu::file_descriptor::adopt(descriptor_socket::receive(parents_socket(), bytes));
    const auto memory = cu::physical_memory::open(second.context, descriptor, bytes);
    const cu::address_range range{second.context, bytes};
    const cu::memory_mapping mapping{range, 0, memory};
    second.use(mapping.span<int>(), bytes / sizeof(int));
    return;
  }
  if (!has_peer(device)) YOKE_SKIP("there is one CUDA device");
  const cu::context context{device};
  const cu::stream stream{context};
  const cu::physical_memory memory{context, 1, {.shareable = true}};
  const cu::address_range range{context, memory.size_bytes()};
  const cu::memory_mapping mapping{range, 0, memory};
  yoke::fill(mapping.span<int>(), 7, stream);
  stream.synchronize();
  const descriptor_socket sockets;
  sockets.send(memory.share().native_handle(), std::uint64_t{memory.size_bytes()});
  run_with_two({{"YOKE_TEST_SOCKET", std::to_string(sockets.childs_end())}}, name);
  CHECK(yoke::to_host(mapping.span<int>(), stream) == std::vector<int>(memory.size_bytes() / sizeof(int), 9));
}

// SPDX-License-Identifier: MIT
// Two processes and one piece of device memory: the parent fills it, its child doubles it, and a descriptor goes between.
#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>
#include <yoke/cuda.hpp>

namespace {

namespace cu = yoke::cuda;

constexpr int skipped = 77;  // as CTest is told
constexpr int count = 1 << 18, socket_of_child = 3;

// A descriptor as a message: the receiver gets one of its own for the same memory.
struct message {
  char byte = 0;
  ::iovec data{&byte, 1};
  alignas(::cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  ::msghdr head{nullptr, 0, &data, 1, room, sizeof room, 0};
};
bool send(int socket, int descriptor) {
  message sent;
  ::cmsghdr& part = *CMSG_FIRSTHDR(&sent.head);
  part = {CMSG_LEN(sizeof descriptor), SOL_SOCKET, SCM_RIGHTS};
  std::memcpy(CMSG_DATA(&part), &descriptor, sizeof descriptor);
  return ::sendmsg(socket, &sent.head, 0) == 1;
}
cu::file_descriptor receive(int socket) {
  message came;
  int descriptor = -1;
  if (::recvmsg(socket, &came.head, 0) == 1 && CMSG_FIRSTHDR(&came.head) != nullptr) {
    std::memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&came.head)), sizeof descriptor);
  }
  return cu::file_descriptor::adopt(descriptor);
}

int child() {
  const cu::context ctx{cu::device{0}};
  const cu::stream stream{ctx};
  const auto memory = cu::physical_memory::open(ctx, receive(socket_of_child), count * sizeof(int));
  const cu::address_range range{ctx, memory.size_bytes()};
  const cu::memory_mapping mapping{range, 0, memory};  // at another address than the parent's
  const auto module = yoke::compile(ctx, R"(
YOKE_KERNEL twice(YOKE_GLOBAL int* x, int n) { int i = (int)get_global_id(0); if (i < n) x[i] *= 2; })");
  module.get_kernel<void(int*, int)>("twice")(stream, yoke::launch_over(count), mapping.span<int>(), count);
  stream.synchronize();  // before the parent hears that this process has ended
  return EXIT_SUCCESS;
}

int parent(const char* program) {
  if (const auto found = cu::available(); !found) return fmt::print("skipped: {}\n", found.reason), skipped;
  const cu::device device{0};
  if (!cu::get(device, cu::info::handle_type_posix_file_descriptor_supported)) return skipped;
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return EXIT_FAILURE;
  const ::pid_t other = ::fork();  // it begins anew by `exec`: a driver does not come along
  if (other == 0) {
    ::dup2(sockets[1], socket_of_child);
    ::execl("/proc/self/exe", program, "child", nullptr);
    ::_exit(EXIT_FAILURE);
  }
  const cu::context ctx{device};
  const cu::stream stream{ctx};
  const cu::physical_memory memory{ctx, count * sizeof(int), {.shareable = true}};
  const cu::address_range range{ctx, memory.size_bytes()};
  const cu::memory_mapping mapping{range, 0, memory};
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  yoke::copy(numbers, mapping.span<int>().subspan(0, count), stream);
  int status = -1;
  if (!send(sockets[0], memory.share().native_handle()) || ::waitpid(other, &status, 0) != other || status != 0) {
    fmt::print(stderr, "the other process failed\n");
    return EXIT_FAILURE;
  }
  const auto doubled = yoke::to_host(mapping.span<int>().subspan(0, count), stream);
  for (int i = 0; i < count; ++i) {
    if (doubled[static_cast<std::size_t>(i)] != 2 * i) return fmt::print(stderr, "{} is wrong\n", i), EXIT_FAILURE;
  }
  fmt::print("another process has doubled all {} numbers\n", count);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int arguments, char** argument) {
  try {
    return arguments == 1 ? parent(argument[0]) : child();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}

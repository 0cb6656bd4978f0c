// SPDX-License-Identifier: MIT
// NCCL's communicator of the ranks of MPI, one device a process: on the simulated NCCL.
#include <mpi/ranks.hpp>

#include <yoke/mpi/nccl.hpp>
#include <yoke/nccl.hpp>

using namespace yoke_test;

namespace {

/// Returns: the devices of CUDA; empty, with the reason, when the ranks cannot have one each.
std::vector<yoke::device<>> gpus_for_ranks(std::string& reason) {
  std::vector<yoke::device<>> found;
  for (const auto& each : yoke::select_test_devices().devices) {
    if (std::string_view(each.backend_name()) == "cuda") found.push_back(each);
  }
  if (const auto library = yoke::nccl::available(); !library) {
    reason = "no NCCL: " + library.reason;
    return {};
  }
  if (found.size() < static_cast<std::size_t>(world().size())) {
    reason = "there are fewer CUDA devices than ranks";
    return {};
  }
  return found;
}

}  // namespace

TEST_CASE("ranks of MPI with a GPU each make a communicator of NCCL") {
  std::string reason;
  const auto gpus = gpus_for_ranks(reason);
  if (gpus.empty()) YOKE_SKIP(reason);
  const auto all = world().duplicate();
  const yoke::context ctx{yoke::choose_device(all, "cuda")};
  const yoke::stream stream{ctx};
  {
    const auto comm = yoke::nccl::communicator{all, ctx};
    CHECK(comm.rank() == all.rank());
    CHECK(comm.size() == all.size());
    yoke::device_array<float, 1> x(stream, yoke::shape{100});
    yoke::fill(x, static_cast<float>(all.rank() + 1), stream);
    comm.all_reduce(x, yoke::summed, stream);
    comm.wait(stream);
    const int size = all.size();
    CHECK(x.to_host() == std::vector<float>(100, static_cast<float>(size * (size + 1) / 2)));
    all.barrier();
  }
  // From now on this communicator of MPI keeps off the device, which NCCL uses.
  const mpi::communicator<> willing(mpi::linked_functions, []() noexcept -> const char* { return nullptr; },
                                    all.native_handle(), {});
  {
    const auto comm = yoke::nccl::communicator{willing, ctx};
    const yoke::device_allocation<float> x(ctx, 10);
    CHECK_THAT(willing.transport_of(x, stream).reason, ContainsSubstring("NCCL uses the device"));
    all.barrier();
  }
}

TEST_CASE("ranks of MPI that share a GPU are told on all of them") {
  std::string reason;
  const auto gpus = gpus_for_ranks(reason);
  if (gpus.empty()) YOKE_SKIP(reason);
  if (world().size() < 2) return;
  const yoke::context ctx{gpus[world().rank() == 1 ? 0 : static_cast<std::size_t>(world().rank())]};
  CHECK_THROWS_WITH(
      (yoke::nccl::communicator{world(), ctx}),
      ContainsSubstring("ranks 0 and 1 both use ") &&
          ContainsSubstring("NCCL needs a device for each rank. yoke::choose_device(world) gives each its own"));
  world().barrier();
}

TEST_CASE("a wait for NCCL lets MPI move messages") {
  std::string reason;
  const auto gpus = gpus_for_ranks(reason);
  if (gpus.empty()) YOKE_SKIP(reason);
  const auto all = world().duplicate();
  if (all.size() < 2) return;
  const yoke::context ctx{yoke::choose_device(all, "cuda")};
  const yoke::stream stream{ctx};
  {
    const auto comm = yoke::nccl::communicator{all, ctx, {.deadline = std::chrono::seconds(10)}};
    yoke::device_array<float, 1> x(stream, yoke::shape{10});
    yoke::fill(x, 1.0F, stream);
    comm.all_reduce(x, yoke::summed, stream);
    comm.wait(stream);
    // The first rank waits for NCCL while its messages, more than a window of parts, are in flight. The second one joins
    // the sum when it has them: that needs the first one's calls of MPI.
    yoke::device_array<float, 1> many(stream, yoke::shape{std::size_t{3} << 20});
    yoke::fill(many, static_cast<float>(all.rank()), stream);
    const yoke::stream link{ctx};
    if (all.rank() == 0) {
      auto sending = all.send_async(many, 1, link);
      comm.all_reduce(x, yoke::summed, stream);
      comm.wait(stream);
      CHECK(sending.is_done());
    } else {
      if (all.rank() == 1) all.receive(many, 0, link);
      comm.all_reduce(x, yoke::summed, stream);
      comm.wait(stream);
    }
    if (all.rank() == 1) CHECK(many.to_host()[5] == 0);
    const auto size = static_cast<float>(all.size());
    CHECK(x.to_host() == std::vector<float>(10, size * size));
    all.barrier();
  }
}

TEST_CASE("contexts of OpenCL make no communicator of NCCL") {
  for (const auto& each : rigs()) {
    if (std::string_view(each.device.backend_name()) != "opencl") continue;
    CHECK_THROWS_WITH((yoke::nccl::communicator{world(), each.context}),
                      ContainsSubstring("NCCL is for CUDA contexts, and this one is of opencl"));
  }
}

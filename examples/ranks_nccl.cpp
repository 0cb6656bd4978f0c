// SPDX-License-Identifier: MIT
// The examples of several ranks over NCCL, each with a GPU and a thread of its own: by default on up to four GPUs.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>
#include <yoke/cuda.hpp>
#include <yoke/nccl.hpp>
#include <yoke/yoke.hpp>

#include "ranks/all.hpp"

namespace {

int run(const std::vector<yoke::device<>>& devices, int number) {
  fmt::print("{} ranks on {}\n", number, devices.front().name());
  int wrong = 0;
  ranks::each_example("ranks_heat_nccl.pgm", [&](const char* name, const auto& function) {
    const yoke::nccl::unique_id id = yoke::nccl::get_unique_id();
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int rank = 0; rank < number; ++rank) {
      threads.emplace_back([&, rank] {
        try {
          const yoke::context<> context{devices[static_cast<std::size_t>(rank)]};
          const yoke::stream<> s{context};
          const yoke::nccl::communicator comm{id, number, rank, context};
          if (function(comm, s)) ++right;
        } catch (const std::exception& error) {
          fmt::print(stderr, "rank {}: {}\n", rank, error.what());
        }
      });
    }
    for (std::thread& each : threads) each.join();
    fmt::print("{}: {}\n", name, right == number ? "right" : "WRONG");
    wrong += right == number ? 0 : 1;
  });
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    std::vector<yoke::device<>> devices;
    for (const yoke::device<>& each : yoke::devices()) {
      if (std::string(each.backend_name()) == "cuda") devices.push_back(each);
    }
    const char* const wanted = std::getenv("YOKE_RANKS");
    const int number =
        wanted == nullptr ? static_cast<int>((std::min)(devices.size(), std::size_t{4})) : std::stoi(wanted);
    const yoke::availability found = yoke::nccl::available();
    if (devices.empty() || !found.available || devices.size() < static_cast<std::size_t>(number)) {
      fmt::print("skipped: {} CUDA devices, {}\n", devices.size(), found.available ? "NCCL is there" : found.reason);
      return 77;
    }
    return run(devices, number);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}

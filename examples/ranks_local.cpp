// SPDX-License-Identifier: MIT
// The examples of several ranks, as threads of one process: by default four on all devices of the default context.
#include <fmt/core.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <yoke/local.hpp>
#include <yoke/yoke.hpp>

#include "ranks/all.hpp"

namespace {

int run(int number) {
  const yoke::context<> context;
  fmt::print("{} ranks on {}\n", number, context.devices().front().name());
  int wrong = 0;
  ranks::each_example("ranks_heat.pgm", [&](const char* name, const auto& function) {
    std::atomic<int> right{0};
    yoke::local_team{number}.run([&](auto& comm) {
      const auto& devices = context.devices();
      const yoke::stream<> s{context, devices[static_cast<std::size_t>(comm.rank()) % devices.size()]};
      if (function(comm, s)) ++right;
    });
    fmt::print("{}: {}\n", name, right == number ? "right" : "WRONG");
    wrong += right == number ? 0 : 1;
  });
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    const char* const wanted = std::getenv("YOKE_RANKS");
    return run(wanted == nullptr ? 4 : std::stoi(wanted));
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}

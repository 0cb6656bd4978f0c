// SPDX-License-Identifier: MIT
// Measures one device's operations as it is told over standard input; benchmarks/bench.py tells it, and reads the answers.
//
// usage: yoke_bench --list | yoke_bench SPEC
// The first line of an answer is the device's facts. Then for each line "NAME ROUNDS" it writes a line of bursts of all
// contestants, in nanoseconds: they take turns, in another order each round, and as many rounds behind one busy kernel as it
// lasts for; "NAME ROUNDS close" leaves out whom nothing narrow is said of, except of launches, which are compared with all of
// them.
// "NAME 0" makes the contestants go. An operation that fails is answered by {"_failed": "the reason"}.
#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <utility>

#include "core_apart.hpp"
#include "json.hpp"
#include "kernels.hpp"
#include "suites.hpp"

namespace {

using bench::json;

int list() {
  const auto write = [](const std::vector<yoke::device<yoke::any_port>>& devices) {
    int cuda = 0;
    int opencl = 0;
    for (const auto& each : devices) {
      const bool is_cuda = std::string_view(each.backend_name()) == "cuda";
      std::cout << (is_cuda ? "cuda:" : "opencl:") << (is_cuda ? cuda++ : opencl++) << '\t' << each.summary().name
                << '\n';
    }
  };
  write(yoke::devices());
  return 0;
}

std::string facts_of(const bench::suite& of, int busy_count, const bench::core_apart& core, bool apart) {
  json facts;
  facts.text("backend", of.backend);
  facts.text("device", of.device);
  facts.text("platform", of.platform);
  facts.text("driver_version", of.driver_version);
  facts.text("driver_library", of.driver_library);
  facts.text("nvrtc_library", of.nvrtc_library);
  facts.number("ordinal", of.ordinal);
  facts.number("busy_count", busy_count);
  facts.number("simulated", of.simulated ? 1 : 0);
  facts.number("apart", apart ? 1 : 0);
  if (apart) {
    facts.number("core", core.core());
    facts.numbers("others", core.others());
  }
  facts.text("clock", of.on_host ? "thread" : "elapsed");
  facts.number("clock_step", bench::clock_step(of.on_host ? bench::timing::thread : bench::timing::elapsed));
  facts.text("opencl_source", std::string(bench::opencl_words) + bench::source);
  facts.text("cuda_source", std::string(bench::cuda_words) + bench::source);
  json operations;
  for (const bench::operation& each : of.operations) {
    json about;
    about.number("count", each.count);
    about.number("rounds", each.rounds);
    about.text("clock", each.by == bench::timing::device   ? "device"
                        : each.by == bench::timing::thread ? "thread"
                                                           : "elapsed");
    operations.raw(each.name, about.written());
  }
  facts.raw("operations", operations.written());
  json absent;
  for (const bench::absence& each : of.absent) absent.text(each.peer, each.reason);
  facts.raw("absent", absent.written());
  return facts.written();
}

/// Whether a contestant is compared by nanoseconds.
bool is_close(const bench::contestant& each) {
  return each.name == "yoke" || each.name == "raw" || each.name == "raw_again";
}

/// Effects: a burst whose stack begins at a random place of a page: each contestant's function would leave the driver's frames in one
/// place of its own, and by that alone PoCL 3.1's calls of 340 ns take 1.5 ns more or less.
[[gnu::noinline]] double burst_of(const bench::contestant& who, int count, std::mt19937& random) {
  void* const below = __builtin_alloca(16 * (random() % 256));
  asm volatile("" : : "r"(below) : "memory");
  return who.with.time(count);
}

std::string measure(const bench::suite& of, const std::vector<bench::contestant>& contestants, int count, int rounds,
                    std::mt19937& random, bool close = false) {
  std::vector<const bench::contestant*> order;
  std::map<const bench::contestant*, std::vector<double>> samples;
  for (const bench::contestant& each : contestants) {
    if (close && !is_close(each)) continue;
    order.push_back(&each);
    samples[&each].reserve(static_cast<std::size_t>(rounds));
  }
  int late = 0;
  int again = 0;  // rounds that ended when the queue may have been empty are measured again, one in ten at most
  for (int round = 0; round < rounds;) {
    std::shuffle(order.begin(), order.end(), random);
    const bool is_queued = order.front()->with.fill != nullptr;
    if (is_queued && of.scatter) of.scatter();
    bench::busy_period period(order);
    // What comes first behind an empty queue finds little of what it needs at hand.
    if (is_queued) (void)burst_of(*order.front(), count, random);
    do {
      std::shuffle(order.begin(), order.end(), random);
      for (const bench::contestant* each : order) samples[each].push_back(burst_of(*each, count, random));
      if (period.is_late() && again < rounds / 10) {
        ++again;
        for (auto& [who, values] : samples) values.pop_back();
        break;
      }
      if (period.is_late()) ++late;
    } while (++round < rounds && period.has_time());
    for (const bench::contestant* each : order) {
      if (each->with.drain) each->with.drain();
    }
  }
  json result;
  for (const auto& [who, values] : samples) result.numbers(who->name, values);
  result.number("_late", late);
  result.number("_again", again);
  return result.written();
}

int serve(const std::string& specification) {
  const bench::core_apart core;
  const yoke::device_choice choice = yoke::choose_device(specification);
  bench::suite suite = bench::suite_of(choice.chosen);
  for (const auto& make : suite.sides) make();  // threads that the driver starts for them stay away from the core
  const int busy_count = suite.busy_count();
  const bool apart = core.settle();
  std::cout << facts_of(suite, busy_count, core, apart) << std::endl;
  std::mt19937 random(1);
  std::string current;
  std::vector<bench::contestant> contestants;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string name;
    int rounds = 0;
    std::string who;
    const bool understood = static_cast<bool>(words >> name >> rounds) && (!(words >> who) || who == "close");
    const auto found = std::find_if(suite.operations.begin(), suite.operations.end(),
                                    [&](const bench::operation& each) { return each.name == name; });
    if (!understood || found == suite.operations.end()) {
      std::cerr << "yoke_bench: not an operation and a number: " << line << '\n';
      return 2;
    }
    try {
      if (rounds == 0 || name != current) contestants.clear();
      if (rounds != 0 && name != current) {
        core.leave();  // drivers start threads when something is asked for the first time
        contestants = found->make();
        // What is compiled warm has warmed up what it wants warm; the first compilation of all starts the compiler.
        const bool is_warm = found->name.starts_with("compile") && !found->name.starts_with("compile_cold");
        if (!is_warm) (void)measure(suite, contestants, found->count, 2, random);
        core.settle();
      }
      current = rounds == 0 ? std::string() : name;
      const bool close = who == "close" && !name.starts_with("launch/");
      std::cout << measure(suite, contestants, found->count, rounds, random, close) << std::endl;
    } catch (const std::exception& e) {  // a device need not be able to do everything
      contestants.clear();
      current.clear();
      json failure;
      failure.text("_failed", e.what());
      std::cout << failure.written() << std::endl;
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: yoke_bench --list | yoke_bench SPEC\n";
    return 2;
  }
  try {
    return std::string_view(arguments[1]) == "--list" ? list() : serve(arguments[1]);
  } catch (const std::exception& e) {
    std::cerr << "yoke_bench: " << e.what() << '\n';
    return 1;
  }
}

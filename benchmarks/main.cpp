// SPDX-License-Identifier: MIT
// Measures one device's operations on request: benchmarks/bench.py asks over standard input and reads the answers.
//
// usage: yoke_bench --list | yoke_bench SPEC
// The first line of the answer holds the device's facts. Each line "NAME ROUNDS" is then answered by the bursts of all
// contestants in nanoseconds. "NAME 0" frees the contestants. A failing operation is answered by {"_failed": "the reason"}.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <random>
#include <sstream>

#include "kernels.hpp"
#include "suites.hpp"

namespace {

/// A JSON object written member by member.
class json {
 public:
  void raw(std::string_view name, std::string_view value) {
    members_ += (members_.empty() ? "{" : ", ") + quoted(name) + ": ";
    members_ += value;
  }
  void text(std::string_view name, std::string_view value) { raw(name, quoted(value)); }
  void number(std::string_view name, double value) { raw(name, written(value)); }
  void numbers(std::string_view name, const std::vector<double>& values) {
    std::string list;
    for (const double each : values) list += (list.empty() ? "[" : ", ") + written(each);
    raw(name, list.empty() ? "[]" : list + "]");
  }
  [[nodiscard]] std::string written() const { return members_.empty() ? "{}" : members_ + "}"; }

 private:
  static std::string written(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.10g", value);
    return buffer;
  }
  static std::string quoted(std::string_view value) {
    std::string result = "\"";
    for (const char each : value) {
      char buffer[8]{each};
      if (static_cast<unsigned char>(each) < 0x20)
        std::snprintf(buffer, sizeof buffer, "\\u%04x", static_cast<unsigned>(each));
      if (each == '"' || each == '\\') result += '\\';
      result += buffer;
    }
    return result + "\"";
  }
  std::string members_;
};

int list() {
  int cuda = 0, opencl = 0;
  for (const auto& each : yoke::devices()) {
    const bool is_cuda = std::string_view(each.backend_name()) == "cuda";
    std::cout << (is_cuda ? "cuda:" : "opencl:") << (is_cuda ? cuda++ : opencl++) << '\t' << each.summary().name
              << '\n';
  }
  return 0;
}

std::string facts_of(const bench::suite& of, int busy_count) {
  json facts;
  facts.text("backend", of.backend);
  facts.text("device", of.device);
  facts.text("platform", of.platform);
  facts.text("driver_version", of.driver_version);
  facts.number("ordinal", of.ordinal);
  facts.number("busy_count", busy_count);
  facts.number("simulated", of.simulated ? 1 : 0);
  facts.text("clock", of.on_host ? "thread" : "elapsed");
  facts.text("opencl_source", std::string(bench::opencl_words) + bench::source);
  facts.text("cuda_source", std::string(bench::cuda_words) + bench::source);
  json operations;
  for (const bench::operation& each : of.operations) {
    json about;
    about.number("count", each.count);
    about.number("rounds", each.rounds);
    operations.raw(each.name, about.written());
  }
  facts.raw("operations", operations.written());
  json absent;
  for (const bench::absence& each : of.absent) absent.text(each.peer, each.reason);
  facts.raw("absent", absent.written());
  return facts.written();
}

/// Effects: has all contestants take turns, in a new order each round, for as many rounds behind one busy kernel as it lasts.
std::string measure(const std::vector<bench::contestant>& contestants, int count, int rounds, std::mt19937& random) {
  std::vector<const bench::contestant*> order;
  std::map<const bench::contestant*, std::vector<double>> samples;
  for (const bench::contestant& each : contestants) order.push_back(&each);
  int late = 0;  // rounds that ended when the queue may have been empty
  for (int round = 0; round < rounds;) {
    std::shuffle(order.begin(), order.end(), random);
    bench::busy_period period(order);
    // The first burst behind an empty queue is slower: nobody's time.
    if (order.front()->with.fill) (void)order.front()->with.time(count);
    do {
      std::shuffle(order.begin(), order.end(), random);
      for (const bench::contestant* each : order) samples[each].push_back(each->with.time(count));
      if (period.is_late()) ++late;
    } while (++round < rounds && period.has_time());
    for (const bench::contestant* each : order) {
      if (each->with.drain) each->with.drain();
    }
  }
  json result;
  for (const auto& [who, values] : samples) result.numbers(who->name, values);
  result.number("_late", late);
  return result.written();
}

int serve(const std::string& specification) {
  const yoke::device_choice choice = yoke::choose_device(specification);
  bench::suite suite = bench::suite_of(choice.chosen);
  for (const auto& make : suite.sides) make();
  std::cout << facts_of(suite, suite.busy_count()) << std::endl;
  std::mt19937 random(1);
  std::string current;
  std::vector<bench::contestant> contestants;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string name;
    int rounds = 0;
    const bool understood = static_cast<bool>(words >> name >> rounds);
    const auto found = std::find_if(suite.operations.begin(), suite.operations.end(),
                                    [&](const bench::operation& each) { return each.name == name; });
    if (!understood || found == suite.operations.end()) {
      std::cerr << "yoke_bench: not an operation and a number: " << line << '\n';
      return 2;
    }
    try {
      if (rounds == 0 || name != current) contestants.clear();
      if (rounds != 0 && name != current) {
        contestants = found->make();
        // Warm compilations have warmed themselves up; the first cold one starts the compiler.
        if (!name.starts_with("compile") || name.starts_with("compile_cold")) {
          (void)measure(contestants, found->count, 2, random);
        }
      }
      current = rounds == 0 ? std::string() : name;
      std::cout << measure(contestants, found->count, rounds, random) << std::endl;
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

// SPDX-License-Identifier: MIT
// The GPUs that tests of NCCL run on: those of the machine, or four simulated ones in a child.
#ifndef YOKE_TESTS_NCCL_SEVERAL_GPUS_HPP
#define YOKE_TESTS_NCCL_SEVERAL_GPUS_HPP

#include <cuda/cuda_rig.hpp>
#include <support/process/in_child.hpp>
#include <support/rig.hpp>

#include <yoke/nccl.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace yoke_test {

namespace nccl = yoke::nccl;
using namespace std::chrono_literals;

/// A context and a stream of each GPU.
struct several_gpus {
  explicit several_gpus(const std::vector<cu::device>& devices) {
    for (const cu::device& each : devices) {
      contexts.emplace_back(each);
      streams.emplace_back(contexts.back());
    }
  }
  [[nodiscard]] std::size_t size() const { return contexts.size(); }
  [[nodiscard]] int count() const { return static_cast<int>(contexts.size()); }

  /// Returns: an allocation on each GPU; `value(rank, i)` is element `i`.
  template <class T, class Value>
  [[nodiscard]] std::vector<cu::device_allocation<T>> allocate(std::size_t count, const Value& value) const {
    std::vector<cu::device_allocation<T>> made;
    for (std::size_t rank = 0; rank < size(); ++rank) {
      std::vector<T> host;
      for (std::size_t i = 0; i < count; ++i) host.push_back(static_cast<T>(value(static_cast<int>(rank), i)));
      made.emplace_back(contexts[rank], count);
      if (count != 0) yoke::copy(host, made.back(), streams[rank]);
    }
    return made;
  }
  template <class Memory>
  [[nodiscard]] auto read(const Memory& memory, std::size_t rank) const {
    return yoke::to_host(memory, streams[rank]);
  }

  std::vector<cu::context> contexts{};
  std::vector<cu::stream> streams{};
};

// Catch2's macros are for one thread: checks of ranks throw, and the test's thread reports them.
#define YOKE_RANK_CHECK(...)                                                                                           \
  do {                                                                                                                 \
    if (!(__VA_ARGS__)) {                                                                                              \
      throw std::runtime_error(yoke::detail::text(__FILE__, ":", __LINE__, ": not so: ", #__VA_ARGS__));               \
    }                                                                                                                  \
  } while (false)

/// Effects: runs `act`, which must throw `Error` with this condition, and with words that contain each of `words`.
template <class Error, class Act>
void rank_refusal(yoke::errc condition, const std::vector<std::string>& words, const Act& act) {
  std::string what;
  try {
    act();
    throw std::runtime_error("threw nothing");
  } catch (const Error& e) {
    what = e.what();
    YOKE_RANK_CHECK(e.code() == condition);
  }
  for (const std::string& each : words) {
    if (what.find(each) == std::string::npos) throw std::runtime_error("\"" + what + "\" does not contain " + each);
  }
}

/// Effects: runs `act(rank)` on a thread for each rank. Throws: the first exception.
inline void on_ranks(std::size_t count, const std::function<void(std::size_t)>& act) {
  std::vector<std::exception_ptr> thrown(count);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      try {
        act(rank);
      } catch (...) {
        thrown[rank] = std::current_exception();
      }
    });
  }
  for (std::thread& each : threads) each.join();
  for (const std::exception_ptr& each : thrown) {
    if (each != nullptr) std::rethrow_exception(each);
  }
}

/// Effects: calls `act` with the GPUs, once, if there are `least`; else skips. The simulator has four, or what `variables`
/// say, in a child that sees these.
template <class Act>
void with_gpus(const cu::device& device, const Act& act,
               std::vector<std::pair<std::string, std::string>> variables = {}, std::size_t least = 2) {
  if (is_simulated(device)) {
    const auto is_count = [](const auto& each) { return each.first == "YOKE_SIMULATOR_DEVICES"; };
    if (std::none_of(variables.begin(), variables.end(), is_count)) {
      variables.emplace_back("YOKE_SIMULATOR_DEVICES", "4");
    }
    if (!in_child(std::move(variables))) return;
  }
  const std::vector<cu::device> all = cu::devices(device.port());
  if (!(all.front() == device)) return;
  const yoke::availability found = nccl::available();
  if (!found.available) YOKE_SKIP("no NCCL: " + found.reason.substr(0, found.reason.find('\n')));
  if (all.size() < least) YOKE_SKIP("there is one CUDA device");
  const several_gpus gpus(all);
  CHECK(gpus.size() >= least);
  act(gpus);
}

}  // namespace yoke_test

#endif

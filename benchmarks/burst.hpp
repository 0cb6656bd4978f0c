// SPDX-License-Identifier: MIT
// What is measured: operations, who does them, and how a burst of one is timed.
#ifndef YOKE_BENCHMARKS_BURST_HPP
#define YOKE_BENCHMARKS_BURST_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Which clock a burst is timed by.
enum class timing {
  elapsed,  ///< the wall's, for what waits, and for devices that have cores of their own
  thread,   ///< the processor time of the calling thread, where the device runs on the same cores
  device,   ///< the device's own, by events before and behind the burst
};

inline double nanoseconds_now(timing by) {
  timespec now{};
  clock_gettime(by == timing::thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

/// How an operation is done, by one who does it.
struct bursts {
  std::function<void()> fill = {};             ///< keeps the queue busy, where the operation only enqueues
  std::function<void()> prepare = {};          ///< what each one needs behind that
  std::function<double(int count)> time = {};  ///< does it `count` times; nanoseconds an operation
  std::function<void()> drain = {};            ///< empties the queue
};

/// One who does an operation. Those of one `queue` share it, so that one of them fills it for all.
struct contestant {
  std::string name;
  int queue = 0;
  bursts with = {};
};

/// One who takes part, before anything is made for it.
struct entrant {
  std::string name;
  int queue = 0;
  std::function<bursts()> make = {};
};

/// An operation with all who do it. The contestants are made when it is measured and go after it.
struct operation {
  std::string name;
  timing by;
  int count;   ///< operations of a burst
  int rounds;  ///< bursts of each contestant, at most
  std::vector<entrant> entrants;

  [[nodiscard]] std::vector<contestant> make() const {
    std::vector<contestant> all;
    for (const entrant& each : entrants) all.push_back({each.name, each.queue, each.make()});
    return all;
  }
};

/// What is made when it is asked for the first time, and stays.
template <class Side>
class late {
 public:
  explicit late(std::function<std::shared_ptr<Side>()> make) : make_(std::move(make)) {}
  const std::shared_ptr<Side>& get() {
    if (!made_) made_ = make_();
    return made_;
  }

 private:
  std::function<std::shared_ptr<Side>()> make_;
  std::shared_ptr<Side> made_;  // goes first: `make_` keeps what it was made of
};
template <class Side, class Make>
std::shared_ptr<late<Side>> made_late(Make make) {
  return std::make_shared<late<Side>>(std::move(make));
}

/// Returns: a function that gives the same object to all who keep it at a time, and makes a new one when nobody does.
template <class Make>
auto while_kept(Make make) {
  using kept = typename decltype(make())::weak_type;
  return [make = std::move(make), last = std::make_shared<kept>()] {
    auto now = last->lock();
    if (!now) *last = now = make();
    return now;
  };
}

/// A peer that is not there, or is left out, with the reason.
struct absence {
  std::string peer;
  std::string reason;
};

/// What can be measured on one device.
struct suite {
  std::string backend;         ///< "cuda" or "opencl"
  std::string device;          ///< its name
  std::string platform;        ///< OpenCL's platform; "CUDA"
  std::string driver_version;  ///< as the driver says it
  std::string architecture;    ///< "sm_90"
  int ordinal = 0;             ///< CUDA's
  bool on_host = false;        ///< whether the device runs on the host's cores
  bool simulated = false;
  std::vector<operation> operations;
  std::vector<absence> absent;
  std::vector<std::function<void()>> sides;  ///< make those who take part, where that is not to be in between
  std::function<int()> busy_count;           ///< the busy kernel's rounds
};

/// What copies go between: two blocks on the device and two on the host, which all contestants of an operation share: where
/// memory lies makes a difference.
template <class Memory>
struct native_blocks {
  Memory first;
  Memory second;
  unsigned char* pageable;
  unsigned char* locked;
  std::size_t bytes;
};

inline constexpr std::size_t image_edge = 8192;  ///< texels of a byte: 64 MiB
inline double busy_least = 0;  ///< nanoseconds that the kernel that keeps a queue busy takes, at least

/// By itself, so that what warms up is the code that is timed.
template <class Operate>
[[gnu::noinline]] void repeat(Operate operate, int count) {
  for (int i = 0; i < count; ++i) operate();
}
/// Effects: times `count` calls of `operate`, after two that warm up.
template <class Operate>
double time_calls(timing by, int count, Operate operate) {
  int few = 2;
  asm("" : "+r"(few));  // which the compiler makes no other code for
  repeat(operate, few);
  const double start = nanoseconds_now(by);
  repeat(operate, count);
  return (nanoseconds_now(by) - start) / count;
}

/// What the bursts between two moments at which queues are empty have in common.
class busy_period {
 public:
  /// Effects: fills the queues of `those`, each one once.
  template <class Those>
  explicit busy_period(const Those& those) {
    std::vector<int> filled;
    for (const contestant* each : those) {
      if (!each->with.fill || std::find(filled.begin(), filled.end(), each->queue) != filled.end()) continue;
      filled.push_back(each->queue);
      each->with.fill();
    }
    for (const contestant* each : those) {
      if (each->with.prepare) each->with.prepare();
    }
    is_filled_ = !filled.empty();
    turn_ = nanoseconds_now(timing::elapsed);
  }
  /// Whether the queue may be empty by now.
  [[nodiscard]] bool is_late() const { return is_filled_ && nanoseconds_now(timing::elapsed) - began_ > busy_least; }
  /// Returns: whether there is time for another turn like the longest since this was made.
  bool has_time() {
    if (!is_filled_) return false;
    const double now = nanoseconds_now(timing::elapsed);
    longest_ = (std::max)(longest_, now - turn_);
    turn_ = now;
    return now - began_ + 1.5 * longest_ < busy_least;
  }

 private:
  double began_ = nanoseconds_now(timing::elapsed);
  double turn_ = 0;
  double longest_ = 0;
  bool is_filled_ = false;
};

/// What a function returns, where it is to be: nothing is moved.
template <class Make>
struct made_in_place {
  Make make;
  operator std::invoke_result_t<Make>() { return make(); }  // NOLINT: that it converts is the point
};
template <class Make>
made_in_place(Make) -> made_in_place<Make>;
/// As many copies as are in flight between two moments at which a queue is empty, with room to spare.
inline constexpr std::size_t copies_in_flight = 1 << 14;

/// Throws: a benchmark of failing calls would mislead.
[[noreturn]] inline void fail(const char* call, int code) {
  throw std::runtime_error(std::string(call) + " returned " + std::to_string(code));
}
inline void check(int code, const char* call) {
  if (code != 0) [[unlikely]]
    fail(call, code);
}

/// Returns: bytes that are neither zero nor alike, a multiple of eight of them.
inline std::vector<unsigned char> noise(std::size_t bytes) {
  std::vector<unsigned char> result(bytes);
  std::uint64_t state = 0x9e3779b97f4a7c15u;
  for (std::size_t i = 0; i + sizeof state <= bytes; i += sizeof state) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::memcpy(result.data() + i, &state, sizeof state);
  }
  return result;
}

}  // namespace bench

#endif

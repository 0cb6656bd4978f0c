// SPDX-License-Identifier: MIT
// What is measured: operations, who does them, and how a burst of one is timed.
#ifndef YOKE_BENCHMARKS_BURST_HPP
#define YOKE_BENCHMARKS_BURST_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
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

/// One who does an operation. `burst(count)` does it `count` times and returns nanoseconds an operation.
struct contestant {
  std::string name;
  std::function<double(int count)> burst;
};

/// An operation with all who do it. The contestants are made when it is measured and go after it.
struct operation {
  std::string name;
  timing by;
  int count;   ///< operations of a burst
  int rounds;  ///< bursts of each contestant, at most
  std::function<std::vector<contestant>()> make;
};

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
  std::string driver_library;  ///< what the raw program of the first kernel opens
  std::string nvrtc_library;
  std::string architecture;  ///< "sm_90"
  int ordinal = 0;           ///< CUDA's
  int busy_count = 0;        ///< the busy kernel's rounds
  bool on_host = false;      ///< whether the device runs on the host's cores
  bool simulated = false;
  std::vector<operation> operations;
  std::vector<absence> absent;
  std::shared_ptr<void> owner;  ///< keeps the device's handles
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

inline double busy_least = 0;  ///< nanoseconds that the kernel that keeps a queue busy takes, at least
inline int late_bursts = 0;    ///< bursts that ended when that kernel may have

/// Effects: times `count` calls of `operate` behind `prepare`, which gives the queue work, so that none is empty, where it is
/// `queued` behind that; two calls before warm up. `finish` empties the queue outside the time.
template <class Prepare, class Operate, class Finish>
double time_burst(timing by, int count, bool queued, Prepare&& prepare, Operate&& operate, Finish&& finish) {
  const double began = nanoseconds_now(timing::elapsed);
  prepare();
  operate();
  operate();
  const double start = nanoseconds_now(by);
  for (int i = 0; i < count; ++i) operate();
  const double spent = nanoseconds_now(by) - start;
  if (queued && nanoseconds_now(timing::elapsed) - began > busy_least) ++late_bursts;
  finish();
  return spent / count;
}

/// Effects: ends the program: a benchmark of failing calls would mislead.
[[noreturn]] inline void fail(const char* call, int code) {
  std::fprintf(stderr, "%s returned %d\n", call, code);
  std::exit(EXIT_FAILURE);
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

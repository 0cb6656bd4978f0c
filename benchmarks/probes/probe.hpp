// SPDX-License-Identifier: MIT
// Statistics and the order of play, shared by probe_opencl.cpp and probe_cuda.cpp. Nothing of yoke here.
//
// Method (not that of ./dev bench): an operation is measured in SITTINGS. At the start of each, the kernels of both sides and
// their events are made anew, in a random order, so that where objects lie changes. In a sitting there are blocks; a block
// is one burst each of raw, yoke, raw once more (raw2) and raw of other code (below), in a random order. A burst that outlived its
// busy kernel (the queue ran dry) makes the whole block void, and is counted. A sitting gives the median over its blocks of
// yoke - (raw + raw2) / 2, and of raw2 - raw. The 95 % interval printed is Student's t over the sittings' values: what
// changes from sitting to sitting is in it, and correlation of neighbouring bursts does no harm. "Of quietest" is the same of
// the bursts' lowest deciles, which other work on the machine touches least.
#ifndef YOKE_BENCHMARKS_PROBES_PROBE_HPP
#define YOKE_BENCHMARKS_PROBES_PROBE_HPP
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace probe {

inline bool thread_clock = false;
inline double now() {
  timespec t{};
  clock_gettime(thread_clock ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return 1e9 * double(t.tv_sec) + double(t.tv_nsec);
}
inline double wall() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}
[[noreturn]] inline void die(const char* what, int code) {
  std::fprintf(stderr, "probe: %s returned %d\n", what, code);
  std::exit(1);
}
inline void must(int code, const char* what) {
  if (code != 0) die(what, code);
}
inline double number_of(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atof(text);
}

/// User-space instructions of this thread, where the kernel lets us count.
class counter {
 public:
  counter() {
    perf_event_attr a{};
    a.type = PERF_TYPE_HARDWARE;
    a.size = sizeof a;
    a.config = PERF_COUNT_HW_INSTRUCTIONS;
    a.disabled = 1;
    a.exclude_kernel = 1;
    a.exclude_hv = 1;
    fd_ = int(syscall(SYS_perf_event_open, &a, 0, -1, -1, 0));
    if (fd_ >= 0) {  // some machines open it and count nothing
      start();
      volatile int x = 0;
      for (int i = 0; i < 1000; ++i) x = x + 1;
      if (stop() < 1000) {
        close(fd_);
        fd_ = -1;
      }
    }
  }
  bool there() const { return fd_ >= 0; }
  void start() {
    if (fd_ < 0) return;
    ioctl(fd_, PERF_EVENT_IOC_RESET, 0);
    ioctl(fd_, PERF_EVENT_IOC_ENABLE, 0);
  }
  double stop() {
    if (fd_ < 0) return 0;
    ioctl(fd_, PERF_EVENT_IOC_DISABLE, 0);
    std::uint64_t n = 0;
    return read(fd_, &n, sizeof n) == long(sizeof n) ? double(n) : 0;
  }

 private:
  int fd_ = -1;
};

inline double median(std::vector<double> v) {
  if (v.empty()) return NAN;
  std::sort(v.begin(), v.end());
  const std::size_t h = v.size() / 2;
  return v.size() % 2 ? v[h] : (v[h - 1] + v[h]) / 2;
}
inline double decile(std::vector<double> v) {
  if (v.empty()) return NAN;
  std::sort(v.begin(), v.end());
  return v[v.size() / 10];
}
struct estimate {
  double mid, low, high;
};
/// Student's t over the values, 95 %.
inline estimate of(const std::vector<double>& v) {
  static const double t[] = {0,     12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                             2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
  const std::size_t n = v.size();
  if (n < 2) return {n ? v[0] : NAN, NAN, NAN};
  double mean = 0, square = 0;
  for (double x : v) mean += x / double(n);
  for (double x : v) square += (x - mean) * (x - mean);
  const double half = (n - 1 < 21 ? t[n - 1] : 1.98) * std::sqrt(square / double(n - 1) / double(n));
  return {mean, mean - half, mean + half};
}

/// One side of one operation, made anew for each sitting.
struct side {
  std::function<void()> prepare;     ///< keeps the queue busy; outside the time
  std::function<void(int)> operate;  ///< so many operations
  std::function<bool()> still_busy;  ///< whether the queue had not run dry at the burst's end; outside the time
  std::function<void()> finish;      ///< empties the queues; outside the time
};
struct operation {
  std::string name;
  std::function<side()> raw;
  std::function<side()> yoke;
  std::function<side()> raw_elsewhere;  ///< the same calls, compiled a second time: the same code at another place
};
/// Nothing that is run, but as many bytes of code: what is behind lies elsewhere.
#define PROBE_ELSEWHERE(copy)                                                                                          \
  if constexpr ((copy) == 1) asm volatile("jmp 1f\n .skip 37, 0x90\n1:")

inline constexpr int burst_length = 40;
inline constexpr int warm = 3;

struct burst_result {
  double ns;
  bool dry;
};
inline burst_result burst(side& s) {
  s.prepare();
  s.operate(warm);
  const double start = now();
  s.operate(burst_length);
  const double spent = now() - start;
  const bool busy = s.still_busy();
  s.finish();
  return {spent / burst_length, !busy};
}
inline double instructions(side& s, counter& c) {
  std::vector<double> each;
  for (int i = 0; i < 30; ++i) {
    s.prepare();
    s.operate(warm);
    c.start();
    s.operate(burst_length);
    each.push_back(c.stop() / burst_length);
    s.finish();
  }
  return median(each);
}

inline void run(const std::vector<operation>& all) {
  const int sittings = int(number_of("PROBE_SITTINGS", 10));
  const double seconds = number_of("PROBE_SECONDS", 48) / double(all.size()) / sittings;
  const char* only = std::getenv("PROBE_ONLY");
  std::mt19937 random{std::random_device{}()};
  counter count;
  std::printf("%-22s %9s %9s %8s  %-18s %-22s %-24s %-14s %-18s %-18s %6s %5s %s\n", "operation", "raw ns", "yoke ns",
              "added", "[95 %]", "raw beside raw [95 %]", "raw of other code [95 %]", "ratio", "of quietest: added",
              "raw beside raw", "blocks", "dry", "instructions added");
  for (const operation& what : all) {
    if (only != nullptr && what.name.find(only) == std::string::npos) continue;
    std::vector<double> added, apart, ratio, raw_ns, yoke_ns, quiet_added, quiet_apart, elsewhere;
    int blocks = 0, dry = 0;
    double instructions_added = NAN;
    for (int sitting = 0; sitting < sittings; ++sitting) {
      side sides[4];
      int order[4] = {0, 1, 2, 3};
      std::shuffle(order, order + 4, random);
      for (int which : order) sides[which] = which == 1 ? what.yoke() : which == 3 ? what.raw_elsewhere() : what.raw();
      for (int i = 0; i < 3; ++i)
        for (int which : order) (void)burst(sides[which]);
      if (sitting == 0 && count.there()) {
        const double r = instructions(sides[0], count);
        instructions_added = instructions(sides[1], count) - r;
      }
      std::vector<double> d, a, q, r, y, first, second, e;
      const double end = wall() + seconds;
      while (wall() < end || (d.size() < 5 && wall() < end + seconds)) {
        std::shuffle(order, order + 4, random);
        burst_result got[4];
        for (int which : order) got[which] = burst(sides[which]);
        ++blocks;
        if (got[0].dry || got[1].dry || got[2].dry || got[3].dry) {
          ++dry;
          continue;
        }
        const double base = (got[0].ns + got[2].ns) / 2;
        d.push_back(got[1].ns - base);
        a.push_back(got[2].ns - got[0].ns);
        q.push_back(got[1].ns / base);
        r.push_back(base);
        y.push_back(got[1].ns);
        e.push_back(got[3].ns - base);
        first.push_back(got[0].ns);
        second.push_back(got[2].ns);
      }
      if (d.empty()) continue;
      added.push_back(median(d));
      apart.push_back(median(a));
      elsewhere.push_back(median(e));
      ratio.push_back(median(q));
      quiet_added.push_back(decile(y) - (decile(first) + decile(second)) / 2);
      quiet_apart.push_back(decile(second) - decile(first));
      raw_ns.push_back(median(r));
      yoke_ns.push_back(median(y));
    }
    const estimate e = of(added), c = of(apart), q = of(ratio);
    const estimate qe = of(quiet_added), qc = of(quiet_apart);
    char one[64], two[64], three[64], four[32], five[64], six[64], seven[64];
    const estimate ee = of(elsewhere);
    std::snprintf(seven, sizeof seven, "[%+.1f, %+.1f]", ee.low, ee.high);
    std::snprintf(five, sizeof five, "[%+.1f, %+.1f]", qe.low, qe.high);
    std::snprintf(six, sizeof six, "[%+.1f, %+.1f]", qc.low, qc.high);
    std::snprintf(one, sizeof one, "[%+.1f, %+.1f]", e.low, e.high);
    std::snprintf(two, sizeof two, "[%+.1f, %+.1f]", c.low, c.high);
    std::snprintf(three, sizeof three, "%.3f..%.3f", q.low, q.high);
    std::snprintf(four, sizeof four, std::isnan(instructions_added) ? "n/a" : "%+.0f", instructions_added);
    std::printf("%-22s %9.1f %9.1f %+8.1f  %-18s %-22s %-24s %-14s %-18s %-18s %6d %5d %s\n", what.name.c_str(),
                of(raw_ns).mid, of(yoke_ns).mid, e.mid, one, two, seven, three, five, six, blocks, dry, four);
    std::fflush(stdout);
  }
}

/// For callgrind: PROBE_MODE=callgrind. Each is a thousand operations; probe_callgrind.py reads what they cost by object file.
extern "C" [[gnu::noinline]] inline void probe_measured(const std::function<void(int)>* operate) { (*operate)(100); }
inline void run_for_callgrind(const std::vector<operation>& all) {
  for (const operation& what : all) {
    for (int k = 0; k < 2; ++k) {
      side s = k == 0 ? what.raw() : what.yoke();
      s.prepare();
      s.operate(warm);
      std::fprintf(stderr, "COUNTED %s %s\n", what.name.c_str(), k == 0 ? "raw" : "yoke");
      probe_measured(&s.operate);
      s.finish();
    }
  }
}

}  // namespace probe

#endif

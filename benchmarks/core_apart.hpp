// SPDX-License-Identifier: MIT
// A core for the thread that measures: the device's threads, or the driver's, run on the others.
#ifndef YOKE_BENCHMARKS_CORE_APART_HPP
#define YOKE_BENCHMARKS_CORE_APART_HPP

#include <sched.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

/// Effects: leaves a core to the calling thread, which it stays away from itself until `settle`: threads that a driver starts
/// meanwhile stay away from it, too, and from what shares its units.
class core_apart {
 public:
  core_apart() {
    cpu_set_t all;
    if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) < 2) return;
    for (int each = 0; each < CPU_SETSIZE; ++each) {
      if (CPU_ISSET(each, &all)) core_ = each;
    }
    others_ = all;
    for (const int each : siblings_of(core_)) CPU_CLR(each, &others_);
    if (CPU_COUNT(&others_) == 0) {
      others_ = all;
      CPU_CLR(core_, &others_);
    }
    if (!leave()) core_ = -1;
  }
  /// Effects: the calling thread leaves the core, so that threads that are started now stay away from it.
  bool leave() const { return core_ >= 0 && sched_setaffinity(0, sizeof others_, &others_) == 0; }
  /// Effects: the calling thread goes to the core.
  /// Returns: whether it has one.
  bool settle() const {
    if (core_ < 0) return false;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    CPU_SET(core_, &mine);
    return sched_setaffinity(0, sizeof mine, &mine) == 0;
  }
  /// Returns: the core, and what is left to the others: for processes that take turns with this one.
  [[nodiscard]] int core() const { return core_; }
  [[nodiscard]] std::vector<double> others() const {
    std::vector<double> result;
    for (int each = 0; each < CPU_SETSIZE; ++each) {
      if (CPU_ISSET(each, &others_)) result.push_back(each);
    }
    return result;
  }

 private:
  /// The processors of the same core, itself among them, as Linux writes them: "3,11" or "6-7".
  static std::vector<int> siblings_of(int processor) {
    std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/topology/thread_siblings_list");
    std::vector<int> result{processor};
    for (std::string part; std::getline(file, part, ',');) {
      std::istringstream words(part);
      int first = 0;
      int last = 0;
      char dash = 0;
      if (!(words >> first)) break;
      if (!(words >> dash >> last)) last = first;
      for (int each = first; each <= last; ++each) result.push_back(each);
    }
    return result;
  }
  cpu_set_t others_{};
  int core_ = -1;
};

}  // namespace bench

#endif

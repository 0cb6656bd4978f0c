// SPDX-License-Identifier: MIT
// What the library knows of blocking commands, as a test says.
#ifndef YOKE_TESTS_SUPPORT_BLOCKING_COMMANDS_HPP
#define YOKE_TESTS_SUPPORT_BLOCKING_COMMANDS_HPP

#include <yoke/opencl/opencl.hpp>

#include <cstddef>
#include <iterator>

namespace yoke_test {

/// Says for a while what is known of blocking commands, whatever other tests and devices have left.
class blocking_commands {
 public:
  blocking_commands(bool user_events, bool reads_are_asked, bool writes_are_asked) {
    const bool now[] = {user_events, reads_are_asked, writes_are_asked};
    for (std::size_t i = 0; i < std::size(now); ++i) {
      before_[i] = flags_[i]->load();
      flags_[i]->store(now[i]);
    }
  }
  blocking_commands(const blocking_commands&) = delete;
  blocking_commands& operator=(const blocking_commands&) = delete;
  ~blocking_commands() {
    for (std::size_t i = 0; i < std::size(before_); ++i) flags_[i]->store(before_[i]);
  }
  [[nodiscard]] bool reads() const { return flags_[1]->load(); }
  [[nodiscard]] bool writes() const { return flags_[2]->load(); }

 private:
  yoke::detail::atomic<bool>* const flags_[3] = {&yoke::opencl::detail::notes_of_new_tables.user_events_take_part,
                                                 &yoke::opencl::detail::notes_of_new_tables.reads_are_asked,
                                                 &yoke::opencl::detail::notes_of_new_tables.writes_are_asked};
  bool before_[3] = {};
};

}  // namespace yoke_test

#endif

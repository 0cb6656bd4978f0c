// SPDX-License-Identifier: MIT
// A fuzzer's input, taken as numbers and texts.
#ifndef YOKE_TESTS_FUZZ_DICE_HPP
#define YOKE_TESTS_FUZZ_DICE_HPP

#include <yoke/program/cache/cache_entry.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yoke_fuzz {

using bytes = std::span<const std::byte>;

/// Takes what a harness needs from the front of its input; zeros once that is used up.
class dice {
 public:
  explicit dice(bytes input) : reader_(input) {}
  std::uint64_t number(unsigned size) { return reader_.number(size); }
  std::string text(std::size_t longest) {
    const std::size_t size = std::min<std::size_t>(number(1) % (longest + 1), reader_.remaining());
    const bytes taken = reader_.take(size);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  [[nodiscard]] bool empty() const { return reader_.remaining() == 0; }

 private:
  yoke::detail::entry_reader reader_;
};

inline std::string_view text_of(bytes input) { return {reinterpret_cast<const char*>(input.data()), input.size()}; }

/// A parser under test.
struct harness {
  const char* name;
  const char* (*run)(bytes input);  ///< what does not hold; null: nothing
};

/// Returns: the lines of a text, without their ends.
inline std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines(1);
  for (const char letter : text) {
    if (letter == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += letter;
    }
  }
  return lines;
}

}  // namespace yoke_fuzz

#endif

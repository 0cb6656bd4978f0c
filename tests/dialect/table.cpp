// SPDX-License-Identifier: MIT
// Puts the conformance table together, and compares results with it.
#include <dialect/table.hpp>

#include <sstream>

namespace yoke_test::dialect {

kernel whole_kernel(const std::string& name, const std::string& feature, const std::string& source,
                    const std::vector<std::int64_t>& expected, std::array<unsigned, 3> grid,
                    std::array<unsigned, 3> block) {
  kernel made;
  made.name = name;
  made.feature = feature;
  made.source = source;
  made.grid = grid;
  made.block = block;
  result_column words{"out", "yoke_int64", 0, 0, {}, {}};
  for (const std::int64_t each : expected) words.expected.push_back(static_cast<word>(each));
  made.results.push_back(std::move(words));
  return made;
}

const std::vector<kernel>& table() {
  static const std::vector<kernel> once = [] {
    std::vector<kernel> all;
    for (family* const each : {real_kernels, integer_kernels, vector_kernels, conversion_kernels, memory_kernels,
                               atomic_kernels, group_kernels, small_float_kernels, image_kernels}) {
      for (kernel& made : each()) all.push_back(std::move(made));
    }
    return all;
  }();
  return once;
}

namespace {

/// Returns: whether `found` is near enough to what was worked out with more digits.
template <class T>
bool is_near(const result_column& column, word found_bits, long double wanted) {
  T found = 0;
  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits = 0;
  bits = static_cast<decltype(bits)>(found_bits);
  __builtin_memcpy(&found, &bits, sizeof found);
  const T rounded = static_cast<T>(wanted);
  if (std::isnan(rounded) || std::isnan(found)) return std::isnan(rounded) && std::isnan(found);
  if (found == rounded) return true;
  if (std::isinf(rounded) || std::isinf(found) || (column.ulps == 0 && column.absolute == 0)) return false;
  const T size = std::fabs(rounded);
  const long double unit = static_cast<long double>(std::nextafter(size, std::numeric_limits<T>::infinity())) -
                           static_cast<long double>(size);
  // The reference itself is worked out with at least as many digits: half a unit covers its rounding.
  const long double allowed =
      (static_cast<long double>(column.ulps) + 0.5L) * unit + static_cast<long double>(column.absolute);
  return std::fabs(static_cast<long double>(found) - wanted) <= allowed;
}

}  // namespace

std::string differences(const kernel& of, const std::vector<word>& found) {
  std::ostringstream text;
  std::size_t at = 0;
  for (const result_column& column : of.results) {
    const std::size_t count = column.real.empty() ? column.expected.size() : column.real.size();
    for (std::size_t row = 0; row < count; ++row, ++at) {
      const word got = found.at(at);
      const bool fine = column.type == "float"    ? is_near<float>(column, got, column.real[row])
                        : column.type == "double" ? is_near<double>(column, got, column.real[row])
                                                  : got == column.expected[row];
      if (fine) continue;
      text << "  " << of.name << ": " << column.text << " at " << row << " is ";
      if (column.real.empty()) {
        text << static_cast<std::int64_t>(got) << ", not " << static_cast<std::int64_t>(column.expected[row]) << "\n";
      } else {
        text << std::hexfloat << std::hex << got << std::dec << ", not " << column.real[row] << "\n";
      }
      at += count - row;
      break;
    }
  }
  return text.str();
}

}  // namespace yoke_test::dialect

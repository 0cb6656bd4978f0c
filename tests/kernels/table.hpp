// SPDX-License-Identifier: MIT
// The table of kernels that a GPU and the simulator have to agree on: types, and how an entry is written down.
#ifndef YOKE_TESTS_KERNELS_TABLE_HPP
#define YOKE_TESTS_KERNELS_TABLE_HPP

#include <yoke/driver/image_types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace yoke_test {

/// What kernels read and write: one value in the low bytes of each word.
using word = std::uint64_t;

/// One column of results: `count` values of one type. A value may differ from another device's by the sum of both
/// devices' errors: `ulps` is the GPU's documented one, 0 for what is exact; `absolute` is one in the function's own unit.
struct output_column {
  std::string label;
  std::string type;  ///< in CUDA C++
  std::size_t count = 0;
  double ulps = 0;
  double absolute = 0;
  std::vector<word> expected{};  ///< worked out by the host, where that is easy
};

/// A texture or surface object that a kernel gets: `in[i]` is the number of the i-th of its list. The texels are floats, of which
/// number i is `texel_value(i)`, in levels 2 more from one to the next.
struct kernel_object {
  enum class memory { linear, line, plane, volume, lines, planes, cube, cubes, gathered };
  memory of = memory::plane;
  bool has_levels = false;
  bool is_surface = false;  ///< its texels are further results, after those that the kernel writes to `out`
  yoke::sampler by{};
};
/// The counts of an object's texels along x, y and z or layers.
std::array<std::size_t, 3> extents_of(const kernel_object& object);
float texel_value(std::size_t number);

struct kernel_entry {
  std::string name;    ///< of the kernel, as `module::get_kernel` finds it
  std::string source;  ///< one `__global__` function with the parameters (const word* in, word* out)
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{32, 1, 1};
  std::size_t shared_bytes = 0;  ///< dynamic
  bool cooperative = false;
  std::vector<word> input{};
  std::vector<output_column> outputs{};
  std::vector<kernel_object> objects{};

  [[nodiscard]] std::size_t output_words() const {
    std::size_t words = 0;
    for (const output_column& each : outputs) words += each.count;
    return words;
  }
};

/// Kernels that are compiled together.
struct kernel_program {
  std::string name;
  std::string before;  ///< what stands before the kernels
  std::vector<kernel_entry> kernels{};
  bool portable = false;         ///< in yoke's dialect
  bool toolkit_headers = false;  ///< includes headers of the CUDA toolkit

  /// Returns: the text that is compiled.
  [[nodiscard]] std::string source() const;
};

// ---- Entries that evaluate expressions, one thread for each row of the input.

/// One variable of the expressions: its type and its values.
struct input_column {
  std::string type, name;
  std::vector<word> values;
};

/// The host's own value of a real expression of a, b and c, in double precision.
using real_reference = double (*)(double a, double b, double c);

struct expression {
  std::string type;
  std::string text;
  double ulps = 0;
  double absolute = 0;
  real_reference reference = nullptr;
};

/// Returns: a kernel that evaluates each expression for each row of the columns, which are all of one length.
kernel_entry evaluate(const std::string& name, const std::vector<input_column>& columns,
                      const std::vector<expression>& expressions);

/// Returns: a kernel in full. `body` may use `in`, `out`, `bits<T>(value)` and `value<T>(word)`.
kernel_entry whole_kernel(const std::string& name, const std::string& body, std::vector<output_column> outputs,
                          std::vector<word> input = {}, std::array<unsigned, 3> grid = {1, 1, 1},
                          std::array<unsigned, 3> block = {32, 1, 1});

/// Returns: the words of values of any type of at most 8 bytes.
template <class T>
word word_of(T value) {
  static_assert(sizeof(T) <= sizeof(word));
  word result = 0;
  __builtin_memcpy(&result, &value, sizeof value);
  return result;
}

/// Returns: the whole table.
const std::vector<kernel_program>& kernel_table();

}  // namespace yoke_test

#endif

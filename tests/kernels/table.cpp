// SPDX-License-Identifier: MIT
// Puts the table together from its families.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

#include <array>

namespace yoke_test {

namespace {

constexpr const char* helpers = R"(typedef unsigned long long word;
template <class T> __device__ __forceinline__ word bits(T given) {
  word result = 0;
  memcpy(&result, &given, sizeof(T));
  return result;
}
template <class T> __device__ __forceinline__ T value(word given) {
  T result;
  memcpy(&result, &given, sizeof(T));
  return result;
}
)";

}  // namespace

std::string kernel_program::source() const {
  std::string text;
  // What is included declares the types that the helpers may be asked for; the dialect has no templates to need.
  text += before;
  if (!portable) text += helpers;
  for (const kernel_entry& each : kernels) text += each.source;
  return text;
}

kernel_entry evaluate(const std::string& name, const std::vector<input_column>& columns,
                      const std::vector<expression>& expressions) {
  const std::size_t count = columns.front().values.size();
  kernel_entry result;
  result.name = name;
  result.block[0] = static_cast<unsigned>(count);
  std::string& text = result.source;
  text =
      "extern \"C\" __global__ void " + name + "(const word* in, word* out) {\n  const unsigned row = threadIdx.x;\n";
  for (std::size_t each = 0; each < columns.size(); ++each) {
    const input_column& column = columns[each];
    text += "  const " + column.type + " " + column.name + " = value<" + column.type + ">(in[" +
            std::to_string(each * count) + " + row]);\n";
    result.input.insert(result.input.end(), column.values.begin(), column.values.end());
  }
  for (std::size_t each = 0; each < expressions.size(); ++each) {
    const expression& one = expressions[each];
    text += "  out[" + std::to_string(each * count) + " + row] = bits<" + one.type + ">(" + one.text + ");\n";
    output_column column{one.text, one.type, count, one.ulps, one.absolute, {}};
    for (std::size_t row = 0; one.reference != nullptr && row < count; ++row) {
      std::array<double, 3> values{};
      for (std::size_t which = 0; which < columns.size() && which < values.size(); ++which) {
        const input_column& from = columns[which];
        values[which] = is_real(from.type) ? real_of(from.type, from.values[row])
                                           : static_cast<double>(static_cast<std::int64_t>(from.values[row]));
      }
      column.expected.push_back(real_word(one.type, one.reference(values[0], values[1], values[2])));
    }
    result.outputs.push_back(std::move(column));
  }
  text += "}\n";
  return result;
}

kernel_entry whole_kernel(const std::string& name, const std::string& body, std::vector<output_column> outputs,
                          std::vector<word> input, std::array<unsigned, 3> grid, std::array<unsigned, 3> block) {
  kernel_entry result;
  result.name = name;
  result.source = body;
  result.outputs = std::move(outputs);
  result.input = std::move(input);
  result.grid = grid;
  result.block = block;
  if (result.input.empty()) result.input.push_back(0);
  return result;
}

const std::vector<kernel_program>& kernel_table() {
  static const std::vector<kernel_program> table = [] {
    std::vector<kernel_program> all;
    for (const auto family : kernel_families) {
      for (kernel_program& each : family()) all.push_back(std::move(each));
    }
    return all;
  }();
  return table;
}

}  // namespace yoke_test

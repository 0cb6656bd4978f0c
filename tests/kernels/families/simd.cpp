// SPDX-License-Identifier: MIT
// The SIMD intrinsics on two 16-bit and four 8-bit numbers in a word.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

std::vector<kernel_program> simd_kernels() {
  kernel_program program{"simd", ""};
  for (const std::string parts : {"2", "4"}) {
    std::vector<expression> arithmetic;
    for (const std::string name : {"vadd", "vsub", "vaddss", "vaddus", "vsubss", "vsubus", "vavgs", "vavgu", "vhaddu",
                                   "vabsdiffs", "vabsdiffu", "vmaxs", "vmaxu", "vmins", "vminu", "vsads", "vsadu"}) {
      arithmetic.push_back({"unsigned", "__" + name + parts + "(a, b)"});
    }
    for (const std::string name : {"vabs", "vabsss", "vneg", "vnegss"}) {
      arithmetic.push_back({"unsigned", "__" + name + parts + "(a)"});
    }
    std::vector<expression> comparisons;
    for (const std::string start : {"vcmp", "vset"}) {
      for (const std::string how : {"eq", "ne", "lts", "ltu", "les", "leu", "gts", "gtu", "ges", "geu"}) {
        comparisons.push_back({"unsigned", "__" + start + how + parts + "(a, b)"});
      }
    }
    // Bytes near the ends of their range, and equal ones.
    input_column a = integers("unsigned", "a");
    input_column b = integers("unsigned", "b");
    a.values[0] = b.values[0] = 0x807f01ff;
    a.values[1] = 0x80807f7f;
    b.values[1] = 0x7f80807f;
    a.values[2] = 0x7fff8000;
    b.values[2] = 0x0001ffff;
    program.kernels.push_back(evaluate("arithmetic_of_" + parts, {a, b}, arithmetic));
    program.kernels.push_back(evaluate("comparisons_of_" + parts, {a, b}, comparisons));
  }
  return {program};
}

}  // namespace yoke_test

// SPDX-License-Identifier: MIT
// Vector types: members, alignment and size, make_*, and dim3.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

std::vector<kernel_program> vector_kernels() {
  kernel_program program{"vectors", ""};
  static constexpr const char* types[][2] = {{"char", "signed char"},
                                             {"uchar", "unsigned char"},
                                             {"short", "short"},
                                             {"ushort", "unsigned short"},
                                             {"int", "int"},
                                             {"uint", "unsigned"},
                                             {"long", "long"},
                                             {"ulong", "unsigned long"},
                                             {"longlong", "long long"},
                                             {"ulonglong", "unsigned long long"},
                                             {"float", "float"},
                                             {"double", "double"}};
  for (const auto& type : types) {
    const std::string name = type[0];
    const std::string element = type[1];
    std::vector<expression> rows;
    const auto add = [&](const std::string& vector, const std::string& make, int count) {
      const std::string arguments =
          std::string("(a, b, c, a)").substr(0, static_cast<std::size_t>(3 * count - 1)) + ")";
      const std::string given = make.empty() ? "[=] { const " + vector + " t = {" +
                                                   arguments.substr(1, arguments.size() - 2) + "}; return t; }()"
                                             : make + arguments;
      rows.push_back({"int", "(int)(sizeof(" + vector + ") * 100 + alignof(" + vector + "))"});
      for (int member = 0; member < count; ++member) rows.push_back({element, given + "." + "xyzw"[member]});
    };
    for (int count = 1; count <= 4; ++count) {
      // CUDA 13 names the alignment of these three-and-up words of 8 bytes.
      const std::string vector = name + std::to_string(count);
      const bool renamed = count == 4 && (name.find("long") != std::string::npos || name == "double");
      if (!renamed) add(vector, "make_" + vector, count);
      if (!renamed) continue;
      for (const std::string suffix : {"_16a", "_32a"}) {
        const bool no_make = name == "long" || name == "ulong";
        add(vector + suffix, no_make ? "" : "make_" + vector + suffix, count);
      }
    }
    const auto column = [&](const std::string& letter) {
      return is_real(element) ? reals(element, letter, -9.0, 9.0) : integers(element, letter);
    };
    program.kernels.push_back(evaluate("vectors_of_" + name, {column("a"), column("b"), column("c")}, rows));
  }
  std::vector<expression> old;
  for (const std::string name : {"long", "ulong", "longlong", "ulonglong", "double"}) {
    old.push_back({"int", "(int)(sizeof(" + name + "4) * 100 + alignof(" + name + "4))"});
    old.push_back({"double", "(double)make_" + name + "4(n, 2, 3, 4).x"});
  }
  program.kernels.push_back(evaluate("vectors_of_old_names", {integers_between("int", "n", 0, 100)}, old));
  program.kernels.push_back(evaluate("extents", {integers_between("unsigned", "n", 1, 9)},
                                     {{"unsigned", "dim3().x + dim3(n).y * 10 + dim3(n, 2).z * 100"},
                                      {"unsigned", "dim3(n, 2, 3).z"},
                                      {"unsigned", "dim3(make_uint3(n, 5, 6)).x"},
                                      {"unsigned", "[=] { const uint3 t = dim3(n, 7, 8); return t.y; }()"},
                                      {"int", "(int)(sizeof(dim3) * 100 + alignof(dim3))"}}));
  return {program};
}

}  // namespace yoke_test

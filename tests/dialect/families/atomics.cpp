// SPDX-License-Identifier: MIT
// Atomics: each gives the old value, one thread after another, and loses nothing when many write at once.
#include <dialect/table.hpp>

namespace yoke_test::dialect {

namespace {

/// Every operation in turn on one word of device memory and one of local memory.
kernel in_turn(const std::string& type, const std::string& name, const std::string& feature, bool is_signed) {
  const std::string space[] = {"YOKE_GLOBAL", "YOKE_LOCAL_POINTER"};
  const char* const names[] = {"of_global", "of_local"};
  std::string text;
  for (int each = 0; each < 2; ++each) {
    text += "void " + std::string(names[each]) + "(" + space[each] + " " + type +
            "* p, YOKE_GLOBAL yoke_uint64* out) {\n" + R"(
  out[0] = (yoke_uint64)yoke_atomic_add(p, 5);
  out[1] = (yoke_uint64)yoke_atomic_sub(p, 20);
  out[2] = (yoke_uint64)yoke_atomic_min(p, 7);
  out[3] = (yoke_uint64)yoke_atomic_max(p, 12);
  out[4] = (yoke_uint64)yoke_atomic_and(p, 6);
  out[5] = (yoke_uint64)yoke_atomic_or(p, 3);
  out[6] = (yoke_uint64)yoke_atomic_xor(p, 2);
  out[7] = (yoke_uint64)yoke_atomic_exchange(p, 99);
  out[8] = (yoke_uint64)yoke_atomic_compare_exchange(p, 1, 2);
  out[9] = (yoke_uint64)yoke_atomic_compare_exchange(p, 99, 3);
  out[10] = (yoke_uint64)yoke_atomic_load(p);
  yoke_atomic_store(p, 1000);
  out[11] = (yoke_uint64)*p;
}
)";
  }
  text += "YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {\n  YOKE_LOCAL " + type +
          " shared[1];\n  YOKE_GLOBAL " + type + "* word = (YOKE_GLOBAL " + type +
          "*)(out + 24);\n  shared[0] = 10;\n  word[0] = 10;\n  of_global(word, out);\n  of_local(shared, out + 12);\n "
          " out[24] = 0;\n}\n";
  // 10, 15, -5 or its unsigned twin, ...
  const bool wide = name.find("64") != std::string::npos;
  const std::int64_t below = is_signed || wide ? -5 : 4294967291;
  const std::int64_t least = is_signed ? -5 : 7;
  std::vector<std::int64_t> once{10, 15, below, least, 12, 4, 7, 5, 99, 99, 3, 1000};
  std::vector<std::int64_t> both = once;
  both.insert(both.end(), once.begin(), once.end());
  both.push_back(0);
  return whole_kernel("atomics_of_" + name, feature, text, both);
}

/// Many threads at once: a sum in device memory, one in local memory, and each old value once.
kernel together(const std::string& type, const std::string& name, const std::string& feature) {
  const std::string source =
      "YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {\n  YOKE_LOCAL " + type +
      " shared[1];\n  YOKE_GLOBAL " + type + "* sums = (YOKE_GLOBAL " + type + "*)(out + 128);\n" + R"(
  if (get_local_id(0) == 0) shared[0] = 0;
  YOKE_BARRIER_LOCAL();
  yoke_atomic_add(shared, 2);
  YOKE_BARRIER_LOCAL();
  if (get_local_id(0) == 0) yoke_atomic_add(sums + 1, shared[0]);
  out[(int)yoke_atomic_add(sums, 1)] = 1;
}
)";
  std::vector<std::int64_t> expected(128, 1);
  if (type == "float") {
    expected.push_back(static_cast<std::int64_t>(word_of(128.0F) | word_of(256.0F) << 32));
  } else if (type == "double") {
    expected.push_back(static_cast<std::int64_t>(word_of(128.0)));
    expected.push_back(static_cast<std::int64_t>(word_of(256.0)));
  } else if (name.find("64") != std::string::npos) {
    expected.insert(expected.end(), {128, 256});
  } else {
    expected.push_back(128 + (std::int64_t{256} << 32));
  }
  return whole_kernel("many_atomics_of_" + name, feature, source, expected, {4, 1, 1}, {32, 1, 1});
}

kernel of_reals(const std::string& type, const std::string& feature) {
  std::string text;
  const std::string space[] = {"YOKE_GLOBAL", "YOKE_LOCAL_POINTER"};
  const char* const names[] = {"of_global", "of_local"};
  for (int each = 0; each < 2; ++each) {
    text += "void " + std::string(names[each]) + "(" + space[each] + " " + type +
            "* p, YOKE_GLOBAL yoke_uint64* out) {\n" + R"(
  out[0] = (yoke_uint64)(100 * yoke_atomic_add(p, 0.25f));
  out[1] = (yoke_uint64)(100 * yoke_atomic_exchange(p, 7.5f));
  out[2] = (yoke_uint64)(100 * yoke_atomic_load(p));
  yoke_atomic_store(p, 2.5f);
  out[3] = (yoke_uint64)(100 * *p);
}
)";
  }
  text += "YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {\n  YOKE_LOCAL " + type +
          " shared[1];\n  YOKE_GLOBAL " + type + "* word = (YOKE_GLOBAL " + type +
          "*)(out + 8);\n  shared[0] = 1.5f;\n  word[0] = 1.5f;\n  of_global(word, out);\n  of_local(shared, out + "
          "4);\n  out[8] = 0;\n}\n";
  return whole_kernel("atomics_of_" + type, feature, text, {150, 175, 750, 250, 150, 175, 750, 250, 0});
}

}  // namespace

std::vector<kernel> atomic_kernels() {
  return {in_turn("yoke_int32", "int32", "", true),
          in_turn("yoke_uint32", "uint32", "", false),
          in_turn("yoke_int64", "int64", "INT64_ATOMICS", true),
          in_turn("yoke_uint64", "uint64", "INT64_ATOMICS", false),
          of_reals("float", ""),
          of_reals("double", "FP64_ATOMICS"),
          together("yoke_int32", "int32", ""),
          together("yoke_uint32", "uint32", ""),
          together("yoke_int64", "int64", "INT64_ATOMICS"),
          together("yoke_uint64", "uint64", "INT64_ATOMICS"),
          together("float", "float", ""),
          together("double", "double", "FP64_ATOMICS")};
}

}  // namespace yoke_test::dialect

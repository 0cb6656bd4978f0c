// SPDX-License-Identifier: MIT
// The dialect's conformance table: kernels that are made from rows, and what every device has to make of them.
#ifndef YOKE_TESTS_DIALECT_TABLE_HPP
#define YOKE_TESTS_DIALECT_TABLE_HPP

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace yoke_test::dialect {

/// One scalar: an integer extended to 64 bits, or the bits of a real number.
using word = std::uint64_t;

/// Results of one row.
struct result_column {
  std::string text;                 ///< the expression, or what a whole kernel's words are
  std::string type;                 ///< "float", "double", or any integer
  double ulps = 0;                  ///< of a real: how far from the reference in units in the last place
  double absolute = 0;              ///< of a real: allowed beside that
  std::vector<word> expected{};     ///< of integers
  std::vector<long double> real{};  ///< of reals
};

/// A program with one kernel, `run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out)`.
struct kernel {
  std::string name;
  std::string feature;  ///< "FP64": it needs YOKE_HAS_FP64; "": every device has it
  std::string source;
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{1, 1, 1};
  unsigned images = 0;    ///< its kind, 1 to 5: `run` takes an image, a sampler and an image to write before the rest
  bool in_place = false;  ///< of these: it takes one image, which it reads and writes
  bool dynamic_local = false;  ///< whether `run` also takes YOKE_LOCAL_ARG(float, scratch), of 64 elements
  std::vector<word> input{0};
  std::vector<result_column> results{};
};

// ---- Host types: their names on the device, their words.

template <class T, int N>
struct lanes {
  std::array<T, N> v{};
  T operator[](int at) const { return v[static_cast<std::size_t>(at)]; }
};
/// Returns: each lane's result.
template <class R = void, class F, class T, int N, class... Rest>
auto each_lane(F function, const lanes<T, N>& first, const Rest&... rest) {
  using result = std::conditional_t<std::is_void_v<R>, T, R>;
  lanes<result, N> made;
  for (int at = 0; at < N; ++at)
    made.v[static_cast<std::size_t>(at)] = static_cast<result>(function(first[at], rest[at]...));
  return made;
}

template <class T>
struct host_type {
  using scalar = T;
  static constexpr int count = 1;
  static T lane(const T& value, int) { return value; }
};
template <class T, int N>
struct host_type<lanes<T, N>> {
  using scalar = T;
  static constexpr int count = N;
  static T lane(const lanes<T, N>& value, int at) { return value[at]; }
};

template <class T>
std::string scalar_name() {
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, double>) return "double";
  const std::string bits = std::to_string(8 * sizeof(T));
  return (std::is_signed_v<T> ? "yoke_int" : "yoke_uint") + bits;
}
template <class T>
std::string type_name() {
  if constexpr (host_type<T>::count == 1) return scalar_name<T>();
  using scalar = typename host_type<T>::scalar;
  const char* const name = std::is_same_v<scalar, float>    ? "float"
                           : std::is_same_v<scalar, double> ? "double"
                           : std::is_signed_v<scalar>       ? "int"
                                                            : "uint";
  return name + std::to_string(host_type<T>::count);
}
template <class T>
word word_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits = 0;
    static_assert(sizeof bits == sizeof value);
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
  } else {
    return static_cast<word>(static_cast<std::int64_t>(value));
  }
}

/// Makes a kernel whose rows are expressions of the columns a, b, c, ..., one value of each at a time.
template <class... A>
class evaluation {
 public:
  evaluation(std::string name, std::string feature, std::vector<std::tuple<A...>> sets)
      : name_(std::move(name)), feature_(std::move(feature)), sets_(std::move(sets)) {}

  /// Effects: adds a row. `function` takes the columns' values; of a real result it may return a wider type.
  template <class R, class F>
  void add(const std::string& text, F function, double ulps = 0, double absolute = 0) {
    using host = host_type<R>;
    using scalar = typename host::scalar;
    constexpr int count = host::count;
    for (int at = 0; at < count; ++at) {
      result_column column;
      column.text = count == 1 ? text : "(" + text + ")." + "xyzw"[at];
      column.type = scalar_name<scalar>();
      column.ulps = ulps;
      column.absolute = absolute;
      for (const auto& set : sets_) {
        const auto value = std::apply(function, set);
        const auto lane = host_type<std::remove_const_t<decltype(value)>>::lane(value, at);
        if constexpr (std::is_floating_point_v<scalar>) {
          column.real.push_back(static_cast<long double>(lane));
        } else {
          column.expected.push_back(word_of(static_cast<scalar>(lane)));
        }
      }
      results_.push_back(std::move(column));
    }
    body_ += "  {\n    " + type_name<R>() + " r = " + text + ";\n";
    for (int at = 0; at < count; ++at, ++row_) {
      const std::string lane = count == 1 ? "r" : std::string("r.") + "xyzw"[at];
      body_ += "    out[" + std::to_string(row_ * sets_.size()) + " + i] = " + encoded<scalar>(lane) + ";\n";
    }
    body_ += "  }\n";
  }

  /// Returns: the kernel of all rows.
  kernel finish(const std::string& before = "") const {
    kernel made;
    made.name = name_;
    made.feature = feature_;
    made.block[0] = static_cast<unsigned>(sets_.size());
    made.results = results_;
    made.input.clear();
    std::string text = before + "YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {\n" +
                       "  int i = (int)get_global_id(0);\n";
    std::size_t at = 0;
    char name = 'a';
    (decode<A>(text, at, name), ...);
    made.source = text + body_ + "}\n";
    for (const auto& set : sets_) {
      std::apply([&](const A&... values) { (append(made.input, values), ...); }, set);
    }
    return made;
  }

 private:
  static constexpr std::size_t stride = (std::size_t{0} + ... + static_cast<std::size_t>(host_type<A>::count));

  template <class S>
  static std::string encoded(const std::string& value) {
    if constexpr (std::is_same_v<S, float>) return "(yoke_uint64)as_uint(" + value + ")";
    if constexpr (std::is_same_v<S, double>) return "as_ulong(" + value + ")";
    return "(yoke_uint64)(yoke_int64)(" + value + ")";
  }
  template <class T>
  static void decode(std::string& text, std::size_t& at, char& name) {
    using scalar = typename host_type<T>::scalar;
    std::string value;
    for (int lane = 0; lane < host_type<T>::count; ++lane, ++at) {
      const std::string given = "in[" + std::to_string(stride) + " * i + " + std::to_string(at) + "]";
      value += lane == 0 ? "" : ", ";
      value += std::is_same_v<scalar, float>    ? "as_float((uint)" + given + ")"
               : std::is_same_v<scalar, double> ? "as_double(" + given + ")"
                                                : "(" + scalar_name<scalar>() + ")" + given;
    }
    const std::string type = type_name<T>();
    text += "  " + type + " " + name++ + " = " +
            (host_type<T>::count == 1 ? value : "make_" + type + "(" + value + ")") + ";\n";
  }
  template <class T>
  static void append(std::vector<word>& to, const T& value) {
    for (int lane = 0; lane < host_type<T>::count; ++lane) to.push_back(word_of(host_type<T>::lane(value, lane)));
  }

  std::string name_, feature_;
  std::vector<std::tuple<A...>> sets_;
  std::string body_;
  std::size_t row_ = 0;
  std::vector<result_column> results_;
};

/// Returns: a kernel in full, with its results as whole numbers in the order of `out`.
kernel whole_kernel(const std::string& name, const std::string& feature, const std::string& source,
                    const std::vector<std::int64_t>& expected, std::array<unsigned, 3> grid = {1, 1, 1},
                    std::array<unsigned, 3> block = {1, 1, 1});

using family = std::vector<kernel>();
family real_kernels, integer_kernels, vector_kernels, conversion_kernels, memory_kernels, atomic_kernels, group_kernels,
    small_float_kernels, image_kernels;

/// Returns: the whole table.
const std::vector<kernel>& table();

/// Returns: how `found` differs from what was expected, one line a column, or "".
std::string differences(const kernel& of, const std::vector<word>& found);

/// Features that kernels of the table need, without "YOKE_HAS_".
inline constexpr std::array<const char*, 7> features{"FP64",       "FP16",   "INT64_ATOMICS",    "FP64_ATOMICS",
                                                     "SUB_GROUPS", "IMAGES", "READ_WRITE_IMAGES"};

}  // namespace yoke_test::dialect

#endif

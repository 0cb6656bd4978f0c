// SPDX-License-Identifier: MIT
// Vectors of two and four: operators, comparisons, loads and stores, and mathematics on them.
#include <dialect/table.hpp>

#include <algorithm>
#include <bit>
#include <tuple>

namespace yoke_test::dialect {

namespace {

/// Columns: two vectors, then a scalar of their element.
template <class T, int N>
using vector_rows = evaluation<lanes<T, N>, lanes<T, N>, T>;

template <class T, int N, class R, class F>
void add_binary(vector_rows<T, N>& rows, const std::string& o, F function) {
  using V = lanes<T, N>;
  using RV = lanes<R, N>;
  const auto broadcast = [function](const V& a, T b) { return each_lane<R>([=](T x) { return function(x, b); }, a); };
  rows.template add<RV>("a " + o + " b", [=](const V& a, const V& b, T) { return each_lane<R>(function, a, b); });
  rows.template add<RV>("a " + o + " c", [=](const V& a, const V&, T c) { return broadcast(a, c); });
  rows.template add<RV>(
      "c " + o + " b", [=](const V&, const V& b, T c) { return each_lane<R>([=](T x) { return function(c, x); }, b); });
}

template <class T, int N>
void add_shared(vector_rows<T, N>& rows) {
  using V = lanes<T, N>;
  const std::string n = std::to_string(N);
  add_binary<T, N, T>(rows, "+", [](T x, T y) { return static_cast<T>(x + y); });
  add_binary<T, N, T>(rows, "-", [](T x, T y) { return static_cast<T>(x - y); });
  add_binary<T, N, T>(rows, "*", [](T x, T y) { return static_cast<T>(x * y); });
  rows.template add<V>(
      "-a", [](const V& a, const V&, T) { return each_lane([](T x) { return static_cast<T>(T(0) - x); }, a); });
  rows.template add<V>(
      "min(a, b)", [](const V& a, const V& b, T) { return each_lane([](T x, T y) { return std::min(x, y); }, a, b); });
  rows.template add<V>(
      "max(a, b)", [](const V& a, const V& b, T) { return each_lane([](T x, T y) { return std::max(x, y); }, a, b); });
  rows.template add<V>("min(a, c)",
                       [](const V& a, const V&, T c) { return each_lane([=](T x) { return std::min(x, c); }, a); });
  rows.template add<V>("max(a, c)",
                       [](const V& a, const V&, T c) { return each_lane([=](T x) { return std::max(x, c); }, a); });
  const std::string t = scalar_name<T>();
  rows.template add<V>("clamp(a, (" + t + ")1, (" + t + ")4)", [](const V& a, const V&, T) {
    return each_lane([](T x) { return std::clamp(x, T(1), T(4)); }, a);
  });
  rows.template add<V>("clamp(a, min(a, b), max(a, b))", [](const V& a, const V&, T) { return a; });
  // A helper, because a compound assignment needs somewhere to go.
  rows.template add<V>("assigned(a, b, c)", [](const V& a, const V& b, T c) {
    return each_lane([=](T x, T y) { return static_cast<T>(((x + y) * c - y) + c); }, a, b);
  });
  rows.template add<V>("stored(a, b)", [](const V& a, const V& b, T) {
    return each_lane([](T x, T y) { return static_cast<T>(x + T(2) * y); }, a, b);
  });
}
std::string helpers(const std::string& type, const std::string& scalar, int n) {
  const std::string count = std::to_string(n);
  return type + " assigned(" + type + " a, " + type + " b, " + scalar +
         " c) {\n  a += b;\n  a *= c;\n  a -= b;\n  a += c;\n  return a;\n}\n" + type + " stored(" + type + " a, " +
         type + " b) {\n  YOKE_PRIVATE " + scalar + " p[" + std::to_string(3 * n + 1) + "];\n  vstore" + count +
         "(a, 1, p);\n  vstore" + count + "(b, 1, p + 1 + " + count + ");\n" + "  return vload" + count +
         "(1, p) + vload" + count + "(1, p + 1 + " + count + ") * (" + scalar + ")2;\n}\n";
}

template <class T, int N>
void add_integers(vector_rows<T, N>& rows) {
  using V = lanes<T, N>;
  add_binary<T, N, T>(rows, "&", [](T x, T y) { return static_cast<T>(x & y); });
  add_binary<T, N, T>(rows, "|", [](T x, T y) { return static_cast<T>(x | y); });
  add_binary<T, N, T>(rows, "^", [](T x, T y) { return static_cast<T>(x ^ y); });
  add_binary<T, N, T>(rows, "/", [](T x, T y) { return static_cast<T>(x / y); });
  add_binary<T, N, T>(rows, "%", [](T x, T y) { return static_cast<T>(x % y); });
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  const auto each2 = [](auto function) {
    return [function](const V& a, const V& b, T) { return each_lane(function, a, b); };
  };
  const auto saturated = [](__int128 value) {
    using limits = std::numeric_limits<T>;
    return static_cast<T>(
        std::clamp(value, static_cast<__int128>(limits::min()), static_cast<__int128>(limits::max())));
  };
  const auto high = [](T x, T y) { return static_cast<T>(static_cast<W>(x) * static_cast<W>(y) >> 32); };
  rows.template add<V>("mul_hi(a, b)", each2(high));
  rows.template add<V>("mad_hi(a, b, a)",
                       each2([=](T x, T y) { return static_cast<T>(static_cast<U>(high(x, y)) + static_cast<U>(x)); }));
  rows.template add<V>("mad_sat(a, b, a)",
                       each2([=](T x, T y) { return saturated(static_cast<__int128>(x) * y + x); }));
  rows.template add<V>("add_sat(a, a)", each2([=](T x, T) { return saturated(static_cast<__int128>(x) + x); }));
  rows.template add<V>("sub_sat(b, a)", each2([=](T x, T y) { return saturated(static_cast<__int128>(y) - x); }));
  rows.template add<V>("hadd(a, b)",
                       each2([](T x, T y) { return static_cast<T>((static_cast<__int128>(x) + y) >> 1); }));
  rows.template add<V>("rhadd(a, b)",
                       each2([](T x, T y) { return static_cast<T>((static_cast<__int128>(x) + y + 1) >> 1); }));
  rows.template add<V>("rotate(a, b)", each2([](T x, T y) {
                         return static_cast<T>(std::rotl(static_cast<U>(x), static_cast<int>(static_cast<U>(y) % 32)));
                       }));
  rows.template add<V>("popcount(a)", each2([](T x, T) { return static_cast<T>(std::popcount(static_cast<U>(x))); }));
  rows.template add<V>("clz(a)", each2([](T x, T) { return static_cast<T>(std::countl_zero(static_cast<U>(x))); }));
  rows.template add<V>("mul24(a & 0xffff, b & 0xff)",
                       each2([](T x, T y) { return static_cast<T>((x & 0xffff) * (y & 0xff)); }));
  rows.template add<V>("mad24(a & 0xffff, b & 0xff, b)",
                       each2([](T x, T y) { return static_cast<T>((x & 0xffff) * (y & 0xff) + y); }));
  const auto distance = [](T x, T y) {
    return static_cast<U>(x < y ? static_cast<U>(y) - static_cast<U>(x) : static_cast<U>(x) - static_cast<U>(y));
  };
  rows.template add<lanes<U, N>>("abs_diff(a, b)", [=](const V& a, const V& b, T) {
    return each_lane<U>([=](T x, T y) { return distance(x, y); }, a, b);
  });
  rows.template add<lanes<U, N>>(
      "abs(a)", [=](const V& a, const V&, T) { return each_lane<U>([=](T x) { return distance(x, T(0)); }, a); });
  // Amounts count modulo the width.
  const auto left = [](T x, T y) { return static_cast<T>(static_cast<U>(x) << (static_cast<U>(y) % 32)); };
  const auto right = [](T x, T y) { return static_cast<T>(x >> (static_cast<U>(y) % 32)); };
  rows.template add<V>("a << b", each2(left));
  rows.template add<V>("a >> b", each2(right));
  rows.template add<V>("a >> c",
                       [=](const V& a, const V&, T c) { return each_lane([=](T x) { return right(x, c); }, a); });
  rows.template add<V>("shifted(a, b)", each2([=](T x, T y) { return right(left(x, T(34)), y); }));
  rows.template add<V>("a << 3",
                       [](const V& a, const V&, T) { return each_lane([](T x) { return static_cast<T>(x * 8); }, a); });
  rows.template add<V>(
      "a >> 1", [](const V& a, const V&, T) { return each_lane([](T x) { return static_cast<T>(x >> 1); }, a); });
  rows.template add<V>("~a",
                       [](const V& a, const V&, T) { return each_lane([](T x) { return static_cast<T>(~x); }, a); });
}

template <class T, int N>
void add_comparisons(vector_rows<T, N>& rows) {
  using V = lanes<T, N>;
  const auto add = [&](const std::string& o, auto function) {
    add_binary<T, N, std::int32_t>(rows, o, [=](T x, T y) { return function(x, y) ? -1 : 0; });
  };
  add("<", [](T x, T y) { return x < y; });
  add("<=", [](T x, T y) { return x <= y; });
  add(">", [](T x, T y) { return x > y; });
  add(">=", [](T x, T y) { return x >= y; });
  add("==", [](T x, T y) { return x == y; });
  add("!=", [](T x, T y) { return x != y; });
  rows.template add<std::int32_t>("any(a < b)", [](const V& a, const V& b, T) {
    bool one = false;
    for (int at = 0; at < N; ++at) one = one || a[at] < b[at];
    return one ? 1 : 0;
  });
  rows.template add<std::int32_t>("all(a < b)", [](const V& a, const V& b, T) {
    bool every = true;
    for (int at = 0; at < N; ++at) every = every && a[at] < b[at];
    return every ? 1 : 0;
  });
  rows.template add<V>("select(a, b, a < b)", [](const V& a, const V& b, T) {
    return each_lane([](T x, T y) { return std::max(x, y); }, a, b);
  });
}

template <class T, int N>
void add_reals(vector_rows<T, N>& rows) {
  using V = lanes<T, N>;
  using W = std::conditional_t<sizeof(T) == 4, double, long double>;
  const auto add = [&](const std::string& text, auto function, double ulps, double absolute = 0) {
    rows.template add<V>(
        text,
        [function](const V& a, const V& b, T) {
          return each_lane<W>([=](T x, T y) { return function(static_cast<W>(x), static_cast<W>(y)); }, a, b);
        },
        ulps, absolute);
  };
  add(
      "a / b", [](W x, W y) { return x / y; }, 2.5);
  add(
      "sqrt(b)", [](W, W y) { return std::sqrt(y); }, 3);
  add(
      "rsqrt(b)", [](W, W y) { return 1 / std::sqrt(y); }, 2);
  add(
      "exp(a)", [](W x, W) { return std::exp(x); }, 3);
  add(
      "exp2(a)", [](W x, W) { return std::exp2(x); }, 3);
  add(
      "log(b)", [](W, W y) { return std::log(y); }, 3);
  add(
      "log2(b)", [](W, W y) { return std::log2(y); }, 3);
  add(
      "sin(a)", [](W x, W) { return std::sin(x); }, 4);
  add(
      "cos(a)", [](W x, W) { return std::cos(x); }, 4);
  add(
      "tan(a)", [](W x, W) { return std::tan(x); }, 5);
  add(
      "tanh(a)", [](W x, W) { return std::tanh(x); }, 5);
  add(
      "fabs(a)", [](W x, W) { return std::fabs(x); }, 0);
  add(
      "floor(a)", [](W x, W) { return std::floor(x); }, 0);
  add(
      "ceil(a)", [](W x, W) { return std::ceil(x); }, 0);
  add(
      "trunc(a)", [](W x, W) { return std::trunc(x); }, 0);
  add(
      "round(a)", [](W x, W) { return std::round(x); }, 0);
  add(
      "rint(a)", [](W x, W) { return std::rint(x); }, 0);
  add(
      "fmin(a, b)", [](W x, W y) { return std::fmin(x, y); }, 0);
  add(
      "fmax(a, b)", [](W x, W y) { return std::fmax(x, y); }, 0);
  add(
      "fmod(a, b)", [](W x, W y) { return std::fmod(x, y); }, 0);
  add(
      "pow(b, a)", [](W x, W y) { return std::pow(y, x); }, 16);
  add(
      "fma(a, b, a)", [](W x, W y) { return x * y + x; }, 0.1);
  add(
      "mad(a, b, a)", [](W x, W y) { return x * y + x; }, 4, 1e-5);
  add(
      "mix(a, b, a)", [](W x, W y) { return x + (y - x) * x; }, 4, 1e-4);
  rows.template add<V>(
      "mix(a, b, c)",
      [](const V& a, const V& b, T c) {
        return each_lane<W>(
            [=](T x, T y) { return static_cast<W>(x) + (static_cast<W>(y) - static_cast<W>(x)) * static_cast<W>(c); },
            a, b);
      },
      4, 1e-4);
  const auto product = [](const V& a, const V& b) {
    W sum = 0;
    for (int at = 0; at < N; ++at) sum += static_cast<W>(a[at]) * static_cast<W>(b[at]);
    return sum;
  };
  rows.template add<T>(
      "dot(a, b)", [=](const V& a, const V& b, T) { return product(a, b); }, 8, 1e-4);
  rows.template add<T>(
      "length(a)", [=](const V& a, const V&, T) { return std::sqrt(product(a, a)); }, 8);
}

/// Loads and stores in device and local memory, with elements that are not aligned as the vector.
std::string memory_source(const std::string& type, const std::string& decode, const std::string& encode) {
  std::string text =
      "YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {\n  YOKE_LOCAL " + type +
      "4 aligned[4];\n" + "  YOKE_LOCAL_POINTER " + type + "* s = (YOKE_LOCAL_POINTER " + type + "*)aligned;\n" +
      "  for (int k = 0; k < 16; ++k) s[k] = " + decode + "(10 + k + in[0]);\n";
  int at = 0;
  const auto give = [&](const std::string& lane) {
    text += "  out[" + std::to_string(at++) + "] = " + encode + "(" + lane + ");\n";
  };
  text += "  " + type + "2 two = vload2(1, s + 1);\n  " + type + "4 four = vload4(2, s + 3);\n";
  for (const char* const each : {"two.x", "two.y", "four.x", "four.w"}) give(each);
  text += "  vstore2(two, 2, s + 1);\n  vstore4(four, 1, s + 5);\n";
  for (const char* const each : {"s[4]", "s[5]", "s[6]", "s[7]", "s[9]", "s[12]", "s[13]"}) give(each);
  text += "  two = yoke_load_aligned2(1, s);\n  four = yoke_load_aligned4(0, s);\n";
  for (const char* const each : {"two.x", "two.y", "four.x", "four.y", "four.z", "four.w"}) give(each);
  text += "  yoke_store_aligned2(two, 7, s);\n  yoke_store_aligned4(four, 2, s);\n";
  for (const char* const each : {"s[14]", "s[15]", "s[8]", "s[11]"}) give(each);
  return text + "}\n";
}
const std::vector<std::int64_t> memory_results{13, 14, 21, 24, 14, 13, 14, 17, 21, 24, 23,
                                               12, 13, 10, 11, 12, 13, 12, 13, 10, 13};

template <class T, int N>
vector_rows<T, N> rows_of(const std::string& name, const std::string& feature, const std::array<T, 12>& values) {
  std::vector<std::tuple<lanes<T, N>, lanes<T, N>, T>> sets;
  for (std::size_t first = 0; first < 4; ++first) {
    lanes<T, N> a;
    lanes<T, N> b;
    for (std::size_t at = 0; at < N; ++at) {
      a.v[at] = values[(first * 3 + at) % 6];
      b.v[at] = values[6 + (first + at) % 6];  // positive
    }
    sets.emplace_back(a, b, values[6 + first]);
  }
  return {name, feature, sets};
}

}  // namespace

std::vector<kernel> vector_kernels() {
  std::vector<kernel> all;
  const auto add_real = [&]<class T, int N>(const std::string& feature, std::array<T, 12> values, lanes<T, N>) {
    auto rows = rows_of<T, N>((sizeof(T) == 4 ? "float" : "double") + std::to_string(N), feature, values);
    add_shared<T, N>(rows);
    add_reals<T, N>(rows);
    if constexpr (sizeof(T) == 4) add_comparisons<T, N>(rows);
    all.push_back(rows.finish(helpers(type_name<lanes<T, N>>(), scalar_name<T>(), N)));
  };
  const std::array<float, 12> singles{-2.5F, 0.5F, 3.25F, -0.75F, 2.0F, 1.5F, 0.5F, 2.0F, 3.5F, 0.25F, 4.0F, 1.5F};
  add_real("", singles, lanes<float, 2>{});
  add_real("", singles, lanes<float, 4>{});
  std::array<double, 12> doubles{};
  std::copy(singles.begin(), singles.end(), doubles.begin());
  add_real("FP64", doubles, lanes<double, 2>{});
  add_real("FP64", doubles, lanes<double, 4>{});
  const auto add_whole = [&]<class T, int N>(std::array<T, 12> values, lanes<T, N>) {
    auto rows = rows_of<T, N>((std::is_signed_v<T> ? "int" : "uint") + std::to_string(N), "", values);
    add_shared<T, N>(rows);
    add_integers<T, N>(rows);
    add_comparisons<T, N>(rows);
    const std::string type = type_name<lanes<T, N>>();
    const std::string shifted =
        type + " shifted(" + type + " a, " + type + " b) {\n  a <<= 34;\n  a >>= b;\n  return a;\n}\n";
    all.push_back(rows.finish(helpers(type, scalar_name<T>(), N) + shifted));
  };
  const std::array<std::int32_t, 12> ints{-25, 5, 3, -7, 20000, 15, 5, 2, 3, 7, 4, 15};
  add_whole(ints, lanes<std::int32_t, 2>{});
  add_whole(ints, lanes<std::int32_t, 4>{});
  const std::array<std::uint32_t, 12> uints{4294967295U, 5, 3, 2147483648U, 20000, 15, 5, 2, 3, 7, 4, 15};
  add_whole(uints, lanes<std::uint32_t, 2>{});
  add_whole(uints, lanes<std::uint32_t, 4>{});
  all.push_back(
      whole_kernel("memory_of_float_vectors", "", memory_source("float", "(float)", "(yoke_uint64)"), memory_results));
  all.push_back(
      whole_kernel("memory_of_int_vectors", "", memory_source("int", "(int)", "(yoke_uint64)"), memory_results));
  all.push_back(
      whole_kernel("memory_of_uint_vectors", "", memory_source("uint", "(uint)", "(yoke_uint64)"), memory_results));
  all.push_back(whole_kernel("memory_of_double_vectors", "FP64", memory_source("double", "(double)", "(yoke_uint64)"),
                             memory_results));
  all.push_back(whole_kernel("memory_on_the_device", "", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  YOKE_GLOBAL uint* words = (YOKE_GLOBAL uint*)out;
  yoke_store_aligned2(make_uint2(1, (uint)in[0]), 0, words);
  yoke_store_aligned4(make_uint4(2, 0, 3, 0), 1, words);
  yoke_store_aligned2(make_uint2(4, 0), 1, words);
  vstore2(make_uint2(5, 0), 4, words);
  vstore4(make_uint4(6, 0, 7, 0), 2, words + 2);
  uint2 two = yoke_load_aligned2(1, words);
  uint4 four = yoke_load_aligned4(1, words);
  out[7] = two.x + four.x + four.z + vload2(4, words).x + vload4(2, words + 2).z;
}
)",
                             {1, 4, 2, 3, 5, 6, 7, 4 + 2 + 3 + 5 + 7}));
  all.push_back(whole_kernel("sizes_of_vectors", "", R"(
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  out[0] = sizeof(float2); out[1] = sizeof(float4); out[2] = sizeof(int2); out[3] = sizeof(int4);
  out[4] = sizeof(uint2); out[5] = sizeof(uint4);
}
)",
                             {8, 16, 8, 16, 8, 16}));
  all.push_back(whole_kernel("sizes_of_double_vectors", "FP64", R"(
typedef struct { yoke_float64 first; double4 second; double2 third; } mixed;
YOKE_KERNEL run(YOKE_GLOBAL const yoke_uint64* in, YOKE_GLOBAL yoke_uint64* out) {
  out[0] = sizeof(double2); out[1] = sizeof(double4); out[2] = sizeof(mixed);
}
)",
                             {16, 32, 96}));
  return all;
}

}  // namespace yoke_test::dialect

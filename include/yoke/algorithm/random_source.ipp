// SPDX-License-Identifier: MIT
// The texts of random numbers.
#ifndef YOKE_ALGORITHM_RANDOM_SOURCE_IPP
#define YOKE_ALGORITHM_RANDOM_SOURCE_IPP

#include <yoke/algorithm/random_source.hpp>
#include <yoke/array/evaluation/expression_kernel.hpp>
#include <yoke/array/geometry/shape.hpp>
#include <yoke/core/text.hpp>

namespace yoke::inline v0_1::detail {

inline constexpr const char* philox_text = R"(uint4 yoke_philox4x32(uint4 counter, uint2 key) {
  uint a = counter.x, b = counter.y, c = counter.z, d = counter.w, k = key.x, l = key.y;
  YOKE_UNROLL(10)
  for (int turn = 0; turn < 10; ++turn) {
    yoke_uint64 one = (yoke_uint64)a * 0xd2511f53u, other = (yoke_uint64)c * 0xcd9e8d57u;
    a = (uint)(other >> 32) ^ b ^ k;
    b = (uint)other;
    c = (uint)(one >> 32) ^ d ^ l;
    d = (uint)one;
    k += 0x9e3779b9u;
    l += 0xbb67ae85u;
  }
  return make_uint4(a, b, c, d);
}
)";

// Bits become numbers by operations that round in one way everywhere: conversions, products, `fma`. Compilers that fuse a
// product and a sum find none here, so that each device gives the same bits.
inline constexpr const char* float_text = R"(
float yoke_uniform_of(uint bits) { return (float)(bits >> 8) * 5.9604644775390625e-8f; }

float2 yoke_normals_of(uint first, uint second) {
  float u = fma((float)first, 2.3283064365386962890625e-10f, 1.16415321826934814453125e-10f);
  uint bits = as_uint(u);
  int exponent = (int)(bits - 0x3f3504f3u) >> 23;
  float f = as_float(bits - ((uint)exponent << 23)) - 1.0f;
  float p = fma(f, -0.062015f, 0.105308644f);
  p = fma(p, f, -0.10646192f);
  p = fma(p, f, 0.11037783f);
  p = fma(p, f, -0.124507435f);
  p = fma(p, f, 0.14286524f);
  p = fma(p, f, -0.16668001f);
  p = fma(p, f, 0.2000001f);
  p = fma(p, f, -0.2499999f);
  p = fma(p, f, 0.33333334f);
  float square = f * f;
  float logarithm = f + fma(p * f, square, -0.5f * square);
  float x = -2.0f * fma((float)exponent, 0.6931472f, logarithm);
  float y = as_float(0x5f3759dfu - (as_uint(x) >> 1));
  float h = 0.5f * x;
  y = y * fma(-(h * y), y, 1.5f);
  y = y * fma(-(h * y), y, 1.5f);
  y = y * fma(-(h * y), y, 1.5f);
  float r = x * y;
  r = fma(fma(-r, r, x), 0.5f * y, r);
  uint quarter = (second + 0x20000000u) >> 30;
  float angle = (float)(int)(second - (quarter << 30)) * 1.4629181e-9f;
  float z = angle * angle;
  float sine = fma(z, 2.7249926e-6f, -0.00019840087f);
  sine = fma(sine, z, 0.008333332f);
  sine = fma(sine, z, -0.16666667f);
  sine = fma(sine, angle * z, angle);
  float cosine = fma(z, -2.730096e-7f, 2.48006e-5f);
  cosine = fma(cosine, z, -0.0013888888f);
  cosine = fma(cosine, z, 0.041666668f);
  cosine = fma(cosine, z, -0.5f);
  cosine = fma(cosine, z, 1.0f);
  float across = (quarter & 1u) != 0u ? sine : cosine;
  float up = (quarter & 1u) != 0u ? cosine : sine;
  if (quarter == 1u || quarter == 2u) across = -across;
  if (quarter > 1u) up = -up;
  return make_float2(r * across, r * up);
}
)";

inline constexpr const char* double_text = R"(
double yoke_uniform_of_double(yoke_uint64 bits) { return (double)(bits >> 11) * 1.1102230246251565404e-16; }

double2 yoke_normals_of_double(yoke_uint64 first, yoke_uint64 second) {
  double u = fma((double)first, 5.42101086242752217e-20, 2.710505431213761085e-20);
  yoke_uint64 bits = as_ulong(u);
  int exponent = (int)((yoke_int64)(bits - 0x3fe6a09e667f3bcdul) >> 52);
  double f = as_double(bits - ((yoke_uint64)(yoke_int64)exponent << 52)) - 1.0;
  double s = f / (2.0 + f);
  double z = s * s;
  double p = fma(z, 0.13086626147840102, 0.13268773138656886);
  p = fma(p, z, 0.15386239702814658);
  p = fma(p, z, 0.18181795640132906);
  p = fma(p, z, 0.22222222391713917);
  p = fma(p, z, 0.28571428570803614);
  p = fma(p, z, 0.4000000000000088);
  p = fma(p, z, 0.6666666666666666);
  double logarithm = fma(s * z, p, 2.0 * s);
  double x = -2.0 * fma((double)exponent, 0.6931471805599453, logarithm);
  double r = sqrt(x);
  uint quarter = (uint)((second + 0x2000000000000000ul) >> 62);
  double angle = (double)(yoke_int64)(second - ((yoke_uint64)quarter << 62)) * 3.4061215800865545e-19;
  z = angle * angle;
  double sine = fma(z, -7.586697117706918e-13, 1.6058531618986147e-10);
  sine = fma(sine, z, -2.5052106232447578e-8);
  sine = fma(sine, z, 2.7557319219339167e-6);
  sine = fma(sine, z, -0.00019841269841265065);
  sine = fma(sine, z, 0.008333333333333331);
  sine = fma(sine, z, -0.16666666666666666);
  sine = fma(sine, angle * z, angle);
  double cosine = fma(z, 4.7458719020432915e-14, -1.1470460887609959e-11);
  cosine = fma(cosine, z, 2.087675579108042e-9);
  cosine = fma(cosine, z, -2.7557319221402824e-7);
  cosine = fma(cosine, z, 2.4801587301584645e-5);
  cosine = fma(cosine, z, -0.0013888888888888887);
  cosine = fma(cosine, z, 0.041666666666666664);
  cosine = fma(cosine, z, -0.5);
  cosine = fma(cosine, z, 1.0);
  double across = (quarter & 1u) != 0u ? sine : cosine;
  double up = (quarter & 1u) != 0u ? cosine : sine;
  if (quarter == 1u || quarter == 2u) across = -across;
  if (quarter > 1u) up = -up;
  return make_double2(r * across, r * up);
}
)";

// The last word of a counter keeps these numbers apart from those of arrays.
inline constexpr const char* drawing_text = R"(
uint4 yoke_random_block(yoke_uint64 seed, yoke_uint64 index, uint k) {
  return yoke_philox4x32(make_uint4((uint)index, (uint)(index >> 32), k, 16u), make_uint2((uint)seed, (uint)(seed >> 32)));
}
uint yoke_random_bits(yoke_uint64 seed, yoke_uint64 index, uint k) { return yoke_random_block(seed, index, k).x; }
yoke_uint64 yoke_random_bits64(yoke_uint64 seed, yoke_uint64 index, uint k) {
  uint4 block = yoke_random_block(seed, index, k);
  return (yoke_uint64)block.y << 32 | block.x;
}
uint yoke_random_below(yoke_uint64 seed, yoke_uint64 index, uint k, uint n) {
  return (uint)mul_hi(yoke_random_bits64(seed, index, k), (yoke_uint64)n);
}
float yoke_random_uniform(yoke_uint64 seed, yoke_uint64 index, uint k) {
  return yoke_uniform_of(yoke_random_bits(seed, index, k));
}
float4 yoke_random_uniform4(yoke_uint64 seed, yoke_uint64 index, uint k) {
  uint4 block = yoke_random_block(seed, index, k);
  return make_float4(yoke_uniform_of(block.x), yoke_uniform_of(block.y), yoke_uniform_of(block.z), yoke_uniform_of(block.w));
}
float2 yoke_random_normal2(yoke_uint64 seed, yoke_uint64 index, uint k) {
  uint4 block = yoke_random_block(seed, index, k);
  return yoke_normals_of(block.x, block.y);
}
float yoke_random_normal(yoke_uint64 seed, yoke_uint64 index, uint k) { return yoke_random_normal2(seed, index, k).x; }
)";
inline constexpr const char* double_drawing_text = R"(
double yoke_random_uniform_double(yoke_uint64 seed, yoke_uint64 index, uint k) {
  return yoke_uniform_of_double(yoke_random_bits64(seed, index, k));
}
double2 yoke_random_normal2_double(yoke_uint64 seed, yoke_uint64 index, uint k) {
  uint4 block = yoke_random_block(seed, index, k);
  return yoke_normals_of_double((yoke_uint64)block.y << 32 | block.x, (yoke_uint64)block.w << 32 | block.z);
}
double yoke_random_normal_double(yoke_uint64 seed, yoke_uint64 index, uint k) {
  return yoke_random_normal2_double(seed, index, k).x;
}
)";

/// Returns: the statements that make `value0`, `value1`, ... of `bits`, a block.
std::string draw_text(random_kind kind, std::uint32_t words, const char* number, bool is_double, bool is_pair) {
  std::string out;
  constexpr const char* parts[]{"bits.x", "bits.y", "bits.z", "bits.w"};
  constexpr const char* pairs[]{"((yoke_uint64)bits.y << 32 | bits.x)", "((yoke_uint64)bits.w << 32 | bits.z)"};
  const std::uint32_t lanes = 4 / words;
  const auto declare = [&](std::size_t lane) { out += text("  ", number, " value", lane, " = "); };
  switch (kind) {
    case random_kind::bits:
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        declare(lane);
        out += text((words == 1 ? parts : pairs)[lane], ";\n");
      }
      break;
    case random_kind::uniform:
      // A number that is rounded up to the end becomes the last one before it.
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        declare(lane);
        out += text("fma(yoke_uniform_of", is_double ? "_double(" : "(", (words == 1 ? parts : pairs)[lane],
                    "), b, a);\n  value", lane, " = value", lane, " > c ? c : value", lane, ";\n");
      }
      break;
    case random_kind::normal:
      for (std::size_t pair = 0; pair < (is_double ? 1U : 2U); ++pair) {
        const char* const type = is_double ? "double2" : "float2";
        out += text("  ", type, " pair", pair, " = yoke_normals_of", is_double ? "_double(" : "(",
                    (is_double ? pairs : parts)[2 * pair], ", ", (is_double ? pairs : parts)[2 * pair + 1], ");\n");
        if (is_pair) {
          declare(pair);
          out += text("make_", type, "(fma(b, pair", pair, ".x, a), fma(b, pair", pair, ".y, c));\n");
          continue;
        }
        declare(2 * pair);
        out += text("fma(b, pair", pair, ".x, a);\n");
        declare(2 * pair + 1);
        out += text("fma(b, pair", pair, ".y, a);\n");
      }
      break;
    case random_kind::integers:
      if (words == 4) {  // the upper half of 128 bits times how many integers there are
        out += text("  yoke_uint64 upper = ", pairs[1], " * b, carried = mul_hi(", pairs[0], ", b);\n");
        declare(0);
        return out + text("a + mul_hi(", pairs[1], ", b) + (upper + carried < upper ? 1u : 0u);\n");
      }
      for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        declare(lane);
        out += text("a + mul_hi(", pairs[lane], ", b);\n");
      }
  }
  return out;
}

std::string random_source(random_kind kind, const value_type_name& element, bool is_linear, bool counts) {
  const std::uint32_t words = random_words(kind, element);
  const std::uint32_t lanes = 4 / words;
  const bool is_real = kind == random_kind::uniform || kind == random_kind::normal;
  const bool is_double = element.kind == value_kind::float64 || element.kind == value_kind::complex128;
  const bool is_pair = is_complex(element.kind);
  const char* const number = !is_real ? "yoke_uint64" : is_double ? "double" : "float";
  const value_kind calculated = is_pair     ? element.kind
                                : !is_real  ? value_kind::uint64
                                : is_double ? value_kind::float64
                                            : value_kind::float32;
  std::string out = philox_text;
  if (is_real) out += is_double ? double_text : float_text;
  out += text("YOKE_STRUCT(yoke_r_steps) {\n  yoke_uint64 seed, first;\n  yoke_int64 count, offset, rank, extents[",
              max_array_rank, "], strides[", max_array_rank, "];\n};\n");
  const char* const start = counts ? "(steps.first + drawn[0])" : "steps.first";
  if (counts) {
    out +=
        "YOKE_KERNEL yoke_r_go_on(YOKE_GLOBAL yoke_uint64* drawn, yoke_uint64 count) {\n"
        "  if (get_global_id(0) == 0) drawn[0] += count;\n}\n";
  }
  // Compilers for CPUs make vectors of threads that have no loop.
  out += text("YOKE_KERNEL yoke_r_fill(YOKE_GLOBAL ", kind_name(element), "* to, yoke_r_steps steps, ", number, " a, ",
              number, " b, ", number, " c", counts ? ", YOKE_GLOBAL const yoke_uint64* drawn" : "",
              ") {\n  yoke_int64 first = (yoke_int64)get_global_id(0) * ", lanes, " - (yoke_int64)(", start, " & ",
              lanes - 1, "u);\n  if (first >= steps.count) return;\n", "  yoke_uint64 block = (", start,
              " + (yoke_uint64)first) / ", lanes, "u;\n",
              "  uint4 bits = yoke_philox4x32(make_uint4((uint)block, (uint)(block >> 32), 0u, ", words,
              "u), make_uint2((uint)steps.seed, (uint)(steps.seed >> 32)));\n  to += steps.offset;\n");
  out += draw_text(kind, words, is_pair ? kind_name(element) : number, is_double, is_pair);
  const auto store = [&](std::uint32_t lane, const std::string& place) {
    return store_text(element, {text("value", lane), calculated}, "to", place);
  };
  const auto place = [](std::uint32_t lane) { return text("first + ", lane); };
  if (is_linear) {
    out += text("  if (first >= 0 && first + ", lanes, " <= steps.count) {\n");
    const char* const vector = element.kind == value_kind::float32                ? "float4"
                               : element.kind == value_kind::float64              ? "double2"
                               : element.kind == value_kind::uint32 && lanes == 4 ? "uint4"
                                                                                  : nullptr;
    if (vector != nullptr) {
      out += text("    if ((size_t)(to + first) % sizeof(", vector, ") == 0) {\n      yoke_store_aligned", lanes,
                  "(make_", vector, "(");
      for (std::uint32_t lane = 0; lane < lanes; ++lane)
        out += text(lane == 0 ? "(" : ", (", kind_name(element), ")value", lane);
      out += "), 0, to + first);\n      return;\n    }\n";
    }
    for (std::uint32_t lane = 0; lane < lanes; ++lane) out += store(lane, place(lane));
    out += "    return;\n  }\n";
  }
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    out += text("  if (", place(lane), " >= 0 && ", place(lane), " < steps.count) {\n");
    if (is_linear) {
      out += store(lane, place(lane));
    } else {
      out += text("    yoke_int64 rest = ", place(lane),
                  ", place = 0;\n"
                  "    for (int axis = (int)steps.rank - 1; axis > 0; --axis) {\n"
                  "      place += rest % steps.extents[axis] * steps.strides[axis];\n"
                  "      rest /= steps.extents[axis];\n    }\n"
                  "    place += rest * steps.strides[0];\n");
      out += store(lane, "place");
    }
    out += "  }\n";
  }
  return out + "}\n";
}

}  // namespace yoke::inline v0_1::detail

namespace yoke::inline v0_1 {

embedded_header random_header() {
  return {"yoke_random.h", detail::text("#ifndef YOKE_RANDOM_H\n#define YOKE_RANDOM_H\n", detail::philox_text,
                                        detail::float_text, detail::drawing_text, "#if YOKE_HAS_FP64\n",
                                        detail::double_text, detail::double_drawing_text, "#endif\n#endif\n")};
}

}  // namespace yoke::inline v0_1

#endif

// SPDX-License-Identifier: MIT
// Bodies of fft/fft_transform.hpp.
#ifndef YOKE_FFT_FFT_TRANSFORM_IPP
#define YOKE_FFT_FFT_TRANSFORM_IPP

#include <yoke/array/evaluation/expression_axes.hpp>
#include <yoke/array/evaluation/given_element.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>
#include <yoke/fft/fft_transform.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <numbers>
#include <string_view>
#include <utility>

namespace yoke::inline v0_1::detail {

fft_shape& wanted_fft_shape() noexcept {
  static fft_shape wanted = fft_shape::automatic;
  return wanted;
}

// clang-format off
inline constexpr std::string_view fft_steps_text =
#include <yoke/kernels/fft/fft_steps.ipp>
    ;
inline constexpr std::string_view fft_load_text =
#include <yoke/kernels/fft/fft_load.ipp>
    ;
inline constexpr std::string_view fft_pass_text =
#include <yoke/kernels/fft/fft_pass.ipp>
    ;
inline constexpr std::string_view fft_group_text =
#include <yoke/kernels/fft/fft_group.ipp>
    ;
inline constexpr std::string_view fft_lanes_text =
#include <yoke/kernels/fft/fft_lanes.ipp>
    ;
// clang-format on

void set_sides(fft_transform& of, const byte_layout& to, const byte_layout& from, std::size_t axis,
               const source_location& where) {
  const auto to_element = static_cast<std::int64_t>(to.element);
  const auto from_element = static_cast<std::int64_t>(from.element);
  bool to_between = to.offset % to.element != 0;
  bool from_between = from.offset % from.element != 0;
  const auto in_elements = [](std::int64_t stride, std::int64_t element, bool& is_between) {
    is_between = is_between || stride % element != 0;
    return stride / element;
  };
  of.to_first = static_cast<std::int64_t>(to.offset) / to_element;
  of.from_first = static_cast<std::int64_t>(from.offset) / from_element;
  of.rows = 1;
  std::size_t rank = 0;
  for (std::size_t each = 0; each < to.axes.rank; ++each) {
    const std::int64_t to_stride = in_elements(to.axes.strides[each], to_element, to_between);
    const std::int64_t from_stride = in_elements(from.axes.strides[each], from_element, from_between);
    if (each == axis) {
      of.to_stride = to_stride;
      of.from_stride = from_stride;
      continue;
    }
    const auto extent = static_cast<std::int64_t>((std::min)(to.axes.extents[each], from.axes.extents[each]));
    if (extent == 1) continue;
    of.rows *= extent;
    if (rank != 0 && of.to_strides[rank - 1] == to_stride * extent &&
        of.from_strides[rank - 1] == from_stride * extent) {
      of.extents[rank - 1] *= extent;
      of.to_strides[rank - 1] = to_stride;
      of.from_strides[rank - 1] = from_stride;
      continue;
    }
    of.extents[rank] = extent;
    of.to_strides[rank] = to_stride;
    of.from_strides[rank++] = from_stride;
  }
  of.rank = static_cast<std::int64_t>(rank);
  if (to_between) throw_within_element(to.offset, to.element, where);
  if (from_between) throw_within_element(from.offset, from.element, where);
}

bool is_in_place(const fft_transform& of) noexcept {
  return !of.real_in && !of.real_out && !of.half && of.given == of.length && of.kept == of.length &&
         of.from_first == of.to_first && of.from_stride == of.to_stride &&
         std::equal(of.from_strides, of.from_strides + of.rank, of.to_strides);
}

std::vector<std::int64_t> fft_radices(std::int64_t length) {
  std::vector<std::int64_t> made;
  std::int64_t rest = length;
  int twos = 0;
  for (; rest % 2 == 0; rest /= 2) ++twos;
  for (std::int64_t prime = 3; prime <= most_fft_radix && rest > 1; prime += 2) {
    for (; rest % prime == 0; rest /= prime) made.push_back(prime);
  }
  if (rest != 1) return {};
  std::reverse(made.begin(), made.end());
  // Eights, and one or two fours in place of a two.
  const int fours = twos % 3 == 2 ? 1 : twos % 3 == 1 && twos > 1 ? 2 : 0;
  made.insert(made.end(), static_cast<std::size_t>((twos - 2 * fours) / 3), 8);
  made.insert(made.end(), static_cast<std::size_t>(fours), 4);
  if (twos == 1) made.push_back(2);
  if (made.empty()) made.push_back(1);
  return made;
}

std::int64_t fft_points(std::int64_t least) {
  std::int64_t best = 1;
  while (best < least) best *= 2;
  for (std::int64_t fives = 1; fives < best; fives *= 5) {
    for (std::int64_t threes = fives; threes < best; threes *= 3) {
      std::int64_t points = threes;
      while (points < least) points *= 2;
      best = (std::min)(best, points);
    }
  }
  return best;
}

/// Returns: how many roots a pass reads.
constexpr std::int64_t fft_turns_of(std::int64_t points, std::int64_t span, std::int64_t radix) noexcept {
  return (radix > most_small_radix ? radix : 0) + (radix - 1) * (points / (span * radix));
}
/// Returns: of how many points a column in local memory has at most, in which as many neighbouring columns find room.
std::int64_t points_in_block(const fft_device& on, bool in_double, std::int64_t columns) {
  const std::size_t pair = in_double ? 2 * sizeof(double) : 2 * sizeof(float);
  // CUDA's compiler takes 48 KiB of local memory in a kernel.
  const std::size_t bytes = (std::min)(on.local_bytes, std::size_t{48} << 10U);
  const std::size_t most = (in_double ? std::size_t{2048} : std::size_t{4096}) / static_cast<std::size_t>(columns);
  std::size_t points = 1;
  while (2 * points <= most && (2 * points + 2 * points / 16 + 1) * pair * static_cast<std::size_t>(columns) <= bytes)
    points *= 2;
  return static_cast<std::int64_t>(points);
}
/// Returns: how many of the lengths, from the first on, each kernel takes, so that the products are at most `most`.
std::vector<std::size_t> split_radices(std::span<const std::int64_t> radices, std::int64_t most) {
  std::vector<std::size_t> counts;
  std::int64_t product = 0;
  for (const std::int64_t radix : radices) {
    if (product == 0 || product * radix > most || counts.back() == most_fused_passes) {
      counts.push_back(0);
      product = 1;
    }
    product *= radix;
    ++counts.back();
  }
  return counts;
}
/// Returns: the same, in as few kernels, each with as few points as that allows.
std::vector<std::size_t> split_evenly(std::span<const std::int64_t> radices, std::int64_t most) {
  std::vector<std::size_t> best = split_radices(radices, most);
  for (;;) {
    most /= 2;
    std::vector<std::size_t> next = split_radices(radices, most);
    if (most < 2 || next.size() > best.size()) return best;
    best = std::move(next);
  }
}

/// Whether elements are counted by 64 bits. `by_chirp`: the passes take less than four times as many points.
bool is_wide_fft(const fft_transform& of, bool by_chirp) noexcept {
  return of.rows > 0 && (by_chirp ? 4 : 1) * of.length >= narrow_limit() / of.rows;
}
/// Whether rows suffice for what `fft_passes` asks of them on processors: for lanes, and for each processor.
bool fills_lanes(const fft_transform& of) noexcept { return of.rows >= fft_lanes(of.in_double) / 4; }
bool fills_units(const fft_transform& of, const fft_device& on) noexcept { return of.rows >= on.units; }

std::uint64_t fft_plan_key(const fft_transform& of, const fft_device& on, bool in_place) noexcept {
  auto all = static_cast<std::uint64_t>(of.length);  // at most 2^40
  all = all << 2U | static_cast<std::uint64_t>(on.shape);
  for (const bool each :
       {of.in_double, of.real_in, of.real_out, of.half, of.inverse, of.overlaps, of.scale != 1, in_place,
        is_wide_fft(of, false), is_wide_fft(of, true), fills_lanes(of), fills_units(of, on)}) {
    all = all << 1U | (each ? 1U : 0U);
  }
  return all;
}

std::vector<fft_pass> fft_passes(const fft_transform& of, const fft_device& on, bool in_place) {
  std::vector<std::int64_t> radices = fft_radices(of.length);
  const bool by_chirp = radices.empty();
  const std::int64_t points = by_chirp ? fft_points(2 * of.length - 1) : of.length;
  if (by_chirp) radices = fft_radices(points);
  std::vector<fft_pass> made;
  const fft_form common{.in_double = of.in_double,
                        .wide = is_wide_fft(of, by_chirp),
                        .real_in = of.real_in,
                        .real_out = of.real_out,
                        .half = of.half,
                        .inverse = of.inverse,
                        .scaled = of.scale != 1};
  for (int turn = 0; turn < (by_chirp ? 2 : 1); ++turn) {
    std::int64_t span = 1;
    std::int64_t turns = 0;
    const auto add = [&](std::span<const std::int64_t> of_kernel, fft_shape shape, std::int64_t columns) {
      fft_pass pass{.form = common, .points = points, .span = span, .turns = turns};
      pass.form.shape = shape;
      pass.form.count = static_cast<std::uint8_t>(of_kernel.size());
      pass.form.columns = static_cast<std::uint16_t>(columns);
      pass.form.start = span == 1;
      for (std::size_t k = 0; k < of_kernel.size(); ++k) {
        const std::int64_t radix = of_kernel[k];
        pass.form.radices[k] = static_cast<std::uint8_t>(radix > most_small_radix ? 0 : radix);
        pass.radix *= radix;
        turns += fft_turns_of(points, span, radix);
        span *= radix;
      }
      pass.form.turns = pass.radix != 1 && span != points;
      pass.form.whole = pass.radix == points;
      made.push_back(pass);
    };
    // A thread transforms rows in the lanes of vectors, or a row in two levels; several kernels share longer rows.
    const auto add_lanes = [&](std::span<const std::int64_t> rest, bool is_all) {
      const std::int64_t width = fft_lanes(of.in_double);
      if (rest.empty()) return;
      if (is_all && points <= 512 && fills_lanes(of)) return add(rest, fft_shape::lanes, 1);
      // A row between two levels has to stay in the cache, and each processor needs one.
      const std::int64_t most_between = fills_units(of, on) ? (std::int64_t{1} << 16) / (of.in_double ? 2 : 1) : 8192;
      if (is_all && points <= most_between && rest.size() <= most_fused_passes) {
        std::int64_t best = points;
        std::size_t split = 0;
        std::int64_t one = 1;
        for (std::size_t k = 1; k < rest.size(); ++k) {
          one *= rest[k - 1];
          const std::int64_t greater_one = (std::max)(one, points / one);
          if (greater_one >= best) continue;
          best = greater_one;
          split = k;
        }
        if (split != 0 && best <= points / width) {
          add(rest, fft_shape::lanes, 1);
          made.back().form.split = static_cast<std::uint8_t>(split);
          return;
        }
      }
      const std::int64_t most = (std::min)(std::int64_t{512}, points / width);
      std::size_t at = 0;
      const std::vector<std::size_t> counts = split_evenly(rest, most);
      for (const std::size_t count : counts) {
        std::int64_t product = 1;
        for (const std::int64_t radix : rest.subspan(at, count)) product *= radix;
        if (product <= most) {
          add(rest.subspan(at, count), fft_shape::lanes, 1);
        } else {
          for (std::size_t k = at; k < at + count; ++k) add(rest.subspan(k, 1), fft_shape::pass, 1);
        }
        at += count;
      }
    };
    const auto greater = static_cast<std::size_t>(
        std::count_if(radices.begin(), radices.end(), [](std::int64_t each) { return each > most_small_radix; }));
    const std::span<const std::int64_t> all(radices);
    const bool in_lanes = on.shape == fft_shape::lanes && points > 1;
    const bool fuses = (on.shape == fft_shape::group || in_lanes) && points > 1;
    const std::size_t alone = fuses ? greater : radices.size();
    for (std::size_t k = 0; k < alone; ++k) add(all.subspan(k, 1), fft_shape::pass, 1);
    if (in_lanes) {
      add_lanes(all.subspan(alone), alone == 0);
    } else if (alone == 0 && points <= points_in_block(on, of.in_double, 1) && radices.size() <= most_fused_passes) {
      // About 2048 points a block, so that each thread has eight and several blocks find room.
      std::int64_t columns = 1;
      while (2 * columns * points <= (of.in_double ? 1024 : 2048)) columns *= 2;
      add(all, fft_shape::group, columns);
    } else if (alone < radices.size()) {
      const std::int64_t least = of.in_double ? 4 : 8;  // columns: neighbours make up 64 bytes
      const std::span<const std::int64_t> rest = all.subspan(alone);
      std::size_t at = 0;
      for (const std::size_t count : split_evenly(rest, points_in_block(on, of.in_double, least))) {
        std::int64_t product = 1;
        for (const std::int64_t radix : rest.subspan(at, count)) product *= radix;
        std::int64_t columns = least;
        while (columns < 4 * least && 2 * columns * product <= (of.in_double ? 1024 : 2048)) columns *= 2;
        add(rest.subspan(at, count), fft_shape::group, columns);
        at += count;
      }
    }
    if (by_chirp && turn == 0) made.back().form.factors = fft_factors::spectrum;
  }
  // A kernel alone reads what other threads write, unless a pass that copies follows it.
  const bool reads_first = in_place && made.front().form.whole && made.front().form.shape != fft_shape::pass;
  if (of.overlaps && made.size() == 1 && !reads_first) {
    fft_pass copying{.form = common, .points = points, .span = points};
    made.push_back(copying);
  }
  made.front().form.first = true;
  made.back().form.last = true;
  if (by_chirp) {
    const bool both = made.front().form.factors == fft_factors::spectrum;
    made.front().form.factors = both ? fft_factors::chirp_in_spectrum : fft_factors::chirp_in;
    made.back().form.factors = fft_factors::chirp_out;
  }
  for (fft_pass& pass : made) {
    if (pass.form.shape != fft_shape::group) continue;
    const std::int64_t wanted = (pass.radix * pass.form.columns + 7) / 8;
    const auto most = static_cast<std::int64_t>((std::min)(on.threads, std::size_t{512}));
    pass.form.threads = static_cast<std::uint16_t>((std::min)(most, (wanted + 31) / 32 * 32));
  }
  return made;
}

fft_steps fft_steps_of(const fft_transform& of, const fft_pass& pass) noexcept {
  fft_steps steps{};
  const std::int64_t each = pass.form.radices[0] == 0 ? pass.points : pass.points / pass.radix;
  steps.count = of.rows * each;
  steps.turns = pass.turns;
  // Neighbouring threads take neighbouring elements: those of a row, or of other rows or columns.
  const auto is_across = [&](bool of_array, std::int64_t stride, const std::int64_t(&strides)[max_array_rank]) {
    if (!of_array || of.rank == 0) return false;
    return std::abs(strides[of.rank - 1]) < std::abs(stride);
  };
  steps.from_across = pass.form.whole ? is_across(pass.form.first, of.from_stride, of.from_strides) : 1;
  steps.to_across =
      pass.form.whole ? is_across(pass.form.last, of.to_stride, of.to_strides) : (pass.form.start ? 0 : 1);
  steps.points = pass.points;
  steps.span = pass.span;
  steps.radix = pass.radix;
  steps.length = of.length;
  steps.given = (std::min)(of.given, of.length);
  steps.kept = of.kept;
  steps.from_first = of.from_first;
  steps.from_stride = of.from_stride;
  steps.to_first = of.to_first;
  steps.to_stride = of.to_stride;
  steps.rank = of.rank;
  std::copy(std::begin(of.extents), std::end(of.extents), steps.extents);
  std::copy(std::begin(of.from_strides), std::end(of.from_strides), steps.from_strides);
  std::copy(std::begin(of.to_strides), std::end(of.to_strides), steps.to_strides);
  return steps;
}

/// Returns: a number as a literal of a kernel.
std::string fft_number(long double value, bool in_double) {
  char digits[48];
  const auto write = [&](auto number) {
    return std::string(digits,
                       std::to_chars(digits, digits + sizeof digits, number, std::chars_format::scientific).ptr);
  };
  return in_double ? write(static_cast<double>(value)) : write(static_cast<float>(value)) + "f";
}
/// Returns: e^(-2 pi i k / n), whose angle is first brought into the first eighth of a circle.
std::complex<long double> fft_root(std::int64_t k, std::int64_t n) {
  using real = long double;
  const std::int64_t eighths = 8 * k / n;
  const auto part = [&](std::int64_t of) {
    return 2 * std::numbers::pi_v<real> * static_cast<real>(of) / static_cast<real>(8 * n);
  };
  const std::int64_t within = 8 * k - (eighths + eighths % 2) * n;  // in [-n, n] of 8 n
  const real x = part(within);
  const real c = std::cos(x);
  const real s = std::sin(x);
  switch ((eighths + eighths % 2) / 2 % 4) {
    case 0: return {c, -s};
    case 1: return {-s, -c};
    case 2: return {-c, s};
    default: return {s, c};
  }
}

/// Writes the statements of small transforms, part by part, of numbers or of vectors that hold one of each lane.
struct fft_writer {
  const char* type;    ///< of complex numbers, which have the parts x and y
  const char* number;  ///< before a literal, where it becomes a vector
  bool in_double;
  std::string out{};

  [[nodiscard]] std::string literal(long double value) const { return number + fft_number(value, in_double); }
  /// Declares a number: the sum or the difference of two.
  void declare(const std::string& name, const std::string& left, const char* sign, const std::string& right) {
    out += text(type, " ", name, ";\n");
    set(name, left, sign, right);
  }
  void set(const std::string& name, const std::string& left, const char* sign, const std::string& right) {
    for (const char* const part : {"x", "y"}) {
      out += text(name, ".", part, " = ", left, ".", part, " ", sign, " ", right, ".", part, ";\n");
    }
  }
  /// Transforms four numbers; the results go to four places.
  void four(const std::string& name, const std::string (&in)[4], const int (&to)[4]) {
    declare(name + "0", in[0], "+", in[2]);
    declare(name + "1", in[0], "-", in[2]);
    declare(name + "2", in[1], "+", in[3]);
    declare(name + "3", in[1], "-", in[3]);
    set(text("v[", to[0], "]"), name + "0", "+", name + "2");
    set(text("v[", to[2], "]"), name + "0", "-", name + "2");
    const auto line = [&](int at, const char* sign, const char* other) {
      out += text("v[", to[at], "].x = ", name, "1.x ", sign, " ", name, "3.y;\nv[", to[at], "].y = ", name, "1.y ",
                  other, " ", name, "3.x;\n");
    };
    line(1, "+", "-");
    line(3, "-", "+");
  }
  void odd(std::int64_t radix) {
    const std::int64_t half = (radix - 1) / 2;
    out += text(type, " z = v[0];\n");
    for (std::int64_t k = 1; k <= half; ++k) {
      declare(text("s", k), text("v[", k, "]"), "+", text("v[", radix - k, "]"));
      declare(text("d", k), text("v[", k, "]"), "-", text("v[", radix - k, "]"));
      set("v[0]", "v[0]", "+", text("s", k));
    }
    for (std::int64_t j = 1; j <= half; ++j) {
      out += text(type, " a", j, " = z, b", j, ";\n");
      for (std::int64_t k = 1; k <= half; ++k) {
        const auto root = fft_root(j * k % radix, radix);
        const std::string c = literal(root.real());
        const std::string s = literal(-root.imag());
        for (const char* const part : {"x", "y"}) {
          out += text("a", j, ".", part, " = fma(", c, ", s", k, ".", part, ", a", j, ".", part, ");\n");
        }
        for (const char* const part : {"x", "y"}) {
          if (k == 1) {
            out += text("b", j, ".", part, " = ", s, " * d1.", part, ";\n");
          } else {
            out += text("b", j, ".", part, " = fma(", s, ", d", k, ".", part, ", b", j, ".", part, ");\n");
          }
        }
      }
      out += text("v[", j, "].x = a", j, ".x + b", j, ".y;\nv[", j, "].y = a", j, ".y - b", j, ".x;\n");
      out += text("v[", radix - j, "].x = a", j, ".x - b", j, ".y;\nv[", radix - j, "].y = a", j, ".y + b", j, ".x;\n");
    }
  }
  void eight() {
    for (int k = 0; k < 4; ++k) {
      declare(text("a", k), text("v[", k, "]"), "+", text("v[", k + 4, "]"));
      declare(text("b", k), text("v[", k, "]"), "-", text("v[", k + 4, "]"));
    }
    const std::string c = literal(std::sqrt(0.5L));
    out += text(type, " c1, c2, c3;\nc1.x = ", c, " * (b1.x + b1.y);\nc1.y = ", c,
                " * (b1.y - b1.x);\nc2.x = b2.y;\nc2.y = -b2.x;\nc3.x = ", c, " * (b3.y - b3.x);\nc3.y = -", c,
                " * (b3.x + b3.y);\n");
    four("t", {"a0", "a1", "a2", "a3"}, {0, 2, 4, 6});
    four("u", {"b0", "c1", "c2", "c3"}, {1, 3, 5, 7});
  }
};
/// Returns: the statements that transform v[0], v[1], ....
std::string fft_small_text(std::int64_t radix, fft_writer writer) {
  if (radix <= 1) return "";
  if (radix == 2) {
    writer.out = text(writer.type, " t = v[1];\n");
    writer.set("v[1]", "v[0]", "-", "t");
    writer.set("v[0]", "v[0]", "+", "t");
  } else if (radix == 4) {
    writer.four("t", {"v[0]", "v[1]", "v[2]", "v[3]"}, {0, 1, 2, 3});
  } else if (radix == 8) {
    writer.eight();
  } else {
    writer.odd(radix);
  }
  return writer.out;
}
/// Returns: a writer of numbers.
fft_writer fft_numbers(bool in_double) { return {in_double ? "double2" : "float2", "", in_double}; }

std::string fft_steps_source(bool in_double) {
  return with_macros({{"YOKE_FFT_AXES", max_array_rank},
                      {"YOKE_FFT_REAL", in_double ? "double" : "float"},
                      {"YOKE_FFT_PAIR", in_double ? "double2" : "float2"},
                      {"YOKE_FFT_MAKE(x, y)",
                       in_double ? "make_double2((double)(x), (double)(y))" : "make_float2((float)(x), (float)(y))"}},
                     fft_steps_text);
}

/// Returns: the passes of a block: `YOKE_F_STAGE` for each.
std::string fft_stages_text(const fft_form& form, std::int64_t all, std::int64_t& held) {
  std::string out;
  std::int64_t span = 1;
  held = 1;
  for (std::size_t k = 0; k < form.count; ++k) {
    const std::int64_t radix = form.radices[k];
    const std::int64_t transforms = form.columns * all / radix;
    const std::int64_t each = (transforms - 1) / form.threads + 1;
    held = (std::max)(held, each * radix);
    out += text("YOKE_F_STAGE(", radix, ", ", span, ", ", each, ", ", k == 0 ? 1 : 0, ", ", k + 1 == form.count ? 1 : 0,
                ", yoke_f_small", radix, ")\n");
    span *= radix;
  }
  return out;
}

/// Returns: a vector of the elements of two, in turn; `from`: the first one.
std::string fft_zip(const char* vector, std::int64_t width, std::int64_t from) {
  std::string out = text("(", vector, ")(");
  for (std::int64_t k = from; k < from + width / 2; ++k) {
    const std::string digit(1, "0123456789abcdef"[k]);
    out += text(k == from ? "" : ", ", "(a).s", digit, ", (b).s", digit);
  }
  return out + ")";
}
/// Returns: the functions that all kernels of lanes call.
std::string fft_lanes_source(bool in_double) {
  const char* const vector = in_double ? "double8" : "float16";
  const std::int64_t width = fft_lanes(in_double);
  std::string out =
      text("#if YOKE_BACKEND_OPENCL\ntypedef struct { ", vector,
           " x, y; } yoke_f_lanes;\n#define YOKE_F_ZIP_LOW(a, b) ", fft_zip(vector, width, 0),
           "\n#define YOKE_F_ZIP_HIGH(a, b) ", fft_zip(vector, width, width / 2), "\n#define YOKE_F_EVEN(a, b) (",
           vector, ")((a).even, (b).even)\n#define YOKE_F_ODD(a, b) (", vector, ")((a).odd, (b).odd)\n");
  out += text("yoke_f_lanes yoke_f_times_lanes(yoke_f_lanes a, ", vector, " x, ", vector,
              " y) {\nyoke_f_lanes b;\nb.x = fma(a.x, x, -(a.y * y));\nb.y = fma(a.x, y, a.y * x);\nreturn b;\n}\n");
  // Vectors that are interleaved often enough are transposed.
  out += text("void yoke_f_turn(YOKE_PRIVATE ", vector, "* v) {\n");
  for (std::int64_t k = 0; k < width; ++k) out += text(vector, " a", k, " = v[", k, "];\n");
  std::string from = "a";
  for (std::int64_t done = 1; done < width; done *= 2) {
    const std::string to(1, static_cast<char>(from[0] + 1));
    for (std::int64_t k = 0; k < width / 2; ++k) {
      for (const char* end : {"LOW", "HIGH"}) {
        out += text(vector, " ", to, 2 * k + (*end == 'H' ? 1 : 0), " = YOKE_F_ZIP_", end, "(", from, k, ", ", from,
                    k + width / 2, ");\n");
      }
    }
    from = to;
  }
  for (std::int64_t k = 0; k < width; ++k) out += text("v[", k, "] = ", from, k, ";\n");
  return out + "}\n";
}
/// The passes of one kernel that have read all columns before others begin.
struct fft_level {
  std::span<const std::uint8_t> radices;
  std::int64_t all;       ///< the points of a column
  bool starts, turns_on;  ///< whether it is the first one of the transform, and not the last
  bool from_between, to_between;
};
/// Returns: the statements that transform the columns from `j0` on; if `apart`, the rows from `row0` on.
std::string fft_columns_text(const fft_level& level, bool apart) {
  std::string out;
  const char* names[]{"one", "two"};
  std::size_t source = 0;
  std::int64_t span = 1;
  for (std::size_t k = 0; k < level.radices.size(); ++k) {
    const std::int64_t radix = level.radices[k];
    const std::int64_t each = level.all / radix;
    const bool ends = k + 1 == level.radices.size();
    const bool reads = k == 0 && !apart;
    const bool writes = ends && !apart && !level.starts;
    out += text("left /= ", radix, ";\nfor (int i = 0; i < ", each, "; ++i) {\nyoke_f_lanes v[", radix, "];\n");
    for (std::int64_t n = 0; n < radix; ++n) {
      if (reads && level.from_between) {
        out += text("v[", n, "].x = YOKE_FFT_VLOAD(0, between_x + j0 + (i + ", n * each, ") * part);\nv[", n,
                    "].y = YOKE_FFT_VLOAD(0, between_y + j0 + (i + ", n * each, ") * part);\n");
      } else if (reads) {
        out += text("YOKE_F_READ(v[", n, "], j0 + (YOKE_FFT_INDEX)(i + ", n * each, ") * part)\n");
      } else {
        for (const char* const part : {"x", "y"}) {
          out += text("v[", n, "].", part, " = ", names[source], "_", part, "[i + ", n * each, "];\n");
        }
      }
    }
    out += text("yoke_f_lanes_small", radix, "(v);\nint q = i % ", span, ";\n");
    if (!ends || level.turns_on) {
      for (std::int64_t n = 1; n < radix; ++n) {
        out += text("YOKE_F_TURN(v[", n, "], ", level.starts ? 1 : 0, ", ", level.turns_on ? 1 : 0, ", turn0 + ", n - 1,
                    " * left + p0 + (YOKE_FFT_INDEX)(i / ", span, ") * (part / before))\n");
      }
    }
    const std::size_t to = reads ? source : 1 - source;
    for (std::int64_t n = 0; n < radix; ++n) {
      const std::string place = text("q + (i - q) * ", radix, " + ", span * n);
      if (writes) {
        out += text("YOKE_F_WRITE(v[", n, "], ", level.all, ", ", level.turns_on ? 1 : 0, ", ", place, ")\n");
      } else {
        for (const char* const part : {"x", "y"}) {
          out += text(names[to], "_", part, "[", place, "] = v[", n, "].", part, ";\n");
        }
      }
    }
    out += text("}\nturn0 += ", radix - 1, " * left;\n");
    source = to;
    span *= radix;
  }
  if (apart || level.starts) {
    out += text("YOKE_F_COLUMNS(", names[source], "_x, ", names[source], "_y, ", level.all, ", YOKE_F_",
                apart              ? "TO_ROWS"
                : level.to_between ? "BETWEEN"
                                   : "TO_ROW",
                ")\n");
  }
  return out;
}
/// Returns: a kernel of lanes, behind the functions that read and write.
std::string fft_lanes_kernel(const fft_form& form) {
  const std::int64_t width = fft_lanes(form.in_double);
  const std::span<const std::uint8_t> radices(form.radices, form.count);
  const auto product = [](std::span<const std::uint8_t> of) {
    std::int64_t all = 1;
    for (const std::uint8_t each : of) all *= each;
    return all;
  };
  const std::int64_t all = product(radices);
  std::int64_t most = all;
  std::string levels;
  if (form.whole && form.split == 0) {
    levels = text(
        "YOKE_FFT_INDEX row0 = block * YOKE_FFT_WIDTH, rows = (YOKE_FFT_INDEX)steps.count;\n"
        "YOKE_FFT_INDEX part = 1, before = 1, left = ",
        all,
        ", turn0 = (YOKE_FFT_INDEX)steps.turns, j0 = 0, p0 = 0;\nint is_one_part = 1;\n"
        "yoke_int64 from_rows[YOKE_FFT_WIDTH], to_rows[YOKE_FFT_WIDTH];\n"
        "YOKE_F_ROWS(",
        all, ")\n", fft_columns_text({radices, all, false, false, false, false}, true));
  } else if (form.split == 0) {
    levels =
        text("YOKE_FFT_INDEX part = points / ", all, ", column = ", all,
             ", before = ", form.start ? "1" : "(YOKE_FFT_INDEX)steps.span",
             ";\nYOKE_FFT_INDEX blocks = (part + YOKE_FFT_WIDTH - 1) / YOKE_FFT_WIDTH;\n"
             "YOKE_FFT_INDEX row = block / blocks, j0 = (block - row * blocks) * YOKE_FFT_WIDTH;\n"
             "if (j0 > part - YOKE_FFT_WIDTH) j0 = part - YOKE_FFT_WIDTH;\n"
             "yoke_int64 from_row = YOKE_FFT_FROM_ROW(steps, row), to_row = YOKE_FFT_TO_ROW(steps, row);\n"
             "YOKE_FFT_INDEX left = part / before * ",
             all,
             ", turn0 = (YOKE_FFT_INDEX)steps.turns;\n"
             "YOKE_FFT_INDEX p0 = ",
             form.start   ? "j0"
             : form.turns ? "j0 / before"
                          : "0",
             ";\nint is_one_part = ", form.start || !form.turns ? "1" : "(j0 + (YOKE_FFT_WIDTH - 1)) / before == p0",
             ";\n", fft_columns_text({radices, all, form.start, form.turns, false, false}, false));
  } else {
    const auto first = radices.first(form.split);
    const auto second = radices.subspan(form.split);
    const std::int64_t one = product(first);
    const std::int64_t two = product(second);
    std::int64_t turns = 0;
    std::int64_t span = 1;
    for (const std::uint8_t radix : first) {
      turns += fft_turns_of(all, span, radix);
      span *= radix;
    }
    const auto level = [&](std::int64_t points, std::int64_t before, std::int64_t turn0, const fft_level& of) {
      levels += text("for (int j1 = 0; j1 < ", all / points,
                     "; j1 += YOKE_FFT_WIDTH) {\nint j0 = j1 <= ", all / points - width,
                     " ? j1 : ", all / points - width, ";\nint part = ", all / points, ", before = ", before,
                     ", column = ", points, ", left = ", all / before, ", turn0 = ", turn0,
                     ", p0 = ", of.starts ? "j0" : "0", ", is_one_part = 1;\n", fft_columns_text(of, false), "}\n");
    };
    levels = "yoke_int64 from_row = YOKE_FFT_FROM_ROW(steps, block), to_row = YOKE_FFT_TO_ROW(steps, block);\n";
    level(one, 1, 0, {first, one, true, true, false, true});
    level(two, one, turns, {second, two, false, false, true, false});
    most = (std::max)(one, two);
  }
  return with_macros({{"YOKE_FFT_WIDTH", width},
                      {"YOKE_FFT_VECTOR", form.in_double ? "double8" : "float16"},
                      {"YOKE_FFT_VLOAD", form.in_double ? "vload8" : "vload16"},
                      {"YOKE_FFT_VSTORE", form.in_double ? "vstore8" : "vstore16"},
                      {"YOKE_FFT_MOST", most},
                      {"YOKE_FFT_BETWEEN", form.split == 0 ? 0 : all},
                      {"YOKE_FFT_LEVELS", levels}},
                     fft_lanes_text);
}

std::string fft_source(std::span<const fft_form> forms) {
  const bool in_double = forms.front().in_double;
  const char* const real = in_double ? "double" : "float";
  const char* const pair = in_double ? "double2" : "float2";
  const char* const make = in_double ? "make_double2((double)(x), (double)(y))" : "make_float2((float)(x), (float)(y))";
  std::string out = fft_steps_source(in_double);
  const bool has_lanes =
      std::any_of(forms.begin(), forms.end(), [](const fft_form& form) { return form.shape == fft_shape::lanes; });
  if (has_lanes) out += fft_lanes_source(in_double);
  std::uint32_t written[2]{};
  for (const fft_form& form : forms) {
    if (form.shape == fft_shape::pass) continue;
    const bool lanes = form.shape == fft_shape::lanes;
    for (std::size_t k = 0; k < form.count; ++k) {
      const std::uint32_t radix = form.radices[k];
      if ((written[lanes ? 1 : 0] >> radix & 1U) != 0) continue;
      written[lanes ? 1 : 0] |= 1U << radix;
      const fft_writer writer =
          lanes ? fft_writer{"yoke_f_lanes", in_double ? "(double8)" : "(float16)", in_double} : fft_numbers(in_double);
      out += text("void yoke_f_", lanes ? "lanes_small" : "small", radix, "(YOKE_PRIVATE ", writer.type, "* v) {\n",
                  fft_small_text(radix, writer), "}\n");
    }
  }
  std::size_t number = 0;
  for (const fft_form& form : forms) {
    const bool reads_chirp = form.factors == fft_factors::chirp_in || form.factors == fft_factors::chirp_in_spectrum;
    const bool takes_spectrum = form.factors == fft_factors::spectrum || form.factors == fft_factors::chirp_in_spectrum;
    std::string kernel(fft_load_text);
    if (form.shape == fft_shape::group) {
      std::int64_t all = 1;
      for (std::size_t k = 0; k < form.count; ++k) all *= form.radices[k];
      std::int64_t held = 1;
      const std::string stages = fft_stages_text(form, all, held);
      kernel += with_macros({{"YOKE_FFT_ALL", all},
                             {"YOKE_FFT_COLUMNS", form.columns},
                             {"YOKE_FFT_THREADS", form.threads},
                             {"YOKE_FFT_PITCH", (all + all / 16) | 1},
                             {"YOKE_FFT_HELD", held},
                             {"YOKE_FFT_WHOLE", form.whole},
                             {"YOKE_FFT_START", form.start},
                             {"YOKE_FFT_TURNS", form.turns},
                             {"YOKE_FFT_STAGES", stages}},
                            fft_group_text);
    } else if (form.shape == fft_shape::lanes) {
      kernel += fft_lanes_kernel(form);
    } else {
      kernel += with_macros({{"YOKE_FFT_RADIX", form.radices[0]},
                             {"YOKE_FFT_SMALL", fft_small_text(form.radices[0], fft_numbers(in_double))},
                             {"YOKE_FFT_TURNS", form.turns}},
                            fft_pass_text);
    }
    out += with_macros({{"YOKE_FFT_NAME", text("yoke_f_pass", number)},
                        {"YOKE_FFT_LOAD", text("yoke_f_load", number)},
                        {"YOKE_FFT_STORE", text("yoke_f_store", number)},
                        {"YOKE_FFT_FROM_ROW", text("yoke_f_from_row", number)},
                        {"YOKE_FFT_TO_ROW", text("yoke_f_to_row", number)},
                        {"YOKE_FFT_REAL", real},
                        {"YOKE_FFT_PAIR", pair},
                        {"YOKE_FFT_MAKE(x, y)", make},
                        {"YOKE_FFT_FROM", form.first && form.real_in ? real : pair},
                        {"YOKE_FFT_TO", form.last && form.real_out ? real : pair},
                        {"YOKE_FFT_INDEX", form.wide ? "yoke_int64" : "uint"},
                        {"YOKE_FFT_FIRST", form.first},
                        {"YOKE_FFT_LAST", form.last},
                        {"YOKE_FFT_REAL_IN", form.real_in},
                        {"YOKE_FFT_REAL_OUT", form.real_out},
                        {"YOKE_FFT_HALF", form.half},
                        {"YOKE_FFT_SWAP_IN", form.inverse},
                        {"YOKE_FFT_SWAP_OUT", form.inverse},
                        {"YOKE_FFT_CHIRP_IN", reads_chirp},
                        {"YOKE_FFT_CHIRP_OUT", form.factors == fft_factors::chirp_out},
                        {"YOKE_FFT_SPECTRUM", takes_spectrum},
                        {"YOKE_FFT_SCALED", form.scaled}},
                       kernel);
    ++number;
  }
  if (has_lanes) out += "#endif\n";
  return out;
}

/// Effects: adds a number to a table, its parts rounded once.
template <class T>
void add_pair(std::vector<T>& to, const std::complex<long double>& value) {
  to.push_back(static_cast<T>(value.real()));
  to.push_back(static_cast<T>(value.imag()));
}

template <class T>
void fft_turns(std::vector<T>& to, std::int64_t length) {
  // Each root is calculated once.
  const auto all = static_cast<std::size_t>(length);
  std::vector<T> roots;
  roots.reserve(2 * all);
  for (std::int64_t k = 0; k < length; ++k) add_pair(roots, fft_root(k, length));
  const auto add = [&](std::int64_t k) {
    const auto at = 2 * static_cast<std::size_t>(k);
    to.push_back(roots[at]);
    to.push_back(roots[at + 1]);
  };
  to.reserve(2 * all);
  std::int64_t span = 1;
  for (const std::int64_t radix : fft_radices(length)) {
    const std::int64_t parts = length / (span * radix);
    if (radix > most_small_radix) {
      for (std::int64_t k = 0; k < radix; ++k) add(k * (length / radix));
    }
    for (std::int64_t k = 1; k < radix; ++k) {
      for (std::int64_t part = 0; part < parts; ++part) add(k * span * part);
    }
    span *= radix;
  }
}

/// Returns: k^2 modulo 2 n, for the next k: whole numbers, which lose no bits.
constexpr std::int64_t next_square(std::int64_t square, std::int64_t k, std::int64_t n) noexcept {
  return (square + 2 * k + 1) % (2 * n);
}

/// Effects: transforms numbers on the host. `from` has a number at each `stride`-th place.
void transform_on_host(std::complex<long double>* to, const std::complex<long double>* from, std::int64_t count,
                       std::int64_t stride, const std::vector<std::complex<long double>>& roots) {
  if (count == 1) {
    to[0] = from[0];
    return;
  }
  const std::int64_t radix = count % 2 == 0 ? 2 : count % 3 == 0 ? 3 : 5;
  const std::int64_t part = count / radix;
  for (std::int64_t k = 0; k < radix; ++k) {
    transform_on_host(to + k * part, from + k * stride, part, stride * radix, roots);
  }
  const auto all = static_cast<std::int64_t>(roots.size());
  const std::int64_t step = all / count;
  for (std::int64_t i = 0; i < part; ++i) {
    std::complex<long double> v[5];
    for (std::int64_t k = 0; k < radix; ++k) {
      v[k] = to[i + k * part] * roots[static_cast<std::size_t>(i * k * step)];
    }
    for (std::int64_t j = 0; j < radix; ++j) {
      std::complex<long double> sum = v[0];
      for (std::int64_t k = 1; k < radix; ++k)
        sum += v[k] * roots[static_cast<std::size_t>(j * k % radix * (all / radix))];
      to[i + j * part] = sum;
    }
  }
}

template <class T>
void fft_chirp(std::vector<T>& to, std::int64_t length, std::int64_t points) {
  using number = std::complex<long double>;
  const auto size = static_cast<std::size_t>(points);
  std::vector<number> roots(size);
  for (std::int64_t k = 0; k < points; ++k) roots[static_cast<std::size_t>(k)] = fft_root(k, points);
  std::vector<number> chirp(size);
  to.reserve(2 * (size + static_cast<std::size_t>(length)));
  std::int64_t square = 0;
  for (std::int64_t k = 0; k < length; ++k) {
    const number root = fft_root(square, 2 * length);
    add_pair(to, root);
    const number value = std::conj(root);
    chirp[static_cast<std::size_t>(k)] = value;
    if (k != 0) chirp[static_cast<std::size_t>(points - k)] = value;
    square = next_square(square, k, length);
  }
  std::vector<number> transformed(size);
  transform_on_host(transformed.data(), chirp.data(), points, 1, roots);
  for (const number& each : transformed) add_pair(to, each / static_cast<long double>(points));
}

template YOKE_API void fft_turns(std::vector<float>&, std::int64_t);
template YOKE_API void fft_turns(std::vector<double>&, std::int64_t);
template YOKE_API void fft_chirp(std::vector<float>&, std::int64_t, std::int64_t);
template YOKE_API void fft_chirp(std::vector<double>&, std::int64_t, std::int64_t);

void check_fft_length(const char* name, std::int64_t length, std::size_t axis, const source_location& where) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (length >= 1 && length <= most) return;
  const bool may_be_one = length == 0 && std::string_view(name) == "irfft";
  throw_error(errc::out_of_range, where, name, " of n = ", length, " points along axis ", axis, ": n is not in [1, ",
              most, "]", may_be_one ? "; without n it is even, 0 for one element: write irfft(f, 1)" : "");
}
void check_half_extent(std::int64_t length, std::size_t extent, std::size_t axis, const source_location& where) {
  const std::int64_t half = length / 2 + 1;
  if (std::cmp_equal(half, extent)) return;
  throw_error(errc::size_mismatch, where, "irfft of n = ", length, " points takes n / 2 + 1 = ", half,
              " elements: axis ", axis, " has ", extent);
}
void throw_fft_frequencies(const char* name, std::int64_t count, double spacing, const source_location& where) {
  throw_error(errc::invalid_argument, where, name, " of n = ", count, " and spacing = ", number_digits(spacing),
              ": n has to be at least 1, and the spacing finite and not 0");
}

}  // namespace yoke::inline v0_1::detail

#endif

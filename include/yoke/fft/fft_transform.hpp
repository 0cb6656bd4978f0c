// SPDX-License-Identifier: MIT
// Describes Fourier transforms along one axis, and the passes that calculate them.
#ifndef YOKE_FFT_FFT_TRANSFORM_HPP
#define YOKE_FFT_FFT_TRANSFORM_HPP

#include <yoke/array/geometry/byte_layout.hpp>
#include <yoke/array/geometry/geometry_error.hpp>

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace yoke::inline v0_1::detail {

/// Transforms along one axis, of all rows along the others. Whoever runs it needs nothing else but the memory of both
/// arrays. Units: elements, which are real or complex on each side.
struct fft_transform {
  bool in_double = false;
  bool real_in = false;
  bool real_out = false;
  bool half = false;  ///< the input has the first half of elements, of which the others are the conjugate ones
  bool inverse = false;
  bool overlaps = false;    ///< input and output share memory
  std::int64_t length = 0;  ///< points of the transform
  std::int64_t given = 0;   ///< elements of the input along the axis; further ones are 0
  std::int64_t kept = 0;    ///< elements of the output along the axis
  double scale = 1;         ///< the results are multiplied by it
  std::int64_t rows = 1;
  std::int64_t from_first = 0;
  std::int64_t from_stride = 1;
  std::int64_t to_first = 0;
  std::int64_t to_stride = 1;
  std::int64_t rank = 0;  ///< axes of the rows
  std::int64_t extents[max_array_rank]{};
  std::int64_t from_strides[max_array_rank]{};
  std::int64_t to_strides[max_array_rank]{};
};
/// Effects: sets the rows, strides and first elements of a transform along an axis.
/// Throws: `logic_error` for a layout whose strides are not multiples of its elements.
YOKE_API void set_sides(fft_transform& of, const byte_layout& to, const byte_layout& from, std::size_t axis,
                        const source_location& where);

/// Whether the output has the same places as the input, if both are the same memory.
[[nodiscard]] YOKE_API bool is_in_place(const fft_transform& of) noexcept;

/// The greatest prime factor of lengths that are transformed by passes; others go through a longer transform.
inline constexpr std::int64_t most_fft_radix = 127;
/// The greatest length of small transforms that one thread calculates.
inline constexpr std::int64_t most_small_radix = 13;
/// Returns: the lengths of the small transforms whose product is `length`, which depend on it alone; empty where a
/// prime factor is too great. Length 1 has the factor 1.
[[nodiscard]] YOKE_API std::vector<std::int64_t> fft_radices(std::int64_t length);
/// Returns: the least product of 2, 3 and 5 that is `least` or more.
[[nodiscard]] YOKE_API std::int64_t fft_points(std::int64_t least);

/// The factors by which a pass multiplies beside roots.
enum class fft_factors : std::uint8_t { none, chirp_in, spectrum, chirp_in_spectrum, chirp_out };
/// The shapes of the kernels. All calculate the same numbers in the same order, so that they give the same bits.
enum class fft_shape : std::uint8_t {
  automatic,
  pass,   ///< one pass, a thread for each small transform
  group,  ///< several passes, a block of threads for some columns, by local memory
  lanes   ///< several passes, a thread for some columns, by vectors of OpenCL C
};
/// The shape that every transform takes where it can, for tests.
[[nodiscard]] YOKE_API fft_shape& wanted_fft_shape() noexcept;
/// The maximum number of passes of one kernel.
inline constexpr std::size_t most_fused_passes = 8;
/// The properties that the kernel of a pass, or of several, depends on.
struct fft_form {
  fft_shape shape = fft_shape::pass;
  std::uint8_t count = 1;                      ///< passes
  std::uint8_t radices[most_fused_passes]{1};  ///< their lengths; 0: any length
  std::uint16_t columns = 1;                   ///< of a block: a power of two
  std::uint8_t split = 0;                      ///< of lanes: the passes of the first of two levels; 0: there is one
  std::uint16_t threads = 0;                   ///< of a block
  bool in_double = false;
  bool wide = false;
  bool whole = false;  ///< the passes transform a row completely
  bool start = false;  ///< the first passes of a transform
  bool turns = false;
  bool first = false;
  bool last = false;
  bool real_in = false;
  bool real_out = false;
  bool half = false;
  bool inverse = false;
  bool scaled = false;
  fft_factors factors = fft_factors::none;

  /// Returns: a number for all of it. The lengths and the columns decide how many threads there are.
  [[nodiscard]] constexpr std::uint64_t key() const noexcept {
    std::uint64_t all = count;
    for (const std::uint8_t each : radices) all = all << 4U | each;
    all = all << 4U | static_cast<std::uint64_t>(std::countr_zero(columns));
    all = all << 3U | split;
    all = all << 2U | static_cast<std::uint64_t>(shape);
    for (const bool each : {in_double, wide, whole, start, turns, first, last, first && real_in, last && real_out,
                            first && half, (first || last) && inverse, last && scaled}) {
      all = all << 1U | (each ? 1U : 0U);
    }
    return all << 3U | static_cast<std::uint64_t>(factors);
  }
};
/// A kernel of a transform: its form and its numbers.
struct fft_pass {
  fft_form form{};
  std::int64_t points = 1;
  std::int64_t span = 1;   ///< the product of the lengths of the passes before
  std::int64_t radix = 1;  ///< the product of the lengths of its passes
  std::int64_t turns = 0;  ///< where its roots begin in the table
};
/// The columns that a thread transforms in the lanes of a vector.
[[nodiscard]] constexpr std::int64_t fft_lanes(bool in_double) noexcept { return in_double ? 8 : 16; }
/// The limits of a device that decide how many passes are fused.
struct fft_device {
  fft_shape shape = fft_shape::pass;
  std::size_t local_bytes = 0;
  std::size_t threads = 1;  ///< of a block, at most
  std::int64_t units = 1;   ///< that run groups beside each other
};
/// Returns: the kernels of a transform on a device. Requires: `length > 0`. `in_place`: both sides are the same
/// elements.
[[nodiscard]] YOKE_API std::vector<fft_pass> fft_passes(const fft_transform& of, const fft_device& on, bool in_place);
/// Returns: the source of `yoke_f_steps` and `yoke_f_times`, before the other kernels.
[[nodiscard]] YOKE_API std::string fft_steps_source(bool in_double);
/// Returns: the source of the kernels `yoke_f_pass0`, `yoke_f_pass1`, ....
[[nodiscard]] YOKE_API std::string fft_source(std::span<const fft_form> forms);

/// The parameters as the kernel gets them.
struct fft_steps {
  std::int64_t count, points, span, radix, turns, length, given, kept, from_across, to_across;
  std::int64_t from_first, from_stride, to_first, to_stride, rank;
  std::int64_t extents[max_array_rank], from_strides[max_array_rank], to_strides[max_array_rank];
};
/// Returns: a number for all that the kernels of a transform depend on.
[[nodiscard]] YOKE_API std::uint64_t fft_plan_key(const fft_transform& of, const fft_device& on,
                                                  bool in_place) noexcept;
/// Returns: the threads of a kernel of lanes. `steps`: its own.
[[nodiscard]] constexpr std::int64_t fft_blocks_of(const fft_pass& pass, const fft_steps& steps) noexcept {
  const std::int64_t width = fft_lanes(pass.form.in_double);
  if (pass.form.split != 0) return steps.count;
  if (pass.form.whole) return (steps.count - 1) / width + 1;
  const std::int64_t columns = pass.points / pass.radix;
  return steps.count / columns * ((columns - 1) / width + 1);
}
[[nodiscard]] YOKE_API fft_steps fft_steps_of(const fft_transform& of, const fft_pass& pass) noexcept;

/// Effects: adds the roots of unity by which each pass multiplies, as pairs of a cosine and a sine, in the order in
/// which it reads them: for each result of a small transform but the first, one for each part. Before them stand the
/// roots of small transforms of any length.
template <class T>
void fft_turns(std::vector<T>& to, std::int64_t length);
/// Effects: adds the number `e^(-pi i k^2 / length)` for each k, and behind them the transform of their conjugates at
/// `points` places, divided by `points`.
template <class T>
void fft_chirp(std::vector<T>& to, std::int64_t length, std::int64_t points);
extern template YOKE_API void fft_turns(std::vector<float>&, std::int64_t);
extern template YOKE_API void fft_turns(std::vector<double>&, std::int64_t);
extern template YOKE_API void fft_chirp(std::vector<float>&, std::int64_t, std::int64_t);
extern template YOKE_API void fft_chirp(std::vector<double>&, std::int64_t, std::int64_t);

/// Throws: `logic_error` for a number of points below 1 or above 2^40. `name`: the function's.
YOKE_API void check_fft_length(const char* name, std::int64_t length, std::size_t axis, const source_location& where);
/// Throws: `logic_error` unless an axis of `extent` elements holds the half of `length` points.
YOKE_API void check_half_extent(std::int64_t length, std::size_t extent, std::size_t axis,
                                const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_fft_frequencies(const char* name, std::int64_t count, double spacing,
                                                            const source_location& where);

}  // namespace yoke::inline v0_1::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/fft/fft_transform.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// Describes Fourier transforms along one axis, and the passes that calculate them.
#ifndef YOKE_FFT_FFT_TRANSFORM_HPP
#define YOKE_FFT_FFT_TRANSFORM_HPP

#include <yoke/array/geometry/byte_layout.hpp>
#include <yoke/array/geometry/geometry_error.hpp>

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
enum class fft_factors : std::uint8_t { none, chirp_in, spectrum, chirp_out };
/// The properties that the kernel of a pass depends on.
struct fft_form {
  std::uint32_t radix = 1;  ///< 0: of any length
  bool in_double = false;
  bool wide = false;
  bool turns = false;
  bool first = false;
  bool last = false;
  bool real_in = false;
  bool real_out = false;
  bool half = false;
  bool inverse = false;
  bool scaled = false;
  fft_factors factors = fft_factors::none;

  [[nodiscard]] constexpr std::uint64_t key() const noexcept {
    std::uint64_t all = radix;
    for (const bool each : {in_double, wide, turns, first, last, first && real_in, last && real_out, first && half,
                            (first || last) && inverse, last && scaled}) {
      all = all << 1U | (each ? 1U : 0U);
    }
    return all << 2U | static_cast<std::uint64_t>(factors);
  }
};
/// A pass: its kernel and its numbers.
struct fft_pass {
  fft_form form{};
  std::int64_t points = 1;
  std::int64_t span = 1;
  std::int64_t radix = 1;
};
/// Returns: the passes of a transform. Requires: `length > 0`.
[[nodiscard]] YOKE_API std::vector<fft_pass> fft_passes(const fft_transform& of);
/// Returns: the source of `yoke_f_steps` and `yoke_f_times`, before the other kernels.
[[nodiscard]] YOKE_API std::string fft_steps_source(bool in_double);
/// Returns: the source of the kernels `yoke_f_pass0`, `yoke_f_pass1`, ....
[[nodiscard]] YOKE_API std::string fft_source(std::span<const fft_form> forms);

/// The parameters as the kernel gets them.
struct fft_steps {
  std::int64_t count, points, span, radix, length, given, kept;
  std::int64_t from_first, from_stride, to_first, to_stride, rank;
  std::int64_t extents[max_array_rank], from_strides[max_array_rank], to_strides[max_array_rank];
};
[[nodiscard]] YOKE_API fft_steps fft_steps_of(const fft_transform& of, const fft_pass& pass) noexcept;

/// Effects: adds the number `e^(-2 pi i k / length)` for each k, as pairs of a cosine and a sine.
template <class T>
void fft_roots(std::vector<T>& to, std::int64_t length);
/// Effects: adds the number `e^(-pi i k^2 / length)` for each k.
template <class T>
void fft_chirp(std::vector<T>& to, std::int64_t length);
/// Effects: adds the transform of the conjugate chirp of `length` at `points` places, divided by `points`.
template <class T>
void fft_spectrum(std::vector<T>& to, std::int64_t length, std::int64_t points);
extern template YOKE_API void fft_roots(std::vector<float>&, std::int64_t);
extern template YOKE_API void fft_roots(std::vector<double>&, std::int64_t);
extern template YOKE_API void fft_chirp(std::vector<float>&, std::int64_t);
extern template YOKE_API void fft_chirp(std::vector<double>&, std::int64_t);
extern template YOKE_API void fft_spectrum(std::vector<float>&, std::int64_t, std::int64_t);
extern template YOKE_API void fft_spectrum(std::vector<double>&, std::int64_t, std::int64_t);

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

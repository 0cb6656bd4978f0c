// SPDX-License-Identifier: MIT
// What generated functions of arrays get, and where they are kept.
#ifndef YOKE_TESTS_ARRAY_FUZZ_PROGRAM_HPP
#define YOKE_TESTS_ARRAY_FUZZ_PROGRAM_HPP

#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/yoke.hpp>

#include <complex>
#include <cstring>
#include <optional>
#include <vector>

namespace yoke_fuzz {

using yoke::along;
using yoke::none;
using yoke::reversed;
using yoke::slice;
using yoke::whole;
using i8 = std::int8_t;
using u8 = std::uint8_t;
using i16 = std::int16_t;
using u16 = std::uint16_t;
using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
using f16 = yoke::half;
using f32 = float;
using f64 = double;
using c64 = std::complex<float>;
using c128 = std::complex<double>;

/// Memory that parameters are parts of.
using bytes = yoke::device_array<std::uint8_t, 1>;

/// One array among the memories of a call.
struct parameter {
  std::size_t memory = 0;
  std::size_t offset_bytes = 0;
  std::vector<std::size_t> extents;
  std::vector<std::ptrdiff_t> strides;
};

/// What a function made: bytes on the device or on the host, and how they lie.
struct result {
  std::vector<std::size_t> extents;
  bool is_f_order = false;
  std::optional<yoke::device_view<const std::uint8_t, 1>> on_device;
  std::vector<std::uint8_t> on_host;
};

/// The arguments of one run of a function, and its results. Nothing waits for the device but `keep_host`.
class call {
 public:
  std::vector<bytes> memories;
  std::vector<parameter> parameters;
  std::vector<std::vector<std::uint8_t>> numbers;
  std::vector<result> results;

  template <class T, std::size_t Rank>
  [[nodiscard]] yoke::device_view<T, Rank> array(std::size_t number) {
    const parameter& of = parameters.at(number);
    yoke::shape<Rank> extents;
    std::array<std::ptrdiff_t, Rank> strides{};
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      extents[axis] = of.extents.at(axis);
      strides[axis] = of.strides.at(axis);
    }
    return memories.at(of.memory).share().with<T>(
        yoke::array_layout<Rank>(extents, strides, of.offset_bytes, sizeof(T)));
  }
  template <class T>
  [[nodiscard]] T number(std::size_t at) const {
    T value;
    std::memcpy(&value, numbers.at(at).data(), sizeof value);
    return value;
  }

  /// Takes an array as a result. It is read when the function has ended.
  template <class T, std::size_t Rank>
  void keep(const yoke::device_array<T, Rank>& made) {
    keep_bytes(made.share(), made.layout());
  }
  template <class T>
  void keep(const yoke::device_value<T>& made) {
    keep(made.array());
  }
  /// Reads elements at once.
  template <class T, std::size_t Rank>
  void keep_host(const yoke::device_view<T, Rank>& from) {
    result& to = add(from.layout());
    to.on_host.resize(from.size_bytes());
    const std::vector<std::remove_const_t<T>> read = from.to_host();
    std::memcpy(to.on_host.data(), read.data(), to.on_host.size());
  }

 private:
  template <std::size_t Rank>
  result& add(const yoke::array_layout<Rank>& of) {
    result& to = results.emplace_back();
    to.extents.assign(of.shape().begin(), of.shape().end());
    return to;
  }
  template <class T, std::size_t Rank>
  void keep_bytes(const yoke::device_view<T, Rank>& from, const yoke::array_layout<Rank>& of) {
    result& to = add(of);
    to.is_f_order = !of.is_c_contiguous();
    const yoke::array_layout<1> layout(yoke::shape<1>(of.size_bytes()), {1}, of.offset_bytes(), 1);
    to.on_device.emplace(from.template with<const std::uint8_t>(layout));
  }
};

using function = void (*)(call&);

/// The functions of all units, by their numbers.
inline std::vector<function>& functions() {
  static std::vector<function> all;
  return all;
}
inline bool add_functions(std::size_t first, std::initializer_list<function> of) {
  if (functions().size() < first + of.size()) functions().resize(first + of.size());
  std::copy(of.begin(), of.end(), functions().begin() + static_cast<std::ptrdiff_t>(first));
  return true;
}

}  // namespace yoke_fuzz

#endif

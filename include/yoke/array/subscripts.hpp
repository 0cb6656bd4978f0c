// SPDX-License-Identifier: MIT
// Parts of arrays, `a(slice(1, none), 2)`, with the place of the call.
#ifndef YOKE_ARRAY_SUBSCRIPTS_HPP
#define YOKE_ARRAY_SUBSCRIPTS_HPP

#include <yoke/array/slice.hpp>
#include <yoke/core/source_location.hpp>

namespace yoke::inline YOKE_ABI::detail {

/// The call operator of an array or a view; `Derived` has `part`. A pack cannot be followed by a default argument, so
/// each number of indices up to the most axes is written out; with `newaxis` beside eight others an error names no place.
template <class Derived>
class subscripts {
  using place = source_location;

 public:
  [[nodiscard]] auto operator()(const place& where = place::current()) { return self().part_at(where); }
  template <array_index First>
  [[nodiscard]] auto operator()(const First& first, const place& where = place::current()) {
    return self().part_at(where, first);
  }
  template <array_index First, array_index Second>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const place& where = place::current()) {
    return self().part_at(where, first, second);
  }
  template <array_index First, array_index Second, array_index Third>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third,
                                const place& where = place::current()) {
    return self().part_at(where, first, second, third);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const place& where = place::current()) {
    return self().part_at(where, first, second, third, fourth);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth, array_index Fifth>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const Fifth& fifth, const place& where = place::current()) {
    return self().part_at(where, first, second, third, fourth, fifth);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth, array_index Fifth,
            array_index Sixth>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const Fifth& fifth, const Sixth& sixth, const place& where = place::current()) {
    return self().part_at(where, first, second, third, fourth, fifth, sixth);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth, array_index Fifth,
            array_index Sixth, array_index Seventh>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const Fifth& fifth, const Sixth& sixth, const Seventh& seventh,
                                const place& where = place::current()) {
    return self().part_at(where, first, second, third, fourth, fifth, sixth, seventh);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth, array_index Fifth,
            array_index Sixth, array_index Seventh, array_index Eighth>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const Fifth& fifth, const Sixth& sixth, const Seventh& seventh, const Eighth& eighth,
                                const place& where = place::current()) {
    return self().part_at(where, first, second, third, fourth, fifth, sixth, seventh, eighth);
  }
  [[nodiscard]] auto operator()(const place& where = place::current()) const { return self().part_at(where); }
  template <array_index First>
  [[nodiscard]] auto operator()(const First& first, const place& where = place::current()) const {
    return self().part_at(where, first);
  }
  template <array_index First, array_index Second>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const place& where = place::current()) const {
    return self().part_at(where, first, second);
  }
  template <array_index First, array_index Second, array_index Third>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third,
                                const place& where = place::current()) const {
    return self().part_at(where, first, second, third);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const place& where = place::current()) const {
    return self().part_at(where, first, second, third, fourth);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth, array_index Fifth>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const Fifth& fifth, const place& where = place::current()) const {
    return self().part_at(where, first, second, third, fourth, fifth);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth, array_index Fifth,
            array_index Sixth>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const Fifth& fifth, const Sixth& sixth, const place& where = place::current()) const {
    return self().part_at(where, first, second, third, fourth, fifth, sixth);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth, array_index Fifth,
            array_index Sixth, array_index Seventh>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const Fifth& fifth, const Sixth& sixth, const Seventh& seventh,
                                const place& where = place::current()) const {
    return self().part_at(where, first, second, third, fourth, fifth, sixth, seventh);
  }
  template <array_index First, array_index Second, array_index Third, array_index Fourth, array_index Fifth,
            array_index Sixth, array_index Seventh, array_index Eighth>
  [[nodiscard]] auto operator()(const First& first, const Second& second, const Third& third, const Fourth& fourth,
                                const Fifth& fifth, const Sixth& sixth, const Seventh& seventh, const Eighth& eighth,
                                const place& where = place::current()) const {
    return self().part_at(where, first, second, third, fourth, fifth, sixth, seventh, eighth);
  }
  template <array_index... Indices>
    requires(sizeof...(Indices) > 8)
  [[nodiscard]] auto operator()(const Indices&... indices) {
    return self().part_at(place(), indices...);
  }
  template <array_index... Indices>
    requires(sizeof...(Indices) > 8)
  [[nodiscard]] auto operator()(const Indices&... indices) const {
    return self().part_at(place(), indices...);
  }

 private:
  [[nodiscard]] Derived& self() noexcept { return static_cast<Derived&>(*this); }
  [[nodiscard]] const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif

// SPDX-License-Identifier: MIT
// A layout as the list of the addresses of its elements, made without strides; and random numbers for layouts.
#ifndef YOKE_TESTS_ARRAY_LAYOUT_MODEL_HPP
#define YOKE_TESTS_ARRAY_LAYOUT_MODEL_HPP

#include <support/catch.hpp>
#include <yoke/array/geometry/array_layout.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace yoke_test::array_model {

/// The byte of every element, in C order.
struct model {
  std::vector<std::size_t> shape;
  std::vector<std::size_t> addresses;
  std::size_t element = 1;

  bool operator==(const model&) const = default;

  [[nodiscard]] std::ptrdiff_t extent(std::size_t axis) const { return static_cast<std::ptrdiff_t>(shape[axis]); }
  [[nodiscard]] static std::size_t volume(const std::vector<std::size_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  }
  /// Returns: the indices of the `number`-th element in C order.
  [[nodiscard]] static std::vector<std::size_t> indices(const std::vector<std::size_t>& shape, std::size_t number) {
    std::vector<std::size_t> result(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      result[axis] = number % shape[axis];
      number /= shape[axis];
    }
    return result;
  }
  [[nodiscard]] std::size_t number(const std::vector<std::size_t>& at) const {
    std::size_t result = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) result = result * shape[axis] + at[axis];
    return result;
  }
  /// Returns: the model of a shape whose element at some indices is this one's at `from(indices)`.
  template <class From>
  [[nodiscard]] model mapped(std::vector<std::size_t> to, const From& from) const {
    model result{std::move(to), {}, element};
    const std::size_t count = volume(result.shape);
    for (std::size_t i = 0; i < count; ++i) {
      result.addresses.push_back(addresses[number(from(indices(result.shape, i)))]);
    }
    return result;
  }

  [[nodiscard]] static model dense(std::vector<std::size_t> shape, std::size_t element, bool f) {
    model result{std::move(shape), {}, element};
    const std::size_t count = volume(result.shape);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t place = i;
      if (f) {
        const auto at = indices(result.shape, i);
        place = 0;
        for (std::size_t axis = at.size(); axis-- > 0;) place = place * result.shape[axis] + at[axis];
      }
      result.addresses.push_back(place * element);
    }
    return result;
  }
  template <std::size_t Rank>
  [[nodiscard]] static model of(const yoke::array_layout<Rank>& layout) {
    model result{{layout.shape().begin(), layout.shape().end()}, {}, layout.element_bytes()};
    const std::size_t count = volume(result.shape);
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = indices(result.shape, i);
      std::array<std::size_t, Rank> fixed{};
      for (std::size_t axis = 0; axis < Rank; ++axis) fixed[axis] = at[axis];
      result.addresses.push_back(layout.byte_of(fixed));
    }
    return result;
  }

  /// Returns: the places that Python's `range(*slice.indices(extent))` lists.
  [[nodiscard]] static std::vector<std::size_t> places(const yoke::slice& of, std::ptrdiff_t extent) {
    const auto bound = [&](const yoke::slice_bound& given, std::ptrdiff_t open) {
      if (!given.is_given) return open;
      std::ptrdiff_t at = given.index;
      if (at < 0) at += extent;
      return of.step > 0 ? std::clamp(at, std::ptrdiff_t{0}, extent) : std::clamp(at, std::ptrdiff_t{-1}, extent - 1);
    };
    std::vector<std::size_t> result;
    if (of.step > 0) {
      const std::ptrdiff_t stop = bound(of.stop, extent);
      for (std::ptrdiff_t at = bound(of.start, 0); at < stop; at += of.step)
        result.push_back(static_cast<std::size_t>(at));
    } else {
      const std::ptrdiff_t stop = bound(of.stop, -1);
      for (std::ptrdiff_t at = bound(of.start, extent - 1); at > stop; at += of.step) {
        result.push_back(static_cast<std::size_t>(at));
      }
    }
    return result;
  }
  [[nodiscard]] model sliced(std::size_t axis, const yoke::slice& of) const {
    const auto taken = places(of, extent(axis));
    auto to = shape;
    to[axis] = taken.size();
    return mapped(to, [&](auto at) {
      at[axis] = taken[at[axis]];
      return at;
    });
  }
  [[nodiscard]] model integer(std::size_t axis, std::ptrdiff_t at) const {
    auto to = shape;
    to.erase(to.begin() + static_cast<std::ptrdiff_t>(axis));
    const auto place = static_cast<std::size_t>(at < 0 ? at + extent(axis) : at);
    return mapped(to, [&](auto from) {
      from.insert(from.begin() + static_cast<std::ptrdiff_t>(axis), place);
      return from;
    });
  }
  [[nodiscard]] model with_axis(std::size_t axis) const {
    auto to = shape;
    to.insert(to.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    return mapped(to, [&](auto from) {
      from.erase(from.begin() + static_cast<std::ptrdiff_t>(axis));
      return from;
    });
  }
  /// Returns: the elements whose index along `column` is `offset` more than that along `row`, along a last axis.
  [[nodiscard]] model diagonal(std::ptrdiff_t offset, std::size_t row, std::size_t column) const {
    std::vector<std::ptrdiff_t> rows;
    for (std::ptrdiff_t i = 0; i < extent(row); ++i) {
      if (i + offset >= 0 && i + offset < extent(column)) rows.push_back(i);
    }
    std::vector<std::size_t> to;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (axis != row && axis != column) to.push_back(shape[axis]);
    }
    to.push_back(rows.size());
    return mapped(to, [&](const auto& at) {
      std::vector<std::size_t> from;
      for (std::size_t axis = 0, next = 0; axis < shape.size(); ++axis) {
        const std::ptrdiff_t i = rows[at.back()];
        from.push_back(axis == row      ? static_cast<std::size_t>(i)
                       : axis == column ? static_cast<std::size_t>(i + offset)
                                        : at[next++]);
      }
      return from;
    });
  }
  [[nodiscard]] model permuted(const std::vector<std::size_t>& order) const {
    std::vector<std::size_t> to(order.size());
    for (std::size_t axis = 0; axis < order.size(); ++axis) to[axis] = shape[order[axis]];
    return mapped(to, [&](const auto& at) {
      std::vector<std::size_t> from(order.size());
      for (std::size_t axis = 0; axis < order.size(); ++axis) from[order[axis]] = at[axis];
      return from;
    });
  }
  [[nodiscard]] model transposed() const {
    std::vector<std::size_t> order(shape.size());
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    return permuted(order);
  }
  [[nodiscard]] model broadcast(const std::vector<std::size_t>& to) const {
    return mapped(to, [&](const auto& at) {
      std::vector<std::size_t> from(at.end() - static_cast<std::ptrdiff_t>(shape.size()), at.end());
      for (std::size_t axis = 0; axis < shape.size(); ++axis) from[axis] = shape[axis] == 1 ? 0 : from[axis];
      return from;
    });
  }
  /// Returns: the elements of this in C or F order, in a shape that is filled in the same order; nothing if no strides give
  /// these addresses.
  [[nodiscard]] std::optional<model> reshaped(const std::vector<std::size_t>& to, bool f) const {
    model result{to, {}, element};
    if (f) {
      auto backwards = to;
      std::reverse(backwards.begin(), backwards.end());
      const model flat{backwards, transposed().addresses, element};
      result = flat.transposed();
    } else {
      result.addresses = addresses;
    }
    return result.has_strides() ? std::optional(result) : std::nullopt;
  }
  /// Whether the addresses are a linear function of the indices.
  [[nodiscard]] bool has_strides() const {
    if (addresses.empty()) return true;
    std::vector<std::size_t> strides(shape.size());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      std::vector<std::size_t> at(shape.size());
      at[axis] = 1;
      if (shape[axis] > 1) strides[axis] = addresses[number(at)] - addresses[0];
    }
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const auto at = indices(shape, i);
      std::size_t expected = addresses[0];
      for (std::size_t axis = 0; axis < shape.size(); ++axis) expected += at[axis] * strides[axis];
      if (expected != addresses[i]) return false;
    }
    return true;
  }
  [[nodiscard]] model member(std::size_t offset, std::size_t bytes) const {
    model result = *this;
    result.element = bytes;
    for (std::size_t& each : result.addresses) each += offset;
    return result;
  }
  /// Returns: the same bytes as elements of another size, if each row of them is one run.
  [[nodiscard]] std::optional<model> reinterpreted(std::size_t bytes) const {
    if (bytes == element) return *this;
    if (shape.empty()) return std::nullopt;
    const std::size_t length = shape.back() * element;
    if (length % bytes != 0) return std::nullopt;
    for (std::size_t i = 1; i < addresses.size(); ++i) {
      if (i % shape.back() != 0 && addresses[i] != addresses[i - 1] + element) return std::nullopt;
    }
    // Strides say more than addresses where there are none.
    model result{shape, {}, bytes};
    result.shape.back() = length / bytes;
    for (std::size_t row = 0; row * std::max<std::size_t>(shape.back(), 1) < addresses.size(); ++row) {
      for (std::size_t i = 0; i < length / bytes; ++i) {
        result.addresses.push_back(addresses[row * shape.back()] + i * bytes);
      }
    }
    return result;
  }

  [[nodiscard]] bool is_dense(bool f) const {
    return addresses.empty() || [&] {
      const model expected = dense(shape, element, f);
      for (std::size_t i = 0; i < addresses.size(); ++i) {
        if (addresses[i] - addresses[0] != expected.addresses[i]) return false;
      }
      return true;
    }();
  }
  [[nodiscard]] bool is_apart() const {
    auto sorted = addresses;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i] - sorted[i - 1] < element) return false;
    }
    return true;
  }
  [[nodiscard]] std::size_t lowest() const { return *std::min_element(addresses.begin(), addresses.end()); }
  [[nodiscard]] std::size_t reach() const {
    if (addresses.empty()) return 0;
    return *std::max_element(addresses.begin(), addresses.end()) - lowest() + element;
  }
};

/// Random numbers for shapes and slices.
class dice {
 public:
  explicit dice(std::uint64_t seed) : seed_(seed), engine_(seed) {}
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(engine_); }
  std::ptrdiff_t between(std::ptrdiff_t least, std::ptrdiff_t most) {
    return std::uniform_int_distribution<std::ptrdiff_t>(least, most)(engine_);
  }
  /// Returns: 1 to 6, seldom 0, 1 more often.
  std::size_t extent() {
    const std::size_t number = below(24);
    return number == 0 ? 0 : number < 6 ? 1 : 2 + number % 5;
  }
  yoke::slice slice(std::ptrdiff_t extent) {
    const auto bound = [&]() -> yoke::slice_bound {
      if (below(3) == 0) return yoke::none;
      return between(-extent - 2, extent + 2);
    };
    const std::ptrdiff_t steps[]{1, 1, 1, -1, -1, 2, -2, 3, -3, 7};
    const auto start = bound();
    const auto stop = bound();
    return {start, stop, steps[below(std::size(steps))]};
  }
  std::vector<std::size_t> permutation(std::size_t size) {
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), engine_);
    return order;
  }
  /// Returns: `count` numbers with that product.
  std::vector<std::size_t> factors(std::size_t product, std::size_t count) {
    std::vector<std::size_t> result(count, 1);
    if (product == 0) {
      for (std::size_t& each : result) each = below(4);
      result[below(count)] = 0;
      return result;
    }
    for (std::size_t prime = 2; product > 1;) {
      if (product % prime == 0) {
        result[below(count)] *= prime;
        product /= prime;
      } else {
        ++prime;
      }
    }
    return result;
  }

 private:
  std::uint64_t seed_;
  std::mt19937_64 engine_;
};

}  // namespace yoke_test::array_model

#endif

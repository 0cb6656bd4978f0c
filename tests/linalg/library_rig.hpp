// SPDX-License-Identifier: MIT
// What the tests of the vendors' libraries share: contexts, numbers, results of the same calls side by side.
#ifndef YOKE_TESTS_LINALG_LIBRARY_RIG_HPP
#define YOKE_TESTS_LINALG_LIBRARY_RIG_HPP

#include <array/array_rig.hpp>
#include <linalg/however_small.hpp>
#include <support/drivers/fake_math_libraries.hpp>
#include <yoke/cache.hpp>
#include <yoke/linalg.hpp>

#include <complex>
#include <vector>

namespace yoke_test::libraries {

using complex = std::complex<float>;

/// The fake libraries, also for small products.
struct fake_libraries {
  however_small all{};
  with_fake_math fake{};
};

struct library_rig : arrays::any_rig {
  explicit library_rig(const yoke::device<>& on, const yoke::linalg_options& options = {}) : any_rig(on) {
    static const yoke::program_cache in_memory{{}, {}};
    yoke::use_array_programs(context, in_memory);
    if (!options.libraries.empty() || options.tf32) yoke::use_linalg(context, options);
  }
  /// Effects: ends the handles and plans that the context keeps.
  void drop_idle() const {
    yoke::detail::libraries_of(context, {}, &yoke::detail::default_linalg_options).get()->drop_idle();
  }
};

/// Small whole numbers, whose products are exact.
template <class T>
std::vector<T> numbers(std::size_t size, unsigned seed = 1) {
  std::mt19937 engine(seed);
  std::vector<T> made(size);
  for (T& each : made) {
    const auto draw = [&] { return static_cast<float>(static_cast<int>(engine() % 17) - 8); };
    if constexpr (yoke::detail::complex_element<T>) {
      using part = typename T::value_type;
      const auto real = static_cast<part>(draw());
      each = T(real, static_cast<part>(draw()));
    } else {
      each = static_cast<T>(draw());
    }
  }
  return made;
}
template <class T>
bool is_close(const std::vector<T>& left, const std::vector<T>& right, double within) {
  if (left.size() != right.size()) return false;
  double error = 0;
  double all = 0;
  for (std::size_t k = 0; k < left.size(); ++k) {
    error += std::norm(std::complex<double>(left[k]) - std::complex<double>(right[k]));
    all += std::norm(std::complex<double>(right[k]));
  }
  return error <= within * within * all;
}

/// What a test asks of libraries and of own kernels: results of the same calls.
using results = std::vector<std::vector<float>>;
template <class Array>
void keep(results& to, const Array& array) {
  const auto host = array.to_host();
  std::vector<float> flat;
  for (const auto& each : host) {
    if constexpr (yoke::detail::complex_element<std::remove_cvref_t<decltype(each)>>) {
      flat.push_back(static_cast<float>(each.real()));
      flat.push_back(static_cast<float>(each.imag()));
    } else {
      flat.push_back(static_cast<float>(each));
    }
  }
  to.push_back(std::move(flat));
}
inline void compare(const results& made, const results& own, double within) {
  REQUIRE(made.size() == own.size());
  for (std::size_t k = 0; k < own.size(); ++k) {
    INFO("result " << k);
    CHECK(is_close(made[k], own[k], within));
  }
}

}  // namespace yoke_test::libraries

#endif

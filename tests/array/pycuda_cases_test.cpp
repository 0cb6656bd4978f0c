// SPDX-License-Identifier: MIT
// The cases of PyCUDA's test_gpuarray and test_cumath, and of PyOpenCL's tests of arrays and algorithms, in yoke's words. Names of
// theirs stand beside the checks.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/struct.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <string_view>

namespace pycuda_cases {
struct extremes {
  float least, most;
};
}  // namespace pycuda_cases
YOKE_STRUCT(pycuda_cases::extremes, least, most);

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using list = std::vector<float>;
using single = std::complex<float>;

/// Returns: what a function makes of each number.
template <class T, class F>
auto mapped_by(const std::vector<T>& of, F make) {
  std::vector<decltype(make(of[0]))> result;
  for (const T& each : of) result.push_back(make(each));
  return result;
}
/// Whether numbers are equal but for rounding.
template <class T>
bool are_near(const std::vector<T>& one, const std::vector<T>& other, double bound = 1e-5) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (!(std::abs(one[i] - other[i]) <= bound * (1 + std::abs(other[i])))) return false;
  }
  return true;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("PyCUDA and PyOpenCL: arithmetic", "[array][predecessors]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const list x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const auto a = yoke::to_device_array(x, state.stream);
  const auto twice = yoke::to_device_array(mapped_by(x, [](float e) { return 2 * e; }), state.stream);
  // test_pow_array, test_pow_number, test_rpow_array
  CHECK(are_near(pow(a, a).to_host(), mapped_by(x, [](float e) { return std::pow(e, e); })));
  CHECK(are_near(pow(a, 2).to_host(), mapped_by(x, [](float e) { return e * e; })));
  CHECK(are_near(pow(2.5F, a).to_host(), mapped_by(x, [](float e) { return std::pow(2.5F, e); })));
  // test_pow_neg1_vs_inv
  const auto d = a.template astype<double>();
  CHECK(are_near(pow(d, -1).to_host(), (1 / d).to_host(), 1e-15));
  // test_abs, test_len
  CHECK(abs(-a).to_host() == x);
  CHECK(a.extent(0) == 10);
  // test_multiply (of complex scalars, too), test_rmul_yields_right_type, test_multiply_array
  CHECK((2 * a).to_host() == twice.to_host());
  CHECK((single(0, 2) * a).to_host() == mapped_by(x, [](float e) { return single(0, 2 * e); }));
  static_assert(std::is_same_v<typename decltype(2 * a)::value_type, float>);
  CHECK((a * a).to_host() == mapped_by(x, [](float e) { return e * e; }));
  // test_mul_add, test_unit_multiply_array: `out` is the left side
  auto out = yoke::empty_like(a);
  out = 2 * a + 3 * twice;
  CHECK(out.to_host() == mapped_by(x, [](float e) { return 8 * e; }));
  CHECK((+a).to_host() == x);
  CHECK((-a).to_host() == mapped_by(x, [](float e) { return -e; }));
  // test_addition_array, test_iaddition_array, test_addition_scalar, test_iaddition_scalar
  out = a + a;
  CHECK(out.to_host() == twice.to_host());
  out += 7;
  out += a;
  CHECK(out.to_host() == mapped_by(x, [](float e) { return 3 * e + 7; }));
  // test_subtract_array, test_substract_scalar; arrays of one number join in (test_*_with_scalars)
  const yoke::device_value<float> seven(state.stream, 7);
  out = a - seven.array();
  CHECK((7 - a).to_host() == (-out).to_host());
  // test_divide_scalar, test_divide_array, divide_inplace
  out = 100 / a;
  out /= 2;
  out /= a;
  CHECK(are_near(out.to_host(), mapped_by(x, [](float e) { return 50 / (e * e); })));
  // test_nan_arithmetic
  list holes = x;
  holes[3] = std::numeric_limits<float>::quiet_NaN();
  const auto product = (a * yoke::to_device_array(holes, state.stream)).to_host();
  CHECK((std::isnan(product[3]) && product[2] == 9 && product[4] == 25));
  // bitwise
  const auto i = yoke::to_device_array({12, 10, 7}, state.stream);
  const auto j = yoke::to_device_array({10, 3, 1}, state.stream);
  CHECK((((i & j) | (i ^ 3)) + (~j)).to_host() == std::vector<int>{4, 7, 3});
  // test_binary_ops_with_unequal_dtypes, mix_complex
  const auto n = yoke::to_device_array(std::vector<std::int16_t>{1, 2, 3}, state.stream);
  CHECK((n * i + 0.5 * j).to_host() == std::vector<double>{17, 21.5, 21.5});
  CHECK((single(1, 1) * n - i).to_host() == std::vector<single>{{-11, 1}, {-8, 2}, {-4, 3}});
}

YOKE_ANY_DEVICE_TEST_CASE("PyCUDA and PyOpenCL: comparisons, choices and logic", "[array][predecessors]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto a = yoke::to_device_array({5.0F, 2.0F, 3.0F, 0.0F}, state.stream);
  const auto b = yoke::to_device_array({1.0F, 2.0F, 9.0F, 0.0F}, state.stream);
  // test_array_gt, test_array_lt, test_array_le, test_array_ge, test_array_eq, test_array_ne, test_scalar_comparisons
  CHECK(((a > b) + 2 * (a < b) + 4 * (a <= b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b) + 64 * (a > 2) +
         128 * (3 == b))
            .to_host() == std::vector<int>{1 + 8 + 32 + 64, 4 + 8 + 16, 2 + 4 + 32 + 64, 4 + 8 + 16});
  // test_where, test_if_positive, if_positive_with_scalars
  CHECK(where(a > b, a, b).to_host() == list{5, 2, 9, 0});
  CHECK(where(a - b > 0, 1.0F, b).to_host() == list{1, 2, 9, 0});
  // test_minimum_maximum_scalar, maximum_minimum_with_scalars
  CHECK((max(a, b) + 10 * min(a, 3)).to_host() == list{35, 22, 39, 0});
  // test_logical_and_or, test_logical_not
  CHECK(((a && b) + 2 * (a || b) + 4 * !a + 8 * (a && 0) + 16 * (0 || b)).to_host() == std::vector<int>{19, 19, 19, 4});
  // test_truth_value, test_any, test_all, any_all
  CHECK((yoke::any(a).get() && !yoke::all(a).get() && yoke::all(a(yoke::slice(0, 3))).get()));
  CHECK(yoke::all(a(3) == 0).get());
  // branch_operations_on_nans, reduction_nan_handling: fmax leaves NaN out, max shows it
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto holes = yoke::to_device_array({1.0F, nan, 3.0F}, state.stream);
  CHECK(fmax(holes, 2).to_host() == list{2, 2, 3});
  CHECK(std::isnan(yoke::max(holes).get()));
  CHECK(yoke::reduce<"fmax(a, b)", "-as_float(0x7f800000)">(holes).get() == 3);
  // empty_reductions_vs_numpy
  const auto none = yoke::zeros<float>({0}, state.stream);
  CHECK((yoke::sum(none).get() == 0 && yoke::prod(none).get() == 1 && !yoke::any(none).get() && yoke::all(none).get()));
  CHECK_THROWS_AS(yoke::max(none), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("PyCUDA and PyOpenCL: shapes and strides", "[array][predecessors]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto& stream = state.stream;
  // test_arange, test_ones, test_default_zero, test_create_complex_zeros, test_zeros_like_etc
  CHECK(yoke::arange(10, 0, -3, stream).to_host() == std::vector<int>{10, 7, 4, 1});
  CHECK(yoke::ones<single>({2}, stream).to_host() == std::vector<single>(2, 1));
  CHECK(yoke::zeros<std::complex<double>>({2}, stream).to_host() == std::vector<std::complex<double>>(2));
  const auto f = yoke::zeros<float>({3, 4}, stream, yoke::array_order::f);
  CHECK((yoke::zeros_like(f).is_f_contiguous() && yoke::ones_like(f)(2, 3).value() == 1));
  // test_stack, test_concatenate: parts of one array
  const auto a = yoke::arange<int>(6, stream);
  const auto b = 10 * a;
  yoke::device_array<int, 2> stacked(stream, {2, 6});
  stacked(0) = a(yoke::whole);
  stacked(1) = b;
  CHECK(stacked(yoke::whole, 2).to_host() == std::vector<int>{2, 20});
  yoke::device_array<int, 1> joined(stream, {9});
  joined(yoke::slice(0, 6)) = a(yoke::whole);
  joined(yoke::slice(6, yoke::none)) = a(yoke::slice(3, yoke::none));
  CHECK(joined.to_host() == std::vector<int>{0, 1, 2, 3, 4, 5, 3, 4, 5});
  // test_reverse, test_transpose, test_newaxis, test_squeeze, test_reshape, test_view, meshmode_view
  CHECK(a(yoke::reversed).to_host() == std::vector<int>{5, 4, 3, 2, 1, 0});
  CHECK(stacked.transpose().to_host() == std::vector<int>{0, 0, 1, 10, 2, 20, 3, 30, 4, 40, 5, 50});
  CHECK(a(yoke::newaxis).shape() == yoke::shape{1, 6});
  CHECK(a.reshape({1, 2, 3}).squeeze(0).shape() == yoke::shape{2, 3});
  CHECK_THROWS_AS(a.reshape({4, -1}), yoke::logic_error);
  CHECK(a.template as<std::int16_t>().extent(0) == 12);
  stacked.reshape({3, 4})(2).fill(7);
  CHECK(stacked(1, 4).value() == 7);
  // test_stride_preservation, test_noncontig_transpose, test_copy_strides
  CHECK((f.copy().is_f_contiguous() && !f(yoke::slice(0, yoke::none, 2)).is_f_contiguous()));
  const auto columns = stacked(yoke::whole, yoke::slice(0, 4)).transpose();
  CHECK(columns.copy().to_host() == columns.to_host());
  // test_slice, test_2d_slice_c, test_2d_slice_f, test_setitem_scalar; diff
  CHECK((a(yoke::slice(1, yoke::none)) - a(yoke::slice(0, -1))).to_host() == std::vector<int>(5, 1));
  stacked(yoke::slice(0, 2), yoke::slice(1, 5, 2)).fill(-1);
  CHECK(stacked.to_host() == std::vector<int>{0, -1, 2, -1, 4, 5, 0, -1, 7, -1, 7, 7});
  // test_get_set, test_copy
  joined.assign(std::vector<int>(9, 4));
  const auto copied = joined.copy();
  joined.fill(0);
  CHECK(copied.to_host() == std::vector<int>(9, 4));
  // test_vector_fill
  CHECK(yoke::full(yoke::float4{1, 2, 3, 4}, {3}, stream).to_host()[2].w == 4);
  // test_pass_slice_to_kernel
  auto whole = yoke::zeros<float>({1030}, stream);
  const yoke::elementwise_kernel<void(float*)> mark(state.context, {"x"}, "x[i] = i + 1");
  mark(whole(yoke::slice(1024, 1027)));
  CHECK(whole(yoke::slice(1022, 1029)).to_host() == list{0, 0, 1, 2, 3, 0, 0});
  // test_astype, test_complex_bits, absrealimag
  CHECK(a.template astype<double>().to_host()[5] == 5.0);
  const auto z = yoke::to_device_array({single(3, 4), single(-1, 0)}, stream);
  CHECK((real(z) + 10 * imag(conj(z)) + 100 * abs(z)).to_host() == list{463, 99});
  CHECK((real(a) + imag(a) - conj(a)).to_host() == std::vector<int>(6, 0));
}

YOKE_ANY_DEVICE_TEST_CASE("PyCUDA and PyOpenCL: kernels from text, gather and scatter", "[array][predecessors]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto& stream = state.stream;
  // test_elwise_kernel, elwise_kernel_with_options
  const auto a = yoke::arange<float>(50, stream);
  const auto b = 2 * a;
  auto c = yoke::empty_like(a);
  const yoke::elementwise_kernel<void(float, const float*, float, const float*, float*)> combine(
      state.context, {"a", "x", "b", "y", "z"}, "z[i] = SCALE(a) * x[i] + b * y[i]",
      {.name = "combine", .preamble = "#define SCALE(x) (WIDE * (x))", .compile = {.defines = {{"WIDE", 1}}}});
  combine(5, a, 6, yoke::device_array(b), c);
  CHECK(c.to_host() == (5 * a + 12 * a).to_host());
  // test_ranged_elwise_kernel: a kernel's range is a part
  c.fill(0);
  c(yoke::slice(yoke::none, 10, 3)).fill(1);
  c(yoke::slice(-1, -8, -4)).fill(2);
  CHECK(yoke::sum(c).get() == 8);
  // test_take, test_take_put, fancy_indexing, fancy_fill: memory without a shape is a pointer alone
  const auto places = yoke::to_device_array({49, 0, 7}, stream);
  auto taken = yoke::zeros<float>({3}, stream);
  const yoke::elementwise_kernel<void(float*, const float*, const int*)> take(state.context, {"to", "from", "at"},
                                                                              "to[i] = from[at[i]]");
  take(taken, a.span(), places);
  CHECK(taken.to_host() == list{49, 0, 7});
  const yoke::elementwise_kernel<void(float*, const float*, const int*)> put(state.context, {"to", "from", "at"},
                                                                             "to[at[i]] = from[i]");
  put(c.span(), taken, places);
  CHECK((c(49).value() == 49 && c(7).value() == 7));
  // test_sum, test_minmax, test_dot; test_subset_minmax, test_subset_sum: of what was taken
  CHECK((yoke::sum(a).get() == 1225 && yoke::min(a).get() == 0 && yoke::max(a(yoke::slice(0, 20))).get() == 19));
  CHECK(yoke::dot(a, a).get() == 40425);
  CHECK((yoke::sum(taken).get() == 56 && yoke::max(taken).get() == 49));
  // test_reduce_out, reduction_not_first_argument: into an element of an array
  c(3) = 1 * yoke::sum(a * 1).array();
  CHECK(c(3).value() == 1225);
  const yoke::reduction_kernel<float(float, const float*)> scaled(state.context, {"s", "x"},
                                                                  {.map = "s * x[i]", .join = "a + b", .neutral = "0"});
  CHECK(scaled(2, a).get() == 2450);
  // test_struct_reduce: the least and the greatest in one pass, made into a struct
  auto [least, most] = yoke::in_one_pass(yoke::pass::min(a - 3), yoke::pass::max(a));
  using pycuda_cases::extremes;
  const auto both = yoke::device_array(
      yoke::apply<"extremes r; r.least = a; r.most = b; return r;", extremes>(least.array(), most.array()));
  CHECK((both.value().least == -3 && both.value().most == 49));
}

YOKE_ANY_DEVICE_TEST_CASE("PyCUDA and PyOpenCL: scans, copy_if, partition, unique", "[array][predecessors]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto& stream = state.stream;
  for (const std::size_t size : std::initializer_list<std::size_t>{1, 10, 257, 4097, 20'000}) {
    // test_scan, segmented_scan
    const auto host = random_values<int>(size);
    const auto a = yoke::to_device_array(host, stream);
    const yoke::scan_kernel<int(const int*, int*, int*)> sums(
        state.context, {"x", "upto", "before"},
        {.input = "x[i]", .join = "a + b", .neutral = "0", .output = "upto[i] = item; before[i] = prev_item"});
    auto upto = yoke::empty_like(a);
    auto before = yoke::empty_like(a);
    sums(a, upto, before);
    std::vector<int> expected(size);
    std::partial_sum(host.begin(), host.end(), expected.begin());
    CHECK(upto.to_host() == expected);
    CHECK((upto - before).to_host() == host);
    // copy_if and its count on the device; partition: the others behind them
    const yoke::scan_kernel<int(const int*, int*, int*)> partition(
        state.context, {"x", "to", "count"},
        {.input = "x[i] > 0",
         .join = "a + b",
         .neutral = "0",
         .output =
             "to[prev_item != item ? prev_item : last_item + (int)i - item] = x[i]; if (i + 1 == N) count[0] = item"});
    auto split = yoke::empty_like(a);
    auto count = yoke::zeros<int>({1}, stream);
    partition(a, split, count.span());
    std::vector<int> sorted = host;
    const auto middle = std::stable_partition(sorted.begin(), sorted.end(), [](int e) { return e > 0; });
    CHECK(split.to_host() == sorted);
    CHECK(count(0).value() == static_cast<int>(middle - sorted.begin()));
    // unique: where neighbours differ
    const auto tens = a / 5000;
    const auto coarse = yoke::evaluate(tens);
    const yoke::scan_kernel<int(const int*, int*)> unique(state.context, {"x", "to"},
                                                          {.input = "i == 0 || x[i] != x[i - 1]",
                                                           .join = "a + b",
                                                           .neutral = "0",
                                                           .output = "if (prev_item != item) to[prev_item] = x[i]"});
    auto few = yoke::zeros_like(a);
    unique(coarse, few);
    std::vector<int> once = coarse.to_host();
    once.erase(std::unique(once.begin(), once.end()), once.end());
    const std::vector<int> found = few.to_host();
    CHECK(std::equal(once.begin(), once.end(), found.begin()));
  }
  // scan_with_vectorargs_with_offsets, index_preservation
  const auto long_one = yoke::arange<int>(5000, stream);
  auto to = yoke::zeros<int>({5000}, stream);
  to(yoke::slice(0, 3976)) = yoke::inclusive_scan<"b", "0">(long_one(yoke::slice(1024, yoke::none)));
  CHECK((to(0).value() == 1024 && to(3975).value() == 4999 && to(3976).value() == 0));
}

YOKE_ANY_DEVICE_TEST_CASE("PyCUDA's test_cumath and PyOpenCL's test_clmath", "[array][predecessors]") {
  any_rig state(device);
  const auto check = [&]<class T>(T, double bound) {
    for (const std::size_t size : std::initializer_list<std::size_t>{2, 10, 129}) {
      std::vector<T> host(size);
      for (std::size_t i = 0; i < size; ++i)
        host[i] = static_cast<T>(0.9 * static_cast<double>(i + 1) / static_cast<double>(size));
      const auto x = yoke::to_device_array(host, state.stream);
      // One kernel for several functions: each is told from the others by its own factor.
      CHECK(are_near(
          (ceil(3 * x) + 16 * floor(5 * x) + fabs(x - 1) + sqrt(x)).to_host(),
          mapped_by(host,
                    [](T e) { return std::ceil(3 * e) + 16 * std::floor(5 * e) + std::fabs(e - 1) + std::sqrt(e); }),
          bound));
      CHECK(are_near((exp(x) + 2 * log(x) + 3 * log10(x) + 5 * sin(x) + 7 * cos(x) + 11 * tan(x)).to_host(),
                     mapped_by(host,
                               [](T e) {
                                 return std::exp(e) + 2 * std::log(e) + 3 * std::log10(e) + 5 * std::sin(e) +
                                        7 * std::cos(e) + 11 * std::tan(e);
                               }),
                     bound));
      CHECK(are_near((asin(x) + 2 * acos(x) + 3 * atan(x) + 5 * sinh(x) + 7 * cosh(x) + 11 * tanh(x)).to_host(),
                     mapped_by(host,
                               [](T e) {
                                 return std::asin(e) + 2 * std::acos(e) + 3 * std::atan(e) + 5 * std::sinh(e) +
                                        7 * std::cosh(e) + 11 * std::tanh(e);
                               }),
                     bound));
      // fmod, modf: whole and rest; ldexp, frexp by functions of the program's own
      CHECK(are_near(fmod(7 * x, 2).to_host(), mapped_by(host, [](T e) { return std::fmod(7 * e, T{2}); }), bound));
      // a device may fuse the multiplication and the subtraction, and round once
      CHECK(are_near((trunc(9 * x) + (9 * x - trunc(9 * x))).to_host(), mapped_by(host, [](T e) { return 9 * e; }),
                     bound));
      CHECK(yoke::apply<"ldexp(a, b)">(x, 3).to_host() == (8 * x).to_host());
      int exponent = 0;
      CHECK(yoke::apply<"int e; return frexp(a, &e);">(x).to_host() ==
            mapped_by(host, [&](T e) { return std::frexp(e, &exponent); }));
      const auto exponents = yoke::apply<"int e; frexp(a, &e); return e;", int>(x).to_host();
      bool right = exponents.size() == host.size();
      for (std::size_t i = 0; right && i < host.size(); ++i) {
        (void)std::frexp(host[i], &exponent);
        right = exponents[i] == exponent;
      }
      CHECK(right);
    }
  };
  turns turn(device);
  if (turn()) check(float{}, 2e-5);
  if (turn()) check(double{}, 1e-13);
  // test_exp_c, test_sin_c, ...: the values are in complex_test; `out` is what is assigned to
  auto z = yoke::to_device_array({single(1, 1)}, state.stream);
  z = exp(z);
  CHECK(are_near(z.to_host(), {std::exp(single(1, 1))}));
}

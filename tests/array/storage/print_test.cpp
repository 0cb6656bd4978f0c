// SPDX-License-Identifier: MIT
// Arrays as text: what NumPy 2 prints of the same elements.
#include <fmt/ranges.h>  // which has a formatter for everything that has begin() and end()
#include <array/array_rig.hpp>
#include <yoke/fmt.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {
std::string printed(const auto& array) { return fmt::format("{}", array); }
}  // namespace

TEST_CASE("formats of images are printed by name, with the options of a string", "[array]") {
  CHECK(fmt::format("{}", yoke::image_format{yoke::channel_type::unorm8, 4}) == "unorm8 x 4");
  CHECK(fmt::format("{:>8}", yoke::image_format{}) == " float32");
  CHECK(fmt::format("{}", yoke::opencl::abi::image_format{yoke::opencl::abi::order_rgba,
                                                          yoke::opencl::abi::type_unorm_int8}) == "RGBA, UNORM_INT8");
}

YOKE_ANY_DEVICE_TEST_CASE("arrays of numbers are printed in columns", "[array]") {
  any_rig state(device);
  const auto& stream = state.stream;
  CHECK(printed(yoke::to_device_array({1.0F, 2.5F, -3.0F}, stream)) == "[ 1.   2.5 -3. ]");
  CHECK(printed(yoke::to_device_array({1e-5, 1.0, 123456.0}, stream)) == "[1.00000e-05 1.00000e+00 1.23456e+05]");
  CHECK(printed(yoke::to_device_array({1e100, -1e-100, 0.0}, stream)) == "[ 1.e+100 -1.e-100  0.e+000]");
  CHECK(printed(yoke::to_device_array({3141.592653589793, 0.2718281828459045}, stream)) ==
        "[3.14159265e+03 2.71828183e-01]");
  CHECK(printed(yoke::to_device_array({1e-30F, 3.3333333e20F}, stream)) == "[1.0000000e-30 3.3333333e+20]");
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(printed(yoke::to_device_array({nan, inf, -inf, 1.5}, stream)) == "[ nan  inf -inf  1.5]");
  CHECK(printed(yoke::to_device_array({nan, -inf}, stream)) == "[ nan -inf]");
  using h = yoke::half;
  CHECK(printed(yoke::to_device_array(std::vector{h(0.1F), h(2.0F), h(65504.0F), h(3.14159F)}, stream)) ==
        "[1.00e-01 2.00e+00 6.55e+04 3.14e+00]");
  using b = yoke::bfloat16;
  CHECK(printed(yoke::to_device_array(std::vector{b(0.1F), b(2.0F)}, stream)) == "[0.1 2. ]");
  const auto least = std::numeric_limits<std::int64_t>::min();
  CHECK(printed(yoke::to_device_array({least, -(least + 1)}, stream)) == "[-9223372036854775808  9223372036854775807]");
  CHECK(printed(yoke::to_device_array(std::vector<std::int8_t>{65, -1}, stream)) == "[65 -1]");
  const auto two = yoke::to_device_array({{1, 0}, {0, 0}}, stream);
  CHECK(printed(two == 1) == "[[ True False]\n [False False]]");
}

YOKE_ANY_DEVICE_TEST_CASE("lines are broken, axes are in brackets", "[array]") {
  any_rig state(device);
  const auto& stream = state.stream;
  const auto a = yoke::arange<int>(30, stream);
  CHECK(printed(a) == "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 25 26 27 28 29]");
  std::vector<float> thirds(18);  // by the host, because OpenCL's division need not round as C++ does
  for (std::size_t i = 0; i < thirds.size(); ++i) thirds[i] = static_cast<float>(i) / 3;
  CHECK(printed(yoke::to_device_array(thirds, stream)) ==
        "[0.         0.33333334 0.6666667  1.         1.3333334  1.6666666\n"
        " 2.         2.3333333  2.6666667  3.         3.3333333  3.6666667\n"
        " 4.         4.3333335  4.6666665  5.         5.3333335  5.6666665 ]");
  CHECK(printed(a(yoke::slice(0, 24)).reshape({2, 3, 4}) - 5) ==
        "[[[-5 -4 -3 -2]\n  [-1  0  1  2]\n  [ 3  4  5  6]]\n\n"
        " [[ 7  8  9 10]\n  [11 12 13 14]\n  [15 16 17 18]]]");
  CHECK(printed(a(yoke::slice(0, 8)).reshape({2, 2, 2, 1})) ==
        "[[[[0]\n   [1]]\n\n  [[2]\n   [3]]]\n\n\n [[[4]\n   [5]]\n\n  [[6]\n   [7]]]]");
  CHECK(printed(a(yoke::slice(1, 4), yoke::newaxis).transpose()) == "[[1 2 3]]");
  CHECK(printed(yoke::zeros<float>({0, 3}, stream)) == "[]");
  // A word that is longer than a line.
  CHECK(fmt::format("{:80}", a(yoke::slice(0, 2))) ==
        "[" + std::string(79, ' ') + "0\n " + std::string(79, ' ') + "1]");
  CHECK(fmt::format("{:.2f}", yoke::to_device_array({1.0F, -20.123F}, stream)) == "[  1.00 -20.12]");
  CHECK(fmt::format("{:#x}", a(yoke::slice(15, 18))) == "[ 0xf 0x10 0x11]");
}

YOKE_ANY_DEVICE_TEST_CASE("one element is printed alone", "[array]") {
  any_rig state(device);
  const auto a = yoke::to_device_array({2.0, 1.25e-7, 0.1, 1e16, 123456789.0}, state.stream);
  CHECK(printed(a(0)) == "2.0");
  CHECK(printed(a(1)) == "1.25e-07");
  CHECK(printed(a(3)) == "1e+16");
  CHECK(printed(a(4)) == "123456789.0");
  CHECK(printed(yoke::sum(a(yoke::slice(0, 1)))) == "2.0");
  CHECK(printed(yoke::sum(yoke::cast<int>(a(yoke::slice(0, 1))))) == "2");
  CHECK(printed(yoke::device_value(state.stream, 0.1F)) == "0.1");
  CHECK(fmt::format("{:.3f}", a(2)) == "0.100");
  CHECK(printed(a(0) == 2) == "True");
}

YOKE_ANY_DEVICE_TEST_CASE("more than a thousand elements are shown by their edges, which alone are copied", "[array]") {
  any_rig state(device);
  const auto a = yoke::arange<int>(2000, state.stream);
  CHECK(printed(a) == "[   0    1    2 ... 1997 1998 1999]");
  CHECK(printed(a(yoke::slice(0, 1001))) == "[   0    1    2 ...  998  999 1000]");
  CHECK(printed(a(yoke::slice(0, 1000))).size() > 4000);
  CHECK(printed(yoke::cast<float>(a.reshape({40, 50}))) ==
        "[[0.000e+00 1.000e+00 2.000e+00 ... 4.700e+01 4.800e+01 4.900e+01]\n"
        " [5.000e+01 5.100e+01 5.200e+01 ... 9.700e+01 9.800e+01 9.900e+01]\n"
        " [1.000e+02 1.010e+02 1.020e+02 ... 1.470e+02 1.480e+02 1.490e+02]\n ...\n"
        " [1.850e+03 1.851e+03 1.852e+03 ... 1.897e+03 1.898e+03 1.899e+03]\n"
        " [1.900e+03 1.901e+03 1.902e+03 ... 1.947e+03 1.948e+03 1.949e+03]\n"
        " [1.950e+03 1.951e+03 1.952e+03 ... 1.997e+03 1.998e+03 1.999e+03]]");
  CHECK(printed(a(yoke::slice(0, 1200)).reshape({2, 2, 300})) ==
        "[[[   0    1    2 ...  297  298  299]\n  [ 300  301  302 ...  597  598  599]]\n\n"
        " [[ 600  601  602 ...  897  898  899]\n  [ 900  901  902 ... 1197 1198 1199]]]");
  CHECK(printed(a(yoke::slice(0, 1200)).reshape({300, 4}).transpose()) ==
        "[[   0    4    8 ... 1188 1192 1196]\n [   1    5    9 ... 1189 1193 1197]\n"
        " [   2    6   10 ... 1190 1194 1198]\n [   3    7   11 ... 1191 1195 1199]]");
}

TEST_CASE("shapes are printed as Python prints tuples", "[array]") {
  CHECK(fmt::format("{} {} {} {}", yoke::shape<0>{}, yoke::shape<1>(3), yoke::shape<2>(3, 4),
                    yoke::shape<3>(0, 1, 2)) == "() (3,) (3, 4) (0, 1, 2)");
}

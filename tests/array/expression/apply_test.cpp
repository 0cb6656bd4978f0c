// SPDX-License-Identifier: MIT
// Functions of the program's own in expressions, and indices of 64 bits.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/array/reduction/scan.hpp>
#include <yoke/cache.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

YOKE_ANY_DEVICE_TEST_CASE("a function of the program's own is part of the kernel", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto x = yoke::to_device_array({-2.0F, 0.5F, 3.0F}, state.stream);
  const auto n = yoke::to_device_array({1, 2, 3}, state.stream);
  CHECK(yoke::apply<"a > 0 ? a : 0.5f * a">(x).to_host() == std::vector<float>{-1, 0.5F, 3});
  auto y = yoke::zeros<float>({3}, state.stream);
  y = 1 + yoke::apply<"a * b + c">(x, n, 2) * yoke::apply<"-a">(n);
  CHECK(y.to_host() == std::vector<float>{1, -5, -32});
  const auto steps = yoke::apply<"int k = 0; while (a > 1) { a = a % 2 == 0 ? a / 2 : 3 * a + 1; ++k; } return k;">(n);
  CHECK(steps.to_host() == std::vector<int>{0, 1, 7});
  const auto wide = yoke::apply<"a * 1000000000", std::int64_t>(yoke::cast<std::int64_t>(n));
  static_assert(std::is_same_v<decltype(wide.to_host()), std::vector<std::int64_t>>);
  CHECK(yoke::sum(wide).get() == 6'000'000'000);
  CHECK(yoke::cumsum(yoke::apply<"a * a">(n)).to_host() == std::vector<std::int64_t>{1, 5, 14});
  const auto h = yoke::full(yoke::half(1.5F), {2}, state.stream);
  CHECK(yoke::apply<"a + a">(h).to_host() == std::vector<float>{3, 3});
}

YOKE_ANY_DEVICE_TEST_CASE("a text returns by the word alone, and comments end where they do", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto x = yoke::to_device_array({1.0F, 2.0F}, state.stream);
  const std::vector<float> doubled{2, 4};
  CHECK(yoke::apply<"2 * a /* what is returned: return a; */">(x).to_host() == doubled);
  CHECK(yoke::apply<"2 * a  // return">(x).to_host() == doubled);
  CHECK(yoke::apply<"// twice\n2 * a">(x).to_host() == doubled);
  CHECK(yoke::apply<"float returned = a; return 2 * returned;">(x).to_host() == doubled);
  CHECK(yoke::apply<"if (a > 1) return(4); return 2; // the rest">(x).to_host() == doubled);
  CHECK(yoke::reduce<"a + b  // returns both", "0 /* return */">(x).get() == 3);
  for (const char* const expression : {"", "a", "returned + 1", "_return", "return_", "re turn", "1return", "/* return",
                                       "// return", "/*/ return */ a", "a / b"}) {
    INFO(expression);
    CHECK(!yoke::detail::returns(expression));
  }
  for (const char* const body : {"return", "return a", "{return 1;}", "// x\nreturn a", "/**/return", "a;return"}) {
    INFO(body);
    CHECK(yoke::detail::returns(body));
  }
}

namespace {
/// Makes 32 bits too few for arrays of so many steps, so that kernels count with 64.
class wide_indices {
 public:
  explicit wide_indices(std::int64_t from = 0) noexcept { yoke::detail::narrow_limit() = from; }
  wide_indices(const wide_indices&) = delete;
  wide_indices& operator=(const wide_indices&) = delete;
  ~wide_indices() { yoke::detail::narrow_limit() = std::int64_t{1} << 31; }
};
}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("kernels with indices of 64 bits give what those with 32 give", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const auto host = random_values<int>(37 * 45);
  const auto a = yoke::to_device_array(host, {37, 45}, state.stream);
  const auto run = [&] {
    const auto turned = a.transpose();
    const yoke::device_array linear(2 * a + 1);
    const yoke::device_array strided(a(yoke::reversed, yoke::slice(0, yoke::none, 2)) - turned(0, 0));
    const yoke::device_array crossed(a + turned(yoke::slice(0, 1), yoke::whole).transpose());
    std::vector<std::vector<int>> numbers{linear.to_host(), strided.to_host(), crossed.to_host()};
    std::vector<std::vector<std::int64_t>> sums{
        {yoke::sum(a).get(), yoke::sum(turned).get(), yoke::argmax(a).get()},
        yoke::sum(a, yoke::along(0)).to_host(),
        yoke::sum(turned, yoke::along(0)).to_host(),
        yoke::cumsum(turned).to_host(),
        yoke::cumsum(a, yoke::along(0)).to_host(),
        yoke::cumsum(a(yoke::slice(0, 3), yoke::slice(0, 9)), yoke::along(1)).to_host()};
    return std::pair(numbers, sums);
  };
  const auto narrow = run();
  const wide_indices wide;
  CHECK((run() == narrow));
}

YOKE_ANY_DEVICE_TEST_CASE("indices have 64 bits from the step on that 32 do not reach, by a kernel of their own",
                          "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const auto compiled = [&] { return yoke::array_programs(state.context).counters().compiled; };
  const auto a = yoke::arange<int>(2000, state.stream);
  const auto check = [&](const auto& view) {
    auto expected = view.to_host();
    for (int& each : expected) each = 2 * each + 1;
    const auto before = compiled();
    yoke::device_array<int, 1> to(state.stream, {view.size()});
    to = 2 * view + 1;
    const auto added = compiled() - before;
    CHECK(to.to_host() == expected);
    return added;
  };
  const wide_indices wide(1000);
  using yoke::slice;
  CHECK(check(a(slice(0, 999))) == 1);
  CHECK(check(a(slice(0, 1000))) == 1);  // as many steps as 32 bits no longer count
  CHECK(check(a(slice(7, 900))) == 0);
  CHECK(check(a(slice(0, 1999))) == 0);
  CHECK(check(a(slice(0, 999, 2))) == 1);   // 998 elements from the first to the last
  CHECK(check(a(slice(0, 1001, 2))) == 1);  // 1000
  CHECK(check(a(slice(1, 900, 2))) == 0);
  CHECK(check(a(slice(1500, 0, -2))) == 0);
}

// SPDX-License-Identifier: MIT
// Registered structs as the values of reductions and scans, by operators of the program's own.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/struct.hpp>

namespace struct_reductions {
/// The least value and where it is.
struct place {
  float value;
  int at;
};
/// What a mean and a variance are made of; 24 bytes.
struct moments {
  double count;
  double mean;
  double squares;
};
/// A linear function: joining two, one after the other, does not commute.
struct line {
  std::uint32_t factor;
  std::uint32_t term;
};
struct odd_size {
  std::uint32_t words[3];
};
struct small {
  std::int8_t least;
  std::int8_t most;
};
struct large {
  std::uint32_t sums[16];
};
}  // namespace struct_reductions
YOKE_STRUCT(struct_reductions::place, value, at);
YOKE_STRUCT(struct_reductions::moments, count, mean, squares);
YOKE_STRUCT(struct_reductions::line, factor, term);
YOKE_STRUCT_AS(struct_reductions::odd_size, "three_words", words);
YOKE_STRUCT_AS(struct_reductions::small, "small_range", least, most);
YOKE_STRUCT_AS(struct_reductions::large, "sixteen_sums", sums);

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace struct_reductions;

namespace {

#define LEAST_PLACE "b.value < a.value || (b.value == a.value && b.at < a.at) ? b : a"
#define NO_PLACE "place r; r.value = 1e30f; r.at = 0x7fffffff; return r;"
#define AFTER "line r; r.factor = a.factor * b.factor; r.term = a.term * b.factor + b.term; return r;"
#define SAME "line r; r.factor = 1; r.term = 0; return r;"
#define JOINED_MOMENTS                                                                                                 \
  "moments r; r.count = a.count + b.count; if (r.count == 0) return a; double d = b.mean - "                           \
  "a.mean; r.mean = a.mean + d * (b.count / r.count); r.squares = a.squares + b.squares + d * d * "                    \
  "(a.count * b.count / r.count); return r;"
#define NO_MOMENTS "moments r; r.count = 0; r.mean = 0; r.squares = 0; return r;"
#define WIDENED                                                                                                        \
  "small_range r; r.least = a.least < b.least ? a.least : b.least; r.most = a.most > b.most ? a.most "                 \
  ": b.most; return r;"
#define NO_RANGE "small_range r; r.least = 127; r.most = -128; return r;"
#define WORDS_ADDED "three_words r; for (int k = 0; k < 3; ++k) r.words[k] = a.words[k] + b.words[k]; return r;"
#define NO_WORDS "three_words r; for (int k = 0; k < 3; ++k) r.words[k] = 0; return r;"
#define SUMS_ADDED "sixteen_sums r; for (int k = 0; k < 16; ++k) r.sums[k] = a.sums[k] + b.sums[k]; return r;"
#define NO_SUMS "sixteen_sums r; for (int k = 0; k < 16; ++k) r.sums[k] = 0; return r;"

line after(const line& a, const line& b) { return {a.factor * b.factor, a.term * b.factor + b.term}; }
bool same(const line& one, const line& other) { return one.factor == other.factor && one.term == other.term; }

std::vector<line> random_lines(std::size_t size) {
  static std::mt19937 engine{std::random_device{}()};
  std::vector<line> made(size);
  for (line& each : made) each = {static_cast<std::uint32_t>(engine()) | 1U, static_cast<std::uint32_t>(engine())};
  return made;
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("the least value and its place are a struct of the program's own", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  for (const std::size_t size : {1U, 31U, 4096U, 4097U, 20'000U}) {
    std::vector<float> host = random_values<float>(size);
    host[size / 3] = host[size - 1] = -20'000;  // the first of equal ones
    const auto x = yoke::to_device_array(host, state.stream);
    const auto with_place = yoke::apply<"place r; r.value = a; r.at = b; return r;", place>(
        x, yoke::arange<int>(static_cast<int>(size), state.stream));
    const place least = yoke::reduce<LEAST_PLACE, NO_PLACE>(with_place).get();
    CHECK((least.value == -20'000 && least.at == static_cast<int>(size / 3)));
    // One member stays on the device, and goes into other expressions.
    auto value = yoke::reduce<LEAST_PLACE, NO_PLACE>(with_place);
    CHECK((value.template get<&place::at>() == least.at));
    CHECK(yoke::min(x - value.array().template member<&place::value>()).get() == 0);
  }
  // Of no elements: the neutral one.
  yoke::device_array<place, 1> none(state.stream, {0});
  CHECK(yoke::reduce<LEAST_PLACE, NO_PLACE>(none).get().at == 0x7fffffff);
}

YOKE_ANY_DEVICE_TEST_CASE("structs are reduced along axes, beside numbers, and in one pass", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  const std::size_t rows = 7;
  for (const std::size_t columns : {5U, 100U, 5000U}) {
    const std::vector<float> host = random_values<float>(rows * columns);
    const auto x = yoke::to_device_array(host, {rows, columns}, state.stream);
    const auto numbers = yoke::arange<int>(static_cast<int>(rows * columns), state.stream);
    const auto at = numbers.reshape({rows, columns});
    const auto with_place = yoke::apply<"place r; r.value = a; r.at = b; return r;", place>(x, at);
    const auto by_row = yoke::reduce<LEAST_PLACE, NO_PLACE>(with_place, yoke::along(1)).to_host();
    const auto by_column = yoke::reduce<LEAST_PLACE, NO_PLACE>(with_place, yoke::along(0)).to_host();
    REQUIRE((by_row.size() == rows && by_column.size() == columns));
    const auto is_least = [&](const place& found, std::size_t first, std::size_t step, std::size_t count) {
      std::size_t least = first;
      for (std::size_t k = 0; k < count; ++k) {
        if (host[first + k * step] < host[least]) least = first + k * step;
      }
      return found.value == host[least] && found.at == static_cast<int>(least);
    };
    bool right = true;
    for (std::size_t r = 0; r < rows; ++r) right = right && is_least(by_row[r], r * columns, 1, columns);
    for (std::size_t c = 0; c < columns; ++c) right = right && is_least(by_column[c], c, columns, rows);
    CHECK(right);
    auto [least, total, spread] =
        yoke::in_one_pass(yoke::pass::reduce<LEAST_PLACE, NO_PLACE>(with_place), yoke::pass::sum(at),
                          yoke::pass::reduce<WIDENED, NO_RANGE>(
                              yoke::apply<"small_range r; r.least = a; r.most = a; return r;", small>(at % 100)));
    const auto all = static_cast<std::int64_t>(rows * columns);
    CHECK(total.get() == all * (all - 1) / 2);
    CHECK(least.get().value == *std::min_element(host.begin(), host.end()));
    const small found = spread.get();
    CHECK((found.least == 0 && found.most == (all < 100 ? all - 1 : 99)));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("structs of any size are reduced", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  constexpr std::size_t size = 9001;
  const auto x = yoke::arange<std::uint32_t>(size, state.stream);
  const std::uint32_t total = size * (size - 1) / 2;
  const auto three =
      yoke::apply<"three_words r; for (int k = 0; k < 3; ++k) r.words[k] = a + k; return r;", odd_size>(x);
  const odd_size words = yoke::reduce<WORDS_ADDED, NO_WORDS>(three).get();
  CHECK((words.words[0] == total && words.words[2] == total + 2 * size));
  const auto many = yoke::apply<"sixteen_sums r; for (int k = 0; k < 16; ++k) r.sums[k] = a * k; return r;", large>(x);
  const large sums = yoke::reduce<SUMS_ADDED, NO_SUMS>(many).get();
  bool right = true;
  for (std::uint32_t k = 0; k < 16; ++k) right = right && sums.sums[k] == total * k;
  CHECK(right);
}

YOKE_ANY_DEVICE_TEST_CASE("scans of structs keep the order of an operator that does not commute", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  for (const std::size_t size : {1U, 33U, 2048U, 2049U, 70'000U}) {
    const std::vector<line> host = random_lines(size);
    const auto x = yoke::to_device_array(host, state.stream);
    const auto up_to = yoke::inclusive_scan<AFTER, SAME>(x).to_host();
    const auto before = yoke::exclusive_scan<AFTER, SAME>(x).to_host();
    const auto starts = yoke::arange<int>(static_cast<int>(size), state.stream) % 1000 == 7;
    const auto by_segment = yoke::inclusive_scan<AFTER, SAME>(x, yoke::segments(starts)).to_host();
    line all{1, 0};
    line own{1, 0};
    bool right = true;
    for (std::size_t i = 0; i < size; ++i) {
      right = right && same(before[i], all);
      all = after(all, host[i]);
      own = i % 1000 == 7 ? host[i] : after(own, host[i]);
      right = right && same(up_to[i], all) && same(by_segment[i], own);
    }
    CHECK(right);
  }
  // Along an axis, in short rows and in long ones.
  for (const std::size_t columns : {20U, 3000U}) {
    const std::vector<line> host = random_lines(3 * columns);
    const auto x = yoke::to_device_array(host, {3, columns}, state.stream);
    const auto found = yoke::inclusive_scan<AFTER, SAME>(x, yoke::along(1)).to_host();
    bool right = true;
    for (std::size_t row = 0; row < 3; ++row) {
      line all{1, 0};
      for (std::size_t k = 0; k < columns; ++k) {
        all = after(all, host[row * columns + k]);
        right = right && same(found[row * columns + k], all);
      }
    }
    CHECK(right);
  }
}

YOKE_ANY_DEVICE_TEST_CASE("scans of structs that are small, odd, and larger than local memory likes", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  constexpr std::size_t size = 5000;
  const auto x = yoke::arange<int>(size, state.stream);
  const auto ranges =
      yoke::inclusive_scan<WIDENED, NO_RANGE>(
          yoke::apply<"small_range r; r.least = a % 100 - 50; r.most = a % 100 - 50; return r;", small>(x))
          .to_host();
  CHECK((ranges[0].least == -50 && ranges[0].most == -50 && ranges[40].most == -10 && ranges[size - 1].most == 49));
  const auto words =
      yoke::inclusive_scan<WORDS_ADDED, NO_WORDS>(
          yoke::apply<"three_words r; for (int k = 0; k < 3; ++k) r.words[k] = a + k; return r;", odd_size>(x))
          .to_host();
  const auto starts = x % 900 == 0;
  const auto many = yoke::apply<"sixteen_sums r; for (int k = 0; k < 16; ++k) r.sums[k] = a * k; return r;", large>(x);
  const auto sums = yoke::exclusive_scan<SUMS_ADDED, NO_SUMS>(many).to_host();
  const auto by_segment = yoke::inclusive_scan<SUMS_ADDED, NO_SUMS>(many, yoke::segments(starts)).to_host();
  bool right = true;
  std::uint32_t before = 0;
  std::uint32_t own = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    for (std::uint32_t k = 0; k < 16; ++k) right = right && sums[i].sums[k] == before * k;
    before += i;
    own = i % 900 == 0 ? i : own + i;
    for (std::uint32_t k = 0; k < 16; ++k) right = right && by_segment[i].sums[k] == own * k;
    for (std::uint32_t k = 0; k < 3; ++k) right = right && words[i].words[k] == before + k * (i + 1);
  }
  CHECK(right);
}

YOKE_ANY_DEVICE_TEST_CASE("kernels from text reduce and scan structs", "[array]") {
  if (!takes(device, "cuda")) return;
  any_rig state(device);
  for (const std::size_t size : {0U, 1U, 5000U}) {
    std::vector<float> host = random_values<float>(size);
    const auto x = yoke::to_device_array(host, {size}, state.stream);
    const yoke::reduction_kernel<place(const float*)> least(
        state.context, {"x"},
        {.map = "place r; r.value = x[i]; r.at = i; return r", .join = LEAST_PLACE, .neutral = NO_PLACE});
    const place found = least(x).get();
    const auto wanted = std::min_element(host.begin(), host.end());
    CHECK(found.at == (size == 0 ? 0x7fffffff : static_cast<int>(wanted - host.begin())));
  }
  const std::vector<line> host = random_lines(6000);
  const auto x = yoke::to_device_array(host, state.stream);
  auto to = yoke::empty_like(x);
  const yoke::scan_kernel<line(const line*, line*)> chain(
      state.context, {"x", "y"}, {.input = "x[i]", .join = AFTER, .neutral = SAME, .output = "y[i] = item"});
  chain(x, to);
  auto last = yoke::zeros<std::uint32_t>({6000}, state.stream);
  const yoke::scan_kernel<line(const line*, std::uint32_t*)> ends(
      state.context, {"x", "y"},
      {.input = "x[i]", .join = AFTER, .neutral = SAME, .output = "y[i] = last_item.term - prev_item.term"});
  ends(x, last);
  const auto found = to.to_host();
  const auto distances = last.to_host();
  line all{1, 0};
  bool right = true;
  for (const line& each : host) all = after(all, each);
  const line whole = all;
  all = {1, 0};
  for (std::size_t i = 0; i < host.size(); ++i) {
    right = right && distances[i] == whole.term - all.term;
    all = after(all, host[i]);
    right = right && same(found[i], all);
  }
  CHECK(right);
}

YOKE_ANY_DEVICE_TEST_CASE("moments of numbers are one reduction of a struct with the same bits each time", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const std::vector<float> host = random_values<float>(12'345);
  const auto x = yoke::to_device_array(host, state.stream);
  const auto each = yoke::apply<"moments r; r.count = 1; r.mean = a; r.squares = 0; return r;", moments>(x);
  const moments found = yoke::reduce<JOINED_MOMENTS, NO_MOMENTS>(each).get();
  const moments again = yoke::reduce<JOINED_MOMENTS, NO_MOMENTS>(each).get();
  CHECK(std::memcmp(&found, &again, sizeof(moments)) == 0);
  long double mean = 0;
  for (const float value : host) mean += value;
  mean /= 12'345;
  long double squares = 0;
  for (const float value : host) squares += (value - mean) * (value - mean);
  CHECK(found.count == 12'345);
  CHECK(std::abs(static_cast<long double>(found.mean) - mean) < 1e-9L);
  CHECK(std::abs(static_cast<long double>(found.squares) / squares - 1) < 1e-12L);
}

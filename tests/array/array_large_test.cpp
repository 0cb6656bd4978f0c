// SPDX-License-Identifier: MIT
// Arrays of more than 2^32 elements, and the same with fewer through kernels whose indices have 64 bits.
#include <array/array_rig.hpp>
#include <support/sample.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using byte_type = std::uint8_t;
using bytes = std::vector<byte_type>;

constexpr std::size_t gib = std::size_t{1} << 30;
constexpr std::size_t tail = 17;  // elements behind the bound
constexpr byte_type mark = 200;   // the value of each of them: none of those before

/// Makes kernels count with 64 bits while it lives.
struct wide_kernels {
  wide_kernels() noexcept { yoke::detail::narrow_limit() = 0; }
  wide_kernels(const wide_kernels&) = delete;
  wide_kernels& operator=(const wide_kernels&) = delete;
  ~wide_kernels() { yoke::detail::narrow_limit() = std::int64_t{1} << 31; }
};

/// What `bound` elements of a period of 128 and the tail are, and what they add up to.
struct pattern {
  std::size_t bound;
  [[nodiscard]] byte_type at(std::size_t i) const { return i >= bound ? mark : static_cast<byte_type>(i * 31 % 128); }
  /// The sum of `f` of the elements before `end`.
  template <class F>
  [[nodiscard]] std::uint64_t sum(std::size_t end, F f) const {
    std::uint64_t period = 0;
    for (std::size_t i = 0; i < 128; ++i) period += f(at(i));
    const std::size_t whole = std::min(end, bound) / 128;
    std::uint64_t result = whole * period;
    for (std::size_t i = whole * 128; i < end; ++i) result += f(at(i));
    return result;
  }
};
constexpr auto itself = [](byte_type e) { return e; };
constexpr auto changed = [](byte_type e) { return static_cast<byte_type>(e * 3 + 1); };

/// Effects: checks elements around the bound, its half and the ends: each is `f(i)`.
template <class View, class F>
void check_places(const View& of, const pattern& all, F f) {
  const std::size_t size = of.size();
  bool right = true;
  for (const std::size_t middle : {std::size_t{0}, all.bound / 2, all.bound - 1, size - 1}) {
    const std::size_t first = middle < 20 ? 0 : middle - 20;
    const std::size_t end = std::min(size, middle + 20);
    const auto found = of(yoke::slice(static_cast<std::ptrdiff_t>(first), static_cast<std::ptrdiff_t>(end))).to_host();
    for (std::size_t i = first; i < end; ++i) right = right && found[i - first] == f(i);
  }
  CHECK(right);
}

/// Effects: evaluates, copies, reduces and scans `bound + 17` elements; `adds_up` scans into 64 bits, too.
void check_beyond(const any_rig& state, std::size_t bound, bool adds_up) {
  const auto& stream = state.stream;
  const pattern all{bound};
  const std::size_t size = bound + tail;
  const auto last = static_cast<std::ptrdiff_t>(bound);
  yoke::device_array<byte_type, 1> x(stream, {size});
  const yoke::elementwise_kernel<void(byte_type*)> make(state.context, {"x"}, "x[i] = (yoke_uint8)(i * 31 % 128)");
  make(x);
  x(yoke::slice(last, yoke::none)).fill(mark);
  check_places(x, all, [&](std::size_t i) { return all.at(i); });

  // Reductions: whole, of an expression, of places, along a long axis.
  CHECK(yoke::sum(x).get() == all.sum(size, itself));
  CHECK(yoke::argmax(x).get() == last);
  CHECK(yoke::count(x == mark).get() == static_cast<std::int64_t>(tail));
  const auto rows = x(yoke::slice(0, last)).reshape(yoke::shape<2>{2, bound / 2});
  CHECK(yoke::sum(rows, yoke::along(1)).to_host() == std::vector<std::uint64_t>(2, all.sum(bound, itself) / 2));

  // An expression, without gaps, backwards and into itself.
  auto y = yoke::full(byte_type{9}, {size}, stream);
  y = x * 3 + 1;
  check_places(y, all, [&](std::size_t i) { return changed(all.at(i)); });
  CHECK(yoke::sum(y).get() == all.sum(size, changed));
  y = x(yoke::reversed) + byte_type{2};
  check_places(y, all, [&](std::size_t i) { return static_cast<byte_type>(all.at(size - 1 - i) + 2); });
  CHECK(yoke::sum(y).get() == all.sum(size, [](byte_type e) { return static_cast<byte_type>(e + 2); }));
  y = y - byte_type{2};
  check_places(y, all, [&](std::size_t i) { return all.at(size - 1 - i); });

  // Copies, without gaps, backwards and between orders.
  y.assign(x);
  check_places(y, all, [&](std::size_t i) { return all.at(i); });
  y.assign(x(yoke::reversed));
  check_places(y, all, [&](std::size_t i) { return all.at(size - 1 - i); });
  y(yoke::slice(0, last)).reshape(yoke::shape<2>{bound / 2, 2}) = rows.transpose();
  check_places(y(yoke::slice(0, last)), all, [&](std::size_t i) { return all.at(i % 2 * (bound / 2) + i / 2); });
  CHECK(yoke::sum(y).get() == all.sum(bound, itself) + all.sum(tail, itself));

  // Scans: of bytes, which wrap, and of 64 bits.
  y.reset();
  const auto wrapped = yoke::inclusive_scan<"a + b", "0", byte_type>(x);
  check_places(wrapped, all, [&](std::size_t i) { return static_cast<byte_type>(all.sum(i + 1, itself)); });
  if (!adds_up) return;
  const auto sums = yoke::cumsum(x);
  check_places(sums, all, [&](std::size_t i) { return all.sum(i + 1, itself); });
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("kernels that count with 64 bits evaluate, copy, reduce and scan", "[array]") {
  if (!takes(device, "opencl")) return;
  any_rig state(device);
  const wide_kernels wide;
  for (const std::size_t bound : {std::size_t{256}, std::size_t{1} << 17}) check_beyond(state, bound, true);
}

// On a GPU with 20 GiB, and 64 GiB for all of it: yoke_tests "[large][array]"
YOKE_ANY_DEVICE_TEST_CASE("arrays of more than 2^32 elements", "[.][large][array]") {
  const std::uint64_t memory = device.summary().global_memory_bytes;
  if (memory < 20 * gib) YOKE_SKIP("the device has less than 20 GiB");
  any_rig state(device);
  check_beyond(state, std::size_t{1} << 32, memory >= 64 * gib);
}

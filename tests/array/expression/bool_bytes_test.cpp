// SPDX-License-Identifier: MIT
// Bools whose byte is neither 0 nor 1, as kernels of others and DLPack leave them: every reader takes what is not 0 for true.
#include <algorithm/sort_model.hpp>
#include <support/sample.hpp>
#include <yoke/dlpack.hpp>
#include <yoke/fmt.hpp>

#include <array>
#include <memory>

using namespace yoke_test;
using namespace yoke_test::arrays;
using namespace yoke_test::sorting;

namespace {

constexpr std::uint8_t raw[]{0, 1, 2, 255, 128, 0, 254, 0, 3, 1, 64, 0};

/// Returns: bytes of all kinds.
std::vector<std::uint8_t> raw_bytes(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = raw[(i * i + i / 7) % std::size(raw)];
  return bytes;
}
std::vector<std::uint8_t> truth_of(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint8_t> truth(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) truth[i] = bytes[i] != 0 ? 1 : 0;
  return truth;
}
/// Returns: an array of bools with those bytes.
template <std::size_t Rank>
yoke::device_array<bool, Rank> raw_bools(const std::vector<std::uint8_t>& bytes, const yoke::shape<Rank>& shape,
                                         const yoke::stream<>& stream) {
  yoke::device_array<bool, Rank> made(stream, shape);
  made.template as<std::uint8_t>().assign(bytes);
  return made;
}

/// Effects: compares all ways to sort bools with the host's sort of their truth.
void compare_sorts(const yoke::stream<>& stream, std::size_t size) {
  const auto bytes = raw_bytes(size);
  const auto truth = truth_of(bytes);
  for (const bool descending : {false, true}) {
    INFO(size << " bools, descending: " << descending);
    const yoke::sort_options by{.descending = descending};
    const auto order = order_of(truth.data(), size, descending);
    std::vector<std::uint8_t> sorted(size);
    for (std::size_t i = 0; i < size; ++i) sorted[i] = truth[static_cast<std::size_t>(order[i])];
    auto keys = raw_bools(bytes, yoke::shape<1>(size), stream);
    CHECK((yoke::argsort<std::int32_t>(keys, by).to_host() == order));
    CHECK((yoke::cast<std::uint8_t>(yoke::sorted(keys, by)).to_host() == sorted));
    auto values = yoke::arange<std::int32_t>(static_cast<std::int32_t>(size), stream);
    yoke::sort_by_key(keys, values, by);
    CHECK((values.to_host() == order));
    CHECK((yoke::cast<std::uint8_t>(keys).to_host() == sorted));
    yoke::sort(keys, {.descending = !descending});
    std::reverse(sorted.begin(), sorted.end());
    CHECK((yoke::cast<std::uint8_t>(keys).to_host() == sorted));
  }
}

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("bools of any byte are sorted by whether they are 0", "[algorithm]") {
  sort_rig state(device);
  turns turn(device);
  for (const std::size_t size : {7U, 300U, 7000U, 17'000U}) {
    if (turn()) compare_sorts(state.stream, size);
  }
  if (device.backend_name() == std::string_view("opencl") && runs_whole()) {
    const by_blocks wanted;
    for (const std::size_t size : {300U, 7000U}) compare_sorts(state.stream, size);
  }
  // Rows, and several keys.
  const auto bytes = raw_bytes(300 * 7);
  const auto truth = truth_of(bytes);
  const auto rows = raw_bools(bytes, yoke::shape<2>(300, 7), state.stream);
  const auto places = yoke::argsort<std::int32_t>(rows).to_host();
  for (std::size_t row = 0; row < 300; ++row) {
    const auto order = order_of(truth.data() + row * 7, 7, false);
    CHECK(std::equal(order.begin(), order.end(), places.begin() + static_cast<std::ptrdiff_t>(row * 7)));
  }
  const auto first = raw_bools(raw_bytes(300), yoke::shape<1>(300), state.stream);
  const auto second = yoke::to_device_array(random_values<std::int32_t>(300), state.stream);
  const auto by_both = yoke::argsort_by(first, second).to_host();
  const auto second_on_host = second.to_host();
  std::vector<std::int64_t> right(300);
  std::iota(right.begin(), right.end(), 0);
  std::stable_sort(right.begin(), right.end(), [&](std::int64_t a, std::int64_t b) {
    const auto key = [&](std::int64_t i) {
      return std::pair(bytes[static_cast<std::size_t>(i)] != 0, second_on_host[static_cast<std::size_t>(i)]);
    };
    return key(a) < key(b);
  });
  CHECK(std::equal(right.begin(), right.end(), by_both.begin(), by_both.end()));
}

YOKE_ANY_DEVICE_TEST_CASE("every reader of bools takes any byte but 0 for true", "[array]") {
  if (!takes(device, "cuda")) return;
  sort_rig state(device);
  constexpr std::size_t size = 600;
  const auto bytes = raw_bytes(size);
  const auto truth = truth_of(bytes);
  const auto mask = raw_bools(bytes, yoke::shape<1>(size), state.stream);
  const auto number = yoke::arange<std::int32_t>(static_cast<std::int32_t>(size), state.stream);
  const auto count = static_cast<std::int64_t>(std::count(truth.begin(), truth.end(), 1));
  std::vector<std::int32_t> held;
  for (std::size_t i = 0; i < size; ++i) {
    if (truth[i] != 0) held.push_back(static_cast<std::int32_t>(i));
  }
  const auto as_truth = [&](const auto& expression) { return yoke::cast<std::uint8_t>(expression).to_host() == truth; };

  // Expressions: alone, dense, with strides, through squares, converted, stored as another type.
  CHECK(as_truth(mask));
  CHECK(as_truth(where(mask, 1, 0)));
  CHECK(as_truth(mask == true));
  CHECK(as_truth(mask && true));
  CHECK(as_truth(!!mask));
  CHECK(as_truth(+mask));
  CHECK(as_truth(mask & true));
  CHECK(as_truth(max(mask, 0)));
  CHECK(as_truth(yoke::apply<"a == 1">(mask)));
  yoke::device_array<float, 1> floats(state.stream, {size});
  floats.assign(mask);
  CHECK(as_truth(floats));
  yoke::device_array<yoke::half, 1> halves(state.stream, {size});
  halves.assign(mask);
  CHECK(as_truth(halves));
  const auto square = raw_bools(bytes, yoke::shape<2>(20, 30), state.stream);
  const auto turned = yoke::cast<std::uint8_t>(square.transpose()).to_host();
  for (std::size_t i = 0; i < size; ++i) CHECK(turned[i % 30 * 20 + i / 30] == truth[i]);
  const auto third = yoke::cast<int>(mask(yoke::slice(0, yoke::none, 3))).to_host();
  for (std::size_t i = 0; i < third.size(); ++i) CHECK(third[i] == truth[3 * i]);

  // Reductions, scans, lists.
  CHECK(yoke::sum(mask).get() == count);
  CHECK(yoke::max(mask).get());
  CHECK_FALSE(yoke::min(mask).get());
  CHECK(yoke::argmax(mask).get() == held[0]);
  CHECK(yoke::any(mask).get());
  CHECK_FALSE(yoke::all(mask).get());
  CHECK(yoke::sum(square, yoke::along(1)).to_host()[0] == std::count(truth.begin(), truth.begin() + 30, 1));
  CHECK(yoke::cumsum(mask).to_host().back() == count);

  // Selections.
  CHECK((yoke::copy_if(number, mask).to_host() == held));
  CHECK(yoke::remove_if(number, mask).to_host().size() == size - held.size());
  CHECK(yoke::indices_where(mask).to_host().size() == held.size());
  CHECK((yoke::partition(number, mask).to_host() == held));
  const auto changes = yoke::unique(mask);
  std::vector<std::uint8_t> distinct = truth;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  CHECK((yoke::cast<std::uint8_t>(changes.view()).to_host() == distinct));

  // Searches.
  const auto ordered = yoke::sorted(mask);
  const auto found = yoke::lower_bound(ordered, mask).to_host();
  for (std::size_t i = 0; i < size; ++i) {
    CHECK(found[i] == (truth[i] == 0 ? 0 : static_cast<std::int64_t>(size) - count));
  }
  CHECK(yoke::histogram(mask, 2, 0, 1).to_host()[1] == count);

  // The host.
  const std::unique_ptr<bool[]> copied(new bool[size]);
  mask.copy_to(std::span(copied.get(), size));
  std::vector<std::uint8_t> seen(size);
  std::memcpy(seen.data(), copied.get(), size);
  CHECK((seen == truth));
  const bool one = mask(3).value();
  std::uint8_t byte = 0;
  std::memcpy(&byte, &one, 1);
  CHECK(byte == (bytes[3] != 0 ? 1 : 0));
}

YOKE_ANY_DEVICE_TEST_CASE("bools through DLPack may have any byte", "[array]") {
  sort_rig state(device);
  const auto bytes = raw_bytes(500);
  auto bools = raw_bools(bytes, yoke::shape<1>(500), state.stream);
  auto made = yoke::to_dlpack(bools);
  const auto mask = yoke::from_dlpack<bool, 1>(std::move(made), state.stream);
  const auto truth = truth_of(bytes);
  CHECK((yoke::argsort<std::int32_t>(mask).to_host() == order_of(truth.data(), truth.size(), false)));
  CHECK(yoke::sum(mask).get() == std::count(truth.begin(), truth.end(), 1));
}

// SPDX-License-Identifier: MIT
// Arrays over managed memory and over page-locked memory that the device sees: views of their spans.
#include <support/rig.hpp>
#include <yoke/array.hpp>
#include <yoke/cuda/cuda.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {
/// Returns: what is alive besides the context's kernels.
std::size_t living(const auto& state) {
  const auto all = state.live();
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const std::string& each) {
    return !each.starts_with("program") && !each.starts_with("kernel");
  }));
}
}  // namespace

YOKE_CUDA_TEST_CASE("managed memory has a shape, and the host reads what an expression wrote", "[cuda][array]") {
  rig state(device);
  cu::managed_allocation<float> memory{state.context, 24};
  const yoke::device_view<float, 2, cu::port> table(memory.span(), {4, 6}, state.stream);
  table.fill(1);
  table(1) = 2 * table(0) + yoke::arange<float>(6, state.stream);
  const std::span<float> host = memory.host(state.stream);
  CHECK((host[0] == 1 && host[6] == 2 && host[11] == 7 && host[23] == 1));
  host[0] = 100;
  CHECK(yoke::sum(table(yoke::whole, 0)).get() == 104);
  CHECK_THROWS_AS((yoke::device_view<float, 1, cu::port>(memory.span(), {23}, state.stream)), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("mapped page-locked memory has a shape, and the device works in the host's memory",
                    "[cuda][array]") {
  rig state(device);
  cu::pagelocked_array<int> host{state.context, 12, {.mapped = true}};
  for (std::size_t i = 0; i < 12; ++i) host.data()[i] = static_cast<int>(i);
  yoke::device_view<int, 2, cu::port> table(cu::mapped(host), {3, 4}, state.stream);
  table = table(yoke::reversed) * 2;
  const auto sums = yoke::cumsum(table, yoke::along(1));
  state.stream.synchronize();
  CHECK((host.data()[0] == 16 && host.data()[11] == 6));
  CHECK(sums.to_host() == std::vector<std::int64_t>{16, 34, 54, 76, 8, 18, 30, 44, 0, 2, 6, 12});
}

YOKE_CUDA_TEST_CASE("an array owns managed memory, which the host reads and writes in place", "[cuda][array]") {
  rig state(device);
  {
    yoke::device_array table{cu::managed_allocation<float>{state.context, 24}, yoke::shape{4, 6}, state.stream};
    static_assert(std::is_same_v<decltype(table), yoke::device_array<float, 2, cu::port>>);
    table.fill(1);
    table(1) = 2 * table(0) + yoke::arange<float>(6, state.stream);
    const std::span<float> host = table.host();
    CHECK((host.size() == 24 && host[0] == 1 && host[6] == 2 && host[11] == 7 && host[23] == 1));
    host[0] = 100;
    CHECK(yoke::sum(table(yoke::whole, 0)).get() == 104);
    const cu::stream other{state.context};
    yoke::fill(table, 5.0F, other);  // the host waits for it, too
    table.record_use(other);
    CHECK(std::as_const(table).host()[7] == 5);
    const auto kept = table.share();
    table.reset();
    CHECK(kept(3, 5).value() == 5);
  }
  yoke::trim_array_pool(state.context);
  for (const std::string& each : state.live()) UNSCOPED_INFO(each);
  CHECK(living(state) == 0);
  auto plain = yoke::zeros<float>({3}, state.stream);
  CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { (void)plain.host(); }),
             Catch::Matchers::ContainsSubstring("the host does not see the memory of this array"));
  cu::managed_allocation<float> small{state.context, 5};
  CHECK_THROWS_AS((yoke::device_array{std::move(small), yoke::shape{2, 3}, state.stream}), yoke::logic_error);
  CHECK(small.size() == 5);  // still its owner's
}

YOKE_CUDA_TEST_CASE("an array owns page-locked memory that the device works in", "[cuda][array]") {
  rig state(device);
  {
    cu::pagelocked_array<int> memory{state.context, 12, {.mapped = true}};
    for (std::size_t i = 0; i < 12; ++i) memory.data()[i] = static_cast<int>(i);
    const int* const place = memory.data();
    yoke::device_array table{std::move(memory), yoke::shape{3, 4}, state.stream};
    table = table(yoke::reversed) * 2;
    const std::span<int> host = table.host();
    CHECK((host.data() == place && host[0] == 16 && host[11] == 6));
    host[0] = 1;
    CHECK(yoke::cumsum(table).to_host().back() == 117);
  }
  yoke::trim_array_pool(state.context);
  for (const std::string& each : state.live()) UNSCOPED_INFO(each);
  CHECK(living(state) == 0);
}

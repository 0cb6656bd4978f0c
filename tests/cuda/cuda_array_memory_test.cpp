// SPDX-License-Identifier: MIT
// Arrays over managed memory and over page-locked memory that the device sees: views of their spans.
#include <support/rig.hpp>
#include <yoke/array.hpp>
#include <yoke/cuda/cuda.hpp>

using namespace yoke_test;
namespace cu = yoke::cuda;

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

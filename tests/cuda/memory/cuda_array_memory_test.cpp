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
    const yoke::host_view<float, 2> host = table.host();
    CHECK((host.size() == 24 && host(0, 0) == 1 && host(1, 0) == 2 && host(1, 5) == 7 && host(3, 5) == 1));
    CHECK(host.chunks(3).back().shape() == yoke::shape{1, 6});
    host(0, 0) = 100;
    CHECK(yoke::sum(table(yoke::whole, 0)).get() == 104);
    const cu::stream other{state.context};
    yoke::fill(table, 5.0F, other);  // the host waits for it, too
    table.record_use(other);
    CHECK(std::as_const(table).host()(1, 1) == 5);
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
    const yoke::host_view<int, 2> host = table.host();
    CHECK((host.data_handle() == place && host(0, 0) == 16 && host(2, 3) == 6));
    host(0, 0) = 1;
    CHECK(yoke::cumsum(table).to_host().back() == 117);
  }
  yoke::trim_array_pool(state.context);
  for (const std::string& each : state.live()) UNSCOPED_INFO(each);
  CHECK(living(state) == 0);
}

YOKE_CUDA_TEST_CASE("memory that host and device reach has any order and strides, and like arrays", "[cuda][array]") {
  rig state(device);
  yoke::device_array f{cu::managed_allocation<float>{state.context, 12}, yoke::shape{3, 4}, state.stream};
  f = yoke::device_array<float, 2, cu::port>(cu::managed_allocation<float>{state.context, 12}, {3, 4}, state.stream,
                                             yoke::array_order::f);
  f = 0.0F;
  f(1, 2) = 5.0F;
  CHECK((f.host()(1, 2) == 5 && f.host().span()[7] == 5));
  yoke::device_array strided{cu::pagelocked_array<int>{state.context, 20, {.mapped = true}},
                             yoke::array_layout<2>{{3, 2}, {24, 8}, 4, sizeof(int)}, state.stream};
  strided = 3;
  strided(2, 1) = 4;
  const auto host = strided.host();
  CHECK((host(0, 0) == 3 && host(2, 1) == 4));
  CHECK(host.data_handle() + 14 == &host(2, 1));
  host(1, 1) = 10;
  CHECK(yoke::sum(strided).get() == 26);

  auto mapped = yoke::mapped_like(f);
  static_assert(std::is_same_v<decltype(mapped), yoke::device_array<float, 2, cu::port>>);
  CHECK((mapped.is_f_contiguous() && mapped.shape() == f.shape()));
  mapped = 2 * f;
  CHECK(mapped.host()(1, 2) == 10);
  auto pinned = yoke::pagelocked_like(mapped);
  mapped.copy_to(pinned.view());
  CHECK((pinned(1, 2) == 10 && pinned(2, 2) == 0));
  yoke::host_array<cu::pagelocked_array<float>, 2> combined{
      state.context, {3, 4}, yoke::array_order::c, cu::pagelocked_options{.portable = true}};
  CHECK(cu::options_of(combined.memory()).portable);
  // Registered memory, which the array owns, is page-locked.
  yoke::host_array registered{cu::registered_memory{state.context, yoke::aligned_array<float>{12}}, yoke::shape{3, 4}};
  std::iota(registered.begin(), registered.end(), 1.0F);
  yoke::device_array<float, 2, cu::port> to{state.stream, {3, 4}};
  yoke::copy_async(registered, to, state.stream).wait();
  CHECK(to(2, 1).value() == 10);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] {
                                          (void)yoke::device_array{cu::managed_allocation<float>{state.context, 4},
                                                                   yoke::array_layout<1>{{3}, {8}, 0, 4}, state.stream};
                                        }),
             Catch::Matchers::ContainsSubstring("ends at byte 20, its memory at byte 16"));
}

YOKE_CUDA_TEST_CASE("mapped page-locked memory is split into views of one length", "[cuda][array]") {
  rig state(device);
  cu::pagelocked_array<int> host{state.context, 10, {.mapped = true}};
  const yoke::device_view d(cu::mapped(host), yoke::shape{10}, state.stream);
  int number = 0;
  std::vector<std::size_t> lengths;
  for (auto part : d.chunks(4)) {
    lengths.push_back(part.size());
    part.fill(++number);
  }
  state.stream.synchronize();
  CHECK(lengths == std::vector<std::size_t>{4, 4, 2});
  CHECK(std::vector<int>(host.begin(), host.end()) == std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2, 3, 3});
}

// SPDX-License-Identifier: MIT
// Host memory with axes: aligned and page-locked memory, its copies, and arrays on the device of the same shape.
#include <array/array_rig.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/dlpack.hpp>

#include <array>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {
template <class T>
using pinned = yoke::pagelocked_array<T, yoke::any_port>;
}
static_assert(!std::is_copy_constructible_v<yoke::host_array<yoke::aligned_array<int>, 2>>);
static_assert(std::is_nothrow_move_constructible_v<yoke::host_array<yoke::aligned_array<int>, 2>>);
static_assert(std::is_nothrow_swappable_v<yoke::host_array<yoke::aligned_array<int>, 2>>);

TEST_CASE("aligned memory has a shape and an order", "[array]") {
  yoke::host_array<yoke::aligned_array<float>, 2> a{{3, 4}, yoke::array_order::f, 256};
  CHECK(reinterpret_cast<std::uintptr_t>(a.memory().data()) % 256 == 0);
  CHECK(a.strides() == std::array<std::ptrdiff_t, 2>{4, 12});
  a(1, 2) = 5;
  a[2][3] = 6;
  CHECK((a.memory()[7] == 5 && a.memory()[11] == 6));
  const yoke::host_array<yoke::aligned_array<int>, 2> zeros{{3, 4}, yoke::array_order::c, yoke::zeroed};
  static_assert(std::same_as<decltype(zeros(0, 0)), const int&>);
  CHECK(std::count(zeros.begin(), zeros.end(), 0) == 12);
  CHECK(zeros.view().parts(2, 1)[1].shape() == yoke::shape{3, 2});
  auto moved = std::move(a);
  CHECK((a.empty() && moved(1, 2) == 5));  // NOLINT: a moved-from array has no elements
  yoke::aligned_array<float> plain = moved.release();
  CHECK((moved.empty() && plain[7] == 5));
  yoke::host_array again{std::move(plain), yoke::array_layout<2>{{3, 2}, {16, 4}, 8, sizeof(float)}};
  again(2, 1) = 9;
  CHECK(again.memory()[11] == 9);
  again.reset();
  CHECK((again.empty() && again.memory().empty()));
  std::vector<int> values{1, 2, 3, 4, 5, 6};
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] {
                                          (void)yoke::host_array{std::move(values), yoke::shape{2, 4}};
                                        }),
             ContainsSubstring("the range has 6 elements, the shape (2, 4) has 8"));
  CHECK(values.size() == 6);  // still its owner's
  const yoke::host_array table{std::move(values), yoke::shape{2, 3}};
  CHECK(table(1, 0) == 4);
  CHECK_THROWS_AS((yoke::host_array<yoke::aligned_array<float>, 2>{{3, -4}}), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("page-locked memory with axes is a side of asynchronous copies", "[array][copies]") {
  any_rig state(device);
  yoke::host_array<pinned<float>, 2> up{state.context, {3, 4}};
  std::iota(up.begin(), up.end(), 1.0F);
  yoke::device_array<float, 2> d{state.stream, {3, 4}};
  yoke::copy_async(up, d, state.stream).wait();
  CHECK(d(1, 2).value() == 7);
  d *= 2;
  auto down = yoke::pagelocked_like(d);
  static_assert(std::same_as<decltype(down), yoke::host_array<pinned<float>, 2>>);
  yoke::enqueue_copy(d, down, state.stream);
  state.stream.synchronize();
  CHECK((down(2, 3) == 24 && down(0, 1) == 4));
  yoke::host_array<pinned<float>, 2> zeros{state.context, {3, 4}, yoke::array_order::c, yoke::zeroed};
  yoke::copy(zeros, d, state.stream);
  CHECK(d.to_host() == std::vector<float>(12));
  // In F order the memory is another sequence of elements.
  yoke::host_array<pinned<float>, 2> f{state.context, {3, 4}, yoke::array_order::f};
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { yoke::copy(f, d, state.stream); }),
             ContainsSubstring("is not contiguous in C order"));
  const yoke::memory_pool pool{state.context, yoke::pagelocked};
  {
    const yoke::host_array<pinned<float>, 2> pooled{pool, {3, 4}};
    CHECK(pooled.shape() == yoke::shape{3, 4});
    CHECK(pool.statistics().active_blocks == 1);
  }
  CHECK(pool.statistics().active_blocks == 0);
  auto like = yoke::pagelocked_like(yoke::zeros<int>({2, 5}, state.stream, yoke::array_order::f));
  CHECK(like.is_f_contiguous());
  CHECK(like.shape() == yoke::shape{2, 5});
  yoke::device_array<float, 2> none;
  CHECK_THROWS_AS(yoke::pagelocked_like(none), yoke::logic_error);
}

YOKE_ANY_DEVICE_TEST_CASE("arrays take and give elements of host views of any strides", "[array][copies]") {
  any_rig state(device);
  std::vector<int> host = random_values<int>(6 * 8);
  const yoke::host_view every{host, yoke::array_layout<2>{{3, 4}, {64, 8}, 4, sizeof(int)}};
  auto a = yoke::to_device_array(every, state.stream);
  const std::vector<int> expected(every.begin(), every.end());
  CHECK(a.to_host() == expected);
  CHECK(a(2, 3).value() == host[1 + 2 * 16 + 3 * 2]);
  auto turned = yoke::to_device_array(yoke::host_view{host, yoke::shape{6, 8}}.transpose(), state.stream);
  CHECK(turned.is_f_contiguous());
  CHECK(turned(3, 5).value() == host[5 * 8 + 3]);
  auto empty = yoke::empty_like(every.transpose(), state.stream);
  static_assert(std::same_as<decltype(empty), yoke::device_array<int, 2>>);
  CHECK(empty.shape() == yoke::shape{4, 3});
  empty.assign(every.transpose());  // into memory that is there already
  CHECK(empty(3, 2).value() == a(2, 3).value());
  const yoke::host_view whole{host, yoke::shape{6, 8}};
  turned.transpose().assign(whole);
  CHECK(turned.transpose().to_host() == host);

  std::vector<int> target(48, -1);
  a.copy_to(yoke::host_view{target, yoke::array_layout<2>{{3, 4}, {64, 8}, 4, sizeof(int)}});
  for (std::size_t i = 0; i < target.size(); ++i) {
    const bool hit = i % 16 % 2 == 1 && i % 16 < 8;
    CHECK(target[i] == (hit ? host[i] : -1));
  }
  std::vector<int> back(12);
  a.copy_to(yoke::host_view{back, yoke::shape{3, 4}});
  CHECK(back == expected);
  yoke::copy(a, yoke::host_view{back, yoke::shape{3, 4}}, state.stream);
  CHECK(back == expected);
  yoke::host_array<pinned<int>, 2> f{state.context, {3, 4}, yoke::array_order::f};
  a.copy_to(f.view());
  CHECK((f(2, 1) == a(2, 1).value() && f.memory()[5] == f(2, 1)));
  CHECK(yoke::to_device_array(f, state.stream).to_host() == expected);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] { a.assign(whole); }),
             ContainsSubstring("cannot broadcast (6, 8) to the array's (3, 4): axis 0"));
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::size_mismatch,
                                        [&] {
                                          a.copy_to(yoke::host_view<int, 2>{host, {6, 8}});
                                        }),
             ContainsSubstring("cannot broadcast (3, 4) to the host view's (6, 8): axis 0"));
  std::vector<int> shared(4);
  const yoke::host_view<int, 2> repeated{shared, yoke::array_layout<2>{{3, 4}, {0, 4}, 0, sizeof(int)}};
  CHECK_THROWS_AS(a.copy_to(repeated), yoke::logic_error);

  std::unique_ptr<bool[]> flags(new bool[6]{true, false, true, true, false, false});
  const std::span<bool> all(flags.get(), 6);
  auto b = yoke::to_device_array(yoke::host_view{all, yoke::shape{2, 3}}.transpose(), state.stream);
  std::fill(all.begin(), all.end(), false);
  b.copy_to(yoke::host_view{all, yoke::shape{2, 3}}.transpose());
  CHECK((all[0] && !all[1] && all[2] && all[3] && !all[4]));
}

YOKE_ANY_DEVICE_TEST_CASE("an array on the device has the strides that it is given", "[array]") {
  any_rig state(device);
  const yoke::array_layout<2> padded{{3, 4}, {32, 4}, 0, sizeof(float)};
  yoke::device_array<float, 2> a{state.stream, padded};
  CHECK(a.strides() == std::array<std::ptrdiff_t, 2>{32, 4});
  CHECK((a.size() == 12 && !a.is_c_contiguous()));
  a = 1.0F;
  a(1) = 2 * a(0) + yoke::arange<float>(4, state.stream);
  CHECK(a.to_host() == std::vector<float>{1, 1, 1, 1, 2, 3, 4, 5, 1, 1, 1, 1});
  CHECK(yoke::sum(a).get() == 22);
  CHECK(a.copy().is_c_contiguous());
  CHECK(yoke::evaluate(a + 1.0F)(1, 3).value() == 6);
  std::vector<float> host(12, 3.0F);
  CHECK_THROWS_AS(yoke::copy(host, a, state.stream), yoke::logic_error);  // it has gaps
  a.assign(host);
  CHECK(a.to_host() == host);
  const auto kept = a.share();
  a.reset();
  CHECK(kept(2, 3).value() == 3);

  // Memory that is taken over, and memory that stays its owner's.
  yoke::device_allocation<int> memory{state.context, 16};
  std::vector<int> numbers(16);
  std::iota(numbers.begin(), numbers.end(), 0);
  yoke::copy(numbers, memory, state.stream);
  const yoke::device_view<int, 2, yoke::any_port> part(memory.subspan(2, 12),
                                                       yoke::array_layout<2>{{2, 3}, {24, 8}, 4, 4}, state.stream);
  CHECK(part.to_host() == std::vector{3, 5, 7, 9, 11, 13});
  const auto beyond = [&](auto act) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range, act),
               ContainsSubstring("the shape (2, 3) with strides of (40, 8) bytes ends at byte 60, its memory at byte"));
  };
  const yoke::array_layout<2> far{{2, 3}, {40, 8}, 0, 4};
  beyond([&] { (void)yoke::device_view<int, 2, yoke::any_port>(memory.subspan(2, 12), far, state.stream); });
  yoke::device_allocation<int> small{state.context, 14};
  beyond([&] { (void)yoke::device_array{std::move(small), far, state.stream}; });
  CHECK(small.size() == 14);  // NOLINT: still its owner's
  const yoke::device_array taken{std::move(memory), yoke::array_layout<2>{{2, 3}, {-24, 8}, 32, 4}, state.stream};
  static_assert(std::same_as<decltype(taken), const yoke::device_array<int, 2>>);
  CHECK(taken.to_host() == std::vector{8, 10, 12, 2, 4, 6});
  CHECK_THROWS_AS((yoke::device_array<float, 2>{state.stream, yoke::array_layout<2>{{3, 4}, 8}}), yoke::logic_error);
  // A layout without gaps that begins later in its memory.
  yoke::device_array<int, 1> later{state.stream, yoke::array_layout<1>{{4}, {4}, 8, 4}};
  yoke::copy(std::vector{5, 6, 7, 8}, later, state.stream);
  CHECK(later.to_host() == std::vector{5, 6, 7, 8});
  CHECK(yoke::evaluate(later + later).to_host() == std::vector{10, 12, 14, 16});
}

YOKE_ANY_DEVICE_TEST_CASE("arrays with strides of their own go where views with such strides go", "[array]") {
  any_rig state(device);
  const auto module = yoke::compile(state.context, R"(
      YOKE_KERNEL count(YOKE_GLOBAL int* a) { a[get_global_id(0)] = (int)get_global_id(0); })");
  const auto count = module.get_kernel<void(int*)>("count");
  // A kernel begins at the first element, which may lie behind the start of memory.
  yoke::device_array<int, 1> later{state.stream, yoke::array_layout<1>{{4}, {4}, 4096, sizeof(int)}};
  count(state.stream, {.grid = 1, .block = 4}, later);
  CHECK(later.to_host() == std::vector{0, 1, 2, 3});
  yoke::device_array<int, 2> gaps{state.stream, yoke::array_layout<2>{{3, 4}, {-64, 12}, 128, sizeof(int)}};
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                        [&] { count(state.stream, {.grid = 1, .block = 4}, gaps); }),
             ContainsSubstring("is not contiguous in C order"));
  gaps.assign(std::vector{4, 1, 3, 2, 8, 5, 7, 6, 12, 9, 11, 10});
  sort(gaps);
  CHECK(gaps.to_host() == std::vector{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(yoke::cumsum(gaps, yoke::along(1)).to_host() ==
        std::vector<std::int64_t>{1, 3, 6, 10, 5, 11, 18, 26, 9, 19, 30, 42});
  CHECK(yoke::zeros_like(gaps).is_c_contiguous());
  CHECK(gaps(1, 2).value() == 7);
  gaps(yoke::whole, 0) = 0;
  CHECK(yoke::max(gaps - 1).get() == 11);
  auto out = yoke::to_dlpack(gaps);
  CHECK(yoke::from_dlpack<int, 2>(out.release(), state.stream).to_host() == gaps.to_host());
}

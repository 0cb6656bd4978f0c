// SPDX-License-Identifier: MIT
// Arrays on the device: how they are made, read, shared and refused.
#include <array/array_rig.hpp>

#include <array>
#include <complex>
#include <type_traits>

using namespace yoke_test;
using namespace yoke_test::arrays;

YOKE_DEVICE_TEST_CASE("an array holds what the host gave, in its shape", "[array]") {
  rig state(device);
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{65}}) {
    const std::vector<int> host = random_values<int>(rows * 7);
    auto a = yoke::to_device_array(host, {rows, 7}, state.stream);
    static_assert(std::is_same_v<decltype(a), yoke::device_array<int, 2, port>>);
    CHECK(a.shape() == yoke::shape{rows, 7});
    CHECK(a.size() == host.size());
    CHECK(a.size_bytes() == 4 * host.size());
    CHECK(a.to_host() == host);
    std::vector<int> back(host.size(), -1);
    a.copy_to(back);
    CHECK(back == host);
    auto later = a.to_host_async();
    const auto pagelocked = std::move(later).get();
    CHECK(std::vector<int>(pagelocked.begin(), pagelocked.end()) == host);
  }
}

YOKE_DEVICE_TEST_CASE("an array in F order has the same elements", "[array]") {
  rig state(device);
  const std::vector<float> host = random_values<float>(3 * 4 * 5);
  auto f = yoke::to_device_array(host, {3, 4, 5}, state.stream, yoke::array_order::f);
  CHECK(f.strides() == std::array<std::ptrdiff_t, 3>{4, 12, 48});
  CHECK(f.to_host() == host);
  CHECK(f.copy().strides() == f.strides());
  CHECK(f.copy().to_host() == host);
  CHECK(f.transpose().is_c_contiguous());
  // The memory itself lies in F order.
  const auto memory = f.span();
  CHECK(download(memory, state.stream)[1] == host[20]);
}

YOKE_DEVICE_TEST_CASE("arrays are made of braces, C arrays and single ranges", "[array]") {
  rig state(device);
  auto rows = yoke::to_device_array({{1, 2, 3}, {4, 5, 6}}, state.stream);
  CHECK(rows.shape() == yoke::shape{2, 3});
  CHECK(rows.to_host() == std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(yoke::to_device_array({1.5, 2.5}, state.stream).to_host() == std::vector<double>{1.5, 2.5});
  const float matrix[2][2] = {{1, 2}, {3, 4}};
  CHECK(yoke::to_device_array(matrix, state.stream).to_host() == std::vector<float>{1, 2, 3, 4});
  const std::vector<std::int8_t> list{7, 8, 9};
  CHECK(yoke::to_device_array(list, state.stream).to_host() == list);
  CHECK(yoke::to_device_array(std::array<short, 2>{3, 4}, state.stream).extent(0) == 2);
}

YOKE_DEVICE_TEST_CASE("arrays of zeros, ones, values, and like others", "[array]") {
  rig state(device);
  CHECK(yoke::zeros<double>({2, 3}, state.stream).to_host() == std::vector<double>(6, 0.0));
  CHECK(yoke::ones<std::uint8_t>({5}, state.stream).to_host() == std::vector<std::uint8_t>(5, 1));
  auto halves = yoke::full(yoke::half(1.5F), {3, 2}, state.stream, yoke::array_order::f);
  CHECK(halves.is_f_contiguous());
  for (const yoke::half each : halves.to_host()) CHECK(static_cast<float>(each) == 1.5F);
  struct cell {
    int a;
    float b;
    char c[4];
  };
  for (const cell& each : yoke::full(cell{3, 4.5F, "ab"}, {9}, state.stream).to_host()) {
    CHECK((each.a == 3 && each.b == 4.5F && each.c[1] == 'b'));
  }
  CHECK(yoke::empty_like(halves).strides() == halves.strides());
  CHECK(yoke::empty_like(halves).stream().native_handle() == state.stream.native_handle());
  CHECK(static_cast<float>(yoke::zeros_like(halves).to_host()[5]) == 0.0F);
  auto ints = yoke::ones_like(yoke::to_device_array({{1, 2}, {3, 4}}, state.stream));
  CHECK(ints.to_host() == std::vector<int>(4, 1));
  CHECK(yoke::full_like(ints(yoke::whole, 0), 7).to_host() == std::vector<int>{7, 7});
  CHECK(yoke::zeros<int>({0, 4}, state.stream).to_host().empty());
  CHECK(yoke::full(3, yoke::shape<0>{}, state.stream).to_host() == std::vector<int>{3});
}

YOKE_DEVICE_TEST_CASE("an array has ones on a diagonal and zeros elsewhere", "[array]") {
  rig state(device);
  CHECK(yoke::eye<float>(3, state.stream).to_host() == std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(yoke::eye<int>(2, 3, state.stream).to_host() == std::vector<int>{1, 0, 0, 0, 1, 0});
  CHECK(yoke::eye<std::uint8_t>(3, 2, 1, state.stream).to_host() == std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0});
  CHECK(yoke::eye<std::int64_t>(3, 2, -1, state.stream).to_host() == std::vector<std::int64_t>{0, 0, 1, 0, 0, 1});
  CHECK(yoke::eye<bool>(2, state.stream).to_host() == std::vector<bool>{true, false, false, true});
  using number = std::complex<float>;
  CHECK(yoke::eye<number>(2, state.stream).to_host() == std::vector<number>{1, 0, 0, 1});
  for (const yoke::half each : yoke::eye<yoke::half>(1U, state.stream).to_host()) CHECK(static_cast<float>(each) == 1);
  const auto f = yoke::eye<float>(2, 3, 1, state.stream, yoke::array_order::f);
  CHECK(f.is_f_contiguous());
  CHECK(f.to_host() == std::vector<float>{0, 1, 0, 0, 0, 1});
  // Diagonals outside of the matrix, and matrices without elements.
  for (const long long k : {3LL, 100LL, -2LL, yoke::detail::greatest_of<std::ptrdiff_t> + 0LL}) {
    INFO(k);
    CHECK(yoke::eye<int>(2, 3, k, state.stream).to_host() == std::vector<int>(6));
    CHECK(yoke::eye<int>(2, 3, -k - 1, state.stream).to_host() == std::vector<int>{0, k == -2, 0, 0, 0, k == -2});
  }
  CHECK(yoke::eye<int>(0, state.stream).to_host().empty());
  CHECK(yoke::eye<int>(0, 3, state.stream).shape() == yoke::shape{0, 3});
  CHECK_THROWS_AS(yoke::eye<int>(-1, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(yoke::eye<int>(2, -3, state.stream), yoke::logic_error);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] { (void)yoke::eye<int>(2, 3, ~std::uint64_t{0}, state.stream); }),
             Catch::Matchers::ContainsSubstring("k is 18446744073709551615"));
}

YOKE_DEVICE_TEST_CASE("a diagonal of an array is a view", "[array]") {
  rig state(device);
  auto a = yoke::to_device_array(counting<int>(24, 0), {2, 3, 4}, state.stream);
  CHECK(a(1).diagonal().to_host() == std::vector<int>{12, 17, 22});
  CHECK(a(1).diagonal(2).to_host() == std::vector<int>{14, 19});
  CHECK(a(1).diagonal(-1).to_host() == std::vector<int>{16, 21});
  CHECK(a(1).transpose().diagonal(-1).to_host() == a(1).diagonal(1).to_host());
  CHECK(a(1).diagonal(4).empty());
  // Of three axes the diagonal's is the last.
  CHECK(a.diagonal().shape() == yoke::shape{4, 2});
  CHECK(a.diagonal().to_host() == std::vector<int>{0, 16, 1, 17, 2, 18, 3, 19});
  CHECK(a.diagonal(1, -2, -1).to_host() == std::vector<int>{1, 6, 11, 13, 18, 23});
  CHECK(yoke::sum(a.diagonal(0, 1, 2), yoke::along(-1)).to_host() == std::vector<std::int64_t>{15, 51});
  // It is written as other views are.
  a.diagonal(0, 1, 2) += 100;
  a(0).diagonal(1) = yoke::to_device_array({-1, -2, -3}, state.stream);
  a(1).diagonal(-2).fill(7);
  CHECK(a.to_host() == std::vector<int>{100, -1, 2,  3,  4,  105, -2, 7,  8, 9,  110, -3,
                                        112, 13, 14, 15, 16, 117, 18, 19, 7, 21, 122, 23});
  const auto& constant = a;
  static_assert(std::same_as<decltype(constant.diagonal()), yoke::device_view<const int, 2, port>>);
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)a.diagonal(0, 1, -2); }),
             Catch::Matchers::ContainsSubstring("twice"));
  CHECK_THROWS_AS(a.diagonal(0, 0, 3), yoke::logic_error);
  const yoke::device_array<int, 2, port> none;
  CHECK_THROWS_AS(none.diagonal(), yoke::logic_error);
}

YOKE_DEVICE_TEST_CASE("orders and axes reach what is made of them", "[array]") {
  rig state(device);
  using order = yoke::array_order;
  using strides = std::array<std::ptrdiff_t, 2>;
  CHECK(yoke::zeros<int>({2, 3}, state.stream, order::f).strides() == strides{4, 8});
  CHECK(yoke::ones<int>({2, 3}, state.stream, order::f).strides() == strides{4, 8});
  CHECK(yoke::full(7, {2, 3}, state.stream, order::f).strides() == strides{4, 8});
  const auto c = yoke::to_device_array({{1, 2, 3}, {4, 5, 6}}, state.stream);
  const auto f = yoke::to_device_array(std::vector<int>{1, 2, 3, 4, 5, 6}, {2, 3}, state.stream, order::f);
  CHECK(c.extent(0) == 2);
  CHECK(c.extent(1) == 3);
  CHECK(c.layout().extent(1) == 3);
  CHECK(f.ravel(order::f).to_host() == std::vector<int>{1, 4, 2, 5, 3, 6});
  CHECK(f.layout().ravel(order::f).extent(0) == 6);
  const std::vector<int> reshaped{1, 5, 4, 3, 2, 6};
  CHECK(f.reshape({3, 2}, order::f).to_host() == reshaped);
  CHECK(f.try_reshape({3, 2}, order::f).value().to_host() == reshaped);
  CHECK_FALSE(f.try_reshape({3, 2}).has_value());
  CHECK(c.try_reshape({3, 2}).value().to_host() == std::vector<int>{1, 2, 3, 4, 5, 6});
  CHECK(c.reshape_copy({3, 2}, order::f).to_host() == reshaped);
}

YOKE_DEVICE_TEST_CASE("arrays of no elements call no driver", "[array]") {
  rig state(device);
  const std::size_t mark = state.driver.calls().size();
  {
    auto a = yoke::zeros<float>({3, 0, 2}, state.stream);
    a.fill(3.0F);
    a.assign(std::vector<float>{});
    CHECK(a.to_host().empty());
    CHECK(a.copy().to_host().empty());
    CHECK(a(yoke::reversed).reshape({0, 6}).to_host().empty());
  }
  CHECK(state.enqueued(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("views refer to the array's elements", "[array]") {
  rig state(device);
  auto a = yoke::to_device_array(counting<int>(24, 0), {2, 3, 4}, state.stream);
  CHECK(a(1, 2).to_host() == std::vector<int>{20, 21, 22, 23});
  CHECK(a(1, 2, 3).value() == 23);
  CHECK(a(yoke::whole, yoke::whole, -1).to_host() == std::vector<int>{3, 7, 11, 15, 19, 23});
  CHECK(a(yoke::ellipsis, yoke::slice(yoke::none, yoke::none, -2)).to_host() ==
        std::vector<int>{3, 1, 7, 5, 11, 9, 15, 13, 19, 17, 23, 21});
  CHECK(a(0).transpose().to_host() == std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(a.reshape({4, -1})(1).to_host() == std::vector<int>{6, 7, 8, 9, 10, 11});
  CHECK(a(0, 0).broadcast_to({2, 4}).to_host() == std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(a.transpose({2, 0, 1}).shape() == yoke::shape{4, 2, 3});
  CHECK(a(yoke::newaxis).shape() == yoke::shape{1, 2, 3, 4});
  CHECK(a(yoke::slice(0, 1)).squeeze(0).shape() == yoke::shape{3, 4});
  CHECK_FALSE(a.transpose().try_reshape({24}));
  CHECK(a.transpose().reshape_copy({24}).to_host() == a.transpose().to_host());
  CHECK(a.ravel().chunks(10)[2].to_host() == std::vector<int>{20, 21, 22, 23});
  CHECK(a.parts(2, -1)[1](0, 0).to_host() == std::vector<int>{2, 3});
  const backend::stream other(state.context);
  const auto elsewhere = a(1).bind(other);
  CHECK(elsewhere.stream().native_handle() == other.native_handle());
  CHECK(elsewhere(0).to_host() == std::vector<int>{12, 13, 14, 15});
  // Writing a view writes the array.
  a(0, yoke::slice(1, 3), 1).fill(-1);
  a(1, 0) = a(0, 0);
  a(1, yoke::slice(1, 3), yoke::slice(0, 2)).assign(std::vector<int>{51, 52, 53, 54});
  CHECK(a.to_host() ==
        std::vector<int>{0, 1, 2, 3, 4, -1, 6, 7, 8, -1, 10, 11, 0, 1, 2, 3, 51, 52, 18, 19, 53, 54, 22, 23});
}

YOKE_DEVICE_TEST_CASE("a value is assigned to every element", "[array]") {
  rig state(device);
  auto a = yoke::zeros<float>({2, 3}, state.stream);
  a = 5;
  CHECK(a.to_host() == std::vector<float>(6, 5.0F));
  a(yoke::whole, 1) = 2.5;
  a(1, 2) = 'A';
  CHECK(a.to_host() == std::vector<float>{5, 2.5F, 5, 5, 2.5F, 65});
  auto view = a(0);
  view = true;
  CHECK(view.to_host() == std::vector<float>{1, 1, 1});
  auto halves = yoke::zeros<yoke::half>({2}, state.stream);
  halves(1) = yoke::half(1.5F);
  CHECK(static_cast<float>(halves(1).value()) == 1.5F);
  auto pairs = yoke::to_device_array(std::vector<std::complex<float>>(2), state.stream);
  pairs = std::complex<float>(1, -2);
  pairs(1) = 3.0F;
  CHECK(pairs.to_host() == std::vector<std::complex<float>>{{1, -2}, {3, 0}});
  using doubles = yoke::device_array<double, 1, port>;
  STATIC_REQUIRE_FALSE(std::is_assignable_v<doubles&, const char*>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<yoke::device_view<const double, 1, port>&, int>);
  doubles none;
  CHECK_THROWS_AS(none = 1.0, yoke::logic_error);
}

YOKE_DEVICE_TEST_CASE("a view's elements are copied into an array that it is assigned to", "[array]") {
  rig state(device);
  const auto from = yoke::to_device_array(counting<int>(12, 0), {3, 4}, state.stream);
  auto a = yoke::zeros<int>({4, 3}, state.stream);
  const auto memory = a.native_handle();
  a = from.transpose();
  CHECK(a.native_handle() == memory);
  CHECK(a.to_host() == std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  auto widened = yoke::zeros<double>({2, 4}, state.stream);
  widened = from(yoke::slice(1, 3));
  CHECK(widened.to_host() == std::vector<double>{4, 5, 6, 7, 8, 9, 10, 11});
  widened = from(0);  // broadcast
  CHECK(widened.to_host() == std::vector<double>{0, 1, 2, 3, 0, 1, 2, 3});
  const int line = __LINE__ + 1;
  const auto assign_another_shape = [&] { a = from(yoke::slice(0, 2)); };
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::size_mismatch, assign_another_shape),
      ContainsSubstring("(2, 4) to (4, 3)") && ContainsSubstring("device_array_test.cpp:" + std::to_string(line)));
  yoke::device_array<int, 2, port> none;
  CHECK_THROWS_AS(none = from.view(), yoke::logic_error);
  using ints = yoke::device_array<int, 2, port>;
  STATIC_REQUIRE(std::is_nothrow_assignable_v<ints&, ints>);  // the memory is taken over
}

YOKE_DEVICE_TEST_CASE("a shared view keeps memory and stream alive", "[array]") {
  rig state(device);
  yoke::use_array_pool(state.context, {});  // whatever YOKE_ARRAY_POOL says
  {
    std::optional<yoke::device_view<int, 1, port>> kept;
    {
      backend::stream stream(state.context);
      auto a = yoke::to_device_array(counting<int>(8), {8}, stream);
      kept.emplace(a.share()(yoke::slice(1, yoke::none)));
      CHECK(a.to_host() == counting<int>(8));
    }
    CHECK(kept->to_host() == counting<int>(7, 2));
    CHECK(yoke::array_pool_statistics(state.context).active_blocks == 1);
  }
  CHECK(yoke::array_pool_statistics(state.context).active_blocks == 0);
  yoke::trim_array_pool(state.context);
  CHECK(state.live().empty());
}

YOKE_DEVICE_TEST_CASE("a view of a temporary keeps the memory alive", "[array]") {
  rig state(device);
  yoke::use_array_pool(state.context, {});  // whatever YOKE_ARRAY_POOL says
  {
    const auto table = yoke::arange(12, state.stream).reshape({3, 4});
    const auto line = yoke::arange(12, state.stream)(yoke::slice(2, yoke::none, 3));
    const auto turned = yoke::arange(12, state.stream).reshape({3, 4}).transpose();
    const auto all = yoke::arange(12, state.stream).view();
    const auto rows = yoke::arange(12, state.stream).chunks(5);
    const auto repeated = yoke::arange(3, state.stream).broadcast_to({2, 3});
    const auto bits = yoke::full(1.0f, {2}, state.stream).template as<std::uint32_t>();
    // What freed memory would be given to next.
    const auto other = yoke::full(-1, {12}, state.stream);
    CHECK(table.to_host() == counting<int>(12, 0));
    CHECK(line.to_host() == std::vector<int>{2, 5, 8, 11});
    CHECK(turned.copy().to_host() == std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
    CHECK(all.to_host() == counting<int>(12, 0));
    REQUIRE(rows.size() == 3);
    CHECK(rows[2].to_host() == std::vector<int>{10, 11});
    CHECK(repeated.copy().to_host() == std::vector<int>{0, 1, 2, 0, 1, 2});
    CHECK(bits.to_host() == std::vector<std::uint32_t>{0x3F800000, 0x3F800000});
    CHECK(yoke::array_pool_statistics(state.context).active_blocks == 8);
  }
  CHECK(yoke::array_pool_statistics(state.context).active_blocks == 0);
}

YOKE_DEVICE_TEST_CASE("an array works after its stream's handle has ended", "[array]") {
  rig state(device);
  const auto make = [&] {
    const backend::stream stream(state.context);
    return yoke::to_device_array({1, 2, 3}, stream);
  };
  auto a = make();
  CHECK(a.to_host() == std::vector<int>{1, 2, 3});
  a = yoke::to_device_array({4, 5, 6, 7}, a.stream());
  CHECK(a.to_host() == std::vector<int>{4, 5, 6, 7});
  auto b = std::move(a);
  CHECK_FALSE(static_cast<bool>(a));
  CHECK(a.size() == 0);
  CHECK(a.layout().element_bytes() == sizeof(int));
  CHECK(b.extent(0) == 4);
  swap(a, b);
  CHECK(a.extent(0) == 4);
  a.reset();
  CHECK(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
          (void)a.to_host();
        }).find("this device array is empty") != std::string::npos);
  CHECK_THROWS_AS(a(0), yoke::logic_error);
  CHECK_THROWS_AS((yoke::device_view<int, 1, port>{}.to_host()), yoke::logic_error);
}

YOKE_DEVICE_TEST_CASE("an array takes an allocation over and views look at any memory", "[array]") {
  rig state(device);
  const std::vector<int> host = counting<int>(12);
  backend::device_allocation<int> memory(state.context, host, state.stream);
  const yoke::device_view<int, 2, port> view(memory.subspan(4, 6), {2, 3}, state.stream);
  CHECK(view(1).to_host() == std::vector<int>{8, 9, 10});
  view.transpose()(0).fill(0);
  CHECK(download(memory, state.stream) == std::vector<int>{1, 2, 3, 4, 0, 6, 7, 0, 9, 10, 11, 12});
  CHECK_THROWS_AS((yoke::device_array(std::move(memory), yoke::shape{3, 5}, state.stream)), yoke::logic_error);
  yoke::device_array a(std::move(memory), yoke::shape{3, 4}, state.stream);
  CHECK(a(2).to_host() == std::vector<int>{9, 10, 11, 12});
  const backend::stream other(state.context);
  a.record_use(other);
  CHECK_THROWS_AS((yoke::device_view<int, 2, port>(a.span(), {3, 5}, state.stream)), yoke::logic_error);

  // Memory of another context would be used in the stream's.
  const auto foreign = Backend::another_context(device);
  backend::device_allocation<int> elsewhere(foreign, 4);
  CHECK_THAT(
      refusal<yoke::logic_error>(yoke::errc::wrong_context,
                                 [&] { (void)yoke::device_array(std::move(elsewhere), yoke::shape{4}, state.stream); }),
      Catch::Matchers::ContainsSubstring("the memory is of another context than the stream"));
  CHECK(elsewhere.size() == 4);
  const yoke::device_array none(backend::device_allocation<int>(state.context, 0), yoke::shape{0, 4}, state.stream);
  CHECK(none.to_host().empty());
}

YOKE_DEVICE_TEST_CASE("arrays take blocks of a pool and give them back", "[array]") {
  rig state(device);
  const yoke::memory_pool<port> pool(state.context);
  for (int round = 0; round < 3; ++round) {
    yoke::device_array<int, 2, port> a(pool, {8, 16}, state.stream);
    a.fill(round);
    CHECK(a.to_host() == std::vector<int>(128, round));
    CHECK(pool.statistics().active_blocks == 1);
  }
  CHECK(pool.statistics().active_blocks == 0);
  CHECK(pool.statistics().held_blocks == 1);
}

YOKE_DEVICE_TEST_CASE("copies and launches take arrays in C order, and refuse others by name", "[array]") {
  rig state(device);
  const std::vector<int> host = counting<int>(12);
  auto a = yoke::to_device_array(host, {3, 4}, state.stream);
  std::vector<int> back(12);
  yoke::copy(a, back, state.stream);
  CHECK(back == host);
  yoke::copy(a(1), std::span<int>(back).subspan(0, 4), state.stream);
  CHECK(back[0] == 5);
  yoke::copy(std::vector<int>{9, 9, 9, 9}, a(2), state.stream);
  CHECK(a(2, 3).value() == 9);
  CHECK(yoke::to_host(a(0), state.stream) == std::vector<int>{1, 2, 3, 4});
  yoke::fill(a(0), 3, state.stream);
  CHECK(a(0, 1).value() == 3);

  const auto module = yoke::compile(state.context, R"(
    YOKE_KERNEL twice(YOKE_GLOBAL int* to, YOKE_GLOBAL const int* from, int n) {
      int i = (int)get_global_id(0);
      if (i < n) to[i] = 2 * from[i];
    })");
  const auto twice = yoke::get_kernel<void(int*, const int*, int)>(module, "twice");
  auto b = yoke::empty_like(a);
  twice(state.stream, yoke::launch_over(12, 4), b, std::as_const(a), 12);
  CHECK(b(1).to_host() == std::vector<int>{10, 12, 14, 16});
  twice(state.stream, yoke::launch_over(12, 4), b.view(), a.view().ravel(), 12);
  const auto column = a(yoke::whole, 1);
  const std::string said = refusal<yoke::logic_error>(
      yoke::errc::invalid_argument, [&] { twice(state.stream, yoke::launch_over(3, 4), b, column, 3); });
  CHECK(said.find("argument 2 is not contiguous in C order") != std::string::npos);
  CHECK(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
          yoke::copy(column, back, state.stream);
        }).find("the source is not contiguous in C order") != std::string::npos);
  CHECK_THROWS_AS(yoke::copy(a.transpose(), back, state.stream), yoke::logic_error);
  CHECK_THROWS_AS(twice(state.stream, yoke::launch_over(0), b.transpose(), a, 0), yoke::logic_error);
  yoke::device_array<int, 2, port> none;
  CHECK(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
          twice(state.stream, yoke::launch_over(3, 4), none, a, 3);
        }).find("argument 1 is empty") != std::string::npos);
}

YOKE_DEVICE_TEST_CASE("refusals of arrays name shapes and sizes", "[array]") {
  rig state(device);
  auto a = yoke::zeros<int>({3, 4}, state.stream);
  const std::size_t mark = state.driver.calls().size();
  const auto says = [](yoke::errc condition, const auto& act, const char* text) {
    const std::string said = refusal<yoke::logic_error>(condition, act);
    INFO(said);
    CHECK(said.find(text) != std::string::npos);
  };
  const std::vector<int> five(5);
  using yoke::errc;
  says(
      errc::size_mismatch, [&] { a.assign(five); }, "the range has 5 elements, the shape (3, 4) has 12");
  says(
      errc::size_mismatch,
      [&] {
        (void)yoke::to_device_array(five, {2, 3}, state.stream);
      },
      "the shape (2, 3) has 6");
  says(
      errc::size_mismatch, [&] { a.assign(a(0, yoke::slice(0, 3))); }, "cannot broadcast (3,) to (3, 4): axis 1");
  says(
      errc::out_of_range, [&] { (void)a(3); }, "index 3 is outside axis 0 of the shape (3, 4)");
  says(
      errc::out_of_range,
      [&] {
        (void)yoke::zeros<int>({2, -1}, state.stream);
      },
      "an extent of -1 along axis 1");
  says(
      errc::invalid_argument, [&] { (void)a.transpose().reshape({12}); }, "no view of (4, 3)");
  says(
      errc::invalid_argument, [&] { (void)a(yoke::whole, 1).span(); },
      "a view of (3,) with strides of (16,) bytes has gaps");
  says(
      errc::out_of_range, [&] { (void)a.chunks(0); }, "the length of a chunk is 0");
  says(
      errc::out_of_range, [&] { (void)a.parts(-1); }, "the number of parts is -1");
  CHECK(state.enqueued(mark) == 0);
}

YOKE_ANY_DEVICE_TEST_CASE("a view that begins between elements is refused by what reads whole ones", "[array]") {
  any_rig state(device);
  auto a = yoke::zeros<float>({8}, state.stream);
  const auto between =
      a.view().with(yoke::array_layout<1>(yoke::shape<1>(5), std::array<std::ptrdiff_t, 1>{4}, 2, sizeof(float)));
  const auto check = [&](const auto& act) {
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::misaligned, act),
               Catch::Matchers::ContainsSubstring("a view that begins at byte 2 is no range of elements of 4 bytes"));
  };
  check([&] { (void)between.span(); });
  check([&] { (void)between.astype<int>(); });
  check([&] { (void)yoke::evaluate(between + 1.0F); });
  check([&] { (void)yoke::sum(between); });
  check([&] { (void)yoke::cumsum(between); });
  // Copies go by bytes.
  CHECK(between.copy().to_host() == std::vector<float>(5));
}

YOKE_ANY_DEVICE_TEST_CASE("the host does not see an array in the device's own memory", "[array]") {
  any_rig state(device);
  auto a = yoke::ones<int>({4}, state.stream);
  CHECK_THAT(refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { (void)a.host(); }),
             Catch::Matchers::ContainsSubstring("copy it by to_host"));
  CHECK(a.to_host() == std::vector<int>(4, 1));
}

// SPDX-License-Identifier: MIT
// CUDA's memory: plain and stream-ordered, copies in every shape, fills of every element size.
#include <support/devices.hpp>

#include <array>
#include <numeric>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

std::vector<int> counting(std::size_t size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 1);
  return values;
}
template <std::size_t Bytes>
struct element {
  std::array<unsigned char, Bytes> bytes;
  friend bool operator==(const element&, const element&) = default;
};

template <std::size_t Bytes>
void check_fill(const cu::context& context, const cu::stream& stream) {
  element<Bytes> value{};
  for (std::size_t i = 0; i < Bytes; ++i) value.bytes[i] = static_cast<unsigned char>(i * 7 + 1);
  cu::device_allocation<element<Bytes>> memory{context, 1001, stream};
  yoke::fill(memory, element<Bytes>{}, stream);
  yoke::fill(memory.subspan(1, 998), value, stream);
  std::vector<element<Bytes>> host(1001);
  yoke::copy(memory, host, stream);
  CAPTURE(Bytes);
  CHECK(host.front() == element<Bytes>{});
  CHECK(std::count(host.begin(), host.end(), value) == 998);
  CHECK(host[999] == element<Bytes>{});
}

}  // namespace

YOKE_CUDA_TEST_CASE("CUDA memory takes copies between every pair", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  const std::vector<int> host = counting(1000);
  cu::device_allocation<int> plain{context, 1000}, ordered{context, 1000, stream};
  cu::pagelocked_array<int> locked{context, 1000};
  yoke::copy(host, plain, stream);
  yoke::copy(plain, ordered, stream);
  yoke::copy(ordered, locked, stream);
  CHECK(std::equal(host.begin(), host.end(), locked.begin()));
  std::vector<int> back(500);
  yoke::copy(ordered.subspan(250, 500), back, stream);
  CHECK(back.front() == 251);
  locked[0] = -5;
  auto up = yoke::copy_async(locked, plain, stream);
  auto down = yoke::copy_async(plain, locked, stream);
  up.wait();
  down.wait();
  CHECK(locked[0] == -5);
  auto again = yoke::to_device(host, stream);
  yoke::copy(again, back.data() == nullptr ? back : back = std::vector<int>(1000), stream);
  CHECK(back == host);
  CHECK_THROWS_AS(yoke::copy(host, plain.subspan(0, 999), stream), yoke::logic_error);
  const cu::device_allocation<int> none{context, 0}, none_ordered{context, 0, stream};
  CHECK(none.empty());
}

YOKE_CUDA_TEST_CASE("CUDA copies boxes and leaves the gaps alone", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  const yoke::box_layout from{.width = 3, .height = 4, .depth = 2, .row_pitch = 7, .slice_pitch = 35, .offset = 5};
  const yoke::box_layout to{.width = 3, .height = 4, .depth = 2, .row_pitch = 5, .slice_pitch = 23, .offset = 2};
  const std::vector<int> host = counting(200);
  std::vector<int> expected(200, -1);
  for (std::size_t z = 0; z < 2; ++z)
    for (std::size_t y = 0; y < 4; ++y)
      for (std::size_t x = 0; x < 3; ++x) expected[2 + z * 23 + y * 5 + x] = host[5 + z * 35 + y * 7 + x];
  cu::device_allocation<int> first{context, 200}, second{context, 200};
  std::vector<int> out(200, -1);

  yoke::copy(host, first, stream);
  yoke::fill(second, -1, stream);
  yoke::copy(yoke::strided(first, from), yoke::strided(second, to), stream);
  yoke::copy(second, out, stream);
  CHECK(out == expected);

  yoke::fill(second, -1, stream);
  yoke::copy(yoke::strided(host, from), yoke::strided(second, to), stream);
  yoke::copy(second, out, stream);
  CHECK(out == expected);

  out.assign(200, -1);
  yoke::copy(yoke::strided(first, from), yoke::strided(out, to), stream);
  CHECK(out == expected);
}

YOKE_CUDA_TEST_CASE("CUDA fills with elements of any size", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  check_fill<1>(context, stream);
  check_fill<2>(context, stream);
  check_fill<3>(context, stream);
  check_fill<4>(context, stream);
  check_fill<5>(context, stream);
  check_fill<8>(context, stream);
  check_fill<12>(context, stream);
  check_fill<16>(context, stream);
  check_fill<32>(context, stream);
  check_fill<100>(context, stream);
}

YOKE_CUDA_TEST_CASE("memory of another stream's order is freed behind every recorded use", "[cuda]") {
  const cu::context context{device};
  const cu::stream first{context}, second{context};
  std::vector<int> host(1 << 20);
  for (int i = 0; i < 20; ++i) {
    cu::device_allocation<int> memory{context, host.size(), first};
    yoke::fill(memory, i, first);
    second.wait(first.record());
    memory.record_use(second);
    yoke::copy(memory, host, second);
    CHECK(host.back() == i);
  }
}

YOKE_CUDA_TEST_CASE("an allocation that CUDA cannot give says how large it was", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  const auto check = [](auto act) {
    try {
      act();
      FAIL_CHECK("allocated");
    } catch (const yoke::memory_error& e) {
      CHECK(e.code() == yoke::errc::out_of_memory);
      CHECK_THAT(e.what(), ContainsSubstring("device allocation of 70368744177664 bytes"));
    }
  };
  check([&] { (void)cu::device_allocation<char>{context, std::size_t{1} << 46}; });
  check([&] { (void)cu::device_allocation<char>{context, std::size_t{1} << 46, stream}; });
  stream.synchronize();
}

YOKE_CUDA_TEST_CASE("native CUDA memory is adopted and borrowed", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  cu::device_allocation<int> owner{context, 100};
  const cu::abi::device_pointer native = owner.release();
  {
    auto borrowed = cu::device_allocation<int>::borrow(context, native, 100);
    yoke::fill(borrowed, 3, stream);
  }
  const auto adopted = cu::device_allocation<int>::adopt(context, native, 100);
  std::vector<int> host(100);
  yoke::copy(adopted, host, stream);
  CHECK(host == std::vector<int>(100, 3));
  CHECK_THROWS_AS(cu::device_allocation<int>::borrow(context, native, 1000000), yoke::logic_error);
}

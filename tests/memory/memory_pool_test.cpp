// SPDX-License-Identifier: MIT
// Pools of device memory: reuse in the order of streams, figures, limits, ends.
#include <memory/counting_resource.hpp>
#include <support/soon.hpp>

#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>

using namespace yoke_test;

namespace {

/// Returns: the bin of a size, bit by bit.
std::size_t slow_bin(std::uint64_t size, unsigned bits) {
  std::size_t exponent = 0;
  while (exponent < 63 && (size >> (exponent + 1)) != 0) ++exponent;
  std::size_t mantissa = 0;
  for (unsigned i = 1; i <= bits; ++i) {
    const bool bit = exponent >= i && (size >> (exponent - i) & 1) != 0;
    mantissa = mantissa * 2 + (bit ? 1 : 0);
  }
  return exponent * (std::size_t{1} << bits) + mantissa;
}
/// Returns: the largest size of the bin in which a size is, by walking up.
std::uint64_t slow_size(std::uint64_t size, unsigned bits) {
  std::uint64_t largest = size;
  while (slow_bin(largest + 1, bits) == slow_bin(size, bits)) ++largest;
  return largest;
}

/// Has one block, and takes it back, the first time, only once it has been asked twice more.
template <class Port>
class slow_source final : public yoke::memory_resource<Port> {
 public:
  using typename yoke::memory_resource<Port>::native_type;
  using typename yoke::memory_resource<Port>::native_stream;

  explicit slow_source(const yoke::context<Port>& in) : from_(in) {}
  [[nodiscard]] const yoke::context<Port>& context_of() const noexcept override { return from_.context_of(); }
  [[nodiscard]] native_type allocate(std::size_t bytes, const yoke::stream<Port>& order,
                                     const yoke::source_location& where) override {
    ++asked;
    if (has_given) throw yoke::memory_error(make_error_code(yoke::errc::out_of_memory), "test", "none", where);
    has_given = true;
    return from_.allocate(bytes, order, where);
  }
  void deallocate(native_type memory, std::size_t bytes, native_stream order,
                  std::span<const native_stream> uses) noexcept override {
    const int before = asked;
    if (!takes_back.exchange(true)) {
      (void)soon([&] { return asked >= before + 2; });
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the other thread is waiting by now
    }
    from_.deallocate(memory, bytes, order, uses);
    has_given = false;
  }

  std::atomic<int> asked{0};
  std::atomic<bool> has_given{false};
  std::atomic<bool> takes_back{false};

 private:
  yoke::deferred_allocator<Port> from_;
};

}  // namespace

TEST_CASE("bins are those of PyOpenCL and PyCUDA", "[memory][pool]") {
  using yoke::detail::pool_alloc_size;
  using yoke::detail::pool_bin_number;
  const std::array<std::array<std::uint64_t, 3>, 16> known{{{0, 0, 1},
                                                            {1, 0, 1},
                                                            {2, 16, 2},
                                                            {3, 24, 3},
                                                            {16, 64, 16},
                                                            {17, 65, 17},
                                                            {31, 79, 31},
                                                            {32, 80, 33},
                                                            {33, 80, 33},
                                                            {100, 105, 103},
                                                            {1000, 159, 1023},
                                                            {1024, 160, 1087},
                                                            {4096, 192, 4351},
                                                            {1000000, 318, 1015807},
                                                            {std::uint64_t{1} << 20, 320, 1114111},
                                                            {std::uint64_t{1} << 30, 480, 1140850687}}};
  for (const auto& [size, bin, bytes] : known) {
    CHECK(pool_bin_number(size, 4) == bin);
    CHECK(pool_alloc_size(bin, 4) == bytes);
  }
  for (const unsigned bits : {0U, 1U, 4U, 6U, 9U}) {
    bool same = true;
    for (std::uint64_t size = 1; size < 5000; ++size) {
      same = same && pool_bin_number(size, bits) == slow_bin(size, bits);
      same = same && pool_alloc_size(slow_bin(size, bits), bits) == slow_size(size, bits);
    }
    CHECK(same);
    bool sound = true;
    for (unsigned exponent = 0; exponent < 64; ++exponent) {
      for (std::uint64_t low = 0; low < 70; ++low) {
        const std::uint64_t size =
            (std::uint64_t{1} << exponent) + (low << (exponent > 7 ? exponent - 7 : 0)) + low % 3;
        if (size >> exponent != 1) continue;
        const std::size_t bin = pool_bin_number(size, bits);
        const std::uint64_t whole = pool_alloc_size(bin, bits);
        sound = sound && bin == slow_bin(size, bits) && whole >= size && pool_bin_number(whole, bits) == bin;
        sound = sound && (whole - size) <= (size >> bits);
      }
    }
    CHECK(sound);
  }
}

YOKE_DEVICE_TEST_CASE("allocating and freeing in one stream makes no driver call", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context};
  native_memory first{};
  {
    backend::device_allocation<float> x{pool, 1000, on.stream};
    first = x.native_handle();
    CHECK(x.size() == 1000);
    CHECK(Backend::bytes_of(first) >= 4000);
    CHECK(pool.statistics() ==
          yoke::pool_statistics{
              .active_blocks = 1, .managed_bytes = 4095, .active_bytes = 4000, .peak_bytes = 4095, .made_blocks = 1});
  }
  CHECK(pool.statistics().held_blocks == 1);
  CHECK(pool.statistics().active_bytes == 0);
  const std::size_t mark = on.driver.mark();
  for (int i = 0; i < 100; ++i) {
    const backend::device_allocation<double> x{pool, 500 - i % 4, on.stream};  // the same bin
    CHECK(x.native_handle() == first);
    CHECK(x.context_of() == on.context);
  }
  CHECK(on.driver.count_all(mark) == 0);
  std::vector<int> up = counting(1000);
  backend::device_allocation<int> x{pool, 1000, on.stream};
  yoke::copy(up, x, on.stream);
  CHECK(download(x, on.stream) == up);
}

YOKE_DEVICE_TEST_CASE("large blocks of a pool are as large as asked, if it is told so", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context, {.exact_from = 4096}};
  native_memory first{};
  {
    const backend::device_allocation<std::byte> small{pool, 4095, on.stream}, large{pool, 4096, on.stream};
    first = large.native_handle();
    CHECK(pool.statistics().managed_bytes == 4095 + 4096);  // a bin is up to 4351
  }
  const backend::device_allocation<std::byte> larger{pool, 4100, on.stream};  // of the same bin
  CHECK(larger.native_handle() != first);
  CHECK(pool.statistics().managed_bytes == 4095 + 4096 + 4100);
  const backend::device_allocation<std::byte> same{pool, 4096, on.stream};
  CHECK(same.native_handle() == first);
}

YOKE_DEVICE_TEST_CASE("pooled memory is an allocation like any other", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context};
  backend::device_allocation<int> a{pool, 10, on.stream}, b{pool, 20, on.stream};
  const native_memory first = a.native_handle(), second = b.native_handle();
  CHECK(first != second);
  backend::device_allocation<int> c = std::move(a);
  CHECK(c.native_handle() == first);
  CHECK(a.empty());
  swap(b, c);
  CHECK(b.size() == 10);
  CHECK(b.native_handle() == first);
  c = std::move(b);  // gives its own back first
  CHECK(pool.statistics().held_blocks == 1);
  CHECK(pool.statistics().active_bytes == 40);
  yoke::fill(c, 7, on.stream);
  CHECK(download(c, on.stream) == std::vector<int>(10, 7));
  CHECK(c.subspan(2, 3).size() == 3);
  c.reset();
  c.reset();
  CHECK(pool.statistics().active_blocks == 0);
  CHECK(pool.statistics().held_blocks == 2);
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)c.span(); });

  backend::device_allocation<int> none{pool, 0, on.stream};
  CHECK(none.empty());
  CHECK(none.context_of() == on.context);
  CHECK(pool.statistics().active_blocks == 0);
  none.record_use(on.stream);
}

YOKE_DEVICE_TEST_CASE("another stream takes a block behind an event", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context), third(on.context);
  pool_of<Backend> pool{on.context};
  const auto take = [&](const backend::stream& in) { return backend::device_allocation<int>{pool, 100, in}; };
  const native_memory block = take(on.stream).native_handle();
  take(on.stream).reset();
  std::size_t mark = on.driver.mark();
  auto taken = take(second);
  CHECK(taken.native_handle() == block);
  CHECK(on.driver.count(calls::record, mark) == 1);
  CHECK(on.driver.count(calls::wait_in_stream, mark) == 1);
  CHECK(on.driver.count(calls::allocate, mark) == 0);
  CHECK(pool.statistics().waits == 1);
  CHECK(pool.statistics().made_blocks == 1);
  taken.reset();
  mark = on.driver.mark();
  CHECK(take(second).native_handle() == block);  // it is that stream's now
  CHECK(on.driver.count_all(mark) == 0);

  // One event serves all blocks that came back before it.
  std::vector<backend::device_allocation<int>> several;
  for (int i = 0; i < 3; ++i) several.push_back(take(third));
  several.clear();
  (void)take(third);
  mark = on.driver.mark();
  for (int i = 0; i < 3; ++i) several.push_back(take(on.stream));
  CHECK(on.driver.count(calls::record, mark) <= 2);  // second's block, and third's two
  CHECK(on.driver.count(calls::wait_in_stream, mark) == 3);
  CHECK(on.driver.count(calls::allocate, mark) == 0);

  // But not a block that comes back later.
  several.clear();
  pool.free_held();
  take(third).reset();
  auto early = take(second);
  take(third).reset();
  mark = on.driver.mark();
  const auto late = take(second);
  CHECK(on.driver.count(calls::record, mark) == 1);

  pool_of<Backend> apart{on.context, {.across_streams = false}};
  (void)backend::device_allocation<int>{apart, 100, on.stream};
  mark = on.driver.mark();
  (void)backend::device_allocation<int>{apart, 100, second};
  CHECK(on.driver.count(calls::record, mark) == 0);
  CHECK(on.driver.count(calls::allocate, mark) == 1);
}

YOKE_DEVICE_TEST_CASE("a block waits for the streams that use it", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context);
  pool_of<Backend> pool{on.context};
  native_memory block{};
  {
    backend::device_allocation<int> x{pool, 100, on.stream};
    block = x.native_handle();
    x.record_use(on.stream);
    x.record_use(second);
    x.record_use(second);
    const std::size_t mark = on.driver.mark();
    x.reset();
    CHECK(on.driver.count(calls::record, mark) == 1);
  }
  std::size_t mark = on.driver.mark();
  backend::device_allocation<int> x{pool, 100, on.stream};
  CHECK(x.native_handle() == block);
  CHECK(on.driver.count(calls::wait_in_stream, mark) == 1);
  x.reset();
  mark = on.driver.mark();
  x = {pool, 100, on.stream};
  CHECK(on.driver.count_all(mark) == 0);
}

YOKE_DEVICE_TEST_CASE("blocks of a stream that has ended are of use to others", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context};
  native_memory block{};
  backend::device_allocation<int> outlives;
  {
    backend::stream brief(on.context);
    backend::device_allocation<int> x{pool, 100, brief};
    outlives = {pool, 100, brief};
    block = x.native_handle();
    x.reset();
    const backend::stream moved = std::move(brief);
    CHECK(pool.statistics().held_blocks == 1);
  }
  CHECK(pool.statistics().held_blocks == 1);
  std::size_t mark = on.driver.mark();
  backend::device_allocation<int> x{pool, 100, on.stream};
  CHECK(x.native_handle() == block);
  CHECK(on.driver.count(calls::record, mark) == 0);  // its point was recorded when the stream ended
  CHECK(on.driver.count(calls::wait_in_stream, mark) == 1);
  const native_memory other = outlives.native_handle();
  outlives.reset();
  mark = on.driver.mark();
  outlives = {pool, 100, on.stream};
  CHECK(outlives.native_handle() == other);
  CHECK(on.driver.count(calls::wait_in_stream, mark) == 1);
  CHECK(pool.statistics().active_blocks == 2);
  x.reset();
  outlives.reset();
  for (int i = 0; i < 50; ++i) {
    const backend::stream brief(on.context);
    backend::device_allocation<int>{pool, 100, brief}.reset();
  }
  CHECK(pool.statistics().made_blocks == 2);
}

YOKE_DEVICE_TEST_CASE("a pool may go before its blocks, and a stream before both", "[memory][pool]") {
  rig on(device);
  {
    backend::device_allocation<int> a, b, c;
    {
      const backend::stream brief(on.context);
      pool_of<Backend> pool{on.context};
      const pool_of<Backend> copy = pool;
      CHECK(copy == pool);
      a = {pool, 100, on.stream};
      b = {pool, 100, brief};
      c = {copy, 200, on.stream};
      c.reset();
      pool.reset();
      CHECK(copy.statistics().held_blocks == 1);
      CHECK_FALSE(static_cast<bool>(pool));
      refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)pool.statistics(); });
      refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { c = {pool, 1, on.stream}; });
    }
    const auto live = on.live();
    CHECK(live.size() -
              static_cast<std::size_t>(std::count_if(
                  live.begin(), live.end(), [](const std::string& each) { return each.starts_with("event"); })) ==
          2);
    yoke::fill(a, 3, on.stream);
    CHECK(download(a, on.stream)[99] == 3);
    a.reset();
    b.reset();
    CHECK(on.live().empty());
  }
  for (int i = 0; i < 20; ++i) {  // many pools, one stream
    pool_of<Backend> pool{on.context};
    backend::device_allocation<int>{pool, 10, on.stream}.reset();
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a block that is released is the pool's no longer, until adopted", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context};
  backend::device_allocation<int> x{pool, 100, on.stream};
  const native_memory native = x.release();
  CHECK(pool.statistics() == yoke::pool_statistics{.peak_bytes = 415, .made_blocks = 1, .given_away_blocks = 1});
  x = backend::device_allocation<int>::adopt(pool, native, 100, on.stream);
  CHECK(x.native_handle() == native);
  CHECK(pool.statistics().active_blocks == 1);
  CHECK(pool.statistics().managed_bytes == Backend::bytes_of(native));
  CHECK(download(x, on.stream).size() == 100);
  x.reset();
  CHECK(pool.statistics().held_blocks == 1);
  x = {pool, 100, on.stream};
  CHECK(x.native_handle() == native);
  refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] {
    const native_memory small = backend::device_allocation<int>{on.context, 1}.release();
    try {
      (void)backend::device_allocation<int>::adopt(pool, small, 1000, on.stream);
    } catch (...) {
      CHECK(Backend::free(*on.context.port().table(), small));
      throw;
    }
  });
  backend::device_allocation<int> plain = backend::device_allocation<int>::adopt(
      on.context, backend::device_allocation<int>(pool, 7, on.stream).release(), 7);
  plain.reset();
  x.reset();
  pool.free_held();
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("a pool adopts no block of its own", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context};
  const pool_of<Backend> other{on.context};
  backend::device_allocation<int> x{pool, 100, on.stream};
  const backend::device_allocation<int> beside{pool, 5000, on.stream};
  const native_memory native = x.native_handle();
  const auto why = [&] {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
      (void)backend::device_allocation<int>::adopt(pool, native, 100, on.stream);
    });
  };
  CHECK_THAT(why(), ContainsSubstring("is a block of this pool, in use, of 415 bytes") &&
                        ContainsSubstring(yoke::detail::hex_digits(yoke::detail::native_value(native))));
  x.reset();
  CHECK_THAT(why(), ContainsSubstring("is a block of this pool, idle, of 415 bytes"));
  {
    const yoke::deferred_frees later{pool};
    pool.free_held();
    CHECK_THAT(why(), ContainsSubstring("is a block of this pool, about to be freed"));
  }
  CHECK(pool.statistics().active_blocks == 1);
  CHECK(pool.statistics().held_blocks == 0);
  x = {pool, 100, on.stream};
  x = backend::device_allocation<int>::adopt(pool, x.release(), 100, on.stream);  // what has left may come back
  x = backend::device_allocation<int>::adopt(other, x.release(), 100, on.stream);
  CHECK(other.statistics().active_blocks == 1);
}

YOKE_DEVICE_TEST_CASE("a pool adopts no more than its limit", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context, {.limit_bytes = 10000}};
  backend::device_allocation<char> active{pool, 3000, on.stream};
  const std::size_t in_use = pool.statistics().managed_bytes;
  (void)backend::device_allocation<char>{pool, 5000, on.stream};
  backend::device_allocation<char> plain{on.context, 6000};
  const std::size_t bytes = Backend::bytes_of(plain.native_handle());
  auto given = backend::device_allocation<char>::adopt(pool, plain.release(), 6000, on.stream);  // the idle block went
  CHECK(pool.statistics() == yoke::pool_statistics{.active_blocks = 2,
                                                   .managed_bytes = in_use + bytes,
                                                   .active_bytes = 9000,
                                                   .peak_bytes = in_use + bytes,
                                                   .made_blocks = 2});
  for (const int size : {3000, 10001}) {  // too much beside the others, and alone
    const native_memory more = backend::device_allocation<char>{on.context, size}.release();
    const std::string what = refusal<yoke::logic_error>(
        yoke::errc::out_of_range, [&] { (void)backend::device_allocation<char>::adopt(pool, more, size, on.stream); });
    CHECK_THAT(what, ContainsSubstring(std::to_string(Backend::bytes_of(more)) + " bytes is too much") &&
                         ContainsSubstring("manages " + std::to_string(in_use + bytes) + " bytes") &&
                         ContainsSubstring("its limit is 10000") && ContainsSubstring("memory_pool_test.cpp:"));
    CHECK(Backend::free(*on.context.port().table(), more));  // it stayed the caller's
  }
  given.reset();
  active.reset();
  CHECK(pool.statistics().active_blocks == 0);
}

YOKE_DEVICE_TEST_CASE("idle blocks go when they are told to", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context};
  const auto fill_pool = [&] {
    std::vector<backend::device_allocation<char>> all;
    for (const int bytes : {1000, 2000, 3000, 4000}) all.emplace_back(pool, bytes, on.stream);
  };
  fill_pool();
  const std::size_t whole = 1023 + 2047 + 3071 + 4095;
  CHECK(pool.statistics().managed_bytes == whole);
  pool.trim(whole);
  CHECK(pool.statistics().held_blocks == 4);
  pool.trim(whole - 1);
  CHECK(pool.statistics().managed_bytes == whole - 4095);  // the largest first
  backend::device_allocation<char> kept{pool, 1000, on.stream};
  pool.trim(0);
  CHECK(pool.statistics().managed_bytes == 1023);
  CHECK(pool.statistics().held_blocks == 0);
  CHECK(pool.statistics().active_blocks == 1);
  fill_pool();
  std::size_t mark = on.driver.mark();
  pool.free_held();
  CHECK(on.driver.count(calls::free, mark) == 4);
  CHECK(pool.statistics().held_blocks == 0);
  fill_pool();
  pool.stop_holding();
  CHECK(pool.statistics().managed_bytes == 1023);
  mark = on.driver.mark();
  kept.reset();
  CHECK(on.driver.count(calls::free, mark) == 1);
  backend::device_allocation<char>{pool, 10, on.stream}.reset();
  CHECK(on.driver.count(calls::free, mark) == 2);
  CHECK(pool.statistics().managed_bytes == 0);
  CHECK(pool.statistics().peak_bytes == whole + 1023);
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("a pool under a limit frees its own before it refuses", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context);
  pool_of<Backend> pool{on.context, {.limit_bytes = 10000}};
  (void)backend::device_allocation<char>{pool, 4000, on.stream};
  (void)backend::device_allocation<char>{pool, 4001, second};  // takes the other's
  CHECK(pool.statistics().made_blocks == 1);
  (void)backend::device_allocation<char>{pool, 3000, second};
  backend::device_allocation<char> most{pool, 6500, second};
  CHECK(pool.statistics().managed_bytes <= 10000);
  CHECK(pool.statistics().held_blocks == 1);
  most.reset();
  most = {pool, 10000, second};  // the rounded size is above the limit, so the block is as small as asked
  CHECK(pool.statistics().managed_bytes == 10000);
  CHECK(pool.statistics().held_blocks == 0);
  const std::string what = refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] {
    backend::device_allocation<char>{pool, 1000, on.stream};
  });
  CHECK_THAT(what, ContainsSubstring("pool allocation of 1000 bytes, in a block of 1023") &&
                       ContainsSubstring("manages 10000 bytes, 10000 of them asked for by 1 blocks in use") &&
                       ContainsSubstring("its limit is 10000 bytes") && ContainsSubstring("memory_pool_test.cpp:"));
  most.reset();
  CHECK(backend::device_allocation<char>{pool, 1000, on.stream}.size() == 1000);
}

YOKE_DEVICE_TEST_CASE("a pool that the driver refuses frees idle blocks, the largest first", "[memory][pool]") {
  rig on(device);
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  yoke::memory_pool pool{source};
  {
    std::vector<backend::device_allocation<char>> all;
    for (const int bytes : {100, 200, 300, 400, 500}) all.emplace_back(pool, bytes, on.stream);
  }
  const std::size_t five = source->live_bytes;
  source->room = five + 90;
  source->asked = 0;
  backend::device_allocation<char> x{pool, 600, on.stream};
  CHECK(source->asked == 3);  // one refusal, one more with the largest freed, then it fits
  CHECK(pool.statistics().held_blocks == 3);
  source->room = 0;
  const std::string what = refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] {
    backend::device_allocation<char>{pool, 5000, on.stream};
  });
  CHECK_THAT(what, ContainsSubstring("the toy driver is full") && ContainsSubstring("has 0 idle blocks left"));
  CHECK(pool.statistics().active_blocks == 1);
  CHECK(pool.statistics().managed_bytes == source->live_bytes);
  x.reset();
  pool.free_held();
  CHECK(source->live == 0);
}

YOKE_DEVICE_TEST_CASE("a source that is too full for a rounded block gives one as small as asked for",
                      "[memory][pool]") {
  rig on(device);
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  source->room = 4000;
  yoke::memory_pool pool{source};
  const backend::device_allocation<char> x{pool, 4000, on.stream};
  CHECK(pool.statistics().managed_bytes == 4000);
  CHECK(source->live_bytes == 4000);
}

YOKE_DEVICE_TEST_CASE("a block that is smaller than its bin's is not taken for more than it has", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context, {.limit_bytes = 3900}};
  CHECK(pool.bin_number(3850) == pool.bin_number(3890));
  backend::device_allocation<char>{pool, 3850, on.stream}.reset();
  CHECK(pool.statistics().managed_bytes == 3850);  // the rounded size is above the limit
  const backend::device_allocation<char> larger{pool, 3890, on.stream};
  CHECK(pool.statistics().managed_bytes == 3890);
  CHECK(pool.statistics().made_blocks == 2);
}

YOKE_DEVICE_TEST_CASE("a trim counts what it defers as gone", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context};
  {
    std::vector<backend::device_allocation<char>> all;
    for (const int bytes : {100, 1000}) all.emplace_back(pool, bytes, on.stream);
  }
  {
    const yoke::deferred_frees later{pool};
    pool.trim(200);
    CHECK(pool.statistics().managed_bytes == 103 + 1023);
  }
  CHECK(pool.statistics().managed_bytes == 103);  // the small block was not needed
  CHECK(pool.statistics().held_blocks == 1);
}

YOKE_DEVICE_TEST_CASE("idle blocks of the stream that asks go first, larger ones of others later", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context);
  pool_of<Backend> pool{on.context, {.limit_bytes = 2400}};
  {
    const backend::device_allocation<char> own{pool, 500, on.stream};
    const backend::device_allocation<char> foreign{pool, 1000, second};
  }
  const backend::device_allocation<char> x{pool, 1200, on.stream};
  CHECK(pool.statistics().managed_bytes == 1023 + 1215);
  CHECK(pool.statistics().held_blocks == 1);
}

YOKE_DEVICE_TEST_CASE("a pool waits for the stream before it refuses, as drivers free memory late", "[memory][pool]") {
  rig on(device);
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  yoke::memory_pool pool{source};
  source->room = 0;
  std::size_t mark = on.driver.mark();
  refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] {
    backend::device_allocation<char>{pool, 100, on.stream};
  });
  CHECK(on.driver.count(calls::synchronize, mark) == 1);
  // The source has memory again once the stream has been waited for.
  mark = on.driver.mark();
  source->fails = [&] { return on.driver.count(calls::synchronize, mark) == 0; };
  source->room = 1000;
  CHECK(backend::device_allocation<char>{pool, 100, on.stream}.size() == 100);
  CHECK(on.driver.count(calls::synchronize, mark) == 1);
}

YOKE_DEVICE_TEST_CASE("memory comes from a resource of the program", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context);
  auto source = std::make_shared<counting_resource<port>>(on.context);
  {
    backend::device_allocation<int> x{source, 100, on.stream};
    CHECK(source->live_bytes == 400);
    CHECK(source.use_count() == 2);
    x.record_use(second);
    yoke::fill(x, 5, on.stream);
    CHECK(download(x, on.stream)[99] == 5);
    backend::device_allocation<int> y = std::move(x);
    y.reset();
    CHECK(source->live_bytes == 0);
    CHECK(source->last_order == on.stream.native_handle());
    CHECK(source->last_uses == 1);
    const backend::device_allocation<int> none{source, 0, on.stream};
    CHECK(none.empty());
    CHECK(source->asked == 1);
    source->room = 0;
    refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] {
      backend::device_allocation<int>{source, 100, on.stream};
    });
    source->room = 1000;
    backend::device_allocation<int> given{source, 100, on.stream};
    const native_memory native = given.release();
    CHECK(source.use_count() == 1);
    CHECK(source->live == 1);
    source->deallocate(native, 400, {}, {});
  }
  CHECK(source.use_count() == 1);
  refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
    backend::device_allocation<int>{std::shared_ptr<counting_resource<port>>(), 1, on.stream};
  });
  const auto at_once = std::make_shared<yoke::immediate_allocator<port>>(on.context);
  const std::size_t mark = on.driver.mark();
  yoke::memory_pool now{at_once};
  backend::device_allocation<int> x{now, 100, on.stream};
  CHECK(on.driver.count(calls::allocate, mark) == 1);
  CHECK(on.enqueued(mark) == 1);
  on.driver.fail_function(Backend::name == std::string_view("opencl") ? "enqueue_fill_buffer" : "memset_d8_async", 1,
                          fault_mode::once, codes::out_of_memory);
  const std::size_t live = on.live().size();
  refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] {
    backend::device_allocation<int>{*&at_once, 9, on.stream};
  });
  on.driver.disarm();
  CHECK(on.live().size() == live);
}

YOKE_DEVICE_TEST_CASE("a pool refuses what is not its own", "[memory][pool]") {
  rig on(device);
  const backend::context foreign = Backend::another_context(on.device);
  const backend::stream other(foreign);
  pool_of<Backend> pool{on.context};
  const std::size_t mark = on.driver.mark();
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::wrong_context,
                                        [&] {
                                          backend::device_allocation<int>{pool, 1, other};
                                        }),
             ContainsSubstring("another context than the pool"));
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
    backend::device_allocation<int>{pool, 1, backend::stream()};
  });
  refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { backend::device_allocation<int>{pool, -1, on.stream}; });
  CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::out_of_range,
                                        [&] {
                                          pool_of<Backend>{on.context, {.leading_bits = 17}};
                                        }),
             ContainsSubstring("leading_bits of a pool is 17, at most 16"));
  refusal<yoke::logic_error>(yoke::errc::empty_handle, [] { pool_of<Backend>{backend::context::none()}; });
  refusal<yoke::logic_error>(yoke::errc::out_of_range, [&] { (void)pool.alloc_size(1024); });
  CHECK(pool.bin_number(1000) == 159);
  CHECK(pool.alloc_size(159) == 1023);
  CHECK(on.driver.count(calls::allocate, mark) == 0);
}

YOKE_DEVICE_TEST_CASE("a tracking pool tells who holds its blocks", "[memory][pool]") {
  rig on(device);
  pool_of<Backend> pool{on.context, {.track = true}};
  std::vector<backend::device_allocation<char>> all;
  for (int i = 0; i < 3; ++i) all.emplace_back(pool, 1000, on.stream);
  const unsigned line = __LINE__ - 1;
  const backend::device_allocation<char> large{pool, 5000, on.stream};
  auto held = pool.holders();
  REQUIRE(held.size() == 2);
  CHECK(held[0].bytes == 5000);
  CHECK(held[1].blocks == 3);
  CHECK(held[1].bytes == 3000);

  CHECK_THAT(held[0].where.file_name(), ContainsSubstring("memory_pool_test.cpp"));
  CHECK(held[0].where.line() == line + 2);
  all.clear();
  CHECK(pool.holders().size() == 1);
  // A container's function would be the place: it is given.
  all.emplace_back(pool, 9000, on.stream, yoke::source_location::current());
  held = pool.holders();
  CHECK_THAT(held[0].where.file_name(), ContainsSubstring("memory_pool_test.cpp"));
  CHECK(held[0].where.line() == __LINE__ - 3);
}

YOKE_DEVICE_TEST_CASE("frees of a pool wait while they are deferred", "[memory][pool]") {
  rig on(device);
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  yoke::memory_pool pool{source};
  backend::device_allocation<char> a{pool, 1000, on.stream}, b{pool, 2000, on.stream};
  {
    const yoke::deferred_frees outer{pool};
    {
      const yoke::deferred_frees inner{pool};
      a.reset();
      pool.free_held();
      pool.stop_holding();
      b.reset();
      CHECK(source->live == 2);
      CHECK(pool.statistics().held_blocks == 2);
      CHECK(pool.statistics().managed_bytes == source->live_bytes);
    }
    CHECK(source->live == 2);
    source->room = source->live_bytes;  // memory runs out: the deferred blocks go early
    a = {pool, 500, on.stream};
    CHECK(source->live == 1);
    CHECK(pool.statistics().held_blocks == 0);
    a.reset();
    CHECK(source->live == 1);
  }
  CHECK(source->live == 0);
  CHECK(pool.statistics().managed_bytes == 0);
}

YOKE_DEVICE_TEST_CASE("a pool of a resource frees in the order of streams", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context);
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  yoke::memory_pool pool{source};
  backend::device_allocation<char> a{pool, 1000, second};
  a.reset();
  pool.free_held();
  CHECK(source->last_order == second.native_handle());
  {
    const backend::stream brief(on.context);
    a = {pool, 1000, brief};
  }
  std::size_t mark = on.driver.mark();
  a.reset();
  pool.free_held();
  CHECK(source->last_order == native_stream{});
  CHECK(on.driver.count(calls::wait, mark) == 1);  // the stream is gone: the host waits for its work
}

YOKE_DEVICE_TEST_CASE("a pool waits for streams that used a block before its resource gets it", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context);
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  yoke::memory_pool pool{source};
  {
    backend::device_allocation<char> x{pool, 100, on.stream};
    x.record_use(second);
  }
  const std::size_t mark = on.driver.mark();
  pool.free_held();
  CHECK(on.driver.count(calls::wait, mark) == 1);
  CHECK(source->live == 0);
}

YOKE_DEVICE_TEST_CASE("a block of a resource that frees in order waits in its stream, and not here", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context);
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  source->in_order = true;
  yoke::memory_pool pool{source};
  {
    backend::device_allocation<char> x{pool, 100, on.stream};
    x.record_use(second);
  }
  const std::size_t mark = on.driver.mark();
  pool.free_held();
  CHECK(on.driver.count(calls::wait, mark) == 0);
  CHECK(on.driver.count(calls::wait_in_stream, mark) == 1);
  CHECK(source->last_order == on.stream.native_handle());
  CHECK(source->live == 0);
}

YOKE_DEVICE_TEST_CASE("a pool waits for another thread that is giving memory back before it refuses",
                      "[memory][pool]") {
  rig on(device);
  const auto source = std::make_shared<slow_source<port>>(on.context);
  yoke::memory_pool pool{source};
  backend::device_allocation<char>{pool, 100, on.stream}.reset();
  std::thread other([&] { pool.free_held(); });
  CHECK(soon([&] { return source->takes_back.load(); }));
  bool was_given = false;
  try {
    was_given = backend::device_allocation<char>{pool, 5000, on.stream}.size() == 5000;
  } catch (const yoke::memory_error&) {
  }
  source->asked += 2;  // lets the other thread go, whatever happened
  other.join();
  CHECK(was_given);
}

YOKE_DEVICE_TEST_CASE("page-locked arrays come from a pool", "[memory][pool]") {
  rig on(device);
  yoke::memory_pool pool{on.context, yoke::pagelocked};
  backend::device_allocation<int> memory{on.context, 100};
  int* first = nullptr;
  {
    backend::pagelocked_array<int> array{pool, 100};
    first = array.data();
    std::ranges::copy(counting(100), array.begin());
    backend::transfer up = yoke::copy_async(array, memory, on.stream);
    array.reset();
    CHECK(pool.statistics().active_blocks == 1);  // the transfer's
    up.wait();
    CHECK(pool.statistics().held_blocks == 1);
  }
  const std::size_t mark = on.driver.mark();
  backend::pagelocked_array<int> array{pool, 100};
  CHECK(array.data() == first);
  CHECK(on.driver.count_all(mark) == 0);
  CHECK(&array.context_of() == &pool.context_of());  // no share of its own, for which threads would contend
  yoke::copy(memory, array, on.stream);
  CHECK(std::ranges::equal(array, counting(100)));
  const backend::pagelocked_array<int> none{pool, 0};
  CHECK(none.empty());
  CHECK(none.context_of() == on.context);
  backend::pagelocked_array<int> moved = std::move(array);
  CHECK_FALSE(static_cast<bool>(array.context_of()));
  const auto native = moved.release();
  CHECK(pool.statistics().given_away_blocks == 1);
  CHECK(pool.statistics().managed_bytes == 0);
  moved = backend::pagelocked_array<int>::adopt(on.context, native, 100);
  CHECK(moved.size() == 100);
  {
    backend::pagelocked_array<int> outlives;
    {
      yoke::memory_pool brief{on.context, yoke::pagelocked, {.limit_bytes = 1000}};
      outlives = {brief, 100};
      refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { backend::pagelocked_array<int>{brief, 200}; });
    }
    std::ranges::fill(outlives, 1);
  }
  moved.reset();
  pool.reset();
  on.stream.synchronize();
  CHECK(on.live().size() == 1);  // `memory`
}

YOKE_DEVICE_TEST_CASE("threads have caches of page-locked blocks, and take each other's", "[memory][pool]") {
  rig on(device);
  for (const bool across_streams : {true, false}) {
    yoke::memory_pool pool{on.context, yoke::pagelocked, {.across_streams = across_streams}};
    backend::pagelocked_array<int>(pool, 1000).reset();
    for (int i = 0; i < 12; ++i) std::jthread([&] { backend::pagelocked_array<int>(pool, 1000).reset(); }).join();
    CHECK(pool.statistics().made_blocks == 1);  // also where streams do not take each other's
    CHECK(pool.statistics().waits == 0);
    {
      // Each of two threads gets its own block back, although the other's came back last.
      std::barrier<> together(2);
      bool same[2] = {};
      const auto comes_back = [&](int which) {
        const auto in_turn = [&](const auto& act) {
          for (int turn = 0; turn < 2; ++turn) {
            if (turn == which) act();
            together.arrive_and_wait();
          }
        };
        backend::pagelocked_array<int> mine;
        in_turn([&] { mine = {pool, 70000}; });
        const int* const first = mine.data();
        in_turn([&] { mine.reset(); });
        in_turn([&] { mine = {pool, 70000}; });
        same[which] = mine.data() == first;
      };
      std::jthread other(comes_back, 0);
      std::jthread(comes_back, 1).join();
      other.join();
      CHECK(same[0]);
      CHECK(same[1]);
    }
    constexpr std::size_t count = 4;
    std::vector<backend::pagelocked_array<int>> kept(count);
    {
      std::vector<std::jthread> threads;
      for (auto& last : kept) {
        threads.emplace_back([&] {
          for (int i = 0; i < 500; ++i) {
            backend::pagelocked_array<int> mine{pool, 1000 + i % 7 * 100};
            mine[0] = i;
            last = std::move(mine);
          }
        });
      }
    }
    CHECK(pool.statistics().active_blocks == count);
    pool.reset();
    for (auto& each : kept) CHECK(each[0] == 499);
  }
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("pooled page-locked memory keeps its pool's context", "[memory][pool]") {
  interposer driver(Backend::driver());
  {
    backend::pagelocked_array<int> outlives;
    {
      const backend::context brief{through(driver, device)};
      const yoke::memory_pool pool{brief, yoke::pagelocked};
      outlives = {pool, 100};
      backend::pagelocked_array<int> other{pool, 100};
      swap(outlives, other);
    }
    CHECK(outlives.context_of());
    std::ranges::fill(outlives, 7);
    const backend::stream stream{outlives.context_of()};
    backend::device_allocation<int> memory{outlives.context_of(), 100};
    yoke::copy_async(outlives, memory, stream).wait();
    CHECK(download(memory, stream)[99] == 7);
    backend::transfer last = yoke::copy_async(outlives, memory, stream);
    outlives.reset();
    CHECK_FALSE(static_cast<bool>(outlives.context_of()));
    last.wait();
  }
  CHECK(driver.live().empty());
  CHECK(driver.bad_releases().empty());
}

YOKE_OPENCL_TEST_CASE("memory that is mapped when it comes back is not used again", "[memory][pool]") {
  rig on(device);
  yoke::memory_pool pool{on.context};
  ocl::device_allocation<int> x{pool, 100, on.stream};
  const auto old = x.span();
  auto view = ocl::map(x, on.stream, ocl::map_write);
  x.reset();
  CHECK(pool.statistics().managed_bytes == 0);
  std::ranges::fill(view, 3);
  view.reset();
  x = {pool, 100, on.stream};
  const auto now = ocl::map(x, on.stream, ocl::map_read);
  CHECK(x.span().maps().mapped());
  CHECK_FALSE(old.maps().mapped());
}

YOKE_OPENCL_TEST_CASE("shared virtual memory comes from a pool", "[memory][pool]") {
  rig on(device);
  const ocl::stream second(on.context);
  const auto support = on.device.port().svm(on.device.native_handle(), {});
  if (!support.coarse) {
    refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] {
      yoke::memory_pool{on.context, ocl::svm::coarse{}};
    });
    return;
  }
  using coarse = ocl::svm_allocation<int, ocl::svm::coarse>;
  yoke::memory_pool pool{on.context, ocl::svm::coarse{}};
  int* first = nullptr;
  {
    coarse v{pool, 100, on.stream};
    first = v.native_handle();
    yoke::fill(v, 3, on.stream);
    const auto view = v.map(on.stream, ocl::map_read);
    CHECK(view[99] == 3);
  }
  std::size_t mark = on.driver.mark();
  coarse v{pool, 100, on.stream};
  CHECK(v.native_handle() == first);
  CHECK(on.driver.count_all(mark) == 0);
  CHECK(&v.context_of() == &pool.context_of());
  v.record_use(on.stream);
  v.record_use(second);
  v.reset();
  mark = on.driver.mark();
  v = coarse{pool, 100, second};
  CHECK(v.native_handle() == first);
  CHECK(pool.statistics().waits == 1);
  CHECK(on.driver.count("enqueue_barrier", mark) >= 1);
  int* const native = v.release();
  CHECK(pool.statistics().given_away_blocks == 1);
  v = coarse::adopt(on.context, native, 100, second);
  CHECK(coarse(pool, 0, on.stream).empty());
  CHECK(coarse(pool, 0, on.stream).context_of() == on.context);
  {
    coarse outlives;
    {
      yoke::memory_pool brief{on.context, ocl::svm::coarse{}};
      outlives = coarse{brief, 5, second};
      coarse{brief, 5, on.stream}.reset();
    }
    yoke::fill(outlives, 1, second);
  }
  v.reset();
  if (support.fine) {
    using fine = ocl::svm_allocation<int, ocl::svm::fine>;
    yoke::memory_pool direct{on.context, ocl::svm::fine{}};
    ocl::user_event gate(on.context);
    fine w{direct, 100, on.stream};
    int* const busy = w.native_handle();
    on.stream.wait(gate.as_event());
    yoke::fill(w, 1, on.stream);
    w.reset();
    fine other{direct, 100, on.stream};  // the host may write it at once, so the busy block is left alone
    CHECK(other.native_handle() != busy);
    other[0] = 1;
    gate.complete();
    on.stream.synchronize();
    const fine again{direct, 100, second};
    CHECK(again.native_handle() == busy);
  }
}

YOKE_CUDA_TEST_CASE("managed memory comes from a pool", "[memory][pool]") {
  rig on(device);
  namespace cu = yoke::cuda;
  yoke::memory_pool pool{on.context, cu::managed_memory{}};
  using managed = cu::managed_allocation<int>;
  managed a{pool, 100, on.stream};
  const auto first = a.native_handle();
  yoke::fill(a, 3, on.stream);
  CHECK(a.host(on.stream)[99] == 3);
  managed moved = std::move(a);
  moved.reset();
  CHECK(pool.statistics().held_blocks == 1);
  const std::size_t mark = on.driver.mark();
  a = managed{pool, 100, on.stream};
  CHECK(a.native_handle() == first);
  CHECK(on.driver.count_all(mark) == 0);
  a.attach_host(on.stream);
  a.reset();
  CHECK(pool.statistics().managed_bytes == 0);  // nobody else should have it attached to the host
  a = managed{pool, 100, on.stream};
  managed plain = managed::adopt(on.context, a.release(), 100);
  CHECK(pool.statistics().given_away_blocks == 1);
  CHECK(managed(pool, 0, on.stream).empty());
  {
    yoke::memory_pool brief{on.context, cu::managed_memory{}};
    a = managed{brief, 100, on.stream};
  }
  yoke::fill(a, 1, on.stream);
  a.reset();
  plain.reset();
  CHECK(on.live().empty());
}
YOKE_CUDA_TEST_CASE("a pool refuses the per-thread default stream, and takes the legacy one", "[memory][pool]") {
  rig on(device);
  yoke::memory_pool pool{on.context};
  {
    const auto legacy = yoke::cuda::legacy_stream(on.context);
    const auto block = cuda_backend::device_allocation<int>(pool, 10, legacy).native_handle();
    CHECK(cuda_backend::device_allocation<int>(pool, 10, legacy).native_handle() == block);
    CHECK(cuda_backend::device_allocation<int>(pool, 10, on.stream).native_handle() == block);
  }
  const auto of_thread = yoke::cuda::per_thread_stream(on.context);
  refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] {
    cuda_backend::device_allocation<int>{pool, 10, of_thread};
  });
  cuda_backend::device_allocation<int> x{pool, 10, on.stream};
  refusal<yoke::unsupported_error>(yoke::errc::unsupported, [&] { x.record_use(of_thread); });
}

YOKE_ANY_DEVICE_TEST_CASE("pools on the device chosen at run time", "[memory][pool]") {
  const yoke::context context{device};
  const yoke::stream stream{context}, second{context};
  {
    const yoke::memory_pool pool{context, {.limit_bytes = 5000, .track = true}};
    yoke::device_allocation<int> x{pool, 100, stream};
    const auto block = x.native_handle();
    yoke::fill(x, 7, stream);
    x.record_use(second);
    CHECK(pool.holders().at(0).bytes == 400);
    CHECK(pool.statistics().active_bytes == 400);
    x.reset();
    x = {pool, 100, second};
    CHECK(x.native_handle() == block);
    CHECK(pool.statistics().made_blocks == 1);
    CHECK(pool.statistics().waits == 1);
    CHECK(yoke::to_host(x, second) == std::vector<int>(100, 7));
    CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory,
                                           [&] {
                                             yoke::device_allocation<int>{pool, 2000, stream};
                                           }),
               ContainsSubstring("its limit is 5000 bytes"));
    const yoke::deferred_frees later{pool};
    x.reset();
    pool.free_held();
    CHECK(pool.statistics().held_blocks == 1);
  }
  {
    const yoke::memory_pool staging{context, yoke::pagelocked};
    yoke::pagelocked_array<int> host{staging, 100};
    CHECK(host.context_of() == context);
    std::ranges::fill(host, 3);
    const yoke::memory_pool pool{std::make_shared<yoke::immediate_allocator<>>(context)};
    yoke::device_allocation<int> x{pool, 100, stream};
    yoke::copy_async(host, x, stream).wait();
    CHECK(yoke::to_host(x, stream)[99] == 3);
    const auto given = x.release();
    CHECK(pool.statistics().given_away_blocks == 1);
    x = yoke::device_allocation<int>::adopt(pool, given, 100, stream);
    CHECK(pool.statistics().active_blocks == 1);
  }
}

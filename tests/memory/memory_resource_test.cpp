// SPDX-License-Identifier: MIT
// Resources of a program that give no memory: what allocations and pools over them say.
#include <memory/counting_resource.hpp>

using namespace yoke_test;

namespace {

/// Gives the driver's memory, or null without a word, as a program may do that forgets to throw.
template <class Port>
class silent_resource final : public yoke::memory_resource<Port> {
 public:
  using typename yoke::memory_resource<Port>::native_type;
  using typename yoke::memory_resource<Port>::native_stream;

  explicit silent_resource(const yoke::context<Port>& in) : from_(in) {}
  [[nodiscard]] const yoke::context<Port>& context_of() const noexcept override { return from_.context_of(); }
  [[nodiscard]] native_type allocate(std::size_t bytes, const yoke::stream<Port>& order,
                                     const yoke::source_location& where) override {
    ++asked;
    if (lacks ? lacks() : live >= room) return native_type{};
    const native_type made = from_.allocate(bytes, order, where);
    ++live;
    return made;
  }
  void deallocate(native_type memory, std::size_t bytes, native_stream order,
                  std::span<const native_stream> uses) noexcept override {
    nulls += memory == native_type{} ? 1 : 0;
    --live;
    ended.push_back(bytes);
    from_.deallocate(memory, bytes, order, uses);
  }

  int asked = 0;
  int live = 0;
  int room = 0;                 // blocks
  std::function<bool()> lacks;  // in place of `room`
  std::vector<std::size_t> ended;
  int nulls = 0;  // that came back

 private:
  yoke::deferred_allocator<Port> from_;
};

// A raw pointer keeps nothing alive.
using some_resource = yoke::memory_resource<yoke::any_port>;
static_assert(yoke::memory_resource_pointer<std::shared_ptr<some_resource>, yoke::any_port>);
static_assert(!yoke::memory_resource_pointer<some_resource*, yoke::any_port>);

}  // namespace

YOKE_DEVICE_TEST_CASE("a resource that returns null is an error that names it", "[memory][pool]") {
  rig on(device);
  const auto source = std::make_shared<silent_resource<port>>(on.context);
  const auto refused = [&](auto&& act) {
    try {
      act();
    } catch (const yoke::memory_error& e) {
      CHECK(e.code() == yoke::errc::out_of_memory);
      CHECK_THAT(e.where().file_name(), ContainsSubstring("memory_resource_test.cpp"));
      return std::string(e.what());
    }
    FAIL_CHECK("threw nothing");
    return std::string();
  };
  CHECK_THAT(refused([&] {
               backend::device_allocation<int>{source, 100, on.stream};
             }),
             ContainsSubstring("silent_resource") && ContainsSubstring("returned null for 400 bytes"));
  CHECK(source->asked == 1);
  const std::shared_ptr<yoke::memory_resource<port>> base = source;  // the name is of what it really is
  CHECK_THAT(refused([&] {
               backend::device_allocation<int>{base, 100, on.stream};
             }),
             ContainsSubstring("silent_resource") && ContainsSubstring("returned null for 400 bytes"));
  CHECK(source.use_count() == 2);
  {
    const yoke::memory_pool pool{source, {.leading_bits = 0}};
    CHECK_THAT(refused([&] {
                 backend::device_allocation<int>{pool, 100, on.stream};
               }),
               ContainsSubstring("pool allocation of 400 bytes") && ContainsSubstring("silent_resource") &&
                   ContainsSubstring("returned null for 400 bytes"));
    CHECK(pool.statistics() == yoke::pool_statistics{});
  }
  CHECK(source->live == 0);
  CHECK(source->nulls == 0);
  CHECK(on.live().empty());
}

YOKE_DEVICE_TEST_CASE("a pool over a resource that returns null frees idle blocks, and asks again", "[memory][pool]") {
  rig on(device);
  const auto source = std::make_shared<silent_resource<port>>(on.context);
  source->room = 2;
  const yoke::memory_pool pool{source};
  { const backend::device_allocation<char> a{pool, 1000, on.stream}, b{pool, 2000, on.stream}; }
  source->asked = 0;
  backend::device_allocation<char> larger{pool, 5000, on.stream};
  CHECK(source->asked == 2);
  CHECK(pool.statistics().held_blocks == 1);
  yoke::fill(larger, 'x', on.stream);
  CHECK(download(larger, on.stream).back() == 'x');
  larger.reset();
  pool.free_held();
  CHECK(source->live == 0);
  CHECK(source->nulls == 0);
}

YOKE_DEVICE_TEST_CASE("what a pool gives up when memory runs out goes in order", "[memory][pool]") {
  rig on(device);
  const backend::stream second(on.context);
  const auto source = std::make_shared<silent_resource<port>>(on.context);
  source->room = 100;
  const yoke::memory_pool pool{source, {.leading_bits = 0, .across_streams = false}};
  using allocation = backend::device_allocation<char>;
  const yoke::deferred_frees later{pool};
  allocation(pool, 3000, on.stream).reset();
  pool.free_held();  // deferred
  { const allocation a{pool, 100, on.stream}, b{pool, 200, on.stream}, c{pool, 5000, second}, d{pool, 50, second}; }
  CHECK(source->ended.empty());
  source->room = 0;
  source->asked = 0;
  std::size_t mark = on.driver.mark();
  refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { allocation{pool, 9000, on.stream}; });
  // The stream's own idle blocks, those of others, deferred ones; the largest first.
  CHECK(source->ended == std::vector<std::size_t>{255, 127, 8191, 63, 4095});
  CHECK(source->asked == 8);  // at first, after each of these or their last, once again, and for no more than is needed
  CHECK(on.driver.count(calls::synchronize, mark) == 1);
  CHECK(pool.statistics().managed_bytes == 0);

  // The driver has freed late: once the stream has passed there is memory.
  source->asked = 0;
  mark = on.driver.mark();
  source->lacks = [&] { return on.driver.count(calls::synchronize, mark) == 0; };
  const allocation large{pool, 9000, on.stream};
  CHECK(source->asked == 2);
  CHECK(large.size() == 9000);
}

YOKE_DEVICE_TEST_CASE("the rounding of a pool fails no allocation", "[memory][pool]") {
  rig on(device);
  using allocation = backend::device_allocation<char>;
  const pool_of<Backend> pool{on.context, {.limit_bytes = 1000}};
  const allocation first{pool, 500, on.stream};
  CHECK(pool.statistics().managed_bytes == 511);
  const allocation second{pool, 480, on.stream};  // 495 by the bins, and 489 are left
  CHECK(pool.statistics().managed_bytes == 991);
  refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { allocation{pool, 10, on.stream}; });
}

YOKE_DEVICE_TEST_CASE("a request above a pool's limit frees nothing", "[memory][pool]") {
  rig on(device);
  using allocation = backend::device_allocation<char>;
  const pool_of<Backend> pool{on.context, {.limit_bytes = 10000}};
  { const allocation a{pool, 100, on.stream}, b{pool, 1000, on.stream}; }
  const std::size_t mark = on.driver.mark();
  const std::string what = refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] {
    allocation{pool, 10001, on.stream};
  });
  CHECK_THAT(what, ContainsSubstring("10001 bytes") && ContainsSubstring("its limit is 10000 bytes"));
  CHECK(pool.statistics().held_blocks == 2);
  CHECK(on.driver.count(calls::synchronize, mark) == 0);
}

YOKE_DEVICE_TEST_CASE("a pool waits for memory that another thread is freeing", "[memory][pool]") {
  rig on(device);
  using allocation = backend::device_allocation<char>;
  /// Frees as slowly as a driver that waits for the device.
  class slow_resource final : public yoke::deferred_allocator<port> {
   public:
    using yoke::deferred_allocator<port>::deferred_allocator;
    using typename yoke::deferred_allocator<port>::native_type;
    using typename yoke::deferred_allocator<port>::native_stream;
    void deallocate(native_type memory, std::size_t bytes, native_stream order,
                    std::span<const native_stream> uses) noexcept override {
      if (slow.exchange(false)) {
        freeing = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
      yoke::deferred_allocator<port>::deallocate(memory, bytes, order, uses);
    }
    std::atomic<bool> slow{false};
    std::atomic<bool> freeing{false};
  };
  const auto source = std::make_shared<slow_resource>(on.context);
  const yoke::memory_pool pool{source, {.limit_bytes = 8191 + 127}};
  const backend::stream first(on.context);
  const backend::stream second(on.context);
  allocation(pool, 8000, on.stream).reset();
  allocation(pool, 100, first).reset();
  source->slow = true;
  std::thread other([&] { allocation(pool, 120, second).reset(); });  // the pool frees the largest idle block for it
  while (!source->freeing) std::this_thread::yield();
  std::string failure;
  try {
    CHECK(allocation(pool, 8000, on.stream).size() == 8000);
  } catch (const yoke::error& e) {
    failure = e.what();
  }
  other.join();
  CHECK(failure.empty());
}

YOKE_DEVICE_TEST_CASE("an allocator gives an empty block for no bytes, and takes it back", "[memory][pool]") {
  rig on(device);
  const yoke::source_location where = yoke::source_location::current();
  yoke::deferred_allocator<port> deferred(on.context);
  yoke::immediate_allocator<port> immediate(on.context);
  const std::size_t mark = on.driver.mark();
  for (yoke::memory_resource<port>* each :
       {static_cast<yoke::memory_resource<port>*>(&deferred), static_cast<yoke::memory_resource<port>*>(&immediate)}) {
    const auto none = each->allocate(0, on.stream, where);
    CHECK(none == typename port::memory_handle{});
    each->deallocate(none, 0, on.stream.native_handle(), {});
    const auto some = each->allocate(15, on.stream, where);
    CHECK_FALSE(some == typename port::memory_handle{});
    each->deallocate(some, 15, on.stream.native_handle(), {});
  }
  CHECK(on.driver.count(calls::allocate, mark) == 2);
  CHECK(on.driver.count(calls::free, mark) == 2);
  // What takes its memory from a resource asks for none.
  const auto source = std::make_shared<counting_resource<port>>(on.context);
  const backend::device_allocation<int> alone{source, 0, on.stream};
  const yoke::memory_pool pool{source};
  const backend::device_allocation<int> pooled{pool, 0, on.stream};
  CHECK(alone.empty());
  CHECK(pooled.empty());
  CHECK(source->asked == 0);
}

// SPDX-License-Identifier: MIT
// Contexts made with flags, limits, the primary context's state, and the scope in which a context is current.
#include <cuda/cuda_rig.hpp>
#include <support/devices/devices.hpp>
#include <support/devices/gate.hpp>
#include <support/drivers/cuda_interposer.hpp>
#include <support/drivers/cuda_stack.hpp>
#include <support/faults/fault_run.hpp>
#include <support/process/child.hpp>
#include <support/soon.hpp>

#include <stdexcept>
#include <thread>
#include <unordered_set>

using namespace yoke_test;
namespace cu = yoke::cuda;

YOKE_CUDA_TEST_CASE("a context is created with flags, leaves nothing current and ends with its last handle", "[cuda]") {
  const cuda_stack stack(*device.port().table());
  const auto before = stack.contexts();
  for (const cu::schedule each :
       {cu::schedule::automatic, cu::schedule::spin, cu::schedule::yield, cu::schedule::blocking_sync}) {
    cuda_interposer driver(*device.port().table());
    const auto watched = cu::device::borrow(cu::port{driver.table()}, device.native_handle());
    {
      const cu::context made = cu::create_context(watched, {.waiting = each, .resize_local_memory = true});
      CHECK(stack.contexts() == before);
      CHECK_FALSE(made == cu::context{watched});
      CHECK(made.only_device() == watched);
      const cu::context_options options = cu::options_of(made);
      CHECK(options.waiting == each);
      CHECK(options.resize_local_memory);
      const cu::stream stream{made};
      cu::device_allocation<int> memory{made, 100};
      yoke::fill(memory, 3, stream);
      stream.synchronize();
      cu::synchronize(made);
    }
    CHECK(driver.count("context_create") == 1);
    CHECK(driver.count("context_destroy") == 1);
    CHECK(driver.live().empty());
    CHECK(driver.bad_releases().empty());
  }
  CHECK(stack.contexts() == before);
}

YOKE_CUDA_TEST_CASE("the host waits for all streams of a context", "[cuda]") {
  const cu::context context{device};
  const cu::stream first{context}, second{context};
  cu::device_allocation<int> memory{context, 100};
  cu::pagelocked_array<int> host{context, 100};
  yoke::fill(memory, 1, first);
  first.synchronize();
  gate held{first};
  second.wait(first.record());
  auto copied = yoke::copy_async(memory, host, second);
  CHECK_FALSE(second.is_done());
  const auto opener = open_soon(held);
  cu::synchronize(context);
  CHECK(first.is_done());
  CHECK(second.is_done());
  copied.wait();
  CHECK(std::vector<int>(host.begin(), host.end()) == std::vector<int>(100, 1));
}

YOKE_CUDA_TEST_CASE("the primary context's state and flags are known without retaining it", "[cuda]") {
  const cu::context_options before = cu::primary_state_of(device).options;
  {
    const cu::context context{device};
    CHECK(cu::primary_state_of(device).active);
    cu::set_primary_options(device, {.waiting = cu::schedule::blocking_sync});
    CHECK(cu::primary_state_of(device).options.waiting == cu::schedule::blocking_sync);
    cu::set_primary_options(device, before);
  }
  CHECK(cu::primary_state_of(device).options.waiting == before.waiting);
}

YOKE_CUDA_TEST_CASE("resetting the primary context loses what is in it, once and quietly", "[cuda][pains]") {
  const std::string test = "resetting the primary context loses what is in it, once and quietly";
  if (!is_child(test)) {  // in a process of its own: others may have something in the context
    const child_result child = run_child(test, {{"YOKE_SIMULATOR_LEAKS", "fail"}});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  captured_stderr captured;
  {
    const cu::context context{device};
    cu::device_allocation<int> memory{context, 100};
    const std::uint64_t id = cu::id_of(context);
    cu::reset_primary_context(device);
    CHECK_FALSE(cu::primary_state_of(device).active);
    CHECK_THROWS_AS(cu::memory_of(context), yoke::context_lost_error);
    const cu::context again{device};
    CHECK(cu::id_of(again) != id);
    const cu::device_allocation<int> fresh{again, 100};
    CHECK(fresh.native_handle() != 0);
  }
  CHECK(captured.finish() == "");
  CHECK_FALSE(cu::primary_state_of(device).active);
}

YOKE_CUDA_TEST_CASE("what went with a reset context ends quietly, whatever the driver answers", "[cuda][pains]") {
  const std::string test = "what went with a reset context ends quietly, whatever the driver answers";
  if (!is_child(test)) {
    const child_result child = run_child(test, {});
    INFO(child.output);
    CHECK(child.status == 0);
    return;
  }
  static const cuda_abi::functions* below = nullptr;
  static int refused = 0;
  below = device.port().table();
  refused = 0;
  cuda_abi::functions table = *below;
  table.mem_free = [](cuda_abi::device_pointer memory) {  // an H200's driver answers so
    if (below->mem_free(memory) == cuda_abi::success) return cuda_abi::success;
    ++refused;
    return cuda_abi::error_invalid_value;
  };
  cleanup_recorder recorder;
  for (const bool reset : {true, false}) {
    const cu::context context{through_table(&table, device)};
    const cu::device_allocation<int> memory{context, 100};
    if (reset)
      cu::reset_primary_context(device);
    else
      CHECK(below->mem_free(memory.native_handle()) == cuda_abi::success);  // a fault, which is told
  }
  CHECK(refused == 2);
  CHECK(cleanup_recorder::take().size() == 1);
}

YOKE_CUDA_TEST_CASE("limits are set in bytes and read back", "[cuda]") {
  const cu::context context = cu::create_context(device);
  const cuda_stack stack(*device.port().table());
  const auto before = stack.contexts();
  CHECK(cu::get_limit(context, cu::limit::stack_bytes) > 0);
  const std::size_t now = cu::set_limit(context, cu::limit::stack_bytes, 4096);
  CHECK(now >= 4096);
  CHECK(cu::get_limit(context, cu::limit::stack_bytes) == now);
  const std::size_t heap = cu::get_limit(context, cu::limit::malloc_heap_bytes);
  const std::size_t room = cu::get_limit(context, cu::limit::printf_buffer_bytes);
  const std::size_t more = cu::set_limit(context, cu::limit::printf_buffer_bytes, 2 * room);
  CHECK(more >= 2 * room);
  CHECK(cu::get_limit(context, cu::limit::printf_buffer_bytes) == more);
  {  // as the driver tells it: CU_LIMIT_PRINTF_FIFO_SIZE
    const auto active = context.activate();
    std::size_t told = 0;
    CHECK(device.port().table()->context_get_limit(&told, static_cast<cuda_abi::limit>(1)) == cuda_abi::success);
    CHECK(told == more);
  }
  CHECK(cu::get_limit(context, cu::limit::stack_bytes) == now);
  CHECK(cu::get_limit(context, cu::limit::malloc_heap_bytes) == heap);
  CHECK(cu::set_limit(context, cu::limit::malloc_heap_bytes, std::int64_t{16} << 20) >= 16u << 20);
  CHECK(cu::get_limit(context, cu::limit::device_runtime_launches) > 0);
  CHECK_THROWS_AS(cu::set_limit(context, cu::limit::stack_bytes, -1), yoke::logic_error);
  CHECK_THROWS_WITH(cu::set_limit(context, cu::limit::stack_bytes, -1), ContainsSubstring("limit"));
  CHECK_THROWS_AS(cu::get_limit(context, static_cast<cu::limit>(77)), yoke::error);
  CHECK(stack.contexts() == before);
}

YOKE_CUDA_TEST_CASE("a limit that is refused is named, with the value and what stays in force", "[cuda]") {
  const cu::context context = cu::create_context(device);
  const std::size_t stack = cu::get_limit(context, cu::limit::stack_bytes);
  const std::size_t fetch = cu::get_limit(context, cu::limit::l2_fetch_bytes);
  const auto refused = [](yoke::errc condition, auto act) { return cuda_refusal<yoke::error>(condition, act); };
  CHECK_THAT(
      refused(yoke::errc::invalid_argument, [&] { (void)cu::set_limit(context, cu::limit::stack_bytes, 1 << 30); }),
      ContainsSubstring(
          "limit stack_bytes of 1073741824: an argument is outside what the call accepts; a thread's local "
          "memory, which the stack is in, has 524288 bytes; it stays " +
          std::to_string(stack)));
  CHECK_THAT(
      refused(yoke::errc::invalid_argument, [&] { (void)cu::set_limit(context, cu::limit::l2_fetch_bytes, 129); }),
      ContainsSubstring("limit l2_fetch_bytes of 129: ") &&
          ContainsSubstring("; the largest is 128; it stays " + std::to_string(fetch)));
  CHECK(cu::get_limit(context, cu::limit::stack_bytes) == stack);
  if (cu::get(device, cu::info::compute_capability_major) < 9) return;
  CHECK_THAT(refused(yoke::errc::unsupported, [&] { (void)cu::get_limit(context, cu::limit::device_runtime_depth); }),
             ContainsSubstring("limit device_runtime_depth: "));
}

YOKE_CUDA_TEST_CASE("caches, priorities, numbers and memory are told of any context, current or not", "[cuda]") {
  const cu::context context{device};
  const cu::context other = cu::create_context(device);
  cu::set_cache_config(other, cu::cache_config::prefer_l1);
  CHECK(cu::get_cache_config(other) == cu::cache_config::prefer_l1);
  cu::set_cache_config(other, cu::cache_config::prefer_none);
  const cu::priority_range range = cu::stream_priorities(context);
  CHECK(range.greatest <= range.least);
  CHECK(cu::id_of(context) != cu::id_of(other));
  CHECK(cu::id_of(context) == cu::id_of(cu::context{device}));
  CHECK(cu::api_version_of(context) >= 3020);
  const cu::memory_info memory = cu::memory_of(context);
  CHECK(memory.free_bytes <= memory.total_bytes);
  CHECK(memory.total_bytes > 0);
  CHECK(soon([&] {  // others use the device, too
    const std::size_t before = cu::memory_of(context).free_bytes;
    const cu::device_allocation<char> large{context, 64 << 20};
    return cu::memory_of(context).free_bytes < before;
  }));
  CHECK_THROWS_AS(cu::memory_of(cu::context::none()), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("a guard makes a context current and puts back what was, nested and after exceptions", "[cuda]") {
  const cu::context context{device};
  const cu::context other = cu::create_context(device);
  const cuda_stack stack(*device.port().table());
  const auto before = stack.contexts();
  {
    const auto outer = context.activate();
    CHECK(stack.current() == context.native_handle());
    {
      const auto inner = other.activate();
      CHECK(stack.current() == other.native_handle());
      const auto innermost = other.activate();
      CHECK(stack.current() == other.native_handle());
      CHECK(stack.contexts().size() == before.size() + 3);
      cu::device_allocation<int> memory{context, 10};  // the library's own switches nest too
      CHECK(stack.current() == other.native_handle());
    }
    CHECK(stack.current() == context.native_handle());
    try {
      const auto inner = other.activate();
      throw std::runtime_error("foreign");
    } catch (const std::runtime_error&) {
    }
    CHECK(stack.current() == context.native_handle());
    cu::active_context early = other.activate();
    CHECK(early.context_of() == other);
    early.reset();
    early.reset();
    CHECK_FALSE(static_cast<bool>(early));
    CHECK(stack.current() == context.native_handle());
  }
  CHECK(stack.contexts() == before);
}

YOKE_CUDA_TEST_CASE("a guard is moved within its thread, and keeps its context alive", "[cuda]") {
  const cuda_stack stack(*device.port().table());
  const auto before = stack.contexts();
  cu::active_context kept;
  CHECK_FALSE(static_cast<bool>(kept));
  {
    const cu::context made = cu::create_context(device);
    cu::active_context first = made.activate();
    kept = std::move(first);
    CHECK_FALSE(static_cast<bool>(first));  // NOLINT: that is what is asked
  }
  CHECK(stack.contexts().size() == before.size() + 1);
  const cu::stream stream{kept.context_of()};
  kept.reset();
  CHECK(stack.contexts() == before);
}

YOKE_CUDA_TEST_CASE("a guard that ends on another thread leaves both threads alone and says so", "[cuda]") {
  const cu::context context{device};
  const cuda_stack stack(*device.port().table());
  const auto before = stack.contexts();
  cleanup_recorder recorder;
  cu::active_context active = context.activate();
  std::thread([&] {
    const cu::context other = cu::create_context(device);
    const auto own = other.activate();
    { const cu::active_context stolen = std::move(active); }
    CHECK(stack.current() == other.native_handle());
  }).join();
  const auto told = cleanup_recorder::take();
  REQUIRE(told.size() == 1);
  CHECK_THAT(told.front().call, ContainsSubstring("another thread"));
  CHECK(stack.current() == context.native_handle());
  cu::abi::context popped = nullptr;
  REQUIRE(device.port().table()->context_pop(&popped) == 0);
  CHECK(stack.contexts() == before);
}

YOKE_CUDA_TEST_CASE("what foreign code does to the stack in a guard's scope is put right", "[cuda]") {
  const auto& raw = *device.port().table();
  const cu::context context{device};
  const cu::context other = cu::create_context(device);
  const cu::context third = cu::create_context(device);
  const cuda_stack stack(raw);
  cleanup_recorder recorder;
  cu::abi::context popped = nullptr;
  for (const cu::context& below : {cu::context::none(), other}) {
    cu::active_context bottom;
    if (below) bottom = below.activate();
    const auto before = stack.contexts();
    {
      const auto active = context.activate();
      REQUIRE(raw.context_set_current(third.native_handle()) == 0);  // as cudaSetDevice does
    }
    CHECK(stack.contexts() == before);
    CHECK(cleanup_recorder::take().empty());
    {
      const auto active = context.activate();
      REQUIRE(raw.context_push(third.native_handle()) == 0);
    }
    CHECK(stack.contexts() == before);
    CHECK(cleanup_recorder::take().size() == 1);
    {
      const auto active = context.activate();
      REQUIRE(raw.context_pop(&popped) == 0);
    }
    CHECK(stack.contexts() == before);
    CHECK(cleanup_recorder::take().size() == (below ? 1 : 0));  // with nothing below it is as it was
  }
}

YOKE_CUDA_TEST_CASE("a context that others have destroyed is not made current", "[cuda]") {
  cuda_interposer driver(cuda_backend::driver());
  const auto& raw = *device.port().table();
  const cuda_stack stack(raw);
  const auto before = stack.contexts();
  cuda_abi::context native = nullptr;
  cuda_abi::context popped = nullptr;
  REQUIRE(raw.context_create(&native, 0, device.native_handle()) == 0);
  REQUIRE(raw.context_pop(&popped) == 0);
  const cu::context lost = cu::context::borrow(through(driver, device).port(), native);
  const cu::context other = cu::create_context(device);
  {  // destroyed while it is current, by another thread: the guard still ends rightly
    const auto active = lost.activate();
    std::thread([&] { (void)raw.context_destroy(native); }).join();
    CHECK(stack.current() == native);
  }
  CHECK(stack.contexts() == before);
  const std::size_t mark = driver.mark();
  CHECK_THROWS_AS((void)lost.activate(), yoke::context_lost_error);
  CHECK_THROWS_AS((void)cu::legacy_stream(lost), yoke::context_lost_error);
  CHECK_THROWS_AS((void)cu::per_thread_stream(lost), yoke::context_lost_error);
  CHECK(driver.count("context_push", mark) == 0);
  CHECK(stack.contexts() == before);
  cleanup_recorder recorder;
  {  // nor is one that was current before, when somebody has popped too much
    cuda_abi::context below = nullptr;
    REQUIRE(raw.context_create(&below, 0, device.native_handle()) == 0);  // current now
    const auto active = other.activate();
    REQUIRE(raw.context_pop(&popped) == 0);
    REQUIRE(raw.context_pop(&popped) == 0);
    REQUIRE(raw.context_destroy(below) == 0);
  }
  CHECK(stack.contexts() == before);
  CHECK(cleanup_recorder::take().size() == 1);
}

YOKE_CUDA_TEST_CASE("equal contexts hash alike", "[cuda]") {
  const cu::context context{device};
  const cu::context same{device};
  const cu::context other = cu::create_context(device);
  const std::hash<cu::context> hash;
  CHECK(hash(context) == hash(same));
  std::unordered_set<cu::context> set{context, same, other};
  CHECK(set.size() == 2);
  CHECK(set.count(cu::context{device}) == 1);
  const yoke::context<> any{yoke::devices().front()};
  const yoke::context<> copy = any;
  CHECK(std::hash<yoke::context<>>{}(any) == std::hash<yoke::context<>>{}(copy));
}

YOKE_CUDA_TEST_CASE("values that no enumeration of contexts has are refused by name", "[cuda]") {
  const cu::context context{device};
  const auto refused = [](auto act) {
    try {
      act();
    } catch (const yoke::logic_error& e) {
      CHECK(e.code() == yoke::errc::invalid_argument);
      return std::string(e.what());
    }
    FAIL_CHECK("took it");
    return std::string();
  };
  const cu::context_options odd{.waiting = static_cast<cu::schedule>(99)};
  CHECK_THAT(refused([&] { (void)cu::create_context(device, odd); }),
             ContainsSubstring("context_options::waiting is 99, none of 0, 1, 2, 4"));
  CHECK_THAT(refused([&] { cu::set_primary_options(device, odd); }), ContainsSubstring("is 99, none of"));
  CHECK_THAT(refused([&] { (void)cu::get_limit(context, static_cast<cu::limit>(99)); }),
             ContainsSubstring("limit is 99, none of 0, 1, 2, 3, 4, 5, 6"));
  CHECK_THAT(refused([&] { (void)cu::set_limit(context, static_cast<cu::limit>(99), 1); }),
             ContainsSubstring("limit is 99"));
  CHECK_THAT(refused([&] { cu::set_cache_config(context, static_cast<cu::cache_config>(99)); }),
             ContainsSubstring("cache_config is 99, none of 0, 1, 2, 3"));
}

YOKE_CUDA_TEST_CASE("nothing is made in a context whose address another has by now", "[cuda]") {
  static const cuda_abi::functions* below = nullptr;
  static cuda_abi::ulong shift = 0;
  below = device.port().table();
  shift = 0;
  cuda_abi::functions table = *below;
  table.context_get_id = [](cuda_abi::context which, cuda_abi::ulong* id) {
    const cuda_abi::status status = below->context_get_id(which, id);
    *id += shift;
    return status;
  };
  const cu::context context{through_table(&table, device)};
  const cu::stream before{context};
  const auto refused = [](auto make) {
    shift = 1;
    std::string why = cuda_refusal<yoke::context_lost_error>(yoke::errc::context_ended, make);
    shift = 0;
    return why;
  };
  const auto ended = ContainsSubstring("others have ended this context");
  CHECK_THAT(refused([&] { const cu::stream made{context}; }), ended);
  CHECK_THAT(refused([&] { (void)cu::stream::borrow(context, before.native_handle()); }), ended);
  CHECK_THAT(refused([&] { (void)cu::legacy_stream(context); }), ended);
  CHECK_THAT(refused([&] { const cu::device_allocation<int> made{context, 4}; }), ended);
  CHECK_THAT(refused([&] { const cu::pagelocked_array<int> made{context, 4}; }), ended);
  CHECK_THAT(refused([&] { const cu::pagelocked_array<int> made(context, 4, {.portable = true}); }), ended);
  CHECK_THAT(refused([&] { (void)cu::compile(context, "extern \"C\" __global__ void f() {}"); }), ended);
  { const cu::stream made{context}; }
}

YOKE_CUDA_TEST_CASE("streams of a context whose address another has by now are not given to the driver", "[cuda]") {
  static const cuda_abi::functions* below = nullptr;
  static cuda_abi::ulong shift = 0;
  static int destroyed = 0;
  below = device.port().table();
  destroyed = 0;
  cuda_abi::functions table = *below;
  table.context_get_id = [](cuda_abi::context which, cuda_abi::ulong* id) {
    const cuda_abi::status status = below->context_get_id(which, id);
    *id += shift;
    return status;
  };
  table.stream_destroy = [](cuda_abi::stream which) {
    ++destroyed;
    return below->stream_destroy(which);
  };
  const cu::context context{through_table(&table, device)};
  { const cu::stream stream{context}; }
  CHECK(destroyed == 1);
  cuda_abi::stream left = nullptr;
  {
    const cu::stream stream{context};
    left = stream.native_handle();
    shift = 1;
  }
  CHECK(destroyed == 1);
  shift = 0;
  CHECK(below->stream_destroy(left) == cuda_abi::success);
}

YOKE_CUDA_TEST_CASE("what is noted of a context is not taken for another at its address", "[cuda]") {
  static const cuda_abi::functions* below = nullptr;
  static cuda_abi::ulong shift = 0;
  static int destroyed = 0;
  below = device.port().table();
  shift = 0;
  destroyed = 0;
  cuda_abi::functions table = *below;
  table.context_get_id = [](cuda_abi::context which, cuda_abi::ulong* id) {
    const cuda_abi::status status = below->context_get_id(which, id);
    *id += shift;
    return status;
  };
  table.context_get_device = [](cuda_abi::device* result) {
    const cuda_abi::status status = below->context_get_device(result);
    *result += static_cast<int>(shift);
    return status;
  };
  table.primary_context_get_state = [](cuda_abi::device, unsigned* flags, int* active) {
    *flags = 0;
    *active = 0;
    return cuda_abi::success;
  };
  table.context_destroy = [](cuda_abi::context which) {
    ++destroyed;
    return below->context_destroy(which);
  };
  const cu::port port{&table};
  const int first = device.native_handle().native();
  cuda_abi::context left = nullptr;
  {
    const cu::context made = cu::create_context(through_table(&table, device));
    left = made.native_handle();
    CHECK(port.context_devices(left, {}).front().native() == first);
    shift = 7;  // others have destroyed it, and made one on another device
    CHECK(port.context_devices(left, {}).front().native() == first + 7);
    shift = 0;
    CHECK(port.context_devices(left, {}).front().native() == first);
    shift = 7;
  }
  CHECK(destroyed == 0);  // it is somebody else's
  shift = 0;
  CHECK(below->context_destroy(left) == cuda_abi::success);
}

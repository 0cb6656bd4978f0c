// SPDX-License-Identifier: MIT
// On the CUDA simulator arrays are as large as their elements, and faults tell of accesses beyond them and after their end.
#include <array/array_rig.hpp>
#include <support/process/in_child.hpp>

#include <optional>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_sanitizer = true;
#elif defined(__has_feature)
constexpr bool has_sanitizer = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool has_sanitizer = false;
#endif

/// Whether this process is a child whose driver guards the memory of arrays, which the tests of others keep as a GPU's.
template <class Port>
bool is_guarded_child(const yoke::device<Port>& device) {
  if (!yoke::port_traits<Port>::guards_memory(device.port())) {
    SUCCEED("the driver guards no memory");
    return false;
  }
  if (has_sanitizer) {
    SUCCEED("the sanitizer has handlers of its own");
    return false;
  }
  return in_child({{"YOKE_ARRAY_POOL", ""}, {"YOKE_SIMULATOR_LEAKS", "ignore"}});
}

/// Returns: what the simulator says of a kernel that has to break the context.
template <class Port, class Act>
std::string said_of(const yoke::stream<Port>& stream, Act&& act) {
  captured_stderr captured;
  try {
    act();
    stream.synchronize();
  } catch (const yoke::context_lost_error&) {
    return captured.finish();
  }
  const std::string said = captured.finish();
  FAIL_CHECK("the context is not broken; said was: " << said);
  return said;
}

/// What careless programs launch.
template <class Port>
struct careless {
  explicit careless(const yoke::context<Port>& context)
      : module(yoke::compile(context, R"(
          YOKE_KERNEL put(YOKE_GLOBAL float* a, int at) { a[at] = 1; }
          YOKE_KERNEL add(YOKE_GLOBAL const float* a, int at, YOKE_GLOBAL float* to) { to[0] += a[at]; })")),
        put(yoke::get_kernel<void(float*, int)>(module, "put")),
        add(yoke::get_kernel<void(const float*, int, float*)>(module, "add")) {}
  yoke::module<Port> module;
  yoke::kernel<void(float*, int), Port> put;
  yoke::kernel<void(const float*, int, float*), Port> add;
};

}  // namespace

YOKE_CUDA_TEST_CASE("a kernel that writes one element beyond an array is told", "[array][pool][guards]") {
  if (!is_guarded_child(device)) return;
  for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{1000}, std::size_t{70'001}}) {
    INFO(size);
    const auto context = cuda_backend::another_context(device);
    const cuda_backend::stream stream(context);
    const careless kernels(context);
    auto a = yoke::zeros<float>({size}, stream);
    kernels.put(stream, {.grid = 1, .block = 1}, a, static_cast<int>(size) - 1);
    CHECK(a.to_host().back() == 1);
    const std::string said =
        said_of(stream, [&] { kernels.put(stream, {.grid = 1, .block = 1}, a, static_cast<int>(size)); });
    CHECK_THAT(said, ContainsSubstring(": device memory of " + std::to_string(4 * size) + " bytes at 0x"));
    CHECK_THAT(said, ContainsSubstring(" behind its end, at byte"));
  }
}

YOKE_CUDA_TEST_CASE("a kernel that uses an array after its end is told, and later arrays do not hide it",
                    "[array][pool][guards]") {
  if (!is_guarded_child(device)) return;
  for (const bool others : {false, true}) {
    INFO(others);
    const auto context = cuda_backend::another_context(device);
    const cuda_backend::stream stream(context);
    const careless kernels(context);
    auto to = yoke::zeros<float>({1}, stream);
    auto a = yoke::full(2.0F, {1000}, stream);
    auto kept = a.span();
    kernels.add(stream, {.grid = 1, .block = 1}, kept, 999, to);
    a.reset();  // behind the kernel, which is right
    std::optional<yoke::device_array<float, 1, yoke::cuda::port>> other;
    if (others) other.emplace(yoke::full(3.0F, {1000}, stream));
    CHECK(to.to_host()[0] == 2);
    const std::string said = said_of(stream, [&] { kernels.add(stream, {.grid = 1, .block = 1}, kept, 999, to); });
    CHECK_THAT(said, ContainsSubstring(": device memory of 4000 bytes at 0x"));
    CHECK_THAT(said, ContainsSubstring(" was read after it was freed, at byte 3996, in block (0, 0, 0)"));
  }
}

YOKE_CUDA_TEST_CASE("guarded memory of arrays is seen, limited, and free when they end", "[array][pool][guards]") {
  if (!is_guarded_child(device)) return;
  rig state(device);
  using array = yoke::device_array<float, 1, yoke::cuda::port>;
  const std::size_t mark = state.driver.mark();
  {
    const array three(state.stream, {3});
    const array many(state.stream, {1'000'001});
    const yoke::pool_statistics now = yoke::array_pool_statistics(state.context);
    CHECK(now.active_blocks == 2);
    CHECK(now.active_bytes == 4'000'016);
    CHECK(now.managed_bytes == 4'000'016);
    CHECK(now.made_blocks == 2);
  }
  yoke::pool_statistics now = yoke::array_pool_statistics(state.context);
  CHECK(now.active_blocks == 0);
  CHECK(now.held_blocks == 0);
  CHECK(now.managed_bytes == 0);
  CHECK(now.peak_bytes == 4'000'016);
  CHECK(state.live().empty());
  CHECK(state.driver.count("mem_free", mark) == 0);  // which would wait
  CHECK(state.driver.count("mem_free_async", mark) == 2);

  const auto limited = cuda_backend::another_context(state.device);
  yoke::use_array_pool(limited, {.limit_bytes = 100});
  const cuda_backend::stream stream(limited);
  const array fits(stream, {25});
  CHECK_THAT(refusal<yoke::memory_error>(yoke::errc::out_of_memory, [&] { array(stream, {1}); }),
             ContainsSubstring("its limit is 100 bytes"));

  const auto as_on_a_gpu = cuda_backend::another_context(state.device);
  yoke::use_array_pool(as_on_a_gpu, {.guarded = false});
  const cuda_backend::stream third(as_on_a_gpu);
  { const array a(third, {1000}); }
  CHECK(yoke::array_pool_statistics(as_on_a_gpu).held_blocks == 1);
}

YOKE_CUDA_TEST_CASE("an array that others used ends in its stream, and the host goes on", "[array][pool][guards]") {
  if (!is_guarded_child(device)) return;
  rig state(device);
  const cuda_backend::stream other(state.context);
  auto a = yoke::full(1.0F, {1000}, state.stream);
  auto b = yoke::zeros<float>({1000}, other);
  b = a + 1;  // compiled
  const auto bound = a.bind(other);
  b = bound + 1;
  a.record_use(other);
  state.stream.synchronize();
  const std::size_t mark = state.driver.mark();
  a.reset();
  CHECK(state.driver.count("event_synchronize", mark) == 0);
  CHECK(b.to_host()[999] == 2);
}

YOKE_ANY_DEVICE_TEST_CASE("the memory of arrays of any device is guarded where the driver guards it",
                          "[array][pool][guards]") {
  if (device.backend_name() != std::string_view("cuda")) return;
  if (!is_guarded_child(device)) return;
  const any_rig state(device);
  const careless kernels(state.context);
  auto a = yoke::zeros<float>({3}, state.stream);
  const std::string said = said_of(state.stream, [&] { kernels.put(state.stream, {.grid = 1, .block = 1}, a, 3); });
  CHECK_THAT(said, ContainsSubstring(": device memory of 12 bytes at 0x"));
}

YOKE_ANY_DEVICE_TEST_CASE("the environment keeps the memory of arrays on a driver that guards it, too",
                          "[array][pool][guards]") {
  if (!in_child({{"YOKE_ARRAY_POOL", "keep"}})) return;
  const any_rig state(device);
  { const auto a = yoke::full(7, {100}, state.stream); }
  CHECK(yoke::array_pool_statistics(state.context).held_blocks == 1);
}

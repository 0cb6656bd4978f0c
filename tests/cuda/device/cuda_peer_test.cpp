// SPDX-License-Identifier: MIT
// Peer access, copies between contexts and devices, devices as keys, and what a profiler is told.
#include <cuda/cuda_rig.hpp>
#include <support/process/in_child.hpp>

#include <numeric>
#include <unordered_set>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using yoke::errc;

namespace {

/// The second device; none on a machine with one GPU. The simulator has two in a child.
std::vector<cu::device> peer_of(const cu::device& device) {
  std::vector<cu::device> others;
  for (const cu::device& each : cu::devices(device.port())) {
    if (!(each == device)) others.push_back(each);
  }
  return others;
}

template <class Check>
void with_two_devices(const cu::device& device, Check&& check) {
  if (is_simulated(device) && !in_child({{"YOKE_SIMULATOR_DEVICES", "2"}})) return;
  const auto others = peer_of(device);
  if (others.empty()) YOKE_SKIP("there is one CUDA device");
  check(others.front());
}

std::vector<int> counting(std::size_t size, int first) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a device is no peer of itself", "[cuda][peer]") {
  CHECK_FALSE(cu::can_access_peer(device, device));
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument, [&] { (void)cu::peer_facts_of(device, device); }),
             ContainsSubstring("is no peer of itself"));
  const cu::context primary{device};
  const cu::context made = cu::create_context(device);
  CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::peer_access(primary, made); }),
             ContainsSubstring("both contexts are of device") && ContainsSubstring("between two devices"));
  const cu::peer_access none;
  CHECK_FALSE(none);
}

YOKE_CUDA_TEST_CASE("memory is copied between two contexts of a device, in every shape, by the same verbs",
                    "[cuda][peer]") {
  cuda_rig on(device);
  const cu::context made = cu::create_context(on.device);
  const cu::stream there{made};
  const auto host = counting(60, 100);
  const auto source = yoke::to_device(host, on.stream);
  on.stream.synchronize();

  cu::device_allocation<int> whole{made, 60};
  const std::size_t mark = on.driver.calls().size();
  yoke::copy(source, whole, there);
  CHECK(yoke::to_host(whole, there) == host);
  CHECK(on.driver.count("memcpy_peer_async") == 1);
  CHECK(on.driver.calls().size() > mark);

  yoke::fill(whole, 0, there);
  there.synchronize();  // the copy is in another stream
  yoke::copy_async(source.span().subspan(10, 20), whole.span().subspan(40, 20), on.stream)
      .wait();  // the other's stream
  std::vector<int> expected(60, 0);
  std::copy_n(host.begin() + 10, 20, expected.begin() + 40);
  there.synchronize();
  CHECK(yoke::to_host(whole, there) == expected);

  yoke::fill(whole, -1, there);
  const yoke::box_layout from{.width = 3, .height = 2, .depth = 2, .row_pitch = 5, .slice_pitch = 20, .offset = 1};
  const yoke::box_layout to{.width = 3, .height = 2, .depth = 2, .row_pitch = 4, .slice_pitch = 12, .offset = 7};
  yoke::copy(yoke::strided(source, from), yoke::strided(whole, to), there);
  expected.assign(60, -1);
  for (std::size_t z = 0; z < 2; ++z) {
    for (std::size_t y = 0; y < 2; ++y) {
      for (std::size_t x = 0; x < 3; ++x) expected[7 + z * 12 + y * 4 + x] = host[1 + z * 20 + y * 5 + x];
    }
  }
  CHECK(yoke::to_host(whole, there) == expected);
  CHECK(on.driver.count("memcpy_3d_peer_async") == 1);

  yoke::enqueue_copy(source, whole, there);
  there.synchronize();
  CHECK(yoke::to_host(whole, there) == host);
}

YOKE_CUDA_TEST_CASE("a copy takes memory of another context on one side alone", "[cuda][peer]") {
  cuda_rig on(device);
  const cu::context first = cu::create_context(on.device);
  const cu::context second = cu::create_context(on.device);
  const cu::device_allocation<int> x{first, 8};
  cu::device_allocation<int> y{second, 8};
  const auto refused = [&] { yoke::copy(x, y, on.stream); };
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::wrong_context, refused),
             ContainsSubstring("the source is of another context than the stream"));
  std::vector<int> host(8);
  const auto by_host = [&] { yoke::copy(x, host, on.stream); };
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::wrong_context, by_host),
             ContainsSubstring("the source is of another context than the stream"));
  const auto fill = [&] { yoke::fill(y, 1, on.stream); };
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::wrong_context, fill), ContainsSubstring("another context"));
}

YOKE_CUDA_TEST_CASE("memory is copied between two devices", "[cuda][peer]") {
  with_two_devices(device, [&](const cu::device& other) {
    const cu::context here{device};
    const cu::context there{other};
    const cu::stream stream{here};
    const cu::stream their_stream{there};
    const auto host = counting(1000, 1);
    const auto source = yoke::to_device(host, their_stream);
    their_stream.synchronize();
    cu::device_allocation<int> mine{here, 1000};
    yoke::copy(source, mine, stream);
    CHECK(yoke::to_host(mine, stream) == host);

    // In either device's stream, waited for or not, in one to three dimensions.
    for (const cu::stream* each : {&stream, &their_stream}) {
      yoke::fill(mine, 0, stream);
      stream.synchronize();
      yoke::copy_async(source.subspan(100, 50), mine.subspan(20, 50), *each).wait();
      std::vector<int> expected(1000, 0);
      std::copy_n(host.begin() + 100, 50, expected.begin() + 20);
      for (const std::size_t depth : {std::size_t{1}, std::size_t{4}}) {
        const yoke::box_layout from{
            .width = 5, .height = 3, .depth = depth, .row_pitch = 9, .slice_pitch = 31, .offset = 2};
        const yoke::box_layout to{
            .width = 5, .height = 3, .depth = depth, .row_pitch = 6, .slice_pitch = 40, .offset = 400};
        yoke::enqueue_copy(yoke::strided(source, from), yoke::strided(mine, to), *each);
        each->synchronize();
        for (std::size_t z = 0; z < depth; ++z) {
          for (std::size_t y = 0; y < 3; ++y) {
            for (std::size_t x = 0; x < 5; ++x) expected[400 + z * 40 + y * 6 + x] = host[2 + z * 31 + y * 9 + x];
          }
        }
        CHECK(yoke::to_host(mine, stream) == expected);
      }
    }
    yoke::copy_list list{here};
    list.add(source.subspan(0, 10), mine.subspan(990, 10));
    list.add(source.subspan(10, 10), mine.subspan(980, 10));
    yoke::copy(list, stream);
    CHECK(yoke::to_host(mine.subspan(980, 20), stream)[10] == 1);
    CHECK(yoke::to_host(mine.subspan(980, 20), stream)[9] == 20);

    // Which copy is refused, and at which side.
    const cu::context third = cu::create_context(device);
    const cu::stream elsewhere{third};
    CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::wrong_context, [&] { yoke::copy(source, mine, elsewhere); }),
               ContainsSubstring("of another context than the stream"));
  });
}

YOKE_CUDA_TEST_CASE("peer access lets a kernel use another device's memory, is counted, and ends", "[cuda][peer]") {
  with_two_devices(device, [&](const cu::device& other) {
    if (!cu::can_access_peer(device, other)) {
      const cu::context a{device}, b{other};
      CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::peer_access(a, b); }),
                 ContainsSubstring("cannot access memory of device"));
      return;
    }
    const cu::peer_facts facts = cu::peer_facts_of(device, other);
    CHECK(facts.access);
    CHECK(facts.performance_rank >= 0);

    cuda_rig on(device);
    const cu::context there{through_table(on.driver.table(), other)};
    const cu::stream their_stream{there};
    auto theirs = yoke::to_device(counting(64, 5), their_stream);
    their_stream.synchronize();
    const auto module = cu::compile(on.context, "extern \"C\" __global__ void twice(int* a) { a[threadIdx.x] *= 2; }");
    const auto twice = module.get_kernel<void(int*)>("twice");
    {
      const cu::peer_access access{on.context, there};
      const cu::peer_access again{on.context, there};
      CHECK(on.driver.count("context_enable_peer_access") == 1);
      CHECK(access.context_of() == on.context);
      CHECK(access.peer() == there);
      twice(on.stream, {.grid = 1, .block = 64}, access.view(theirs));
      on.stream.synchronize();
      // Stream-ordered memory: its pool says who may use it.
      CHECK(on.driver.count("mem_pool_set_access") == 1);
      (void)again.view(theirs);
      CHECK(on.driver.count("mem_pool_set_access") == 1);
      cu::device_allocation<int> plain{there, 64};
      yoke::fill(plain, 4, their_stream);
      their_stream.synchronize();
      twice(on.stream, {.grid = 1, .block = 64}, access.view(plain));
      on.stream.synchronize();
      CHECK(yoke::to_host(plain, their_stream) == std::vector<int>(64, 8));
      CHECK(on.driver.count("mem_pool_set_access") == 1);
      const cu::device_allocation<int> mine{on.context, 4};
      CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::wrong_context, [&] { (void)access.view(mine); }),
                 ContainsSubstring("of another context than the peer"));
    }
    CHECK(on.driver.count("context_disable_peer_access") == 1);
    std::vector<int> expected = counting(64, 5);
    for (int& each : expected) each *= 2;
    CHECK(yoke::to_host(theirs, their_stream) == expected);

    // What other code has enabled stays.
    {
      const auto active = on.context.activate();
      REQUIRE(on.driver.table()->context_enable_peer_access(there.native_handle(), 0) == cu::abi::success);
      { const cu::peer_access access{on.context, there}; }
      CHECK(on.driver.table()->context_disable_peer_access(there.native_handle()) == cu::abi::success);
    }
    cu::peer_access moved{on.context, there};
    const cu::peer_access kept = std::move(moved);
    CHECK_FALSE(moved);  // NOLINT: moved from
    CHECK(kept);
  });
}

YOKE_CUDA_TEST_CASE("devices that are not connected are told, and copies between them are right", "[cuda][peer]") {
  with_two_devices(device, [&](const cu::device& other) {
    cuda_abi::functions table = *device.port().table();
    table.device_can_access_peer = [](int* can, cuda_abi::device, cuda_abi::device) {
      *can = 0;
      return cuda_abi::success;
    };
    const cu::device here = through_table(&table, device), there = through_table(&table, other);
    CHECK_FALSE(cu::can_access_peer(here, there));
    const cu::context mine{here}, theirs{there};
    CHECK_THAT(cuda_refusal<yoke::unsupported_error>(errc::unsupported, [&] { (void)cu::peer_access(mine, theirs); }),
               ContainsSubstring("cannot access memory of device") &&
                   ContainsSubstring("copies between them go through the host"));
    const cu::stream stream{mine}, their_stream{theirs};
    cu::device_allocation<int> from{mine, 64}, to{theirs, 64};
    yoke::copy(counting(64, 5), from, stream);
    yoke::copy(from, to, stream);
    CHECK(yoke::to_host(to, their_stream) == counting(64, 5));
  });
}

YOKE_CUDA_TEST_CASE("each fact of a connection is the driver's", "[cuda][peer]") {
  with_two_devices(device, [&](const cu::device& other) {
    using attribute = cuda_abi::p2p_attribute;
    static attribute only = attribute::access_supported;  // that one is told
    cuda_abi::functions table = *device.port().table();
    table.device_get_p2p_attribute = [](int* value, attribute which, cuda_abi::device, cuda_abi::device) {
      *value = which == attribute::performance_rank ? 7 : which == only ? 1 : 0;
      return cuda_abi::success;
    };
    const auto facts_with = [&](attribute each) {
      only = each;
      return cu::peer_facts_of(through_table(&table, device), through_table(&table, other));
    };
    CHECK(facts_with(attribute::access_supported) == cu::peer_facts{.access = true, .performance_rank = 7});
    CHECK(facts_with(attribute::native_atomic_supported) ==
          cu::peer_facts{.performance_rank = 7, .native_atomics = true});
    CHECK(facts_with(attribute::only_partial_native_atomic_supported) ==
          cu::peer_facts{.performance_rank = 7, .some_native_atomics = true});
    CHECK(facts_with(attribute::cuda_array_access_supported) == cu::peer_facts{.performance_rank = 7, .arrays = true});
  });
}

YOKE_CUDA_TEST_CASE("devices are counted, are keys, and tell all their attributes; the driver tells its version",
                    "[cuda]") {
  const auto all = cu::devices(device.port());
  int count = 0;
  REQUIRE(device.port().table()->device_get_count(&count) == cu::abi::success);
  CHECK(all.size() == static_cast<std::size_t>(count));
  CHECK(std::unordered_set<cu::device>(all.begin(), all.end()).size() == all.size());
  CHECK(std::hash<cu::device>{}(device) ==
        std::hash<cu::device>{}(cu::device::borrow(device.port(), device.native_handle())));

  const auto attributes = cu::attributes_of(device);
  CHECK(attributes.size() >= 80);
  const auto warp = std::find_if(attributes.begin(), attributes.end(), [](const cu::named_attribute& each) {
    return std::string(each.name) == "CU_DEVICE_ATTRIBUTE_WARP_SIZE";
  });
  REQUIRE(warp != attributes.end());
  CHECK(warp->value == cu::get(device, cu::info::warp_size));

  int version = 0;
  REQUIRE(device.port().table()->driver_get_version(&version) == cu::abi::success);
  CHECK(version >= cu::abi::required_version);
  CHECK(cu::driver_version(device.port()) == version);
  int own = 0;  // of the driver that is used where none is named
  REQUIRE(cu::port().table()->driver_get_version(&own) == cu::abi::success);
  CHECK(cu::driver_version() == own);
}

YOKE_CUDA_TEST_CASE("a profiler records the work of a scope", "[cuda]") {
  cuda_rig on(device);
  cu::device_allocation<int> x{on.context, 100};
  {
    const cu::profile_scope recorded{on.context};
    CHECK(on.driver.count("profiler_start") == 1);
    yoke::fill(x, 3, on.stream);
    CHECK(on.driver.count("profiler_stop") == 0);
  }
  CHECK(on.driver.count("profiler_stop") == 1);
  CHECK(on.driver.count("context_synchronize") == 1);
  CHECK(on.stream.is_done());
}

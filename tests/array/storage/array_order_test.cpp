// SPDX-License-Identifier: MIT
// Arrays of several streams: every operation behind, and before, every other one that it must not overtake.
#include <array/storage/order_graphs.hpp>
#include <array/storage/order_readers.hpp>
#include <array/storage/order_writers.hpp>
#include <support/devices/background.hpp>
#include <support/devices/settle.hpp>
#include <support/sample.hpp>

#include <random>
#include <set>
#include <string>
#include <string_view>

using namespace yoke_test;
using namespace yoke_test::array_order;

namespace {

/// Returns: the whole table.
template <class Backend>
std::unique_ptr<order_bench<Backend>> made_bench(const auto& device) {
  auto made = std::make_unique<order_bench<Backend>>(device);
  add_writers(*made);
  add_readers(*made);
  add_graphs(*made);
  made->warm();
  return made;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("operations in several streams come one after the other", "[array][order]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  const auto made = made_bench<Backend>(device);
  order_bench<Backend>& on = *made;
  using operation = typename order_bench<Backend>::operation;
  const stream& home = on.state.stream;
  const auto check = [&](const operation& first, const stream& in_first, const operation& second,
                         const stream& in_second) {
    INFO(first.name << on.name_of(in_first) << ", then " << second.name << on.name_of(in_second));
    CHECK(on.is_in_order(first, in_first, second, in_second));
  };
  const auto check_all = [&](const operation& first, const operation& second) {
    if (second.is_anywhere) check(first, home, second, on.other);
    if (first.is_anywhere) check(first, on.other, second, home);
    if (first.is_anywhere && second.is_anywhere) check(first, on.other, second, on.third);
  };
  // No driver call for order in the array's own stream; three elsewhere, of each launch or copy.
  const std::set<std::string_view> twice{"part of b = part of a", "const elementwise kernel of parts", "list_builder"};
  const std::set<std::string_view> with_events{"kernel.enqueue", "const kernel.enqueue", "copy_async", "to_host_async",
                                               "copy_async to the host"};
  for (const operation& each : on.all) {
    if (std::string_view(each.name).ends_with("out of order")) continue;
    INFO(each.name);
    std::vector<std::size_t> counts;
    for (const stream* in : {on.streams[0], on.streams[1]}) {
      auto shared = yoke::to_device_array(numbers(1), home);
      if (in != &home && !each.is_anywhere) continue;
      const prepared one = each.prepare(shared, *in, 1000);
      for (const stream* other : on.streams) settle(*other);  // what graphs kept may end, which the pool notes
      const std::size_t mark = on.state.driver.mark();
      one.run();
      counts.push_back(on.state.driver.count(calls::record, mark) + on.state.driver.count(calls::wait_in_stream, mark));
      on.synchronize();
    }
    CHECK(counts[0] <= with_events.count(each.name));
    if (counts.size() == 2) CHECK(counts[1] - counts[0] == (twice.count(each.name) == 0 ? 3 : 6));
  }

  const operation& write = on.named("kernel");
  const operation& read = on.named("const kernel");
  for (const operation& each : on.all) {
    if (runs_whole()) {
      for (const operation& second : on.all) check_all(each, second);
      continue;
    }
    // Once as the first and once as the second.
    check_all(each, write);
    check_all(write, each);
    if (!each.is_writer) continue;
    check_all(each, read);
    check_all(read, each);
  }

  // Memory that is freed behind an operation which is held back becomes another array's, in either stream.
  for (const operation& each : on.all) {
    for (const stream* in : {on.streams[0], on.streams[1]}) {
      if (in != &home && !each.is_anywhere) continue;
      for (const stream* next : {on.streams[0], on.streams[1]}) {
        INFO(each.name << on.name_of(*in) << ", then freed, and used" << on.name_of(*next));
        content expected = numbers(1);
        auto shared = yoke::to_device_array(expected, home);
        const prepared used[]{each.prepare(shared, *in, 1000)};
        on.synchronize();
        std::vector<yoke::device_array<int, 1, port>> later;
        on.hold(*in, [&] {
          used[0].run();
          shared.reset();
          for (int i = 0; i < 4; ++i) {
            later.emplace_back(*next, yoke::shape{size});
            yoke::fill(later.back(), -1, *next);
          }
        });
        on.synchronize();
        CHECK(on.has_come(used, expected));
        for (const auto& array : later) CHECK(array.to_host() == content(size, -1));
      }
    }
  }

  // Many operations, one of whose streams is held back at first.
  const unsigned seed = std::random_device{}();
  std::mt19937 dice(seed);
  for (int round = 0; round < (runs_whole() ? 400 : 20); ++round) {
    std::string names;
    content expected = numbers(1);
    auto shared = yoke::to_device_array(expected, home);
    std::vector<prepared> in_turn;
    for (int i = 0; i < 8; ++i) {
      const operation& each = on.all[dice() % on.all.size()];
      const stream& in = each.is_anywhere ? *on.streams[dice() % 3] : home;
      in_turn.push_back(each.prepare(shared, in, 1000 + 100 * i));
      names += std::string(names.empty() ? "" : ", ") + each.name + on.name_of(in);
    }
    on.synchronize();
    INFO("of " << seed << ": " << names);
    on.hold(*on.streams[dice() % 3], [&] {
      for (const prepared& each : in_turn) each.run();
    });
    on.synchronize();
    CHECK(on.has_come(in_turn, expected));
    CHECK(shared.to_host() == expected);
  }
}

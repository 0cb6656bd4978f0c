// SPDX-License-Identifier: MIT
// A table of operations that use one array, each of which is held back while another one is enqueued in another stream.
#ifndef YOKE_TESTS_ARRAY_ORDER_BENCH_HPP
#define YOKE_TESTS_ARRAY_ORDER_BENCH_HPP

#include <array/array_rig.hpp>
#include <support/devices/gate.hpp>

#include <yoke/graph.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

namespace yoke_test::array_order {

/// The elements of the array that operations share.
using content = std::vector<int>;
inline constexpr std::size_t size = 96;

/// An operation with an array, which `run` enqueues.
struct prepared {
  std::function<void()> run;
  std::function<void(content&)> writes{};          // what it does to the elements; none: it reads them
  std::function<bool(const content&)> has_read{};  // whether it has read these
};

inline content numbers(int first, int step = 1) {
  content values(size);
  for (int& each : values) {
    each = first;
    first += step;
  }
  return values;
}
/// Returns: an object that closures share.
template <class T>
std::shared_ptr<std::remove_cvref_t<T>> kept(T&& value) {
  return std::make_shared<std::remove_cvref_t<T>>(std::forward<T>(value));
}
/// Returns: a write of all elements.
inline auto becomes(content values) {
  return [values = std::move(values)](content& of) { of = values; };
}
/// Returns: a prepared operation that reads all elements into an array.
template <class To, class Run>
prepared into(const std::shared_ptr<To>& to, Run run) {
  return {run, {}, [to](const content& a) { return to->to_host() == a; }};
}

/// Three streams, the first of which arrays belong to, and operations in them.
template <class Backend>
class order_bench {
 public:
  using port = typename Backend::port;
  using stream = yoke::stream<port>;
  using array = yoke::device_array<int, 1, port>;

  struct operation {
    const char* name;
    bool is_anywhere;  // in any stream, and not only in the array's own
    bool is_writer;
    std::function<prepared(array&, const stream&, int)> prepare;
  };

  explicit order_bench(const yoke::device<port>& device) : state(device), other(state.context), third(state.context) {
    const auto module = yoke::compile(state.context, R"(
        YOKE_KERNEL set(YOKE_GLOBAL int* a, int v) { int i = (int)get_global_id(0); if (i < 96) a[i] = v - i; }
        YOKE_KERNEL get(YOKE_GLOBAL const int* a, YOKE_GLOBAL int* to) {
          int i = (int)get_global_id(0);
          if (i < 96) to[i] = a[i];
        })");
    set = yoke::get_kernel<void(int*, int)>(module, "set");
    get = yoke::get_kernel<void(const int*, int*)>(module, "get");
  }

  /// Effects: runs each operation once by itself, in each stream, so that its kernels are compiled.
  void warm() {
    for (const operation& each : all) {
      INFO(each.name);
      warm(each, state.stream);
      if (each.is_anywhere) warm(each, other);
    }
  }
  void synchronize() const {
    for (const stream* each : streams) each->synchronize();
  }
  /// Effects: holds a stream back while operations are enqueued, and lets it go a little later, or sooner where one of them waits.
  template <class Run>
  void hold(const stream& which, const Run& run) const {
    using namespace std::chrono_literals;
    gate<Backend> held(which);
    std::atomic<bool> is_enqueued{false};
    const std::jthread later([&] {
      for (int i = 0; i < 10 && !is_enqueued; ++i) std::this_thread::sleep_for(1ms);
      std::this_thread::sleep_for(4ms);
      held.open();
    });
    run();
    is_enqueued = true;
  }
  /// Effects: the first operation is held back, the second is enqueued behind it, in other streams. Returns: whether the array, and
  /// what they read, are as if one had come after the other.
  [[nodiscard]] bool is_in_order(const operation& first, const stream& in_first, const operation& second,
                                 const stream& in_second) {
    content expected = numbers(1);
    auto shared = yoke::to_device_array(expected, state.stream);
    const prepared all_two[]{first.prepare(shared, in_first, 1000), second.prepare(shared, in_second, 2000)};
    synchronize();
    hold(in_first, [&] {
      for (const prepared& each : all_two) each.run();
    });
    synchronize();
    return has_come(all_two, expected) && shared.to_host() == expected;
  }
  /// Effects: as if operations had come one after the other, `expected` becomes what they make of it. Returns: whether they have
  /// read what was there.
  [[nodiscard]] static bool has_come(std::span<const prepared> in_turn, content& expected) {
    return std::all_of(in_turn.begin(), in_turn.end(), [&](const prepared& each) {
      if (each.has_read && !each.has_read(expected)) return false;
      if (each.writes) each.writes(expected);
      return true;
    });
  }
  [[nodiscard]] const operation& named(std::string_view name) const {
    return *std::find_if(all.begin(), all.end(), [&](const operation& each) { return each.name == name; });
  }
  [[nodiscard]] const char* name_of(const stream& of) const {
    return &of == &state.stream ? " at home" : &of == &other ? " elsewhere" : " in a third stream";
  }

  // For the tables of operations. A writer makes `numbers(v, -1)`, unless it says otherwise.
  template <class Make>
  void writer(const char* name, bool is_anywhere, Make make) {
    all.push_back({name, is_anywhere, true, [make](array& a, const stream& in, int v) {
                     prepared made{make(a, in, v)};
                     if (!made.writes) made.writes = becomes(numbers(v, -1));
                     return made;
                   }});
  }
  template <class Make>
  void reader(const char* name, bool is_anywhere, Make make) {
    all.push_back({name, is_anywhere, false, [make](array& a, const stream& in, int) { return make(a, in); }});
  }
  static auto shape() { return yoke::launch_over(96, 32); }
  static auto array_of(const content& values, const stream& in) { return kept(yoke::to_device_array(values, in)); }
  static auto room(const stream& in) { return array_of(content(size), in); }
  [[nodiscard]] auto pagelocked(const content& values) const {
    const auto made = kept(yoke::pagelocked_array<int, port>(state.context, values.size()));
    std::copy(values.begin(), values.end(), made->data());
    return made;
  }
  template <class Record>
  [[nodiscard]] auto recorded(const Record& record) const {
    yoke::graph graph(state.context);
    auto line = graph.record();
    record(line);
    return kept(graph.instantiate());
  }

  rig<Backend> state;
  stream other;
  stream third;
  const stream* const streams[3]{&state.stream, &other, &third};
  yoke::kernel<void(int*, int), port> set;
  yoke::kernel<void(const int*, int*), port> get;
  std::vector<operation> all;

 private:
  void warm(const operation& one, const stream& in) {
    content expected = numbers(1);
    auto shared = yoke::to_device_array(expected, state.stream);
    const prepared made[]{one.prepare(shared, in, 3000)};
    made[0].run();
    synchronize();
    CHECK(has_come(made, expected));
    CHECK(shared.to_host() == expected);
  }
};

}  // namespace yoke_test::array_order

#endif

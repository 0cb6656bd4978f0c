// SPDX-License-Identifier: MIT
// Arrays of several streams: every operation behind, and before, every other one that it must not overtake.
#include <array/array_rig.hpp>
#include <support/background.hpp>
#include <support/gate.hpp>
#include <support/sample.hpp>

#include <yoke/algorithm.hpp>
#include <yoke/fmt.hpp>
#include <yoke/graph.hpp>
#include <yoke/random.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <thread>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

using yoke::slice;

/// The elements of the array that two operations share.
using content = std::vector<int>;

/// An operation with an array, which `run` enqueues.
struct prepared {
  std::function<void()> run;
  std::function<void(content&)> writes{};          // what it does to the elements; none: it reads them
  std::function<bool(const content&)> has_read{};  // whether it has read these
};

content numbers(int first, int step = 1) {
  content values(96);
  for (int& each : values) {
    each = first;
    first += step;
  }
  return values;
}

template <class Backend>
class order_bench {
 public:
  using port = typename Backend::port;
  using stream = yoke::stream<port>;
  template <class T = int, std::size_t Rank = 1>
  using array = yoke::device_array<T, Rank, port>;
  static constexpr std::size_t size = 96;

  /// Operations of the array's own stream, or of any.
  struct operation {
    const char* name;
    bool is_anywhere;
    bool is_writer;
    std::function<prepared(array<>&, const stream&, int)> prepare;
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
    add_writers();
    add_readers();
  }

  /// Effects: the first operation is held back, the second is enqueued behind it, in other streams. Returns: whether the array, and
  /// what they read, are as if one had come after the other.
  [[nodiscard]] bool is_in_order(const operation& first, const stream& in_first, const operation& second,
                                 const stream& in_second) {
    content expected = numbers(1);
    auto shared = yoke::to_device_array(expected, state.stream);
    const prepared one = first.prepare(shared, in_first, 1000);
    const prepared two = second.prepare(shared, in_second, 2000);
    state.stream.synchronize();
    other.synchronize();
    third.synchronize();
    {
      gate<Backend> held(in_first);
      std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(12));
        held.open();
      });
      try {
        one.run();
        two.run();
      } catch (...) {
        later.join();
        throw;
      }
      later.join();
    }
    state.stream.synchronize();
    other.synchronize();
    third.synchronize();
    const content before = expected;
    if (one.writes) one.writes(expected);
    const content between = expected;
    if (two.writes) two.writes(expected);
    return (!one.has_read || one.has_read(before)) && (!two.has_read || two.has_read(between)) &&
           shared.to_host() == expected;
  }
  /// Effects: runs an operation once by itself, so that its kernels are compiled.
  void warm(const operation& one, const stream& in) {
    content expected = numbers(1);
    auto shared = yoke::to_device_array(expected, state.stream);
    const prepared made = one.prepare(shared, in, 3000);
    made.run();
    state.stream.synchronize();
    in.synchronize();
    if (made.has_read) CHECK(made.has_read(expected));
    if (made.writes) made.writes(expected);
    CHECK(shared.to_host() == expected);
  }
  [[nodiscard]] const operation& named(std::string_view name) const {
    return *std::find_if(all.begin(), all.end(), [&](const operation& each) { return each.name == name; });
  }

  rig<Backend> state;
  stream other;
  stream third;
  yoke::kernel<void(int*, int), port> set;
  yoke::kernel<void(const int*, int*), port> get;
  std::vector<operation> all;

 private:
  static auto shape() { return yoke::launch_over(96, 32); }
  /// Returns: an object that closures share.
  template <class T>
  static std::shared_ptr<T> kept(T&& value) {
    return std::make_shared<T>(std::forward<T>(value));
  }
  auto array_of(const content& values, const stream& in) { return kept(yoke::to_device_array(values, in)); }
  auto room(const stream& in) { return array_of(content(size), in); }
  static auto becomes(content values) {
    return [values](content& of) { of = values; };
  }
  /// Adds an operation that writes `numbers(v, -1)`, or other elements.
  template <class Make>
  void writer(const char* name, bool is_anywhere, Make make) {
    all.push_back({name, is_anywhere, true, [make](array<>& a, const stream& in, int v) {
                     prepared made{make(a, in, v)};
                     if (!made.writes) made.writes = becomes(numbers(v, -1));
                     return made;
                   }});
  }
  template <class Make>
  void reader(const char* name, bool is_anywhere, Make make) {
    all.push_back({name, is_anywhere, false, [make](array<>& a, const stream& in, int) { return make(a, in); }});
  }
  /// Returns: a prepared operation that reads all elements into an array.
  template <class To, class Run>
  static prepared into(const std::shared_ptr<To>& to, Run run) {
    return {run, {}, [to](const content& a) { return to->to_host() == a; }};
  }

  void add_writers() {
    writer("a = expression", false, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = array_of(numbers(0), in);
      return {[&a, b, v] { a = v - *b; }};
    });
    writer("a += b", false, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = array_of(numbers(v, 5), in);
      return {[&a, b] { a += *b; },
              [v](content& of) {
                for (std::size_t i = 0; i < size; ++i) of[i] += v + 5 * static_cast<int>(i);
              }};
    });
    writer("a.assign(b)", false, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = array_of(numbers(v, -1), in);
      return {[&a, b] { a.assign(*b); }};
    });
    writer("a.assign(host)", false,
           [](auto& a, auto&, int v) -> prepared { return {[&a, v] { a.assign(numbers(v, -1)); }}; });
    writer("a.fill", false, [](auto& a, auto&, int v) -> prepared {
      return {[&a, v] { a.fill(v); }, becomes(content(size, v))};
    });
    writer("part = v", false, [](auto& a, auto&, int v) -> prepared {
      return {[&a, v] { a(slice(0, yoke::none, 2)) = v; },
              [v](content& of) {
                for (std::size_t i = 0; i < size; i += 2) of[i] = v;
              }};
    });
    writer("a = a(reversed)", false, [](auto& a, auto&, int) -> prepared {
      return {[&a] { a = a(yoke::reversed); }, [](content& of) { std::reverse(of.begin(), of.end()); }};
    });
    writer("a = cumsum", false, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = array_of(content(size, v), in);
      return {[&a, b] { a = yoke::pass::inclusive_scan<"a + b", "0">(*b); }, becomes(numbers(v, v))};
    });
    writer("sort(a)", false, [](auto& a, auto&, int) -> prepared {
      return {[&a] { yoke::sort(a, {.descending = true}); },
              [](content& of) { std::sort(of.begin(), of.end(), std::greater<>()); }};
    });
    writer("a = sorted", false, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = array_of(numbers(v, -1), in);
      return {[&a, b] { a = yoke::pass::sorted(*b); }, becomes(numbers(v - 95))};
    });
    writer("put", false, [this](auto& a, auto& in, int v) -> prepared {
      const auto at = array_of({3, 5, 95}, in);
      return {[&a, at, v] { yoke::put(a, *at, v); }, [v](content& of) { of[3] = of[5] = of[95] = v; }};
    });
    writer("a = take", false, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = array_of(numbers(v, 2), in);
      const auto at = array_of(content(size, 7), in);
      return {[&a, b, at] { a = yoke::pass::take(*b, *at); }, becomes(content(size, v + 14))};
    });
    writer("fill_integers", false, [](auto& a, auto&, int v) -> prepared {
      return {[&a, v] {
                yoke::random_generator draw(1);
                draw.fill_integers(a, v, v + 1);
              },
              becomes(content(size, v))};
    });
    writer("kernel", true,
           [this](auto& a, auto& in, int v) -> prepared { return {[this, &a, &in, v] { set(in, shape(), a, v); }}; });
    writer("kernel of a view", true, [this](auto& a, auto& in, int v) -> prepared {
      return {[this, &a, &in, v] { set(in, shape(), a.view(), v); }};
    });
    writer("kernel.enqueue", true, [this](auto& a, auto& in, int v) -> prepared {
      return {[this, &a, &in, v] { (void)set.enqueue(in, shape(), a, v); }};
    });
    const auto each = kept(yoke::elementwise_kernel<void(const int*, int*, int), port>(
        state.context, {"order", "a", "v"}, "a[i] = v - i + order[i]"));
    writer("elementwise kernel", true, [this, each](auto& a, auto& in, int v) -> prepared {
      const auto zeros = room(in);
      return {[&a, each, zeros, v] { (*each)(*zeros, a, v); }};
    });
    writer("elementwise kernel of a part", true, [this, each](auto& a, auto& in, int v) -> prepared {
      const auto zeros = room(in);
      return {[&a, each, zeros, v] { (*each)((*zeros)(slice(8, 16)), a(slice(8, 16)), v); },
              [v](content& of) {
                for (int i = 8; i < 16; ++i) of[static_cast<std::size_t>(i)] = v - i + 8;
              }};
    });
    const auto sums = kept(yoke::scan_kernel<int(const int*, int*), port>(
        state.context, {"x", "y"}, {.input = "x[i]", .join = "a + b", .neutral = "0", .output = "y[i] = item"}));
    writer("scan kernel", true, [this, sums](auto& a, auto& in, int v) -> prepared {
      const auto b = array_of(content(size, v), in);
      return {[&a, sums, b] { (*sums)(*b, a); }, becomes(numbers(v, v))};
    });
    writer("fill", true, [](auto& a, auto& in, int v) -> prepared {
      return {[&a, &in, v] { yoke::fill(a, v, in); }, becomes(content(size, v))};
    });
    writer("fill of a part", true, [](auto& a, auto& in, int v) -> prepared {
      return {[&a, &in, v] { yoke::fill(a(slice(4, 9)), v, in); },
              [v](content& of) { std::fill(of.begin() + 4, of.begin() + 9, v); }};
    });
    writer("copy from the host", true,
           [](auto& a, auto& in, int v) -> prepared { return {[&a, &in, v] { yoke::copy(numbers(v, -1), a, in); }}; });
    writer("copy from memory", true, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = array_of(numbers(v, -1), in);
      return {[&a, &in, b] { yoke::enqueue_copy(*b, a, in); }};
    });
    writer("copy_async", true, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = pagelocked(numbers(v, -1));
      const auto copying = kept(std::optional<yoke::transfer<port>>());
      return {[&a, &in, b, copying] { copying->emplace(yoke::copy_async(*b, a, in)); }};
    });
    writer("copy_list", true, [this](auto& a, auto& in, int v) -> prepared {
      const auto b = pagelocked(numbers(v, -1));
      const auto c = room(in);
      return {[this, &a, &in, b, c] {
        yoke::copy_list list{state.context};
        list.add(*b, a);
        list.add(*b, *c);
        yoke::enqueue_copy(list, in);
      }};
    });
    writer("sort_by_key", true, [this](auto& a, auto& in, int) -> prepared {
      const auto keys = array_of(numbers(0, -1), in);
      return {[&a, keys] { yoke::sort_by_key(*keys, a); }, [](content& of) { std::reverse(of.begin(), of.end()); }};
    });
    writer("graph", true, [this](auto& a, auto& in, int v) -> prepared {
      const auto graph = recorded([&](auto& record) {
        a.bind(record) += v;
        (void)set(record, shape(), *room(in), 1);
      });
      return {[&in, graph] { graph->launch(in); },
              [v](content& of) {
                for (int& one : of) one += v;
              }};
    });
    writer("graph of a kernel", true, [this](auto& a, auto& in, int v) -> prepared {
      const auto graph = recorded([&](auto& record) { (void)set(record, shape(), a, v); });
      return {[&in, graph] { graph->launch(in); }};
    });
    writer("graph of a fill", true, [this](auto& a, auto& in, int v) -> prepared {
      const auto graph = this->recorded([&](auto& record) { (void)yoke::fill(a, v, record); });
      return {[&in, graph] { graph->launch(in); }, becomes(content(size, v))};
    });
  }

  void add_readers() {
    reader("a.to_host", false, [](auto& a, auto&) -> prepared {
      const auto to = kept(content());
      return {[&a, to] { *to = a.to_host(); }, {}, [to](const content& of) { return *to == of; }};
    });
    reader("part to the host", false, [](auto& a, auto&) -> prepared {
      const auto to = kept(content());
      return {[&a, to] { *to = a(slice(1, yoke::none, 3)).to_host(); },
              {},
              [to](const content& of) {
                for (std::size_t i = 0; i < to->size(); ++i) {
                  if ((*to)[i] != of[1 + 3 * i]) return false;
                }
                return to->size() == 32;
              }};
    });
    reader("to_host_async", false, [](auto& a, auto&) -> prepared {
      using result = decltype(a.to_host_async());
      const auto to = kept(std::optional<result>());
      return {[&a, to] { to->emplace(a.to_host_async()); },
              {},
              [to](const content& of) {
                const auto got = std::move(**to).get();
                return std::equal(of.begin(), of.end(), got.data());
              }};
    });
    reader("a.copy", false, [](auto& a, auto&) -> prepared {
      const auto to = kept(std::optional<array<>>());
      return {[&a, to] { to->emplace(a.copy()); }, {}, [to](const content& of) { return (*to)->to_host() == of; }};
    });
    reader("a.astype", false, [](auto& a, auto&) -> prepared {
      const auto to = kept(std::optional<array<double>>());
      return {[&a, to] { to->emplace(a.template astype<double>()); },
              {},
              [to](const content& of) {
                const auto got = (*to)->to_host();
                return std::equal(of.begin(), of.end(), got.begin());
              }};
    });
    reader("a.span", false, [](auto& a, auto& in) -> prepared {
      const auto to = kept(content());
      return {[&a, &in, to] { *to = yoke::to_host(std::as_const(a).span(), in); },
              {},
              [to](const content& of) { return *to == of; }};
    });
    reader("print", false, [](auto& a, auto&) -> prepared {
      const auto to = kept(std::string());
      return {[&a, to] { *to = fmt::format("{}", a); },
              {},
              [to](const content& of) { return to->find(std::to_string(of[1])) != std::string::npos; }};
    });
    reader("b = a", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [&a, b] { b->assign(a); });
    });
    reader("b = a + 0", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [&a, b] { *b = a + 0; });
    });
    reader("b = a + a * 0", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [&a, b] { *b = a + a(yoke::reversed) * 0 + *b; });
    });
    reader("new array", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      const auto to = kept(std::optional<array<>>());
      return {[&a, b, to] { to->emplace(*b + a); }, {}, [to](const content& of) { return (*to)->to_host() == of; }};
    });
    reader("part of b = part of a", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [&a, b] {
        (*b)(slice(0, yoke::none, 2)) = a(slice(0, yoke::none, 2));
        (*b)(slice(1, yoke::none, 2)) = a(slice(1, yoke::none, 2));
      });
    });
    reader("sum", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      using result = decltype(yoke::sum(*b + a));
      const auto to = kept(std::optional<result>());
      return {
          [&a, b, to] { to->emplace(yoke::sum(*b + a)); },
          {},
          [to](const content& of) { return (*to)->get() == std::accumulate(of.begin(), of.end(), std::int64_t{0}); }};
    });
    reader("total = sum", true, [](auto& a, auto& in) -> prepared {
      const auto to = kept(yoke::device_value<std::int64_t, port>(in, 0));
      return {[&a, to] { to->array() = yoke::pass::sum(a); },
              {},
              [to](const content& of) { return to->get() == std::accumulate(of.begin(), of.end(), std::int64_t{0}); }};
    });
    reader("rows = sum", true, [](auto& a, auto& in) -> prepared {
      const auto to = kept(yoke::zeros<std::int64_t>({96}, in));
      return {[&a, to] {
                *to = yoke::pass::sum(a.reshape({1, 96}), yoke::along(0));
              },
              {},
              [to](const content& of) {
                const auto got = to->to_host();
                return std::equal(of.begin(), of.end(), got.begin());
              }};
    });
    reader("b = scan", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return {[&a, b] { *b = yoke::pass::inclusive_scan<"a + b", "0">(a); },
              {},
              [b](const content& of) {
                content sums(size);
                std::partial_sum(of.begin(), of.end(), sums.begin());
                return b->to_host() == sums;
              }};
    });
    reader("b = sorted", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return {[&a, b] { *b = yoke::pass::sorted(a); },
              {},
              [b](content of) {
                std::sort(of.begin(), of.end());
                return b->to_host() == of;
              }};
    });
    reader("argsort", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return {[&a, b] { *b = yoke::pass::argsort<std::int32_t>(a); },
              {},
              [b](const content& of) {
                const content order = b->to_host();
                return std::is_sorted(order.begin(), order.end(), [&](int left, int right) {
                  return of[static_cast<std::size_t>(left)] < of[static_cast<std::size_t>(right)];
                });
              }};
    });
    reader("take from a", true, [this](auto& a, auto& in) -> prepared {
      const auto at = array_of(numbers(0), in);
      const auto b = room(in);
      return into(b, [&a, at, b] { *b = yoke::pass::take(a, *at); });
    });
    reader("indices", true, [this](auto& a, auto& in) -> prepared {
      const auto from = array_of(numbers(0), in);
      const auto b = room(in);
      return {[&a, from, b] { *b = yoke::pass::take(*from, a); },
              {},
              [b](const content& of) {
                const content got = b->to_host();
                for (std::size_t i = 0; i < size; ++i) {
                  const int at = of[i] < 0 ? std::max(of[i] + 96, 0) : std::min(of[i], 95);
                  if (got[i] != at) return false;
                }
                return true;
              }};
    });
    reader("put by a", true, [this](auto& a, auto& in) -> prepared {
      const auto at = array_of(numbers(0), in);
      const auto b = room(in);
      return into(b, [&a, at, b] { yoke::put(*b, *at, a); });
    });
    reader("copy_if", true, [this](auto& a, auto& in) -> prepared {
      const auto from = array_of(numbers(0), in);
      using result = decltype(yoke::copy_if(*from, a > 50));
      const auto to = kept(std::optional<result>());
      return {[&a, from, to] { to->emplace(yoke::copy_if(*from, a > 50)); },
              {},
              [to](const content& of) {
                content selected;
                for (std::size_t i = 0; i < size; ++i) {
                  if (of[i] > 50) selected.push_back(static_cast<int>(i));
                }
                return (*to)->to_host() == selected;
              }};
    });
    reader("lower_bound", true, [this](auto& a, auto& in) -> prepared {
      const auto among = array_of(numbers(0), in);
      const auto b = kept(yoke::zeros<std::int64_t>({96}, in));
      return {[&a, among, b] { *b = yoke::pass::lower_bound(*among, a); },
              {},
              [b](const content& of) {
                const auto got = b->to_host();
                for (std::size_t i = 0; i < size; ++i) {
                  if (got[i] != std::clamp(of[i], 0, 96)) return false;
                }
                return true;
              }};
    });
    reader("bincount", true, [](auto& a, auto& in) -> prepared {
      const auto b = kept(yoke::zeros<std::int64_t>({97}, in));
      return {[&a, b] { *b = yoke::pass::bincount(a, 97); },
              {},
              [b](const content& of) {
                std::vector<std::int64_t> counts(97);
                for (const int each : of) {
                  if (each >= 0 && each < 97) ++counts[static_cast<std::size_t>(each)];
                }
                return b->to_host() == counts;
              }};
    });
    reader("group_by_key", true, [this](auto& a, auto& in) -> prepared {
      const auto keys = room(in);
      using result = decltype(yoke::group_by_key(*keys, a, 1));
      const auto to = kept(std::optional<result>());
      return {[&a, keys, to] { to->emplace(yoke::group_by_key(*keys, a, 1)); },
              {},
              [to](const content& of) { return (*to)->to_host()[0] == of; }};
    });
    reader("argsort_by", true, [this](auto& a, auto& in) -> prepared {
      const auto last = room(in);
      using result = decltype(yoke::argsort_by<std::int32_t>(a, *last));
      const auto to = kept(std::optional<result>());
      return {[&a, last, to] { to->emplace(yoke::argsort_by<std::int32_t>(a, *last)); },
              {},
              [to](const content& of) {
                const content order = (*to)->to_host();
                return std::is_sorted(order.begin(), order.end(), [&](int left, int right) {
                  return of[static_cast<std::size_t>(left)] < of[static_cast<std::size_t>(right)];
                });
              }};
    });
    reader("const kernel", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [this, &a, &in, b] { get(in, shape(), a, *b); });
    });
    reader("const kernel.enqueue", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [this, &a, &in, b] { (void)get.enqueue(in, shape(), a, *b); });
    });
    const auto each =
        kept(yoke::elementwise_kernel<void(int*, const int*), port>(state.context, {"to", "from"}, "to[i] = from[i]"));
    reader("const elementwise kernel", true, [this, each](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [&a, each, b] { (*each)(*b, a); });
    });
    reader("const elementwise kernel of parts", true, [this, each](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [&a, each, b] {
        (*each)((*b)(slice(0, 30)), a(slice(0, 30)));
        (*each)((*b)(slice(30, 96)), a(slice(30, 96)));
      });
    });
    const auto total = kept(yoke::reduction_kernel<int(const int*, const int*), port>(state.context, {"order", "x"},
                                                                                      {"x[i]", "a + b", "0"}));
    reader("reduction kernel", true, [this, total](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      using result = decltype((*total)(*b, a));
      const auto to = kept(std::optional<result>());
      return {[&a, b, total, to] { to->emplace((*total)(*b, a)); },
              {},
              [to](const content& of) { return (*to)->get() == std::accumulate(of.begin(), of.end(), 0); }};
    });
    reader("to_host in a stream", true, [](auto& a, auto& in) -> prepared {
      const auto to = kept(content());
      return {[&a, &in, to] { *to = yoke::to_host(a, in); }, {}, [to](const content& of) { return *to == of; }};
    });
    reader("copy to memory", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      return into(b, [&a, &in, b] { yoke::enqueue_copy(a, *b, in); });
    });
    reader("copy of a part", true, [](auto& a, auto& in) -> prepared {
      const auto to = kept(content(10));
      return {[&a, &in, to] { yoke::copy(a(slice(20, 30)), *to, in); },
              {},
              [to](const content& of) { return std::equal(to->begin(), to->end(), of.begin() + 20); }};
    });
    reader("copy_async to the host", true, [this](auto& a, auto& in) -> prepared {
      const auto b = pagelocked(content(size));
      const auto copying = kept(std::optional<yoke::transfer<port>>());
      return {[&a, &in, b, copying] { copying->emplace(yoke::copy_async(a, *b, in)); },
              {},
              [b](const content& of) { return std::equal(of.begin(), of.end(), b->data()); }};
    });
    reader("copy_list to the host", true, [this](auto& a, auto& in) -> prepared {
      const auto b = pagelocked(content(size));
      const auto c = room(in);
      return {[this, &a, &in, b, c] {
                yoke::copy_list list{state.context};
                list.add(a, *b);
                list.add(a, *c);
                yoke::enqueue_copy(list, in);
              },
              {},
              [b](const content& of) { return std::equal(of.begin(), of.end(), b->data()); }};
    });
    reader("graph that reads", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      const auto graph = recorded([&](auto& record) { b->bind(record) = a + 0; });
      return into(b, [&in, graph] { graph->launch(in); });
    });
    reader("graph of a copy", true, [this](auto& a, auto& in) -> prepared {
      const auto b = room(in);
      const auto graph = recorded([&](auto& record) { (void)yoke::enqueue_copy(a, *b, record); });
      return into(b, [&in, graph] { graph->launch(in); });
    });
  }

  auto pagelocked(const content& values) {
    const auto made = kept(yoke::pagelocked_array<int, port>(state.context, values.size()));
    std::copy(values.begin(), values.end(), made->data());
    return made;
  }
  template <class Record>
  auto recorded(const Record& record) {
    yoke::graph graph(state.context);
    auto line = graph.record();
    record(line);
    return kept(graph.instantiate());
  }
};

}  // namespace

YOKE_DEVICE_TEST_CASE("operations in several streams come one after the other", "[array][order]") {
  YOKE_TEST_NEEDS_BACKGROUND();
  order_bench<Backend> on(device);
  using operation = typename order_bench<Backend>::operation;
  const stream& home = on.state.stream;
  for (const operation& each : on.all) {
    INFO(each.name);
    on.warm(each, home);
    if (each.is_anywhere) on.warm(each, on.other);
  }
  const auto check = [&](const operation& first, const stream& in_first, const operation& second,
                         const stream& in_second) {
    INFO(first.name << (&in_first == &home ? ", at home, then " : ", elsewhere, then ") << second.name
                    << (&in_second == &home ? ", at home" : ", elsewhere"));
    CHECK(on.is_in_order(first, in_first, second, in_second));
  };
  const auto check_all = [&](const operation& first, const operation& second) {
    if (second.is_anywhere) check(first, home, second, on.other);
    if (first.is_anywhere) check(first, on.other, second, home);
    if (first.is_anywhere && second.is_anywhere) check(first, on.other, second, on.third);
  };
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
}

// SPDX-License-Identifier: MIT
// Operations that read an array, for tests of the order of streams.
#ifndef YOKE_TESTS_ARRAY_ORDER_READERS_HPP
#define YOKE_TESTS_ARRAY_ORDER_READERS_HPP

#include <array/storage/order_bench.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/dlpack.hpp>
#include <yoke/fmt.hpp>
#include <yoke/image.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace yoke_test::array_order {

/// Adds operations that read.
template <class Backend>
void add_readers(order_bench<Backend>& on) {
  using port = typename Backend::port;
  using yoke::slice;
  using array = yoke::device_array<int, 1, port>;
  on.reader("a.to_host", false, [](auto& a, auto&) -> prepared {
    const auto to = kept(content());
    return {[&a, to] { *to = a.to_host(); }, {}, [to](const content& of) { return *to == of; }};
  });
  on.reader("part to the host", false, [](auto& a, auto&) -> prepared {
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
  on.reader("to_host_async", false, [](auto& a, auto&) -> prepared {
    using result = decltype(a.to_host_async());
    const auto to = kept(std::optional<result>());
    return {[&a, to] { to->emplace(a.to_host_async()); },
            {},
            [to](const content& of) {
              const auto got = std::move(**to).get();
              return std::equal(of.begin(), of.end(), got.data());
            }};
  });
  on.reader("a.copy", false, [](auto& a, auto&) -> prepared {
    const auto to = kept(std::optional<array>());
    return {[&a, to] { to->emplace(a.copy()); }, {}, [to](const content& of) { return (*to)->to_host() == of; }};
  });
  on.reader("a.astype", false, [](auto& a, auto&) -> prepared {
    const auto to = kept(std::optional<yoke::device_array<double, 1, port>>());
    return {[&a, to] { to->emplace(a.template astype<double>()); },
            {},
            [to](const content& of) {
              const auto got = (*to)->to_host();
              return std::equal(of.begin(), of.end(), got.begin());
            }};
  });
  on.reader("a.span", false, [](auto& a, auto& in) -> prepared {
    const auto to = kept(content());
    return {[&a, &in, to] { *to = yoke::to_host(std::as_const(a).span(), in); },
            {},
            [to](const content& of) { return *to == of; }};
  });
  on.reader("print", false, [](auto& a, auto&) -> prepared {
    const auto to = kept(std::string());
    return {[&a, to] { *to = fmt::format("{}", a); },
            {},
            [to](const content& of) { return to->find(std::to_string(of[1])) != std::string::npos; }};
  });
  on.reader("b = a", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&a, b] { b->assign(a); });
  });
  on.reader("b = a + 0", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&a, b] { *b = a + 0; });
  });
  on.reader("b = a + a * 0", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&a, b] { *b = a + a(yoke::reversed) * 0 + *b; });
  });
  on.reader("new array", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    const auto to = kept(std::optional<array>());
    return {[&a, b, to] { to->emplace(*b + a); }, {}, [to](const content& of) { return (*to)->to_host() == of; }};
  });
  on.reader("part of b = part of a", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&a, b] {
      (*b)(slice(0, yoke::none, 2)) = a(slice(0, yoke::none, 2));
      (*b)(slice(1, yoke::none, 2)) = a(slice(1, yoke::none, 2));
    });
  });
  on.reader("sum", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    using result = decltype(yoke::sum(*b + a));
    const auto to = kept(std::optional<result>());
    return {[&a, b, to] { to->emplace(yoke::sum(*b + a)); },
            {},
            [to](const content& of) { return (*to)->get() == std::accumulate(of.begin(), of.end(), std::int64_t{0}); }};
  });
  on.reader("total = sum", true, [](auto& a, auto& in) -> prepared {
    const auto to = kept(yoke::device_value<std::int64_t, port>(in, 0));
    return {[&a, to] { to->array() = yoke::pass::sum(a); },
            {},
            [to](const content& of) { return to->get() == std::accumulate(of.begin(), of.end(), std::int64_t{0}); }};
  });
  on.reader("rows = sum", true, [](auto& a, auto& in) -> prepared {
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
  on.reader("b = scan", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return {[&a, b] { *b = yoke::pass::inclusive_scan<"a + b", "0">(a); },
            {},
            [b](const content& of) {
              content sums(size);
              std::partial_sum(of.begin(), of.end(), sums.begin());
              return b->to_host() == sums;
            }};
  });
  on.reader("b = sorted", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return {[&a, b] { *b = yoke::pass::sorted(a); },
            {},
            [b](content of) {
              std::sort(of.begin(), of.end());
              return b->to_host() == of;
            }};
  });
  on.reader("argsort", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return {[&a, b] { *b = yoke::pass::argsort<std::int32_t>(a); },
            {},
            [b](const content& of) {
              const content order = b->to_host();
              return std::is_sorted(order.begin(), order.end(), [&](int left, int right) {
                return of[static_cast<std::size_t>(left)] < of[static_cast<std::size_t>(right)];
              });
            }};
  });
  on.reader("top_k", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    const auto places = on.room(in);
    return {[&a, b, places] { yoke::top_k(a, *b, *places, {.largest = false}); },
            {},
            [b](content of) {
              std::sort(of.begin(), of.end());
              return b->to_host() == of;
            }};
  });
  on.reader("b = concatenate", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&a, b] { *b = yoke::pass::concatenate(a(slice(0, 40)), a(slice(40, yoke::none))); });
  });
  on.reader("multi_take", true, [&on](auto& a, auto& in) -> prepared {
    const auto at = on.array_of(numbers(0), in);
    const auto b = on.room(in);
    const auto to = kept(std::optional<array>());
    return {[&a, at, b, to] { to->emplace(std::get<1>(yoke::multi_take(std::tie(*b, a), *at))); },
            {},
            [to](const content& of) { return (*to)->to_host() == of; }};
  });
  on.reader("multi_put of a", true, [&on](auto& a, auto& in) -> prepared {
    const auto at = on.array_of(numbers(0), in);
    const auto b = on.room(in);
    return into(b, [&a, at, b] { yoke::multi_put(std::tie(*b), *at, std::tie(a)); });
  });
  on.reader("take from a", true, [&on](auto& a, auto& in) -> prepared {
    const auto at = on.array_of(numbers(0), in);
    const auto b = on.room(in);
    return into(b, [&a, at, b] { *b = yoke::pass::take(a, *at); });
  });
  on.reader("indices", true, [&on](auto& a, auto& in) -> prepared {
    const auto from = on.array_of(numbers(0), in);
    const auto b = on.room(in);
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
  on.reader("put by a", true, [&on](auto& a, auto& in) -> prepared {
    const auto at = on.array_of(numbers(0), in);
    const auto b = on.room(in);
    return into(b, [&a, at, b] { yoke::put(*b, *at, a); });
  });
  on.reader("copy_if", true, [&on](auto& a, auto& in) -> prepared {
    const auto from = on.array_of(numbers(0), in);
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
  on.reader("lower_bound", true, [&on](auto& a, auto& in) -> prepared {
    const auto among = on.array_of(numbers(0), in);
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
  on.reader("bincount", true, [](auto& a, auto& in) -> prepared {
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
  on.reader("group_by_key", true, [&on](auto& a, auto& in) -> prepared {
    const auto keys = on.room(in);
    using result = decltype(yoke::group_by_key(*keys, a, 1));
    const auto to = kept(std::optional<result>());
    return {[&a, keys, to] { to->emplace(yoke::group_by_key(*keys, a, 1)); },
            {},
            [to](const content& of) { return (*to)->to_host()[0] == of; }};
  });
  on.reader("argsort_by", true, [&on](auto& a, auto& in) -> prepared {
    const auto last = on.room(in);
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
  on.reader("const kernel", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&on, &a, &in, b] { on.get(in, on.shape(), a, *b); });
  });
  on.reader("const kernel.enqueue", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&on, &a, &in, b] { (void)on.get.enqueue(in, on.shape(), a, *b); });
  });
  const auto each =
      kept(yoke::elementwise_kernel<void(int*, const int*), port>(on.state.context, {"to", "from"}, "to[i] = from[i]"));
  on.reader("const elementwise kernel", true, [&on, each](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&a, each, b] { (*each)(*b, a); });
  });
  on.reader("const elementwise kernel of parts", true, [&on, each](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&a, each, b] {
      (*each)((*b)(slice(0, 30)), a(slice(0, 30)));
      (*each)((*b)(slice(30, 96)), a(slice(30, 96)));
    });
  });
  const auto total = kept(yoke::reduction_kernel<int(const int*, const int*), port>(on.state.context, {"order", "x"},
                                                                                    {"x[i]", "a + b", "0"}));
  on.reader("reduction kernel", true, [&on, total](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    using result = decltype((*total)(*b, a));
    const auto to = kept(std::optional<result>());
    return {[&a, b, total, to] { to->emplace((*total)(*b, a)); },
            {},
            [to](const content& of) { return (*to)->get() == std::accumulate(of.begin(), of.end(), 0); }};
  });
  on.reader("to_host in a stream", true, [](auto& a, auto& in) -> prepared {
    const auto to = kept(content());
    return {[&a, &in, to] { *to = yoke::to_host(a, in); }, {}, [to](const content& of) { return *to == of; }};
  });
  on.reader("copy to memory", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    return into(b, [&a, &in, b] { yoke::enqueue_copy(a, *b, in); });
  });
  on.reader("copy of a part", true, [](auto& a, auto& in) -> prepared {
    const auto to = kept(content(10));
    return {[&a, &in, to] { yoke::copy(a(slice(20, 30)), *to, in); },
            {},
            [to](const content& of) { return std::equal(to->begin(), to->end(), of.begin() + 20); }};
  });
  on.reader("copy_async to the host", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.pagelocked(content(size));
    const auto copying = kept(std::optional<yoke::transfer<port>>());
    return {[&a, &in, b, copying] { copying->emplace(yoke::copy_async(a, *b, in)); },
            {},
            [b](const content& of) { return std::equal(of.begin(), of.end(), b->data()); }};
  });
  on.reader("copy_list to the host", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.pagelocked(content(size));
    const auto c = on.room(in);
    return {[&on, &a, &in, b, c] {
              yoke::copy_list list{on.state.context};
              list.add(a, *b);
              list.add(a, *c);
              yoke::enqueue_copy(list, in);
            },
            {},
            [b](const content& of) { return std::equal(of.begin(), of.end(), b->data()); }};
  });
  on.reader("a.value", false, [](auto& a, auto&) -> prepared {
    const auto to = kept(0);
    return {[&a, to] { *to = a(7).value(); }, {}, [to](const content& of) { return *to == of[7]; }};
  });
  on.reader("a.copy_to", false, [](auto& a, auto&) -> prepared {
    const auto to = kept(content(size));
    return {[&a, to] { a.copy_to(*to); }, {}, [to](const content& of) { return *to == of; }};
  });
  on.reader("tensor", false, [&on](auto& a, auto&) -> prepared {
    const auto b = on.room(on.state.stream);
    return into(b, [&on, &a, b] {
      *b = yoke::from_dlpack<const int, 1>(yoke::to_dlpack(std::as_const(a)), on.state.stream) + 0;
    });
  });
  on.reader("native handle", false, [&on](auto& a, auto&) -> prepared {
    const auto b = on.room(on.state.stream);
    return into(b, [&on, &a, b] {
      const auto memory = yoke::device_allocation<int, port>::borrow(on.state.context, a.native_handle(), size);
      yoke::enqueue_copy(memory, *b, on.state.stream);
    });
  });
  on.reader("expression to the host", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    const auto to = kept(content());
    return {[&a, b, to] { *to = (*b + a).to_host(); }, {}, [to](const content& of) { return *to == of; }};
  });
  on.reader("cumsum", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    using result = decltype(yoke::cumsum(*b + a));
    const auto to = kept(std::optional<result>());
    return {[&a, b, to] { to->emplace(yoke::cumsum(*b + a)); },
            {},
            [to](const content& of) {
              const auto got = (*to)->to_host();
              content sums(size);
              std::partial_sum(of.begin(), of.end(), sums.begin());
              return std::equal(sums.begin(), sums.end(), got.begin());
            }};
  });
  on.reader("indices_where", true, [&on](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    using result = decltype(yoke::indices_where(*b + a > 50));
    const auto to = kept(std::optional<result>());
    return {[&a, b, to] { to->emplace(yoke::indices_where(*b + a > 50)); },
            {},
            [to](const content& of) {
              std::vector<std::int64_t> selected;
              for (std::size_t i = 0; i < size; ++i) {
                if (of[i] > 50) selected.push_back(static_cast<std::int64_t>(i));
              }
              return (*to)->to_host() == selected;
            }};
  });
  on.reader("unique", false, [](auto& a, auto&) -> prepared {
    using result = decltype(yoke::unique(a));
    const auto to = kept(std::optional<result>());
    return {[&a, to] { to->emplace(yoke::unique(a)); },
            {},
            [to](content of) {
              of.erase(std::unique(of.begin(), of.end()), of.end());
              return (*to)->to_host() == of;
            }};
  });
  on.reader("upper_bound among a", true, [&on](auto& a, auto& in) -> prepared {
    const auto values = on.array_of(numbers(0, 32), in);
    const auto b = kept(yoke::zeros<std::int64_t>({96}, in));
    return {[&a, values, b] { *b = yoke::pass::upper_bound(a(slice(5, 6)), *values); },
            {},
            [b](const content& of) {
              const auto got = b->to_host();
              for (std::size_t i = 0; i < size; ++i) {
                if (got[i] != (of[5] <= 32 * static_cast<int>(i) ? 1 : 0)) return false;
              }
              return true;
            }};
  });
  on.reader("histogram", true, [](auto& a, auto& in) -> prepared {
    const auto b = kept(yoke::zeros<std::int64_t>({32}, in));
    return {[&a, b] { *b = yoke::pass::histogram(a, 32, 0, 3200); },
            {},
            [b](const content& of) {
              std::vector<std::int64_t> counts(32);
              for (const int element : of) {
                if (element >= 0 && element <= 3200)
                  ++counts[element == 3200 ? 31 : static_cast<std::size_t>(element / 100)];
              }
              return b->to_host() == counts;
            }};
  });
  on.reader("weights", true, [&on](auto& a, auto& in) -> prepared {
    const auto keys = on.room(in);
    using result = decltype(yoke::bincount(*keys, a, 1));
    const auto to = kept(std::optional<result>());
    return {[&a, keys, to] { to->emplace(yoke::bincount(*keys, a, 1)); },
            {},
            [to](const content& of) {
              return (*to)->to_host().at(0) == std::accumulate(of.begin(), of.end(), std::int64_t{0});
            }};
  });
  on.reader("keys of groups", false, [&on](auto& a, auto& in) -> prepared {
    const auto values = on.array_of(numbers(0), in);
    using result = decltype(yoke::group_by_key(a, *values, 200));
    const auto to = kept(std::optional<result>());
    return {[&a, values, to] { to->emplace(yoke::group_by_key(a, *values, 200)); },
            {},
            [to](const content& of) {
              std::vector<content> lists(200);
              for (std::size_t i = 0; i < size; ++i) {
                if (of[i] >= 0 && of[i] < 200) lists[static_cast<std::size_t>(of[i])].push_back(static_cast<int>(i));
              }
              return (*to)->to_host() == lists;
            }};
  });
  on.reader("reduce_by_key", true, [&on](auto& a, auto& in) -> prepared {
    const auto keys = on.room(in);
    using result = decltype(yoke::reduce_by_key<"a + b", "0">(*keys, a));
    const auto to = kept(std::optional<result>());
    return {
        [&a, keys, to] { to->emplace(yoke::reduce_by_key<"a + b", "0">(*keys, a)); },
        {},
        [to](const content& of) { return (*to)->values.to_host().at(0) == std::accumulate(of.begin(), of.end(), 0); }};
  });
  on.reader("run_lengths", false, [](auto& a, auto&) -> prepared {
    using result = decltype(yoke::run_lengths(a));
    const auto to = kept(std::optional<result>());
    return {[&a, to] { to->emplace(yoke::run_lengths(a)); },
            {},
            [to](content of) {
              of.erase(std::unique(of.begin(), of.end()), of.end());
              return (*to)->keys.to_host() == of;
            }};
  });
  on.reader("lists of a", true, [](auto& a, auto& in) -> prepared {
    auto starts = yoke::to_device_array(std::vector<std::int64_t>{0, 48, 96}, in);
    const auto lists = kept(yoke::lists<int, port>(std::move(starts), yoke::zeros<int>({0}, in)));
    using result = decltype(yoke::sum_each(*lists));
    const auto to = kept(std::optional<result>());
    return {[&a, lists, to] {
              swap(lists->elements(), a);
              to->emplace(yoke::sum_each(*lists));
              swap(lists->elements(), a);
            },
            {},
            [to](const content& of) {
              return (*to)->to_host() ==
                     std::vector<std::int64_t>{std::accumulate(of.begin(), of.begin() + 48, std::int64_t{0}),
                                               std::accumulate(of.begin() + 48, of.end(), std::int64_t{0})};
            }};
  });
  const auto build =
      kept(yoke::list_builder<void(const int*, const int*), std::tuple<yoke::named_list<"out", int>>, port>(
          on.state.context, {"order", "x"}, {.body = "append_out(x[i]);"}));
  on.reader("list_builder", true, [&on, build](auto& a, auto& in) -> prepared {
    const auto b = on.room(in);
    using result = decltype((*build)(96, *b, a));
    const auto to = kept(std::optional<result>());
    return {[&a, b, build, to] { to->emplace((*build)(96, *b, a)); },
            {},
            [to](const content& of) { return (*to)->template get<"out">().elements().to_host() == of; }};
  });
  on.reader("copy of a box", true, [](auto& a, auto& in) -> prepared {
    const auto to = kept(content(size));
    return {[&a, &in, to] {
              yoke::copy(yoke::strided(a, {.width = 5, .height = 8, .row_pitch = 12, .offset = 7}),
                         yoke::strided(*to, {.width = 5, .height = 8, .row_pitch = 12}), in);
            },
            {},
            [to](const content& of) {
              for (std::size_t i = 0; i < size; ++i) {
                if (i % 12 < 5 && (*to)[i] != of[i + 7]) return false;
              }
              return true;
            }};
  });
  on.reader("copy to an image", true, [&on](auto& a, auto& in) -> prepared {
    const auto image = kept(yoke::image<std::int32_t, 1, port>(on.state.context, {size}));
    return {[&a, &in, image] { yoke::enqueue_copy(a, *image, in); },
            {},
            [&in, image](const content& of) { return yoke::to_host(*image, in) == of; }};
  });
  if constexpr (std::is_same_v<Backend, opencl_backend>) {
    const auto disorder = kept(yoke::opencl::out_of_order_stream(on.state.context));
    on.reader("const kernel out of order", true, [&on, disorder](auto& a, auto& in) -> prepared {
      const auto b = on.room(in);
      return into(b, [&on, disorder, &a, &in, b] {
        (void)on.get.enqueue(*disorder, on.shape(), a, *b, {.after = in.record()});
        disorder->flush();
      });
    });
  }
}

}  // namespace yoke_test::array_order

#endif

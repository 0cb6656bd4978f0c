// SPDX-License-Identifier: MIT
// Operations that write an array, for tests of the order of streams.
#ifndef YOKE_TESTS_ARRAY_ORDER_WRITERS_HPP
#define YOKE_TESTS_ARRAY_ORDER_WRITERS_HPP

#include <array/storage/order_bench.hpp>
#include <yoke/algorithm.hpp>
#include <yoke/dlpack.hpp>
#include <yoke/image.hpp>
#include <yoke/random.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>

namespace yoke_test::array_order {

/// Adds operations that write.
template <class Backend>
void add_writers(order_bench<Backend>& on) {
  using port = typename Backend::port;
  using yoke::slice;
  on.writer("a = expression", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(0), in);
    return {[&a, b, v] { a = v - *b; }};
  });
  on.writer("a += b", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, 5), in);
    return {[&a, b] { a += *b; },
            [v](content& of) {
              for (std::size_t i = 0; i < size; ++i) of[i] += v + 5 * static_cast<int>(i);
            }};
  });
  on.writer("a.assign(b)", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, -1), in);
    return {[&a, b] { a.assign(*b); }};
  });
  on.writer("a.assign(host)", false,
            [](auto& a, auto&, int v) -> prepared { return {[&a, v] { a.assign(numbers(v, -1)); }}; });
  on.writer("a.fill", false, [](auto& a, auto&, int v) -> prepared {
    return {[&a, v] { a.fill(v); }, becomes(content(size, v))};
  });
  on.writer("part = v", false, [](auto& a, auto&, int v) -> prepared {
    return {[&a, v] { a(slice(0, yoke::none, 2)) = v; },
            [v](content& of) {
              for (std::size_t i = 0; i < size; i += 2) of[i] = v;
            }};
  });
  on.writer("a = a(reversed)", false, [](auto& a, auto&, int) -> prepared {
    return {[&a] { a = a(yoke::reversed); }, [](content& of) { std::reverse(of.begin(), of.end()); }};
  });
  on.writer("a = cumsum", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(content(size, v), in);
    return {[&a, b] { a = yoke::pass::inclusive_scan<"a + b", "0">(*b); }, becomes(numbers(v, v))};
  });
  on.writer("sort(a)", false, [](auto& a, auto&, int) -> prepared {
    return {[&a] { yoke::sort(a, {.descending = true}); },
            [](content& of) { std::sort(of.begin(), of.end(), std::greater<>()); }};
  });
  on.writer("a = sorted", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, -1), in);
    return {[&a, b] { a = yoke::pass::sorted(*b); }, becomes(numbers(v - 95))};
  });
  on.writer("a = values of top_k", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, -1), in);
    const auto places = on.room(in);
    return {[&a, b, places] { yoke::top_k(*b, a, *places, {.largest = false}); }, becomes(numbers(v - 95))};
  });
  on.writer("a = indices of top_k", false, [&on](auto& a, auto& in, int) -> prepared {
    const auto b = on.array_of(numbers(0, -1), in);
    const auto values = on.room(in);
    return {[&a, b, values] { yoke::top_k(*b, *values, a, {.largest = false}); }, becomes(numbers(95, -1))};
  });
  on.writer("a = concatenate", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, 2), in);
    return {[&a, b] { a = yoke::pass::concatenate((*b)(slice(0, 40)), (*b)(slice(40, yoke::none))); },
            becomes(numbers(v, 2))};
  });
  on.writer("multi_put", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto at = on.array_of({3, 5, 95}, in);
    const auto b = on.room(in);
    return {[&a, at, b, v] {
              yoke::multi_put(std::tie(*b, a), *at, std::tuple{v, v});
            },
            [v](content& of) { of[3] = of[5] = of[95] = v; }};
  });
  on.writer("put", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto at = on.array_of({3, 5, 95}, in);
    return {[&a, at, v] { yoke::put(a, *at, v); }, [v](content& of) { of[3] = of[5] = of[95] = v; }};
  });
  on.writer("a = take", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, 2), in);
    const auto at = on.array_of(content(size, 7), in);
    return {[&a, b, at] { a = yoke::pass::take(*b, *at); }, becomes(content(size, v + 14))};
  });
  on.writer("fill_integers", false, [](auto& a, auto&, int v) -> prepared {
    return {[&a, v] {
              yoke::random_generator draw(1);
              draw.fill_integers(a, v, v + 1);
            },
            becomes(content(size, v))};
  });
  on.writer("kernel", true, [&on](auto& a, auto& in, int v) -> prepared {
    return {[&on, &a, &in, v] { on.set(in, on.shape(), a, v); }};
  });
  on.writer("kernel of a view", true, [&on](auto& a, auto& in, int v) -> prepared {
    return {[&on, &a, &in, v] { on.set(in, on.shape(), a.view(), v); }};
  });
  on.writer("kernel.enqueue", true, [&on](auto& a, auto& in, int v) -> prepared {
    return {[&on, &a, &in, v] { (void)on.set.enqueue(in, on.shape(), a, v); }};
  });
  const auto each = kept(yoke::elementwise_kernel<void(const int*, int*, int), port>(
      on.state.context, {"order", "a", "v"}, "a[i] = v - i + order[i]"));
  on.writer("elementwise kernel", true, [&on, each](auto& a, auto& in, int v) -> prepared {
    const auto zeros = on.room(in);
    return {[&a, each, zeros, v] { (*each)(*zeros, a, v); }};
  });
  on.writer("elementwise kernel of a part", true, [&on, each](auto& a, auto& in, int v) -> prepared {
    const auto zeros = on.room(in);
    return {[&a, each, zeros, v] { (*each)((*zeros)(slice(8, 16)), a(slice(8, 16)), v); },
            [v](content& of) {
              for (int i = 8; i < 16; ++i) of[static_cast<std::size_t>(i)] = v - i + 8;
            }};
  });
  const auto sums = kept(yoke::scan_kernel<int(const int*, int*), port>(
      on.state.context, {"x", "y"}, {.input = "x[i]", .join = "a + b", .neutral = "0", .output = "y[i] = item"}));
  on.writer("scan kernel", true, [&on, sums](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(content(size, v), in);
    return {[&a, sums, b] { (*sums)(*b, a); }, becomes(numbers(v, v))};
  });
  on.writer("fill", true, [](auto& a, auto& in, int v) -> prepared {
    return {[&a, &in, v] { yoke::fill(a, v, in); }, becomes(content(size, v))};
  });
  on.writer("fill of a part", true, [](auto& a, auto& in, int v) -> prepared {
    return {[&a, &in, v] { yoke::fill(a(slice(4, 9)), v, in); },
            [v](content& of) { std::fill(of.begin() + 4, of.begin() + 9, v); }};
  });
  on.writer("copy from the host", true,
            [](auto& a, auto& in, int v) -> prepared { return {[&a, &in, v] { yoke::copy(numbers(v, -1), a, in); }}; });
  on.writer("copy from memory", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, -1), in);
    return {[&a, &in, b] { yoke::enqueue_copy(*b, a, in); }};
  });
  on.writer("copy_async", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.pagelocked(numbers(v, -1));
    const auto copying = kept(std::optional<yoke::transfer<port>>());
    return {[&a, &in, b, copying] { copying->emplace(yoke::copy_async(*b, a, in)); }};
  });
  on.writer("copy_list", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.pagelocked(numbers(v, -1));
    const auto c = on.room(in);
    return {[&on, &a, &in, b, c] {
      yoke::copy_list list{on.state.context};
      list.add(*b, a);
      list.add(*b, *c);
      yoke::enqueue_copy(list, in);
    }};
  });
  on.writer("sort_by_key", true, [&on](auto& a, auto& in, int) -> prepared {
    const auto keys = on.array_of(numbers(0, -1), in);
    return {[&a, keys] { yoke::sort_by_key(*keys, a); }, [](content& of) { std::reverse(of.begin(), of.end()); }};
  });
  on.writer("a(3) = v", false, [](auto& a, auto&, int v) -> prepared {
    return {[&a, v] { a(3) = v; }, [v](content& of) { of[3] = v; }};
  });
  on.writer("a = max along", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, -1), in);
    return {[&a, b] { a = yoke::pass::max(b->reshape({1, 96}), yoke::along(0)); }};
  });
  on.writer("a = argsort", false, [&on](auto& a, auto& in, int) -> prepared {
    const auto b = on.array_of(numbers(0, -1), in);
    return {[&a, b] { a = yoke::pass::argsort<std::int32_t>(*b); }, becomes(numbers(95, -1))};
  });
  on.writer("sort_by_key of a", false, [&on](auto& a, auto& in, int) -> prepared {
    const auto values = on.room(in);
    return {[&a, values] { yoke::sort_by_key(a, *values, {.descending = true}); },
            [](content& of) { std::sort(of.begin(), of.end(), std::greater<>()); }};
  });
  on.writer("selection", false, [&on](auto& a, auto& in, int v) -> prepared {
    const auto b = on.array_of(numbers(v, -1), in);
    const auto into = kept(yoke::selection<int, port>(on.state.stream, 0));
    return {[&a, b, into] {
      swap(into->elements(), a);
      into->assign(yoke::pass::copy_if(*b, *b > -100'000));
      swap(into->elements(), a);
    }};
  });
  on.writer("fill of a span", false, [&on](auto& a, auto&, int v) -> prepared {
    return {[&on, &a, v] { yoke::fill(a.span(), v, on.state.stream); }, becomes(content(size, v))};
  });
  on.writer("fill of a tensor", false, [&on](auto& a, auto&, int v) -> prepared {
    return {[&on, &a, v] { yoke::from_dlpack<int, 1>(yoke::to_dlpack(a), on.state.stream).fill(v); },
            becomes(content(size, v))};
  });
  on.writer("fill of a native handle", false, [&on](auto& a, auto&, int v) -> prepared {
    return {[&on, &a, v] {
              auto memory = yoke::device_allocation<int, port>::borrow(on.state.context, a.native_handle(), size);
              yoke::fill(memory, v, on.state.stream);
            },
            becomes(content(size, v))};
  });
  on.writer("fill of a box", true, [](auto& a, auto& in, int v) -> prepared {
    return {
        [&a, &in, v] { yoke::fill(yoke::strided(a, {.width = 4, .height = 8, .row_pitch = 12, .offset = 2}), v, in); },
        [v](content& of) {
          for (std::size_t i = 0; i < size; ++i) {
            if (i % 12 >= 2 && i % 12 < 6) of[i] = v;
          }
        }};
  });
  on.writer("copy to a box", true, [](auto& a, auto& in, int v) -> prepared {
    return {[&a, &in, v] {
              const content from(size, v);
              yoke::copy(yoke::strided(from, {.width = 5, .height = 8, .row_pitch = 12}),
                         yoke::strided(a, {.width = 5, .height = 8, .row_pitch = 12, .offset = 7}), in);
            },
            [v](content& of) {
              for (std::size_t i = 0; i < size; ++i) {
                if (i % 12 >= 7) of[i] = v;
              }
            }};
  });
  on.writer("copy from an image", true, [&on](auto& a, auto& in, int v) -> prepared {
    const auto image = kept(yoke::image<std::int32_t, 1, port>(on.state.context, numbers(v, -1), {size}, in));
    return {[&a, &in, image] { yoke::enqueue_copy(*image, a, in); }};
  });
  if constexpr (std::is_same_v<Backend, opencl_backend>) {
    const auto disorder = kept(yoke::opencl::out_of_order_stream(on.state.context));
    on.writer("kernel out of order", true, [&on, disorder](auto& a, auto& in, int v) -> prepared {
      return {[&on, disorder, &a, &in, v] {
        (void)on.set.enqueue(*disorder, on.shape(), a, v, {.after = in.record()});
        disorder->flush();
      }};
    });
  }
}

}  // namespace yoke_test::array_order

#endif

// SPDX-License-Identifier: MIT
// The operations through yoke, on a backend known at compile time or chosen at run time.
#ifndef YOKE_BENCHMARKS_SIDE_YOKE_HPP
#define YOKE_BENCHMARKS_SIDE_YOKE_HPP

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <yoke/image.hpp>
#include <yoke/yoke.hpp>

#include "burst.hpp"
#include "kernels.hpp"

namespace bench {

class raw_cuda_side;

template <class Port>
class yoke_side {
 public:
  using byte = unsigned char;

  explicit yoke_side(const yoke::device<Port>& device) : context(device) {
    std::vector<float> ones(64, 1.0f);
    yoke::copy(ones, a, stream);
    yoke::copy(ones, b, stream);
    find_busy_count();
  }
  /// Over the context, the streams, the module and the memory of another one, each by a reference of its own.
  template <class Other>
  yoke_side(const Port& port, const yoke_side<Other>& of)
      : context(yoke::context<Port>::adopt(port, {of.context.retain_native()})),
        stream(again(port, of.stream)),
        other(again(port, of.other)),
        timed(again(port, of.timed)),
        module(yoke::module<Port>::adopt(context, {of.module.retain_native()})),
        a(yoke::device_allocation<float, Port>::borrow(context, {of.a.native_handle()}, of.a.size())),
        b(yoke::device_allocation<float, Port>::borrow(context, {of.b.native_handle()}, of.b.size())),
        busy_count(of.busy_count) {}

  yoke::context<Port> context;
  yoke::stream<Port> stream{context};
  yoke::stream<Port> other{context};
  yoke::memory_pool<Port> pool{context};
  yoke::stream<Port> timed{context, {.timing = true}};
  yoke::module<Port> module = yoke::compile(context, source);
  yoke::kernel<one, Port> kernel_1 = yoke::get_kernel<one>(module, "one");
  yoke::kernel<eight, Port> kernel_8 = yoke::get_kernel<eight>(module, "eight");
  yoke::kernel<sixteen, Port> kernel_16 = yoke::get_kernel<sixteen>(module, "sixteen");
  yoke::kernel<bench::busy, Port> kernel_busy = yoke::get_kernel<bench::busy>(module, "busy");
  yoke::device_allocation<float, Port> a{context, 64};
  yoke::device_allocation<float, Port> b{context, 64};
  yoke::image<byte, 2, Port> picture{context, {image_edge, image_edge}};
  int busy_count = 1000;  ///< rounds of the busy kernel that take 1.5 milliseconds or more

  void busy() { kernel_busy(stream, shape, a, busy_count); }
  void busy_other() { kernel_busy(other, shape, b, busy_count); }
  void busy_timed() { kernel_busy(timed, shape, a, busy_count); }
  void synchronize() { stream.synchronize(); }

  template <int Arguments>
  void launch() {
    if constexpr (Arguments == 1) kernel_1(stream, shape, a);
    if constexpr (Arguments == 8) kernel_8(stream, shape, a, b, b, b, 1.0f, 2.0f, 3, 64);
    if constexpr (Arguments == 16) {
      kernel_16(stream, shape, a, b, b, b, b, b, b, b, 1.0f, 2.0f, 3.0f, 4.0f, 5, 6, 7, 64);
    }
  }

  /// The same with other values each time.
  template <int Arguments>
  void launch_changing() {
    const int i = ++step;
    const auto f = static_cast<float>(i);
    if constexpr (Arguments == 8) kernel_8(stream, shape, a, b, b, b, f, f, i, i);
    if constexpr (Arguments == 16) kernel_16(stream, shape, a, b, b, b, b, b, b, b, f, f, f, f, i, i, i, i);
  }

  void record() { (void)stream.record(); }
  void record_existing() { stream.record_into(existing); }
  /// Effects: `pending` is what the other stream will come to.
  void record_pending() { other.record_into(pending), other.flush(); }
  void wait_event() { stream.wait(pending); }
  void record_and_wait_event() { other.record_into(pending), stream.wait(pending); }
  void wait_own_event() { stream.wait(existing); }
  void finish_wait() { other.synchronize(), stream.synchronize(); }

  void allocate(std::size_t bytes) { const yoke::device_allocation<byte, Port> memory(context, bytes); }
  void allocate_pooled(std::size_t bytes) { const yoke::device_allocation<byte, Port> memory(pool, bytes, stream); }
  void allocate_ordered(std::size_t bytes) { const yoke::device_allocation<byte, Port> memory(context, bytes, stream); }

  // --- copies of `bytes` bytes ---
  struct blocks {
    blocks(yoke_side& of, std::size_t bytes)
        : first(of.context, bytes), second(of.context, bytes), pageable(noise(bytes)), locked(of.context, bytes) {
      std::memcpy(locked.data(), pageable.data(), bytes);
      yoke::copy(pageable, first, of.stream);
      yoke::copy(pageable, second, of.stream);
    }
    yoke::device_allocation<byte, Port> first;
    yoke::device_allocation<byte, Port> second;
    std::vector<byte> pageable;
    yoke::pagelocked_array<byte, Port> locked;

    /// The same for the others.
    [[nodiscard]] auto natives() {
      using native = decltype(first.native_handle());
      return native_blocks<native>{first.native_handle(), second.native_handle(), pageable.data(), locked.data(),
                                   pageable.size()};
    }
  };
  void copy_up(blocks& with) { yoke::copy(with.pageable, with.first, stream); }
  void copy_up_locked(blocks& with) { yoke::copy(with.locked, with.first, stream); }
  void copy_down(blocks& with) { yoke::copy(with.first, with.pageable, stream); }
  void copy_down_locked(blocks& with) { yoke::copy(with.first, with.locked, stream); }
  void copy_across(blocks& with) { yoke::copy(with.first, with.second, stream); }
  void image_up(blocks& with) { yoke::copy(with.locked, picture, stream); }
  void image_down(blocks& with) { yoke::copy(picture, with.locked, stream); }
  void enqueue_up(blocks& with) { yoke::enqueue_copy(with.locked, with.first, stream); }
  void enqueue_down(blocks& with) { yoke::enqueue_copy(with.first, with.locked, stream); }
  void enqueue_across(blocks& with) { yoke::enqueue_copy(with.first, with.second, stream); }
  void async_up(blocks& with) {
    in_flight([&] { return yoke::copy_async(with.locked, with.first, stream); });
  }
  void async_down(blocks& with) {
    in_flight([&] { return yoke::copy_async(with.first, with.locked, stream); });
  }
  void async_across(blocks& with) {
    in_flight([&] { return yoke::copy_async(with.first, with.second, stream); });
  }
  void finish_copies() { synchronize(), copies.clear(); }
  void timed_up(blocks& with) { yoke::enqueue_copy(with.locked, with.first, timed); }
  void timed_down(blocks& with) { yoke::enqueue_copy(with.first, with.locked, timed); }
  void timed_across(blocks& with) { yoke::enqueue_copy(with.first, with.second, timed); }

  /// Returns: the device's nanoseconds for each of `count` calls that enqueue on `timed`.
  template <class Enqueue>
  double device_time(int count, Enqueue enqueue) {
    busy_timed();  // so that the calls are all there before the first runs
    enqueue();
    const auto start = timed.record_timed();
    for (int i = 0; i < count; ++i) enqueue();
    const auto stop = timed.record_timed();
    timed.synchronize();
    return static_cast<double>(stop.time_since(start).count()) / count;
  }

  static constexpr yoke::launch_shape shape{.grid = 1, .block = block};

 private:
  friend class raw_cuda_side;  // records the same events: where they lie makes a difference
  template <class Other>
  yoke::stream<Port> again(const Port& port, const yoke::stream<Other>& of) const {
    const typename Port::stream_handle native{of.native_handle()};
    port.retain_stream(native, {});
    return yoke::stream<Port>::adopt(context, native);
  }
  void find_busy_count() {
    for (busy_count = 1000; busy_count < (1 << 28); busy_count *= 2) {
      busy_least = 1e12;
      for (int i = 0; i < 4; ++i) {
        const double start = nanoseconds_now(timing::elapsed);
        busy();
        synchronize();
        busy_least = (std::min)(busy_least, nanoseconds_now(timing::elapsed) - start);
      }
      if (busy_least > 1.5e6) return;
    }
  }
  template <class Start>
  [[gnu::always_inline]] void in_flight(Start start) {
    if (copies.capacity() == 0) copies.reserve(copies_in_flight);
    copies.emplace_back(made_in_place{start});
  }
  int step = 0;
  std::vector<yoke::transfer<Port>> copies;
  yoke::event<Port> existing = stream.record();
  yoke::event<Port> pending = other.record();
};

}  // namespace bench

#endif

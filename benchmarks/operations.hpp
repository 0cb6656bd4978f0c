// SPDX-License-Identifier: MIT
// The operations, written once over whoever does them: a side has the functions of what it can, and takes part in these.
#ifndef YOKE_BENCHMARKS_OPERATIONS_HPP
#define YOKE_BENCHMARKS_OPERATIONS_HPP

#include <concepts>
#include <memory>
#include <tuple>
#include <type_traits>

#include "burst.hpp"

namespace bench {

/// A side with its name; once made, sides stay as long as the suite.
template <class Side>
struct named {
  std::string name;
  std::shared_ptr<late<Side>> side;
  int queue = 0;  ///< those of one number share their queues
};

inline constexpr std::size_t small_bytes = 4 << 10;
inline constexpr std::size_t large_bytes = 64 << 20;
inline constexpr int close_rounds = 100000;  ///< where a few nanoseconds are to be seen
inline constexpr int close_calls = 20;       ///< of each burst there

// What goes before bursts and after them, outside the time.
inline constexpr auto nothing = [](auto&) {};
inline constexpr auto keep_busy = [](auto& side) { side.busy(); };
inline constexpr auto empty_queue = [](auto& side) { side.synchronize(); };

/// Such a function of a side as one of none; empty: it does nothing.
template <class Function, class Side>
std::function<void()> bound(Function function, const std::shared_ptr<Side>& side) {
  if constexpr (std::same_as<Function, std::remove_cvref_t<decltype(nothing)>>) return {};
  return [=] { function(*side); };
}

// The functions of a side, each of them only where a side has it.
#define YOKE_BENCH_FUNCTION(...)                                                                                       \
  [](auto& side, auto&... with)                                                                                        \
    requires requires { side.__VA_ARGS__(with...); }                                                                   \
  {                                                                                                                    \
    side.__VA_ARGS__(with...);                                                                                         \
  }

// The same of a function that takes a size.
#define YOKE_BENCH_SIZED(function, bytes)                                                                              \
  [](auto& side) -> decltype(side.function(bytes)) { return side.function(bytes); }

/// Adds the operations of `sides` to a suite.
template <class... Sides>
class operation_list {
 public:
  operation_list(suite& into, named<Sides>... sides)
      : into_(into), host_(into.on_host ? timing::thread : timing::elapsed), sides_(std::move(sides)...) {
    const auto enter = [&](const auto& which) { into_.sides.push_back([side = which.side] { (void)side->get(); }); };
    std::apply([&](const auto&... each) { (enter(each), ...); }, sides_);
  }

  void add_all() {
    add_launches();
    add_events();
    add_allocations();
    add_copies();
  }

 private:
  /// Effects: adds an operation of those that `enter` adds to its entrants.
  template <class Enter>
  void add(std::string name, timing by, int count, int rounds, Enter enter) {
    operation result{std::move(name), by, count, rounds, {}};
    std::apply([&](const auto&... each) { (enter(result.entrants, each), ...); }, sides_);
    into_.operations.push_back(std::move(result));
  }
  /// Effects: adds an operation of the sides that have such a function.
  template <class Fill, class Prepare, class Operate, class Drain>
  void add_burst(std::string name, timing by, int count, int rounds, Fill fill, Prepare prepare, Operate operate,
                 Drain drain) {
    add(std::move(name), by, count, rounds, [=]<class Side>(std::vector<entrant>& all, const named<Side>& which) {
      if constexpr (std::invocable<Operate, Side&>) {
        all.push_back({which.name, which.queue, [=, late = which.side] {
                         const auto& side = late->get();
                         return bursts{bound(fill, side), bound(prepare, side),
                                       [=, kept = side](int times) {
                                         return time_calls(by, times, [&of = *kept, operate] { operate(of); });
                                       },
                                       bound(drain, side)};
                       }});
      }
    });
  }
  /// The same over two blocks on the device and two on the host, which are the first side's.
  template <class Fill, class Operate, class Drain>
  void add_copy(std::string name, timing by, int count, int rounds, std::size_t bytes, Fill fill, Operate operate,
                Drain drain) {
    add_with_blocks<Operate>(
        std::move(name), by, count, rounds, bytes, fill,
        [=](auto& of, auto& with, int times) {
          return time_calls(by, times, [&of, &with, operate] { operate(of, with); });
        },
        drain);
  }
  template <class Enqueue>
  void add_device_copy(std::string name, Enqueue enqueue) {
    add_with_blocks<Enqueue>(
        std::move(name), timing::device, 4, close_rounds, large_bytes, nothing,
        [=](auto& of, auto& with, int times) { return of.device_time(times, [&] { enqueue(of, with); }); }, nothing);
  }
  /// Effects: adds an operation of the sides that `Function` takes with blocks of theirs; `body(side, blocks, count)` is a
  /// burst. Sides that cannot use the first one's blocks take no part.
  template <class Function, class Fill, class Body, class Drain>
  void add_with_blocks(std::string name, timing by, int count, int rounds, std::size_t bytes, Fill fill, Body body,
                       Drain drain) {
    const auto first = std::get<0>(sides_).side;
    using first_blocks = typename std::remove_cvref_t<decltype(*first->get())>::blocks;
    const auto owned = while_kept([=] { return std::make_shared<first_blocks>(*first->get(), bytes); });
    const auto over = [=](const auto& side, const auto& with, const auto& owner) {
      return bursts{bound(fill, side),
                    {},
                    [=, kept = owner](int times) { return body(*side, *with, times); },
                    bound(drain, side)};
    };
    add(std::move(name), by, count, rounds, [=]<class Side>(std::vector<entrant>& all, const named<Side>& which) {
      if constexpr (requires { typename Side::blocks; }) {
        using blocks = typename Side::blocks;
        if constexpr (!std::invocable<Function, Side&, blocks&>) {
          return;
        } else if constexpr (std::same_as<blocks, first_blocks>) {
          all.push_back({which.name, which.queue, [=, late = which.side] {
                           const auto owner = owned();
                           return over(late->get(), owner, owner);
                         }});
        } else if constexpr (std::constructible_from<blocks, decltype(owned()->natives())>) {
          all.push_back({which.name, which.queue, [=, late = which.side] {
                           const auto owner = owned();
                           return over(late->get(), std::make_shared<blocks>(owner->natives()), owner);
                         }});
        }
      }
    });
  }

  /// Effects: adds an operation that only enqueues, and is compared by nanoseconds.
  template <class Operate>
  void add_enqueued(std::string name, Operate operate) {
    add_burst(std::move(name), host_, close_calls, close_rounds, keep_busy, nothing, operate, empty_queue);
  }

  void add_launches() {
    add_enqueued("launch/1", YOKE_BENCH_FUNCTION(template launch<1>));
    add_enqueued("launch/8", YOKE_BENCH_FUNCTION(template launch<8>));
    add_enqueued("launch/16", YOKE_BENCH_FUNCTION(template launch<16>));
    // Values that are the same again need not be set again on OpenCL; here all of them are new.
    add_enqueued("launch_changing/8", YOKE_BENCH_FUNCTION(template launch_changing<8>));
    add_enqueued("launch_changing/16", YOKE_BENCH_FUNCTION(template launch_changing<16>));
    const auto launch_and_wait = [](auto& side)
      requires requires { side.template launch<1>(); }
    {
      side.template launch<1>();
      side.synchronize();
    };
    add_burst("launch_and_wait/1", timing::elapsed, 20, 200, nothing, nothing, launch_and_wait, nothing);
  }
  void add_events() {
    add_burst("record_event", host_, 50, 400, keep_busy, nothing, YOKE_BENCH_FUNCTION(record), empty_queue);
    // OpenCL's events are of one command each: there a new one takes the place of the one that was there.
    add_enqueued("record_existing_event", YOKE_BENCH_FUNCTION(record_existing));
    const auto record_own = [](auto& side) { side.record_existing(); };
    const auto busy_other = [](auto& side) { side.busy_other(); };
    const auto record_pending = [](auto& side) { side.record_pending(); };
    const auto both_busy = [](auto& side) {
      side.busy();
      side.busy_other();
    };
    const auto finish_wait = [](auto& side) { side.finish_wait(); };
    add_burst("stream_wait_own", host_, close_calls, close_rounds, keep_busy, record_own,
              YOKE_BENCH_FUNCTION(wait_own_event), empty_queue);
    add_burst("stream_wait", host_, close_calls, close_rounds, busy_other, record_pending,
              YOKE_BENCH_FUNCTION(wait_event), finish_wait);
    // Each wait is for another point, so that on OpenCL each one has to flush the other stream.
    add_burst("stream_wait_after_record", host_, close_calls, close_rounds, both_busy, nothing,
              YOKE_BENCH_FUNCTION(record_and_wait_event), finish_wait);
  }
  void add_allocations() {
    // On CUDA a plain free waits for the device, so that nothing is enqueued before; the allocation is what is measured.
    add_burst("allocate/1MiB", host_, 20, 200, nothing, nothing, YOKE_BENCH_SIZED(allocate, 1 << 20), nothing);
    add_burst("allocate/64MiB", host_, 20, 200, nothing, nothing, YOKE_BENCH_SIZED(allocate, large_bytes), nothing);
    add_burst("allocate_pooled/1MiB", host_, close_calls, close_rounds, nothing, nothing,
              YOKE_BENCH_SIZED(allocate_pooled, 1 << 20), nothing);
    if (into_.backend != "cuda") return;  // OpenCL's one kind of buffer is in no stream's order
    add_burst("allocate_ordered/1MiB", host_, 10, 200, keep_busy, nothing, YOKE_BENCH_SIZED(allocate_ordered, 1 << 20),
              empty_queue);
    add_burst("allocate_ordered/64MiB", host_, 10, 200, keep_busy, nothing,
              YOKE_BENCH_SIZED(allocate_ordered, large_bytes), empty_queue);
  }
  void add_copies() {
    for (const auto& [bytes, text, count, rounds] :
         {std::tuple{small_bytes, std::string("4KiB"), 20, 200}, {large_bytes, std::string("64MiB"), 1, 1000}}) {
      const auto add_blocking = [&, size = bytes, times = count, most = rounds](const std::string& name,
                                                                                auto function) {
        add_copy(name, timing::elapsed, times, most, size, nothing, function, nothing);
      };
      add_blocking("copy_to_device/" + text + "/pageable", YOKE_BENCH_FUNCTION(copy_up));
      add_blocking("copy_to_device/" + text + "/locked", YOKE_BENCH_FUNCTION(copy_up_locked));
      add_blocking("copy_from_device/" + text + "/pageable", YOKE_BENCH_FUNCTION(copy_down));
      add_blocking("copy_from_device/" + text + "/locked", YOKE_BENCH_FUNCTION(copy_down_locked));
      add_blocking("copy_on_device/" + text, YOKE_BENCH_FUNCTION(copy_across));
      if (into_.backend == "opencl") {
        add_copy("map_unmap/" + text, timing::elapsed, count, rounds, bytes, nothing, YOKE_BENCH_FUNCTION(map_unmap),
                 empty_queue);
      }
    }
    add_copy("copy_to_image/64MiB/locked", timing::elapsed, 1, 1000, large_bytes, nothing,
             YOKE_BENCH_FUNCTION(image_up), nothing);
    add_copy("copy_from_image/64MiB/locked", timing::elapsed, 1, 1000, large_bytes, nothing,
             YOKE_BENCH_FUNCTION(image_down), nothing);
    add_device_copy("device_time/copy_to_device/64MiB", YOKE_BENCH_FUNCTION(timed_up));
    add_device_copy("device_time/copy_from_device/64MiB", YOKE_BENCH_FUNCTION(timed_down));
    add_device_copy("device_time/copy_on_device/64MiB", YOKE_BENCH_FUNCTION(timed_across));
    const auto add_close = [&](const std::string& name, auto function) {
      add_copy("enqueue_copy/" + name + "/4KiB", host_, close_calls, close_rounds, small_bytes, keep_busy, function,
               empty_queue);
    };
    add_close("to_device", YOKE_BENCH_FUNCTION(enqueue_up));
    add_close("from_device", YOKE_BENCH_FUNCTION(enqueue_down));
    add_close("on_device", YOKE_BENCH_FUNCTION(enqueue_across));
    // The same with something to wait for, which is kept until the queue is empty.
    const auto finish_copies = [](auto& side) { side.finish_copies(); };
    const auto add_watched = [&](const std::string& name, auto function) {
      add_copy("copy_async/" + name + "/4KiB", host_, close_calls, close_rounds, small_bytes, keep_busy, function,
               finish_copies);
    };
    add_watched("to_device", YOKE_BENCH_FUNCTION(async_up));
    add_watched("from_device", YOKE_BENCH_FUNCTION(async_down));
    add_watched("on_device", YOKE_BENCH_FUNCTION(async_across));
  }

  suite& into_;
  timing host_;
  std::tuple<named<Sides>...> sides_;
};
#undef YOKE_BENCH_SIZED
#undef YOKE_BENCH_FUNCTION

}  // namespace bench

#endif

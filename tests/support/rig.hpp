// SPDX-License-Identifier: MIT
// What most tests of memory and programs start from: a context and a stream of a device, driven through the interposer.
#ifndef YOKE_TESTS_SUPPORT_RIG_HPP
#define YOKE_TESTS_SUPPORT_RIG_HPP

#include <support/devices/devices.hpp>
#include <support/faults/fault_run.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace yoke_test {

namespace ocl = yoke::opencl;

/// A context and a stream, with the log and the ledger of everything done in them.
template <class Backend>
struct rig {
  explicit rig(const typename Backend::device& on)
      : driver(Backend::driver()), device(through(driver, on)), context(device), stream(context) {}
  rig(const rig&) = delete;
  rig& operator=(const rig&) = delete;
  /// Waits for the context's callback thread: on a busy machine it may not have dropped yet what a graph kept, and what that
  /// ends goes through the interposer.
  ~rig() {
    if (context) context.state().callbacks.finish(nullptr);
  }

  typename Backend::interposer driver;
  typename Backend::device device;
  typename Backend::context context;
  typename Backend::stream stream;

  /// Returns: how many calls of the log since `mark` enqueue something.
  [[nodiscard]] std::size_t enqueued(std::size_t mark) const {
    const auto calls = driver.calls(mark);
    return static_cast<std::size_t>(std::count_if(calls.begin(), calls.end(), &Backend::enqueues));
  }
  /// Effects: ends the context's idle events, so that an event which is left has leaked. Returns: what is alive besides the
  /// context and the stream.
  [[nodiscard]] std::vector<std::string> live() const {
    end_idle_events();
    std::vector<std::string> all = driver.live();
    std::erase_if(all,
                  [](const std::string& each) { return each.starts_with("context") || each.starts_with("queue"); });
    return all;
  }
  /// Effects: the same. Returns: how many objects are alive.
  [[nodiscard]] std::size_t alive() const {
    end_idle_events();
    return driver.live().size();
  }

 private:
  void end_idle_events() const {
    if (context) context.state().idle.end(context.state());
  }
};
template <class Port>
rig(const yoke::device<Port>&) -> rig<backend_of<Port>>;

/// Returns: first, first + 1, ...
template <class T = int>
std::vector<T> counting(std::size_t size, T first = T{1}) {
  std::vector<T> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// Returns: the elements of device memory, read in the stream's order.
template <class Memory, class Port>
auto download(Memory& memory, const yoke::stream<Port>& stream) {
  std::vector<typename std::remove_cvref_t<Memory>::value_type> values(memory.size());
  yoke::copy(memory, values, stream);
  return values;
}

/// Effects: runs `act`, which must throw `Error` with this condition. Returns: what it says.
template <class Error, class Act>
std::string refusal(yoke::errc condition, Act&& act) {
  try {
    act();
  } catch (const Error& e) {
    CHECK(e.code() == condition);
    return e.what();
  } catch (const std::exception& e) {
    FAIL_CHECK("threw another class: " << e.what());
    return e.what();
  }
  FAIL_CHECK("threw nothing");
  return "";
}

}  // namespace yoke_test

#endif

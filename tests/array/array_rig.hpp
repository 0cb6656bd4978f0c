// SPDX-License-Identifier: MIT
// What the tests of arrays share.
#ifndef YOKE_TESTS_ARRAY_ARRAY_RIG_HPP
#define YOKE_TESTS_ARRAY_ARRAY_RIG_HPP

#include <array/geometry/layout_model.hpp>
#include <support/devices/any_context.hpp>
#include <support/rig.hpp>
#include <yoke/array.hpp>

#include <cstring>
#include <memory>
#include <random>
#include <string_view>

namespace yoke_test::arrays {

using array_model::dice;
using array_model::model;

/// Returns: a device whose contexts are used again once they are free: PoCL's first compilation in one takes half a second.
inline yoke::device<> sparing_contexts(const yoke::device<>& on) {
  if (on.backend_name() != std::string_view("opencl")) return on;
  static const auto table = thrifty(*yoke::opencl::port().table());
  return any_device_of(opencl_device::borrow(yoke::opencl::port(&table), yoke::as_opencl(on).native_handle()));
}

/// A context and a stream of the port that is chosen at run time, which users get. Tests that count driver calls, or need a
/// backend's own types, have a `rig`; each of these tests compiles once, not once for each backend.
struct any_rig {
  explicit any_rig(const yoke::device<>& on) : context(sparing_contexts(on)), stream(context) {}
  yoke::context<> context;
  yoke::stream<> stream;
};

/// The same through the interposer of the device's backend, which counts the calls.
struct counting_rig {
  explicit counting_rig(const yoke::device<>& on)
      : opencl(on.backend_name() == std::string_view("opencl")
                   ? std::make_unique<rig<opencl_backend>>(yoke::as_opencl(on))
                   : nullptr),
        cuda(opencl == nullptr ? std::make_unique<rig<cuda_backend>>(yoke::as_cuda(on)) : nullptr),
        context(opencl == nullptr ? any_context(*cuda) : any_context(*opencl)),
        stream(context) {}
  /// Returns: where the log of calls ends now.
  [[nodiscard]] std::size_t mark() const { return opencl == nullptr ? cuda->driver.mark() : opencl->driver.mark(); }
  /// Returns: how many calls of the log since `mark` enqueue something.
  [[nodiscard]] std::size_t enqueued(std::size_t mark) const {
    return opencl == nullptr ? cuda->enqueued(mark) : opencl->enqueued(mark);
  }
  std::unique_ptr<rig<opencl_backend>> opencl;
  std::unique_ptr<rig<cuda_backend>> cuda;
  yoke::context<> context;
  yoke::stream<> stream;
};

/// Returns: elements of random bits, none of them NaN.
template <class T>
std::vector<T> random_values(std::size_t size) {
  static std::mt19937_64 engine{std::random_device{}()};
  std::vector<T> values(size);
  for (T& each : values) each = static_cast<T>(static_cast<std::int64_t>(engine() % 20'001) - 10'000);
  return values;
}

/// Returns: the only member of each row of choices, as an expression that calculates them all in one kernel: compiling is what
/// takes time.
template <class K, class Last>
auto chosen(const K&, int, const Last& last) {
  return last;
}
template <class K, class First, class... Rest>
auto chosen(const K& k, int at, const First& first, const Rest&... rest) {
  return where(k == at, first, chosen(k, at + 1, rest...));
}

}  // namespace yoke_test::arrays

#endif

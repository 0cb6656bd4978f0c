// SPDX-License-Identifier: MIT
// A memory resource as a program may write one, which counts, and fails when told.
#ifndef YOKE_TESTS_MEMORY_COUNTING_RESOURCE_HPP
#define YOKE_TESTS_MEMORY_COUNTING_RESOURCE_HPP

#include <support/rig.hpp>

#include <yoke/memory/memory_pool.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace yoke_test {

template <class Backend>
using pool_of = yoke::memory_pool<typename Backend::port>;

/// The driver's memory, counted; fails when told.
template <class Port>
class counting_resource final : public yoke::memory_resource<Port> {
 public:
  using typename yoke::memory_resource<Port>::native_type;
  using typename yoke::memory_resource<Port>::native_stream;

  explicit counting_resource(const yoke::context<Port>& in) : from_(in) {}
  [[nodiscard]] const yoke::context<Port>& context_of() const noexcept override { return from_.context_of(); }
  [[nodiscard]] native_type allocate(std::size_t bytes, const yoke::stream<Port>& order,
                                     const yoke::source_location& where) override {
    ++asked;
    if (fails && fails()) throw yoke::memory_error(make_error_code(yoke::errc::out_of_memory), "test", "none", where);
    if (live_bytes + bytes > room) {
      throw yoke::memory_error(make_error_code(yoke::errc::out_of_memory), "test", "the toy driver is full", where);
    }
    const native_type made = from_.allocate(bytes, order, where);
    const std::lock_guard lock(mutex);
    live_bytes += bytes;
    ++live;
    return made;
  }
  void deallocate(native_type memory, std::size_t bytes, native_stream order,
                  std::span<const native_stream> uses) noexcept override {
    {
      const std::lock_guard lock(mutex);
      live_bytes -= bytes;
      --live;
      last_order = order;
      last_uses = uses.size();
    }
    from_.deallocate(memory, bytes, order, uses);
  }

  [[nodiscard]] bool frees_in_order() const noexcept override { return in_order; }

  std::mutex mutex;
  std::atomic<std::size_t> asked{0};
  std::atomic<std::size_t> live_bytes{0};
  std::size_t live = 0;
  std::size_t room = ~std::size_t{0};
  native_stream last_order{};
  std::size_t last_uses = 0;
  bool in_order = false;
  std::function<bool()> fails;

 private:
  yoke::deferred_allocator<Port> from_;
};

}  // namespace yoke_test

#endif

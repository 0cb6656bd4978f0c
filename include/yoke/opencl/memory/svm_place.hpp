// SPDX-License-Identifier: MIT
// Copies and fills of boxes of shared virtual memory, and their kernel argument.
#ifndef YOKE_OPENCL_MEMORY_SVM_PLACE_HPP
#define YOKE_OPENCL_MEMORY_SVM_PLACE_HPP

#include <yoke/memory/fill.hpp>
#include <yoke/opencl/names.hpp>

#include <span>
#include <vector>

namespace yoke::inline v0_1 {
template <class Port>
struct image_place;
}

namespace yoke::inline v0_1::opencl {

/// Shared virtual memory at an address that host and device share. Copies between it and host memory run row by row;
/// copies between it and a buffer or an image map it, copy it as host memory, and unmap it.
struct svm_place {
  using port = opencl::port;
  template <class T>
  using location = T*;
  using done_type = completion<abi::event>;
  static constexpr bool on_host = false;
  static constexpr bool notes_uses = true;   // shared memory is freed after the streams that use it
  static constexpr bool is_recorded = true;  // graphs record its copies and fills,
  static constexpr bool is_called = true;    // as calls of its own
  template <class Other>
  static constexpr bool copies_with =
      std::same_as<Other, svm_place> || std::same_as<Other, device_place<opencl::port>> ||
      std::same_as<Other, image_place<opencl::port>>;

  [[nodiscard]] static std::size_t first(const void*) noexcept { return 0; }
  [[nodiscard]] static bool share_base(const port&, const void* from, const void* to, std::uintptr_t& from_base,
                                       std::uintptr_t& to_base) noexcept {
    from_base = reinterpret_cast<std::uintptr_t>(from);
    to_base = reinterpret_cast<std::uintptr_t>(to);
    return true;
  }
  template <class Source, class Destination>
  static void copy(const port& with, abi::queue queue, const Source& source, const Destination& destination,
                   const copy_plan& plan, done_type done, const source_location& where) {
    if constexpr (needs_map<typename Source::place> || needs_map<typename Destination::place>) {
      through_map(with, queue, source, destination, plan, done, where);
    } else {
      by_rows(with, queue, source, destination, plan, done, where);
    }
  }
  template <class T>
  static void fill(const port& with, abi::queue queue, T* at, std::size_t first, std::size_t count, const T& value,
                   const source_location& where) {
    with.svm_fill(queue, at + first, &value, sizeof(T), count, where);
  }
  /// Returns: a node of the copy: a launch calls `copy`.
  template <class Source, class Destination>
  static recorded_node* record_copy(const port& with, recorded_graph* within, std::span<recorded_node* const> after,
                                    const Source& source, const Destination& destination, const copy_plan& plan,
                                    const source_location& where) {
    std::vector<abi::memory> holds;
    hold(holds, source);
    hold(holds, destination);
    return record(
        with, within, after, holds,
        [with, source, destination, plan](abi::queue queue, const source_location& at) {
          copy(with, queue, source, destination, plan, done_type::unwatched(), at);
        },
        where);
  }
  /// As above, for a fill.
  template <class Side, class T>
  static recorded_node* record_fill(const port& with, recorded_graph* within, std::span<recorded_node* const> after,
                                    const Side& to, const T& value, const source_location& where) {
    return record(
        with, within, after, {},
        [with, at = to.at, box = to.layout(), value](abi::queue queue, const source_location& place) {
          const auto run = [&](std::size_t first, std::size_t count) {
            fill(with, queue, at, first, count, value, place);
          };
          if (yoke::detail::dense(box)) return run(box.offset, yoke::detail::volume(box));
          yoke::detail::for_each_row(box, run);
        },
        where);
  }
  [[nodiscard]] static memory_argument<port> argument(const void* at) noexcept {
    return {.address = at, .by_address = true};
  }

 private:
  template <class Run>
  class call final : public recorded_call {
   public:
    explicit call(Run run) : run_(std::move(run)) {}
    void run(abi::queue queue, const source_location& where) const override { run_(queue, where); }

   private:
    Run run_;
  };
  template <class Run>
  static recorded_node* record(const port& with, recorded_graph* within, std::span<recorded_node* const> after,
                               std::span<const abi::memory> holds, Run run, const source_location& where) {
    return with.record_call(within, after, yoke::detail::make_shared<const call<Run>>(std::move(run)), holds, where);
  }
  template <class Side>
  static void hold(std::vector<abi::memory>& list, const Side& side) {
    if constexpr (requires { side.at.memory; }) list.push_back(side.at.memory);
    if constexpr (requires { side.at.image; }) list.push_back(side.at.image);
  }

  template <class Other>
  static constexpr bool needs_map = !Other::on_host && !std::same_as<Other, svm_place>;

  template <class Source, class Destination>
  static void by_rows(const port& with, abi::queue queue, const Source& source, const Destination& destination,
                      const copy_plan& plan, done_type done, const source_location& where) {
    const std::size_t rows = plan.one_row ? 1 : plan.source.height;
    const std::size_t slices = plan.one_row ? 1 : plan.source.depth;
    const std::size_t bytes =
        (plan.one_row ? yoke::detail::volume(plan.source) : plan.source.width) * sizeof(typename Source::element);
    for (std::size_t i = 0; i < rows * slices; ++i) {
      const std::size_t row = i % rows;
      const std::size_t slice = i / rows;
      const auto at = [&](const box_layout& box) { return box.offset + slice * box.slice_pitch + row * box.row_pitch; };
      with.svm_copy(queue, destination.at + at(plan.destination), source.at + at(plan.source), bytes,
                    i + 1 == rows * slices ? done : done_type::unwatched(), where);
    }
  }

  /// Returns: mapped memory as an operand of a copy.
  template <class T>
  static memory_side<pagelocked_place<port>, T> as_host(const memory_side<svm_place, T>& side) noexcept {
    return {.at = side.at, .size = side.size, .context = side.context};
  }

  template <class Source, class Destination>
  static void through_map(const port& with, abi::queue queue, const Source& source, const Destination& destination,
                          const copy_plan& plan, done_type done, const source_location& where) {
    constexpr bool to_svm = std::same_as<typename Destination::place, svm_place>;
    void* address = nullptr;
    std::size_t bytes = 0;
    if constexpr (to_svm) {
      address = destination.at;
      bytes = destination.size * sizeof(typename Destination::element);
    } else {
      address = const_cast<std::remove_const_t<typename Source::element>*>(source.at);
      bytes = source.size * sizeof(typename Source::element);
    }
    with.svm_map(queue, address, bytes, to_svm ? map_mode::read_write : map_mode::read, false, where);
    struct unmap_it {
      const port& with;
      abi::queue queue;
      void* address;
      ~unmap_it() { yoke::detail::report_release(with, with.svm_unmap(queue, address)); }
    };
    {
      const unmap_it guard{with, queue, address};
      if constexpr (to_svm) {
        Source::place::copy(with, queue, source, as_host(destination), plan, done_type::unwatched(), where);
      } else {
        Destination::place::copy(with, queue, as_host(source), destination, plan, done_type::unwatched(), where);
      }
    }
    // The data is complete only after the unmapping, so the event follows that.
    if (!done.blocks() && !done.wanted()) return;
    const abi::event behind = with.record(queue, {}, where);
    if (done.wanted()) return done.give(behind);
    const auto release_it = [&] { yoke::detail::report_release(with, with.release_event(behind)); };
    try {
      with.wait(behind, where);
    } catch (...) {
      release_it();
      throw;
    }
    release_it();
  }
};

}  // namespace yoke::inline v0_1::opencl

#endif

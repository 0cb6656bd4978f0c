// SPDX-License-Identifier: MIT
// How boxes of shared virtual memory are copied and filled, and what a kernel gets.
#ifndef YOKE_OPENCL_SVM_PLACE_HPP
#define YOKE_OPENCL_SVM_PLACE_HPP

#include <yoke/opencl/names.hpp>

namespace yoke::inline YOKE_ABI {
template <class Port>
struct image_place;
}

namespace yoke::inline YOKE_ABI::opencl {

/// Shared virtual memory, behind an address that host and device share. Copies between it and host memory run row by row;
/// those between it and a buffer or an image map it, copy it as host memory, and unmap it behind.
struct svm_place {
  using port = opencl::port;
  template <class T>
  using location = T*;
  using done_type = completion<abi::event>;
  static constexpr bool on_host = false;
  static constexpr bool notes_uses = true;  // shared memory is freed behind the streams that use it
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
  [[nodiscard]] static memory_argument<port> argument(const void* at) noexcept {
    return {.address = at, .by_address = true};
  }

 private:
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

  /// Returns: mapped memory as a side of a copy.
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
    // The data is complete only once it is unmapped, so the event stands behind that.
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

}  // namespace yoke::inline YOKE_ABI::opencl

#endif

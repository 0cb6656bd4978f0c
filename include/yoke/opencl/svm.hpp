// SPDX-License-Identifier: MIT
// Shared virtual memory with its grain in the type: coarse memory must be mapped, fine memory need not.
#ifndef YOKE_OPENCL_SVM_HPP
#define YOKE_OPENCL_SVM_HPP

#include <yoke/opencl/map.hpp>

namespace yoke::inline YOKE_ABI::opencl {

/// The grains of shared virtual memory.
namespace svm {
struct coarse {};       ///< the host maps it
struct fine {};         ///< the host uses it as it is, between commands
struct fine_atomics {}; ///< host and device use it at once, through atomics
}  // namespace svm

template <class Kind>
concept svm_kind =
    std::same_as<Kind, svm::coarse> || std::same_as<Kind, svm::fine> || std::same_as<Kind, svm::fine_atomics>;

namespace detail {

/// A block of SVM; owners, transfers and mapped views share it.
class svm_block {
 public:
  svm_block(const context& in, std::size_t bytes, std::size_t alignment, bool fine, bool atomics,
            const source_location& where)
      : context_(in), maps_(std::make_shared<std::atomic<int>>(0)) {
    address_ = in.port(where).svm_allocate(in.native_handle(), bytes, alignment, fine, atomics, where);
  }
  svm_block(const svm_block&) = delete;
  svm_block& operator=(const svm_block&) = delete;
  ~svm_block() {
    const port& with = context_.state().port;
    if (stream_.native_handle() == nullptr) {
      context_.report(with.svm_free(context_.get().native_handle(), address_));
    } else {
      context_.report(with.svm_free_ordered(context_.get().native_handle(), address_, stream_.native_handle(), uses_.natives()));
    }
  }
  /// Effects: from now on the block is freed in the stream's order.
  void order_by(yoke::detail::retained_stream<port>&& order) noexcept { stream_ = std::move(order); }
  void record_use(const stream& order, const source_location& where) {
    if (order.native_handle() == stream_.native_handle()) return;
    uses_.add(order, where);
  }
  [[nodiscard]] bool ordered() const noexcept { return stream_.native_handle() != nullptr; }
  [[nodiscard]] void* address() const noexcept { return address_; }
  [[nodiscard]] yoke::detail::map_count& maps() noexcept { return maps_; }

 private:
  yoke::detail::context_reference<port> context_;
  yoke::detail::map_count maps_;
  yoke::detail::retained_stream<port> stream_;
  yoke::detail::stream_uses<port> uses_;
  void* address_ = nullptr;
};

class svm_mapping final : public mapping {
 public:
  svm_mapping(std::shared_ptr<svm_block> block, const stream& order, std::size_t bytes, map_mode mode,
              const source_location& where)
      : stream_(order, where), block_(std::move(block)), counted_(block_->maps()) {
    order.context_of().port(where).svm_map(order.native_handle(), block_->address(), bytes, mode, true, where);
    context_ = order.context_of();
  }
  ~svm_mapping() override {
    context_.report(context_.state().port.svm_unmap(stream_.native_handle(), block_->address()));
  }

 private:
  yoke::detail::context_reference<port> context_{};
  yoke::detail::retained_stream<port> stream_;
  std::shared_ptr<svm_block> block_;
  counted_map counted_;
};

}  // namespace detail

/// `size()` elements of shared virtual memory, uninitialised. Move-only.
///
/// `{ctx, n, stream}` is freed in that stream's order; streams that use it besides are declared with `record_use`.
/// `{ctx, n}` is freed at once: the caller has waited for everything that uses it. No elements are legal and cost no
/// driver call. Fine memory is a contiguous range for the host; coarse memory is one only while mapped.
/// Thread safety: one non-const handle from one thread at a time.
template <class T, svm_kind Kind>
class svm_allocation {
 public:
  static_assert(device_element<T>, "shared virtual memory holds trivially copyable, non-pointer, non-const types");
  using element_type = T;
  using value_type = T;
  using port_type = port;
  using native_type = void*;
  static constexpr bool is_fine = !std::same_as<Kind, svm::coarse>;
  static constexpr const char* noun = "SVM allocation";

  svm_allocation() noexcept = default;
  /// Throws: `unsupported_error` where a device of the context lacks the grain; `memory_error`; `logic_error` for a count
  /// that is negative or too large. Wraps `clSVMAlloc`, `clSVMFree`.
  template <integer Count>
  svm_allocation(const context& in, Count count, const source_location& where = source_location::current())
      : context_(in), size_(yoke::detail::element_count(count, sizeof(T), where)) {
    check_support(in, where);
    if (size_ == 0) return;
    block_ = std::make_shared<detail::svm_block>(in, size_bytes(), alignof(T), is_fine,
                                                 std::same_as<Kind, svm::fine_atomics>, where);
  }
  /// Throws: as above. Wraps `clSVMAlloc`, `clEnqueueSVMFree`.
  template <integer Count>
  svm_allocation(const context& in, Count count, const stream& order,
                 const source_location& where = source_location::current()) {
    if (!(order.context_of() == in)) {
      yoke::detail::throw_error(errc::wrong_context, "the stream is empty or of another context", where);
    }
    yoke::detail::retained_stream<port> kept(order, where);
    svm_allocation plain(in, count, where);
    if (plain.block_) plain.block_->order_by(std::move(kept));
    swap(plain);
  }
  svm_allocation(svm_allocation&& other) noexcept { swap(other); }
  svm_allocation& operator=(svm_allocation&& other) noexcept {
    if (this != &other) {
      reset();
      swap(other);
    }
    return *this;
  }
  ~svm_allocation() = default;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  /// The address, the same on host and device; null when there are no elements.
  [[nodiscard]] T* native_handle() const noexcept { return block_ ? static_cast<T*>(block_->address()) : nullptr; }
  [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }
  [[nodiscard]] const context& context_of() const noexcept { return context_.get(); }

  // Fine memory is a host range as it is. Requires: no command that writes it is running.
  [[nodiscard]] T* data() const noexcept
    requires is_fine
  {
    return native_handle();
  }
  [[nodiscard]] T* begin() const noexcept
    requires is_fine
  {
    return native_handle();
  }
  [[nodiscard]] T* end() const noexcept
    requires is_fine
  {
    return native_handle() + size_;
  }
  [[nodiscard]] T& operator[](std::size_t index) const noexcept
    requires is_fine
  {
    return native_handle()[index];
  }

  /// Maps the memory for the host, behind the stream's earlier commands; waits until the data is there.
  /// Throws: `logic_error` when empty or of another context; `error`. Wraps `clEnqueueSVMMap`, `clEnqueueSVMUnmap`.
  template <map_mode Mode>
  [[nodiscard]] mapped_view<detail::mapped_element<T, Mode>> map(
      const stream& order, map_tag<Mode>, const source_location& where = source_location::current()) {
    check(order, where);
    if (!block_) return {};
    auto mapping = std::make_unique<detail::svm_mapping>(block_, order, size_bytes(), Mode, where);
    return {native_handle(), size_, std::move(mapping)};
  }
  /// Declares that work on another stream uses this memory, so that a stream-ordered free comes after it.
  /// Throws: `logic_error` when empty, of another context, or not freed in a stream's order; `std::bad_alloc`.
  void record_use(const stream& order, const source_location& where = source_location::current()) {
    check(order, where);
    if (!block_) return;
    if (!block_->ordered()) {
      yoke::detail::throw_error(errc::invalid_argument,
                                "this memory is freed at once, not in a stream's order: make it with {ctx, n, stream}", where);
    }
    block_->record_use(order, where);
  }

  void reset() noexcept {
    block_.reset();
    size_ = 0;
    context_ = {};
  }
  void swap(svm_allocation& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(size_, other.size_);
    std::swap(block_, other.block_);
  }
  friend void swap(svm_allocation& left, svm_allocation& right) noexcept { left.swap(right); }

  // For copies, fills and launches.
  [[nodiscard]] const std::shared_ptr<detail::svm_block>& block() const noexcept { return block_; }

 private:
  static void check_support(const context& in, const source_location& where) {
    for (const device& each : in.devices(where)) {
      const svm_support support = each.port().svm(each.native_handle(), where);
      const bool has = std::same_as<Kind, svm::coarse> ? support.coarse
                       : std::same_as<Kind, svm::fine> ? support.fine
                                                       : support.fine && support.atomics;
      if (!has) {
        yoke::detail::throw_error(errc::unsupported,
                                  each.name(where) + " has no " +
                                      (is_fine ? std::same_as<Kind, svm::fine> ? "fine-grained" : "fine-grained, atomic"
                                               : "coarse-grained") +
                                      " shared virtual memory",
                                  where);
      }
    }
  }
  void check(const stream& order, const source_location& where) const {
    if (!context_.get()) {
      yoke::detail::throw_error(errc::empty_handle, "this SVM allocation is empty (moved from or never set)", where);
    }
    if (!(order.context_of() == context_.get())) {
      yoke::detail::throw_error(errc::wrong_context, "the stream is empty or of another context than the SVM allocation",
                                where);
    }
  }

  yoke::detail::context_reference<port> context_;
  std::size_t size_ = 0;
  std::shared_ptr<detail::svm_block> block_;
};

template <class T, class Kind>
auto side_of(svm_allocation<T, Kind>& allocation) noexcept {
  yoke::detail::copy_side<yoke::detail::side_kind::svm, T, port> side;
  side.address = allocation.native_handle();
  side.size = allocation.size();
  side.context = allocation.context_of().native_handle();
  if (allocation.block()) side.maps = &allocation.block()->maps();
  side.keep_alive = allocation.block();
  return side;
}
template <class T, class Kind>
auto side_of(const svm_allocation<T, Kind>& allocation) noexcept {
  yoke::detail::copy_side<yoke::detail::side_kind::svm, const T, port> side;
  side.address = allocation.native_handle();
  side.size = allocation.size();
  side.context = allocation.context_of().native_handle();
  if (allocation.block()) side.maps = &allocation.block()->maps();
  side.keep_alive = allocation.block();
  return side;
}

}  // namespace yoke::inline YOKE_ABI::opencl

namespace yoke::inline YOKE_ABI::detail {

/// Copies in which SVM takes part: SVM and host memory by SVM copies row by row; SVM and buffers by mapping the SVM, so
/// that the buffer's own copies may treat it as host memory, and unmapping it behind them.
template <class Source, class Destination>
struct svm_copier<opencl::port, Source, Destination> {
  using port = opencl::port;
  using queue = opencl::abi::queue;
  using event = opencl::abi::event;

  static void enqueue(const port& with, queue stream, const Source& source, const Destination& destination,
                      const copy_plan& plan, event* done, const source_location& where) {
    if constexpr (Source::kind == side_kind::memory || Destination::kind == side_kind::memory) {
      through_map(with, stream, source, destination, plan, done, where);
    } else {
      by_rows(with, stream, source, destination, plan, done, where);
    }
  }

 private:
  static void by_rows(const port& with, queue stream, const Source& source, const Destination& destination,
                      const copy_plan& plan, event* done, const source_location& where) {
    const std::size_t rows = plan.one_row ? 1 : plan.source.height;
    const std::size_t slices = plan.one_row ? 1 : plan.source.depth;
    const std::size_t bytes = (plan.one_row ? volume(plan.source) : plan.source.width) * sizeof(typename Source::element);
    for (std::size_t slice = 0; slice < slices; ++slice) {
      for (std::size_t row = 0; row < rows; ++row) {
        const auto at = [&](const box_layout& box) { return box.offset + slice * box.slice_pitch + row * box.row_pitch; };
        const bool last = slice + 1 == slices && row + 1 == rows;
        event passing = nullptr;
        with.svm_copy(stream, destination.address + at(plan.destination), source.address + at(plan.source), bytes,
                      last ? done : &passing, where);
        if (passing != nullptr) (void)with.release_event(passing);
      }
    }
  }

  static void through_map(const port& with, queue stream, const Source& source, const Destination& destination,
                          const copy_plan& plan, event* done, const source_location& where) {
    constexpr bool to_svm = Destination::kind == side_kind::svm;
    void* address = nullptr;
    std::size_t bytes = 0;
    if constexpr (to_svm) {
      address = destination.address;
      bytes = destination.size * sizeof(typename Destination::element);
    } else {
      address = const_cast<std::remove_const_t<typename Source::element>*>(source.address);
      bytes = source.size * sizeof(typename Source::element);
    }
    with.svm_map(stream, address, bytes, to_svm ? map_mode::read_write : map_mode::read, false, where);
    struct unmap_it {
      const port& with;
      queue stream;
      void* address;
      ~unmap_it() {
        const release_result result = with.svm_unmap(stream, address);
        if (result.code != 0) report_cleanup_failure(with.error_code(result.code), result.call);
      }
    };
    {
      const unmap_it guard{with, stream, address};
      event passing = nullptr;
      enqueue_boxes(with, stream, source, destination, plan, &passing, where);
      if (passing != nullptr) (void)with.release_event(passing);
    }
    // The data is the host's only once it is unmapped, so the event stands behind that.
    const event behind = with.record(stream, {}, where);
    if (done != nullptr) {
      *done = behind;
      return;
    }
    const auto release_it = [&] { (void)with.release_event(behind); };
    try {
      with.wait(behind, where);
    } catch (...) {
      release_it();
      throw;
    }
    release_it();
  }
};

}  // namespace yoke::inline YOKE_ABI::detail

#endif

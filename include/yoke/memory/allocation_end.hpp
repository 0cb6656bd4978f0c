// SPDX-License-Identifier: MIT
// How device memory is freed: in which stream's order, behind which other streams, and to which source.
#ifndef YOKE_MEMORY_ALLOCATION_END_HPP
#define YOKE_MEMORY_ALLOCATION_END_HPP

#include <yoke/execution/stream.hpp>
#include <yoke/memory/map_count.hpp>
#include <yoke/memory/memory_resource.hpp>

#include <optional>
#include <span>
#include <vector>

namespace yoke::inline v0_1 {
template <class T, class Port>
class device_allocation;
}

namespace yoke::inline v0_1::detail {

/// Where arrays get their memory instead of from their context's own pool. The stream handles of the arrays share it
/// and keep it alive.
/// Thread safety: safe.
template <class Port>
class memory_source : public shared_count {
 public:
  memory_source(const memory_source&) = delete;
  memory_source& operator=(const memory_source&) = delete;
  /// Returns: uninitialised memory, allocated and freed in a stream's order. Throws: as `device_allocation`.
  [[nodiscard]] virtual device_allocation<std::byte, Port> allocate(std::size_t bytes, const stream<Port>& order,
                                                                    const source_location& where) = 0;

 protected:
  /// `with` destroys the source.
  explicit memory_source(ending with) noexcept : shared_count(with) {}
  ~memory_source() = default;
};

/// A memory resource as a source.
template <class Port, memory_resource_pointer<Port> Resource>
class resource_source final : public memory_source<Port> {
 public:
  explicit resource_source(const Resource& resource) : memory_source<Port>(&destroy), resource_(resource) {}
  /// Returns: the only share of a new source. Throws: `std::bad_alloc`.
  [[nodiscard]] static shared<memory_source<Port>> make(const Resource& resource) {
    auto* const made = new resource_source(resource);
    return {made, made};
  }
  [[nodiscard]] device_allocation<std::byte, Port> allocate(std::size_t bytes, const stream<Port>& order,
                                                            const source_location& where) override {
    return {resource_, bytes, order, where};
  }

 private:
  static void destroy(shared_count* count) noexcept { delete static_cast<resource_source*>(count); }
  const Resource resource_;
};

/// A reference to a native stream, which may outlive the stream's handle.
template <class Port>
class retained_stream {
 public:
  retained_stream() noexcept = default;
  retained_stream(const stream<Port>& stream, const source_location& where) {
    const auto native = stream.native_handle();
    if (native == typename Port::stream_handle{}) throw_empty_handle("stream", where);
    retain(context_view<Port>(stream.context_of().state(where)), native, where);
  }
  /// The same for a native stream. Requires: `native` is not null.
  retained_stream(const context_view<Port>& in, typename Port::stream_handle native, const source_location& where) {
    retain(in, native, where);
  }
  retained_stream(retained_stream&& other) noexcept
      : context_(other.context_), native_(std::exchange(other.native_, {})) {}
  retained_stream& operator=(retained_stream&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(native_, other.native_);
    return *this;
  }
  ~retained_stream() {
    if (native_ != typename Port::stream_handle{}) context_->release_stream(native_);
  }
  [[nodiscard]] typename Port::stream_handle native_handle() const noexcept { return native_; }

 private:
  void retain(const context_view<Port>& in, typename Port::stream_handle native, const source_location& where) {
    context_.emplace(in);
    in.port.retain_stream(native, where);
    native_ = native;
  }

  std::optional<context_view<Port>> context_;
  typename Port::stream_handle native_{};
};

/// The streams that use a block, which is freed behind the work of all of them.
template <class Port>
class stream_uses {
 public:
  void add(const stream<Port>& stream, const source_location& where) {
    if (has(stream.native_handle())) return;
    keep(retained_stream<Port>(stream, where));
  }
  void add(const context_view<Port>& in, typename Port::stream_handle native, const source_location& where) {
    if (has(native)) return;
    keep(retained_stream<Port>(in, native, where));
  }
  /// Throws: `std::bad_alloc`; then drops the reference to the stream.
  void keep(retained_stream<Port> stream) {
    natives_.reserve(natives_.size() + 1);
    streams_.push_back(std::move(stream));
    natives_.push_back(streams_.back().native_handle());
  }
  /// Effects: drops the streams for which `is_over(native)` is true.
  template <class Predicate>
  void drop_if(Predicate&& is_over) {
    for (std::size_t i = natives_.size(); i-- > 0;) {
      if (!is_over(natives_[i])) continue;
      natives_.erase(natives_.begin() + static_cast<std::ptrdiff_t>(i));
      streams_.erase(streams_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  [[nodiscard]] std::span<const typename Port::stream_handle> natives() const noexcept { return natives_; }

 private:
  [[nodiscard]] bool has(typename Port::stream_handle native) const noexcept {
    for (const auto each : natives_) {
      if (each == native) return true;
    }
    return false;
  }

  std::vector<retained_stream<Port>> streams_;
  std::vector<typename Port::stream_handle> natives_;
};

template <class Port>
struct allocation_facts;
template <class Port>
class device_block;
template <class Port, class Kind>
class pool_handles;

/// The rarely needed facts of an allocation: other streams that use it, and a source other than the driver.
template <class Port>
class allocation_extra {
 public:
  allocation_extra() = default;
  allocation_extra(const allocation_extra&) = delete;
  allocation_extra& operator=(const allocation_extra&) = delete;
  virtual ~allocation_extra() = default;
  /// Effects: gives the memory back to its source, which may take over the context reference and the count of views.
  /// Returns: false if the source is the driver, which the caller then frees it with.
  virtual bool give_back(context_reference<Port>&, allocation_facts<Port>&, typename Port::memory_handle) noexcept {
    return false;
  }
  /// Effects: called when the handle ends, after `give_back` if the memory was given back.
  virtual void end() noexcept { delete this; }
  /// Whether the memory is still freed in this stream's order. Requires: the allocation has the same native stream.
  [[nodiscard]] virtual bool is_ordered_by(const stream<Port>&) const noexcept { return true; }
  /// Returns: the source for arrays that are made from this memory; null: their context's own pool. Throws:
  /// `std::bad_alloc`.
  [[nodiscard]] virtual shared<memory_source<Port>> source() const { return {}; }
  /// Throws: `unsupported_error` if the source cannot free memory behind this stream's work.
  virtual void check_use(const stream<Port>&, const source_location&) const {}

  stream_uses<Port> uses;
};

/// Memory from a program's `memory_resource`.
template <class Port>
class resource_allocation final : public allocation_extra<Port> {
 public:
  resource_allocation(memory_resource<Port>& from, shared<const void> keeps, std::size_t bytes) noexcept
      : from_(from), keeps_(std::move(keeps)), bytes_(bytes) {}
  bool give_back(context_reference<Port>&, allocation_facts<Port>& facts,
                 typename Port::memory_handle native) noexcept override {
    from_.deallocate(native, bytes_, facts.end.stream(), this->uses.natives());
    return true;
  }
  [[nodiscard]] shared<memory_source<Port>> source() const override {
    if (!from_.serves_arrays()) return {};
    shared<const void> kept = keeps_;
    using resource = shared<memory_resource<Port>>;
    return resource_source<Port, resource>::make(resource(&from_, kept.give_up()));
  }

 private:
  memory_resource<Port>& from_;
  shared<const void> keeps_;
  std::size_t bytes_;
};

/// The facts that freeing an allocation needs besides its context. For a stream-ordered allocation these include the
/// native stream, kept alive by the handle's context reference or by a reference of its own.
template <class Port>
class allocation_end {
 public:
  using native_stream = typename Port::stream_handle;

  allocation_end() noexcept = default;
  /// Throws: `error`. Requires: a stream that is not empty, whose origin is the handle's context reference.
  allocation_end(const stream<Port>& order, const source_location& where) : stream_(order.native_handle()) {
    if (order.origin().keeps_stream()) return;
    const context_state<Port>& in = *order.context_of().shared();
    in.port.retain_stream(stream_, where);
    retained_in_ = &in;
  }
  /// For memory that goes back to the source of `extra`, which keeps the stream alive.
  allocation_end(allocation_extra<Port>& extra, native_stream order) noexcept : extra_(&extra), stream_(order) {}
  allocation_end(allocation_end&& other) noexcept
      : extra_(std::exchange(other.extra_, nullptr)),
        stream_(std::exchange(other.stream_, {})),
        retained_in_(std::exchange(other.retained_in_, nullptr)) {}
  allocation_end& operator=(allocation_end&& other) noexcept {
    std::swap(extra_, other.extra_);
    std::swap(stream_, other.stream_);
    std::swap(retained_in_, other.retained_in_);
    return *this;
  }
  ~allocation_end() {
    if (extra_ != nullptr) extra_->end();
    if (retained_in_ != nullptr) retained_in_->release_stream(stream_);
  }

  /// The stream in whose order the memory is freed; null for a plain allocation.
  [[nodiscard]] native_stream stream() const noexcept { return stream_; }
  void add_use(const yoke::stream<Port>& of, const source_location& where) {
    if (extra_ == nullptr) extra_ = new allocation_extra<Port>;
    extra_->check_use(of, where);
    extra_->uses.add(of, where);
  }
  [[nodiscard]] std::span<const native_stream> uses() const noexcept {
    return extra_ == nullptr ? std::span<const native_stream>{} : extra_->uses.natives();
  }
  /// Whether the memory is freed in this stream's order, so that it needs no `add_use`.
  [[nodiscard]] bool is_ordered_by(const yoke::stream<Port>& of) const noexcept {
    return of.native_handle() == stream_ && (extra_ == nullptr || extra_->is_ordered_by(of));
  }
  void set_extra(allocation_extra<Port>* extra) noexcept { extra_ = extra; }
  [[nodiscard]] allocation_extra<Port>* extra() const noexcept { return extra_; }

 private:
  allocation_extra<Port>* extra_ = nullptr;
  native_stream stream_{};
  const context_state<Port>* retained_in_ = nullptr;  // null unless retained; the handle keeps the context
};

/// The size of an allocation, the count of views that map it (null if mapping is impossible), and how it is freed.
template <class Port>
struct allocation_facts {
  std::size_t size = 0;  // elements
  map_count maps{};
  allocation_end<Port> end{};

  /// Effects: gives the memory back to its source. Returns: false if the source is the driver.
  [[nodiscard, gnu::always_inline]] bool give_back(context_reference<Port>& in,
                                                   typename Port::memory_handle native) noexcept {
    return end.extra() != nullptr && end.extra()->give_back(in, *this, native);
  }
};

}  // namespace yoke::inline v0_1::detail

#endif

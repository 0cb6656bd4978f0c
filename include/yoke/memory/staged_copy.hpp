// SPDX-License-Identifier: MIT
// Staged copies: large copies of pageable host memory through page-locked blocks that several threads fill or empty.
#ifndef YOKE_MEMORY_STAGED_COPY_HPP
#define YOKE_MEMORY_STAGED_COPY_HPP

#include <yoke/execution/stream.hpp>
#include <yoke/memory/device_place.hpp>

#include <new>
#include <optional>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {

/// How one copy is divided into pieces. Piece `i` uses block `i % blocks`.
struct staging_plan {
  std::size_t bytes = 0;
  std::size_t block_bytes = 0;
  std::size_t blocks = 0;
  unsigned threads = 0;  // 0: the copy is not staged

  [[nodiscard]] std::size_t pieces() const noexcept { return (bytes + block_bytes - 1) / block_bytes; }
  [[nodiscard]] std::size_t offset(std::size_t piece) const noexcept { return piece * block_bytes; }
  [[nodiscard]] std::size_t size(std::size_t piece) const noexcept {
    const std::size_t left = bytes - offset(piece);
    return left < block_bytes ? left : block_bytes;
  }
};

/// The driver's part of a staged copy. Only the thread that called the copy uses it.
class staging_driver {
 public:
  /// Effects: enqueues the transfer of a piece between its block and device memory, and records an event behind it.
  virtual void start(std::size_t piece) = 0;
  /// Effects: waits for the last started transfer of this piece's block.
  virtual void wait(std::size_t piece) = 0;

 protected:
  staging_driver() = default;
  staging_driver(const staging_driver&) = default;
  ~staging_driver() = default;
};

/// Throws: `logic_error` for options out of range.
YOKE_API void check_staging(const staging_options& options, const source_location& where);
YOKE_API staging_plan plan_staging(std::size_t bytes, const staging_options& options) noexcept;
/// Effects: runs a copy with `plan.threads` threads, which end before this returns. With `to_device` it only reads
/// `host`.
/// Returns: false, without having copied, when no thread could be started.
/// Throws: what `driver` throws; `std::bad_alloc`.
YOKE_API bool run_staged(bool to_device, std::byte* host, std::byte* blocks, const staging_plan& plan,
                         staging_driver& driver);

/// Memory for the blocks of a staged copy, in huge pages if possible, which are locked in a third of the time.
class staging_pages {
 public:
  /// Throws: `std::bad_alloc`.
  YOKE_API explicit staging_pages(std::size_t bytes);
  staging_pages(const staging_pages&) = delete;
  staging_pages& operator=(const staging_pages&) = delete;
  YOKE_API ~staging_pages();

  [[nodiscard]] std::byte* data() const noexcept { return first_; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }

 private:
  std::size_t bytes_;
  std::byte* first_;
};

/// The blocks of a staged copy, with an event for each.
template <class Port>
class staging_blocks final : public staging_driver {
 public:
  staging_blocks(const context_state<Port>& in, typename Port::stream_handle stream, const staging_plan& plan,
                 bool to_device, typename Port::memory_handle memory, std::size_t offset, const source_location& where)
      : in_(in),
        stream_(stream),
        plan_(plan),
        to_device_(to_device),
        memory_(memory),
        offset_(offset),
        where_(where),
        pages_(plan.blocks * plan.block_bytes) {
    points_.reserve(plan.blocks);
    port_traits<Port>::lock_pages(in.port, in.native, pages_.data(), pages_.size(), where);
  }
  staging_blocks(const staging_blocks&) = delete;
  staging_blocks& operator=(const staging_blocks&) = delete;
  ~staging_blocks() {
    if (busy_) {
      try {  // the driver may be using the blocks
        in_.port.synchronize(stream_, where_);
      } catch (...) {  // the original failure is being thrown already
      }
    }
    for (const auto each : points_) in_.report(in_.port.release_event(each));
    in_.report(port_traits<Port>::unlock_pages(in_.port, in_.native, pages_.data()));
  }

  [[nodiscard]] std::byte* data() const noexcept { return pages_.data(); }
  /// Effects: tells that the driver no longer uses the blocks.
  void finished() noexcept { busy_ = false; }

  void start(std::size_t piece) override {
    const std::size_t index = piece % plan_.blocks;
    std::byte* const block = pages_.data() + index * plan_.block_bytes;
    const std::size_t at = offset_ + plan_.offset(piece);
    const auto unwatched = completion<typename Port::event_handle>::unwatched();
    busy_ = true;
    if (to_device_) {
      in_.port.write(stream_, memory_, at, block, plan_.size(piece), unwatched, where_);
    } else {
      in_.port.read(stream_, memory_, at, block, plan_.size(piece), unwatched, where_);
    }
    if (index < points_.size()) {
      points_[index] = in_.port.record_into(stream_, points_[index], where_);
    } else {
      points_.push_back(port_traits<Port>::record_in(in_.port, in_.native, stream_, where_));
    }
  }
  void wait(std::size_t piece) override { in_.port.wait(points_[piece % plan_.blocks], where_); }

 private:
  const context_state<Port>& in_;
  typename Port::stream_handle stream_;
  const staging_plan& plan_;
  bool to_device_;
  typename Port::memory_handle memory_;
  std::size_t offset_;
  const source_location& where_;
  staging_pages pages_;
  std::vector<typename Port::event_handle> points_;
  bool busy_ = false;
};

/// Effects: copies between pageable host memory and device memory through blocks, and waits for the end.
/// Returns: false, without having copied, if the driver should copy: blocks or threads are not available, or the
/// backend copies this memory faster itself.
template <class Port>
[[gnu::noinline]] bool copy_staged(const context_state<Port>& in, typename Port::stream_handle stream, bool to_device,
                                   std::byte* host, typename Port::memory_handle memory, std::size_t offset,
                                   std::size_t bytes, const source_location& where) {
  const staging_plan plan = plan_staging(bytes, in.staging.get());
  if (plan.threads == 0 || !port_traits<Port>::stages_pageable(in.port, in.native, host, where)) return false;
  std::optional<staging_blocks<Port>> blocks;
  try {
    blocks.emplace(in, stream, plan, to_device, memory, offset, where);
  } catch (const error&) {  // the system or the driver refuses to lock the pages
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
  const bool done = run_staged(to_device, host, blocks->data(), plan, *blocks);
  blocks->finished();
  return done;
}

/// Copies between pageable host memory and device memory behind a native handle.
template <class From, class To, class Port>
concept stageable_places = (std::same_as<From, pageable_place> && std::same_as<To, device_place<Port>>) ||
                           (std::same_as<From, device_place<Port>> && std::same_as<To, pageable_place>);

/// Effects: stages a copy of one row that is large enough. Returns: whether it has copied.
template <class Port, class Source, class Destination>
[[nodiscard]] bool stage_copy(const context_state<Port>& in, typename Port::stream_handle stream, const Source& source,
                              const Destination& destination, const copy_plan& plan, const source_location& where) {
  constexpr bool to_device = Source::place::on_host;
  constexpr std::size_t element = sizeof(typename Source::element);
  const std::size_t bytes = volume(plan.source) * element;
  if (!plan.one_row || bytes < in.staging.from_bytes()) [[likely]]
    return false;
  if constexpr (to_device) {
    auto* const host = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(source.at));
    return copy_staged(in, stream, to_device, host + bytes_of(plan.source, 0, element).offset, destination.at.memory,
                       bytes_of(plan.destination, destination.at.first, element).offset, bytes, where);
  } else {
    auto* const host = reinterpret_cast<std::byte*>(destination.at);
    return copy_staged(in, stream, to_device, host + bytes_of(plan.destination, 0, element).offset, source.at.memory,
                       bytes_of(plan.source, source.at.first, element).offset, bytes, where);
  }
}

}  // namespace detail

/// Sets how `copy`, `to_device` and `to_host` stage pageable host memory in a context.
///
/// Effects: takes effect with the next copy. Each copy has its own threads, and two page-locked blocks for each thread;
/// if these cannot be had, the driver copies.
/// Throws: `logic_error` for more than 64 threads, and for blocks above 1 GiB. Thread safety: safe.
/// Wraps `cuMemHostRegister`, `cuMemcpyHtoDAsync`, `cuMemcpyDtoHAsync` in these copies; has no effect on OpenCL.
/// Units: bytes. Example: `yoke::set_staging(ctx, {.enabled = false});`
template <class Port>
void set_staging(const context<Port>& of, const staging_options& options,
                 const source_location& where = source_location::current()) {
  detail::check_staging(options, where);
  of.state(where).staging.set(options);
}
/// Returns: the options that `set_staging` has set, or the defaults. Throws: `logic_error` for an empty context.
/// Thread safety: safe.
template <class Port>
[[nodiscard]] staging_options staging_of(const context<Port>& of,
                                         const source_location& where = source_location::current()) {
  return of.state(where).staging.get();
}

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/memory/staged_copy.ipp>
#endif

#endif

// SPDX-License-Identifier: MIT
// The memory of one side of an operation, which MPI reaches at its address or by blocks.
#ifndef YOKE_MPI_REGION_HPP
#define YOKE_MPI_REGION_HPP

#include <yoke/array/storage/array_copy.hpp>
#include <yoke/distributed/message_range.hpp>
#include <yoke/execution/other_streams.hpp>
#include <yoke/memory/copy.hpp>
#include <yoke/mpi/block.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail {

/// Rows of bytes within a region. In a block they lie one behind the other, from `at` on.
struct byte_rows {
  std::size_t first = 0;
  std::size_t width = 0;
  std::size_t count = 1;
  std::size_t pitch = 0;
  std::size_t at = 0;
};

/// The memory of one side of an operation.
class region {
 public:
  region() noexcept = default;
  region(const region&) = delete;
  region& operator=(const region&) = delete;
  virtual ~region() = default;

  /// Effects: makes the elements ready: packs those with gaps. Throws: `error`.
  virtual void begin(const source_location&) {}
  /// Effects: copies rows to a block, which is ready once the memory's order has marked it. Throws: `error`.
  virtual void fetch(block& to, const byte_rows& rows, const source_location& where) = 0;
  /// Effects: copies rows from a block. Throws: `error`.
  virtual void store(const block& from, const byte_rows& rows, const source_location& where) = 0;
  /// Effects: after the last `store`, unpacks elements with gaps. Throws: `error`.
  virtual void end(const source_location&) {}

  std::byte* address = nullptr;  ///< where MPI reads and writes the elements itself; null: it gets blocks
  std::size_t bytes = 0;
};

/// Memory of the host. MPI gets blocks, which the operation owns: when the host waits no longer, MPI may still write, and
/// this memory may have ended.
class host_region final : public region {
 public:
  host_region(const void* at, std::size_t size) noexcept : at_(static_cast<std::byte*>(const_cast<void*>(at))) {
    bytes = size;
  }
  void fetch(block& to, const byte_rows& rows, const source_location&) override {
    for (std::size_t i = 0; i < rows.count && rows.width != 0; ++i) {
      std::memcpy(to.data + rows.at + i * rows.width, at_ + rows.first + i * rows.pitch, rows.width);
    }
  }
  void store(const block& from, const byte_rows& rows, const source_location&) override {
    for (std::size_t i = 0; i < rows.count && rows.width != 0; ++i) {
      std::memcpy(at_ + rows.first + i * rows.pitch, from.data + rows.at + i * rows.width, rows.width);
    }
  }

 private:
  std::byte* at_;
};

/// A described side of a copy, as an operand of `enqueue_copy`.
template <class Place>
struct placed_bytes {
  memory_side<Place, std::byte> side;
};

/// What an operation does with a region.
enum class region_use { reads, writes, both };

/// Memory of a stream's context.
template <class Port>
class device_region final : public region {
 public:
  /// Throws: `logic_error` for memory that the stream cannot use.
  device_region(yoke::detail::message_range<Port> range, region_use use, const stream<Port>& in,
                const source_location& where)
      : range_(std::move(range)), stream_(in), use_(use) {
    bytes = range_.bytes;
    if (bytes == 0 || range_.packing) return;
    if (range_.host != nullptr) {
      yoke::detail::check_side(in, range_.host_side(), "range", where);
      address = range_.host;
    } else {
      yoke::detail::check_side(in, range_.device_side(), "range", where);
    }
  }

  void begin(const source_location& where) override {
    if (bytes == 0) return;
    if (!range_.packing) {
      if (range_.host != nullptr) return;
      uses_.emplace(stream_);
      yoke::detail::use_side(
          *uses_, range_.device_side(),
          use_ == region_use::reads ? yoke::detail::memory_use::reads : yoke::detail::memory_use::writes, where);
      return;
    }
    dense_ = yoke::detail::temporary_memory<stream<Port>>(stream_, bytes, where);
    if (use_ != region_use::writes) range_.packing->pack(stream_, dense_span(), where);
  }
  void fetch(block& to, const byte_rows& rows, const source_location& where) override {
    if (rows.width == 0 || rows.count == 0) return;
    const placed_bytes<device_place<Port>> from{boxed(device_side(), rows)};
    placed_bytes<pagelocked_place<Port>> into{block_side(to, rows)};
    enqueue_copy(from, into, stream_, where);
  }
  void store(const block& from, const byte_rows& rows, const source_location& where) override {
    if (rows.width == 0 || rows.count == 0) return;
    const placed_bytes<pagelocked_place<Port>> source{block_side(from, rows)};
    placed_bytes<device_place<Port>> into{boxed(device_side(), rows)};
    enqueue_copy(source, into, stream_, where);
  }
  void end(const source_location& where) override {
    uses_.reset();
    if (!range_.packing || bytes == 0) return;
    if (use_ != region_use::reads) range_.packing->unpack(stream_, dense_span(), where);
    dense_ = {};
  }

 private:
  [[nodiscard]] device_span<std::byte, Port> dense_span() const {
    const auto& memory = dense_.get();
    return {memory.context_of().native_handle(), memory.native_handle(), 0, bytes, memory.maps()};
  }
  [[nodiscard]] memory_side<device_place<Port>, std::byte> device_side() const {
    if (!range_.packing) {
      auto side = range_.device_side();
      side.uses = {};  // `uses_` has them
      return side;
    }
    const device_span<std::byte, Port> dense = dense_span();
    return yoke::detail::describe(dense);
  }
  [[nodiscard]] static memory_side<pagelocked_place<Port>, std::byte> block_side(const block& of,
                                                                                 const byte_rows& rows) {
    const auto& memory = static_cast<const pagelocked_memory_block<Port>&>(of).array;
    memory_side<pagelocked_place<Port>, std::byte> side{.at = of.data + rows.at,
                                                        .size = rows.width * rows.count,
                                                        .context = memory.context_of().native_handle(),
                                                        .keep_alive = memory.keep_alive()};
    return boxed(std::move(side), {0, rows.width, rows.count, rows.width, 0});
  }
  template <class Side>
  [[nodiscard]] static Side boxed(Side side, const byte_rows& rows) noexcept {
    const std::size_t pitch = rows.count == 1 ? rows.width : rows.pitch;
    return yoke::detail::boxed(std::move(side), {rows.width, rows.count, 1, pitch, pitch * rows.count, rows.first});
  }

  yoke::detail::message_range<Port> range_;
  const stream<Port>& stream_;  // of the operation's order
  region_use use_;
  yoke::detail::temporary_memory<stream<Port>> dense_;
  // All copies together are one operation on the memory of an array: each alone would wait for what other streams have got
  // since the first one, which may wait for this rank.
  std::optional<yoke::detail::other_streams<Port>> uses_{};
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail

namespace yoke::inline v0_1 {
template <class Place>
struct memory_access<mpi::detail::placed_bytes<Place>> {
  static memory_side<Place, std::byte> describe(const mpi::detail::placed_bytes<Place>& of) noexcept { return of.side; }
};
}  // namespace yoke::inline v0_1

#endif

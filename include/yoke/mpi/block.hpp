// SPDX-License-Identifier: MIT
// Blocks of host memory between a stream and MPI, and the order in which both use them.
#ifndef YOKE_MPI_BLOCK_HPP
#define YOKE_MPI_BLOCK_HPP

#include <yoke/memory/memory_pool.hpp>
#include <yoke/mpi/functions.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail {

/// A block of host memory in which a part of a message lies while MPI or the device uses it.
class block {
 public:
  block() noexcept = default;
  block(const block&) = delete;
  block& operator=(const block&) = delete;
  virtual ~block() = default;

  /// Returns: whether the device has done its last copy with it. Throws: `error` if that copy failed.
  [[nodiscard]] virtual bool is_ready(const source_location&) { return true; }
  std::byte* data = nullptr;
};

/// What an operation asks of the memory that it works on: blocks, and when the device is done with them.
class memory_order {
 public:
  memory_order() noexcept = default;
  memory_order(const memory_order&) = delete;
  memory_order& operator=(const memory_order&) = delete;
  virtual ~memory_order() = default;

  /// Returns: a block that neither MPI nor the device uses. Throws: `memory_error`, `error`, `std::bad_alloc`.
  [[nodiscard]] virtual std::unique_ptr<block> take(std::size_t bytes, const source_location& where) = 0;
  /// Effects: the block is ready when all copies enqueued so far are done. Throws: `error`.
  virtual void mark(block& of, const source_location& where) = 0;
  /// Effects: lets other operations have the block once it is ready.
  virtual void give_back(std::unique_ptr<block> of) noexcept = 0;
  /// Returns: whether the stream has done what was enqueued before the operation began. Throws: `error`.
  [[nodiscard]] virtual bool has_passed(const source_location& where) = 0;
};

/// The order of host memory alone.
class host_order final : public memory_order {
 public:
  [[nodiscard]] std::unique_ptr<block> take(std::size_t bytes, const source_location&) override {
    return std::make_unique<heap_block>(bytes);
  }
  void mark(block&, const source_location&) override {}
  void give_back(std::unique_ptr<block>) noexcept override {}
  [[nodiscard]] bool has_passed(const source_location&) override { return true; }

 private:
  struct heap_block final : block {
    explicit heap_block(std::size_t bytes) : memory(new std::byte[bytes]) { data = memory.get(); }
    std::unique_ptr<std::byte[]> memory;
  };
};

/// A block of page-locked memory, and the event behind the last copy with it. Its end waits for that event: memory that
/// the device uses is never freed.
template <class Port>
class pagelocked_memory_block final : public block {
 public:
  explicit pagelocked_memory_block(pagelocked_array<std::byte, Port> memory) noexcept : array(std::move(memory)) {
    data = array.data();
  }
  ~pagelocked_memory_block() override {
    if (!done || done.context_of().state().left_us()) return;
    try {
      done.wait();
    } catch (const error&) {  // whoever waits for the copy gets its failure
    }
  }
  [[nodiscard]] bool is_ready(const source_location& where) override {
    if (!done) return true;
    if (!done.is_done(where)) return false;
    const event<Port> last = std::move(done);
    last.wait(where);
    return true;
  }
  pagelocked_array<std::byte, Port> array;
  event<Port> done;
};

/// What a communicator keeps for the contexts that it has met.
class stage_base {
 public:
  stage_base() noexcept = default;
  stage_base(const stage_base&) = delete;
  stage_base& operator=(const stage_base&) = delete;
  virtual ~stage_base() = default;
};

/// The blocks of one context.
template <class Port>
class stage final : public stage_base {
 public:
  stage(const context<Port>& in, const source_location& where) : pool_(in, pagelocked, {}, where) {}

  [[nodiscard]] const context<Port>& context_of() const { return pool_.context_of(); }
  [[nodiscard]] std::unique_ptr<block> take(std::size_t bytes, const source_location& where) {
    // A block that the device still reads does not go back to the pool: MPI would write into it.
    std::erase_if(read_, [&](const std::unique_ptr<block>& each) { return is_over(*each, where); });
    read_.reserve(read_.size() + ++taken_);
    try {
      return std::make_unique<pagelocked_memory_block<Port>>(
          pagelocked_array<std::byte, Port>(pool_, std::max<std::size_t>(bytes, 1), where));
    } catch (...) {
      --taken_;
      throw;
    }
  }
  void give_back(std::unique_ptr<block> of) noexcept {
    --taken_;
    read_.push_back(std::move(of));  // there is room since `take`
  }

 private:
  static bool is_over(block& of, const source_location& where) {
    try {
      return of.is_ready(where);
    } catch (const error&) {  // the copy failed: the operation's stream reports it
      return true;
    }
  }
  memory_pool<Port, pagelocked_memory> pool_;
  std::vector<std::unique_ptr<block>> read_;
  std::size_t taken_ = 0;
};

/// The order of a stream's memory.
template <class Port>
class stream_order final : public memory_order {
 public:
  /// Throws: `logic_error` for an empty stream; `error`.
  stream_order(const stream<Port>& in, std::shared_ptr<stage<Port>> of, const source_location& where)
      : stream_(in.another(in.memory(), where)), stage_(std::move(of)) {}

  [[nodiscard]] const stream<Port>& stream_of() const noexcept { return stream_; }
  [[nodiscard]] std::unique_ptr<block> take(std::size_t bytes, const source_location& where) override {
    return stage_->take(bytes, where);
  }
  void mark(block& of, const source_location& where) override {
    try {
      static_cast<pagelocked_memory_block<Port>&>(of).done = stream_.record({}, where);
      stream_.flush(where);
    } catch (...) {
      wait_for_copies();  // without an event nobody else knows when the device has done with the block
      throw;
    }
  }
  void give_back(std::unique_ptr<block> of) noexcept override { stage_->give_back(std::move(of)); }
  [[nodiscard]] bool has_passed(const source_location& where) override {
    if (passed_) return true;
    if (!before_) {
      before_ = stream_.record({}, where);
      stream_.flush(where);
    }
    if (!before_.is_done(where)) return false;
    before_.wait(where);
    before_.reset();
    passed_ = true;
    return true;
  }

 private:
  void wait_for_copies() noexcept {
    try {
      stream_.synchronize();
    } catch (...) {  // the failure that is on its way says why
    }
  }
  stream<Port> stream_;
  std::shared_ptr<stage<Port>> stage_;
  event<Port> before_;
  bool passed_ = false;
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail

#endif

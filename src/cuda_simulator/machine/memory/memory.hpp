// SPDX-License-Identifier: MIT
// The table of memory: every range that device code may use, with its size, kind and context.
#ifndef YOKE_SIMULATOR_MACHINE_MEMORY_MEMORY_HPP
#define YOKE_SIMULATOR_MACHINE_MEMORY_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/launch/launch.hpp"
#include "machine/base/call.hpp"
#include "machine/base/call_site.hpp"
#include "machine/base/ledger.hpp"
#include "machine/stream/stream.hpp"

namespace yoke::simulator {

struct context;
class managed_pages;
class shared_file;
struct mapped_block;
struct pool_object;

enum class memory_kind {
  plain,           ///< cuMemAlloc
  stream_ordered,  ///< cuMemAllocAsync
  host,            ///< cuMemHostAlloc
  registered,      ///< the program's own, page-locked by cuMemHostRegister
  managed,         ///< cuMemAllocManaged
  global,          ///< a variable of a loaded image
  mapped,          ///< physical memory at a reserved address
  imported,        ///< cuIpcOpenMemHandle
};

/// The last command of a stream that touches a block.
struct memory_use {
  ticket at{};
  std::string what{};  ///< "kernel scale"
};

struct memory_block {
  std::uintptr_t base = 0;
  std::size_t bytes = 0;
  memory_kind kind = memory_kind::plain;
  context* owner = nullptr;
  unsigned flags = 0;
  unsigned long long id = 0;
  bool freeing = false;  ///< a stream will free it; nothing new may use it
  call_site made{};      ///< of what the simulator allocated
  call_site freed{};
  std::shared_ptr<stream> order{};           ///< of stream-ordered memory: where it was allocated
  std::optional<ticket> allocated{};         ///< until the program has waited for that
  std::vector<memory_use> uses{};            ///< of stream-ordered memory, and of other contexts; one for each stream
  std::shared_ptr<managed_pages> managed{};  ///< of managed memory and __managed__ variables
  std::shared_ptr<pool_object> pool{};       ///< of stream-ordered memory
  std::shared_ptr<mapped_block> mapped{};    ///< of mapped memory
  bool is_shared = false;                    ///< in a file: the pool's, or that of another process
  std::size_t file_offset = 0;
  std::shared_ptr<shared_file> file{};  ///< of plain memory that others may open, and of what was opened
  unsigned opened = 0;                  ///< how often, of imported memory

  bool is_device() const { return kind != memory_kind::host && kind != memory_kind::registered; }
  /// Whether the simulator allocated it, with guards around it.
  bool is_own() const {
    return kind != memory_kind::registered && kind != memory_kind::global && kind != memory_kind::mapped;
  }
  /// Whether pages around it fault and show who wrote there; memory that other processes see has no such pages.
  bool is_guarded() const { return is_own() && !is_shared; }
  /// Whether some device may use it: mapped memory wants cuMemSetAccess first.
  bool is_accessible() const;
  /// Whether kernels of a context may use it: its own device's, or another's that was given access.
  bool is_open_to(const context& kernels) const;
  std::uintptr_t end() const { return base + bytes; }
};

/// Device memory is host memory, so device addresses are host addresses. Thread safety: the driver's lock.
class memory_table {
 public:
  /// Effects: makes a block; its bytes are garbage on purpose. Throws: refusal if the device, or what the environment
  /// allows, is full.
  memory_block& allocate(context& owner, std::size_t bytes, memory_kind kind, unsigned flags = 0,
                         const std::shared_ptr<pool_object>& pool = {});
  /// Effects: maps a part of another process's pool. Throws: refusal if there is no room.
  memory_block& open_shared(context& owner, const std::shared_ptr<pool_object>& pool, std::size_t offset,
                            std::size_t bytes);
  /// Effects: maps plain memory of another process, whose first byte is that far behind a page's beginning.
  /// Throws: refusal if there is no room.
  memory_block& open_plain(context& owner, const std::shared_ptr<shared_file>& file, std::size_t offset,
                           std::size_t bytes);
  /// Returns: what was opened from that file, or null.
  memory_block* find_opened(std::uint64_t identity);
  /// Effects: notes that the program frees the block, which nothing new may use.
  static void begin_free(memory_block& block);
  /// Effects: releases a block that allocate made. What still touches it faults. Requires: what is in its uses is done.
  void release(std::uintptr_t base);
  /// Effects: enters a range that somebody else owns, or removes it.
  memory_block& enter(context& owner, std::uintptr_t base, std::size_t bytes, memory_kind kind, unsigned flags = 0);
  void remove(std::uintptr_t base) { blocks_.erase(base); }
  /// Effects: releases or removes everything of a context that goes. Returns: where it began.
  std::vector<std::uintptr_t> release_context(const context& gone);

  /// Returns: the block around that address, or null.
  memory_block* find(std::uintptr_t address);
  /// Returns: the block around that address that nobody frees. Throws: refusal.
  memory_block& require_block(std::uintptr_t address);
  /// Returns: the block that holds the whole range, or of mapped memory the first of those that do, one behind the
  /// other. Throws: refusal if there is none.
  memory_block& require_range(std::uintptr_t address, std::size_t bytes);
  /// Whether a block began there that its context took along.
  bool is_departed(std::uintptr_t base) const { return departed_.count(base) != 0; }
  /// Whether any block has a byte in the range.
  bool overlaps(std::uintptr_t address, std::size_t bytes);

  /// Returns: the blocks of its own that a kernel's arguments point into, each once.
  std::vector<memory_block*> named_in(std::string_view arguments);
  /// Effects: if the fault is at a block, or at one that was freed, puts it in order. Returns: what happened, then.
  std::optional<std::string> take_fault(const memory_fault& fault);

  /// Whether there is stream-ordered memory.
  bool has_ordered_blocks() const { return ordered_blocks_ != 0; }
  /// Effects: notes that the command uses the block. Returns: what is wrong with that; empty if nothing is.
  static std::string note_use(memory_block& block, const ticket& at, const std::string& what);
  /// Returns: which use the block's free, as that command, is not ordered behind; empty if there is none.
  static std::string check_free(const memory_block& block, const ticket& at);
  /// Effects: the program knows that the command is done: all that it does from now on comes behind.
  void observe(const ticket& done);
  /// Returns: the commands that still use blocks of that context.
  std::vector<ticket> users_of(const context& owner) const;

  /// Effects: looks behind and before the context's blocks; forgets what it finds. Returns: what was written to, a line
  /// for each block.
  std::vector<std::string> take_overruns(const context& of);
  /// Effects: says what was written to around any block, when the process is over.
  void check_at_exit();
  /// Returns: how many blocks were said to be written to where nobody may, and broke no context.
  std::size_t corruptions() const { return corruptions_; }

 private:
  /// Effects: enters a block at `base`, or gives what it would be of back. Throws: what that throws.
  memory_block& enter_fresh(memory_block fresh);
  /// Effects: keeps the addresses of a block that is gone for as long as there is room.
  void quarantine(memory_block gone);
  void say_corruption(const std::string& text);

  std::map<std::uintptr_t, memory_block> blocks_;
  std::set<std::uintptr_t> departed_;
  std::deque<memory_block> quarantine_;
  std::size_t quarantined_bytes_ = 0;
  std::size_t ordered_blocks_ = 0;
  unsigned long long ids_ = 0;
  std::size_t corruptions_ = 0;
};

/// Whether cuIpcGetMemHandle shares it: memory of cuMemAlloc, but in builds with AddressSanitizer.
bool can_be_opened(const memory_block& block);
/// Effects: enters a fresh block among the objects; if there is no memory for that, releases it. Returns: its address.
std::uintptr_t note_allocation(object_kind kind, const memory_block& fresh);
/// Effects: counts a request for memory. Throws: refusal if it is the one that the environment lets fail.
void count_allocation();

}  // namespace yoke::simulator

#endif

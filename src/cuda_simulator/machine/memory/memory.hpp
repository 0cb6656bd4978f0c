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

/// The last command of a stream that uses a block.
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
  bool freeing = false;  ///< a stream will free it; new uses are errors
  call_site made{};      ///< where the program allocated it
  call_site freed{};
  std::shared_ptr<stream> order{};           ///< for stream-ordered memory: the stream of the allocation
  std::optional<ticket> allocated{};         ///< cleared once the program has waited for the allocation
  std::vector<memory_use> uses{};            ///< for stream-ordered memory and other contexts' memory; one for each
                                             ///< stream
  std::shared_ptr<managed_pages> managed{};  ///< for managed memory and __managed__ variables
  std::shared_ptr<pool_object> pool{};       ///< for stream-ordered memory
  std::shared_ptr<mapped_block> mapped{};    ///< for mapped memory
  bool is_shared = false;                    ///< in a file: the pool's, or another process's
  std::size_t file_offset = 0;
  std::shared_ptr<shared_file> file{};  ///< for plain memory that other processes may open, and for opened memory
  unsigned opened = 0;                  ///< for imported memory: how often it was opened

  bool is_device() const { return kind != memory_kind::host && kind != memory_kind::registered; }
  /// Whether the simulator allocated it, with guards around it.
  bool is_own() const {
    return kind != memory_kind::registered && kind != memory_kind::global && kind != memory_kind::mapped;
  }
  /// Whether the pages around it fault; memory shared with other processes has no guards.
  bool is_guarded() const { return is_own() && !is_shared; }
  /// Whether any device may use it: mapped memory needs cuMemSetAccess first.
  bool is_accessible() const;
  /// Whether kernels of a context may use it: its own device's, or another's that was given access.
  bool is_open_to(const context& kernels) const;
  std::uintptr_t end() const { return base + bytes; }
};

/// Device memory is host memory, so device addresses are host addresses. Thread safety: the driver's lock.
class memory_table {
 public:
  /// Effects: makes a block; its bytes are garbage on purpose. Throws: refusal if the device, or the environment's
  /// limit, is exhausted.
  memory_block& allocate(context& owner, std::size_t bytes, memory_kind kind, unsigned flags = 0,
                         const std::shared_ptr<pool_object>& pool = {});
  /// Effects: maps a part of another process's pool. Throws: refusal if addresses run out.
  memory_block& open_shared(context& owner, const std::shared_ptr<pool_object>& pool, std::size_t offset,
                            std::size_t bytes);
  /// Effects: maps plain memory of another process, whose first byte is at an offset in its page.
  /// Throws: refusal if addresses run out.
  memory_block& open_plain(context& owner, const std::shared_ptr<shared_file>& file, std::size_t offset,
                           std::size_t bytes);
  /// Returns: the memory opened from that file, or null.
  memory_block* find_opened(std::uint64_t identity);
  /// Effects: notes that the program frees the block: new uses are errors.
  static void begin_free(memory_block& block);
  /// Effects: releases a block from allocate. Later accesses fault. Requires: all commands in its uses are done.
  void release(std::uintptr_t base);
  /// Effects: adds a range with another owner, or removes it.
  memory_block& enter(context& owner, std::uintptr_t base, std::size_t bytes, memory_kind kind, unsigned flags = 0);
  void remove(std::uintptr_t base) { blocks_.erase(base); }
  /// Effects: releases or removes all blocks of a context that ends. Returns: their start addresses.
  std::vector<std::uintptr_t> release_context(const context& gone);

  /// Returns: the block around that address, or null.
  memory_block* find(std::uintptr_t address);
  /// Returns: the block around that address, unless it is being freed. Throws: refusal.
  memory_block& require_block(std::uintptr_t address);
  /// Returns: the block that contains the whole range; for mapped memory the first of several adjacent blocks that do.
  /// Throws: refusal if there is none.
  memory_block& require_range(std::uintptr_t address, std::size_t bytes);
  /// Whether a block that ended with its context began there.
  bool is_departed(std::uintptr_t base) const { return departed_.count(base) != 0; }
  /// Whether any block has a byte in the range.
  bool overlaps(std::uintptr_t address, std::size_t bytes);

  /// Returns: the simulator's own blocks that a kernel's arguments point into, each once.
  std::vector<memory_block*> named_in(std::string_view arguments);
  /// Effects: if the fault is at a block, or at a freed one, makes it accessible. Returns: a description of the fault.
  std::optional<std::string> take_fault(const memory_fault& fault);

  /// Whether there is stream-ordered memory.
  bool has_ordered_blocks() const { return ordered_blocks_ != 0; }
  /// Effects: notes that the command uses the block. Returns: the violation of the stream order; empty if there is
  /// none.
  static std::string note_use(memory_block& block, const ticket& at, const std::string& what);
  /// Returns: a use that the free at `at` does not wait for; empty if it waits for all.
  static std::string check_free(const memory_block& block, const ticket& at);
  /// Effects: notes that the program has seen the command done: its later work follows it.
  void observe(const ticket& done);
  /// Returns: the commands that still use blocks of that context.
  std::vector<ticket> users_of(const context& owner) const;

  /// Effects: checks the canaries of the context's blocks; each overrun is reported once. Returns: a line for each
  /// overwritten block.
  std::vector<std::string> take_overruns(const context& of);
  /// Effects: reports overwritten canaries of any block when the process ends.
  void check_at_exit();
  /// Returns: how many overruns were reported without breaking a context.
  std::size_t corruptions() const { return corruptions_; }

 private:
  /// Effects: adds a fresh block; on failure releases its memory. Throws: the failure.
  memory_block& enter_fresh(memory_block fresh);
  /// Effects: keeps the addresses of a freed block reserved as long as the quarantine has room.
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

/// Whether cuIpcGetMemHandle shares it: true for memory of cuMemAlloc, except in builds with AddressSanitizer.
bool can_be_opened(const memory_block& block);
/// Effects: adds a fresh block to the objects; if memory for that runs out, releases it. Returns: its address.
std::uintptr_t note_allocation(object_kind kind, const memory_block& fresh);
/// Effects: counts an allocation. Throws: refusal if the environment lets this one fail.
void count_allocation();

}  // namespace yoke::simulator

#endif

// SPDX-License-Identifier: MIT
// The list of live objects, each with the place that made it, for the report at exit.
#ifndef YOKE_SIMULATOR_MACHINE_BASE_LEDGER_HPP
#define YOKE_SIMULATOR_MACHINE_BASE_LEDGER_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "machine/base/call_site.hpp"

namespace yoke::simulator {

enum class object_kind {
  context,
  primary_context,
  stream,
  event,
  device_memory,
  host_memory,
  registered_range,
  library,
  module,
  link,
  program,
  jit_link,
  array,
  mipmap,
  texture,
  surface,
  pool,
  physical,
  address_range,
  mapping,
  imported_memory,
  graph,
  executable
};

/// Thread safety: the driver's lock.
class ledger {
 public:
  /// Effects: notes the object with who made it: the callers of this function, unless another place is given.
  void add(object_kind kind, std::uintptr_t key, std::size_t bytes = 0, const call_site& made = call_site::here());
  template <class Handle>
  void add(object_kind kind, Handle* handle, std::size_t bytes = 0) {
    add(kind, reinterpret_cast<std::uintptr_t>(handle), bytes);
  }
  /// Effects: forgets the object: somebody has released it, or has tried to after its context had gone.
  void remove(object_kind kind, std::uintptr_t key);
  template <class Handle>
  void remove(object_kind kind, Handle* handle) {
    remove(kind, reinterpret_cast<std::uintptr_t>(handle));
  }
  /// Effects: the object went with its context, and still counts until somebody tries to release it or `forgive` is
  /// called.
  void depart(const void* owner, object_kind kind, std::uintptr_t key);
  /// Effects: forgets what went with that context.
  void forgive(const void* owner);
  /// Returns: one line for each object.
  std::vector<std::string> leaks() const;

 private:
  struct entry {
    object_kind kind;
    std::size_t bytes = 0;
    call_site made{};
  };
  static std::string line(const entry& leaked);

  std::map<std::pair<object_kind, std::uintptr_t>, entry> live_;
  struct departed_entry {
    const void* owner;
    object_kind kind;
    std::uintptr_t key;
    entry what;
  };
  std::vector<departed_entry> departed_;
  std::vector<entry> lost_;  // released by others, and the address came back for another
};

}  // namespace yoke::simulator

#endif

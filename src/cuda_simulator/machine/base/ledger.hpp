// SPDX-License-Identifier: MIT
// The list of live objects, each with the place that created it, for the report at exit.
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
  /// Effects: notes the object with its creator: the callers of this function, unless `made` is given.
  void add(object_kind kind, std::uintptr_t key, std::size_t bytes = 0, const call_site& made = call_site::here());
  template <class Handle>
  void add(object_kind kind, Handle* handle, std::size_t bytes = 0) {
    add(kind, reinterpret_cast<std::uintptr_t>(handle), bytes);
  }
  /// Effects: forgets the object: the program has released it, or tried to after its context had gone.
  void remove(object_kind kind, std::uintptr_t key);
  template <class Handle>
  void remove(object_kind kind, Handle* handle) {
    remove(kind, reinterpret_cast<std::uintptr_t>(handle));
  }
  /// Effects: the object ended with its context; it still counts until the program tries to release it or `forgive` is
  /// called.
  void depart(const void* owner, object_kind kind, std::uintptr_t key);
  /// Effects: forgets the objects that ended with that context.
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
  std::vector<entry> lost_;  // released by other code; the address was reused since
};

}  // namespace yoke::simulator

#endif

// SPDX-License-Identifier: MIT
// Keeps the objects and describes each leak.
#include <algorithm>

#include "machine/base/ledger.hpp"

namespace yoke::simulator {

namespace {

const char* name_of(object_kind kind) {
  switch (kind) {
    case object_kind::context: return "context";
    case object_kind::primary_context: return "retained primary context";
    case object_kind::stream: return "stream";
    case object_kind::event: return "event";
    case object_kind::device_memory: return "device memory";
    case object_kind::host_memory: return "page-locked memory";
    case object_kind::registered_range: return "registered host range";
    case object_kind::library: return "library";
    case object_kind::module: return "module";
    case object_kind::link: return "link state";
    case object_kind::program: return "NVRTC program";
    case object_kind::jit_link: return "nvJitLink handle";
    case object_kind::array: return "array";
    case object_kind::mipmap: return "mipmapped array";
    case object_kind::texture: return "texture object";
    case object_kind::surface: return "surface object";
    case object_kind::pool: return "memory pool";
    case object_kind::physical: return "handle of physical memory";
    case object_kind::address_range: return "reserved address range";
    case object_kind::mapping: return "mapping of physical memory";
    case object_kind::imported_memory: return "memory of another process";
    case object_kind::graph: return "graph";
    case object_kind::executable: return "executable graph";
  }
  return "object";
}

}  // namespace

void ledger::remove(object_kind kind, std::uintptr_t key) {
  if (live_.erase({kind, key}) != 0) return;
  const auto found = std::find_if(departed_.begin(), departed_.end(),
                                  [&](const departed_entry& each) { return each.kind == kind && each.key == key; });
  if (found != departed_.end()) departed_.erase(found);
}
void ledger::depart(const void* owner, object_kind kind, std::uintptr_t key) {
  const auto found = live_.find({kind, key});
  if (found == live_.end()) return;
  departed_.push_back({owner, kind, key, found->second});
  live_.erase(found);
}
void ledger::forgive(const void* owner) {
  std::erase_if(departed_, [&](const departed_entry& each) { return each.owner == owner; });
}
void ledger::add(object_kind kind, std::uintptr_t key, std::size_t bytes, const call_site& made) {
  const entry fresh{kind, bytes, made};
  const auto [at, is_new] = live_.try_emplace({kind, key}, fresh);
  if (is_new) return;
  lost_.push_back(at->second);
  at->second = fresh;
}

std::string ledger::line(const entry& leaked) {
  std::string text = std::string("leak: ") + name_of(leaked.kind);
  if (leaked.bytes != 0) text += ", " + std::to_string(leaked.bytes) + " bytes";
  const std::string made = leaked.made.text();
  return made.empty() ? text : text + ", made at " + made;
}

std::vector<std::string> ledger::leaks() const {
  std::vector<std::string> lines;
  for (const departed_entry& each : departed_) lines.push_back(line(each.what));
  for (const entry& each : lost_) lines.push_back(line(each));
  for (const auto& [key, each] : live_) lines.push_back(line(each));
  return lines;
}

}  // namespace yoke::simulator

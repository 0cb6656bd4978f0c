// SPDX-License-Identifier: MIT
// cuGetProcAddress: finds the entry for a name and an ABI version, if the simulated driver is new enough for it.
#include <algorithm>
#include <limits>
#include <string_view>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/settings.hpp"

namespace yoke::simulator {

namespace {

struct entry_facts {
  std::string_view symbol;
  int version;
  void* address;
};
const entry_facts all_entries[] = {
#define YOKE_FACTS(name, symbol, version, ...) {symbol, version, reinterpret_cast<void*>(&entries::name)},
    YOKE_CUDA_FUNCTIONS(YOKE_FACTS)
#undef YOKE_FACTS
        {"cuGetProcAddress", 12000, reinterpret_cast<void*>(&entries::get_proc_address)},
    {"cuGetProcAddress", 11030, reinterpret_cast<void*>(&entries::get_proc_address_v1)},
};

/// Returns: the first version that gives the name another signature, which the simulator lacks.
int changed_in(std::string_view symbol) {
  if (symbol == "cuCtxCreate") return 11040;
  if (symbol == "cuStreamGetCtx") return 12050;
  if (symbol == "cuGraphGetEdges" || symbol == "cuGraphNodeGetDependencies") return 12030;
  if (symbol == "cuEventElapsedTime") return 12080;
  if (symbol == "cuCtxGetDevice" || symbol == "cuCtxSynchronize") return 13000;
  return std::numeric_limits<int>::max();
}

abi::address_query look_up(std::string_view symbol, int version, std::uint64_t flags, void** result) {
  constexpr std::uint64_t per_thread_flag = 2;  // those symbols would have another meaning for a null stream
  auto query = abi::address_query::symbol_not_found;
  if (flags == per_thread_flag) return query;
  bool found = false;
  int newest = 0;
  for (const entry_facts& each : all_entries) {
    if (each.symbol != symbol) continue;
    query = abi::address_query::version_not_sufficient;
    if (each.version > version || each.version > the_settings().driver_version) continue;
    if (version >= changed_in(symbol)) continue;
    if (each.version < newest) continue;  // of a name's two forms, the newer one that the version allows
    newest = each.version;
    *result = each.address;
    found = true;
  }
  return found ? abi::address_query::success : query;
}

}  // namespace

namespace entries {

const char cuYokeSimulatorVersion[] = YOKE_VERSION_STRING;

abi::status get_proc_address(const char* symbol, void** result, int version, std::uint64_t flags,
                             abi::address_query* query) {
  return early_entry([&] {
    require(symbol != nullptr && result != nullptr && flags <= 2);
    *result = nullptr;
    const abi::address_query found = look_up(symbol, version, flags, result);
    if (query != nullptr) *query = found;
    require(found == abi::address_query::success, abi::error_not_found);
  });
}

abi::status get_proc_address_v1(const char* symbol, void** result, int version, std::uint64_t flags) {
  return get_proc_address(symbol, result, version, flags, nullptr);
}

}  // namespace entries

}  // namespace yoke::simulator

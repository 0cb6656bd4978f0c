// SPDX-License-Identifier: MIT
// The thunks of the CUDA interposer.
#include <support/drivers/cuda_interposer.hpp>
#include <support/faults/allocation_pause.hpp>

#include <yoke/driver/cuda/abi/status_codes.hpp>

#include <atomic>
#include <stdexcept>
#include <tuple>

namespace yoke_test {

namespace {

constinit std::atomic<cuda_interposer*> current{nullptr};

/// What a function does to the ledger, and how its failure is played.
struct role {
  enum class kind { plain, creates, releases, waits } what = kind::plain;
  object_kind object = object_kind::memory;
};

constexpr role role_of(std::string_view name) {
  using enum role::kind;
  if (name == "stream_create") return {creates, object_kind::queue};
  if (name == "stream_destroy") return {releases, object_kind::queue};
  if (name == "event_create" || name == "ipc_open_event_handle") return {creates, object_kind::event};
  if (name == "event_destroy") return {releases, object_kind::event};
  if (name == "mem_alloc" || name == "mem_alloc_async" || name == "mem_alloc_pitch" || name == "mem_alloc_managed" ||
      name == "mem_alloc_from_pool_async" || name == "mem_pool_import_pointer" || name == "ipc_open_memory_handle") {
    return {creates, object_kind::memory};
  }
  if (name == "mem_pool_create" || name == "mem_pool_import") return {creates, object_kind::pool};
  if (name == "mem_pool_destroy") return {releases, object_kind::pool};
  if (name == "mem_address_reserve") return {creates, object_kind::address_range};
  if (name == "mem_address_free") return {releases, object_kind::address_range};
  if (name == "mem_create" || name == "mem_import" || name == "mem_retain") return {creates, object_kind::physical};
  if (name == "mem_release") return {releases, object_kind::physical};
  if (name == "mem_map") return {creates, object_kind::device_mapping};
  if (name == "mem_unmap") return {releases, object_kind::device_mapping};
  if (name == "mem_free" || name == "mem_free_async" || name == "ipc_close_memory_handle")
    return {releases, object_kind::memory};
  if (name == "array_create" || name == "mipmapped_array_create") return {creates, object_kind::memory};
  if (name == "array_destroy" || name == "mipmapped_array_destroy") return {releases, object_kind::memory};
  if (name == "texture_create") return {creates, object_kind::texture};
  if (name == "texture_destroy") return {releases, object_kind::texture};
  if (name == "surface_create") return {creates, object_kind::surface};
  if (name == "surface_destroy") return {releases, object_kind::surface};
  if (name == "mem_host_alloc") return {creates, object_kind::svm};
  if (name == "mem_free_host") return {releases, object_kind::svm};
  if (name == "library_load_data") return {creates, object_kind::program};
  if (name == "library_unload") return {releases, object_kind::program};
  if (name == "link_create") return {creates, object_kind::program};
  if (name == "link_destroy") return {releases, object_kind::program};
  if (name == "mem_host_register") return {creates, object_kind::svm_mapping};
  if (name == "mem_host_unregister") return {releases, object_kind::svm_mapping};
  if (name == "graph_create" || name == "stream_end_capture") return {creates, object_kind::graph};
  if (name == "graph_destroy") return {releases, object_kind::graph};
  if (name == "graph_instantiate") return {creates, object_kind::executable};
  if (name == "graph_exec_destroy") return {releases, object_kind::executable};
  if (name == "context_create") return {creates, object_kind::context};
  if (name == "context_destroy") return {releases, object_kind::context};
  if (name == "primary_context_retain") return {creates, object_kind::context};
  if (name == "primary_context_release") return {releases, object_kind::context};
  if (name == "context_push") return {creates, object_kind::mapping};
  if (name == "context_pop") return {releases, object_kind::mapping};
  if (name.ends_with("_synchronize")) return {waits, {}};
  return {};
}

template <class Value>
const void* as_key(Value value) {
  if constexpr (std::is_pointer_v<Value>) {
    return value;
  } else {
    return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(value) + 1);  // 0 is a device
  }
}

}  // namespace

template <std::size_t Index, class Function>
struct cuda_thunk;

template <std::size_t Index, class... Args>
struct cuda_thunk<Index, cuda_abi::status(Args...)> {
  static constexpr entry_facts facts = cuda_entries[Index];
  static constexpr role does = role_of(facts.name);
  static constexpr failure_kind failure{does.what == role::kind::releases, does.what == role::kind::releases};
  using pointer = cuda_abi::status (*cuda_abi::functions::*)(Args...);

  template <pointer Member>
  static cuda_abi::status call(Args... args) {
    const allocation_pause no_allocation_faults;
    cuda_interposer& self = *current.load();
    const std::optional<cuda_abi::status> fault = self.begin(Index, failure);
    const std::tuple<Args...> packed{args...};
    if constexpr (does.what == role::kind::releases) {
      // Pushes and primary contexts are counted, not told apart.
      const void* key = nullptr;
      if constexpr (facts.name != "context_pop") key = as_key(std::get<0>(packed));
      if (self.ledger_.lost(does.object, key, facts.symbol) == object_ledger::standing::dead) {
        return cuda_abi::error_invalid_handle;
      }
      const cuda_abi::status result = (self.real_.*Member)(args...);
      return fault ? *fault : result;
    } else if constexpr (does.what == role::kind::waits) {
      const cuda_abi::status result = (self.real_.*Member)(args...);
      return fault ? *fault : result;
    } else {
      if (fault) return *fault;
      const cuda_abi::status result = (self.real_.*Member)(args...);
      if constexpr (does.what == role::kind::creates) {
        if (result == cuda_abi::success) self.ledger_.gained(does.object, key_of_created(packed), facts.symbol);
        if constexpr (facts.name == "context_create") {  // which pushes it too
          if (result == cuda_abi::success) self.ledger_.gained(object_kind::mapping, nullptr, facts.symbol);
        }
      }
      return result;
    }
  }

  static const void* key_of_created(const std::tuple<Args...>& packed) {
    if constexpr (facts.name == "context_push") {
      return nullptr;
    } else if constexpr (facts.name == "primary_context_retain") {
      return as_key(std::get<1>(packed));
    } else if constexpr (facts.name == "mem_host_register") {
      return std::get<0>(packed);
    } else if constexpr (facts.name == "stream_end_capture") {
      return *std::get<1>(packed);
    } else if constexpr (facts.name == "mem_map") {
      return as_key(std::get<0>(packed));
    } else if constexpr (facts.name == "link_create") {
      return as_key(*std::get<3>(packed));
    } else {
      return as_key(*std::get<0>(packed));
    }
  }
};

namespace {

enum index_of : std::size_t {
#define YOKE_TEST_INDEX(name, symbol, version, ...) index_##name,
  YOKE_CUDA_FUNCTIONS(YOKE_TEST_INDEX)
#undef YOKE_TEST_INDEX
};

}  // namespace

cuda_interposer::cuda_interposer(const cuda_abi::functions& real) : driver_calls(cuda_entries), real_(real) {
#define YOKE_TEST_THUNK(name, symbol, version, ...)                                                                    \
  if (real_.name != nullptr) {                                                                                         \
    table_.name =                                                                                                      \
        &cuda_thunk<index_##name, std::remove_pointer_t<decltype(cuda_abi::functions::name)>>::template call<          \
            &cuda_abi::functions::name>;                                                                               \
  }
  YOKE_CUDA_FUNCTIONS(YOKE_TEST_THUNK)
#undef YOKE_TEST_THUNK
  cuda_interposer* none = nullptr;
  if (!yoke_test::current.compare_exchange_strong(none, this)) throw std::logic_error("another cuda_interposer lives");
}
cuda_interposer::~cuda_interposer() { yoke_test::current = nullptr; }

void cuda_interposer::remove_newer_than(int newest) {
#define YOKE_TEST_REMOVE(name, symbol, version, ...)                                                                   \
  if ((version) > newest) table_.name = nullptr;
  YOKE_CUDA_FUNCTIONS(YOKE_TEST_REMOVE)
#undef YOKE_TEST_REMOVE
}

const entry_facts& cuda_interposer::facts_of(std::string_view name) {
  return cuda_entries[entry_index(cuda_entries, name)];
}

}  // namespace yoke_test

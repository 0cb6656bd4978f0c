// SPDX-License-Identifier: MIT
// The thunks of the OpenCL interposer, told apart by signature and name only.
#include <support/drivers/opencl_interposer.hpp>
#include <support/faults/allocation_pause.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <tuple>

namespace yoke_test {

namespace {

constinit std::atomic<opencl_interposer*> current{nullptr};
constinit std::atomic<int> calls_in_flight{0};

/// Finds the interposer and keeps it alive for one call.
class call_scope {
 public:
  explicit call_scope(entry which) : self_(enter()) {
    if (self_ != nullptr) return;
    std::fprintf(stderr, "%s was called through the table of an interposer that is gone\n", facts_of(which).symbol);
    std::abort();
  }
  ~call_scope() { --calls_in_flight; }
  call_scope(const call_scope&) = delete;
  call_scope& operator=(const call_scope&) = delete;

  [[nodiscard]] opencl_interposer& self() const { return *self_; }

 private:
  static opencl_interposer* enter() {
    ++calls_in_flight;
    return current.load();
  }
  opencl_interposer* self_;
};

/// What the driver says to a handle that is not one.
constexpr abi::status refusal(object_kind kind) {
  switch (kind) {
    case object_kind::device: return -33;
    case object_kind::context: return -34;
    case object_kind::queue: return -36;
    case object_kind::memory: return -38;
    case object_kind::program: return -44;
    case object_kind::kernel: return -48;
    case object_kind::event: return -58;
    case object_kind::sampler: return -41;
    default: return -30;
  }
}

constexpr bool is_release(std::string_view name) { return name.starts_with("release_"); }

/// How an injected failure looks: where it releases, the real call runs, as a driver does that releases and then reports.
constexpr failure_kind failure_of(std::string_view name) {
  const bool releases = is_release(name) || name == "svm_free";
  const bool cleanup =
      releases || name == "enqueue_svm_free" || name == "enqueue_unmap_memory" || name == "enqueue_svm_unmap";
  return {releases, cleanup, name != "svm_alloc" && name != "svm_free" && name != "get_extension_function"};
}

/// Whether it waits. An injected failure still waits, or memory that a command uses would be freed under it.
constexpr bool waits(std::string_view name) { return name == "finish" || name == "wait_for_events"; }

template <class T>
constexpr bool is_handle = std::is_pointer_v<T> && !std::is_same_v<T, void*>;

}  // namespace

template <auto Member>
struct thunk;

template <class Result, class... Args, Result (*abi::functions::*Member)(Args...)>
struct thunk<Member> {
  static constexpr entry which = entry_of<Member>;
  static constexpr entry_facts facts = facts_of(which);
  using arguments = std::tuple<Args...>;

  static Result call(Args... args) {
    const allocation_pause no_allocation_faults;
    const call_scope scope(which);
    opencl_interposer& self = scope.self();
    const std::optional<abi::status> fault = self.begin(static_cast<std::size_t>(which), failure_of(facts.name));
    arguments packed{args...};

    if constexpr (is_release(facts.name)) {
      return release(self, fault, packed);
    } else if constexpr (which == entry::svm_free) {
      free_svm(self, packed);
    } else if constexpr (waits(facts.name)) {
      const Result result = forward(self, packed);
      return fault ? *fault : result;
    } else if constexpr (which == entry::enqueue_svm_free) {
      return fault ? *fault : enqueue_free(self, packed);
    } else if constexpr (which == entry::enqueue_unmap_memory) {
      return unmap(self, fault, object_kind::mapping, std::get<2>(packed), packed);
    } else if constexpr (which == entry::enqueue_svm_unmap) {
      return unmap(self, fault, object_kind::svm_mapping, std::get<1>(packed), packed);
    } else if constexpr (which == entry::create_sub_devices) {
      return fault ? *fault : split(self, packed);
    } else {
      if (fault) return fail(*fault, packed);
      const Result result = forward(self, packed);
      record(self, result, packed);
      return result;
    }
  }

  static Result forward(opencl_interposer& self, const arguments& packed) {
    using answer = std::function<Result(Args...)>;
    if (const std::shared_ptr<void> other = self.replacement(which)) {
      return std::apply(*static_cast<const answer*>(other.get()), packed);
    }
    return std::apply(self.real_.*Member, packed);
  }

  /// A function that returns a status returns the code; one that returns an object sets its last argument.
  static Result fail(abi::status code, const arguments& packed) {
    if constexpr (std::is_same_v<Result, abi::status>) {
      return code;
    } else {
      constexpr std::size_t last = sizeof...(Args) - 1;
      if constexpr (std::is_same_v<std::tuple_element_t<last, arguments>, abi::status*>) {
        if (std::get<last>(packed) != nullptr) *std::get<last>(packed) = code;
      }
      return nullptr;
    }
  }

  template <class Value>
  static bool succeeded(Value result) {
    if constexpr (std::is_same_v<Value, abi::status>) {
      return result == 0;
    } else {
      return result != nullptr;
    }
  }

  /// Writes down what a successful call created or retained.
  template <class Value>
  static void record(opencl_interposer& self, Value result, const arguments& packed) {
    if (!succeeded(result)) return;
    if constexpr (is_handle<Result>) {
      self.ledger_.gained(opencl_interposer::kind_of<Result>(), result, facts.symbol);
    } else if constexpr (which == entry::enqueue_map_buffer || which == entry::enqueue_map_image) {
      self.ledger_.gained(object_kind::mapping, result, facts.symbol);
    } else if constexpr (which == entry::svm_alloc) {
      self.ledger_.gained(object_kind::svm, result, facts.symbol);
    } else if constexpr (which == entry::enqueue_svm_map) {
      self.ledger_.gained(object_kind::svm_mapping, std::get<3>(packed), facts.symbol);
    } else if constexpr (facts.name.starts_with("retain_")) {
      constexpr object_kind kind = opencl_interposer::kind_of<std::tuple_element_t<0, arguments>>();
      const bool root_device = kind == object_kind::device && !self.ledger_.knows(kind, std::get<0>(packed));
      if (!root_device) self.ledger_.gained(kind, std::get<0>(packed), facts.symbol);
    }
    std::apply([&self](const auto&... each) { (record_event(self, each), ...); }, packed);
  }
  template <class Argument>
  static void record_event(opencl_interposer& self, const Argument& argument) {
    if constexpr (std::is_same_v<Argument, abi::event*>) {
      if (argument != nullptr) self.ledger_.gained(object_kind::event, *argument, facts.symbol);
    }
  }

  static Result release(opencl_interposer& self, std::optional<abi::status> fault, const arguments& packed) {
    const auto object = std::get<0>(packed);
    constexpr object_kind kind = opencl_interposer::kind_of<std::tuple_element_t<0, arguments>>();
    const bool root_device = kind == object_kind::device && !self.ledger_.knows(kind, object);
    if (!root_device) {
      // The driver never sees a dead handle: it may have reused or unmapped the memory behind it.
      const auto before = self.ledger_.lost(kind, object, facts.symbol);
      if (before == object_ledger::standing::dead) return refusal(kind);
      const Result result = forward(self, packed);
      if (result != 0 && before == object_ledger::standing::alive) self.ledger_.kept(kind, object);
      return fault ? *fault : result;
    }
    const Result result = forward(self, packed);
    return fault ? *fault : result;
  }

  static void free_svm(opencl_interposer& self, const arguments& packed) {
    void* const pointer = std::get<1>(packed);
    if (pointer != nullptr) {
      const auto before = self.ledger_.lost(object_kind::svm, pointer, facts.symbol);
      if (before == object_ledger::standing::dead) return;
    }
    forward(self, packed);
  }

  static Result enqueue_free(opencl_interposer& self, const arguments& packed) {
    // With a callback it is the callback that frees.
    const bool frees = std::get<3>(packed) == nullptr;
    const abi::uint count = std::get<1>(packed);
    void** const pointers = std::get<2>(packed);
    std::vector<void*> lost;
    bool refused = false;
    for (abi::uint i = 0; frees && pointers != nullptr && i < count; ++i) {
      if (pointers[i] == nullptr) continue;
      const auto before = self.ledger_.lost(object_kind::svm, pointers[i], facts.symbol);
      if (before == object_ledger::standing::alive) lost.push_back(pointers[i]);
      if (before == object_ledger::standing::dead) refused = true;
    }
    const Result result = refused ? refusal(object_kind::svm) : forward(self, packed);
    if (result != 0) {
      for (void* const pointer : lost) self.ledger_.kept(object_kind::svm, pointer);
    }
    record(self, result, packed);
    return result;
  }

  static Result unmap(opencl_interposer& self, std::optional<abi::status> fault, object_kind kind, void* pointer,
                      const arguments& packed) {
    if (fault) {
      self.ledger_.gave_up(kind, pointer);
      return *fault;
    }
    const auto before = self.ledger_.lost(kind, pointer, facts.symbol);
    if (before == object_ledger::standing::dead) return refusal(kind);
    const Result result = forward(self, packed);
    if (result != 0 && before == object_ledger::standing::alive) {
      self.ledger_.kept(kind, pointer);
      self.ledger_.gave_up(kind, pointer);
    }
    record(self, result, packed);
    return result;
  }

  static Result split(opencl_interposer& self, arguments packed) {
    abi::uint made = 0;
    abi::uint* const asked = std::exchange(std::get<4>(packed), &made);
    const Result result = forward(self, packed);
    if (asked != nullptr && result == 0) *asked = made;
    abi::device* const devices = std::get<3>(packed);
    for (abi::uint i = 0; result == 0 && devices != nullptr && i < std::min(made, std::get<2>(packed)); ++i) {
      self.ledger_.gained(object_kind::device, devices[i], facts.symbol);
    }
    return result;
  }
};

const abi::functions& opencl_interposer::thunks() noexcept {
  static constexpr abi::functions all{
#define YOKE_TEST_THUNK(name, symbol, version, ...) .name = &thunk<&abi::functions::name>::call,
      YOKE_OPENCL_FUNCTIONS(YOKE_TEST_THUNK)
#undef YOKE_TEST_THUNK
  };
  return all;
}

opencl_interposer::opencl_interposer(const abi::functions& real)
    : driver_calls(entries), real_(real), table_(thunks()) {
#define YOKE_TEST_KEEP(name, symbol, version, ...)                                                                     \
  if (real_.name == nullptr) table_.name = nullptr;
  YOKE_OPENCL_FUNCTIONS(YOKE_TEST_KEEP)
#undef YOKE_TEST_KEEP
  opencl_interposer* none = nullptr;
  if (!current.compare_exchange_strong(none, this)) throw std::logic_error("another opencl_interposer lives");
}

opencl_interposer::~opencl_interposer() {
  current = nullptr;
  while (calls_in_flight != 0) std::this_thread::yield();
}

void opencl_interposer::remove(std::string_view name) {
  const entry which = entry_named(name);
#define YOKE_TEST_REMOVE(own_name, symbol, version, ...)                                                               \
  if (which == entry::own_name) table_.own_name = nullptr;
  YOKE_OPENCL_FUNCTIONS(YOKE_TEST_REMOVE)
#undef YOKE_TEST_REMOVE
}

void opencl_interposer::remove_newer_than(int version) {
  for (const entry_facts& each : entries) {
    if (each.version > version) remove(each.name);
  }
}

std::shared_ptr<void> opencl_interposer::replacement(entry which) const {
  const std::lock_guard lock(replacing_);
  return replacements_[static_cast<std::size_t>(which)];
}

}  // namespace yoke_test

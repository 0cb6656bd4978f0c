// SPDX-License-Identifier: MIT
// The thunks of the interposer, told apart by signature and name only, and its bookkeeping.
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
    const std::optional<abi::status> fault = self.begin(which);
    arguments packed{args...};

    if constexpr (facts.name.starts_with("release_")) {
      return release(self, fault, packed);
    } else if constexpr (which == entry::svm_free) {
      free_svm(self, packed);
    } else if constexpr (facts.waits()) {
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
      if (before == opencl_ledger::standing::dead) return refusal(kind);
      const Result result = forward(self, packed);
      if (result != 0 && before == opencl_ledger::standing::alive) self.ledger_.kept(kind, object);
      return fault ? *fault : result;
    }
    const Result result = forward(self, packed);
    return fault ? *fault : result;
  }

  static void free_svm(opencl_interposer& self, const arguments& packed) {
    void* const pointer = std::get<1>(packed);
    if (pointer != nullptr) {
      const auto before = self.ledger_.lost(object_kind::svm, pointer, facts.symbol);
      if (before == opencl_ledger::standing::dead) return;
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
      if (before == opencl_ledger::standing::alive) lost.push_back(pointers[i]);
      if (before == opencl_ledger::standing::dead) refused = true;
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
    if (before == opencl_ledger::standing::dead) return refusal(kind);
    const Result result = forward(self, packed);
    if (result != 0 && before == opencl_ledger::standing::alive) {
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

opencl_interposer::opencl_interposer(const abi::functions& real) : real_(real), table_(thunks()) {
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

void opencl_interposer::on_call(std::string_view name, std::function<void()> hook) {
  const std::lock_guard lock(mutex_);
  hooks_[static_cast<std::size_t>(entry_named(name))] = std::move(hook);
}

std::size_t opencl_interposer::mark() const {
  const std::lock_guard lock(mutex_);
  return log_.size();
}

std::vector<std::string> opencl_interposer::calls(std::size_t since) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (std::size_t i = since; i < log_.size(); ++i) names.emplace_back(facts_of(log_[i]).name);
  return names;
}

std::size_t opencl_interposer::count(std::string_view name, std::size_t since) const {
  const entry which = entry_named(name);
  const std::lock_guard lock(mutex_);
  std::size_t found = 0;
  for (std::size_t i = since; i < log_.size(); ++i) found += log_[i] == which ? 1u : 0u;
  return found;
}

std::size_t opencl_interposer::count_all(std::size_t since) const {
  const std::lock_guard lock(mutex_);
  return log_.size() - std::min(since, log_.size());
}

void opencl_interposer::clear_log() {
  const std::lock_guard lock(mutex_);
  log_.clear();
}

void opencl_interposer::arm(std::optional<entry> only, std::size_t nth, fault_mode mode, abi::status code,
                            fault_scope scope) {
  if (nth == 0) throw std::invalid_argument("calls count from 1");
  fault planned{only, nth, mode, code, {}, 0};
  if (scope == fault_scope::this_thread) planned.thread = std::this_thread::get_id();
  const std::lock_guard lock(mutex_);
  faults_.push_back(planned);
}

void opencl_interposer::fail_call(std::size_t n, fault_mode mode, abi::status code, fault_scope scope) {
  arm(std::nullopt, n, mode, code, scope);
}

void opencl_interposer::fail_function(std::string_view name, std::size_t nth, fault_mode mode, abi::status code,
                                      fault_scope scope) {
  arm(entry_named(name), nth, mode, code, scope);
}

void opencl_interposer::exclude(std::string_view name) {
  const std::lock_guard lock(mutex_);
  excluded_[static_cast<std::size_t>(entry_named(name))] = true;
}

void opencl_interposer::disarm() {
  const std::lock_guard lock(mutex_);
  faults_.clear();
}

std::optional<injection> opencl_interposer::injected() const {
  const std::lock_guard lock(mutex_);
  return injections_.empty() ? std::nullopt : std::optional(injections_.front());
}

std::vector<injection> opencl_interposer::injections() const {
  const std::lock_guard lock(mutex_);
  return injections_;
}

std::optional<abi::status> opencl_interposer::begin(entry which) {
  const entry_facts& facts = facts_of(which);
  const auto index = static_cast<std::size_t>(which);
  std::optional<abi::status> code;
  std::function<void()> hook;
  {
    const std::lock_guard lock(mutex_);
    log_.push_back(which);
    hook = hooks_[index];
    for (fault& each : faults_) {
      if (each.only ? *each.only != which : excluded_[index]) continue;
      if (each.thread && *each.thread != std::this_thread::get_id()) continue;
      ++each.seen;
      const bool strikes = each.seen == each.nth || (each.mode == fault_mode::for_ever && each.seen > each.nth);
      if (strikes && !code) code = each.code;
    }
    if (code) {
      injections_.push_back(
          {std::string(facts.name), facts.symbol, *code, facts.releases(), facts.cleanup(), facts.reports()});
    }
  }
  if (hook) hook();
  return code;
}

std::shared_ptr<void> opencl_interposer::replacement(entry which) const {
  const std::lock_guard lock(mutex_);
  return replacements_[static_cast<std::size_t>(which)];
}

}  // namespace yoke_test

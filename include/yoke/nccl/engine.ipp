// SPDX-License-Identifier: MIT
// Bodies of nccl/engine.hpp. All calls that may not return run on threads of their own, which a deadline leaves behind.
#ifndef YOKE_NCCL_ENGINE_IPP
#define YOKE_NCCL_ENGINE_IPP

#include <yoke/nccl/engine.hpp>

#include <yoke/core/cleanup.hpp>
#include <yoke/core/environment.hpp>
#include <yoke/core/text.hpp>
#include <yoke/distributed/deadline.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/cuda/references.hpp>
#include <yoke/driver/nccl/error.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <thread>

namespace yoke::inline v0_1::nccl::detail {

using yoke::detail::duration_text;
using yoke::detail::text;
using yoke::detail::throw_error;

const char* name_of(verb which) noexcept {
  constexpr const char* names[] = {"all_reduce", "reduce",  "broadcast",  "all_gather", "reduce_scatter",
                                   "gather",     "scatter", "all_to_all", "send",       "receive"};
  return names[static_cast<std::size_t>(which)];
}

/// Effects: calls `act(0)` to `act(count - 1)`, each on a thread of its own. Returns: whether all have returned in time;
/// the others go on. `act` keeps what they use.
bool run_apart(std::size_t count, std::function<void(std::size_t)> act, std::chrono::nanoseconds within) {
  struct meeting {
    std::function<void(std::size_t)> act;
    std::mutex mutex{};
    std::condition_variable changed{};
    std::size_t left = 0;
  };
  const auto all = std::make_shared<meeting>();
  all->act = std::move(act);
  all->left = count;
  const auto one = [all](std::size_t number) {
    all->act(number);
    const std::lock_guard lock(all->mutex);
    --all->left;
    all->changed.notify_all();
  };
  for (std::size_t i = 0; i < count; ++i) {
    try {
      std::thread(one, i).detach();
    } catch (const std::system_error&) {  // without a thread there is no deadline
      one(i);
    }
  }
  // Conditions wait for no time beyond a year.
  const auto most = (std::min)(within, std::chrono::nanoseconds(std::chrono::hours(8760)));
  std::unique_lock lock(all->mutex);
  return all->changed.wait_for(lock, most, [&] { return all->left == 0; });
}

/// A thread of the process that looks for calls that do not return.
class watch {
 public:
  void add(const std::shared_ptr<engine>& of) {
    const std::lock_guard lock(mutex_);
    all_.push_back(of);
    if (runs_) return;
    std::thread([this] { run(); }).detach();
    runs_ = true;
  }
  void remove(const engine* of) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(all_, [&](const std::shared_ptr<engine>& each) { return each.get() == of; });
    changed_.notify_all();
  }
  /// Never freed: its thread may outlive `main`.
  static watch& of_process() {
    static watch* const once = new watch;
    return *once;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!all_.empty()) {
      changed_.wait_for(lock, std::chrono::milliseconds(50));
      std::vector<std::shared_ptr<engine>> some = all_;
      lock.unlock();
      for (const auto& each : some) engine::look(each, std::chrono::steady_clock::now());
      some.clear();
      lock.lock();
    }
    runs_ = false;
  }
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::vector<std::shared_ptr<engine>> all_{};
  bool runs_ = false;
};

/// Returns: the options with the environment's wishes.
options with_environment(options given) {
  if (process_environment().debug == "ranks") given.check = true;
  return given;
}

/// Returns: the number of a context's device. Throws: `logic_error` for a context that NCCL does not work in.
cuda::abi::device checked_device(const rank_place& place, const source_location& where) {
  const cuda::detail::context_facts facts =
      cuda::detail::contexts_of(place.driver).find(place.driver, place.context, where);
  if (!facts.primary) {
    throw_error(errc::wrong_context, where,
                "NCCL works in the primary context of a device, and this context was created beside it: take "
                "yoke::cuda::context{device}");
  }
  return facts.device;
}

/// Returns: the configuration for a running library: the older of its layout and ours.
abi::config config_for(int version, const options& with) {
  // Sizes by the first version that has them.
  constexpr std::pair<int, std::size_t> sizes[] = {{23000, 96}, {22900, 88}, {22800, 80}, {22700, 72}, {21800, 48}};
  abi::config made;
  made.blocking = with.blocking ? 1 : 0;
  if (version >= static_cast<int>(made.version)) return made;
  made.version = static_cast<unsigned>(version);
  for (const auto& [since, bytes] : sizes) {
    if (version < since) continue;
    made.size = bytes;
    break;
  }
  return made;
}

std::shared_ptr<engine> engine::open(const unique_id& id, int size, std::vector<rank_place> places, const options& with,
                                     const source_location& where) {
  if (size < 1) throw_error(errc::invalid_argument, where, "a communicator of ", size, " ranks: there is at least one");
  std::vector<cuda::abi::device> devices;
  for (const rank_place& each : places) {
    if (each.rank < 0 || each.rank >= size) {
      throw_error(errc::out_of_range, where, "rank ", each.rank, " of a communicator of ", size,
                  size == 1 ? " rank: the only one is 0" : text(" ranks: they are 0 to ", size - 1));
    }
    const cuda::abi::device device = checked_device(each, where);
    const auto same = std::find(devices.begin(), devices.end(), device);
    if (same != devices.end()) {
      throw_error(errc::invalid_argument, where, "ranks ", same - devices.begin(), " and ", devices.size(),
                  " both use CUDA device ", device, ": NCCL needs a device for each rank");
    }
    devices.push_back(device);
  }
  if (std::all_of(id.bytes.begin(), id.bytes.end(), [](std::byte each) { return each == std::byte{}; })) {
    throw_error(errc::invalid_argument, where, "this unique id is empty: nccl::get_unique_id makes one");
  }
  const loaded_library& library = default_library(where);
  const std::shared_ptr<engine> made(new engine(std::move(places), size, with_environment(with), library));

  // What the threads use, also after the deadline.
  struct making {
    std::shared_ptr<engine> of;
    abi::unique_id id{};
    std::vector<abi::communicator> natives{};
    std::exception_ptr thrown{};
    abi::status code = abi::success;
    std::string words{};
    const char* call = "";
    std::mutex mutex{};
    bool is_left = false;  // nobody waits any more
    bool is_over = false;  // all members stay as they are
  };
  const auto work = std::make_shared<making>();
  work->of = made;
  std::memcpy(work->id.bytes, id.bytes.data(), sizeof work->id.bytes);
  work->natives.resize(made->places_.size());
  const auto make = [work, where](std::size_t) {
    const engine& of = *work->of;
    const abi::functions& table = of.library_->table;
    const bool grouped = of.places_.size() > 1;
    const auto ask = [&](const char* call, abi::status code) {
      if (work->code != abi::success || code == abi::success || code == abi::in_progress) return;
      work->code = code;
      work->call = call;
      work->words = failure_text(table, nullptr, code);
    };
    try {
      if (grouped) ask("ncclGroupStart", table.group_start());
      const bool opened = grouped && work->code == abi::success;
      try {
        for (std::size_t i = 0; i < of.places_.size() && work->code == abi::success; ++i) {
          const cuda::detail::current_context scope(of.places_[i].driver, of.places_[i].context, where);
          abi::config config = config_for(of.library_->info.version, of.options_);
          ask("ncclCommInitRankConfig",
              table.init_rank(&work->natives[i], of.size_, work->id, of.places_[i].rank, &config));
        }
      } catch (...) {
        work->thrown = std::current_exception();
      }
      if (opened) ask("ncclGroupEnd", table.group_end());
      for (const abi::communicator each : work->natives) {
        abi::status now = abi::in_progress;
        while (!of.options_.blocking && work->code == abi::success && each != nullptr && now == abi::in_progress) {
          if (const abi::status code = table.get_async_error(each, &now)) now = code;
          ask("ncclCommInitRankConfig", now);
          std::this_thread::sleep_for(std::chrono::microseconds(100));
          const std::lock_guard lock(work->mutex);
          if (work->is_left) break;
        }
      }
    } catch (...) {
      work->thrown = std::current_exception();
    }
    const std::lock_guard lock(work->mutex);
    work->is_over = true;
    if (!work->is_left) return;
    for (const abi::communicator each : work->natives) {
      if (each != nullptr) (void)table.abort(each);
    }
  };
  if (!run_apart(1, make, made->options_.deadline)) {
    const std::lock_guard lock(work->mutex);
    // It may have ended since: the other ranks go on then, and so does this one.
    work->is_left = !work->is_over;
    if (work->is_left) {
      throw communication_error(make_error_code(errc::timed_out), "ncclCommInitRankConfig",
                                text("the ", made->text_of_ranks(), " has not been made within ",
                                     duration_text(made->options_.deadline), ": not all ranks have come"),
                                where);
    }
  }
  if (work->thrown != nullptr || work->code != abi::success) {
    std::vector<abi::communicator> natives = work->natives;
    std::erase(natives, nullptr);
    const abi::functions& table = library.table;
    (void)run_apart(
        natives.size(), [natives, &table](std::size_t i) { (void)table.abort(natives[i]); }, made->options_.end_within);
    if (work->thrown != nullptr) std::rethrow_exception(work->thrown);
    throw_failure(work->code, work->call, work->words, where);
  }
  made->natives_.swap(work->natives);
  work->of.reset();
  try {
    watch::of_process().add(made);
  } catch (...) {
    made->abort();
    throw;
  }
  // The last owner ends the communicators; the watch is none.
  return std::shared_ptr<engine>(made.get(), [made](engine* of) {
    try {
      of->end(std::uncaught_exceptions() == 0, false, source_location{});
    } catch (...) {
      yoke::detail::report_cleanup_exception("ncclCommDestroy");
    }
  });
}

abi::communicator engine::native(std::size_t member) const noexcept {
  const std::lock_guard lock(mutex_);
  return natives_.empty() ? nullptr : natives_[member];
}

std::string engine::text_of_ranks() const { return text("communicator of ", size_, size_ == 1 ? " rank" : " ranks"); }

void engine::throw_ended(const source_location& where) const {
  const std::lock_guard lock(mutex_);
  if (stage_.load() == stage::ended) throw_error(errc::communicator_ended, where, "this communicator has been closed");
  throw_error(errc::communicator_ended, where, "this communicator has failed before: ", failure_);
}
void engine::throw_two_threads(const source_location& where) {
  throw_error(errc::invalid_argument, where,
              "another thread is in a call of this communicator: one thread at a time uses it");
}

bool engine::note_failure(const std::error_code& code, const std::string& message) {
  const std::lock_guard lock(mutex_);
  stage expected = stage::ready;
  if (!stage_.compare_exchange_strong(expected, stage::failed)) return false;
  failure_code_ = code;
  failure_ = message;
  return true;
}
std::vector<abi::communicator> engine::taken() noexcept {
  const std::lock_guard lock(mutex_);
  return std::exchange(natives_, {});
}
void engine::abort() noexcept {
  try {
    (void)note_failure(make_error_code(errc::communicator_ended), "it was aborted");
    std::vector<abi::communicator> natives = taken();
    if (natives.empty()) return;
    watch::of_process().remove(this);
    const abi::functions* const table = &library_->table;
    // Communicators of one process wait for each other while they end: each needs a thread.
    const bool ended = run_apart(
        natives.size(),
        [natives, table](std::size_t i) {
          if (const abi::status code = table->abort(natives[i])) {
            yoke::detail::report_cleanup_failure({code, error_category()}, "ncclCommAbort");
          }
        },
        options_.end_within);
    if (!ended) yoke::detail::report_cleanup_failure(make_error_code(errc::timed_out), "ncclCommAbort");
  } catch (...) {
    yoke::detail::report_cleanup_exception("ncclCommAbort");
  }
}

void engine::fail(const std::error_code& code, const char* call, const std::string& message,
                  const source_location& where) {
  const std::string words = text(message, ". The ", text_of_ranks(), " is aborted");
  (void)note_failure(code, words);
  abort();
  throw communication_error(code, call, words, where);
}
void engine::refuse(abi::status code, const char* call, const source_location& where) {
  if (!is_ready()) {  // the watch has aborted this call
    std::string words;
    std::error_code first;
    {
      const std::lock_guard lock(mutex_);
      words = failure_;
      first = failure_code_;
    }
    throw communication_error(first, call, words, where);
  }
  const std::string words = failure_text(library_->table, native(0), code);
  // These refuse a call before it has an effect.
  if (code == abi::invalid_argument || code == abi::invalid_usage) throw_failure(code, call, words, where);
  fail({code, error_category()}, call, words, where);
}

abi::status engine::state_of_natives() const {
  // An abort takes the communicators under this lock before it frees them.
  const std::lock_guard lock(mutex_);
  if (natives_.empty()) return abi::remote_error;
  abi::status now = abi::success;
  for (const abi::communicator each : natives_) {
    abi::status state = abi::success;
    if (const abi::status failed = library_->table.get_async_error(each, &state)) state = failed;
    if (state != abi::success && (now == abi::success || now == abi::in_progress)) now = state;
  }
  return now;
}
abi::status engine::settled(abi::status code) {
  if (code != abi::in_progress) return code;
  const polling own_deadline(polls_);
  const yoke::detail::deadline end(options_.deadline);
  abi::status now = abi::in_progress;
  (void)end.wait_until([&] {
    now = state_of_natives();
    return now != abi::in_progress;
  });
  return now == abi::in_progress ? abi::timed_out : now;
}

std::size_t bytes_of(abi::data_type type) noexcept {
  constexpr std::size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return bytes[static_cast<std::size_t>(type)];
}

abi::status engine::issue_one(const rank_call& call, const char*& name) const {
  const abi::functions& table = library_->table;
  const abi::communicator of = natives_[call.member];
  const auto part = [&](int peer) { return static_cast<std::size_t>(peer) * call.count * bytes_of(call.type); };
  const auto from_at = [&](int peer) -> const void* { return static_cast<const std::byte*>(call.from) + part(peer); };
  const auto to_at = [&](int peer) -> void* { return static_cast<std::byte*>(call.to) + part(peer); };
  const auto send = [&](const void* from, int peer) {
    name = "ncclSend";
    return table.send(from, call.count, call.type, peer, of, call.in);
  };
  const auto receive = [&](void* to, int peer) {
    name = "ncclRecv";
    return table.receive(to, call.count, call.type, peer, of, call.in);
  };
  const auto goes_on = [](abi::status code) { return code == abi::success || code == abi::in_progress; };
  const bool is_root = call.root == places_[call.member].rank;
  abi::status code = abi::success;
  switch (call.which) {
    case verb::all_reduce:
      name = "ncclAllReduce";
      return table.all_reduce(call.from, call.to, call.count, call.type, call.by, of, call.in);
    case verb::reduce:
      name = "ncclReduce";
      return table.reduce(call.from, call.to, call.count, call.type, call.by, call.root, of, call.in);
    case verb::broadcast:
      name = "ncclBroadcast";
      return table.broadcast(call.from, call.to, call.count, call.type, call.root, of, call.in);
    case verb::all_gather:
      name = "ncclAllGather";
      return table.all_gather(call.from, call.to, call.count, call.type, of, call.in);
    case verb::reduce_scatter:
      name = "ncclReduceScatter";
      return table.reduce_scatter(call.from, call.to, call.count, call.type, call.by, of, call.in);
    case verb::gather:
      if (table.gather != nullptr) {
        name = "ncclGather";
        return table.gather(call.from, call.to, call.count, call.type, call.root, of, call.in);
      }
      code = send(call.from, call.root);
      for (int peer = 0; is_root && peer < size_ && goes_on(code); ++peer) code = receive(to_at(peer), peer);
      return code;
    case verb::scatter:
      if (table.scatter != nullptr) {
        name = "ncclScatter";
        return table.scatter(call.from, call.to, call.count, call.type, call.root, of, call.in);
      }
      for (int peer = 0; is_root && peer < size_ && goes_on(code); ++peer) code = send(from_at(peer), peer);
      return goes_on(code) ? receive(call.to, call.root) : code;
    case verb::all_to_all:
      if (table.all_to_all != nullptr) {
        name = "ncclAlltoAll";
        return table.all_to_all(call.from, call.to, call.count, call.type, of, call.in);
      }
      for (int peer = 0; peer < size_ && goes_on(code); ++peer) {
        code = send(from_at(peer), peer);
        if (goes_on(code)) code = receive(to_at(peer), peer);
      }
      return code;
    case verb::send: return send(call.from, call.root);
    case verb::receive: return receive(call.to, call.root);
  }
  return abi::invalid_argument;
}

/// Effects: at a thread's first call, makes a rank's context current unless one is. NCCL restores the thread's device,
/// and where there was none it would make a context on device 0 for that.
void keep_current(const rank_place& place, const source_location& where) {
  thread_local const void* asked = nullptr;
  if (asked == place.driver) [[likely]]
    return;
  asked = place.driver;
  cuda::abi::context now = nullptr;
  cuda::detail::invoke<&cuda::abi::functions::context_get_current>(place.driver, where, &now);
  if (now != nullptr) return;
  cuda::detail::invoke<&cuda::abi::functions::context_set_current>(place.driver, where, place.context);
}

void engine::issue(std::span<const rank_call> calls, const source_location& where) {
  if (calls.empty()) return check_ready(where);
  const inside scope(*this, where);
  keep_current(places_.front(), where);
  const bool is_first = !std::all_of(calls.begin(), calls.end(), [&](const auto& each) { return is_connected(each); });
  if (is_first) [[unlikely]]
    check_capture(calls, where);
  if (options_.check && places_.size() == 1 && calls.front().which < verb::send) [[unlikely]]
    compare_ranks(calls.front(), where);
  const abi::functions& table = library_->table;
  last_verb_ = name_of(calls.front().which);
  const char* name = "ncclGroupStart";
  const verb first = calls.front().which;
  const bool has_parts = (first == verb::gather && table.gather == nullptr) ||
                         (first == verb::scatter && table.scatter == nullptr) ||
                         (first == verb::all_to_all && table.all_to_all == nullptr);
  abi::status code = abi::success;
  if (calls.size() == 1 && !has_parts) {
    code = issue_one(calls.front(), name);
  } else {
    code = table.group_start();
    if (code == abi::success) {
      for (const rank_call& each : calls) {
        code = issue_one(each, name);
        if (code != abi::success && code != abi::in_progress) break;
      }
      // Also after a failure: the group of this thread must not stay open.
      const abi::status ended = table.group_end();
      if (code == abi::success || code == abi::in_progress) {
        code = ended;
        name = "ncclGroupEnd";
      }
    }
  }
  if (code != abi::success) [[unlikely]] {
    code = settled(code);
    if (code != abi::success) refuse(code, name, where);
  }
  if (is_first) [[unlikely]]
    std::for_each(calls.begin(), calls.end(), [&](const rank_call& each) { note_connected(each); });
}

std::size_t engine::connection_of(const rank_call& call) const noexcept {
  const auto ranks = static_cast<std::size_t>(size_);
  const auto other = static_cast<std::size_t>(call.root);
  if (call.which < verb::send) {
    return 2 * ranks * ranks + (static_cast<std::size_t>(call.which) - static_cast<std::size_t>(verb::gather)) * ranks +
           other;
  }
  return 2 * (static_cast<std::size_t>(places_[call.member].rank) * ranks + other) + (call.which == verb::send ? 0 : 1);
}
bool engine::is_connected(const rank_call& call) const noexcept {
  if (call.which < verb::gather) return (meets_ >> static_cast<unsigned>(call.which) & 1U) != 0;
  const std::size_t bit = connection_of(call);
  return bit / 64 < peers_.size() && (peers_[bit / 64] >> bit % 64 & 1U) != 0;
}
void engine::note_connected(const rank_call& call) {
  if (call.which < verb::gather) {
    meets_ |= 1U << static_cast<unsigned>(call.which);
    return;
  }
  const std::size_t bit = connection_of(call);
  if (bit / 64 >= peers_.size()) peers_.resize(bit / 64 + 1);
  peers_[bit / 64] |= std::uint64_t{1} << bit % 64;
}
bool engine::is_captured(std::size_t member, abi::stream in, const source_location& where) const {
  const rank_place& place = places_[member];
  const cuda::detail::current_context scope(place.driver, place.context, where);
  auto status = cuda::abi::capture_status::none;
  std::uint64_t number = 0;
  const auto code =
      cuda::detail::call<&cuda::abi::functions::stream_get_capture_info>(place.driver, in, &status, &number);
  return code == cuda::abi::success && status != cuda::abi::capture_status::none;
}
void engine::check_capture(std::span<const rank_call> calls, const source_location& where) const {
  for (const rank_call& each : calls) {
    if (!is_captured(each.member, each.in, where)) continue;
    throw_error(errc::invalid_argument, where, "the first ", name_of(each.which),
                " of a communicator makes connections, which a capture cannot record: call it once before");
  }
}
void engine::check_waits(std::span<const abi::stream> streams, const source_location& where) const {
  check_ready(where);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    if (!is_captured(i, streams[i], where)) continue;
    throw_error(errc::invalid_argument, where,
                "a stream in a capture is not waited for: its commands run when the graph is launched");
  }
}

cuda::abi::graph engine::captured(std::vector<rank_call> calls, const source_location& where) {
  check_ready(where);
  if (places_.size() != 1) {
    throw_error(errc::unsupported, where, "graphs record communicators of one GPU: a clique would wait for itself");
  }
  if (!std::all_of(calls.begin(), calls.end(), [&](const rank_call& each) { return is_connected(each); })) {
    throw_error(errc::invalid_argument, where, "the first ", name_of(calls.front().which),
                " of a communicator makes connections, which a graph cannot record: call it once before");
  }
  const rank_place& place = places_.front();
  const cuda::port with(place.driver);
  const cuda::detail::current_context scope(place.driver, place.context, where);
  const abi::stream in = own_stream(where);
  for (rank_call& each : calls) each.in = in;
  with.begin_capture(in, where);
  try {
    issue(calls, where);
  } catch (...) {
    with.abandon_capture(in);
    throw;
  }
  return with.end_capture(in, where);
}
abi::stream engine::own_stream(const source_location& where) {
  const rank_place& place = places_.front();
  if (recording_ != nullptr) return recording_;
  const cuda::detail::current_context scope(place.driver, place.context, where);
  cuda::detail::invoke<&cuda::abi::functions::stream_create>(place.driver, where, &recording_,
                                                             cuda::abi::stream_non_blocking, 0);
  return recording_;
}

/// What a rank calls, for the other ranks. All bytes are set.
struct call_record {
  std::uint64_t number = 0;
  std::uint64_t count = 0;
  std::int32_t which = 0;
  std::int32_t type = 0;
  std::int32_t by = 0;
  std::int32_t root = 0;
  std::uint32_t line = 0;
  char file[92] = {};

  [[nodiscard]] std::string words() const {
    constexpr const char* types[] = {"int8",    "uint8",   "int32",   "uint32",   "int64",       "uint64",
                                     "float16", "float32", "float64", "bfloat16", "float8 e4m3", "float8 e5m2"};
    constexpr const char* operators[] = {"summed", "multiplied", "largest", "smallest", "averaged"};
    const auto of = static_cast<verb>(which);
    std::string made = text(name_of(of), " of ", count, " ", types[type]);
    if (of <= verb::reduce || of == verb::reduce_scatter) {
      made += text(", ", by < abi::first_made_operation ? operators[by] : "a scaled sum");
    }
    if (of == verb::reduce || of == verb::broadcast || of == verb::gather || of == verb::scatter) {
      made += text(", root ", root);
    }
    return made;
  }
  [[nodiscard]] bool matches(const call_record& other) const {
    return number == other.number && count == other.count && which == other.which && type == other.type &&
           by == other.by && root == other.root;
  }
};
static_assert(sizeof(call_record) == 128);

void engine::compare_ranks(const rank_call& call, const source_location& where) {
  if (is_captured(call.member, call.in, where)) return;  // a capture cannot wait
  const rank_place& place = places_.front();
  const cuda::detail::current_context scope(place.driver, place.context, where);
  const auto ranks = static_cast<std::size_t>(size_);
  const abi::stream in = own_stream(where);
  if (records_ == 0) {
    cuda::detail::invoke<&cuda::abi::functions::mem_alloc>(place.driver, where, &records_,
                                                           (ranks + 1) * sizeof(call_record));
  }
  call_record own;
  own.number = ++compared_;
  own.count = call.count;
  own.which = static_cast<std::int32_t>(call.which);
  own.type = static_cast<std::int32_t>(call.type);
  own.by = (std::min)(static_cast<std::int32_t>(call.by), std::int32_t{abi::first_made_operation});
  own.root = call.root;
  own.line = where.line();
  const std::string_view file = where.file_name();
  const std::string_view name = file.substr(file.find_last_of('/') + 1).substr(0, sizeof own.file - 1);
  std::copy(name.begin(), name.end(), own.file);
  const cuda::abi::device_pointer mine = records_ + ranks * sizeof own;
  cuda::detail::invoke<&cuda::abi::functions::memcpy_htod_async>(place.driver, where, mine, &own, sizeof own, in);
  const abi::status code =
      library_->table.all_gather(reinterpret_cast<const void*>(mine), reinterpret_cast<void*>(records_), sizeof own,
                                 abi::data_type::uint8, natives_.front(), in);
  if (const abi::status now = settled(code)) refuse(now, "ncclAllGather", where);
  meets_ |= 1U << static_cast<unsigned>(verb::all_gather);
  last_verb_ = name_of(call.which);
  await({&in, 1}, where);
  std::vector<call_record> all(ranks);
  cuda::detail::invoke<&cuda::abi::functions::memcpy_dtoh_async>(place.driver, where, all.data(), records_,
                                                                 ranks * sizeof own, in);
  cuda::detail::invoke<&cuda::abi::functions::stream_synchronize>(place.driver, where, in);
  const auto other = std::find_if(all.begin(), all.end(), [&](const call_record& each) { return !each.matches(own); });
  if (other == all.end()) return;
  throw communication_error(make_error_code(errc::mismatched_ranks), "",
                            text(own.words(), " does not match the other ranks: rank ", other - all.begin(), " calls ",
                                 other->words(), " at ", static_cast<const char*>(other->file), ":", other->line,
                                 other->number == own.number ? ""
                                                             : text(", as its collective number ", other->number,
                                                                    ", where this is number ", own.number)),
                            where);
}

bool engine::are_done(const kept_stream& stream) const noexcept {
  const rank_place& place = places_[stream.member];
  try {
    const cuda::detail::current_context scope(place.driver, place.context, source_location{});
    // A stream that has failed has no work left.
    return cuda::detail::call<&cuda::abi::functions::stream_query>(place.driver, stream.native) !=
           cuda::abi::error_not_ready;
  } catch (...) {
    return true;  // others have ended the context
  }
}
void engine::keep(std::size_t member, abi::stream in, kept_alive keeper) {
  constexpr std::size_t most = 16;
  latest_[member] = in;
  const auto same = std::find_if(streams_.begin(), streams_.end(),
                                 [&](const kept_stream& each) { return each.native == in && each.member == member; });
  if (same != streams_.end()) return;
  if (streams_.size() >= most) {
    // The latest stream of a member is taken for kept.
    std::erase_if(streams_,
                  [&](const kept_stream& each) { return !knows(each.member, each.native) && are_done(each); });
  }
  streams_.push_back({member, in, std::move(keeper)});
}

void engine::wait(std::span<const abi::stream> streams, const source_location& where) {
  check_waits(streams, where);
  const inside scope(*this, where);
  await(streams, where);
}
void engine::wait_until(const std::function<bool()>& is_done, const source_location& where) {
  if (is_done()) {
    // An abort ends the work, too.
    if (stage_.load() == stage::failed) throw_ended(where);
    return;
  }
  const inside scope(*this, where);
  await(is_done, where);
}
void engine::await(std::span<const abi::stream> streams, const source_location& where) {
  const auto is_done = [&](std::size_t i) {
    const rank_place& place = places_[i];
    const cuda::detail::current_context current(place.driver, place.context, where);
    const auto code = cuda::detail::call<&cuda::abi::functions::stream_query>(place.driver, streams[i]);
    if (code == cuda::abi::error_not_ready) return false;
    if (code != cuda::abi::success) {
      (void)note_failure({code, cuda::error_category()}, "a command of its stream has failed");
      abort();
      cuda::detail::throw_failure(code, "cuStreamQuery", "", where);
    }
    return true;
  };
  await(
      [&] {
        for (std::size_t i = 0; i < streams.size(); ++i) {
          if (!is_done(i)) return false;
        }
        return true;
      },
      where);
}
void engine::await(const std::function<bool()>& is_done, const source_location& where) {
  const polling own_deadline(polls_);
  const yoke::detail::deadline end(options_.deadline);
  abi::status code = abi::success;
  bool done = false;
  (void)end.wait_until([&] {
    done = is_done();
    code = state_of_natives();
    if (code == abi::in_progress) code = abi::success;
    if (done || code != abi::success || !is_ready()) return true;
    if (options_.while_waiting) options_.while_waiting();
    return false;
  });
  if (code != abi::success) refuse(code, "ncclCommGetAsyncError", where);
  if (!is_ready()) refuse(abi::remote_error, "ncclCommGetAsyncError", where);
  if (done) return;
  fail(make_error_code(errc::timed_out), "",
       text(*last_verb_ == '\0' ? "the stream's work" : last_verb_, " has not ended within ",
            duration_text(options_.deadline), ": a rank is late or has ended"),
       where);
}

bool engine::is_late(std::chrono::steady_clock::time_point now) noexcept {
  const std::uint64_t turn = turn_.load(std::memory_order_relaxed);
  if (!busy_.load(std::memory_order_acquire) || polls_.load(std::memory_order_relaxed) || turn != seen_turn_) {
    seen_turn_ = turn;
    seen_at_ = now;
    return false;
  }
  if (now - seen_at_ < options_.deadline) return false;
  try {
    const std::string words = text("the call has not returned within ", duration_text(options_.deadline),
                                   ": another rank is late or has ended. The ", text_of_ranks(), " is aborted");
    return note_failure(make_error_code(errc::timed_out), words);
  } catch (...) {
    return false;  // once more in a moment
  }
}
void engine::end_call() noexcept {
  // An abort frees what the call still uses. Where NCCL can stop its work first, the call returns before.
  try {
    if (library_->table.revoke != nullptr) {
      std::vector<abi::communicator> natives;
      {
        const std::lock_guard lock(mutex_);
        natives = natives_;
      }
      for (const abi::communicator each : natives) (void)library_->table.revoke(each, 0);
      const yoke::detail::deadline soon(options_.end_within / 2);
      (void)soon.wait_until([&] { return !busy_.load(std::memory_order_acquire); });
    }
  } catch (...) {  // aborted all the same
  }
  abort();
}
void engine::look(const std::shared_ptr<engine>& at, std::chrono::steady_clock::time_point now) noexcept {
  if (!at->is_late(now)) return;
  try {
    std::thread([at] { at->end_call(); }).detach();  // the other communicators of the process may be late, too
  } catch (...) {
    at->end_call();
  }
}

void engine::end(bool in_order, bool throws, const source_location& where) {
  {
    const std::lock_guard lock(mutex_);
    stage expected = stage::ready;
    stage_.compare_exchange_strong(expected, stage::ended);
  }
  const std::vector<abi::communicator> natives = taken();
  watch::of_process().remove(this);
  if (!natives.empty()) {
    const yoke::detail::deadline idle(throws ? options_.deadline : options_.end_within);
    // To destroy a communicator whose work has not ended waits, perhaps for ever.
    const bool orderly = in_order && idle.wait_until([&] {
      return std::all_of(streams_.begin(), streams_.end(), [&](const kept_stream& each) { return are_done(each); });
    });
    const abi::functions* const table = &library_->table;
    const char* const call = orderly ? "ncclCommDestroy" : "ncclCommAbort";
    const auto codes = std::make_shared<std::vector<abi::status>>(natives.size());
    const bool blocks = options_.blocking;
    const bool ended = run_apart(
        natives.size(),
        [=](std::size_t i) {
          abi::status& code = (*codes)[i];
          if (orderly && !blocks) {  // the flush goes on behind the call
            code = table->finalize(natives[i]);
            while (code == abi::in_progress) {
              std::this_thread::sleep_for(std::chrono::microseconds(100));
              if (const abi::status failed = table->get_async_error(natives[i], &code)) code = failed;
            }
          }
          const abi::status last = orderly ? table->destroy(natives[i]) : table->abort(natives[i]);
          if (code == abi::success && last != abi::in_progress) code = last;
        },
        options_.end_within);
    std::error_code failure;
    if (!ended || (in_order && !orderly)) {
      failure = make_error_code(errc::timed_out);
    } else {
      const auto bad =
          std::find_if(codes->begin(), codes->end(), [](abi::status each) { return each != abi::success; });
      if (bad != codes->end()) failure = std::error_code(*bad, error_category());
    }
    streams_.clear();
    if (failure && throws) {
      throw communication_error(failure, call,
                                orderly ? text("the ", text_of_ranks(), " did not end in order")
                                        : text("the work has not ended within ", duration_text(options_.deadline),
                                               ". The ", text_of_ranks(), " is aborted"),
                                where);
    }
    if (failure) yoke::detail::report_cleanup_failure(failure, call);
  }
  streams_.clear();
  if (records_ != 0) {
    cuda::detail::report(cuda::detail::release_in(places_.front().driver, places_.front().context, [&] {
      return cuda::detail::release<&cuda::abi::functions::mem_free>(places_.front().driver, std::exchange(records_, 0));
    }));
  }
  if (recording_ != nullptr) {
    cuda::detail::report(cuda::detail::release_in(places_.front().driver, places_.front().context, [&] {
      return cuda::detail::release<&cuda::abi::functions::stream_destroy>(places_.front().driver,
                                                                          std::exchange(recording_, nullptr));
    }));
  }
}
void engine::close(const source_location& where) {
  check_ready(where);
  end(true, true, where);
}

}  // namespace yoke::inline v0_1::nccl::detail

#endif

// SPDX-License-Identifier: MIT
// Bodies of nccl/engine.hpp. Calls that end communicators run on threads of their own, which a deadline leaves behind.
#ifndef YOKE_NCCL_ENGINE_IPP
#define YOKE_NCCL_ENGINE_IPP

#include <yoke/nccl/engine.hpp>

#include <yoke/core/cleanup.hpp>
#include <yoke/core/environment.hpp>
#include <yoke/core/text.hpp>
#include <yoke/distributed/deadline.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/port.hpp>
#include <yoke/driver/nccl/error.hpp>
#include <yoke/nccl/natives.hpp>
#include <yoke/nccl/process_watch.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <thread>

namespace yoke::inline v0_1::nccl::detail {

using yoke::detail::duration_text;
using yoke::detail::text;
using yoke::detail::throw_error;

/// Returns: the options with the environment's wishes.
options with_environment(options given) {
  if (yoke::detail::debugs_ranks()) given.check = true;
  return given;
}

/// Throws: `logic_error` for a duration below 0.
void check_duration(const char* name, std::chrono::nanoseconds given, const source_location& where) {
  if (given >= std::chrono::nanoseconds(0)) return;
  throw_error(errc::invalid_argument, where, "the option ", name, " of a communicator is ", duration_text(given),
              ": the least is 0 s");
}

std::shared_ptr<engine> engine::open(const unique_id& id, int size, std::vector<rank_place> places, const options& with,
                                     const source_location& where) {
  check_places(id, size, places, where);
  check_duration("deadline", with.deadline, where);
  check_duration("end_within", with.end_within, where);
  const loaded_library& library = default_library(where);
  const std::shared_ptr<engine> made(new engine(std::move(places), size, with_environment(with), library));
  made->ranks_ = process_watch::of_process().ranks_of(id);
  for (const rank_place& each : made->places_) made->ranks_->add(each.context);
  process_watch::of_process().add(made);
  try {
    std::vector<abi::communicator> natives =
        make_communicators(id, size, made->places_, made->options_, library, where);
    const std::lock_guard lock(made->mutex_);
    made->natives_.swap(natives);
  } catch (...) {
    process_watch::of_process().remove(made.get());
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

std::string engine::text_of_place(const char* verb, const rank_call* which) const {
  const std::string in = *verb == '\0' ? "" : text(", in ", verb);
  if (which == nullptr && places_.size() != 1) return in;
  return text(in, " on rank ", places_[which == nullptr ? 0 : which->member].rank, " of ", size_);
}

const char* engine::last_verb() const noexcept {
  const char* const name = last_verb_.load(std::memory_order_relaxed);
  return *name == '\0' ? "a call of NCCL" : name;
}

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
  } catch (...) {  // it has failed, without words
  }
  const std::vector<abi::communicator> natives = taken();
  if (natives.empty()) return;
  process_watch::of_process().remove(this);
  if (const std::error_code failure = free(natives)) {
    yoke::detail::report_cleanup_failure(failure, "ncclCommAbort");
  }
}
std::error_code engine::free(const std::vector<abi::communicator>& natives) noexcept {
  const auto abort_one = [table = &library_->table](abi::communicator each, std::atomic<abi::status>& first) noexcept {
    abi::status fine = abi::success;
    if (const abi::status code = table->abort(each)) first.compare_exchange_strong(fine, code);
  };
  const auto outcome = [](abi::status code) {
    return code == abi::success ? std::error_code() : std::error_code(code, error_category());
  };
  try {
    // NCCL ends no communicator before the graphs that have calls of it. What these wait for ends at once.
    const bool waits_for_graphs = graphs_ != 0;
    constexpr std::chrono::nanoseconds moment = std::chrono::milliseconds(100);
    const std::chrono::nanoseconds half = options_.end_within / 2;
    // Asked before: while NCCL frees memory, CUDA may let nobody ask.
    const std::vector<neighbour> before = waits_for_graphs ? std::vector<neighbour>() : neighbours();
    const auto first = std::make_shared<std::atomic<abi::status>>(abi::success);
    // Communicators of one process wait for each other while they end: each needs a thread.
    const late_threads ends(
        natives.size(), [natives, abort_one, first](std::size_t i) { abort_one(natives[i], *first); },
        options_.end_within);
    if (ends.wait(waits_for_graphs ? (std::min)(moment, half) : half) || waits_for_graphs) return outcome(*first);
    abort_neighbours(before);
    return ends.wait(half) ? outcome(*first) : make_error_code(errc::timed_out);
  } catch (...) {  // no memory for threads, and none has begun
    std::atomic<abi::status> first{abi::success};
    for (const abi::communicator each : natives) abort_one(each, first);
    return outcome(first);
  }
}
bool engine::is_idle() const noexcept {
  try {
    std::vector<kept_stream> streams;
    {
      const std::lock_guard lock(mutex_);
      streams = streams_;
    }
    return std::all_of(streams.begin(), streams.end(), [&](const kept_stream& each) { return are_done(each); });
  } catch (...) {  // nobody can tell
    return true;
  }
}
bool engine::shares_device_with(const engine& other) const {
  return std::any_of(other.places_.begin(), other.places_.end(),
                     [&](const rank_place& each) { return ranks_->have(each.context); });
}
std::vector<engine::neighbour> engine::neighbours() const noexcept {
  try {
    std::vector<neighbour> found;
    for (const std::shared_ptr<engine>& each : process_watch::of_process().all()) {
      // Ranks of the same communicator end by themselves.
      const bool is_other = each.get() != this && each->ranks_ != ranks_;
      if (!is_other || each->native(0) == nullptr || !shares_device_with(*each)) continue;
      found.push_back({each, each->turn_.load(std::memory_order_relaxed), std::nullopt});
    }
    if (found.empty()) return found;
    enum answer : int { none, idle, busy };
    const auto answers = std::make_shared<std::vector<std::atomic<int>>>(found.size());
    constexpr std::chrono::nanoseconds moment = std::chrono::milliseconds(50);
    (void)run_apart(
        found.size(),
        [found, answers](std::size_t i) { (*answers)[i] = found[i].of->is_idle() ? answer::idle : answer::busy; },
        (std::min)(moment, options_.end_within / 8));
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (const int got = (*answers)[i]; got != answer::none) found[i].has_work = got == answer::busy;
    }
    return found;
  } catch (...) {  // nobody can tell
    return {};
  }
}
void engine::abort_neighbours(const std::vector<neighbour>& before) noexcept {
  try {
    for (const neighbour& each : neighbours()) {
      const auto same =
          std::find_if(before.begin(), before.end(), [&](const neighbour& one) { return one.of == each.of; });
      const bool was_idle = same != before.end() && same->has_work == false && same->turn == each.turn;
      if (!each.has_work.value_or(!was_idle)) continue;
      const bool is_first =
          each.of->note_failure(make_error_code(errc::rank_lost),
                                text("another ", text_of_ranks(size_),
                                     " of this process was aborted, which waits for all work on its devices, "
                                     "and this one's has not ended. The ",
                                     text_of_ranks(each.of->size_), " is aborted"));
      if (is_first) process_exit::of_process().run([of = each.of] { of->abort(); }, options_.end_within);
    }
  } catch (...) {  // the abort then takes as long as their work
    yoke::detail::report_cleanup_exception("ncclCommAbort");
  }
}

void engine::fail(const std::error_code& code, const char* call, const std::string& message,
                  const source_location& where) {
  std::string words;
  try {
    words = text(message, ". The ", text_of_ranks(size_), " is aborted");
    (void)note_failure(code, words);
  } catch (...) {
    abort();
    throw;
  }
  abort();
  throw communication_error(code, call, words, where);
}
void engine::fail_late(const char* call, const source_location& where) {
  fail(make_error_code(errc::timed_out), call,
       text(last_verb(), " has not ended within ", duration_text(options_.deadline), text_of_place("", nullptr),
            ": a rank is late or has ended"),
       where);
}
void engine::refuse(abi::status code, const char* call, const source_location& where, const char* verb,
                    const rank_call* which) {
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
  std::string words;
  try {
    words = text(failure_text(library_->table, native(0), code), text_of_place(verb, which));
  } catch (...) {
    if (code != abi::invalid_argument && code != abi::invalid_usage) abort();
    throw;
  }
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
  return now;
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
  const bool is_first = !std::all_of(
      calls.begin(), calls.end(), [&](const auto& each) { return connections_.has(each, rank(each.member), size_); });
  if (is_first) [[unlikely]]
    check_capture(calls, where);
  if (options_.check && places_.size() == 1 && calls.front().which < verb::send) [[unlikely]]
    compare_ranks(calls.front(), where);
  const abi::functions& table = library_->table;
  last_verb_.store(name_of(calls.front().which), std::memory_order_relaxed);
  const char* name = "ncclGroupStart";
  const rank_call* which = nullptr;
  const auto make = [&](const rank_call& each) {
    which = &each;
    return make_call(table, natives_[each.member], each, places_[each.member].rank, size_, name);
  };
  abi::status code = abi::success;
  if (calls.size() == 1 && !has_parts(calls.front(), table)) {
    code = make(calls.front());
  } else {
    code = table.group_start();
    if (code == abi::success) {
      for (const rank_call& each : calls) {
        code = make(each);
        if (code != abi::success && code != abi::in_progress) break;
      }
      // Also after a failure: the group of this thread must not stay open.
      const abi::status ended = table.group_end();
      if (code == abi::success || code == abi::in_progress) {
        code = ended;
        name = "ncclGroupEnd";
        which = nullptr;
      }
    }
  }
  if (code != abi::success) [[unlikely]] {
    code = settled(code);
    if (code == abi::in_progress) fail_late(name, where);
    const rank_call& told = which == nullptr ? calls.front() : *which;
    if (code != abi::success) refuse(code, name, where, name_of(told.which), which);
  }
  if (is_first) [[unlikely]]
    std::for_each(calls.begin(), calls.end(),
                  [&](const rank_call& each) { connections_.note(each, rank(each.member), size_); });
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

kept_alive engine::keeper_of_graph(const std::shared_ptr<engine>& of) {
  return keep_alive(std::make_shared<const graph_share>(of));
}
cuda::abi::graph engine::captured(std::vector<rank_call> calls, const source_location& where) {
  check_ready(where);
  if (places_.size() != 1) {
    throw_error(errc::unsupported, where, "graphs record communicators of one GPU: a clique would wait for itself");
  }
  if (!std::all_of(calls.begin(), calls.end(),
                   [&](const rank_call& each) { return connections_.has(each, rank(each.member), size_); })) {
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
  const call_record own(call, ++compared_, where);
  const cuda::abi::device_pointer mine = records_ + ranks * sizeof own;
  cuda::detail::invoke<&cuda::abi::functions::memcpy_htod_async>(place.driver, where, mine, &own, sizeof own, in);
  const abi::status code =
      library_->table.all_gather(reinterpret_cast<const void*>(mine), reinterpret_cast<void*>(records_), sizeof own,
                                 abi::data_type::uint8, natives_.front(), in);
  const abi::status now = settled(code);
  if (now == abi::in_progress) fail_late("ncclAllGather", where);
  if (now != abi::success) refuse(now, "ncclAllGather", where, name_of(call.which), &call);
  rank_call gathered;
  gathered.which = verb::all_gather;
  connections_.note(gathered, place.rank, size_);
  last_verb_.store(name_of(call.which), std::memory_order_relaxed);
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
  std::vector<kept_stream> some = streams_;
  if (some.size() >= most) {
    // The latest stream of a member is taken for kept.
    std::erase_if(some, [&](const kept_stream& each) { return !knows(each.member, each.native) && are_done(each); });
  }
  some.push_back({member, in, std::move(keeper)});
  const std::lock_guard lock(mutex_);
  streams_.swap(some);
}

void engine::wait(std::span<const abi::stream> streams, const source_location& where) {
  check_waits(streams, where);
  const inside scope(*this, where);
  await(streams, where);
  if (!left_.empty() && is_idle()) free_left();
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
  if (code != abi::success) refuse(code, "ncclCommGetAsyncError", where, last_verb_.load(std::memory_order_relaxed));
  if (!is_ready()) refuse(abi::remote_error, "ncclCommGetAsyncError", where);
  if (done) return;
  fail_late("", where);
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
    const std::string words =
        text(last_verb(), " has not returned within ", duration_text(options_.deadline), text_of_place("", nullptr),
             ": another rank is late or has ended. The ", text_of_ranks(size_), " is aborted");
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
      // It waits for work of the device, which others may hold up.
      const yoke::detail::deadline soon(options_.end_within / 2);
      (void)run_apart(
          natives.size(), [natives, table = &library_->table](std::size_t i) { (void)table->revoke(natives[i], 0); },
          options_.end_within / 2, options_.end_within);
      (void)soon.wait_until([&] { return !busy_.load(std::memory_order_acquire); });
    }
  } catch (...) {  // aborted all the same
  }
  abort();
}
void engine::look(const std::shared_ptr<engine>& at, std::chrono::steady_clock::time_point now) noexcept {
  if (!at->is_late(now)) return;
  try {
    // The other communicators of the process may be late, too.
    process_exit::of_process().run([at] { at->end_call(); }, at->options_.end_within);
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
  process_watch::of_process().remove(this);
  if (!natives.empty()) {
    const yoke::detail::deadline idle(throws ? options_.deadline : options_.end_within);
    // To destroy a communicator whose work has not ended waits, perhaps for ever.
    const bool orderly = in_order && idle.wait_until([&] {
      return std::all_of(streams_.begin(), streams_.end(), [&](const kept_stream& each) { return are_done(each); });
    });
    const char* const call = orderly ? "ncclCommDestroy" : "ncclCommAbort";
    std::error_code failure =
        orderly ? end_communicators(library_->table, natives, options_.blocking, options_.end_within) : free(natives);
    if (!failure && in_order && !orderly) failure = make_error_code(errc::timed_out);
    if (failure && throws) {
      end_own_objects();
      throw communication_error(
          failure, call,
          orderly ? text("the ", text_of_ranks(size_), " did not end in order", text_of_place("", nullptr))
                  : text("the work has not ended within ", duration_text(options_.deadline), text_of_place("", nullptr),
                         ". The ", text_of_ranks(size_), " is aborted"),
          where);
    }
    if (failure) yoke::detail::report_cleanup_failure(failure, call);
  }
  end_own_objects();
}
void engine::free_left() noexcept {
  std::vector<kept_alive> none;
  const std::lock_guard lock(mutex_);
  none.swap(left_);
}
void engine::end_own_objects() noexcept {
  free_left();
  {
    std::vector<kept_stream> none;
    const std::lock_guard lock(mutex_);
    streams_.swap(none);
  }
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
  if (const int graphs = graphs_; graphs != 0) {
    throw_error(errc::invalid_argument, where, "graphs have ", graphs, graphs == 1 ? " call" : " calls",
                " of this communicator: end them and their executables before it");
  }
  end(true, true, where);
}

}  // namespace yoke::inline v0_1::nccl::detail

#endif

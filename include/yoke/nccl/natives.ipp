// SPDX-License-Identifier: MIT
// Bodies of nccl/natives.hpp. NCCL's calls run on threads of their own, which deadlines leave behind.
#ifndef YOKE_NCCL_NATIVES_IPP
#define YOKE_NCCL_NATIVES_IPP

#include <yoke/nccl/natives.hpp>

#include <yoke/core/environment.hpp>
#include <yoke/core/text.hpp>
#include <yoke/distributed/deadline.hpp>
#include <yoke/driver/cuda/invoke.hpp>
#include <yoke/driver/cuda/references.hpp>
#include <yoke/driver/nccl/error.hpp>
#include <yoke/nccl/process_watch.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>
#include <thread>

namespace yoke::inline v0_1::nccl::detail {

/// Returns: the number of a context's device. Throws: `logic_error` for a context that NCCL does not work in.
cuda::abi::device checked_device(const rank_place& place, const source_location& where) {
  const cuda::detail::context_facts facts =
      cuda::detail::contexts_of(place.driver).find(place.driver, place.context, where);
  if (!facts.primary) {
    yoke::detail::throw_error(
        errc::wrong_context, where,
        "NCCL works in the primary context of a device, and this context was created beside it: take "
        "yoke::cuda::context{device}");
  }
  return facts.device;
}

void check_places(const unique_id& id, int size, const std::vector<rank_place>& places, const source_location& where) {
  using yoke::detail::throw_error;
  if (size < 1) throw_error(errc::invalid_argument, where, "a communicator of ", size, " ranks: there is at least one");
  std::vector<cuda::abi::device> devices;
  for (const rank_place& each : places) {
    if (each.rank < 0 || each.rank >= size) {
      throw_error(errc::out_of_range, where, "rank ", each.rank, " of a communicator of ", size,
                  size == 1 ? " rank: the only one is 0" : yoke::detail::text(" ranks: they are 0 to ", size - 1));
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
}

std::string text_of_ranks(int size) {
  return yoke::detail::text("communicator of ", size, size == 1 ? " rank" : " ranks");
}

/// Returns: the configuration for a running library: the older of its layout and ours. Throws: `unsupported_error`.
abi::config config_for(const loaded_library& library, const options& with, const source_location& where) {
  // Sizes by the first version that has them.
  constexpr std::pair<int, std::size_t> sizes[] = {{23000, 96}, {22900, 88}, {22800, 80}, {22700, 72}, {21800, 48}};
  const int version = library.info.version;
  abi::config made;
  made.blocking = with.blocking ? 1 : 0;
  if (with.graphs == graphs::one) {
    constexpr int since = 22900;
    const char* const mixing = std::getenv("NCCL_GRAPH_MIXING_SUPPORT");
    if (version < since && (mixing == nullptr || std::string_view(mixing) != "0")) {
      yoke::detail::throw_error(errc::unsupported, where, "graphs::one needs NCCL 2.29, and this is ", name_of(library),
                                ": the variable NCCL_GRAPH_MIXING_SUPPORT=0 says the same to it");
    }
    made.graph_usage = 1;  // an older library does not read it
  }
  if (version >= static_cast<int>(made.version)) return made;
  made.version = static_cast<unsigned>(version);
  for (const auto& [since, bytes] : sizes) {
    if (version < since) continue;
    made.size = bytes;
    break;
  }
  return made;
}

/// What the thread uses that makes communicators, also after the deadline.
struct making {
  const loaded_library* library = nullptr;
  std::vector<rank_place> places{};
  int size = 0;
  options with{};
  abi::config config{};
  abi::unique_id id{};
  source_location where{};
  std::vector<abi::communicator> natives{};
  std::exception_ptr thrown{};
  abi::status code = abi::success;
  std::string words{};
  const char* call = "";
  std::mutex mutex{};
  bool is_left = false;  // nobody waits any more
  bool is_over = false;  // all members stay as they are

  void run() noexcept;
  void make_all();
  /// Effects: waits for a communicator whose calls do not block.
  void wait_for(std::size_t member);
  /// Effects: notes a failure of NCCL, of the place `member` or of no certain one.
  void note(const char* name, abi::status got, std::size_t member = ~std::size_t{0});
};

void making::note(const char* name, abi::status got, std::size_t member) {
  if (code != abi::success || got == abi::success || got == abi::in_progress) return;
  code = got;
  call = name;
  words = failure_text(library->table, nullptr, got);
  if (member < places.size())
    words += yoke::detail::text(", while rank ", places[member].rank, " of ", size, " is made");
}
void making::make_all() {
  const abi::functions& table = library->table;
  const bool grouped = places.size() > 1;
  if (grouped) note("ncclGroupStart", table.group_start());
  const bool opened = grouped && code == abi::success;
  try {
    for (std::size_t i = 0; i < places.size() && code == abi::success; ++i) {
      const cuda::detail::current_context scope(places[i].driver, places[i].context, where);
      abi::config own = config;
      note("ncclCommInitRankConfig", table.init_rank(&natives[i], size, id, places[i].rank, &own), i);
    }
  } catch (...) {
    thrown = std::current_exception();
  }
  if (opened) note("ncclGroupEnd", table.group_end());
  for (std::size_t i = 0; i < natives.size() && !with.blocking && code == abi::success; ++i) wait_for(i);
}
void making::wait_for(std::size_t member) {
  abi::status now = abi::in_progress;
  while (code == abi::success && natives[member] != nullptr && now == abi::in_progress) {
    note("ncclCommGetAsyncError", library->table.get_async_error(natives[member], &now), member);
    note("ncclCommInitRankConfig", now, member);
    if (code != abi::success || now != abi::in_progress) return;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    const std::lock_guard lock(mutex);
    if (is_left) return;
  }
}
void making::run() noexcept {
  try {
    make_all();
  } catch (...) {
    thrown = std::current_exception();
  }
  const std::lock_guard lock(mutex);
  is_over = true;
  if (!is_left) return;
  process_exit::of_process().enter(with.end_within);
  for (const abi::communicator each : natives) {
    if (each != nullptr) (void)library->table.abort(each);
  }
  process_exit::of_process().leave();
}

std::vector<abi::communicator> make_communicators(const unique_id& id, int size, const std::vector<rank_place>& places,
                                                  const options& with, const loaded_library& library,
                                                  const source_location& where) {
  (void)process_exit::of_process();  // from here on, so that it waits after static communicators and before NCCL's end
  const auto work = std::make_shared<making>();
  work->library = &library;
  work->places = places;
  work->size = size;
  work->with = with;
  work->config = config_for(library, with, where);
  std::memcpy(work->id.bytes, id.bytes.data(), sizeof work->id.bytes);
  work->where = where;
  work->natives.resize(places.size());
  if (!run_apart(
          1, [work](std::size_t) { work->run(); }, with.deadline)) {
    const std::lock_guard lock(work->mutex);
    // It may have ended since: the other ranks go on then, and so does this one.
    work->is_left = !work->is_over;
    if (work->is_left) {
      throw communication_error(
          make_error_code(errc::timed_out), "ncclCommInitRankConfig",
          yoke::detail::text("the ", text_of_ranks(size), " has not been made within ",
                             yoke::detail::duration_text(with.deadline), ": not all ranks have come"),
          where);
    }
  }
  if (work->thrown == nullptr && work->code == abi::success) return std::move(work->natives);
  std::vector<abi::communicator> natives = work->natives;
  std::erase(natives, nullptr);
  const abi::functions& table = library.table;
  (void)run_apart(
      natives.size(), [natives, &table](std::size_t i) { (void)table.abort(natives[i]); }, with.end_within,
      with.end_within);
  if (work->thrown != nullptr) std::rethrow_exception(work->thrown);
  throw_failure(work->code, work->call, work->words, where);
}

std::error_code end_communicators(const abi::functions& table, const std::vector<abi::communicator>& natives,
                                  bool blocks, std::chrono::nanoseconds within) noexcept {
  const auto end_one = [table = &table, blocks](abi::communicator each) noexcept -> abi::status {
    abi::status code = abi::success;
    if (!blocks) {  // the flush goes on behind the call
      code = table->finalize(each);
      while (code == abi::in_progress) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (const abi::status failed = table->get_async_error(each, &code)) code = failed;
      }
    }
    const abi::status last = table->destroy(each);
    return code == abi::success && last != abi::in_progress ? last : code;
  };
  abi::status code = abi::success;
  try {
    const auto codes = std::make_shared<std::vector<abi::status>>(natives.size());
    if (!run_apart(
            natives.size(), [=](std::size_t i) { (*codes)[i] = end_one(natives[i]); }, within, within)) {
      return make_error_code(errc::timed_out);
    }
    const auto bad = std::find_if(codes->begin(), codes->end(), [](abi::status each) { return each != abi::success; });
    if (bad != codes->end()) code = *bad;
  } catch (...) {  // no memory for threads, and none has begun
    for (const abi::communicator each : natives) {
      const abi::status own = end_one(each);
      if (code == abi::success) code = own;
    }
  }
  return code == abi::success ? std::error_code() : std::error_code(code, error_category());
}

}  // namespace yoke::inline v0_1::nccl::detail

#endif

// SPDX-License-Identifier: MIT
// All ranks of a communicator in one process, which one thread drives: each verb is one group of calls.
#ifndef YOKE_NCCL_CLIQUE_HPP
#define YOKE_NCCL_CLIQUE_HPP

#include <yoke/nccl/communicator.hpp>

#include <array>
#include <deque>
#include <iterator>
#include <optional>
#include <ranges>

namespace yoke::inline v0_1::nccl {

namespace detail {

[[noreturn, gnu::cold]] YOKE_API void throw_members(const char* what, std::size_t given, std::size_t members,
                                                    const source_location& where);

[[noreturn, gnu::cold]] YOKE_API void throw_counts(verb which, std::size_t first, std::size_t member, std::size_t count,
                                                   const source_location& where);

/// Does not compile for a range that makes its streams while one goes through it: they end before the call does.
template <class Streams>
consteval bool check_streams() {
  constexpr bool fits = std::is_lvalue_reference_v<std::ranges::range_reference_t<const Streams>>;
  static_assert(fits,
                "a clique takes a range of streams that live, such as a std::vector of them: copies end too early");
  return fits;
}

/// The parts of all ranks. Those of few ranks need no memory of the heap.
template <class Port>
class clique_work {
 public:
  template <class Streams>
  clique_work(engine& of, const Streams& streams, const source_location& where) : of_(of), where_(where) {
    static_assert(check_streams<Streams>());
    const auto given = static_cast<std::size_t>(std::ranges::distance(streams));
    if (given != of.members()) throw_members("streams", given, of.members(), where);
    std::size_t member = 0;
    for (const stream<Port>& each : streams) {
      if (member < few) {
        first_[member].emplace(of, member, each, where);
      } else {
        others_.emplace_back(of, member, each, where);
      }
      ++member;
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return of_.members(); }
  [[nodiscard]] rank_work<Port>& operator[](std::size_t member) noexcept {
    return member < few ? *first_[member] : others_[member - few];
  }
  /// Effects: issues all calls as one group.
  void run() {
    if (size() <= few) {
      std::array<rank_call, few> calls;
      for (std::size_t i = 0; i < size(); ++i) calls[i] = (*this)[i].call();
      of_.issue({calls.data(), size()}, where_);
    } else {
      std::vector<rank_call> calls;
      for (std::size_t i = 0; i < size(); ++i) calls.push_back((*this)[i].call());
      of_.issue(calls, where_);
    }
    for (std::size_t i = 0; i < size(); ++i) (*this)[i].finish();
  }

 private:
  static constexpr std::size_t few = 8;
  engine& of_;
  source_location where_;
  std::array<std::optional<rank_work<Port>>, few> first_{};
  std::deque<rank_work<Port>> others_{};
};

/// A range of ranks' memory: `std::vector<device_array<float, 1>>`, `std::array<device_span<int>, 2>`.
template <class Ranges>
using memory_of = std::remove_reference_t<std::ranges::range_reference_t<Ranges>>;

template <class Ranges>
void check_members(const Ranges& given, const char* what, std::size_t members, const source_location& where) {
  const auto count = static_cast<std::size_t>(std::ranges::distance(given));
  if (count != members) [[unlikely]]
    throw_members(what, count, members, where);
}

}  // namespace detail

/// A communicator whose ranks are the given contexts, in their order. Each verb takes a range of the ranks' memory and a
/// range of streams, one for each context, and is one group of NCCL's calls. Otherwise as `communicator`.
/// Thread safety: one thread at a time, which is checked.
/// Example: `yoke::nccl::clique all{contexts}; all.all_reduce(gradients, yoke::averaged, streams); all.wait(streams);`
template <class Port = any_port>
class clique {
 public:
  using port_type = Port;
  static constexpr bool enqueues = true;

  clique() noexcept = default;
  /// Makes a communicator with a rank for each context. Throws: `logic_error` for no context, for two contexts of one
  /// device and for contexts that are not primary ones; otherwise as `communicator`.
  explicit clique(std::span<const context<Port>> contexts, const options& with = {},
                  const source_location& where = source_location::current())
      : contexts_(contexts.begin(), contexts.end()) {
    std::vector<detail::rank_place> places;
    for (const context<Port>& each : contexts_) {
      places.push_back(detail::place_of(each, static_cast<int>(places.size()), where));
    }
    if (places.empty()) {
      yoke::detail::throw_error(errc::invalid_argument, "a clique needs at least one context", where);
    }
    const int size = static_cast<int>(places.size());
    engine_ = detail::engine::open(get_unique_id(where), size, std::move(places), with, where);
  }
  explicit clique(const std::vector<context<Port>>& contexts, const options& with = {},
                  const source_location& where = source_location::current())
      : clique(std::span<const context<Port>>(contexts), with, where) {}

  [[nodiscard]] explicit operator bool() const noexcept { return engine_ != nullptr; }
  /// The number of ranks. Throws: `logic_error` when empty.
  [[nodiscard]] int size(const source_location& where = source_location::current()) const { return of(where).size(); }
  [[nodiscard]] const std::vector<context<Port>>& contexts() const noexcept { return contexts_; }
  [[nodiscard]] bool is_ready() const noexcept { return engine_ != nullptr && engine_->is_ready(); }
  /// NCCL's own handle of a rank; null when empty, failed or ended.
  [[nodiscard]] abi::communicator native_handle(int rank) const noexcept {
    return engine_ == nullptr ? nullptr : engine_->native(static_cast<std::size_t>(rank));
  }

  /// Reduces the ranks' ranges, element by element, to the same result in all of them.
  template <std::ranges::forward_range Memories, class Op, std::ranges::forward_range Streams>
  void all_reduce(Memories&& x, const Op& by, const Streams& streams,
                  const source_location& where = source_location::current()) const {
    using memory = detail::memory_of<Memories>;
    if constexpr (detail::check_written<memory, Port>()) {
      if constexpr (detail::check_operator<yoke::detail::message_element<memory>, Op>()) {
        detail::clique_work<Port> work(of(where), streams, where);
        detail::check_members(x, "ranges", work.size(), where);
        std::size_t member = 0;
        for (auto&& each : x) {
          detail::set_all_reduce(work[member], each, detail::operator_of(by, *engine_, member, where));
          check_same(work, member++, where);
        }
        work.run();
      }
    }
  }
  /// The same, to other ranges.
  template <std::ranges::forward_range From, std::ranges::forward_range Into, class Op,
            std::ranges::forward_range Streams>
  void all_reduce(const From& from, Into&& into, const Op& by, const Streams& streams,
                  const source_location& where = source_location::current()) const {
    using result = detail::memory_of<Into>;
    if constexpr (detail::check_ranges<const detail::memory_of<const From>, result, Port>()) {
      if constexpr (detail::check_operator<yoke::detail::message_element<result>, Op>()) {
        each_pair(from, into, streams, where, [&](auto& work, const auto& source, auto& to, std::size_t member) {
          detail::set_all_reduce(work, source, to, detail::operator_of(by, *engine_, member, where), where);
        });
      }
    }
  }
  /// Reduces the ranks' ranges to `into`, memory of the rank `root`.
  template <std::ranges::forward_range From, class Into, class Op, std::ranges::forward_range Streams>
  void reduce(const From& from, Into&& into, const Op& by, int root, const Streams& streams,
              const source_location& where = source_location::current()) const {
    using result = std::remove_reference_t<Into>;
    if constexpr (detail::check_ranges<const detail::memory_of<const From>, result, Port>()) {
      if constexpr (detail::check_operator<yoke::detail::message_element<result>, Op>()) {
        detail::check_rank(detail::verb::reduce, "the root", root, size(where), where);
        detail::clique_work<Port> work(of(where), streams, where);
        detail::check_members(from, "ranges", work.size(), where);
        std::size_t member = 0;
        for (auto&& each : from) {
          detail::set_reduce_source(work[member], each, detail::operator_of(by, *engine_, member, where), root);
          check_same(work, member++, where);
        }
        detail::set_reduce_result(work[static_cast<std::size_t>(root)], into, where);
        work.run();
      }
    }
  }
  /// Copies the range of the rank `root` to the ranges of all ranks.
  template <std::ranges::forward_range Memories, std::ranges::forward_range Streams>
  void broadcast(Memories&& x, int root, const Streams& streams,
                 const source_location& where = source_location::current()) const {
    if constexpr (detail::check_written<detail::memory_of<Memories>, Port>()) {
      detail::check_rank(detail::verb::broadcast, "the root", root, size(where), where);
      detail::clique_work<Port> work(of(where), streams, where);
      detail::check_members(x, "ranges", work.size(), where);
      std::size_t member = 0;
      for (auto&& each : x) {
        detail::set_broadcast(work[member], each, root, member == static_cast<std::size_t>(root));
        check_same(work, member++, where);
      }
      work.run();
    }
  }
  /// Copies the ranks' ranges, in the order of ranks, to each range of `all`.
  template <std::ranges::forward_range Mine, std::ranges::forward_range All, std::ranges::forward_range Streams>
  void all_gather(const Mine& mine, All&& all, const Streams& streams,
                  const source_location& where = source_location::current()) const {
    if constexpr (detail::check_ranges<const detail::memory_of<const Mine>, detail::memory_of<All>, Port>()) {
      each_pair(mine, all, streams, where, [&](auto& work, const auto& part, auto& to, std::size_t member) {
        detail::set_parts(work, detail::verb::all_gather, part, to, static_cast<int>(member), size(where), where);
      });
    }
  }
  /// Reduces the ranges of `all`, and gives each rank its part of the result.
  template <std::ranges::forward_range All, std::ranges::forward_range Mine, class Op,
            std::ranges::forward_range Streams>
  void reduce_scatter(const All& all, Mine&& mine, const Op& by, const Streams& streams,
                      const source_location& where = source_location::current()) const {
    using result = detail::memory_of<Mine>;
    if constexpr (detail::check_ranges<const detail::memory_of<const All>, result, Port>()) {
      if constexpr (detail::check_operator<yoke::detail::message_element<result>, Op>()) {
        each_pair(all, mine, streams, where, [&](auto& work, const auto& source, auto& part, std::size_t member) {
          detail::set_parts(work, detail::verb::reduce_scatter, part, source, static_cast<int>(member), size(where),
                            where);
          work.call().by = detail::operator_of(by, *engine_, member, where);
        });
      }
    }
  }
  /// Copies the ranks' ranges, in the order of ranks, to `all`, memory of the rank `root`.
  template <std::ranges::forward_range Mine, class All, std::ranges::forward_range Streams>
  void gather(const Mine& mine, All&& all, int root, const Streams& streams,
              const source_location& where = source_location::current()) const {
    if constexpr (detail::check_ranges<const detail::memory_of<const Mine>, std::remove_reference_t<All>, Port>()) {
      detail::check_rank(detail::verb::gather, "the root", root, size(where), where);
      detail::clique_work<Port> work(of(where), streams, where);
      detail::check_members(mine, "ranges", work.size(), where);
      std::size_t member = 0;
      for (auto&& each : mine) {
        if (static_cast<int>(member) == root) {
          detail::set_parts(work[member], detail::verb::gather, each, all, root, size(where), where);
        } else {
          detail::set_part(work[member], detail::verb::gather, each, yoke::detail::memory_use::reads, root);
        }
        work[member].call().root = root;
        check_same(work, member++, where);
      }
      work.run();
    }
  }
  /// Gives each rank its part of `all`, memory of the rank `root`.
  template <class All, std::ranges::forward_range Mine, std::ranges::forward_range Streams>
  void scatter(const All& all, Mine&& mine, int root, const Streams& streams,
               const source_location& where = source_location::current()) const {
    if constexpr (detail::check_ranges<const All, detail::memory_of<Mine>, Port>()) {
      detail::check_rank(detail::verb::scatter, "the root", root, size(where), where);
      detail::clique_work<Port> work(of(where), streams, where);
      detail::check_members(mine, "ranges", work.size(), where);
      std::size_t member = 0;
      for (auto&& each : mine) {
        if (static_cast<int>(member) == root) {
          detail::set_parts(work[member], detail::verb::scatter, each, all, root, size(where), where);
        } else {
          detail::set_part(work[member], detail::verb::scatter, each, yoke::detail::memory_use::writes, root);
        }
        work[member].call().root = root;
        check_same(work, member++, where);
      }
      work.run();
    }
  }
  /// Part `k` of each range of `from` goes to the rank `k`, which has the parts in the order of ranks.
  template <std::ranges::forward_range From, std::ranges::forward_range Into, std::ranges::forward_range Streams>
  void all_to_all(const From& from, Into&& into, const Streams& streams,
                  const source_location& where = source_location::current()) const {
    if constexpr (detail::check_ranges<const detail::memory_of<const From>, detail::memory_of<Into>, Port>()) {
      each_pair(from, into, streams, where, [&](auto& work, const auto& source, auto& to, std::size_t) {
        detail::set_all_to_all(work, source, to, size(where), where);
      });
    }
  }
  /// Runs lists of messages, one for each rank, together.
  template <std::ranges::forward_range Lists, std::ranges::forward_range Streams>
    requires std::same_as<std::ranges::range_value_t<Lists>, exchange<Port>>
  void run(const Lists& lists, const Streams& streams,
           const source_location& where = source_location::current()) const {
    detail::clique_work<Port> work(of(where), streams, where);
    detail::check_members(lists, "lists", work.size(), where);
    std::vector<detail::rank_call> calls;
    std::size_t member = 0;
    for (const exchange<Port>& each : lists) detail::add_messages(calls, work[member++], each, size(where));
    engine_->issue(calls, where);
    for (std::size_t i = 0; i < work.size(); ++i) work[i].finish();
  }

  /// Returns when all streams have passed their earlier commands, and all ranks a collective. Throws: as `wait`.
  template <std::ranges::forward_range Streams>
  void barrier(const Streams& streams, const source_location& where = source_location::current()) const {
    of(where).check_waits(natives_of(streams, where), where);
    std::vector<device_allocation<int, Port>> words;
    for (const context<Port>& each : contexts_) words.emplace_back(each, 1, where);
    all_reduce(words, largest, streams, where);
    wait(streams, where);
  }
  /// Waits for the streams, one for each rank. Throws: as `communicator::wait`.
  template <std::ranges::forward_range Streams>
  void wait(const Streams& streams, const source_location& where = source_location::current()) const {
    of(where).wait(natives_of(streams, where), where);
  }
  /// Waits for the streams and ends all ranks. Throws: as `communicator::close`.
  void close(const source_location& where = source_location::current()) const { of(where).close(where); }
  /// Aborts all ranks. Throws: nothing. Wraps `ncclCommAbort`.
  void abort() const noexcept {
    if (engine_ != nullptr) engine_->abort();
  }

  // For objects that belong to a clique.
  [[nodiscard]] const std::shared_ptr<detail::engine>& shared() const noexcept { return engine_; }

 private:
  detail::engine& of(const source_location& where) const {
    if (engine_ == nullptr) [[unlikely]]
      yoke::detail::throw_error(errc::empty_handle, "this clique is empty (moved from or never made)", where);
    return *engine_;
  }
  template <class Streams>
  std::vector<abi::stream> natives_of(const Streams& streams, const source_location& where) const {
    static_assert(detail::check_streams<Streams>());
    detail::check_members(streams, "streams", of(where).members(), where);
    std::vector<abi::stream> natives;
    for (const stream<Port>& each : streams) natives.push_back(detail::native_of(each, where));
    return natives;
  }
  /// Throws: `logic_error` if a rank has another count than the first one: NCCL would wait for ever.
  static void check_same(detail::clique_work<Port>& work, std::size_t member, const source_location& where) {
    const detail::rank_call& first = work[0].call();
    const detail::rank_call& call = work[member].call();
    if (call.count != first.count) [[unlikely]] {
      detail::throw_counts(call.which, first.count, member, call.count, where);
    }
  }
  template <class From, class Into, class Streams, class Set>
  void each_pair(const From& from, Into& into, const Streams& streams, const source_location& where,
                 const Set& set) const {
    detail::clique_work<Port> work(of(where), streams, where);
    detail::check_members(from, "sources", work.size(), where);
    detail::check_members(into, "destinations", work.size(), where);
    auto to = std::ranges::begin(into);
    std::size_t member = 0;
    for (auto&& each : from) {
      auto&& result = *to++;
      set(work[member], each, result, member);
      check_same(work, member++, where);
    }
    work.run();
  }

  std::shared_ptr<detail::engine> engine_{};
  std::vector<context<Port>> contexts_{};
};
template <class Port>
clique(const std::vector<context<Port>>&, const options& = {}) -> clique<Port>;

}  // namespace yoke::inline v0_1::nccl

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/clique.ipp>
#endif

#endif

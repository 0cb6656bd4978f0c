// SPDX-License-Identifier: MIT
// One rank's part of a verb: its ranges as addresses, in the order of its stream, packed where they have gaps.
#ifndef YOKE_NCCL_RANK_WORK_HPP
#define YOKE_NCCL_RANK_WORK_HPP

#include <yoke/array/storage/array_copy.hpp>
#include <yoke/driver/any/port.hpp>
#include <yoke/graph/graph.hpp>
#include <yoke/nccl/data_type.hpp>
#include <yoke/nccl/engine.hpp>

#include <memory>
#include <vector>

namespace yoke::inline v0_1::nccl::detail {

/// Returns: where a rank over this context works. Throws: `unsupported_error` for a context of another backend than
/// CUDA.
[[nodiscard]] YOKE_API rank_place place_of(const context<cuda::port>& in, int rank, const source_location& where);
[[nodiscard]] YOKE_API rank_place place_of(const context<any_port>& in, int rank, const source_location& where);

[[noreturn, gnu::cold]] YOKE_API void throw_foreign_stream(const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_sizes(verb which, const char* from_name, std::size_t from,
                                                  const char* into_name, std::size_t into, std::size_t times,
                                                  const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_overlap(verb which, const source_location& where);
/// Throws: `logic_error` for a rank that is none.
YOKE_API void check_rank(verb which, const char* what, int rank, int size, const source_location& where);

/// Memory that travels as a dense copy.
template <class Port>
struct packed_range {
  yoke::detail::message_range<Port> range;
  yoke::detail::temporary_memory<stream<Port>> dense;
  bool is_written = false;

  [[nodiscard]] device_span<std::byte, Port> span() const noexcept {
    const auto& memory = dense.get();
    return {range.context, memory.native_handle(), 0, range.bytes, {}};
  }
};

/// Device memory of a call. Units: bytes.
struct rank_range {
  std::byte* at = nullptr;
  std::size_t bytes = 0;
};

/// Returns: a stream as CUDA's. Throws: `logic_error` when empty.
template <class Port>
[[nodiscard]] abi::stream native_of(const stream<Port>& in, const source_location& where) {
  if (!in) [[unlikely]]
    yoke::detail::throw_empty_handle("stream", where);
  return reinterpret_cast<abi::stream>(yoke::detail::number_of_handle(in.native_handle()));
}

template <class Port>
class rank_work {
 public:
  rank_work(engine& of, std::size_t member, const stream<Port>& in, const source_location& where)
      : in_(checked(of, in, where)), operation_(in), where_(where) {
    call_.member = member;
    call_.in = native_of(in, where);
    if (!of.knows(member, call_.in)) [[unlikely]]
      keep(of, member);
  }
  rank_work(const rank_work&) = delete;
  rank_work& operator=(const rank_work&) = delete;

  [[nodiscard]] rank_call& call() noexcept { return call_; }
  [[nodiscard]] const stream<Port>& order() const noexcept { return in_; }

  /// Effects: lets the stream wait for earlier work with the memory. Returns: where it is. Throws: `logic_error` for
  /// memory that is empty, mapped or of another context; `error`.
  template <class Range>
  [[nodiscard]] rank_range use(Range& range, yoke::detail::memory_use kind, const char* name) {
    const auto side = yoke::detail::describe(range);
    using place = typename std::remove_const_t<decltype(side)>::place;
    using element = typename std::remove_const_t<decltype(side)>::element;
    if constexpr (std::same_as<place, device_place<Port>>) {
      if (!side.strided && side.refusal == nullptr) [[likely]] {
        yoke::detail::check_side(in_, side, name, where_);
        yoke::detail::use_side(operation_, side, kind, where_);
        return {address(side.at.memory) + side.at.first * sizeof(element), side.size * sizeof(element)};
      }
    }
    return use(yoke::detail::message_of<Port>(range, where_), kind, name);
  }
  [[nodiscard]] rank_range use(yoke::detail::message_range<Port> range, yoke::detail::memory_use kind,
                               const char* name) {
    if (range.packing == nullptr) {
      const auto side = range.device_side();
      if (range.host != nullptr) {
        yoke::detail::throw_error(errc::invalid_argument, where_, "the ", name,
                                  " is page-locked memory: NCCL moves device memory");
      }
      yoke::detail::check_side(in_, side, name, where_);
      yoke::detail::use_side(operation_, side, kind, where_);
      return {address(range.memory) + range.first, range.bytes};
    }
    auto made = std::make_unique<packed_range<Port>>();
    made->range = std::move(range);
    made->range.context = in_.context_of().native_handle();
    made->dense = yoke::detail::temporary_memory<stream<Port>>(in_, made->range.bytes, where_);
    made->is_written = kind == yoke::detail::memory_use::writes;
    // Memory that is written may be read by the same call.
    made->range.packing->pack(in_, made->span(), where_);
    const rank_range result{address(made->dense.get().native_handle()), made->range.bytes};
    packed_.push_back(std::move(made));
    return result;
  }
  /// Effects: behind the call, writes results to where they have gaps.
  void finish() {
    for (const auto& each : packed_) {
      if (each->is_written) each->range.packing->unpack(in_, each->span(), where_);
    }
  }

 private:
  [[nodiscard]] static std::byte* address(const typename Port::memory_handle& memory) noexcept {
    return reinterpret_cast<std::byte*>(yoke::detail::number_of_handle(memory));
  }
  static const stream<Port>& checked(engine& of, const stream<Port>& in, const source_location& where) {
    of.check_ready(where);
    if (!in) [[unlikely]]
      yoke::detail::throw_empty_handle("stream", where);
    return in;
  }
  [[gnu::noinline, gnu::cold]] void keep(engine& of, std::size_t member) {
    if (reinterpret_cast<std::uintptr_t>(of.context(member)) !=
        yoke::detail::number_of_handle(in_.context_of().native_handle())) {
      throw_foreign_stream(where_);
    }
    of.keep(member, call_.in, keep_alive(in_.another(where_)));
  }

  const stream<Port>& in_;
  yoke::detail::other_streams<Port> operation_;
  source_location where_;
  rank_call call_{};
  std::vector<std::unique_ptr<packed_range<Port>>> packed_{};
};

/// Returns: a native graph as the port's handle, and the port's own one as CUDA's.
template <class Port>
[[nodiscard]] typename Port::graph_handle graph_of_port(cuda::abi::graph native) noexcept {
  if constexpr (std::same_as<Port, any_port>) {
    return yoke::detail::wrapped<typename Port::graph_handle>(native);
  } else {
    return native;
  }
}

/// The same work, recorded as a node of a graph.
template <class Port>
class recorded_work {
 public:
  recorded_work(engine& of, std::size_t, graph_recorder<Port>& record, const source_location& where)
      : record_(record), where_(where) {
    of.check_ready(where);
    if (reinterpret_cast<std::uintptr_t>(of.context(0)) !=
        yoke::detail::number_of_handle(record.context_of(where).native_handle())) {
      throw_foreign_stream(where);
    }
    if (of.settings().graphs == graphs::any) {
      record.check_for_body("calls of an NCCL communicator made without .graphs = nccl::graphs::one", where);
    }
  }
  recorded_work(const recorded_work&) = delete;
  recorded_work& operator=(const recorded_work&) = delete;

  [[nodiscard]] rank_call& call() noexcept { return call_; }

  template <class Range>
  [[nodiscard]] rank_range use(Range& range, yoke::detail::memory_use kind, const char* name) {
    return use(yoke::detail::message_of<Port>(range, where_), kind, name, yoke::detail::kept_with(range));
  }
  [[nodiscard]] rank_range use(const yoke::detail::message_range<Port>& range, yoke::detail::memory_use kind,
                               const char* name) {
    return use(range, kind, name, range.keep_alive);
  }
  /// Effects: records the calls. Returns: their node, which keeps the communicator and arrays alive.
  graph_node<Port> record(const std::shared_ptr<engine>& of, std::vector<rank_call> calls) {
    const cuda::abi::graph child = of->captured(std::move(calls), where_);
    const auto end = [&](const auto& port) {
      yoke::detail::report_release(port, port.release_graph(graph_of_port<Port>(child)));
    };
    keeps_.emplace_back(engine::keeper_of_graph(of));
    const Port& port = record_.context_of(where_).port(where_);
    try {
      auto node = record_.record(
          std::move(keeps_),
          [&](const auto& state, auto after) {
            return state.port().record_graph(state.native, after, graph_of_port<Port>(child), where_);
          },
          where_);
      end(port);
      return node;
    } catch (...) {
      end(port);
      throw;
    }
  }

 private:
  [[nodiscard]] rank_range use(const yoke::detail::message_range<Port>& range, yoke::detail::memory_use kind,
                               const char* name, kept_alive keep) {
    if (range.packing != nullptr || range.host != nullptr) {
      yoke::detail::throw_error(errc::invalid_argument, where_, "the ", name,
                                " has gaps or is not on the device: graphs record NCCL's calls of dense memory");
    }
    const auto side = range.device_side();
    yoke::detail::check_side(record_, side, name, where_);
    keeps_.emplace_back(std::move(keep), side.uses, kind);
    return {reinterpret_cast<std::byte*>(yoke::detail::number_of_handle(range.memory)) + range.first, range.bytes};
  }

  graph_recorder<Port>& record_;
  source_location where_;
  rank_call call_{};
  std::vector<yoke::detail::graph_use<Port>> keeps_{};
};

template <class Order>
inline constexpr bool is_a_recorder = false;
template <class Port>
inline constexpr bool is_a_recorder<graph_recorder<Port>> = true;
/// A stream, or a recorder in its place.
template <class Order>
concept order_of_work =
    yoke::detail::is_a_stream<std::remove_cvref_t<Order>> || is_a_recorder<std::remove_cvref_t<Order>>;
template <class Order, class Port>
using work_in =
    std::conditional_t<yoke::detail::is_a_stream<std::remove_cvref_t<Order>>, rank_work<Port>, recorded_work<Port>>;
/// Does not compile for a stream or a recorder of another backend.
template <class Order, class Port>
consteval bool check_order() {
  constexpr bool fits = std::same_as<typename std::remove_cvref_t<Order>::port_type, Port>;
  static_assert(fits, "the stream is of another backend than the communicator");
  return fits;
}

/// Throws: `logic_error` if the ranges overlap, unless the first begins at `in_place`.
inline void check_sides(verb which, const rank_range& from, const rank_range& into, const std::byte* in_place,
                        const source_location& where) {
  if (from.at == in_place) return;
  if (from.at < into.at + into.bytes && into.at < from.at + from.bytes) [[unlikely]]
    throw_overlap(which, where);
}

// Each of the following sets up one rank's call of a verb. `size` is the number of ranks.

template <class T>
void set_elements(rank_call& call, std::size_t bytes) noexcept {
  call.type = kind_of<T>.type;
  call.count = bytes / sizeof(T) * kind_of<T>.parts;
}
template <class Work, class Memory>
void set_all_reduce(Work& work, Memory& x, abi::operation by) {
  using T = yoke::detail::message_element<Memory>;
  rank_call& call = work.call();
  const rank_range range = work.use(x, yoke::detail::memory_use::writes, "range");
  call.which = verb::all_reduce;
  call.from = call.to = range.at;
  call.by = by;
  set_elements<T>(call, range.bytes);
}
template <class Work, class From, class Into>
void set_all_reduce(Work& work, From& from, Into& into, abi::operation by, const source_location& where) {
  using T = yoke::detail::message_element<From>;
  rank_call& call = work.call();
  const rank_range source = work.use(from, yoke::detail::memory_use::reads, "source");
  const rank_range result = work.use(into, yoke::detail::memory_use::writes, "destination");
  if (source.bytes != result.bytes) {
    throw_sizes(verb::all_reduce, "source", source.bytes / sizeof(T), "destination", result.bytes / sizeof(T), 1,
                where);
  }
  check_sides(verb::all_reduce, source, result, result.at, where);
  call.which = verb::all_reduce;
  call.from = source.at;
  call.to = result.at;
  call.by = by;
  set_elements<T>(call, source.bytes);
}
template <class Work, class From>
void set_reduce_source(Work& work, From& from, abi::operation by, int root) {
  using T = yoke::detail::message_element<From>;
  rank_call& call = work.call();
  const rank_range source = work.use(from, yoke::detail::memory_use::reads, "source");
  call.which = verb::reduce;
  call.from = source.at;
  call.by = by;
  call.root = root;
  set_elements<T>(call, source.bytes);
}
template <class Work, class Into>
void set_reduce_result(Work& work, Into& into, const source_location& where) {
  using T = yoke::detail::message_element<Into>;
  rank_call& call = work.call();
  const rank_range result = work.use(into, yoke::detail::memory_use::writes, "destination");
  const std::size_t bytes = call.count / kind_of<T>.parts * sizeof(T);
  if (bytes != result.bytes) {
    throw_sizes(verb::reduce, "source", bytes / sizeof(T), "destination", result.bytes / sizeof(T), 1, where);
  }
  check_sides(verb::reduce, {static_cast<std::byte*>(const_cast<void*>(call.from)), bytes}, result, result.at, where);
  call.to = result.at;
}
template <class Work, class Memory>
void set_broadcast(Work& work, Memory& x, int root, bool is_root) {
  using T = yoke::detail::message_element<Memory>;
  rank_call& call = work.call();
  const rank_range range =
      work.use(x, is_root ? yoke::detail::memory_use::reads : yoke::detail::memory_use::writes, "range");
  call.which = verb::broadcast;
  call.from = call.to = range.at;
  call.root = root;
  set_elements<T>(call, range.bytes);
}
/// The ranks' parts and their whole: all_gather, and gather on the root, write the whole; reduce_scatter, and scatter on
/// the root, read it.
template <class Work, class Mine, class All>
void set_parts(Work& work, verb which, Mine& mine, All& all, int rank, int size, const source_location& where) {
  using T = yoke::detail::message_element<Mine>;
  using enum yoke::detail::memory_use;
  const bool gathers = which == verb::all_gather || which == verb::gather;
  const char* const name = gathers ? "destination" : "source";
  rank_call& call = work.call();
  const rank_range part = work.use(mine, gathers ? reads : writes, "own part");
  const rank_range whole = work.use(all, gathers ? writes : reads, name);
  const auto ranks = static_cast<std::size_t>(size);
  if (part.bytes * ranks != whole.bytes) {
    throw_sizes(which, "own part", part.bytes / sizeof(T), name, whole.bytes / sizeof(T), ranks, where);
  }
  check_sides(which, part, whole, whole.at + static_cast<std::size_t>(rank) * part.bytes, where);
  call.which = which;
  call.from = gathers ? part.at : whole.at;
  call.to = gathers ? whole.at : part.at;
  set_elements<T>(call, part.bytes);
}
template <class Work, class Mine>
void set_part(Work& work, verb which, Mine& mine, yoke::detail::memory_use kind, int root) {
  using T = yoke::detail::message_element<Mine>;
  rank_call& call = work.call();
  const rank_range part = work.use(mine, kind, "own part");
  call.which = which;
  if (kind == yoke::detail::memory_use::reads) {
    call.from = part.at;
  } else {
    call.to = part.at;
  }
  call.root = root;
  set_elements<T>(call, part.bytes);
}
template <class Work, class From, class Into>
void set_all_to_all(Work& work, From& from, Into& into, int size, const source_location& where) {
  using T = yoke::detail::message_element<From>;
  rank_call& call = work.call();
  const rank_range source = work.use(from, yoke::detail::memory_use::reads, "source");
  const rank_range result = work.use(into, yoke::detail::memory_use::writes, "destination");
  const auto ranks = static_cast<std::size_t>(size);
  if (source.bytes != result.bytes) {
    throw_sizes(verb::all_to_all, "source", source.bytes / sizeof(T), "destination", result.bytes / sizeof(T), 1,
                where);
  }
  if (source.bytes / sizeof(T) % ranks != 0) {
    throw_sizes(verb::all_to_all, "source", source.bytes / sizeof(T), "ranks", ranks, 0, where);
  }
  check_sides(verb::all_to_all, source, result, nullptr, where);
  call.which = verb::all_to_all;
  call.from = source.at;
  call.to = result.at;
  set_elements<T>(call, source.bytes / ranks);
}

/// Effects: adds the messages of a list to a rank's calls. Throws: `logic_error` for a rank that is none.
template <class Work, class Port>
void add_messages(std::vector<rank_call>& calls, Work& work, const exchange<Port>& list, int size) {
  for (const yoke::detail::listed_message<Port>& each : list.messages()) {
    rank_call call = work.call();
    call.which = each.sends ? verb::send : verb::receive;
    check_rank(call.which, "the other side", each.peer, size, each.where);
    const rank_range range =
        work.use(each.range, each.sends ? yoke::detail::memory_use::reads : yoke::detail::memory_use::writes,
                 each.sends ? "memory to send" : "memory to receive into");
    if (each.sends) {
      call.from = range.at;
    } else {
      call.to = range.at;
    }
    call.root = each.peer;
    call.type = abi::data_type::uint8;
    call.count = range.bytes;
    calls.push_back(call);
  }
}

}  // namespace yoke::inline v0_1::nccl::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/rank_work.ipp>
#endif

#endif

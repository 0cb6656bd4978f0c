// SPDX-License-Identifier: MIT
// The collective operations as plain numbers: what is checked before MPI is asked, and how MPI is asked.
#ifndef YOKE_MPI_COLLECTIVES_HPP
#define YOKE_MPI_COLLECTIVES_HPP

#include <yoke/mpi/collective.hpp>
#include <yoke/mpi/datatype.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail {

/// A range as one side of a collective operation.
struct side_facts {
  std::unique_ptr<region> memory{};  // null: this rank has no such side
  std::size_t count = 0;             // elements
  std::size_t element = 1;           // bytes
  const char* type = "";
  std::uint64_t place = 0;  // equal for ranges of one memory; 0 where nothing is known
  std::uint64_t first = 0;  // the first byte there

  [[nodiscard]] std::string words(std::size_t of) const {
    if (*type != '\0') return yoke::detail::text(of, " ", type);
    return yoke::detail::text(of, " elements of ", element, " bytes");
  }
  [[nodiscard]] std::string words() const { return words(count); }
};

/// An operator as MPI takes it.
struct reduction {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  void (*divide)(void*, std::size_t, int) = nullptr;  // for averages
  const char* name = "";
};
/// Throws: `communication_error`, `std::bad_alloc`.
template <class T, class Op>
[[nodiscard]] reduction reduction_of(communicator_state& in, const source_location& where) {
  reduction made;
  made.type = datatype<T>();
  if (MPI_User_function* const function = operator_function<T, Op>(made.op)) made.op = in.operator_of(function, where);
  made.name = "a function";
  if constexpr (yoke::detail::plain_operator<Op>) {
    made.name = yoke::detail::name_of_operator(Op::number);
    if constexpr (std::same_as<Op, averaged_t>) made.divide = &divide_elements<T>;
  }
  return made;
}

/// What the ranks tell each other of a collective call, before a checked communicator makes it.
struct call_record {
  unsigned line = 0;
  char words[96] = "";  // "all_reduce of 1024 float by summed, root 3"
  char file[80] = "";   // its end

  [[nodiscard]] bool matches(const call_record& other) const noexcept { return std::string_view(words) == other.words; }
  [[nodiscard]] std::string place() const { return yoke::detail::text(std::string_view(file), ":", line); }
};
inline void copy_words(char* into, std::size_t room, std::string_view from, bool its_end) {
  if (from.size() >= room) from = its_end ? from.substr(from.size() - room + 1) : from.substr(0, room - 1);
  from.copy(into, from.size());
  into[from.size()] = '\0';
}

/// Effects: compares this call with those of the other ranks, if the communicator is checked.
/// Throws: `communication_error` (`errc::mismatched_ranks`), on all ranks, if the calls differ.
inline void compare_calls(communicator_state& in, const collective_plan& plan, const char* op, int root,
                          const source_location& where) {
  if (!in.options.check) return;
  call_record mine;
  std::string words = plan.verb;
  if (!plan.range.empty()) words.append(" of ").append(plan.range);
  if (*op != '\0') words.append(" by ").append(op);
  if (root >= 0) words.append(yoke::detail::text(", root ", root));
  copy_words(mine.words, sizeof mine.words, words, false);
  copy_words(mine.file, sizeof mine.file, where.file_name(), true);
  mine.line = where.line();
  std::vector<call_record> all(static_cast<std::size_t>(in.size));
  collective_plan gather;
  gather.verb = plan.verb;
  gather.call = "MPI_Iallgather";
  gather.range = plan.range;
  gather.count = 1;
  gather.element = sizeof mine;
  gather.rows = static_cast<std::size_t>(in.size);
  gather.in.memory = std::make_unique<host_region>(&mine, sizeof mine);
  gather.out.memory = std::make_unique<host_region>(all.data(), all.size() * sizeof mine);
  gather.out.rows = gather.rows;
  gather.start = [&in](const void* from, void* into, int count, MPI_Request* request) {
    const int bytes = count * static_cast<int>(sizeof(call_record));
    return in.calls.iallgather(from, bytes, MPI_BYTE, into, bytes, MPI_BYTE, in.comm, request);
  };
  std::unique_ptr<operation> comparing =
      std::make_unique<collective_operation>(in, std::make_unique<host_order>(), std::move(gather));
  in.finish(comparing, where);
  // Each rank tells the first that differs from it; so all of them throw.
  for (std::size_t other = 0; other < all.size(); ++other) {
    const call_record& theirs = all[other];
    if (theirs.matches(mine)) continue;
    yoke::detail::throw_error(errc::mismatched_ranks, where, std::string_view(mine.words), " on ", in.me(),
                              " does not match the other ranks: rank ", other, " calls ",
                              std::string_view(theirs.words), " at ", theirs.place());
  }
}

/// Returns: the operation, checked against the other ranks.
inline std::unique_ptr<operation> started(communicator_state& in, std::unique_ptr<memory_order> order,
                                          collective_plan plan, const char* op, int root,
                                          const source_location& where) {
  compare_calls(in, plan, op, root, where);
  return std::make_unique<collective_operation>(in, std::move(order), std::move(plan));
}
/// Throws: `logic_error` unless a side has `rows` times the elements of the other.
inline void check_rows(const communicator_state& in, const char* verb, const char* large, const side_facts& all,
                       const char* small, const side_facts& mine, const source_location& where) {
  if (all.element == mine.element && all.count == mine.count * static_cast<std::size_t>(in.size)) return;
  yoke::detail::throw_error(errc::size_mismatch, where, "`", large, "` of ", verb, " has ", all.words(), " and `",
                            small, "` has ", mine.words(), ": with ", in.size, " ranks it has to have ",
                            mine.words(mine.count * static_cast<std::size_t>(in.size)));
}
inline void check_same(const char* verb, const side_facts& from, const side_facts& into, const source_location& where) {
  if (from.count == into.count && from.element == into.element) return;
  yoke::detail::throw_error(errc::size_mismatch, where, "the range of ", verb, " has ", from.words(),
                            ", and its result has ", into.words());
}

/// Throws: `logic_error` if both sides share bytes, unless `smaller` is exactly `part` ranges of its size behind the
/// beginning of `larger`, and MPI gets blocks of both: then each part is read before it is written.
inline void check_apart(const char* verb, const side_facts& smaller, const side_facts& larger, int part,
                        const source_location& where) {
  const std::uint64_t small_bytes = std::uint64_t{smaller.count} * smaller.element;
  const std::uint64_t large_bytes = std::uint64_t{larger.count} * larger.element;
  if (smaller.memory == nullptr || larger.memory == nullptr || smaller.place == 0 || smaller.place != larger.place)
    return;
  if (small_bytes == 0 || large_bytes == 0) return;
  if (smaller.first + small_bytes <= larger.first || larger.first + large_bytes <= smaller.first) return;
  const bool is_in_place = smaller.first == larger.first + static_cast<std::uint64_t>(part) * small_bytes;
  if (is_in_place && smaller.memory->address == nullptr && larger.memory->address == nullptr) return;
  yoke::detail::throw_error(errc::invalid_argument, where, "the ranges of ", verb,
                            " share elements: give ranges apart, or one range where the verb has that form");
}

/// Returns: the plan of a verb whose ranks each have `1 / parts` of the side.
inline collective_plan plan_of(const char* verb, const char* call, const side_facts& of, std::size_t parts = 1) {
  collective_plan made;
  made.verb = verb;
  made.call = call;
  made.range = of.words();
  made.count = of.count / parts;
  made.element = of.element;
  return made;
}
/// Effects: an average divides what the rank gets by the number of ranks.
inline void divide_result(collective_plan& plan, const reduction& by, const communicator_state& in) {
  if (by.divide == nullptr) return;
  plan.change = [divide = by.divide, size = in.size](void* at, std::size_t count) { divide(at, count, size); };
}

inline std::unique_ptr<operation> start_barrier(communicator_state& in, std::unique_ptr<memory_order> order,
                                                const source_location& where, const char* verb = "barrier") {
  collective_plan plan;
  plan.verb = verb;
  plan.call = "MPI_Ibarrier";
  plan.count = 1;
  plan.follows_stream = true;
  plan.start = [&in](const void*, void*, int, MPI_Request* request) { return in.calls.ibarrier(in.comm, request); };
  return started(in, std::move(order), std::move(plan), "", -1, where);
}

/// Returns: what gives all ranks the least of their values. It is never compared.
inline std::unique_ptr<operation> start_least(communicator_state& in, std::uint64_t& value, const char* verb) {
  collective_plan plan;
  plan.verb = verb;
  plan.call = "MPI_Iallreduce";
  plan.count = 1;
  plan.element = sizeof value;
  plan.is_in_place = true;
  plan.out.memory = std::make_unique<host_region>(&value, sizeof value);
  plan.start = [&in](const void*, void* at, int count, MPI_Request* request) {
    return in.calls.iallreduce(MPI_IN_PLACE, at, count, MPI_UINT64_T, MPI_MIN, in.comm, request);
  };
  return std::make_unique<collective_operation>(in, std::make_unique<host_order>(), std::move(plan));
}

/// Effects: waits until all ranks call a verb, because the calls of MPI behind it wait for them without a deadline. A rank
/// that is late learns that others have given up.
/// Throws: `communication_error`, on all ranks.
inline void meet(communicator_state& in, const char* verb, const source_location& where) {
  std::unique_ptr<operation> coming = start_barrier(in, std::make_unique<host_order>(), where, verb);
  std::uint64_t all_go_on = 1;
  try {
    in.finish(coming, where);
  } catch (...) {
    try {
      all_go_on = 0;
      std::unique_ptr<operation> telling = start_least(in, all_go_on, verb);
      (void)telling->advance(in, where);
      in.leave(std::move(telling));
    } catch (...) {  // the first failure is the one to tell
    }
    throw;
  }
  std::unique_ptr<operation> agreeing = start_least(in, all_go_on, verb);
  in.finish(agreeing, where);
  if (all_go_on != 0) [[likely]]
    return;
  in.failure =
      yoke::detail::text(verb, " on ", in.me(), " comes too late: another rank has given it up, with a deadline of ",
                         yoke::detail::duration_text(in.options.deadline));
  yoke::detail::throw_error(errc::timed_out, in.failure, where);
}

inline std::unique_ptr<operation> start_broadcast(communicator_state& in, std::unique_ptr<memory_order> order,
                                                  side_facts x, int root, const source_location& where) {
  in.check_rank(root, "the root", where);
  collective_plan plan = plan_of("broadcast", "MPI_Ibcast", x);
  (in.rank == root ? plan.in : plan.out).memory = std::move(x.memory);
  plan.start = [&in, root, element = x.element](const void* from, void* into, int count, MPI_Request* request) {
    void* const at = from != nullptr ? const_cast<void*>(from) : into;
    return in.calls.ibcast(at, count * static_cast<int>(element), MPI_BYTE, root, in.comm, request);
  };
  return started(in, std::move(order), std::move(plan), "", root, where);
}

/// `from` has no memory: in place.
inline std::unique_ptr<operation> start_all_reduce(communicator_state& in, std::unique_ptr<memory_order> order,
                                                   side_facts from, side_facts into, const reduction& by,
                                                   const source_location& where) {
  if (from.memory) check_same("all_reduce", from, into, where);
  check_apart("all_reduce", from, into, 0, where);
  collective_plan plan = plan_of("all_reduce", "MPI_Iallreduce", into);
  plan.is_in_place = from.memory == nullptr;
  plan.in.memory = std::move(from.memory);
  plan.out.memory = std::move(into.memory);
  plan.start = [&in, by, in_place = plan.is_in_place](const void* give, void* get, int count, MPI_Request* request) {
    return in.calls.iallreduce(in_place ? MPI_IN_PLACE : give, get, count, by.type, by.op, in.comm, request);
  };
  divide_result(plan, by, in);
  return started(in, std::move(order), std::move(plan), by.name, -1, where);
}

inline std::unique_ptr<operation> start_reduce(communicator_state& in, std::unique_ptr<memory_order> order,
                                               side_facts from, side_facts into, const reduction& by, int root,
                                               const source_location& where) {
  in.check_rank(root, "the root", where);
  if (in.rank == root) check_same("reduce", from, into, where);
  check_apart("reduce", from, into, 0, where);
  collective_plan plan = plan_of("reduce", "MPI_Ireduce", from);
  plan.in.memory = std::move(from.memory);
  if (in.rank == root) plan.out.memory = std::move(into.memory);
  plan.start = [&in, by, root](const void* give, void* get, int count, MPI_Request* request) {
    return in.calls.ireduce(give, get, count, by.type, by.op, root, in.comm, request);
  };
  if (in.rank == root) divide_result(plan, by, in);
  return started(in, std::move(order), std::move(plan), by.name, root, where);
}

inline std::unique_ptr<operation> start_reduce_scatter(communicator_state& in, std::unique_ptr<memory_order> order,
                                                       side_facts all, side_facts mine, const reduction& by,
                                                       const source_location& where) {
  check_rows(in, "reduce_scatter", "all", all, "mine", mine, where);
  check_apart("reduce_scatter", mine, all, in.rank, where);
  collective_plan plan = plan_of("reduce_scatter", "MPI_Ireduce_scatter_block", mine);
  plan.rows = static_cast<std::size_t>(in.size);
  plan.in.memory = std::move(all.memory);
  plan.in.rows = plan.rows;
  plan.out.memory = std::move(mine.memory);
  plan.start = [&in, by](const void* give, void* get, int count, MPI_Request* request) {
    return in.calls.ireduce_scatter_block(give, get, count, by.type, by.op, in.comm, request);
  };
  divide_result(plan, by, in);
  return started(in, std::move(order), std::move(plan), by.name, -1, where);
}

inline std::unique_ptr<operation> start_all_gather(communicator_state& in, std::unique_ptr<memory_order> order,
                                                   side_facts mine, side_facts all, const source_location& where) {
  check_rows(in, "all_gather", "all", all, "mine", mine, where);
  check_apart("all_gather", mine, all, in.rank, where);
  collective_plan plan = plan_of("all_gather", "MPI_Iallgather", mine);
  plan.rows = static_cast<std::size_t>(in.size);
  plan.in.memory = std::move(mine.memory);
  plan.out.memory = std::move(all.memory);
  plan.out.rows = plan.rows;
  plan.start = [&in, element = mine.element](const void* give, void* get, int count, MPI_Request* request) {
    const int bytes = count * static_cast<int>(element);
    return in.calls.iallgather(give, bytes, MPI_BYTE, get, bytes, MPI_BYTE, in.comm, request);
  };
  return started(in, std::move(order), std::move(plan), "", -1, where);
}

inline std::unique_ptr<operation> start_gather(communicator_state& in, std::unique_ptr<memory_order> order,
                                               side_facts mine, side_facts all, int root,
                                               const source_location& where) {
  in.check_rank(root, "the root", where);
  if (in.rank == root) check_rows(in, "gather", "all", all, "mine", mine, where);
  check_apart("gather", mine, all, in.rank, where);
  collective_plan plan = plan_of("gather", "MPI_Igather", mine);
  plan.rows = static_cast<std::size_t>(in.size);
  plan.in.memory = std::move(mine.memory);
  if (in.rank == root) plan.out.memory = std::move(all.memory);
  plan.out.rows = plan.rows;
  plan.start = [&in, root, element = mine.element](const void* give, void* get, int count, MPI_Request* request) {
    const int bytes = count * static_cast<int>(element);
    return in.calls.igather(give, bytes, MPI_BYTE, get, bytes, MPI_BYTE, root, in.comm, request);
  };
  return started(in, std::move(order), std::move(plan), "", root, where);
}

inline std::unique_ptr<operation> start_scatter(communicator_state& in, std::unique_ptr<memory_order> order,
                                                side_facts all, side_facts mine, int root,
                                                const source_location& where) {
  in.check_rank(root, "the root", where);
  if (in.rank == root) check_rows(in, "scatter", "all", all, "mine", mine, where);
  check_apart("scatter", mine, all, in.rank, where);
  collective_plan plan = plan_of("scatter", "MPI_Iscatter", mine);
  plan.rows = static_cast<std::size_t>(in.size);
  if (in.rank == root) plan.in.memory = std::move(all.memory);
  plan.in.rows = plan.rows;
  plan.out.memory = std::move(mine.memory);
  plan.start = [&in, root, element = mine.element](const void* give, void* get, int count, MPI_Request* request) {
    const int bytes = count * static_cast<int>(element);
    return in.calls.iscatter(give, bytes, MPI_BYTE, get, bytes, MPI_BYTE, root, in.comm, request);
  };
  return started(in, std::move(order), std::move(plan), "", root, where);
}

inline std::unique_ptr<operation> start_all_to_all(communicator_state& in, std::unique_ptr<memory_order> order,
                                                   side_facts from, side_facts into, const source_location& where) {
  check_same("all_to_all", from, into, where);
  check_apart("all_to_all", from, into, 0, where);
  const auto size = static_cast<std::size_t>(in.size);
  if (from.count % size != 0) [[unlikely]] {
    yoke::detail::throw_error(errc::size_mismatch, where, "all_to_all of ", from.words(), " between ", in.size,
                              " ranks: each of them gets the same number of elements, and this is no multiple");
  }
  collective_plan plan = plan_of("all_to_all", "MPI_Ialltoall", from, size);
  plan.rows = size;
  plan.in.memory = std::move(from.memory);
  plan.in.rows = size;
  plan.out.memory = std::move(into.memory);
  plan.out.rows = size;
  plan.start = [&in, element = from.element](const void* give, void* get, int count, MPI_Request* request) {
    const int bytes = count * static_cast<int>(element);
    return in.calls.ialltoall(give, bytes, MPI_BYTE, get, bytes, MPI_BYTE, in.comm, request);
  };
  return started(in, std::move(order), std::move(plan), "", -1, where);
}

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail

#endif

// SPDX-License-Identifier: MIT
// The part that communicators of MPI share for every backend: ranks, hosts, and the verbs of the host's own memory.
#ifndef YOKE_MPI_COMMUNICATOR_BASE_HPP
#define YOKE_MPI_COMMUNICATOR_BASE_HPP

#include <yoke/core/environment.hpp>
#include <yoke/core/system.hpp>
#include <yoke/mpi/collectives.hpp>
#include <yoke/mpi/transport.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR {

namespace detail {

/// A contiguous range of the host's pageable memory.
template <class Range>
using host_element = std::remove_const_t<std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>>;
template <class Range>
concept host_message = yoke::detail::pageable_range<Range> && std::is_trivially_copyable_v<host_element<Range>>;
template <class Range>
concept written_host_message =
    host_message<Range> && !std::is_const_v<std::remove_pointer_t<decltype(std::data(std::declval<Range&>()))>>;

template <class Range>
[[nodiscard]] side_facts host_side(Range& range) {
  using element = host_element<Range>;
  const auto count = static_cast<std::size_t>(std::size(range));
  return {std::make_unique<host_region>(std::data(range), count * sizeof(element)),
          count,
          sizeof(element),
          device_type_name<element>,
          1,
          reinterpret_cast<std::uintptr_t>(std::data(range))};
}

/// Stops the compilation for memory that ends before an operation in flight.
template <class Range>
consteval bool check_stays() {
  constexpr bool stays = !yoke::detail::is_temporary_memory<Range, std::remove_reference_t<Range>>;
  static_assert(stays, "the memory ends with the statement, and MPI still uses it: pass a variable");
  return stays;
}

/// Returns: how device memory reaches MPI by `YOKE_MPI_TRANSPORT`. Throws: `logic_error` for another word.
[[nodiscard]] inline transport transport_of_environment(const source_location& where) {
  const char* const named = yoke::detail::trusted_variable("YOKE_MPI_TRANSPORT");
  const std::string_view word = named == nullptr ? "" : named;
  if (word.empty() || word == "automatic") return transport::automatic;
  if (word == "direct") return transport::direct;
  if (word == "staged") return transport::staged;
  yoke::detail::throw_error(errc::invalid_argument, where, "YOKE_MPI_TRANSPORT is \"", word,
                            "\": it is direct, staged or automatic");
}

/// Returns: the options with the environment's wishes. Throws: `logic_error` for a deadline below 0, or a wish that
/// cannot be.
[[nodiscard]] inline communicator_options with_environment(communicator_options given, const source_location& where) {
  if (given.deadline < std::chrono::nanoseconds(0)) {
    yoke::detail::throw_error(errc::invalid_argument, where, "the deadline of a communicator is below 0: ",
                              yoke::detail::duration_text(given.deadline));
  }
  if (given.transport == transport::automatic) given.transport = transport_of_environment(where);
  given.check = given.check || yoke::detail::debugs_ranks();
  return given;
}

/// Returns: the state over `of`, which is the program's or, with `is_ours`, ends with it also if this throws.
/// Throws: `communication_error`, `std::bad_alloc`.
[[nodiscard]] inline std::shared_ptr<communicator_state> state_over(const functions& calls,
                                                                    const char* (*refuses)() noexcept, MPI_Comm of,
                                                                    bool is_ours, const communicator_options& options,
                                                                    const source_location& where) {
  std::unique_ptr<communicator_state> made;
  try {
    made = std::make_unique<communicator_state>(calls, refuses, of, is_ours, options, where);
  } catch (...) {
    if (is_ours) (void)calls.comm_free(&of);
    throw;
  }
  return {made.release(), &communicator_state::retire};
}

/// Returns: the state of a new communicator, which ends with it. Throws: `communication_error`.
[[nodiscard]] inline std::shared_ptr<communicator_state> make_state(const functions& calls,
                                                                    const char* (*refuses)() noexcept, MPI_Comm made,
                                                                    const communicator_options& options,
                                                                    const source_location& where) {
  const auto state = state_over(calls, refuses, made, true, options, where);
  // A receiver takes a message in the same parts in which it is sent.
  std::uint64_t frame = state->frame;
  std::unique_ptr<operation> agreeing = start_least(*state, frame, "the making of a communicator");
  state->finish(agreeing, where);
  state->frame = static_cast<std::size_t>(frame);
  return state;
}

/// Returns: the state of a communicator over a duplicate of another one. Throws: `logic_error`, `communication_error`.
[[nodiscard]] inline std::shared_ptr<communicator_state> duplicate_of(communicator_state& of, const char* verb,
                                                                      const communicator_options& options,
                                                                      const source_location& where) {
  const communicator_options given = with_environment(options, where);
  meet(of, verb, where);
  MPI_Comm made = MPI_COMM_NULL;
  check_mpi(
      of.calls, of.calls.comm_dup(of.comm, &made), "MPI_Comm_dup",
      [] { return std::string("a communicator was not duplicated"); }, where);
  return make_state(of.calls, of.library_refuses, made, given, where);
}
/// The same of one of the program's.
[[nodiscard]] inline std::shared_ptr<communicator_state> duplicate_of(const functions& calls,
                                                                      const char* (*refuses)() noexcept, MPI_Comm of,
                                                                      const communicator_options& options,
                                                                      const source_location& where) {
  int has_begun = 0, is_over = 0;
  if (calls.initialized(&has_begun) != MPI_SUCCESS || has_begun == 0) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "MPI is not initialised: a communicator needs an mpi::session, or a call of MPI_Init",
                              where);
  }
  if (calls.finalized(&is_over) != MPI_SUCCESS || is_over != 0) {
    yoke::detail::throw_error(errc::invalid_argument, "MPI has been finalised: no communicator can begin", where);
  }
  if (of == MPI_COMM_NULL) yoke::detail::throw_null_native("communicator", where);
  const auto theirs = state_over(calls, refuses, of, false, with_environment(options, where), where);
  return duplicate_of(*theirs, "the making of a communicator", options, where);
}
/// Returns: the state of a communicator of the ranks of this host. Throws: `communication_error`.
[[nodiscard]] inline std::shared_ptr<communicator_state> host_of(communicator_state& in, const source_location& where) {
  meet(in, "the split by hosts", where);
  MPI_Comm made = MPI_COMM_NULL;
  in.check(in.calls.comm_split_type(in.comm, MPI_COMM_TYPE_SHARED, in.rank, MPI_INFO_NULL, &made),
           "MPI_Comm_split_type", where);
  return make_state(in.calls, in.library_refuses, made, in.options, where);
}

}  // namespace detail

/// The part that communicators share for every backend: ranks, and the verbs of the host's own memory, which take no
/// stream.
///
/// A communicator is a duplicate, so that its messages do not meet those of the program, and its errors are exceptions;
/// the program's own handle keeps its error handler. Copies of it and requests share it. All ranks call the same verbs
/// in the same order. A verb returns when the host has sent and received.
/// Thread safety: one thread at a time. Threads take a communicator each, in a session with `threads::multiple`.
class communicator_base {
 public:
  communicator_base() noexcept = default;

  /// This rank's number, from 0. Throws: `logic_error` when empty.
  [[nodiscard]] int rank(const source_location& where = source_location::current()) const { return state(where).rank; }
  /// How many ranks there are. Throws: as `rank`.
  [[nodiscard]] int size(const source_location& where = source_location::current()) const { return state(where).size; }
  [[nodiscard]] const communicator_options& options(const source_location& where = source_location::current()) const {
    return state(where).options;
  }
  /// MPI's handle of the duplicate, which ends with the last copy of this. Throws: as `rank`.
  [[nodiscard]] MPI_Comm native_handle(const source_location& where = source_location::current()) const {
    return state(where).comm;
  }
  [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }
  /// Gives up this handle; the last one ends the communicator, on all ranks alike. Wraps `MPI_Comm_free`.
  void reset() noexcept { state_.reset(); }

  /// This rank's number among those of its host. All ranks ask first together. Throws: `communication_error`, also when
  /// the deadline passes before all ranks have come. Wraps `MPI_Comm_split_type`.
  [[nodiscard]] int rank_of_host(const source_location& where = source_location::current()) const {
    return host(where).rank;
  }
  /// How many ranks this host has. Throws: as `rank_of_host`.
  [[nodiscard]] int size_of_host(const source_location& where = source_location::current()) const {
    return host(where).size;
  }

  /// Returns when all ranks have called it. Throws: `communication_error`. Wraps `MPI_Ibarrier`.
  void barrier(const source_location& where = source_location::current()) const {
    detail::communicator_state& in = alive(where);
    finish(in, detail::start_barrier(in, std::make_unique<detail::host_order>(), where), where);
  }
  /// Sends host memory of the rank `root` to all. Throws: `logic_error` for a root that does not exist;
  /// `communication_error`. Wraps `MPI_Ibcast`.
  template <detail::written_host_message Range>
  void broadcast(Range&& range, int root, const source_location& where = source_location::current()) const {
    detail::communicator_state& in = alive(where);
    finish(in,
           detail::start_broadcast(in, std::make_unique<detail::host_order>(), detail::host_side(range), root, where),
           where);
  }
  /// Reduces host memory of the ranks element by element; all ranks get the result, in place.
  /// Throws: `communication_error`. Wraps `MPI_Iallreduce`. Example: `std::array<double, 1> sum{mine};
  /// world.all_reduce(sum, yoke::summed);`
  template <detail::written_host_message Range, class Op>
  void all_reduce(Range&& range, const Op&, const source_location& where = source_location::current()) const {
    using element = detail::host_element<std::remove_reference_t<Range>>;
    if constexpr (detail::check_reduction<element, Op>()) {
      detail::communicator_state& in = alive(where);
      finish(in,
             detail::start_all_reduce(in, std::make_unique<detail::host_order>(), {}, detail::host_side(range),
                                      detail::reduction_of<element, Op>(in, where), where),
             where);
    }
  }
  /// Gives all ranks the host memory of all ranks, in their order. Throws: `logic_error` unless `all` has `size()` times
  /// as many elements as `mine`; `communication_error`. Wraps `MPI_Iallgather`.
  template <detail::host_message Mine, detail::written_host_message All>
  void all_gather(const Mine& mine, All&& all, const source_location& where = source_location::current()) const {
    detail::communicator_state& in = alive(where);
    finish(in,
           detail::start_all_gather(in, std::make_unique<detail::host_order>(), detail::host_side(mine),
                                    detail::host_side(all), where),
           where);
  }

  /// Calls `make` on the first rank of each host, then on the others: what the first one compiles, the others find in the
  /// cache. Returns: what it returns. Throws: what it throws; `communication_error` on the others of a host whose first
  /// rank failed. All ranks call this. Example: `auto program = world.first_of_host([&] { return compile(ctx, text); });`
  template <class Make>
  auto first_of_host(Make&& make, const source_location& where = source_location::current()) const
      -> std::invoke_result_t<Make&> {
    detail::communicator_state& in = host(where);
    if (in.rank != 0) {
      if (!told(in, true, where)) {
        yoke::detail::throw_error(errc::rank_lost, where, "the first of the ", in.size,
                                  " ranks of this host failed in what the others waited for (first_of_host)");
      }
      return make();
    }
    struct telling {
      detail::communicator_state& in;
      const source_location& where;
      const int exceptions = std::uncaught_exceptions();
      ~telling() noexcept(false) {
        if (std::uncaught_exceptions() == exceptions) {
          (void)told(in, true, where);
          return;
        }
        try {
          (void)told(in, false, where);
        } catch (...) {  // the first failure is the one to tell
        }
      }
    } const tell{in, where};
    return make();
  }

  // For what is built of communicators.
  [[nodiscard]] detail::communicator_state& alive(const source_location& where) const {
    detail::communicator_state& in = state(where);
    in.check_alive(where);
    return in;
  }
  [[nodiscard]] const std::shared_ptr<detail::communicator_state>& shared() const noexcept { return state_; }

 protected:
  explicit communicator_base(std::shared_ptr<detail::communicator_state> state) noexcept : state_(std::move(state)) {}

  [[nodiscard]] detail::communicator_state& state(const source_location& where) const {
    if (state_ == nullptr) [[unlikely]]
      yoke::detail::throw_empty_handle("communicator", where);
    return *state_;
  }
  static void finish(detail::communicator_state& in, std::unique_ptr<detail::operation> of,
                     const source_location& where) {
    in.finish(of, where);
  }

  std::shared_ptr<detail::communicator_state> state_;

 private:
  [[nodiscard]] detail::communicator_state& host(const source_location& where) const {
    detail::communicator_state& in = alive(where);
    if (in.host == nullptr) in.host = detail::host_of(in, where);
    return *in.host;
  }
  /// Effects: the first rank tells the others of the host whether it was successful. Returns: what it tells.
  static bool told(detail::communicator_state& in, bool is_good, const source_location& where) {
    in.check_alive(where);
    std::uint8_t word = is_good ? 1 : 0;
    detail::side_facts side{std::make_unique<detail::host_region>(&word, 1), 1, 1, "uchar"};
    finish(in, detail::start_broadcast(in, std::make_unique<detail::host_order>(), std::move(side), 0, where), where);
    return word != 0;
  }
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif

// SPDX-License-Identifier: MIT
// Communicators of MPI, whose verbs take device memory and a stream.
#ifndef YOKE_MPI_COMMUNICATOR_HPP
#define YOKE_MPI_COMMUNICATOR_HPP

#include <yoke/core/system.hpp>
#include <yoke/distributed/communicator.hpp>
#include <yoke/mpi/collectives.hpp>
#include <yoke/mpi/messages.hpp>
#include <yoke/mpi/request.hpp>
#include <yoke/mpi/transport.hpp>

#include <concepts>
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

/// Returns: the state of a new communicator over a duplicate of `of`. Throws: `communication_error`.
[[nodiscard]] inline std::shared_ptr<communicator_state> make_state(const functions& calls,
                                                                    const char* (*refuses)() noexcept, MPI_Comm made,
                                                                    communicator_options options,
                                                                    const source_location& where) {
  std::shared_ptr<communicator_state> state;
  try {
    if (options.transport == transport::automatic) {
      const char* const named = yoke::detail::trusted_variable("YOKE_MPI_TRANSPORT");
      if (named != nullptr && std::string_view(named) == "direct") options.transport = transport::direct;
      if (named != nullptr && std::string_view(named) == "staged") options.transport = transport::staged;
    }
    if (const char* const debug = yoke::detail::trusted_variable("YOKE_DEBUG")) {
      options.check = options.check || std::string_view(debug).find("ranks") != std::string_view::npos;
    }
    state = std::make_shared<communicator_state>(calls, refuses, made, options, where);
  } catch (...) {
    (void)calls.comm_free(&made);
    throw;
  }
  // What one rank sends in parts, the other gets in the same parts.
  std::uint64_t frame = state->frame;
  side_facts side{std::make_unique<host_region>(&frame, sizeof frame), 1, sizeof frame, "ulong"};
  const bool checked = std::exchange(state->options.check, false);
  std::unique_ptr<operation> agreeing = start_all_reduce(*state, std::make_unique<host_order>(), {}, std::move(side),
                                                         {MPI_UINT64_T, MPI_MIN, nullptr, "smallest"}, where);
  state->finish(agreeing, where);
  state->options.check = checked;
  state->frame = static_cast<std::size_t>(frame);
  return state;
}

/// Returns: the state of a communicator over a duplicate of `of`. Throws: `logic_error`, `communication_error`.
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
  MPI_Comm made = MPI_COMM_NULL;
  check_mpi(
      calls, calls.comm_dup(of, &made), "MPI_Comm_dup", [] { return std::string("a communicator was not duplicated"); },
      where);
  return make_state(calls, refuses, made, options, where);
}

/// Waits for what a stream has so far.
class stream_wait final : public operation {
 public:
  explicit stream_wait(std::unique_ptr<memory_order> order) noexcept : order_(std::move(order)) {}
  [[nodiscard]] progress advance(communicator_state&, const source_location& where) override {
    return order_->has_passed(where) ? progress::done : progress::idle;
  }
  [[nodiscard]] bool has_started() const noexcept override { return true; }
  [[nodiscard]] bool stop(communicator_state&, bool) noexcept override { return true; }
  [[nodiscard]] bool is_settled(communicator_state&) noexcept override { return true; }
  [[nodiscard]] std::string words() const override { return "the work of a stream"; }

 private:
  std::unique_ptr<memory_order> order_;
};

}  // namespace detail

/// What communicators of every backend have: ranks, and the verbs of the host's own memory, which take no stream.
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

  /// This rank's number among those of its host. All ranks ask first together. Throws: `communication_error`. Wraps
  /// `MPI_Comm_split_type`.
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
    if (in.host == nullptr) {
      MPI_Comm made = MPI_COMM_NULL;
      in.check(in.calls.comm_split_type(in.comm, MPI_COMM_TYPE_SHARED, in.rank, MPI_INFO_NULL, &made),
               "MPI_Comm_split_type", where);
      in.host = detail::make_state(in.calls, in.library_refuses, made, in.options, where);
    }
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

/// A communicator of MPI: a group of processes. Its verbs take device memory and a stream: they begin behind what the
/// stream has so far, and when one returns, the host has sent and received, and later commands of the stream see the
/// result. Where MPI cannot reach the memory itself, it travels through page-locked blocks of the host, part by part.
/// A range is an allocation, a span, an array, a view (one with gaps is packed), a `device_value`, page-locked or managed
/// memory. Each verb with `_async` returns at once, with a `request`.
///
/// Throws, all verbs: `logic_error` before MPI is asked, for sizes that do not fit, ranks that do not exist, memory that
/// is empty or of another context; `communication_error` when MPI fails, ranks do not match, or the deadline passes;
/// `error`. After a deadline has passed, and after an operation that ended when the other ranks had begun more of it, the
/// communicator has ended. Page-locked memory, and device memory that MPI reaches directly, of an operation that did not
/// end has to stay until the program ends.
/// Example: `world.all_reduce(gradients, yoke::averaged, stream);`
template <class Port = any_port>
class communicator : public communicator_base {
 public:
  using port_type = Port;
  using stream_type = stream<Port>;
  using exchange_type = exchange<Port>;
  using request_type = request<Port>;
  /// The host drives the verbs.
  static constexpr bool enqueues = false;

  communicator() noexcept = default;
  /// A duplicate of MPI's communicator. All ranks call this.
  /// Throws: `logic_error` before MPI is initialised or after its end; `communication_error`. Wraps `MPI_Comm_dup`.
  explicit communicator(MPI_Comm of, const communicator_options& options = {},
                        const source_location& where = source_location::current())
      : communicator(linked_functions, &detail::linked_library_refuses, of, options, where) {}
  /// The same by another table of functions.
  communicator(const functions& calls, const char* (*library_refuses)() noexcept, MPI_Comm of,
               const communicator_options& options, const source_location& where = source_location::current())
      : communicator_base(detail::duplicate_of(calls, library_refuses, of, options, where)) {}
  /// The same communicator for the streams of another backend. Both share messages and order.
  template <class Other>
    requires(!std::same_as<Other, Port>)
  explicit communicator(const communicator<Other>& other) noexcept : communicator_base(other.shared()) {}

  /// Another duplicate, with the same options or others. All ranks call this. Throws: `communication_error`. Wraps
  /// `MPI_Comm_dup`.
  [[nodiscard]] communicator duplicate(const source_location& where = source_location::current()) const {
    return duplicate(this->options(where), where);
  }
  [[nodiscard]] communicator duplicate(const communicator_options& options,
                                       const source_location& where = source_location::current()) const {
    const detail::communicator_state& in = this->alive(where);
    return communicator(detail::duplicate_of(in.calls, in.library_refuses, in.comm, options, where));
  }
  /// The ranks that give the same `color`, ordered by `key`, then by their rank here. All ranks call this; one that gives
  /// a color below 0 gets an empty communicator. Throws: `communication_error`. Wraps `MPI_Comm_split`.
  [[nodiscard]] communicator split(int color, int key = 0,
                                   const source_location& where = source_location::current()) const {
    const detail::communicator_state& in = this->alive(where);
    MPI_Comm made = MPI_COMM_NULL;
    in.check(in.calls.comm_split(in.comm, color < 0 ? MPI_UNDEFINED : color, key, &made), "MPI_Comm_split", where);
    if (made == MPI_COMM_NULL) return communicator();
    return communicator(detail::make_state(in.calls, in.library_refuses, made, in.options, where));
  }
  /// The ranks of this host. All ranks call this. Throws: `communication_error`. Wraps `MPI_Comm_split_type`.
  [[nodiscard]] communicator of_host(const source_location& where = source_location::current()) const {
    const detail::communicator_state& in = this->alive(where);
    MPI_Comm made = MPI_COMM_NULL;
    in.check(in.calls.comm_split_type(in.comm, MPI_COMM_TYPE_SHARED, in.rank, MPI_INFO_NULL, &made),
             "MPI_Comm_split_type", where);
    return communicator(detail::make_state(in.calls, in.library_refuses, made, in.options, where));
  }
  /// How a range reaches MPI in verbs that move elements, and why. Reductions of device memory are always staged.
  /// Throws: `logic_error` when empty.
  template <class Range>
  [[nodiscard]] transport_choice transport_of(Range&& range, const stream<Port>& in,
                                              const source_location& where = source_location::current()) const {
    return detail::choose_transport(this->alive(where), in.context_of().port(where),
                                    yoke::detail::message_of<Port>(range, where));
  }

  using communicator_base::all_gather;
  using communicator_base::all_reduce;
  using communicator_base::barrier;
  using communicator_base::broadcast;

  /// Returns when all ranks have called it, each after its stream's commands so far are done.
  void barrier(const stream<Port>& in, const source_location& where = source_location::current()) const {
    detail::communicator_state& state = this->alive(where);
    finish(state, detail::start_barrier(state, order_of(state, in, where), where), where);
  }
  /// Waits until the stream's commands so far are done, and drives operations in flight meanwhile.
  void wait(const stream<Port>& in, const source_location& where = source_location::current()) const {
    detail::communicator_state& state = this->alive(where);
    finish(state, std::make_unique<detail::stream_wait>(order_of(state, in, where)), where);
  }

  /// Reduces the ranks' ranges element by element; all ranks get the result, in place. Operators are `yoke::summed`,
  /// `multiplied`, `smallest`, `largest`, `averaged`, and function objects without state whose order does not matter.
  /// Wraps `MPI_Iallreduce`.
  template <class Range, class Op>
  void all_reduce(Range&& range, const Op& op, const stream<Port>& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (reduced<Range, Op>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_all_reduce(state, range, op, in, where), where);
    }
  }
  template <class Range, class Op>
  [[nodiscard]] request<Port> all_reduce_async(Range&& range, const Op& op, const stream<Port>& in,
                                               const source_location& where = source_location::current()) const {
    if constexpr (reduced<Range, Op>() && detail::check_stays<Range>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_all_reduce(state, range, op, in, where), in, where);
    }
    return {};
  }

  /// The same for a value on the device, in its own stream. Returns: the value.
  /// Example: `const float norm = std::sqrt(world.all_reduce(yoke::dot(a, a), yoke::summed).get());`
  template <class T, class Op>
  [[nodiscard]] device_value<T, Port> all_reduce(device_value<T, Port> x, const Op& op,
                                                 const source_location& where = source_location::current()) const {
    all_reduce(x, op, x.array().stream(where), where);
    return x;
  }
  /// The same from one range into another. Wraps `MPI_Iallreduce`.
  template <class From, class Into, class Op>
  void all_reduce(From&& from, Into&& into, const Op& op, const stream<Port>& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (reduced<From, Into, Op>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_all_reduce(state, from, into, op, in, where), where);
    }
  }
  template <class From, class Into, class Op>
  [[nodiscard]] request<Port> all_reduce_async(From&& from, Into&& into, const Op& op, const stream<Port>& in,
                                               const source_location& where = source_location::current()) const {
    if constexpr (reduced<From, Into, Op>() && detail::check_stays<From>() && detail::check_stays<Into>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_all_reduce(state, from, into, op, in, where), in, where);
    }
    return {};
  }

  /// Reduces the ranks' ranges into the range `into` of the rank `root`; the other ranks' `into` is not used, and may be empty.
  /// Wraps `MPI_Ireduce`.
  template <class From, class Into, class Op>
  void reduce(From&& from, Into&& into, const Op& op, int root, const stream<Port>& in,
              const source_location& where = source_location::current()) const {
    if constexpr (reduced<From, Into, Op>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_reduce(state, from, into, op, root, in, where), where);
    }
  }
  template <class From, class Into, class Op>
  [[nodiscard]] request<Port> reduce_async(From&& from, Into&& into, const Op& op, int root, const stream<Port>& in,
                                           const source_location& where = source_location::current()) const {
    if constexpr (reduced<From, Into, Op>() && detail::check_stays<From>() && detail::check_stays<Into>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_reduce(state, from, into, op, root, in, where), in, where);
    }
    return {};
  }

  /// Reduces the ranks' ranges `all`, of which each rank gets its part: `all` has `size()` times as many elements as
  /// `mine`. Wraps `MPI_Ireduce_scatter_block`.
  template <class All, class Mine, class Op>
  void reduce_scatter(All&& all, Mine&& mine, const Op& op, const stream<Port>& in,
                      const source_location& where = source_location::current()) const {
    if constexpr (reduced<All, Mine, Op>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_reduce_scatter(state, all, mine, op, in, where), where);
    }
  }
  template <class All, class Mine, class Op>
  [[nodiscard]] request<Port> reduce_scatter_async(All&& all, Mine&& mine, const Op& op, const stream<Port>& in,
                                                   const source_location& where = source_location::current()) const {
    if constexpr (reduced<All, Mine, Op>() && detail::check_stays<All>() && detail::check_stays<Mine>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_reduce_scatter(state, all, mine, op, in, where), in, where);
    }
    return {};
  }

  /// Sends the range of the rank `root` to all others, which give a range of the same size. Wraps `MPI_Ibcast`.
  template <class Range>
  void broadcast(Range&& range, int root, const stream<Port>& in,
                 const source_location& where = source_location::current()) const {
    if constexpr (written<Range>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_broadcast(state, range, root, in, where), where);
    }
  }
  template <class Range>
  [[nodiscard]] request<Port> broadcast_async(Range&& range, int root, const stream<Port>& in,
                                              const source_location& where = source_location::current()) const {
    if constexpr (written<Range>() && detail::check_stays<Range>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_broadcast(state, range, root, in, where), in, where);
    }
    return {};
  }

  /// Gives all ranks the ranges `mine` of all ranks, in their order: `all` has `size()` times as many elements.
  /// Wraps `MPI_Iallgather`.
  template <class Mine, class All>
  void all_gather(Mine&& mine, All&& all, const stream<Port>& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (moved<Mine, All>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_all_gather(state, mine, all, in, where), where);
    }
  }
  template <class Mine, class All>
  [[nodiscard]] request<Port> all_gather_async(Mine&& mine, All&& all, const stream<Port>& in,
                                               const source_location& where = source_location::current()) const {
    if constexpr (moved<Mine, All>() && detail::check_stays<Mine>() && detail::check_stays<All>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_all_gather(state, mine, all, in, where), in, where);
    }
    return {};
  }

  /// The same for the rank `root` alone; the other ranks' `all` is not used, and may be empty. Wraps `MPI_Igather`.
  template <class Mine, class All>
  void gather(Mine&& mine, All&& all, int root, const stream<Port>& in,
              const source_location& where = source_location::current()) const {
    if constexpr (moved<Mine, All>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_gather(state, mine, all, root, in, where), where);
    }
  }
  template <class Mine, class All>
  [[nodiscard]] request<Port> gather_async(Mine&& mine, All&& all, int root, const stream<Port>& in,
                                           const source_location& where = source_location::current()) const {
    if constexpr (moved<Mine, All>() && detail::check_stays<Mine>() && detail::check_stays<All>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_gather(state, mine, all, root, in, where), in, where);
    }
    return {};
  }

  /// Gives each rank its part of the range `all` of the rank `root`; the other ranks' `all` is not used, and may be empty.
  /// Wraps `MPI_Iscatter`.
  template <class All, class Mine>
  void scatter(All&& all, Mine&& mine, int root, const stream<Port>& in,
               const source_location& where = source_location::current()) const {
    if constexpr (moved<All, Mine>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_scatter(state, all, mine, root, in, where), where);
    }
  }
  template <class All, class Mine>
  [[nodiscard]] request<Port> scatter_async(All&& all, Mine&& mine, int root, const stream<Port>& in,
                                            const source_location& where = source_location::current()) const {
    if constexpr (moved<All, Mine>() && detail::check_stays<All>() && detail::check_stays<Mine>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_scatter(state, all, mine, root, in, where), in, where);
    }
    return {};
  }

  /// Sends part `i` of `from` to the rank `i`, and puts what the rank `i` sends into part `i` of `into`.
  /// Wraps `MPI_Ialltoall`.
  template <class From, class Into>
  void all_to_all(From&& from, Into&& into, const stream<Port>& in,
                  const source_location& where = source_location::current()) const {
    if constexpr (moved<From, Into>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_all_to_all(state, from, into, in, where), where);
    }
  }
  template <class From, class Into>
  [[nodiscard]] request<Port> all_to_all_async(From&& from, Into&& into, const stream<Port>& in,
                                               const source_location& where = source_location::current()) const {
    if constexpr (moved<From, Into>() && detail::check_stays<From>() && detail::check_stays<Into>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_all_to_all(state, from, into, in, where), in, where);
    }
    return {};
  }

  /// Sends a range to the rank `to`, which receives as many elements. It may return before. Messages between two ranks
  /// meet in the order of the calls. Throws: also `logic_error` for a send to this rank itself, which would wait for
  /// ever. Wraps `MPI_Isend`.
  template <class Range>
  void send(Range&& from, int to, const stream<Port>& in,
            const source_location& where = source_location::current()) const {
    if constexpr (given<Range>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_message(state, true, true, from, to, in, where), where);
    }
  }
  template <class Range>
  [[nodiscard]] request<Port> send_async(Range&& from, int to, const stream<Port>& in,
                                         const source_location& where = source_location::current()) const {
    if constexpr (given<Range>() && detail::check_stays<Range>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_message(state, true, false, from, to, in, where), in, where);
    }
    return {};
  }

  /// Receives a range from the rank `from`. Throws: also `communication_error` when that rank sends another number of
  /// elements, and `logic_error` for this rank itself. Wraps `MPI_Irecv`.
  template <class Range>
  void receive(Range&& into, int from, const stream<Port>& in,
               const source_location& where = source_location::current()) const {
    if constexpr (written<Range>()) {
      detail::communicator_state& state = this->alive(where);
      finish(state, begin_message(state, false, true, into, from, in, where), where);
    }
  }
  template <class Range>
  [[nodiscard]] request<Port> receive_async(Range&& into, int from, const stream<Port>& in,
                                            const source_location& where = source_location::current()) const {
    if constexpr (written<Range>() && detail::check_stays<Range>()) {
      detail::communicator_state& state = this->alive(where);
      return started(begin_message(state, false, false, into, from, in, where), in, where);
    }
    return {};
  }

  /// Runs the list's sends and receives together, so that they cannot wait for each other. Messages between two ranks meet
  /// in the order of the list. A rank may send to itself. Wraps `MPI_Isend`, `MPI_Irecv`.
  void run(const exchange<Port>& list, const stream<Port>& in,
           const source_location& where = source_location::current()) const {
    detail::communicator_state& state = this->alive(where);
    finish(state, begin_list(state, list, in, where), where);
  }
  [[nodiscard]] request<Port> run_async(const exchange<Port>& list, const stream<Port>& in,
                                        const source_location& where = source_location::current()) const {
    detail::communicator_state& state = this->alive(where);
    return started(begin_list(state, list, in, where), in, where);
  }

 private:
  using operation_pointer = std::unique_ptr<detail::operation>;
  explicit communicator(std::shared_ptr<detail::communicator_state> state) noexcept
      : communicator_base(std::move(state)) {}

  // What verbs take, asked at compile time.
  template <class Range>
  static consteval bool given() {
    return yoke::detail::check_message_range<const std::remove_reference_t<Range>, Port>();
  }
  template <class Range>
  static consteval bool written() {
    return yoke::detail::check_written_range<std::remove_reference_t<Range>, Port>();
  }
  template <class From, class Into>
  static consteval bool moved() {
    if constexpr (given<From>() && written<Into>()) {
      constexpr bool is_same = std::same_as<element<From>, element<Into>>;
      static_assert(is_same, "both ranges have to have elements of the same type");
      return is_same;
    } else {
      return false;
    }
  }
  template <class Range, class Op>
  static consteval bool reduced() {
    if constexpr (written<Range>()) {
      return detail::check_reduction<element<Range>, Op>();
    } else {
      return false;
    }
  }
  template <class From, class Into, class Op>
  static consteval bool reduced() {
    if constexpr (moved<From, Into>()) {
      return detail::check_reduction<element<From>, Op>();
    } else {
      return false;
    }
  }
  template <class Range>
  using element = yoke::detail::message_element<std::remove_reference_t<Range>>;

  [[nodiscard]] request<Port> started(operation_pointer of, const stream<Port>& in,
                                      const source_location& where) const {
    try {
      request<Port> made(this->state_, std::move(of), in, where);
      (void)made.is_done(where);  // begins what can begin
      return made;
    } catch (...) {
      this->state_->fail(std::move(of));  // one that no request has taken
      throw;
    }
  }
  /// Returns: the order of a stream's memory, with its context's blocks.
  [[nodiscard]] static std::unique_ptr<detail::stream_order<Port>> order_of(detail::communicator_state& state,
                                                                            const stream<Port>& in,
                                                                            const source_location& where) {
    if (!in) [[unlikely]]
      yoke::detail::throw_empty_handle("stream", where);
    return std::make_unique<detail::stream_order<Port>>(in, state.stage_of(in.context_of(), where), where);
  }
  [[nodiscard]] static std::unique_ptr<detail::region> region_of(const detail::communicator_state& state,
                                                                 yoke::detail::message_range<Port> range,
                                                                 detail::region_use use, bool calculates,
                                                                 const detail::stream_order<Port>& order,
                                                                 const source_location& where) {
    const Port& port = order.stream_of().context_of().port(where);
    std::byte* direct = nullptr;
    if (!calculates && range.bytes != 0 && range.host == nullptr &&
        detail::choose_transport(state, port, range).chosen == transport::direct) {
      direct = detail::device_address(port, range);
    }
    auto made = std::make_unique<detail::device_region<Port>>(std::move(range), use, order.stream_of(), where);
    if (direct != nullptr) made->address = direct;
    return made;
  }
  /// What a side is for: `calculates` for reductions, which MPI makes of the host's memory.
  struct side_use {
    detail::region_use use;
    bool calculates = false;
  };
  template <class Range>
  [[nodiscard]] static detail::side_facts side_of(const detail::communicator_state& state, Range& range, side_use as,
                                                  const detail::stream_order<Port>& order,
                                                  const source_location& where) {
    auto message = yoke::detail::message_of<Port>(range, where);
    detail::side_facts made{nullptr, message.count(), message.element, message.type};
    if (message.host != nullptr) {
      made.place = 1;
      made.first = reinterpret_cast<std::uintptr_t>(message.host);
    } else if (!message.packing) {
      const std::uint64_t number = yoke::detail::native_value(message.memory);
      const bool is_address = yoke::detail::memory_is_address(order.stream_of().context_of().port(where));
      made.place = is_address ? 2 : number;
      made.first = message.first + (is_address ? number : 0);
    }
    made.memory = region_of(state, std::move(message), as.use, as.calculates, order, where);
    return made;
  }
  static constexpr side_use reads{detail::region_use::reads, false}, writes{detail::region_use::writes, false};
  static constexpr side_use reduces_from{detail::region_use::reads, true},
      reduces_into{detail::region_use::writes, true}, reduces_in_place{detail::region_use::both, true};

  template <class Range, class Op>
  static operation_pointer begin_all_reduce(detail::communicator_state& state, Range& range, const Op&,
                                            const stream<Port>& in, const source_location& where) {
    auto order = order_of(state, in, where);
    auto side = side_of(state, range, reduces_in_place, *order, where);
    return detail::start_all_reduce(state, std::move(order), {}, std::move(side),
                                    detail::reduction_of<element<Range>, Op>(state, where), where);
  }
  template <class From, class Into, class Op>
  static operation_pointer begin_all_reduce(detail::communicator_state& state, From& from, Into& into, const Op&,
                                            const stream<Port>& in, const source_location& where) {
    auto order = order_of(state, in, where);
    auto give = side_of(state, from, reduces_from, *order, where);
    auto get = side_of(state, into, reduces_into, *order, where);
    return detail::start_all_reduce(state, std::move(order), std::move(give), std::move(get),
                                    detail::reduction_of<element<From>, Op>(state, where), where);
  }
  template <class From, class Into, class Op>
  static operation_pointer begin_reduce(detail::communicator_state& state, From& from, Into& into, const Op&, int root,
                                        const stream<Port>& in, const source_location& where) {
    state.check_rank(root, "the root", where);
    auto order = order_of(state, in, where);
    auto give = side_of(state, from, reduces_from, *order, where);
    detail::side_facts get;
    if (state.rank == root) get = side_of(state, into, reduces_into, *order, where);
    return detail::start_reduce(state, std::move(order), std::move(give), std::move(get),
                                detail::reduction_of<element<From>, Op>(state, where), root, where);
  }
  template <class All, class Mine, class Op>
  static operation_pointer begin_reduce_scatter(detail::communicator_state& state, All& all, Mine& mine, const Op&,
                                                const stream<Port>& in, const source_location& where) {
    auto order = order_of(state, in, where);
    auto give = side_of(state, all, reduces_from, *order, where);
    auto get = side_of(state, mine, reduces_into, *order, where);
    return detail::start_reduce_scatter(state, std::move(order), std::move(give), std::move(get),
                                        detail::reduction_of<element<All>, Op>(state, where), where);
  }
  template <class Range>
  static operation_pointer begin_broadcast(detail::communicator_state& state, Range& range, int root,
                                           const stream<Port>& in, const source_location& where) {
    auto order = order_of(state, in, where);
    auto side = side_of(state, range, state.rank == root ? reads : writes, *order, where);
    return detail::start_broadcast(state, std::move(order), std::move(side), root, where);
  }
  template <class Mine, class All>
  static operation_pointer begin_all_gather(detail::communicator_state& state, Mine& mine, All& all,
                                            const stream<Port>& in, const source_location& where) {
    auto order = order_of(state, in, where);
    auto give = side_of(state, mine, reads, *order, where);
    auto get = side_of(state, all, writes, *order, where);
    return detail::start_all_gather(state, std::move(order), std::move(give), std::move(get), where);
  }
  template <class Mine, class All>
  static operation_pointer begin_gather(detail::communicator_state& state, Mine& mine, All& all, int root,
                                        const stream<Port>& in, const source_location& where) {
    state.check_rank(root, "the root", where);
    auto order = order_of(state, in, where);
    auto give = side_of(state, mine, reads, *order, where);
    detail::side_facts get;
    if (state.rank == root) get = side_of(state, all, writes, *order, where);
    return detail::start_gather(state, std::move(order), std::move(give), std::move(get), root, where);
  }
  template <class All, class Mine>
  static operation_pointer begin_scatter(detail::communicator_state& state, All& all, Mine& mine, int root,
                                         const stream<Port>& in, const source_location& where) {
    state.check_rank(root, "the root", where);
    auto order = order_of(state, in, where);
    detail::side_facts give;
    if (state.rank == root) give = side_of(state, all, reads, *order, where);
    auto get = side_of(state, mine, writes, *order, where);
    return detail::start_scatter(state, std::move(order), std::move(give), std::move(get), root, where);
  }
  template <class From, class Into>
  static operation_pointer begin_all_to_all(detail::communicator_state& state, From& from, Into& into,
                                            const stream<Port>& in, const source_location& where) {
    auto order = order_of(state, in, where);
    auto give = side_of(state, from, reads, *order, where);
    auto get = side_of(state, into, writes, *order, where);
    return detail::start_all_to_all(state, std::move(order), std::move(give), std::move(get), where);
  }
  template <class Range>
  static operation_pointer begin_message(detail::communicator_state& state, bool sends, bool waits, Range& range,
                                         int peer, const stream<Port>& in, const source_location& where) {
    state.check_rank(peer, sends ? "the receiving rank" : "the sending rank", where);
    if (waits && peer == state.rank) [[unlikely]] {
      yoke::detail::throw_error(errc::invalid_argument, where, "rank ", peer, " cannot ",
                                sends ? "send to" : "receive from", " itself and wait for it: use a list of both");
    }
    auto order = order_of(state, in, where);
    auto memory = region_of(state, yoke::detail::message_of<Port>(range, where),
                            sends ? detail::region_use::reads : detail::region_use::writes, false, *order, where);
    auto made = std::make_unique<detail::message_operation>(std::move(order));
    made->add(state, sends, peer, std::move(memory), where);
    return made;
  }
  static operation_pointer begin_list(detail::communicator_state& state, const exchange<Port>& list,
                                      const stream<Port>& in, const source_location& where) {
    for (const auto& each : list.messages()) {
      state.check_rank(each.peer, each.sends ? "the receiving rank" : "the sending rank", each.where);
    }
    auto order = order_of(state, in, where);
    const detail::stream_order<Port>& of = *order;
    std::vector<std::unique_ptr<detail::region>> memory;
    memory.reserve(list.size());
    for (const auto& each : list.messages()) {
      memory.push_back(region_of(state, each.range, each.sends ? detail::region_use::reads : detail::region_use::writes,
                                 false, of, each.where));
    }
    // The tags are counted when nothing more can fail.
    auto made = std::make_unique<detail::message_operation>(std::move(order));
    std::size_t number = 0;
    for (const auto& each : list.messages()) {
      made->add(state, each.sends, each.peer, std::move(memory[number++]), each.where);
    }
    return made;
  }
};
communicator(MPI_Comm) -> communicator<any_port>;
communicator(MPI_Comm, const communicator_options&) -> communicator<any_port>;

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR

#endif

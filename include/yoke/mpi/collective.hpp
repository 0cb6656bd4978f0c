// SPDX-License-Identifier: MIT
// Operations of all ranks, in parts, of which some are copied while MPI moves others.
#ifndef YOKE_MPI_COLLECTIVE_HPP
#define YOKE_MPI_COLLECTIVE_HPP

#include <yoke/mpi/operation.hpp>
#include <yoke/mpi/region.hpp>

#include <deque>
#include <functional>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail {

/// One side of a collective operation: rows of `count` elements, one for all ranks or one for each.
struct collective_side {
  std::unique_ptr<region> memory{};  ///< null: this rank has no such side
  std::size_t rows = 1;
};

/// A collective operation as plain numbers.
struct collective_plan {
  const char* verb = "";        ///< for messages: "all_reduce"
  const char* call = "";        ///< MPI's function
  std::string range{};          ///< for messages: "1024 float"
  std::size_t count = 0;        ///< elements of a row
  std::size_t element = 1;      ///< bytes
  std::size_t rows = 1;         ///< the most rows that a side of any rank has, the same on all ranks
  collective_side in{};         ///< what this rank gives
  collective_side out{};        ///< what it gets
  bool is_in_place = false;     ///< `in` is null, and `out` holds what this rank gives
  bool follows_stream = false;  ///< begins when the stream has done what was enqueued before
  /// Calls MPI for `count` elements of each row. Returns: its code.
  std::function<int(const void* in, void* out, int count, MPI_Request* request)> start{};
  /// Changes the elements that a rank got: `count` of one row; empty for nothing.
  std::function<void(void* out, std::size_t count)> change{};
};

/// A collective operation. Its parts are started in order, the same on all ranks.
class collective_operation final : public operation {
 public:
  collective_operation(communicator_state& in, std::unique_ptr<memory_order> order, collective_plan plan)
      : in_(in), order_(std::move(order)), plan_(std::move(plan)) {
    const std::size_t most = in.frame / (plan_.element * plan_.rows);
    chunk_ = most == 0 ? 1 : most;
    if (chunk_ > plan_.count) chunk_ = plan_.count;
    if (plan_.count == 0) {
      has_last_ = true;
    } else {
      in.starting.push_back(this);
    }
  }
  ~collective_operation() override { leave_line(); }

  [[nodiscard]] progress advance(communicator_state& in, const source_location& where) override {
    bool moved = false;
    if (!has_begun_) {
      if (plan_.in.memory) plan_.in.memory->begin(where);
      if (plan_.out.memory) plan_.out.memory->begin(where);
      has_begun_ = moved = true;
    }
    if ((plan_.follows_stream || reached(plan_.in) || reached(plan_.out)) && !order_->has_passed(where)) {
      return moved ? progress::moved : progress::idle;
    }
    while (!has_last_ && parts_.size() < window) {
      begin_part(where);
      moved = true;
    }
    moved |= start_parts(in, where);
    while (started_ != 0) {
      part& each = parts_.front();
      int is_done = 0;
      MPI_Status status;
      const int code = in.calls.test(&each.request, &is_done, &status);
      if (code != MPI_SUCCESS) {
        each.request = MPI_REQUEST_NULL;
        throw_mpi(in.calls, code, plan_.call, failed(in), where);
      }
      if (is_done == 0) break;
      each.request = MPI_REQUEST_NULL;
      end_part(each, where);
      parts_.pop_front();
      --started_;
      moved = true;
    }
    if (has_last_ && parts_.empty()) {
      if (plan_.in.memory) plan_.in.memory->end(where);
      if (plan_.out.memory) plan_.out.memory->end(where);
      return progress::done;
    }
    return moved ? progress::moved : progress::idle;
  }
  [[nodiscard]] bool has_started() const noexcept override { return has_last_ && started_ == parts_.size(); }
  [[nodiscard]] bool stop(communicator_state&, bool goes_on) noexcept override {  // MPI cancels no collective operation
    if (has_started()) return true;
    goes_on_ = goes_on && has_last_ && !reached(plan_.in) && !reached(plan_.out);
    if (!goes_on_) leave_line();
    return goes_on_;
  }
  [[nodiscard]] bool is_settled(communicator_state& in) noexcept override {
    bool settled = true;
    if (goes_on_) {
      try {
        if (in.failure.empty()) (void)start_parts(in, begun_at);
        goes_on_ = in.failure.empty() && !has_started();
      } catch (...) {
        in.end_by(*this, std::current_exception());
        goes_on_ = false;
      }
      if (!goes_on_) leave_line();
      settled = !goes_on_;
    }
    for (part& each : parts_) {
      if (each.request == MPI_REQUEST_NULL) continue;
      int is_done = 0;
      MPI_Status status;
      if (in.calls.test(&each.request, &is_done, &status) != MPI_SUCCESS || is_done != 0) {
        each.request = MPI_REQUEST_NULL;
      } else {
        settled = false;
      }
    }
    return settled;
  }
  [[nodiscard]] std::string words() const override {
    if (plan_.range.empty()) return plan_.verb;
    return yoke::detail::text(plan_.verb, " of ", plan_.range);
  }

 private:
  struct part {
    std::size_t first = 0;  // element of a row
    std::size_t count = 0;
    std::unique_ptr<block> input{}, output{};
    MPI_Request request = MPI_REQUEST_NULL;
  };
  static constexpr std::size_t window = 4;

  [[nodiscard]] std::string failed(const communicator_state& in) const { return words() + " failed on " + in.me(); }
  [[nodiscard]] static bool reached(const collective_side& side) noexcept {
    return side.memory != nullptr && side.memory->address != nullptr;
  }
  /// Returns: whether MPI reaches a part of the side at its address: it is one row, or all of it.
  [[nodiscard]] bool is_direct(const collective_side& side) const noexcept {
    return reached(side) && (side.rows == 1 || chunk_ == plan_.count);
  }
  [[nodiscard]] byte_rows rows_of(const collective_side& side, const part& each) const noexcept {
    return {each.first * plan_.element, each.count * plan_.element, side.rows, plan_.count * plan_.element};
  }
  [[nodiscard]] std::byte* address_of(const collective_side& side, const part& each, block* memory) const noexcept {
    if (memory != nullptr) return memory->data;
    return side.memory != nullptr ? side.memory->address + each.first * plan_.element : nullptr;
  }
  [[nodiscard]] std::unique_ptr<block> take(const collective_side& side, const part& each,
                                            const source_location& where) {
    return order_->take(each.count * plan_.element * side.rows, where);
  }

  void begin_part(const source_location& where) {
    part& each = parts_.emplace_back();
    each.first = next_;
    each.count = plan_.count - next_ < chunk_ ? plan_.count - next_ : chunk_;
    next_ += each.count;
    has_last_ = next_ == plan_.count;
    if (plan_.in.memory && !is_direct(plan_.in)) {
      each.input = take(plan_.in, each, where);
      plan_.in.memory->fetch(*each.input, rows_of(plan_.in, each), where);
      order_->mark(*each.input, where);
    }
    if (plan_.out.memory && !is_direct(plan_.out)) {
      each.output = take(plan_.out, each, where);
      if (plan_.is_in_place) {
        plan_.out.memory->fetch(*each.output, rows_of(plan_.out, each), where);
        order_->mark(*each.output, where);
      }
    }
  }
  /// Returns: whether any has started. MPI matches the parts of the ranks by their order: those of one operation come
  /// before those of the next.
  bool start_parts(communicator_state& in, const source_location& where) {
    bool moved = false;
    while (started_ < parts_.size() && in.starting.front() == this) {
      part& each = parts_[started_];
      if (each.input && !each.input->is_ready(where)) break;
      if (each.output && !each.output->is_ready(where)) break;
      start(each, in, where);
      ++started_;
      moved = true;
      if (has_last_ && started_ == parts_.size()) leave_line();
    }
    return moved;
  }
  void start(part& each, communicator_state& in, const source_location& where) {
    const int code =
        plan_.start(address_of(plan_.in, each, each.input.get()), address_of(plan_.out, each, each.output.get()),
                    static_cast<int>(each.count), &each.request);
    if (code == MPI_SUCCESS) [[likely]]
      return;
    each.request = MPI_REQUEST_NULL;
    throw_mpi(in.calls, code, plan_.call, failed(in), where);
  }
  void end_part(part& each, const source_location& where) {
    if (plan_.out.memory) {
      if (plan_.change) plan_.change(address_of(plan_.out, each, each.output.get()), each.count * plan_.out.rows);
      if (each.output) {
        plan_.out.memory->store(*each.output, rows_of(plan_.out, each), where);
        order_->mark(*each.output, where);
        order_->give_back(std::move(each.output));
      }
    }
    if (each.input) order_->give_back(std::move(each.input));
  }

  void leave_line() noexcept { std::erase(in_.starting, this); }

  communicator_state& in_;
  std::unique_ptr<memory_order> order_;
  collective_plan plan_;
  std::size_t chunk_ = 0;
  std::size_t next_ = 0;
  bool has_begun_ = false;
  bool has_last_ = false;
  bool goes_on_ = false;     // stopped, but `is_settled` starts the blocks that wait
  std::deque<part> parts_;   // in flight, in order
  std::size_t started_ = 0;  // how many of them MPI has
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail

#endif

// SPDX-License-Identifier: MIT
// Sends and receives that progress together, part by part.
#ifndef YOKE_MPI_MESSAGES_HPP
#define YOKE_MPI_MESSAGES_HPP

#include <yoke/mpi/operation.hpp>
#include <yoke/mpi/region.hpp>

#include <cstdint>
#include <cstring>
#include <deque>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail {

/// The size and type of a message; it goes before the message.
struct message_header {
  message_header() noexcept = default;
  message_header(std::uint64_t size, std::uint64_t of_element, std::string_view name) noexcept
      : bytes(size), element(of_element) {
    (void)name.copy(type, sizeof type - 1);
  }
  [[nodiscard]] bool has_type_of(const message_header& other) const noexcept {
    return element == other.element && std::string_view(type) == other.type;
  }
  /// Returns: the count and the type, for messages: "1024 float".
  [[nodiscard]] std::string words() const {
    const std::uint64_t count = element == 0 ? 0 : bytes / element;
    if (*type != '\0') return yoke::detail::text(count, " ", std::string_view(type));
    return yoke::detail::text(count, " elements of ", element, " bytes");
  }

  std::uint64_t bytes = 0;
  std::uint64_t element = 1;  // bytes
  char type[32] = "";         // the element's name in kernels; "" for a type without one
};

/// A list of sends and receives. Each message travels in parts of the communicator's size, of which a few are in flight:
/// while MPI moves one, the device copies the next. Its header goes before it, so that sizes that differ are noticed
/// before MPI writes anything: Open MPI 4.1 writes behind the end of a receive that is too short.
class message_operation final : public operation {
 public:
  explicit message_operation(std::unique_ptr<memory_order> order) : order_(std::move(order)) {}

  /// Adds a message. Requires: the rank exists. Throws: `std::bad_alloc`.
  void add(communicator_state& in, bool sends, int peer, std::unique_ptr<region> memory, const source_location& where,
           std::size_t element = 1, std::string_view type = {}) {
    rests_.reserve(messages_.size() + 1);
    message& made = messages_.emplace_back();
    made.sends = sends;
    made.peer = peer;
    made.header = {memory->bytes, element, type};
    made.memory = std::move(memory);
    made.where = where;
    made.tag = in.next_tag(sends, peer);
  }

  [[nodiscard]] progress advance(communicator_state& in, const source_location& where) override {
    bool moved = false, waits = false;
    for (message& each : messages_) {
      if (!each.has_ended) moved |= advance(each, in, where);
      waits |= !each.has_ended;
    }
    if (!waits) return progress::done;
    return moved ? progress::moved : progress::idle;
  }
  [[nodiscard]] bool has_started() const noexcept override {
    for (const message& each : messages_) {
      if (!each.has_last || each.posted != each.parts.size()) return false;
    }
    return true;
  }
  [[nodiscard]] bool stop(communicator_state& in, bool goes_on) noexcept override {
    if (has_started()) return true;
    if (!goes_on) return false;
    for (const message& each : messages_) {
      if (each.sends ? !each.has_last : !each.has_size) return false;
      for (std::size_t i = each.posted; i < each.parts.size(); ++i) {
        if (each.parts[i].memory == nullptr && each.parts[i].bytes != 0) return false;
      }
    }
    goes_on_ = true;
    for (message& each : messages_) {
      if (each.has_last) continue;
      each.has_last = true;
      if (each.is_equal) {
        take_rest(each, each.memory->bytes - each.next, in);
      } else {
        each.awaits_size = true;
      }
    }
    return true;
  }
  void cancel(communicator_state& in) noexcept override {
    goes_on_ = false;
    for (message& each : messages_) {
      each.awaits_size = false;
      for (part& of : each.parts) {
        if (!each.sends && of.request != MPI_REQUEST_NULL) (void)in.calls.cancel(&of.request);
      }
    }
    for (rest& each : rests_) each.cancel(in);
  }
  [[nodiscard]] bool is_settled(communicator_state& in) noexcept override {
    bool settled = true;
    if (goes_on_) {
      try {
        for (message& each : messages_) {
          if (in.failure.empty()) (void)post_parts(each, in, begun_at);
        }
        goes_on_ = in.failure.empty() && !has_started();
      } catch (...) {
        in.end_by(*this, std::current_exception());
        goes_on_ = false;
      }
      settled = !goes_on_;
    }
    for (message& each : messages_) {
      for (part& of : each.parts) {
        if (of.request == MPI_REQUEST_NULL) continue;
        int is_done = 0;
        MPI_Status status;
        const int code = in.calls.test(&of.request, &is_done, &status);
        if (code != MPI_SUCCESS || is_done != 0) {
          of.request = MPI_REQUEST_NULL;
          if (of.is_size && each.awaits_size && code == MPI_SUCCESS) take_rest(each, header_in(of).bytes, in);
        } else {
          settled = false;
        }
      }
    }
    for (rest& each : rests_) settled &= each.take(in);
    return settled;
  }
  [[nodiscard]] std::string words() const override {
    for (const message& each : messages_) {
      if (!each.has_ended) return words_of(each);
    }
    return messages_.empty() ? "an empty exchange" : words_of(messages_.front());
  }

 private:
  struct part {
    std::size_t first = 0;
    std::size_t bytes = 0;
    bool is_size = false;             // the header
    std::unique_ptr<block> memory{};  // none where MPI reaches the elements themselves
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct message {
    bool sends = false;
    bool has_begun = false;
    bool has_ended = false;
    int peer = 0;
    int tag = 0;
    bool has_size = false;     // its part has begun
    bool is_equal = false;     // the other side's header
    bool awaits_size = false;  // stopped: all parts are still to be taken
    std::size_t next = 0;      // the first byte that no part has
    bool has_last = false;
    message_header header{};
    std::unique_ptr<region> memory{};
    std::deque<part> parts{};  // in flight, in order
    std::size_t posted = 0;    // how many of them MPI has
    source_location where{};
  };
  struct header_block final : block {
    explicit header_block(const message_header& of) noexcept : header(of) {
      data = reinterpret_cast<std::byte*>(&header);
    }
    message_header header;
  };
  /// The parts of a message that this rank does not take: they are received all the same, so that the other rank does not
  /// wait, and no later message meets them.
  struct rest {
    int peer = 0;
    int tag = 0;
    std::uint64_t bytes = 0;
    std::unique_ptr<std::byte[]> memory{};
    MPI_Request request = MPI_REQUEST_NULL;

    void cancel(const communicator_state& in) noexcept {
      if (request == MPI_REQUEST_NULL) return;
      (void)in.calls.cancel(&request);
      bytes = 0;
    }
    /// Returns: whether there are no more.
    [[nodiscard]] bool take(const communicator_state& in) noexcept {
      for (;;) {
        if (request == MPI_REQUEST_NULL) {
          if (bytes == 0 || memory == nullptr) return true;
          const std::uint64_t next = bytes < in.frame ? bytes : in.frame;
          bytes -= next;
          if (in.calls.irecv(memory.get(), static_cast<int>(next), MPI_BYTE, peer, tag, in.comm, &request) !=
              MPI_SUCCESS) {
            request = MPI_REQUEST_NULL;
            return true;
          }
        }
        int is_done = 0;
        MPI_Status status;
        const int code = in.calls.test(&request, &is_done, &status);
        if (code == MPI_SUCCESS && is_done == 0) return false;
        request = MPI_REQUEST_NULL;
        if (code != MPI_SUCCESS) return true;
      }
    }
  };
  static constexpr std::size_t window = 4;

  [[nodiscard]] static std::string words_of(const message& of) {
    return yoke::detail::text(of.sends ? "send of " : "receive of ", of.memory->bytes, " bytes ",
                              of.sends ? "to" : "from", " rank ", of.peer);
  }
  [[nodiscard]] static auto describe(const message& of, const communicator_state& in) {
    return [&] { return words_of(of) + " failed on " + in.me(); };
  }

  /// Returns: whether anything has moved.
  bool advance(message& of, communicator_state& in, const source_location& where) {
    bool moved = false;
    if (!of.has_begun) {
      of.memory->begin(where);
      of.has_begun = moved = true;
    }
    if (of.memory->address != nullptr && !order_->has_passed(where)) return moved;
    while (!of.has_last && of.parts.size() < window && (of.sends || !of.has_size || of.is_equal)) {
      begin_part(of, in, where);
      moved = true;
    }
    moved |= post_parts(of, in, where);
    while (of.posted != 0) {
      part& each = of.parts.front();
      int is_done = 0;
      MPI_Status status;
      const int code = in.calls.test(&each.request, &is_done, &status);
      if (code != MPI_SUCCESS) {
        each.request = MPI_REQUEST_NULL;
        throw_failed(of, in, code, "MPI_Test", where);
      }
      if (is_done == 0) break;
      each.request = MPI_REQUEST_NULL;
      end_part(of, each, status, in, where);
      of.parts.pop_front();
      --of.posted;
      moved = true;
    }
    if (of.has_last && of.parts.empty()) {
      of.memory->end(where);
      of.has_ended = moved = true;
    }
    return moved;
  }

  void begin_part(message& of, communicator_state& in, const source_location& where) {
    const std::size_t left = of.memory->bytes - of.next;
    part& each = of.parts.emplace_back();
    if (!of.has_size) {
      each.is_size = true;
      each.bytes = sizeof(message_header);
      each.memory = std::make_unique<header_block>(of.header);
      of.has_size = true;
      of.has_last = of.sends && left == 0;
      return;
    }
    each.first = of.next;
    each.bytes = left < in.frame ? left : in.frame;
    of.next += each.bytes;
    of.has_last = of.next == of.memory->bytes;
    if (of.memory->address != nullptr || each.bytes == 0) return;
    each.memory = order_->take(each.bytes, where);
    if (!of.sends) return;
    of.memory->fetch(*each.memory, {each.first, each.bytes}, where);
    order_->mark(*each.memory, where);
  }
  /// Effects: gives the parts that are ready to MPI. Returns: whether there are any.
  bool post_parts(message& of, communicator_state& in, const source_location& where) {
    bool moved = false;
    while (of.posted < of.parts.size()) {
      part& each = of.parts[of.posted];
      if (of.sends && each.memory != nullptr && !each.memory->is_ready(where)) break;
      post(of, each, in, where);
      ++of.posted;
      moved = true;
    }
    return moved;
  }
  void post(message& of, part& each, communicator_state& in, const source_location& where) {
    std::byte* const at = each.memory != nullptr ? each.memory->data : of.memory->address + each.first;
    const int count = static_cast<int>(each.bytes);  // at most 1 GiB
    if (of.sends) {
      const int code = in.calls.isend(at, count, MPI_BYTE, of.peer, of.tag, in.comm, &each.request);
      if (code != MPI_SUCCESS) {
        each.request = MPI_REQUEST_NULL;
        throw_failed(of, in, code, "MPI_Isend", where);
      }
    } else {
      const int code = in.calls.irecv(at, count, MPI_BYTE, of.peer, of.tag, in.comm, &each.request);
      if (code != MPI_SUCCESS) {
        each.request = MPI_REQUEST_NULL;
        throw_failed(of, in, code, "MPI_Irecv", where);
      }
    }
  }
  void end_part(message& of, part& each, MPI_Status& status, communicator_state& in, const source_location& where) {
    if (!of.sends) {
      int got = 0;
      check_mpi(in.calls, in.calls.get_count(&status, MPI_BYTE, &got), "MPI_Get_count", describe(of, in), where);
      if (got == MPI_UNDEFINED || static_cast<std::size_t>(got) != each.bytes) {
        yoke::detail::throw_error(errc::mismatched_ranks, where, words_of(of), " got ",
                                  each.first + static_cast<std::size_t>(got < 0 ? 0 : got), " bytes on ", in.me(),
                                  ": the other rank sent fewer elements");
      }
      if (each.is_size) return compare_headers(of, each, in, where);
      if (each.memory != nullptr) of.memory->store(*each.memory, {each.first, each.bytes}, where);
    }
    if (each.is_size) return;
    if (each.memory != nullptr) {
      if (!of.sends) order_->mark(*each.memory, where);
      order_->give_back(std::move(each.memory));
    }
  }
  [[nodiscard]] static message_header header_in(const part& of) noexcept {
    message_header read;
    std::memcpy(&read, of.memory->data, sizeof read);
    return read;
  }
  void compare_headers(message& of, const part& each, communicator_state& in, const source_location& where) {
    const message_header theirs = header_in(each);
    const bool has_its_type = theirs.has_type_of(of.header);
    if (theirs.bytes == of.header.bytes && (has_its_type || !in.options.check)) {
      of.is_equal = true;
      of.has_last = theirs.bytes == 0;
      return;
    }
    of.has_last = true;  // of this rank
    take_rest(of, theirs.bytes, in);
    if (!has_its_type) {
      yoke::detail::throw_error(errc::mismatched_ranks, where, words_of(of), " got ", theirs.bytes, " bytes on ",
                                in.me(), ": the other rank sent ", theirs.words(), ", and this one takes ",
                                of.header.words());
    }
    if (theirs.bytes < of.header.bytes) {
      yoke::detail::throw_error(errc::mismatched_ranks, where, words_of(of), " got ", theirs.bytes, " bytes on ",
                                in.me(), ": the other rank sent fewer elements");
    }
    yoke::detail::throw_error(errc::mismatched_ranks, where, words_of(of), " failed on ", in.me(),
                              ": the other rank sent more elements, ", theirs.bytes, " bytes");
  }
  void take_rest(const message& of, std::uint64_t bytes, const communicator_state& in) noexcept {
    const std::size_t room = bytes < in.frame ? static_cast<std::size_t>(bytes) : in.frame;
    // There is room since `add`.
    rests_.push_back({of.peer, of.tag, bytes, std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[room])});
  }
  [[noreturn, gnu::cold]] static void throw_failed(const message& of, const communicator_state& in, int code,
                                                   const char* call, const source_location& where) {
    int kind = MPI_ERR_OTHER;
    (void)in.calls.error_class(code, &kind);
    if (kind == MPI_ERR_TRUNCATE && !of.sends) {
      throw communication_error(
          make_error_code(errc::mismatched_ranks), call,
          yoke::detail::text(words_of(of), " failed on ", in.me(), ": the other rank sent more elements"), where);
    }
    throw_mpi(in.calls, code, call, words_of(of) + " failed on " + in.me(), where);
  }

  std::unique_ptr<memory_order> order_;
  std::deque<message> messages_;
  std::vector<rest> rests_;
  bool goes_on_ = false;  // stopped, but `is_settled` gives MPI the blocks that wait
};

}  // namespace yoke::inline v0_1::mpi::inline YOKE_MPI_FLAVOUR::detail

#endif

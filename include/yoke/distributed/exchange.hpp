// SPDX-License-Identifier: MIT
// Lists of sends and receives that progress together.
#ifndef YOKE_DISTRIBUTED_EXCHANGE_HPP
#define YOKE_DISTRIBUTED_EXCHANGE_HPP

#include <yoke/distributed/message_range.hpp>

#include <cstddef>
#include <vector>

namespace yoke::inline v0_1 {

namespace detail {
/// A send or a receive of a list.
template <class Port>
struct listed_message {
  bool sends = false;
  int peer = 0;
  message_range<Port> range{};
  source_location where{};  // of the call that added it
};
/// Throws: `logic_error` for a peer below 0.
[[noreturn, gnu::cold]] YOKE_API void throw_peer(const char* verb, int peer, const source_location& where);

/// Does not compile for memory that no message takes.
template <class Range, class Port>
consteval bool check_message_range() {
  if constexpr (!accessible_memory<Range>) {
    static_assert(accessible_memory<Range>, "pass device memory: an allocation, a span, an array or a view");
    return false;
  } else {
    constexpr bool is_pageable = pageable_range<Range>;
    static_assert(!is_pageable, "ranks exchange device memory and page-locked memory, no other memory of the host");
    constexpr bool is_of_port = is_pageable || message_memory<Range, Port>;
    static_assert(is_of_port, "the memory is of another backend than the communicator or the list");
    return !is_pageable && is_of_port;
  }
}
/// The same for memory that is written.
template <class Range, class Port>
consteval bool check_written_range() {
  if constexpr (check_message_range<Range, Port>()) {
    constexpr bool is_written = !is_const_message<Range>;
    static_assert(is_written, "the destination is const");
    return is_written;
  } else {
    return false;
  }
}
}  // namespace detail

/// Sends and receives that a communicator runs together, so that they cannot wait for each other:
/// `comm.run(list, stream)`. Messages between two ranks meet in the order in which they were added. A list can be run
/// many times. It keeps arrays and page-locked memory alive, but no other memory.
/// Thread safety: add messages from one thread at a time; running it is safe from several.
/// Example: `yoke::exchange list; list.send(right, next); list.receive(halo, previous); comm.run(list, stream);`
template <class Port = any_port>
class exchange {
 public:
  using port_type = Port;

  /// An empty list. Throws: nothing.
  exchange() noexcept = default;
  /// An empty list for messages of the communicator's backend. Throws: nothing.
  template <class Communicator>
    requires std::same_as<typename Communicator::port_type, Port>
  explicit exchange(const Communicator&) noexcept {}

  /// Adds a message to the rank `to`. Views with gaps are packed. Ignores no empty message: the other side receives it.
  /// Requires: the memory lives until the stream has passed the exchange; it is not written before.
  /// Throws: `logic_error` for a rank below 0 and for an empty array; `std::bad_alloc`.
  template <class Range>
  void send(const Range& from, int to, const source_location& where = source_location::current()) {
    if constexpr (detail::check_message_range<const Range, Port>()) {
      if (to < 0) detail::throw_peer("send", to, where);
      messages_.push_back({true, to, detail::message_of<Port>(from, where), where});
    }
  }
  /// Adds a message from the rank `from`, with as many elements as it sends.
  /// Requires: as `send`; no other message of the list uses this memory. Throws: as `send`.
  template <class Range>
  void receive(Range&& into, int from, const source_location& where = source_location::current()) {
    if constexpr (detail::check_written_range<std::remove_reference_t<Range>, Port>()) {
      if (from < 0) detail::throw_peer("receive", from, where);
      messages_.push_back({false, from, detail::message_of<Port>(into, where), where});
    }
  }
  [[nodiscard]] std::size_t size() const noexcept { return messages_.size(); }
  [[nodiscard]] bool empty() const noexcept { return messages_.empty(); }
  void clear() noexcept { messages_.clear(); }

  // For communicators.
  [[nodiscard]] const std::vector<detail::listed_message<Port>>& messages() const noexcept { return messages_; }

 private:
  std::vector<detail::listed_message<Port>> messages_;
};
exchange() -> exchange<any_port>;
template <class Communicator>
exchange(const Communicator&) -> exchange<typename Communicator::port_type>;

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/distributed/exchange.ipp>
#endif

#endif

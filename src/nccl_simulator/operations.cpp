// SPDX-License-Identifier: MIT
// Runs the operations of simulated communicators: collectives chunk by chunk in the order of ranks, messages in turns.
#include <yoke/core/half.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

#include <unistd.h>

#include "communicator.hpp"

namespace yoke::nccl_simulator {

namespace {

std::size_t bytes_of(int type) noexcept {
  constexpr std::size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return bytes[type];
}

/// 8-bit floating-point numbers, by their exponents and digits.
template <int Digits, int Bias, bool HasInfinity>
struct float8 {
  std::uint8_t bits;
  explicit operator float() const noexcept {
    const int exponent = bits >> Digits & ((1 << (7 - Digits)) - 1);
    const int digits = bits & ((1 << Digits) - 1);
    const float sign = (bits & 0x80) != 0 ? -1.0F : 1.0F;
    const bool all = exponent == (1 << (7 - Digits)) - 1;
    if (HasInfinity && all) return digits == 0 ? sign * INFINITY : NAN;
    if (!HasInfinity && all && digits == (1 << Digits) - 1) return NAN;
    const float one = static_cast<float>(1 << Digits);
    return sign * (exponent == 0 ? std::ldexp(static_cast<float>(digits) / one, 1 - Bias)
                                 : std::ldexp(1 + static_cast<float>(digits) / one, exponent - Bias));
  }
  static float8 of(float value) noexcept {
    // The nearest of all 256 values; of two equally near ones the even one.
    std::uint8_t best = 0;
    float distance = INFINITY;
    for (int each = 0; each < 256; ++each) {
      const float8 candidate{static_cast<std::uint8_t>(each)};
      const auto number = static_cast<float>(candidate);
      if (std::isnan(number)) {
        if (std::isnan(value)) return candidate;
        continue;
      }
      if (std::signbit(number) != std::signbit(value)) continue;
      const float off = number == value ? 0 : std::fabs(number - value);
      if (off < distance || (off == distance && each % 2 == 0)) {
        distance = off;
        best = candidate.bits;
      }
    }
    return {best};
  }
};

/// A type of elements, and the one in which it is added.
template <class Stored, class Calculated>
struct element {
  using stored = Stored;
  using calculated = Calculated;
  static Calculated load(const std::byte* at) noexcept {
    Stored value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<Calculated>(value);
  }
  static void store(std::byte* at, Calculated value) noexcept {
    Stored result{};
    if constexpr (requires { Stored::of(value); }) {
      result = Stored::of(value);
    } else {
      result = static_cast<Stored>(value);
    }
    std::memcpy(at, &result, sizeof result);
  }
};

/// Effects: calls `act` with the type of elements.
template <class Act>
void with_type(int type, const Act& act) {
  switch (static_cast<abi::data_type>(type)) {
    case abi::data_type::int8: return act(element<std::int8_t, std::int8_t>());
    case abi::data_type::uint8: return act(element<std::uint8_t, std::uint8_t>());
    case abi::data_type::int32: return act(element<std::int32_t, std::uint32_t>());
    case abi::data_type::uint32: return act(element<std::uint32_t, std::uint32_t>());
    case abi::data_type::int64: return act(element<std::int64_t, std::uint64_t>());
    case abi::data_type::uint64: return act(element<std::uint64_t, std::uint64_t>());
    case abi::data_type::float16: return act(element<half, float>());
    case abi::data_type::float32: return act(element<float, float>());
    case abi::data_type::float64: return act(element<double, double>());
    case abi::data_type::bfloat16: return act(element<bfloat16, float>());
    case abi::data_type::float8_e4m3: return act(element<float8<3, 7, false>, float>());
    case abi::data_type::float8_e5m2: return act(element<float8<2, 15, true>, float>());
  }
}

/// Returns: the result of two numbers; integers wrap around, and are compared in their own type.
template <class Type, class Number>
Number combined(int operation, Number left, Number right) noexcept {
  using stored = typename Type::stored;
  const auto less = [](Number a, Number b) {
    if constexpr (std::is_integral_v<stored>) return static_cast<stored>(a) < static_cast<stored>(b);
    return a < b;
  };
  switch (static_cast<abi::operation>(operation)) {
    case abi::operation::product: return static_cast<Number>(left * right);
    case abi::operation::max: return less(left, right) ? right : left;
    case abi::operation::min: return less(right, left) ? right : left;
    default: return static_cast<Number>(left + right);
  }
}

/// Effects: reduces a chunk of all ranks to one, in the order of ranks.
void reduce_chunk(communicator& of, const operation& what, std::byte* to, std::size_t count) {
  const std::size_t bytes = bytes_of(what.facts.type);
  const int ranks = of.size;
  const int first =
      the_settings().shuffled ? static_cast<int>((of.chunk * 2654435761U >> 8U) % static_cast<unsigned>(ranks)) : 0;
  with_type(what.facts.type, [&](auto type) {
    using kind = decltype(type);
    using number = typename kind::calculated;
    using stored = typename kind::stored;
    for (std::size_t i = 0; i < count; ++i) {
      number sum{};
      for (int turn = 0; turn < ranks; ++turn) {
        const number value = kind::load(of.shared->slot((first + turn) % ranks).data + i * bytes);
        sum = turn == 0 ? value : combined<kind>(what.facts.operation, sum, value);
      }
      if (static_cast<abi::operation>(what.facts.operation) == abi::operation::average) {
        if constexpr (std::is_integral_v<stored>) {
          sum = static_cast<number>(static_cast<stored>(sum) / static_cast<stored>(ranks));
        } else {
          sum = sum / static_cast<number>(ranks);
        }
      }
      kind::store(to + i * bytes, sum);
    }
  });
}

/// Effects: multiplies a rank's own elements by its factor.
void scale_chunk(const operation& what, std::byte* data, std::size_t count) {
  const std::size_t bytes = bytes_of(what.facts.type);
  with_type(what.facts.type, [&](auto type) {
    using kind = decltype(type);
    using number = typename kind::calculated;
    const auto* const at = what.scale_at != nullptr ? static_cast<const std::byte*>(what.scale_at) : what.scale;
    const number factor = kind::load(at);
    for (std::size_t i = 0; i < count; ++i) {
      kind::store(data + i * bytes, static_cast<number>(kind::load(data + i * bytes) * factor));
    }
  });
}

/// Effects: waits until all ranks have written the present chunk; stands still for ever if they call something else, as
/// ranks of NCCL do.
void meet(communicator& of, const operation& what) {
  rank_slot& own = of.shared->slot(of.rank);
  own.written = of.chunk;
  bool reported = false;
  wait_until(of, what.facts, [&] {
    for (int rank = 0; rank < of.size; ++rank) {
      if (rank == of.rank) continue;
      const rank_slot& other = of.shared->slot(rank);
      if (other.written < of.chunk) return false;
      if (other.read >= of.chunk) continue;  // it has begun something else
      const call_facts theirs = other.posted();
      const bool same = theirs.which == what.facts.which && theirs.type == what.facts.type &&
                        theirs.count == what.facts.count && theirs.root == what.facts.root &&
                        (theirs.operation < 5 ? theirs.operation == what.facts.operation : what.facts.operation >= 5);
      if (same) continue;
      if (!reported) {
        say("ranks do not match: rank " + std::to_string(of.rank) + " calls " + text_of(what.facts) + ", rank " +
            std::to_string(rank) + " " + text_of(theirs));
      }
      reported = true;
      return false;
    }
    return true;
  });
}
/// Effects: waits until all ranks have read the present chunk.
void part(communicator& of, const operation& what) {
  of.shared->slot(of.rank).read = of.chunk;
  wait_until(of, what.facts, [&] {
    for (int rank = 0; rank < of.size; ++rank) {
      if (of.shared->slot(rank).read < of.chunk) return false;
    }
    return true;
  });
}

void run_collective(communicator& of, const operation& what) {
  const std::size_t bytes = bytes_of(what.facts.type);
  const auto ranks = static_cast<std::size_t>(of.size);
  const auto mine = static_cast<std::size_t>(of.rank);
  const std::size_t whole = what.facts.count * bytes;
  const auto* const from = static_cast<const std::byte*>(what.from);
  auto* const to = static_cast<std::byte*>(what.to);
  rank_slot& own = of.shared->slot(of.rank);
  own.post(what.facts);
  const bool is_root = what.facts.root == of.rank;
  const std::size_t blocks = what.facts.which == verb::reduce_scatter ? ranks : 1;
  // An empty operation makes the ranks meet, too.
  std::size_t at = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    at = 0;
    do {
      const std::size_t some = std::min(chunk_bytes, whole - at);
      const bool gives = what.facts.which != verb::broadcast || is_root;
      if (gives && some != 0) {
        std::memcpy(own.data, from + block * whole + at, some);
        if (what.scales) scale_chunk(what, own.data, some / bytes);
      }
      ++of.chunk;
      meet(of, what);
      if (some != 0) {
        switch (what.facts.which) {
          case verb::all_reduce: reduce_chunk(of, what, to + at, some / bytes); break;
          case verb::reduce:
            if (is_root) reduce_chunk(of, what, to + at, some / bytes);
            break;
          case verb::broadcast: {
            const std::byte* const data = of.shared->slot(what.facts.root).data;
            if (to != nullptr) std::memcpy(to + at, data, some);
            break;
          }
          case verb::all_gather:
            for (std::size_t rank = 0; rank < ranks; ++rank) {
              std::memcpy(to + rank * whole + at, of.shared->slot(static_cast<int>(rank)).data, some);
            }
            break;
          default:
            if (block == mine) reduce_chunk(of, what, to + at, some / bytes);
        }
      }
      part(of, what);
      at += some;
    } while (at < whole);
  }
}

/// A message of a group, on its way.
struct message {
  const operation* what;
  std::size_t at = 0;
  bool begun = false;
  bool done = false;
};

/// Effects: moves a message on. Returns: whether something happened.
bool move(communicator& of, message& each) {
  const operation& what = *each.what;
  const std::size_t bytes = what.facts.count * bytes_of(what.facts.type);
  if (what.facts.which == verb::send) {
    channel& way = of.shared->from_to(of.rank, what.facts.root);
    if (way.read != way.written) return false;
    if (each.begun && each.at == bytes) {  // the other side has taken the last chunk
      each.done = true;
      return true;
    }
    const std::size_t some = std::min(chunk_bytes, bytes - each.at);
    if (some != 0) std::memcpy(way.data, static_cast<const std::byte*>(what.from) + each.at, some);
    way.message_bytes = bytes;
    way.bytes = some;
    each.at += some;
    each.begun = true;
    way.written.fetch_add(1);
    return true;
  }
  channel& way = of.shared->from_to(what.facts.root, of.rank);
  if (way.read == way.written) return false;
  if (way.message_bytes != bytes) {
    say("ranks do not match: rank " + std::to_string(of.rank) + " calls " + text_of(what.facts) + ", but rank " +
        std::to_string(what.facts.root) + " sends " + std::to_string(way.message_bytes.load()) + " bytes");
    wait_until(of, what.facts, [] { return false; });
  }
  const std::size_t some = way.bytes;
  if (some != 0) std::memcpy(static_cast<std::byte*>(what.to) + each.at, way.data, some);
  each.at += some;
  each.done = each.at == bytes;
  way.read.fetch_add(1);
  return true;
}

void run_messages(communicator& of, const std::vector<const operation*>& all) {
  std::vector<message> messages;
  for (const operation* each : all) messages.push_back({each});
  std::optional<patience> more;
  for (;;) {
    bool moved = false;
    const message* waits = nullptr;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      message& each = messages[i];
      if (each.done) continue;
      // Messages of one way go one after the other.
      const bool first = std::none_of(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(i),
                                      [&](const message& earlier) {
                                        return !earlier.done && earlier.what->facts.which == each.what->facts.which &&
                                               earlier.what->facts.root == each.what->facts.root;
                                      });
      if (first && move(of, each)) moved = true;
      if (!each.done && waits == nullptr) waits = &each;
    }
    if (waits == nullptr) return;
    if (moved) {
      more.reset();
      continue;
    }
    if (!more) {
      of.shared->slot(of.rank).post(waits->what->facts);
      more.emplace(of, waits->what->facts);
    }
    more->pause();
  }
}

/// Effects: what the settings do to a rank's operation.
void suffer(communicator& of, const operation& what) {
  const settings& set = the_settings();
  if (set.delay.count() != 0) std::this_thread::sleep_for(set.delay);
  const unsigned long number = ++of.operations_run;
  if (set.lost_rank != of.rank || number < set.lost_at) return;
  say("rank " + std::to_string(of.rank) + " is lost at its operation " + std::to_string(number));
  for (int rank = 0; rank < of.size; ++rank) {
    // In a process of several ranks only this one stops.
    if (rank != of.rank && of.shared->slot(rank).process == ::getpid())
      wait_until(of, what.facts, [] { return false; });
  }
  ::kill(::getpid(), SIGKILL);
}

}  // namespace

void run(plan& what) noexcept {
  communicator& of = *what.of;
  try {
    if (what.number != 0) {
      const call_facts none;
      wait_until(of, what.operations.empty() ? none : what.operations.front().facts,
                 [&] { return of.done + 1 >= what.number; });
    }
    const std::lock_guard one(of.running);
    if (of.now != stage::alive || of.async_error != abi::success) throw wait_ended();
    std::vector<const operation*> messages;
    for (const operation& each : what.operations) {
      suffer(of, each);
      if (each.facts.which == verb::send || each.facts.which == verb::receive) {
        messages.push_back(&each);
      } else {
        run_collective(of, each);
      }
    }
    if (!messages.empty()) run_messages(of, messages);
    of.shared->slot(of.rank).post({});
  } catch (const wait_ended&) {
  } catch (...) {  // memory ran out
    of.async_error = abi::system_error;
  }
  if (what.number != 0) {
    std::uint64_t before = of.done;
    while (before < what.number && !of.done.compare_exchange_weak(before, what.number)) {
    }
  }
}

}  // namespace yoke::nccl_simulator

// SPDX-License-Identifier: MIT
// Bodies of nccl/rank_call.hpp.
#ifndef YOKE_NCCL_RANK_CALL_IPP
#define YOKE_NCCL_RANK_CALL_IPP

#include <yoke/nccl/rank_call.hpp>

#include <yoke/core/text.hpp>

#include <algorithm>
#include <string_view>

namespace yoke::inline v0_1::nccl::detail {

const char* name_of(verb which) noexcept {
  constexpr const char* names[] = {"all_reduce", "reduce",  "broadcast",  "all_gather", "reduce_scatter",
                                   "gather",     "scatter", "all_to_all", "send",       "receive"};
  return names[static_cast<std::size_t>(which)];
}

std::size_t bytes_of(abi::data_type type) noexcept {
  constexpr std::size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
  return bytes[static_cast<std::size_t>(type)];
}

abi::status make_call(const abi::functions& table, abi::communicator of, const rank_call& call, int rank, int size,
                      const char*& name) {
  const auto part = [&](int peer) { return static_cast<std::size_t>(peer) * call.count * bytes_of(call.type); };
  const auto from_at = [&](int peer) -> const void* { return static_cast<const std::byte*>(call.from) + part(peer); };
  const auto to_at = [&](int peer) -> void* { return static_cast<std::byte*>(call.to) + part(peer); };
  const auto send = [&](const void* from, int peer) {
    name = "ncclSend";
    return table.send(from, call.count, call.type, peer, of, call.in);
  };
  const auto receive = [&](void* to, int peer) {
    name = "ncclRecv";
    return table.receive(to, call.count, call.type, peer, of, call.in);
  };
  const auto goes_on = [](abi::status code) { return code == abi::success || code == abi::in_progress; };
  const bool is_root = call.root == rank;
  abi::status code = abi::success;
  switch (call.which) {
    case verb::all_reduce:
      name = "ncclAllReduce";
      return table.all_reduce(call.from, call.to, call.count, call.type, call.by, of, call.in);
    case verb::reduce:
      name = "ncclReduce";
      return table.reduce(call.from, call.to, call.count, call.type, call.by, call.root, of, call.in);
    case verb::broadcast:
      name = "ncclBroadcast";
      return table.broadcast(call.from, call.to, call.count, call.type, call.root, of, call.in);
    case verb::all_gather:
      name = "ncclAllGather";
      return table.all_gather(call.from, call.to, call.count, call.type, of, call.in);
    case verb::reduce_scatter:
      name = "ncclReduceScatter";
      return table.reduce_scatter(call.from, call.to, call.count, call.type, call.by, of, call.in);
    case verb::gather:
      if (table.gather != nullptr) {
        name = "ncclGather";
        return table.gather(call.from, call.to, call.count, call.type, call.root, of, call.in);
      }
      code = send(call.from, call.root);
      for (int peer = 0; is_root && peer < size && goes_on(code); ++peer) code = receive(to_at(peer), peer);
      return code;
    case verb::scatter:
      if (table.scatter != nullptr) {
        name = "ncclScatter";
        return table.scatter(call.from, call.to, call.count, call.type, call.root, of, call.in);
      }
      for (int peer = 0; is_root && peer < size && goes_on(code); ++peer) code = send(from_at(peer), peer);
      return goes_on(code) ? receive(call.to, call.root) : code;
    case verb::all_to_all:
      if (table.all_to_all != nullptr) {
        name = "ncclAlltoAll";
        return table.all_to_all(call.from, call.to, call.count, call.type, of, call.in);
      }
      for (int peer = 0; peer < size && goes_on(code); ++peer) {
        code = send(from_at(peer), peer);
        if (goes_on(code)) code = receive(to_at(peer), peer);
      }
      return code;
    case verb::send: return send(call.from, call.root);
    case verb::receive: return receive(call.to, call.root);
  }
  return abi::invalid_argument;
}

call_record::call_record(const rank_call& call, std::uint64_t counted, const source_location& where) noexcept
    : number(counted),
      count(call.count),
      which(static_cast<std::int32_t>(call.which)),
      type(static_cast<std::int32_t>(call.type)),
      by((std::min)(static_cast<std::int32_t>(call.by), std::int32_t{abi::first_made_operation})),
      root(call.root),
      line(where.line()) {
  const std::string_view path = where.file_name();
  const std::string_view name = path.substr(path.find_last_of('/') + 1).substr(0, sizeof file - 1);
  std::copy(name.begin(), name.end(), file);
}
std::string call_record::words() const {
  constexpr const char* types[] = {"char", "uchar", "int",    "uint",     "long",        "ulong",
                                   "half", "float", "double", "bfloat16", "float8 e4m3", "float8 e5m2"};
  constexpr const char* operators[] = {"summed", "multiplied", "largest", "smallest", "averaged"};
  const auto of = static_cast<verb>(which);
  std::string made = yoke::detail::text(name_of(of), " of ", count, " ", types[type]);
  if (of <= verb::reduce || of == verb::reduce_scatter) {
    made += yoke::detail::text(", ", by < abi::first_made_operation ? operators[by] : "a scaled sum");
  }
  if (of == verb::reduce || of == verb::broadcast || of == verb::gather || of == verb::scatter) {
    made += yoke::detail::text(", root ", root);
  }
  return made;
}

}  // namespace yoke::inline v0_1::nccl::detail

#endif

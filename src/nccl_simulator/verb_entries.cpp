// SPDX-License-Identifier: MIT
// Entries about groups and operations: they check what is asked, and add it to the thread's group.
#include <cstddef>
#include <cstring>
#include <string>

#include "entries.hpp"
#include "group.hpp"
#include "known.hpp"

namespace yoke::nccl_simulator {

namespace {

/// Effects: adds an operation to this thread's group, or enqueues it.
abi::status add(abi::communicator handle, const call_facts& facts, const void* from, void* to, cuda_abi::stream in) {
  communicator* const of = living(handle);
  const char* const call = name_of(facts.which);
  if (of == nullptr) return refuse(abi::invalid_argument, std::string(call) + ": the communicator is not valid");
  if (const abi::status code = injected(of, 0, call)) return code;
  if (const abi::status code = ready(*of)) return code;
  const auto least_types = the_settings().version >= 22400 ? 12 : 10;
  if (facts.type < 0 || facts.type >= least_types) {
    return refuse(abi::invalid_argument,
                  std::string(call) + ": the data type " + std::to_string(facts.type) + " is not valid");
  }
  if (facts.root < 0 || facts.root >= of->size) {
    return refuse(abi::invalid_argument, std::string(call) + ": rank " + std::to_string(facts.root) + " of " +
                                             std::to_string(of->size) + " is not valid");
  }
  const bool needs_from = facts.which != verb::receive && (facts.which != verb::broadcast || facts.root == of->rank);
  const bool needs_to = facts.which != verb::send && (facts.which != verb::reduce || facts.root == of->rank);
  if (facts.count != 0 && ((needs_from && from == nullptr) || (needs_to && to == nullptr))) {
    return refuse(abi::invalid_argument, std::string(call) + ": a buffer is null");
  }
  operation what;
  what.facts = facts;
  what.from = from;
  what.to = to;
  if (facts.operation >= abi::first_made_operation) {
    const auto found = of->operators.find(facts.operation);
    if (found == of->operators.end() || static_cast<int>(found->second.type) != facts.type) {
      return refuse(abi::invalid_argument, std::string(call) + ": the operator is not valid");
    }
    what.scales = true;
    what.scale_at = found->second.at;
    std::memcpy(what.scale, found->second.value, sizeof what.scale);
    what.facts.operation = abi::first_made_operation;
  } else if (facts.operation < 0 || facts.operation > 4) {
    return refuse(abi::invalid_argument, std::string(call) + ": the operator is not valid");
  }
  const bool is_message = facts.which == verb::send || facts.which == verb::receive;
  if (facts.count == 0 && !is_message) return abi::success;  // NCCL's ranks do not meet for nothing
  return add_to_group({of, what, in});
}
/// Effects: the same, in a group of its own.
abi::status add_alone(abi::communicator handle, const call_facts& facts, const void* from, void* to,
                      cuda_abi::stream in) {
  return entry_in_group([&] { return add(handle, facts, from, to, in); });
}

call_facts facts(verb which, std::size_t count, abi::data_type type, abi::operation operation = abi::operation::sum,
                 int root = 0) {
  return {which, static_cast<int>(type), static_cast<int>(operation), root, count};
}

}  // namespace

abi::status entries::group_start() {
  if (const abi::status code = injected(nullptr, -1, "ncclGroupStart")) return code;
  begin_group();
  return abi::success;
}
abi::status entries::group_end() {
  try {
    if (const abi::status code = injected(nullptr, -1, "ncclGroupEnd")) {
      (void)noted(code);
      (void)end_group();
      return code;
    }
    return end_group();
  } catch (...) {
    return abi::system_error;
  }
}

abi::status entries::all_reduce(const void* from, void* to, std::size_t count, abi::data_type type, abi::operation by,
                                abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::all_reduce, count, type, by), from, to, in);
}
abi::status entries::reduce(const void* from, void* to, std::size_t count, abi::data_type type, abi::operation by,
                            int root, abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::reduce, count, type, by, root), from, to, in);
}
abi::status entries::broadcast(const void* from, void* to, std::size_t count, abi::data_type type, int root,
                               abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::broadcast, count, type, {}, root), from, to, in);
}
abi::status entries::all_gather(const void* from, void* to, std::size_t count, abi::data_type type,
                                abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::all_gather, count, type), from, to, in);
}
abi::status entries::reduce_scatter(const void* from, void* to, std::size_t count, abi::data_type type,
                                    abi::operation by, abi::communicator of, abi::stream in) {
  return add_alone(of, facts(verb::reduce_scatter, count, type, by), from, to, in);
}
abi::status entries::send(const void* from, std::size_t count, abi::data_type type, int peer, abi::communicator of,
                          abi::stream in) {
  return add_alone(of, facts(verb::send, count, type, {}, peer), from, nullptr, in);
}
abi::status entries::receive(void* to, std::size_t count, abi::data_type type, int peer, abi::communicator of,
                             abi::stream in) {
  return add_alone(of, facts(verb::receive, count, type, {}, peer), nullptr, to, in);
}
abi::status entries::all_to_all(const void* from, void* to, std::size_t count, abi::data_type type,
                                abi::communicator handle, abi::stream in) {
  return entry_in_group([&]() -> abi::status {
    const communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclAlltoAll: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclAlltoAll")) return code;
    const std::size_t bytes = count * type_bytes(type);
    for (int peer = 0; peer < of->size; ++peer) {
      const std::size_t at = static_cast<std::size_t>(peer) * bytes;
      const auto* const out = static_cast<const std::byte*>(from) + at;
      auto* const back = static_cast<std::byte*>(to) + at;
      if (const auto code = add(handle, facts(verb::send, count, type, {}, peer), out, nullptr, in)) return code;
      if (const auto code = add(handle, facts(verb::receive, count, type, {}, peer), nullptr, back, in)) return code;
    }
    return abi::success;
  });
}
abi::status entries::gather(const void* from, void* to, std::size_t count, abi::data_type type, int root,
                            abi::communicator handle, abi::stream in) {
  return entry_in_group([&]() -> abi::status {
    const communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclGather: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclGather")) return code;
    if (const auto code = add(handle, facts(verb::send, count, type, {}, root), from, nullptr, in)) return code;
    for (int peer = 0; root == of->rank && peer < of->size; ++peer) {
      auto* const at = static_cast<std::byte*>(to) + static_cast<std::size_t>(peer) * count * type_bytes(type);
      if (const auto code = add(handle, facts(verb::receive, count, type, {}, peer), nullptr, at, in)) return code;
    }
    return abi::success;
  });
}
abi::status entries::scatter(const void* from, void* to, std::size_t count, abi::data_type type, int root,
                             abi::communicator handle, abi::stream in) {
  return entry_in_group([&]() -> abi::status {
    const communicator* const of = living(handle);
    if (of == nullptr) return refuse(abi::invalid_argument, "ncclScatter: the communicator is not valid");
    if (const abi::status code = injected(of, 0, "ncclScatter")) return code;
    for (int peer = 0; root == of->rank && peer < of->size; ++peer) {
      const auto* const at =
          static_cast<const std::byte*>(from) + static_cast<std::size_t>(peer) * count * type_bytes(type);
      if (const auto code = add(handle, facts(verb::send, count, type, {}, peer), at, nullptr, in)) return code;
    }
    return add(handle, facts(verb::receive, count, type, {}, root), nullptr, to, in);
  });
}

}  // namespace yoke::nccl_simulator

// SPDX-License-Identifier: MIT
// A call of one of NCCL's communicators as plain numbers, and where its rank works.
#ifndef YOKE_NCCL_RANK_CALL_HPP
#define YOKE_NCCL_RANK_CALL_HPP

#include <yoke/driver/cuda/abi/functions.hpp>
#include <yoke/driver/nccl/functions.hpp>
#include <yoke/memory/memory_access.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace yoke::inline v0_1::nccl::detail {

enum class verb : unsigned char {
  all_reduce,
  reduce,
  broadcast,
  all_gather,
  reduce_scatter,
  gather,
  scatter,
  all_to_all,
  send,
  receive
};
/// Returns: the verb's name, for messages.
[[nodiscard]] YOKE_API const char* name_of(verb which) noexcept;

/// A call of one of the process's communicators.
struct rank_call {
  verb which{};
  std::size_t member = 0;  ///< of the engine's communicators
  const void* from = nullptr;
  void* to = nullptr;
  std::size_t count = 0;
  abi::data_type type{};
  abi::operation by{};
  int root = 0;  ///< or the other rank
  abi::stream in = nullptr;
};

/// Whether a library makes the call by several of its own, sends and receives. NCCL has had the verb since 2.28.3.
[[nodiscard]] inline bool has_parts(const rank_call& call, const abi::functions& table) noexcept {
  return (call.which == verb::gather && table.gather == nullptr) ||
         (call.which == verb::scatter && table.scatter == nullptr) ||
         (call.which == verb::all_to_all && table.all_to_all == nullptr);
}
/// Effects: makes the call of the rank `rank` of `size`. Returns: NCCL's code, and the name of its function in `name`.
[[nodiscard]] abi::status make_call(const abi::functions& table, abi::communicator of, const rank_call& call, int rank,
                                    int size, const char*& name);

/// What a rank calls, for the other ranks. All bytes are set.
struct call_record {
  std::uint64_t number = 0;
  std::uint64_t count = 0;
  std::int32_t which = 0;
  std::int32_t type = 0;
  std::int32_t by = 0;
  std::int32_t root = 0;
  std::uint32_t line = 0;
  char file[92] = {};

  call_record() noexcept = default;
  call_record(const rank_call& call, std::uint64_t counted, const source_location& where) noexcept;
  [[nodiscard]] std::string words() const;
  [[nodiscard]] bool matches(const call_record& other) const noexcept {
    return number == other.number && count == other.count && which == other.which && type == other.type &&
           by == other.by && root == other.root;
  }
};
static_assert(sizeof(call_record) == 128);

/// Where a rank works.
struct rank_place {
  const cuda::abi::functions* driver = nullptr;
  cuda::abi::context context = nullptr;
  int rank = 0;
  kept_alive keeper{};  ///< keeps the context
};

}  // namespace yoke::inline v0_1::nccl::detail

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/nccl/rank_call.ipp>
#endif

#endif

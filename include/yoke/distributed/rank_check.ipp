// SPDX-License-Identifier: MIT
// Bodies of distributed/rank_check.hpp.
#ifndef YOKE_DISTRIBUTED_RANK_CHECK_IPP
#define YOKE_DISTRIBUTED_RANK_CHECK_IPP

#include <yoke/distributed/rank_check.hpp>

#include <cstring>

namespace yoke::inline v0_1::detail {

std::string words_of(const rank_call& of) {
  std::string made = of.verb;
  if (of.has_range()) {
    made += *of.type != '\0' ? text(" of ", of.count, " ", of.type)
                             : text(" of ", of.count, " elements of ", of.element, " bytes");
  }
  if (of.by >= 0) made += text(", ", name_of_operator(static_cast<rank_operator>(of.by)));
  if (of.root >= 0) made += text(", root ", of.root);
  return made;
}
std::string words_of(int rank, const rank_call& of) {
  std::string made = text("rank ", rank, " calls ", words_of(of));
  if (of.where.line() != 0) made += text(" (at ", of.where.file_name(), ":", of.where.line(), ")");
  return made;
}
bool is_same_call(const rank_call& left, const rank_call& right) noexcept {
  return std::strcmp(left.verb, right.verb) == 0 && left.count == right.count && left.element == right.element &&
         std::strcmp(left.type, right.type) == 0 && left.by == right.by && left.root == right.root;
}
void check_calls(int rank, std::span<const rank_call* const> calls) {
  const rank_call& own = *calls[static_cast<std::size_t>(rank)];
  std::string others;
  for (std::size_t each = 0; each < calls.size(); ++each) {
    if (is_same_call(own, *calls[each])) continue;
    others += text(others.empty() ? "" : ", ", words_of(static_cast<int>(each), *calls[each]));
  }
  if (others.empty()) return;
  throw_error(errc::mismatched_ranks, own.where, words_of(own), " on rank ", rank,
              " does not match the other ranks: ", others);
}

void check_rank(const char* verb, const char* what, int rank, int size, const source_location& where) {
  if (rank >= 0 && rank < size) return;
  throw_error(errc::out_of_range, where, verb, ": ", what, " ", rank, " is not among the ", size,
              size == 1 ? " rank" : " ranks, which begin at 0");
}
void check_parts(const char* verb, std::size_t mine, std::size_t all, int size, const source_location& where) {
  const auto parts = static_cast<std::size_t>(size);
  if (all % parts == 0 && all / parts == mine) return;
  throw_error(errc::size_mismatch, where, verb, ": the range of all ", size, " ranks has ", all,
              " elements, that of one rank ", mine, ": it takes ", size, " times as many");
}
void check_counts(const char* verb, std::size_t from, std::size_t into, const source_location& where) {
  if (from == into) return;
  throw_error(errc::size_mismatch, where, verb, " from ", from, " elements into ", into);
}

}  // namespace yoke::inline v0_1::detail

#endif

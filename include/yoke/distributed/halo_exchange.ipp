// SPDX-License-Identifier: MIT
// Bodies of distributed/halo_exchange.hpp: the messages.
#ifndef YOKE_DISTRIBUTED_HALO_EXCHANGE_IPP
#define YOKE_DISTRIBUTED_HALO_EXCHANGE_IPP

#include <yoke/distributed/halo_exchange.hpp>

#include <yoke/core/text.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace yoke::inline v0_1 {

void detail::throw_part_shape(const char* what, const std::size_t* given, const std::size_t* expected, std::size_t rank,
                              int of, const source_location& where) {
  if (of < 0) {
    throw_error(errc::size_mismatch, where, what, " with a whole array of ", shape_text(given, rank),
                ": the partition is of ", shape_text(expected, rank));
  }
  throw_error(errc::size_mismatch, where, what, " with an array of ", shape_text(given, rank), ": rank ", of, " has ",
              shape_text(expected, rank), " of the partition, halo included");
}
void detail::check_partition_ranks(const char* what, int ranks, int size, const source_location& where) {
  if (ranks == size) return;
  throw_error(errc::size_mismatch, where, what, " of a partition among ", ranks, ranks == 1 ? " rank" : " ranks",
              " by a communicator of ", size);
}
void detail::throw_halo_started(const source_location& where) {
  throw_error(errc::invalid_argument, "this halo exchange has been started: finish it first", where);
}

void detail::add_halo_type(std::string& to, const char* name, std::size_t bytes) {
  to += text(to.empty() ? "" : ", ", *name != '\0' ? std::string(name) : text("elements of ", bytes, " bytes"));
}
detail::halo_record detail::record_of_halos(const std::string& types, const std::size_t* shape,
                                            const std::size_t* blocks, const std::size_t* halo, const bool* rings,
                                            bool corners, std::size_t rank, const source_location& where) {
  std::string made = text("halos of ", types, " of ", shape_text(shape, rank), " in ", shape_text(blocks, rank),
                          " blocks, of the widths ", shape_text(halo, rank));
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (rings[axis]) made += text(", axis ", axis, " a ring");
  }
  if (corners) made += ", with corners";
  halo_record record;
  record.number = 14695981039346656037U;  // FNV-1a: the program is not the same file on all ranks
  for (const char each : made) record.number = (record.number ^ static_cast<unsigned char>(each)) * 1099511628211U;
  if (where.line() != 0) made += text(" (at ", where.file_name(), ":", where.line(), ")");
  std::memcpy(record.words, made.c_str(), (std::min)(made.size(), sizeof record.words - 1));
  return record;
}
void detail::check_halo_records(int rank, std::span<const halo_record> all, const source_location& where) {
  const halo_record& own = all[static_cast<std::size_t>(rank)];
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (all[other].number == own.number) continue;
    throw_error(errc::mismatched_ranks, where, "rank ", rank, " exchanges ", std::string_view(own.words), ", rank ",
                other, " ", std::string_view(all[other].words));
  }
}

}  // namespace yoke::inline v0_1

#endif

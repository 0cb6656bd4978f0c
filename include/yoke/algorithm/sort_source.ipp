// SPDX-License-Identifier: MIT
// Writes the sources of the kernels that sort.
#ifndef YOKE_ALGORITHM_SORT_SOURCE_IPP
#define YOKE_ALGORITHM_SORT_SOURCE_IPP

#include <yoke/algorithm/sort_source.hpp>
#include <yoke/array/evaluation/kernel_macros.hpp>

#include <string_view>

namespace yoke::inline v0_1::detail {

// clang-format off
inline constexpr std::string_view sort_keys_text =
#include <yoke/kernels/sort/sort_keys.ipp>
    ;
inline constexpr std::string_view sort_rows_text =
#include <yoke/kernels/sort/sort_rows.ipp>
    ;
inline constexpr std::string_view sort_serial_text =
#include <yoke/kernels/sort/sort_serial.ipp>
    ;
inline constexpr std::string_view sort_serial_tile_text =
#include <yoke/kernels/sort/sort_serial_tile.ipp>
    ;
inline constexpr std::string_view sort_ranks_text =
#include <yoke/kernels/sort/sort_ranks.ipp>
    ;
inline constexpr std::string_view sort_votes_text =
#include <yoke/kernels/sort/sort_votes.ipp>
    ;
inline constexpr std::string_view sort_tile_text =
#include <yoke/kernels/sort/sort_tile.ipp>
    ;
inline constexpr std::string_view sort_moves_text =
#include <yoke/kernels/sort/sort_moves.ipp>
    ;
inline constexpr std::string_view sort_tiles_text =
#include <yoke/kernels/sort/sort_tiles.ipp>
    ;
inline constexpr std::string_view sort_look_back_text =
#include <yoke/kernels/sort/sort_look_back.ipp>
    ;
inline constexpr std::string_view gather_text =
#include <yoke/kernels/index/gather.ipp>
    ;
// clang-format on

/// Returns: the local memory of a block, for the marks and counts of ranks, or the keys or values of a tile. Unit:
/// words of 8 bytes.
constexpr std::size_t sort_room(const sort_form& form) noexcept {
  const std::size_t bytes = sort_tile(form.key, form.value) * (form.key < form.value ? form.value : form.key);
  return (bytes < 16384 ? 16384 : bytes) / 8;
}

std::string sort_source(const sort_form& form) {
  const bool one_tile = form.use == sort_use::one_tile;
  std::string kernels(sort_keys_text);
  if (form.use == sort_use::rows) {
    kernels += sort_rows_text;
  } else if (form.serial) {
    kernels += one_tile ? sort_serial_tile_text : sort_serial_text;
  } else {
    kernels += form.look_back ? sort_votes_text : sort_ranks_text;
    if (!one_tile) kernels += sort_moves_text;
    kernels += one_tile ? sort_tile_text : form.look_back ? sort_look_back_text : sort_tiles_text;
  }
  return with_macros({{"YOKE_SORT_KEY", word_of_bytes(form.key)},
                      {"YOKE_SORT_VALUE", word_of_bytes(form.value == 0 ? 1 : form.value)},
                      {"YOKE_SORT_ORDER", form.key == 8 ? "yoke_uint64" : "uint"},
                      {"YOKE_SORT_PLACE", form.wide ? "yoke_uint64" : "uint"},
                      {"YOKE_SORT_PAIRS", form.value != 0},
                      {"YOKE_SORT_REAL", form.real},
                      {"YOKE_SORT_TRUTH", form.truth},
                      {"YOKE_SORT_FLOAT", form.real && form.key == 4 && form.look_back},
                      {"YOKE_SORT_WIDE", form.wide},
                      {"YOKE_SORT_ROW_BLOCK", row_block},
                      {"YOKE_SORT_ITEMS", sort_items(form.key, form.value)},
                      {"YOKE_SORT_ROOM", sort_room(form)},
                      {"YOKE_SORT_HAS(k)", one_tile ? "((k) < used)" : "1"},
                      {"YOKE_SORT_FEW_TILES", few_tiles},
                      {"YOKE_SORT_TICKETS", sort_tickets},
                      {"YOKE_SORT_COUNTED_TILES", counted_tiles},
                      {"YOKE_SORT_RESIDENT", sort_resident}},
                     kernels);
}

std::string gather_source(std::size_t word, std::size_t index) {
  return with_macros({{"YOKE_GATHER_WORD", word_of_bytes(word)}, {"YOKE_GATHER_INDEX", word_of_bytes(index)}},
                     gather_text);
}

}  // namespace yoke::inline v0_1::detail

#endif

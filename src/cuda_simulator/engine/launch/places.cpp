// SPDX-License-Identifier: MIT
// Compares places and puts them into words.
#include "engine/launch/places.hpp"

#include <cstring>

namespace yoke::simulator {

using yoke_simulator::meeting;
using yoke_simulator::place;

const char* name_of(meeting kind) {
  switch (kind) {
    case meeting::syncthreads: return "__syncthreads";
    case meeting::syncthreads_count: return "__syncthreads_count";
    case meeting::syncthreads_and: return "__syncthreads_and";
    case meeting::syncthreads_or: return "__syncthreads_or";
    case meeting::grid_sync: return "the grid's sync";
    case meeting::syncwarp: return "__syncwarp";
    case meeting::shuffle: return "a warp shuffle";
    case meeting::vote: return "a warp vote";
    case meeting::match: return "a warp match";
    case meeting::reduction: return "a warp reduction";
    case meeting::activemask: return "__activemask";
  }
  return "a barrier";
}

std::string text_of(const extent3& value) {
  std::string text(1, '(');
  text.append(std::to_string(value[0])).append(", ").append(std::to_string(value[1])).append(", ");
  return text.append(std::to_string(value[2])).append(1, ')');
}

bool same_line(const place& a, const place& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}
bool same_place(const place& a, const place& b) { return a.column == b.column && same_line(a, b); }

std::string hexadecimal(unsigned value) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[value >> shift & 0xf];
  return text;
}

std::string named(meeting kind, const place& where, bool with_column) {
  std::string column;  // put together in steps: GCC 12 warns, wrongly, of ":" + std::string where it optimises
  if (with_column) column.append(":").append(std::to_string(where.column));
  return std::string(name_of(kind)) + " at " + where.file + "(" + std::to_string(where.line) + column + ")";
}

}  // namespace yoke::simulator

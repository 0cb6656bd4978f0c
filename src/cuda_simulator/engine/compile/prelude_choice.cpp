// SPDX-License-Identifier: MIT
// A part is needed if the text contains the beginning of a name that it defines.
#include "engine/compile/prelude_choice.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "engine/compile/prelude_text.hpp"

namespace yoke::simulator {

namespace {

struct optional_part {
  std::string_view name;
  std::vector<std::string_view> beginnings;
};

std::vector<optional_part> list_optional_parts() {
  // Both are made by the same macros.
  const std::vector<std::string_view> numbers = {
      "__float", "__double", "__int",   "__uint", "__ll",      "__ull",      "__longlong",
      "__hilo",  "2double",  "double2", "2float", "cudaRound", "to_integer", "YOKE_SIMULATOR_DIRECTIONS",
      "__fadd",  "__fsub",   "__fmul",  "__fdiv", "__frcp",    "__fsqrt",    "__frsqrt",
      "__fma",   "__dadd",   "__dsub",  "__dmul", "__ddiv",    "__drcp",     "__dsqrt",
      "__sin",   "__cos",    "__tan",   "__exp",  "__log",     "__pow",      "__saturate",
      "fdivide", "dadd",     "dsub",    "dmul"};
  return {
      {"conversions.hpp", numbers},
      {"arithmetic.hpp", numbers},
      {"warp.hpp",
       {"__shfl", "__ballot_", "__any_", "__all_", "__uni_", "__match_", "__reduce_", "__syncwarp", "__activemask",
        "yoke_simulator"}},
      {"atomics.hpp", {"atomic", "yoke_simulator"}},
      {"simd.hpp",
       {"__vabs", "__vadd", "__vavg", "__vcmp", "__vhadd", "__vmax", "__vmin", "__vneg", "__vsad", "__vset", "__vsub"}},
      {"dynamic_programming.hpp", {"__vi"}},
      {"textures.hpp", {"tex1D", "tex2D", "tex3D", "texCube", "surf", "cudaTex", "cudaSurf", "cudaBoundary"}},
  };
}

const std::vector<optional_part>& optional_parts() {
  static const std::vector<optional_part> parts = list_optional_parts();
  return parts;
}

}  // namespace

void append_named_headers(std::string& text) {
  std::set<std::string_view> there;
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t each = 0; each < served_header_count; ++each) {
      const prelude_file& header = served_headers[each];
      if (text.find(header.name) == text.npos || !there.insert(header.name).second) continue;
      text.append(header.text).append(1, '\n');
      grew = true;
    }
  }
}

bool needs_prelude_part(std::string_view part, std::string_view text) {
  const auto& parts = optional_parts();
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const auto& each) { return each.name == part; });
  if (found == parts.end()) return true;
  const auto is_there = [&](std::string_view beginning) { return text.find(beginning) != text.npos; };
  return std::any_of(found->beginnings.begin(), found->beginnings.end(), is_there);
}

}  // namespace yoke::simulator

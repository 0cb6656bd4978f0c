// SPDX-License-Identifier: MIT
// What the lanes of a warp do together: shuffles, votes, matches, reductions, masks.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

namespace {

input_column ranks() {
  std::vector<word> values;
  for (word each = 0; each < input_count; ++each) values.push_back(each);
  return given("int", "lane", values);
}

kernel_entry shuffles(const std::string& name, const std::string& type) {
  std::vector<expression> rows;
  for (const std::string width : {"", ", 16", ", 8"}) {
    rows.push_back({type, "__shfl_sync(~0u, a, lane * 5 + 2" + width + ")"});
    rows.push_back({type, "__shfl_up_sync(~0u, a, 3u" + width + ")"});
    rows.push_back({type, "__shfl_down_sync(~0u, a, 5u" + width + ")"});
    rows.push_back({type, "__shfl_xor_sync(~0u, a, 9" + width + ")"});
  }
  const bool real = is_real(type);
  return evaluate("shuffles_of_" + name, {ranks(), real ? reals(type, "a", -9.0, 9.0) : integers(type, "a")}, rows);
}

}  // namespace

std::vector<kernel_program> warp_kernels() {
  kernel_program program{"warps", ""};
  static constexpr const char* types[][2] = {{"int", "int"},
                                             {"unsigned", "unsigned"},
                                             {"long", "long"},
                                             {"unsigned_long", "unsigned long"},
                                             {"long_long", "long long"},
                                             {"unsigned_long_long", "unsigned long long"},
                                             {"float", "float"},
                                             {"double", "double"}};
  for (const auto& type : types) program.kernels.push_back(shuffles(type[0], type[1]));
  program.kernels.push_back(evaluate("votes", {ranks(), integers("int", "a")},
                                     {{"int", "__any_sync(~0u, lane == 17)"},
                                      {"int", "__any_sync(~0u, lane == 32)"},
                                      {"int", "__all_sync(~0u, lane < 32)"},
                                      {"int", "__all_sync(~0u, lane < 31)"},
                                      {"int", "__uni_sync(~0u, lane < 99)"},
                                      {"int", "__uni_sync(~0u, lane < 9)"},
                                      {"unsigned", "__ballot_sync(~0u, a % 3 == 0)"},
                                      {"unsigned", "__activemask()"},
                                      {"unsigned", "lane % 2 == 0 ? __ballot_sync(0x55555555u, lane > 9) : 0u"},
                                      {"int", "lane < 8 ? __any_sync(0xffu, lane == 7) : -1"},
                                      {"int", "[=] { __syncwarp(); __syncwarp(~0u); return warpSize; }()"}}));
  std::vector<expression> matches;
  for (const auto& type : types) {
    const std::string group = std::string("(") + type[1] + ")(lane % 5)";
    matches.push_back({"unsigned", "__match_any_sync(~0u, " + group + ")"});
    matches.push_back(
        {"unsigned", std::string("[=] { int all; return __match_all_sync(~0u, (") + type[1] + ")7, &all); }()"});
    matches.push_back(
        {"int", std::string("[=] { int all; __match_all_sync(~0u, (") + type[1] + ")7, &all); return all != 0; }()"});
    matches.push_back({"unsigned", "[=] { int all; return __match_all_sync(~0u, " + group + ", &all); }()"});
    matches.push_back({"int", "[=] { int all; __match_all_sync(~0u, " + group + ", &all); return all != 0; }()"});
  }
  program.kernels.push_back(evaluate("matches", {ranks()}, matches));
  std::vector<expression> reductions;
  for (const std::string how : {"add", "min", "max"}) {
    reductions.push_back({"int", "__reduce_" + how + "_sync(~0u, a)"});
    reductions.push_back({"unsigned", "__reduce_" + how + "_sync(~0u, (unsigned)a)"});
  }
  for (const std::string how : {"and", "or", "xor"}) {
    reductions.push_back({"unsigned", "__reduce_" + how + "_sync(~0u, (unsigned)a | 1u << lane)"});
  }
  reductions.push_back({"int", "lane < 5 ? __reduce_add_sync(0x1fu, lane) : 0"});
  program.kernels.push_back(evaluate("reductions", {ranks(), integers("int", "a")}, reductions));
  return {program};
}

}  // namespace yoke_test

// SPDX-License-Identifier: MIT
// The page of programs lists the members of `compile_options` as they are: all of them, in their order.
#include <support/catch.hpp>

#include <yoke/cuda/compile/compile.hpp>
#include <yoke/program/compile.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace {

// In the order of the declaration: designated initializers do not compile in another.
#define FIRST_MEMBERS(X) X(options) X(include_folders) X(defines) X(standard) X(name) X(language)
#define CUDA_MEMBERS(X) X(kernels) X(name_expressions) X(architecture) X(code) X(jit)
#define LAST_MEMBERS(X) X(cache) X(header_digest) X(keep) X(types) X(math) X(headers) X(portable)
#define INITIALIZED(member) .member = {},
#define NAME_OF(member) #member,

/// Returns: the members in the page's table, those of one backend or of all.
std::vector<std::string> members_on_page(bool cuda) {
  std::ifstream page(YOKE_TEST_DOCS_DIR "/programs.md");
  std::vector<std::string> members;
  bool in_table = false;
  for (std::string line; std::getline(page, line);) {
    in_table = in_table ? line.rfind("|", 0) == 0 : line == "| member | type | what it says | for |";
    if (!in_table || line.rfind("| `.", 0) != 0) continue;
    const bool for_all = line.ends_with("| all |");
    CHECK((for_all || line.ends_with("| CUDA |")));
    if (for_all || cuda) members.push_back(line.substr(4, line.find('`', 4) - 4));
  }
  return members;
}

}  // namespace

TEST_CASE("the page has all members of compile_options in their order", "[program][docs]") {
  const yoke::compile_options options{FIRST_MEMBERS(INITIALIZED) LAST_MEMBERS(INITIALIZED)};
  const auto& [o1, o2, o3, o4, o5, o6, o7, o8, o9, o10, o11, o12, o13] = options;  // so many, no other
  CHECK(&o13 == &options.portable);
  CHECK(members_on_page(false) == std::vector<std::string>{FIRST_MEMBERS(NAME_OF) LAST_MEMBERS(NAME_OF)});
  const yoke::cuda::compile_options own{FIRST_MEMBERS(INITIALIZED) CUDA_MEMBERS(INITIALIZED) LAST_MEMBERS(INITIALIZED)};
  const auto& [c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18] = own;
  CHECK(&c18 == &own.portable);
  CHECK(members_on_page(true) ==
        std::vector<std::string>{FIRST_MEMBERS(NAME_OF) CUDA_MEMBERS(NAME_OF) LAST_MEMBERS(NAME_OF)});
}

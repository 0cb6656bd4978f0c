// SPDX-License-Identifier: MIT
// Reads ELF files' tables of symbols, each file once.
#include "machine/base/symbols.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

namespace yoke::simulator {

namespace {

using header = ElfW(Ehdr);
using section = ElfW(Shdr);
using raw_symbol = ElfW(Sym);

/// A file's functions, sorted by address.
struct symbol_table {
  struct function {
    std::uintptr_t begin, bytes;
    std::size_t name;
  };
  std::vector<function> functions{};
  std::string names{};
};

/// Effects: reads `count` records at an offset. Returns: none if the file ends before.
template <class Record>
std::vector<Record> read_records(std::ifstream& file, std::uint64_t at, std::uint64_t bytes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;  // limits files with a wrong size field
  std::vector<Record> records(bytes > most ? 0 : static_cast<std::size_t>(bytes) / sizeof(Record));
  const auto size = static_cast<std::streamsize>(records.size() * sizeof(Record));
  file.clear();
  file.seekg(static_cast<std::streamoff>(at));
  if (!file.read(reinterpret_cast<char*>(records.data()), size)) records.clear();
  return records;
}

symbol_table read_table(const char* path) {
  symbol_table table;
  std::ifstream file(path, std::ios::binary);
  const auto heads = read_records<header>(file, 0, sizeof(header));
  if (heads.empty() || std::memcmp(heads[0].e_ident, ELFMAG, SELFMAG) != 0) return table;
  const header& head = heads[0];
  if (head.e_shentsize != sizeof(section)) return table;
  const auto sections = read_records<section>(file, head.e_shoff, std::uint64_t{head.e_shnum} * sizeof(section));
  for (const section& each : sections) {
    if (each.sh_type != SHT_SYMTAB || each.sh_link >= sections.size()) continue;
    const section& strings = sections[each.sh_link];
    const auto names = read_records<char>(file, strings.sh_offset, strings.sh_size);
    if (names.empty() || names.back() != '\0') continue;
    table.names.assign(names.begin(), names.end());
    for (const raw_symbol& one : read_records<raw_symbol>(file, each.sh_offset, each.sh_size)) {
      if ((one.st_info & 0xF) != STT_FUNC || one.st_shndx == SHN_UNDEF || one.st_name >= names.size()) continue;
      table.functions.push_back({one.st_value, one.st_size, one.st_name});
    }
    break;
  }
  std::sort(table.functions.begin(), table.functions.end(),
            [](const auto& left, const auto& right) { return left.begin < right.begin; });
  return table;
}

}  // namespace

symbol find_symbol(const char* file, std::uintptr_t bias, std::uintptr_t address) {
  static std::map<std::string, symbol_table>& known = *new std::map<std::string, symbol_table>;
  auto found = known.find(file);
  if (found == known.end()) found = known.emplace(file, read_table(file)).first;
  const symbol_table& table = found->second;
  const std::uintptr_t at = address - bias;
  const auto behind = std::upper_bound(table.functions.begin(), table.functions.end(), at,
                                       [](std::uintptr_t left, const auto& right) { return left < right.begin; });
  if (behind == table.functions.begin()) return {};
  const auto& function = *std::prev(behind);
  if (at - function.begin >= function.bytes) return {};
  return {table.names.c_str() + function.name, function.begin + bias};
}

}  // namespace yoke::simulator

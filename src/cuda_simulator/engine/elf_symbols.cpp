// SPDX-License-Identifier: MIT
// Reads .symtab; every offset is checked, because the bytes may come from anywhere.
#include "elf_symbols.hpp"

#include <elf.h>
#include <link.h>
#include <cstring>
#include <optional>

namespace yoke::simulator {

namespace {

template <class T>
std::optional<T> read_at(std::string_view file, std::size_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return value;
}

std::string_view section_bytes(std::string_view file, const ElfW(Shdr) & section) {
  if (section.sh_offset > file.size() || file.size() - section.sh_offset < section.sh_size) return {};
  return file.substr(section.sh_offset, section.sh_size);
}

std::optional<symbol_kind> kind_of(unsigned char info) {
  switch (info & 0xf) {
    case STT_FUNC: return symbol_kind::function;
    case STT_OBJECT: return symbol_kind::object;
    case STT_TLS: return symbol_kind::thread_local_object;
    default: return std::nullopt;
  }
}

void read_table(std::string_view symbols, std::string_view names, std::vector<elf_symbol>& found) {
  for (std::size_t offset = 0; offset + sizeof(ElfW(Sym)) <= symbols.size(); offset += sizeof(ElfW(Sym))) {
    const auto symbol = *read_at<ElfW(Sym)>(symbols, offset);
    const auto kind = kind_of(symbol.st_info);
    if (!kind || symbol.st_name >= names.size()) continue;
    const std::string_view rest = names.substr(symbol.st_name);
    found.push_back(elf_symbol{std::string(rest.substr(0, rest.find('\0'))), *kind, symbol.st_shndx != SHN_UNDEF,
                               symbol.st_value, symbol.st_size});
  }
}

}  // namespace

std::vector<elf_symbol> elf_symbols(std::string_view file) {
  std::vector<elf_symbol> found;
  const auto header = read_at<ElfW(Ehdr)>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return found;
  if (header->e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32)) return found;
  const auto section_at = [&](std::size_t index) {
    return read_at<ElfW(Shdr)>(file, header->e_shoff + index * sizeof(ElfW(Shdr)));
  };
  for (std::size_t each = 0; each < header->e_shnum; ++each) {
    const auto table = section_at(each);
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    const auto names = section_at(table->sh_link);
    if (names) read_table(section_bytes(file, *table), section_bytes(file, *names), found);
  }
  return found;
}

std::size_t elf_thread_local_bytes(std::string_view file) {
  const auto header = read_at<ElfW(Ehdr)>(file, 0);
  for (std::size_t each = 0; header && each < header->e_phnum; ++each) {
    const auto segment = read_at<ElfW(Phdr)>(file, header->e_phoff + each * sizeof(ElfW(Phdr)));
    if (segment && segment->p_type == PT_TLS) return segment->p_memsz;
  }
  return 0;
}

}  // namespace yoke::simulator

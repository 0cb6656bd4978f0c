// SPDX-License-Identifier: MIT
// Reads .symtab; every offset is checked, because the bytes may come from anywhere.
#include "engine/binary/elf_symbols.hpp"

#include <elf.h>
#include <link.h>
#include <cstring>
#include <optional>
#include <set>

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

constexpr std::string_view managed_prefix = "yoke_managed.";

void read_table(std::string_view symbols, std::string_view names, const std::set<std::size_t>& managed,
                std::vector<elf_symbol>& found) {
  for (std::size_t offset = 0; offset + sizeof(ElfW(Sym)) <= symbols.size(); offset += sizeof(ElfW(Sym))) {
    const auto symbol = *read_at<ElfW(Sym)>(symbols, offset);
    const auto kind = kind_of(symbol.st_info);
    if (!kind || symbol.st_name >= names.size()) continue;
    const std::string_view rest = names.substr(symbol.st_name);
    found.push_back(elf_symbol{std::string(rest.substr(0, rest.find('\0'))), *kind, symbol.st_shndx != SHN_UNDEF,
                               (symbol.st_other & 0x3) == STV_PROTECTED, managed.count(symbol.st_shndx) != 0,
                               (symbol.st_other & 0x3) == STV_INTERNAL, symbol.st_value, symbol.st_size});
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
  const auto titles = section_at(header->e_shstrndx);
  const std::string_view title_bytes = titles ? section_bytes(file, *titles) : std::string_view();
  std::set<std::size_t> managed;  // the sections of managed variables
  for (std::size_t each = 1; each < header->e_shnum; ++each) {
    const auto section = section_at(each);
    if (!section || section->sh_name >= title_bytes.size()) continue;
    const std::string_view name = title_bytes.substr(section->sh_name);
    if (name.substr(0, managed_prefix.size()) == managed_prefix) managed.insert(each);
  }
  for (std::size_t each = 0; each < header->e_shnum; ++each) {
    const auto table = section_at(each);
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    const auto names = section_at(table->sh_link);
    if (names) read_table(section_bytes(file, *table), section_bytes(file, *names), managed, found);
  }
  return found;
}

std::vector<linkage_symbol> linkage_symbols(std::string_view file) {
  std::vector<linkage_symbol> found;
  const auto header = read_at<ElfW(Ehdr)>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_type != ET_REL) return found;
  const auto section_at = [&](std::size_t index) {
    return read_at<ElfW(Shdr)>(file, header->e_shoff + index * sizeof(ElfW(Shdr)));
  };
  for (std::size_t each = 0; each < header->e_shnum; ++each) {
    const auto table = section_at(each);
    if (!table || table->sh_type != SHT_SYMTAB) continue;
    const auto strings = section_at(table->sh_link);
    const std::string_view names = strings ? section_bytes(file, *strings) : std::string_view();
    const std::string_view bytes = section_bytes(file, *table);
    for (std::size_t offset = 0; offset + sizeof(ElfW(Sym)) <= bytes.size(); offset += sizeof(ElfW(Sym))) {
      const auto symbol = *read_at<ElfW(Sym)>(bytes, offset);
      const unsigned binding = symbol.st_info >> 4;
      if (binding == STB_LOCAL || symbol.st_name == 0 || symbol.st_name >= names.size()) continue;
      const std::string_view rest = names.substr(symbol.st_name);
      found.push_back(linkage_symbol{std::string(rest.substr(0, rest.find('\0'))), symbol.st_shndx != SHN_UNDEF,
                                     binding == STB_WEAK, (symbol.st_info & 0xf) == STT_TLS});
    }
  }
  return found;
}

namespace {

/// A symbol as relocations know it.
struct raw_symbol {
  std::string name;
  std::size_t section = 0;
  unsigned char type = 0;
};

class object_file {
 public:
  explicit object_file(std::string_view file) : file_(file), header_(read_at<ElfW(Ehdr)>(file, 0)) {
    if (!header_ || std::memcmp(header_->e_ident, ELFMAG, SELFMAG) != 0 || header_->e_type != ET_REL) return;
    for (std::size_t each = 0; each < header_->e_shnum; ++each) {
      const auto section = section_at(each);
      if (section && section->sh_type == SHT_SYMTAB) read_symbols(*section);
    }
    uses_.resize(header_->e_shnum);
    for (std::size_t each = 0; each < header_->e_shnum; ++each) {
      const auto section = section_at(each);
      if (section && section->sh_type == SHT_RELA) read_relocations(*section);
    }
  }

  std::vector<thread_local_use> uses() const {
    std::vector<thread_local_use> found;
    for (const raw_symbol& each : symbols_) {
      if (each.type != STT_FUNC || each.section == 0 || each.section >= uses_.size()) continue;
      found.push_back(thread_local_use{each.name, reached_from(each.section)});
    }
    return found;
  }

 private:
  std::optional<ElfW(Shdr)> section_at(std::size_t index) const {
    return read_at<ElfW(Shdr)>(file_, header_->e_shoff + index * sizeof(ElfW(Shdr)));
  }
  void read_symbols(const ElfW(Shdr) & table) {
    const auto names = section_at(table.sh_link);
    const std::string_view bytes = section_bytes(file_, table);
    const std::string_view text = names ? section_bytes(file_, *names) : std::string_view();
    for (std::size_t offset = 0; offset + sizeof(ElfW(Sym)) <= bytes.size(); offset += sizeof(ElfW(Sym))) {
      const auto symbol = *read_at<ElfW(Sym)>(bytes, offset);
      const std::string_view rest = symbol.st_name < text.size() ? text.substr(symbol.st_name) : std::string_view();
      symbols_.push_back(raw_symbol{std::string(rest.substr(0, rest.find('\0'))), symbol.st_shndx,
                                    static_cast<unsigned char>(symbol.st_info & 0xf)});
    }
  }
  void read_relocations(const ElfW(Shdr) & table) {
    if (table.sh_info >= uses_.size()) return;
    const std::string_view bytes = section_bytes(file_, table);
    for (std::size_t offset = 0; offset + sizeof(ElfW(Rela)) <= bytes.size(); offset += sizeof(ElfW(Rela))) {
      const std::size_t symbol = read_at<ElfW(Rela)>(bytes, offset)->r_info >> (sizeof(void*) == 8 ? 32 : 8);
      if (symbol < symbols_.size()) uses_[table.sh_info].push_back(symbol);
    }
  }
  std::vector<std::string> reached_from(std::size_t section) const {
    std::vector<bool> seen(uses_.size());
    std::vector<std::size_t> open = {section};
    std::set<std::string> objects;
    seen[section] = true;
    while (!open.empty()) {
      const std::size_t next = open.back();
      open.pop_back();
      for (const std::size_t each : uses_[next]) {
        const raw_symbol& symbol = symbols_[each];
        if (symbol.type == STT_TLS) objects.insert(symbol.name);
        if (symbol.type == STT_TLS || symbol.section == 0 || symbol.section >= uses_.size() || seen[symbol.section])
          continue;
        seen[symbol.section] = true;
        open.push_back(symbol.section);
      }
    }
    return {objects.begin(), objects.end()};
  }

  std::string_view file_;
  std::optional<ElfW(Ehdr)> header_;
  std::vector<raw_symbol> symbols_;
  std::vector<std::vector<std::size_t>> uses_;  // by section: the symbols it refers to
};

}  // namespace

std::vector<thread_local_use> thread_local_uses(std::string_view file) { return object_file(file).uses(); }

std::size_t elf_thread_local_bytes(std::string_view file) {
  const auto header = read_at<ElfW(Ehdr)>(file, 0);
  for (std::size_t each = 0; header && each < header->e_phnum; ++each) {
    const auto segment = read_at<ElfW(Phdr)>(file, header->e_phoff + each * sizeof(ElfW(Phdr)));
    if (segment && segment->p_type == PT_TLS) return segment->p_memsz;
  }
  return 0;
}

}  // namespace yoke::simulator

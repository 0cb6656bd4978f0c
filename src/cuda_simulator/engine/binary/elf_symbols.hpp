// SPDX-License-Identifier: MIT
// The symbol table of an ELF object or shared object in memory.
#ifndef YOKE_SIMULATOR_ENGINE_BINARY_ELF_SYMBOLS_HPP
#define YOKE_SIMULATOR_ENGINE_BINARY_ELF_SYMBOLS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yoke::simulator {

enum class symbol_kind { function, object, thread_local_object };

struct elf_symbol {
  std::string name;
  symbol_kind kind = symbol_kind::object;
  bool defined = false;
  bool is_protected = false;  ///< its visibility: the mark of __constant__ variables
  bool is_managed = false;    ///< its section: the mark of __managed__ variables
  bool is_internal = false;   ///< its visibility: the mark of kernels, which a linker takes off
  std::uint64_t value = 0;    ///< the address less the load address; of thread-local objects, the offset in their block
  std::uint64_t size = 0;
};

/// Returns: the functions, objects and thread-local objects of .symtab, including local ones; nothing if `file` is not
/// an ELF file of this machine's word size.
std::vector<elf_symbol> elf_symbols(std::string_view file);

/// A name that a linker joins objects by.
struct linkage_symbol {
  std::string name;
  bool defined = false;
  bool weak = false;  ///< one of several is taken, or none
  bool thread_local_ = false;
};
/// Returns: the global symbols of an object file, with and without a definition.
std::vector<linkage_symbol> linkage_symbols(std::string_view file);

/// A function of an object file, with the thread-local objects that it uses, itself or by functions that it calls.
struct thread_local_use {
  std::string function;
  std::vector<std::string> objects;
};
/// Returns: the defined functions of an object file that was compiled with a section for each function, by its
/// relocations.
std::vector<thread_local_use> thread_local_uses(std::string_view file);

/// Returns: the size of the block that each thread gets for the file's thread-local objects.
std::size_t elf_thread_local_bytes(std::string_view file);

}  // namespace yoke::simulator

#endif

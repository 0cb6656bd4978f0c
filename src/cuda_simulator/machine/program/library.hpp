// SPDX-License-Identifier: MIT
// Libraries of kernels, and their instances in contexts: an image with its own globals.
#ifndef YOKE_SIMULATOR_MACHINE_PROGRAM_LIBRARY_HPP
#define YOKE_SIMULATOR_MACHINE_PROGRAM_LIBRARY_HPP

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/binary/image.hpp"
#include "engine/compile/linker.hpp"
#include "machine/base/abi.hpp"
#include "machine/base/call.hpp"
#include "machine/base/handles.hpp"
#include "machine/program/jit_options.hpp"

namespace yoke::simulator {

struct context;
struct library;

/// The settable attributes of a kernel on a device.
struct kernel_settings {
  int dynamic_shared = -1;  ///< -1: the rest of the 48 KiB that need no opting in
  int carveout = -1;
  int non_portable_cluster = 0;
  int cluster_policy = 0;
  abi::cache_config cache = abi::cache_config::prefer_none;
};

struct kernel_object {
  library* from = nullptr;
  std::string name{};
  abi::kernel handle = nullptr;
  std::map<int, kernel_settings> settings{};  ///< by device
};

/// A kernel in a context.
struct function_object {
  std::shared_ptr<kernel_object> what;
  context* in = nullptr;
};

/// A library in a context. A running launch keeps it.
struct module_object {
  std::shared_ptr<library> from{};
  context* in = nullptr;
  abi::loaded_module handle = nullptr;
  std::shared_ptr<image> loaded{};
  bool is_own = false;                  ///< made by cuModuleLoad, which made the library too
  std::vector<std::uintptr_t> globals;  ///< addresses of those in the table of memory
  std::map<kernel_object*, abi::function> functions;
  std::set<const kernel_object*> used;  ///< kernels whose code a launch or a call has asked for
};

/// Thread safety: the driver's lock.
struct library : std::enable_shared_from_this<library> {
  std::string bytes{};
  abi::library handle = nullptr;
  std::shared_ptr<image> prototype{};  ///< for queries about kernels; the first context takes it
  bool prototype_taken = false;
  std::vector<std::shared_ptr<kernel_object>> kernels{};
  std::map<context*, std::shared_ptr<module_object>> modules{};
};

/// The inputs of a link, and its result.
struct link_object {
  std::vector<link_piece> pieces{};
  jit_logs logs{};
  link_result result{};
};

/// Thread safety: the driver's lock.
struct program_state {
  handle_table<library, abi::library, handle_kind::library> libraries{};
  handle_table<kernel_object, abi::kernel, handle_kind::kernel> kernels{};
  handle_table<function_object, abi::function, handle_kind::function> functions{};
  handle_table<module_object, abi::loaded_module, handle_kind::module> modules{};
  handle_table<link_object, abi::link_state, handle_kind::link> links{};
};

/// Returns: a library with no handle. Throws: refusal if the bytes are not an image.
std::shared_ptr<library> make_library(const void* bytes, std::size_t limit);
/// Effects: waits for users of the library's variables, which end with it.
void wait_for_users(driver_lock& lock, library& going);
/// Effects: removes the library and its instances from the tables.
void forget_library(library& gone);
/// Effects: removes the context's instances of libraries.
void forget_instances(const context& gone);

/// Returns: the library in that context, loaded if necessary. Throws: refusal.
module_object& module_in(const std::shared_ptr<library>& from, context& in);
/// Returns: the handle of the kernel in that context.
abi::function function_in(const std::shared_ptr<kernel_object>& what, context& in);
/// Returns: the variable, entered in the table of memory. Throws: refusal.
global global_in(module_object& where, const char* name);

/// Returns: the engine's description. Never null.
const kernel& description_of(const kernel_object& what);
/// Returns: the object behind a CUkernel, or behind a CUfunction with its context. Throws: refusal.
struct kernel_choice {
  std::shared_ptr<kernel_object> what;
  context* in = nullptr;  ///< null: any
};
kernel_choice kernel_of(const void* handle);

/// Returns: the settings on that device.
kernel_settings& settings_of(kernel_object& what, int device);
/// Returns: the most dynamic shared memory a launch on that device may ask for.
int dynamic_shared_limit_of(kernel_object& what, int device);
/// Returns: the threads of the largest block.
int thread_limit_of(const kernel_object& what, int device);

}  // namespace yoke::simulator

#endif

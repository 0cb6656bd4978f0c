// SPDX-License-Identifier: MIT
// A loaded image: its kernels, its globals, and the facts that the scheduler needs.
#ifndef YOKE_SIMULATOR_ENGINE_BINARY_IMAGE_HPP
#define YOKE_SIMULATOR_ENGINE_BINARY_IMAGE_HPP

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/binary/architectures.hpp"
#include "engine/binary/elf_symbols.hpp"
#include "prelude/services.hpp"

namespace yoke::simulator {

/// The most dynamic shared memory a block may have, as of compute capability 9.0.
inline constexpr std::size_t dynamic_shared_limit = 227 * 1024;

class image;

struct kernel {
  std::string name;  ///< the symbol: the extern "C" name, or the mangled one
  const yoke_simulator::kernel_record* record = nullptr;
  std::size_t static_shared_bytes = 0;  ///< its own variables, and those of the functions that it calls
  const image* owner = nullptr;
  std::string readable;  ///< the name in messages: without parameters

  std::size_t parameter_count() const { return record->parameter_count; }
  yoke_simulator::parameter parameter(std::size_t index) const { return record->parameters[index]; }
  int max_threads() const { return record->max_threads; }  ///< from __launch_bounds__; 0: not given
  int min_blocks() const { return record->min_blocks; }
};

struct global {
  void* address = nullptr;
  std::size_t bytes = 0;
  bool is_managed = false;
};

/// One load of an image; another load of the same bytes has its own globals.
/// Thread safety: everything but construction and destruction is safe from any thread.
class image {
 public:
  /// Returns: the loaded image, whose kernels call `services`; null, with the reason in `error`, if the bytes are not
  /// an image of this engine (none of them is run then) or the system refuses to load it.
  static std::unique_ptr<image> load(std::string_view bytes, const yoke_simulator::services& services,
                                     std::string& error);
  ~image();
  image(const image&) = delete;
  image& operator=(const image&) = delete;

  const std::vector<kernel>& kernels() const noexcept { return kernels_; }
  /// Returns: the kernel of that name, or null.
  const kernel* find_kernel(std::string_view name) const noexcept;
  /// Returns: the address and size of the __device__, __constant__ or __managed__ variable with that symbol name.
  std::optional<simulator::global> global(std::string_view name) const noexcept;
  /// Returns: the symbol names of the name expressions it was compiled with, in their order.
  std::vector<std::string> expression_names() const;
  const architecture& target() const noexcept { return target_; }
  /// Returns: the bytes of its __constant__ variables, but for those of internal linkage.
  std::size_t constant_bytes() const noexcept;

  /// Where the calling OS thread's built-in variables are, and its shared memory.
  struct thread_view {
    yoke_simulator::variables variables{};
    char* shared = nullptr;  ///< the image's whole thread-local block
    std::size_t shared_bytes = 0;
    char* dynamic = nullptr;  ///< in that block; null where no kernel declares dynamic shared memory
  };
  thread_view view_of_this_thread() const;
  /// The offsets and sizes of static __shared__ variables in the thread-local block.
  struct extent {
    std::size_t offset, bytes;
  };
  const std::vector<extent>& static_shared() const noexcept { return static_shared_; }
  /// The gaps between the block's variables; kernels must not touch them.
  const std::vector<extent>& gaps() const noexcept { return gaps_; }

 private:
  image() = default;
  bool open(std::string_view object, const yoke_simulator::services& services, std::string& error);
  void describe(std::string_view object);
  void find_gaps();
  void count_static_shared();
  std::string name_at(const void* address) const;

  void* handle_ = nullptr;
  std::size_t base_ = 0;
  std::size_t module_ = 0;
  std::vector<const yoke_simulator::image_record*> records_;  ///< one a source
  architecture target_;
  std::vector<elf_symbol> symbols_;
  std::vector<kernel> kernels_;
  std::vector<extent> static_shared_;
  std::vector<extent> gaps_;
  std::optional<std::size_t> dynamic_offset_;
  std::size_t thread_bytes_ = 0;
};

}  // namespace yoke::simulator

#endif

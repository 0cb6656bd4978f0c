// SPDX-License-Identifier: MIT
// What CUDA's linkers take and give.
#ifndef YOKE_DRIVER_CUDA_LINK_REQUEST_HPP
#define YOKE_DRIVER_CUDA_LINK_REQUEST_HPP

#include <yoke/core/duration.hpp>
#include <yoke/driver/cuda/build_request.hpp>
#include <yoke/driver/cuda/ptx.hpp>

#include <cstddef>

namespace yoke::inline YOKE_ABI {
class program_cache;
}

namespace yoke::inline YOKE_ABI::cuda {

/// What a linker takes.
enum class link_kind : std::uint8_t {
  cubin,    ///< machine code that was compiled with `-rdc=true`
  ptx,      ///< text
  fatbin,   ///< several of these in one
  object,   ///< an object file of the host with device code in it
  library,  ///< an archive of such files, of which what is needed is taken
  lto,      ///< LTO-IR, for nvJitLink
};

/// One thing to link: bytes, or a file.
struct link_input {
  link_kind kind = link_kind::ptx;
  std::string name{};              ///< for messages; of a file its path
  std::vector<std::byte> bytes{};  ///< empty: the file of that name
  std::vector<detail::known_name> names{};
  std::vector<ptx_entry> entries{};  ///< the kernels of a file of PTX
};

/// How inputs become one.
struct link_options {
  jit_options jit{};  ///< how PTX and LTO-IR are compiled, and how much of the logs is wanted
  /// nvJitLink links also what the driver could; it is taken in any case where there is LTO-IR. Sources then become
  /// LTO-IR.
  bool link_time_optimization = false;
  std::vector<std::string> options{};  ///< for nvJitLink, in order: "-kernels-used=f"
  /// Where `link` looks first and keeps the linked program; null: nowhere.
  const program_cache* cache = nullptr;
};

struct link_request : link_options {
  std::vector<link_input> inputs{};
  std::string architecture{};  ///< for nvJitLink: "sm_90"
  std::string kept{};          ///< the folder that messages name
};

/// What was linked.
struct linked_image {
  std::vector<std::byte> bytes{};                    ///< a cubin, for `load_image`
  std::string log{};                                 ///< what the linker said
  std::chrono::duration<double, std::milli> time{};  ///< by the clock, spent in the linker
  std::string kept_folder{};                         ///< of the sources' `compile_options::keep`
};

}  // namespace yoke::inline YOKE_ABI::cuda

#endif

// SPDX-License-Identifier: MIT
// The requests that CUDA's compilers and linkers take, and the linked images that they return.
#ifndef YOKE_DRIVER_CUDA_COMPILER_REQUESTS_HPP
#define YOKE_DRIVER_CUDA_COMPILER_REQUESTS_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/driver/cuda/binary/ptx.hpp>
#include <yoke/driver/cuda/compiler/jit_options.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace yoke::inline v0_1::cuda {

namespace detail {
/// A name expression, and the compiler's result for it.
struct known_name {
  std::string name;                        ///< as the user wrote it
  std::string type;                        ///< "void(*)(float*, int)" if the compiler has compared it, else ""
  std::vector<parameter_info> parameters;  ///< the parameters of that type
  std::string lowered;                     ///< the name in the image
};
}  // namespace detail

/// A `yoke::compile_request` with CUDA's own options.
struct build_request : compile_request {
  std::vector<typed_kernel> kernels{};
  std::string checks{};  ///< text to append to `text`: compares the structs of `kernels`
  std::vector<std::string> name_expressions{};
  std::string architecture{};  ///< "sm_90" or "compute_90"; "": the device's
  std::string code{};          ///< "sm_90" if `architecture` is another, virtual one; else ""
  jit_options jit{};
};

}  // namespace yoke::inline v0_1::cuda

namespace yoke::inline v0_1 {
class program_cache;
}

namespace yoke::inline v0_1::cuda {

/// The kind of a linker's input.
enum class link_kind : std::uint8_t {
  cubin,    ///< machine code that was compiled with `-rdc=true`
  ptx,      ///< text
  fatbin,   ///< a container of cubins and PTX
  object,   ///< a host object file that contains device code
  library,  ///< an archive of object files; the linker takes the members that it needs
  lto,      ///< LTO-IR, for nvJitLink
};

/// One input of a linker: bytes, or a file.
struct link_input {
  link_kind kind = link_kind::ptx;
  std::string name{};              ///< for messages; for a file its path
  std::vector<std::byte> bytes{};  ///< empty: the input is the file named `name`
  std::vector<detail::known_name> names{};
  std::vector<ptx_entry> entries{};  ///< the kernels of a file of PTX
};

/// Options of a link.
struct link_options {
  jit_options jit{};  ///< options for PTX and LTO-IR, and the size of the logs
  /// Uses nvJitLink even if the driver could link, and compiles sources to LTO-IR. With LTO-IR among the inputs
  /// nvJitLink is used in any case.
  bool link_time_optimization = false;
  std::vector<std::string> options{};  ///< for nvJitLink, in order: "-kernels-used=f"
  /// The cache that `link` searches first and stores the program in; null: none.
  const program_cache* cache = nullptr;
};

struct link_request : link_options {
  std::vector<link_input> inputs{};
  std::string architecture{};  ///< for nvJitLink: "sm_90"
  std::string kept{};          ///< the folder that messages name
};

/// A linked program.
struct linked_image {
  std::vector<std::byte> bytes{};                    ///< a cubin, for `load_image`
  std::string log{};                                 ///< the linker's messages
  std::chrono::duration<double, std::milli> time{};  ///< wall time spent in the linker
  std::string kept_folder{};                         ///< the folder of the sources' `compile_options::keep`
};

}  // namespace yoke::inline v0_1::cuda

#endif

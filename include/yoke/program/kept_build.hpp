// SPDX-License-Identifier: MIT
// Writes a compilation's files to the folder of `compile_options::keep`.
#ifndef YOKE_PROGRAM_KEPT_BUILD_HPP
#define YOKE_PROGRAM_KEPT_BUILD_HPP

#include <yoke/driver/compile_request.hpp>
#include <yoke/program/compile_options.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace yoke::inline v0_1 {

namespace detail {

/// Returns: why a file could not be written; "" on success. Throws: `std::bad_alloc`.
YOKE_API std::string write_problem(const std::string& path, std::string_view content);

/// The folder of one compilation, or none. Its name is the source's name and a digest of the compiler's input,
/// "kernel.cl-0123456789abcdef"; further folders of the same input end in "-2" and so on. Without a folder, calls do
/// nothing.
class kept_build {
 public:
  /// Effects: makes the folder in `keep`, writes the source, the compiler's input and the options there, and sets the
  /// folder in the request. Does nothing for an empty `keep`.
  /// Throws: `logic_error` (`errc::invalid_argument`) that names a folder that cannot be made or written;
  /// `std::bad_alloc`.
  YOKE_API kept_build(const folder_option& keep, compile_request& request, const source_location& where);
  /// Effects: makes an empty folder in `keep`, named by `name` and a digest of `content`. Throws: as above.
  YOKE_API kept_build(const folder_option& keep, const std::string& name, std::string_view content,
                      const source_location& where);
  kept_build(const kept_build&) = delete;  // the request points into it
  kept_build& operator=(const kept_build&) = delete;
  ~kept_build() = default;

  [[nodiscard]] explicit operator bool() const noexcept { return !folder_.empty(); }
  /// Returns: the folder's path, or "".
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  /// Returns: the path of the file with the compiler's input. Requires: a folder.
  [[nodiscard]] std::string text_path() const { return folder_ + "/compiled" + ending_; }

  /// Effects: writes the log of a failed compilation. Throws: nothing, because the failure is being thrown already.
  YOKE_API void fail(const error& failure) const noexcept;
  /// Effects: writes the log. Throws: `runtime_error` if a file cannot be written.
  YOKE_API void log(std::string_view text, const source_location& where) const;
  /// Effects: writes a compiler's bytes as "binary" with an ending such as ".cubin" or ".ptx". Throws: as `log`.
  YOKE_API void binary(std::span<const std::byte> bytes, std::string_view ending, const source_location& where) const;
  /// Effects: writes each device's bytes of an exported binary, with the language's file ending. Throws: as `log`.
  YOKE_API void exported(std::span<const std::byte> bytes, const kernel_language& language,
                         const source_location& where) const;
  /// Effects: writes one file. Throws: as `log`.
  YOKE_API void write(const std::string& name, std::string_view text, const source_location& where) const;

 private:
  void open(const std::string& keep, const std::string& name, std::string_view content, const source_location& where);
  void write_options(const source_location& where) const;

  std::string folder_;
  std::string ending_;        // ".cl" of "kernel.cl"
  std::string used_options_;  // the options of the actual call to the compiler
};

/// Returns: the module of `make`. Effects: writes its log and binary to the folder of the compilation.
template <class Make>
[[gnu::cold]] auto make_kept(const kept_build& kept, Make make, const source_location& where) {
  if (!kept) return make();
  auto result = [&] {
    try {
      return make();
    } catch (const error& failure) {
      kept.fail(failure);
      throw;
    }
  }();
  const auto& in = result.context_of(where);
  std::string log;
  for (const auto& device : in.devices(where)) log += result.build_log(device, where);
  kept.log(log, where);
  try {
    kept.exported(result.export_binary(where), in.port(where).language(), where);
  } catch (const unsupported_error& none) {  // the driver cannot export a binary
    kept.write("binary.txt", none.what(), where);
  }
  result.state(where)->kept = kept.folder();
  return result;
}

}  // namespace detail
}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/program/kept_build.ipp>
#endif

#endif

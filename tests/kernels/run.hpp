// SPDX-License-Identifier: MIT
// Runs the table's kernels on a device, compares results, and keeps them in a file.
#ifndef YOKE_TESTS_KERNELS_RUN_HPP
#define YOKE_TESTS_KERNELS_RUN_HPP

#include <kernels/table.hpp>

#include <yoke/cuda/cuda.hpp>

#include <iosfwd>
#include <map>
#include <optional>

namespace yoke_test {

/// What one kernel gave: the words it wrote, or why there are none.
struct kernel_outcome {
  std::vector<word> words;
  std::string failure;  ///< "" when it ran
};

/// Effects: compiles one program for the context's device and runs its kernels. Messages of its compiler go to `log`.
/// Returns: an outcome for each kernel. Throws: nothing but what a broken context makes of every call.
std::vector<kernel_outcome> run_program(const yoke::cuda::context& context, const kernel_program& program,
                                        const std::vector<std::string>& include_folders, std::string& log);

/// Returns: how `found` differs from `wanted`, one line for each column that does, or "". The tolerance is the column's
/// own for each of two devices, of which `sides` have an error.
std::string differences(const kernel_entry& kernel, const std::vector<word>& found, const std::vector<word>& wanted,
                        double host_ulps);
/// Returns: how `found` differs from what the host worked out, or "".
std::string differences_from_host(const kernel_entry& kernel, const std::vector<word>& found);

/// The results of the whole table on one device.
struct recording {
  std::map<std::string, std::string> facts;          ///< device, compute capability, driver, NVRTC
  std::map<std::string, std::vector<word>> results;  ///< by the kernel's name
  std::map<std::string, std::string> fingerprints;   ///< of the text and the input that they belong to
};

/// Returns: eight bytes in hex that change with a kernel's text, its program's, its shape and its input.
std::string fingerprint(const kernel_program& program, const kernel_entry& kernel);

void write_recording(std::ostream& out, const recording& results);
/// Throws: `std::runtime_error` with the line that cannot be read.
recording read_recording(std::istream& in);

}  // namespace yoke_test

#endif

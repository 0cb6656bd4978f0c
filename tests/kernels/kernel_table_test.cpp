// SPDX-License-Identifier: MIT
// The table of kernels on every CUDA device: against the host's own values, and against what a GPU gave.
#include <cuda/cuda_rig.hpp>
#include <kernels/inputs.hpp>
#include <kernels/run.hpp>
#include <support/devices/devices.hpp>

#include <fstream>
#include <set>
#include <sstream>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

/// Effects: runs the whole table once and gives each kernel with its results to `look`.
template <class Look>
void run_table(const cu::device& device, Look&& look) {
  const cu::context context{device};
  for (const kernel_program& program : kernel_table()) {
    std::string log;
    const auto outcomes = run_program(context, program, toolkit_headers(device), log);
    INFO(program.name << ": " << log);
    for (std::size_t each = 0; each < outcomes.size(); ++each) {
      CHECK_THAT(outcomes[each].failure, Equals(""));
      if (outcomes[each].failure.empty()) look(program, program.kernels[each], outcomes[each].words);
    }
  }
}

}  // namespace

YOKE_CUDA_TEST_CASE("every kernel of the table gives what the host works out, and what a GPU gave", "[cuda]") {
  std::ifstream file(YOKE_TEST_KERNELS_DIR "/recorded/h100.txt");
  REQUIRE(file.is_open());
  recording recorded = read_recording(file);
  run_table(device, [&](const kernel_program& program, const kernel_entry& kernel, const std::vector<word>& found) {
    CHECK_THAT(differences_from_host(kernel, found), Equals(""));
    INFO(kernel.name);
    CHECK(recorded.fingerprints[kernel.name] == fingerprint(program, kernel));  // else: record again
    CHECK_THAT(differences(kernel, found, recorded.results[kernel.name], is_simulated(device) ? 1 : 0), Equals(""));
  });
}

TEST_CASE("the table has at least sixty kernels, each with a name of its own and results") {
  std::set<std::string> names;
  std::size_t count = 0;
  for (const kernel_program& program : kernel_table()) {
    for (const kernel_entry& kernel : program.kernels) {
      ++count;
      names.insert(kernel.name);
      INFO(kernel.name);
      CHECK(kernel.output_words() > 0);
    }
  }
  CHECK(names.size() == count);
  CHECK(count >= 60);
}

TEST_CASE("a recording comes back from its file as it was, and a damaged one does not") {
  recording made;
  made.facts["device"] = "a device: the third";
  for (const kernel_program& program : kernel_table()) {
    for (const kernel_entry& kernel : program.kernels) {
      for (const output_column& column : kernel.outputs) {
        for (std::size_t row = 0; row < column.count; ++row) {
          const std::size_t bytes = bytes_of(column.type);
          const word mask = bytes == 8 ? ~word{0} : (word{1} << 8 * bytes) - 1;
          made.results[kernel.name].push_back((row * 0x123456789abcdefull) & mask);
        }
      }
    }
  }
  std::stringstream text;
  write_recording(text, made);
  const recording read = read_recording(text);
  CHECK(read.facts == made.facts);
  CHECK(read.results == made.results);
  const kernel_program& first = kernel_table().front();
  CHECK(read.fingerprints.at(first.kernels.front().name) == fingerprint(first, first.kernels.front()));
  std::stringstream damaged("kernel a 00\n12 3x\n");
  CHECK_THROWS_AS(read_recording(damaged), std::runtime_error);
}

TEST_CASE("differences count units in the last place, and take NaN for NaN") {
  kernel_entry kernel;
  kernel.name = "k";
  kernel.outputs = {
      {"exact", "float", 1}, {"near", "double", 1, 2}, {"rough", "float", 1, 0, 0.5}, {"whole", "int", 1}};
  const auto words = [](float exact, double near, float rough, int whole) {
    return std::vector<word>{word_of(exact), word_of(near), word_of(rough), word_of(whole)};
  };
  const auto wanted = words(1.0F, 1.0, 2.0F, 7);
  CHECK_THAT(differences(kernel, wanted, wanted, 0), Equals(""));
  CHECK_THAT(differences(kernel, words(1.0F, 1.0 + 2 * 0x1p-52, 2.5F, 7), wanted, 0), Equals(""));
  CHECK_THAT(differences(kernel, words(1.0F, 1.0 + 3 * 0x1p-52, 2.0F, 7), wanted, 0), ContainsSubstring("near"));
  CHECK_THAT(differences(kernel, words(1.0F, 1.0 + 3 * 0x1p-52, 2.0F, 7), wanted, 1), Equals(""));
  CHECK_THAT(differences(kernel, words(1.0F + 0x1p-23F, 1.0, 2.0F, 7), wanted, 1), ContainsSubstring("exact"));
  CHECK_THAT(differences(kernel, words(1.0F, 1.0, 2.75F, 7), wanted, 0), ContainsSubstring("rough"));
  CHECK_THAT(differences(kernel, words(1.0F, 1.0, 2.0F, 8), wanted, 1), ContainsSubstring("whole"));
  const auto none = words(std::nanf("1"), std::nan("2"), std::nanf("3"), 7);
  CHECK_THAT(differences(kernel, none, words(-std::nanf(""), std::nan(""), std::nanf(""), 7), 0), Equals(""));
  CHECK_THAT(differences(kernel, none, wanted, 1), ContainsSubstring("exact") && ContainsSubstring("rough"));
  CHECK_THAT(differences(kernel, words(-0.0F, 1.0, 2.0F, 7), words(0.0F, 1.0, 2.0F, 7), 1), ContainsSubstring("exact"));
}

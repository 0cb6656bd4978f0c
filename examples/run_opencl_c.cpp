// SPDX-License-Identifier: MIT
// Runs a kernel of an OpenCL C file on $YOKE_DEVICE; on CUDA the file is translated.
#include <fmt/core.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* usage =
    "usage: example_run_opencl_c FILE KERNEL COUNT [BLOCK]\n"
    "Compiles FILE as OpenCL C on $YOKE_DEVICE, and runs KERNEL(global float* out, global const float* in, int count) "
    "over\n"
    "COUNT threads, BLOCK (64) in a block; or KERNEL(out, in, local float* scratch, int count), with a float of "
    "scratch for\n"
    "each thread of a block. in[i] is i. Prints the first results, their sum and the device.\n";

/// Returns: a whole number from 1 to `most`. Throws: `std::invalid_argument` that names the argument.
int number(const char* name, std::string_view text, int most) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || value < 1 || value > most) {
    throw std::invalid_argument(fmt::format("{} is \"{}\", no whole number from 1 to {}", name, text, most));
  }
  return value;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.is_open() || file.bad()) throw std::invalid_argument("FILE \"" + path + "\" cannot be read");
  if (text.view().empty()) throw std::invalid_argument("FILE \"" + path + "\" is empty, or no file");
  return text.str();
}

/// Effects: runs the kernel, with scratch memory if its signature asks for that. Throws: what the library throws.
void launch(const yoke::module<>& program, const yoke::stream<>& stream, const std::string& kernel, int block,
            const std::vector<float>& in, std::vector<float>& out) {
  const int count = static_cast<int>(in.size());
  const yoke::launch_shape shape = yoke::launch_over(count, block);
  try {
    const auto plain = program.get_kernel<void(float*, const float*, int)>(kernel);
    plain(stream, shape, yoke::in_out(out), yoke::in(in), count);  // zeros where the kernel writes nothing
  } catch (const yoke::logic_error& e) {
    if (e.code() != yoke::errc::signature_mismatch) throw;
    const auto with_scratch = program.get_kernel<void(float*, const float*, yoke::local<float>, int)>(kernel);
    with_scratch(stream, shape, yoke::in_out(out), yoke::in(in), yoke::local<float>(static_cast<std::size_t>(block)),
                 count);
  }
}

int run(const std::vector<std::string>& words) {
  const std::string& path = words[0];
  const int count = number("COUNT", words[2], 1 << 28);
  const int block = words.size() > 3 ? number("BLOCK", words[3], 1024) : 64;

  const yoke::context context;  // $YOKE_DEVICE, else the best device of any backend
  const yoke::stream stream{context};
  const auto program = yoke::compile(context, read(path), {.name = path, .language = yoke::source_language::opencl_c});

  std::vector<float> in(static_cast<std::size_t>(count));
  std::vector<float> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  launch(program, stream, words[1], block, in, out);

  double sum = 0.0;
  for (const float each : out) sum += static_cast<double>(each);
  fmt::print("device: {}\n", stream.device_of().name());
  for (std::size_t i = 0; i < out.size() && i < 8; ++i) fmt::print("out[{}] = {}\n", i, out[i]);
  fmt::print("sum = {}\n", sum);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> words(values + 1, values + count);
  if (words.size() < 3 || words.size() > 4) {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  try {
    return run(words);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}

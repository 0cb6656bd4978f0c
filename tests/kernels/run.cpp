// SPDX-License-Identifier: MIT
// Compiles, launches and compares the kernels of the table, and reads and writes its file.
#include <kernels/inputs.hpp>
#include <kernels/objects.hpp>
#include <kernels/run.hpp>

#include <yoke/core/sha256.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace yoke_test {

namespace {

namespace cu = yoke::cuda;
using signature = void(const unsigned long long*, unsigned long long*);

constexpr unsigned long long untouched = 0xdeadbeefdeadbeefull;

std::string hex(word value, std::size_t digits) {
  std::string text(digits, '0');
  for (std::size_t each = digits; each-- > 0; value >>= 4) text[each] = "0123456789abcdef"[value & 15];
  return text;
}

/// The driver's own call: a grid whose blocks wait for each other.
void launch_together(const cu::stream& stream, const kernel_entry& entry, const cu::kernel<signature>& kernel,
                     const cu::device_allocation<unsigned long long>& in,
                     const cu::device_allocation<unsigned long long>& out) {
  const cu::abi::functions& driver = *stream.context_of().port().table();
  auto in_address = in.native_handle();
  auto out_address = out.native_handle();
  void* arguments[] = {&in_address, &out_address};
  cu::abi::status status = driver.context_push(stream.context_of().native_handle());
  if (status == cu::abi::success) {
    status =
        driver.launch_cooperative_kernel(reinterpret_cast<cu::abi::function>(kernel.native_handle()), entry.grid[0],
                                         entry.grid[1], entry.grid[2], entry.block[0], entry.block[1], entry.block[2],
                                         static_cast<unsigned>(entry.shared_bytes), stream.native_handle(), arguments);
    cu::abi::context popped = nullptr;
    (void)driver.context_pop(&popped);
  }
  if (status != cu::abi::success) throw std::runtime_error("cuLaunchCooperativeKernel: " + std::to_string(status));
}

std::vector<word> run_kernel(const cu::context& context, const cu::module& module, const kernel_entry& entry) {
  const cu::stream stream{context};
  const auto kernel = module.get_kernel<signature>(entry.name);
  const live_objects objects(entry.objects, stream);
  std::vector<unsigned long long> input = objects.numbers();
  input.insert(input.end(), entry.input.begin(), entry.input.end());
  std::vector<unsigned long long> output(entry.output_words() - surface_words(entry), untouched);
  auto in = yoke::to_device(input, stream);
  auto out = yoke::to_device(output, stream);
  cu::launch_shape shape{.grid = {entry.grid[0], entry.grid[1], entry.grid[2]},
                         .block = {entry.block[0], entry.block[1], entry.block[2]}};
  shape.local_bytes = entry.shared_bytes;
  if (entry.cooperative) {
    launch_together(stream, entry, kernel, in, out);
  } else {
    kernel(stream, shape, in, out);
  }
  yoke::copy(out, output, stream);
  std::vector<word> results(output.begin(), output.end());
  objects.read_surfaces(results, stream);
  return results;
}

/// How many values of the type lie between the two, and one more; none between equal ones. Both zeros are one place.
word distance(const std::string& type, word a, word b) {
  const word sign = word{1} << (8 * bytes_of(type) - 1);
  const word far = a & (sign - 1);
  const word near = b & (sign - 1);
  if (((a ^ b) & sign) != 0) return far + near;
  return far < near ? near - far : far - near;
}

bool agree(const output_column& column, word found, word wanted, double host_ulps) {
  if (found == wanted) return true;
  if (!is_real(column.type)) return false;
  const double a = real_of(column.type, found);
  const double b = real_of(column.type, wanted);
  if (std::isnan(a) && std::isnan(b)) return true;
  if (column.ulps == 0 && column.absolute == 0) return false;
  if (std::isnan(a) || std::isnan(b)) return false;
  if (column.absolute > 0 && std::fabs(a - b) <= column.absolute) return true;
  return static_cast<double>(distance(column.type, found, wanted)) <= std::ceil(column.ulps) + host_ulps;
}

std::string shown(const std::string& type, word bits) {
  std::string text = "0x" + hex(bits, 2 * bytes_of(type));
  char number[40];
  if (is_real(type)) {
    std::snprintf(number, sizeof number, " (%.17g)", real_of(type, bits));
    text += number;
  }
  return text;
}

std::string difference(const kernel_entry& kernel, std::size_t index, std::size_t first, const word* found,
                       const std::vector<word>& wanted, double host_ulps) {
  const output_column& column = kernel.outputs[index];
  std::string text;
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < column.count; ++row) {
    if (agree(column, found[row], wanted[first + row], host_ulps)) continue;
    if (++wrong > 2) continue;
    text += "    row " + std::to_string(row) + ": " + shown(column.type, found[row]) + ", wanted " +
            shown(column.type, wanted[first + row]) + "\n";
  }
  if (wrong == 0) return "";
  return "  " + kernel.name + ": " + column.label + ": " + std::to_string(wrong) + " of " +
         std::to_string(column.count) + " differ\n" + text;
}

}  // namespace

std::vector<kernel_outcome> run_program(const cu::context& context, const kernel_program& program,
                                        const std::vector<std::string>& include_folders, std::string& log) {
  std::vector<kernel_outcome> outcomes(program.kernels.size());
  try {
    yoke::compile_options options;
    options.options = {"--fmad=false"};
    if (program.toolkit_headers) options.include_folders = include_folders;
    options.name = program.name + ".cu";
    options.language = program.portable ? yoke::source_language::portable : yoke::source_language::native;
    const cu::module module = yoke::compile(context, program.source(), options);
    log = module.build_log();
    for (std::size_t each = 0; each < outcomes.size(); ++each) {
      try {
        outcomes[each].words = run_kernel(context, module, program.kernels[each]);
      } catch (const std::exception& e) {
        outcomes[each].failure = e.what();
      }
    }
  } catch (const yoke::compile_error& e) {
    log = e.log();
    for (kernel_outcome& each : outcomes) each.failure = e.what();
  } catch (const std::exception& e) {
    for (kernel_outcome& each : outcomes) each.failure = e.what();
  }
  return outcomes;
}

std::string differences(const kernel_entry& kernel, const std::vector<word>& found, const std::vector<word>& wanted,
                        double host_ulps) {
  if (found.size() != wanted.size()) return "  " + kernel.name + ": another number of results\n";
  std::string text;
  std::size_t first = 0;
  for (std::size_t each = 0; each < kernel.outputs.size(); ++each) {
    text += difference(kernel, each, first, found.data() + first, wanted, host_ulps);
    first += kernel.outputs[each].count;
  }
  return text;
}

std::string differences_from_host(const kernel_entry& kernel, const std::vector<word>& found) {
  std::string text;
  std::size_t first = 0;
  for (std::size_t each = 0; each < kernel.outputs.size(); ++each) {
    const output_column& column = kernel.outputs[each];
    if (!column.expected.empty()) text += difference(kernel, each, 0, found.data() + first, column.expected, 1);
    first += column.count;
  }
  return text;
}

std::string fingerprint(const kernel_program& program, const kernel_entry& kernel) {
  std::ostringstream text;
  text << program.before << '\n' << kernel.source << '\n' << kernel.shared_bytes << ' ' << kernel.cooperative << '\n';
  for (const auto& extents : {kernel.grid, kernel.block}) {
    for (const unsigned each : extents) text << each << ' ';
  }
  for (const word each : kernel.input) text << each << ' ';
  for (const kernel_object& each : kernel.objects) {
    text << static_cast<int>(each.of) << each.has_levels << each.is_surface << yoke::detail::sampler_code(each.by)
         << ' ';
  }
  const std::string all = text.str();
  const auto digest = yoke::detail::sha256(std::as_bytes(std::span(all.data(), all.size())));
  std::string result;
  for (std::size_t each = 0; each < 8; ++each) result += hex(std::to_integer<word>(digest[each]), 2);
  return result;
}

void write_recording(std::ostream& out, const recording& results) {
  out << "# Results of the kernel table on a GPU, written by yoke_kernel_table --record. Not to be edited.\n";
  for (const auto& [name, value] : results.facts) out << "fact " << name << ": " << value << '\n';
  for (const kernel_program& program : kernel_table()) {
    for (const kernel_entry& kernel : program.kernels) {
      const auto found = results.results.find(kernel.name);
      if (found == results.results.end()) continue;
      out << "kernel " << kernel.name << ' ' << fingerprint(program, kernel) << '\n';
      std::size_t next = 0;
      for (const output_column& column : kernel.outputs) {
        for (std::size_t row = 0; row < column.count; ++row) {
          out << (row == 0 ? "" : " ") << hex(found->second[next++], 2 * bytes_of(column.type));
        }
        out << '\n';
      }
    }
  }
}

recording read_recording(std::istream& in) {
  recording result;
  std::string line;
  std::string kernel;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line);
    std::string first;
    if (line.empty() || line[0] == '#') continue;
    if (line.rfind("fact ", 0) == 0) {
      const std::size_t colon = line.find(": ");
      if (colon == std::string::npos) throw std::runtime_error("line " + std::to_string(number) + ": no fact");
      result.facts[line.substr(5, colon - 5)] = line.substr(colon + 2);
    } else if (line.rfind("kernel ", 0) == 0) {
      std::string print;
      if (!(words >> first >> kernel >> print))
        throw std::runtime_error("line " + std::to_string(number) + ": no kernel");
      result.fingerprints[kernel] = print;
    } else {
      std::vector<word>& values = result.results[kernel];
      for (std::string value; words >> value;) {
        std::size_t used = 0;
        values.push_back(std::stoull(value, &used, 16));
        if (used != value.size()) throw std::runtime_error("line " + std::to_string(number) + ": not hex: " + value);
      }
    }
  }
  return result;
}

}  // namespace yoke_test

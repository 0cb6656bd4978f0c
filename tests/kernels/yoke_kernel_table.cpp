// SPDX-License-Identifier: MIT
// Records what a GPU makes of the table of kernels, compares a device with a recording, or only compiles.
#include <kernels/run.hpp>
#include <support/nvrtc.hpp>

#include <yoke/language/cuda_prelude.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

namespace {

namespace cu = yoke::cuda;
using yoke_test::kernel_program;

constexpr const char* usage =
    "usage: yoke_kernel_table MODE [OPTION...]\n"
    "  --record FILE    run every kernel, write the results\n"
    "  --compare FILE   run every kernel, compare with the results in FILE\n"
    "  --check          run every kernel, compare with what the host works out\n"
    "  --compile-only   compile every program with NVRTC for sm_90, without a device; 77: there is no NVRTC\n"
    "  --list           print the names of the kernels\n"
    "  --sources        print the text of every program\n"
    "options:\n"
    "  --device SPEC    the device, as in YOKE_DEVICE; cuda:0 by default\n"
    "  --include FOLDER where the toolkit's headers are; /usr/local/cuda/include and its cccl by default\n"
    "Exit status 1: something failed or differs; 2: wrong arguments.\n";

struct arguments {
  std::string mode, file;
  std::string device = "cuda:0";
  std::vector<std::string> include_folders;
};

bool parse(int count, char** values, arguments& result) {
  for (int each = 1; each < count; ++each) {
    const std::string word = values[each];
    const bool takes_value = word == "--record" || word == "--compare" || word == "--device" || word == "--include";
    if (takes_value && ++each >= count) return false;
    if (word == "--device") {
      result.device = values[each];
    } else if (word == "--include") {
      result.include_folders.emplace_back(values[each]);
    } else if (word == "--record" || word == "--compare" || word == "--check" || word == "--compile-only" ||
               word == "--list" || word == "--sources") {
      if (!result.mode.empty()) return false;
      result.mode = word;
      if (takes_value) result.file = values[each];
    } else {
      return false;
    }
  }
  if (result.include_folders.empty()) {
    result.include_folders = {"/usr/local/cuda/include", "/usr/local/cuda/include/cccl"};
  }
  return !result.mode.empty();
}

/// Returns: 1 for a program that NVRTC refuses, or makes without one of its kernels; its log is printed.
int compile_one(const cu::abi::nvrtc_functions& nvrtc, const kernel_program& program,
                const std::vector<std::string>& include_folders) {
  std::vector<std::string> options = {"--std=c++17", "--gpu-architecture=sm_90", "--fmad=false"};
  if (program.portable) options.emplace_back("--device-as-default-execution-space");
  for (const std::string& each : include_folders) options.push_back("--include-path=" + each);
  const std::string source =
      (program.portable ? std::string(cu::detail::prelude_text) + "#line 1\n" : std::string()) + program.source();
  const auto result = yoke_test::compile_with(nvrtc, program.name, source, options);
  bool fine = result.compiled;
  for (const yoke_test::kernel_entry& each : program.kernels) fine = fine && result.has_kernel(each.name);
  std::printf("%s %s\n%s", fine ? "ok    " : "FAILED", program.name.c_str(), result.log.c_str());
  if (!result.log.empty()) std::printf("\n");
  return fine ? 0 : 1;
}

int compile_only(const arguments& given) {
  std::string reason;
  const auto* const nvrtc = cu::detail::find_nvrtc(reason);
  if (nvrtc == nullptr) {
    std::printf("no NVRTC: %s\n", reason.c_str());
    return 77;
  }
  std::printf("%s, version %d\n", nvrtc->name.c_str(), nvrtc->version);
  int failed = 0;
  for (const kernel_program& each : yoke_test::kernel_table()) {
    failed += compile_one(nvrtc->table, each, given.include_folders);
  }
  std::printf("%d of %zu programs failed\n", failed, yoke_test::kernel_table().size());
  return failed == 0 ? 0 : 1;
}

std::map<std::string, std::string> facts_of(const cu::device& device) {
  const auto* const nvrtc = &cu::detail::default_nvrtc(yoke::source_location::current());
  int driver = 0;
  (void)device.port().table()->driver_get_version(&driver);
  return {{"device", device.name()},
          {"compute capability", std::to_string(cu::get(device, cu::info::compute_capability_major)) + "." +
                                     std::to_string(cu::get(device, cu::info::compute_capability_minor))},
          {"driver", std::to_string(driver)},
          {"nvrtc", std::to_string(nvrtc->version)}};
}

/// What a child process reports of the kernels that it ran.
struct part {
  yoke_test::recording results;
  std::vector<std::string> failed;
  int differing = 0;
};

/// Effects: runs a program's kernels on the device and prints what is wrong. Throws: when there is no device.
part run_part(const arguments& given, const kernel_program& program, const yoke_test::recording& before) {
  const cu::device device = cu::select_devices(given.device).at(0);
  const bool simulated = device.name().find("simulator") != std::string::npos;
  part done;
  done.results.facts = facts_of(device);
  const cu::context context{device};
  std::string log;
  const auto outcomes =
      yoke_test::run_program(context, program, simulated ? std::vector<std::string>() : given.include_folders, log);
  if (!log.empty()) std::printf("%s: %s\n", program.name.c_str(), log.c_str());
  for (std::size_t each = 0; each < outcomes.size(); ++each) {
    const yoke_test::kernel_entry& kernel = program.kernels[each];
    if (!outcomes[each].failure.empty()) {
      done.failed.push_back(kernel.name);
      std::printf("FAILED %s %s: %s\n", program.name.c_str(), kernel.name.c_str(), outcomes[each].failure.c_str());
      continue;
    }
    std::string wrong = yoke_test::differences_from_host(kernel, outcomes[each].words);
    if (given.mode == "--compare") {
      const auto print = before.fingerprints.find(kernel.name);
      if (print == before.fingerprints.end() || print->second != yoke_test::fingerprint(program, kernel)) {
        wrong += "  " + kernel.name + ": the recording is not of this kernel; record again\n";
      } else {
        wrong +=
            yoke_test::differences(kernel, outcomes[each].words, before.results.at(kernel.name), simulated ? 1 : 0);
      }
    }
    done.differing += wrong.empty() ? 0 : 1;
    std::printf("%s", wrong.c_str());
    done.results.results[kernel.name] = outcomes[each].words;
  }
  return done;
}

constexpr int no_device = 3;

/// Effects: the same in a process of its own, because what a failed kernel leaves of a context is of no use to others.
/// Returns: the part; a process that ends otherwise leaves every kernel in it failed.
part run_apart(const arguments& given, const kernel_program& program, const yoke_test::recording& before) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  if (file == nullptr) throw std::runtime_error("no temporary file can be made");
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) {
    ::alarm(120);  // a kernel that hangs
    int status = 1;
    try {
      const part done = run_part(given, program, before);
      std::ostringstream text;
      for (const std::string& each : done.failed) text << "failed " << each << '\n';
      text << "differing " << done.differing << '\n';
      yoke_test::write_recording(text, done.results);
      status = std::fputs(text.str().c_str(), file.get()) < 0 || std::fflush(file.get()) != 0 ? 1 : 0;
    } catch (const yoke::unsupported_error& e) {
      std::printf("%s\n", e.what());
      status = no_device;
    } catch (const std::exception& e) {
      std::printf("%s\n", e.what());
    }
    std::fflush(stdout);
    ::_exit(status);
  }
  int status = 0;
  (void)::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == no_device) throw std::runtime_error("there is no such device");
  part done;
  if (status != 0) {
    std::printf("FAILED %s: its process ended with status %#x\n", program.name.c_str(), static_cast<unsigned>(status));
    for (const yoke_test::kernel_entry& each : program.kernels) done.failed.push_back(each.name);
    return done;
  }
  std::rewind(file.get());
  std::string text;
  for (int letter; (letter = std::fgetc(file.get())) != EOF;) text += static_cast<char>(letter);
  std::istringstream lines(text);
  for (std::string first; lines.peek() != '#' && lines >> first;) {
    if (first == "failed") lines >> done.failed.emplace_back();
    if (first == "differing") lines >> done.differing;
    lines.ignore();
  }
  done.results = yoke_test::read_recording(lines);
  return done;
}

int run(const arguments& given) {
  yoke_test::recording before;
  if (given.mode == "--compare") {
    std::ifstream file(given.file);
    if (!file) throw std::runtime_error("cannot read " + given.file);
    before = yoke_test::read_recording(file);
  }
  yoke_test::recording now;
  std::size_t failed = 0;
  int differing = 0;
  const auto take = [&](const part& done) {
    differing += done.differing;
    now.facts.insert(done.results.facts.begin(), done.results.facts.end());
    now.results.insert(done.results.results.begin(), done.results.results.end());
  };
  for (const kernel_program& program : yoke_test::kernel_table()) {
    const part together = run_apart(given, program, before);
    take(together);
    // One of them may have broken the context for those after it: each gets another chance by itself.
    for (const yoke_test::kernel_entry& kernel : program.kernels) {
      if (std::find(together.failed.begin(), together.failed.end(), kernel.name) == together.failed.end()) continue;
      kernel_program alone = program;
      alone.kernels = {kernel};
      std::printf("%s by itself:\n", kernel.name.c_str());
      const part again = run_apart(given, alone, before);
      take(again);
      failed += again.failed.size();
    }
  }
  for (const auto& [name, value] : now.facts) std::printf("%s: %s\n", name.c_str(), value.c_str());
  std::printf("%zu kernels ran, %zu failed, %d differ\n", now.results.size(), failed, differing);
  if (given.mode == "--record") {
    std::ofstream file(given.file);
    yoke_test::write_recording(file, now);
    if (!file.flush()) throw std::runtime_error("cannot write " + given.file);
    return failed == 0 ? 0 : 1;
  }
  return failed == 0 && differing == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  try {
    arguments given;
    if (!parse(count, values, given)) {
      std::fputs(usage, stderr);
      return 2;
    }
    if (given.mode == "--compile-only") return compile_only(given);
    if (given.mode == "--list" || given.mode == "--sources") {
      for (const kernel_program& program : yoke_test::kernel_table()) {
        if (given.mode == "--sources") std::printf("%s", program.source().c_str());
        for (const auto& kernel : program.kernels) {
          if (given.mode == "--list") std::printf("%s %s\n", program.name.c_str(), kernel.name.c_str());
        }
      }
      return 0;
    }
    return run(given);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

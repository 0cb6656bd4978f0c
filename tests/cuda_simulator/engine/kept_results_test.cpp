// SPDX-License-Identifier: MIT
// YOKE_SIMULATOR_CACHE: results of compiling and linking are taken from there, damaged or foreign files are not.
#include <engine/binary/architectures.hpp>
#include <engine/compile/kept_results.hpp>
#include <engine/compile/linker.hpp>
#include <engine/launch/services.hpp>
#include <support/process/child.hpp>
#include <support/process/temporary_folder.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <sys/stat.h>
#include <cuda_simulator/simulator.hpp>

using namespace yoke_test;
namespace fs = std::filesystem;
using simulator::compile_status;

namespace {

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

simulator::compile_request request_of(const std::string& variant, const std::string& folder) {
  simulator::compile_request request;
  request.file_name = "kept.cu";
  request.source = "#include \"own.h\"\nextern \"C\" __global__ void k(int* a) { a[0] = OWN + GIVEN; }\n";
  request.headers = {{"own.h", "#define OWN 3\n"}};
  request.options = {"-DGIVEN=4"};
  const auto is = [&](const char* which) { return variant == which; };
  if (is("source")) request.source += "// more\n";
  if (is("file name")) request.file_name = "other.cu";
  if (is("header")) request.headers[0].second = "#define OWN 5\n";
  if (is("option")) request.options = {"-DGIVEN=5"};
  if (is("one option more")) request.options.emplace_back("-G");
  if (is("expression")) request.name_expressions = {"k"};
  if (is("capability")) request.compute_capability = 80;
  if (is("another version")) request.cuda_version = 12040;
  if (is("other limits")) request.cuda_version = 12000;
  if (is("large") || is("too large")) {
    request.source += "struct large { char all[5000]; };\n__global__ void takes(large) {}\n";
    request.cuda_version = is("large") ? 13000 : 12000;  // 4096 bytes before 12.1
  }
  if (is("shown version") || is("shown 12.4")) request.source += "// __CUDACC_VER_MAJOR__\n";
  if (is("shown 12.4")) request.cuda_version = 12040;
  if (is("own by macro")) request.source.replace(0, 16, "#define NAME \"own.h\"\n#include NAME");
  if (is("served")) request.source = "#include <cuda_fp16.h>\n" + request.source;
  if (is("served beside a folder")) request.options.push_back("-I" + folder);
  if (is("time")) request.source += "// __TIME__\n";
  if (is("from a folder")) {
    request.source.insert(0, "#include \"theirs.h\"\n");
    request.options = {"-I" + folder, "-DGIVEN=THEIRS"};
  }
  if (is("in front")) request.options = {"--include-path=" + folder, "--pre-include=theirs.h", "-DGIVEN=THEIRS"};
  if (is("by a path")) {
    request.source.insert(0, "#include \"" + folder + "/theirs.h\"\n");
    request.options = {"-DGIVEN=THEIRS"};
  }
  if (is("asked by a path")) request.source += "#if __has_include(\"" + folder + "/theirs.h\")\n#endif\n";
  if (is("broken")) request.source += "int f() { return missing; }\n";
  if (is("missing header")) request.source += "#include \"none.h\"\n";
  return request;
}

int answer_of(const std::string& image) {
  std::string error;
  const auto loaded = simulator::image::load(image, simulator::engine_services, error);
  if (loaded == nullptr || loaded->find_kernel("k") == nullptr) throw std::runtime_error("no kernel: " + error);
  int value = 0;
  int* const pointer = &value;
  const void* const arguments[] = {&pointer, nullptr};
  const auto ran = simulator::launch(simulator_pool(), *loaded->find_kernel("k"), shape_of(1, 1), arguments);
  if (!ran.text.empty()) throw std::runtime_error(ran.text);
  return value;
}

/// Effects: what the child does; its last line is what it got.
void compile_variant(const std::string& variant, const std::string& folder) {
  if (variant == "link") {
    const auto one =
        compile_text("extern __device__ int f();\nextern \"C\" __global__ void k(int* a) { *a = f(); }", {"-rdc=true"});
    const auto two = compile_text("__device__ int f() { return 7; }", {"-rdc=true"});
    write(folder + "/calls", "");  // those of the link alone count
    const auto made = simulator::link_images({{"one", one.ptx}, {"two", two.ptx}}, 90, 13000);
    INFO(one.log << two.log << made.log);
    CHECK(answer_of(made.image) == 7);
    CHECK(answer_of(made.ptx) == 7);
    return;
  }
  const auto request = request_of(variant, folder);
  const auto got = simulator::compile(request);
  INFO(got.log);
  const std::map<std::string, std::string> errors{{"broken", "kept.cu(3): error: "},
                                                  {"missing header", "none.h"},
                                                  {"too large", "takes too many bytes of parameters"}};
  if (const auto error = errors.find(variant); error != errors.end()) {
    CHECK(got.status == compile_status::compile_error);
    CHECK_THAT(got.log, ContainsSubstring(error->second));
    CHECK(got.image.empty());
    return;
  }
  REQUIRE(got.status == compile_status::success);
  CHECK(answer_of(got.image) == std::atoi(std::getenv("YOKE_TEST_ANSWER")));
  CHECK(answer_of(got.ptx) == std::atoi(std::getenv("YOKE_TEST_ANSWER")));
  CHECK(got.lowered_names.size() == request.name_expressions.size());
  for (const auto& each : got.lowered_names) CHECK(each == std::pair<std::string, std::string>{"k", "k"});
}

/// A cache, and a compiler that notes each time it is called.
class kept_rig {
 public:
  explicit kept_rig(std::string test) : test_(std::move(test)) { write_compiler(); }

  void write_compiler() const {
    write(path("c++"), "#!/bin/sh\necho \"$@\" >> " + path("calls") + "\nexec c++ \"$@\"\n");
    REQUIRE(::chmod(path("c++").c_str(), 0700) == 0);
  }
  std::string path(const std::string& name) const { return folder_.path().string() + "/" + name; }

  /// Effects: compiles in a process of its own. Returns: how often the compiler was called.
  std::size_t calls(const std::string& variant, int answer = 7, const std::string& optimise = "1") {
    write(path("calls"), "");
    const child_result child = run_child(test_, {{"YOKE_SIMULATOR_COMPILER", path("c++")},
                                                 {"YOKE_SIMULATOR_CACHE", path("cache")},
                                                 {"YOKE_SIMULATOR_OPTIMISE", optimise},
                                                 {"YOKE_TEST_VARIANT", variant},
                                                 {"YOKE_TEST_FOLDER", folder_.path().string()},
                                                 {"YOKE_TEST_ANSWER", std::to_string(answer)}});
    output = child.output;
    INFO(variant << ": " << child.output);
    CHECK(child.status == 0);
    commands = read(path("calls"));
    return static_cast<std::size_t>(std::count(commands.begin(), commands.end(), '\n'));
  }

  std::string output;
  std::string commands;

 private:
  std::string test_;
  temporary_folder folder_;
};

bool ran_as_child(const std::string& name) {
  if (!is_child(name)) return false;
  compile_variant(std::getenv("YOKE_TEST_VARIANT"), std::getenv("YOKE_TEST_FOLDER"));
  return true;
}

}  // namespace

TEST_CASE("what was compiled is taken from the cache, and what differs is not") {
  const std::string name = "what was compiled is taken from the cache, and what differs is not";
  if (ran_as_child(name)) return;
  kept_rig on(name);
  CHECK(on.calls("base") > 0);
  CHECK(on.calls("base") == 0);
  for (const char* variant : {"another version", "other limits"})
    CHECK(on.calls(variant) == 0);  // it would give the same
  const std::pair<const char*, int> others[] = {
      {"source", 7},          {"file name", 7},  {"header", 9},       {"option", 8},
      {"one option more", 7}, {"expression", 7}, {"capability", 7},   {"shown version", 7},
      {"shown 12.4", 7},      {"served", 7},     {"own by macro", 7}, {"served beside a folder", 7}};
  for (const auto& [variant, answer] : others) {
    INFO(variant);
    CHECK(on.calls(variant, answer) > 0);
    CHECK(on.calls(variant, answer) == 0);
  }
  CHECK(on.calls("base") == 0);
  for (const std::string level : {"0", "2"}) {
    INFO("-O" << level);
    CHECK(on.calls("base", 7, level) > 0);
    CHECK_THAT(on.commands, ContainsSubstring(" -O" + level + " "));
    CHECK(on.calls("base", 7, level) == 0);
  }
  CHECK(on.calls("base", 7, "fast") == 0);  // is no level, so the default stands
}

TEST_CASE("what reads the user's files, or the time, is compiled each time") {
  const std::string name = "what reads the user's files, or the time, is compiled each time";
  if (ran_as_child(name)) return;
  kept_rig on(name);
  for (const char* variant : {"time", "asked by a path"}) {
    INFO(variant);
    CHECK(on.calls(variant) > 0);
    CHECK(on.calls(variant) > 0);
  }
  for (const char* variant : {"from a folder", "in front", "by a path"}) {
    INFO(variant);
    write(on.path("theirs.h"), "#define THEIRS 10\n");
    CHECK(on.calls(variant, 13) > 0);
    write(on.path("theirs.h"), "#define THEIRS 20\n");
    CHECK(on.calls(variant, 23) > 0);
  }
}

TEST_CASE("errors of a source are kept, those of its surroundings are not") {
  const std::string name = "errors of a source are kept, those of its surroundings are not";
  if (ran_as_child(name)) return;
  kept_rig on(name);
  CHECK(on.calls("broken") > 0);
  CHECK(on.calls("broken") == 0);
  CHECK(on.calls("missing header") > 0);
  CHECK(on.calls("missing header") > 0);
  CHECK(on.calls("too large") > 0);
  CHECK(on.calls("large") > 0);
  CHECK(on.calls("large") == 0);
  CHECK(on.calls("too large") > 0);
  CHECK(on.calls("large") == 0);
}

TEST_CASE("what was linked is taken from the cache") {
  const std::string name = "what was linked is taken from the cache";
  if (ran_as_child(name)) return;
  kept_rig on(name);
  CHECK(on.calls("link") > 0);
  CHECK(on.calls("link") == 0);
}

TEST_CASE("damaged files and another compiler's are compiled anew") {
  const std::string name = "damaged files and another compiler's are compiled anew";
  if (ran_as_child(name)) return;
  kept_rig on(name);
  CHECK(on.calls("base") > 0);
  REQUIRE(on.calls("base") == 0);
  const auto file = fs::directory_iterator(on.path("cache"))->path();
  const std::string whole = read(file);
  REQUIRE(whole.size() > 1000);
  std::vector<std::string> wrong{"", whole.substr(0, 20), whole.substr(0, whole.size() - 1), whole + "x"};
  for (const std::size_t at : {std::size_t{0}, std::size_t{16}, std::size_t{30}, whole.size() / 2, whole.size() - 1}) {
    wrong.push_back(whole);
    wrong.back()[at] ^= 1;
  }
  for (const std::string& each : wrong) {
    write(file, each);
    CHECK(on.calls("base") > 0);
    CHECK(on.calls("base") == 0);
  }
  on.write_compiler();  // the same path, another file
  CHECK(on.calls("base") > 0);
}

TEST_CASE("a folder that others may write to keeps nothing, which is said") {
  const std::string name = "a folder that others may write to keeps nothing, which is said";
  if (ran_as_child(name)) return;
  kept_rig on(name);
  fs::create_directory(on.path("cache"));
  REQUIRE(::chmod(on.path("cache").c_str(), 0777) == 0);
  for (int round = 0; round < 2; ++round) {
    CHECK(on.calls("base") > 0);
    CHECK_THAT(on.output, ContainsSubstring("YOKE_SIMULATOR_CACHE is \"" + on.path("cache") +
                                            "\", expected is the absolute path of a folder that only this user"));
  }
  CHECK(fs::is_empty(on.path("cache")));
  fs::remove(on.path("cache"));
  fs::create_directory(on.path("elsewhere"));
  fs::create_symlink(on.path("elsewhere"), on.path("cache"));
  CHECK(on.calls("base") > 0);
  CHECK(fs::is_empty(on.path("elsewhere")));
}

TEST_CASE("a text depends on itself alone unless it names a file of the user, or the time") {
  const auto alone = [](const std::string& text) {
    return simulator::depends_on_itself_alone(text, [](const std::string& name) { return name == "known.h"; });
  };
  for (const char* text :
       {"", "include", "int include;", "// what they include, and \"why\"", "#include <known.h>",
        "#include \"known.h\"", "  #  include\t<known.h>\n", "#if __has_include(<known.h>)\n#endif",
        "#define H <known.h>\n#include H\n", "#define H \"known.h\"\n#undef H\n#define H <known.h>\n#include H",
        "#in\\\nclude <known.h>"}) {
    INFO(text);
    CHECK(alone(text));
  }
  for (const char* text :
       {"#include <other.h>", "#include \"/known.h\"", "#include \"../known.h\"", "#include <known.h\n>", "#include <",
        "%:include <other.h>", "#in\\\nclude <other.h>", "#include H", "#define H <other.h>\n#include H",
        "#define H <known.h>\n#define H other\n#include H", "#define H(x) <x>\n#include H(known.h)",
        "#define H <known.h>\n#include H H", "#if __has_include(<other.h>)\n#endif", "#include_next <other.h>",
        "#if __has_include(H)\n#endif", "__DATE__", "a = __TIME__;", "__TIMESTAMP__", "asm(\".incbin \\\"a\\\"\");"}) {
    INFO(text);
    CHECK(!alone(text));
  }
}

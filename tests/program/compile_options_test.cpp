// SPDX-License-Identifier: MIT
// Options from the environment, and what a compilation leaves in a folder.
#include <program/cache/cache_folder.hpp>
#include <program/compiling.hpp>
#include <support/devices/languages.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;

namespace {

using words = std::vector<std::string>;

words split(std::string_view value) { return yoke::detail::split_options("YOKE_CUDA_OPTIONS", value, {}); }
std::string refused_split(std::string_view value) {
  return refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)split(value); });
}

const std::string answer = "YOKE_KERNEL f(YOKE_GLOBAL int* out) { out[0] = ANSWER; }";

/// Effects: runs the current test in a child with these options for either backend. Returns: whether this is the child.
bool in_child(const std::string& options) {
  const std::string name = current_test_name();
  if (is_child(name)) return true;
  const child_result child = run_child(name, {{"YOKE_OPENCL_OPTIONS", options}, {"YOKE_CUDA_OPTIONS", options}});
  INFO(child.output);
  CHECK(child.status == 0);
  return false;
}

template <class Backend>
std::string variable_of(const rig<Backend>&) {
  return std::string_view(Backend::name) == "opencl" ? "YOKE_OPENCL_OPTIONS" : "YOKE_CUDA_OPTIONS";
}

}  // namespace

TEST_CASE("options of a variable are split as a shell does", "[program]") {
  CHECK(split("").empty());
  CHECK(split(" \t\n ").empty());
  CHECK(split("-a  -b\t-c\n") == words{"-a", "-b", "-c"});
  CHECK(split("-DT='a b' \"-I/x y\"") == words{"-DT=a b", "-I/x y"});
  CHECK(split(R"(-DA=\" a\ b '\' "\"\\\n" '')") == words{"-DA=\"", "a b", "\\", "\"\\\\n", ""});
  CHECK(refused_split("-a 'b").starts_with("YOKE_CUDA_OPTIONS is \"-a 'b\", in which a ' is not closed"));
  CHECK(refused_split("-a \"b\\\"").starts_with("YOKE_CUDA_OPTIONS is \"-a \"b\\\"\", in which a \" is not closed"));
  CHECK(refused_split("-a \\").starts_with("YOKE_CUDA_OPTIONS is \"-a \\\", which ends in a backslash"));
}

TEST_CASE("options of a variable stand back behind the caller's", "[program]") {
  const auto joined = [](const words& defaults, const words& own) {
    return yoke::detail::joined_options(defaults, own);
  };
  CHECK(joined({"-a", "-b"}, {"-c"}) == words{"-a", "-b", "-c"});
  CHECK(joined({"-DN=4", "-DM", "-G"}, {"-DN=5", "-G"}) == words{"-DM", "-DN=5", "-G"});
  CHECK(joined({"--std=c++20"}, {"-std=c++14"}) == words{"-std=c++14"});
  CHECK(joined({"-arch=sm_80"}, {"--gpu-architecture=sm_90"}) == words{"--gpu-architecture=sm_90"});
  CHECK(joined({"-cl-std=CL2.0"}, {"-cl-std=CL1.2"}) == words{"-cl-std=CL1.2"});
  CHECK(joined({"--include-path=/a", "--include-path=/b"}, {"--include-path=/b"}) ==
        words{"--include-path=/a", "--include-path=/b"});
  yoke::compile_options options;
  options.standard = "CL1.2";
  options.options = {"-DOWN"};
  const auto request = yoke::detail::make_request(opencl_language(), "", options, {}, {"-cl-std=CL2.0", "-DTHEIRS"});
  CHECK(request.options == words{"-DTHEIRS", "-DOWN"});
}

TEST_CASE("several options in one string are one each, but within quotes", "[program]") {
  const auto passed = [](const words& given) {
    yoke::compile_options options;
    options.options = given;
    const words by_cuda = yoke::detail::make_request(cuda_language(), "", options, {}).options;
    CHECK(yoke::detail::make_request(opencl_language(), "", options, {}).options == by_cuda);
    return by_cuda;
  };
  CHECK(passed({"-DT=float -DN=4", "-G"}) == words{"-DT=float", "-DN=4", "-G"});
  CHECK(passed({"-DA \t-DB --std=c++17  -I a"}) == words{"-DA", "-DB", "--std=c++17", "-I a"});
  CHECK(passed({"-DT=unsigned int", "-DLESS=a -1", "-DB=a - b"}) ==
        words{"-DT=unsigned int", "-DLESS=a -1", "-DB=a - b"});
  CHECK(passed({"-DS=\"a -b\" -DT='c -d'"}) == words{"-DS=\"a -b\"", "-DT='c -d'"});
  CHECK(passed({" -DA"}) == words{"-DA"});
  CHECK(passed({"-DA=1 -", "-DB -"}) == words{"-DA=1 -", "-DB -"});
}

YOKE_DEVICE_TEST_CASE("definitions in one string are those of a list", "[program]") {
  rig on(device);
  CHECK(result_of(on, "YOKE_KERNEL f(YOKE_GLOBAL T* out) { out[0] = N; }", {.options = {"-DT=int -DN=4"}}) == 4);
}

YOKE_DEVICE_TEST_CASE("options of the environment reach the compiler, and the caller's win", "[program]") {
  if (!in_child("-D ANSWER=41 -DOTHER")) return;
  rig on(device);
  CHECK(result_of(on, answer) == 41);
  CHECK(result_of(on, answer, {.options = {"-DANSWER=42"}}) == 42);
  const yoke::any_port any{device.port()};  // the backend's variable is that of the port chosen at run time
  const yoke::context<> any_context{yoke::device<>::borrow(any, any.devices({}).front())};
  CHECK_NOTHROW(yoke::compile(any_context, "#if ANSWER != 41\n#error\n#endif\n" + answer));
  const yoke::compile_error refused = failed_build(on, "nonsense", {.options = {"-DMINE"}});
  CHECK_THAT(refused.options(), ContainsSubstring("-DANSWER=41 -DOTHER -DMINE"));
}

YOKE_DEVICE_TEST_CASE("a variable that cannot be read is named", "[program]") {
  if (!in_child("-DA='x")) return;
  rig on(device);
  const std::string message =
      refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] { (void)yoke::compile(on.context, answer); });
  CHECK(message.starts_with(variable_of(on) + " is \"-DA='x\", in which a ' is not closed"));
}

YOKE_DEVICE_TEST_CASE("another option of the environment is another program to a cache", "[program][cache]") {
  const std::string name = current_test_name();
  if (is_child(name)) {
    rig on(device);
    const yoke::program_cache cache{{.folder = std::getenv("YOKE_TEST_CACHE")}, {}};
    const int expected = std::atoi(std::getenv("YOKE_TEST_ANSWER"));
    CHECK(result_of(on, answer, {.cache = &cache}) == expected);
    CHECK(cache.last_not_kept().empty());
    CHECK(cache.counters().from_disk == (std::getenv("YOKE_TEST_AGAIN") == std::string("yes") ? 1 : 0));
    return;
  }
  const scratch_folder scratch;
  for (const auto& [value, again] : {std::pair{"1", "no"}, {"2", "no"}, {"1", "yes"}}) {
    const std::string option = std::string("-DANSWER=") + value;
    const child_result child = run_child(name, {{"YOKE_OPENCL_OPTIONS", option},
                                                {"YOKE_CUDA_OPTIONS", option},
                                                {"YOKE_TEST_CACHE", scratch / "cache"},
                                                {"YOKE_TEST_ANSWER", value},
                                                {"YOKE_TEST_AGAIN", again}});
    INFO(child.output);
    CHECK(child.status == 0);
  }
}

TEST_CASE("options that OpenCL cannot carry are refused by the variable's name", "[program]") {
  const std::string name = current_test_name();
  if (!is_child(name)) {
    for (const char* const value : {"'-DT=a b'", "-DT=\\\"x\\\"", "''"}) {
      const child_result child =
          run_child(name, {{"YOKE_OPENCL_OPTIONS", value}, {"YOKE_CUDA_OPTIONS", "'-DT=a b' -arch sm_90"}});
      INFO(child.output);
      CHECK(child.status == 0);
    }
    return;
  }
  const auto of = [](const yoke::kernel_language& language) { return yoke::detail::default_options(language, {}); };
  CHECK(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
          (void)of(opencl_language());
        }).starts_with("YOKE_OPENCL_OPTIONS has \""));
  CHECK(of(cuda_language()) == words{"-DT=a b", "-arch=sm_90"});
  CHECK(of({}).empty());
}

namespace {

std::string kept(const std::string& folder, const std::string& file) { return contents(folder + "/" + file); }

template <class Backend>
std::string ending(const rig<Backend>&) {
  return std::string_view(Backend::name) == "opencl" ? ".cl" : ".cu";
}

}  // namespace

YOKE_DEVICE_TEST_CASE("a compilation is kept in a folder of its own", "[program]") {
  rig on(device);
  const scratch_folder scratch;
  const std::string folder = scratch / "new/kept";
  yoke::compile_options options{.options = {"-DOTHER=6"}, .defines = {{"ANSWER", 7}}, .keep = folder};
  const auto module = yoke::compile(on.context, answer, options);
  const std::string own = module.kept_folder();
  CHECK(own.starts_with(folder + "/kernel" + ending(on) + "-"));
  CHECK(own.size() == folder.size() + 1 + 9 + 1 + 16);
  CHECK(kept(own, "source" + ending(on)) == answer);
  const std::string compiled = kept(own, "compiled" + ending(on));
  CHECK_THAT(compiled, ContainsSubstring("#define ANSWER 7\n#line 1 \"kernel") && ContainsSubstring(answer));
  CHECK_THAT(kept(own, "options.txt"), ContainsSubstring("-DOTHER=6") && ContainsSubstring("std="));
  CHECK(fs::exists(own + "/log.txt"));
  CHECK(kept(own, "log.txt") == module.build_log());
  const auto files = files_below(own, "binary.");
  REQUIRE(files.size() == 1);
  const auto exported = module.export_binary();
  const std::string all(reinterpret_cast<const char*>(exported.data()), exported.size());
  CHECK(kept(own, files[0]).size() > 50);
  CHECK_THAT(all, ContainsSubstring(kept(own, files[0])));
  const bool real_cuda = ending(on) == ".cu" && device.name().find("simulator") == std::string::npos;
  CHECK(files[0] == (real_cuda ? "binary.cubin" : "binary.bin"));  // the simulator has images of its own

  CHECK(yoke::compile(on.context, answer, options).kept_folder() == own + "-2");
  CHECK(yoke::compile(on.context, answer, options).kept_folder() == own + "-3");
  options.keep = "";
  CHECK(yoke::compile(on.context, answer, options).kept_folder().empty());
  const char* const none = nullptr;
  options.keep = none;  // as a variable of the environment that is not set
  CHECK(options.keep.empty());
  CHECK(yoke::compile(on.context, answer, options).kept_folder().empty());
}

YOKE_DEVICE_TEST_CASE("a failure is kept too, and names the folder", "[program]") {
  rig on(device);
  const scratch_folder scratch;
  const std::string broken = "nonsense here;\n";
  const yoke::compile_error refused =
      failed_build(on, broken, {.options = {"-DMINE"}, .name = "some folder/my kernel", .keep = scratch / "kept"});
  std::string own;
  for (const auto& each : fs::directory_iterator(scratch / "kept")) own = each.path().string();
  CHECK(own.starts_with(scratch / "kept/my_kernel-"));
  CHECK_THAT(refused.what(), ContainsSubstring("failed, all of it is in \"" + own + "\""));
  CHECK(kept(own, "source") == broken);
  CHECK(kept(own, "options.txt") == refused.options() + "\n");
  CHECK(kept(own, "log.txt") == refused.log());
  CHECK_FALSE(refused.log().empty());
  CHECK(files_below(own, "binary").empty());
}

YOKE_DEVICE_TEST_CASE("a program from a cache is kept as one that was compiled", "[program][cache]") {
  rig on(device);
  const scratch_folder scratch;
  const yoke::program_cache cache{{.folder = scratch / "cache"}, {}};
  yoke::compile_options options{.defines = {{"ANSWER", 8}}, .cache = &cache, .keep = scratch / "kept"};
  const std::string first = yoke::compile(on.context, answer, options).kept_folder();
  const std::string second = yoke::compile(on.context, answer, options).kept_folder();
  CHECK(cache.counters().from_memory == 1);
  CHECK(second == first + "-2");
  for (const std::string& file : words{"source" + ending(on), "compiled" + ending(on), "log.txt"}) {
    CHECK(fs::exists(first + "/" + file));
    CHECK(kept(second, file) == kept(first, file));
  }
  const auto files = files_below(first, "binary.");
  REQUIRE(files.size() == 1);
  CHECK(kept(second, files[0]) == kept(first, files[0]));
  CHECK(fs::exists(second + "/options.txt"));
}

YOKE_DEVICE_TEST_CASE("a folder that cannot be written is named before anything is compiled", "[program]") {
  rig on(device);
  const scratch_folder scratch;
  write_file(scratch / "file", "text");
  const auto refused = [&](const std::string& folder) {
    return refusal<yoke::logic_error>(yoke::errc::invalid_argument,
                                      [&] { (void)yoke::compile(on.context, "nonsense", {.keep = folder}); });
  };
  const std::string below = scratch / "file/below";
  CHECK(refused(below).starts_with("the folder \"" + below + "\" to keep a compilation in cannot be made: "));
  CHECK(refused(scratch / "file").starts_with("the folder \"" + (scratch / "file") + "\" to keep"));
  CHECK(
      refused("/proc/self/fd").starts_with("the folder \"/proc/self/fd\" to keep a compilation in cannot be written"));
  CHECK(refused(std::string("a\0b", 3)).starts_with("the folder \"a\" to keep a compilation in has a zero character"));
  CHECK(contents(scratch / "file") == "text");
}

// SPDX-License-Identifier: MIT
// Logs begin with the user's mistake, at its file and line; a compiler that cannot compile is named.
#include <cuda_simulator/simulator.hpp>
#include <engine/binary/readable_names.hpp>
#include <engine/compile/diagnostics.hpp>
#include <engine/compile/message_order.hpp>
#include <support/process/child.hpp>

using namespace yoke_test;
using simulator::compile_status;

namespace {

struct broken_source {
  std::string text;
  std::string first;  ///< how the log begins
  std::vector<std::string> names{};
};

const std::string served_error = R"(#include <cooperative_groups.h>
extern "C" __global__ void k(int* p) {
  auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
  *p = tile.size();
})";

const std::vector<broken_source> broken = {
    {"extern \"C\" __global__ void k(int* p) {\n  *p = 1;\n", "test.cu(2): error: "},
    {"namespace a {\nextern \"C\" __global__ void k(int* p) {\n  *p = 1; }\n", "test.cu(3): error: "},
    {"\nextern \"C\" __global__ void __launch_bounds__(MOST) k(int* p) { *p = 1; }\n", "test.cu(2): error: "},
    {"\nextern \"C\" __global__ void k(missing* p) { *p = 1; }\n", "test.cu(2): error: "},
    {"struct s {};\n__global__ s k(s value) { return value; }\n", "test.cu(2): error: "},
    {"template <class T>\n__global__ void f(T v) { v.x = 1; }\n", "test.cu(2): error: ", {"f<int*>"}},
    {"int helper(int);\nextern \"C\" __global__ void k(int* p) { *p = helper(1); }\n",
     "test.cu: error: 'helper(int)' is declared and not defined"},
    {served_error, "test.cu(3): error: "},
};

}  // namespace

TEST_CASE("messages name a kernel as its source does, without result and parameters") {
  CHECK(simulator::readable_function_name("_Z1gPf") == "g");
  CHECK(simulator::readable_function_name("_Z5scaleIdLi3EEvPT_") == "scale<double, 3>");
  CHECK(simulator::readable_function_name("_ZN1a1b4moveEPFvPNS0_5pointEE") == "a::b::move");
  CHECK(simulator::readable_function_name("_ZN12_GLOBAL__N_18namelessEPi") == "(anonymous namespace)::nameless");
  CHECK(simulator::readable_function_name("plain") == "plain");
  const loaded_source source("__global__ void g(float*) { __trap(); }");
  CHECK_THAT(source.run("_Z1gPf", shape_of(1, 1), nullptr).text, StartsWith("g: "));
  CHECK_THAT(source.run("_Z1gPf", shape_of(0, 1), nullptr).text, StartsWith("g: an extent is zero"));
}

TEST_CASE("a tensor map that a kernel would copy is refused") {
  const auto log = [](const std::string& parameter) {
    return compile_text("#include <simulated_tensor_tiles.h>\n__global__ void g(" + parameter + ", int n) {}\n", {"-w"},
                        {})
        .log;
  };
  CHECK(log("const __grid_constant__ tensor_map map").empty());
  CHECK(log("__grid_constant__ const tensor_map map").empty());
  CHECK(log("const tensor_map* maps").empty());
  for (const char* const wrong : {"tensor_map map", "const tensor_map map"}) {
    CHECK_THAT(log(wrong), ContainsSubstring("test.cu(2): error: a tensor map is a parameter 'const __grid_constant__ "
                                             "tensor_map', never a copy"));
  }
}

TEST_CASE("what is wrong with a copy of a tile is said in words") {
  const auto said = [](const std::string& facts, const std::string& copy) {
    const loaded_source source(
        "#include <simulated_tensor_tiles.h>\n"
        "__global__ void g(float*) {\n"
        "  __shared__ alignas(1024) float tile[64];\n"
        "  __shared__ tile_barrier barrier;\n"
        "  init_barrier(barrier, 1);\n"
        "  alignas(128) static float memory[64];\n"
        "  tensor_map map = {};\n"
        "  auto& words = reinterpret_cast<yoke_simulator::tensor_words&>(map);\n"
        "  words.mark = yoke_simulator::tensor_mark;\n"
        "  words.address = reinterpret_cast<unsigned long long>(memory);\n"
        "  words.extents[0] = 64;\n"
        "  words.box[0] = 4;\n"
        "  words.steps[0] = words.rank = 1;\n"
        "  words.element = 7;\n"
        "  words.element_bytes = 4;\n" +
        facts + copy + "\n}\n");
    return source.run("_Z1gPf", shape_of(1, 1), nullptr).text;
  };
  CHECK(said("", "load_tile(tile, map, barrier, 4);").empty());
  CHECK_THAT(said("words.mark = 0; ", "load_tile(tile, map, barrier, 0);"),
             ContainsSubstring("a copy of a tile by what is no tensor map"));
  CHECK_THAT(said("", "load_tile(tile, map, barrier, 0, 0);"),
             ContainsSubstring("with more or fewer indices than the tensor map has axes"));
  CHECK_THAT(said("", "load_tile(tile, map, barrier, 3);"),
             ContainsSubstring("whose last index, in bytes, is no multiple of 16"));
  CHECK_THAT(said("", "store_tile(map, tile + 4, 0);"),
             ContainsSubstring("a tile in shared memory that is not aligned"));
  CHECK_THAT(said("words.swizzle = 3; ", "load_tile(tile + 32, map, barrier, 0);"),
             ContainsSubstring("not aligned for its swizzle"));
  CHECK_THAT(said("", "store_tile(map, tile, -4);"), ContainsSubstring("a tile that is stored at a negative index"));
  CHECK_THAT(said("", "load_tile(memory, map, barrier, 0);"),
             ContainsSubstring("a tile that is not in shared memory, or leaves it"));
  CHECK_THAT(said("tile_barrier local; ", "init_barrier(local, 1);"),
             ContainsSubstring("that is not in shared memory"));
  CHECK_THAT(said("__shared__ tile_barrier other; ", "wait(other, 0);"), ContainsSubstring("without init_barrier"));
  CHECK_THAT(said("", "init_barrier(barrier, 0);"), ContainsSubstring("for no thread"));
  CHECK_THAT(said("arrive(barrier, 4); ", "arrive(barrier, 0);"),
             ContainsSubstring("more threads arrive at a tile_barrier than init_barrier was told"));
  CHECK_THAT(said("words.element = 8; ", "add_tile(map, tile, 0);"),
             ContainsSubstring("add_tile of a type that the hardware does not add"));
}

TEST_CASE("the log of a broken source begins with the user's line") {
  for (const broken_source& each : broken) {
    const auto result = compile_text(each.text, {"-w"}, each.names);
    INFO(each.text << "\n" << result.log);
    CHECK(result.status == compile_status::compile_error);
    CHECK_THAT(result.log, StartsWith(each.first));
  }
}

TEST_CASE("what is not defined is named with the kernel that uses it, as far as the linker or loader tells") {
  const std::string linker = "/tmp/x.o: in function `k':\nx.cpp:(.text+0x5): undefined reference to `helper(int)'\n";
  CHECK(simulator::link_messages(linker, "a.cu") ==
        "a.cu: error: 'helper(int)' is declared and not defined; 'k' uses it\n");
  CHECK(simulator::link_messages("collect2: error\n", "a.cu") == "collect2: error\n");
  CHECK(simulator::load_message("/tmp/image.so: undefined symbol: _Z6helperi", "a.cu") ==
        "a.cu: error: 'helper(int)' is declared and not defined\n");
  CHECK(simulator::load_message("/tmp/image.so: file too short", "a.cu").empty());
}

TEST_CASE("an error in a header names it as the program does") {
  simulator::compile_request request;
  request.source = "#include \"lib/one.h\"\nextern \"C\" __global__ void k(int* p) { *p = 1; }";
  request.headers = {{"lib/one.h", "\n#error not today\n"}};
  CHECK_THAT(simulator::compile(request).log, StartsWith("lib/one.h(2): error: "));
}

TEST_CASE("messages of the user's come first, headed by the error") {
  CHECK(simulator::user_messages_first("yoke/simulator/registration: In function 'void k()':\n"
                                       "yoke/simulator/registration(2): error: one\n"
                                       "a.cu(1): note: about one\n"
                                       "a.cu: In function 'void k()':\n"
                                       "a.cu: In instantiation of 'void f()':\n"
                                       "a.cu(9):   required from here\n"
                                       "a.cu(4): error: two\n"
                                       "a.cu(4): note: about two\n") ==
        "a.cu(4): error: two\na.cu: In instantiation of 'void f()':\na.cu(9):   required from here\n"
        "a.cu(4): note: about two\nyoke/simulator/registration(2): error: one\na.cu(1): note: about one\n");
  // Clang says afterwards who asked.
  CHECK(simulator::user_messages_first("yoke/simulator/warp.hpp(3): error: three\n"
                                       "yoke/simulator/warp.hpp(7): note: in instantiation of f requested here\n"
                                       "a.cu(5): note: in instantiation of g requested here\n") ==
        "a.cu(5): error: three\nyoke/simulator/warp.hpp(3): error: three\n"
        "yoke/simulator/warp.hpp(7): note: in instantiation of f requested here\n"
        "a.cu(5): note: in instantiation of g requested here\n");
  CHECK(simulator::user_messages_first("who knows\n") == "who knows\n");
}

TEST_CASE("what a linker misses is told in words") {
  CHECK(
      simulator::link_messages("/usr/bin/ld: kernel.o: in function `k':\nsource.cu:(.text.k+0xa): undefined reference "
                               "to `f(int)'\nsource.cu:(.text.k+0xf): undefined reference to `f(int)'\n",
                               "a.cu") == "a.cu: error: 'f(int)' is declared and not defined; 'k' uses it\n");
  CHECK(simulator::link_messages("ld: no space left\n", "a.cu") == "ld: no space left\n");
}

TEST_CASE("a compiler that fails without a word is named with its status") {
  const std::string name = "a compiler that fails without a word is named with its status";
  if (is_child(name)) {
    const auto result = compile_text("extern \"C\" __global__ void k() {}");
    CHECK(result.status == compile_status::no_compiler);
    CHECK_THAT(result.log, ContainsSubstring(std::getenv("YOKE_TEST_EXPECTED")));
    CHECK_THAT(result.log, ContainsSubstring(std::getenv("YOKE_SIMULATOR_COMPILER")));
    return;
  }
  const std::pair<const char*, const char*> wrong[] = {
      {"/bin/false", "error: the host compiler ended with status 1 and named no error: /bin/false -E "},
      {"/bin/true", "error: the host compiler ended with status 0 and named no error: /bin/true -shared "},
      {"/nowhere/c++", "YOKE_SIMULATOR_COMPILER=/nowhere/c++: No such file or directory"},
      {"no-such-compiler", "YOKE_SIMULATOR_COMPILER=no-such-compiler is no program in PATH"},
      {"/", "error: the host compiler cannot be run (Permission denied): / -E "},
  };
  for (const auto& [compiler, expected] : wrong) {
    const child_result child =
        run_child(name, {{"YOKE_SIMULATOR_COMPILER", compiler}, {"YOKE_TEST_EXPECTED", expected}});
    INFO(compiler << ": " << child.output);
    CHECK(child.status == 0);
  }
}

TEST_CASE("kernels compile and run with every host compiler that is there") {
  const std::string name = "kernels compile and run with every host compiler that is there";
  if (is_child(name)) {
    const loaded_source source(
        "extern \"C\" __global__ void k(int* p) { int* q = new int(6); *p = *q + 1; delete q; }");
    int value = 0;
    REQUIRE_THAT(source.run("k", shape_of(1, 1), &value).text, Equals(""));
    CHECK(value == 7);
    return;
  }
  int found = 0;
  for (const char* compiler : {"g++", "clang++"}) {
    if (std::system((std::string("command -v ") + compiler + " > /dev/null").c_str()) != 0) continue;
    ++found;
    const child_result child = run_child(name, {{"YOKE_SIMULATOR_COMPILER", compiler}});
    INFO(compiler << ": " << child.output);
    CHECK(child.status == 0);
  }
  CHECK(found > 0);
}

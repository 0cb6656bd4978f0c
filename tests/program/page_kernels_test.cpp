// SPDX-License-Identifier: MIT
// Compiles every kernel text that a page of the documentation shows, for each backend that it is for.
#include <support/rig.hpp>

#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/cuda.hpp>
#include <yoke/cuda/tensor_map.hpp>
#include <yoke/link.hpp>
#include <yoke/random.hpp>
#include <yoke/struct.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <sstream>

namespace page_structs {
// As the pages have them.
struct particle {
  int number;
};
struct body {
  float mass;
  int id;
};
struct nearest {
  float distance;
  int at;
};
struct range {
  int least;
  int greatest;
};
}  // namespace page_structs
YOKE_STRUCT(page_structs::particle, number);
YOKE_STRUCT(page_structs::body, mass, id);
YOKE_STRUCT(page_structs::nearest, distance, at);
YOKE_STRUCT(page_structs::range, least, greatest);

using namespace yoke_test;

namespace {

/// A string of a page's C++, or a block of kernel code.
struct page_text {
  std::string page;
  std::size_t line;  ///< where its block begins
  std::string text;
  bool in_opencl_c;  ///< the block compiles it as OpenCL C for every backend
};

/// The texts of a page, and how many kernels its blocks name.
struct page_texts {
  std::vector<page_text> texts;
  std::size_t kernels = 0;
};

std::size_t kernels_in(const std::string& text) {
  static const std::regex words(R"(\bYOKE_KERNEL\b|\b__kernel\b|\b__global__\b|\bkernel void\b)");
  return static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), words), {}));
}

/// Returns: the strings of C++ code. Those with nothing but blanks between them are one, as the compiler has it.
std::vector<std::string> strings_of(const std::string& code) {
  static const std::regex piece(
      R"re(//[^\n]*|#include[^\n]*|'(?:[^'\\\n]|\\.)'|R"\(([^]*?)\)"|"((?:[^"\\\n]|\\[^])*)"|[^\s"'/#R]+|\s+|[^])re");
  std::vector<std::string> found;
  bool joins = false;
  for (std::sregex_iterator at(code.begin(), code.end(), piece), end; at != end; ++at) {
    const std::smatch& match = *at;
    if (match[1].matched || match[2].matched) {
      std::string text = match[1].matched ? match[1].str() : "";
      const std::string quoted = match[2].matched ? match[2].str() : "";
      for (std::size_t i = 0; i < quoted.size(); ++i) {
        if (quoted[i] != '\\') {
          text += quoted[i];
        } else {
          ++i;
          text += quoted[i] == 'n' ? '\n' : quoted[i];
        }
      }
      if (!joins) found.emplace_back();
      found.back() += text;
      joins = true;
    } else if (!std::isspace(static_cast<unsigned char>(match.str().front())) && !match.str().starts_with("//")) {
      joins = false;
    }
  }
  return found;
}

page_texts read_page(const std::string& name, std::istream& page) {
  page_texts found;
  std::string kind, code;
  std::size_t number = 0, begins = 0;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    ++number;
    const bool fence = line.starts_with("```");
    if (!fence) {
      if (inside) code += line + "\n";
      continue;
    }
    if (!inside) {
      kind = line.substr(3);
      begins = number + 1;
      code.clear();
    } else if (kind.starts_with("cpp") || kind == "c" || kind.starts_with("c ")) {
      found.kernels += kernels_in(std::regex_replace(code, std::regex(R"(\\n)"), "\n"));
      const bool in_opencl_c = code.find("source_language::opencl_c") != std::string::npos;
      const std::vector<std::string> texts =
          kind.starts_with("cpp") ? strings_of(code) : std::vector<std::string>{code};
      for (const std::string& each : texts) found.texts.push_back({name, begins, each, in_opencl_c});
    }
    inside = !inside;
  }
  return found;
}

/// Returns: whether a string is no code by its looks: words, an option, or a format of printf or fmt.
bool is_no_code(const std::string& text) {
  static const std::regex words(R"re([\w.:/, -]*|-[-\w=.]+)re");
  static const std::regex format(R"re([^;]*(%[-0-9.]*(zu|ll[du]|[dsufgx])|\{[:.\w]*\})[^;]*)re");
  return std::regex_match(text, words) || std::regex_match(text, format);
}

// Strings that look like code and are none. Each is found, or the list is wrong.
struct no_kernel {
  const char* page;
  const char* text;
  const char* reason;
};
constexpr no_kernel no_kernels[]{
    {"cuda.md", "c++20", "a standard"},
    {"cuda.md", "add<float, 4>", "the name of an instance"},
    {"execution.md", "[fill]", "a tag of tests"},
    {"execution.md", "[opencl]", "a tag of tests"},
    {"execution.md", "OpenCL's devices alone", "the name of a test"},
    {"pyopencl.md", "+", "an operator, which is a definition for the kernel beside it"},
    {"programs.md", "#pragma once\n#define SIZE 16\n", "the header of the text beside it"},
    {"programs.md", "int twice(int a);", "the header of the text beside it"},
};

/// Thrown for a text that the device has no use for.
struct lacking {
  const char* reason;
};

template <class Port>
inline constexpr bool is_cuda = std::is_same_v<Port, yoke::cuda::port>;

/// Returns: whether a text is for this backend: one in the dialect is for each, others are for that of their words.
template <class Port>
bool is_for(const page_text& of) {
  const auto has = [&](const char* word) { return of.text.find(word) != std::string::npos; };
  if (has("__global__") || has("__device__")) return is_cuda<Port>;
  if (has("YOKE_") || of.in_opencl_c) return true;
  const bool opencl = has("__kernel") || has("kernel void") || of.page == "programs.md";
  return !opencl || !is_cuda<Port>;
}

/// A text that needs more than the text, and what compiles it.
template <class Port>
struct special {
  const char* page;
  const char* begins;  ///< part of the text
  std::function<void(const yoke::context<Port>&, const std::string&)> compile;
};

template <class Port>
const std::vector<special<Port>>& specials() {
  using context = yoke::context<Port>;
  using std::string;
  const auto with = [](yoke::compile_options options) {
    return [options](const context& in, const string& text) { (void)yoke::compile(in, text, options); };
  };
  // A part of a program, which others complete.
  const auto part = [](const std::vector<yoke::embedded_header>& headers, const char* option) {
    return [=](const context& in, const string& text) {
      if constexpr (is_cuda<Port>) {
        (void)in;
        (void)yoke::cuda::compile_to(yoke::cuda::image_kind::ptx, text,
                                     {.options = {"-rdc=true"}, .architecture = "compute_80"});
      } else {
        (void)yoke::opencl::compile_part(in, text, headers, {.options = {option}});
      }
    };
  };
  // A text in a template's argument has to be that of the page: `same` says whether it is.
  const auto same = [](const string& text, const char* known) {
    if (text != known) throw std::runtime_error("another text than this test has");
  };
  static const std::vector<special<Port>> all{
      {"programs.md", "YOKE_KERNEL set(", with({.defines = {{"T", "float"}, {"VALUE", 4}, "FAST"}, .name = "set.cl"})},
      {"programs.md", "YOKE_KERNEL scale(YOKE_GLOBAL T*",
       with({.defines = yoke::specialise<float, yoke::value_of<3>>("T", "FACTOR")})},
      {"programs.md", "#include \"sizes.h\"", with({.headers = {{"sizes.h", "#pragma once\n#define SIZE 16\n"}}})},
      {"programs.md", "a[0] = N;", with({.options = {"-DN=5"}})},
      {"programs.md", "return N;", part({}, "-DN=4")},
      {"programs.md", "twice", part({{"twice.h", "int twice(int a);"}}, "-DN=4")},
      {"cuda.md", "__device__ int", part({}, "")},
      {"random.md", "#include \"yoke_random.h\"", with({.headers = {yoke::random_header()}})},
      {"types.md", "particle*", with({.types = {yoke::describe_struct<page_structs::particle>()}})},
      {"opencl-c.md", "total(", with({.name = "total.cl", .language = yoke::source_language::opencl_c})},
      {"cuda.md", "void add(T* a)",
       [](const context& in, const string& text) {
         if constexpr (is_cuda<Port>)
           (void)yoke::cuda::compile(in, text, {.standard = "c++20", .name_expressions = {"add<float, 4>"}});
       }},
      {"cache.md", "cuda_fp16.h",
       [](const context& in, const string& text) {
         const char* const folder = "/usr/local/cuda/include";
         const bool simulated = in.devices().front().name().find("simulator") != string::npos;
         if (!simulated && !std::filesystem::exists(folder)) throw lacking{"no toolkit in /usr/local/cuda"};
         (void)yoke::compile(in, text, {.include_folders = {folder}});
       }},
      {"tensor-maps.md", "__grid_constant__",
       [](const context& in, const string& text) {
         if constexpr (is_cuda<Port>) {
           const bool can = yoke::cuda::get(in.only_device(), yoke::cuda::info::compute_capability_major) >= 9;
           if (!can) throw lacking{"devices below 9.0 have no tensor maps"};
           (void)yoke::compile(in, string(yoke::cuda::tensor_tiles) + text);
         }
       }},
      {"memory.md", "pipe int p",
       [](const context& in, const string& text) {
         if constexpr (!is_cuda<Port>) {
           const bool pipes = yoke::opencl::get(in.devices().front(), yoke::opencl::info::max_pipe_args) != 0;
           if (!pipes) throw lacking{"the device has no pipes"};
           (void)yoke::compile(in, text, {.options = {"-cl-std=CL2.0"}});
         }
       }},
      {"errors.md", "broken",
       [](const context& in, const string& text) { CHECK_THROWS_AS(yoke::compile(in, text), yoke::compile_error); }},
      {"expressions.md", "y[i] = ",
       [](const context& in, const string& text) {
         yoke::elementwise_kernel<void(float*, const float*, float), Port>(in, {"y", "x", "a"}, text);
       }},
      {"expressions.md", "fabs(x[i]",
       [](const context& in, const string& text) {
         yoke::reduction_kernel<float(const float*, const float*), Port>(
             in, {"x", "y"}, {.map = text, .join = "fmax(a, b)", .neutral = "0"});
       }},
      {"expressions.md", "fmax(a",
       [](const context& in, const string& text) {
         yoke::reduction_kernel<float(const float*, const float*), Port>(
             in, {"x", "y"}, {.map = "x[i] * y[i]", .join = text, .neutral = "0"});
       }},
      {"expressions.md", "x[i] > 0",
       [](const context& in, const string& text) {
         yoke::scan_kernel<int(const int*, int*), Port>(
             in, {"x", "kept"}, {.input = text, .join = "a + b", .neutral = "0", .output = "kept[i] = item"});
       }},
      {"expressions.md", "a + b",
       [](const context& in, const string& text) {
         yoke::scan_kernel<int(const int*, int*), Port>(
             in, {"x", "kept"}, {.input = "x[i]", .join = text, .neutral = "0", .output = "kept[i] = item"});
       }},
      {"expressions.md", "if (prev_item",
       [](const context& in, const string& text) {
         yoke::scan_kernel<int(const int*, int*), Port>(
             in, {"x", "kept"}, {.input = "x[i]", .join = "a + b", .neutral = "0", .output = text});
       }},
      {"expressions.md", "a > 4",
       [same](const context& in, const string& text) {
         same(text, "a > 4 ? a : b");
         const yoke::stream<Port> stream(in);
         const auto x = yoke::arange<float>(10, stream);
         (void)yoke::evaluate(yoke::apply<"a > 4 ? a : b">(x, 0.5F));
       }},
      {"expressions.md", "while (a > 1)",
       [same](const context& in, const string& text) {
         same(text, "int k = 0; while (a > 1) { a /= 2; ++k; } return k;");
         const yoke::stream<Port> stream(in);
         const auto x = yoke::arange<float>(10, stream);
         (void)yoke::evaluate(yoke::apply<"int k = 0; while (a > 1) { a /= 2; ++k; } return k;", int>(x));
       }},
      {"expressions.md", "body r;",
       [same](const context& in, const string& text) {
         same(text, "body r; r.mass = 0.5f * a; r.id = a; return r;");
         const yoke::stream<Port> stream(in);
         const auto x = yoke::arange<int>(10, stream);
         (void)yoke::evaluate(yoke::apply<"body r; r.mass = 0.5f * a; r.id = a; return r;", page_structs::body>(x));
       }},
      {"expressions.md", "r.distance = fabs(a)",
       [same](const context& in, const string& text) {
         same(text, "nearest r; r.distance = fabs(a); r.at = b; return r;");
         const yoke::stream<Port> stream(in);
         const auto x = yoke::arange<float>(10, stream);
         const auto at = yoke::arange<int>(10, stream);
         (void)yoke::evaluate(
             yoke::apply<"nearest r; r.distance = fabs(a); r.at = b; return r;", page_structs::nearest>(x, at));
       }},
      {"expressions.md", "distance",
       [](const context& in, const string& text) {
         const char* const join = "b.distance < a.distance || (b.distance == a.distance && b.at < a.at) ? b : a";
         const bool is_join = text == join;
         yoke::reduction_kernel<page_structs::nearest(const page_structs::nearest*), Port>(
             in, {"x"},
             {.map = "x[i]",
              .join = is_join ? text : join,
              .neutral = is_join ? "nearest r; r.distance = 1e30f; r.at = -1; return r;" : text});
       }},
      {"pycuda.md", "y[i] = sin",
       [](const context& in, const string& text) {
         yoke::elementwise_kernel<void(float*, const float*), Port>(in, {"y", "x"}, text);
       }},
      {"pyopencl.md", "OPERATOR",
       [](const context& in, const string& text) {
         std::vector<yoke::define> defines = yoke::specialise<float, yoke::value_of<4>>("T", "EACH");
         defines.push_back({"OPERATOR", "+"});
         (void)yoke::compile(in, text, {.defines = defines});
       }},
      {"pyopencl.md", "range r;",
       [](const context& in, const string& text) {
         const bool is_map = text.find("x[i]") != string::npos;
         const bool is_join = text.find("a.least") != string::npos;
         yoke::reduction_kernel<page_structs::range(const int*), Port>(
             in, {"x"},
             {.map = is_map ? text : "range r; r.least = x[i]; r.greatest = x[i]; return r;",
              .join = is_join ? text : "return a;",
              .neutral = is_map || is_join ? "range r; r.least = 0; r.greatest = 0; return r;" : text});
       }},
      {"indices.md", "yoke_max(a, b)",
       [same](const context& in, const string& text) {
         same(text, "yoke_max(a, b)");
         const yoke::stream<Port> stream(in);
         const auto keys = yoke::arange<int>(10, stream);
         const auto made = yoke::reduce_by_key<"yoke_max(a, b)", "-300">(keys, yoke::arange<float>(10, stream));
         CHECK(made.values.size() == 10);
       }},
      {"sort.md", "append_near",
       [](const context& in, const string& text) {
         yoke::list_builder<void(const float*, float, int),
                            std::tuple<yoke::named_list<"near", std::int32_t>, yoke::named_list<"far", float>>, Port>(
             in, {"x", "reach", "count"}, {.body = text});
       }},
  };
  return all;
}

/// What the check of a page found.
struct page_report {
  std::size_t compiled = 0;
  std::size_t kernels_seen = 0;
  std::vector<std::string> problems;
};

template <class Port>
void compile_page(const yoke::context<Port>& in, const page_texts& page, page_report& report) {
  std::size_t kernels = 0;
  for (const page_text& each : page.texts) {
    kernels += kernels_in(each.text);
    const auto listed = [&](const no_kernel& known) { return each.page == known.page && each.text == known.text; };
    if (is_no_code(each.text) || std::any_of(std::begin(no_kernels), std::end(no_kernels), listed)) continue;
    if (!is_for<Port>(each)) continue;
    try {
      const auto& known = specials<Port>();
      const auto found = std::find_if(known.begin(), known.end(), [&](const special<Port>& one) {
        return each.page == one.page && each.text.find(one.begins) != std::string::npos;
      });
      if (found != known.end()) {
        found->compile(in, each.text);
      } else if (kernels_in(each.text) != 0) {
        (void)yoke::compile(in, each.text, {.name = each.page});
      } else {
        throw std::runtime_error("neither a kernel nor a text that this test knows: \"" + each.text + '"');
      }
      ++report.compiled;
    } catch (const lacking& e) {
      std::printf("%s:%zu: left out: %s\n", each.page.c_str(), each.line, e.reason);
    } catch (const std::exception& e) {
      report.problems.push_back(each.page + ":" + std::to_string(each.line) + ": " + e.what());
    }
  }
  if (kernels != page.kernels) {
    report.problems.push_back(page.texts.front().page + ": " + std::to_string(page.kernels) + " kernels, but " +
                              std::to_string(kernels) + " in strings and blocks");
  }
  report.kernels_seen += kernels;
}

}  // namespace

YOKE_DEVICE_TEST_CASE("the kernel texts of the documentation compile", "[program][.page_kernels]") {
  namespace files = std::filesystem;
  const context in(device);
  const files::path docs(YOKE_TEST_DOCS_DIR);
  std::vector<files::path> pages{docs.parent_path() / "README.md"};
  for (const auto& each : files::recursive_directory_iterator(docs)) {
    if (each.path().extension() == ".md") pages.push_back(each.path());
  }
  const char* const only = std::getenv("YOKE_TEST_PAGES");  // ./dev try names pages
  if (only != nullptr) {
    pages.clear();
    std::istringstream names(only);
    for (std::string name; std::getline(names, name, ':');) pages.emplace_back(name);
  }
  page_report report;
  std::vector<page_text> strings;
  for (const files::path& each : pages) {
    std::ifstream file(each);
    REQUIRE(file.good());
    const page_texts page = read_page(each.filename().string(), file);
    strings.insert(strings.end(), page.texts.begin(), page.texts.end());
    compile_page(in, page, report);
  }
  for (const std::string& each : report.problems) FAIL_CHECK(each);
  if (only != nullptr) {
    CHECK(report.kernels_seen > 0);
    return;
  }
  for (const no_kernel& known : no_kernels) {
    INFO(known.page << ": " << known.text << " (" << known.reason << ") is no longer there");
    CHECK(std::any_of(strings.begin(), strings.end(),
                      [&](const page_text& each) { return each.page == known.page && each.text == known.text; }));
  }
  for (const special<port>& known : specials<port>()) {
    INFO(known.page << ": " << known.begins << " is no longer there");
    CHECK(std::any_of(strings.begin(), strings.end(), [&](const page_text& each) {
      return each.page == known.page && each.text.find(known.begins) != std::string::npos;
    }));
  }
  std::printf("%zu kernel texts of %zu pages compile on %s\n", report.compiled, pages.size(), device.backend_name());
  CHECK(report.kernels_seen >= 50);
  CHECK(report.compiled >= 45);
}

YOKE_DEVICE_TEST_CASE("the check of the pages' kernels tells what is wrong", "[program]") {
  const context in(device);
  const auto problems = [&](const std::string& page) {
    std::istringstream file(page);
    page_report report;
    compile_page(in, read_page("page.md", file), report);
    return report.problems;
  };
  CHECK(problems(
            "```cpp fragment\nyoke::compile(ctx, \"YOKE_KERNEL f(YOKE_GLOBAL int* a)\"\n  \" { a[0] = 1; }\");\n```\n")
            .empty());
  const auto broken =
      problems("text\n\n```cpp\nauto m = yoke::compile(ctx, R\"(\nYOKE_KERNEL f(void) { x = ; })\");\n```\n");
  REQUIRE(broken.size() == 1);
  CHECK_THAT(broken[0], Catch::Matchers::StartsWith("page.md:4: "));
  CHECK(problems("```c dialect\nYOKE_KERNEL f(void) { x = 1; }\n```\n").size() == 1);
  CHECK(problems("```cpp fragment\nf(\"a = b;\");\n```\n").size() == 1);  // neither kernel nor known
  CHECK(problems("```cpp fragment\nf(YOKE_KERNEL);\nauto s = \"%d\\n\";\n```\n").size() == 1);  // a kernel in no string
}

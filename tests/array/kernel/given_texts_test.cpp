// SPDX-License-Identifier: MIT
// Mistakes in texts of kernels, in names of kernels, and of arrays that are empty: messages show the text, the nearest names, and what to write.
#include <array/array_rig.hpp>
#include <yoke/algorithm.hpp>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {
template <class Call>
std::string said_by(const Call& call) {
  try {
    call();
  } catch (const yoke::error& e) {
    return e.what();
  }
  return "nothing";
}
}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("a text that does not compile is shown with its line", "[array]") {
  any_rig state(device);
  yoke::device_array<float, 1> a = yoke::arange<float>(12, state.stream);
  const auto check = [](const auto& call, const std::string& line, const char* text) {
    const std::string said = said_by(call);
    CHECK_THAT(said, ContainsSubstring("line " + line + " of the given text does not compile: " + text + "\n"));
    CHECK_THAT(said, ContainsSubstring("given_texts_test.cpp"));
  };
  check([&] { a = yoke::apply<"a > 0 ? a : 0.1f * aa">(a); }, "1", "a > 0 ? a : 0.1f * aa");
  check([&] { a = 1 + yoke::apply<"float x = a;\nfloat y = bb + x;\nreturn y;">(2 * a); }, "2", "float y = bb + x;");
  check([&] { (void)yoke::reduce<"a + c", "0">(a); }, "1", "a + c");
  check([&] { (void)yoke::inclusive_scan<"a +\n c", "0">(a); }, "2", " c");
  check([&] { yoke::elementwise_kernel<void(float*)> k(state.context, {"x"}, "x[i] = 1;\nx[i] = yy"); }, "2",
        "x[i] = yy");
  check(
      [&] {
        yoke::reduction_kernel<float(const float*)> k(state.context, {"x"},
                                                      {.map = "x[i] * zz", .join = "a + b", .neutral = "0"});
      },
      "1", "x[i] * zz");
  // A text of a comment and the word of another one keep their meaning.
  a = yoke::apply<"a + 1 // return">(a);
  CHECK(a.to_host()[2] == 3);
  a = yoke::apply<"// one\nreturn a - 1;">(a);
  CHECK(a.to_host()[2] == 2);
}

TEST_CASE("a text is found by the number of its line where a compiler ignores #line", "[array]") {
  const std::string source = "int x;\n#line 1 \"text of k\"\na b\nc d\n#line 1 \"rest of the kernel\"\ne f\n}\n";
  const auto told = [&](const std::string& log) {
    return said_by([&] {
      try {
        throw yoke::compile_error(make_error_code(yoke::errc::invalid_argument), "", "k does not compile",
                                  {log, "", "", "", "", ""}, yoke::source_location::current());
      } catch (const yoke::compile_error& e) {
        yoke::detail::throw_for_given_text(e, source, "k", yoke::source_location::current());
      }
    });
  };
  CHECK_THAT(told("k:3:1: error: one"), ContainsSubstring("line 1 of the given text does not compile: a b\n"));
  CHECK_THAT(told("1 error\nk:4:1: error: one"), ContainsSubstring("line 2 of the given text does not compile: c d\n"));
  for (const char* other :
       {"k:1:1: error", "k:2:1: error", "k:6:1: error", "k:99:1: error", "kk:3:1: error", "k:", ""}) {
    CAPTURE(other);
    CHECK_THAT(told(other), ContainsSubstring("k does not compile"));
  }
}

YOKE_ANY_DEVICE_TEST_CASE("the nearest kernels are offered before the list", "[array][program]") {
  any_rig state(device);
  const auto module = yoke::compile(state.context,
                                    "YOKE_KERNEL saxpy(YOKE_GLOBAL float* x, int n) {}\n"
                                    "YOKE_KERNEL daxpy(YOKE_GLOBAL float* x, int n) {}\n"
                                    "YOKE_KERNEL transpose(YOKE_GLOBAL float* x, int n) {}\n");
  const auto ask = [&](const char* name) {
    return said_by([&] { (void)module.template get_kernel<void(float*, int)>(name); });
  };
  CHECK_THAT(ask("saxpi"), ContainsSubstring("no kernel \"saxpi\" in this module, near to saxpy, daxpy; it has:"));
  CHECK_THAT(ask("transpos"), ContainsSubstring("in this module, near to transpose; it has:"));
  CHECK_THAT(ask("gemm"), ContainsSubstring("no kernel \"gemm\" in this module; it has:"));
}

TEST_CASE("names that are near to a wrong one", "[array][core]") {
  using yoke::detail::near_names;
  CHECK(near_names("saxpi", " saxpy daxpy transpose") == ", near to saxpy, daxpy");
  CHECK(near_names("sum", " sum_of_rows(float*, int), cumsum(float*)") == ", near to cumsum, sum_of_rows");
  CHECK(near_names("float", " scale(float*, float)").empty());
  CHECK(near_names("x", "").empty());
}

YOKE_ANY_DEVICE_TEST_CASE("an empty array that is assigned elements says what makes a new one", "[array]") {
  any_rig state(device);
  const auto b = yoke::arange<float>(3, state.stream);
  yoke::device_array<float, 1> a;
  CHECK_THAT(said_by([&] { a = 2 * b; }), ContainsSubstring("write a = evaluate(2 * b), or a = b.copy()") &&
                                              ContainsSubstring("given_texts_test.cpp"));
  CHECK_THAT(said_by([&] { a = b(yoke::slice(0, 2)); }), ContainsSubstring("a = b.copy()"));
  CHECK_THAT(said_by([&] { a = 1; }), ContainsSubstring("a = evaluate(2 * b)"));
  a = evaluate(2 * b);
  CHECK(a.to_host()[2] == 4);
}

// SPDX-License-Identifier: MIT
// OpenCL C as it is: on OpenCL untouched, on CUDA translated, with the same results.
#include <language/opencl_c_sources.hpp>
#include <program/compiling.hpp>
#include <support/devices/background.hpp>
#include <support/devices/build_options.hpp>
#include <support/devices/languages.hpp>
#include <support/process/temporary_folder.hpp>
#include <yoke/language/opencl_c.hpp>
#include <yoke/program/cache/program_cache.hpp>

#include <cmath>

using namespace yoke_test;

namespace {

namespace sources = yoke_test::opencl_c_sources;
constexpr yoke::source_language opencl_c = yoke::source_language::opencl_c;

}  // namespace

YOKE_DEVICE_TEST_CASE("OpenCL C: a kernel with an array in local memory", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(float*, const float*, int, int)>(
      yoke::compile(on.context, sources::transpose, {.language = opencl_c}), "transpose");
  constexpr int width = 21;
  constexpr int height = 13;
  const std::vector<float> in = counting<float>(width * height);
  std::vector<float> out(in.size());
  kernel(on.stream, {.grid = {3, 2}, .block = {8, 8}}, yoke::out(out), yoke::in(in), width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      REQUIRE(out[static_cast<std::size_t>(x * height + y)] == in[static_cast<std::size_t>(y * width + x)]);
    }
  }
}

YOKE_OPENCL_TEST_CASE("OpenCL C: OpenCL's compiler gets the options, and its errors name the source",
                      "[program][opencl_c]") {
  rig on(device);
  std::vector<std::string> given;
  record_options(on.driver, given);
  const std::string source = "kernel void f(global int* a) { a[0] = N; }";
  CHECK(result_of(on, source, {.options = {"-DN=3"}, .language = opencl_c, .math = {.fast = true}}) == 3);
  CHECK_THAT(given.back(), ContainsSubstring("-cl-fast-relaxed-math"));
  const yoke::compile_error failed =
      failed_build(on, "kernel void f(global int* a) { nothing(); }", {.language = opencl_c});
  CHECK_THAT(failed.what(), ContainsSubstring("kernel.cl"));
}

YOKE_DEVICE_TEST_CASE("OpenCL C: GEMM with vectors and local memory", "[program][opencl_c]") {
  rig on(device);
  constexpr int m = 32;
  constexpr int n = 64;
  constexpr int k = 48;
  const auto kernel = yoke::get_kernel<void(int, int, float, const float*, const float*, float, float*)>(
      yoke::compile(on.context, sources::gemm, {.language = opencl_c}), "gemm");
  std::vector<float> a(m * k);
  std::vector<float> b(k * n);
  std::vector<float> c(m * n);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3.0f;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2.0f;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<float>(i % 3);
  std::vector<float> expected(c.size());  // small whole numbers: every sum is exact
  for (std::size_t row = 0; row < m; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      float sum = 0.0f;
      for (std::size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      expected[row * n + column] = 2.0f * sum + 0.5f * c[row * n + column];
    }
  }
  kernel(on.stream, {.grid = {n / 16, m / 16}, .block = {4, 16}}, n, k, 2.0f, yoke::in(a), yoke::in(b), 0.5f,
         yoke::in_out(c));
  CHECK(c == expected);
}

YOKE_DEVICE_TEST_CASE("OpenCL C: GEMV with a tile of the vector", "[program][opencl_c]") {
  rig on(device);
  constexpr unsigned rows = 100;
  constexpr unsigned columns = 75;
  const auto kernel =
      yoke::get_kernel<void(const float*, yoke::constant<float>, float*, yoke::local<float>, unsigned, unsigned)>(
          yoke::compile(on.context, sources::gemv, {.language = opencl_c}), "gemv");
  std::vector<float> a(rows * columns);
  std::vector<float> x(columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 11) - 5.0f;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 4);
  std::vector<float> y(rows);
  kernel(on.stream, {.grid = 4, .block = 32}, yoke::in(a), yoke::to_device(x, on.stream), yoke::out(y),
         yoke::local<float>(32), rows, columns);
  for (std::size_t row = 0; row < rows; ++row) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < columns; ++i) sum += a[row * columns + i] * x[i];
    REQUIRE(y[row] == sum);
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: reductions in local memory that the launch gives", "[program][opencl_c]") {
  rig on(device);
  const auto module_of = yoke::compile(on.context, sources::reduce, {.language = opencl_c});
  const auto kernel = yoke::get_kernel<void(const int*, int*, yoke::local<int>, yoke::local<yoke::int2>, unsigned)>(
      module_of, "reduce");
  const std::vector<int> in = counting(1000, -250);
  std::vector<int> total(4, 0);
  kernel(on.stream, {.grid = 8, .block = 128}, yoke::in(in), yoke::in_out(total), yoke::local<int>(128),
         yoke::local<yoke::int2>(128), 1000u);
  CHECK(total == std::vector<int>{999 * 500 - 250 * 1000, -250, 749, 8});
}

YOKE_DEVICE_TEST_CASE("OpenCL C: complex numbers as vectors of two", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(yoke::float2*, const yoke::float2*, yoke::float2, int)>(
      yoke::compile(on.context, sources::complex_numbers, {.language = opencl_c}), "axpy");
  std::vector<yoke::float2> x;
  std::vector<yoke::float2> y;
  std::vector<yoke::float2> expected;
  for (int i = 0; i < 100; ++i) {
    const float re = static_cast<float>(i % 9);
    const float im = static_cast<float>(i % 6) - 3.0f;
    x.push_back({re, im});
    y.push_back({static_cast<float>(i), 1.0f});
    const float sum_re = 2.0f * re - 3.0f * im + static_cast<float>(i);
    const float sum_im = 2.0f * im + 3.0f * re + 1.0f;
    // (im, re) times i is (-re, im), which yx turns round; 2 x / (1 + i) is x (1 - i).
    expected.push_back({sum_im - (re + im), -sum_re - (im - re)});
  }
  kernel(on.stream, {.grid = 4, .block = 32}, yoke::in_out(y), yoke::in(x), yoke::float2{2.0f, 3.0f}, 100);
  for (std::size_t i = 0; i < y.size(); ++i) {
    REQUIRE(y[i].x == expected[i].x);
    REQUIRE(y[i].y == expected[i].y);
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: numbers stored as halves", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(std::uint16_t*, const std::uint16_t*, float, int)>(
      yoke::compile(on.context, sources::halves, {.language = opencl_c}), "scale");
  // 0x3c00 is 1, and each step of the bits one of 2^-10, up to 2: doubled, only the exponent changes.
  std::vector<std::uint16_t> in;
  for (int i = 0; i < 1023; ++i) in.push_back(static_cast<std::uint16_t>(0x3c00 + i));
  std::vector<std::uint16_t> out(in.size());
  kernel(on.stream, {.grid = 8, .block = 32}, yoke::out(out), yoke::in(in), 2.0f, 1023);
  for (std::size_t i = 0; i < in.size(); ++i) REQUIRE(out[i] == in[i] + 0x400);
  // 1.5 times 1 + 2^-10 lies between two halves: it goes to the even one.
  kernel(on.stream, {.grid = 8, .block = 32}, yoke::out(out), yoke::in(in), 1.5f, 1023);
  CHECK(out[0] == 0x3e00);
  CHECK(out[1] == 0x3e02);
  CHECK(out[3] == 0x3e04);
}

YOKE_DEVICE_TEST_CASE("OpenCL C: vectors, lanes, literals, qualifiers and functions", "[program][opencl_c]") {
  rig on(device);
  const auto kernel = yoke::get_kernel<void(float*, int*, unsigned char*, const float*, yoke::float4)>(
      yoke::compile(on.context, sources::language, {.language = opencl_c}), "language");
  std::vector<float> out(32, -1.0f);
  std::vector<int> counts(9, 0);
  std::vector<unsigned char> bytes(8, 99);
  const std::vector<float> in{1.0f, 2.0f, 3.0f, 4.0f};
  kernel(on.stream, {.grid = 1, .block = 1}, yoke::in_out(out), yoke::in_out(counts), yoke::in_out(bytes), yoke::in(in),
         yoke::float4{2.0f, 2.0f, 2.0f, 2.0f});
  CHECK(out == std::vector<float>{8.0f, 3.0f, 4.0f,  4.0f,  7.0f, 4.0f,  1.0f,  -2.0f, 4.0f,  3.0f,  3.0f,
                                  4.0f, 3.0f, 3.0f,  2.0f,  2.0f, 16.5f, 15.5f, 16.5f, 12.5f, -1.0f, 0.0f,
                                  0.0f, 1.0f, 26.0f, 8.75f, 7.0f, 4.25f, 1.0f,  8.0f,  -1.0f, -1.0f});
  CHECK(bytes == std::vector<unsigned char>{0, 0, 2, 255, 7, 9, 0, 0x3f});
  CHECK(counts == std::vector<int>{46, 17 + 6 + 2 + 3 + 3 + 16, 11, 52, 8, 26, 6, 2, 9});
}

YOKE_DEVICE_TEST_CASE("OpenCL C: copies by a whole group", "[program][opencl_c]") {
  // Its library lacks the waiting, and a kernel that cannot be linked ends the process.
  if (is_pocl(device) && device.summary().driver_version.find("5.") == 0) {
    YOKE_SKIP("PoCL 5 has no wait_group_events");
  }
  rig on(device);
  const auto kernel = yoke::get_kernel<void(yoke::float4*, const yoke::float4*, int, yoke::local<yoke::float4>)>(
      yoke::compile(on.context, sources::group_copy, {.language = opencl_c}), "through_local");
  constexpr std::size_t groups = 3;
  constexpr std::size_t n = 5;
  std::vector<yoke::float4> in(groups * n);
  for (std::size_t i = 0; i < in.size(); ++i) in[i].x = static_cast<float>(i + 1);
  std::vector<yoke::float4> out(in.size());
  kernel(on.stream, {.grid = groups, .block = 4}, yoke::out(out), yoke::in(in), int{n}, yoke::local<yoke::float4>(n));
  for (std::size_t i = 0; i < in.size(); ++i) CHECK(out[i].x == -in[i].x);
}

YOKE_DEVICE_TEST_CASE("OpenCL C: strided copies by a whole group, from and to device memory", "[program][opencl_c]") {
  if (is_pocl(device) && device.summary().driver_version.find("5.") == 0) {
    YOKE_SKIP("PoCL 5 has no wait_group_events");
  }
  rig on(device);
  const auto kernel = yoke::get_kernel<void(yoke::float2*, const yoke::float2*, int, int, yoke::local<yoke::float2>)>(
      yoke::compile(on.context, sources::strided_copy, {.language = opencl_c}), "columns");
  constexpr std::size_t n = 7;
  constexpr std::size_t width = 5;
  constexpr std::size_t columns = 3;  // the others stay as they are
  std::vector<yoke::float2> in(n * width);
  for (std::size_t i = 0; i < in.size(); ++i) in[i].x = static_cast<float>(i + 1), in[i].y = -in[i].x;
  std::vector<yoke::float2> out(in.size() + width, yoke::float2{-7, 7});
  kernel(on.stream, {.grid = columns, .block = 4}, yoke::in_out(out), yoke::in(in), int{n}, int{width},
         yoke::local<yoke::float2>(n));
  for (std::size_t y = 0; y <= n; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      INFO("row " << y << ", column " << x);
      const float want = x >= columns ? -7 : y == n ? in[x].x : in[y * width + x].x + in[(n - 1 - y) * width + x].x;
      CHECK(out[y * width + x].x == want);
      CHECK(out[y * width + x].y == -want);
    }
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: messages name the source's own lines", "[program][opencl_c]") {
  rig on(device);
  const auto e = failed_build(on,
                              "__constant float w[2] = {1, 2};\nfloat4 f(float4 v) { return convert_float4(v.zyxw); }\n"
                              "__kernel void k(__local float* a,\n  __global float* out) {\n  __local float b[4];\n"
                              "  out[0] = (float4)(missing, 1, 2, 3).x;\n}\n",
                              {.name = "mine", .language = opencl_c});
  INFO(e.log());
  CHECK_THAT(e.log(), ContainsSubstring("missing"));
  CHECK_THAT(e.log(), ContainsSubstring("mine:6") || ContainsSubstring("mine(6)"));
}

YOKE_DEVICE_TEST_CASE("OpenCL C: headers are read, in folders, from headers, guarded and once", "[program][opencl_c]") {
  rig on(device);
  const temporary_folder folder;
  const auto put = [&](const char* name, std::string_view text) {
    (void)folder.put(name, std::as_bytes(std::span(text)));
  };
  put("vectors.h",
      "#ifndef VECTORS_H\n#define VECTORS_H\n#include \"once.h\"\n#include \"vectors.h\"\n"
      "float4 twice(float4 a);\nfloat4 twice(float4 a) { return (float4)(2.0f) * a.wzyx; }\n"
      "void store(global float* to, float4 a);\nvoid store(global float* to, float4 a) { vstore4(a, 0, to); }\n#endif");
  put("once.h", "#pragma once\nconstant float offsets[4] = {1, 2, 3, 4};\n");
  const std::string source =
      "#include \"vectors.h\"\n#include <once.h>\n#include \"vectors.h\"\n"
      "#if 0\n#include \"nowhere.h\"\n#endif\n"
      "kernel void f(global float* a) { store(a, twice((float4)(a[0], a[1], a[2], a[3])) + (float4)(offsets[1])); }";
  const yoke::compile_options options{.include_folders = {folder.path().string()}, .language = opencl_c};
  const auto kernel = yoke::get_kernel<void(float*)>(yoke::compile(on.context, source, options), "f");
  std::vector<float> values{1, 2, 3, 4};
  kernel(on.stream, {.grid = 1, .block = 1}, yoke::in_out(values));
  CHECK(values == std::vector<float>{10, 8, 6, 4});
  put("broken.h", "\n\nint broken(int a) { return a + nothing_there; }\n");
  const auto in_header = failed_build(on, "\n#include \"broken.h\"\n", options);
  CHECK_THAT(in_header.log(), ContainsSubstring("broken.h(3)") || ContainsSubstring("broken.h:3"));
  const auto behind = failed_build(on, "#include \"once.h\"\n\nint f(int a) { return missing; }\n", options);
  CHECK_THAT(behind.log(), ContainsSubstring("(3)") || ContainsSubstring(":3"));
}

YOKE_DEVICE_TEST_CASE("OpenCL C: headers left out by a condition, in themselves, and that are none",
                      "[program][opencl_c]") {
  rig on(device);
  const temporary_folder folder;
  const auto put = [&](const std::string& name, std::string_view text) {
    (void)folder.put(name, std::as_bytes(std::span(text)));
  };
  const yoke::compile_options options{.include_folders = {folder.path().string()}, .language = opencl_c};
  const auto result = [&](const std::string& source) {
    const auto kernel = yoke::get_kernel<void(int*)>(yoke::compile(on.context, source, options), "f");
    std::vector<int> values(1);
    kernel(on.stream, {.grid = 1, .block = 1}, yoke::in_out(values));
    return values[0];
  };
  put("tile.h", "#pragma once\n#define TILE 16\n");
  put("option.h", "#include \"tile.h\"\n");
  CHECK(result("#ifdef NOBODY\n#include \"option.h\"\n#endif\n#include \"tile.h\"\n#include \"tile.h\"\n"
               "#ifndef TILE\n#define TILE 1\n#endif\nkernel void f(global int* a) { a[0] = TILE; }") == 16);
  put("adding.h", "#ifdef AGAIN\na[0] += 5;\n#else\n#define AGAIN\na[0] += 3;\n#include \"adding.h\"\n#endif\n");
  CHECK(result("kernel void f(global int* a) {\n#include \"adding.h\"\n}") == 8);
  if (std::string_view(Backend::name) == "cuda") {
    put("zero.h", std::string_view("int a;\0 int b;", 14));
    const auto zero = failed_build(on, "\n#include \"zero.h\"\n", options);
    CHECK_THAT(zero.log(), ContainsSubstring("zero.h has a zero character"));
    put("endless.h", "#include \"endless.h\"\n");
    const auto endless = failed_build(on, "#include \"endless.h\"\n", options);
    CHECK_THAT(endless.log(), ContainsSubstring("endless.h includes itself without an end"));
    const auto none = failed_build(on, "#include \"" + folder.path().filename().string() + "\"\nkernel void f() {}",
                                   {.include_folders = {folder.path().parent_path().string()}, .language = opencl_c});
    CHECK_THAT(none.what(), ContainsSubstring(folder.path().filename().string()));
  }
}

YOKE_CUDA_TEST_CASE("OpenCL C: what cannot be translated in a header is named with its line", "[program][opencl_c]") {
  rig on(device);
  const temporary_folder folder;
  const std::string_view text = "\n\nint never(read_only image2d_depth_t a);\n";
  (void)folder.put("images.h", std::as_bytes(std::span(text)));
  const auto refused = failed_build(on, "int a;\n#include \"images.h\"\n",
                                    {.include_folders = {folder.path().string()}, .language = opencl_c});
  CHECK_THAT(refused.log(), ContainsSubstring("images.h:3") || ContainsSubstring("images.h(3)"));
}

YOKE_CUDA_TEST_CASE("OpenCL C: what cannot be translated is a compile error with its line", "[program][opencl_c]") {
  rig on(device);
  const std::size_t mark = on.driver.mark();
  const auto e =
      failed_build(on, "\n__kernel void f(__global int* out,\n  read_only image1d_buffer_t from) { out[0] = 1; }",
                   {.name = "mine.cl", .language = opencl_c});
  CHECK(e.code() == yoke::errc::build_failed);
  CHECK(e.log() ==
        "mine.cl:3: error: \"image1d_buffer_t\": images over buffers, of depth and of samples cannot be translated\n");
  CHECK_THAT(e.what(), ContainsSubstring("translating mine.cl from OpenCL C to CUDA C++ failed:\nmine.cl:3: error"));
  CHECK_THAT(e.source(), StartsWith("\n__kernel void f("));
  CHECK(on.driver.count_all(mark) == 0);
}

TEST_CASE("OpenCL C: words that mean something else in CUDA are rewritten in their places", "[program][opencl_c]") {
  const auto check = [](const std::string& from, const std::string& to) {
    const auto translated = yoke::detail::translate_opencl_c(from);
    INFO(from);
    CHECK(translated.problem.empty());
    CHECK(translated.text == to);
  };
  // Kernels, with parameters of local memory and without; comments and lines stay.
  check("kernel void f(local int* restrict a, // one\n int b)\n{ }",
        "__global__ void f(YOKE_LOCAL_ARG(int, a)   , // one\n int b)\n{ YOKE_D_LOCAL_BIND(int, a) }");
  check("#define L __local\n__kernel void F(x, y)(L float a[], int b) {}",
        "#define L __local\n__global__ void F(x, y)(YOKE_LOCAL_ARG(float, a)  , int b) { "
        "YOKE_D_LOCAL_BIND(float, a)}");
  check("__kernel void f(int a);", "__global__ void f(int a);");
  check("__attribute__((packed)) x __attribute__((vec_type_hint(float4))) y", "__attribute__((packed)) x  y");
  // Variables in local and constant memory, but not pointers to it.
  check("void f() { __local int a[4]; __local int* b; g((__local int*)a); }",
        "void f() { __shared__ int a[4]; __local int* b; g((__local int*)a); }");
  check("constant int a = 1; void f(constant int* p) { constant int* q = p; }",
        "__constant__ int a = 1; void f(constant int* p) { constant int* q = p; }");
  check("#define TILE(T) local T tile[4]\n#define P __local float*\n",
        "#define TILE(T) __shared__ T tile[4]\n#define P __local float*\n");
  // Literals, also in macros and in each other; casts and calls are none.
  check("(float4)(1, (float2)(2), f(x)(y))", "yoke_d_make<float4>(1, yoke_d_make<float2>(2), f(x)(y))");
  check("(mine)(1, 2) + (mine)(f(1, 2)) + g(x)(1, 2) + sizeof(float4)(1)",
        "yoke_d_make<mine>(1, 2) + (mine)(f(1, 2)) + g(x)(1, 2) + sizeof(float4)(1)");
  check("#define V(a) (float2) (a, \\\n  a)\n", "#define V(a) yoke_d_make<float2> (a, \\\n  a)\n");
  check("(int2){1, 2}", "yoke_d_make<int2>(1, 2)");
  // Lanes; a struct's own members stay.
  check("v.xy = p->s0F + w.z + f().hi;", "v.yoke_set<0, 1>() = p->yoke_get<0, 15>() + w.z + f().yoke_get_half<1>();");
  check("a[1].sB += .5f + v.odd == v.xx;", "a[1].yoke_s[11] += .5f + v.yoke_get_half<3>() == v.yoke_get<0, 0>();");
  check("struct s { int lo; float xy; }; int f(struct s a) { return a.lo + a.xy + a.hi; }",
        "struct s { int lo; float xy; }; int f(struct s a) { return a.lo + a.xy + a.yoke_get_half<1>(); }");
  // C++'s own words; pragmas of OpenCL; what is no code.
  check("int class = xor;", "int yoke_word_class = yoke_word_xor;");
  check("#pragma OPENCL EXTENSION x : \\\n enable\n#pragma unroll\n", "\n\n#pragma unroll\n");
  check("// (float4)(1, 2)\n\"v.xy\" '\\'' /* __local\n */ #\n",
        "// (float4)(1, 2)\n\"v.xy\" '\\'' /* __local\n */ #\n");
  for (const char* text :
       {"", "(", "(float4)(", "f(float4)", "#define", "#", "v.", "\"", "/*", "\\", "struct s {", "x.xy"}) {
    CHECK_NOTHROW(yoke::detail::translate_opencl_c(text));
  }
  CHECK(yoke::detail::translate_opencl_c("convert_uchar4_sat(as_int2(v)); convert_int(x); convert_uchar4_sat(y);")
            .definitions == "YOKE_D_AS_VECTOR(int, 2)\nYOKE_D_CONVERT_VECTOR(uchar, 4, _sat)\n");
  // Shifts, but for amounts that are the same modulo any width of a scalar.
  check("a << b; a >>= 3 + c; a << 32;", "a << yoke_d_by << b; a >>= yoke_d_by >>= 3 + c; a << yoke_d_by << 32;");
  check("a << 31; (a >> 4) | b; a <<= 3;", "a << 31; (a >> 4) | b; a <<= 3;");
}

TEST_CASE("OpenCL C: literals stay what they are in C", "[program][opencl_c]") {
  const auto translated = [](const char* text) { return yoke::detail::translate_opencl_c(text).text; };
  CHECK(translated("R\"(v.xy)\" + uR\"a\" + L\"b\" + OR\"c\"") == "R \"(v.xy)\" + uR \"a\" + L\"b\" + OR \"c\"");
  CHECK(translated("\"%\"PRI\"d\" 'a'b") == "\"%\" PRI\"d\" 'a' b");
  CHECK(translated("\"a\\\r\n v.xy\" v.xy") == "\"a\\\r\n v.xy\" v.yoke_get<0, 1>()");
}

TEST_CASE("OpenCL C: what a condition may leave out is refused where it is compiled alone", "[program][opencl_c]") {
  const auto check = [](const std::string& from, const std::string& to) {
    const auto translated = yoke::detail::translate_opencl_c(from);
    INFO(from);
    CHECK(translated.problem.empty());
    CHECK(translated.text == to);
  };
  check("#ifdef A\nvoid f(image2d_depth_t a);\n#endif\n",
        "#ifdef A\nvoid f(image2d_depth_t_images_over_buffers_of_depth_and_of_samples_cannot_be_translated "
        "a);\n#endif\n");
  check("%: if A\ntypedef local int* a;\n#elif B\n#endif\n",
        "%: if A\ntypedef a_typedef_with_local_cannot_be_translated int* a;\n#elif B\n#endif\n");
  // Brackets of one branch do not count in the next.
  check("#if A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\nconstant int a = 1;",
        "#if A\nvoid f(int a) {\n#else\nvoid f(float a) {\n#endif\n}\n__constant__ int a = 1;");
  CHECK(yoke::detail::translate_opencl_c("#if A\n#endif\nimage2d_depth_t a;").line == 3);
  for (const char* const text : {"#endif", "#else\n{", "#endif\n#if\n}\n#else\n(", "#if\n{\n#elif\n#endif\n#else\n}"}) {
    CHECK(yoke::detail::translate_opencl_c(text).text == text);
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: images in a branch that is not compiled are no concern", "[program][opencl_c]") {
  rig on(device);
  const std::string source =
      "#ifdef WITH_IMAGES\nint of(read_only image2d_depth_t a) { return (int)read_imagef(a, (int2)(0)); }\n#endif\n"
      "kernel void f(global int* a) { a[0] = 7; }\n";
  CHECK(result_of(on, source, {.language = opencl_c}) == 7);
  if (std::string_view(Backend::name) == "cuda") {
    const auto e = failed_build(on, source, {.defines = {"WITH_IMAGES"}, .name = "mine.cl", .language = opencl_c});
    CHECK_THAT(e.log(), ContainsSubstring("mine.cl:2") || ContainsSubstring("mine.cl(2)"));
  }
}

YOKE_DEVICE_TEST_CASE("OpenCL C: a byte order mark is skipped, in headers too", "[program][opencl_c]") {
  rig on(device);
  const temporary_folder folder;
  const std::string header = "\xEF\xBB\xBF#define SEVEN 7\r\n";
  (void)folder.put("seven.h", std::as_bytes(std::span(header)));
  CHECK(result_of(on, "\xEF\xBB\xBF#include \"seven.h\"\r\nkernel void f(global int* a) { a[0] = SEVEN; }",
                  {.include_folders = {folder.path().string()}, .language = opencl_c}) == 7);
  const auto e = failed_build(on, "\xEF\xBB\xBFkernel void f(global int* a) {\n a[0] = missing; }",
                              {.name = "mine", .language = opencl_c});
  CHECK_THAT(e.log(), ContainsSubstring("mine:2") || ContainsSubstring("mine(2)"));
}

TEST_CASE("OpenCL C: what cannot be translated is named with its line", "[program][opencl_c]") {
  const auto check = [](const std::string& source, std::size_t line, const char* what) {
    const auto translated = yoke::detail::translate_opencl_c("/*\n*/ " + source);
    INFO(source);
    CHECK(translated.line == line);
    CHECK_THAT(translated.problem, ContainsSubstring(what));
    CHECK(translated.text.empty());
  };
  check("int a;\nvoid g(image2d_depth_t s);", 3, "\"image2d_depth_t\": images over buffers, of depth");
  check("void f() {\n\n image1d_buffer_t x; }", 4, "\"image1d_buffer_t\": images");
  check("kernel void f(read_only pipe int p) {}", 2, "\"pipe\": pipes");
  check("void f() {\n __local float a[2], *b; }", 3, "__local variables and pointers at once");
  check("\ntypedef __local float* place;", 3, "a typedef with __local");
  check("__local float a[2];", 2, "a __local variable outside of a kernel");
  check("#define A __local float\n", 2, "a macro that is a part of a declaration with __local");
  check("kernel void f(\n local float** a) {}", 3, "no plain pointer");
  check("kernel void f(local float a) {}", 2, "no plain pointer");
  check("kernel void f", 2, "a kernel without parameters and body");
}

/// Returns: a language that OpenCL C is translated for, with that text for it.
static yoke::kernel_language with_opencl_c(bool other) {
  yoke::kernel_language of = cuda_language("core\n");
  of.opencl_c_prelude =
      other ? "//part opencl_c\n//words YOKE_D_OPENCL_C\nother\n" : "//part opencl_c\n//words YOKE_D_OPENCL_C\ntext\n";
  return of;
}

TEST_CASE("OpenCL C is rewritten where that is asked for, and where the compiler reads something else",
          "[program][opencl_c]") {
  const auto ends = [](const yoke::kernel_language& of, yoke::source_language language, const char* end) {
    const yoke::compile_request request = yoke::detail::make_request(
        of, "kernel void f(int a) {}", {.name = "k", .language = language, .portable = false}, {});
    CHECK_THAT(request.text, EndsWith(std::string("#line 1 \"k\"\n") + end));
    CHECK(request.source == "kernel void f(int a) {}");
    return request;
  };
  const yoke::kernel_language translating = with_opencl_c(false);
  constexpr const char* plain = "kernel void f(int a) {}\n";
  for (const yoke::source_language each :
       {yoke::source_language::automatic, yoke::source_language::native, yoke::source_language::portable}) {
    CHECK_THAT(ends(translating, each, plain).text, !ContainsSubstring("YOKE_D_OPENCL_C"));
  }
  const auto translated = ends(translating, opencl_c, "__global__ void f(int a) {}\n");
  CHECK_THAT(translated.text, StartsWith("#define YOKE_D_OPENCL_C 1\ncore\n") && ContainsSubstring("text\n"));
  CHECK(translated.portable);
  const auto untouched = ends(opencl_language("core\n"), opencl_c, plain);
  CHECK(untouched.text == "#line 1 \"k\"\n" + std::string(plain));
  CHECK_FALSE(untouched.portable);
}

TEST_CASE("OpenCL C is another program for the cache where it is translated", "[program][opencl_c]") {
  const auto key = [](const yoke::kernel_language& of, yoke::source_language language) {
    const yoke::compile_request request = yoke::detail::make_request(of, "kernel void f(global int* a) {}",
                                                                     {.language = language, .portable = false}, {});
    return yoke::make_cache_key(yoke::detail::inputs_of(request, {"cuda", "image", "1", "sm_90"})).id;
  };
  using enum yoke::source_language;
  const yoke::kernel_language translating = with_opencl_c(false);
  CHECK(key(translating, yoke::source_language::opencl_c) != key(translating, native));
  CHECK(key(translating, yoke::source_language::opencl_c) != key(translating, portable));
  CHECK(key(translating, yoke::source_language::opencl_c) != key(with_opencl_c(true), yoke::source_language::opencl_c));
  CHECK(key(opencl_language("core\n"), yoke::source_language::opencl_c) ==
        key(opencl_language("core\n"), native));  // a compiler of OpenCL C
}

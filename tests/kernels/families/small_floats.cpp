// SPDX-License-Identifier: MIT
// half and bfloat16, and pairs of them: conversions, arithmetic, comparisons, functions, atomics, shuffles.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

#include <cmath>

namespace yoke_test {

namespace {

constexpr const char* directions[] = {"rn", "rz", "ru", "rd"};

/// The names of one type: T, its pair, and both as they stand in the names of functions.
struct small_float {
  std::string type, pair, raw, raw_pair, name, pair_name, file;

  [[nodiscard]] kernel_entry conversions() const {
    std::vector<expression> rows;
    for (const std::string direction : directions) {
      rows.push_back({type, "__float2" + name + "_" + direction + "(f)", 0, 0, nullptr});
      for (const std::string from : {"int", "uint", "ll", "ull", "short", "ushort"}) {
        rows.push_back({type, "__" + from + "2" + name + "_" + direction + "(i >> s)"});
      }
    }
    rows.push_back({type, "__float2" + name + "(f)", 0, 0, [](double f, double, double) { return f; }});
    rows.push_back({type, "__double2" + name + "(d)"});
    rows.push_back({type, type + "(f)"});
    rows.push_back({type, type + "(d)"});
    rows.push_back({type, type + "((short)(i >> s))"});
    return evaluate("to_" + name,
                    {reals("float", "f", -300.0, 300.0,
                           {65504.0, 65519.0, 65520.0, 1e-7, 3e-8, 0x1p-25, 1e39, -1e-20, 1.0009765625, 1.00146484375}),
                     reals("double", "d", -9.0, 9.0, {1.0 + 0x1p-11 + 0x1p-40, 1.0 + 0x1p-8 + 0x1p-40, 1e300}),
                     integers("long long", "i"), integers_between("int", "s", 0, 40)},
                    rows);
  }

  [[nodiscard]] kernel_entry to_others() const {
    std::vector<expression> rows;
    static constexpr const char* types[][2] = {{"int", "int"},      {"uint", "unsigned"},
                                               {"ll", "long long"}, {"ull", "unsigned long long"},
                                               {"short", "short"},  {"ushort", "unsigned short"}};
    for (const auto& to : types) {
      for (const std::string direction : directions) {
        rows.push_back({to[1], "__" + name + "2" + to[0] + "_" + direction + "(a)"});
      }
    }
    rows.push_back({"signed char", "__" + name + "2char_rz(a)"});
    rows.push_back({"unsigned char", "__" + name + "2uchar_rz(a)"});
    rows.push_back({"float", "__" + name + "2float(a)", 0, 0, [](double a, double, double) { return a; }});
    rows.push_back({"float", "(float)a", 0, 0, [](double a, double, double) { return a; }});
    rows.push_back({"short", "__" + name + "_as_short(a)"});
    rows.push_back({"unsigned short", "__" + name + "_as_ushort(a)"});
    rows.push_back({type, "__short_as_" + name + "((short)__" + name + "_as_short(a))"});
    rows.push_back({type, "__ushort_as_" + name + "((unsigned short)(__" + name + "_as_ushort(a) / 2))"});
    rows.push_back({type, "[=] { const " + raw + " r = a; return " + type + "(r); }()"});
    input_column a = numbers(type, "a");
    for (const double each : {0.5, 1.5, 2.5, -0.5, 127.5, 128.0, 255.5, 300.0, -129.0, 32768.0}) {
      a.values.push_back(real_word(type, each));
    }
    return evaluate("from_" + name, {a}, rows);
  }

  [[nodiscard]] kernel_entry arithmetic() const {
    const auto row = [&](const std::string& call, real_reference reference = nullptr) {
      return expression{type, call, 0, 0, reference};
    };
    return evaluate("arithmetic_of_" + name, {any_reals(type, "a"), any_reals(type, "b"), any_reals(type, "c")},
                    {row("__hadd(a, b)", [](double a, double b, double) { return a + b; }),
                     row("__hsub(a, b)", [](double a, double b, double) { return a - b; }),
                     row("__hmul(a, b)", [](double a, double b, double) { return a * b; }),
                     {type, "__hdiv(a, b)", 1, 0, [](double a, double b, double) { return a / b; }},
                     row("__hadd_rn(a, b)"),
                     row("__hsub_rn(a, b)"),
                     row("__hmul_rn(a, b)"),
                     row("a + b"),
                     row("a - b"),
                     row("a * b"),
                     {type, "a / b", 1},
                     row("-a"),
                     row("+a"),
                     row("__hneg(a)"),
                     row("__habs(a)"),
                     row("__hadd_sat(a, b)"),
                     row("__hsub_sat(a, b)"),
                     row("__hmul_sat(a, b)"),
                     row("__hfma_sat(a, b, c)"),
                     row("__hfma_relu(a, b, c)"),
                     row("__hfma(a, b, c)"),
                     row("[=] { " + type + " t = a; t += b; t -= c; t *= b; return t; }()"),
                     {type, "[=] { " + type + " t = a; t /= b; return t; }()", 1},
                     row("[=] { " + type + " t = a; ++t; t++; return t; }()"),
                     row("[=] { " + type + " t = a; --t; t--; return t; }()"),
                     row("__hmin(a, b)"),
                     row("__hmax(a, b)"),
                     row("__hmin_nan(a, b)"),
                     row("__hmax_nan(a, b)"),
                     {"bool", "__heq(a, b)"},
                     {"bool", "__hne(a, b)"},
                     {"bool", "__hlt(a, b)"},
                     {"bool", "__hle(a, b)"},
                     {"bool", "__hgt(a, b)"},
                     {"bool", "__hge(a, b)"},
                     {"bool", "__hequ(a, b)"},
                     {"bool", "__hneu(a, b)"},
                     {"bool", "__hltu(a, b)"},
                     {"bool", "__hleu(a, b)"},
                     {"bool", "__hgtu(a, b)"},
                     {"bool", "__hgeu(a, b)"},
                     {"bool", "a == b"},
                     {"bool", "a != b"},
                     {"bool", "a < b"},
                     {"bool", "a <= b"},
                     {"bool", "a > b"},
                     {"bool", "a >= b"},
                     {"bool", "__hisnan(a)"},
                     {"int", "__hisinf(a)"}});
  }

  [[nodiscard]] std::vector<kernel_entry> functions() const {
    // Right to the nearest value but for a few arguments that the headers name.
    const auto row = [&](const std::string& call, real_reference reference = nullptr) {
      return expression{type, call, 1, 0, reference};
    };
    std::vector<kernel_entry> kernels;
    kernels.push_back(evaluate("functions_of_" + name, {reals(type, "a", -4.0, 4.0, {0.0, 0.5, 1.0, 2.5, -2.5})},
                               {row("hsin(a)", [](double a, double, double) { return std::sin(a); }),
                                row("hcos(a)", [](double a, double, double) { return std::cos(a); }),
                                row("hexp(a)", [](double a, double, double) { return std::exp(a); }),
                                row("hexp2(a)", [](double a, double, double) { return std::exp2(a); }),
                                row("hexp10(a)"),
                                row("htanh(a)", [](double a, double, double) { return std::tanh(a); }),
                                // tanh.approx: 2^-10.987 of the value
                                {type, "htanh_approx(a)", 3},
                                {type, "hfloor(a)"},
                                {type, "hceil(a)"},
                                {type, "htrunc(a)"},
                                {type, "hrint(a)"}}));
    kernels.push_back(evaluate("functions_of_positive_" + name, {reals(type, "a", 0.01, 50.0, {1.0, 2.0, 0.25})},
                               {row("hlog(a)", [](double a, double, double) { return std::log(a); }),
                                row("hlog2(a)", [](double a, double, double) { return std::log2(a); }),
                                row("hlog10(a)", [](double a, double, double) { return std::log10(a); }),
                                row("hsqrt(a)", [](double a, double, double) { return std::sqrt(a); }),
                                row("hrsqrt(a)", [](double a, double, double) { return 1.0 / std::sqrt(a); }),
                                row("hrcp(a)", [](double a, double, double) { return 1.0 / a; })}));
    return kernels;
  }

  [[nodiscard]] kernel_entry pairs() const {
    std::vector<expression> rows;
    const auto first = [&](const std::string& call, double ulps = 0) {
      rows.push_back({type, "(" + call + ").x", ulps});
      rows.push_back({type, "(" + call + ").y", ulps});
    };
    for (const std::string two :
         {"__hadd2", "__hsub2", "__hmul2", "__hadd2_rn", "__hsub2_rn", "__hmul2_rn", "__hadd2_sat", "__hsub2_sat",
          "__hmul2_sat", "__hmin2", "__hmax2", "__hmin2_nan", "__hmax2_nan"}) {
      first(two + "(p, q)");
    }
    for (const std::string three : {"__hfma2", "__hfma2_sat", "__hfma2_relu", "__hcmadd"}) first(three + "(p, q, r)");
    for (const std::string how : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      for (const std::string unordered : {"", "u"}) {
        first("__h" + how + unordered + "2(p, q)");
        rows.push_back({"unsigned", "__h" + how + unordered + "2_mask(p, q)"});
        rows.push_back({"bool", "__hb" + how + unordered + "2(p, q)"});
      }
    }
    for (const std::string one : {"__hneg2", "__habs2", "__hisnan2"}) first(one + "(p)");
    for (const std::string call : {"p + q", "p - q", "p * q", "-p"}) first(call);
    first("__h2div(p, q)", 1);
    first("p / q", 1);
    first("[=] { " + pair + " t = p; t += q; t -= r; t *= q; return t; }()");
    first("[=] { " + pair + " t = p; t /= q; return t; }()", 1);
    for (const std::string call : {"p == q", "p != q", "p < q", "p <= q", "p > q", "p >= q"})
      rows.push_back({"bool", call});
    first("make_" + pair_name + "(a, b)");
    first("__halves2" + pair_name + "(a, b)");
    first("__" + name + "2" + pair_name + "(a)");
    first("__float2" + pair_name + "_rn(1.1f)");
    first("__floats2" + pair_name + "_rn(1.1f, (float)a)");
    first("__float22" + pair_name + "_rn(make_float2((float)b, 1.1f))");
    rows.push_back({"float", "__" + pair_name + "2float2(p).x"});
    rows.push_back({"float", "__" + pair_name + "2float2(p).y"});
    rows.push_back({"float", "__low2float(p)"});
    rows.push_back({"float", "__high2float(p)"});
    rows.push_back({type, "__low2" + name + "(p)"});
    rows.push_back({type, "__high2" + name + "(p)"});
    first("__low2" + pair_name + "(p)");
    first("__high2" + pair_name + "(p)");
    first("__lows2" + pair_name + "(p, q)");
    first("__highs2" + pair_name + "(p, q)");
    first("__lowhigh2highlow(p)");
    first("[=] { const " + raw_pair + " t = p; return " + pair + "(t); }()");
    kernel_entry kernel =
        evaluate("pairs_of_" + name, {any_reals(type, "a"), any_reals(type, "b"), any_reals(type, "c")}, rows);
    const std::string setup = "  const " + pair + " p(a, b), q(b, c), r(c, a);\n";
    kernel.source.insert(kernel.source.find("  out["), setup);
    return kernel;
  }

  [[nodiscard]] kernel_entry pair_functions() const {
    std::vector<expression> rows;
    for (const std::string one : {"h2sin", "h2cos", "h2exp", "h2exp2", "h2exp10", "h2log", "h2log2", "h2log10",
                                  "h2sqrt", "h2rsqrt", "h2rcp", "h2tanh"}) {
      rows.push_back({type, one + "(p).x", 1});
      rows.push_back({type, one + "(p).y", 1});
    }
    for (const std::string one : {"h2floor", "h2ceil", "h2trunc", "h2rint"}) {
      rows.push_back({type, one + "(p).x"});
      rows.push_back({type, one + "(p).y"});
    }
    rows.push_back({type, "h2tanh_approx(p).x", 3});
    rows.push_back({type, "h2tanh_approx(p).y", 3});
    kernel_entry kernel =
        evaluate("pair_functions_of_" + name, {reals(type, "a", 0.05, 4.0), reals(type, "b", 0.05, 9.0)}, rows);
    kernel.source.insert(kernel.source.find("  out["), "  const " + pair + " p(a, b);\n");
    return kernel;
  }

  [[nodiscard]] kernel_entry traffic() const {
    std::vector<expression> rows;
    rows.push_back({type, "[&] { out[row] = bits(a); return atomicAdd((" + type + "*)&out[row], b); }()"});
    rows.push_back({type, "[&] { out[row] = bits(a); atomicAdd((" + type + "*)&out[row], b); return value<" + type +
                              ">(out[row]); }()"});
    rows.push_back({type, "[&] { out[row] = bits(" + pair + "(a, b)); atomicAdd((" + pair + "*)&out[row], " + pair +
                              "(b, a)); return value<" + pair + ">(out[row]).y; }()"});
    rows.push_back({type, "__shfl_sync(~0u, a, (int)(row * 7 % 32))"});
    rows.push_back({type, "__shfl_up_sync(~0u, a, 3)"});
    rows.push_back({type, "__shfl_down_sync(~0u, a, 5, 16)"});
    rows.push_back({type, "__shfl_xor_sync(~0u, a, 9)"});
    rows.push_back({type, "__shfl_sync(~0u, " + pair + "(a, b), 3).y"});
    rows.push_back({type, "__shfl_up_sync(~0u, " + pair + "(a, b), 1).y"});
    rows.push_back({type, "__shfl_down_sync(~0u, " + pair + "(a, b), 1).x"});
    rows.push_back({type, "__shfl_xor_sync(~0u, " + pair + "(a, b), 31).x"});
    rows.push_back({type, "__ldg((const " + type + "*)&in[row])"});
    // The first column is scratch, written again at the end.
    rows.insert(rows.begin(), {type, "a"});
    kernel_entry kernel =
        evaluate("traffic_of_" + name, {reals(type, "a", -9.0, 9.0), reals(type, "b", -9.0, 9.0)}, rows);
    kernel.source.insert(kernel.source.rfind('}'), "  out[row] = bits(a);\n");
    return kernel;
  }

  [[nodiscard]] std::vector<kernel_program> programs() const {
    kernel_program numbers{name, "#include <" + file + ">\n", {conversions(), to_others(), arithmetic()}};
    for (kernel_entry& each : functions()) numbers.kernels.push_back(std::move(each));
    kernel_program both{pair_name, "#include <" + file + ">\n", {pairs(), pair_functions(), traffic()}};
    numbers.toolkit_headers = true;
    both.toolkit_headers = true;
    return {numbers, both};
  }
};

}  // namespace

std::vector<kernel_program> half_kernels() {
  auto programs =
      small_float{"__half", "__half2", "__half_raw", "__half2_raw", "half", "half2", "cuda_fp16.h"}.programs();
  programs[0].kernels.push_back(evaluate("spellings_of_half", {reals("__half", "a", -4.0, 4.0)},
                                         {{"half", "half(a)"},
                                          {"nv_half", "nv_half(a)"},
                                          {"__nv_half", "__nv_half(a)"},
                                          {"__half", "half2(a, a).y"},
                                          {"__half", "__nv_half2(a, a).y"},
                                          {"__half", "nv_half2(a, a).x"}}));
  return programs;
}

std::vector<kernel_program> bfloat16_kernels() {
  auto programs = small_float{"__nv_bfloat16", "__nv_bfloat162", "__nv_bfloat16_raw", "__nv_bfloat162_raw",
                              "bfloat16",      "bfloat162",      "cuda_bf16.h"}
                      .programs();
  programs[0].kernels.push_back(
      evaluate("spellings_of_bfloat16", {reals("__nv_bfloat16", "a", -4.0, 4.0)},
               {{"__nv_bfloat16", "nv_bfloat16(a)"}, {"__nv_bfloat16", "nv_bfloat162(a, a).y"}}));
  return programs;
}

}  // namespace yoke_test

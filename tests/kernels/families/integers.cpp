// SPDX-License-Identifier: MIT
// The integer intrinsics and the functions of integers.
#include <kernels/families.hpp>
#include <kernels/inputs.hpp>

namespace yoke_test {

namespace {

kernel_entry extremes(const std::string& name, const std::string& whole, const std::string& other) {
  return evaluate(name, {integers(whole, "a"), integers(whole, "b"), integers(other, "u"), integers(other, "v")},
                  {{whole, "min(a, b)"},
                   {whole, "max(a, b)"},
                   {other, "min(u, v)"},
                   {other, "max(u, v)"},
                   {other, "min(a, v)"},
                   {other, "max(a, v)"},
                   {other, "min(u, b)"},
                   {other, "max(u, b)"},
                   {whole, "abs(a / 2)"}});
}

/// Instructions of dynamic programming: minimum and maximum of sums and of three, on words and on halves of words.
kernel_entry dynamic_programming() {
  std::vector<expression> rows;
  for (const std::string how : {"min", "max"}) {
    for (const std::string type : {"s32", "u32", "s16x2", "u16x2"}) {
      const std::string whole = type == "s32" ? "int" : "unsigned";
      const std::string of = type == "s32" ? "((int)a, (int)b, (int)c)" : "(a, b, c)";
      const std::string of_two = type == "s32" ? "((int)a, (int)b)" : "(a, b)";
      rows.push_back({whole, "__vi" + how + "3_" + type + of});
      rows.push_back({whole, "__viadd" + how + "_" + type + of});
      if (type[0] == 's') {
        rows.push_back({whole, "__vi" + how + "3_" + type + "_relu" + of});
        rows.push_back({whole, "__viadd" + how + "_" + type + "_relu" + of});
        rows.push_back({whole, "__vi" + how + "_" + type + "_relu" + of_two});
      }
      const std::string start = "[=] { bool p, q; const auto r = __vib" + how + "_" + type;
      if (type.size() == 3) {
        const std::string given = type == "s32" ? "((int)a, (int)b, &p); q = p; " : "(a, b, &p); q = p; ";
        rows.push_back({whole, start + given + "return r; }()"});
        rows.push_back({"int", start + given + "(void)r; return p * 2 + q; }()"});
      } else {
        rows.push_back({whole, start + "(a, b, &p, &q); return r; }()"});
        rows.push_back({"int", start + "(a, b, &p, &q); (void)r; return p * 2 + q; }()"});
      }
    }
  }
  return evaluate("dynamic_programming",
                  {integers("unsigned", "a"), integers("unsigned", "b"), integers("unsigned", "c")}, rows);
}

}  // namespace

std::vector<kernel_program> integer_kernels() {
  kernel_program program{"integers", ""};
  program.kernels.push_back(evaluate("bits_of_words", {integers("unsigned", "a"), integers("unsigned long long", "w")},
                                     {{"int", "__popc(a)"},
                                      {"int", "__popcll(w)"},
                                      {"int", "__clz((int)a)"},
                                      {"int", "__clzll((long long)w)"},
                                      {"int", "__ffs((int)a)"},
                                      {"int", "__ffsll((long long)w)"},
                                      {"unsigned", "__brev(a)"},
                                      {"unsigned long long", "__brevll(w)"},
                                      {"unsigned short", "__nv_bswap16((unsigned short)a)"},
                                      {"unsigned", "__nv_bswap32(a)"},
                                      {"unsigned long long", "__nv_bswap64(w)"}}));
  program.kernels.push_back(evaluate(
      "products", {integers("int", "a"), integers("int", "b"), integers("long long", "x"), integers("long long", "y")},
      {{"int", "__mulhi(a, b)"},
       {"unsigned", "__umulhi((unsigned)a, (unsigned)b)"},
       {"long long", "__mul64hi(x, y)"},
       {"unsigned long long", "__umul64hi((unsigned long long)x, (unsigned long long)y)"},
       {"int", "__mul24(a, b)"},
       {"unsigned", "__umul24((unsigned)a, (unsigned)b)"},
       {"int", "__hadd(a, b)"},
       {"int", "__rhadd(a, b)"},
       {"unsigned", "__uhadd((unsigned)a, (unsigned)b)"},
       {"unsigned", "__urhadd((unsigned)a, (unsigned)b)"},
       {"unsigned", "__sad(a, b, 7u)"},
       {"unsigned", "__usad((unsigned)a, (unsigned)b, 7u)"}}));
  program.kernels.push_back(evaluate(
      "permutations", {integers("unsigned", "a"), integers("unsigned", "b"), integers_between("unsigned", "n", 0, 40)},
      {{"unsigned", "__byte_perm(a, b, n * 0x1357u)"},
       {"unsigned", "__byte_perm(a, b, 0x7654u)"},
       {"unsigned", "__funnelshift_l(a, b, n)"},
       {"unsigned", "__funnelshift_lc(a, b, n)"},
       {"unsigned", "__funnelshift_r(a, b, n)"},
       {"unsigned", "__funnelshift_rc(a, b, n)"},
       {"unsigned", "__fns(a, n % 32u, 2)"},
       {"unsigned", "__fns(a, n % 32u, -2)"},
       {"unsigned", "__fns(a, n % 32u, 0)"}}));
  program.kernels.push_back(
      evaluate("dot_products", {integers("int", "a"), integers("int", "b"), integers("int", "c")},
               {{"int", "__dp4a(a, b, c)"},
                {"unsigned", "__dp4a((unsigned)a, (unsigned)b, (unsigned)c)"},
                {"int", "__dp4a(value<char4>(bits(a)), value<char4>(bits(b)), c)"},
                {"unsigned", "__dp4a(value<uchar4>(bits(a)), value<uchar4>(bits(b)), (unsigned)c)"},
                {"int", "__dp2a_lo(a, b, c)"},
                {"int", "__dp2a_hi(a, b, c)"},
                {"unsigned", "__dp2a_lo((unsigned)a, (unsigned)b, (unsigned)c)"},
                {"unsigned", "__dp2a_hi((unsigned)a, (unsigned)b, (unsigned)c)"},
                {"int", "__dp2a_lo(value<short2>(bits(a)), value<char4>(bits(b)), c)"},
                {"int", "__dp2a_hi(value<short2>(bits(a)), value<char4>(bits(b)), c)"},
                {"unsigned", "__dp2a_lo(value<ushort2>(bits(a)), value<uchar4>(bits(b)), (unsigned)c)"},
                {"unsigned", "__dp2a_hi(value<ushort2>(bits(a)), value<uchar4>(bits(b)), (unsigned)c)"}}));
  program.kernels.push_back(extremes("extremes_int", "int", "unsigned"));
  program.kernels.push_back(extremes("extremes_long", "long", "unsigned long"));
  program.kernels.push_back(extremes("extremes_long_long", "long long", "unsigned long long"));
  program.kernels.push_back(evaluate("extremes_by_name", {integers("long long", "x"), integers("long long", "y")},
                                     {{"unsigned", "umin((unsigned)x, (unsigned)y)"},
                                      {"unsigned", "umax((unsigned)x, (unsigned)y)"},
                                      {"long long", "llmin(x, y)"},
                                      {"long long", "llmax(x, y)"},
                                      {"unsigned long long", "ullmin((unsigned long long)x, (unsigned long long)y)"},
                                      {"unsigned long long", "ullmax((unsigned long long)x, (unsigned long long)y)"},
                                      {"long", "labs((long)(x / 2))"},
                                      {"long long", "llabs(x / 2)"}}));
  program.kernels.push_back(dynamic_programming());
  return {program};
}

}  // namespace yoke_test

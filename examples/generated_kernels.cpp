// SPDX-License-Identifier: MIT
// One text, several kernels: the element's type, the number of elements of a thread and the operator are definitions.
#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <vector>
#include <yoke/yoke.hpp>

namespace {

constexpr const char* source = R"(
YOKE_KERNEL joined(YOKE_GLOBAL const T* a, YOKE_GLOBAL const T* b, YOKE_GLOBAL T* c, int n) {
  int block = (int)get_local_size(0);
  int first = (int)get_group_id(0) * block * EACH + (int)get_local_id(0);
  YOKE_UNROLL(EACH)
  for (int k = 0; k < EACH; ++k) {
    int i = first + k * block;
    if (i < n) c[i] = a[i] OPERATOR b[i];
  }
})";

/// Compiles the kernel for a type, a number of elements for each thread and an operator, and compares it with the host's.
template <class T, int Each, class Operator>
bool is_right(const yoke::stream<>& stream, const char* word, Operator host) {
  const yoke::context<> context = stream.context_of();
  std::vector<yoke::define> defines = yoke::specialise<T, yoke::value_of<Each>>("T", "EACH");
  defines.push_back({"OPERATOR", word});
  const auto module = yoke::compile(context, source, {.defines = defines});
  const auto joined = module.template get_kernel<void(const T*, const T*, T*, int)>("joined");

  constexpr int count = 10007, block = 64;
  std::vector<T> a, b, c(count);
  for (int i = 0; i < count; ++i) {
    a.push_back(static_cast<T>(i % 101));
    b.push_back(static_cast<T>(i % 7 + 1));
  }
  joined(stream, {.grid = (count + block * Each - 1) / (block * Each), .block = block}, yoke::in(a), yoke::in(b),
         yoke::out(c), count);
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c[i] != host(a[i], b[i])) return false;
  }
  fmt::print("{} {} {}, {} a thread: {} are right\n", yoke::device_type<T>::dialect, word,
             yoke::device_type<T>::dialect, Each, count);
  return true;
}

int run() {
  const yoke::context context;
  const yoke::stream stream{context};
  fmt::print("device: {}\n", stream.device_of().name());
  const bool right = is_right<float, 1>(stream, "+", [](float a, float b) { return a + b; }) &&
                     is_right<float, 4>(stream, "*", [](float a, float b) { return a * b; }) &&
                     is_right<int, 2>(stream, "-", [](int a, int b) { return a - b; }) &&
                     is_right<std::uint64_t, 8>(stream, "^", [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const yoke::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return EXIT_FAILURE;
  }
}

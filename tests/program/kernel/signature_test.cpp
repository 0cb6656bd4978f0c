// SPDX-License-Identifier: MIT
// What get_kernel proves of a signature in the dialect, whatever the driver tells; kernels that move, and of other modules.
#include <support/rig.hpp>

using namespace yoke_test;
using yoke::signature_check;

namespace {

struct point {
  float x, y;
  int id;
};

const char* const kernels = R"(
  typedef struct { float x, y; int id; } point;
  YOKE_KERNEL plain(YOKE_GLOBAL float* a, const YOKE_GLOBAL float* b, int n, YOKE_LOCAL_ARG(float, scratch),
                    YOKE_CONSTANT_POINTER int* table) {}
  YOKE_KERNEL vectors(float2 a, float4 b, int2 c, int4 d, YOKE_GLOBAL float4* e) {}
  YOKE_KERNEL structure(YOKE_GLOBAL float* out, point p) { out[0] = p.x; out[1] = p.y; out[2] = p.id; }
)";
// By itself: NVIDIA's OpenCL compiler fails where a kernel without parameters stands and argument info is asked for.
const char* const bare = "YOKE_KERNEL nothing() {}";

using plain_signature = void(float*, const float*, int, yoke::local<float>, yoke::constant<int>);

}  // namespace

YOKE_DEVICE_TEST_CASE("a right signature of the dialect is proven as far as the driver tells", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  CHECK(yoke::get_kernel<plain_signature>(module, "plain").checked() == Backend::dialect_check);
  using vectors = void(yoke::float2, yoke::float4, yoke::int2, yoke::int4, yoke::float4*);
  CHECK(yoke::get_kernel<vectors>(module, "vectors").checked() == Backend::dialect_check);
  const auto alone = yoke::compile(on.context, bare);
  yoke::get_kernel<void()>(alone, "nothing")(on.stream, {.grid = 1});
  const auto structure = yoke::get_kernel<void(float*, point)>(module, "structure");
  std::vector<float> out(3);
  structure(on.stream, {.grid = 1}, yoke::in_out(out), point{1.5F, -2.5F, 42});
  CHECK(out == std::vector<float>{1.5F, -2.5F, 42});
}

YOKE_DEVICE_TEST_CASE("a signature of another count or other sizes is refused", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  const auto refused = [](auto act) { return refusal<yoke::logic_error>(yoke::errc::signature_mismatch, act); };
  CHECK_THAT(refused([&] { (void)yoke::get_kernel<void(float*, const float*)>(module, "plain"); }),
             ContainsSubstring("asked for as void(float*, const float*)") && ContainsSubstring("5 parameters, not 2") &&
                 ContainsSubstring("signature_test.cpp:"));
  refused([&] {
    (void)yoke::get_kernel<void(float*, const float*, std::int64_t, yoke::local<float>, yoke::constant<int>)>(module,
                                                                                                              "plain");
  });
  refused([&] { (void)yoke::get_kernel<void(int)>(yoke::compile(on.context, bare), "nothing"); });
  refused([&] {
    (void)yoke::get_kernel<void(yoke::float4, yoke::float4, yoke::int2, yoke::int4, yoke::float4*)>(module, "vectors");
  });
}

YOKE_DEVICE_TEST_CASE("an unknown kernel is named beside those there are", "[program]") {
  rig on(device);
  const auto module = yoke::compile(on.context, kernels);
  const std::string text = refusal<yoke::logic_error>(yoke::errc::kernel_not_found,
                                                      [&] { (void)yoke::get_kernel<void()>(module, "plian"); });
  CHECK_THAT(text, ContainsSubstring("no kernel \"plian\" in this module, near to plain; it has:") &&
                       ContainsSubstring(" plain") && ContainsSubstring(" structure") && ContainsSubstring(" vectors"));
}

YOKE_DEVICE_TEST_CASE("a kernel that moves takes its check along", "[program]") {
  rig on(device);
  {
    const auto module = yoke::compile(on.context, kernels);
    auto first = yoke::get_kernel<void(float*, point)>(module, "structure");
    const signature_check checked = first.checked();
    CHECK(checked != signature_check::nothing);
    auto moved = std::move(first);
    CHECK_FALSE(static_cast<bool>(first));
    CHECK(moved.checked() == checked);
    backend::kernel<void(float*, point)> other;
    swap(moved, other);
    CHECK(other.checked() == checked);
    CHECK(moved.checked() == signature_check::nothing);
    std::vector<float> out(3);
    refusal<yoke::logic_error>(yoke::errc::empty_handle,
                               [&] { first(on.stream, {.grid = 1}, yoke::in_out(out), point{}); });
    refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] { (void)first.limits(); });
    other.reset();
    CHECK_FALSE(static_cast<bool>(other));
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

YOKE_DEVICE_TEST_CASE("a kernel of another module is neither adopted nor borrowed", "[program]") {
  rig on(device);
  {
    const auto module = yoke::compile(on.context, kernels);
    const auto other = yoke::compile(on.context, kernels);
    using signature = void(float*, point);
    auto theirs = yoke::get_kernel<signature>(other, "structure");
    const auto native = theirs.native_handle();
    const auto says = [&](auto act) { return refusal<yoke::logic_error>(yoke::errc::wrong_context, act); };
    CHECK_THAT(says([&] { (void)backend::kernel<signature>::borrow(module, native); }),
               ContainsSubstring("the native kernel 0x") && ContainsSubstring(" is of another module"));
    says([&] { (void)backend::kernel<signature>::adopt(module, native); });
    refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
      (void)backend::kernel<signature>::borrow(module, typename port::native_kernel{});
    });
    // What another signature refuses stays the caller's.
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                          [&] { (void)backend::kernel<void(int)>::adopt(other, native); }),
               StartsWith("this kernel is "));
    CHECK_THAT(refusal<yoke::logic_error>(yoke::errc::signature_mismatch,
                                          [&] { (void)backend::kernel<void(int)>::adopt(other, native, "mine"); }),
               StartsWith("kernel mine is "));
    std::vector<float> out(3);
    backend::kernel<signature>::borrow(other, native)(on.stream, {.grid = 1}, yoke::in_out(out), point{1, 2, 3});
    theirs(on.stream, {.grid = 1}, yoke::in_out(out), point{4, 5, 6});
    CHECK(out == std::vector<float>{4, 5, 6});
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

// SPDX-License-Identifier: MIT
// A CUDA module's variables as typed device memory.
#include <cuda/cuda_rig.hpp>

#include <numeric>

using namespace yoke_test;
using yoke::errc;

namespace {

constexpr const char* source = R"(
extern "C" { __constant__ float weights[8]; }
__device__ int counter;
__device__ double points[3];
namespace outer { namespace inner { __device__ int table[4]; __constant__ short odd[5]; } }
template <int N> __device__ int values_of[N];
__global__ void use(float* out) {
  int i = threadIdx.x;
  out[i] = weights[i] + outer::inner::table[i % 4] + outer::inner::odd[i % 5] + (float)points[i % 3];
  atomicAdd(&counter, 1);
}
__global__ void use_template(int* out) { out[0] = values_of<6>[5]; }
)";

template <class T>
std::vector<T> download(const cu::device_span<T>& from, const cu::stream& stream) {
  std::vector<T> host(from.size());
  yoke::copy(from, host, stream);
  return host;
}

}  // namespace

YOKE_CUDA_TEST_CASE("a module's variables are written and read by the ordinary verbs", "[cuda]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, source);
  const auto weights = cu::get_global<float>(module, "weights");
  static_assert(std::is_same_v<decltype(weights), const cu::device_span<float>>);
  CHECK(weights.size() == 8);
  std::vector<float> host(8);
  std::iota(host.begin(), host.end(), 1.0F);
  yoke::copy(host, weights, on.stream);
  const auto table = cu::get_global<int>(module, "outer::inner::table", 4);
  yoke::fill(table, 100, on.stream);
  yoke::fill(cu::get_global<short>(module, "_ZN5outer5inner3oddE"), short{1000}, on.stream);
  yoke::fill(cu::get_global<double>(module, "points"), 0.5, on.stream);
  yoke::fill(cu::get_global<int>(module, "counter"), 0, on.stream);
  const auto use = module.get_kernel<void(float*)>("use");
  std::vector<float> out(8);
  use(on.stream, {.grid = 1, .block = 8}, yoke::out(out));
  for (std::size_t i = 0; i < 8; ++i) CHECK(out[i] == host[i] + 1100.5F);
  CHECK(download(cu::get_global<int>(module, "counter", 1), on.stream) == std::vector<int>{8});
  CHECK(download(table.subspan(1, 2), on.stream) == std::vector<int>{100, 100});
  // A variable is memory: kernels take it, too.
  use(on.stream, {.grid = 1, .block = 8}, weights);
  CHECK(download(weights, on.stream)[0] == 1101.5F + 1.0F - 1.0F);
  const auto read_only = cu::get_global<const float>(module, "weights");
  std::vector<float> copied(8);
  yoke::copy(read_only, copied, on.stream);
  CHECK(copied[1] == 1102.5F);
}

YOKE_CUDA_TEST_CASE("variables of templates and namespaces come by name expressions", "[cuda]") {
  cuda_rig on(device, 12000);
  const auto module =
      cu::compile(on.context, source, {.name_expressions = {"&values_of<6>", "&outer::inner::table", "use_template"}});
  const auto values = cu::get_global<int>(module, "&values_of<6>");
  CHECK(values.size() == 6);
  yoke::copy(std::vector<int>{1, 2, 3, 4, 5, 60}, values, on.stream);
  std::vector<int> out(1);
  module.get_kernel<void(int*)>("use_template")(on.stream, {.grid = 1}, yoke::out(out));
  CHECK(out[0] == 60);
  CHECK(cu::get_global<int>(module, "&outer::inner::table").native_handle() ==
        cu::get_global<int>(module, "::outer::inner::table").native_handle());
  CHECK(cu::get_global<int>(module, "values_of<6>").native_handle() == values.native_handle());
}

YOKE_CUDA_TEST_CASE("a variable of another size or name is refused in words", "[cuda]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, source);
  const auto refused = [&](errc condition, auto act) { return cuda_refusal<yoke::logic_error>(condition, act); };
  struct three {
    float x, y, z;
  };
  CHECK_THAT(refused(errc::size_mismatch, [&] { (void)cu::get_global<three>(module, "weights"); }),
             ContainsSubstring("variable \"weights\" has 32 bytes, not a whole number of elements of 12 bytes"));
  CHECK_THAT(refused(errc::size_mismatch, [&] { (void)cu::get_global<float>(module, "weights", 7); }),
             ContainsSubstring("variable \"weights\" has 32 bytes, not 7 elements of 4 bytes"));
  CHECK_THAT(refused(errc::size_mismatch, [&] { (void)cu::get_global<double>(module, "weights", 8); }),
             ContainsSubstring("not 8 elements of 8 bytes"));
  CHECK_THAT(refused(errc::kernel_not_found, [&] { (void)cu::get_global<float>(module, "wieghts"); }),
             ContainsSubstring("no variable \"wieghts\" in this module"));
  CHECK_THAT(refused(errc::kernel_not_found, [&] { (void)cu::get_global<int>(module, "outer::table"); }),
             ContainsSubstring("no variable \"outer::table\""));
  CHECK_THAT(refused(errc::invalid_argument, [&] { (void)cu::get_global<int>(module, ""); }),
             ContainsSubstring("variable name \"\" is empty"));
  CHECK_THAT(refused(errc::out_of_range, [&] { (void)cu::get_global<int>(module, "counter", -1); }),
             ContainsSubstring("element count"));
  refused(errc::empty_handle, [&] { (void)cu::get_global<int>(cu::module{}, "counter"); });
}

YOKE_CUDA_TEST_CASE("a kernel keeps its module's variables", "[cuda]") {
  cuda_rig on(device);
  auto module = cu::compile(on.context, source);
  const auto counter = cu::get_global<int>(module, "counter");
  const auto use = module.get_kernel<void(float*)>("use");
  yoke::fill(counter, 5, on.stream);
  module.reset();
  std::vector<float> out(4);
  use(on.stream, {.grid = 1, .block = 4}, yoke::out(out));
  CHECK(download(counter, on.stream) == std::vector<int>{9});
}

YOKE_CUDA_TEST_CASE("managed variables are variables", "[cuda]") {
  cuda_rig on(device);
  const auto module = cu::compile(on.context, R"(
    __managed__ int shared_count[2];
    extern "C" __global__ void count() { shared_count[threadIdx.x] += 3; })");
  const auto shared = cu::get_global<int>(module, "shared_count");
  CHECK(shared.size() == 2);
  yoke::fill(shared, 4, on.stream);
  module.get_kernel<void()>("count")(on.stream, {.grid = 1, .block = 2});
  on.stream.synchronize();
  CHECK(download(shared, on.stream) == std::vector<int>{7, 7});
}

YOKE_CUDA_TEST_CASE("a name that is no plain variable is asked for as a managed one", "[cuda]") {
  // Played: drivers have been seen to find managed variables as plain ones, too.
  cuda_abi::functions table = *device.port().table();
  table.library_get_managed = [](cuda_abi::device_pointer* address, std::size_t* bytes, cuda_abi::library,
                                 const char* name) -> cuda_abi::status {
    if (std::string_view(name) != "elsewhere") return 500;
    *address = 4096;
    *bytes = 24;
    return 0;
  };
  const cu::context context{through_table(&table, device)};
  const auto module = cu::compile(context, source);
  const auto found = cu::get_global<long>(module, "elsewhere");
  CHECK(found.native_handle() == 4096);
  CHECK(found.size() == 3);
}

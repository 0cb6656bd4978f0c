// SPDX-License-Identifier: MIT
// Elements, bytes and threads beyond 2^32: memory of which a few pages exist, and launches that are looked at.
#include <cuda/cuda_rig.hpp>

#include <yoke/array.hpp>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using yoke::errc;
using byte_type = std::uint8_t;

namespace {

constexpr std::size_t gib = std::size_t{1} << 30;

/// Addresses for 6 GiB, with memory at 0, 2 GiB, 4 GiB, and before their end.
struct sparse_memory {
  explicit sparse_memory(const cu::device& device) : context(device) {
    for (const std::size_t at : {std::size_t{0}, 2 * gib, 4 * gib, 6 * gib - page}) {
      mappings.emplace_back(range, at, cu::physical_memory(context, page));
    }
  }
  static bool is_possible_on(const cu::device& device) {
    return cu::get(device, cu::info::virtual_memory_management_supported);
  }
  /// All of it, as elements.
  template <class T>
  [[nodiscard]] cu::device_span<T> span() const {
    return {context.native_handle(), range.native_handle(), 0, 6 * gib / sizeof(T)};
  }

  cu::context context;
  cu::stream stream{context};
  cu::address_range range{context, 6 * gib};
  std::size_t page = cu::physical_memory(context, 1).size_bytes();
  std::vector<cu::memory_mapping> mappings{};
};

}  // namespace

YOKE_CUDA_TEST_CASE("elements beyond 2^32 are filled, copied and reached by kernels", "[cuda][large]") {
  if (!sparse_memory::is_possible_on(device)) YOKE_SKIP("the device has no virtual memory");
  const sparse_memory memory(device);
  const cu::stream& stream = memory.stream;
  const cu::device_span<byte_type> all = memory.span<byte_type>();
  REQUIRE(all.size() > std::size_t{1} << 32);
  const std::size_t beyond = 4 * gib + 5;
  const std::size_t last = all.size() - 1000;
  yoke::fill(memory.mappings[0].span<byte_type>(), byte_type{1}, stream);  // what lost bits would lead to
  yoke::fill(memory.mappings[1].span<byte_type>(), byte_type{1}, stream);
  yoke::fill(all.subspan(4 * gib, memory.page), byte_type{2}, stream);
  yoke::fill(all.subspan(last, 1000), byte_type{3}, stream);
  const std::vector<byte_type> ends = yoke::to_host(all.subspan(last, 1000), stream);
  CHECK(ends == std::vector<byte_type>(1000, 3));
  yoke::copy(all.subspan(last, 100), all.subspan(beyond, 100), stream);
  yoke::copy(std::vector<byte_type>{7, 8, 9}, all.subspan(beyond + 100, 3), stream);

  const auto module = yoke::compile(memory.context, R"(
    YOKE_KERNEL add(YOKE_GLOBAL yoke_uint8* a, yoke_int64 first, int count) {
      int i = (int)get_global_id(0);
      if (i < count) a[first + i] += 10;
    })");
  const auto add = module.get_kernel<void(byte_type*, std::int64_t, int)>("add");
  add(stream, yoke::launch_over(50), all, beyond, 50);
  std::vector<byte_type> found = yoke::to_host(all.subspan(beyond - 1, 105), stream);
  std::vector<byte_type> expected(105, 3);
  expected[0] = expected[104] = 2;
  for (std::size_t i = 1; i <= 50; ++i) expected[i] = 13;
  for (std::size_t i = 0; i < 3; ++i) expected[101 + i] = static_cast<byte_type>(7 + i);
  CHECK(found == expected);
  CHECK(yoke::to_host(all.subspan(0, 200), stream) == std::vector<byte_type>(200, 1));
  CHECK_THROWS_AS(all.subspan(6 * gib, 1), yoke::logic_error);
  CHECK_THROWS_AS(all.subspan(4 * gib, 2 * gib + 1), yoke::logic_error);
}

YOKE_CUDA_TEST_CASE("arrays have elements beyond 2^32 and strides beyond 2^31", "[cuda][array][large]") {
  if (!sparse_memory::is_possible_on(device)) YOKE_SKIP("the device has no virtual memory");
  const sparse_memory memory(device);
  const cu::stream& stream = memory.stream;
  for (const cu::memory_mapping& each : memory.mappings) yoke::fill(each.span<byte_type>(), byte_type{1}, stream);
  const yoke::device_view<byte_type, 1, cu::port> all(memory.span<byte_type>(), {6 * gib}, stream);
  const auto at = [&](std::size_t first, std::size_t count) {
    return yoke::to_host(memory.span<byte_type>().subspan(first, count), stream);
  };
  const auto beyond = static_cast<std::ptrdiff_t>(4 * gib);
  all(yoke::slice(beyond + 1, beyond + 10, 3)).fill(5);
  CHECK(at(4 * gib, 9) == std::vector<byte_type>{1, 5, 1, 1, 5, 1, 1, 5, 1});
  auto part = all(yoke::slice(beyond, beyond + 9));
  part = part * byte_type{2} + byte_type{1};
  CHECK(at(4 * gib, 9) == std::vector<byte_type>{3, 11, 3, 3, 11, 3, 3, 11, 3});
  CHECK(at(0, 9) == std::vector<byte_type>(9, 1));  // nothing of it lands 2^32 before
  CHECK(yoke::sum(part).get() == 51);

  // Three elements, 2^31 apart.
  const auto far = all.reshape(yoke::shape<2>{3, 2 * gib});
  auto column = far(yoke::slice(0, 3), 0);
  REQUIRE(column.size() == 3);
  CHECK(column.to_host() == std::vector<byte_type>{1, 1, 3});
  column = column + byte_type{4};
  CHECK(at(2 * gib, 2) == std::vector<byte_type>{5, 1});
  CHECK(at(4 * gib, 2) == std::vector<byte_type>{7, 11});
  CHECK(yoke::sum(column).get() == 17);
  CHECK((yoke::cumsum(column).to_host() == std::vector<std::uint64_t>{5, 10, 17}));
  const auto block = far(yoke::slice(0, 3), yoke::slice(0, 2));
  CHECK((yoke::sum(block, yoke::along(0)).to_host() == std::vector<std::uint64_t>{17, 13}));
  CHECK((block.transpose().copy().to_host() == std::vector<byte_type>{5, 5, 7, 1, 1, 11}));
}

YOKE_CUDA_TEST_CASE("launches over more than 2^32 threads have the shape that they ask for", "[cuda][large]") {
  static std::vector<unsigned> shape;
  static std::int64_t count = 0;
  static bool launches = true;
  cuda_abi::functions table = *device.port().table();
  static auto real = table.launch_kernel;
  real = table.launch_kernel;
  table.launch_kernel = [](cuda_abi::function of, unsigned x, unsigned y, unsigned z, unsigned block_x,
                           unsigned block_y, unsigned block_z, unsigned shared, cuda_abi::stream on, void** parameters,
                           void** extra) -> cuda_abi::status {
    if (launches) return real(of, x, y, z, block_x, block_y, block_z, shared, on, parameters, extra);
    shape = {x, y, z, block_x, block_y, block_z};
    std::memcpy(&count, parameters[1], sizeof count);
    return x > 2147483647U ? cuda_abi::error_invalid_value : cuda_abi::success;
  };
  const cu::context context{through_table(&table, device)};
  const cu::stream stream{context};
  const cu::device_allocation<int> memory{context, 1};
  const auto module = yoke::compile(context, R"(
    YOKE_KERNEL touch(YOKE_GLOBAL const int* a, yoke_int64 n) { (void)a; (void)n; })");
  const auto touch = module.get_kernel<void(const int*, std::int64_t)>("touch");
  launches = false;
  touch(stream, yoke::launch_over(std::size_t{1} << 33), memory, std::size_t{1} << 33);
  CHECK(shape == std::vector<unsigned>{1U << 25, 1, 1, 256, 1, 1});
  CHECK(count == std::int64_t{1} << 33);
  // As many as a grid has blocks.
  const std::size_t most = std::size_t{2147483647} * 1024;
  touch(stream, yoke::launch_over(most, 1024), memory, most);
  CHECK(shape == std::vector<unsigned>{2147483647U, 1, 1, 1024, 1, 1});
  CHECK(count == static_cast<std::int64_t>(most));
  const auto refused = [&](const yoke::launch_shape& wanted) {
    return cuda_refusal<yoke::launch_error>(errc::launch_failed, [&] { touch(stream, wanted, memory, 1); });
  };
  CHECK_THAT(refused(yoke::launch_over(most + 1, 1024)), ContainsSubstring("grid 2147483648 exceeds 2147483647 in x"));
  CHECK_THAT(refused(yoke::launch_over(std::size_t{1} << 40)), ContainsSubstring("4294967296"));
  launches = true;
}

// SPDX-License-Identifier: MIT
// Tensor maps: tiles of each type, rank and pattern, stores and sums, launches and graphs, and every refusal.
#include <cuda/cuda_rig.hpp>
#include <graph/graph_rig.hpp>
#include <yoke/array.hpp>
#include <yoke/cuda/tensor_map.hpp>
#include <yoke/graph.hpp>

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

using namespace yoke_test;
using Catch::Matchers::ContainsSubstring;
using cu::tensor_map;
using cu::tensor_swizzle;
using yoke::errc;
using yoke::none;
using yoke::slice;

namespace {

template <class T, std::size_t Rank>
using array = yoke::device_array<T, Rank, cu::port>;

/// Whether the device copies tiles; else the skip.
bool copies_tiles(const cuda_device& device) { return cu::get(device, cu::info::compute_capability_major) >= 9; }
#define YOKE_NEED_TILES(device)                                                                                        \
  if (!copies_tiles(device)) YOKE_SKIP("devices below 9.0 have no tensor maps")

template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(static_cast<float>(i % 119));
  return values;
}

/// Returns: a module with the text for tiles before a source.
template <class Context>
auto compiled(const Context& in, const std::string& source) {
  return yoke::compile(in, std::string(cu::tensor_tiles) + source);
}

/// The source of a kernel `read` that loads a tile at the given indices, and writes the bytes as they lie in shared memory.
std::string reader(std::size_t shared_bytes, std::size_t tile_bytes, const std::string& indices) {
  return "extern \"C\" __global__ void read(const __grid_constant__ tensor_map map, unsigned char* to) {\n"
         "  __shared__ alignas(1024) unsigned char tile[" +
         std::to_string(shared_bytes) +
         "];\n"
         "  __shared__ tile_barrier barrier;\n"
         "  for (unsigned i = threadIdx.x; i < sizeof tile; i += blockDim.x) tile[i] = 0xa5;\n"
         "  fence_tiles();\n"
         "  if (threadIdx.x == 0) init_barrier(barrier, 1);\n"
         "  __syncthreads();\n"
         "  if (threadIdx.x == 0) {\n"
         "    arrive(barrier, " +
         std::to_string(tile_bytes) +
         ");\n"
         "    load_tile(tile, map, barrier, " +
         indices +
         ");\n"
         "  }\n"
         "  wait(barrier, 0);\n"
         "  for (unsigned i = threadIdx.x; i < sizeof tile; i += blockDim.x) to[i] = tile[i];\n"
         "}\n";
}

/// Returns: the elements of a tile as they lie in shared memory, 0xa5 in each byte that is not of it.
template <class T, std::size_t Rank>
std::vector<std::remove_const_t<T>> tile_at(cuda_rig& on, const tensor_map<T, Rank>& map, const std::string& indices) {
  const std::size_t bytes = map.shared_bytes();
  const auto module = compiled(on.context, reader(bytes, map.tile_bytes(), indices));
  std::vector<unsigned char> raw(bytes);
  yoke::get_kernel<void(tensor_map<const T, Rank>, unsigned char*)>(module, "read")(on.stream, {.grid = 1, .block = 64},
                                                                                    map, yoke::out(raw));
  std::vector<std::remove_const_t<T>> tile(bytes / sizeof(T));
  std::memcpy(tile.data(), raw.data(), bytes);
  return tile;
}

/// The source of a kernel `copy` that copies tiles of `rows` by `columns` from one map to another.
std::string copier(const std::string& type, std::size_t rows, std::size_t columns, const char* store,
                   const char* added = "1") {
  const std::string count = std::to_string(rows) + " * " + std::to_string(columns);
  return "extern \"C\" __global__ void copy(const __grid_constant__ tensor_map from, const __grid_constant__ "
         "tensor_map to) {\n"
         "  __shared__ alignas(128) " +
         type + " tile[" + count +
         "];\n"
         "  __shared__ tile_barrier barrier;\n"
         "  const int i = blockIdx.y * " +
         std::to_string(rows) + ", j = blockIdx.x * " + std::to_string(columns) +
         ";\n"
         "  if (threadIdx.x == 0) { prefetch_map(from); init_barrier(barrier, blockDim.x); }\n"
         "  __syncthreads();\n"
         "  if (threadIdx.x == 0) load_tile(tile, from, barrier, i, j);\n"
         "  arrive(barrier, threadIdx.x == 0 ? sizeof tile : 0);\n"
         "  wait(barrier, 0);\n"
         "  for (unsigned n = threadIdx.x; n < " +
         count + "; n += blockDim.x) tile[n] = tile[n] + static_cast<" + type + ">(" + added +
         ");\n"
         "  fence_tiles();\n"
         "  __syncthreads();\n"
         "  if (threadIdx.x == 0) { " +
         store +
         "(to, tile, i, j); wait_for_tiles(); }\n"
         "}\n";
}

template <class T>
void round_trip(cuda_rig& on, const std::string& type) {
  constexpr std::size_t rows = 21;
  constexpr std::size_t columns = 48;
  const std::vector<T> values = numbers<T>(rows * columns);
  const auto from = yoke::to_device_array(values, {rows, columns}, on.stream);
  array<T, 2> to = yoke::zeros<T>({rows, columns}, on.stream);
  const auto module = compiled(on.context, copier(type, 8, 16, "store_tile"));
  yoke::get_kernel<void(tensor_map<const T, 2>, tensor_map<T, 2>)>(module, "copy")(
      on.stream, {.grid = {3, 3}, .block = 32}, tensor_map<const T, 2>(from, {8, 16}), tensor_map<T, 2>(to, {8, 16}));
  std::vector<T> expected = values;
  for (T& each : expected) each = static_cast<T>(static_cast<float>(each) + 1.0F);
  INFO(type);
  CHECK(std::memcmp(to.to_host().data(), expected.data(), expected.size() * sizeof(T)) == 0);
}

template <class Act>
std::string refused(Act&& act, errc condition) {
  return refusal<yoke::logic_error>(condition, std::forward<Act>(act));
}

}  // namespace

YOKE_CUDA_TEST_CASE("tiles lie in shared memory row by row with zeros outside of the array", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  constexpr int rows = 20;
  constexpr int columns = 36;
  const auto values = numbers<float>(rows * columns);
  const auto a = yoke::to_device_array(values, {rows, columns}, on.stream);
  const tensor_map<const float, 2> map(a, {8, 16});
  CHECK(map.tile_bytes() == 8 * 16 * sizeof(float));
  CHECK(map.box() == yoke::shape{8, 16});
  CHECK(map.layout() == a.view().layout());
  CHECK_FALSE(map.empty());
  const std::pair<int, int> begins[] = {{0, 0}, {3, 4}, {16, 32}, {-3, -4}, {15, -8}, {1000, 0}};
  for (const auto& [i, j] : begins) {
    std::vector<float> expected;
    for (int row = i; row < i + 8; ++row) {
      for (int column = j; column < j + 16; ++column) {
        const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
        expected.push_back(inside ? values[static_cast<std::size_t>(row * columns + column)] : 0.0F);
      }
    }
    INFO(i << ", " << j);
    CHECK(tile_at(on, map, std::to_string(i) + ", " + std::to_string(j)) == expected);
  }
}

YOKE_CUDA_TEST_CASE("tiles of every type go to shared memory and back", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  round_trip<std::uint8_t>(on, "unsigned char");
  round_trip<std::int8_t>(on, "signed char");
  round_trip<std::int16_t>(on, "short");
  round_trip<std::uint32_t>(on, "unsigned");
  round_trip<std::int64_t>(on, "long long");
  round_trip<float>(on, "float");
  round_trip<double>(on, "double");
}

YOKE_CUDA_TEST_CASE("types without arithmetic are only moved", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto halves = numbers<yoke::half>(4 * 16);
  const auto a = yoke::to_device_array(halves, {4, 16}, on.stream);
  const auto tile = tile_at(on, tensor_map<const yoke::half, 2>(a, {4, 8}), "0, 8");
  for (std::size_t n = 0; n < tile.size(); ++n) {
    CHECK(static_cast<float>(tile[n]) == static_cast<float>(halves[n / 8 * 16 + 8 + n % 8]));
  }
  const auto others = numbers<yoke::bfloat16>(4 * 16);
  const auto b = yoke::to_device_array(others, {4, 16}, on.stream);
  CHECK(static_cast<float>(tile_at(on, tensor_map<const yoke::bfloat16, 2>(b, {4, 8}), "1, 0")[3]) ==
        static_cast<float>(others[16 + 3]));
  const auto shorts = yoke::to_device_array(numbers<std::uint16_t>(64), {64}, on.stream);
  CHECK(tile_at(on, tensor_map(shorts, {8}), "16") == std::vector<std::uint16_t>{16, 17, 18, 19, 20, 21, 22, 23});
  const auto longs = yoke::to_device_array(numbers<std::uint64_t>(64), {64}, on.stream);
  CHECK(tile_at(on, tensor_map(longs, {2}), "6") == std::vector<std::uint64_t>{6, 7});
}

YOKE_CUDA_TEST_CASE("a tensor map has one to five axes", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto values = numbers<int>(2 * 3 * 4 * 5 * 8);
  const auto line = yoke::to_device_array(values, {960}, on.stream);
  CHECK(tile_at(on, tensor_map(line, {4}), "956") == std::vector<int>(values.end() - 4, values.end()));
  const auto box = yoke::to_device_array(values, {24, 5, 8}, on.stream);
  CHECK(tile_at(on, tensor_map(box, {1, 2, 4}), "3, 1, 4") == std::vector<int>{values[132], values[133], values[134],
                                                                               values[135], values[140], values[141],
                                                                               values[142], values[143]});
  const auto four = yoke::to_device_array(values, {6, 4, 5, 8}, on.stream);
  CHECK(tile_at(on, tensor_map(four, {2, 1, 1, 4}), "1, 2, 3, 0") ==
        std::vector<int>{values[264], values[265], values[266], values[267], values[424], values[425], values[426],
                         values[427]});
  const auto five = yoke::to_device_array(values, {2, 3, 4, 5, 8}, on.stream);
  CHECK(tile_at(on, tensor_map(five, {1, 2, 1, 1, 4}), "1, 1, 3, 4, 4") ==
        std::vector<int>{values[796], values[797], values[798], values[799], values[956], values[957], values[958],
                         values[959]});
}

YOKE_CUDA_TEST_CASE("a swizzle exchanges the 16-byte pieces of a row by its line of 128 bytes", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  std::vector<std::uint32_t> values(64 * 32);
  std::iota(values.begin(), values.end(), 0U);
  const auto a = yoke::to_device_array(values, {64, 32}, on.stream);
  const std::pair<tensor_swizzle, std::size_t> patterns[] = {
      {tensor_swizzle::bytes_32, 2}, {tensor_swizzle::bytes_64, 4}, {tensor_swizzle::bytes_128, 8}};
  for (const auto& [swizzle, pieces] : patterns) {
    // Rows that are shorter than the pattern leave gaps.
    for (std::size_t used = 1; used <= pieces; used *= 2) {
      const tensor_map<const std::uint32_t, 2> map(a, {64, 4 * used}, {.swizzle = swizzle});
      CHECK(map.swizzle() == swizzle);
      CHECK(map.tile_bytes() == 64 * 16 * used);
      CHECK(map.shared_bytes() == 64 * 16 * pieces);
      std::vector<std::uint32_t> expected(64 * 4 * pieces, 0xa5a5a5a5U);
      for (std::size_t row = 0; row < 64; ++row) {
        for (std::size_t piece = 0; piece < used; ++piece) {
          const std::size_t plain = row * pieces + piece;
          const std::size_t place = plain ^ (plain / 8 % pieces);
          for (std::size_t n = 0; n < 4; ++n) expected[place * 4 + n] = values[row * 32 + piece * 4 + n];
        }
      }
      INFO(used << " of " << pieces << " pieces");
      CHECK(tile_at(on, map, "0, 0") == expected);
    }
  }
}

YOKE_CUDA_TEST_CASE("a swizzled tile is stored where it belongs and what is outside is left out",
                    "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto values = numbers<float>(16 * 32);
  const auto from = yoke::to_device_array(values, {16, 32}, on.stream);
  array<float, 2> to = yoke::full(-1.0F, {16, 32}, on.stream);
  const cu::tensor_map_options options{.swizzle = tensor_swizzle::bytes_128};
  const auto module = compiled(on.context,
                               "extern \"C\" __global__ void move(const __grid_constant__ tensor_map from, const "
                               "__grid_constant__ tensor_map to) {\n"
                               "  __shared__ alignas(1024) float tile[8][32];\n"
                               "  __shared__ tile_barrier barrier;\n"
                               "  init_barrier(barrier, 1);\n"
                               "  arrive(barrier, 8 * 16 * sizeof(float));\n"
                               "  load_tile(tile, from, barrier, 4, 8);\n"
                               "  wait(barrier, 0);\n"
                               "  store_tile(to, tile, 10, 20);\n"
                               "  wait_for_tiles();\n"
                               "}\n");
  yoke::get_kernel<void(tensor_map<const float, 2>, tensor_map<float, 2>)>(module, "move")(
      on.stream, {.grid = 1, .block = 1}, tensor_map<const float, 2>(from, {8, 16}, options),
      tensor_map<float, 2>(to, {8, 16}, options));
  std::vector<float> expected(16 * 32, -1.0F);
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t column = 20; column < 32; ++column) {
      expected[(row + 10) * 32 + column] = values[(row + 4) * 32 + column - 12];
    }
  }
  CHECK(to.to_host() == expected);
}

YOKE_CUDA_TEST_CASE("a pipeline takes tiles by two barriers in turns", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto values = numbers<int>(9 * 64);
  const auto a = yoke::to_device_array(values, {9 * 64}, on.stream);
  const auto module =
      compiled(on.context,
               "extern \"C\" __global__ void sum(int* to, const __grid_constant__ tensor_map map, int tiles) {\n"
               "  __shared__ alignas(128) int tile[2][64];\n"
               "  __shared__ tile_barrier full[2];\n"
               "  if (threadIdx.x == 0) { init_barrier(full[0], 1); init_barrier(full[1], 1); }\n"
               "  __syncthreads();\n"
               "  const auto fetch = [&](int n) {\n"
               "    if (threadIdx.x != 0 || n >= tiles) return;\n"
               "    arrive(full[n % 2], sizeof tile[0]);\n"
               "    load_tile(tile[n % 2], map, full[n % 2], 64 * n);\n"
               "    load_tile(tile[n % 2] + 32, map, full[n % 2], 64 * n + 32);\n"
               "  };\n"
               "  fetch(0);\n"
               "  int sum = 0;\n"
               "  for (int n = 0; n < tiles; ++n) {\n"
               "    fetch(n + 1);\n"
               "    wait(full[n % 2], n / 2 % 2);\n"
               "    sum += (n + 1) * tile[n % 2][threadIdx.x];\n"
               "    __syncthreads();\n"
               "  }\n"
               "  to[threadIdx.x] = sum;\n"
               "}\n");
  std::vector<int> sums(64);
  yoke::get_kernel<void(int*, tensor_map<const int, 1>, int)>(module, "sum")(
      on.stream, {.grid = 1, .block = 64}, yoke::out(sums), tensor_map<const int, 1>(a, {32}), 9);
  for (std::size_t i = 0; i < 64; ++i) {
    int expected = 0;
    for (std::size_t n = 0; n < 9; ++n) expected += static_cast<int>(n + 1) * values[n * 64 + i];
    CHECK(sums[i] == expected);
  }
}

YOKE_CUDA_TEST_CASE("tiles may be filled with NaN and take every second row", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto values = numbers<float>(16 * 16);
  const auto a = yoke::to_device_array(values, {16, 16}, on.stream);
  const auto filled =
      tile_at(on,
              tensor_map<const float, 2>(a, {2, 4},
                                         {.promotion = cu::tensor_promotion::bytes_256, .fill = cu::tensor_fill::nan}),
              "15, 0");
  CHECK(std::vector<float>(filled.begin(), filled.begin() + 4) ==
        std::vector<float>(values.begin() + 240, values.begin() + 244));
  for (std::size_t n = 4; n < 8; ++n) CHECK(std::isnan(filled[n]));
  const tensor_map<const float, 2> spaced(a, {5, 4}, {.steps = {2}});
  CHECK(spaced.tile_bytes() == 3 * 4 * sizeof(float));
  CHECK(spaced.steps()[0] == 2);
  CHECK(spaced.steps()[1] == 1);
  CHECK(spaced.shared_bytes() == spaced.tile_bytes());
  CHECK(tile_at(on, spaced, "1, 4") == std::vector<float>{values[20], values[21], values[22], values[23], values[52],
                                                          values[53], values[54], values[55], values[84], values[85],
                                                          values[86], values[87]});
}

YOKE_CUDA_TEST_CASE("floats become TF32 on their way to shared memory", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  // A tie, below and above the middle, and what is TF32 already.
  const std::vector<float> values{0x1.002p0F, -1.0F / 3.0F, 0x1.0037p0F, 2.5F};
  const auto a = yoke::to_device_array(values, {4}, on.stream);
  const auto by = [&](cu::tensor_float how) {
    return tile_at(on, tensor_map<const float, 1>(a, {4}, {.floats = how}), "0");
  };
  CHECK(by(cu::tensor_float::exact) == values);
  CHECK(by(cu::tensor_float::flushed) == values);
  for (const cu::tensor_float how : {cu::tensor_float::tf32, cu::tensor_float::tf32_flushed}) {
    const auto rounded = by(how);
    CAPTURE(std::bit_cast<std::uint32_t>(rounded[0]), std::bit_cast<std::uint32_t>(rounded[1]),
            std::bit_cast<std::uint32_t>(rounded[2]));
    CHECK(rounded == std::vector<float>{1.0F, -0x1.554p-2F, 0x1.004p0F, 2.5F});
  }
}

YOKE_CUDA_TEST_CASE("sums lose denormals where the map says so", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const float tiny = 0x1p-130F;
  const auto from = yoke::to_device_array(std::vector<float>(16, tiny), {1, 16}, on.stream);
  const auto module = compiled(on.context, copier("float", 1, 16, "add_tile", "0"));
  const auto kernel = yoke::get_kernel<void(tensor_map<const float, 2>, tensor_map<float, 2>)>(module, "copy");
  for (const cu::tensor_float how : {cu::tensor_float::exact, cu::tensor_float::flushed}) {
    array<float, 2> to = yoke::full(tiny, {1, 16}, on.stream);
    kernel(on.stream, {.grid = 1, .block = 32}, tensor_map<const float, 2>(from, {1, 16}),
           tensor_map<float, 2>(to, {1, 16}, {.floats = how}));
    CHECK(to.to_host() == std::vector<float>(16, how == cu::tensor_float::exact ? 2 * tiny : 0.0F));
  }
}

YOKE_CUDA_TEST_CASE("rows may be repeated", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto row = yoke::to_device_array(numbers<int>(32), {32}, on.stream);
  const auto repeated = row.broadcast_to({4, 32});
  CHECK(tile_at(on, tensor_map<const int, 2>(repeated, {2, 4}), "1, 8") ==
        std::vector<int>{8, 9, 10, 11, 8, 9, 10, 11});
}

YOKE_CUDA_TEST_CASE("tiles are added to an array", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto sums = [&]<class T>(T, const char* type) {
    const auto values = numbers<T>(16 * 32);
    const auto from = yoke::to_device_array(values, {16, 32}, on.stream);
    array<T, 2> to = yoke::ones<T>({16, 32}, on.stream);
    const auto module = compiled(on.context, copier(type, 8, 16, "add_tile"));
    const auto kernel = yoke::get_kernel<void(tensor_map<const T, 2>, tensor_map<T, 2>)>(module, "copy");
    const tensor_map<const T, 2> source(from, {8, 16});
    const tensor_map<T, 2> target(to, {8, 16});
    for (int i = 0; i < 2; ++i) kernel(on.stream, {.grid = {2, 2}, .block = 32}, source, target);
    std::vector<T> expected = values;
    for (T& each : expected) each = static_cast<T>(2 * (each + 1) + 1);
    INFO(type);
    CHECK(to.to_host() == expected);
  };
  sums(float{}, "float");
  sums(std::int32_t{}, "int");
  sums(std::uint32_t{}, "unsigned");
  sums(std::uint64_t{}, "unsigned long long");
}

YOKE_CUDA_TEST_CASE("the device adds 16-bit floats", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto module = compiled(on.context, copier("unsigned short", 2, 8, "add_tile", "0"));
  const auto sums = [&]<class T>(T) {
    const auto from = yoke::full(T(2.25F), {4, 16}, on.stream);
    array<T, 2> to = yoke::full(T(1.5F), {4, 16}, on.stream);
    yoke::get_kernel<void(tensor_map<const T, 2>, tensor_map<T, 2>)>(module, "copy")(
        on.stream, {.grid = {2, 2}, .block = 16}, tensor_map<const T, 2>(from, {2, 8}), tensor_map<T, 2>(to, {2, 8}));
    for (const T each : to.to_host()) CHECK(static_cast<float>(each) == 3.75F);
  };
  sums(yoke::half());
  sums(yoke::bfloat16());
}

YOKE_CUDA_TEST_CASE("tiles of every rank are stored and added", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto twice = [&]<std::size_t Rank>(const yoke::shape<Rank>& shape, const yoke::shape<Rank>& box,
                                           const std::string& indices) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    const auto values = numbers<int>(size);
    const array<int, Rank> from = yoke::to_device_array(values, {size}, on.stream).reshape(shape).copy();
    array<int, Rank> to(on.stream, shape);
    yoke::fill(to, 1, on.stream);
    const tensor_map<const int, Rank> source(from, box);
    const auto module = compiled(on.context,
                                 "extern \"C\" __global__ void copy(const __grid_constant__ tensor_map from, const "
                                 "__grid_constant__ tensor_map to) {\n"
                                 "  __shared__ alignas(128) int tile[" +
                                     std::to_string(source.tile_bytes() / 4) +
                                     "];\n"
                                     "  __shared__ tile_barrier barrier;\n"
                                     "  init_barrier(barrier, 1);\n"
                                     "  arrive(barrier, sizeof tile);\n"
                                     "  load_tile(tile, from, barrier, " +
                                     indices +
                                     ");\n"
                                     "  wait(barrier, 0);\n"
                                     "  store_tile(to, tile, " +
                                     indices +
                                     ");\n"
                                     "  wait_for_tiles();\n"
                                     "  add_tile(to, tile, " +
                                     indices +
                                     ");\n"
                                     "  wait_for_tiles();\n"
                                     "}\n");
    yoke::get_kernel<void(tensor_map<const int, Rank>, tensor_map<int, Rank>)>(module, "copy")(
        on.stream, {.grid = 1, .block = 1}, source, tensor_map<int, Rank>(to, box));
    const auto result = to.to_host();
    std::size_t doubled = 0;
    bool others = true;
    for (std::size_t n = 0; n < size; ++n) {
      if (result[n] == 2 * values[n] && result[n] != 1) {
        ++doubled;
      } else {
        others = others && result[n] == 1;
      }
    }
    INFO("rank " << Rank);
    CHECK(others);
    CHECK(doubled == source.tile_bytes() / 4);
    CHECK(tile_at(on, tensor_map<const int, Rank>(to, box), indices).back() == 2 * tile_at(on, source, indices).back());
  };
  twice(yoke::shape{64}, yoke::shape{16}, "16");
  twice(yoke::shape{4, 8, 16}, yoke::shape{2, 3, 8}, "1, 2, 8");
  twice(yoke::shape{3, 4, 5, 8}, yoke::shape{2, 1, 2, 4}, "1, 2, 3, 4");
  twice(yoke::shape{3, 2, 4, 5, 8}, yoke::shape{1, 2, 1, 2, 4}, "2, 0, 1, 3, 4");
}

YOKE_CUDA_TEST_CASE("a tensor map of a part of an array moves to another one", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto values = numbers<float>(24 * 64);
  auto a = yoke::to_device_array(values, {24, 64}, on.stream);
  const auto part = a(slice(2, 20, 3), slice(16, 48));
  tensor_map<float, 2> map(part, {2, 4});
  CHECK(tile_at(on, map, "1, 8") == std::vector<float>{values[5 * 64 + 24], values[5 * 64 + 25], values[5 * 64 + 26],
                                                       values[5 * 64 + 27], values[8 * 64 + 24], values[8 * 64 + 25],
                                                       values[8 * 64 + 26], values[8 * 64 + 27]});
  // Outside of the part is outside, although the array goes on.
  CHECK(tile_at(on, map, "5, 32") == std::vector<float>(8, 0.0F));
  map.move_to(a(slice(3, 21, 3), slice(32, 64)));
  CHECK(tile_at(on, map, "0, 0")[0] == values[3 * 64 + 32]);
  CHECK_THAT(refused([&] { map.move_to(a(slice(2, 17, 3), slice(16, 48))); }, errc::size_mismatch),
             ContainsSubstring("axis 0 of the array has 5 elements, that of the tensor map 6"));
  CHECK_THAT(refused([&] { map.move_to(a(slice(2, 14, 2), slice(16, 48))); }, errc::size_mismatch),
             ContainsSubstring("axis 0 of the array has a stride of 512 bytes, that of the tensor map 768"));
  CHECK_THAT(refused([&] { map.move_to(a(slice(2, 20, 3), slice(17, 49))); }, errc::invalid_argument),
             ContainsSubstring("4 bytes behind a multiple of 16"));
  CHECK(tile_at(on, map, "0, 0")[0] == values[3 * 64 + 32]);
  // An axis of one element has any stride.
  CHECK(tile_at(on, tensor_map<float, 2>(a(slice(5, 6)), {1, 4}), "0, 60") ==
        std::vector<float>(values.begin() + 5 * 64 + 60, values.begin() + 6 * 64));
}

YOKE_CUDA_TEST_CASE("memory of an allocation becomes tiles by a view", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  cu::device_allocation<int> memory{on.context, 128};
  yoke::copy(numbers<int>(128), memory, on.stream);
  const yoke::device_view<int, 2, cu::port> view(memory.span(), {8, 16}, on.stream);
  CHECK(tile_at(on, tensor_map(view, {1, 4}), "7, 12") == std::vector<int>{124 % 119, 125 % 119, 126 % 119, 127 % 119});
}

YOKE_CUDA_TEST_CASE("a map of a shared view keeps the memory", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  const auto make = [&] {
    auto a = yoke::to_device_array(numbers<int>(64), {64}, on.stream);
    return tensor_map<int, 1>(std::move(a).share(), {4});
  };
  const tensor_map<int, 1> map = make();
  const auto other = yoke::zeros<int>({64}, on.stream);
  CHECK(tile_at(on, map, "8") == std::vector<int>{8, 9, 10, 11});
  CHECK(other.size() == 64);
}

YOKE_CUDA_TEST_CASE("what no tensor map can say is refused in words", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  auto a = yoke::zeros<float>({16, 32}, on.stream);
  using map = tensor_map<float, 2>;
  const auto said = [&](errc why, auto&&... given) { return refused([&] { (void)map(given...); }, why); };
  const auto box = [](std::size_t rows, std::size_t columns) { return yoke::shape<2>(rows, columns); };
  const std::size_t calls = on.driver.count("tensor_map_encode_tiled");
  CHECK_THAT(said(errc::invalid_argument, a.transpose(), box(8, 8)),
             ContainsSubstring("the last axis of the tensor has a stride of 128 bytes: its elements of 4 bytes"));
  CHECK_THAT(said(errc::invalid_argument, a(slice(), slice(1, 32)), box(8, 8)),
             ContainsSubstring("4 bytes behind a multiple of 16"));
  auto narrow = yoke::zeros<float>({16, 30}, on.stream);
  CHECK_THAT(
      said(errc::invalid_argument, narrow.view(), box(8, 8)),
      ContainsSubstring(
          "axis 0 of the tensor has a stride of 120 bytes: a tensor map takes multiples of 16 from 0 to below 2^40"));
  CHECK_THAT(said(errc::invalid_argument, a(slice(none, none, -1)), box(8, 8)),
             ContainsSubstring("axis 0 of the tensor has a stride of -128 bytes"));
  CHECK_THAT(said(errc::out_of_range, a.view(), box(0, 8)),
             ContainsSubstring("axis 0 of the tile has 0 elements: a tensor map takes 1 to 256"));
  CHECK_THAT(said(errc::out_of_range, a.view(), box(8, 257)), ContainsSubstring("axis 1 of the tile has 257 elements"));
  CHECK_THAT(said(errc::invalid_argument, a.view(), box(8, 6)),
             ContainsSubstring(
                 "a row of the tile has 6 elements of 4 bytes, so 24 bytes: a tensor map takes multiples of 16"));
  CHECK_THAT(
      said(errc::out_of_range, a.view(), box(8, 32), cu::tensor_map_options{.swizzle = tensor_swizzle::bytes_64}),
      ContainsSubstring("a row of the tile has 128 bytes: the swizzle works within 64"));
  CHECK_THAT(
      said(errc::out_of_range, a.view(), box(8, 16), cu::tensor_map_options{.swizzle = tensor_swizzle::bytes_32}),
      ContainsSubstring("a row of the tile has 64 bytes: the swizzle works within 32"));
  CHECK_THAT(said(errc::out_of_range, a.view(), box(8, 8), cu::tensor_map_options{.steps = {9, 1}}),
             ContainsSubstring("axis 0 has a step of 9: a tensor map takes 1 to 8"));
  CHECK_THAT(said(errc::invalid_argument, a.view(), box(8, 8), cu::tensor_map_options{.swizzle = tensor_swizzle{77}}),
             ContainsSubstring("tensor_map_options::swizzle is 77, which has no name"));
  CHECK_THAT(
      said(errc::invalid_argument, a.view(), box(8, 8), cu::tensor_map_options{.promotion = cu::tensor_promotion{4}}),
      ContainsSubstring("tensor_map_options::promotion is 4"));
  CHECK_THAT(said(errc::invalid_argument, a.view(), box(8, 8), cu::tensor_map_options{.fill = cu::tensor_fill{2}}),
             ContainsSubstring("tensor_map_options::fill is 2"));
  CHECK_THAT(said(errc::invalid_argument, a.view(), box(8, 8), cu::tensor_map_options{.floats = cu::tensor_float{4}}),
             ContainsSubstring("tensor_map_options::floats is 4"));
  CHECK_THAT(said(errc::out_of_range, a.view(), box(8, 8), cu::tensor_map_options{.steps = {1, 2}}),
             ContainsSubstring("the last axis has a step of 2: a tensor map takes 1 there"));
  CHECK_THAT(said(errc::empty_handle, yoke::device_view<float, 2, cu::port>(), box(8, 8)), ContainsSubstring("empty"));
  const auto none_there = yoke::zeros<float>({0, 32}, on.stream);
  CHECK_THAT(refused(
                 [&] {
                   (void)tensor_map<const float, 2>(none_there, {8, 8});
                 },
                 errc::out_of_range),
             ContainsSubstring("axis 0 of the tensor has 0 elements: a tensor map takes 1 to 2^32"));
  auto integers = yoke::zeros<int>({16, 32}, on.stream);
  CHECK_THAT(refused(
                 [&] {
                   (void)tensor_map<int, 2>(integers, {8, 8}, {.fill = cu::tensor_fill::nan});
                 },
                 errc::invalid_argument),
             ContainsSubstring("integers have no NaN"));
  CHECK_THAT(refused(
                 [&] {
                   (void)tensor_map<int, 2>(integers, {8, 8}, {.floats = cu::tensor_float::tf32});
                 },
                 errc::invalid_argument),
             ContainsSubstring("elements of float"));
  CHECK(on.driver.count("tensor_map_encode_tiled") == calls);
  if (cu::get(device, cu::info::compute_capability_major) == 9) {
    CHECK_THAT(
        refusal<yoke::unsupported_error>(errc::unsupported,
                                         [&] {
                                           (void)map(a.view(), {8, 8}, {.swizzle = tensor_swizzle::bytes_128_by_32});
                                         }),
        ContainsSubstring("this tensor_swizzle is for devices from 10.0 on"));
  }
}

YOKE_CUDA_TEST_CASE("a device below 9.0 has no tensor maps", "[cuda][tensor_map]") {
  if (copies_tiles(device)) YOKE_SKIP("this device has tensor maps");
  cuda_rig on(device);
  auto a = yoke::zeros<float>({16, 32}, on.stream);
  CHECK_THAT(refusal<yoke::unsupported_error>(errc::unsupported,
                                              [&] {
                                                (void)tensor_map<float, 2>(a, {8, 8});
                                              }),
             ContainsSubstring("has compute capability 8.0: tensor maps are for devices from 9.0 on"));
}

YOKE_CUDA_TEST_CASE("launches take tensor maps of their own context and type", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  auto a = yoke::to_device_array(numbers<float>(64), {64}, on.stream);
  tensor_map<float, 1> map(a, {4});
  const auto module = compiled(on.context, reader(16, 16, "4"));
  const auto kernel = yoke::get_kernel<void(tensor_map<const float, 1>, unsigned char*)>(module, "read");
  cu::device_allocation<unsigned char> to{on.context, 16};
  const std::size_t mark = on.driver.mark();
  kernel(on.stream, {.grid = 1, .block = 32}, map, to);
  kernel(on.stream, {.grid = 1, .block = 32}, map, to);
  CHECK(on.driver.count("launch_kernel_ex", mark) + on.driver.count("launch_kernel", mark) == 2);
  CHECK(on.driver.count("tensor_map_encode_tiled", mark) == 0);
  on.stream.synchronize();
  // As a node of a graph, which has the map's bytes.
  yoke::fill(to, static_cast<unsigned char>(0), on.stream);
  cu::graph graph{on.context};
  auto record = graph.record();
  kernel(record, {.grid = 1, .block = 32}, map, to);
  const auto executable = graph.instantiate();
  executable.launch(on.stream);
  const auto bytes = yoke::to_host(to, on.stream);
  float first = 0;
  std::memcpy(&first, bytes.data(), sizeof first);
  CHECK(first == 4.0F);
  const tensor_map<float, 1> taken = std::move(map);
  CHECK(map.empty());  // NOLINT: what a moved-from map says
  CHECK(map.tile_bytes() == 0);
  CHECK(map.shared_bytes() == 0);
  CHECK_THAT(refused([&] { map.move_to(a); }, errc::empty_handle),
             ContainsSubstring("this tensor map is empty (moved from)"));
  CHECK_THAT(refused([&] { kernel(on.stream, {.grid = 1, .block = 32}, map, to); }, errc::empty_handle),
             ContainsSubstring("a tensor map"));
  CHECK_FALSE(taken.empty());
  const auto apart = cuda_backend::another_context(on.device);
  const cu::stream elsewhere{apart};
  auto b = yoke::zeros<float>({64}, elsewhere);
  tensor_map<float, 1> of_other(b, {4});
  CHECK_THAT(refused([&] { kernel(on.stream, {.grid = 1, .block = 32}, of_other, to); }, errc::wrong_context),
             ContainsSubstring("a tensor map"));
  CHECK_THAT(refused([&] { of_other.move_to(a); }, errc::wrong_context),
             ContainsSubstring("the tensor map is of another context than the array"));
  // The kernel's parameter has another size.
  const auto other = yoke::compile(on.context, "extern \"C\" __global__ void f(int n) {}");
  CHECK_THAT(refusal<yoke::logic_error>(errc::signature_mismatch,
                                        [&] { (void)yoke::get_kernel<void(tensor_map<float, 1>)>(other, "f"); }),
             ContainsSubstring("tensor_map<float, 1>"));
}

YOKE_CUDA_TEST_CASE("a tensor map that the driver refuses names the call", "[cuda][tensor_map]") {
  YOKE_NEED_TILES(device);
  cuda_rig on(device);
  auto a = yoke::zeros<float>({64}, on.stream);
  on.driver.fail_function("tensor_map_encode_tiled", 1, fault_mode::once, cuda_abi::error_invalid_value);
  CHECK_THROWS_WITH((tensor_map<float, 1>(a, {4})), ContainsSubstring("cuTensorMapEncodeTiled"));
  tensor_map<float, 1> map(a, {4});
  on.driver.fail_function("tensor_map_replace_address", 1, fault_mode::once, cuda_abi::error_invalid_value);
  CHECK_THROWS_WITH(map.move_to(a), ContainsSubstring("cuTensorMapReplaceAddress"));
  map.move_to(a);
  CHECK(map.layout() == a.view().layout());
}

// SPDX-License-Identifier: MIT
// What the rows of PyCUDA's symbols promise and no other test shows: attributes by name, preferences, waits, kinds of pointers.
#include <cuda/cuda_rig.hpp>
#include <support/devices/gate.hpp>

#include <yoke/cuda.hpp>

#include <map>
#include <set>
#include <thread>

using namespace yoke_test;

YOKE_CUDA_TEST_CASE("each attribute that PyCUDA names is told by its own number, in its own type", "[cuda]") {
  namespace info = yoke::cuda::info;
  const auto value = [&](const auto& attribute) { return static_cast<int>(cu::get(device, attribute)); };
  struct named {
    const char* name;  // PyCUDA's; two names of one number are old and new
    int told, number, value;
  };
  const named all[] = {
      {"MAX_THREADS_PER_BLOCK", info::max_threads_per_block.code, 1, value(info::max_threads_per_block)},
      {"MAX_BLOCK_DIM_X", info::max_block_dim_x.code, 2, value(info::max_block_dim_x)},
      {"MAX_BLOCK_DIM_Y", info::max_block_dim_y.code, 3, value(info::max_block_dim_y)},
      {"MAX_BLOCK_DIM_Z", info::max_block_dim_z.code, 4, value(info::max_block_dim_z)},
      {"MAX_GRID_DIM_X", info::max_grid_dim_x.code, 5, value(info::max_grid_dim_x)},
      {"MAX_GRID_DIM_Y", info::max_grid_dim_y.code, 6, value(info::max_grid_dim_y)},
      {"MAX_GRID_DIM_Z", info::max_grid_dim_z.code, 7, value(info::max_grid_dim_z)},
      {"TOTAL_CONSTANT_MEMORY", info::total_constant_memory.code, 9, value(info::total_constant_memory)},
      {"WARP_SIZE", info::warp_size.code, 10, value(info::warp_size)},
      {"MAX_PITCH", info::max_pitch.code, 11, value(info::max_pitch)},
      {"CLOCK_RATE", info::clock_rate.code, 13, value(info::clock_rate)},
      {"TEXTURE_ALIGNMENT", info::texture_alignment.code, 14, value(info::texture_alignment)},
      {"GPU_OVERLAP", info::gpu_overlap.code, 15, value(info::gpu_overlap)},
      {"MULTIPROCESSOR_COUNT", info::multiprocessor_count.code, 16, value(info::multiprocessor_count)},
      {"SHARED_MEMORY_PER_BLOCK", info::max_shared_memory_per_block.code, 8, value(info::max_shared_memory_per_block)},
      {"MAX_SHARED_MEMORY_PER_BLOCK", info::max_shared_memory_per_block.code, 8,
       value(info::max_shared_memory_per_block)},
      {"REGISTERS_PER_BLOCK", info::max_registers_per_block.code, 12, value(info::max_registers_per_block)},
      {"MAX_REGISTERS_PER_BLOCK", info::max_registers_per_block.code, 12, value(info::max_registers_per_block)},
      {"KERNEL_EXEC_TIMEOUT", info::kernel_exec_timeout.code, 17, value(info::kernel_exec_timeout)},
      {"INTEGRATED", info::integrated.code, 18, value(info::integrated)},
      {"CAN_MAP_HOST_MEMORY", info::can_map_host_memory.code, 19, value(info::can_map_host_memory)},
      {"COMPUTE_MODE", info::compute_mode.code, 20, value(info::compute_mode)},
      {"MAXIMUM_TEXTURE1D_WIDTH", info::maximum_texture1d_width.code, 21, value(info::maximum_texture1d_width)},
      {"MAXIMUM_TEXTURE2D_WIDTH", info::maximum_texture2d_width.code, 22, value(info::maximum_texture2d_width)},
      {"MAXIMUM_TEXTURE2D_HEIGHT", info::maximum_texture2d_height.code, 23, value(info::maximum_texture2d_height)},
      {"MAXIMUM_TEXTURE3D_WIDTH", info::maximum_texture3d_width.code, 24, value(info::maximum_texture3d_width)},
      {"MAXIMUM_TEXTURE3D_HEIGHT", info::maximum_texture3d_height.code, 25, value(info::maximum_texture3d_height)},
      {"MAXIMUM_TEXTURE3D_DEPTH", info::maximum_texture3d_depth.code, 26, value(info::maximum_texture3d_depth)},
      {"MAXIMUM_TEXTURE2D_ARRAY_WIDTH", info::maximum_texture2d_layered_width.code, 27,
       value(info::maximum_texture2d_layered_width)},
      {"MAXIMUM_TEXTURE2D_ARRAY_HEIGHT", info::maximum_texture2d_layered_height.code, 28,
       value(info::maximum_texture2d_layered_height)},
      {"MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES", info::maximum_texture2d_layered_layers.code, 29,
       value(info::maximum_texture2d_layered_layers)},
      {"MAXIMUM_TEXTURE2D_LAYERED_WIDTH", info::maximum_texture2d_layered_width.code, 27,
       value(info::maximum_texture2d_layered_width)},
      {"MAXIMUM_TEXTURE2D_LAYERED_HEIGHT", info::maximum_texture2d_layered_height.code, 28,
       value(info::maximum_texture2d_layered_height)},
      {"MAXIMUM_TEXTURE2D_LAYERED_LAYERS", info::maximum_texture2d_layered_layers.code, 29,
       value(info::maximum_texture2d_layered_layers)},
      {"MAXIMUM_TEXTURE1D_LAYERED_WIDTH", info::maximum_texture1d_layered_width.code, 42,
       value(info::maximum_texture1d_layered_width)},
      {"MAXIMUM_TEXTURE1D_LAYERED_LAYERS", info::maximum_texture1d_layered_layers.code, 43,
       value(info::maximum_texture1d_layered_layers)},
      {"SURFACE_ALIGNMENT", info::surface_alignment.code, 30, value(info::surface_alignment)},
      {"CONCURRENT_KERNELS", info::concurrent_kernels.code, 31, value(info::concurrent_kernels)},
      {"ECC_ENABLED", info::ecc_enabled.code, 32, value(info::ecc_enabled)},
      {"PCI_BUS_ID", info::pci_bus_id.code, 33, value(info::pci_bus_id)},
      {"PCI_DEVICE_ID", info::pci_device_id.code, 34, value(info::pci_device_id)},
      {"TCC_DRIVER", info::tcc_driver.code, 35, value(info::tcc_driver)},
      {"MEMORY_CLOCK_RATE", info::memory_clock_rate.code, 36, value(info::memory_clock_rate)},
      {"GLOBAL_MEMORY_BUS_WIDTH", info::global_memory_bus_width.code, 37, value(info::global_memory_bus_width)},
      {"L2_CACHE_SIZE", info::l2_cache_size.code, 38, value(info::l2_cache_size)},
      {"MAX_THREADS_PER_MULTIPROCESSOR", info::max_threads_per_multiprocessor.code, 39,
       value(info::max_threads_per_multiprocessor)},
      {"ASYNC_ENGINE_COUNT", info::async_engine_count.code, 40, value(info::async_engine_count)},
      {"UNIFIED_ADDRESSING", info::unified_addressing.code, 41, value(info::unified_addressing)},
      {"MAXIMUM_TEXTURE2D_GATHER_WIDTH", info::maximum_texture2d_gather_width.code, 45,
       value(info::maximum_texture2d_gather_width)},
      {"MAXIMUM_TEXTURE2D_GATHER_HEIGHT", info::maximum_texture2d_gather_height.code, 46,
       value(info::maximum_texture2d_gather_height)},
      {"MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE", info::maximum_texture3d_width_alternate.code, 47,
       value(info::maximum_texture3d_width_alternate)},
      {"MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE", info::maximum_texture3d_height_alternate.code, 48,
       value(info::maximum_texture3d_height_alternate)},
      {"MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE", info::maximum_texture3d_depth_alternate.code, 49,
       value(info::maximum_texture3d_depth_alternate)},
      {"PCI_DOMAIN_ID", info::pci_domain_id.code, 50, value(info::pci_domain_id)},
      {"TEXTURE_PITCH_ALIGNMENT", info::texture_pitch_alignment.code, 51, value(info::texture_pitch_alignment)},
      {"MAXIMUM_TEXTURECUBEMAP_WIDTH", info::maximum_texturecubemap_width.code, 52,
       value(info::maximum_texturecubemap_width)},
      {"MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH", info::maximum_texturecubemap_layered_width.code, 53,
       value(info::maximum_texturecubemap_layered_width)},
      {"MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS", info::maximum_texturecubemap_layered_layers.code, 54,
       value(info::maximum_texturecubemap_layered_layers)},
      {"MAXIMUM_SURFACE1D_WIDTH", info::maximum_surface1d_width.code, 55, value(info::maximum_surface1d_width)},
      {"MAXIMUM_SURFACE2D_WIDTH", info::maximum_surface2d_width.code, 56, value(info::maximum_surface2d_width)},
      {"MAXIMUM_SURFACE2D_HEIGHT", info::maximum_surface2d_height.code, 57, value(info::maximum_surface2d_height)},
      {"MAXIMUM_SURFACE3D_WIDTH", info::maximum_surface3d_width.code, 58, value(info::maximum_surface3d_width)},
      {"MAXIMUM_SURFACE3D_HEIGHT", info::maximum_surface3d_height.code, 59, value(info::maximum_surface3d_height)},
      {"MAXIMUM_SURFACE3D_DEPTH", info::maximum_surface3d_depth.code, 60, value(info::maximum_surface3d_depth)},
      {"MAXIMUM_SURFACE1D_LAYERED_WIDTH", info::maximum_surface1d_layered_width.code, 61,
       value(info::maximum_surface1d_layered_width)},
      {"MAXIMUM_SURFACE1D_LAYERED_LAYERS", info::maximum_surface1d_layered_layers.code, 62,
       value(info::maximum_surface1d_layered_layers)},
      {"MAXIMUM_SURFACE2D_LAYERED_WIDTH", info::maximum_surface2d_layered_width.code, 63,
       value(info::maximum_surface2d_layered_width)},
      {"MAXIMUM_SURFACE2D_LAYERED_HEIGHT", info::maximum_surface2d_layered_height.code, 64,
       value(info::maximum_surface2d_layered_height)},
      {"MAXIMUM_SURFACE2D_LAYERED_LAYERS", info::maximum_surface2d_layered_layers.code, 65,
       value(info::maximum_surface2d_layered_layers)},
      {"MAXIMUM_SURFACECUBEMAP_WIDTH", info::maximum_surfacecubemap_width.code, 66,
       value(info::maximum_surfacecubemap_width)},
      {"MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH", info::maximum_surfacecubemap_layered_width.code, 67,
       value(info::maximum_surfacecubemap_layered_width)},
      {"MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS", info::maximum_surfacecubemap_layered_layers.code, 68,
       value(info::maximum_surfacecubemap_layered_layers)},
      {"MAXIMUM_TEXTURE1D_LINEAR_WIDTH", info::maximum_texture1d_linear_width.code, 69,
       value(info::maximum_texture1d_linear_width)},
      {"MAXIMUM_TEXTURE2D_LINEAR_WIDTH", info::maximum_texture2d_linear_width.code, 70,
       value(info::maximum_texture2d_linear_width)},
      {"MAXIMUM_TEXTURE2D_LINEAR_HEIGHT", info::maximum_texture2d_linear_height.code, 71,
       value(info::maximum_texture2d_linear_height)},
      {"MAXIMUM_TEXTURE2D_LINEAR_PITCH", info::maximum_texture2d_linear_pitch.code, 72,
       value(info::maximum_texture2d_linear_pitch)},
      {"MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH", info::maximum_texture2d_mipmapped_width.code, 73,
       value(info::maximum_texture2d_mipmapped_width)},
      {"MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT", info::maximum_texture2d_mipmapped_height.code, 74,
       value(info::maximum_texture2d_mipmapped_height)},
      {"COMPUTE_CAPABILITY_MAJOR", info::compute_capability_major.code, 75, value(info::compute_capability_major)},
      {"COMPUTE_CAPABILITY_MINOR", info::compute_capability_minor.code, 76, value(info::compute_capability_minor)},
      {"MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH", info::maximum_texture1d_mipmapped_width.code, 77,
       value(info::maximum_texture1d_mipmapped_width)},
      {"STREAM_PRIORITIES_SUPPORTED", info::stream_priorities_supported.code, 78,
       value(info::stream_priorities_supported)},
      {"GLOBAL_L1_CACHE_SUPPORTED", info::global_l1_cache_supported.code, 79, value(info::global_l1_cache_supported)},
      {"LOCAL_L1_CACHE_SUPPORTED", info::local_l1_cache_supported.code, 80, value(info::local_l1_cache_supported)},
      {"MAX_SHARED_MEMORY_PER_MULTIPROCESSOR", info::max_shared_memory_per_multiprocessor.code, 81,
       value(info::max_shared_memory_per_multiprocessor)},
      {"MAX_REGISTERS_PER_MULTIPROCESSOR", info::max_registers_per_multiprocessor.code, 82,
       value(info::max_registers_per_multiprocessor)},
      {"MANAGED_MEMORY", info::managed_memory.code, 83, value(info::managed_memory)},
      {"MULTI_GPU_BOARD", info::multi_gpu_board.code, 84, value(info::multi_gpu_board)},
      {"MULTI_GPU_BOARD_GROUP_ID", info::multi_gpu_board_group_id.code, 85, value(info::multi_gpu_board_group_id)},
  };
  CHECK(std::size(all) == 89);
  const std::string table = cu::attribute_table(device);
  int wrong = 0, unlisted = 0;
  const std::set<std::string> old{"SHARED_MEMORY_PER_BLOCK", "REGISTERS_PER_BLOCK", "MAXIMUM_TEXTURE2D_ARRAY_WIDTH",
                                  "MAXIMUM_TEXTURE2D_ARRAY_HEIGHT", "MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES"};
  for (const named& each : all) {
    int raw = -1;
    REQUIRE(device.port().table()->device_get_attribute(&raw, each.number, device.native_handle().native()) == 0);
    INFO(each.name);
    CHECK(each.told == each.number);
    const bool is_flag = each.value == 1 && raw > 1;  // a bool of a count
    if (each.value != raw && !is_flag) ++wrong;
    if (old.count(each.name) == 0 && table.find("\n" + std::string(each.name) + "  ") == std::string::npos &&
        !table.starts_with(std::string(each.name) + "  ")) {
      ++unlisted;
    }
  }
  CHECK(wrong == 0);
  CHECK(unlisted == 0);
  const auto warp = table.find("\nWARP_SIZE ");
  REQUIRE(warp != std::string::npos);
  CHECK(std::stoi(table.substr(table.find_first_of("0123456789", warp + 11))) == value(info::warp_size));
}

YOKE_CUDA_TEST_CASE("every preference of caches is set and read back", "[cuda]") {
  const cu::context context = cu::create_context(device);
  for (const cu::cache_config each : {cu::cache_config::prefer_equal, cu::cache_config::prefer_shared,
                                      cu::cache_config::prefer_l1, cu::cache_config::prefer_none}) {
    cu::set_cache_config(context, each);
    CHECK(cu::get_cache_config(context) == each);
  }
}

YOKE_CUDA_TEST_CASE("a context's flags reach the driver, host mapping too", "[cuda]") {
  static decltype(cu::abi::functions::context_create) real = nullptr;
  static unsigned given = 0;
  cu::abi::functions table = *device.port().table();
  real = table.context_create;
  table.context_create = [](cu::abi::context* made, unsigned flags, cu::abi::device on) -> cu::abi::status {
    given = flags;
    return real(made, flags, on);
  };
  const auto watched = cu::device::borrow(cu::port{&table}, device.native_handle());
  const auto flags_of = [&](const cu::context_options& options) {
    const cu::context made = cu::create_context(watched, options);
    return given;
  };
  CHECK(flags_of({}) == 0);
  CHECK(flags_of({.map_host = true}) == cu::abi::context_map_host);
  CHECK(flags_of({.waiting = cu::schedule::spin, .map_host = true}) ==
        (cu::abi::context_map_host | cu::abi::context_sched_spin));
}

YOKE_CUDA_TEST_CASE("an event's options reach the driver, and those with times tell them", "[cuda]") {
  static decltype(cu::abi::functions::event_create) real = nullptr;
  static unsigned given = 0;
  cu::abi::functions table = *device.port().table();
  real = table.event_create;
  table.event_create = [](cu::abi::event* made, unsigned flags) -> cu::abi::status {
    given = flags;
    return real(made, flags);
  };
  const cu::context context{cu::device::borrow(cu::port{&table}, device.native_handle())};
  const cu::stream stream{context};
  const auto untimed = [&](const cu::event_options& options) {
    (void)cu::create_event(context, options);
    return given;
  };
  using namespace yoke::cuda::abi;
  CHECK(untimed({}) == event_disable_timing);
  CHECK(untimed({.blocking = true}) == (event_disable_timing | event_blocking_sync));
  CHECK(untimed({.interprocess = true}) == (event_disable_timing | event_interprocess));
  auto start = cu::create_timed_event(context);
  CHECK(given == 0);
  auto stop = cu::create_timed_event(context, {.blocking = true});
  CHECK(given == event_blocking_sync);
  cu::device_allocation<int> memory{context, 1000};
  given = 77;
  stream.record_into(start);
  yoke::fill(memory, 3, stream);
  stream.record_into(stop);
  CHECK(given == 77);  // the same events
  CHECK(stop.time_since(start).count() >= 0);
  CHECK(stop.is_done());
}

YOKE_CUDA_TEST_CASE("synchronize waits for every stream of a context", "[cuda]") {
  const cu::context context{device};
  const cu::stream first{context}, second{context};
  gate<cuda_backend> held{second};
  std::atomic<bool> opened{false};
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    opened = true;
    held.open();
  });
  cu::synchronize(context);
  CHECK(opened);
  opener.join();
  CHECK(first.is_done());
  CHECK(second.is_done());
}

YOKE_CUDA_TEST_CASE("devices are ordered, and are keys of sorted containers", "[cuda]") {
  const auto all = cu::devices(device.port());
  std::set<cu::device> sorted(all.rbegin(), all.rend());
  CHECK(std::equal(sorted.begin(), sorted.end(), all.begin(), all.end()));
  CHECK(cu::devices().size() >= 1);  // of the process's own driver
  const auto same = cu::device::borrow(device.port(), device.native_handle());
  CHECK((same <=> device) == std::strong_ordering::equal);
  CHECK_FALSE(same < device);
  std::map<cu::device, int> numbers;
  numbers[device] = 1;
  numbers[same] = 2;
  CHECK(numbers.size() == 1);
  const cu::abi::functions other_table = *device.port().table();
  const auto elsewhere = cu::device::borrow(cu::port{&other_table}, device.native_handle());
  CHECK((elsewhere < device) != (device < elsewhere));
}

YOKE_CUDA_TEST_CASE("NVRTC tells its version", "[cuda]") {
  int major = 0, minor = 0;
  std::string reason;
  const auto* const found = cu::detail::find_nvrtc(reason);
  REQUIRE(found != nullptr);
  REQUIRE(found->table.version(&major, &minor) == 0);
  CHECK(cu::nvrtc_version() == major * 1000 + minor * 10);
  CHECK(cu::nvrtc_version() >= cu::abi::required_version);
}

YOKE_CUDA_TEST_CASE("a pointer to memory of any kind is a side of a copy", "[cuda]") {
  const cu::context context{device};
  const cu::stream stream{context};
  const std::vector<int> host{1, 2, 3, 4, 5, 6, 7, 8};
  const cu::device_allocation<int> on_device{context, host, stream};
  cu::pagelocked_array<int> locked{context, 8};
  std::vector<int> range(8, 0);
  const cu::registered_memory<int> registered{context, std::span(range)};
  cu::device_allocation<int> to{context, 8};
  const auto round_trip = [&](int* pointer) {
    const cu::device_span<int> whole = cu::unified_span(context, pointer, 8);
    yoke::copy(host, whole, stream);
    yoke::copy(whole, to, stream);
    yoke::fill(cu::unified_span(context, pointer + 6, 2), 9, stream);
    std::vector<int> expected = host;
    expected[6] = expected[7] = 9;
    return yoke::to_host(to, stream) == host && yoke::to_host(whole, stream) == expected;
  };
  CHECK(round_trip(reinterpret_cast<int*>(on_device.native_handle())));
  const cu::device_allocation<int> plain{context, 8};
  CHECK(round_trip(reinterpret_cast<int*>(plain.native_handle())));
  CHECK(round_trip(locked.data()));
  CHECK(locked[7] == 9);
  CHECK(round_trip(range.data()));
  CHECK(range[7] == 9);
  if (cu::get(device, cu::info::managed_memory)) {
    cu::managed_allocation<int> managed{context, 8};
    CHECK(round_trip(reinterpret_cast<int*>(managed.native_handle())));
  }
  using yoke::errc;
  std::vector<int> unknown(8);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(errc::invalid_argument,
                                             [&] { (void)cu::unified_span(context, unknown.data(), 8); }),
             ContainsSubstring("is none that the driver knows: pass a std::span of host memory"));
  auto* const inner = reinterpret_cast<int*>(plain.native_handle());
  const auto known = cu::describe_pointer(context.port(), plain.native_handle());
  REQUIRE(known);
  CHECK(known->kind == cu::memory_kind::device);
  CHECK_THAT(cuda_refusal<yoke::logic_error>(
                 errc::out_of_range, [&] { (void)cu::unified_span(context, inner, known->bytes / sizeof(int) + 1); }),
             ContainsSubstring("ends after " + std::to_string(known->bytes) + " bytes, and a view of "));
  const cu::context other = cu::create_context(device);
  cuda_refusal<yoke::logic_error>(errc::wrong_context, [&] { (void)cu::unified_span(other, inner, 8); });
  // Page-locked memory is portable.
  const cu::stream there{other};
  cu::device_allocation<int> of_other{other, 8};
  for (int* const portable : {locked.data(), range.data()}) {
    std::fill_n(portable, 8, 5);
    yoke::copy(cu::unified_span(other, portable, 8), of_other, there);
    CHECK(yoke::to_host(of_other, there) == std::vector<int>(8, 5));
  }
}

namespace {

/// What the driver was asked for, by a table whose functions do nothing.
struct asked {
  std::uint64_t first = 0;
  std::size_t bytes = 0;
  cu::abi::copy_3d box{};
};
asked last;

}  // namespace

YOKE_CUDA_TEST_CASE("sizes and offsets beyond 4 GiB reach the driver whole", "[cuda][large]") {
  cu::abi::functions table = *device.port().table();
  table.memcpy_htod_async = [](cu::abi::device_pointer to, const void*, std::size_t bytes, cu::abi::stream) {
    last.first = to;
    last.bytes = bytes;
    return cu::abi::success;
  };
  table.memcpy_dtod_async = [](cu::abi::device_pointer to, cu::abi::device_pointer, std::size_t bytes,
                               cu::abi::stream) {
    last.first = to;
    last.bytes = bytes;
    return cu::abi::success;
  };
  table.memcpy_3d_async = [](const cu::abi::copy_3d* what, cu::abi::stream) {
    last.box = *what;
    return cu::abi::success;
  };
  table.memset_d32_async = [](cu::abi::device_pointer to, unsigned, std::size_t count, cu::abi::stream) {
    last.first = to;
    last.bytes = 4 * count;
    return cu::abi::success;
  };
  const cu::context context{cu::device::borrow(cu::port{&table}, device.native_handle())};
  const cu::stream stream{context};
  yoke::set_staging(context, {.enabled = false});
  constexpr std::size_t gib = std::size_t{1} << 30;
  constexpr std::uint64_t base = 0x100000000000;
  const cu::device_span<int> memory(context.native_handle(), base, 0, 6 * gib);  // 24 GiB, of which nothing is there
  const cu::device_span<int> other(context.native_handle(), base + 64 * gib, 0, 6 * gib);
  const std::span<const int> host(reinterpret_cast<const int*>(base / 2), 6 * gib);
  yoke::copy(host.first(5 * gib + 1), memory.subspan(gib - 1, 5 * gib + 1), stream);
  CHECK(last.first == base + 4 * (gib - 1));
  CHECK(last.bytes == 4 * (5 * gib + 1));
  yoke::enqueue_copy(memory, other, stream);
  CHECK(last.first == base + 64 * gib);
  CHECK(last.bytes == 24 * gib);
  yoke::fill(memory.subspan(5 * gib + 3, gib - 3), 7, stream);
  CHECK(last.first == base + 4 * (5 * gib + 3));
  CHECK(last.bytes == 4 * (gib - 3));
  const yoke::box_layout rows{.width = 3, .height = 2, .row_pitch = 2 * gib, .offset = gib + 1};
  yoke::copy(yoke::strided(memory, rows), yoke::strided(other, rows), stream);
  CHECK(last.box.source_pitch == 8 * gib);
  CHECK(last.box.destination_device == base + 64 * gib + 4 * (gib + 1));
  CHECK(last.box.width_bytes == 12);
  CHECK_THROWS_AS(memory.subspan(6 * gib - 1, 2), yoke::logic_error);
  CHECK_THROWS_AS((cu::device_allocation<int>{context, ~std::size_t{0} / 2}), yoke::error);  // wraps to a small number
}

// On a GPU with 14 GiB free: yoke_tests "[large]"
YOKE_CUDA_TEST_CASE("6 GiB are allocated, filled and copied", "[.][large][gpu]") {
  const cu::context context{device};
  if (cu::memory_of(context).free_bytes < (std::size_t{14} << 30)) YOKE_SKIP("the device has less than 14 GiB");
  const cu::stream stream{context};
  constexpr std::size_t count = std::size_t{6} << 30;
  cu::device_allocation<std::uint8_t> memory{context, count}, other{context, count};
  yoke::fill(memory, std::uint8_t{1}, stream);
  yoke::fill(memory.subspan(count - 5, 5), std::uint8_t{2}, stream);
  yoke::copy(memory, other, stream);
  const auto at = [&](std::size_t first, std::size_t size) {
    return yoke::to_host(other.subspan(first, size), stream);
  };
  CHECK(at(0, 2) == std::vector<std::uint8_t>{1, 1});
  CHECK(at((std::size_t{4} << 30) - 1, 2) == std::vector<std::uint8_t>{1, 1});
  CHECK(at(count - 6, 6) == std::vector<std::uint8_t>{1, 2, 2, 2, 2, 2});
  const std::vector<std::uint8_t> all = yoke::to_host(other, stream);  // staged
  CHECK(std::count(all.begin(), all.end(), 1) == static_cast<std::ptrdiff_t>(count - 5));
  CHECK(std::count(all.end() - 5, all.end(), 2) == 5);
  yoke::fill(memory, std::uint8_t{0}, stream);
  yoke::copy(all, memory, stream);
  CHECK(yoke::to_host(memory.subspan(count - 6, 6), stream) == std::vector<std::uint8_t>{1, 2, 2, 2, 2, 2});
}

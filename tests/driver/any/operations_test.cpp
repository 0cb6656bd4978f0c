// SPDX-License-Identifier: MIT
// Every operation of the list runs through the port chosen at run time, on each backend.
#include <support/devices/devices.hpp>
#include <support/devices/settle.hpp>
#include <support/faults/fault_run.hpp>
#include <support/process/temporary_folder.hpp>
#include <yoke/cache.hpp>
#include <yoke/graph.hpp>
#include <yoke/image.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

using namespace yoke_test;

namespace {

#define YOKE_LISTED(result, name, ...) name,
enum class listed {
  YOKE_EXECUTION_OPERATIONS(YOKE_LISTED, YOKE_LISTED) YOKE_MEMORY_OPERATIONS(YOKE_LISTED, YOKE_LISTED)
      YOKE_PROGRAM_OPERATIONS(YOKE_LISTED, YOKE_LISTED) YOKE_RARE_PROGRAM_OPERATIONS(YOKE_LISTED)
          YOKE_IMAGE_OPERATIONS(YOKE_LISTED, YOKE_LISTED) YOKE_MATH_OPERATIONS(YOKE_LISTED)
              YOKE_GRAPH_OPERATIONS(YOKE_LISTED, YOKE_LISTED) YOKE_DIRECT_OPERATIONS(YOKE_LISTED) end
};
#undef YOKE_LISTED
#define YOKE_NAMED(result, name, ...) #name,
constexpr const char* names[] = {
    YOKE_EXECUTION_OPERATIONS(YOKE_NAMED, YOKE_NAMED) YOKE_MEMORY_OPERATIONS(YOKE_NAMED, YOKE_NAMED)
        YOKE_PROGRAM_OPERATIONS(YOKE_NAMED, YOKE_NAMED) YOKE_RARE_PROGRAM_OPERATIONS(YOKE_NAMED)
            YOKE_IMAGE_OPERATIONS(YOKE_NAMED, YOKE_NAMED) YOKE_MATH_OPERATIONS(YOKE_NAMED)
                YOKE_GRAPH_OPERATIONS(YOKE_NAMED, YOKE_NAMED) YOKE_DIRECT_OPERATIONS(YOKE_NAMED)};
#undef YOKE_NAMED

/// How often each operation was called, also by the library's threads.
std::array<std::atomic<int>, static_cast<std::size_t>(listed::end)> counts;

namespace in_the_library {  // the list names the library's types as the library does
using namespace yoke;

/// The port chosen at run time, which counts.
class counting_port : public any_port {
 public:
  constexpr counting_port() noexcept = default;
  explicit counting_port(const any_port& port) noexcept : any_port(port) {}

#define YOKE_COUNTED(result, name, parameters, arguments, ...)                                                         \
  result name parameters const __VA_ARGS__ {                                                                           \
    ++counts[static_cast<std::size_t>(listed::name)];                                                                  \
    return any_port::name arguments;                                                                                   \
  }
  YOKE_EXECUTION_OPERATIONS(YOKE_COUNTED, YOKE_COUNTED)
  YOKE_MEMORY_OPERATIONS(YOKE_COUNTED, YOKE_COUNTED)
  YOKE_PROGRAM_OPERATIONS(YOKE_COUNTED, YOKE_COUNTED)
  YOKE_RARE_PROGRAM_OPERATIONS(YOKE_COUNTED)
  YOKE_IMAGE_OPERATIONS(YOKE_COUNTED, YOKE_COUNTED)
  YOKE_MATH_OPERATIONS(YOKE_COUNTED)
  YOKE_GRAPH_OPERATIONS(YOKE_COUNTED, YOKE_COUNTED)
  YOKE_DIRECT_OPERATIONS(YOKE_COUNTED)
#undef YOKE_COUNTED
};

}  // namespace in_the_library

using in_the_library::counting_port;

/// The driver compares no type of this with a kernel's: it has no name there.
struct pair_of_ints {
  int first, second;
};
constexpr const char* source =
    "YOKE_KERNEL add(YOKE_GLOBAL int* a, int n) { a[get_global_id(0)] += n; }\n"
    "struct both { int first, second; };\n"
    "YOKE_KERNEL add_both(YOKE_GLOBAL int* a, struct both n) { a[get_global_id(0)] += n.first + n.second; }\n";

using device_of = yoke::device<counting_port>;
using context_of = yoke::context<counting_port>;
using stream_of = yoke::stream<counting_port>;
using event_of = yoke::event<counting_port>;
using memory_of = yoke::device_allocation<int, counting_port>;
using locked_of = yoke::pagelocked_array<int, counting_port>;
using module_of = yoke::module<counting_port>;

/// Streams and events, made, adopted and borrowed, in every order that handles know.
void use_streams(const context_of& context) {
  const stream_of timed{context, {.timing = true}}, stream{context};
  const auto same = stream_of::borrow(context, stream.native_handle());
  CHECK(same.device_of() == stream.device_of());
  CHECK(same.has_timing() == (std::string_view(context.port().backend_name()) == "cuda"));
  const stream_of again = stream.another({});
  const memory_of ordered{context, 8, same};  // it keeps the native stream, which the borrowed handle does not
  event_of point = stream.record();
  event_of later = stream.record(point);
  stream.record_into(later);
  timed.wait(later);
  timed.wait({point, later});
  auto borrowed = event_of::borrow(context, point.native_handle());
  stream.record_into(borrowed);  // not in the usual way: the event is not its owner
  std::atomic<bool> called = false;
  point.on_complete([&](yoke::event_status) { called = true; });
  stream.flush();
  stream.synchronize();
  while (!called) {
  }
  point.wait();
  CHECK(point.is_done());
  // Which of these handles call is a matter of the backend.
  const counting_port& port = context.port();
  const auto made = event_of::adopt(context, port.record(stream.native_handle(), {}, {}));
  CHECK_FALSE(port.forget_event(made.native_handle()));
  made.wait();
  CHECK(port.is_over(made.native_handle()));
  CHECK(port.capture_of(stream.native_handle()) == 0);
  const auto start = timed.record_timed();
  CHECK(timed.record_timed().time_since(start).count() >= 0);
}

void use_memory(const context_of& context) {
  const stream_of stream{context};
  std::vector<int> host{1, 2, 3, 4, 5, 6, 7, 8}, back(8, 0);
  memory_of plain{context, 8}, ordered{context, 8, stream};
  const bool guards = context.port().guards_memory();
  CHECK((!guards || std::string_view(context.port().backend_name()) == "cuda"));
  const stream_of other{context};
  ordered.record_use(other);
  stream.synchronize();
  locked_of locked{context, 8};
  std::copy(host.begin(), host.end(), locked.begin());
  yoke::enqueue_copy(locked, plain, stream);
  yoke::enqueue_copy(plain, ordered, stream);
  yoke::enqueue_copy(ordered, locked, stream);
  stream.synchronize();
  CHECK(std::vector<int>(locked.begin(), locked.end()) == host);
  auto same = memory_of::borrow(context, plain.native_handle(), 8);
  yoke::fill(same, 9, stream);
  yoke::copy(std::span<const int>(host).first(4), same.subspan(0, 4), stream);
  yoke::copy(same, ordered, stream);
  yoke::copy(ordered, back, stream);
  CHECK(back == std::vector<int>{1, 2, 3, 4, 9, 9, 9, 9});
  const yoke::box_layout corner{.width = 2, .height = 2, .row_pitch = 4};
  yoke::copy(yoke::strided(host, corner), yoke::strided(same, corner), stream);
  yoke::copy(yoke::strided(same, corner), yoke::strided(ordered, corner), stream);
  yoke::copy(yoke::strided(ordered, corner), yoke::strided(back, corner), stream);
  CHECK(back == std::vector<int>{1, 2, 3, 4, 5, 6, 9, 9});
  {
    const auto native = locked.release();
    locked = locked_of::adopt(context, native, 8);
    CHECK(locked.size() == 8);
  }
}

void use_programs(const context_of& context, const device_of& device) {
  const stream_of stream{context};
  const module_of module = yoke::compile(context, source);
  auto add = module.get_kernel<void(int*, int)>("add");
  CHECK(module.kernel_names() == std::vector<std::string>{"add", "add_both"});
  CHECK_NOTHROW(module.build_log(device));
  memory_of memory{context, 8};
  yoke::fill(memory, 1, stream);
  add(stream, {.grid = 1, .block = 8}, memory, 1);
  add.enqueue(stream, {.grid = 1, .block = 4}, memory, 2).wait();
  std::vector<int> back(8, 0);
  yoke::copy(memory, back, stream);
  CHECK(back == std::vector<int>{4, 4, 4, 4, 2, 2, 2, 2});
  const auto launch_part = [&] { add(stream, {.grid = 1, .block = 4}, memory.subspan(4, 4), 0); };
  if (context.port().memory_is_address()) {
    CHECK_NOTHROW(launch_part());
  } else {
    CHECK_THROWS_AS(launch_part(), yoke::logic_error);  // such a part is no argument there
  }
  const std::size_t step = std::max<std::size_t>(stream.limits().base_alignment_bytes / sizeof(int), 1);
  memory_of wide{context, step + 4};
  yoke::fill(wide, 1, stream);
  add(stream, {.grid = 1, .block = 4}, wide.subspan(step, 4), 1);
  std::vector<int> part(4, 0);
  yoke::copy(wide.subspan(step, 4), part, stream);
  CHECK(part == std::vector<int>(4, 2));
  // Handles ask this where the driver describes no parameters.
  const auto handle = context.port().create_kernel(module.native_handle(), "add", {});
  const std::array<int, 4> too_large{};
  const yoke::kernel_argument one[] = {
      {.kind = yoke::argument_kind::value, .data = too_large.data(), .bytes = sizeof too_large}};
  CHECK_FALSE(context.port().accepts(context.native_handle(), handle, one, {}));
  CHECK(context.port().release_kernel(handle).code == 0);
  const auto add_both = module.get_kernel<void(int*, pair_of_ints)>("add_both");
  add_both(stream, {.grid = 1, .block = 4}, memory, pair_of_ints{1, 2});
  yoke::copy(memory, back, stream);
  CHECK(back == std::vector<int>{7, 7, 7, 7, 2, 2, 2, 2});
  CHECK(add.limits(device).max_block >= 8);
  const module_of loaded = yoke::load(context, module.export_binary());
  CHECK(loaded.kernel_names() == module.kernel_names());
  const auto native = loaded.retain_native();
  const module_of adopted = module_of::adopt(context, native);
  CHECK(adopted.kernel_names() == module.kernel_names());
  auto released = adopted.get_kernel<void(int*, int)>("add");
  const auto kernel = released.release();
  const auto taken = yoke::kernel<void(int*, int), counting_port>::adopt(adopted, kernel);
  taken(stream, {.grid = 1, .block = 4}, memory, 3);
  yoke::copy(memory, back, stream);
  CHECK(back == std::vector<int>{10, 10, 10, 10, 2, 2, 2, 2});

  const temporary_folder folder;
  const yoke::program_cache cache{{.folder = folder.path().string()}, {}};
  CHECK(yoke::compile(context, source, {.cache = &cache}).kernel_names() == module.kernel_names());
  CHECK(cache.size() == 1);
  CHECK_THROWS_AS(yoke::load_intermediate(context, std::as_bytes(std::span(std::string_view("no program")))),
                  yoke::error);
}

/// `other` is another context of the same driver.
void use_two_contexts(const context_of& context, const context_of& other) {
  const stream_of stream{context}, there{other};
  memory_of from{context, 8}, to{other, 8};
  yoke::fill(from, 7, stream);
  const int host = 0;
  const bool staged = context.port().stages_pageable(context.native_handle(), &host, {});
  CHECK((!staged || context.port().memory_is_address()));  // OpenCL's drivers copy alone
  std::vector<std::byte> block(4096);
  context.port().lock_pages(context.native_handle(), block.data(), block.size(), {});
  CHECK(context.port().unlock_pages(context.native_handle(), block.data()).code == 0);
  memory_of first{context, 4}, second{context, 4};
  yoke::copy_list<counting_port> list{context};
  list.add(from.subspan(0, 4), first);
  list.add(from.subspan(4, 4), second);
  yoke::copy(list, stream);
  CHECK(yoke::to_host(second, stream) == std::vector<int>(4, 7));
  const yoke::batched_copy none[2] = {};
  CHECK((context.port().memory_is_address() || !context.port().copy_batch(stream.native_handle(), none, {})));
  if (context.port().copies_between_contexts()) {
    yoke::copy(from, to, stream);
    std::vector<int> back(8, 0);
    yoke::copy(to, back, there);
    CHECK(back == std::vector<int>(8, 7));
    return;
  }
  CHECK_THROWS_AS(yoke::copy(from, to, stream), yoke::logic_error);
  CHECK_THROWS_AS(context.port().copy_between(stream.native_handle(), from.native_handle(), context.native_handle(), {},
                                              to.native_handle(), other.native_handle(), {}, {},
                                              yoke::completion<counting_port::event_handle>::blocking(), {}),
                  yoke::logic_error);
}

void use_images(const context_of& context) {
  using image_of = yoke::image<float, 2, counting_port>;
  const stream_of stream{context};
  std::vector<float> host(35), back(35, 0.0f);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
  const image_of from{context, host, yoke::extent3{7, 5}, stream};
  image_of to{context, yoke::extent3{7, 5}};
  yoke::copy(from, to, stream);
  yoke::device_allocation<float, counting_port> memory{context, 35};
  yoke::copy(to, memory, stream);
  yoke::fill(to, 2.0f, stream);
  yoke::copy(memory, to, stream);
  yoke::copy(to, back, stream);
  CHECK(back == host);
  const auto native = to.release();
  to = image_of::adopt(context, native, yoke::extent3{7, 5});
  const auto module = yoke::compile(context, R"(
YOKE_KERNEL sampled(YOKE_READ_IMAGE_2D(float, from), YOKE_SAMPLER(by), YOKE_GLOBAL float* to) {
  int i = (int)get_global_id(0);
  to[i] = yoke_sample_2d(float, from, by, (float)i + 0.5f, 1.5f);
}
)");
  const auto sampled = module.get_kernel<void(yoke::read_image<float, 2>, yoke::sampler, float*)>("sampled");
  sampled(stream, {.grid = 1, .block = 7}, to, yoke::sampler{}, memory);
  yoke::copy(memory, back, stream);
  CHECK(std::equal(host.begin() + 7, host.begin() + 14, back.begin()));
}

void use_graphs(const context_of& context) {
  const stream_of stream{context};
  const auto add = yoke::compile(context, source).get_kernel<void(int*, int)>("add");
  memory_of from{context, 8}, to{context, 8};
  locked_of locked{context, 8};
  const yoke::graph<counting_port> graph{context}, child{context};
  auto inner = child.record();
  yoke::fill(from, 1, inner);
  auto record = graph.record();
  record.add(child);
  const auto added = add(record, {.grid = 1, .block = 8}, from, 2);
  const auto copied = yoke::enqueue_copy(from, to, record);
  const auto read = yoke::enqueue_copy(to, locked, record);
  const auto written = yoke::enqueue_copy(locked, from, record);
  const auto filled = yoke::fill(to, 9, record);
  record.mark();
  auto executable = graph.instantiate();
  executable.upload(stream);
  executable.launch(stream);
  stream.synchronize();
  CHECK(std::vector<int>(locked.begin(), locked.end()) == std::vector<int>(8, 3));
  added.set(executable, from, 4);
  copied.set(executable, from, to);
  read.set(executable, to, locked);
  written.set(executable, locked, from);
  filled.set(executable, to, 8);
  executable.disable(copied);
  executable.launch(stream);
  CHECK(executable.update(graph).in_place);
  stream.synchronize();
  CHECK(std::vector<int>(locked.begin(), locked.end()) == std::vector<int>(8, 9));
  executable.reset();
  settle(stream);
  // Handles take back only what failed.
  const counting_port& port = context.port();
  const auto native = port.create_graph(context.native_handle(), {});
  CHECK(port.discard_node(native, port.record_join(native, {}, {}), true).code == 0);
  CHECK(port.release_graph(native).code == 0);
}

void use_conditions_in_graphs(const context_of& context) {
  const stream_of stream{context};
  memory_of value{context, 1}, memory{context, 8};
  const yoke::graph<counting_port> graph{context};
  auto record = graph.record();
  yoke::fill(value, 1, record);
  record.repeat_while(value, [&](auto& line) {
    yoke::fill(memory, 4, line);
    yoke::fill(value, 0, line);
  });
  graph.instantiate().launch(stream);
  CHECK(yoke::to_host(memory, stream) == std::vector<int>(8, 4));
  settle(stream);
}

void use_images_in_graphs(const context_of& context) {
  const stream_of stream{context};
  yoke::image<float, 2, counting_port> first{context, {4, 2}}, second{context, {4, 2}};
  yoke::device_allocation<float, counting_port> memory{context, 8};
  yoke::pagelocked_array<float, counting_port> locked{context, 8};
  std::fill(locked.begin(), locked.end(), 6.0f);
  const yoke::graph<counting_port> graph{context};
  auto record = graph.record();
  yoke::enqueue_copy(locked, first, record);
  yoke::enqueue_copy(first, second, record);
  yoke::enqueue_copy(second, memory, record);
  yoke::fill(first, 2.0f, record);
  yoke::enqueue_copy(first, locked, record);
  graph.instantiate().launch(stream);
  CHECK(yoke::to_host(memory, stream) == std::vector<float>(8, 6.0f));
  CHECK(std::vector<float>(locked.begin(), locked.end()) == std::vector<float>(8, 2.0f));
  settle(stream);
}

/// What the driver refuses, and what is no handle's.
template <class Backend, class Interposer>
void be_refused(const context_of& context, Interposer& driver) {
  using calls = typename Backend::calls;
  using codes = typename Backend::codes;
  const counting_port& port = context.port();
  CHECK(port.error_code(codes::out_of_memory) == yoke::errc::out_of_memory);
  const device_of device = context.only_device();
  CHECK_FALSE(device.name().empty());
  port.retain_device(device.native_handle(), {});
  CHECK(device_of::adopt(port, device.native_handle()) == device);
  CHECK(context_of::adopt(port, context.retain_native()).only_device() == device);

  const stream_of stream{context};
  memory_of memory{context, 8};
  locked_of locked{context, 8};
  const auto add = yoke::compile(context, source).get_kernel<void(int*, int)>("add");
  driver.fail_function(calls::write, 1, fault_mode::once, codes::invalid_handle);
  CHECK_THROWS_AS(yoke::enqueue_copy(locked, memory, stream), yoke::error);
  add(stream, {.grid = 1, .block = 8}, memory, 1);
  driver.fail_function(calls::launch, 1, fault_mode::once, codes::no_resources);
  CHECK_THROWS_AS(add(stream, {.grid = 1, .block = 8}, memory, 1), yoke::error);
}

}  // namespace

YOKE_DEVICE_TEST_CASE("every operation of the port chosen at run time runs", "[driver]") {
  for (auto& each : counts) each = 0;
  interposer driver(Backend::driver());
  {
    const backend::device own = through(driver, device);
    const auto natives = own.port().devices({});
    const auto at = std::find(natives.begin(), natives.end(), own.native_handle()) - natives.begin();
    const counting_port port{yoke::any_port{own.port()}};
    const context_of context{device_of::borrow(port, port.devices({})[static_cast<std::size_t>(at)])};
    use_streams(context);
    use_memory(context);
    use_programs(context, context.only_device());
    use_images(context);
    use_graphs(context);
    use_images_in_graphs(context);
    use_conditions_in_graphs(context);
    const auto libraries = context.port().libraries_of_context(context.native_handle(), {}, {});
    CHECK((libraries != nullptr) == (std::string_view(context.port().backend_name()) == "cuda"));
    const backend::context second = Backend::another_context(own);
    counting_port::context_handle native{};
    const auto handle = second.native_handle();
    std::memcpy(&native.value, &handle, sizeof handle);
    use_two_contexts(context, context_of::borrow(port, native));
    be_refused<Backend>(context, driver);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    INFO(names[i]);
    CHECK(counts[i] > 0);
  }
  CHECK(driver.live().empty());
}

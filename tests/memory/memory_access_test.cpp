// SPDX-License-Identifier: MIT
// Memory of a user's own types as a side of copies, of fills, and as a kernel argument; and a place of a user's own.
#include <support/rig.hpp>
#include <support/soon.hpp>
#include <yoke/graph.hpp>

#include <memory>
#include <vector>

using namespace yoke_test;

namespace {

/// Memory that another library hands out: a native handle, shared with whoever else uses it.
template <class Port>
struct foreign_block {
  std::shared_ptr<yoke::device_allocation<float, Port>> owner;
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The same without a count of who uses it.
template <class Port>
struct foreign_view {
  typename Port::context_handle context{};
  typename Port::memory_handle handle{};
  std::size_t count = 0;
};

/// Memory that copies need not keep, and graphs do.
template <class Port>
struct kept_block {
  std::shared_ptr<yoke::device_allocation<float, Port>> owner;
};

/// Memory that is only read.
template <class Port>
struct foreign_table {
  yoke::device_span<const float, Port> elements;
};

/// A place of a user's own: device memory whose uses are counted.
struct place_uses {
  int copies = 0;
  int fills = 0;
};
place_uses uses;

template <class Port>
struct counted_place {
  using port = Port;
  using device = yoke::device_place<Port>;
  using done_type = typename device::done_type;
  template <class T>
  using location = typename device::template location<T>;
  static constexpr bool on_host = false;
  template <class Other>
  static constexpr bool copies_with = std::same_as<Other, counted_place> || std::same_as<Other, device>;
  static constexpr bool between_contexts = true;

  template <class T>
  static std::size_t first(const location<T>& at) noexcept {
    return device::first(at);
  }
  template <class T, class U>
  static bool share_base(const Port& with, const location<T>& from, const location<U>& to, std::uintptr_t& from_base,
                         std::uintptr_t& to_base) noexcept {
    return device::share_base(with, from, to, from_base, to_base);
  }
  template <class Source, class Destination>
  static void copy(const Port& with, typename Port::stream_handle stream, const Source& source,
                   const Destination& destination, yoke::copy_plan plan, done_type done,
                   const yoke::source_location& where) {
    ++uses.copies;
    device::copy(with, stream, source, destination, plan, done, where);
  }
  template <class T>
  static void fill(const Port& with, typename Port::stream_handle stream, const location<T>& at, std::size_t first,
                   std::size_t count, const T& value, const yoke::source_location& where) {
    ++uses.fills;
    device::fill(with, stream, at, first, count, value, where);
  }
};

template <class Port>
struct counted_memory {
  yoke::device_allocation<float, Port>* of = nullptr;
};

}  // namespace

template <class Port>
struct yoke::memory_access<foreign_block<Port>> {
  static yoke::memory_side<yoke::device_place<Port>, float> describe(const foreign_block<Port>& block) noexcept {
    if (!block.owner) return {};
    return {.at = {block.owner->native_handle(), block.first},
            .size = block.count,
            .context = block.owner->context_of().native_handle(),
            .keep_alive = yoke::keep_alive(block.owner)};
  }
};
template <class Port>
struct yoke::memory_access<foreign_view<Port>> {
  static yoke::device_span<float, Port> describe(const foreign_view<Port>& view) noexcept {
    return {view.context, view.handle, 0, view.count};
  }
};
template <class Port>
struct yoke::memory_access<kept_block<Port>> {
  static yoke::device_span<float, Port> describe(const kept_block<Port>& block) noexcept { return block.owner->span(); }
  static yoke::kept_alive kept(const kept_block<Port>& block) { return yoke::keep_alive(block.owner); }
};
template <class Port>
struct yoke::memory_access<foreign_table<Port>> {
  static auto describe(const foreign_table<Port>& table) noexcept { return table.elements; }
};
template <class Port>
struct yoke::memory_access<counted_memory<Port>> {
  static yoke::memory_side<counted_place<Port>, float> describe(const counted_memory<Port>& memory) noexcept {
    return {.at = {memory.of->native_handle(), 0},
            .size = memory.of->size(),
            .context = memory.of->context_of().native_handle()};
  }
};

YOKE_DEVICE_TEST_CASE("a user's own memory is a side of every copy and of fills", "[memory]") {
  rig on(device);
  const auto owner = std::make_shared<yoke::device_allocation<float, port>>(on.context, 12);
  const foreign_block<port> block{owner, 2, 8};
  const std::vector<float> values = counting<float>(8);

  yoke::fill(*owner, -1.0f, on.stream);
  yoke::copy(values, block, on.stream);
  CHECK(yoke::to_host(block, on.stream) == values);
  CHECK(download(*owner, on.stream) ==
        std::vector<float>{-1, -1, 1, 2, 3, 4, 5, 6, 7, 8, -1, -1});  // nothing beside it was written

  yoke::device_allocation<float, port> other{on.context, 8};
  yoke::copy(block, other, on.stream);
  CHECK(download(other, on.stream) == values);
  yoke::fill(block, 7.5f, on.stream);
  CHECK(download(*owner, on.stream) ==
        std::vector<float>{-1, -1, 7.5f, 7.5f, 7.5f, 7.5f, 7.5f, 7.5f, 7.5f, 7.5f, -1, -1});

  const foreign_view<port> view{on.context.native_handle(), owner->native_handle(), 12};
  yoke::enqueue_copy(other, block, on.stream);
  CHECK(yoke::to_host(view, on.stream) == std::vector<float>{-1, -1, 1, 2, 3, 4, 5, 6, 7, 8, -1, -1});
  // Two columns of four rows of three.
  CHECK(yoke::to_host(yoke::strided(view, {.width = 2, .height = 4, .row_pitch = 3}), on.stream) ==
        std::vector<float>{-1, -1, 2, 3, 5, 6, 8, -1});
}

YOKE_DEVICE_TEST_CASE("a copy in flight keeps a user's own memory alive", "[memory]") {
  rig on(device);
  yoke::pagelocked_array<float, port> host{on.context, 8};
  std::ranges::fill(host, 2.5f);
  auto owner = std::make_shared<yoke::device_allocation<float, port>>(on.context, 8);
  const std::weak_ptr<yoke::device_allocation<float, port>> watch = owner;
  foreign_block<port> block{std::move(owner), 0, 8};
  auto transfer = yoke::copy_async(host, block, on.stream);
  block = {};
  CHECK_FALSE(watch.expired());
  transfer.wait();
  CHECK(watch.expired());
}

YOKE_DEVICE_TEST_CASE("a graph keeps a user's own memory alive, by its side or by what is said to be kept",
                      "[memory][graph]") {
  rig on(device);
  auto owner = std::make_shared<yoke::device_allocation<float, port>>(on.context, 8);
  auto other = std::make_shared<yoke::device_allocation<float, port>>(on.context, 8);
  const std::weak_ptr<yoke::device_allocation<float, port>> watch = owner;
  const std::weak_ptr<yoke::device_allocation<float, port>> other_watch = other;
  std::vector<float> values(8);
  {
    yoke::graph<port> graph{on.context};
    foreign_block<port> block{std::move(owner), 0, 8};
    kept_block<port> kept{std::move(other)};
    {
      auto record = graph.record();
      yoke::fill(block, 1.5f, record);
      yoke::enqueue_copy(block, kept, record);
    }
    const auto executable = graph.instantiate();
    block = {};
    executable.launch(on.stream);
    yoke::copy(kept, values, on.stream);
    kept = {};
    CHECK_FALSE(watch.expired());
    CHECK_FALSE(other_watch.expired());
  }
  CHECK(values[7] == 1.5f);
  CHECK(soon([&] { return watch.expired() && other_watch.expired(); }));  // the end of an executable does not wait
}

YOKE_DEVICE_TEST_CASE("a user's own memory is refused like any other", "[memory]") {
  rig on(device);
  std::vector<float> values(8);
  const foreign_block<port> nothing{};
  CHECK(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
          yoke::copy(values, nothing, on.stream);
        }).find("the destination is empty") != std::string::npos);
  const auto owner = std::make_shared<yoke::device_allocation<float, port>>(on.context, 12);
  CHECK(refusal<yoke::logic_error>(yoke::errc::size_mismatch, [&] {
          yoke::copy(foreign_block<port>{owner, 0, 9}, values, on.stream);
        }).find("source has 9 elements, destination 8") != std::string::npos);
  CHECK(refusal<yoke::logic_error>(yoke::errc::invalid_argument, [&] {
          yoke::copy(foreign_block<port>{owner, 0, 8}, foreign_block<port>{owner, 4, 8}, on.stream);
        }).find("overlap") != std::string::npos);
}

YOKE_DEVICE_TEST_CASE("a user's own memory is a kernel argument", "[memory][program]") {
  rig on(device);
  auto module = yoke::compile(on.context, R"(
    YOKE_KERNEL add(YOKE_GLOBAL float* a, YOKE_GLOBAL const float* b, int n) {
      int i = (int)get_global_id(0);
      if (i < n) a[i] += b[i];
    })");
  auto add = yoke::get_kernel<void(float*, const float*, int)>(module, "add");
  const auto owner = std::make_shared<yoke::device_allocation<float, port>>(on.context, 4);
  yoke::device_allocation<float, port> addend{on.context, 4};
  yoke::copy(std::vector<float>{1, 2, 3, 4}, *owner, on.stream);
  yoke::fill(addend, 10.0f, on.stream);
  add(on.stream, yoke::launch_over(4, 4), foreign_block<port>{owner, 0, 4}, foreign_table<port>{addend.span()}, 4);
  CHECK(download(*owner, on.stream) == std::vector<float>{11, 12, 13, 14});
  CHECK(refusal<yoke::logic_error>(yoke::errc::empty_handle, [&] {
          add(on.stream, yoke::launch_over(4, 4), foreign_block<port>{}, addend, 4);
        }).find("argument 1 is empty") != std::string::npos);
}

YOKE_DEVICE_TEST_CASE("a place of a user's own does the copies and fills of its memory", "[memory]") {
  rig on(device);
  yoke::device_allocation<float, port> memory{on.context, 6};
  yoke::device_allocation<float, port> plain{on.context, 6};
  const counted_memory<port> counted{&memory};
  const std::vector<float> values = counting<float>(6);
  uses = {};
  yoke::copy(values, counted, on.stream);
  CHECK(uses.copies == 1);
  yoke::copy(plain, counted, on.stream);  // whichever side it stands on
  yoke::copy(counted, plain, on.stream);
  CHECK(uses.copies == 3);
  yoke::fill(counted, 3.0f, on.stream);
  CHECK(uses.fills == 1);
  CHECK(yoke::to_host(counted, on.stream) == std::vector<float>(6, 3.0f));
  CHECK(uses.copies == 4);
}

YOKE_DEVICE_TEST_CASE("a place of a user's own copies between contexts where the driver does", "[memory]") {
  rig on(device);
  const typename backend::context elsewhere(on.device);
  yoke::device_allocation<float, port> memory{on.context, 6}, other{elsewhere, 6}, plain{elsewhere, 6};
  const counted_memory<port> here{&memory}, there{&other};
  const std::vector<float> values = counting<float>(6);
  yoke::copy(values, here, on.stream);
  uses = {};
  if (!yoke::port_traits<port>::copies_between_contexts(on.context.port())) {
    CHECK(refusal<yoke::logic_error>(yoke::errc::wrong_context, [&] {
            yoke::copy(here, there, on.stream);
          }).find("the destination is of another context than the stream") != std::string::npos);
    return;
  }
  yoke::copy(here, there, on.stream);
  yoke::copy(here, plain, on.stream);
  CHECK(uses.copies == 2);
  const yoke::stream<port> beside(elsewhere);
  CHECK(download(other, beside) == values);
  CHECK(download(plain, beside) == values);
}

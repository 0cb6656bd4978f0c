// SPDX-License-Identifier: MIT
// The matrix of copies: kinds of memory, shapes, and the body of a cell, which checks data and gaps.
#ifndef YOKE_TESTS_MEMORY_COPY_MATRIX_HPP
#define YOKE_TESTS_MEMORY_COPY_MATRIX_HPP

#include <support/rig.hpp>

#include <set>
#include <utility>

namespace yoke_test::copies {

// Each kind of memory is filled and read without the library, so that a copy cannot vouch for itself.
// `side()` is what goes into the copy; `contents()` is all of it afterwards.

template <class Backend, class T>
struct pageable {
  static constexpr bool can_be_asynchronous = false;
  pageable(rig<Backend>&, const std::vector<T>& content) : data(content) {}
  std::vector<T>& side() { return data; }
  std::vector<T> contents(rig<Backend>&) { return data; }
  std::vector<T> data;
};

template <class Backend, class T>
struct pagelocked {
  static constexpr bool can_be_asynchronous = true;
  using memory = yoke::pagelocked_array<T, typename Backend::port>;
  pagelocked(rig<Backend>& on, const std::vector<T>& content) : data(on.context, content.size()) {
    std::copy(content.begin(), content.end(), data.begin());
  }
  memory& side() { return data; }
  std::vector<T> contents(rig<Backend>&) { return {data.begin(), data.end()}; }
  memory data;
};

template <class Backend, class T>
struct allocation {
  static constexpr bool can_be_asynchronous = true;
  using memory = yoke::device_allocation<T, typename Backend::port>;
  allocation(rig<Backend>& on, const std::vector<T>& content) : data(on.context, content.size()) {
    REQUIRE(Backend::write(on.stream, data.native_handle(), content.data(), content.size() * sizeof(T)));
  }
  memory& side() { return data; }
  std::vector<T> contents(rig<Backend>& on) {
    std::vector<T> content(data.size());
    REQUIRE(Backend::read(on.stream, data.native_handle(), content.data(), content.size() * sizeof(T)));
    return content;
  }
  memory data;
};

/// The middle of an allocation; what lies around it must stay as it was.
template <class Backend, class T>
struct span {
  static constexpr bool can_be_asynchronous = true;
  using view = yoke::device_span<T, typename Backend::port>;
  static constexpr std::size_t before = 3;
  static constexpr std::size_t after = 4;
  span(rig<Backend>& on, const std::vector<T>& content)
      : whole(on, surrounded(content)), part(whole.data.subspan(before, content.size())) {}
  static T guard() { return T{77}; }
  static std::vector<T> surrounded(const std::vector<T>& content) {
    std::vector<T> all(before + content.size() + after, guard());
    std::copy(content.begin(), content.end(), all.begin() + before);
    return all;
  }
  view& side() { return part; }
  std::vector<T> contents(rig<Backend>& on) {
    const std::vector<T> all = whole.contents(on);
    CHECK(std::count(all.begin(), all.begin() + before, guard()) == before);
    CHECK(std::count(all.end() - after, all.end(), guard()) == after);
    return {all.begin() + before, all.end() - after};
  }
  allocation<Backend, T> whole;
  view part;
};

/// What is copied: a box on either side; a plain side is a range without gaps.
struct shape {
  const char* name;
  bool from_strided;
  yoke::box_layout from;
  bool to_strided;
  yoke::box_layout to;
};

inline const std::vector<shape>& shapes() {
  static const std::vector<shape> all{
      {"1D, whole", false, {.width = 37}, false, {.width = 37}},
      {"1D, one element", false, {.width = 1}, false, {.width = 1}},
      {"1D, a part", true, {.width = 21, .offset = 5}, true, {.width = 21, .offset = 2}},
      {"1D, a part of nothing else", false, {.width = 21}, true, {.width = 21, .offset = 2}},
      {"2D, tight", true, {.width = 7, .height = 5}, true, {.width = 7, .height = 5, .offset = 3}},
      {"2D, pitches and offsets",
       true,
       {.width = 7, .height = 5, .row_pitch = 11, .offset = 13},
       true,
       {.width = 7, .height = 5, .row_pitch = 9, .offset = 4}},
      {"2D, rows over the pitch's edge",
       true,
       {.width = 7, .height = 5, .row_pitch = 9, .offset = 5},
       true,
       {.width = 7, .height = 5, .row_pitch = 8, .offset = 23}},
      {"2D, tight to pitched", true, {.width = 6, .height = 4}, true, {.width = 6, .height = 4, .row_pitch = 10}},
      {"2D, an odd slice pitch of one slice",
       true,
       {.width = 5, .height = 4, .row_pitch = 7, .slice_pitch = 31},
       true,
       {.width = 5, .height = 4, .row_pitch = 6, .slice_pitch = 100, .offset = 40}},
      {"2D, columns",
       true,
       {.width = 1, .height = 9, .row_pitch = 4, .offset = 3},
       true,
       {.width = 1, .height = 9, .row_pitch = 3, .offset = 1}},
      {"2D, plain to pitched", false, {.width = 24}, true, {.width = 6, .height = 4, .row_pitch = 10, .offset = 1}},
      {"2D, pitched to plain", true, {.width = 6, .height = 4, .row_pitch = 7, .offset = 2}, false, {.width = 24}},
      {"3D, one row in each slice",
       true,
       {.width = 5, .height = 1, .depth = 3, .row_pitch = 8, .slice_pitch = 8, .offset = 2},
       true,
       {.width = 5, .height = 1, .depth = 3}},
      {"3D, tight", true, {.width = 5, .height = 4, .depth = 3}, true, {.width = 5, .height = 4, .depth = 3}},
      {"3D, pitches of whole rows",
       true,
       {.width = 5, .height = 4, .depth = 3, .row_pitch = 9, .slice_pitch = 54, .offset = 30},
       true,
       {.width = 5, .height = 4, .depth = 3, .row_pitch = 8, .slice_pitch = 40, .offset = 90}},
      {"3D, odd slice pitches",
       true,
       {.width = 5, .height = 4, .depth = 3, .row_pitch = 7, .slice_pitch = 31, .offset = 10},
       true,
       {.width = 5, .height = 4, .depth = 3, .row_pitch = 6, .slice_pitch = 29, .offset = 7}},
      {"3D, slices closer than whole rows",
       true,
       {.width = 5, .height = 2, .depth = 3, .row_pitch = 8, .slice_pitch = 13},
       true,
       {.width = 5, .height = 2, .depth = 3, .row_pitch = 5, .slice_pitch = 10}},
      {"3D, an odd slice pitch to a tight box",
       true,
       {.width = 3, .height = 4, .depth = 2, .row_pitch = 4, .slice_pitch = 17},
       true,
       {.width = 3, .height = 4, .depth = 2}},
      {"3D, plain to odd slice pitch",
       false,
       {.width = 24},
       true,
       {.width = 3, .height = 4, .depth = 2, .row_pitch = 4, .slice_pitch = 17, .offset = 5}},
      {"3D, pitched to plain",
       true,
       {.width = 3, .height = 4, .depth = 2, .row_pitch = 5, .slice_pitch = 25},
       false,
       {.width = 24}},
  };
  return all;
}

inline yoke::box_layout tight(yoke::box_layout box) {
  if (box.row_pitch == 0) box.row_pitch = box.width;
  if (box.slice_pitch == 0) box.slice_pitch = box.row_pitch * box.height;
  return box;
}
inline std::size_t elements_of(const yoke::box_layout& box, bool strided) {
  const auto full = tight(box);
  const std::size_t tail = strided ? 6 : 0;
  return full.offset + (full.depth - 1) * full.slice_pitch + (full.height - 1) * full.row_pitch + full.width + tail;
}

/// Returns: what the destination must hold: the plain loop that a copy stands for.
template <class T>
std::vector<T> expected(const shape& cell, const std::vector<T>& from, std::vector<T> to) {
  const bool from_leads = cell.from_strided || !cell.to_strided;
  const auto box = tight(from_leads ? cell.from : cell.to);
  const auto dense = yoke::box_layout{box.width, box.height, box.depth, box.width, box.width * box.height, 0};
  const auto a = cell.from_strided ? tight(cell.from) : dense;
  const auto b = cell.to_strided ? tight(cell.to) : dense;
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y) {
      for (std::size_t x = 0; x < box.width; ++x) {
        to[b.offset + z * b.slice_pitch + y * b.row_pitch + x] =
            from[a.offset + z * a.slice_pitch + y * a.row_pitch + x];
      }
    }
  }
  return to;
}

/// The three ways to copy.
enum class way { blocking, asynchronous, enqueued };

template <way Way, class Backend, class From, class To>
void run_copy(rig<Backend>& on, const From& from, To&& to) {
  if constexpr (Way == way::asynchronous) {
    yoke::copy_async(from, to, on.stream).wait();
  } else if constexpr (Way == way::enqueued) {
    yoke::enqueue_copy(from, to, on.stream);
    on.stream.synchronize();
  } else {
    yoke::copy(from, to, on.stream);
  }
}

/// One cell and shape: the copy, all data, every gap byte, the source unchanged.
template <way Way, class From, class To, class Backend>
void run_shape(rig<Backend>& on, const shape& cell, int first) {
  INFO(cell.name << (Way == way::asynchronous ? ", asynchronous" : Way == way::enqueued ? ", enqueued" : ", blocking"));
  const std::vector<int> source = counting(elements_of(cell.from, cell.from_strided), first);
  const std::vector<int> before(elements_of(cell.to, cell.to_strided), 99);
  From from(on, source);
  To to(on, before);
  if (cell.from_strided && cell.to_strided) {
    run_copy<Way>(on, yoke::strided(from.side(), cell.from), yoke::strided(to.side(), cell.to));
  } else if (cell.from_strided) {
    run_copy<Way>(on, yoke::strided(from.side(), cell.from), to.side());
  } else if (cell.to_strided) {
    run_copy<Way>(on, from.side(), yoke::strided(to.side(), cell.to));
  } else {
    run_copy<Way>(on, from.side(), to.side());
  }
  CHECK(to.contents(on) == expected(cell, source, before));
  CHECK(from.contents(on) == source);
}

/// Every shape, blocking and (where it compiles) asynchronous and enqueued.
template <class From, class To, class Port>
void run_cell(const yoke::device<Port>& device) {
  rig on(device);
  for (const shape& each : shapes()) {
    run_shape<way::blocking, From, To>(on, each, 1);
    if constexpr (From::can_be_asynchronous && To::can_be_asynchronous) {
      run_shape<way::asynchronous, From, To>(on, each, 2);
      run_shape<way::enqueued, From, To>(on, each, 3);
    }
  }
  CHECK(on.live().empty());
  CHECK(on.driver.bad_releases().empty());
}

/// The cells that are written down, to compare with all there can be.
inline std::set<std::pair<std::string, std::string>>& written_cells() {
  static std::set<std::pair<std::string, std::string>> cells;
  return cells;
}
struct write_cell {
  write_cell(const char* from, const char* to) { written_cells().emplace(from, to); }
};

}  // namespace yoke_test::copies

// A cell of the matrix as a test case of its own.
#define YOKE_COPY_CELL(from, to)                                                                                       \
  static const ::yoke_test::copies::write_cell write_##from##_##to(#from, #to);                                        \
  YOKE_DEVICE_TEST_CASE("copies from " #from " to " #to, "[memory]") {                                                 \
    namespace kinds = ::yoke_test::copies;                                                                             \
    kinds::run_cell<kinds::from<Backend, int>, kinds::to<Backend, int>>(device);                                       \
  }

#endif

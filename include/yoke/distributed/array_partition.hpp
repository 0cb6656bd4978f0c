// SPDX-License-Identifier: MIT
// How an array is divided among ranks: blocks, halos and neighbours, without memory.
#ifndef YOKE_DISTRIBUTED_ARRAY_PARTITION_HPP
#define YOKE_DISTRIBUTED_ARRAY_PARTITION_HPP

#include <yoke/array/geometry/array_layout.hpp>
#include <yoke/distributed/index_box.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>

namespace yoke::inline v0_1 {

/// Divides an array among ranks along its first axis.
struct split_rows_t {};
inline constexpr split_rows_t split_rows{};
/// Divides an array among ranks along all axes, so that the blocks' surfaces are small.
struct split_blocks_t {};
inline constexpr split_blocks_t split_blocks{};

/// The width of a halo: one number for all axes, or one for each.
template <std::size_t Rank>
struct halo_width {
  template <integer Width>
  constexpr halo_width(Width of_all) noexcept {  // NOLINT: `.halo = 1`
    for (std::size_t axis = 0; axis < Rank; ++axis) widths[axis] = static_cast<std::size_t>(of_all);
  }
  template <integer... Width>
    requires(sizeof...(Width) == Rank && Rank > 1)
  constexpr halo_width(Width... of_each) noexcept : widths(of_each...) {}

  shape<Rank> widths{};
};
/// Whether axes are rings: one answer for all axes, or one for each.
template <std::size_t Rank>
struct ring_axes {
  constexpr ring_axes(bool all) noexcept {  // NOLINT: `.periodic = true`
    for (bool& each : rings) each = all;
  }
  template <std::same_as<bool>... Ring>
    requires(sizeof...(Ring) == Rank && Rank > 1)
  constexpr ring_axes(Ring... of_each) noexcept : rings{of_each...} {}

  std::array<bool, Rank> rings{};
};
/// Options of a partition.
template <std::size_t Rank>
struct partition_options {
  halo_width<Rank> halo = 0;         ///< how many elements of its neighbours a rank keeps beside its block
  ring_axes<Rank> periodic = false;  ///< whether the last block of an axis is a neighbour of the first
  bool corners = false;              ///< whether ranks whose blocks touch at edges and corners are neighbours, too
};

namespace detail {
[[noreturn, gnu::cold]] YOKE_API void throw_partition_ranks(int ranks, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_partition_blocks(const std::size_t* blocks, std::size_t rank,
                                                             const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_halo_width(const std::size_t* shape, const std::size_t* widths,
                                                       std::size_t rank, std::size_t axis,
                                                       const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_direction(int step, std::size_t axis, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_direction_number(int number, int directions, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_partition_rank(int rank, int ranks, const source_location& where);
[[noreturn, gnu::cold]] YOKE_API void throw_thin_block(const std::size_t* shape, std::size_t rank, std::size_t axis,
                                                       std::size_t parts, std::size_t least, std::size_t halo,
                                                       const source_location& where);
}  // namespace detail

/// An array that is divided among ranks: each has a block of it, and around the block a halo for its neighbours'
/// elements. Blocks of an axis differ by at most one element; the first ones are longer. A rank's own array has
/// `shape_with_halo(rank)`: the halo is on both sides of each axis, also where no neighbour is, so that all ranks treat
/// their elements alike; there it holds what the program puts there. None of these functions touches memory.
/// Throws: functions of a rank, `logic_error` for one that does not exist. Thread safety: a value.
/// Example: `yoke::array_partition<2> grid{{4096, 4096}, comm.size(), yoke::split_rows, {.halo = 1}};`
template <std::size_t Rank>
class array_partition {
  static_assert(Rank > 0, "an array of rank 0 has one element, which cannot be divided");

 public:
  /// A direction from a block to a neighbour: -1, 0 or 1 along each axis.
  using direction_type = std::array<int, Rank>;

  /// Throws: `logic_error` for less than one rank or block, for more ranks than an int counts, for an extent or a halo
  /// below 0, and for blocks that are thinner than the halo.
  constexpr array_partition(const yoke::shape<Rank>& extents, int ranks, split_rows_t,
                            const partition_options<Rank>& options = {},
                            const source_location& where = source_location::current())
      : array_partition(extents, rows_of(ranks, where), options, where) {}
  constexpr array_partition(const yoke::shape<Rank>& extents, int ranks, split_blocks_t,
                            const partition_options<Rank>& options = {},
                            const source_location& where = source_location::current())
      : array_partition(extents, blocks_of(extents, ranks, where), options, where) {}
  /// The number of blocks along each axis is given; their product is the number of ranks. Ranks are numbered in C order.
  constexpr array_partition(const yoke::shape<Rank>& extents, const yoke::shape<Rank>& blocks,
                            const partition_options<Rank>& options = {},
                            const source_location& where = source_location::current())
      : shape_(extents), blocks_(blocks), options_(options) {
    (void)array_layout<Rank>(extents, 1, array_order::c, where);  // checks the extents
    constexpr std::size_t most_ranks = (std::numeric_limits<int>::max)();
    std::size_t all = 1;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (blocks_[axis] < 1 || blocks_[axis] > most_ranks / all) {
        detail::throw_partition_blocks(blocks_.begin(), Rank, where);
      }
      all *= blocks_[axis];
    }
    constexpr std::size_t most = (std::numeric_limits<std::ptrdiff_t>::max)();  // a width below 0 is above it
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      const std::size_t width = halo()[axis];
      if (width > (most - shape_[axis]) / 2) {
        detail::throw_halo_width(shape_.begin(), halo().begin(), Rank, axis, where);
      }
      const std::size_t least = shape_[axis] / blocks_[axis];
      if ((blocks_[axis] > 1 || options_.periodic.rings[axis]) && least < width) {
        detail::throw_thin_block(shape_.begin(), Rank, axis, blocks_[axis], least, width, where);
      }
    }
  }

  [[nodiscard]] constexpr int ranks() const noexcept { return static_cast<int>(detail::volume(blocks_.begin(), Rank)); }
  /// The extents of the whole array.
  [[nodiscard]] constexpr const yoke::shape<Rank>& shape() const noexcept { return shape_; }
  /// The number of blocks along each axis.
  [[nodiscard]] constexpr const yoke::shape<Rank>& blocks() const noexcept { return blocks_; }
  [[nodiscard]] constexpr const yoke::shape<Rank>& halo() const noexcept { return options_.halo.widths; }
  [[nodiscard]] constexpr const partition_options<Rank>& options() const noexcept { return options_; }

  /// Returns: a rank's block within the whole array.
  [[nodiscard]] constexpr index_box<Rank> block(int rank,
                                                const source_location& where = source_location::current()) const {
    const yoke::shape<Rank> at = place_of(rank, where);
    index_box<Rank> made;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      made.first[axis] = begin_of(axis, at[axis]);
      made.extents[axis] = begin_of(axis, at[axis] + 1) - made.first[axis];
    }
    return made;
  }
  /// Returns: the rank whose block has an element. Throws: `logic_error` for an element outside of the array.
  [[nodiscard]] constexpr int owner(const yoke::shape<Rank>& index,
                                    const source_location& where = source_location::current()) const {
    std::size_t rank = 0;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (index[axis] >= shape_[axis]) {
        yoke::shape<Rank> one;
        for (std::size_t each = 0; each < Rank; ++each) one[each] = 1;
        detail::throw_box_outside(index.begin(), one.begin(), shape_.begin(), Rank, where);
      }
      const std::size_t least = shape_[axis] / blocks_[axis];
      const std::size_t longer = shape_[axis] % blocks_[axis];
      const std::size_t in_longer = longer * (least + 1);
      const std::size_t at =
          index[axis] < in_longer ? index[axis] / (least + 1) : longer + (index[axis] - in_longer) / least;
      rank = rank * blocks_[axis] + at;
    }
    return static_cast<int>(rank);
  }
  /// Returns: the extents of a rank's array: its block and the halo on both sides of each axis.
  [[nodiscard]] constexpr yoke::shape<Rank> shape_with_halo(
      int rank, const source_location& where = source_location::current()) const {
    yoke::shape<Rank> made = block(rank, where).extents;
    for (std::size_t axis = 0; axis < Rank; ++axis) made[axis] += 2 * halo()[axis];
    return made;
  }

  /// Returns: the rank in a direction from another one; none at the array's end.
  /// Throws: these and all functions of a direction, `logic_error` unless it has -1, 0 or 1 for each axis.
  [[nodiscard]] constexpr std::optional<int> neighbour(
      int rank, const direction_type& towards, const source_location& where = source_location::current()) const {
    check_direction(towards, where);
    const yoke::shape<Rank> at = place_of(rank, where);
    std::size_t found = 0;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      std::size_t next = at[axis];
      const bool is_last = towards[axis] > 0 ? next + 1 == blocks_[axis] : towards[axis] < 0 && next == 0;
      if (is_last && !options_.periodic.rings[axis]) return std::nullopt;
      if (towards[axis] > 0) next = is_last ? 0 : next + 1;
      if (towards[axis] < 0) next = is_last ? blocks_[axis] - 1 : next - 1;
      found = found * blocks_[axis] + next;
    }
    return static_cast<int>(found);
  }
  /// The same for one step along an axis: `neighbour(rank, 0, -1)` has the rows before.
  [[nodiscard]] constexpr std::optional<int> neighbour(
      int rank, int axis, int step, const source_location& where = source_location::current()) const {
    detail::check_box_axis("neighbour", axis, Rank, where);
    direction_type towards{};
    towards[static_cast<std::size_t>(axis)] = step;
    return neighbour(rank, towards, where);
  }

  // The boxes below are parts of a rank's own array.
  /// Returns: the rank's block, without the halo.
  [[nodiscard]] constexpr index_box<Rank> own(int rank,
                                              const source_location& where = source_location::current()) const {
    return {halo(), block(rank, where).extents};
  }
  /// Returns: the elements that are further than the halo's width from all neighbours, so that stencils of that width
  /// need no halo there.
  [[nodiscard]] constexpr index_box<Rank> inside(int rank,
                                                 const source_location& where = source_location::current()) const {
    std::array<index_box<Rank>, 2 * Rank> cut{};
    return cut_edges(rank, cut, where);
  }
  /// Returns: the other elements of the block, as boxes that share none; some boxes may be empty.
  [[nodiscard]] constexpr std::array<index_box<Rank>, 2 * Rank> edges(
      int rank, const source_location& where = source_location::current()) const {
    std::array<index_box<Rank>, 2 * Rank> cut{};
    (void)cut_edges(rank, cut, where);
    return cut;
  }
  /// Returns: the elements of the block that a neighbour needs, and the part of the halo that its elements fill.
  [[nodiscard]] constexpr index_box<Rank> sent(int rank, const direction_type& towards,
                                               const source_location& where = source_location::current()) const {
    check_direction(towards, where);
    index_box<Rank> made = own(rank, where);
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (towards[axis] == 0) continue;
      if (towards[axis] > 0) made.first[axis] += made.extents[axis] - halo()[axis];
      made.extents[axis] = halo()[axis];
    }
    return made;
  }
  [[nodiscard]] constexpr index_box<Rank> received(int rank, const direction_type& from,
                                                   const source_location& where = source_location::current()) const {
    check_direction(from, where);
    index_box<Rank> made = own(rank, where);
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (from[axis] == 0) continue;
      made.first[axis] = from[axis] > 0 ? made.first[axis] + made.extents[axis] : 0;
      made.extents[axis] = halo()[axis];
    }
    return made;
  }
  /// The number of directions, and the direction of a number, in an order that each rank has; number
  /// `directions - 1 - k` is the opposite of `k`. The one in the middle is no step.
  static constexpr int directions = [] {
    int made = 1;
    for (std::size_t axis = 0; axis < Rank; ++axis) made *= 3;
    return made;
  }();
  [[nodiscard]] static constexpr direction_type direction(int number,
                                                          const source_location& where = source_location::current()) {
    if (number < 0 || number >= directions) detail::throw_direction_number(number, directions, where);
    direction_type made{};
    for (std::size_t axis = Rank; axis-- > 0; number /= 3) made[axis] = number % 3 - 1;
    return made;
  }
  /// Whether ranks in that direction exchange elements: along one axis, or with `corners` along several, that have a halo.
  [[nodiscard]] constexpr bool is_exchanged(const direction_type& towards,
                                            const source_location& where = source_location::current()) const {
    check_direction(towards, where);
    std::size_t steps = 0;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (towards[axis] == 0) continue;
      if (halo()[axis] == 0) return false;
      ++steps;
    }
    return steps == 1 || (steps > 1 && options_.corners);
  }

 private:
  [[nodiscard]] static constexpr yoke::shape<Rank> rows_of(int ranks, const source_location& where) {
    if (ranks < 1) detail::throw_partition_ranks(ranks, where);
    yoke::shape<Rank> made;
    for (std::size_t axis = 0; axis < Rank; ++axis) made[axis] = axis == 0 ? static_cast<std::size_t>(ranks) : 1;
    return made;
  }
  /// Returns: blocks whose surfaces are small: each prime factor, from the greatest on, divides the longest blocks.
  [[nodiscard]] static constexpr yoke::shape<Rank> blocks_of(const yoke::shape<Rank>& extents, int ranks,
                                                             const source_location& where) {
    if (ranks < 1) detail::throw_partition_ranks(ranks, where);
    yoke::shape<Rank> made;
    for (std::size_t axis = 0; axis < Rank; ++axis) made[axis] = 1;
    std::array<std::size_t, 32> factors{};
    std::size_t count = 0;
    auto rest = static_cast<std::size_t>(ranks);
    for (std::size_t factor = 2; factor * factor <= rest; ++factor) {
      for (; rest % factor == 0; rest /= factor) factors[count++] = factor;
    }
    if (rest > 1) factors[count++] = rest;
    while (count-- > 0) {
      std::size_t longest = 0;
      for (std::size_t axis = 1; axis < Rank; ++axis) {
        if (extents[axis] / made[axis] > extents[longest] / made[longest]) longest = axis;
      }
      made[longest] *= factors[count];
    }
    return made;
  }
  static constexpr void check_direction(const direction_type& of, const source_location& where) {
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (of[axis] < -1 || of[axis] > 1) detail::throw_direction(of[axis], axis, where);
    }
  }
  [[nodiscard]] constexpr std::size_t begin_of(std::size_t axis, std::size_t block) const noexcept {
    const std::size_t longer = shape_[axis] % blocks_[axis];
    return block * (shape_[axis] / blocks_[axis]) + (block < longer ? block : longer);
  }
  [[nodiscard]] constexpr yoke::shape<Rank> place_of(int rank, const source_location& where) const {
    if (rank < 0 || rank >= ranks()) [[unlikely]]
      detail::throw_partition_rank(rank, ranks(), where);
    yoke::shape<Rank> made;
    auto rest = static_cast<std::size_t>(rank);
    for (std::size_t axis = Rank; axis-- > 0; rest /= blocks_[axis]) made[axis] = rest % blocks_[axis];
    return made;
  }
  /// Effects: cuts what is near to a neighbour off the block. Returns: what is left.
  constexpr index_box<Rank> cut_edges(int rank, std::array<index_box<Rank>, 2 * Rank>& cut,
                                      const source_location& where) const {
    index_box<Rank> left = own(rank, where);
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      for (std::size_t side = 0; side < 2; ++side) {
        const bool is_end = side == 1;
        index_box<Rank>& slab = cut[2 * axis + side];
        slab = left;
        std::size_t width = halo()[axis] < left.extents[axis] ? halo()[axis] : left.extents[axis];
        if (!neighbour(rank, static_cast<int>(axis), is_end ? 1 : -1, where)) width = 0;
        slab.extents[axis] = width;
        left.extents[axis] -= width;
        if (is_end) {
          slab.first[axis] = left.first[axis] + left.extents[axis];
        } else {
          left.first[axis] += width;
        }
      }
    }
    return left;
  }

  yoke::shape<Rank> shape_;
  yoke::shape<Rank> blocks_;
  partition_options<Rank> options_;
};

}  // namespace yoke::inline v0_1

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/distributed/array_partition.ipp>
#endif

#endif

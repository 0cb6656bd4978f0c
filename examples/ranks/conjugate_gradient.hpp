// SPDX-License-Identifier: MIT
// Conjugate gradients over ranks: one halo and one sum of two numbers in each step.
#ifndef YOKE_EXAMPLES_RANKS_CONJUGATE_GRADIENT_HPP
#define YOKE_EXAMPLES_RANKS_CONJUGATE_GRADIENT_HPP

#include <yoke/array.hpp>
#include <yoke/distributed.hpp>

#include <cmath>
#include <vector>

namespace ranks {

/// Returns: whether this rank's part of the solution is the one that made the right side.
/// Source: Chronopoulos and Gear, s-step iterative methods for symmetric linear systems (1989).
template <yoke::communicator Communicator>
bool conjugate_gradient(Communicator& comm, const yoke::stream<typename Communicator::port_type>& s) {
  constexpr std::size_t size = 32;
  using array = yoke::device_array<float, 2, typename Communicator::port_type>;
  const yoke::array_partition<2> grid{{size, size}, comm.size(), yoke::split_rows, {.halo = 1}};
  const auto own = grid.own(comm.rank());
  const auto zeros = [&] {
    array made(s, grid.shape_with_halo(comm.rank()));
    made.fill(0);
    return made;
  };
  // Four times each element, without its neighbours. The halo of `of` has to be there.
  const auto apply = [&](array& to, const array& of) {
    own(to) =
        4 * own(of) - own.shifted(0, -1)(of) - own.shifted(0, 1)(of) - own.shifted(1, -1)(of) - own.shifted(1, 1)(of);
  };

  // A right side whose solution is known: the element (i, j) is sin(i j).
  array wanted = zeros();
  array r = zeros();
  std::vector<float> elements;
  const auto block = grid.block(comm.rank());
  for (std::size_t i = 0; i < block.extents[0]; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      elements.push_back(std::sin(0.01F * static_cast<float>((block.first[0] + i) * j)));
    }
  }
  own(wanted) = yoke::to_device_array(elements, s).reshape(block.extents);
  yoke::halo_exchange{comm, grid, wanted}.run(s);
  apply(r, wanted);

  array x = zeros();
  array p = zeros();
  array w = zeros();
  array v = zeros();  // the image of p
  yoke::halo_exchange halo{comm, grid, r};
  auto sums = yoke::to_device_array(std::vector<float>(2), s);
  float alpha = 0;
  float before = 0;
  int rounds = 0;
  for (; rounds < 200; ++rounds) {
    halo.run(s);
    apply(w, r);
    sums(0) = yoke::pass::sum(own(r) * own(r));
    sums(1) = yoke::pass::sum(own(w) * own(r));
    comm.all_reduce(sums, yoke::summed, s);
    const auto both = sums.to_host();
    if (both[0] < 1e-9F) break;
    const float beta = rounds == 0 ? 0.0F : both[0] / before;
    alpha = both[0] / (both[1] - (rounds == 0 ? 0.0F : beta * both[0] / alpha));
    before = both[0];
    own(p) = own(r) + beta * own(p);
    own(v) = own(w) + beta * own(v);
    own(x) += alpha * own(p);
    own(r) -= alpha * own(v);
  }
  return rounds < 200 && yoke::max(abs(own(x) - own(wanted))).get() < 1e-3F;
}

}  // namespace ranks

#endif

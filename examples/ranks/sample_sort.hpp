// SPDX-License-Identifier: MIT
// Sorts keys that are divided among ranks: samples give the borders, and each rank gets the keys between two of them.
#ifndef YOKE_EXAMPLES_RANKS_SAMPLE_SORT_HPP
#define YOKE_EXAMPLES_RANKS_SAMPLE_SORT_HPP

#include <yoke/algorithm.hpp>
#include <yoke/array.hpp>
#include <yoke/distributed.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace ranks {

/// Returns: whether this rank's keys are sorted, begin where the rank's before end, and are as many in all as there were.
template <yoke::communicator Communicator>
bool sample_sort(Communicator& comm, const yoke::stream<typename Communicator::port_type>& s) {
  using port = typename Communicator::port_type;
  const auto ranks = static_cast<std::size_t>(comm.size());
  const auto me = static_cast<std::size_t>(comm.rank());
  constexpr std::size_t count = 1000;  // of each rank
  std::mt19937 engine(static_cast<unsigned>(me));
  std::vector<std::int32_t> given(count);
  for (auto& each : given) each = static_cast<std::int32_t>(engine() >> 8U) - (1 << 23);
  auto keys = yoke::to_device_array(given, s);
  yoke::sort(keys);

  // Each rank gives as many samples as there are ranks; every rank sorts all of them and takes the same borders.
  const auto samples = keys(yoke::slice(0, static_cast<std::ptrdiff_t>(ranks * (count / ranks)), count / ranks)).copy();
  yoke::device_array<std::int32_t, 1, port> all(s, {ranks * ranks});
  comm.all_gather(samples, all, s);
  yoke::sort(all);
  const auto sorted = all.to_host();
  std::vector<std::int32_t> borders;
  for (std::size_t k = 1; k < ranks; ++k) borders.push_back(sorted[k * ranks]);

  // How many keys go to each rank, and how many come from each.
  const auto local = keys.to_host();
  std::vector<std::int64_t> first(ranks + 1);
  for (std::size_t k = 1; k < ranks; ++k) {
    first[k] = std::lower_bound(local.begin(), local.end(), borders[k - 1]) - local.begin();
  }
  first[ranks] = static_cast<std::int64_t>(count);
  std::vector<std::int64_t> lengths(ranks);
  for (std::size_t k = 0; k < ranks; ++k) lengths[k] = first[k + 1] - first[k];
  const auto to = yoke::to_device_array(lengths, s);
  yoke::device_array<std::int64_t, 1, port> from(s, {ranks});
  comm.all_to_all(to, from, s);
  const auto coming = from.to_host();
  std::int64_t total = 0;
  for (const std::int64_t each : coming) total += each;

  // The keys themselves, whose numbers differ.
  yoke::device_array<std::int32_t, 1, port> received(s, {total});
  yoke::exchange<port> list{comm};
  std::int64_t place = 0;
  for (std::size_t k = 0; k < ranks; ++k) {
    list.send(keys(yoke::slice(first[k], first[k + 1])), static_cast<int>(k));
    list.receive(received(yoke::slice(place, place + coming[k])), static_cast<int>(k));
    place += coming[k];
  }
  comm.run(list, s);
  yoke::sort(received);
  const auto result = received.to_host();

  const std::int32_t low = me == 0 ? -(1 << 23) : borders[me - 1];
  const std::int32_t high = me + 1 == ranks ? 1 << 23 : borders[me];
  auto sum = yoke::to_device_array(std::vector<std::int64_t>{total}, s);
  comm.all_reduce(sum, yoke::summed, s);
  return std::is_sorted(result.begin(), result.end()) && sum.to_host()[0] == static_cast<std::int64_t>(ranks * count) &&
         std::all_of(result.begin(), result.end(), [&](std::int32_t each) { return each >= low && each < high; });
}

}  // namespace ranks

#endif

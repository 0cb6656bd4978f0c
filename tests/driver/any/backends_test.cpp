// SPDX-License-Identifier: MIT
// The list of backends: its names are the ports' own, and its order is the order in which devices are chosen.
#include <support/catch.hpp>

#include <yoke/driver/backends.hpp>
#include <yoke/execution/select.hpp>

#include <string>
#include <string_view>
#include <vector>

using yoke::detail::all_backends;

namespace {

struct foreign_port {};
static_assert(yoke::detail::backend_port<yoke::cuda::port> && yoke::detail::backend_port<yoke::opencl::port>);
static_assert(!yoke::detail::backend_port<foreign_port> && !yoke::detail::backend_port<yoke::any_port>);

}  // namespace

TEST_CASE("each backend is listed under its port's own name, once", "[backends]") {
  std::vector<std::string> names;
  all_backends::for_each([&](auto backend) {
    using port = typename decltype(backend)::port;
    names.emplace_back(backend.name);
    const typename port::table_type no_driver{};
    CHECK(std::string_view(port(&no_driver).backend_name()) == backend.name);
    CHECK(yoke::detail::backend_place(backend.name) == yoke::detail::place_of_port<port>());
    CHECK(std::string_view(all_backends::names[yoke::detail::place_of_port<port>()]) == backend.name);
  });
  CHECK(names == std::vector<std::string>{"cuda", "opencl"});
  CHECK(names.size() == all_backends::size);
  CHECK(yoke::detail::backend_place("attic") == all_backends::size);
}

TEST_CASE("devices of a backend rank before all devices of those behind it in the list", "[backends]") {
  yoke::device_summary slow;
  yoke::device_summary fast;
  fast.compute_units = 1000;
  const auto rank = [](const yoke::device_summary& facts, std::size_t place) {
    return yoke::detail::device_rank(facts, all_backends::names[place]);
  };
  for (std::size_t place = 1; place < all_backends::size; ++place) CHECK(rank(slow, place - 1) > rank(fast, place));
  CHECK(rank(fast, 0) > rank(slow, 0));
}

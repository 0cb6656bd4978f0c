// SPDX-License-Identifier: MIT
// Equality, order and hashes of CUDA's arrays, mipmapped arrays, textures and surfaces.
#include <cuda/cuda_rig.hpp>
#include <execution/handle_comparison.hpp>
#include <image/image_rig.hpp>

#include <utility>

using namespace yoke_test;
namespace cu = yoke::cuda;

namespace {

/// Effects: compares two handles of different objects; a handle of the same object is the one that was moved.
template <class Handle>
void check_apart(Handle first, const Handle& second) {
  const Handle none;
  CHECK(first == first);
  CHECK(first != second);
  CHECK((first < second) != (second < first));
  CHECK(std::hash<Handle>{}(first) != std::hash<Handle>{}(second));
  CHECK(none < first);
  const auto native = first.native_handle();
  const auto hash = std::hash<Handle>{}(first);
  const Handle moved = std::move(first);
  CHECK(moved.native_handle() == native);
  CHECK(std::hash<Handle>{}(moved) == hash);
  CHECK(moved != first);  // NOLINT: the moved-from handle is empty
  CHECK(none == first);   // NOLINT
}

}  // namespace

YOKE_CUDA_TEST_CASE("arrays and mipmaps are compared by the driver's arrays", "[image][cuda]") {
  rig on(device);
  const cu::array<float> first{on.context, {.width = 4, .height = 3}};
  const cu::array<float> second{on.context, {.width = 4, .height = 3}};
  check_comparison(first, cu::array<float>::borrow(on.context, first.native_handle()), second);
  cu::mipmapped_array<float> small{on.context, {.width = 8, .height = 8}, 3};
  const cu::mipmapped_array<float> large{on.context, {.width = 16, .height = 16}, 3};
  check_comparison(small.level(1), small.level(1), small.level(2));
  check_apart(std::move(small), large);
}

YOKE_CUDA_TEST_CASE("textures and surfaces are compared by the driver's objects", "[image][cuda]") {
  rig on(device);
  const cu::array<float> memory{on.context, {.width = 4, .height = 3, .surface = true}};
  check_apart(cu::texture{memory}, cu::texture{memory});
  check_apart(cu::surface{memory}, cu::surface{memory});
}

template <class Handle>
concept comparable = requires(const Handle& left, const Handle& right) { left == right; };
template <class Handle>
concept hashable = requires(const Handle& each) { std::hash<Handle>{}(each); };
static_assert(comparable<cu::array<float>> && hashable<cu::array<float>>);
static_assert(comparable<cu::driver_pool> && hashable<cu::physical_memory>);
/// The native handle of an access is the peer's context, which other accesses have, too.
static_assert(!comparable<cu::peer_access> && !hashable<cu::peer_access>);

// SPDX-License-Identifier: MIT
// Sparse matrices: how they are made and checked, and their products, against dense ones.
#include <array/array_rig.hpp>
#include <support/sample.hpp>
#include <yoke/cache.hpp>
#include <yoke/sparse.hpp>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

using namespace yoke_test;
using namespace yoke_test::arrays;

namespace {

struct sparse_rig : any_rig {
  explicit sparse_rig(const yoke::device<>& on) : any_rig(on) {
    static const yoke::program_cache in_memory{{}, {}};
    yoke::use_array_programs(context, in_memory);
  }
};
using Catch::Matchers::ContainsSubstring;

}  // namespace

YOKE_ANY_DEVICE_TEST_CASE("multiplies a sparse matrix of three arrays", "[sparse]") {
  sparse_rig state(device);
  const auto starts = yoke::to_device_array(std::vector<int>{0, 2, 2, 5}, state.stream);
  const auto columns = yoke::to_device_array(std::vector<int>{0, 2, 3, 1, 3}, state.stream);
  const auto values = yoke::to_device_array(std::vector<float>{1, 2, 3, 4, 5}, state.stream);
  const yoke::csr_matrix s{starts, columns, values, {3, 4}};
  CHECK(s.nnz() == 5);
  CHECK(s.shape() == yoke::shape<2>{3, 4});
  CHECK(s.to_dense().to_host() == std::vector<float>{1, 0, 2, 0, 0, 0, 0, 0, 0, 4, 0, 8});
  const auto x = yoke::to_device_array(std::vector<float>{1, 10, 100, 1000}, state.stream);
  CHECK(yoke::matmul(s, x).to_host() == std::vector<float>{201, 0, 8040});
  const auto y = yoke::to_device_array(std::vector<float>{1, 10, 100}, state.stream);
  CHECK(yoke::matmul(s.transpose(), y).to_host() == std::vector<float>{1, 400, 2, 800});
  CHECK(yoke::matmul(y, s).to_host() == std::vector<float>{1, 400, 2, 800});
}

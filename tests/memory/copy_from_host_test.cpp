// SPDX-License-Identifier: MIT
// The rows of the copy matrix whose source is host memory, and the check that the matrix is complete.
#include <memory/copy_matrix.hpp>

using namespace yoke_test;

YOKE_COPY_CELL(pageable, allocation)
YOKE_COPY_CELL(pageable, span)
YOKE_COPY_CELL(pagelocked, allocation)
YOKE_COPY_CELL(pagelocked, span)

#if !defined(YOKE_TEST_ALONE)  // the cells are in several files
TEST_CASE("the copy matrix has every cell but host to host, which does not compile", "[memory]") {
  using namespace copies;
  const std::string kinds[] = {"pageable", "pagelocked", "allocation", "span", "svm_coarse", "svm_fine"};
  const auto on_host = [](const std::string& kind) { return kind == "pageable" || kind == "pagelocked"; };
  std::size_t cells = 0;
  for (const std::string& from : kinds) {
    for (const std::string& to : kinds) {
      INFO(from << " to " << to);
      CHECK(written_cells().count({from, to}) == (on_host(from) && on_host(to) ? 0u : 1u));
      cells += written_cells().count({from, to});
    }
  }
  CHECK(cells == 32);
  CHECK(written_cells().size() == 32);
}
#endif

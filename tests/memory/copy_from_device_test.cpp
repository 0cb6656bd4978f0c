// SPDX-License-Identifier: MIT
// The rows of the copy matrix whose source is device memory.
#include <memory/copy_matrix.hpp>

using namespace yoke_test;

YOKE_COPY_CELL(allocation, pageable)
YOKE_COPY_CELL(allocation, pagelocked)
YOKE_COPY_CELL(allocation, allocation)
YOKE_COPY_CELL(allocation, span)
YOKE_COPY_CELL(span, pageable)
YOKE_COPY_CELL(span, pagelocked)
YOKE_COPY_CELL(span, allocation)
YOKE_COPY_CELL(span, span)

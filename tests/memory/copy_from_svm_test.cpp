// SPDX-License-Identifier: MIT
// The rows of the copy matrix whose source is shared virtual memory.
#include <memory/copy_matrix.hpp>

using namespace yoke_test;

YOKE_COPY_CELL(svm_coarse, pageable)
YOKE_COPY_CELL(svm_coarse, pagelocked)
YOKE_COPY_CELL(svm_coarse, allocation)
YOKE_COPY_CELL(svm_coarse, span)
YOKE_COPY_CELL(svm_coarse, svm_coarse)
YOKE_COPY_CELL(svm_coarse, svm_fine)
YOKE_COPY_CELL(svm_fine, pageable)
YOKE_COPY_CELL(svm_fine, pagelocked)
YOKE_COPY_CELL(svm_fine, allocation)
YOKE_COPY_CELL(svm_fine, span)
YOKE_COPY_CELL(svm_fine, svm_coarse)
YOKE_COPY_CELL(svm_fine, svm_fine)

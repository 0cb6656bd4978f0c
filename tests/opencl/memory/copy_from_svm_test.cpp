// SPDX-License-Identifier: MIT
// The rows of the copy matrix whose source is shared virtual memory.
#include <opencl/memory/svm_copies.hpp>

using namespace yoke_test;

YOKE_SVM_COPY_CELL(svm_coarse, pageable)
YOKE_SVM_COPY_CELL(svm_coarse, pagelocked)
YOKE_SVM_COPY_CELL(svm_coarse, allocation)
YOKE_SVM_COPY_CELL(svm_coarse, span)
YOKE_SVM_COPY_CELL(svm_coarse, svm_coarse)
YOKE_SVM_COPY_CELL(svm_coarse, svm_fine)
YOKE_SVM_COPY_CELL(svm_fine, pageable)
YOKE_SVM_COPY_CELL(svm_fine, pagelocked)
YOKE_SVM_COPY_CELL(svm_fine, allocation)
YOKE_SVM_COPY_CELL(svm_fine, span)
YOKE_SVM_COPY_CELL(svm_fine, svm_coarse)
YOKE_SVM_COPY_CELL(svm_fine, svm_fine)

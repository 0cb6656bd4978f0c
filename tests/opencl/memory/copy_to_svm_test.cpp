// SPDX-License-Identifier: MIT
// The columns of the copy matrix whose destination alone is shared virtual memory.
#include <opencl/memory/svm_copies.hpp>

using namespace yoke_test;

YOKE_SVM_COPY_CELL(pageable, svm_coarse)
YOKE_SVM_COPY_CELL(pageable, svm_fine)
YOKE_SVM_COPY_CELL(pagelocked, svm_coarse)
YOKE_SVM_COPY_CELL(pagelocked, svm_fine)
YOKE_SVM_COPY_CELL(allocation, svm_coarse)
YOKE_SVM_COPY_CELL(allocation, svm_fine)
YOKE_SVM_COPY_CELL(span, svm_coarse)
YOKE_SVM_COPY_CELL(span, svm_fine)

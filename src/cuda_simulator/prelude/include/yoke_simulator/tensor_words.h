// SPDX-License-Identifier: MIT
// The fields of a tensor map; the driver's entries and compiled kernels are compiled from this text.
#ifndef YOKE_SIMULATOR_TENSOR_WORDS_H
#define YOKE_SIMULATOR_TENSOR_WORDS_H

namespace yoke_simulator {

constexpr unsigned long long tensor_mark = 0x9e3779b97f4a7c15ULL;

/// The 128 bytes of a map. Axes count from the one without gaps.
struct tensor_words {
  unsigned long long mark;
  unsigned long long address;
  unsigned long long extents[5];
  unsigned long long strides[4];  // of all axes but the first, in bytes
  unsigned short box[5];
  unsigned char steps[5];
  unsigned char rank;
  unsigned char element;  // as the driver numbers them
  unsigned char element_bytes;
  unsigned char swizzle;
  unsigned char fills_nan;
  unsigned char unused[20];
};
static_assert(sizeof(tensor_words) == 128, "as large as the driver's");

}  // namespace yoke_simulator

#endif

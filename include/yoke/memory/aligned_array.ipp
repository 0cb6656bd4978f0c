// SPDX-License-Identifier: MIT
// Bodies of memory/aligned_array.hpp.
#ifndef YOKE_MEMORY_ALIGNED_ARRAY_IPP
#define YOKE_MEMORY_ALIGNED_ARRAY_IPP

#include <yoke/core/text.hpp>
#include <yoke/memory/aligned_array.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>

#if defined(_WIN32)
#include <malloc.h>
#endif

namespace yoke::inline v0_1::detail {

void* allocate_aligned(std::size_t bytes, std::size_t alignment_bytes, const source_location& where) {
  if (!std::has_single_bit(alignment_bytes)) {
    throw_error(errc::invalid_argument, where, "an alignment of ", alignment_bytes, " bytes is no power of two");
  }
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
#if defined(_WIN32)
  memory = ::_aligned_malloc(bytes, alignment_bytes);
  if (memory != nullptr) return memory;
#else
  if (::posix_memalign(&memory, (std::max)(alignment_bytes, sizeof(void*)), bytes) == 0) return memory;
#endif
  throw_error(errc::out_of_memory, where, "host allocation of ", bytes, " bytes, aligned to ", alignment_bytes,
              " bytes");
}
void free_aligned(void* memory) noexcept {
#if defined(_WIN32)
  ::_aligned_free(memory);
#else
  std::free(memory);
#endif
}

}  // namespace yoke::inline v0_1::detail

#endif

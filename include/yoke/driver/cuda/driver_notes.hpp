// SPDX-License-Identifier: MIT
// Notes about a CUDA driver's use, which its table of entry points knows.
#ifndef YOKE_DRIVER_CUDA_DRIVER_NOTES_HPP
#define YOKE_DRIVER_CUDA_DRIVER_NOTES_HPP

#include <yoke/core/atomic.hpp>
#include <yoke/core/config.hpp>

namespace yoke::inline YOKE_ABI::cuda::detail {

class context_list;
class extra_references;
class image_list;

/// A table of entry points knows its notes, and so does every handle that was made with it: what one shared object notes is
/// seen by all that use its handles, however they were loaded. Each part is made by the first that asks for it, and never
/// destroyed: handles may end while the program does.
struct driver_notes {
  yoke::detail::atomic<extra_references*> references{nullptr};
  yoke::detail::atomic<context_list*> contexts{nullptr};
  yoke::detail::atomic<image_list*> images{nullptr};
};

/// Those of the tables that are made here, in the program and the shared objects that it is linked with, also where their own
/// symbols are hidden; what `dlopen` opens has others, unless the program exports its symbols. A copy of a table has the notes
/// of what it was copied from.
#if defined(YOKE_HEADER_ONLY)
inline constinit YOKE_API_TYPE driver_notes notes_of_new_tables{};
#else
extern YOKE_API driver_notes notes_of_new_tables;
#endif

}  // namespace yoke::inline YOKE_ABI::cuda::detail

#endif

# SPDX-License-Identifier: MIT
# yoke_dev: the warnings of our own sources, tests and tools; no consumer ever sees it.
add_library(yoke_dev INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(
    yoke_dev INTERFACE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${YOKE_WARNINGS_AS_ERRORS}>:-Werror>)
  # GCC collects garbage from 128 MiB on, again and again. Most units need less than this, in KiB: an eighth less time.
  target_compile_options(yoke_dev INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
  # Where nobody measures what is linked, the fastest linker at hand links it: the tests take 1, 3 or 7 seconds.
  if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    include(CheckLinkerFlag)
    foreach(linker IN ITEMS lld gold)
      check_linker_flag(CXX -fuse-ld=${linker} YOKE_LINKS_BY_${linker})
      if(YOKE_LINKS_BY_${linker})
        add_link_options(-fuse-ld=${linker})
        break()
      endif()
    endforeach()
  endif()
endif()

# Programs stand together, where ./dev and the presets' users find them.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()

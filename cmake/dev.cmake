# SPDX-License-Identifier: MIT
# yoke_dev: the warnings of our own sources, tests and tools; no consumer ever sees it.
add_library(yoke_dev INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(
    yoke_dev INTERFACE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${YOKE_WARNINGS_AS_ERRORS}>:-Werror>)
endif()

# Programs stand together, where ./dev and the presets' users find them.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
endif()

# SPDX-License-Identifier: MIT
# Configures as a user does, which has to give the library alone, optimised; builds it, installs it to PREFIX and moves it to MOVED, so that nothing can know where it lies.
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}" ${OPTIONS} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" --target help OUTPUT_VARIABLE targets
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "yoke_[a-z_]+" targets "${targets}")
list(REMOVE_DUPLICATES targets)
list(FILTER targets EXCLUDE REGEX "^yoke_(core|headers)(_|$)")
if(targets)
  message(FATAL_ERROR "a plain configuration builds more than the library: ${targets}")
endif()
load_cache("${BINARY}" READ_WITH_PREFIX cached_ CMAKE_BUILD_TYPE)
if(NOT cached_CMAKE_BUILD_TYPE STREQUAL "Release")
  message(FATAL_ERROR "a plain configuration is \"${cached_CMAKE_BUILD_TYPE}\", not Release")
endif()
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${PREFIX}" "${MOVED}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BINARY}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${PREFIX}" "${MOVED}")

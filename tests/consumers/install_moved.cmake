# SPDX-License-Identifier: MIT
# Builds the library alone, installs it to PREFIX and moves it to MOVED, so that nothing can know where it lies.
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}" ${OPTIONS} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BINARY}" COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${PREFIX}" "${MOVED}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BINARY}" --prefix "${PREFIX}" COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${PREFIX}" "${MOVED}")

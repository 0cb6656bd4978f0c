# SPDX-License-Identifier: MIT
# Compiles the program with DEFINES and what pkg-config says of PACKAGE below PREFIX, and runs it.
file(GLOB_RECURSE pc "${PREFIX}/*/${PACKAGE}.pc")
cmake_path(GET pc PARENT_PATH directory)
set(ENV{PKG_CONFIG_PATH} "${directory}")
execute_process(COMMAND "${PKG_CONFIG}" --cflags --libs ${FLAG} ${PACKAGE} OUTPUT_VARIABLE flags
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
file(MAKE_DIRECTORY "${PLACE}")
execute_process(COMMAND "${COMPILER}" -std=c++20 ${DEFINES} "${PROGRAM}" ${flags} -o "${PLACE}/consumer" COMMAND_ERROR_IS_FATAL
                        ANY)
cmake_path(GET directory PARENT_PATH libraries)
set(ENV{LD_LIBRARY_PATH} "${libraries}")
execute_process(COMMAND "${PLACE}/consumer" COMMAND_ERROR_IS_FATAL ANY)

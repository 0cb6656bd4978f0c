# SPDX-License-Identifier: MIT
# Installs with a CMake that writes the Common Package Specification, removes the config files, and builds a consumer.
if(EXISTS "${PYPI}/cmake")
  execute_process(COMMAND "${PYPI}/cmake" --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
endif()
string(REGEX MATCH "[0-9.]+" version "${version}")
if(version VERSION_LESS 4.3)
  message("YOKE-SKIP: ${NAME} : no CMake 4.3 or newer was to be had from PyPI")
  return()
endif()
file(REMOVE_RECURSE "${PLACE}/prefix")
foreach(arguments IN ITEMS "-S;${SOURCE};-B;${PLACE}/build;${PLAINLY};-DCMAKE_INSTALL_LIBDIR=lib" "--build;${PLACE}/build"
                           "--install;${PLACE}/build;--prefix;${PLACE}/prefix")
  execute_process(COMMAND "${PYPI}/cmake" ${arguments} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(REMOVE_RECURSE "${PLACE}/prefix/lib/cmake" "${PLACE}/prefix/lib/pkgconfig")
execute_process(
  COMMAND "${PYPI}/cmake" -S "${CMAKE_CURRENT_LIST_DIR}/find_package" -B "${PLACE}/consumer" ${PLAINLY}
          "-DCMAKE_PREFIX_PATH=${PLACE}/prefix" -DCONSUMER_TARGET=yoke::yoke OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PYPI}/cmake" --build "${PLACE}/consumer" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PLACE}/consumer/consumer" COMMAND_ERROR_IS_FATAL ANY)

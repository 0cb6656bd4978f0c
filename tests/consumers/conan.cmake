# SPDX-License-Identifier: MIT
# Makes the Conan package of the tree with no remote to ask, and its test package, which is run.
if(NOT EXISTS "${PYPI}/conan")
  message("YOKE-SKIP: ${NAME} : no conan was to be had from PyPI")
  return()
endif()
# From a copy: Conan builds the test package where it lies.
file(REMOVE_RECURSE "${PLACE}")
foreach(part IN ITEMS CMakeLists.txt LICENSE conanfile.py cmake include packaging src)
  file(COPY "${SOURCE}/${part}" DESTINATION "${PLACE}/tree")
endforeach()
set(SOURCE "${PLACE}/tree")
set(ENV{CONAN_HOME} "${PLACE}/home")
set(ENV{CXX} "${COMPILER}")
execute_process(COMMAND "${PYPI}/conan" profile detect --force OUTPUT_QUIET ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PYPI}/conan" remote disable "*" OUTPUT_QUIET ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
function(refused message)
  execute_process(COMMAND "${PYPI}/conan" create ${ARGN} --test-folder= OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(result EQUAL 0 OR NOT output MATCHES "${message}")
    message(FATAL_ERROR "not refused with \"${message}\" for ${ARGN}:\n${output}")
  endif()
endfunction()
if(MODE STREQUAL "header_only")
  # It has no library that could be shared.
  set(options -o "&:header_only=True" -o "&:shared=True")
  refused("Invalid: the simulator is a library" "${SOURCE}" -s compiler.cppstd=20 ${options} -o "&:simulator=True")
  file(STRINGS "${SOURCE}/packaging/conan/config.yml" version REGEX "^  \"")
  string(REGEX MATCH "[0-9.]+" version "${version}")
  refused("conandata.yml has no archive of yoke ${version}" "${SOURCE}/packaging/conan/all" --version=${version} -s compiler.cppstd=20)
else()
  # What yoke does not build on is refused in words.
  refused("Invalid: Current cppstd .* is lower than the required C.. standard .20." "${SOURCE}")
  foreach(refused IN ITEMS "compiler.cppstd=17|lower than the required C.. standard .20." "os=Windows|yoke builds on Linux" "arch=armv8|yoke builds for x86_64"
                           "compiler.libcxx=libstdc++|set compiler.libcxx=libstdc..11"
                           "compiler.version=11|yoke needs [a-z]+ 1[24]")
    string(REPLACE "|" ";" refused "${refused}")
    list(POP_FRONT refused setting message)
    refused("Invalid: .*${message}" "${SOURCE}" -s compiler.cppstd=20 -s "${setting}")
  endforeach()
endif()
execute_process(
  COMMAND "${PYPI}/conan" create "${SOURCE}" -s compiler.cppstd=20 ${options} OUTPUT_VARIABLE output
  ERROR_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0 OR NOT output MATCHES "\nyoke [0-9.]+: (3|no driver)\n")
  message(FATAL_ERROR "${output}")
endif()

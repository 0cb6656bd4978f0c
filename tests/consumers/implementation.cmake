# SPDX-License-Identifier: MIT
# Copies include/ alone and builds a program of several files with the plain lines that the documentation gives: one file
# has the bodies, the others read none of them. Without such a file, and with two, the program does not link.
file(REMOVE_RECURSE "${PLACE}")
file(COPY "${INCLUDE}" "${FILES}/" DESTINATION "${PLACE}")

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${PLACE}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(refused message)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${PLACE}" RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(result EQUAL 0 OR NOT output MATCHES "${message}")
    message(FATAL_ERROR "${ARGN}\nis not refused with /${message}/ (result ${result}):\n${output}")
  endif()
endfunction()

foreach(file IN ITEMS program rest implementation)
  run("${COMPILER}" -std=c++20 -Iinclude -MD -c ${file}.cpp)
  file(READ "${PLACE}/${file}.d" read)
  string(FIND "${read}" ".ipp" bodies)
  if(file STREQUAL "implementation" AND bodies EQUAL -1)
    message(FATAL_ERROR "the implementation has no bodies")
  elseif(NOT file STREQUAL "implementation" AND NOT bodies EQUAL -1)
    message(FATAL_ERROR "${file}.cpp reads bodies, which cost time:\n${read}")
  endif()
endforeach()
set(link "${COMPILER}" program.o rest.o -o consumer -ldl -pthread)
refused("undefined reference" ${link})
file(COPY_FILE "${PLACE}/implementation.o" "${PLACE}/second.o")
refused("multiple definition|duplicate symbol" ${link} implementation.o second.o)
run(${link} implementation.o)
run("${PLACE}/consumer")

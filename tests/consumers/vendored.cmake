# SPDX-License-Identifier: MIT
# Copies include/ alone and compiles the program, whose one file has the bodies, with the plain line that the documentation gives.
# The mode that is gone says what to write.
file(REMOVE_RECURSE "${PLACE}")
file(COPY "${INCLUDE}" DESTINATION "${PLACE}")
execute_process(COMMAND "${COMPILER}" -std=c++20 -DYOKE_IMPLEMENTATION -Iinclude "${PROGRAM}" -o consumer -ldl -pthread
                WORKING_DIRECTORY "${PLACE}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PLACE}/consumer" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${COMPILER}" -std=c++20 -DYOKE_HEADER_ONLY -Iinclude -fsyntax-only "${PROGRAM}"
                WORKING_DIRECTORY "${PLACE}" RESULT_VARIABLE result ERROR_VARIABLE errors)
if(result EQUAL 0 OR NOT errors MATCHES "YOKE_HEADER_ONLY is gone: define YOKE_IMPLEMENTATION in one file")
  message(FATAL_ERROR "YOKE_HEADER_ONLY is not refused (result ${result}):\n${errors}")
endif()

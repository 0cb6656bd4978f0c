# SPDX-License-Identifier: MIT
# Copies include/ alone and compiles the program with the plain line that the documentation gives.
file(REMOVE_RECURSE "${PLACE}")
file(COPY "${INCLUDE}" DESTINATION "${PLACE}")
execute_process(COMMAND "${COMPILER}" -std=c++20 -DYOKE_HEADER_ONLY -Iinclude "${PROGRAM}" -o consumer -ldl -pthread
                WORKING_DIRECTORY "${PLACE}" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PLACE}/consumer" COMMAND_ERROR_IS_FATAL ANY)

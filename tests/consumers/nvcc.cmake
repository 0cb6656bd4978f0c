# SPDX-License-Identifier: MIT
# nvcc compiles the program as a .cu file and links it with the library below PREFIX.
if(NOT NVCC)
  message("YOKE-SKIP: ${NAME} : no nvcc is installed")
  return()
endif()
file(REMOVE_RECURSE "${PLACE}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/main.cpp" DESTINATION "${PLACE}")
file(RENAME "${PLACE}/main.cpp" "${PLACE}/main.cu")
file(GLOB_RECURSE library "${PREFIX}/*/libyoke.a")
execute_process(COMMAND "${NVCC}" -std=c++20 "-I${PREFIX}/include" "${PLACE}/main.cu" "${library}" -o "${PLACE}/consumer" -ldl
                        -lpthread COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PLACE}/consumer" COMMAND_ERROR_IS_FATAL ANY)

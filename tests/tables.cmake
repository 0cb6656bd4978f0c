# SPDX-License-Identifier: MIT
# The tables of kernels and of the dialect, and libraries that play drivers.

# yoke_programs_with(<file name> <variable>): the programs of the tests that have this file.
function(yoke_programs_with stem variable)
  set(programs ${yoke_tests_programs})
  list(FILTER programs INCLUDE REGEX "^yoke_tests$|\\.${stem}$")
  set(${variable} "${programs}" PARENT_SCOPE)
endfunction()

# The table of kernels that a GPU and the simulator have to agree on, and the program that records it.
file(GLOB_RECURSE yoke_kernel_table_sources CONFIGURE_DEPENDS kernels/*.cpp)
list(FILTER yoke_kernel_table_sources EXCLUDE REGEX "(_test|yoke_kernel_table)\\.cpp$")
add_library(yoke_kernel_table_parts OBJECT ${yoke_kernel_table_sources})
target_link_libraries(yoke_kernel_table_parts PUBLIC yoke::yoke PRIVATE yoke_dev)
target_include_directories(yoke_kernel_table_parts PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
add_executable(yoke_kernel_table kernels/yoke_kernel_table.cpp)
target_link_libraries(yoke_kernel_table PRIVATE yoke_kernel_table_parts yoke::yoke yoke_dev Threads::Threads
                                                ${CMAKE_DL_LIBS})
yoke_programs_with(kernel_table_test programs)
foreach(program IN LISTS programs)
  target_link_libraries(${program} PRIVATE yoke_kernel_table_parts)
endforeach()

# Every kernel compiles with the real NVRTC, where there is one; and every word that the simulator defines is in a kernel.
add_test(NAME kernels.nvrtc COMMAND yoke_kernel_table --compile-only)
set_tests_properties(kernels.nvrtc PROPERTIES LABELS "unit;kernels;toolkit" TIMEOUT 600 SKIP_RETURN_CODE 77)
add_test(NAME kernels.words
         COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/kernels/words.py" "--compiler=${CMAKE_CXX_COMPILER}"
                 "--prelude=${PROJECT_SOURCE_DIR}/src/cuda_simulator" -- $<TARGET_FILE:yoke_kernel_table> --sources)
set_tests_properties(kernels.words PROPERTIES LABELS "unit;kernels")

# The dialect's conformance table, which every device runs; NVRTC compiles it, and every word of a prelude is in it and
# in the documentation.
file(GLOB yoke_dialect_table_sources CONFIGURE_DEPENDS dialect/table.cpp dialect/families/*.cpp)
add_library(yoke_dialect_table_parts OBJECT ${yoke_dialect_table_sources})
target_link_libraries(yoke_dialect_table_parts PRIVATE yoke_dev)
target_compile_features(yoke_dialect_table_parts PUBLIC cxx_std_20)
target_include_directories(yoke_dialect_table_parts PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
add_executable(yoke_dialect_table dialect/yoke_dialect_table.cpp)
target_link_libraries(yoke_dialect_table PRIVATE yoke_dialect_table_parts yoke::yoke yoke_dev ${CMAKE_DL_LIBS})
yoke_programs_with(dialect_table_test programs)
foreach(program IN LISTS programs)
  target_link_libraries(${program} PRIVATE yoke_dialect_table_parts)
endforeach()
add_test(NAME dialect.nvrtc COMMAND yoke_dialect_table --compile-only)
set_tests_properties(dialect.nvrtc PROPERTIES LABELS "unit;dialect;check" TIMEOUT 600 SKIP_RETURN_CODE 77)
add_test(NAME dialect.fetches COMMAND yoke_dialect_table --fetches)
set_tests_properties(dialect.fetches PROPERTIES LABELS "unit;dialect;toolkit" TIMEOUT 120 SKIP_RETURN_CODE 77)
add_test(NAME dialect.words
         COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/dialect/words.py" "--compiler=${CMAKE_CXX_COMPILER}"
                 "--page=${PROJECT_SOURCE_DIR}/docs/dialect.md" --table=$<TARGET_FILE:yoke_dialect_table>)
add_test(NAME dialect.names
         COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/dialect/names.py"
                 --table=$<TARGET_FILE:yoke_dialect_table>)
set_tests_properties(dialect.words dialect.names PROPERTIES LABELS "unit;dialect")

# Libraries that play the CUDA driver and NVRTC for the tests of the loaders.
# yoke_fake_library(<target> <macro of its path> <definitions>...)
function(yoke_fake_library target path)
  add_library(${target} MODULE driver/cuda/fake_driver.cpp)
  target_link_libraries(${target} PRIVATE yoke::headers yoke_dev)
  target_compile_definitions(${target} PRIVATE ${ARGN})
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  foreach(test IN ITEMS cuda_loader_test cuda_library_files_test)
    yoke_programs_with(${test} programs)
    foreach(program IN LISTS programs)
      add_dependencies(${program} ${target})
    endforeach()
    set_property(
      SOURCE driver/cuda/${test}.cpp
      APPEND
      PROPERTY COMPILE_DEFINITIONS ${path}="$<TARGET_FILE:${target}>")
  endforeach()
endfunction()
yoke_fake_library(yoke_fake_cuda_driver YOKE_TEST_FAKE_CUDA_DRIVER YOKE_FAKE_DRIVER YOKE_FAKE_NVRTC)
yoke_fake_library(yoke_fake_cuda_old_driver YOKE_TEST_FAKE_CUDA_OLD_DRIVER YOKE_FAKE_DRIVER YOKE_FAKE_OLD)
yoke_fake_library(yoke_fake_nvrtc YOKE_TEST_FAKE_NVRTC YOKE_FAKE_NVRTC)
yoke_fake_library(yoke_fake_math YOKE_TEST_FAKE_MATH YOKE_FAKE_MATH)
yoke_fake_library(yoke_fake_broken_nvrtc YOKE_TEST_FAKE_BROKEN_NVRTC YOKE_FAKE_NVRTC YOKE_FAKE_OLD)

# SPDX-License-Identifier: MIT
# For ./dev try: programs of one test file each, built only when they are asked for.

# yoke_try_name(<variable> <file>): what the programs of a test file are called: its folder and its name.
function(yoke_try_name variable source)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE name)
  string(REGEX REPLACE "\\.cpp$" "" name "${name}")
  string(REPLACE "/" "." name "${name}")
  set(${variable} "${name}" PARENT_SCOPE)
endfunction()

# Precompiled once for all of them.
foreach(kind IN ITEMS bare full)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/try_${kind}.cpp" CONTENT "// What makes the precompiled header.\n")
  add_library(yoke_try_${kind} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/try_${kind}.cpp")
  target_link_libraries(yoke_try_${kind} PRIVATE yoke_test_support)
endforeach()
# Cases that look at other files of tests are left out.
target_compile_definitions(yoke_try_bare PRIVATE YOKE_TEST_ALONE)
target_compile_definitions(yoke_try_full PRIVATE YOKE_TEST_ALONE)
target_precompile_headers(yoke_try_bare PRIVATE support/catch.hpp)
target_precompile_headers(yoke_try_full PRIVATE support/catch.hpp support/rig.hpp)

# After an edited header the library's units would all be compiled again. One unit of all bodies, and one of what tests
# share, take a third of that, and nothing in such a program is older than the header.
add_library(yoke_fresh_bodies OBJECT EXCLUDE_FROM_ALL try_bodies.cpp)
target_link_libraries(yoke_fresh_bodies PRIVATE yoke::vendored)
set(yoke_fresh_libraries ${yoke_test_libraries})
list(REMOVE_ITEM yoke_fresh_libraries ${YOKE_TEST_TARGET})
list(PREPEND yoke_fresh_libraries yoke::vendored)
add_library(yoke_fresh_support OBJECT EXCLUDE_FROM_ALL ${yoke_test_support})
set_target_properties(yoke_fresh_support PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
set_source_files_properties(support/main.cpp support/drivers/opencl_interposer.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_compile_options(yoke_fresh_support PRIVATE -Wno-shadow)
target_link_libraries(yoke_fresh_support PUBLIC ${yoke_fresh_libraries})
target_include_directories(yoke_fresh_support PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
target_compile_definitions(yoke_fresh_support PUBLIC ${yoke_test_definitions})

# yoke_test_program(<target> <sources>...), as in the whole build, but for each file of tests a program `try.<name>` that
# links the library, and a program `fresh.<name>` that brings the bodies.
function(yoke_test_program target)
  set(helpers ${ARGN})
  list(FILTER helpers EXCLUDE REGEX "_test\\.cpp$")
  if(target STREQUAL "yoke_allocation_tests")
    list(FILTER helpers INCLUDE REGEX "/allocation/")
  endif()
  set(programs "")
  foreach(source IN LISTS ARGN)
    if(NOT source MATCHES "_test\\.cpp$")
      continue()
    endif()
    yoke_try_name(name "${source}")
    set(precompiled yoke_try_full)
    if(source MATCHES "${yoke_test_bare}")
      set(precompiled yoke_try_bare)
    endif()
    add_executable(try.${name} EXCLUDE_FROM_ALL "${source}" ${helpers})
    target_link_libraries(try.${name} PRIVATE yoke_test_support)
    target_compile_definitions(try.${name} PRIVATE YOKE_TEST_ALONE)
    target_precompile_headers(try.${name} REUSE_FROM ${precompiled})
    list(APPEND programs try.${name})
    if(source MATCHES "/(cuda_simulator|dialect|fuzz|kernels)/") # they use other parts, which link the library
      continue()
    endif()
    add_executable(fresh.${name} EXCLUDE_FROM_ALL "${source}" ${helpers})
    target_link_libraries(fresh.${name} PRIVATE yoke_fresh_support yoke_fresh_bodies)
    target_compile_definitions(fresh.${name} PRIVATE YOKE_TEST_ALONE)
    list(APPEND programs fresh.${name})
  endforeach()
  set(${target}_programs "${programs}" PARENT_SCOPE)
endfunction()

# SPDX-License-Identifier: MIT
# The checks of the house: headers, rejected programs, documentation, consumers, exported symbols.
set(include_dir "${PROJECT_SOURCE_DIR}/include")

# Every compiler at hand. Where Clang builds the tests, GCC is the first one here, so that every change meets both.
set(house_compiler "${CMAKE_CXX_COMPILER}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  find_program(YOKE_TEST_OTHER_COMPILER NAMES clang++ clang++-18 clang++-17 clang++-16 clang++-15 clang++-14)
else()
  find_program(YOKE_TEST_GCC NAMES g++)
  if(YOKE_TEST_GCC)
    set(house_compiler "${YOKE_TEST_GCC}")
    set(YOKE_TEST_OTHER_COMPILER "${CMAKE_CXX_COMPILER}")
  endif()
endif()
set(compilers "${house_compiler}")
if(YOKE_TEST_OTHER_COMPILER)
  list(APPEND compilers "${YOKE_TEST_OTHER_COMPILER}")
endif()
list(TRANSFORM compilers PREPEND --compiler= OUTPUT_VARIABLE compiler_options)

# yoke_house_test(<name> <label> <script> <arguments>...)
function(yoke_house_test name label script)
  add_test(NAME ${name} COMMAND Python3::Interpreter "${yoke_checks}/${script}" ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "house;${label}" TIMEOUT 600)
endfunction()

# --- headers ---------------------------------------------------------------------------------------------------------
foreach(check IN ITEMS graph umbrella)
  yoke_house_test(headers.${check} headers headers.py ${check} "${include_dir}")
endforeach()
yoke_house_test(headers.simulator headers headers.py simulator "${PROJECT_SOURCE_DIR}/src/cuda_simulator")
yoke_house_test(headers.bodies headers headers.py bodies "${include_dir}")
get_property(mpi_include GLOBAL PROPERTY yoke_mpi_includes)
if(mpi_include)
  list(GET mpi_include 0 mpi_include)
  set(mpi_include "--beside=${mpi_include}")
endif()
yoke_house_test(headers.macros headers headers.py macros "${include_dir}" ${compiler_options})
yoke_house_test(headers.alone headers headers.py alone "${include_dir}" ${compiler_options} ${mpi_include})
yoke_house_test(headers.alone_everywhere headers headers.py alone "${include_dir}" ${compiler_options} --everywhere ${mpi_include})
set_tests_properties(headers.alone_everywhere PROPERTIES TIMEOUT 3600)
yoke_house_test(headers.read headers compile_cost.py "${include_dir}" ${compiler_options} --read)
yoke_house_test(headers.compile_cost headers compile_cost.py "${include_dir}" ${compiler_options})
set_tests_properties(headers.read PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(headers.compile_cost PROPERTIES PROCESSORS 2 SKIP_RETURN_CODE 77)
yoke_house_test(headers.compile_cost_self_test headers compile_cost_self_test.py "--compiler=${house_compiler}")
set_tests_properties(headers.compile_cost_self_test PROPERTIES PROCESSORS 2 SKIP_RETURN_CODE 77)
yoke_house_test(headers.self_test headers headers_self_test.py "--compiler=${house_compiler}")
yoke_check_only(headers.alone_everywhere headers.compile_cost headers.compile_cost_self_test headers.self_test)
yoke_house_test(heads house heads.py "${PROJECT_SOURCE_DIR}")

# CUDA's compiler reads every public header too, where there is one; its warnings are errors.
find_program(YOKE_TEST_NVCC NAMES nvcc HINTS /usr/local/cuda/bin)
if(YOKE_TEST_NVCC)
  foreach(mode IN ITEMS compiled implementation)
    set(flag "")
    if(mode STREQUAL "implementation")
      set(flag -DYOKE_IMPLEMENTATION)
    endif()
    add_test(NAME headers.nvcc.${mode}
             COMMAND "${YOKE_TEST_NVCC}" -std=c++20 -Werror all-warnings ${flag} "-I${include_dir}" -c
                     "${CMAKE_CURRENT_LIST_DIR}/support/umbrella.cu" -o
                     "${CMAKE_CURRENT_BINARY_DIR}/umbrella_${mode}.o")
    set_tests_properties(headers.nvcc.${mode} PROPERTIES LABELS "house;headers;toolkit" TIMEOUT 900)
  endforeach()
  yoke_check_only(headers.nvcc.implementation)
endif()

# --- values that compilers misplace ---------------------------------------------------------------------------------
if(TARGET yoke_cuda_simulator)
  yoke_house_test(
    over_aligned house every_compiler.py "${CMAKE_CURRENT_LIST_DIR}/core/over_aligned.cpp" ${compiler_options}
    "--include=${include_dir}" "--link=$<TARGET_FILE:yoke_core>" --link=-ldl --link=-lpthread)
  set_tests_properties(over_aligned PROPERTIES ENVIRONMENT
                                               "YOKE_CUDA_DRIVER=$<TARGET_FILE:yoke_cuda_simulator>;${yoke_device_caches}")
endif()

# --- rejected programs: each compiles plainly, and with YOKE_BAD fails for the reason it states ----------------------
file(GLOB rejected CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/compile_fail/*.cpp")

# yoke_rejected_programs(<prefix> <compiler>): the compiler reads the headers that they include first once, not for each of them.
function(yoke_rejected_programs prefix compiler)
  set(precompiled "${CMAKE_CURRENT_BINARY_DIR}/${prefix}")
  yoke_house_test(${prefix}.precompile compile_fail compile_fail.py "--compiler=${compiler}" "--include=${include_dir}"
                  "--precompile=${precompiled}" ${rejected})
  set_tests_properties(${prefix}.precompile PROPERTIES FIXTURES_SETUP ${prefix})
  foreach(source IN LISTS rejected)
    cmake_path(GET source STEM stem)
    yoke_house_test(${prefix}.${stem} compile_fail compile_fail.py "--compiler=${compiler}" "--include=${include_dir}"
                    "--precompiled=${precompiled}" --sampled "${source}")
    set_tests_properties(${prefix}.${stem} PROPERTIES FIXTURES_REQUIRED ${prefix})
    if(prefix STREQUAL "compile_fail_otherwise")
      yoke_check_only(${prefix}.${stem})
    else()
      set_property(TEST ${prefix}.${stem} APPEND PROPERTY LABELS sampled)
    endif()
  endforeach()
  if(prefix STREQUAL "compile_fail_otherwise")
    yoke_check_only(${prefix}.precompile)
  endif()
endfunction()
# Clang needs three quarters of GCC's time for them.
yoke_rejected_programs(compile_fail "${CMAKE_CXX_COMPILER}")
if(NOT house_compiler STREQUAL CMAKE_CXX_COMPILER)
  yoke_rejected_programs(compile_fail_otherwise "${house_compiler}")
elseif(YOKE_TEST_OTHER_COMPILER)
  yoke_rejected_programs(compile_fail_otherwise "${YOKE_TEST_OTHER_COMPILER}")
endif()
foreach(self_test IN ITEMS #
        "accepts_a_proper_pair|^ok" "bad_twin_compiles|bad twin compiled" "good_twin_fails|good twin did not compile"
        "other_message|failed for another reason" "explains_too_late|failed for another reason" "states_nothing|states no expectation")
  string(REPLACE "|" ";" self_test "${self_test}")
  list(POP_FRONT self_test stem message)
  yoke_house_test(compile_fail.self_test.${stem} compile_fail compile_fail.py ${compiler_options}
                  "${CMAKE_CURRENT_LIST_DIR}/compile_fail/self_test/${stem}.cpp")
  set_tests_properties(compile_fail.self_test.${stem} PROPERTIES PASS_REGULAR_EXPRESSION "${message}")
endforeach()

# --- documentation ---------------------------------------------------------------------------------------------------
set(mpi_include "")
if(yoke_mpi_include)
  set(mpi_include "--include=${yoke_mpi_include}")
endif()
yoke_house_test(
  docs.code_blocks docs run_test.py --skips "${CMAKE_CURRENT_LIST_DIR}/skips.txt" -- "${Python3_EXECUTABLE}"
  "${yoke_checks}/code_blocks.py" "${PROJECT_SOURCE_DIR}" "--compiler=${CMAKE_CXX_COMPILER}" "--include=${include_dir}"
  ${mpi_include})
if("page_kernels_test" IN_LIST yoke_test_stems)
  add_test(NAME docs.kernels COMMAND Python3::Interpreter "${yoke_checks}/run_test.py" --skips
                                     "${CMAKE_CURRENT_LIST_DIR}/skips.txt" ${yoke_simulated_cuda} --
                                     $<TARGET_FILE:yoke_tests> "[page_kernels]")
  set_tests_properties(docs.kernels PROPERTIES LABELS "house;docs" TIMEOUT 1200 ENVIRONMENT "${yoke_device_caches}")
endif()
yoke_house_test(docs.links docs links.py "${PROJECT_SOURCE_DIR}")
yoke_house_test(docs.porting docs porting.py "${PROJECT_SOURCE_DIR}")
yoke_house_test(docs.porting.self_test docs porting_self_test.py)
# Another seed each time, which is printed; `mutants.py . OUT --seed N` runs the same again.
yoke_house_test(docs.porting.mutants docs mutants.py "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/mutants")
set_tests_properties(docs.porting.mutants PROPERTIES PROCESSORS 2 TIMEOUT 2400 ENVIRONMENT "CXX=${house_compiler};${yoke_device_caches}")
yoke_check_only(docs.porting.mutants)

# --- the tests' own build --------------------------------------------------------------------------------------------
# yoke_configure_test(<name> REFUSED|SAYS <regex>... OPTIONS <-D...>...)
function(yoke_configure_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "REFUSED" "SAYS;OPTIONS")
  set(options -G "${CMAKE_GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM}"
              "-DCMAKE_CXX_COMPILER=${house_compiler}" ${test_OPTIONS})
  add_test(NAME configure.${name}
           COMMAND "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DBINARY=${CMAKE_CURRENT_BINARY_DIR}/${name}"
                   "-DREFUSED=${test_REFUSED}" "-DSAYS=${test_SAYS}" "-DOPTIONS=${options}" -P
                   "${CMAKE_CURRENT_LIST_DIR}/consumers/run.cmake")
  set_tests_properties(configure.${name} PROPERTIES LABELS "house" TIMEOUT 300)
endfunction()
yoke_configure_test(
  no_test_file REFUSED "YOKE_TEST_FILES is .no_such_test.: no file of yoke_tests has a path that matches"
  OPTIONS -DYOKE_BUILD_TESTS=ON -DYOKE_TEST_HOUSE=OFF -DYOKE_TEST_FILES=no_such_test)
# Where a library that only examples and tools need is missing, those are left out.
find_path(yoke_found_stb NAMES stb/stb_image_write.h NO_CACHE)
yoke_configure_test(
  missing_libraries
  SAYS "Left out: the examples with pictures, because stb is missing\n"
       "Left out: the demo, because CLI11 or stb is missing\n"
       "Left out: yoke-info and yoke-cache, because CLI11 or nlohmann-json is missing\n"
  OPTIONS -DYOKE_BUILD_EXAMPLES=ON -DYOKE_BUILD_TOOLS=ON "-DCMAKE_IGNORE_PATH=${yoke_found_stb}"
          -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)

# The module's names, as any Clang tells them.
foreach(compiler IN LISTS compilers)
  if(compiler MATCHES "clang")
    yoke_house_test(module_names headers module_names.py "--clang=${compiler}" "--include=${include_dir}"
                    "--module=${PROJECT_SOURCE_DIR}/src/module/yoke.cppm")
  endif()
endforeach()

add_subdirectory(consumers)

# --- speed: instructions that launches, records and waits add to the raw calls; the size of a program with one launch ---
# Optimised whatever the tests are, with the bodies in its one file, so that the library need not be built twice, and by GCC, for which the
# budgets are.
find_program(YOKE_TEST_GCC NAMES g++)
if(TARGET yoke_cuda_simulator AND YOKE_TEST_GCC)
  set(counted_program "${CMAKE_CURRENT_BINARY_DIR}/counted_instructions")
  add_test(NAME instructions.build
           COMMAND "${YOKE_TEST_GCC}" -std=c++20 -O3 -DNDEBUG -DYOKE_IMPLEMENTATION "-I${include_dir}"
                   "${PROJECT_SOURCE_DIR}/benchmarks/instructions.cpp" -o "${counted_program}" -ldl -lpthread)
  set_tests_properties(instructions.build PROPERTIES LABELS "house;speed" TIMEOUT 900 FIXTURES_SETUP instructions)
  set(counted "${PROJECT_SOURCE_DIR}/benchmarks/instructions.sh" "${counted_program}" --cuda-driver
              $<TARGET_FILE:yoke_cuda_simulator> --budgets)
  add_test(NAME instructions.within_budget COMMAND ${counted} "${PROJECT_SOURCE_DIR}/benchmarks/instruction_budgets.txt")
  # The check itself: an operation may not add what no budget allows.
  add_test(NAME instructions.self_test COMMAND ${counted} "${CMAKE_CURRENT_LIST_DIR}/support/no_instructions.txt"
                                               --backend cuda)
  set_tests_properties(instructions.self_test PROPERTIES PASS_REGULAR_EXPRESSION
                                                         "cuda yoke launch/8 adds [0-9]+ instructions to the raw calls")
  set_tests_properties(
    instructions.within_budget instructions.self_test
    PROPERTIES LABELS "house;speed" TIMEOUT 900 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED instructions
               ENVIRONMENT "POCL_CACHE_DIR=${yoke_pocl_cache}")
  yoke_check_only(instructions.build instructions.within_budget instructions.self_test)
endif()
# The library is measured where it is what users install: static, and optimised.
get_target_property(library_type yoke_core TYPE)
set(sized_library "")
if(library_type STREQUAL "STATIC_LIBRARY" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(sized_library "--library=$<TARGET_FILE:yoke_core>")
endif()
yoke_house_test(program_size speed program_size.py "${PROJECT_SOURCE_DIR}" "--compiler=${house_compiler}"
                ${sized_library})
set_tests_properties(program_size PROPERTIES SKIP_RETURN_CODE 77)
yoke_check_only(program_size)

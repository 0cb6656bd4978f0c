# SPDX-License-Identifier: MIT
# Generated functions of arrays, compared with their NumPy twins.
set(yoke_fuzz "${CMAKE_CURRENT_SOURCE_DIR}/array_fuzz")
set(yoke_fuzz_made "${CMAKE_CURRENT_BINARY_DIR}/array_fuzz")
set(yoke_fuzz_run Python3::Interpreter "${yoke_checks}/run_test.py" --skips "${CMAKE_CURRENT_SOURCE_DIR}/skips.txt" --skip-code 77
                  ${yoke_simulated_cuda} -- $<TARGET_FILE:Python3::Interpreter> "${yoke_fuzz}/run.py")

# 40 functions, which are compiled with the tests. With this seed they find each mistake that --self-test plants.
set(yoke_fuzz_units "${yoke_fuzz_made}/unit_0.cpp" "${yoke_fuzz_made}/unit_1.cpp")
add_custom_command(
  OUTPUT ${yoke_fuzz_units} "${yoke_fuzz_made}/twins.py"
  COMMAND Python3::Interpreter "${yoke_fuzz}/generate.py" --seed 39 --count 40 --unit 20 --output "${yoke_fuzz_made}"
  DEPENDS "${yoke_fuzz}/generate.py"
  COMMENT "Writing functions of arrays"
  VERBATIM)
add_executable(yoke_array_fuzz array_fuzz/program.cpp ${yoke_fuzz_units})
target_link_libraries(yoke_array_fuzz PRIVATE yoke::yoke Threads::Threads ${CMAKE_DL_LIBS})
target_include_directories(yoke_array_fuzz PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
add_test(NAME array.fuzz COMMAND ${yoke_fuzz_run} --program $<TARGET_FILE:yoke_array_fuzz> --twins "${yoke_fuzz_made}" --runs 300
                                 --in-turns --self-test)
set_tests_properties(array.fuzz PROPERTIES LABELS "unit;array" TIMEOUT 1200 SKIP_RETURN_CODE 77 ENVIRONMENT "${yoke_device_caches}")

# 400 others, which an entry compiles.
separate_arguments(yoke_fuzz_flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
add_test(NAME array.fuzz_thorough_build
         COMMAND Python3::Interpreter "${yoke_fuzz}/build.py" --seed 2 --count 400 --output "${yoke_fuzz_made}/thorough" --library
                 $<TARGET_FILE:yoke_core> --compiler "${CMAKE_CXX_COMPILER}" -- ${yoke_fuzz_flags})
add_test(NAME array.fuzz_thorough COMMAND ${yoke_fuzz_run} --program "${yoke_fuzz_made}/thorough/yoke_array_fuzz" --twins
                                          "${yoke_fuzz_made}/thorough" --runs 10000 --in-turns --keep-going 20)
set_tests_properties(array.fuzz_thorough_build PROPERTIES FIXTURES_SETUP array_fuzz LABELS "unit;array" TIMEOUT 3600 COST 1000)
set_tests_properties(
  array.fuzz_thorough PROPERTIES FIXTURES_REQUIRED array_fuzz LABELS "unit;array" TIMEOUT 7200 SKIP_RETURN_CODE 77 COST 1000
                                 ENVIRONMENT "${yoke_device_caches}")
yoke_check_only(array.fuzz_thorough_build array.fuzz_thorough)

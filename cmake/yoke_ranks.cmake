# SPDX-License-Identifier: MIT
# Tests of programs over several ranks: how they are started, how long they may take, and what a crowded machine needs.

# yoke_ranks_launcher(<command> <environment> <ranks> [<launcher>]): appends what starts so many ranks on this machine to the
# variable <command>, and what their library needs to the variable <environment>. Without a launcher it is that of
# find_package(MPI): Open MPI's mpiexec, that of MPICH and what is made of it, or srun.
function(yoke_ranks_launcher launcher_command launcher_environment launcher_ranks)
  # The names are this function's own: those of the caller's variables come from outside.
  set(launcher_program "${ARGV3}")
  if(NOT launcher_program)
    set(launcher_program "${MPIEXEC_EXECUTABLE}")
  endif()
  if(NOT launcher_program)
    message(FATAL_ERROR "no launcher of MPI is known: call find_package(MPI) first, or give LAUNCHER")
  endif()
  execute_process(
    COMMAND "${launcher_program}" --version
    OUTPUT_VARIABLE launcher_words
    ERROR_VARIABLE launcher_words
    RESULT_VARIABLE launcher_result)
  set(launcher_flags -n ${launcher_ranks})
  set(launcher_variables "")
  if(launcher_words MATCHES "Open MPI|OpenRTE|PRRTE|prte")
    list(APPEND launcher_flags --oversubscribe) # more ranks than cores
    # In containers: as root, and without the right to read the memory of other processes, in Open MPI 4 and 5.
    set(launcher_variables OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
                           OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_smsc=^cma)
  elseif(launcher_words MATCHES "^slurm")
    list(APPEND launcher_flags --overcommit)
  endif()
  set(${launcher_command} ${${launcher_command}} "${launcher_program}" ${launcher_flags} PARENT_SCOPE)
  set(${launcher_environment} ${${launcher_environment}} ${launcher_variables} PARENT_SCOPE)
endfunction()

# yoke_add_ranks_test(<name> TARGET <target> RANKS <n>... [LOCAL | PROCESSES | MPI] [ARGS <argument>...] [TIMEOUT <seconds>]
#                     [LABELS <label>...] [ENVIRONMENT <variable>=<value>...] [SKIP_RETURN_CODE <code>]
#                     [LAUNCHER <program>] [BEFORE <command>...])
#
# Adds a test <name>, or for several numbers of ranks <name>_<n> each. The program finds the number in YOKE_RANKS.
#   LOCAL      the ranks are threads of the program, which makes its `yoke::local_team` itself; the default
#   PROCESSES  the program starts its ranks itself, by `yoke::run_ranks`
#   MPI        a launcher starts the ranks: LAUNCHER, or that of find_package(MPI)
# BEFORE is a command that runs the rest.
# Ranks that are processes share few cores on a machine of tests: PoCL then starts one thread in each.
function(yoke_add_ranks_test name)
  cmake_parse_arguments(PARSE_ARGV 1 given "LOCAL;PROCESSES;MPI" "TARGET;TIMEOUT;SKIP_RETURN_CODE;LAUNCHER"
                        "RANKS;ARGS;LABELS;ENVIRONMENT;BEFORE")
  if(given_UNPARSED_ARGUMENTS OR NOT given_TARGET OR NOT given_RANKS)
    message(FATAL_ERROR "yoke_add_ranks_test(${name}): takes TARGET and RANKS, and not: ${given_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT given_TIMEOUT)
    set(given_TIMEOUT 120)
  endif()
  foreach(ranks IN LISTS given_RANKS)
    set(test "${name}")
    list(LENGTH given_RANKS several)
    if(several GREATER 1)
      set(test "${name}_${ranks}")
    endif()
    set(environment "YOKE_RANKS=${ranks}" ${given_ENVIRONMENT})
    set(launcher "")
    if(given_MPI)
      yoke_ranks_launcher(launcher environment "${ranks}" "${given_LAUNCHER}")
    endif()
    if(given_MPI OR given_PROCESSES)
      list(APPEND environment "POCL_MAX_PTHREAD_COUNT=1")
    endif()
    add_test(NAME "${test}" COMMAND ${given_BEFORE} ${launcher} $<TARGET_FILE:${given_TARGET}> ${given_ARGS})
    set_tests_properties("${test}" PROPERTIES TIMEOUT ${given_TIMEOUT} ENVIRONMENT "${environment}" LABELS "${given_LABELS}")
    if(DEFINED given_SKIP_RETURN_CODE)
      set_tests_properties("${test}" PROPERTIES SKIP_RETURN_CODE ${given_SKIP_RETURN_CODE})
    endif()
  endforeach()
endfunction()

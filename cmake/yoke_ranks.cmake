# SPDX-License-Identifier: MIT
# Tests of programs over several ranks: how they are started, how long they may take, and what a crowded machine needs.

# yoke_add_ranks_test(<name> TARGET <target> RANKS <n>... [LOCAL | PROCESSES | MPI] [ARGS <argument>...] [TIMEOUT <seconds>]
#                     [LABELS <label>...] [ENVIRONMENT <variable>=<value>...] [SKIP_RETURN_CODE <code>])
#
# Adds a test <name>, or for several numbers of ranks <name>_<n> each. The program finds the number in YOKE_RANKS.
#   LOCAL      the ranks are threads of the program, which makes its `yoke::local_team` itself; the default
#   PROCESSES  the program starts its ranks itself, by `yoke::run_ranks`
#   MPI        a launcher starts the ranks
# Ranks that are processes share few cores on a machine of tests: PoCL then starts one thread in each.
function(yoke_add_ranks_test name)
  cmake_parse_arguments(PARSE_ARGV 1 given "LOCAL;PROCESSES;MPI" "TARGET;TIMEOUT;SKIP_RETURN_CODE" "RANKS;ARGS;LABELS;ENVIRONMENT")
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
      if(NOT COMMAND yoke_ranks_launcher)
        message(FATAL_ERROR "yoke_add_ranks_test(${name}): no launcher of MPI is known")
      endif()
      cmake_language(CALL yoke_ranks_launcher launcher environment "${ranks}")
    endif()
    if(given_MPI OR given_PROCESSES)
      list(APPEND environment "POCL_MAX_PTHREAD_COUNT=1")
    endif()
    add_test(NAME "${test}" COMMAND ${launcher} $<TARGET_FILE:${given_TARGET}> ${given_ARGS})
    set_tests_properties("${test}" PROPERTIES TIMEOUT ${given_TIMEOUT} ENVIRONMENT "${environment}" LABELS "${given_LABELS}")
    if(DEFINED given_SKIP_RETURN_CODE)
      set_tests_properties("${test}" PROPERTIES SKIP_RETURN_CODE ${given_SKIP_RETURN_CODE})
    endif()
  endforeach()
endfunction()

# SPDX-License-Identifier: MIT
# What a shared object with hidden bodies shows: its own functions, the types of exceptions, and what all copies in a process share.
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND "${NM}" -D --defined-only -C "${OBJECT}" OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
  foreach(name IN ITEMS ${OWN} "yoke::v0_1::opencl::detail::forked" "yoke::v0_1::opencl::detail::notes_of_new_tables")
    if(NOT shown MATCHES " ${name}[\n(]")
      message(FATAL_ERROR "${OBJECT} does not show ${name}:\n${shown}")
    endif()
  endforeach()
  # By their mangled names: GCC shows what the C++ library has for types of yoke, and constants that are variable templates.
  execute_process(COMMAND "${NM}" -D --defined-only "${OBJECT}" OUTPUT_VARIABLE mangled COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]* _ZNK?4yoke[^\n]*" ours "${mangled}")
  list(FILTER ours EXCLUDE REGEX "6detail(6forked|19notes_of_new_tables)E|4v0_1[0-9]+[a-z_]*error|6detail(8least_of|11greatest_of|18bytes_of_arguments)I")
  if(ours)
    list(JOIN ours "\n" ours)
    message(FATAL_ERROR "${OBJECT} shows bodies:\n${ours}")
  endif()
  return()
endif()

# shows_alone(<target> <function>...): once it is built, the target is read.
function(shows_alone target)
  add_custom_command(
    TARGET ${target}
    POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DNM=${CMAKE_NM}" "-DOBJECT=$<TARGET_FILE:${target}>" "-DOWN=${ARGN}" -P
            "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    VERBATIM)
endfunction()

# SPDX-License-Identifier: MIT
# What a shared object with hidden bodies shows: its own functions, the types of exceptions, and what all copies in a process share.
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND "${NM}" -D --defined-only -C "${OBJECT}" OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
  foreach(name IN ITEMS ${OWN} "yoke::v0_1::opencl::detail::forked" "yoke::v0_1::opencl::detail::notes_of_new_tables")
    if(NOT shown MATCHES " ${name}[\n(]")
      message(FATAL_ERROR "${OBJECT} does not show ${name}:\n${shown}")
    endif()
  endforeach()
  string(REGEX MATCHALL "[^\n]*yoke::[^\n]*" ours "${shown}")
  list(FILTER ours EXCLUDE REGEX "(vtable|typeinfo|typeinfo name) for |::detail::(forked|notes_of_new_tables)$|::[a-z_]*error::")
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

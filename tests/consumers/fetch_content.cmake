# SPDX-License-Identifier: MIT
# Takes the sources from a local clone of what the tree holds now, by FetchContent.
find_program(git git REQUIRED)
file(REMOVE_RECURSE "${PLACE}")
file(MAKE_DIRECTORY "${PLACE}/origin")
foreach(part IN ITEMS CMakeLists.txt LICENSE cmake include src)
  file(COPY "${SOURCE}/${part}" DESTINATION "${PLACE}/origin")
endforeach()
set(author -c user.name=yoke -c user.email=yoke@localhost -c commit.gpgsign=false)
foreach(arguments IN ITEMS "init;-q" "add;-A" "${author};commit;-q;-m;The tree as it is")
  execute_process(COMMAND "${git}" ${arguments} WORKING_DIRECTORY "${PLACE}/origin" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND "${git}" rev-parse HEAD WORKING_DIRECTORY "${PLACE}/origin" OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/fetch_content" -B "${PLACE}/build" ${PLAINLY}
          "-DYOKE_REPOSITORY=file://${PLACE}/origin" "-DYOKE_COMMIT=${commit}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${PLACE}/build" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${PLACE}/build/consumer" COMMAND_ERROR_IS_FATAL ANY)

# SPDX-License-Identifier: MIT
# Builds the library for Windows, installs it, and builds programs with it and with the headers alone, which run in Wine; and holds
# what is refused there.
set(toolchain "${YOKE}/cmake/toolchains/mingw-w64.cmake")
find_program(compiler NAMES x86_64-w64-mingw32-g++-posix)
find_program(wine NAMES wine64 wine PATHS /usr/lib/wine)
if(NOT compiler OR NOT wine)
  message("SKIP: there is no MinGW-w64 (${compiler}), or no Wine (${wine})")
  return()
endif()
set(ENV{WINEDEBUG} -all)
set(ENV{WINEPREFIX} "${PLACE}/wine")
file(MAKE_DIRECTORY "${PLACE}")
set(common -G "${GENERATOR}" "-DCMAKE_TOOLCHAIN_FILE=${toolchain}" -DCMAKE_BUILD_TYPE=Release)

function(build source binary)
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${binary}" ${common} ${ARGN} --no-warn-unused-cli
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${binary}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(run program)
  execute_process(COMMAND "${wine}" "${program}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  message("${output}")
  if(NOT output MATCHES "^yoke [0-9.]+\r?\n" OR NOT output MATCHES "a kernel was compiled and launched")
    message(FATAL_ERROR "${program} did not say its version, or ran no kernel")
  endif()
endfunction()

build("${YOKE}" "${PLACE}/library")
file(REMOVE_RECURSE "${PLACE}/prefix")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${PLACE}/library" --prefix "${PLACE}/prefix" OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
build("${CMAKE_CURRENT_LIST_DIR}/find_package" "${PLACE}/program" "-DCMAKE_PREFIX_PATH=${PLACE}/prefix"
      -DCONSUMER_TARGET=yoke::yoke)
run("${PLACE}/program/consumer.exe")

# The line of docs/windows.md.
execute_process(
  COMMAND "${compiler}" -std=c++20 -O1 -DYOKE_IMPLEMENTATION -Wa,-mbig-obj "-I${YOKE}/include"
          "${CMAKE_CURRENT_LIST_DIR}/main.cpp" -o "${PLACE}/headers.exe" -static -ladvapi32 COMMAND_ERROR_IS_FATAL ANY)
run("${PLACE}/headers.exe")

execute_process(COMMAND "${CMAKE_COMMAND}" -S "${YOKE}" -B "${PLACE}/shared" ${common} -DBUILD_SHARED_LIBS=ON
                RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE errors)
if(result EQUAL 0 OR NOT errors MATCHES "no shared library for Windows")
  message(FATAL_ERROR "a shared library for Windows is not refused:\n${errors}")
endif()

# SPDX-License-Identifier: MIT
# Consumers by package managers and other build systems. `./dev` brings conan, meson and a current CMake from PyPI to
# build/pypi; a consumer whose tool is missing is skipped and says so, as tests/skips.txt allows.
set(pypi "${PROJECT_SOURCE_DIR}/build/pypi/bin")

# consumer_script(<name> NEEDS <fixture> SCRIPT <file> <-D...>)
function(consumer_script name)
  cmake_parse_arguments(PARSE_ARGV 1 script "" "NEEDS;SCRIPT" "")
  consumer(
    ${name}
    NEEDS "${script_NEEDS}"
    COMMAND Python3::Interpreter "${yoke_checks}/run_test.py" --skips "${PROJECT_SOURCE_DIR}/tests/skips.txt" --skip-code 77 --
            "${CMAKE_COMMAND}" "-DNAME=consumers.${name}" "-DPLACE=${place}/${name}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DPYPI=${pypi}"
            "-DPLAINLY=${plainly}" "-DCOMPILER=${CMAKE_CXX_COMPILER}" ${script_UNPARSED_ARGUMENTS} -P
            "${CMAKE_CURRENT_SOURCE_DIR}/${script_SCRIPT}")
  set_tests_properties(consumers.${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

foreach(mode IN ITEMS compiled header_only)
  consumer_script(conan_${mode} SCRIPT conan.cmake "-DMODE=${mode}")
endforeach()
consumer_script(cps SCRIPT cps.cmake)
consumer_script(meson NEEDS yoke_static SCRIPT meson.cmake "-DPREFIX=${place}/static")
consumer_script(fetch_content SCRIPT fetch_content.cmake)
consumer_script(nvcc NEEDS yoke_static SCRIPT nvcc.cmake "-DPREFIX=${place}/static" "-DNVCC=${YOKE_TEST_NVCC}")

# The port's file, run step by step without vcpkg.
consumer(
  install_vcpkg PROVIDES yoke_vcpkg
  COMMAND "${CMAKE_COMMAND}" "-DCURRENT_PORT_DIR=${PROJECT_SOURCE_DIR}/packaging/vcpkg/ports/yoke"
          "-DPACKAGES=${place}/vcpkg-packages" "-DBINARY=${place}/vcpkg-build" "-DCONFIGURE=${plainly}" -P
          "${CMAKE_CURRENT_SOURCE_DIR}/vcpkg.cmake")
consumer_project(vcpkg NEEDS yoke_vcpkg SOURCE find_package OPTIONS "-DCMAKE_PREFIX_PATH=${place}/vcpkg-packages"
                                                                    -DCONSUMER_TARGET=yoke::yoke)
yoke_house_test(packages packages packages.py "${PROJECT_SOURCE_DIR}")

# SPDX-License-Identifier: MIT
# Consumers by package managers and other build systems. `./dev check` brings conan, meson and a current CMake from PyPI to
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
            "-DPLAINLY=${plainly}" "-DCOMPILER=${house_compiler}" ${script_UNPARSED_ARGUMENTS} -P
            "${CMAKE_CURRENT_SOURCE_DIR}/${script_SCRIPT}")
  set_tests_properties(consumers.${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

foreach(mode IN ITEMS compiled header_only)
  consumer_script(conan_${mode} SCRIPT conan.cmake "-DMODE=${mode}")
endforeach()
set(simulated OFF)
if(TARGET yoke_cuda_simulator)
  set(simulated ON)
endif()
consumer_script(cps SCRIPT cps.cmake "-DSIMULATED=${simulated}")
consumer_script(meson NEEDS yoke_static SCRIPT meson.cmake "-DPREFIX=${place}/static")
consumer_script(fetch_content SCRIPT fetch_content.cmake)
consumer_script(module NEEDS yoke_static SCRIPT module.cmake "-DPREFIX=${place}/static")
consumer_script(nvcc NEEDS yoke_static SCRIPT nvcc.cmake "-DPREFIX=${place}/static" "-DNVCC=${YOKE_TEST_NVCC}")

# The port, found through its registry and run step by step without vcpkg; with its features where this tree builds them too.
function(vcpkg_port name features)
  consumer(
    install_${name} PROVIDES yoke_${name}
    COMMAND "${CMAKE_COMMAND}" "-DTREE=${PROJECT_SOURCE_DIR}"
            "-DPACKAGES=${place}/${name}-packages" "-DBINARY=${place}/${name}-build" "-DCONFIGURE=${plainly}"
            "-DFEATURES=${features}" -P "${CMAKE_CURRENT_SOURCE_DIR}/vcpkg.cmake")
  consumer_project(${name} NEEDS yoke_${name} SOURCE ${ARGN} OPTIONS "-DCMAKE_PREFIX_PATH=${place}/${name}-packages"
                                                                     -DCONSUMER_TARGET=yoke::yoke)
endfunction()
vcpkg_port(vcpkg "" find_package)
if(TARGET yoke_cuda_simulator AND YOKE_BUILD_TOOLS)
  vcpkg_port(vcpkg_features "simulator;tools" cuda_simulator)
endif()
if(TARGET yoke_cuda_simulator AND YOKE_BUILD_TOOLS) # both variants' values are configured
  consumer(spack COMMAND Python3::Interpreter "${yoke_checks}/spack_package.py" "${PROJECT_SOURCE_DIR}" "${place}/spack"
                         "${CMAKE_COMMAND}" ${plainly})
endif()
# What needs a tool from PyPI, or builds the sources once more as add_subdirectory does.
yoke_check_only(consumers.conan_compiled consumers.conan_header_only consumers.cps consumers.meson consumers.module consumers.fetch_content
                consumers.install_vcpkg consumers.vcpkg)
if(TEST consumers.vcpkg_features)
  yoke_check_only(consumers.install_vcpkg_features consumers.vcpkg_features)
endif()
yoke_house_test(packages packages packages.py "${PROJECT_SOURCE_DIR}")

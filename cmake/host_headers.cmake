# SPDX-License-Identifier: MIT
# When tests, tools and examples are built for another system: fmt and Catch2 2 are headers alone, so those of this system serve.
set(yoke_host_headers "${PROJECT_BINARY_DIR}/host-headers")
foreach(header IN ITEMS fmt/format.h catch2/catch.hpp CL/cl.h)
  cmake_path(GET header PARENT_PATH library)
  # By a header: /usr/bin has a program `fmt`.
  find_path(YOKE_HOST_${library} NAMES ${header} NO_CMAKE_FIND_ROOT_PATH PATHS /usr/include /usr/local/include)
  if(YOKE_HOST_${library})
    file(MAKE_DIRECTORY "${yoke_host_headers}")
    file(CREATE_LINK "${YOKE_HOST_${library}}/${library}" "${yoke_host_headers}/${library}" SYMBOLIC)
  endif()
endforeach()
foreach(target IN ITEMS fmt::fmt Catch2::Catch2)
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM INTERFACE "${yoke_host_headers}")
endforeach()
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)

# SPDX-License-Identifier: MIT
# The C++20 module, as the target yoke::module.
include_guard(GLOBAL)

# yoke_add_module(<the folder of yoke.cppm>)
function(yoke_add_module folder)
  if(CMAKE_VERSION VERSION_LESS 3.28)
    message(FATAL_ERROR "yoke's module needs CMake 3.28 or newer; this is ${CMAKE_VERSION}")
  endif()
  add_library(yoke_module STATIC EXCLUDE_FROM_ALL)
  target_sources(yoke_module PUBLIC FILE_SET CXX_MODULES BASE_DIRS "${folder}" FILES "${folder}/yoke.cppm")
  target_compile_features(yoke_module PUBLIC cxx_std_20)
  target_link_libraries(yoke_module PUBLIC yoke::yoke)
  set_target_properties(yoke_module PROPERTIES CXX_SCAN_FOR_MODULES ON)
  add_library(yoke::module ALIAS yoke_module)
endfunction()

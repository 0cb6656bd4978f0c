# SPDX-License-Identifier: MIT
# The package: build-tree export always; install rules, config files and pkg-config files when asked for.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(yoke_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/yoke")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/yokeConfig.cmake.in" "${PROJECT_BINARY_DIR}/yokeConfig.cmake"
                              INSTALL_DESTINATION "${yoke_cmake_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/yokeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)

configure_file("${CMAKE_CURRENT_LIST_DIR}/yoke_ranks.cmake" "${PROJECT_BINARY_DIR}/yoke_ranks.cmake" COPYONLY) # for the build tree

# A project that adds this one and exports targets of its own needs this export, installed or not.
export(TARGETS ${yoke_targets} NAMESPACE yoke:: FILE "${PROJECT_BINARY_DIR}/yokeTargets.cmake")
# The simulator has files of its own, so that it can be a package of its own.
set(yoke_simulator_targets "${PROJECT_BINARY_DIR}/yokeSimulatorTargets.cmake")
file(REMOVE "${yoke_simulator_targets}")
if(YOKE_BUILD_CUDA_SIMULATOR)
  export(TARGETS yoke_cuda_simulator yoke_nccl_simulator NAMESPACE yoke:: FILE "${yoke_simulator_targets}")
endif()

if(NOT YOKE_INSTALL)
  return()
endif()

install(
  TARGETS ${yoke_targets}
  EXPORT yoke_targets
  RUNTIME COMPONENT yoke_runtime
  LIBRARY COMPONENT yoke_runtime NAMELINK_COMPONENT yoke_development
  ARCHIVE COMPONENT yoke_development
  FILE_SET HEADERS COMPONENT yoke_development
  FILE_SET optin COMPONENT yoke_development)
install(EXPORT yoke_targets NAMESPACE yoke:: DESTINATION "${yoke_cmake_dir}" FILE yokeTargets.cmake
        COMPONENT yoke_development)
if(YOKE_BUILD_CUDA_SIMULATOR)
  install(
    TARGETS yoke_cuda_simulator yoke_nccl_simulator
    EXPORT yoke_simulator_targets
    LIBRARY COMPONENT yoke_simulator)
  install(EXPORT yoke_simulator_targets NAMESPACE yoke:: DESTINATION "${yoke_cmake_dir}" FILE yokeSimulatorTargets.cmake
          COMPONENT yoke_simulator)
endif()
# The module is a source: whoever imports it compiles it, because compilers do not read each other's form of it.
install(FILES "${PROJECT_BINARY_DIR}/yokeConfig.cmake" "${PROJECT_BINARY_DIR}/yokeConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/yokeModule.cmake" "${CMAKE_CURRENT_LIST_DIR}/yoke_ranks.cmake"
              "${PROJECT_SOURCE_DIR}/src/module/yoke.cppm"
        DESTINATION "${yoke_cmake_dir}" COMPONENT yoke_development)

# CMake 4.3 and newer read the Common Package Specification; other build systems are to follow.
if(CMAKE_VERSION VERSION_GREATER_EQUAL 4.3)
  install(
    PACKAGE_INFO yoke
    EXPORT yoke_targets
    VERSION ${PROJECT_VERSION}
    COMPAT_VERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}.0
    DEFAULT_TARGETS yoke
    LICENSE MIT
    COMPONENT yoke_development)
  if(YOKE_BUILD_CUDA_SIMULATOR)
    install(PACKAGE_INFO yoke EXPORT yoke_simulator_targets APPENDIX simulator COMPONENT yoke_simulator)
  endif()
endif()

# The prefix is found from where the .pc file lies, so that a moved installation still works.
set(yoke_pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE OUTPUT_VARIABLE libdir)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE
           OUTPUT_VARIABLE includedir)
file(RELATIVE_PATH yoke_pc_prefix "${libdir}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH yoke_pc_libdir "${CMAKE_INSTALL_PREFIX}" "${libdir}")
file(RELATIVE_PATH yoke_pc_includedir "${CMAKE_INSTALL_PREFIX}" "${includedir}")
foreach(file IN ITEMS yoke yoke-vendored)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${file}.pc.in" "${PROJECT_BINARY_DIR}/${file}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${file}.pc" DESTINATION "${yoke_pc_dir}" COMPONENT yoke_development)
endforeach()

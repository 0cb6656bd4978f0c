# Used from yoke's own tree, the port builds that tree; a release sets REF and SHA512.
get_filename_component(yoke_tree "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)
if(EXISTS "${yoke_tree}/include/yoke/core/config.hpp")
    set(SOURCE_PATH "${yoke_tree}")
else()
    message(FATAL_ERROR "yoke has no release yet: use this port from yoke's own tree, as docs/packages.md shows")
endif()

if("simulator" IN_LIST FEATURES)
    set(VCPKG_POLICY_DLLS_IN_STATIC_LIBRARY enabled) # programs open it by name; it is never linked
endif()

vcpkg_check_features(
    OUT_FEATURE_OPTIONS FEATURE_OPTIONS
    FEATURES
        simulator YOKE_BUILD_CUDA_SIMULATOR
        tools     YOKE_BUILD_TOOLS
)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        ${FEATURE_OPTIONS}
        -DYOKE_DEVELOP=OFF
        -DYOKE_INSTALL=ON
        -DYOKE_BUILD_TESTS=OFF
        -DYOKE_BUILD_EXAMPLES=OFF
        -DYOKE_BUILD_BENCHMARKS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/yoke)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib/cps" "${CURRENT_PACKAGES_DIR}/debug/lib/cps") # not moved with the config files
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()
if("tools" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES yoke-info yoke-cache AUTO_CLEAN)
endif()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")

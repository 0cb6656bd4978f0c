# SPDX-License-Identifier: MIT
# The Spack package: put it below packages/yoke/ of a repository of your own.
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Yoke(CMakePackage):
    """Typed RAII handles, launches and copies for CUDA and OpenCL."""

    # A release adds its archive: url, and version(..., sha256=...). Until then: spack develop, or a version by git.
    license("MIT", checked_by="yoke")

    version("0.1.0")

    variant("shared", default=True, description="Build the shared library")
    variant("pic", default=True, description="Position-independent code in the static library")
    variant("simulator", default=False, description="Build the CUDA simulator")
    variant("tools", default=False, description="Build yoke-info and yoke-cache")
    variant("mpi", default=False, description="Bring an MPI for programs with yoke/mpi.hpp")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("boost@1.74:+context", when="+simulator")
    depends_on("mpi", when="+mpi")
    with when("+tools"):
        depends_on("cli11")
        depends_on("fmt")
        depends_on("nlohmann-json")

    requires("platform=linux", msg="yoke builds on Linux")
    conflicts("%gcc@:11", msg="yoke needs GCC 12 or newer")
    conflicts("%clang@:13", msg="yoke needs Clang 14 or newer")

    def cmake_args(self):
        return [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("CMAKE_POSITION_INDEPENDENT_CODE", "pic"),
            self.define_from_variant("YOKE_BUILD_CUDA_SIMULATOR", "simulator"),
            self.define_from_variant("YOKE_BUILD_TOOLS", "tools"),
        ]

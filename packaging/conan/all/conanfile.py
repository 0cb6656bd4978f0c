# SPDX-License-Identifier: MIT
# The Conan recipe, in the form that ConanCenter takes; conanfile.py at the root of the tree builds on it.
import os

from conan import ConanFile
from conan.errors import ConanException, ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir
from conan.tools.scm import Version

required_conan_version = ">=2.4"


class YokeConan(ConanFile):
    name = "yoke"
    description = "Typed RAII handles, launches and copies for CUDA and OpenCL"
    license = "MIT"
    topics = ("cuda", "opencl", "gpu", "gpgpu", "raii")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "header_only": [True, False],
        "simulator": [True, False],
        "mpi": [True, False],
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "header_only": False,
        "simulator": False,
        "mpi": False,
    }
    implements = ["auto_shared_fpic", "auto_header_only"]

    # What builds here: see README.md, "Support".
    _minimum_compilers = {"gcc": "12", "clang": "14"}
    _architectures = ("x86_64",)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.simulator and not self.options.header_only:  # validate refuses both, before anything is missed
            self.requires("boost/[>=1.74 <2]")
        if self.options.mpi:  # for programs: the library itself needs none
            self.requires("openmpi/[>=4 <6]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration(f"yoke builds on Linux; os is {self.settings.os}")
        if self.settings.arch not in self._architectures:
            raise ConanInvalidConfiguration(f"yoke builds for x86_64; arch is {self.settings.arch}")
        compiler = str(self.settings.compiler)
        minimum = self._minimum_compilers.get(compiler)
        if minimum is None:
            raise ConanInvalidConfiguration(f"yoke builds with gcc and clang; compiler is {compiler}")
        if Version(self.settings.compiler.version) < minimum:
            raise ConanInvalidConfiguration(
                f"yoke needs {compiler} {minimum} or newer; compiler.version is {self.settings.compiler.version}"
            )
        if self.settings.get_safe("compiler.libcxx") == "libstdc++":
            raise ConanInvalidConfiguration(
                "yoke needs the strings of C++11 in libstdc++: set compiler.libcxx=libstdc++11; compiler.libcxx is libstdc++"
            )
        if self.options.header_only and self.options.simulator:
            raise ConanInvalidConfiguration("the simulator is a library: header_only has none; ask for one of the two")

    def source(self):
        sources = self.conan_data["sources"]
        if self.version not in sources:
            raise ConanException(f"conandata.yml has no archive of yoke {self.version}; conanfile.py at the root takes the tree")
        get(self, **sources[self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["YOKE_BUILD_CUDA_SIMULATOR"] = bool(self.options.simulator)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        if self.options.header_only:
            return
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        if self.options.header_only:
            copy(self, "*", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
            return
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "cps"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "yoke")
        self.cpp_info.set_property("cmake_target_name", "yoke::yoke")
        self.cpp_info.set_property("pkg_config_name", "yoke-all")
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")
        system_libs = ["dl", "pthread"]

        headers = self.cpp_info.components["headers"]
        headers.set_property("cmake_target_name", "yoke::headers")

        vendored = self.cpp_info.components["vendored"]
        vendored.set_property("cmake_target_name", "yoke::vendored")
        vendored.set_property("pkg_config_name", "yoke-vendored")
        vendored.requires = ["headers"]
        vendored.system_libs = system_libs

        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "yoke::core")
        core.set_property("pkg_config_name", "yoke")
        if self.options.header_only:  # every target is yoke::vendored then: one file of the program has the bodies
            core.requires = ["vendored"]
        else:
            core.requires = ["headers"]
            core.libs = ["yoke"]
            if not self.options.shared:
                core.system_libs = system_libs
        for backend in ("cuda", "opencl"):
            component = self.cpp_info.components[backend]
            component.set_property("cmake_target_name", f"yoke::{backend}")
            component.requires = ["core"]
        if self.options.mpi:
            mpi = self.cpp_info.components["mpi"]
            mpi.set_property("cmake_target_name", "yoke::mpi")
            mpi.requires = ["core", "openmpi::openmpi"]
        for component in self.cpp_info.components.values():
            component.bindirs = []
            if self.options.header_only:
                component.libdirs = []
        if self.options.simulator:
            simulator = self.cpp_info.components["cuda_simulator"]
            simulator.set_property("cmake_target_name", "yoke::cuda_simulator")
            simulator.requires = ["boost::context"]  # opened at run time by its name, never linked
            nccl = self.cpp_info.components["nccl_simulator"]
            nccl.set_property("cmake_target_name", "yoke::nccl_simulator")
            nccl.requires = ["cuda_simulator"]

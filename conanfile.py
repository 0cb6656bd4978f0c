# SPDX-License-Identifier: MIT
# The Conan recipe for the tree itself: `conan create . -s compiler.cppstd=20`; all else is packaging/conan's.
import importlib.util
import os

from conan.tools.files import load

recipe = os.path.join(os.path.dirname(os.path.abspath(__file__)), "packaging", "conan", "all", "conanfile.py")
spec = importlib.util.spec_from_file_location("yoke_recipe", recipe)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


class YokeTreeConan(module.YokeConan):
    exports = "packaging/conan/all/conanfile.py"
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"
    test_package_folder = "packaging/conan/all/test_package"

    def set_version(self):
        config = load(self, os.path.join(self.recipe_folder, "include", "yoke", "core", "config.hpp"))
        self.version = config.split('#define YOKE_VERSION_STRING "')[1].split('"')[0]

    def source(self):
        pass  # it is exported

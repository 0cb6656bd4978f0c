# SPDX-License-Identifier: MIT
# Catches a package file that Spack would refuse, without Spack: its directives take the arguments that Spack's do, and CMake takes
# what it is given.
"""spack_package.py ROOT PLACE CMAKE..."""
import contextlib
import inspect
import pathlib
import re
import subprocess
import sys
import types

NAME = r"[a-z0-9][a-z0-9-]*"
VERSION = r"@[0-9.]*:?[0-9.]*"
SPEC = re.compile(rf"({NAME})?({VERSION})?([+~][a-z_]+)*|%{NAME}({VERSION})?|platform=\w+")


class Recorder:
    """Spack's directives, as far as the file uses them, with their parameters."""

    def __init__(self):
        self.variants, self.versions, self.dependencies, self.conflicted, self.problems = {}, [], [], [], []

    def spec(self, *texts):
        for text in texts:
            if text is not None and not SPEC.fullmatch(text):
                self.problems.append(f"{text!r} is no spec")
            for variant in re.findall(r"[+~](\w+)", text or ""):
                if not text[0].isalpha() and variant not in self.variants:
                    self.problems.append(f"{text!r} names no variant")

    def version(self, ver, *, sha256=None, tag=None, commit=None):
        self.versions.append(ver)

    def variant(self, name, default=None, description="", values=None, multi=None, when=None):
        if not isinstance(default, bool) or not description:
            self.problems.append(f"variant {name}: a bool and a description")
        self.variants[name] = default

    def depends_on(self, spec, when=None, type=("build", "link"), patches=None):  # named as Spack names it
        self.spec(spec, when)
        self.dependencies.append(spec)

    def conflicts(self, conflict_spec, when=None, msg=None):
        self.spec(conflict_spec, when)
        self.conflicted.append((conflict_spec, msg))

    def requires(self, *specs, policy="one_of", when=None, msg=None):
        self.spec(*specs, when)

    def license(self, license_identifier, checked_by=None, when=None):
        if license_identifier != "MIT":
            self.problems.append(f"license {license_identifier}")

    @contextlib.contextmanager
    def when(self, condition):
        self.spec(condition)
        yield


def load(path):
    recorder = Recorder()

    class CMakePackage:
        def define_from_variant(self, cmake_var, variant=None):
            return f"-D{cmake_var}:BOOL={'ON' if self.chosen[variant or cmake_var.lower()] else 'OFF'}"

        def define(self, cmake_var, value):
            return f"-D{cmake_var}={value}"

    directives = {name: method for name, method in inspect.getmembers(recorder, inspect.ismethod) if name not in ("__init__", "spec")}
    modules = {name: types.ModuleType(name) for name in
               ("spack", "spack.package", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems",
                "spack_repo.builtin.build_systems.cmake")}
    modules["spack.package"].__dict__.update(directives)
    modules["spack_repo.builtin.build_systems.cmake"].CMakePackage = CMakePackage
    sys.modules.update(modules)
    space = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)  # pylint: disable=exec-used
    return recorder, space["Yoke"]


def main(root, place, *cmake):
    root = pathlib.Path(root)
    recorder, package = load(root / "packaging/spack/package.py")
    problems = recorder.problems
    if not package.__doc__:
        problems.append("Spack shows the class's text; there is none")
    for compiler in ("gcc", "clang"):
        if not any(spec.startswith(f"%{compiler}@:") and msg for spec, msg in recorder.conflicted):
            problems.append(f"no old {compiler} is refused in words")
    for chosen in (recorder.variants, {name: not value for name, value in recorder.variants.items()}):
        package.chosen = chosen
        folder = pathlib.Path(place) / "".join("1" if value else "0" for value in chosen.values())
        done = subprocess.run([*cmake, "--fresh", "-S", str(root), "-B", str(folder), *package().cmake_args()],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0 or "not used by the project" in done.stderr:
            problems.append(f"{chosen}:\n{done.stdout}{done.stderr}")
    print("\n".join(problems) or f"{len(recorder.variants)} variants, {len(recorder.dependencies)} dependencies")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

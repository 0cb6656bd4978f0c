# SPDX-License-Identifier: MIT
# Catches a recipe, port or package with another version, option or target than the tree, and a manifest that is not formatted.
"""packages.py ROOT"""
import json
import pathlib
import re
import sys


def main(root):
    problems = []

    def text(path):
        return (root / path).read_text(encoding="utf-8")

    def same(what, found, expected):
        if found != expected:
            problems.append(f"{what}: {found!r}, expected {expected!r}")

    version = re.search(r'YOKE_VERSION_STRING "([0-9.]+)"', text("include/yoke/core/config.hpp")).group(1)
    abi = ".".join(version.split(".")[:2])
    options = set(re.findall(r"^option\((YOKE_\w+)", text("CMakeLists.txt"), re.M))
    targets = set(re.findall(r"EXPORT_NAME (\w+)", text("src/CMakeLists.txt")))
    backends = set(re.findall(r'char\* name = "([a-z]+)"', text("include/yoke/driver/backends.hpp")))
    simulators = set(re.findall(r"yoke_(\w+_simulator)\b", text("cmake/package.cmake")))
    # Targets that are made where they are found, but for that of a program's own tests.
    components = set(re.findall(r"add_library\(yoke::(\w+) INTERFACE", text("cmake/yokeConfig.cmake.in"))) - {"catch2"}
    targets |= backends | simulators | components | {"yoke"}

    # Conan: the same names of targets, the version that config.yml knows.
    recipe = text("packaging/conan/all/conanfile.py")
    same("conan/config.yml", re.findall(r'^  "([0-9.]+)":', text("packaging/conan/config.yml"), re.M), [version])
    names = set(re.findall(r'"yoke::(\w+)"', recipe)) | backends
    same("targets of the Conan recipe", sorted(names), sorted(targets))
    if re.search(r"^    version =", recipe, re.M):
        problems.append("the Conan recipe states a version; config.yml does")

    # vcpkg: manifest, registry, formatted as vcpkg format-manifest does.
    for path in ("ports/yoke/vcpkg.json", "versions/baseline.json", "versions/y-/yoke.json"):
        raw = text("packaging/vcpkg/" + path)
        if raw != json.dumps(json.loads(raw), indent=2) + "\n":
            problems.append(f"packaging/vcpkg/{path} is not formatted")
    manifest = json.loads(text("packaging/vcpkg/ports/yoke/vcpkg.json"))
    same("vcpkg.json", manifest["version"], version)
    same("vcpkg's features", list(manifest["features"]), sorted(manifest["features"]))
    baseline = json.loads(text("packaging/vcpkg/versions/baseline.json"))["default"]["yoke"]
    same("vcpkg's baseline", baseline, {"baseline": version, "port-version": 0})
    newest = json.loads(text("packaging/vcpkg/versions/y-/yoke.json"))["versions"][0]
    same("vcpkg's newest version", (newest["version"], newest["path"]), (version, "$/ports/yoke"))
    port = text("packaging/vcpkg/ports/yoke/portfile.cmake")
    for name in re.findall(r"yoke::(\w+)", text("packaging/vcpkg/ports/yoke/usage")):
        if name not in targets:
            problems.append(f"vcpkg's usage names yoke::{name}, which is no target")

    # Spack and Debian.
    spack = text("packaging/spack/package.py")
    same("Spack's version", re.findall(r'version\("([0-9.]+)"', spack), [version])
    changelog = text("packaging/debian/changelog")
    same("Debian's version", re.match(r"yoke \(([0-9.]+)-", changelog).group(1), version)
    # What a component asks of other packages is an option of each recipe.
    for where, offered in (
        ("Conan's options", re.findall(r'^        "(\w+)": \[True, False\]', recipe, re.M)),
        ("vcpkg's features", manifest["features"]),
        ("Spack's variants", re.findall(r'variant\("(\w+)"', spack)),
    ):
        problems += [f"{where} lack the component {name}" for name in sorted(components) if name not in offered]
    if f"Package: libyoke{abi}\n" not in text("packaging/debian/control"):
        problems.append(f"Debian's library package is not libyoke{abi}")

    # The page's commands that the tests cannot run say what the files say.
    page = text("docs/packages.md")
    same("docs/packages.md, the folder of the port", re.findall(r"--overlay-ports=(\S+)", page), ["packaging/vcpkg/ports"])
    same("docs/packages.md, Spack's version", re.findall(r"yoke@([0-9.]+)", page), [version])
    named = set(re.search(r"apt-get install -y ([^\n]*)", page).group(1).split())
    depends = re.search(r"Build-Depends:((?:\n [^\n]*)+)", text("packaging/debian/control")).group(1)
    lacking = set(re.findall(r"\n ([a-z0-9-]+)", depends)) - named - {"debhelper-compat"}
    same("docs/packages.md, what Debian's package needs besides", sorted(lacking), [])

    # The README's table says the same in one line for each channel.
    table = text("README.md").split("## Install")[1].split("\n## ")[0]
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^\n]+) \|$", table, re.M))
    for heading in re.findall(r"^## ([^\n]+)$", page, re.M):
        if heading != "What each way costs" and not any(row.lower().startswith(heading.lower()) for row in rows):
            problems.append(f"README.md, Install: no line for {heading}")
    for command in re.findall(r"`((?:cmake|conan|vcpkg|spack|dpkg-buildpackage)[^`]*)`", table):
        if command not in page:
            problems.append(f"README.md, Install: docs/packages.md has no command {command!r}")

    for where, source in (("Conan", recipe), ("vcpkg", port), ("Spack", spack), ("Debian", text("packaging/debian/rules"))):
        for name in re.findall(r"\bYOKE_(?:BUILD|ENABLE|INSTALL|DEVELOP)\w*", source):
            if name not in options:
                problems.append(f"{where} sets {name}, which is no option")
    for problem in problems:
        print(problem)
    print("packages agree with the tree" if not problems else f"{len(problems)} problem(s)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))

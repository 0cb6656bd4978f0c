# SPDX-License-Identifier: MIT
# Puts test files together as translation units, each file in a namespace of its own.
"""usage: unit.py --plan COUNT FILE...   prints, a line for each unit, its name and its files, of which there are at most COUNT
       unit.py OUTPUT FILE...         writes a unit"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = re.compile(r'#\s*include\s*(?:(<[^>]+>)|"([^"]+)")')
RAW_STRING = re.compile(r'R"([^()\s\\]*)\(.*?\)\1"', re.DOTALL)
# Declarations that can only stand outside every namespace.
GLOBAL = re.compile(r"^(template <>|template (class|struct|void) |YOKE_STRUCT|(inline )?namespace (yoke|yoke_test|std)\b|"
                    r"(template <.*> )?(struct|class|union) (yoke|std)::)", re.MULTILINE)


class Source:
    def __init__(self, path):
        self.path = path
        self.place = pathlib.Path(path).resolve().relative_to(HERE)
        text = RAW_STRING.sub('""', pathlib.Path(path).read_text(encoding="utf-8"))
        self.includes = []
        for line in text.splitlines():
            include = INCLUDE.match(line)
            if include:
                # What lies beside the file does not lie beside the unit.
                self.includes.append(include[1] or f'"{pathlib.Path(path).parent / include[2]}"')
            elif line.strip() and not line.startswith("//"):
                break
        self.is_global = bool(GLOBAL.search(text))
        # Other includes have a condition or a macro before them.
        self.is_alone = len(self.includes) != sum(1 for line in text.splitlines() if INCLUDE.match(line))

    def namespace(self):
        return "in_" + re.sub(r"\W", "_", str(self.place.with_suffix("")))


def plan(most, sources):
    """Units of one folder, about as large as each other; at the end of a unit may be one that no namespace can be around."""
    grouped = [source for source in sources if not source.is_alone]
    folders, single = {}, []
    for source in grouped:
        folders.setdefault(source.place.parts[0], []).append(source)
    for folder in [folder for folder, members in folders.items() if len(members) == 1]:
        single += folders.pop(folder)
    for folder, members in [*folders.items(), ("others", single)]:
        outside = [source for source in members if source.is_global]
        inside = [source for source in members if not source.is_global]
        count = max(-(-len(members) // most), len(outside))
        units = [[] for _ in range(count)]
        for number, source in enumerate(outside):
            units[number].append(source)
        for number, unit in enumerate(units):
            room = (number + 1) * len(members) // count - number * len(members) // count - len(unit)
            unit[:0], inside = inside[:room], inside[room:]
        for number, unit in enumerate(units, 1):
            if len(unit) > 1:
                yield f"{folder}_{number}", unit


def text_of(sources):
    lines = ["// SPDX-License-Identifier: MIT", f"// Written by {pathlib.Path(__file__).name}."]
    # All that the files include comes first: inside the namespaces, the guards of the headers leave nothing of them.
    lines += dict.fromkeys(f"#include {name}" for source in sources for name in source.includes)
    for place, source in enumerate(sources):
        include = f'#include "{source.path}"'
        if source.is_alone or (source.is_global and place + 1 < len(sources)):
            sys.exit(f"{source.path} can no longer be where it was in its unit: configure again")
        lines += [include] if source.is_global else [f"namespace {source.namespace()} {{", include, "}"]
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1] == "--plan":
        for name, unit in plan(int(sys.argv[2]), [Source(path) for path in sys.argv[3:]]):
            print(";".join([name, *(source.path for source in unit)]))
        return
    output, text = pathlib.Path(sys.argv[1]), text_of([Source(path) for path in sys.argv[2:]])
    if not output.exists() or output.read_text(encoding="utf-8") != text:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

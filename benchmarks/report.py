#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Prints the Markdown of measured rows for docs/performance.md.
"""usage: report.py FILE.json..., written by ./dev bench --json"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import figures  # noqa: E402


def main(files):
    if not files:
        sys.exit(__doc__)
    rows, absent, failed = [], [], []
    for file in files:
        report = json.loads(pathlib.Path(file).read_text())
        rows += report["rows"]
        for device, names in report.get("absent", {}).items():
            absent += [f"- {name} ({device}): {reason}" for name, reason in sorted(names.items())]
        for device, names in report.get("failed", {}).items():
            failed += [f"- {name} ({device}): {reason}" for name, reason in sorted(names.items())]
    print(figures.markdown(rows))
    print("\n#### Bars\n")
    print(figures.bars_markdown(rows))
    for title, lines in (("Absent", absent), ("Failed", failed)):
        if lines:
            print(f"\n#### {title}\n")
            print("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1:])

# SPDX-License-Identifier: MIT
# Catches a link of the documentation to a file, or to a heading, that is gone.
"""usage: links.py ROOT"""
import pathlib
import re
import sys

import markdown

LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    count, problems = 0, []
    for page in markdown.pages(root):
        for number, line in markdown.read(page)[1]:
            for inline, reference in LINK.findall(re.sub(r"`[^`]*`", "``", line)):
                link = inline or reference
                if re.match(r"[a-z][a-z0-9+.-]*:", link):
                    continue
                count += 1
                name, _, anchor = link.partition("#")
                target = page if not name else (page.parent / name).resolve()
                place = f"{page.relative_to(root)}:{number}"
                if not target.is_relative_to(root) or not target.exists():
                    problems.append(f"{place}: {link} does not exist")
                elif anchor and target.suffix == ".md" and anchor not in markdown.anchors(target):
                    problems.append(f"{place}: {link}: no such heading")
    print("\n".join(problems + [f"{count} links, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

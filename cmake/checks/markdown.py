# SPDX-License-Identifier: MIT
# The documentation's files, their code blocks and their headings, for the checks that read them.
import pathlib
import re
import typing


class Block(typing.NamedTuple):
    path: pathlib.Path
    line: int  # of the first line of code
    kind: str  # what stands behind the fence
    text: str


def pages(root):
    root = pathlib.Path(root)
    at_top = [root / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
    return [path for path in at_top if path.exists()] + sorted(root.glob("docs/**/*.md"))


def read(path):
    """The code blocks of a page, and its other lines as (number, text)."""
    blocks, prose, fence, kind, start, code = [], [], None, "", 0, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = re.match(r"\s*(```+|~~~+)\s*(.*)", line)
        if fence is None and mark:
            fence, kind, start, code = mark[1], mark[2].strip(), number + 1, []
        elif fence is not None and mark and mark[1].startswith(fence) and not mark[2]:
            blocks.append(Block(path, start, kind, "\n".join(code) + "\n"))
            fence = None
        elif fence is not None:
            code.append(line)
        else:
            prose.append((number, line))
    if fence is not None:
        raise SystemExit(f"{path}:{start}: a code block without an end")
    return blocks, prose


def anchors(path):
    """The names that a link to this page may end in, made as code hosts make them of headings."""
    names, seen = set(), {}
    for _, line in read(path)[1]:
        names.update(re.findall(r'<a\s+(?:id|name)="([^"]+)"', line))
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            count = seen.get(name, 0)
            seen[name] = count + 1
            names.add(name if count == 0 else f"{name}-{count}")
    return names

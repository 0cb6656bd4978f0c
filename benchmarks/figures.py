#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Makes rows of measured bursts: medians, intervals, bars, the table, the plot; run by itself, it prints Markdown.
"""usage: figures.py FILE.json..., written by ./dev bench --json: the tables of docs/performance.md"""
import json
import math
import pathlib
import re
import sys

RAW = "raw"
YOKE = "yoke"
# Contestants that have a row of their own beside the raw one: any_port's launches, other ways to compile.
VARIANTS = {
    "any_port": lambda name: name.replace("launch", "launch_any_port", 1) if name.startswith("launch/") else None,
    "yoke_stored": lambda name: "compile_cold_and_store",
    "yoke_memory": lambda name: "compile_warm_memory",
    "yoke_no_cache": lambda name: "compile_again_without_cache",
}


def median(values):
    """The middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("the median of no values")
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def interval(values):
    """The 95 % interval of the median, whatever the distribution: two values of the ordered sample.

    Fewer than six values cannot give that certainty; then it is all of them."""
    ordered = sorted(values)
    count = len(ordered)
    if count > 200:
        rank = math.floor(count / 2 - 0.98 * math.sqrt(count))
    else:  # heads of a fair coin, counted
        rank, below = -1, 0.0
        while below + math.comb(count, rank + 1) / 2**count <= 0.025:
            rank += 1
            below += math.comb(count, rank) / 2**count
        rank = max(rank, 0)
    return ordered[rank], ordered[count - 1 - rank]


def compared(left, right):
    """The ratio of two contestants round by round, and what the left one adds: medians with intervals."""
    result = {}
    for key, combine in (("ratio", lambda a, b: a / b), ("added", lambda a, b: a - b)):
        values = [combine(a, b) for a, b in zip(left, right)]
        result[key] = median(values)
        result[key + "_low"], result[key + "_high"] = interval(values)
    return result


def row_of(operation, device, samples, yoke=YOKE):
    """One row: medians, and the ratio of yoke to raw round by round with its interval."""
    raw = samples[RAW]
    peers = {name: values for name, values in samples.items()
             if name not in (YOKE, RAW) and name not in VARIANTS and values}
    return {"operation": operation, "device": device, "yoke": median(samples[yoke]), "raw": median(raw),
            **compared(samples[yoke], raw), "rounds": min(len(samples[yoke]), len(raw)),
            "peers": {name: median(values) for name, values in peers.items()},
            "peer_ratio": {name: compared(samples[yoke], values) for name, values in peers.items()}}


def rows_of(operation, device, samples):
    """The rows of one operation's samples, those of its variants among them."""
    rows = []
    if not samples.get(RAW):
        return rows
    for name, title in ((YOKE, operation), *((name, named(operation)) for name, named in VARIANTS.items())):
        if samples.get(name) and title:
            rows.append(row_of(title, device, samples, yoke=name))
    return rows


# --- bars: what holds within the interval, holds -----------------------------------------------------------------------

def _ratio(limit):
    return lambda row: (row["ratio_low"] <= limit, f"{row['ratio']:.3f}")


def _within(share, nanoseconds):
    """Within a share of the raw call or so many nanoseconds, whichever is more."""
    def judge(row):
        good = row["ratio_low"] <= 1 + share or row["added_low"] <= nanoseconds
        return good, f"{row['ratio']:.3f}, {row['added']:+.0f} ns"
    return judge


def _faster_than_each(row):
    beside = {name: each for name, each in row["peer_ratio"].items() if name in LAUNCH_PEERS}
    if not beside:
        return None
    return (all(each["ratio_low"] <= 1 for each in beside.values()),
            ", ".join(f"{each['ratio']:.3f} of {name}" for name, each in sorted(beside.items())))


LAUNCH_PEERS = ("cupy", "cuda_core", "numba", "pycuda", "clhpp", "boost_compute", "pyopencl")
CLOSE = r"record_existing_event|stream_wait.*|enqueue_copy/.*|copy_async/.*|(device_time/)?copy_.*"
# Each bar: its name, the rows that it concerns, and what it says of a row: whether it holds, and the figure; None: nothing.
BARS = (
    ("typed launch over raw launch: 1.02", r"launch(_changing)?/\d+", _ratio(1.02)),
    ("events, waits and copies over raw: 5 % or 50 ns", CLOSE, _within(0.05, 50)),
    ("new events and allocations over raw: 5 % or 190 ns", r"record_event|allocate(_ordered)?/.*", _within(0.05, 190)),
    ("launch faster than each peer's", r"launch/\d+", _faster_than_each),
)


def bars_of(rows):
    """For each bar: its name, and a list of (row, holds, figure); an empty list: not measured."""
    result = []
    for title, pattern, judge in BARS:
        judged = [(row, judge(row)) for row in rows if re.fullmatch(pattern, row["operation"])]
        result.append((title, [(row, *said) for row, said in judged if said is not None]))
    return result


def bars_text(rows):
    lines = []
    for title, judged in bars_of(rows):
        missed = [(row, figure) for row, good, figure in judged if not good]
        word = "not measured" if not judged else "MISSED" if missed else "holds"
        lines.append(f"{word:12}  {title}")
        lines += [f"              {row['operation']} on {short(row['device'])}: {figure}" for row, figure in missed]
    return "\n".join(lines)


# --- words ----------------------------------------------------------------------------------------------------------

def quantity(nanoseconds):
    """A time with a unit that a person reads: three digits."""
    scales = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns"))
    size, name = next((each for each in scales if abs(nanoseconds) >= each[0]), scales[-1])
    scaled = nanoseconds / size
    return f"{scaled:.{0 if abs(scaled) >= 100 else 1 if abs(scaled) >= 10 else 2}f} {name}"


def ratio_text(row):
    return f"{row['ratio']:.3f} ({row['ratio_low']:.3f}-{row['ratio_high']:.3f})"


def best_peer(row):
    if not row["peers"]:
        return ""
    name = min(row["peers"], key=row["peers"].get)
    return f"{quantity(row['peers'][name])} ({name})"


def short(text, most=26):
    """The start of a name, where all of it would make a table too wide."""
    return text if len(text) <= most else text[:most - 3].rstrip() + "..."


HEAD = ["operation", "yoke", "raw", "ratio (95 %)", "best peer"]


def cells_of(row):
    return [row["operation"], quantity(row["yoke"]), quantity(row["raw"]), ratio_text(row),
            best_peer(row)]


def devices_of(rows):
    return {device: [cells_of(row) for row in rows if row["device"] == device]
            for device in dict.fromkeys(row["device"] for row in rows)}


def table(rows):
    """One table a device, for a terminal."""
    parts = []
    for device, body in devices_of(rows).items():
        widths = [max(len(line[i]) for line in [HEAD, *body]) for i in range(len(HEAD))]
        lines = ["  ".join(cell.rjust(width) if 0 < i < 4 else cell.ljust(width)
                           for i, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in [HEAD, *body]]
        parts.append("\n".join([device, *lines]))
    return "\n\n".join(parts)


def markdown(rows):
    """One table a device, for docs/performance.md."""
    parts = []
    for device, body in devices_of(rows).items():
        lines = ["| " + " | ".join(line) + " |" for line in [HEAD, ["---"] * len(HEAD), *body]]
        parts.append("\n".join([f"## {device}", "", *lines]))
    return "\n\n".join(parts)


def plot(rows):
    """An SVG: each row's ratio with its interval, beside a line at 1."""
    shown = list(rows)
    left, right, line, top = 430, 300, 18, 46
    width, height = left + right + 110, top + line * len(shown) + 40
    lowest = max(min([0.9, *(row["ratio_low"] for row in shown)]), 0.25)
    highest = min(max([1.1, *(row["ratio_high"] for row in shown)]), 2.0)

    def x_of(ratio):
        inside = min(max(ratio, lowest), highest)
        return left + right * (math.log(inside) - math.log(lowest)) / (math.log(highest) - math.log(lowest))

    def escape(text):
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{left}" y="20" font-weight="bold">time through yoke over the raw driver\'s</text>']
    for tick in (0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0):
        if lowest <= tick <= highest:
            x = x_of(tick)
            parts.append(f'<line x1="{x:.1f}" y1="{top - 8}" x2="{x:.1f}" y2="{height - 30}" '
                         f'stroke="{"black" if tick == 1 else "#ccc"}"/>')
            parts.append(f'<text x="{x:.1f}" y="{top - 12}" text-anchor="middle">{tick:g}</text>')
    for i, row in enumerate(shown):
        y = top + line * i + line / 2
        colour = "#1a7f37" if row["ratio_low"] <= 1.02 else "#cf222e"
        parts.append(f'<text x="{left - 12}" y="{y + 4:.1f}" text-anchor="end">'
                     f'{escape(row["operation"])} <tspan fill="#666">{escape(row["device"][:24])}</tspan></text>')
        parts.append(f'<line x1="{x_of(row["ratio_low"]):.1f}" y1="{y:.1f}" x2="{x_of(row["ratio_high"]):.1f}" '
                     f'y2="{y:.1f}" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<circle cx="{x_of(row["ratio"]):.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        parts.append(f'<text x="{left + right + 14}" y="{y + 4:.1f}">{row["ratio"]:.3f}</text>')
    parts.append(f'<text x="{left}" y="{height - 10}" fill="#666">medians of paired bursts with 95 % intervals; '
                 'green: 1.02 or less</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print(markdown([row for file in sys.argv[1:] for row in json.loads(pathlib.Path(file).read_text())["rows"]]))

# SPDX-License-Identifier: MIT
# What is made of measured bursts: medians, intervals, rows, the bars that hold, the table, the plot, Markdown.
import math
import re

RAW = "raw"
YOKE = "yoke"
AGAIN = "_again"  # behind a contestant's name: the same once more; what it comes out at beside itself is noise
CONTROL = RAW + AGAIN
# Contestants of the runner that are a row of their own beside the raw one: any_port's launches, other ways to compile.
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


def quartiles(values):
    """The values that a quarter is below, and above: the spread."""
    ordered = sorted(values)
    last = len(ordered) - 1
    return ordered[round(last * 0.25)], ordered[round(last * 0.75)]


_ranks = {}  # what was counted already


def interval_ranks(count):
    """The ranks, from 0, of the values of an ordered sample between which its median lies with 95 % certainty.

    Counting heads of a fair coin: nothing is assumed of how the values are distributed. Fewer than six values cannot give
    that certainty; then it is all of them."""
    if count in _ranks:
        return _ranks[count]
    below = 0.0
    rank = 0
    for heads in range(count):
        below += math.comb(count, heads) / 2**count if count <= 1000 else _tail_step(count, heads)
        if below > 0.025:
            break
        rank = heads + 1
    rank = max(rank - 1, 0) if rank else 0
    _ranks[count] = rank, count - 1 - rank
    return _ranks[count]


def _tail_step(count, heads):
    return math.exp(math.lgamma(count + 1) - math.lgamma(heads + 1) - math.lgamma(count - heads + 1)
                    - count * math.log(2))


def interval(values):
    """The 95 % interval of the median of the distribution that the values come from, in their order.

    Values that were taken one behind the other may share what does not last: of a hundred or more it is the interval of the medians
    of batches, as many as each has values, which know little of each other."""
    if len(values) >= 100:
        size = round(math.sqrt(len(values)))
        values = [median(values[i:i + size]) for i in range(0, len(values) - size + 1, size)]
    ordered = sorted(values)
    low, high = interval_ranks(len(ordered))
    return ordered[low], ordered[high]


def paired(left, right, combine):
    """What `combine` makes of the bursts of the same rounds."""
    return [combine(a, b) for a, b in zip(left, right)]


def likeness(values):
    """How much a value has of the one before it, by the side of the median that both are on: -1 to 1, about 0 where rounds
    know nothing of each other, which intervals take for granted."""
    middle = median(values)
    sides = [(value > middle) - (value < middle) for value in values]
    known = sum(each * each for each in sides)
    return sum(a * b for a, b in zip(sides, sides[1:])) / known if known else 0.0


def compared(left, right, step=0):
    """The ratio of two contestants round by round, and what the left one adds: medians, with their intervals. `step` is what the
    clock cannot tell apart: it is in no sample, and so in both ends of the interval."""
    result = {}
    for key, combine, unseen in (("ratio", lambda a, b: a / b, step / median(right)), ("added", lambda a, b: a - b, step)):
        values = paired(left, right, combine)
        middle, (low, high) = median(values), interval(values)
        # Where the machine's pace drifts, the middle of all need not be among the middles of batches.
        result.update({key: middle, key + "_low": min(low, middle) - unseen, key + "_high": max(high, middle) + unseen})
    return result


def raw_of(samples):
    """The raw calls' bursts: of those that are there twice in each round the mean, which where their code lies moves less."""
    if not samples.get(CONTROL):
        return samples[RAW]
    return paired(samples[RAW], samples[CONTROL], lambda once, again: (once + again) / 2)


def row_of(operation, device, unit, samples, yoke=YOKE, step=0, **more):
    """One row: medians, and the ratio of yoke to raw round by round, with its interval; `step`: what the clock cannot tell apart
    of each of them."""
    raw = raw_of(samples)
    peers = {name: values for name, values in samples.items()
             if name not in (YOKE, RAW) and name not in VARIANTS and not name.endswith(AGAIN) and values}
    beside = {name: compared(samples[yoke], values, step) for name, values in peers.items()}
    # Most peers leave early, and a machine's pace changes: what stands side by side is of the rounds that all took part in.
    together = min(len(values) for values in (samples[yoke], raw, samples.get("any_port") or raw, *peers.values()))
    row = {
        "operation": operation, "device": device, "unit": unit,
        "yoke": median(samples[yoke][:together]), "raw": median(raw[:together]), **compared(samples[yoke], raw, step),
        "spread": {"yoke": quartiles(samples[yoke][:together]), "raw": quartiles(samples[RAW][:together])},
        "rounds": min(len(samples[yoke]), len(raw)),
        "likeness": {"yoke": likeness(samples[yoke]),
                     "ratio": likeness(paired(samples[yoke], raw, lambda a, b: a / b))},
        "peers": {name: median(values[:together]) for name, values in peers.items()},
        "peer_ratio_low": {name: each["ratio_low"] for name, each in beside.items()},
        "peer_ratio_high": {name: each["ratio_high"] for name, each in beside.items()},
    }
    if samples.get(CONTROL):
        row["control"] = compared(samples[CONTROL], samples[RAW], step)
    again = {name: compared(samples[name + AGAIN], values, step) for name, values in peers.items() if samples.get(name + AGAIN)}
    if again:
        row["peer_control"] = again
    if yoke == YOKE and "any_port" in samples:
        row["any_port"] = median(samples["any_port"][:together])
    row.update(more)
    return row


def by_process(samples, parts):
    """What each of several processes came out at, whose rounds stand one behind the other, as many as `parts` says."""
    result, first = [], 0
    for rounds in parts:
        part = {name: values[first:first + rounds] for name, values in samples.items() if name in (YOKE, RAW, CONTROL)}
        first += rounds
        if part.get(YOKE) and part.get(RAW):
            whole = compared(part[YOKE], raw_of(part))
            result.append({"rounds": rounds, "ratio": whole["ratio"], "added": whole["added"]})
    return result


def rows_of(operation, device, unit, samples, **more):
    """The rows of one operation's samples, those of its variants among them."""
    rows = []
    if not samples.get(RAW):
        return rows
    if samples.get(YOKE):
        rows.append(row_of(operation, device, unit, samples, **more))
    for name, named in VARIANTS.items():
        title = named(operation) if samples.get(name) else None
        if title:
            rows.append(row_of(title, device, unit, samples, yoke=name, **more))
    return rows


def instruction_rows(text):
    """The rows of what benchmarks/instructions.sh prints: backend, operation, raw, yoke, added, any_port, added."""
    rows = []
    for backend, operation, raw, yoke, through_any in re.findall(
            r"(?m)^(cuda|opencl) +(\S+) +(\d+) +(\d+) +-?\d+ +(\d+) +-?\d+ *$", text):
        rows += rows_of(f"instructions/{operation}", {"cuda": "CUDA", "opencl": "OpenCL"}[backend], "instructions",
                        {"yoke": [int(yoke)], "raw": [int(raw)], "any_port": [int(through_any)]}, clock="none", burst=1)
    return rows


# --- the bars -------------------------------------------------------------------------------------------------------

LEAST_ROUNDS = 20  # fewer say nothing about a bar


def _below(row, key, limit, same, written):
    """Whether the upper bound is within the limit; not, if even the lower one is beyond it. None: it is not shown: the bounds are on
    both sides, the rounds are few, or the raw calls differ from themselves by more than yoke may. `same`: of what does not
    differ."""
    high, low = row[key + "_high"], row[key + "_low"]
    text = f"{written.format(high)} of at most {limit:g}"
    if row["rounds"] < LEAST_ROUNDS:
        return None, f"{text}, of {row['rounds']} rounds"
    control = row.get("control")
    beside = ""
    if control:
        beside = f"; raw beside itself {written.format(control[key + '_low'])} to {written.format(control[key + '_high'])}"
        if control[key + "_low"] > limit or control[key + "_high"] < 2 * same - limit:
            return None, text + beside
    if high <= limit:
        return True, text
    return (None if low <= limit else False), f"{text}; median {written.format(row[key])}{beside}"


def _ratio(limit):
    return lambda row: _below(row, "ratio", limit, 1, "{:.3f}")


def _added(limit):
    return lambda row: _below(row, "added", limit, 0, "{:+.1f} ns")


def _beside_peer(row, name):
    """Whether yoke is faster than a peer; None: that is not shown: the bounds are on both sides of 1, or a second process of the
    peer differs from the first by more than yoke does. And the figure."""
    low, high = row["peer_ratio_low"][name], row["peer_ratio_high"][name]
    text = f"{high:.3f} of {name}'s"
    apart = max(1 / high, low)
    control = row.get("peer_control", {}).get(name)
    if control:
        text += f" ({control['ratio_low']:.3f} to {control['ratio_high']:.3f} beside itself)"
        if control["ratio_low"] > apart > 1 or control["ratio_high"] < 1 / apart < 1:
            return None, text
    return (False if low > 1 else None if high >= 1 else True), text


def _beside_peers(row):
    """For each peer of launches: whether yoke is faster, and the figure; those that are not there have neither."""
    names = LAUNCH_PEERS["cuda" if row["device"].startswith("CUDA") else "opencl"]
    return {name: _beside_peer(row, name) if name in row["peers"] else (None, None) for name in sorted(names)}


def _faster_than_each(row):
    """Not, if one is faster with certainty. None: that is not shown of one, or one was not there."""
    beside = _beside_peers(row)
    away = [name for name, (_, text) in beside.items() if text is None]
    if len(away) == len(beside):
        return None
    few = row["rounds"] < LEAST_ROUNDS
    goods = [good for good, _ in beside.values()]
    text = ", ".join(text for _, text in beside.values() if text) + (
        f"; not there: {', '.join(away)}" if away else "") + (f"; {row['rounds']} rounds" if few else "")
    return None if few else False if False in goods else None if None in goods else True, text


def _instructions(rows):
    """Of one row: both backends have to be there."""
    def judge(row):
        both = {"CUDA", "OpenCL"} <= {each["device"] for each in rows if each["operation"] == row["operation"]}
        through_any = row["any_port"] - row["raw"]
        text = f"{row['added']:.0f} of at most 100; {through_any:.0f} of at most 140"
        if row["added"] > 100 or through_any > 140:
            return False, text
        return (True, text) if both else (None, text + "; the other backend was not counted")
    return judge


def _share_of_peer(name, share, instead=None):
    """`instead` judges where the peer is not there."""
    def judge(row):
        if name not in row["peers"]:
            return instead(row) if instead else None
        part = row["yoke"] / row["peers"][name]
        text = f"{part:.2f} of {name}'s, of at most {share:.2f}"
        if row["rounds"] < LEAST_INCLUDES:
            return None, f"{text}; {row['rounds']} rounds"
        return part < share or (share < 1 and part <= share), text
    return judge


# An include takes a second, and varies by a tenth.
LEAST_INCLUDES = 5
# cuda-api-wrappers is in no package; where it was measured, it took 1.8 s to include where OpenCL-CLHPP took 1.1 s.
WRAPPERS_OVER_CLHPP = 1.8 / 1.1


# VexCL is not among them: its launch is the raw calls, which nothing is faster than.
LAUNCH_PEERS = {"cuda": ("cupy", "cuda_core", "numba", "pycuda"), "opencl": ("clhpp", "boost_compute", "pyopencl")}
# Operations that are measured longer, because their bars are narrow.
CLOSE = re.compile(r"launch(_changing)?/\d+|record_existing_event|stream_wait.*|enqueue_copy/.*|copy_async/.*|(device_time/)?copy_.*/64MiB.*")
BAR_ON_PEERS = "launch faster than each peer's"
# What, the rows that it concerns, and what is said of a row: whether it holds (None: that is not shown), and the figure;
# None: not measured.
BARS = (
    ("typed launch over raw launch: 1.02", r"launch(_changing)?/\d+", _ratio(1.02)),
    ("instructions added to a raw 8-argument launch: 100; through any_port: 140", r"instructions/launch(_changing)?/8",
     None),
    ("event record into an existing event: 5 ns added to raw", r"record_existing_event", _added(5)),
    ("stream wait: 5 ns added to raw", r"stream_wait(_own)?", _added(5)),
    ("record and stream wait, one behind the other: 5 ns each", r"stream_wait_after_record", _added(10)),
    ("asynchronous copy: 5 ns added to raw", r"enqueue_copy/.*", _added(5)),
    ("large copies over raw: 1.01", r"(device_time/)?copy_.*/64MiB.*", _ratio(1.01)),
    (BAR_ON_PEERS, r"launch/\d+", _faster_than_each),
    ("<yoke/yoke.hpp> against <CL/opencl.hpp>: less", r"include/yoke.hpp", _share_of_peer("clhpp", 1.0)),
    ("<yoke/cuda.hpp> against cuda-api-wrappers: a third", r"include/cuda.hpp",
     _share_of_peer("cuda-api-wrappers", 1 / 3, instead=_share_of_peer("clhpp", WRAPPERS_OVER_CLHPP / 3))),
    ("stripped size of a program with one launch, over the raw one: 300 KiB", r"program_size",
     lambda row: (row["added"] <= 300 * 1024, f"{row['added'] / 1024:.0f} KiB of at most 300")),
)


def bars_of(rows):
    """For each bar: its name, and a list of (row, holds, figure); an empty list: not measured."""
    result = []
    for title, pattern, judge_one in BARS:
        judge = judge_one or _instructions(rows)
        judged = []
        for row in rows:
            if re.fullmatch(pattern, row["operation"]):
                said = judge(row)
                if said is not None:
                    good, text = said
                    judged.append((row, good, text + processes_text(row, "added" if " ns " in title else "ratio") + settled_text(row)))
        result.append((title, judged))
    return result


# --- measured again ---------------------------------------------------------------------------------------------------

def unsettled(rows):
    """The operations of one device's rows of which a bar is not shown, and more rounds may show it: none that misses another
    bar, which has had its chance, and none that only wants for a peer that is not there."""
    wanting, missed = [], set()
    for title, judged in bars_of([row for row in rows if row["unit"] == "ns"]):
        for row, good, _ in judged:
            if good is False:
                missed.add(row["operation"])
            there = [good for good, text in _beside_peers(row).values() if text]
            only_absent = title == BAR_ON_PEERS and row["rounds"] >= LEAST_ROUNDS and None not in there
            if good is None and not only_absent:
                wanting.append(row["operation"])
    return [name for name in dict.fromkeys(row["operation"] for row in rows) if name in wanting and name not in missed]


BEFORE = ("rounds", *(key + end for key in ("ratio", "added") for end in ("", "_low", "_high")))


def place_of(rows, row):
    """Where the row of the same operation and device is."""
    (place,) = [i for i, each in enumerate(rows) if (each["operation"], each["device"]) == (row["operation"], row["device"])]
    return place


def settle(rows, again, times):
    """Effects: puts rows that were measured again, `times` as long, in the places of those of before, whose figures they keep
    under "settled"."""
    for row in again:
        place = place_of(rows, row)
        row["settled"] = {"times": times, "before": {key: rows[place][key] for key in BEFORE}}
        rows[place] = row


def processes_text(row, key):
    """Between what the processes that have measured a row came out at."""
    values = [each[key] for each in row.get("processes", [])]
    if not values:
        return ""
    low, high = (f"{value:+.1f}" if key == "added" else f"{value:.3f}" for value in (min(values), max(values)))
    return f"; {len(values)} processes {low} to {high}"


def settled_text(row):
    """What is said of a row that was measured again."""
    settled = row.get("settled")
    return f"; measured again: {row['rounds']} rounds in the place of {settled['before']['rounds']}" if settled else ""


# --- words ----------------------------------------------------------------------------------------------------------

def quantity(value, unit):
    """A value with a unit that a person reads: three digits."""
    scales = {"ns": ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")),
              "bytes": ((2**20, "MiB"), (2**10, "KiB"), (1, "B")),
              "s": ((1, "s"), (1e-3, "ms")),
              "instructions": ((1, ""),)}[unit]
    for size, name in scales:
        if abs(value) >= size or name == scales[-1][1]:
            scaled = value / size
            digits = 0 if abs(scaled) >= 100 or unit in ("bytes", "instructions") and size == 1 else 1 if abs(scaled) >= 10 else 2
            return f"{scaled:.{digits}f} {name}".rstrip()
    raise AssertionError("no scale")


def ratio_text(row):
    if row["rounds"] < 6 and row["ratio_low"] != row["ratio_high"]:  # no interval of so few is certain by 95 %
        return f"{row['ratio']:.3f} (all {row['rounds']}: {row['ratio_low']:.3f} to {row['ratio_high']:.3f})"
    return f"{row['ratio']:.3f} ({row['ratio_low']:.3f} to {row['ratio_high']:.3f})"


def control_text(row):
    """What the raw calls come out at beside themselves."""
    control = row.get("control")
    return f"{control['ratio_low']:.3f} to {control['ratio_high']:.3f}" if control else ""


def short(text, most=26):
    """The start of a name, where all of it would make a table too wide."""
    return text if len(text) <= most else text[:most - 3].rstrip() + "..."


def table_rows(rows):
    peers = sorted({name for row in rows for name in row["peers"]})
    head = ["operation", "device", "yoke", "raw", "ratio (95 %)", "raw again", *peers]
    body = [[row["operation"], short(row["device"]), quantity(row["yoke"], row["unit"]), quantity(row["raw"], row["unit"]),
             ratio_text(row), control_text(row), *(quantity(row["peers"][name], row["unit"]) if name in row["peers"] else ""
                                for name in peers)] for row in rows]
    return head, body


def table(rows):
    """The table for a terminal."""
    head, body = table_rows(rows)
    widths = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]
    lines = []
    for line in [head, *body]:
        cells = [cell.ljust(width) if i < 2 else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(line, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


VERDICTS = {True: "holds", False: "missed", None: "not shown"}


def verdict(judged):
    """Of all rows of a bar: whether it holds, or None: that is not shown."""
    goods = [good for _, good, _ in judged]
    return False if False in goods else None if None in goods else True


def bars_text(rows):
    lines = []
    for title, judged in bars_of(rows):
        if not judged:
            lines.append(f"not measured  {title}")
            continue
        word = VERDICTS[verdict(judged)]
        lines.append(f"{word.upper() if word == 'missed' else word:12}  {title}")
        for row, good, figure in judged:
            word = "" if good else f"{VERDICTS[good]}: "
            lines.append(f"              {word}{row['operation']} on {short(row['device'])}: {figure}")
    return "\n".join(lines)


def markdown(rows):
    """One table a device, for docs/performance.md."""
    parts = []
    for device in dict.fromkeys(row["device"] for row in rows):
        chosen = [row for row in rows if row["device"] == device]
        head, body = table_rows(chosen)
        lines = [f"#### {device}", ""]
        for i, line in enumerate([head, None, *body]):
            cells = ["---"] * (len(head) - 1) if line is None else [cell for j, cell in enumerate(line) if j != 1]
            lines.append("| " + " | ".join(cells) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def bars_markdown(rows):
    lines = ["| bar | | figures |", "| --- | --- | --- |"]
    for title, judged in bars_of(rows):
        word = "not measured" if not judged else VERDICTS[verdict(judged)]
        shown = [f"{row['operation']} on {short(row['device'])}: {figure}" for row, good, figure in judged
                 if not good or word == "holds"]
        lines.append(f"| {title.replace('<', '&lt;')} | {word} | {'; '.join(shown)} |")
    return "\n".join(lines)


def plot(rows):
    """An SVG: each row's ratio with its interval, on a line at 1."""
    shown = [row for row in rows if row["raw"] > 0 and row["unit"] == "ns"]
    left, right, line, top = 430, 300, 18, 46
    width, height = left + right + 110, top + line * len(shown) + 40
    lowest = min([0.9, *(row["ratio_low"] for row in shown)])
    highest = max([1.1, *(row["ratio_high"] for row in shown)])
    lowest, highest = max(lowest, 0.25), min(highest, 2.0)

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
        colour = "#1a7f37" if row["ratio_high"] <= 1.02 else "#9a6700" if row["ratio_low"] <= 1.02 else "#cf222e"
        parts.append(f'<text x="{left - 12}" y="{y + 4:.1f}" text-anchor="end">'
                     f'{escape(row["operation"])} <tspan fill="#666">{escape(row["device"][:24])}</tspan></text>')
        parts.append(f'<line x1="{x_of(row["ratio_low"]):.1f}" y1="{y:.1f}" x2="{x_of(row["ratio_high"]):.1f}" '
                     f'y2="{y:.1f}" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<circle cx="{x_of(row["ratio"]):.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        parts.append(f'<text x="{left + right + 14}" y="{y + 4:.1f}">{row["ratio"]:.3f}</text>')
    parts.append(f'<text x="{left}" y="{height - 10}" fill="#666">medians of paired bursts with 95 % intervals; '
                 'green: at most 1.02</text>')
    parts.append("</svg>\n")
    return "\n".join(parts)

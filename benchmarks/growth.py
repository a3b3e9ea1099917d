#!/usr/bin/env python3
"""How time, memory and disk grow with the size of a tree: real repositories joined to 10^4, 10^5, 10^6 and 10^7 lines.

usage: benchmarks/growth.py CHECKOUTS [--most LINES] [--rounds N] [--scratch DIR] [--plot]

CHECKOUTS is a folder of checkouts. For each size whole repositories are copied side by side, in the order of their
names, as long as they fit; at the end, files of the next one. `$FOREWORD` names the binary (default:
target/release/foreword), `$FOREWORD_BENCH` the one of this folder (default: benchmarks/target/release/foreword-bench);
without it, searches and contexts in a process that holds the index are left out.

Writes results/data/growth.tsv beside this script and, from it, docs/images/growth.svg; `--plot` only draws. With
`--most`, smaller than the largest size, nothing is written but to the terminal: that is a smoke test.
"""

import argparse
import csv
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import threading
import time

from memory import tree_bytes

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "results" / "data" / "growth.tsv"
PLOT = HERE.parent / "docs" / "images" / "growth.svg"
SIZES = [10**4, 10**5, 10**6, 10**7]
LARGEST_FILE = 1 << 20

COLUMNS = [
    "lines", "files", "source_mb", "chunks", "cold_index_s", "cold_index_cpu_s", "memory_mb", "disk_mb", "update_ms",
    "cold_search_ms", "name_p50_ms", "name_p95_ms", "question_p50_ms", "question_p95_ms", "context_p50_ms",
    "context_p95_ms", "load", "commit", "date",
]

# Title, unit, columns with their labels.
PANELS = [
    ("Cold index", "s", [("cold_index_s", "by the clock"), ("cold_index_cpu_s", "processor")]),
    ("One edit indexed; search by a cold process", "ms", [("update_ms", "update"), ("cold_search_ms", "search")]),
    ("Search in a process that holds the index", "ms", [("name_p95_ms", "a name, p95"), ("question_p95_ms", "a question, p95")]),
    ("Context of a cursor", "ms", [("context_p50_ms", "p50"), ("context_p95_ms", "p95")]),
    ("Memory of all processes while indexing", "MB", [("memory_mb", "at most")]),
    ("Size on disk", "MB", [("source_mb", "source"), ("disk_mb", "index")]),
]


def sources(checkout):
    """The text files of a checkout with their lines, by path."""
    for folder, folders, names in os.walk(checkout):
        folders[:] = sorted(it for it in folders if it != ".git")
        for name in sorted(names):
            path = pathlib.Path(folder, name)
            if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST_FILE:
                continue
            text = path.read_bytes()
            if b"\0" not in text[:8192]:
                yield path, text.count(b"\n")


def join(checkouts, lines, target):
    """Copies repositories to `target` until they have that many lines."""
    left = lines
    repositories = sorted(it for it in checkouts.iterdir() if it.is_dir())
    cut = None
    for repository in repositories:
        files = list(sources(repository))
        size = sum(it[1] for it in files)
        if size <= left:
            copy(files, checkouts, target)
            left -= size
        elif cut is None or size < cut[0]:
            cut = (size, files)
    if cut and left > lines / 50:
        part = []
        for path, size in cut[1]:
            if left <= 0:
                break
            part.append((path, size))
            left -= size
        copy(part, checkouts, target)
    return lines - left


def copy(files, base, target):
    for path, _ in files:
        to = target / path.relative_to(base)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)


def run(command):
    """Seconds, seconds of processor time, and the most memory of the process tree."""
    before, start, peak = os.times(), time.perf_counter(), 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    over = threading.Event()

    def sample():
        nonlocal peak
        while not over.wait(0.01):
            peak = max(peak, tree_bytes(process.pid))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    _, errors = process.communicate()
    took, after = time.perf_counter() - start, os.times()
    over.set()
    thread.join()
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {errors.decode(errors='replace')}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return took, cpu, peak


def median_ms(command, rounds, prepare=lambda round_: None):
    times = []
    for round_ in range(rounds):
        prepare(round_)
        times.append(run(command)[0] * 1e3)
    return statistics.median(times)


def edited_file(tree):
    """A file of middling size."""
    paths = sorted(it for it in tree.rglob("*.*") if it.suffix in {".py", ".rs", ".go", ".ts", ".js", ".c", ".java", ".php"})
    sizes = sorted(paths, key=lambda it: (it.stat().st_size, it))
    if not sizes:
        raise SystemExit(f"no source file in {tree}")
    return sizes[len(sizes) // 2]


def measured(program, bench, tree, rounds, scratch):
    """The row of a tree."""
    with tempfile.TemporaryDirectory(dir=scratch) as index:
        common = [program, "-C", str(tree), "--here", "--index-dir", index, "--quiet"]
        took, cpu, memory = run(common + ["index"])
        row = {"cold_index_s": took, "cold_index_cpu_s": cpu, "memory_mb": memory / 1e6}
        row["disk_mb"] = sum(it.stat().st_size for it in pathlib.Path(index).rglob("*") if it.is_file()) / 1e6
        # A file changed within the clock's grain of its being read is read again; let that moment pass.
        time.sleep(3)
        run(common + ["index"])
        row["cold_search_ms"] = median_ms(common + ["search", "parse_url", "--json"], rounds)
        path = edited_file(tree)
        text = path.read_bytes()
        edit = lambda round_: path.write_bytes(text + b"\n" * (round_ + 1))
        row["update_ms"] = median_ms(common + ["index"], rounds, edit)
        path.write_bytes(text)
    row |= in_process(bench, tree, scratch)
    return row


# Rows of `foreword-bench query`: name, number, p50, p95.
BENCH_ROWS = {"symbol": "name", "natural language": "question", "saved file": "context"}
BENCH_ROW = re.compile(r"^\| ([a-z ]+) \| \d+ \| ([\d.]+) \| ([\d.]+) \|", re.MULTILINE)
BENCH_TOTALS = re.compile(r"^(\d+) files, (\d+) lines, ([\d.]+) MB, (\d+) chunks", re.MULTILINE)


def in_process(bench, tree, scratch):
    """Searches and contexts in a process that holds the index, and what the index counts; empty without the program."""
    if not os.path.exists(bench):
        return {}
    command = [bench, "query", str(tree)] + (["--scratch", scratch] if scratch else [])
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    row = {}
    for name, middle, high in BENCH_ROW.findall(text):
        if name in BENCH_ROWS:
            row[f"{BENCH_ROWS[name]}_p50_ms"] = float(middle)
            row[f"{BENCH_ROWS[name]}_p95_ms"] = float(high)
    files, lines, megabytes, chunks = BENCH_TOTALS.search(text).groups()
    return row | {"files": int(files), "lines": int(lines), "source_mb": float(megabytes), "chunks": int(chunks)}


def shown(value):
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"
    return str(value)


def commit():
    return os.popen(f"git -C '{HERE}' rev-parse --short HEAD 2>/dev/null").read().strip()


def grow(arguments):
    """The rows of all sizes, each printed as soon as it is there."""
    checkouts = pathlib.Path(arguments.checkouts).resolve()
    program = os.environ.get("FOREWORD", str(HERE.parent / "target/release/foreword"))
    bench = os.environ.get("FOREWORD_BENCH", str(HERE / "target/release/foreword-bench"))
    rows = []
    print("\t".join(COLUMNS))
    for size in [it for it in SIZES if it <= arguments.most]:
        with tempfile.TemporaryDirectory(dir=arguments.scratch) as scratch:
            tree = pathlib.Path(scratch, "tree")
            tree.mkdir()
            lines = join(checkouts, size, tree)
            if lines < size * 0.9:
                print(f"only {lines} lines: more checkouts are needed for {size}")
                break
            files = [it for it in tree.rglob("*") if it.is_file()]
            row = {"lines": lines, "files": len(files), "source_mb": sum(it.stat().st_size for it in files) / 1e6}
            row |= measured(program, bench, tree, arguments.rounds, arguments.scratch)
        row |= {"load": os.getloadavg()[0], "commit": commit(), "date": time.strftime("%Y-%m-%d", time.gmtime())}
        rows.append({name: shown(row.get(name, "")) for name in COLUMNS})
        print("\t".join(rows[-1].values()), flush=True)
    return rows


STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1f2328}.t{font-weight:600}.s{fill:#59636e}"
    ".b{fill:#f6f8fa}.g{stroke:#d1d9e0}.l{fill:none;stroke-width:2}.l0{stroke:#0550ae}.l1{stroke:#bc4c00}"
    ".d0{fill:#0550ae}.d1{fill:#bc4c00}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9198a1}.b{fill:#0d1117}.g{stroke:#3d444d}"
    ".l0{stroke:#79c0ff}.l1{stroke:#ffa657}.d0{fill:#79c0ff}.d1{fill:#ffa657}}"
)
WIDTH, HEIGHT, LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT = 420, 236, 60, 58, 330, 140
# Room beside and below the points for their numbers, in powers of ten.
SIDE, FOOT = 0.25, 0.35


def plot(rows):
    """All panels, two beside each other; both axes are logarithmic."""
    lines = [float(it["lines"]) for it in rows]
    low, high = math.floor(math.log10(min(lines)) * 2) / 2, math.ceil(math.log10(max(lines)) * 2) / 2
    height = HEIGHT * math.ceil(len(PANELS) / 2)
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * 2}" height="{height}"><style>{STYLE}</style>']
    svg.append(f'<rect class="b" width="{WIDTH * 2}" height="{height}" rx="8"/>')
    for number, panel in enumerate(PANELS):
        svg.append(f'<g transform="translate({number % 2 * WIDTH},{number // 2 * HEIGHT})">')
        svg += draw(panel, rows, low, max(high, low + 1))
        svg.append("</g>")
    return "\n".join(svg + ["</svg>", ""])


def draw(panel, rows, low, high):
    title, unit, columns = panel
    points = [[(float(it["lines"]), float(it[column])) for it in rows if it[column]] for column, _ in columns]
    values = [value for series in points for _, value in series if value > 0]
    yield f'<text class="t" x="{LEFT}" y="22">{title}, {unit}</text>'
    if not values:
        yield f'<text class="s" x="{LEFT}" y="70">not measured</text>'
        return
    bottom, top = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    top = max(top, bottom + 1)
    x = lambda it: LEFT + (math.log10(it) - low + SIDE) / (high - low + 2 * SIDE) * PLOT_WIDTH
    y = lambda it: TOP + (top - math.log10(it)) / (top - bottom + FOOT) * PLOT_HEIGHT
    for power in range(bottom, top + 1):
        at = y(10**power)
        yield f'<line class="g" x1="{LEFT}" x2="{LEFT + PLOT_WIDTH}" y1="{at:.1f}" y2="{at:.1f}"/>'
        yield f'<text class="s" x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:,.10g}</text>'
    for power in range(math.ceil(low), math.floor(high) + 1):
        label = f"10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[power]} lines"
        yield f'<text class="s" x="{x(10**power):.1f}" y="{TOP + PLOT_HEIGHT + 18}" text-anchor="middle">{label}</text>'
    # The numbers of the upper line are above it.
    upper = max(range(len(points)), key=lambda it: points[it][-1][1] if points[it] else 0)
    for number, (series, (_, label)) in enumerate(zip(points, columns)):
        yield f'<text class="d{number}" x="{LEFT + number * 150}" y="40">{label}</text>'
        path = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in series)
        yield f'<polyline class="l l{number}" points="{path}"/>'
        for at, value in series:
            beside = y(value) - 7 if number == upper else y(value) + 16
            yield f'<circle class="d{number}" cx="{x(at):.1f}" cy="{y(value):.1f}" r="3"/>'
            yield f'<text class="d{number}" x="{x(at):.1f}" y="{beside:.1f}" text-anchor="middle">{value:.3g}</text>'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="?")
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--scratch")
    parser.add_argument("--plot", action="store_true")
    parser.add_argument("--write", action="store_true", help="write the files although --most is smaller")
    arguments = parser.parse_args()
    if not arguments.plot:
        if not arguments.checkouts:
            parser.error("a folder of checkouts is needed")
        rows = grow(arguments)
        if arguments.most < SIZES[-1] and not arguments.write:
            print(f"{len(plot(rows))} bytes of plot, not written" if rows else "")
            return
        with DATA.open("w", newline="") as out:
            table = csv.DictWriter(out, COLUMNS, delimiter="\t", lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
    with DATA.open() as source:
        PLOT.write_text(plot(list(csv.DictReader(source, delimiter="\t"))))


if __name__ == "__main__":
    main()

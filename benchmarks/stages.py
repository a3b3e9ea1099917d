#!/usr/bin/env python3
"""Where a cold index goes: instructions by stage, for several directories side by side.

usage: benchmarks/stages.py NAME=DIR...

$FOREWORD names the binary, which must have its symbols; the default is target/profiling/foreword of this checkout
(`cargo build --profile profiling`). Valgrind counts, with one thread. Below valgrind no worker process can be started, so
texts are parsed in the process itself: pipes and the start of workers are not counted, nor is the kernel.
"""

import os
import subprocess
import sys
import tempfile

import callgrind

HERE = os.path.dirname(os.path.abspath(__file__))

# The name of a stage, the functions with which it begins, and the stages inside it, which have rows of their own.
STAGES = [
    ("walk", r"foreword_load::walk::walk_until$", []),
    ("read, decode", r"foreword_load::text::read$", ["masks"]),
    ("masks", r"foreword_engine::secret::mask$", []),
    ("parse", r"^ts_parser_parse$", []),
    ("free trees", r"^ts_tree_delete$", []),
    ("guards", r"foreword_chunk::parse::guard::.*is_safe$", []),
    ("symbols", r"foreword_chunk::symbol::(collect::collect|<impl .*Symbols>::new)$", ["imports", "outline"]),
    ("imports", r"foreword_chunk::symbol::import::imports$", []),
    # Without the listing of children, which it shares with the symbols.
    ("outline", r"foreword_chunk::outline::walk::OutlineWalk::(new|visit)$", []),
    ("chunks", r"foreword_chunk::split::chunks$", ["sizes"]),
    ("sizes", r"foreword_chunk::size::Sizes::new$", []),
    ("terms, hash", r"foreword_engine::index::analyze::AnalyzedFile::with_record$", []),
    ("records", r"foreword_engine::index::segment::builder::PackedFile::new$", ["compression"]),
    ("compression", r"^ZSTD_compress2$", []),
    ("postings", r"foreword_engine::index::segment::builder::SegmentBuilder::(add|finish)$", []),
]


def stages(counts):
    """Millions of instructions by stage, without those of the stages inside; what is left; and all together."""
    whole = {name: counts.of(pattern) / 1e6 for name, pattern, _ in STAGES}
    own = {name: whole[name] - sum(whole[it] for it in inside) for name, _, inside in STAGES}
    own["the rest"] = counts.total / 1e6 - sum(own.values())
    own["**all**"] = counts.total / 1e6
    return own


def main():
    if len(sys.argv) < 2 or any("=" not in it for it in sys.argv[1:]):
        sys.exit(__doc__)
    binary = os.environ.get("FOREWORD", os.path.join(HERE, "..", "target", "profiling", "foreword"))
    corpora = dict(it.split("=", 1) for it in sys.argv[1:])
    columns = {}
    for name, directory in corpora.items():
        with tempfile.TemporaryDirectory() as index:
            command = [binary, "-C", directory, "--here", "--index-dir", index, "--quiet", "index", "--threads", "1"]
            columns[name] = stages(callgrind.count(command))
        megabytes = int(subprocess.run(["du", "-sb", directory], capture_output=True, text=True).stdout.split()[0]) / 1e6
        print(f"{name}: {megabytes:.1f} MB, {columns[name]['**all**'] / columns[name]['parse']:.2f} times the parse", file=sys.stderr)
    print("| millions of instructions |" + "".join(f" {it} |" for it in columns))
    print("|---|" + "--:|" * len(columns))
    for stage in next(iter(columns.values())):
        print(f"| {stage} |" + "".join(f" {it[stage]:.1f} |" for it in columns.values()))
    ratios = "".join(f" {it['**all**'] / it['parse']:.2f} |" for it in columns.values())
    print("| all / parse |" + ratios)


if __name__ == "__main__":
    main()

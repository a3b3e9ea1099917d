#!/usr/bin/env python3
"""Writes a trained table as the file that the engine reads (crates/engine/src/dense/table.rs says its form).

    train/terms/export.py --model FILE.npz --out FILE.bin [--dimensions N]
"""

import argparse
import struct
from pathlib import Path

import numpy as np


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True, help="what train.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dimensions", type=int, help="only the first of them")
    args = parser.parse_args()
    model = np.load(args.model)
    table = model["table"][:, : args.dimensions]
    assert table.shape[1] % 64 == 0, "the engine reads blocks of 64 dimensions"
    args.out.write_bytes(packed(table, model["question"], model["fields"], model["terms"]))
    print(f"{len(table)} terms, {table.shape[1]} dimensions, {args.out.stat().st_size} bytes")


def packed(table, question, fields, terms):
    """The bytes of a table."""
    names = [it.encode() for it in terms]
    order = sorted(range(len(names)), key=lambda at: names[at])
    table, question = table[order], np.exp(question[order])
    scales = np.maximum(np.abs(table).max(1), 1e-30) / 127
    numbers = np.rint(table / scales[:, None]).astype(np.int8)
    place, named, body = np.exp(fields)
    text = b"".join(names[at] + b"\n" for at in order)
    head = struct.pack("<8sII4fI", b"fwterms1", len(names), table.shape[1], body, named, place, body, len(text))
    return head + text + question.astype("<f4").tobytes() + scales.astype("<f4").tobytes() + numbers.tobytes()


if __name__ == "__main__":
    main()

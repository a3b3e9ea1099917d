"""The memory of running processes."""

import os
import pathlib


def tree_bytes(pid):
    """The memory of a process and all below it, each page divided by its users."""
    pids, total = [pid], 0
    for pid in pids:
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                pids.extend(map(int, pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split()))
            lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += sum(int(it.split()[1]) << 10 for it in lines if it.startswith("Pss:"))
        except (OSError, ValueError):
            pass
    return total

"""Runs programs from a cold process, in turns, and prints their times and memory side by side."""

import os
import statistics
import time


def run(command, env=None, cwd=None):
    """Seconds, CPU seconds, peak bytes and exit code of a program whose output nobody reads.

    The peak is that of the largest process among the program and what it waited for.
    """
    start = time.perf_counter()
    null = os.open(os.devnull, os.O_RDWR)
    pid = os.fork()
    if pid == 0:
        for descriptor in range(3):
            os.dup2(null, descriptor)
        if cwd:
            os.chdir(cwd)
        try:
            os.execvpe(command[0], command, env or os.environ)
        finally:
            os._exit(127)
    os.close(null)
    _, status, usage = os.wait4(pid, 0)
    took = time.perf_counter() - start
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status)


def describe(title):
    """What a reader must know of the machine."""
    git = os.popen("git -C '%s' rev-parse --short HEAD 2>/dev/null" % os.path.dirname(os.path.abspath(__file__)))
    load = os.getloadavg()[0]
    date = time.strftime("%Y-%m-%d %H:%MZ", time.gmtime())
    print(f"    {title}\n    {date}; commit {git.read().strip()}; {os.cpu_count()} cores; load {load:.2f}\n")


def wait_for_quiet(most):
    """Waits for a load below 1, no longer than `most` seconds."""
    end = time.monotonic() + most
    while os.getloadavg()[0] >= 1 and time.monotonic() < end:
        time.sleep(5)


def table(cases, rounds, env=None):
    """Runs every (name, command) `rounds` times in turns and prints a row for each."""
    times = {name: [] for name, _ in cases}
    peaks = {name: 0 for name, _ in cases}
    codes = {}
    for _ in range(rounds):
        for name, command in cases:
            took, _, peak, codes[name] = run(command, env)
            times[name].append(took * 1e3)
            peaks[name] = max(peaks[name], peak)
    print("| from a cold process | least ms | median ms | p95 ms | peak MB | exit code |\n|---|---|---|---|---|---|")
    for name, _ in cases:
        all_times = sorted(times[name])
        high = all_times[min(len(all_times) - 1, int(len(all_times) * 0.95))]
        middle = statistics.median(all_times)
        print(f"| {name} | {all_times[0]:.1f} | {middle:.1f} | {high:.1f} | {peaks[name] / 1e6:.0f} | {codes[name]} |")
    print(f"\nload at the end {os.getloadavg()[0]:.2f}")

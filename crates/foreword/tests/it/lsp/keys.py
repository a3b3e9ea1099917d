"""Drives a program on a terminal of its own by its keys.

Arguments: the steps, as JSON, and the program with its arguments. A step is [keys, text, seconds, tries]: the keys are
typed, until the program has written the text, or the seconds are over; then they are typed again, as often as that.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

steps, program = json.loads(sys.argv[1]), sys.argv[2:]
process, terminal = pty.fork()
if process == 0:
    # Vim shows no menu on terminals without colours.
    os.environ["TERM"] = "xterm-256color"
    os.execv(program[0], program)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 140, 0, 0))


def is_seen(text, seconds):
    """Whether the program writes the text before the time is over."""
    written, end = b"", time.time() + seconds
    while time.time() < end and not (text and text.encode() in written):
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                written += os.read(terminal, 1 << 16)
            except OSError:
                break
    return text and text.encode() in written


for keys, text, seconds, tries in steps:
    for _ in range(tries):
        os.write(terminal, keys.encode())
        if is_seen(text, seconds):
            break
os.close(terminal)

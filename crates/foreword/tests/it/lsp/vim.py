"""Drives a Vim on a terminal of its own by its keys: types $TYPED at the end of the file, asks for the menu of its omni
completion, accepts the item, and saves.

Arguments: the program, the file of its settings, the file to edit.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

vim, settings, file = sys.argv[1:]
process, terminal = pty.fork()
if process == 0:
    # Vim shows no menu on terminals without colours.
    os.environ["TERM"] = "xterm-256color"
    os.execv(vim, [vim, "-i", "NONE", "-Nu", settings, file])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 140, 0, 0))


def read(seconds, until=None):
    """What Vim writes on the terminal, until it has written `until` or the time is over."""
    written, end = b"", time.time() + seconds
    while time.time() < end and not (until and until in written):
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                written += os.read(terminal, 1 << 16)
            except OSError:
                break
    return written


def keys(text):
    os.write(terminal, text.encode())


typed = os.environ["TYPED"]
# The screen is drawn when the last line of the file is.
read(20, b"delta")
read(1)
keys("Go" + typed)
read(10, typed[-4:].encode())
read(1)
# The server may still be starting when it is asked for the first time.
for _ in range(6):
    keys("\x18\x0f")
    if b"reload=True" in read(5, b"reload=True"):
        break
read(0.5)
keys("\x19")
read(0.5)
keys("\x1b:wq!\r")
read(5)
os.close(terminal)

"""Runs a command in a terminal: its width, the lines that are typed, the file for standard output, and the command are the arguments.

A line is typed at each prompt, with `--plain` or a file all of them at once; SIGTERM in the place of a line is sent. Escapes such as
`\\r` and `\\xe9` stand for single bytes. For `-` in place of the file, standard output is the terminal, too. Prints as JSON what the
command showed, how it ended, and whether the terminal still has the mode in which it was.
"""

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time

width, typed, file, *command = sys.argv[1:]
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(width), 0, 0))
before = termios.tcgetattr(slave)
environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
environment.pop("NO_COLOR", None)
output = slave if file == "-" else os.open(file, os.O_WRONLY | os.O_CREAT)
process = subprocess.Popen(
    command, stdin=slave, stdout=output, stderr=slave, start_new_session=True, env=environment
)
PROMPT = b"\x1b[?2004h"  # an editor of lines has pastes bracketed
lines, typing = typed.splitlines(), 0
at_once = "--plain" in command or file != "-"
shown, deadline, ended = b"", time.time() + 60, False
while True:
    if time.time() > deadline:
        process.kill()
        sys.exit("it did not end")
    while typing < len(lines) and (at_once or typing < shown.count(PROMPT)):
        if lines[typing] == "SIGTERM":
            process.terminate()
        else:
            os.write(master, lines[typing].encode().decode("unicode_escape").encode("latin-1") + b"\r")
        typing += 1
    if select.select([master], [], [], 0.05)[0]:
        shown += os.read(master, 65536)
    elif ended:
        break
    # What it showed last is still to be read.
    ended = process.poll() is not None
restored = termios.tcgetattr(slave) == before
print(json.dumps({"shown": shown.decode(), "code": process.returncode, "restored": restored}))

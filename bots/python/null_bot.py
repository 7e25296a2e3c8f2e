"""A player for Knave that always plays the first move: it measures what the protocol costs."""

import json
import sys

HELLO = '{"type":"hello","protocol":1,"name":"null","version":"1.0","wants":[]}\n'


def answer(message):
    kind = message.get("type")
    if kind == "choose":
        return f'{{"id":{message["id"]},"move":0}}\n'
    if kind == "ping":
        return f'{{"id":{message["id"]},"type":"pong"}}\n'
    return HELLO if kind == "hello" else ""


rest, chunk, ended = b"", b"\n", False
while chunk and not ended:
    chunk = sys.stdin.buffer.read1(1 << 16)
    whole, _, rest = (rest + (chunk or b"\n")).rpartition(b"\n")
    messages = json.loads(b"[%s]" % whole.replace(b"\n", b","))
    sys.stdout.write("".join(map(answer, messages)))
    sys.stdout.flush()
    ended = any(message.get("type") == "quit" for message in messages)

"""A player that goes wrong in the way that its first argument names, from the question on whose number is the second."""

import json
import os
import subprocess
import sys
import time

way, start, asked, seen, waiting = sys.argv[1], 1, 0, {}, []


def say(end="\n", **fields):
    sys.stdout.write(json.dumps(fields) + end)
    sys.stdout.flush()


def latin(number):
    sys.stdout.buffer.write(b'{"id": %d, "move": 0, "note": "\xe9"}\n' % number)
    sys.stdout.flush()


def go_wrong(message):
    number = message["id"]
    if way == "late":
        if sys.argv[3:]:
            open(sys.argv[3], "x").close()
        time.sleep(600)
    elif way == "drip":
        open(sys.argv[3], "x").close()
        while True:
            say(id=7, move=0)
            time.sleep(0.02)
    elif way == "thinks":
        # The first time it tells when it begins.
        if asked == start:
            open(sys.argv[3], "x").close()
            time.sleep(0.5)
        say(id=number, move=0)
    elif way == "bare":
        say(end="", id=number, move=0)
    elif way == "half":
        print('{"id":', end="", flush=True)
        os._exit(0)
    elif way == "deaf":
        while True:
            pass
    elif way == "illegal":
        say(id=number, move=len(message["moves"]))
    elif way == "unheard":
        say(id=number, move="castle long")
    elif way == "malformed":
        print("good morning", flush=True)
    elif way == "list":
        print(json.dumps([number, 0]), flush=True)
    elif way == "unknown":
        say(id=number + 100000, move=0)
        say(id=number, move=0)
    elif way == "flood":
        while True:
            sys.stdout.write("x" * 65536)
    elif way == "closed":
        os.close(1)
        time.sleep(600)
    elif way == "crash":
        # The last words count, however much was said before.
        print("x" * 2_000_000 + "\nsomething broke", file=sys.stderr, flush=True)
        os._exit(3)
    elif way == "hungry":
        held = bytearray(1 << 33)
        say(id=number, move=len(held) - len(held))
    elif way == "moody":
        say(id=number, move=(os.getpid() + asked) % len(message["moves"]))
    elif way == "loud":
        print("x" * 100000, file=sys.stderr, flush=True)
        say(id=number, move=0)
    elif way == "children":
        subprocess.Popen(["sleep", "600424242"], stdin=subprocess.DEVNULL)
        say(id=number, move=0)
    elif way == "seldom" and message["seed"] % 97 == 0:
        os._exit(1)
    elif way == "fragile":
        if message["seed"] % 13 == 0:
            os._exit(3)
        say(id=number, move=message["seed"] % len(message["moves"]))
    elif way == "counting":
        # By the game alone: by how much has happened in it, and wrong before two moves have.
        seen[message["game_id"]] = seen.get(message["game_id"], 0) + len(message["events"])
        happened = seen[message["game_id"]]
        say(id=number, move=happened % len(message["moves"]) if happened > 1 else "castle long")
    elif way == "once":
        # Only the first process does.
        try:
            open(sys.argv[3], "x").close()
            os._exit(3)
        except FileExistsError:
            say(id=number, move=message["seed"] % len(message["moves"]))
    elif way == "heap":
        # The first process sends a heap of answers to no question, all others one with each answer.
        try:
            open(sys.argv[3], "x").close()
            strays = 10_200
        except FileExistsError:
            strays = 1
        print('{"id":7,"move":0}\n' * strays, end="", flush=True)
        say(id=number, move=0)
    elif way == "latin":
        latin(number)
    elif way == "latin-first":
        # Of two questions the second one is answered first, and not in UTF-8.
        if asked % 2:
            waiting.append(number)
        else:
            latin(number)
            say(id=waiting.pop(), move=0)
    elif way == "unlike":
        # A game with a large number repeats the questions of another.
        say(id=number, move=0 if message["game_id"] < 1 << 52 else "castle long")
    elif way == "numbered":
        say(id=number, move=None)
    elif way == "slow":
        # The first eight take longer together than a limit of a second allows for one.
        time.sleep(0.2 if asked <= 8 else 0)
        say(id=number, move=0)
    elif way == "slow-illegal":
        time.sleep(0.2)
        say(id=number, move="castle long")
    elif way == "long":
        say(id=number, move=0, why="x" * 2_000_000)
    elif way == "twice":
        say(id=number, move=0)
        say(id=number, move=0)
    elif way == "chatty":
        say(id=number, move=0)
        print("good morning", flush=True)
    elif way == "seldom":
        say(id=number, move=0)
    elif way in ("ordered", "backwards"):
        # The last move; the dice of a placement stand in their order, or the other way round.
        first, *parts = message["moves"][-1].split(" ")
        if way == "backwards" and first == "place":
            parts.reverse()
        say(id=number, move=" ".join([first, *parts]))
    elif way == "parity":
        # By the number of the game.
        say(id=number, move=message["game_id"] % 2 % len(message["moves"]))
    elif way == "environment":
        print(sorted(os.environ), os.getcwd(), file=sys.stderr, flush=True)
        say(id=number, move=0)


if way == "apart":
    os.setsid()
if way == "records":
    # What it was told goes to the file that the second argument names.
    record = open(sys.argv[2], "ab", buffering=0)
elif way == "forgetful":
    known = set()
elif sys.argv[2:]:
    start = int(sys.argv[2])
for line in sys.stdin:
    message = json.loads(line)
    kind = message["type"]
    if way == "records":
        record.write(line.encode())
    if way == "forgetful" and kind == "new":
        known.add(message["game_id"])
    elif way == "forgetful" and kind == "end":
        known.remove(message["game_id"])
    elif way == "forgetful" and kind == "choose" and asked == 25:
        os._exit(3)
    if kind == "hello" and way == "mute":
        time.sleep(600)
    elif kind == "hello" and way == "future":
        say(protocol=2, name="odd")
    elif kind == "hello" and way == "list-hello":
        print(json.dumps([1, "odd", "1", []]), flush=True)
    elif kind == "hello" and way == "bare-hello":
        say(end="", protocol=1, name="odd")
        os._exit(0)
    elif kind == "hello" and way == "misspelt":
        say(protocol=1, name="odd", wants=["View"])
    elif kind == "hello" and way == "nameless":
        say(protocol=1, name=" ")
    elif kind == "hello" and way == "escaping":
        say(protocol=1, name="o\n\x1b[2Jdd")
    elif kind == "hello" and way == "long-hello":
        say(protocol=1, name="x" * 2_000_000)
    elif kind == "hello":
        # Of an unknown version some libraries say null.
        say(protocol=1, name="odd", version=None if way == "right" else "1")
        if way == "early":
            # It does not read the first question, which was sent meanwhile.
            time.sleep(0.1)
            for number in range(1, 1001):
                say(id=number, move=0)
    elif kind == "ping" and way == "list-pong":
        print(json.dumps([message["id"], "pong"]), flush=True)
    elif kind == "ping":
        say(id=message["id"], type="pong")
    elif kind == "quit" and way == "sorry":
        sys.exit("something broke in the end")
    elif kind == "quit" and way == "unhurried":
        time.sleep(10)
        break
    elif kind == "quit" and way not in ("stubborn", "apart"):
        break
    elif kind == "choose":
        asked += 1
        steady = ("records", "stubborn", "right", "apart", "forgetful", "early", "sorry", "unhurried", "escaping")
        if asked >= start and way not in steady:
            go_wrong(message)
        else:
            say(id=message["id"], move=message["seed"] % len(message["moves"]))
if way in ("stubborn", "apart"):
    time.sleep(600)

"""Tests of the starter kits: `python3 bots/test_bots.py`. With `--speed` it measures them instead."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = [sys.executable, str(HERE / "python" / "bot.py")]
NULL = [sys.executable, str(HERE / "python" / "null_bot.py")]
NODE = [shutil.which("node"), str(HERE / "javascript" / "bot.js")]
PLAYERS = [PYTHON] + ([NODE] if NODE[0] else [])  # the bots that look at the question
BOTS = [*PLAYERS, NULL]
if not NODE[0]:
    print("there is no node: the kit in JavaScript is not tested", file=sys.stderr)
    if os.environ.get("KNAVE_CHECK"):
        sys.exit(1)
TIMEOUT = 20  # seconds until a bot that hangs is ended

HELLO = {"type": "hello", "protocol": 1, "knave": "0.2.0", "game": "dungeon"}


def column(cards, top="", **fields):
    return {"cards": cards, "top": top or cards[-1][0], "direction": "none", "finished": False, **fields}


# By game: rules, the number of seats, and questions with their moves, views and best moves. Where several will do, or
# chance decides, the best is None.
GAMES = {
    "dungeon": (
        {"avoid_order": "kept", "weapon_limit": "at_most", "unfaced": "pile_and_room", "health": 20},
        1,
        [
            # The strong monster with the fresh weapon.
            (
                ["fight 2C bare", "fight 2C weapon", "fight QS bare", "fight QS weapon"],
                {"health": 15, "weapon": 9, "limit": None, "room": ["2C", "QS"], "to_face": 1, "drunk": False},
                "fight QS weapon",
            ),
            (
                ["drink 9H", "fight AC bare", "take 2D"],
                {"health": 8, "weapon": 8, "limit": 3, "room": ["9H", "AC", "2D"], "to_face": 1, "drunk": False},
                "drink 9H",
            ),
            (
                ["avoid", "fight AC bare", "fight AS bare", "fight KC bare", "fight QS bare"],
                {"health": 20, "weapon": 0, "limit": None, "room": ["AC", "AS", "KC", "QS"], "to_face": 3},
                "avoid",
            ),
        ],
    ),
    "verslun": (
        {"aces_wild": False, "match": "suit", "hand": 5, "columns": 4, "target": 100},
        1,
        [
            (["draw", "stay"], {"phase": "turn", "points": 0, "hand": [], "columns": [], "unseen": []}, "draw"),
            (
                ["claim a 2C", "claim b KD", "claim b KD QD", "pass"],
                {
                    "hand": ["2C", "KD", "QD"],
                    "columns": [
                        {"cards": ["3C", "4H", "5H", "6H"], "partners": [], "points": 0},
                        {"cards": ["3D", "4D", "5H", "6H"], "partners": [], "points": 0},
                    ],
                    "unseen": ["2H"],
                },
                "claim b KD QD",
            ),
            (["end", "on"], {"phase": "end"}, "on"),
        ],
    ),
    "columns": (
        {"finish": "at_least", "max_rounds": 1000},
        2,
        [
            (
                ["place a1 b2 c5", "place a5 b1 c2"],
                {
                    "mover": 0,
                    "columns": [
                        [column(["4C", "5C", "6C"]), column(["2C"]), column(["3C"]), column(["7C"])],
                        [column(["TC"]), column(["JC"]), column(["QC"]), column(["9C"])],
                    ],
                },
                "place a5 b1 c2",
            ),
            (["play a 5H", "play a 5S", "done"], {"mover": 0}, None),
            (["finish b", "play a 5H", "done"], {"mover": 1}, "finish b"),
        ],
    ),
    "doubles": (
        {"players": 2, "cards": 7, "max_rolls": 10000, "target": 0, "teams": []},
        2,
        [
            (["challenge 9H", "challenge KD", "pass"], {"stakes": 5}, "pass"),
            (["challenge 9H", "challenge KD", "pass"], {"stakes": 21}, "challenge 9H"),
            (["pocket", "roll"], {"stakes": 9}, "pocket"),
        ],
    ),
    "whist": (
        {"scoundrels": "printed", "ace": -1, "count": "ko"},
        4,
        [
            (["play 2C", "play 9C", "play JC"], {"trump": "H", "led": None, "trick": []}, "play 2C"),
            (["play 2C", "play 7C"], {"trump": "H", "led": "C", "trick": ["3C", "4C"]}, "play 7C"),
            (["play 2D", "play KD"], {"trump": "H", "led": "C", "trick": ["KC", "QC"]}, "play KD"),
        ],
    ),
}


def script(seed=1):
    """Messages about a game of each kind at once, and the questions among them by their ids."""
    messages, questions = [HELLO], {}
    for game_id, (game, (rules, seats, _)) in enumerate(GAMES.items(), 7):
        message = {"type": "new", "game_id": game_id, "game": game, "rules": rules, "seat": 0, "seats": seats}
        messages.append({**message, "a field of later versions": [{"id": 3}]})
    for turn in range(3):
        for game_id, (_, _, asked) in enumerate(GAMES.values(), 7):
            moves, view, best = asked[turn]
            ident = 1000 + len(questions)
            question = {"type": "choose", "id": ident, "game_id": game_id, "seed": seed * 2**52 // 7 + ident}
            messages.append({**question, "moves": moves, "view": view, "events": [{"roll": [3, 5]}], "later": None})
            questions[ident] = (moves, best)
        messages.append({"type": "a type of later versions", "id": 5})
    messages += [{"type": "end", "game_id": game_id, "won": True, "score": 3.0} for game_id in range(7, 12)]
    messages.append({"type": "ping", "id": 77})
    return messages, questions


def lines(messages):
    return "".join(json.dumps(message, separators=(",", ":")) + "\n" for message in messages).encode()


class Bot:
    """A bot that runs, and is ended if it hangs."""

    def __init__(self, command, cwd=None):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd)
        self.timer = threading.Timer(TIMEOUT, self.process.kill)

    def __enter__(self):
        self.timer.start()
        return self

    def __exit__(self, *_):
        self.timer.cancel()
        self.process.kill()
        self.process.communicate()

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self, count):
        return [json.loads(self.process.stdout.readline()) for _ in range(count)]

    def finish(self):
        """Ends the input. What else is printed, what is said of errors, and the exit code."""
        out, err = self.process.communicate()
        return [json.loads(line) for line in out.splitlines()], err.decode(), self.process.returncode


def run(command, data):
    with Bot(command) as bot:
        bot.send(data)
        return bot.finish()


class Kits(unittest.TestCase):
    maxDiff = None

    def each(self, bots, test):
        for command in bots:
            with self.subTest(Path(command[1]).name):
                test(command)

    def check(self, questions, answers):
        """There is one legal answer to each question, the hello and the ping."""
        hello = [answer for answer in answers if answer.get("type") == "hello"]
        self.assertEqual(len(hello), 1)
        self.assertEqual(hello[0]["protocol"], 1)
        self.assertTrue(hello[0]["name"] and hello[0]["version"])
        self.assertLessEqual(set(hello[0].get("wants", [])), {"view", "events"})
        self.assertEqual([answer for answer in answers if answer.get("type") == "pong"], [{"id": 77, "type": "pong"}])
        moves = {answer["id"]: answer["move"] for answer in answers if "type" not in answer}
        self.assertEqual(len(answers), len(questions) + 2)
        self.assertEqual(set(moves), set(questions))
        for ident, move in moves.items():
            legal = questions[ident][0]
            self.assertIn(move, legal if isinstance(move, str) else range(len(legal)))
        return moves

    def test_a_whole_script_at_once(self):
        def test(command):
            messages, questions = script()
            answers, err, code = run(command, lines(messages))
            self.check(questions, answers)
            self.assertEqual((err, code), ("", 0))

        self.each(BOTS, test)

    def test_the_heuristics(self):
        def test(command):
            messages, questions = script()
            moves = self.check(questions, run(command, lines(messages))[0])
            best = {ident: best for ident, (_, best) in questions.items() if best}
            self.assertEqual({ident: moves[ident] for ident in best}, best)

        self.each(PLAYERS, test)

    def test_the_rules_count(self):
        """With more health than by default a potion heals as far as the rules allow."""

        def test(command):
            rules = {**GAMES["dungeon"][0], "health": 40}
            new = {"type": "new", "game_id": 1, "game": "dungeon", "rules": rules, "seat": 0, "seats": 1}
            view = {"health": 30, "weapon": 0, "limit": None, "room": ["9H", "QS"], "to_face": 1, "drunk": False}
            question = {"type": "choose", "id": 1, "game_id": 1, "seed": 3, "moves": ["fight QS bare", "drink 9H"], "view": view}
            answers = run(command, lines([HELLO, new, question]))[0]
            self.assertIn(answers[1]["move"], [1, "drink 9H"])

        self.each(PLAYERS, test)

    def test_fields_may_be_missing(self):
        def test(command):
            messages, questions = script()
            without = [{**message, "view": {}} if "view" in message else message for message in messages]
            self.check(questions, run(command, lines(without))[0])
            for message in without:
                for field in ("view", "events", "rules"):
                    message.pop(field, None)
            self.check(questions, run(command, lines(without))[0])

        self.each(BOTS, test)

    def test_an_unknown_game_and_a_game_that_was_not_announced(self):
        def test(command):
            question = {"type": "choose", "id": 1, "game_id": 5, "seed": 3, "moves": ["a", "b c"], "view": {}}
            new = {"type": "new", "game_id": 5, "game": "later", "rules": {}, "seat": 0, "seats": 1}
            for messages in ([HELLO, question], [HELLO, new, question]):
                answers, err, code = run(command, lines(messages))
                self.assertIn(answers[1]["move"], [0, "a", "b c"])
                self.assertEqual((len(answers), err, code), (2, "", 0))

        self.each(BOTS, test)

    def test_the_seed_decides(self):
        def test(command):
            new = {"type": "new", "game_id": 1, "game": "later", "rules": {}, "seat": 0, "seats": 1}
            moves = [f"move {letter}" for letter in "abcdefgh"]
            seeds = [k * 2**53 // 40 for k in range(40)]

            def answers(order):
                ask = [{"type": "choose", "id": k, "game_id": 1, "seed": seeds[k], "moves": moves} for k in order]
                given = run(command, lines([HELLO, new, *ask]))[0]
                return {answer["id"]: answer["move"] for answer in given[1:]}

            forwards = answers(range(40))
            self.assertEqual(forwards, answers(reversed(range(40))))
            self.assertGreater(len(set(forwards.values())), 4)

        self.each(PLAYERS, test)

    def test_a_line_may_come_in_pieces(self):
        def test(command):
            messages, questions = script()
            data = lines(messages)
            with Bot(command) as bot:
                for start in range(0, len(data), 397):
                    bot.send(data[start : start + 397])
                    time.sleep(0.005)
                answers = bot.receive(len(questions) + 2)
                self.check(questions, answers)
                self.assertEqual(bot.finish(), ([], "", 0))

        self.each(BOTS, test)

    def test_every_line_is_answered_before_the_next(self):
        def test(command):
            messages, questions = script()
            answers = []
            with Bot(command) as bot:
                for message in messages:
                    bot.send(lines([message]))
                    if message["type"] in ("hello", "choose", "ping"):
                        answers += bot.receive(1)
                self.check(questions, answers)
                self.assertEqual(bot.finish(), ([], "", 0))

        self.each(BOTS, test)

    def test_quit_ends_while_the_input_is_open(self):
        def test(command):
            messages, questions = script()
            with Bot(command) as bot:
                bot.send(lines([*messages, {"type": "quit"}]))
                answers = bot.receive(len(questions) + 2)
                self.assertEqual(bot.process.wait(), 0)
                self.check(questions, answers)

        self.each(BOTS, test)

    def test_the_input_may_end_at_once_or_within_a_line(self):
        def test(command):
            self.assertEqual(run(command, b""), ([], "", 0))
            answers, err, code = run(command, lines([HELLO, {"type": "ping", "id": 77}]).rstrip())
            self.assertEqual((len(answers), err, code), (2, "", 0))

        self.each(BOTS, test)

    def test_a_line_may_be_long_and_hold_any_text(self):
        def test(command):
            text = "Ж€😀" * 60_000
            answers, err, code = run(
                command, json.dumps({**HELLO, "note": text}, ensure_ascii=False).encode() + b"\n" + lines([HELLO])
            )
            self.assertEqual((len(answers), err, code), (2, "", 0))

        self.each(BOTS, test)

    def test_what_choose_prints_goes_to_standard_error(self):
        code = "import bot\ndef loud(question):\n    print('thinking')\n    return 0\nbot.main(loud)"
        js = "require('./bot.js').main(() => { console.log('thinking'); return 0; })"
        commands = [([sys.executable, "-c", code], HERE / "python")]
        if NODE[0]:
            commands.append(([NODE[0], "-e", js], HERE / "javascript"))
        question = {"type": "choose", "id": 1, "game_id": 1, "seed": 3, "moves": ["a"], "view": {}}
        for command, folder in commands:
            with self.subTest(command[0]):
                with Bot(command, cwd=folder) as bot:
                    bot.send(lines([question]))
                    answers, err, code = bot.finish()
                self.assertEqual((answers, err.strip(), code), ([{"id": 1, "move": 0}], "thinking", 0))

    def test_what_is_printed_while_it_loads_goes_to_standard_error(self):
        prints = {"bot.py": ("import json", "print('loading')\n"), "bot.js": ("const NAME", "console.log('loading');\n")}

        def test(command):
            kit = Path(command[1])
            before, line = prints[kit.name]
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / kit.name
                copy.write_text(kit.read_text(encoding="utf-8").replace(before, line + before, 1), encoding="utf-8")
                answers, err, code = run([command[0], str(copy)], lines([HELLO]))
            self.assertEqual((len(answers), err.strip(), code), (1, "loading", 0))

        self.each(PLAYERS, test)

    def test_an_error_is_told_and_the_answers_before_it_are_given(self):
        def test(command):
            answers, err, code = run(command, lines([HELLO]) + b"no message\n")
            self.assertEqual((len(answers), code), (1, 1))
            self.assertIn("JSON", err)

        self.each(PLAYERS, test)


def speed(count=200_000, batch=64):
    """Questions of dungeon a second, in batches whose answers are waited for, as `sim` does it."""
    first = [("python, index 0", [sys.executable, "-c", "import bot; bot.main(lambda question: 0)"], "python", True)]
    if NODE[0]:
        trivial = "require('./bot.js').main(() => 0)"
        first.append(("javascript, index 0", [NODE[0], "-e", trivial], "javascript", True))
    bots = [("null bot", NULL, ".", False), *first, ("python", PYTHON, ".", True)]
    if NODE[0]:
        bots.append(("javascript", NODE, ".", True))
    asked = GAMES["dungeon"][2]
    view = {**asked[1][1], "may_avoid": False, "unfaced": 100, "drawn_of_block": 0, "avoided": ["2C", "3S", "4D", "KC"]}
    view["unseen"] = [rank + suit for suit in "CS" for rank in "3456789TJQ"]
    new = {"type": "new", "game": "dungeon", "rules": GAMES["dungeon"][0], "seat": 0, "seats": 1}
    for name, command, folder, wants in bots:
        question = {"type": "choose", "id": 0, "game_id": 0, "seed": 2**52 + 1, "moves": asked[1][0]}
        if wants:
            question["view"] = view
        ask = [{**question, "game_id": k, "id": k} for k in range(batch)]
        data = lines(ask)
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=HERE / folder)
        process.stdin.write(lines([HELLO, *({**new, "game_id": k} for k in range(batch))]))
        answers = process.stdout
        assert b"hello" in answers.read(1 << 16)
        start = time.perf_counter()
        for _ in range(count // batch):
            process.stdin.write(data)
            left = batch
            while left > 0:
                left -= answers.read(1 << 16).count(b"\n")
        seconds = time.perf_counter() - start
        process.stdin.close()
        process.wait()
        rate = count // batch * batch / seconds
        print(f"{name:20} {rate:10,.0f} questions/s, {len(data) // batch} bytes each", flush=True)


if __name__ == "__main__":
    if "--speed" in sys.argv:
        speed()
    else:
        unittest.main()

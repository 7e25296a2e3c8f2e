"""Players written in Python: batches, fairness of what they are told, errors, reproducible tables."""

import gc
import random
import signal
import threading
import time
import weakref
from collections.abc import Iterable

import numpy as np
import pytest

import knave


class First:
    def choose(self, decisions):
        return np.zeros(len(decisions), dtype=np.int64)


class Seeded:
    """Random by the seeds that it is given."""

    batch = 7

    def choose(self, decisions):
        return [random.Random(decision.seed).randrange(len(decision.moves)) for decision in decisions]


class Careful:
    """Looks at everything that a decision has."""

    uses_history = True

    def __init__(self):
        self.seen = 0
        self.ends = []

    def choose(self, decisions):
        assert decisions.game == "whist" and len(decisions) == len(decisions.move_counts)
        assert list(decisions.seeds) == [decision.seed for decision in decisions]
        assert list(decisions.seats) == [decision.seat for decision in decisions]
        for decision in decisions:
            view = decision.view
            assert decision.seats == 4 and view["mover"] == decision.seat
            assert {move.split()[1] for move in decision.moves} <= set(view["hand"])
            played = [event["move"] for event in decision.events]
            assert len(played) + len(view["hand"]) + len(view["others"]) == 52
            self.seen += 1
        assert repr(decisions[-1]) == f"<Decision of seat {decisions[-1].seat} in whist: {len(decisions[-1].moves)} moves>"
        with pytest.raises(IndexError):
            decisions[len(decisions)]
        assert [decision.seed for decision in decisions[::-2]] == list(decisions.seeds)[::-2] and decisions[5:5] == []
        return [0] * len(decisions)

    def end(self, game_id, seat, won, score):
        self.ends.append((game_id, seat, won, score))


def tables(run):
    return {path.name: path.read_bytes() for path in run.folder.glob("*.csv")}


def test_it_takes_any_seat_and_hears_what_it_may():
    """A player sits beside agents, is told its view and the public events, and of the end of each of its games once."""
    player = Careful()
    run = knave.run("whist", [player, "random", "rule", "random"], n=30, seed=2, games=True, threads=1)
    assert player.seen == 30 * 13
    assert len(player.ends) == 30 and {seat for _, seat, _, _ in player.ends} == {0}
    results = zip(run.games["seat"], run.games["won"], run.games["score"], strict=True)
    assert [(won, score) for _, _, won, score in player.ends] == [(won, score) for seat, won, score in results if seat == 0]
    assert run.summary["agent"][0] == "Careful"
    recorded = run.manifest["request"]["agents"][0]
    assert recorded["agent"] == "python" and recorded["options"] == {"class": f"{__name__}.Careful"}


class Counting:
    """Sleeps while it is asked, so that another thread would come in between."""

    batch = 16

    def __init__(self):
        self.inside = self.most = 0
        self.threads, self.ended = set(), []

    def choose(self, decisions):
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.threads.add(threading.get_ident())
        time.sleep(0.001)
        self.inside -= 1
        return [0] * len(decisions)

    def end(self, game_id, seat, won, score):
        self.ended.append(game_id)


def test_one_thread_asks_at_a_time_and_every_game_has_its_number():
    """Whatever a player remembers is safe: no two threads ask at once, and no two games have one number."""
    player = Counting()
    knave.run("dungeon", player, n=400, threads=4)
    assert player.most == 1 and len(player.threads) > 1
    assert len(player.ended) == len(set(player.ended)) == 400
    both = Counting()
    knave.compare("whist", [both, "rule"], n=10, threads=2)
    assert len(both.ended) == len(set(both.ended)) > 100


def test_results_of_another_player_are_not_taken_for_ones_own(tmp_path):
    """A class says nothing about what an object does: without a version nothing that was written counts again."""

    class Fixed:
        def __init__(self, which, version=""):
            self.which, self.version = which, version

        def choose(self, decisions):
            return np.minimum(decisions.move_counts - 1, self.which)

    first = tables(knave.run("dungeon", Fixed(0), n=20, out=tmp_path / "a"))
    with pytest.raises(knave.RequestError, match="nothing tells whether Fixed is the player that made them"):
        knave.run("dungeon", Fixed(1), n=20, out=tmp_path / "a")
    assert tables(knave.run("dungeon", Fixed(1), n=20, out=tmp_path / "a", force=True)) != first
    kept = knave.run("dungeon", Fixed(0, "one"), n=20, out=tmp_path / "b")
    assert kept.manifest["request"]["agents"][0]["options"]["version"] == "one"
    with pytest.warns(UserWarning, match="held all of this already"):
        assert tables(knave.run("dungeon", Fixed(0, "one"), n=20, out=tmp_path / "b")) == tables(kept)
    with pytest.raises(knave.RequestError, match="holds another run"):
        knave.run("dungeon", Fixed(1, "two"), n=20, out=tmp_path / "b")


@pytest.mark.parametrize("version", [0, np.int64(0), 7, -1, "0", " "])
def test_every_text_and_whole_number_is_a_version(version, tmp_path):
    """A version is recorded as it reads, 0 too, and with it finished games count again."""

    def play(version):
        player = First()
        player.version = version
        return knave.run("dungeon", player, n=5, out=tmp_path / "run")

    assert play(version).manifest["request"]["agents"][0]["options"]["version"] == str(version)
    with pytest.warns(UserWarning, match="held all of this already"):
        assert play(version).complete
    with pytest.raises(knave.RequestError, match="holds another run"):
        play("another")


@pytest.mark.parametrize("version", [None, ""])
def test_an_empty_version_is_none(version, tmp_path):
    """What says nothing tells no players apart."""
    player = First()
    player.version = version
    assert "version" not in knave.run("dungeon", player, n=5, out=tmp_path / "run").manifest["request"]["agents"][0]["options"]
    with pytest.raises(knave.RequestError, match="give it an attribute version"):
        knave.run("dungeon", player, n=5, out=tmp_path / "run")


@pytest.mark.parametrize("version", [False, True, np.bool_(True), 0.0, 1.5, b"x", np.zeros(3), [1], object()], ids=repr)
def test_what_is_no_version_is_refused(version):
    """Neither dropped nor guessed: the message names the attribute and what would be right."""
    player = First()
    player.version = version
    with pytest.raises(knave.RequestError, match=r"version=.* is refused: expected a text or a whole number$"):
        knave.run("dungeon", player, n=5)


def test_a_version_that_is_no_unicode_is_refused():
    """Its message names the attribute, and not the text of a request."""
    player = First()
    player.version = "\udc80"
    with pytest.raises(knave.RequestError, match=r"^version=.* is refused: it is no Unicode text"):
        knave.run("dungeon", player, n=5)


@pytest.mark.parametrize("name", ["python", "python:version=2", {"agent": "python", "label": "mine"}], ids=repr)
def test_objects_have_no_name(name):
    """The agent that stands for objects cannot be named: one is told to pass the object."""
    player, words = First(), "agent python: it cannot be given by name: pass the object itself"
    for call in (
        lambda: knave.run("dungeon", name, n=1),
        lambda: knave.compare("dungeon", [player, name], n=1),
        lambda: knave.analyse("dungeon", player, n=1, judge=name),
        lambda: knave.Game("dungeon").deal().hint(name),
        lambda: knave.VectorEnv("whist", 2, opponents=name),
    ):
        with pytest.raises(knave.RequestError, match=words):
            call()


def test_the_agent_of_objects_is_not_offered():
    """Where a name is unknown nobody is told of one that cannot be given."""
    for call in (
        lambda name: knave.run("dungeon", name, n=1),
        lambda name: knave.analyse("dungeon", "rule", n=1, judge=name),
        lambda name: knave.Game("dungeon").deal().hint(name),
    ):
        for name in ("nope", "pythn"):
            with pytest.raises(knave.RequestError, match=f"unknown agent '{name}'") as raised:
                call(name)
            assert "python" not in str(raised.value) and "expectimax" in str(raised.value)
    with pytest.raises(knave.RequestError, match="exec"):
        knave.run("dungeon", "nope", n=1)


def test_objects_play_in_every_study_and_judge_in_none():
    """A bound and an analysis take them as agents. A judge plays one game after the other, so it is an agent by name."""
    analysis = knave.analyse("dungeon", First(), n=1, judge="rule", worlds=20)
    assert analysis.analysis["agent"][0] == "First"
    assert knave.bound("dungeon", First(), n=1, rules={"health": 6}).manifest["request"]["agents"][0]["label"] == "First"
    with pytest.raises(knave.RequestError, match=r"judge=<.*First object.*> is refused: expected an agent by name"):
        knave.analyse("dungeon", "rule", n=1, judge=First())


def test_what_cannot_play_is_refused_before_any_game():
    """Classes, coroutines, labels that no table could hold, and policies that cannot be called."""

    class Waits:
        async def choose(self, decisions):
            return [0]

    def policy(decisions):
        return [0] * len(decisions)

    with pytest.raises(TypeError, match=r"First is a class: give an object of it, First\(\)"):
        knave.run("dungeon", First)
    with pytest.raises(TypeError, match=r"policy is a function: give an object with a method choose\(decisions\), or ActionPlayer"):
        knave.run("dungeon", policy)
    with pytest.raises(TypeError, match="choose is a coroutine"):
        knave.run("dungeon", Waits())
    for player, kind in ((np, "a module"), (np.int64(3), "a number"), ([np.zeros(3)], "an array"), ([[First()]], "list")):
        with pytest.raises(TypeError, match=rf"^agents\[0\]=.* is refused: {kind} is no player: "):
            knave.run("dungeon", player)
    with pytest.raises(TypeError, match="policy=5 is refused"):
        knave.ActionPlayer(5)
    for label in ("", "a\nb", "x" * 101, None, 5):
        player = First()
        player.label = label
        with pytest.raises(knave.RequestError, match=r"label=.* is refused"):
            knave.run("dungeon", player)
    player = First()
    player.label = "rule"
    assert set(knave.compare("dungeon", [player, "rule"], n=10).matrix["agent"]) == {"rule", "rule 2"}


def test_an_end_that_raises_ends_the_run():
    """An exception in `end` is that of the run, however short."""

    class Falls(First):
        def end(self, game_id, seat, won, score):
            raise LookupError("at the end")

    for games in (2, 3000):
        with pytest.raises(LookupError, match="at the end"):
            knave.run("dungeon", Falls(), n=games, threads=1)


def test_an_end_that_raises_is_of_the_game_that_ended():
    """The note names the game that the player was told of, not one that it would have been asked about next."""

    class Falls(First):
        batch, label = 4, "Falls"

        def end(self, game_id, seat, won, score):
            self.told = game_id, seat
            raise LookupError("at the end")

    for games in (1, 3000):
        player = Falls()
        with pytest.raises(LookupError) as caught:
            knave.run("whist", [First(), First(), player, First()], n=games, threads=1)
        game, seat = player.told
        assert seat == 2
        assert caught.value.__notes__ == [f"player Falls, told of the end of the game with game_id {game}, in seat 2"]
        assert not caught.value.results.complete or games == 1


def test_ends_are_told_by_one_thread_at_a_time():
    """A thread that is done with its games tells their ends when no other is asking, so that what a player remembers is safe."""

    class Watched(Counting):
        batch = 4

        def end(self, game_id, seat, won, score):
            self.inside += 1
            self.most = max(self.most, self.inside)
            time.sleep(0.0005)
            self.inside -= 1

    player = Watched()
    knave.run("dungeon", player, n=400, threads=4)
    assert player.most == 1


def test_an_interrupt_reaches_an_end(interrupted):
    """Ctrl-C ends an `end` that would take long, and no more ends are told."""

    class Dwells(First):
        batch, told = 16, 0

        def end(self, game_id, seat, won, score):
            self.told += 1
            self.interrupt()
            until = time.monotonic() + 20
            while time.monotonic() < until:
                time.sleep(0.01)

    player = Dwells()
    with interrupted(10.0, after=None) as player.interrupt:
        knave.run("dungeon", player, n=10_000, threads=2)
    assert player.told == 1


def test_nothing_is_told_after_an_interrupt(interrupted):
    """Once Ctrl-C was handled a player is neither asked nor told, however many ends wait to be told."""

    class Counts(First):
        calls = told = 0

        def choose(self, decisions):
            self.calls += 1
            return super().choose(decisions)

        def end(self, game_id, seat, won, score):
            self.calls += 1
            self.told += 1
            if self.told == 1:
                self.interrupt()

    player, handled = Counts(), {}

    def handle(*_):
        # Nothing is called in between, where another thread could go on.
        handled["calls"] = player.calls
        raise KeyboardInterrupt

    usual = signal.signal(signal.SIGINT, handle)
    try:
        with interrupted(10.0, after=None) as player.interrupt:
            knave.run("dungeon", player, n=100_000, threads=4, progress=False)
    finally:
        signal.signal(signal.SIGINT, usual)
    # A call that has begun may not have counted itself yet.
    assert player.calls - handled["calls"] <= 1


def test_an_interrupt_does_not_ask_again(interrupted):
    """What an object is being asked when Ctrl-C comes is the last: threads that wait for their turn do not ask any more."""

    class Dwells(First):
        asked = 0

        def choose(self, decisions):
            self.asked += 1
            self.interrupt()
            time.sleep(0.5)
            return super().choose(decisions)

    player = Dwells()
    with interrupted(10.0, after=None) as player.interrupt:
        knave.run("dungeon", player, n=10_000, threads=4)
    assert player.asked == 1


def test_objects_play_on_one_machine_only(tmp_path):
    """Parts of games of an object could not be joined: they are refused before any game."""

    class Asked(First):
        def choose(self, decisions):
            raise AssertionError("it was asked")

    for study in (knave.run, knave.compare, knave.bound, knave.analyse):
        with pytest.raises(knave.RequestError, match=r"shard=\(1, 2\) is refused: Asked is an object.* could not be joined"):
            study("dungeon", ["rule", Asked()], n=10, shard=(1, 2), out=tmp_path / "part")
    assert not (tmp_path / "part").exists()


def test_batches_are_full_where_only_objects_play():
    """Threads that wait for each other share nothing out by fewer games at once. Where an agent by name plays along they do."""

    class Starts(First):
        batch = 64

        def __init__(self):
            self.seen, self.starts = set(), []

        def choose(self, decisions):
            games = {decision.game_id for decision in decisions}
            if not games & self.seen:
                self.starts.append(len(decisions))
            self.seen |= games
            return super().choose(decisions)

    alone, compared, beside = Starts(), Starts(), Starts()
    knave.run("dungeon", alone, n=330, threads=2)
    knave.compare("dungeon", [compared, Starts()], n=330, threads=2)
    knave.run("whist", [beside, "random", "random", "random"], n=330, threads=2)
    assert sorted(alone.starts) == sorted(compared.starts) == [10] + [64] * 5
    assert min(beside.starts) < 10


def test_decisions_are_iterated():
    """A loop over decisions goes through all of them, as often as one likes, for type checkers and at run time."""

    class Loops:
        def choose(self, decisions):
            assert isinstance(decisions, Iterable)
            pairs = zip(decisions, decisions, strict=True)
            assert [(one.seed, other.seed) for one, other in pairs] == [(seed, seed) for seed in decisions.seeds]
            ended = iter(decisions)
            assert len(list(ended)) == len(decisions) and next(ended, None) is None
            return [0 for _ in decisions]

    assert knave.run("dungeon", Loops(), n=5).complete


@pytest.mark.parametrize("name", ["batch", "uses_history", "end", "label", "version", "choose"])
def test_what_an_attribute_raises_is_raised(name):
    """Only an attribute that is missing counts as none: what one raises is the player's own."""

    def fails(self):
        raise LookupError(f"no {name} today")

    player = type("Fails", (First,), {name: property(fails)})()
    with pytest.raises(LookupError, match=f"no {name} today"):
        knave.run("dungeon", player, n=5)


@pytest.mark.parametrize("kind", [np.int32, np.uint64, ">i8", np.int8])
def test_answers_of_all_whole_kinds(kind):
    """Arrays of any whole kind are answers, and so are slices of wider ones."""

    class Wide:
        def choose(self, decisions):
            return np.zeros((len(decisions), 2), dtype=kind)[:, 0]

    assert knave.run("dungeon", Wide(), n=5).complete


def spread(numbers, layout):
    """The numbers in a layout that is no plain row: a column of packed records, or at an odd address."""
    if layout == "records":
        records = np.full(len(numbers), 77, dtype=[("move", "i8"), ("sure", "i4")])
        records["move"] = numbers
        return records["move"]
    row = np.full(8 * len(numbers) + 1, 7, dtype=np.uint8)[1:].view(np.int64)
    row[:] = numbers
    return row


@pytest.mark.parametrize("layout", ["records", "odd address"])
def test_answers_and_actions_of_all_layouts(layout):
    """A column of records is not read as if its numbers lay one after the other, and an odd address is no reason to panic."""

    class Last:
        def choose(self, decisions):
            return decisions.move_counts - 1

    class Laid(Last):
        label = "Last"

        def choose(self, decisions):
            return spread(super().choose(decisions), layout)

    assert tables(knave.run("dungeon", Last(), n=20, threads=1)) == tables(knave.run("dungeon", Laid(), n=20, threads=1))

    class Spells:
        label = "Last"

        def choose(self, decisions):
            speller, twin = decisions.spell(), decisions.spell()
            while len(speller):
                actions = speller.action_masks().argmax(axis=1)
                speller.step(spread(actions, layout))
                twin.step(actions)
            assert np.array_equal(speller.choices(), twin.choices())
            return spread(speller.choices(), layout)

    assert knave.run("dungeon", Spells(), n=5, threads=1).complete


def test_tables_do_not_depend_on_threads_or_batches():
    """A player whose answers follow from seeds gives the same tables, however many games are asked about at once."""
    one, many = Seeded(), Seeded()
    many.batch = 500
    runs = [
        knave.run("doubles", [one, "rule"], n=60, seed=3, threads=1, rules={"max_rolls": 100}),
        knave.run("doubles", [many, "rule"], n=60, seed=3, threads=2, rules={"max_rolls": 100}),
    ]
    assert tables(runs[0]) == tables(runs[1])


def test_it_is_compared_on_the_same_deals():
    """Two players of one class are told apart, and one against itself is exactly even."""
    comparison = knave.compare("columns", [Seeded(), First(), Seeded()], n=4, seed=1, rules={"max_rounds": 30})
    assert set(comparison.ratings["agent"]) == {"Seeded", "First", "Seeded 2"}
    even = knave.compare("dungeon", [Seeded(), Seeded()], n=40, seed=1)
    assert set(even.comparison["mean_difference"]) == {0.0}


@pytest.mark.parametrize("game", ["dungeon", "verslun", "columns", "doubles", "whist"])
def test_a_policy_over_arrays_plays_every_game(game):
    """A random policy over observations and masks finishes games of all kinds by legal moves alone, long moves included."""
    random = np.random.default_rng(1)
    shapes = set()

    def policy(observations, masks):
        shapes.add((observations.dtype, masks.dtype, observations.shape[1], masks.shape[1]))
        assert masks.any(axis=1).all()
        return (random.random(masks.shape) * masks).argmax(axis=1)

    rules = {"columns": {"max_rounds": 20}, "doubles": {"max_rolls": 100}}.get(game)
    run = knave.run(game, knave.ActionPlayer(policy, label="dice"), n=20, rules=rules, threads=1)
    assert run.summary["agent"][0] == "dice"
    described = knave.Game(game)
    columns = sum(part["length"] for part in described.observation_parts)
    actions = sum(part["length"] for part in described.action_parts)
    assert shapes == {(np.dtype(np.float32), np.dtype(np.int8), columns, actions)}


class Broken:
    batch = 4

    def __init__(self, answer, after=0):
        self.answer = answer
        self.after = after

    def choose(self, decisions):
        self.after -= 1
        if self.after >= 0:
            return [0] * len(decisions)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(decisions)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda decisions: [0] * (len(decisions) + 1), ValueError, r"expected 4 answers, one for each decision, found 5"),
        (lambda decisions: [99] * len(decisions), ValueError, r"99 for decision 0 is no move: expected 0 to \d"),
        (lambda decisions: [-1] * len(decisions), ValueError, "-1 for decision 0 is no move"),
        (lambda decisions: ["avoid"] * len(decisions), TypeError, "expected whole numbers, in a list or an array, found list"),
        (lambda decisions: None, TypeError, "found NoneType"),
        (lambda decisions: np.zeros(len(decisions)), TypeError, r"found ndarray float64 of shape \(4,\)"),
        (lambda decisions: np.zeros(len(decisions), dtype=bool), TypeError, "found ndarray bool"),
        (lambda decisions: np.zeros((len(decisions), 1), dtype=int), TypeError, r"found ndarray int64 of shape \(4, 1\)"),
        (lambda decisions: [2**64 - 1] * len(decisions), ValueError, "choose: 18446744073709551615 is refused"),
        (lambda decisions: np.full(len(decisions), 2**63, dtype=np.uint64), ValueError, "choose: 9223372036854775808 is refused"),
        (lambda decisions: [-(2**80)] * len(decisions), ValueError, f"choose: -{2**80} is refused"),
        (lambda decisions: [], ValueError, "expected 4 answers, one for each decision, found 0"),
        (lambda decisions: [False] * len(decisions), TypeError, "found list"),
        (lambda decisions: [0] * (len(decisions) - 1) + [np.bool_(False)], TypeError, "found list"),
        (lambda decisions: [[0], [0, 0]] * 2, TypeError, r"in a list or an array, found list \[\[0\], \[0, 0\]"),
        (lambda decisions: b"0" * len(decisions), TypeError, "found bytes"),
        (ZeroDivisionError("mine"), ZeroDivisionError, "mine"),
    ],
)
def test_what_is_no_answer_is_said(answer, error, words):
    """A player that fails ends the run with its own exception, which says in which game; what was finished is kept."""
    with pytest.raises(error, match=words) as caught:
        knave.run("dungeon", Broken(answer, after=30), n=5000, threads=1)
    assert "player Broken" in " ".join(caught.value.__notes__)
    assert not caught.value.results.complete


def test_a_player_that_fails_is_named_as_in_tables():
    """Of two players of one class the message tells which it was."""
    error = ZeroDivisionError("mine")
    with pytest.raises(ZeroDivisionError) as caught:
        knave.compare("dungeon", [Broken(lambda decisions: [0] * len(decisions)), Broken(error)], n=5)
    assert "player Broken 2" in " ".join(caught.value.__notes__)


def test_the_note_is_that_of_the_exception():
    """Where the workers of a run fail one after the other, the exception is that of the game which the note names."""

    class Fails(First):
        batch = 1

        def __init__(self):
            self.copies = set()

        def choose(self, decisions):
            self.copies.add(decisions[0].game_id >> 36)
            if len(self.copies) > 1:
                raise LookupError(f"in {decisions[0].game_id}")
            return super().choose(decisions)

    for _ in range(8):
        with pytest.raises(LookupError) as caught:
            knave.run("verslun", Fails(), n=100000, threads=2, progress=False)
        [note] = caught.value.__notes__
        assert note.endswith(str(caught.value)), (note, str(caught.value))


def test_events_are_for_players_that_want_them():
    """What a player is told depends on itself, not on who else at the table wants the history."""

    class Deaf(First):
        def __init__(self):
            self.heard = set()

        def choose(self, decisions):
            self.heard |= {len(decision.events) for decision in decisions}
            return super().choose(decisions)

    deaf = Deaf()
    knave.run("whist", [deaf, "mcts:iterations=2", "random", Careful()], n=4, progress=False)
    assert deaf.heard == {0}


def test_the_note_names_a_game_where_it_is_known():
    """A fault of one decision is that of its game; what is raised about many is said to be in one of them, and blames no other."""

    class Raises(First):
        batch = 20

        def choose(self, decisions):
            raise KeyError(decisions[12].seat)

    class Alone(Raises):
        batch = 1

        def choose(self, decisions):
            raise KeyError("alone")

    def wrong(observations, masks):
        actions = masks.argmax(axis=1)
        actions[7] = masks[7].argmin()
        return actions

    class Corrects(First):
        """Makes good what was refused, and then fails in another way."""

        def choose(self, decisions):
            with pytest.raises(ValueError, match="decision 0"):
                decisions.spell().step([-1] * len(decisions))
            raise KeyError("later")

    class List(First):
        def choose(self, decisions):
            return [99 if place == 7 else 0 for place in range(len(decisions))]

    many, one = "one of the games from game 0 with seed 1 on: player ", "game 7 with seed 1: seat 0: player "
    for player, begins in (
        (Raises(), many),
        (knave.ActionPlayer(wrong), one),
        (List(), one),
        (Corrects(), many),
        (Alone(), "game 0 with seed 1: seat 0: player "),
    ):
        with pytest.raises((KeyError, ValueError)) as caught:
            knave.run("dungeon", player, n=20, threads=1)
        [note] = caught.value.__notes__
        assert note.startswith(begins), note


def test_an_exception_that_was_caught_is_forgotten():
    """The frames that it came through hold the decisions: kept beside them, they and all that the player had there would stay."""

    class Large:
        pass

    held = []

    class Catches(First):
        def choose(self, decisions):
            large = Large()
            held.append(weakref.ref(large))
            with pytest.raises(ValueError, match="decision 0"):
                decisions.spell().step([-1] * len(decisions))
            return super().choose(decisions)

    knave.run("dungeon", Catches(), n=20, threads=1)
    gc.collect()
    assert held and not any(large() for large in held)


def test_an_exception_that_takes_no_note_is_raised():
    """The player's exception comes out as it is, and so do the results. What its `add_note` raises is nobody's business."""

    class NotelessError(Exception):
        def add_note(self, note):
            raise LookupError("no notes")

    with pytest.raises(NotelessError, match="mine") as caught:
        knave.run("dungeon", Broken(NotelessError("mine"), after=30), n=5000, threads=1)
    assert not hasattr(caught.value, "__notes__") and not caught.value.results.complete


@pytest.mark.parametrize("batch", [0, -1, 10**9, 2.5, "x", True, None])
def test_batches_are_checked(batch):
    """A batch that is none is refused before any game."""
    player = First()
    player.batch = batch
    with pytest.raises(knave.RequestError, match=r"First\.batch=.* is refused: expected a whole number from 1 to 65536"):
        knave.run("dungeon", player)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("uses_history", "no", "='no' is refused: expected True or False"),
        ("uses_history", None, "=None is refused: expected True or False"),
        ("uses_history", 0, "=0 is refused: expected True or False"),
        ("end", 5, r"=5 is refused: expected a method end\(game_id, seat, won, score\)"),
        ("end", "no", "='no' is refused: expected a method end"),
    ],
)
def test_attributes_of_the_wrong_kind_are_refused(name, value, words):
    """Neither ignored nor guessed, before any game."""
    player = First()
    setattr(player, name, value)
    with pytest.raises(knave.RequestError, match=rf"^First\.{name}{words}"):
        knave.run("dungeon", player, n=5)


@pytest.mark.parametrize(("name", "value"), [("uses_history", np.bool_(True)), ("end", None)])
def test_attributes_of_all_right_kinds(name, value):
    """Truth values of NumPy's, and an `end` that a class takes back."""
    player = First()
    setattr(player, name, value)
    assert knave.run("dungeon", player, n=5).complete


@pytest.mark.parametrize("batch", [1, np.int16(7), 1 << 16])
def test_batches_of_all_whole_kinds(batch):
    """The ends of the range, and whole numbers of NumPy's."""
    player = First()
    player.batch = batch
    assert knave.run("dungeon", player, n=5).complete


def test_speller_checks_actions():
    """Actions that lead nowhere are named, and answers are not given before every move is spelled."""

    class Wrong:
        def choose(self, decisions):
            speller = decisions.spell()
            with pytest.raises(ValueError, match="still open"):
                speller.choices()
            with pytest.raises(ValueError, match="expected"):
                speller.step(np.zeros(len(speller) + 1, dtype=np.int64))
            speller.step(np.full(len(speller), 999))

    with pytest.raises(ValueError, match="actions: 999 leads to no legal move of decision 0"):
        knave.run("whist", Wrong(), n=2, threads=1)


def test_speller_takes_whole_numbers_of_all_kinds():
    """Columns of arrays, other kinds of whole numbers and lists are actions, as in environments; anything else is named."""

    class Spells:
        def choose(self, decisions):
            speller = decisions.spell()
            with pytest.raises(TypeError, match="actions: expected whole numbers, in a list or an array, found ndarray float64"):
                speller.step(np.zeros(len(speller)))
            forms = [
                lambda a: np.stack([a, a], axis=1)[:, 0],
                lambda a: a.astype(np.int16),
                lambda a: a.tolist(),
                lambda a: a[::-1][::-1],
            ]
            while len(speller):
                forms.append(forms.pop(0))
                speller.step(forms[0](speller.action_masks().argmax(axis=1)))
            speller.step([])
            return speller.choices()

    assert knave.run("doubles", Spells(), n=3, rules={"max_rolls": 30}, threads=1).complete


def test_an_interrupt_in_a_player_stops_the_run():
    """KeyboardInterrupt of a player is its own."""

    class Stops:
        def choose(self, decisions):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        knave.run("dungeon", Stops(), n=10)

"""Positions: legal play, fairness, and what travels between processes."""

import copy
import json
import os
import pickle
import random
import re
import signal
import threading
import time
from pathlib import Path

import pytest

import knave

GAMES = ["dungeon", "verslun", "columns", "doubles", "whist"]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_is_played_by_hand_is_the_runs(game, sim, tmp_path):
    """Played by the moves of a transcript, a position ends as the run's game did; the referee accepts its transcript."""
    sim(
        "run",
        "--game",
        game,
        "--agent",
        "random",
        "-n",
        "3",
        "--seed",
        "9",
        "--transcripts",
        "t.jsonl",
        "--quiet",
        "--out",
        "r",
    )
    lines = (tmp_path / "t.jsonl").read_text().splitlines()
    for index, line in enumerate(lines):
        record = json.loads(line)
        position = knave.Game(game).deal(seed=9, index=index)
        for event in record["events"]:
            if "move" in event:
                assert position.turn == event["player"] and event["move"] in position.moves()
                position.play(event["move"])
        assert position.over and position.scores == record["scores"] and position.winners == record["winners"]
        again = json.loads(position.transcript(record["players"]))
        assert again == record
        (tmp_path / "own.jsonl").write_text(position.transcript() + "\n")
        sim("replay", "own.jsonl")


@pytest.mark.parametrize("game", GAMES)
def test_a_world_looks_the_same_and_hides_something_else(game):
    """A sampled world cannot be told from the position by who is to move; some worlds differ in what is hidden."""
    position = knave.Game(game, {"max_rounds": 9} if game == "columns" else None).deal(seed=3)
    choices = random.Random(1)
    if game == "verslun":
        position.play("draw")
    worlds = [position.sample_world(seed) for seed in range(8)]
    for world in worlds:
        assert world.view() == position.view() and world.moves() == position.moves()
        assert world.reveal_hidden()["deck"] is None
    ends = set()
    for world in worlds:
        while not world.over:
            world.play(choices.choice(world.moves()))
        ends.add(json.dumps(world.reveal_hidden()))
    assert len(ends) > 1
    with pytest.raises(ValueError, match="cannot be pickled"):
        pickle.dumps(worlds[0])
    with pytest.raises(knave.RunError, match="only a game that was dealt has a transcript"):
        worlds[0].transcript()
    while not position.over:
        position.play(choices.choice(position.moves()))
    seats = knave.Game(game).seats
    with pytest.raises(knave.RequestError, match=f"^players: expected {seats} names, one for each seat, found {seats + 1}$"):
        position.transcript(["a"] * (seats + 1))
    for name in ("", " ", "a\nb", "\x7f"):
        with pytest.raises(knave.RequestError, match=r"^players: .* of seat 0 is no name to be read$"):
            position.transcript([name] * seats)
    with pytest.raises(knave.RequestError, match=r"^players='abc' is refused: expected a list of names"):
        position.transcript("abc")


def test_the_hidden_part_is_named_so():
    """What the player may not know is told by `reveal_hidden` and `copy_hidden` alone."""
    game = knave.Game("whist")
    position = game.deal(seed=5)
    hidden = position.reveal_hidden()
    assert len(hidden["deck"]) == 52 and len(hidden["views"]) == 4
    own = position.view()
    with pytest.raises(knave.RequestError, match="seat=1 is refused: it is not this seat's turn"):
        position.view(1)
    for copies in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="sample_world"):
            copies(position)
    doubles = knave.Game("doubles").deal(seed=1)
    with pytest.raises(knave.RequestError, match="the moves of doubles tell what seats hold"):
        _ = doubles.played
    assert doubles.reveal_hidden()["played"] == []
    assert set(hidden["views"][1]["hand"]).isdisjoint(own["hand"])
    assert all(set(world.view()["hand"]) == set(own["hand"]) for world in (position.sample_world(1), position.sample_world(2)))


def test_rules_are_recorded_as_in_transcripts():
    """An option that does nothing by default is left out while it has its default, and a game of these rules is the same one."""
    listed = {option["name"]: option["default"] for option in knave.games()[0]["rules"]}
    usual, other = knave.Game("dungeon", {"health": 15}), knave.Game("dungeon", {"objective": "score"})
    assert listed["objective"] == "win" and set(listed) - set(usual.rules) == {"objective"}
    assert usual.rules["health"] == 15 and other.rules["objective"] == "score" and set(other.rules) == set(listed)
    for game in (usual, other):
        assert knave.Game("dungeon", game.rules).rules == game.rules


def test_games_are_equal_by_name_and_rules():
    """They are found in sets and dicts, and those of positions and pickles are the same."""
    whist, other = knave.Game("whist"), knave.Game("whist", {"ace": 1})
    assert whist == knave.Game("whist", whist.rules) and hash(whist) == hash(knave.Game("whist", whist.rules))
    assert whist != other and whist != knave.Game("dungeon") and whist != "whist"
    assert whist == whist.deal().game and other == pickle.loads(pickle.dumps(other))
    assert {whist, other, knave.Game("whist")} == {other, whist} and len({whist, other, knave.Game("whist")}) == 2


def test_values_and_hints():
    """Evaluators and agents of the game speak about a position; both are deterministic."""
    position = knave.Game("dungeon").deal(seed=1)
    assert 0 < position.value() < 1
    assert position.value() != position.value(evaluator="rule")
    hint = position.hint("mcts", seed=4)
    assert hint in position.moves() and hint == position.hint("mcts", seed=4)
    with pytest.raises(knave.RequestError, match=r"evaluator=nett is refused: dungeon has net, rule"):
        position.value(evaluator="nett")
    with pytest.raises(knave.RequestError, match="did you mean 'mcts'") as raised:
        position.hint("mtcs")
    # What plays in runs alone gives no hints, so it is not offered.
    offered = str(raised.value).split("agents: ")[1].split(";")[0].split(", ")
    assert "rule" in offered and not {"exec", "python"} & set(offered)
    with pytest.raises(knave.RequestError, match="seat=1 is refused: expected a whole number from 0 to 0"):
        position.value(1)


def test_notes_about_a_hints_agent_are_warnings():
    with pytest.warns(UserWarning, match="no trained model for these rules") as told:
        knave.Game("dungeon", {"health": 70}).deal(seed=1).hint("fast")
    assert [Path(warning.filename).name for warning in told] == [Path(__file__).name]


@pytest.mark.skipif(os.name != "posix", reason="no alarms")
def test_a_hint_can_be_interrupted():
    """Who has asked for too much thought need not wait for it."""

    def ring(*_):
        raise TimeoutError

    position = knave.Game("dungeon").deal(seed=1)
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    begun = time.monotonic()
    try:
        with pytest.raises(TimeoutError):
            position.hint("mcts:iterations=300000")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begun < 1.5


def test_threads_share_a_position():
    """Threads that ask the same position wait for each other, and never for ever."""
    position = knave.Game("dungeon").deal(seed=1)
    moves, view, hint = position.moves(), position.view(), position.hint("mcts:iterations=200", seed=3)
    end = time.monotonic() + 1

    def ask(_):
        while time.monotonic() < end:
            assert position.view() == view and position.moves() == moves and position.turn == 0
            assert position.hint("mcts:iterations=200", seed=3) == hint

    # Not with a pool, which would wait for threads that never end.
    threads = [threading.Thread(target=ask, args=(i,), daemon=True) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)


def test_moves_that_are_none_change_nothing():
    """Illegal and senseless moves are refused in the referee's words."""
    position = knave.Game("dungeon").deal(seed=1)
    before = position.view()
    with pytest.raises(knave.RequestError, match="is not a move: expected one such as 'avoid'"):
        position.play("jump")
    with pytest.raises(knave.RequestError, match="is not legal here; legal moves are"):
        position.play("take 2D") if "take 2D" not in position.moves() else position.play("take 3D")
    assert position.view() == before and position.played == []
    while not position.over:
        position.play(position.hint("greedy"))
    assert position.turn is None and position.moves() == []
    for call in (lambda: position.play("avoid"), position.hint, lambda: position.sample_world(1), position.view):
        with pytest.raises(knave.RunError, match="the game is over"):
            call()
    assert position.view(0)["health"] >= 0


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_positions_are_copied_and_travel(game, typed):
    """Copies go their own way; a pickled position goes on exactly as the original, in later games of a match too."""
    rules = knave.Game(game, {"players": 3, "cards": 1, "target": 2000} if game == "doubles" else None)
    position = rules.deal(seed=7, index=2)
    if typed:
        position = rules.deal_deck(position.reveal_hidden()["deck"], seed=7, index=2)
    # In a match this is one of the games after the first.
    for _ in range(60 if game == "doubles" else 2):
        position.play(position.moves()[-1 if game == "doubles" else 0])
    assert game != "doubles" or position.view()["game"] > 0
    other, travelled = position.copy_hidden(), pickle.loads(pickle.dumps(position))
    before = position.view()
    for go_on in (other, travelled):
        for _ in range(300):
            if not go_on.over:
                go_on.play(go_on.moves()[0])
    assert position.view() == before
    assert other.reveal_hidden() == travelled.reveal_hidden() and other.scores == travelled.scores


def test_decks_of_ones_own():
    """A deck that is typed deals as such; one that is not right is refused by card."""
    game = knave.Game("dungeon", {"health": 15})
    deck = game.deal(seed=2).reveal_hidden()["deck"]
    assert game.deal_deck(deck).view() == game.deal(seed=2).view() and game.rules["health"] == 15
    for wrong, words in [(["2X"], "deck: "), (["2C", "2C"], "twice"), ([], "too few"), (["AH"], "not a card of this game")]:
        with pytest.raises(knave.RequestError, match=words):
            game.deal_deck(wrong, short_deck=True)
    with pytest.raises(knave.RequestError, match=r"^deck='AS KD' is refused: expected a list of cards, such as "):
        game.deal_deck("AS KD")
    assert repr(pickle.loads(pickle.dumps(game))) == repr(game)


@pytest.mark.parametrize("name", GAMES)
def test_a_deck_is_whole_unless_it_may_be_short(name):
    """A card that was forgotten is named, rather than another game being dealt."""
    game = knave.Game(name)
    deck = game.deal(seed=2).reveal_hidden()["deck"]
    assert game.deal_deck(deck).reveal_hidden()["deck"] == deck
    advice = re.escape("(decks that are meant to be short: short_deck=True)")
    with pytest.raises(knave.RequestError, match=f"^deck: {deck[3]} is missing {advice}$"):
        game.deal_deck(deck[:3] + deck[4:])
    few = 24
    more = len(deck) - few - 8
    with pytest.raises(knave.RequestError, match=rf"^deck: (\w\w ){{8}}and {more} more are missing {advice}$"):
        game.deal_deck(deck[:few])
    # Of what else is wrong with a deck it says nothing.
    for wrong, words in (([deck[0], *deck], "twice"), ([deck[1], *deck[1:]], "twice"), (["X"], "is no card")):
        with pytest.raises(knave.RequestError, match=words):
            game.deal_deck(wrong)
    with pytest.raises(knave.RequestError, match="short_deck='yes' is refused: expected True or False"):
        game.deal_deck(deck, short_deck="yes")
    short = game.deal_deck(deck[:few], short_deck=True)
    assert pickle.loads(pickle.dumps(short)).reveal_hidden() == short.reveal_hidden()


def test_texts_that_are_none_are_refused():
    """The field is named, whatever stands in the place of a text."""
    position = knave.Game("dungeon").deal()
    for wrong, words in ((None, "=None is refused: expected a text"), ("\ud800", "is refused: it is no Unicode text")):
        for field, ask in (
            ("name", knave.Game),
            ("game", knave.agents),
            ("game", knave.presets),
            ("game", knave.measures),
            ("game", knave.models),
            ("text", position.play),
            ("evaluator", lambda evaluator: position.value(evaluator=evaluator)),
        ):
            with pytest.raises(knave.RequestError, match=f"^{field}.*{words}"):
                ask(wrong)


def test_numbers_that_are_none_are_refused():
    """Seeds, indices and seats are said to be wrong by their names and in words, not by Rust's types."""
    game = knave.Game("whist")
    position, deck = game.deal(), game.deal().reveal_hidden()["deck"]
    for call, named in (
        (lambda: game.deal(seed=-1), "seed=-1"),
        (lambda: game.deal(1.5), r"seed=1\.5"),
        (lambda: game.deal(1 << 64), "seed=18446744073709551616"),
        (lambda: game.deal(1, "2"), "index='2'"),
        (lambda: game.deal_deck(deck, seed=None), "seed=None"),
        (lambda: game.deal_deck(deck, index=-1), "index=-1"),
        (lambda: position.sample_world(-1), "seed=-1"),
        (lambda: position.hint("rule", seed=2.5), r"seed=2\.5"),
        (lambda: position.view(-1), "seat=-1"),
        (lambda: position.view(4), "seat=4"),
        (lambda: position.view(True), "seat=True"),
        (lambda: position.value(True), "seat=True"),
    ):
        with pytest.raises(knave.RequestError, match=f"^{named} is refused: expected a whole number from 0"):
            call()
    # None means the seat whose turn it is.
    assert position.view(None) == position.view() and position.value(None) == position.value()
    for spec in (5, {"agent": "mcts", "option": {}}, {}, {"agent": "rule", "label": "a\nb"}, {"agent": "rule", "label": " "}):
        with pytest.raises(knave.RequestError, match="agent") as raised:
            position.hint(spec)
        assert "untagged" not in str(raised.value)
    for agent in (object(), ["rule"]):
        with pytest.raises(knave.RequestError, match=r"^agent=.* is refused: expected an agent by name; objects play in requests"):
            position.hint(agent)

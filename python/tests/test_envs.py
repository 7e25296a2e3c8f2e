"""Environments: what their own checkers demand, the same games as the command's, speed that does not cost truth."""

import copy
import faulthandler
import pickle
import signal
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

import knave

SOLO = ["dungeon", "verslun"]
GAMES = [*SOLO, "columns", "doubles", "whist"]
RULES = {"columns": {"max_rounds": 20}, "doubles": {"max_rolls": 60}}


def pick(mask, random):
    return int(random.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("game", SOLO)
def test_gymnasiums_checker_is_content(game):
    """`check_env` samples without a mask: an illegal action has its stated answer."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(f"knave/{game.capitalize()}-v0").unwrapped, skip_render_check=True)
        check_env(knave.SoloEnv(game, reward="win"), skip_render_check=True)


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoos_checkers_are_content(game):
    """`api_test` plays whole games by the mask, and `seed_test` demands the same games from the same seed."""
    make = lambda: knave.AECEnv(game, RULES.get(game))  # noqa: E731
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It does not know that observations with masks are dictionaries.
        warnings.filterwarnings("ignore", message="Observation (space for each agent probably|is not a NumPy array)")
        api_test(make(), num_cycles=200, verbose_progress=False)
    seed_test(make, num_cycles=60)


@pytest.mark.parametrize("game", SOLO)
def test_a_solo_environment_plays_the_commands_games(game):
    """Played by the same actions, the environment's game is the run's: it sees the same, and has the same score at the end."""
    random, seen = np.random.default_rng(3), []

    def policy(observations, masks):
        seen.append((observations[0], masks[0], pick(masks[0], random)))
        return [seen[-1][-1]]

    run = knave.run(game, knave.ActionPlayer(policy, batch=1), n=5, seed=8, games=True, threads=1)
    env, told = knave.SoloEnv(game, reward="score"), iter(seen)
    for index, score in enumerate(run.games["score"]):
        observation, info = env.reset(options={"seed": 8, "index": index})
        over = False
        while not over:
            theirs, mask, action = next(told)
            assert env.observation_space.contains(observation) and (observation == theirs).all()
            assert (info["action_mask"] == mask).all() and (env.action_masks() == mask.astype(bool)).all()
            observation, reward, over, truncated, info = env.step(action)
            assert not truncated and (over or reward == 0)
        assert reward == info["score"] == score and not info["illegal"]
    assert next(told, None) is None


@pytest.mark.parametrize("order", ["kept", "shuffled"])
def test_the_dungeon_is_encoded_as_documented(order):
    """What docs/encodings.md says of health, slots and avoided cards, worked out from the view, is what an observation holds."""
    rules = {"health": 60, "avoid_order": order}
    game = knave.Game("dungeon", rules)
    parts = {part["name"]: slice(part["first"], part["first"] + part["length"]) for part in game.observation_parts}
    ranks = "23456789TJQKA"
    deck = sorted(game.deal(seed=1).reveal_hidden()["deck"], key=lambda card: ("CDHS".index(card[1]), ranks.index(card[0])))
    seen = {"drawn": 0, "gap": 0, "stayed": 0, "low": 0}
    stayed = None

    class Reader:
        batch = 1

        def choose(self, decisions):
            nonlocal stayed
            row, view = decisions.spell().observations()[0], decisions[0].view
            assert row[parts["health"]].argmax() == min(view["health"], 40) and row[parts["health"]].sum() == 1
            seen["low"] += view["health"] < 40
            at = {card: i for i, card in enumerate(view["avoided"])}
            drawn = view["drawn_of_block"]
            depth = {card: i if order == "kept" else (i + drawn) // 4 * 4 for card, i in at.items()}
            expected = [1 - depth[card] / 44 if card in depth else 0 for card in deck]
            assert np.allclose(row[parts["avoided"]], expected)
            seen["drawn"] += drawn > 0
            slots = row[parts["rank"]].reshape(4, 13)
            taken = [slot for slot in range(4) if slots[slot].any()]
            assert [ranks[slots[slot].argmax()] for slot in taken] == [card[0] for card in view["room"]]
            seen["gap"] += taken != list(range(len(taken)))
            if stayed is not None and view["to_face"] == 3:
                assert view["room"][0] == stayed and taken[0] == 0
                seen["stayed"] += 1
            moves = decisions[0].moves
            choice = decisions[0].seed % len(moves)
            # With one card to face of two, the other one stays.
            others = [card for card in view["room"] if card not in moves[choice].split()]
            stayed = others[0] if view["to_face"] == 1 and len(view["room"]) == 2 else None
            return [choice]

        def end(self, *_):
            nonlocal stayed
            stayed = None

    knave.run("dungeon", Reader(), n=300, rules=rules, threads=1)
    assert seen["gap"] and seen["stayed"] and seen["low"] and (seen["drawn"] > 0) == (order == "shuffled")


def test_rewards_are_as_stated():
    """Utility, win and score of the same game agree with each other."""
    ends = {}
    for reward in ("utility", "win", "score"):
        env = knave.SoloEnv("verslun", {"target": 20}, reward=reward)
        random = np.random.default_rng(5)
        _, info = env.reset(seed=6)
        over = False
        while not over:
            _, value, over, _, info = env.step(pick(info["action_mask"], random))
        ends[reward] = value, info["score"], info["won"]
    assert len({end[1:] for end in ends.values()}) == 1
    assert ends["score"][0] == ends["score"][1] and ends["win"][0] == float(ends["win"][2]) == float(ends["score"][0] >= 20)
    assert 0 <= ends["utility"][0] <= 1
    with pytest.raises(knave.RequestError, match="reward=points is refused: expected one of utility, win, score"):
        knave.SoloEnv("dungeon", reward="points")
    for make in (knave.SoloEnv, knave.VectorEnv, knave.AECEnv):
        with pytest.raises(knave.RequestError, match="reward=None is refused: expected a text"):
            make("dungeon", reward=None)


def test_an_episode_ends_as_documented():
    """Illegal actions end the game for -1; what is no action, and steps at the wrong time, are refused."""
    env = knave.SoloEnv("dungeon")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=1)
    for wrong in (0.0, "0", None, True, np.array([0]), np.float32(0)):
        with pytest.raises(TypeError, match="expected a whole number"):
            env.step(wrong)
    for none in (10**12, 1 << 70, -1 << 70):
        env.reset(seed=1)
        _, reward, over, _, info = env.step(none)
        assert (reward, over, info["illegal"]) == (-1.0, True, True) and np.isnan(info["score"])
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset()
    env.close()
    for call in (lambda: env.step(0), env.reset, env.action_masks):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            call()
    with pytest.raises(knave.RequestError, match="4 play it"):
        knave.SoloEnv("whist")
    with pytest.raises(knave.RequestError, match="expected seed and index"):
        knave.SoloEnv("dungeon").reset(options={"sed": 1})
    for environment in (knave.SoloEnv("dungeon"), knave.VectorEnv("dungeon", 2), knave.AECEnv("dungeon")):
        for seed in (2**64, -1, 1.0, "3", None, True):
            with pytest.raises(knave.RequestError, match=r"options\.seed=.* is refused: expected a whole number from 0"):
                environment.reset(options={"seed": seed})
        environment.reset()
    with pytest.raises(knave.RequestError, match="render_mode"):
        gymnasium.make("knave/Dungeon-v0", render_mode="human")


@pytest.mark.parametrize("make", [knave.SoloEnv, lambda: knave.AECEnv("dungeon"), lambda: knave.VectorEnv("dungeon", 2)])
def test_seeds_are_of_64_bits_everywhere(make):
    """All environments take the same seeds, and refuse others in the same words."""
    environment = make()
    for seed in (0, np.uint64(7), 2**64 - 1):
        environment.reset(seed=seed)
    for seed in (2**64, -1, 1.0, "3", True):
        with pytest.raises(knave.RequestError, match=rf"^seed=.* is refused: expected a whole number from 0 to {2**64 - 1}$"):
            environment.reset(seed=seed)


@pytest.mark.parametrize("make", [knave.SoloEnv, lambda: knave.AECEnv("dungeon")])
def test_after_the_last_game_comes_the_first(make):
    """The last index that there is can be dealt, and what is dealt next is no error."""
    environment = make()

    def dealt(options):
        told = environment.reset(options=options)
        return environment.observe("seat_0")["observation"] if told is None else told[0]

    last, after, first = dealt({"seed": 3, "index": 2**64 - 1}), dealt(None), dealt({"seed": 3, "index": 0})
    assert (after == first).all() and (last != first).any()
    with pytest.raises(knave.RequestError, match=r"options\.index=18446744073709551616 is refused"):
        environment.reset(options={"index": 2**64})


def test_an_interrupt_stops_slow_opponents(interrupted):
    """Ctrl-C acts while opponents think. Then some games have gone on and others have not, so that they have to be dealt anew."""
    many, few = (knave.VectorEnv("whist", lanes, opponents="strong") for lanes in (512, 16))
    actions = few.reset(seed=1)[1]["action_mask"].argmax(axis=1)
    with interrupted(5.0):
        many.reset(seed=1)
    with interrupted(5.0):
        while True:
            actions = few.step(actions)[-1]["action_mask"].argmax(axis=1)
    for environment in (many, few):
        with pytest.raises(gymnasium.error.ResetNeeded):
            environment.step(actions)


def test_a_signals_handler_can_ask_nothing_of_games_that_go_on():
    """It is called by the thread that holds them, which would wait for itself."""
    env = knave.VectorEnv("whist", 256, opponents="strong")
    actions, caught = np.zeros(256, dtype=np.int64), []

    def handle(*_):
        for ask in (lambda: env.seats, lambda: env.reset(seed=2), lambda: env.step(actions)):
            with pytest.raises(knave.BusyError, match="a signal's handler can ask nothing of them"):
                ask()
        caught.append(True)
        raise LookupError("enough")

    usual = signal.signal(signal.SIGALRM, handle)
    # Where it waits for itself no signal helps, but this does.
    faulthandler.dump_traceback_later(60, exit=True)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        with pytest.raises(LookupError, match="enough"):
            env.reset(seed=1)
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, usual)
    # What is refused changes nothing, the seed neither.
    assert caught and env.np_random_seed == 1


def test_after_a_step_without_an_answer_games_are_dealt_anew(monkeypatch):
    """Where memory is short once games have gone on, nobody was told how."""
    env = knave.VectorEnv("dungeon", 3)
    _, infos = env.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)

    def short(*_):
        raise MemoryError

    with monkeypatch.context() as patch, pytest.raises(MemoryError):
        patch.setattr(env, "_add_finals", short)
        while True:
            actions = env.step(actions)[-1]["action_mask"].argmax(axis=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(actions)
    env.reset(seed=1)
    env.step(infos["action_mask"].argmax(axis=1))


@pytest.mark.parametrize("game", ["doubles", "whist", "columns"])
def test_games_of_several_seats_are_copied_and_travel(game):
    """A copy of a game in which seats take turns goes on like the original, and what it does leaves the original alone."""
    env = knave.AECEnv(game)
    env.reset(seed=4)
    random = np.random.default_rng(1)
    for _ in range(9):
        env.step(pick(env.last()[0]["action_mask"], random))
    played = []
    for other in [copy.copy(env), pickle.loads(pickle.dumps(env)), copy.deepcopy(env), env]:
        random, log = np.random.default_rng(2), []
        for _ in range(400):
            observation, reward, over, _, info = other.last()
            log.append((other.agent_selection, observation["observation"].tobytes(), reward, over, str(info)))
            other.step(None if over else pick(observation["action_mask"], random))
            if not other.agents:
                other.reset()
        played.append(log)
    assert all(log == played[0] for log in played)


def test_masks_are_those_of_the_environment():
    """What somebody writes into a mask of `info` changes no other, and a finished game has the same mask in a copy."""
    env = knave.SoloEnv("dungeon")
    _, info = env.reset(seed=1)
    random, over = np.random.default_rng(1), False
    while not over:
        action = pick(info["action_mask"], random)
        info["action_mask"][:] = 0
        assert env.action_masks().any()
        _, _, over, _, info = env.step(action)
    for other in (copy.copy(env), pickle.loads(pickle.dumps(env))):
        assert (other.action_masks() == env.action_masks()).all()


@pytest.mark.parametrize("game", SOLO)
def test_environments_are_copied_and_travel(game):
    """A pickled or copied environment goes on exactly as the original, in this game and in the next."""
    env = knave.SoloEnv(game, {"health": 15} if game == "dungeon" else None)
    random = np.random.default_rng(1)
    _, info = env.reset(seed=4)
    for _ in range(3):
        _, _, over, _, info = env.step(pick(info["action_mask"], random))
        if over:
            _, info = env.reset()
    others = [env, pickle.loads(pickle.dumps(env)), copy.deepcopy(env), copy.copy(env)]
    played = []
    for other in others:
        random, mask, log = np.random.default_rng(2), other.action_masks(), []
        for _ in range(60):
            observation, reward, over, _, info = other.step(pick(mask, random))
            mask = info["action_mask"]
            log.append((observation.tobytes(), reward, over))
            if over:
                observation, info = other.reset()
                mask = info["action_mask"]
                log.append(observation.tobytes())
        played.append(log)
    assert played[0] == played[1] == played[2] == played[3]
    lanes = knave.VectorEnv(game, 2)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(lanes)
    for copies in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be copied: make another one"):
            copies(lanes)


def travelled(env):
    """The environment in all the ways in which it can be copied."""
    return [copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]


def test_what_a_copy_draws_is_what_the_original_draws():
    """A copy keeps the random numbers of its spaces, so both sample the same actions."""
    solo, seats = knave.SoloEnv("dungeon"), knave.AECEnv("whist")
    solo.reset(seed=1)
    solo.action_space.seed(2)
    others = travelled(solo)
    drawn = [[env.action_space.sample() for _ in range(20)] for env in [solo, *others]]
    assert all(draw == drawn[0] for draw in drawn)
    seats.reset(seed=1)
    seats.action_space("seat_1").seed(2)
    others = travelled(seats)
    drawn = [[env.action_space("seat_1").sample() for _ in range(20)] for env in [seats, *others]]
    assert all(draw == drawn[0] for draw in drawn)


def test_copies_are_as_far_as_the_original():
    """Before the first game and after the last move a copy is no further and no less far."""
    for env in (knave.SoloEnv("dungeon"), knave.AECEnv("doubles")):
        for other in travelled(env):
            with pytest.raises(gymnasium.error.ResetNeeded):
                other.step(0)
            other.reset(seed=1)
    env, random = knave.AECEnv("doubles", RULES["doubles"], reward="score"), np.random.default_rng(1)
    env.reset(seed=4)
    while not all(env.terminations.values()):
        env.step(pick(env.last()[0]["action_mask"], random))
    for other in travelled(env):
        assert other.agent_selection == env.agent_selection and other.rewards == env.rewards and other.infos == env.infos
        for agent in env.possible_agents:
            assert (other.observe(agent)["observation"] == env.observe(agent)["observation"]).all()
            assert not other.observe(agent)["action_mask"].any()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_lanes_are_single_games(game, mode):
    """Every lane plays the games of its indices: given the same actions, a single environment sees and gets the same."""
    opponents = None if game in SOLO else "random"
    count, steps = 5, 120
    vector = knave.VectorEnv(game, count, rules=RULES.get(game), opponents=opponents, autoreset_mode=mode)
    assert vector.metadata["autoreset_mode"] == AutoresetMode(mode)
    random = np.random.default_rng(7)
    observations, infos = vector.reset(options={"seed": 11})
    assert vector.observation_space.contains(observations)
    played = [[] for _ in range(count)]  # of the game under way: observation, mask, action
    index = list(range(count))
    fresh = count
    waiting = np.zeros(count, dtype=bool)
    ended = 0
    for _ in range(steps):
        masks = infos["action_mask"]
        assert masks.any(axis=1).all()
        actions = np.array([pick(mask, random) for mask in masks])
        for lane in range(count):
            played[lane].append((observations[lane], masks[lane], actions[lane]))
        observations, rewards, over, truncated, infos = vector.step(actions)
        assert not truncated.any() and observations.dtype == np.float32 and rewards.shape == over.shape == (count,)
        assert not over[waiting].any() and (rewards[~over] == 0).all()
        for lane in np.flatnonzero(waiting):
            played[lane], index[lane], fresh = [], fresh, fresh + 1
        waiting[:] = False
        for lane in np.flatnonzero(over):
            final = infos["final_info"]
            last = infos["final_obs"][lane] if mode == "SameStep" else observations[lane]
            assert infos["_final_info"][lane] and not final["illegal"][lane]
            if game in SOLO:
                assert final["index"][lane] == index[lane]
                replay(game, index[lane], played[lane], last, rewards[lane], final["score"][lane])
            ended += 1
            if mode == "NextStep":
                waiting[lane] = True
            else:
                played[lane], index[lane], fresh = [], fresh, fresh + 1
    assert ended > 3


def replay(game, index, played, last, reward, score):
    env = knave.SoloEnv(game, RULES.get(game))
    observation, info = env.reset(options={"seed": 11, "index": int(index)})
    for seen, mask, action in played:
        assert (observation == seen).all() and (info["action_mask"] == mask).all()
        observation, value, over, _, info = env.step(action)
    assert over and (observation == last).all() and value == reward and info["score"] == score


@pytest.mark.parametrize(("game", "opponent"), [("whist", "rule"), ("doubles", "mcts:iterations=20"), ("columns", "rule")])
def test_lanes_play_the_games_of_a_run(game, opponent):
    """Against agents, a lane's game ends as the run's does with the same agents in the same seats and the same seed."""
    choose = lambda masks: masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)  # noqa: E731
    learner = knave.ActionPlayer(lambda _, masks: choose(masks))
    seats = knave.Game(game).seats
    games = knave.run(game, [learner] + [opponent] * (seats - 1), n=12, seed=4, games=True, rules=RULES.get(game)).games
    expected = [score for seat, score in zip(games["seat"], games["score"], strict=True) if seat == 0]
    env = knave.VectorEnv(game, 3, opponents=opponent, seat=0, rules=RULES.get(game))
    _, infos = env.reset(options={"seed": 4})
    found = {}
    while len(found) < 12:
        _, _, over, _, infos = env.step(choose(infos["action_mask"]))
        if over.any():
            final = infos["final_info"]
            found |= {int(final["index"][lane]): final["score"][lane] for lane in np.flatnonzero(over)}
    assert all(found.get(index, score) == score for index, score in enumerate(expected)) and len(set(found) & set(range(12))) > 9


def test_opponents_are_those_that_are_named():
    """The learner sits where it should, and stronger opponents win more."""
    assert list(knave.VectorEnv("whist", 6, opponents="random", seat=2).reset(seed=1)[0].shape) == [6, 469]
    rotating = knave.VectorEnv("whist", 6, opponents=["random", "rule", "random"])
    with pytest.raises(gymnasium.error.ResetNeeded):
        # Before any game nobody sits anywhere.
        _ = rotating.seats
    rotating.reset(seed=1)
    assert list(rotating.seats) == [0, 1, 2, 3, 0, 1]
    wins = {}
    for opponent in ("random", "rule"):
        env = knave.VectorEnv("whist", 300, opponents=opponent, reward="win")
        random = np.random.default_rng(1)
        _, infos = env.reset(seed=2)
        total, games = 0.0, 0
        for _ in range(26):
            masks = infos["action_mask"]
            _, rewards, over, _, infos = env.step((random.random(masks.shape) * masks).argmax(axis=1))
            total, games = total + rewards.sum(), games + over.sum()
        wins[opponent] = total / games
    assert wins["rule"] < wins["random"] - 0.05


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"game": "dungeon", "num_envs": 0}, "num_envs=0 is refused"),
        ({"game": "dungeon", "opponents": "rule"}, r"opponents=\[rule\] is refused: a solo game has none"),
        ({"game": "whist"}, "opponents is missing: 4 play whist, so give one agent by name for the 3 others, or a list of 3"),
        ({"game": "columns", "opponents": []}, "opponents is missing: 2 play columns, so give one agent by name, such as"),
        ({"game": "whist", "opponents": ["rule", "rule"]}, r"opponents=\[rule, rule\] is refused: expected one agent, or 3"),
        ({"game": "whist", "opponents": "ruel"}, "did you mean 'rule'"),
        ({"game": "whist", "opponents": "exec:command=true"}, "not as an opponent"),
        ({"game": "whist", "opponents": "rule", "seat": 4}, "seat=4 is refused: expected a whole number from 0 to 3"),
        ({"game": "whist", "opponents": "rule", "seat": -1}, "seat=-1 is refused"),
        (
            {"game": "whist", "opponents": ["rule", 5, 5]},
            r"^opponents\[1\]=5 is refused: expected an agent by name; objects play in requests alone$",
        ),
        ({"game": "whist", "opponents": b"rule"}, r"opponents\[0\]=b'rule' is refused"),
        ({"game": "whist", "opponents": object()}, "objects play in requests alone"),
        ({"game": "whist", "opponents": {"rule", "random"}}, "^opponents=.* is refused: a set has no order, expected a list$"),
        ({"game": "dungeon", "num_envs": -1}, "num_envs=-1 is refused"),
        (
            {"game": "dungeon", "autoreset_mode": "Disabled"},
            "autoreset_mode='Disabled' is refused: expected SAME_STEP or NEXT_STEP",
        ),
        ({"game": "dungeon", "autoreset_mode": AutoresetMode.DISABLED}, "autoreset_mode='Disabled' is refused"),
        ({"game": "dungeon", "autoreset_mode": "same step"}, "autoreset_mode='same step' is refused"),
        ({"game": "dungeon", "autoreset_mode": ""}, "autoreset_mode='' is refused"),
        ({"game": "dungeon", "autoreset_mode": None}, "autoreset_mode=None is refused"),
        ({"game": "dungeon", "rules": {"health": 0}}, "health=0 is refused"),
    ],
)
def test_bad_settings_are_refused(arguments, words):
    """A setting that is not right is named before anything is dealt."""
    with pytest.raises(knave.RequestError, match=words) as raised:
        knave.VectorEnv(**{"num_envs": 4} | arguments)
    # What plays in runs alone is no opponent, so it is not offered.
    assert ", exec" not in str(raised.value) and ", python" not in str(raised.value)


@pytest.mark.parametrize("named", ["NEXT_STEP", "NextStep", "next_step", "NEXTSTEP", AutoresetMode.NEXT_STEP])
def test_autoreset_modes_have_the_names_of_gymnasium(named):
    """A mode is the member, its name or its value, in any capitals."""
    assert knave.VectorEnv("dungeon", 2, autoreset_mode=named).metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


@pytest.mark.parametrize(
    ("make", "known"),
    [
        (knave.SoloEnv, "seed and index"),
        (lambda: knave.AECEnv("whist"), "seed and index"),
        (lambda: knave.VectorEnv("dungeon", 2), "seed"),
    ],
)
def test_unknown_options_are_refused(make, known):
    """A name that is misspelled would deal another game than the one that was meant; what is refused changes nothing."""

    def dealt(env, **given):
        reset = env.reset(**given)
        return reset[0] if reset else env.observe(env.agent_selection)["observation"]

    env, twin = make(), make()
    assert np.array_equal(dealt(env, seed=1), dealt(twin, seed=1))
    for wrong in ({"sed": 1}, [("seed", 1)], 5):
        with pytest.raises(knave.RequestError, match=f"options=.* is refused: expected .*{known}$"):
            env.reset(seed=2, options=wrong)
    with pytest.raises(knave.RequestError, match=r"options.seed=-1 is refused"):
        env.reset(seed=2, options={"seed": -1})
    for _ in range(3):
        assert np.array_equal(dealt(env), dealt(twin))
    assert not np.array_equal(dealt(env, seed=2), dealt(twin))
    env.reset(options={"seed": 3})


def test_bad_actions_are_refused():
    """Arrays of the wrong type or shape are refused; an illegal action ends its game alone."""
    env = knave.VectorEnv("dungeon", 3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(3, dtype=np.int64))
    _, infos = env.reset(seed=1)
    for wrong in (np.zeros(3), np.zeros((3, 1), dtype=np.int64), np.zeros(3, dtype=bool), None, [[0], [0, 0], [0]]):
        with pytest.raises(TypeError, match=r"actions: expected whole numbers, in a list or an array, found"):
            env.step(wrong)
    with pytest.raises(knave.RequestError, match="actions: expected 3, one for each game, found 4"):
        env.step(np.zeros(4, dtype=np.int64))
    with pytest.raises(ValueError, match=f"actions: {2**70} is refused: expected whole numbers of 64 bits"):
        env.step([2**70, 0, 0])
    legal = infos["action_mask"].argmax(axis=1).astype(np.int32)
    legal[1] = 77
    _, rewards, over, _, infos = env.step(legal)
    assert list(over) == [False, True, False] and rewards[1] == -1 and infos["final_info"]["illegal"][1]
    env.close()
    for call in (lambda: env.step(legal), env.reset, lambda: env.seats):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            call()


def test_gymnasium_makes_both_kinds():
    """`gymnasium.make` and `make_vec` know the environments by their names."""
    env = gymnasium.make("knave/Dungeon-v0", rules={"health": 12}, reward="win")
    assert env.unwrapped.game.rules["health"] == 12
    vector = gymnasium.make_vec("knave/Verslun-v0", num_envs=3, vectorization_mode="vector_entry_point")
    assert vector.reset(seed=1)[0].shape[0] == 3
    made = gymnasium.make_vec("knave/Dungeon-v0", num_envs=2, vectorization_mode="sync")
    assert made.reset(seed=[1, 2])[0].shape[0] == 2


def test_aec_refuses_what_is_wrong():
    """An illegal action ends the game for all, and an environment without a game has no steps."""
    env = knave.AECEnv("whist")
    for call in (lambda: env.step(0), env.last, lambda: env.last(observe=False), env.agent_iter, lambda: env.observe("seat_0")):
        with pytest.raises(gymnasium.error.ResetNeeded):
            call()
    env.reset(seed=1)
    first = env.agent_selection
    illegal = int(np.flatnonzero(env.observe(first)["action_mask"] == 0)[0])
    assert not env.observe("seat_3")["action_mask"].any()
    env.step(illegal)
    assert all(env.terminations.values()) and env.rewards[first] == -1 and sum(env.rewards.values()) == -1
    assert env.infos[first]["illegal"] and not env.infos["seat_3"]["illegal"]
    for _ in env.agent_iter():
        assert env.last()[2]
        env.step(None)
    assert list(env.agent_iter()) == []
    for call in (lambda: env.step(0), env.last):
        with pytest.raises(gymnasium.error.ResetNeeded):
            call()
    with pytest.raises(knave.RequestError, match="render_mode"):
        knave.AECEnv("whist", render_mode="human")
    for ask in (env.observe, env.observation_space, env.action_space):
        for agent in ("foo", 0, None):
            with pytest.raises(knave.RequestError, match=f"agent={agent!r} is refused: expected seat_0, seat_1, seat_2, seat_3"):
                ask(agent)
    env.close()
    for call in (env.reset, lambda: env.step(0), env.last, env.agent_iter, lambda: env.observe("seat_0")):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError):
            call()

"""Environments: actions in every layout, illegal ones, masks after the end, notes, forks, and what is there without Gymnasium."""

import copy
import math
import os
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import knave


def test_actions_of_all_layouts():
    """A column of records and an array at an odd address are actions, and a list is one, too."""
    env, twin = knave.VectorEnv("dungeon", 3), knave.VectorEnv("dungeon", 3)
    env.reset(seed=1)
    masks = twin.reset(seed=1)[1]["action_mask"]
    for layout in ("records", "odd", "list"):
        actions = masks.argmax(axis=1)
        records = np.full(3, 77, dtype=[("move", "i8"), ("sure", "i4")])
        odd = np.full(25, 7, dtype=np.uint8)[1:].view(np.int64)
        records["move"] = odd[:] = actions
        given = {"records": records["move"], "odd": odd, "list": actions.tolist()}[layout]
        (seen, *_), (expected, *_, infos) = env.step(given), twin.step(actions)
        assert np.array_equal(seen, expected)
        masks = infos["action_mask"]


def test_an_illegal_action_costs_what_is_named():
    """A score may be lower than -1: with a reward of one's own an illegal action pays less than any game."""
    solo = knave.SoloEnv("dungeon", reward="score", illegal_reward=-500)
    solo.reset(seed=1)
    assert solo.step(99)[1] == -500.0
    assert copy.copy(solo)._illegal_reward == -500.0
    for mode in ("SAME_STEP", "NEXT_STEP"):
        env = knave.VectorEnv("dungeon", 3, reward="score", autoreset_mode=mode, illegal_reward=-500)
        actions = env.reset(seed=1)[1]["action_mask"].argmax(axis=1)
        actions[1] = 99
        assert list(env.step(actions)[1]) == [0, -500, 0]
    seats = knave.AECEnv("columns", illegal_reward=np.float32(-2))
    seats.reset(seed=1)
    first = seats.agent_selection
    seats.step(9999)
    assert seats.rewards[first] == -2 and sum(seats.rewards.values()) == -2
    made = gymnasium.make("knave/Dungeon-v0", illegal_reward=-7)
    assert made.unwrapped._illegal_reward == -7.0
    for make in (knave.SoloEnv, knave.VectorEnv, knave.AECEnv):
        for wrong in (None, "-1", float("nan"), -math.inf, True, 10**400):
            with pytest.raises(knave.RequestError, match=r"illegal_reward=.* is refused: expected a finite number"):
                make("dungeon", illegal_reward=wrong)


def test_masks_after_the_end_are_as_documented():
    """Zeros where nothing can be done, the open position after an illegal action, and ones where any action will do."""
    solo = knave.SoloEnv("dungeon")
    _, info = solo.reset(seed=1)
    open_mask = info["action_mask"]
    _, _, over, _, info = solo.step(int((open_mask == 0).argmax()))
    assert over and np.array_equal(info["action_mask"], open_mask) and np.array_equal(solo.action_masks(), open_mask == 1)
    _, info = solo.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = solo.step(int(info["action_mask"].argmax()))
    assert not info["action_mask"].any() and not solo.action_masks().any()
    seats = knave.AECEnv("dungeon")
    seats.reset(seed=1)
    seats.step(9999)
    assert not seats.last()[0]["action_mask"].any()
    lanes = knave.VectorEnv("dungeon", 2, autoreset_mode="NEXT_STEP")
    masks = lanes.reset(seed=1)[1]["action_mask"]
    infos = lanes.step([9999, masks[1].argmax()])[-1]
    assert infos["action_mask"][0].all() and not infos["action_mask"][1].all()
    # As in Gymnasium's own vector environments, which games have the entry.
    assert infos["_action_mask"].all()


def test_spaces_of_seats_are_seeded_apart():
    """Who seeds the space of one seat leaves those of the others as they are."""
    spaces = knave.AECEnv("whist").observation_spaces
    assert len({id(space) for space in spaces.values()}) == 4


@pytest.mark.parametrize("failure", ["ValueError('numpy.dtype size changed')", "ImportError('no such file')"])
def test_a_gymnasium_that_fails_costs_the_environments_alone(tmp_path, failure):
    """`import knave` works whatever Gymnasium raises, and who imports an environment is told what to install."""
    (tmp_path / "gymnasium.py").write_text(f"raise {failure}")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport knave\nprint(knave.run('dungeon', 'random', n=1).complete)\n"
        "try:\n    from knave import SoloEnv\nexcept ImportError as error: print(error)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    complete, told = ended.stdout.splitlines()
    assert complete == "True" and "pip install 'knave[envs]'" in told and failure.split("'")[1] in told


def test_environments_are_listed():
    """Completion knows the names that are imported when they are first asked for."""
    assert {"AECEnv", "SoloEnv", "VectorEnv"} <= set(dir(knave)) & set(dir(knave.envs))


def test_notes_about_opponents_are_warnings():
    """Once, at the line that makes the environment."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        env = knave.VectorEnv("doubles", 2, opponents="fast", rules={"players": 7, "cards": 2})
        env.reset(seed=1)
        knave.VectorEnv("doubles", 2, opponents="fast").reset(seed=1)
    assert [Path(warning.filename).name for warning in told] == [Path(__file__).name]
    assert "no trained policy for these rules" in str(told[0].message)


FORKS = """
import os, signal, threading, time, knave, numpy
env, idle = (knave.VectorEnv("whist", 512, opponents=name) for name in ("strong", "rule"))
begun = time.process_time()
threading.Thread(target=env.reset, daemon=True).start()
while time.process_time() < begun + 0.3:
    time.sleep(0.01)
if os.fork() == 0:
    signal.alarm(30)
    lanes, actions = env._lanes, numpy.zeros(512, dtype=numpy.int64)
    for ask in (lambda: env.reset(seed=1), lambda: lanes.seats, lambda: lanes.step(actions)):
        try:
            ask()
        except knave.RequestError as error:
            print(error)
    print(len(idle.reset(seed=1)[0]), flush=True)
    os._exit(0)
print(os.wait()[1], flush=True)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_a_forked_process_waits_for_no_step_of_its_parents():
    """Its copy of games that were played on will never be free; others can be played on."""
    command = [sys.executable, "-W", "ignore", "-c", FORKS]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    *refused, games, code = ended.stdout.splitlines()
    assert (games, code, ended.stderr) == ("512", "0", "") and len(refused) == 3
    assert all("make another one in this process" in line for line in refused)

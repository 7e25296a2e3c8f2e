"""Environments: actions in every layout."""

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

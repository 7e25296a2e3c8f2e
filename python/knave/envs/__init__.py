"""Environments for learners: Gymnasium's (`SoloEnv`, `VectorEnv`) and PettingZoo's (`AECEnv`).

Observations and actions are those of docs/encodings.md; `knave.Game("dungeon").observation_parts` lists them, too.

Rules common to all three:

- The reward comes when the game is over: `reward="utility"` (in [0, 1], what Knave's agents maximise), `"win"` or
  `"score"` (in points). Until then it is 0.
- An action that the mask forbids ends the game: `terminated`, a reward of -1, and `info["illegal"]`.
- Games follow from the seed: episode i after `reset(seed=…)` is game i of one run.
"""

from typing import Any

from knave.envs.solo import SoloEnv
from knave.envs.vector import VectorEnv

__all__ = ["AECEnv", "SoloEnv", "VectorEnv", "register"]


def __getattr__(name: str) -> Any:
    # PettingZoo is not needed for the others.
    if name == "AECEnv":
        from knave.envs.aec import AECEnv

        return AECEnv
    raise AttributeError(f"module 'knave.envs' has no attribute '{name}'")


def register() -> None:
    """Registers the environments with Gymnasium: `gymnasium.make("knave/Dungeon-v0")`. Importing `knave` does so."""
    import gymnasium

    for game in ("dungeon", "verslun"):
        gymnasium.register(
            id=f"knave/{game.capitalize()}-v0",
            entry_point="knave.envs:SoloEnv",
            vector_entry_point="knave.envs:VectorEnv",
            kwargs={"game": game},
        )

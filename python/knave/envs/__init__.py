"""Environments for learners: Gymnasium's (`SoloEnv`, `VectorEnv`) and PettingZoo's (`AECEnv`).

Observations and actions are those of docs/encodings.md; `knave.Game("dungeon").observation_parts` lists them, too.

Rules common to all three:

- The reward comes when the game is over: `reward="utility"` (in [0, 1], what Knave's agents maximise), `"win"` or
  `"score"` (in points). Until then it is 0.
- An action that the mask forbids ends the game: `terminated`, `info["illegal"]`, and the reward `illegal_reward`, by default -1.
  Scores may be lower than that: with `reward="score"` set it below the worst of them.
- Games follow from the seed: `reset(seed=…)` draws the seed of a run from this number, and its games 0, 1, 2, … are dealt.
  The games of `sim run --seed s` are those of `reset(options={"seed": s})`.
- Options that an environment does not know are refused.
- Whose turn it is, is no secret to anybody. In doubles it tells that whoever was passed over could not challenge.
"""

from typing import Any

from knave.envs.solo import SoloEnv
from knave.envs.vector import VectorEnv

__all__ = ["AECEnv", "SoloEnv", "VectorEnv"]


def __getattr__(name: str) -> Any:
    # PettingZoo is not needed for the others.
    if name == "AECEnv":
        from knave.envs.aec import AECEnv

        return AECEnv
    raise AttributeError(f"module 'knave.envs' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

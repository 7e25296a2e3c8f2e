"""The part of the package that is written in Rust."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, SupportsIndex, final, overload

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "VERSION",
    "Decision",
    "Decisions",
    "Episode",
    "Game",
    "Lanes",
    "Position",
    "Speller",
    "Table",
    "agents",
    "carry_out",
    "cells",
    "experiment",
    "forget_player",
    "games",
    "manifest",
    "measures",
    "merge",
    "models",
    "plan",
    "presets",
    "register_player",
    "stop_all",
]

VERSION: str

def carry_out(
    request: dict[str, Any],
    folder: Path,
    *,
    outputs: dict[str, Any] | None = None,
    existing: str = "keep",
    shard: tuple[int, int] | None = None,
    threads: int | None = None,
    progress: Callable[[int, int, str, str], None] | None = None,
    players: Sequence[int] = ...,
    durable: bool = True,
) -> dict[str, Any]:
    """Does a request in a folder. Returns `text`, `data`, `folder` and `complete`. What is `durable` is flushed to the disk."""

def plan(request: dict[str, Any], *, outputs: dict[str, Any] | None = None, folder: Path | None = None) -> dict[str, Any]:
    """Checks a request, and returns `sum`, `size`, `noun`, `name`, `shards`, `notes`, `finished` and `taken`."""

def merge(parts: Sequence[Path], out: Path, *, existing: str = "keep", whole: bool = False) -> dict[str, Any]:
    """Joins parts of a plan in a folder, of the `whole` only once all are finished. Returns what `carry_out` does, and `notes`."""

def manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder; None where there is none."""

def cells(file: Path, out: Path, *, force: bool = False) -> list[dict[str, Any]]:
    """The cells of a study: `name`, `request`, `outputs` and `due`."""

def experiment(
    file: Path,
    out: Path | None = None,
    *,
    force: bool = False,
    again: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int, str, str], None] | None = None,
) -> Path:
    """Does the study in a file, cell by cell, and returns its folder."""

def games() -> list[dict[str, Any]]:
    """The games, each with `game` (its name), `summary` and `rules`: the options, each with `name`, `default`, `values`, `meaning`.

    `default` is a text. Numbers that have bounds also have `min`, `max` or both.
    And what else can be named in a game: `objectives` of `solve`, each with `objective` and `question`; `evaluators` and
    `policies`, the default first. `has_bounds` says whether `bound` does it.
    """

def agents(game: str) -> list[dict[str, Any]]:
    """The agents that play a game, each with `agent` (its name), `summary` and `options`.

    An option has `name`, `default` (in this game, a text), `values` and `meaning`; a number that has bounds `min`, `max` or both.
    """

def presets(game: str) -> list[dict[str, Any]]:
    """The presets, each with `preset` (its name), `summary` and `agent`: the agent that it is in this game, with its options."""

def measures(game: str) -> list[dict[str, Any]]:
    """What `tally.csv` counts in a game, each with `measure` (its name), `unit`, `key` and `meaning`.

    `key` says what the keys of its rows are; it is empty where there is one row only.
    """

def models(game: str) -> list[dict[str, Any]]:
    """The trained models that come with a game, each with `name`, `fnv1a` (the checksum of its file), `method` (what it learnt),
    `inputs`, `first` and `second` (its sizes), `games` (how many each of its nets learnt from), `held_out` (what each
    had on held-out games) and the `rules` that it serves. One that learnt with a short deck also has its `cards`."""

def stop_all(seconds: float) -> bool:
    """Stops what is under way, and waits for its end. Returns whether all has ended within so many seconds."""

def register_player(object: object, label: str, batch: int) -> int:
    """Makes an object known as a player that has passed `players.check`, and returns its number."""

def forget_player(number: int) -> None:
    """Forgets a player."""

@final
class Table:
    """A table of results. It is Arrow: `polars.DataFrame(table)`, `pyarrow.table(table)`."""

    @staticmethod
    def read(path: Path | str) -> Table:
        """Reads a file of results; empty cells are null."""
    @staticmethod
    def _made(file: str, columns: Sequence[tuple[str, str, Sequence[Any]]]) -> Table:
        """The table of these columns, each with its name, its type and its cells: what travels between processes."""
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    @property
    def dtypes(self) -> list[tuple[str, str]]:
        """The type of every column: `int64`, `uint64`, `float64` or `string`."""
    def __copy__(self) -> Table:
        """A table never changes, so a copy is the table itself."""
    def __deepcopy__(self, memo: dict[int, Any], /) -> Table: ...
    def head(self, n: SupportsIndex = 5) -> Table:
        """A table of the first `n` rows."""
    def to_polars(self) -> Any:
        """The table as a polars data frame."""
    def to_pandas(self) -> Any:
        """The table as a pandas data frame."""
    def __len__(self) -> int: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, name: str, /) -> list[Any]: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        """Refuses to be an array: NumPy, and pandas with it, would take the names of the columns for all that there is."""
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Game:
    """A game under certain rules. Games of the same name and rules are equal."""

    def __new__(cls, name: str, rules: Any = None) -> Game: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def name(self) -> str:
        """The name."""
    @property
    def rules(self) -> dict[str, Any]:
        """The options of the rules, as transcripts record them.

        One that does nothing by default is left out until it has another value.
        """
    @property
    def seats(self) -> int:
        """The number of seats."""
    @property
    def observation_parts(self) -> list[dict[str, Any]]:
        """The parts of an observation, in order: name, first position, length, meaning."""
    @property
    def action_parts(self) -> list[dict[str, Any]]:
        """The parts of the actions, in order: name, first action, length, meaning."""
    def deal(self, seed: SupportsIndex = 1, index: SupportsIndex = 0) -> Position:
        """Deals game `index` of the run with this seed, and plays chance to the first decision."""
    def deal_deck(
        self, deck: Sequence[str], seed: SupportsIndex = 1, index: SupportsIndex = 0, *, short_deck: bool = False
    ) -> Position:
        """Deals from these cards (`"TD"`), top first. What is random after the deal follows from seed and index.

        A deck that lacks cards is refused unless it is meant to be short (`short_deck=True`).
        """

@final
class Position:
    """A game under way. What a player may not know is given by `reveal_hidden` alone."""

    @property
    def game(self) -> Game:
        """The game and its rules."""
    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None when the game is over."""
    @property
    def over(self) -> bool:
        """Whether the game is over."""
    @property
    def played(self) -> list[tuple[int, str]]:
        """The moves so far: seat and notation. Refused before the end where moves tell what seats hold."""
    @property
    def scores(self) -> list[float] | None:
        """The scores by seat, in points; None before the end."""
    @property
    def winners(self) -> list[int] | None:
        """The seats that won; None before the end."""
    def moves(self) -> list[str]:
        """The legal moves in their notation, in order; none when the game is over."""
    def play(self, text: str) -> Position:
        """Plays a move, and chance to the next decision. Returns the position itself."""
    def view(self, seat: SupportsIndex | None = None) -> dict[str, Any]:
        """All that the player knows whose turn it is. After the end any seat may look."""
    def reveal_hidden(self) -> dict[str, Any]:
        """What nobody may know: `deck`, the deck before the deal (None in a sampled world), `played`, and all `views`."""
    def sample_world(self, seed: SupportsIndex) -> Position:
        """A position that the player whose turn it is cannot tell from this one, drawn with its probability."""
    def value(self, seat: SupportsIndex | None = None, evaluator: str = "") -> float:
        """The utility of a seat, in [0, 1], that an evaluator of the game expects; after the end the utility itself."""
    def hint(self, agent: Any = None, seed: SupportsIndex = 0) -> str:
        """The move that an agent would play, by default `mcts`.

        Ctrl-C ends the wait. The agent goes on in the background until it has decided: it cannot be stopped.
        """
    def transcript(self, players: Sequence[str] | None = None) -> str:
        """The finished game as one line of JSON, as `sim replay` reads it."""
    def copy_hidden(self) -> Position:
        """Another position by the same hidden cards: a fair search goes by `sample_world`."""
    def __copy__(self) -> NoReturn: ...
    def __deepcopy__(self, _memo: dict[Any, Any]) -> NoReturn: ...

@final
class Decision:
    """A decision: everything that a seat knows, and its legal moves."""

    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def game_id(self) -> int:
        """The number of the game for this seat, by which a player may remember it."""
    @property
    def seat(self) -> int:
        """The seat that decides, counted from 0."""
    @property
    def seats(self) -> int:
        """The number of seats."""
    @property
    def seed(self) -> int:
        """Where everything random in the answer should come from: below 2^53."""
    @property
    def moves(self) -> list[str]:
        """The legal moves in their notation, in order. The answer is the number of one of them."""
    @property
    def view(self) -> dict[str, Any]:
        """All that the seat knows."""
    @property
    def events(self) -> list[dict[str, Any]]:
        """The public events so far, the oldest first; empty unless the player has `uses_history = True`."""

@final
class Decisions:
    """Decisions of many games, each of another game or seat. They can be counted, indexed, sliced and gone through."""

    @property
    def game(self) -> str:
        """The name of the game."""
    @property
    def move_counts(self) -> NDArray[np.int64]:
        """The number of legal moves of each decision; shape (decisions,)."""
    @property
    def seeds(self) -> NDArray[np.int64]:
        """The seed of each decision, below 2^53; shape (decisions,)."""
    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat of each decision; shape (decisions,)."""
    def spell(self) -> Speller:
        """Spells the moves by actions, for players that answer observations with actions."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Decision]: ...
    @overload
    def __getitem__(self, i: int, /) -> Decision: ...
    @overload
    def __getitem__(self, i: slice, /) -> list[Decision]: ...

@final
class Speller:
    """Decisions that are answered by actions. While its length is not 0, `step` answers the open ones."""

    def observations(self) -> NDArray[np.float32]:
        """The observations of the open decisions; shape (open, length of an observation), in [0, 1]."""
    def action_masks(self) -> NDArray[np.int8]:
        """1 for every action that leads to a legal move; shape (open, number of actions)."""
    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> None:
        """Answers every open decision with an action, a whole number of any kind; shape (open,)."""
    def choices(self) -> NDArray[np.int64]:
        """The answers: for each decision the number of its move; shape (decisions,)."""
    def __len__(self) -> int: ...

@final
class Episode:
    """One game whose seats are all played by actions."""

    def __new__(cls, game: Game, reward: str) -> Episode: ...
    @property
    def seat(self) -> int | None:
        """The seat whose turn it is; None after the end."""
    def reset(self, seed: int, index: int) -> None:
        """Deals game `index` of the run with this seed."""
    def observe(self, seat: int) -> NDArray[np.float32]:
        """What this seat sees; shape (length of an observation,), in [0, 1]."""
    def mask(self) -> NDArray[np.int8]:
        """1 for every legal action of the player whose turn it is; shape (number of actions,)."""
    def step(self, action: int) -> tuple[bool, int | None, NDArray[np.float32], NDArray[np.int8]]:
        """Does an action. Returns whether it was legal, the seat whose turn it is, what it sees, and its mask."""
    def act(self, action: int) -> bool:
        """Does an action, and returns whether it was legal. An illegal one changes nothing."""
    def result(self, seat: int) -> tuple[float, float, bool]:
        """The reward, the score in points and whether the game was won, for a seat of a finished game."""
    def copy(self) -> Episode:
        """Another episode that goes on from here."""

@final
class Lanes:
    """Many games side by side, in each of which one seat is played by actions."""

    def __new__(
        cls,
        game: Game,
        count: int,
        *,
        seat: int | None = None,
        opponents: Any = None,
        reward: str = "utility",
        next_step: bool = False,
    ) -> Lanes: ...
    def check_idle(self) -> None:
        """Raises BusyError in a signal's handler that is called while its own thread plays on."""
    @property
    def seats(self) -> NDArray[np.int64]:
        """The learner's seat in every lane; shape (lanes,)."""
    def reset(self, seed: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Deals the games 0, 1, 2, … of the run with this seed. Returns observations and masks, a row for each lane.

        What a signal raises ends it, or `step`; then the games have to be dealt anew.
        """
    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], dict[str, Any] | None]:
        """Does an action in every lane. Returns observations, masks, rewards, which games ended, what is known of those."""

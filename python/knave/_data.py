"""Data of Python as plain data, checked field by field."""

import math
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from operator import index
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knave.errors import RequestError

#: The longest value that a message shows, in characters.
_SHOWN = 80

#: How many lists and dicts may lie in each other. Requests need a few; readers of JSON take 128.
_DEEPEST = 64


def shown(value: Any) -> str:
    """A value for a message, shortened."""
    try:
        text = repr(value)
    except Exception:
        # Whole numbers of thousands of digits have no text, nor has what lies too deep.
        text = f"<{type(value).__qualname__}>"
    return _short(text)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def plain(value: Any, field: str, levels: int = _DEEPEST) -> Any:
    """The same as dictionaries, lists, texts, numbers and truth values; RequestError names the field that is none of them.

    It may have so many levels of lists and dicts. Whole numbers are as large as floating-point numbers can be.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return unicode(value, field)
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, Mapping | list | tuple) and levels == 0:
        # The field names every level.
        raise RequestError(
            f"{_short(field)}={shown(value)} is refused: expected at most {_DEEPEST} levels of lists and dicts in each other"
        )
    if isinstance(value, Mapping):
        items = ((unicode(str(name), field or "fields"), item) for name, item in value.items())
        return {name: plain(item, f"{field}.{name}" if field else name, levels - 1) for name, item in items}
    if isinstance(value, list | tuple):
        return [plain(item, f"{field}[{place}]", levels - 1) for place, item in enumerate(value)]
    if isinstance(value, PathLike):
        return plain(fspath(value), field)
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is not None:
        # Those beyond 64 bits are refused where it is known what would be right; JSON holds no larger ones than these.
        if abs(number) <= sys.float_info.max:
            return number
        raise RequestError(f"{field}={shown(value)} is refused: expected a whole number from -2^63 to 2^64 - 1")
    if isinstance(value, float | np.floating):
        real = float(value)
        if math.isfinite(real):
            return real
        raise RequestError(f"{field}={real} is refused: expected a finite number")
    raise RequestError(f"{field}={shown(value)} is refused: expected numbers, texts, lists or dicts of them")


def by_name(agent: Any, field: str, objects: str = "objects play in requests alone") -> Any:
    """An agent by name; RequestError for anything else, which says what objects are for."""
    if not isinstance(agent, str | Mapping):
        raise RequestError(f"{field}={shown(agent)} is refused: expected an agent by name; {objects}")
    return agent


def ordered(values: Iterable[Any], field: str) -> list[Any]:
    """The values as a list; RequestError for a set, whose order changes from one process to the next."""
    if isinstance(values, set | frozenset):
        raise RequestError(f"{field}={shown(values)} is refused: a set has no order, expected a list")
    return list(values)


def unicode(text: str, field: str) -> str:
    """The text; RequestError for one with half characters, as names of files that are no Unicode have."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise RequestError(f"{field}={shown(text)} is refused: it is no Unicode text") from error
    return text


def text(value: Any, field: str) -> str:
    """A text; RequestError for anything else."""
    if not isinstance(value, str):
        raise RequestError(f"{field}={shown(value)} is refused: expected a text")
    return unicode(value, field)


def path(value: Any, field: str) -> str:
    """A path as it was given; RequestError for anything else, and for an empty text, which would be the current folder."""
    given = fspath(value) if isinstance(value, str | PathLike) else None
    if not given or not isinstance(given, str):
        raise RequestError(f"{field}={shown(value)} is refused: expected a path")
    return given


def paths(value: Any, field: str) -> list[str]:
    """One path, or several; RequestError for anything else."""
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | bytearray | PathLike):
        return [path(item, f"{field}[{place}]") for place, item in enumerate(value)]
    return [path(value, field)]


def whole(value: Any, field: str, low: int, high: int) -> int:
    """A whole number from low to high; RequestError otherwise."""
    try:
        number = None if isinstance(value, bool | np.bool_) else index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        raise RequestError(f"{field}={shown(value)} is refused: expected a whole number from {low} to {high}")
    return number


def real(value: Any, field: str) -> float:
    """A finite number; RequestError for anything else."""
    number = math.nan
    if isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool):
        with suppress(OverflowError):
            number = float(value)
    if not math.isfinite(number):
        raise RequestError(f"{field}={shown(value)} is refused: expected a finite number")
    return number


def truth(value: Any, field: str) -> bool:
    """True or False; RequestError for anything else, for a text such as "no" would count as true."""
    if not isinstance(value, bool | np.bool_):
        raise RequestError(f"{field}={shown(value)} is refused: expected True or False")
    return bool(value)


def seed(value: Any, field: str = "seed") -> int:
    """A seed; RequestError for anything else."""
    return whole(value, field, 0, (1 << 64) - 1)


def array(value: Any) -> NDArray[Any] | None:
    """The value as an array; None for lists that are none, or in which NumPy would count truth values."""
    if isinstance(value, list | tuple) and any(isinstance(item, bool | np.bool_) for item in value):
        return None
    try:
        return np.asarray(value)
    except ValueError:
        # Lists of several lengths.
        return None


def numbers(value: Any, field: str) -> NDArray[np.int64]:
    """A plain row of whole numbers in memory; TypeError for anything else, and ValueError for those beyond 64 bits."""
    row = array(value)
    if row is not None and row.shape == (0,):
        # Of no numbers the kind does not matter: NumPy takes [] for a list of floats.
        return np.zeros(0, dtype=np.int64)
    # What no kind of NumPy's holds stays a row of objects.
    large = row is not None and row.dtype.kind == "O" and row.ndim == 1 and all(type(item) is int for item in row)
    if row is None or row.ndim != 1 or (row.dtype.kind not in "iu" and not large):
        kind = f"{value.dtype} of shape {value.shape}: " if isinstance(value, np.ndarray) else ""
        raise TypeError(
            f"{field}: expected whole numbers, in a list or an array, found {type(value).__name__} {kind}{shown(value)}"
        )
    if row.dtype.kind in "uO":
        bounds = np.iinfo(np.int64)
        for number in (row.min(), row.max()):
            if not bounds.min <= number <= bounds.max:
                raise ValueError(f"{field}: {number} is refused: expected whole numbers of 64 bits")
    # Columns of records and what was read from a file may lie at any address.
    return np.require(row, np.int64, ["C", "A"])

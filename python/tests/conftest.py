"""What tests share."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def interrupts() -> None:
    """Interrupts arrive, even where a shell runs the tests in the background and has them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def interrupted() -> Callable[..., AbstractContextManager[Callable[[], None]]]:
    """`with interrupted(limit): …` is interrupted after a moment, and has to end by that within so many seconds.

    `with interrupted(limit, after=None) as interrupt: …` is interrupted by `interrupt()`, on whichever thread.
    """

    @contextmanager
    def within(limit: float, after: float | None = 0.2) -> Iterator[Callable[[], None]]:
        sent: list[float] = []

        def interrupt() -> None:
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(after or 0, interrupt)
        if after is not None:
            timer.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                yield interrupt
        finally:
            timer.cancel()
        assert time.monotonic() - sent[0] < limit

    return within


@pytest.fixture
def sim(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command, named by KNAVE_SIM; it has to be there where KNAVE_CHECK says that nothing may be left out."""
    command = os.environ.get("KNAVE_SIM")
    if command is None:
        if "KNAVE_CHECK" in os.environ:
            pytest.fail("KNAVE_SIM names no command")
        pytest.skip("KNAVE_SIM names no command")

    def call(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run([command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=check)

    return call

"""What tests share."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def interrupts() -> None:
    """Interrupts arrive, even where a shell runs the tests in the background and has them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


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

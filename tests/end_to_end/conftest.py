"""The program with byte code kept for the session, so that each start is as quick as a user's."""

from pathlib import Path

import pytest

from tests.end_to_end.program import PROGRAM, Program, Ran

WORD = "planted-word-7f3a"
"""What switches of simulated pods take for a password; it must turn up nowhere."""


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    if not PROGRAM.exists():
        pytest.fail(f"{PROGRAM} is not installed: pip install --editable .")
    cache = tmp_path_factory.mktemp("pycache")
    return {
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(cache),
        "FABRIC_AUDIT_SIM_SCALE": "0.002",
        "FABRIC_AUDIT_SIM_PASSWORD": WORD,
    }


@pytest.fixture
def program(tmp_path: Path, environment: dict[str, str]) -> Program:
    return Program(tmp_path, environment)


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> tuple[Program, Ran]:
    """One run on a small pod with one fault, for tests that only look at what it left."""
    program = Program(tmp_path_factory.mktemp("faulty"), environment)
    name = program.inventory("clos-4x2", "ecn-off@leaf01")
    return program, program.run("run", name, "--yes", "--output", "out")

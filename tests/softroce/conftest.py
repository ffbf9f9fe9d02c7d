"""The lab as fixtures: one machine for all tests of a session, healthy again after each."""

from collections.abc import Iterator

import pytest

from . import faults
from .fabric import Fabric, Host
from .lab import Lab, running
from .requirements import CannotRunError


@pytest.fixture(scope="session")
def four_hosts() -> Iterator[Lab]:
    try:
        with running(Fabric(tuple(Host(number) for number in range(1, 5)))) as lab:
            yield lab
    except CannotRunError as reason:
        pytest.skip(f"cannot run the Soft-RoCE lab here: {reason}")


@pytest.fixture
def lab(four_hosts: Lab) -> Iterator[Lab]:
    yield four_hosts
    faults.restore(four_hosts)

"""The lab as fixtures: one machine for all tests of a session, healthy again after each."""

import os
from collections.abc import Iterator

import pytest

from . import faults
from .fabric import Fabric, Host
from .lab import Lab, running
from .requirements import CannotRunError

HOSTS = int(os.environ.get("SOFTROCE_HOSTS", "4"))


@pytest.fixture(scope="session")
def hosts() -> Iterator[Lab]:
    try:
        with running(Fabric(tuple(Host(number) for number in range(1, HOSTS + 1)))) as lab:
            yield lab
    except CannotRunError as reason:
        pytest.skip(f"cannot run the Soft-RoCE lab here: {reason}")


@pytest.fixture
def lab(hosts: Lab) -> Iterator[Lab]:
    yield hosts
    faults.restore(hosts)

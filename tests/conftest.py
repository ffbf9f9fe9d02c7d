"""Options and safeguards of the whole test suite."""

import signal
import socket
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--softroce", action="store_true", help="run the tests that boot the Soft-RoCE lab (qemu)")
    parser.addoption("--mangled", type=int, default=5000, metavar="N", help="harmed texts that parsers are given")
    parser.addoption("--mangler-seed", type=int, default=1, metavar="SEED", help="where their seeds begin")


def pytest_configure() -> None:
    """Let programs that tests start hear Ctrl-C: a shell's background jobs, and all they start, ignore it else."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--softroce"):
        return
    for item in items:
        if item.get_closest_marker("softroce"):
            item.add_marker(pytest.mark.skip(reason="boots the Soft-RoCE lab: run with --softroce"))


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reaches beyond this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not str(address[0]).startswith(("127.", "::1")):
            pytest.fail(f"a test connects to {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)

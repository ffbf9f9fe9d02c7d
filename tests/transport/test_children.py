"""Programs that the tool starts on the user's own machine: no password goes to them, no name becomes a command."""

import os
from pathlib import Path

import pytest

from fabric_audit.errors import UnreachableError
from fabric_audit.inventory.model import Secret
from fabric_audit.transport.endpoints import Endpoint, UserConfig
from fabric_audit.transport.secrets import environment_without
from fabric_audit.transport.sockets import by_command


def leading(name: str = "gpu001", address: str = "192.0.2.1", user: str = "ops") -> Endpoint:
    return Endpoint(name=name, address=address, port=2222, user=user, command="echo %h %n %r %p")


def told(endpoint: Endpoint, environment: dict[str, str] | None = None) -> str:
    made, process = by_command(endpoint, environment)
    with made, made.makefile("rb") as lines:
        words = lines.read().decode()
    process.wait(10)
    return words


def test_variables_that_hold_passwords_are_not_handed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLANTED_PASSWORD", "c4n4ry")
    environment = environment_without([None, Secret("env", "PLANTED_PASSWORD"), Secret("keyring", "PATH")])
    assert set(os.environ) - set(environment) == {"PLANTED_PASSWORD"}
    endpoint = Endpoint(name="gpu001", address="192.0.2.1", port=22, user="ops", command="env")
    assert "c4n4ry" not in told(endpoint, environment)
    assert "c4n4ry" in told(endpoint), "so that this test can see it"
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\necho "hostname $PLANTED_PASSWORD-"\n', "utf-8")
    ssh.chmod(0o700)
    config = UserConfig(tmp_path / "config", environment)
    config._openssh = str(ssh)
    (tmp_path / "config").touch()
    assert config.lookup("gpu001")["hostname"] == "-"


@pytest.mark.parametrize(
    "changes",
    [
        {"user": "$(touch planted)"},
        {"user": "`touch planted`"},
        {"user": "a;touch planted"},
        {"name": "gpu001|touch planted"},
        {"address": "-oProxyCommand=touch"},
        {"address": "x\ntouch planted"},
    ],
)
def test_names_and_users_never_reach_the_shell_of_a_proxy_command(
    changes: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnreachableError, match="a shell would act upon it"):
        told(leading(**changes))
    assert list(tmp_path.iterdir()) == []


def test_ordinary_names_are_filled_in() -> None:
    endpoint = leading(name="gpu001.pod3", address="2001:db8::1%eth0", user="ops@realm")
    assert told(endpoint) == "2001:db8::1%eth0 gpu001.pod3 ops@realm 2222\n"

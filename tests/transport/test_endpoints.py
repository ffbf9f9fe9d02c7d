"""From the inventory's words, ssh_config and defaults to an endpoint, with OpenSSH to resolve it and without."""

from pathlib import Path

import pytest

from fabric_audit.errors import UnreachableError, UsageError
from fabric_audit.inventory.model import Login
from fabric_audit.transport.endpoints import Endpoint, UserConfig, endpoint

CONFIG = """
Include {folder}/more
Host gpu*
  User ops
  Port 2222
  IdentityFile {folder}/id_pod
  ProxyJump bastion
Host bastion
  HostName bastion.example.net
  User jumper
  UserKnownHostsFile {folder}/known_jumps
"""
MORE = """
Host gpu001
  HostName 192.0.2.1
  HostKeyAlias gpu001.example.net
"""


@pytest.fixture(params=["openssh", "paramiko"])
def config(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UserConfig:
    """The same file, read by OpenSSH where it is installed, and by paramiko, which does not follow Include."""
    if request.param == "paramiko":
        monkeypatch.setattr("shutil.which", lambda _name: None)
    text = CONFIG.format(folder=tmp_path)
    if request.param == "paramiko":
        text = MORE + text.replace(f"Include {tmp_path}/more", "")
    (tmp_path / "more").write_text(MORE, "utf-8")
    (tmp_path / "config").write_text(text, "utf-8")
    (tmp_path / "id_pod").write_text("a key", "utf-8")
    found = UserConfig(tmp_path / "config")
    if request.param == "openssh" and found._openssh is None:
        pytest.skip("needs ssh of OpenSSH")
    return found


def settled(config: UserConfig, **login: object) -> Endpoint:
    return endpoint("gpu001", Login(**{"address": "gpu001", **login}), config)  # type: ignore[arg-type]  # of a test


def test_what_the_inventory_leaves_open_comes_from_ssh_config(config: UserConfig, tmp_path: Path) -> None:
    found = settled(config)
    assert (found.address, found.port, found.user) == ("192.0.2.1", 2222, "ops")
    assert found.identity_files == (f"{tmp_path}/id_pod",)
    assert found.host_key_alias == "gpu001.example.net"
    (jump,) = found.jumps
    assert (jump.address, jump.user, jump.port) == ("bastion.example.net", "jumper", 22)
    assert jump.known_hosts[0] == f"{tmp_path}/known_jumps"


def test_the_inventory_goes_before_ssh_config(config: UserConfig) -> None:
    found = settled(
        config,
        user="root",
        port=22,
        identity_file="/keys/other",
        known_hosts="/keys/known",
        jump=("me@[2001:db8::1]:2200", "bastion"),
    )
    assert (found.user, found.port, found.identity_files) == ("root", 22, ("/keys/other",))
    assert (found.known_hosts, found.identities_only) == (("/keys/known",), True)
    assert [(jump.user, jump.address, jump.port) for jump in found.jumps] == [
        ("me", "2001:db8::1", 2200),
        ("jumper", "bastion.example.net", 22),
    ]


def test_without_ssh_config_the_defaults_of_openssh_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "id_ed25519").write_text("a key", "utf-8")
    found = endpoint("gpu001", Login(address="gpu001", user="ops"), UserConfig(tmp_path / "none"))
    assert found.identity_files == (f"{tmp_path}/.ssh/id_ed25519",)
    assert found.known_hosts == (
        f"{tmp_path}/.ssh/known_hosts",
        f"{tmp_path}/.ssh/known_hosts2",
        "/etc/ssh/ssh_known_hosts",
        "/etc/ssh/ssh_known_hosts2",
    )
    assert (found.port, found.jumps, found.command) == (22, (), "")


@pytest.mark.parametrize(
    ("openssh", "words"), [(True, "jumphost loop via bastion"), (False, "circle: bastion by bastion by gpu001")]
)
def test_a_jump_host_that_jumps_through_itself_is_a_circle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, openssh: bool, words: str
) -> None:
    if not openssh:
        monkeypatch.setattr("shutil.which", lambda _name: None)
    path = tmp_path / "config"
    path.write_text("Host *\n  ProxyJump bastion\n", "utf-8")
    config = UserConfig(path)
    if openssh and config._openssh is None:
        pytest.skip("needs ssh of OpenSSH")
    with pytest.raises((UnreachableError, UsageError), match=words):
        settled(config)


@pytest.mark.parametrize("jump", ["bastion:port", "ops@", "[2001:db8::1]:x"])
def test_a_jump_host_that_is_none_is_named(tmp_path: Path, jump: str) -> None:
    with pytest.raises(UnreachableError, match=r"is not \[user@\]host\[:port\]"):
        settled(UserConfig(tmp_path / "none"), jump=(jump,))


def test_a_config_that_ssh_does_not_accept_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_text("Host *\n  Prot 22\n", "utf-8")
    config = UserConfig(path)
    if config._openssh is None:
        pytest.skip("needs ssh of OpenSSH")
    with pytest.raises(UsageError, match="line 2: Bad configuration option: prot"):
        settled(config)


def test_a_config_that_paramiko_cannot_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _name: None)
    path = tmp_path / "config"
    path.write_text("Host *\n  nonsense\n", "utf-8")
    with pytest.raises(UsageError, match="nonsense"):
        settled(UserConfig(path))


def test_an_address_with_colons_stands_in_brackets() -> None:
    assert Endpoint(name="a", address="2001:db8::1", port=22).where == "[2001:db8::1]:22"
    assert Endpoint(name="a", address="192.0.2.1", port=22).where == "192.0.2.1:22"

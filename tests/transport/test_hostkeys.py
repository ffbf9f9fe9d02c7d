"""Host keys: unknown ones are refused or recorded, changed ones are always refused, on both transports."""

import base64
import hmac
from contextlib import closing
from pathlib import Path

import paramiko
import pytest

from fabric_audit.errors import HostKeyError
from fabric_audit.transport.hostkeys import KnownHosts, names_of
from tests.transport.conftest import QUICK, Bench
from tests.transport.sshd import Sshd


@pytest.fixture(scope="module")
def keys() -> tuple[paramiko.PKey, paramiko.PKey]:
    return paramiko.ECDSAKey.generate(), paramiko.ECDSAKey.generate()


def words(key: paramiko.PKey) -> str:
    return f"{key.get_name()} {key.get_base64()}"


def verdict(file: Path, key: paramiko.PKey, *names: str, accept_new: bool = False) -> str:
    try:
        KnownHosts(accept_new=accept_new).check(names or ("gpu001",), key, (str(file),))
    except HostKeyError as error:
        return "changed" if "has changed" in str(error) else "revoked" if "revoked" in str(error) else "unknown"
    return "accepted"


@pytest.mark.parametrize(
    ("line", "verdict_of_it"),
    [
        ("gpu001 {own}", "accepted"),
        ("gpu001,10.0.0.1 {own} somebody@somewhere", "accepted"),
        ("GPU001 {own}", "accepted"),
        ("gpu00? {own}", "accepted"),
        ("gpu*,!gpu001 {own}", "unknown"),
        ("!gpu002,gpu* {own}", "accepted"),
        ("gpu001 {other}", "changed"),
        ("gpu001 {other}\ngpu001 {own}", "accepted"),
        ("gpu002 {own}", "unknown"),
        ("@revoked gpu001 {own}", "revoked"),
        ("@revoked gpu001 {own}\ngpu001 {own}", "revoked"),
        ("@cert-authority gpu001 {other}", "unknown"),
        ("# gpu001 {own}", "unknown"),
        ("gpu001 {type}", "unknown"),
        ("\x00\xff nonsense", "unknown"),
        ("|1|not-base64|at-all= {own}", "unknown"),
        ("gpu001 ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7", "changed"),
    ],
)
def test_lines_of_known_hosts(
    tmp_path: Path, keys: tuple[paramiko.PKey, paramiko.PKey], line: str, verdict_of_it: str
) -> None:
    own, other = keys
    file = tmp_path / "known_hosts"
    file.write_text(line.format(own=words(own), other=words(other), type=own.get_name()) + "\n", "utf-8")
    assert verdict(file, own) == verdict_of_it


def test_hashed_names_are_found(tmp_path: Path, keys: tuple[paramiko.PKey, paramiko.PKey]) -> None:
    own, other = keys
    salt = b"0123456789abcdefghij"
    digest = hmac.digest(salt, b"[gpu001]:2222", "sha1")
    hashed = f"|1|{base64.b64encode(salt).decode()}|{base64.b64encode(digest).decode()}"
    file = tmp_path / "known_hosts"
    file.write_text(f"{hashed} {words(own)}\n", "utf-8")
    assert verdict(file, own, *names_of(2222, "gpu001")) == "accepted"
    assert verdict(file, other, *names_of(2222, "gpu001")) == "changed"
    assert verdict(file, own, "gpu002") == "unknown"


def test_names_with_ports_are_those_of_openssh() -> None:
    assert names_of(22, "10.0.0.1", "gpu001") == ("10.0.0.1", "gpu001")
    assert names_of(2222, "2001:db8::1") == ("[2001:db8::1]:2222",)
    assert names_of(22, "gpu001", "gpu001") == ("gpu001",)


def test_brackets_of_a_port_are_no_pattern(tmp_path: Path, keys: tuple[paramiko.PKey, paramiko.PKey]) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(f"[gpu*]:2222 {words(keys[0])}\n", "utf-8")
    assert verdict(file, keys[0], "[gpu001]:2222") == "accepted"
    assert verdict(file, keys[0], "gpu001") == "unknown"


def test_a_new_key_is_recorded_where_it_may_be_and_held_against_it(
    tmp_path: Path, keys: tuple[paramiko.PKey, paramiko.PKey]
) -> None:
    own, other = keys
    file = tmp_path / "new" / "known_hosts"
    assert verdict(file, own, accept_new=True) == "accepted"
    assert file.read_text("utf-8") == f"gpu001 {words(own)}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    assert verdict(file, own) == "accepted"
    assert verdict(file, other, accept_new=True) == "changed"


def test_a_record_keeps_off_a_last_line_without_an_end(
    tmp_path: Path, keys: tuple[paramiko.PKey, paramiko.PKey]
) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(f"gpu002 {words(keys[1])}", "utf-8")
    assert verdict(file, keys[0], accept_new=True) == "accepted"
    assert verdict(file, keys[0]) == "accepted"
    assert verdict(file, keys[1], "gpu002") == "accepted"


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path, keys: tuple[paramiko.PKey, paramiko.PKey]) -> None:
    with pytest.raises(HostKeyError, match="cannot be read"):
        KnownHosts().check(("gpu001",), keys[0], (str(tmp_path),))


@pytest.mark.ssh
def test_an_unknown_host_is_refused_with_its_fingerprint(bench: Bench) -> None:
    sshd = bench.serve()
    with pytest.raises(HostKeyError) as caught:
        bench.ssh(QUICK).open(bench.host(sshd.port))
    fingerprint = sshd.key.get_fingerprint()
    assert str(caught.value) == f"host key of [127.0.0.1]:{sshd.port} is unknown (ssh-ed25519 {fingerprint})"
    assert "--accept-new-host-keys" in caught.value.remedy
    assert sshd.logins == 0


@pytest.mark.ssh
def test_an_unknown_host_is_recorded_on_demand_and_verified_from_then_on(bench: Bench) -> None:
    sshd = bench.serve()
    with closing(bench.ssh(accept_new=True).open(bench.host(sshd.port))) as session:
        assert session.ask("echo in\n", deadline_s=10).rc == 0
    assert (bench.folder / "known_hosts").read_text("utf-8") == sshd.known()
    with closing(bench.ssh().open(bench.host(sshd.port))) as session:
        assert session.ask("echo in\n", deadline_s=10).rc == 0
    _refused_as_changed(bench, _reinstalled(bench, sshd))


@pytest.mark.ssh
def test_a_changed_key_is_refused_before_any_login_even_on_demand(bench: Bench) -> None:
    sshd = bench.serve()
    bench.known(sshd)
    again = _reinstalled(bench, sshd)
    _refused_as_changed(bench, again)
    assert again.logins == 0


@pytest.mark.ssh
def test_a_key_of_another_type_on_record_is_a_changed_key(bench: Bench) -> None:
    """A server that can show no key of the type on record is not the one that was recorded."""
    sshd = bench.serve(algorithm="ecdsa-sha2-nistp256")
    rsa = bench.serve(algorithm="ssh-rsa")
    (bench.folder / "known_hosts").write_text(rsa.known(sshd.port), "utf-8")
    _refused_as_changed(bench, sshd)


@pytest.mark.ssh
def test_the_server_is_asked_for_the_type_on_record(bench: Bench) -> None:
    sshd = bench.serve(algorithm="ssh-rsa")
    bench.known(sshd)
    with closing(bench.ssh().open(bench.host(sshd.port))) as session:
        assert session.ask("echo in\n", deadline_s=10).rc == 0


def _reinstalled(bench: Bench, sshd: Sshd) -> Sshd:
    bench.loop.call(sshd.close)
    return bench.serve(port=sshd.port)


def _refused_as_changed(bench: Bench, sshd: Sshd) -> None:
    for accept_new in (False, True):
        with pytest.raises(HostKeyError, match="has changed") as caught:
            bench.ssh(QUICK, accept_new=accept_new).open(bench.host(sshd.port))
        assert f"ssh-keygen -R '[127.0.0.1]:{sshd.port}'" in caught.value.remedy

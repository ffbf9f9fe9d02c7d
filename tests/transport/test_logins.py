"""Keys, passwords and questions: what is tried, in which order, and what a refusal says."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import asyncssh
import pytest

from fabric_audit.errors import DisconnectedError, LoginError
from fabric_audit.inventory.model import Secret
from tests.transport.conftest import QUICK, Bench
from tests.transport.sshd import WORD, shell

pytestmark = pytest.mark.ssh
VARIABLE = "TEST_HOST_WORD"


def refused(bench: Bench, port: int, **login: Any) -> LoginError:
    with pytest.raises(LoginError) as caught:
        bench.ssh(QUICK).open(bench.host(port, **login))
    return caught.value


def enters(bench: Bench, port: int, **login: Any) -> bool:
    with closing(bench.ssh().open(bench.host(port, **login))) as session:
        return session.ask("echo in\n", deadline_s=10).stdout == b"in\n"


def locked() -> bytes:
    """A key file in OpenSSH's form that needs a passphrase."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    return key.export_private_key(passphrase="word")


@contextmanager
def agent(bench: Bench, monkeypatch: pytest.MonkeyPatch, key_file: str) -> Iterator[None]:
    """An ssh-agent that holds one key."""
    monkeypatch.setenv("SSH_AUTH_SOCK", str(bench.folder / "agent"))
    with subprocess.Popen(["ssh-agent", "-D", "-a", str(bench.folder / "agent")], stdout=subprocess.DEVNULL) as process:
        try:
            while not (bench.folder / "agent").exists():
                time.sleep(0.02)
            subprocess.run(["ssh-add", "-q", key_file], check=True)
            yield
        finally:
            process.terminate()


def test_a_refused_key_is_named(bench: Bench) -> None:
    sshd = bench.serve(key=b"ssh-ed25519 another\n")
    bench.known(sshd)
    error = refused(bench, sshd.port)
    assert str(error) == f"ops@127.0.0.1: login refused; tried key {bench.key_file}"
    assert error.remedy.startswith("check user, identity_file and authorized_keys")


def test_a_password_comes_from_the_environment(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    sshd = bench.serve(key=None, password=WORD)
    bench.known(sshd)
    monkeypatch.setenv(VARIABLE, WORD)
    assert enters(bench, sshd.port, password=Secret("env", VARIABLE))


def test_a_refused_password_is_named_by_its_reference_only(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    sshd = bench.serve(key=None, password=WORD)
    bench.known(sshd)
    monkeypatch.setenv(VARIABLE, "wrong-word")
    error = refused(bench, sshd.port, password=Secret("env", VARIABLE))
    assert f"password from Secret(env: {VARIABLE})" in str(error)
    assert "wrong-word" not in f"{error} {error.remedy}"


def test_a_variable_that_is_not_set_is_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    sshd = bench.serve(key=None, password=WORD)
    bench.known(sshd)
    monkeypatch.delenv(VARIABLE, raising=False)
    error = refused(bench, sshd.port, password=Secret("env", VARIABLE))
    assert str(error) == f"environment variable {VARIABLE} is not set"


def test_questions_are_answered_where_they_are_not_echoed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server asks for a user name, echoed, and for a password: only the second is answered with the password."""
    sshd = bench.serve(key=None, questions=WORD)
    bench.known(sshd)
    monkeypatch.setenv(VARIABLE, WORD)
    assert enters(bench, sshd.port, password=Secret("env", VARIABLE))


def test_a_key_goes_first_and_a_password_after_it(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    sshd = bench.serve(key=b"ssh-ed25519 another\n", password=WORD)
    bench.known(sshd)
    monkeypatch.setenv(VARIABLE, "wrong-word")
    error = refused(bench, sshd.port, password=Secret("env", VARIABLE))
    words = str(error)
    assert words.index(bench.key_file) < words.index("password from") < words.index("keyboard-interactive")


def test_too_many_attempts_are_a_refusal_with_the_servers_words(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    sshd = bench.serve(key=b"ssh-ed25519 another\n", password=WORD, attempts=1)
    bench.known(sshd)
    monkeypatch.setenv(VARIABLE, WORD)
    error = refused(bench, sshd.port, password=Secret("env", VARIABLE))
    assert "(Too many authentication failures)" in str(error)


def test_a_connection_that_breaks_during_login_is_no_refusal(bench: Bench) -> None:
    sshd = bench.serve(shell, slow_auth_s=0.2, breaks_off=True)
    bench.known(sshd)
    with pytest.raises(DisconnectedError, match="connection lost during login"):
        bench.ssh(QUICK).open(bench.host(sshd.port))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "No such file or directory"),
        (b"no key at all\n", "cannot be read: "),
        (locked(), "needs a passphrase: load it into ssh-agent"),
    ],
)
def test_a_key_that_cannot_be_used_says_why(bench: Bench, text: bytes | None, words: str) -> None:
    sshd = bench.serve()
    bench.known(sshd)
    path = bench.folder / "id_other"
    if text is not None:
        path.write_bytes(text)
    error = refused(bench, sshd.port, identity_file=str(path))
    assert f"key {path}: {words}" in str(error)


@pytest.mark.parametrize("algorithm", ["ssh-rsa", "ecdsa-sha2-nistp256"])
def test_keys_of_other_kinds_log_in(bench: Bench, algorithm: str) -> None:
    key = asyncssh.generate_private_key(algorithm)
    sshd = bench.serve(key=key.export_public_key())
    bench.known(sshd)
    path = bench.folder / "id_other"
    path.write_bytes(key.export_private_key("pkcs1-pem"))
    assert enters(bench, sshd.port, identity_file=str(path))


@pytest.mark.skipif(shutil.which("ssh-agent") is None, reason="needs ssh-agent of OpenSSH")
def test_a_locked_key_logs_in_through_the_agent_that_holds_it(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an agent's keys only the one that the inventory names is used: its public half lies beside the file."""
    sshd = bench.serve()
    bench.known(sshd)
    path = bench.folder / "id_locked"
    path.write_bytes(locked())
    path.with_suffix(".pub").write_bytes(bench.public)
    with agent(bench, monkeypatch, bench.key_file):
        assert enters(bench, sshd.port, identity_file=str(path))
        path.with_suffix(".pub").unlink()
        assert "agent" not in str(refused(bench, sshd.port, identity_file=str(path))).replace("ssh-agent", "")
        assert enters(bench, sshd.port, identity_file=None)


def test_with_nothing_to_try_the_message_says_so(bench: Bench) -> None:
    sshd = bench.serve()
    bench.known(sshd)
    error = refused(bench, sshd.port, identity_file=None)
    assert "tried nothing: no key, agent or password for it" in str(error)


def test_a_password_of_the_inventory_goes_before_keys_it_does_not_name(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    sshd = bench.serve(key=b"ssh-ed25519 another\n", password=WORD)
    bench.known(sshd)
    monkeypatch.setenv(VARIABLE, "wrong-word")
    target = bench.host(sshd.port, identity_file=None, password=Secret("env", VARIABLE))
    with pytest.raises(LoginError) as caught:
        bench.ssh(QUICK, config=f"IdentityFile {bench.key_file}\n").open(target)
    words = str(caught.value)
    assert words.index("password from") < words.index("keyboard-interactive") < words.index(bench.key_file)


def test_a_server_that_takes_one_attempt_says_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    sshd = bench.serve(key=b"ssh-ed25519 another\n", password=WORD, strict=True)
    bench.known(sshd)
    monkeypatch.setenv(VARIABLE, WORD)
    error = refused(bench, sshd.port, password=Secret("env", VARIABLE))
    assert str(error).endswith("(Unexpected service in service request)")

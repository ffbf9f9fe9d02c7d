"""Switches through netmiko's own drivers: one session, answers whole, failures with their true cause."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

from fabric_audit.errors import DeadlineError, DisconnectedError, HostKeyError, LoginError, RefusedCommandError
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.transport import Session
from fabric_audit.transport.dialler import Timeouts
from fabric_audit.transport.switch_cli import SwitchCli
from tests.transport.cli import Cli
from tests.transport.conftest import PATIENT, QUICK, Bench
from tests.transport.sshd import WORD

pytestmark = pytest.mark.ssh
SONIC = "sonic"
EOS = "arista_eos"
PROMPTS = {SONIC: b"admin@leaf01:~$ ", EOS: b"leaf01#"}
COMMAND = {SONIC: "show pfc counters", EOS: "show running-config"}
BOTH = pytest.mark.parametrize("platform", [SONIC, EOS])


@pytest.fixture(autouse=True)
def word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_SWITCH_WORD", WORD)


def switches(bench: Bench, timeouts: Timeouts = PATIENT) -> SwitchCli:
    return SwitchCli(bench.dialler(timeouts), bench.config(), switch_platforms())


@contextmanager
def session(bench: Bench, platform: str, answer: bytes = b"", **habits: Any) -> Iterator[tuple[Session, Cli]]:
    cli = Cli(prompt=habits.pop("prompt", PROMPTS[platform]), answers={COMMAND[platform]: answer}, **habits)
    sshd = bench.serve(cli, key=None, password=WORD)
    bench.known(sshd)
    with closing(switches(bench).open(bench.switch(sshd.port, platform))) as opened:
        yield opened, cli


@BOTH
def test_an_answer_comes_without_echo_and_prompt(bench: Bench, platform: str) -> None:
    with session(bench, platform, b"line 1\n\n  line 3\n") as (opened, _):
        for _ in range(3):
            answer = opened.ask(COMMAND[platform], deadline_s=10)
            assert (answer.stdout, answer.error, answer.rc) == (b"line 1\n\n  line 3\n", None, None)


@BOTH
def test_a_banner_a_slow_prompt_and_slow_answers_do_no_harm(bench: Bench, platform: str) -> None:
    banner = b"*" * 79 + b"\r\nAuthorized users only # $ >\r\nLast login: Mon\r\n"
    with session(bench, platform, b"line\n", banner=banner, slow_s=0.4) as (opened, _):
        assert opened.ask(COMMAND[platform], deadline_s=10).stdout == b"line\n"
        assert opened.ask(COMMAND[platform], deadline_s=10).stdout == b"line\n"


def test_paging_is_switched_off(bench: Bench) -> None:
    text = b"".join(b"line %d\n" % n for n in range(100))
    with session(bench, EOS, text, pages=True) as (opened, cli):
        assert opened.ask(COMMAND[EOS], deadline_s=10).stdout == text
        assert {line for line in cli.seen if line} == {*switch_platforms()[EOS].setup, COMMAND[EOS]}


@BOTH
def test_a_prompt_quoted_in_an_answer_does_not_end_it(bench: Bench, platform: str) -> None:
    quoted = b"before\n" + PROMPTS[platform] + b"show version\nafter\n" + PROMPTS[platform] + b"\nlast\n"
    with session(bench, platform, quoted * 500) as (opened, _):
        answer = opened.ask(COMMAND[platform], deadline_s=20)
        assert answer.stdout.replace(b" \n", b"\n") == (quoted * 500).replace(b" \n", b"\n")


@BOTH
def test_an_answer_whose_last_line_has_no_end_is_kept(bench: Bench, platform: str) -> None:
    with session(bench, platform, b'{\n "a": 1\n}') as (opened, _):
        assert opened.ask(COMMAND[platform], deadline_s=10).stdout == b'{\n "a": 1\n}\n'


@BOTH
def test_two_megabytes_arrive_whole(bench: Bench, platform: str) -> None:
    text = b"".join(b"line %07d %s\n" % (n, b"x" * 80) for n in range(21_000))
    with session(bench, platform, text) as (opened, _):
        assert opened.ask(COMMAND[platform], deadline_s=60).stdout == text


@BOTH
def test_an_empty_answer_is_empty(bench: Bench, platform: str) -> None:
    with session(bench, platform, b"") as (opened, _):
        answer = opened.ask(COMMAND[platform], deadline_s=10)
        assert (answer.stdout, answer.error) == (b"", None)


@BOTH
def test_a_prompt_that_never_comes_back_ends_at_the_deadline_with_what_was_read(bench: Bench, platform: str) -> None:
    with session(bench, platform, b"line 1\r\nline", hangs_on=COMMAND[platform]) as (opened, cli):
        answer = opened.ask(COMMAND[platform], deadline_s=1.0)
        assert isinstance(answer.error, DeadlineError)
        assert b"line 1\nline" in answer.stdout
        assert answer.duration_s < 5
        cli.hangs_on = ""
        assert opened.ask(COMMAND[platform], deadline_s=10).stdout == b"line 1\nline\n", "the login was renewed"


@BOTH
def test_a_session_that_breaks_in_an_answer_is_lost_and_not_silent(bench: Bench, platform: str) -> None:
    with session(bench, platform, b"line 1\r\nline", breaks_on=COMMAND[platform]) as (opened, _):
        answer = opened.ask(COMMAND[platform], deadline_s=30)
        assert isinstance(answer.error, DisconnectedError)
        assert b"line 1\nline" in answer.stdout
        assert answer.duration_s < 10


def test_set_up_that_aaa_refuses_does_not_end_the_session(bench: Bench) -> None:
    with session(bench, EOS, b"line\n", refuses_setup=True) as (opened, _):
        assert opened.ask(COMMAND[EOS], deadline_s=10).stdout == b"line\n"


@BOTH
def test_a_refused_password(bench: Bench, platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_SWITCH_WORD", "wrong-word")
    sshd = bench.serve(Cli(prompt=PROMPTS[platform]), key=None, password=WORD)
    bench.known(sshd)
    with pytest.raises(LoginError, match=r"login refused; tried password from Secret\(env: TEST_SWITCH_WORD\)"):
        switches(bench, QUICK).open(bench.switch(sshd.port, platform))


@BOTH
def test_an_unknown_host_key_is_refused_here_too(bench: Bench, platform: str) -> None:
    sshd = bench.serve(Cli(prompt=PROMPTS[platform]), key=None, password=WORD)
    with pytest.raises(HostKeyError, match="is unknown"):
        switches(bench, QUICK).open(bench.switch(sshd.port, platform))
    assert sshd.logins == 0


@BOTH
def test_a_switch_that_ends_the_session_before_a_prompt(bench: Bench, platform: str) -> None:
    async def ends(process: Any) -> None:
        process.stdout.write(b"This account is currently not available.\r\n")
        process.exit(1)

    sshd = bench.serve(ends, key=None, password=WORD)
    bench.known(sshd)
    with pytest.raises(DisconnectedError, match="ended the session before it showed a prompt"):
        switches(bench).open(bench.switch(sshd.port, platform))


def test_a_command_that_is_not_on_the_list_never_reaches_the_switch(bench: Bench) -> None:
    with session(bench, EOS) as (opened, cli):
        with pytest.raises(RefusedCommandError):
            opened.ask("reload", deadline_s=10)
        assert "reload" not in cli.seen


def test_a_switch_behind_a_bastion(bench: Bench) -> None:
    bastion = bench.serve(forwards=True)
    cli = Cli(prompt=PROMPTS[EOS], answers={COMMAND[EOS]: b"line\n"})
    sshd = bench.serve(cli, key=None, password=WORD)
    bench.known(bastion, sshd)
    config = bench.config(f"Host *\n  IdentityFile {bench.key_file}\n  UserKnownHostsFile {bench.folder}/known_hosts\n")
    transport = SwitchCli(bench.dialler(), config, switch_platforms())
    target = bench.switch(sshd.port, EOS, jump=(f"ops@127.0.0.1:{bastion.port}",))
    with closing(transport.open(target)) as opened:
        assert opened.ask(COMMAND[EOS], deadline_s=10).stdout == b"line\n"
    assert len(bastion.connections) == 1

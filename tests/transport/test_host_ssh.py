"""A host over real SSH: one script an exec, streams apart, every wait with an end, and what was said is kept."""

import time
from contextlib import closing
from threading import Event, Thread
from typing import Any

import pytest

from fabric_audit.errors import DeadlineError, DisconnectedError, LoginError, UnreachableError
from fabric_audit.transport import Answer, Talk
from tests.transport.conftest import QUICK, Bench
from tests.transport.sshd import cut, dropping, raw, says, silence

pytestmark = pytest.mark.ssh


def ask(bench: Bench, port: int, text: str = "echo hello\n", *, deadline_s: float = 10.0) -> Answer:
    with closing(bench.ssh().open(bench.host(port))) as session:
        return session.ask(text, deadline_s=deadline_s)


def test_a_script_runs_from_stdin_with_its_streams_and_status_apart(bench: Bench) -> None:
    sshd = bench.serve()
    bench.known(sshd)
    answer = ask(bench, sshd.port, "echo out\necho err >&2\nprintf '%s' \"it's $((6*7))\"\nexit 5\n")
    assert (answer.stdout, answer.stderr, answer.rc, answer.error) == (b"out\nit's 42", b"err\n", 5, None)
    assert answer.duration_s > 0


def test_several_questions_share_one_login(bench: Bench) -> None:
    sshd = bench.serve()
    bench.known(sshd)
    with closing(bench.ssh().open(bench.host(sshd.port))) as session:
        assert [session.ask(f"echo {n}\n", deadline_s=10).stdout for n in range(8)] == [b"%d\n" % n for n in range(8)]
    assert sshd.logins == 1


def test_twenty_megabytes_arrive_whole_on_both_streams(bench: Bench) -> None:
    sshd = bench.serve()
    bench.known(sshd)
    script = "yes 0123456789abcdef | head -c 20000000\nyes fedcba9876543210 | head -c 1000000 >&2\n"
    answer = ask(bench, sshd.port, script, deadline_s=60)
    assert (len(answer.stdout), len(answer.stderr), answer.rc) == (20_000_000, 1_000_000, 0)
    assert answer.stdout == (b"0123456789abcdef\n" * 1_176_471)[:20_000_000]


@pytest.mark.parametrize(("words", "step"), [(b"", "connection"), (b"SSH-2.0-Mute_1.0\r\n", "banner")])
def test_a_server_that_accepts_and_stays_silent_ends_at_the_deadline(bench: Bench, words: bytes, step: str) -> None:
    server = bench.keep(bench.loop.run(raw(words)))
    began = time.monotonic()
    with pytest.raises(DeadlineError, match=r"accepted the connection and stayed silent for 0\.5 s"):
        bench.ssh(QUICK).open(bench.host(server.sockets[0].getsockname()[1]))
    assert time.monotonic() - began < 5, step


def test_a_server_that_is_silent_during_login_ends_at_the_deadline(bench: Bench) -> None:
    sshd = bench.serve(slow_auth_s=60)
    bench.known(sshd)
    with pytest.raises(DeadlineError, match="silent during login"):
        bench.ssh(QUICK).open(bench.host(sshd.port))


def test_a_command_that_says_nothing_ends_at_the_deadline(bench: Bench) -> None:
    sshd = bench.serve(silence)
    bench.known(sshd)
    answer = ask(bench, sshd.port, deadline_s=0.4)
    assert isinstance(answer.error, DeadlineError)
    assert str(answer.error) == "no end of its answer within 0.4 s"
    assert (answer.stdout, answer.rc) == (b"", None)


def test_what_was_said_before_the_deadline_is_kept(bench: Bench) -> None:
    sshd = bench.serve(says(b"half an ans", silence))
    bench.known(sshd)
    answer = ask(bench, sshd.port, deadline_s=0.5)
    assert isinstance(answer.error, DeadlineError)
    assert answer.stdout == b"half an ans"


def test_what_was_said_before_the_connection_broke_is_kept(bench: Bench) -> None:
    sshd = bench.serve(says(b"half an ans", cut))
    bench.known(sshd)
    answer = ask(bench, sshd.port, deadline_s=30)
    assert isinstance(answer.error, DisconnectedError)
    assert (answer.stdout, answer.rc) == (b"half an ans", None)
    assert answer.duration_s < 10


def test_a_session_whose_connection_broke_says_so_at_once(bench: Bench) -> None:
    sshd = bench.serve(says(b"", cut))
    bench.known(sshd)
    with closing(bench.ssh().open(bench.host(sshd.port))) as session:
        session.ask("true\n", deadline_s=30)
        again = session.ask("true\n", deadline_s=30)
    assert isinstance(again.error, DisconnectedError)
    assert again.duration_s < 5


def test_nothing_listens(bench: Bench) -> None:
    sshd = bench.serve()
    bench.loop.call(sshd.close)
    with pytest.raises(UnreachableError, match=rf"127\.0\.0\.1:{sshd.port}: Connection refused") as caught:
        bench.ssh(QUICK).open(bench.host(sshd.port))
    assert caught.value.remedy == "check that sshd runs there"


def test_a_name_that_does_not_resolve(bench: Bench) -> None:
    with pytest.raises(UnreachableError, match=r"gpu001\.invalid: name not resolved"):
        bench.ssh(QUICK).open(bench.host(22, address="gpu001.invalid"))


def test_a_server_that_hangs_up_before_its_banner_is_tried_again(bench: Bench) -> None:
    """MaxStartups of OpenSSH drops connections at random before it says a word."""
    sshd = bench.serve()
    busy = bench.keep(bench.loop.run(dropping(2, sshd.port)))
    port = busy.sockets[0].getsockname()[1]
    (bench.folder / "known_hosts").write_text(sshd.known(port), "utf-8")
    assert ask(bench, port).stdout == b"hello\n"


def test_a_server_that_always_hangs_up_is_given_up(bench: Bench) -> None:
    busy = bench.keep(bench.loop.run(dropping(100, 1)))
    with pytest.raises(DisconnectedError):
        bench.ssh(QUICK).open(bench.host(busy.sockets[0].getsockname()[1]))


def test_a_refused_session_is_asked_for_again(bench: Bench) -> None:
    """With MaxSessions 1 the next exec is refused until sshd has let go of the last one."""
    sshd = bench.serve(sessions=1)
    bench.known(sshd)
    with closing(bench.ssh().open(bench.host(sshd.port))) as session:
        running = Event()
        answers: list[Answer] = []
        script = "exec </dev/null\n{ printf '@@m running\\n'; sleep 0.3; }\n"
        talk = Talk("@@m", lambda _words: running.set())
        first = Thread(target=lambda: answers.append(session.ask(script, deadline_s=20, talk=talk)))
        first.start()
        assert running.wait(10)
        second = session.ask("echo second\n", deadline_s=20)
        first.join(20)
    assert [answer.stdout for answer in (*answers, second)] == [b"@@m running\n", b"second\n"]


@pytest.mark.parametrize("how", [{"sessions": 0}, {"runs_commands": False}])
def test_a_login_that_may_not_run_commands_is_named(bench: Bench, how: dict[str, Any]) -> None:
    sshd = bench.serve(**how)
    bench.known(sshd)
    answer = ask(bench, sshd.port)
    assert isinstance(answer.error, LoginError)
    assert str(answer.error).startswith("logged in, but no session for commands: ")
    assert "MaxSessions and ForceCommand" in answer.error.remedy


def test_a_talk_hears_marks_as_they_come_and_is_answered(bench: Bench) -> None:
    sshd = bench.serve()
    bench.known(sshd)
    heard: list[str] = []

    def hears(words: str) -> None:
        heard.append(words)
        talk.say("go")

    talk = Talk("@@mark", hears)
    waits = "printf '\\n@@mark W\\n'; read -r word <&3; echo \"$word, then end\""
    script = f"exec 3<&0 </dev/null\nmain() {{ {waits}; }}\nmain\n"
    with closing(bench.ssh().open(bench.host(sshd.port))) as session:
        answer = session.ask(script, deadline_s=20, talk=talk)
    assert heard == ["W"]
    assert answer.stdout == b"\n@@mark W\ngo, then end\n"
    assert answer.rc == 0


def test_closing_a_session_ends_what_still_runs(bench: Bench) -> None:
    sshd = bench.serve(says(b"begun\n", silence))
    bench.known(sshd)
    session = bench.ssh().open(bench.host(sshd.port))
    answers: list[Answer] = []
    asking = Thread(target=lambda: answers.append(session.ask("true\n", deadline_s=60)))
    asking.start()
    time.sleep(0.5)
    session.close()
    session.close()
    asking.join(10)
    assert answers
    assert isinstance(answers[0].error, DisconnectedError)
    assert answers[0].stdout == b"begun\n"


def test_login_errors_are_one_kind(bench: Bench) -> None:
    sshd = bench.serve(key=b"another")
    bench.known(sshd)
    with pytest.raises(LoginError):
        bench.ssh(QUICK).open(bench.host(sshd.port))

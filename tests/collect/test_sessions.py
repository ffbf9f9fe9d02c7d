"""Logins: one a target, a failed one not tried again, a lost one renewed, none after the end."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Barrier, Lock

import pytest

from fabric_audit.collect.sessions import Sessions
from fabric_audit.errors import DeadlineError, DisconnectedError, LoginError, TransportError, UnreachableError
from fabric_audit.inventory.model import Host, Login, Target
from fabric_audit.transport import Answer, Session, Talk

HOST = Host(name="gpu001", login=Login(address="192.0.2.1"))


@dataclass
class Door:
    """A transport that hands out sessions which remember whether they were closed."""

    refuses: TransportError | None = None
    opened: "list[Room]" = field(default_factory=list)
    attempts: int = 0
    closed: bool = False
    _lock: Lock = field(default_factory=Lock)

    def open(self, target: Target) -> Session:
        assert target is HOST
        with self._lock:
            self.attempts += 1
        if self.refuses:
            raise self.refuses
        self.opened.append(Room())
        return self.opened[-1]

    def close(self) -> None:
        self.closed = True


@dataclass
class Room:
    open: bool = True

    def ask(self, text: str, *, deadline_s: float, talk: Talk | None = None) -> Answer:
        del text, deadline_s, talk
        return Answer()

    def close(self) -> None:
        self.open = False


def test_threads_that_need_a_target_at_once_share_one_login() -> None:
    door, start = Door(), Barrier(8)
    sessions = Sessions(door, Door())

    def asks(_number: int) -> Session:
        start.wait(10)
        return sessions.of(HOST)

    with ThreadPoolExecutor(8) as pool:
        assert len({id(session) for session in pool.map(asks, range(8))}) == 1
    assert door.attempts == 1


def test_a_login_that_failed_is_not_tried_again() -> None:
    door = Door(LoginError("refused"))
    sessions = Sessions(door, Door())
    assert sessions.failure("gpu001") is None
    for _ in range(3):
        with pytest.raises(LoginError, match="refused"):
            sessions.of(HOST)
    assert door.attempts == 1
    assert str(sessions.failure("gpu001")) == "refused"


@pytest.mark.parametrize(
    ("answer", "renewed"),
    [
        (Answer(error=DisconnectedError("lost")), True),
        (Answer(error=DisconnectedError("lost"), stdout=b"half"), True),
        (Answer(error=DeadlineError("silent")), True),
        (Answer(error=DeadlineError("slow"), stdout=b"half"), False),
        (Answer(error=LoginError("no session")), False),
    ],
)
def test_a_login_that_is_lost_or_says_nothing_is_renewed(answer: Answer, renewed: bool) -> None:
    door = Door()
    sessions = Sessions(door, Door())
    first = sessions.of(HOST)
    sessions.after(HOST, first, answer)
    assert (sessions.of(HOST) is not first) is renewed
    assert door.opened[0].open is not renewed


def test_an_old_failure_does_not_end_a_new_login() -> None:
    door = Door()
    sessions = Sessions(door, Door())
    first = sessions.of(HOST)
    lost = Answer(error=DisconnectedError("lost"))
    sessions.after(HOST, first, lost)
    second = sessions.of(HOST)
    sessions.after(HOST, first, lost)
    assert sessions.of(HOST) is second


def test_after_hanging_up_nobody_logs_in_until_it_is_allowed() -> None:
    door = Door()
    sessions = Sessions(door, Door())
    sessions.of(HOST)
    sessions.hang_up()
    assert not door.opened[0].open
    with pytest.raises(UnreachableError, match="the run was ended"):
        sessions.of(HOST)
    assert sessions.failure("gpu001") is not None
    sessions.allow()
    assert sessions.of(HOST) is door.opened[1]


def test_a_login_that_comes_through_after_the_end_is_closed() -> None:
    door = Door()
    sessions = Sessions(door, Door())
    made = door.open

    def slow(target: Target) -> Session:
        sessions.hang_up()
        return made(target)

    door.open = slow  # type: ignore[method-assign]  # the run ends while the login is under way
    with pytest.raises(UnreachableError, match="the run was ended"):
        sessions.of(HOST)
    assert not door.opened[0].open


def test_closing_ends_both_transports() -> None:
    hosts, switches = Door(), Door()
    sessions = Sessions(hosts, switches)
    sessions.of(HOST)
    sessions.close()
    assert (hosts.closed, switches.closed, hosts.opened[0].open) == (True, True, False)

"""Runs one pair of hosts through one round: server listens, client sends, both read their counters."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

from fabric_audit.collect.asking import Answered, Asker, new_mark
from fabric_audit.inventory.model import Host
from fabric_audit.plan.bind import Bound
from fabric_audit.plan.rounds import GRACE_S, Conduct, deadline_s
from fabric_audit.transport import Talk


class Rendezvous:
    """Lets the client go when the server listens and the client is there; sends it home when it never does."""

    def __init__(self) -> None:
        self.server = Talk(new_mark(), self._server_says)
        self.client = Talk(new_mark(), self._client_says)
        self._listening = Event()
        self._waiting = Event()
        self._sent = Event()

    def _server_says(self, words: str) -> None:
        if words == "R":
            self._listening.set()
            self._release()

    def _client_says(self, words: str) -> None:
        if words == "W":
            self._waiting.set()
            self._release()

    def _release(self) -> None:
        if self._listening.is_set() and self._waiting.is_set() and not self._sent.is_set():
            self._sent.set()
            self.client.say("go")

    def server_ended(self) -> None:
        """The server's exec is over; a client that still waits for it need not."""
        if not self._sent.is_set():
            self._sent.set()
            self.client.say("home")

    def client_ended(self) -> None:
        """The client's exec is over; tests that still listen after the grace are stopped."""
        self.server.say("stop")


def run_pair(
    asker: Asker, conduct: Conduct, hosts: tuple[Host, Host], bounds: Sequence[Bound], phase: str
) -> tuple[Answered, Answered]:
    """One unit of work: all slots of one pair in one round.

    Args:
        asker: asks in the run's name.
        conduct: the run's scripts.
        hosts: client and server.
        bounds: their slots, bound.
        phase: the round's folder in the capture.

    Returns:
        What the client and the server answered.
    """
    client, server = hosts
    meeting = Rendezvous()
    within = deadline_s(bounds)

    def serve() -> Answered:
        script = conduct.server(bounds, server.login.become or "")
        try:
            return asker.run_script(server, script, phase, within, meeting.server)
        finally:
            meeting.server_ended()

    with ThreadPoolExecutor(1, thread_name_prefix="serve") as beside:
        serving = beside.submit(serve)
        script = conduct.client(bounds, client.login.become or "")
        sent = asker.run_script(client, script, phase, within, meeting.client)
        served = _ended(serving, meeting)
    return sent, served


def _ended(serving: Future[Answered], meeting: Rendezvous) -> Answered:
    try:
        return serving.result(timeout=GRACE_S)
    except TimeoutError:
        meeting.client_ended()
        return serving.result()

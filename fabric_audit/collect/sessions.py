"""Open logins, one a target, and the reason for each that could not be opened."""

from dataclasses import dataclass, field
from threading import Lock

from fabric_audit.errors import DeadlineError, DisconnectedError, TransportError, UnreachableError
from fabric_audit.inventory.model import Host, Target
from fabric_audit.transport import Answer, Session, Transport


@dataclass(slots=True)
class Sessions:
    """Logs in on first use. A login that failed is not tried again; one that was lost is, once it is needed."""

    hosts: Transport
    switches: Transport
    _open: dict[str, Session] = field(default_factory=dict)
    _failed: dict[str, TransportError] = field(default_factory=dict)
    _locks: dict[str, Lock] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    _ended: bool = False

    def of(self, target: Target) -> Session:
        """The target's session.

        Raises:
            TransportError: it cannot be opened; the same error each time.
        """
        with self._lock:
            mine = self._locks.setdefault(target.name, Lock())
        with mine:
            failure = self.failure(target.name)
            if failure is not None:
                raise failure
            return self._open.get(target.name) or self._opened(target)

    def _opened(self, target: Target) -> Session:
        transport = self.hosts if isinstance(target, Host) else self.switches
        try:
            session = transport.open(target)
        except TransportError as error:
            self._failed[target.name] = error
            raise
        with self._lock:
            if not self._ended:
                self._open[target.name] = session
                return session
        session.close()
        raise _ended()

    def after(self, target: Target, session: Session, answer: Answer) -> None:
        """Told of an answer that failed: a login that is lost, or says nothing at all, is not used again."""
        silent = isinstance(answer.error, DeadlineError) and not answer.stdout
        if silent or isinstance(answer.error, DisconnectedError):
            session.close()
            with self._lock:
                if self._open.get(target.name) is session:
                    del self._open[target.name]

    def failure(self, target: str) -> TransportError | None:
        """Why a target cannot be asked any more."""
        return _ended() if self._ended else self._failed.get(target)

    def hang_up(self) -> None:
        """End all logins and open none until :meth:`allow`; scripts that still run lose their lifeline."""
        with self._lock:
            self._ended = True
            for session in self._open.values():
                session.close()
            self._open.clear()

    def allow(self) -> None:
        """Logins may be opened again."""
        self._ended = False

    def close(self) -> None:
        """End all logins and what they went through."""
        self.hang_up()
        self.hosts.close()
        self.switches.close()


def _ended() -> TransportError:
    return UnreachableError("not asked: the run was ended")

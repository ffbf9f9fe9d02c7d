"""Every exception this package raises on purpose.

::

    FabricAuditError
    ├── UsageError                 the user's words are wrong; exit 2
    │   ├── InventoryError         one or more faults of an inventory file
    │   └── PolicyError            one or more faults of a policy file
    ├── CaptureError               a capture that cannot be read or written
    ├── ParseError                 output that a parser does not understand
    ├── RefusedCommandError        a command that no platform registered as allowed
    └── TransportError             a target that could not be asked; becomes data in the capture
        ├── UnreachableError       no TCP connection
        ├── HostKeyError           the host key is unknown or has changed
        ├── LoginError             the target refused key or password
        ├── DeadlineError          the target went silent past its deadline
        └── DisconnectedError      the connection ended in the middle

Below the transport errors become data: a target that fails is a row in the coverage, never a traceback.
"""

from collections.abc import Sequence
from dataclasses import dataclass


class FabricAuditError(Exception):
    """Base of all errors raised on purpose."""


class UsageError(FabricAuditError):
    """What the user asked for cannot be done as written; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong in a file a person wrote: ``file:line:column: problem; remedy``."""

    file: str
    line: int
    column: int
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.problem}; {self.remedy}"


class FileFaultsError(UsageError):
    """All faults of a file, and of those it names, at once, in the order of their lines."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.file, fault.line, fault.column)))
        super().__init__("\n".join(map(str, self.faults)))


class InventoryError(FileFaultsError):
    """An inventory that cannot be used."""


class PolicyError(FileFaultsError):
    """A policy that cannot be used."""


class CaptureError(FabricAuditError):
    """A capture that cannot be opened, read or written; the message names the file and the remedy."""


class ParseError(FabricAuditError):
    """Output that a parser does not understand.

    Attributes:
        line: 1-based number of the offending line; 0 when the output as a whole is wrong (empty, say).
        text: the offending line, cut to 200 characters.
        expected: what the parser would have understood there.
    """

    def __init__(self, line: int, text: str, expected: str) -> None:
        self.line = line
        self.text = text[:200]
        self.expected = expected
        super().__init__(f"line {line}: {self.text!r}: expected {expected}")

    def __reduce__(self) -> tuple[type["ParseError"], tuple[int, str, str]]:
        return (type(self), (self.line, self.text, self.expected))


class RefusedCommandError(FabricAuditError):
    """A command that is not on the platform's read-only list."""


class TransportError(FabricAuditError):
    """A target that could not be asked.

    The first line of the message is the cause in the user's words; ``remedy`` says what to do about it.
    """

    cause = "transport"

    def __init__(self, message: str, remedy: str = "") -> None:
        self.remedy = remedy
        super().__init__(message)


class UnreachableError(TransportError):
    """Nothing answered on the target's address and port."""

    cause = "unreachable"


class HostKeyError(TransportError):
    """The target's host key is unknown, or not the one on record."""

    cause = "host_key"


class LoginError(TransportError):
    """The target answered and refused the login."""

    cause = "login"


class DeadlineError(TransportError):
    """The target stayed silent past its deadline; what it had said until then is kept."""

    cause = "deadline"


class DisconnectedError(TransportError):
    """The connection ended before the answer did."""

    cause = "disconnected"

"""A proof that a check judges: facts of a healthy pod, one change of them, and what may fail by it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from fabric_audit.facts import Fact
from fabric_audit.facts.tables import Stamped
from fabric_audit.findings import Verdict

Given = tuple[str, str, Fact]
"""Target, phase, fact."""


@dataclass(frozen=True)
class Change:
    """What is done to some rows of a table; ``values`` None takes the rows away."""

    table: str
    where: Mapping[str, Any]
    values: Mapping[str, Any] | None

    def of(self, stamped: Iterable[Stamped]) -> Iterator[Stamped]:
        touched = 0
        for one in stamped:
            if self.table != one.fact.TABLE or not all(_value(one, name) == v for name, v in self.where.items()):
                yield one
                continue
            touched += 1
            if self.values is not None:
                new = {name: v(getattr(one.fact, name)) if callable(v) else v for name, v in self.values.items()}
                yield one._replace(fact=replace(one.fact, **new))
        assert touched, f"nothing in {self.table} is {dict(self.where)}"


def _value(one: Stamped, name: str) -> Any:
    return getattr(one, name) if name in ("target", "phase") else getattr(one.fact, name)


@dataclass(frozen=True, kw_only=True)
class Proof:
    """How one check is shown to judge."""

    check: str
    change: tuple[Change, ...] = ()
    added: tuple[Given, ...] = ()
    """Facts that the fault brings with it."""
    base: tuple[Change, ...] = ()
    """What is otherwise in the healthy pod."""
    given: tuple[Given, ...] = ()
    """Facts that the healthy pod has besides, so that there is something to judge."""
    design: Mapping[str, Any] = field(default_factory=dict)
    """What the policy asks for besides."""
    also: tuple[str, ...] = ()
    """Checks that see the same fault by themselves; what a failing check explains need not be named."""
    cause: str = ""
    """The check whose finding is the root, where the check itself is a consequence by its nature."""
    lost: str = ""
    """State of an answer that does not come, or is not understood, where that is the fault."""
    proven: bool = False
    """Whether the healthy pod's answers are all of formats that were met in the field, and the faulty one's are not."""
    fails_as: Verdict = Verdict.FAIL


def set_(table: str, where: Mapping[str, Any], **values: Any) -> Change:
    """Rows that have other values; a function is given the value that was."""
    return Change(table, where, values)


def without(table: str, **where: Any) -> Change:
    """Rows that are not there."""
    return Change(table, where, None)

"""What load each phase of a capture carried."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

_ROUND = re.compile(r"round-(\d+)")


class Load(StrEnum):
    """Loads by how much they let a port be paused, least first."""

    IDLE = "idle"
    """The tool sent nothing."""
    ONE_TO_ONE = "one_to_one"
    """Every NIC had one partner."""
    INCAST = "incast"
    """Several sent to one NIC."""

    @property
    def words(self) -> str:
        """For a person."""
        return {"idle": "while nothing was sent", "one_to_one": "one to one", "incast": "many to one"}[self.value]


def loads(results: Iterable[Any]) -> Mapping[int, Load]:
    """Round → its load, from the rows of ``pair_result``."""
    receivers: dict[int, Counter[tuple[str, int]]] = {}
    for row in results:
        receivers.setdefault(row.round, Counter())[row.server, row.rail] += 1
    return {number: Load.INCAST if max(seen.values()) > 1 else Load.ONE_TO_ONE for number, seen in receivers.items()}


def load_between(before: str, after: str, of_rounds: Mapping[int, Load]) -> Load:
    """The heaviest load from one phase's reading to another's: that of the later round, and of all in between.

    A counter that was not read in every round has all rounds since the last reading on it.
    """
    first, last = _number(before, 0), _number(after, 10**9)
    crossed = [load for number, load in of_rounds.items() if first < number <= last]
    order = list(Load)
    return max(crossed, key=order.index, default=Load.IDLE)


def _number(phase: str, otherwise: int) -> int:
    found = _ROUND.fullmatch(phase)
    return int(found[1]) if found else otherwise

"""The value that most have, where there is one."""

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TypeVar

ValueT = TypeVar("ValueT", bound=Hashable)


def usual(values: Iterable[ValueT]) -> ValueT | None:
    """The value that more have than any other; None where two share the first place, or there is none.

    Of two hosts that differ neither is the odd one: to name one of them would be a guess.
    """
    ranked = Counter(values).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]

"""CPU time and ratios of it: other programs share the machine, so that wall time says little."""

import gc
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

ResultT = TypeVar("ResultT")


def cpu(work: Callable[[], ResultT], *, best_of: int = 1) -> tuple[ResultT, float]:
    """What the work gives, and the CPU seconds of this process that it took; the least of several runs."""
    least = float("inf")
    for _ in range(best_of):
        gc.collect()
        began = time.process_time()
        result = work()
        least = min(least, time.process_time() - began)
    return result, least


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def quantity(value: float, unit: str = "") -> str:
    """Three significant digits, thousands apart."""
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}{f' {unit}' if unit else ''}"

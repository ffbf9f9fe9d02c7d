"""Bandwidth between all pairs of hosts, as matrices: what is drawn, and what stands in the tables beside.

A cell is the direction row → column. Its value is bandwidth as a share of what the slower port can do, in permille of
the median share of its view: pairs of 200 and of 400 Gb/s hosts can stand in one picture, and a slow one shows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Cells = np.ndarray[Any, np.dtype[np.uint16]]
    Floats = np.ndarray[Any, np.dtype[np.float64]]

T = TypeVar("T")

NO_TEST, NO_RESULT = 0, 1
"""Cells that hold no permille: never tested, and tested without a result."""
_LEAST, _MOST = 2, 65_535
WORST = 8
"""Rows of the table beside a view: what fits beside the picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstPair:
    """One row of the table beside a view; ``bandwidth_bps`` is None for a test without a result."""

    client: str
    server: str
    rail: int
    bandwidth_bps: float | None
    deviation: float | None
    """Share below (negative) or above the median."""
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One matrix: one tool and memory on one rail, or the worst of all rails.

    Attributes:
        test: tool and memory in words.
        rail: None for the worst of all rails.
        cells: uint16, clients by servers: NO_TEST, NO_RESULT, or permille of the median.
        worst_rail: of each cell, an index into the matrix' rails; only where ``rail`` is None.
        median_bps: the median at the fastest port of the view.
        rates: by host, the line rate of its port divided by the fastest of the view.
    """

    test: str
    rail: int | None
    cells: "Cells"
    worst_rail: "np.ndarray[Any, np.dtype[np.uint8]] | None" = None
    median_bps: float
    rates: tuple[float, ...]
    worst: tuple[WorstPair, ...]

    @property
    def tested(self) -> int:
        """Cells that were tested."""
        return int((self.cells != NO_TEST).sum())

    @property
    def without_result(self) -> int:
        """Cells whose test gave no result."""
        return int((self.cells == NO_RESULT).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """All views of one audit; hosts are rows and columns of each."""

    hosts: tuple[str, ...]
    rails: tuple[int, ...]
    views: tuple[View, ...]

    @property
    def choices(self) -> tuple[int | None, ...]:
        """Rails of which there are views, None for the worst of all."""
        return tuple(dict.fromkeys(view.rail for view in self.views))

    def overview(self) -> "Matrix":
        """Only the worst of all rails, where there are several."""
        return replace(self, views=tuple(view for view in self.views if view.rail is None) or self.views)

    @property
    def tests(self) -> tuple[str, ...]:
        """Tests that were run, in words."""
        return tuple(dict.fromkeys(view.test for view in self.views))


def matrix(pair_result: "pd.DataFrame") -> Matrix:
    """Every bandwidth test of an audit; repeats of a pair count by their worst result."""
    import pandas as pd  # noqa: PLC0415 - heavy; nothing of it is needed to list the formats

    tools = [tool for tool in pair_result["tool"].unique() if str(tool).endswith("_bw")]
    rows = pair_result[pair_result["tool"].isin(tools)].sort_values("round", kind="stable")
    if rows.empty:
        return Matrix(hosts=(), rails=(), views=())
    hosts = tuple(sorted({*rows["client"].unique(), *rows["server"].unique()}, key=_natural))
    numbered = rows[list(_USED)].assign(
        two_way=rows["bidirectional"].fillna(value=False).astype(bool),
        row=pd.Categorical(rows["client"], categories=hosts).codes,
        column=pd.Categorical(rows["server"], categories=hosts).codes,
    )
    rails = tuple(sorted(int(rail) for rail in rows["rail"].unique()))
    return Matrix(hosts=hosts, rails=rails, views=tuple(_views(numbered, hosts, rails)))


_USED = ("client", "server", "rail", "tool", "memory", "bandwidth_bps", "line_rate_bps", "outcome")


def _views(rows: "pd.DataFrame", hosts: Sequence[str], rails: Sequence[int]) -> Iterator[View]:
    for (tool, memory, _), test in rows.groupby(["tool", "memory", "two_way"], sort=False, observed=True):
        both_ways = ", both ways at once" if test["two_way"].iloc[0] else ""
        words = f"{tool}, {_MEMORY.get(str(memory), str(memory))}{both_ways}"
        by_rail = ((rail, test[test["rail"] == rail]) for rail in rails)
        single = [_view(words, rail, found, len(hosts)) for rail, found in by_rail if len(found)]
        if len(rails) > 1:
            yield _worst_of(words, single, rails)
        yield from single


_MEMORY = {
    "host": "host memory",
    "gpu": "GPU memory",
    "gpu_host": "GPU to host memory",
    "host_gpu": "host to GPU memory",
}


def _view(words: str, rail: int, rows: "pd.DataFrame", hosts: int) -> View:
    import numpy as np  # noqa: PLC0415 - as above

    client, server = rows["row"].to_numpy(dtype=int), rows["column"].to_numpy(dtype=int)
    told = rows["bandwidth_bps"].to_numpy(dtype=float, na_value=np.nan)
    told = np.where((rows["outcome"] == "ok").to_numpy(dtype=bool, na_value=False), told, np.nan)
    rates = _rates(rows, client, server, hosts)
    share = told / np.minimum(rates[client], rates[server])
    median = float(np.nanmedian(share)) if np.isfinite(share).any() else 0.0
    permille = np.full((hosts, hosts), np.inf)
    has = np.isfinite(share)
    relative = np.rint(1000 * share[has] / median) if median else np.zeros(has.sum())
    np.minimum.at(permille, (client[has], server[has]), np.clip(relative, _LEAST, _MOST))
    cells = np.full(permille.shape, NO_TEST, dtype=np.uint16)
    cells[client, server] = NO_RESULT
    known = np.isfinite(permille)
    cells[known] = permille[known]
    return View(
        test=words,
        rail=rail,
        cells=cells,
        median_bps=median * float(rates.max()),
        rates=tuple((rates / rates.max()).tolist()),
        worst=tuple(_worst(rows, share, median)),
    )


def _rates(rows: "pd.DataFrame", client: Any, server: Any, hosts: int) -> "Floats":
    """Line rate of every host's port in bits per second: the fastest of its pairs; 1 for all where none is known."""
    import numpy as np  # noqa: PLC0415 - as above

    told = rows["line_rate_bps"].to_numpy(dtype=float, na_value=np.nan)
    told = np.where(told > 0, told, np.nan)
    if not np.isfinite(told).any():
        return np.ones(hosts)
    rates = np.zeros(hosts)
    for side in (client, server):
        np.maximum.at(rates, side, np.nan_to_num(told))
    return np.where(rates > 0, rates, rates.max())


def _shortened(lacking: Sequence[T], slowest: Sequence[T]) -> list[T]:
    """Rows of a table: half of them at most without a result, unless there are too few others."""
    return [*lacking[: max(WORST // 2, WORST - len(slowest))], *slowest][:WORST]


def _worst(rows: "pd.DataFrame", share: "Floats", median: float) -> Iterator[WorstPair]:
    """The rows of the table beside the view."""
    import numpy as np  # noqa: PLC0415 - as above

    order = np.argsort(share, kind="stable")  # puts what has no result last
    lacking = np.flatnonzero(~np.isfinite(share))
    chosen = _shortened(lacking.tolist(), order[: len(order) - len(lacking)].tolist())
    for row, own in zip(rows.iloc[chosen].itertuples(index=False), share[chosen], strict=True):
        result = bool(np.isfinite(own))
        told: Any = row
        yield WorstPair(
            client=str(told.client),
            server=str(told.server),
            rail=int(told.rail),
            bandwidth_bps=float(told.bandwidth_bps) if result else None,
            deviation=float(own / median - 1) if result and median else None,
            outcome=str(told.outcome),
        )


def _worst_of(words: str, views: Sequence[View], rails: Sequence[int]) -> View:
    """In each cell the worst of all rails: no result before the slowest, and a test before none."""
    import numpy as np  # noqa: PLC0415 - as above

    stack = np.stack([view.cells for view in views])
    ranked = np.where(stack == NO_TEST, _MOST + 1, stack.astype(np.int32))
    at = ranked.argmin(axis=0)
    numbers = np.array([rails.index(view.rail) for view in views if view.rail is not None], dtype=np.uint8)
    worst = sorted(
        (pair for view in views for pair in view.worst),
        key=lambda pair: (pair.deviation is not None, pair.deviation or 0.0, pair.client, pair.server, pair.rail),
    )
    lacking = [pair for pair in worst if pair.deviation is None]
    return View(
        test=words,
        rail=None,
        cells=np.take_along_axis(stack, at[None], axis=0)[0],
        worst_rail=numbers[at],
        median_bps=float(np.median([view.median_bps for view in views])),
        rates=tuple(np.max([view.rates for view in views], axis=0).tolist()),
        worst=tuple(_shortened(lacking, worst[len(lacking) :])),
    )


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]

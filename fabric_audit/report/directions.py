"""What pairs tell besides the matrix: both directions held against each other, memory against memory, latency."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

ASYMMETRIC = 0.05
"""Share by which two directions of a pair differ before it is told: the tolerance of the field ``bandwidth_bps``."""
MOST_RESULTS = 500_000
"""Above it only the matrix is drawn: each of these views looks at every result."""
_HOST = "host"
_PATHS = ("PIX", "PXB", "PHB", "NODE", "SYS")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asymmetry:
    """A pair whose two directions differ: ``sender`` to ``receiver`` is the slower one."""

    test: str
    rail: int
    sender: str
    receiver: str
    slower_bps: float
    faster_bps: float

    @property
    def share(self) -> float:
        """How far the slower direction lies below the faster."""
        return self.slower_bps / self.faster_bps - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """Median bandwidth of one tool and memory over one path class, against host memory on the same path."""

    tool: str
    path: str
    memory: str
    tests: int
    median_bps: float
    gap: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyRow:
    """Latency of one tool and memory in microseconds over all pairs."""

    test: str
    pairs: int
    median_us: float
    p90_us: float
    worst_us: float
    worst_pair: str
    bars: tuple[float, ...]
    """Height of each bin between least and worst, as a share of the highest."""


def asymmetries(pair_result: "pd.DataFrame") -> tuple[Asymmetry, ...]:
    """Pairs whose directions differ by more than the tolerance, the worst first."""
    rows = _with_result(pair_result, "bandwidth_bps")
    best = rows.groupby(["tool", "memory", "rail"], observed=True)["bandwidth_bps"].transform("max")
    slow = rows[rows["bandwidth_bps"] < best * (1 - ASYMMETRIC)]
    back = _rates(rows[rows["client"].isin(slow["server"]) & rows["server"].isin(slow["client"])])
    found = []
    for (test, rail, client, server), rate in _rates(slow).items():
        other = back.get((test, rail, server, client))
        if other and rate < other * (1 - ASYMMETRIC):
            found.append(
                Asymmetry(test=test, rail=rail, sender=client, receiver=server, slower_bps=rate, faster_bps=other)
            )
    return tuple(sorted(found, key=lambda one: (one.share, one.test, one.rail, one.sender)))


def _rates(rows: "pd.DataFrame") -> dict[tuple[str, int, str, str], float]:
    """The worst result of each direction."""
    rates: dict[tuple[str, int, str, str], float] = {}
    names = ("tool", "memory", "rail", "client", "server", "bandwidth_bps")
    for tool, memory, rail, client, server, rate in zip(*(rows[name] for name in names), strict=True):
        key = (f"{tool}, {memory}", int(rail), str(client), str(server))
        rates[key] = min(float(rate), rates.get(key, float("inf")))
    return rates


def by_memory(pair_result: "pd.DataFrame", gpu_nic_path: "pd.DataFrame") -> tuple[MemoryRow, ...]:
    """Bandwidth by tool, path class of the sender's NIC, and memory."""
    rows = _with_result(pair_result, "bandwidth_bps")
    nearest = _nearest(gpu_nic_path)
    paths = (nearest.get(end, "path not told") for end in zip(rows["client"], rows["client_device"], strict=True))
    groups = rows.assign(path=list(paths)).groupby(["tool", "path", "memory"], observed=True)["bandwidth_bps"]
    counted: dict[Any, int] = groups.size().to_dict()
    medians: dict[Any, float] = groups.median().to_dict()
    return tuple(_memory_rows(medians, counted))


def _memory_rows(
    medians: dict[tuple[str, str, str], float], counted: dict[tuple[str, str, str], int]
) -> Iterator[MemoryRow]:
    for (tool, path, memory), value in sorted(medians.items(), key=lambda one: (one[0][0], one[0][1], -one[1])):
        host = medians.get((tool, path, _HOST))
        yield MemoryRow(
            tool=str(tool),
            path=str(path),
            memory=str(memory),
            tests=int(counted[tool, path, memory]),
            median_bps=float(value),
            gap=float(value / host - 1) if host and memory != _HOST else None,
        )


def _nearest(gpu_nic_path: "pd.DataFrame") -> dict[tuple[str, str], str]:
    """The nearest path that any GPU of the host has to the NIC."""
    found: dict[tuple[str, str], str] = {}
    for host, nic, path in zip(*(gpu_nic_path[name] for name in ("target", "nic", "path")), strict=True):
        if path in _PATHS:
            key = (str(host), str(nic))
            found[key] = min(str(path), found.get(key, _PATHS[-1]), key=_PATHS.index)
    return found


def latencies(pair_result: "pd.DataFrame") -> tuple[LatencyRow, ...]:
    """The distribution of typical latencies, by tool and memory."""
    rows = _with_result(pair_result, "latency_typical_us")
    found = []
    for (tool, memory), test in rows.groupby(["tool", "memory"], observed=True):
        values = test["latency_typical_us"].astype(float)
        worst: Any = test.iloc[int(values.to_numpy().argmax())]
        found.append(
            LatencyRow(
                test=f"{tool}, {memory}",
                pairs=len(test),
                median_us=float(values.median()),
                p90_us=float(values.quantile(0.9)),
                worst_us=float(values.max()),
                worst_pair=f"{worst['client']} → {worst['server']}, rail {worst['rail']}",
                bars=_bars(values.tolist()),
            )
        )
    return tuple(found)


def _bars(values: Sequence[float], bins: int = 20) -> tuple[float, ...]:
    least, worst = min(values), max(values)
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int(bins * (value - least) / (worst - least))) if worst > least else 0] += 1
    return tuple(count / max(counts) for count in counts)


def _with_result(pair_result: "pd.DataFrame", measure: str) -> "pd.DataFrame":
    ok = (pair_result["outcome"] == "ok").fillna(value=False)
    return pair_result[ok & pair_result[measure].notna()]

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
    rates: dict[tuple[str, int, str, str], float] = {}
    rows = _with_result(pair_result, "bandwidth_bps")
    names = ("tool", "memory", "rail", "client", "server", "bandwidth_bps")
    for tool, memory, rail, client, server, rate in zip(*(rows[name] for name in names), strict=True):
        key = (f"{tool}, {memory}", int(rail), str(client), str(server))
        rates[key] = min(float(rate), rates.get(key, float("inf")))
    found = []
    for (test, rail, client, server), rate in rates.items():
        back = rates.get((test, rail, server, client))
        if back and rate < back * (1 - ASYMMETRIC):
            found.append(
                Asymmetry(test=test, rail=rail, sender=client, receiver=server, slower_bps=rate, faster_bps=back)
            )
    return tuple(sorted(found, key=lambda one: (one.share, one.test, one.rail, one.sender)))


def by_memory(pair_result: "pd.DataFrame", gpu_nic_path: "pd.DataFrame") -> tuple[MemoryRow, ...]:
    """Bandwidth by tool, path class of the sender's NIC, and memory."""
    rows = _with_result(pair_result, "bandwidth_bps")
    nearest = _nearest(gpu_nic_path)
    groups: dict[tuple[str, str, str], list[float]] = {}
    names = ("tool", "client", "client_device", "memory", "bandwidth_bps")
    for tool, client, device, memory, rate in zip(*(rows[name] for name in names), strict=True):
        path = nearest.get((str(client), str(device)), "path not told")
        groups.setdefault((str(tool), path, str(memory)), []).append(float(rate))
    return tuple(_memory_rows(groups))


def _memory_rows(groups: dict[tuple[str, str, str], list[float]]) -> Iterator[MemoryRow]:
    from statistics import median  # noqa: PLC0415 - only where a page has pairs

    medians = {key: median(rates) for key, rates in groups.items()}
    for (tool, path, memory), value in sorted(medians.items(), key=lambda one: (one[0][0], one[0][1], -one[1])):
        host = medians.get((tool, path, _HOST))
        yield MemoryRow(
            tool=tool,
            path=path,
            memory=memory,
            tests=len(groups[tool, path, memory]),
            median_bps=value,
            gap=value / host - 1 if host and memory != _HOST else None,
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

"""The page of the fault benchmark, made of its rows."""

from collections.abc import Iterable, Sequence
from typing import Any

from fabric_audit.simulator.faults import FAULTS

Row = dict[str, Any]

HEAD = """# Fault benchmark

Faults are planted in simulated pods, the pods are audited, and what is found is held against what was planted. Made by

    python -m benchmarks.faults --rows rows.jsonl --page docs/fault-benchmark.md

**found**: a failing finding of a check that is there to find the fault, about its component or the other end of its
cable. **blamed**: such a finding that no other finding explains. **abstained**: not found, and such a check says that
it cannot tell. A finding is **unplanted** where it is failing, at least minor, explained by no other, and about a
component without a planted fault. Healthy and faulty pods alike have stale and cleared counters, corrected bit errors,
moderate pause, jobs of others, old flaps, and reordered packets where the policy allows for them. Seeds, shapes and the
order of faults are in `benchmarks/fault_pods.py`; what counts as found is in `benchmarks/fault_truth.py`.

Known to be missed: a cable between switches that loses packets in a pod wired by rail, where no test crosses it (its
ports are then not passed, for too few packets crossed them), one that runs slower at both ends, and a watchdog of NX-OS
that fired. A slow receiver's pause is laid to hosts beside it, too.
"""


def page(rows: Sequence[Row]) -> str:
    """Everything, as Markdown."""
    faults = [fault | {"seed": row["seed"]} for row in rows for fault in row["faults"]]
    parts = [HEAD, _summary(rows, faults), _by_kind(faults), _missed(faults), _wrong(rows)]
    return "\n".join(parts)


def _summary(rows: Sequence[Row], faults: Sequence[Row]) -> str:
    healthy = [row for row in rows if not row["faults"]]
    found, blamed = (sum(fault[name] for fault in faults) for name in ("found", "blamed"))
    abstained = sum(fault["abstained"] for fault in faults)
    wrong = sum(len(row["unplanted"]) for row in rows)
    judged = len(faults) - abstained
    shapes = ", ".join(
        f"{sum(row['pod'] == pod for row in rows)} {pod}" for pod in sorted({row["pod"] for row in rows})
    )
    return "\n".join(
        (
            "| | |",
            "| --- | --- |",
            f"| pods | {len(rows)}, {len(healthy)} of them healthy: {shapes} |",
            f"| faults planted | {len(faults)}, {len({fault['name'] for fault in faults})} kinds |",
            f"| recall | {_share(found, judged)} |",
            f"| blamed at the right component | {_share(blamed, found)} of those found |",
            f"| abstentions | {_share(abstained, len(faults))} |",
            f"| precision | {_share(found, found + wrong)}: {wrong} findings about components without a fault |",
            f"| symptoms left beside their cause | {sum(len(row['unfolded']) for row in rows)} |",
            f"| healthy pods with a finding at or above major | {sum(row['major'] > 0 for row in healthy)} |",
            f"| checks that broke | {sum(len(row['errors']) for row in rows)} |",
            f"| CPU time | {sum(row['cpu_s'] for row in rows) / 60:.0f} min |",
            "",
        )
    )


def _share(some: int, whole: int) -> str:
    return f"{some / whole:.1%} ({some} of {whole})" if whole else "none"


def _by_kind(faults: Sequence[Row]) -> str:
    lines = [
        "## By kind of fault",
        "",
        "| fault | on | planted | found | blamed | abstained |",
        "| --- | --- |" + " --: |" * 4,
    ]
    for name, kind in FAULTS.items():
        mine = [fault for fault in faults if fault["name"] == name]
        if mine:
            counts = [sum(fault[what] for fault in mine) for what in ("found", "blamed", "abstained")]
            lines.append(f"| {name} | {kind.on} | {len(mine)} | {' | '.join(map(str, counts))} |")
    return "\n".join([*lines, ""])


def _missed(faults: Sequence[Row]) -> str:
    words = [
        f"- seed {fault['seed']}: `{fault['fault']}` {'is folded under another' if fault['found'] else 'was missed'}"
        for fault in faults
        if not fault["blamed"] and not fault["abstained"]
    ]
    return "\n".join(["## Missed, or blamed elsewhere", "", *(words or ["None."]), ""])


def _wrong(rows: Sequence[Row]) -> str:
    return "\n".join(["## Findings about components without a fault", "", *(_listed(rows) or ["None."]), ""])


def _listed(rows: Iterable[Row]) -> list[str]:
    return [f"- seed {row['seed']} ({row['pod']}): {words}" for row in rows for words in row["unplanted"]]

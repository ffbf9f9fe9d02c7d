"""What the findings cost a job, in words. A collective waits for its slowest member, so the worst is what counts."""

from collections.abc import Iterator

from fabric_audit.findings import Audit
from fabric_audit.report.causes import to_fix
from fabric_audit.report.pairs import Matrix
from fabric_audit.report.words import component, counted

_COSTS = {
    "gdr": "GPU memory is copied through host memory there: NCCL gets about half of the NIC (NVIDIA/nccl#638)",
    "pfc": "under congestion packets are lost, or the wrong ones stopped: each loss makes RDMA send a window again",
    "ecn": "senders are not slowed before PFC stops them: latency of every job that shares the port grows",
    "qos": "RDMA shares a queue with other traffic, outside of what PFC and ECN protect",
    "counters": "packets are lost or stopped while jobs run: steps take longer by the retries",
    "links": "the link carries less, or damages what it carries",
    "gpu": "GPUs of the host work or talk more slowly, and every job on it waits for them",
    "nccl": "NCCL takes a slower way than the hardware has",
    "performance": "every collective that crosses it runs at its speed",
    "watchdog": "a storm of pause would spread instead of being cut off",
    "buffers": "what arrives after a pause finds no room: loss in the class that must not lose",
    "routing": "fewer paths carry the same load: flows collide",
}
_ENOUGH = -0.05  # share below the median from which on a step is told to be slower
MOST = 8


def impact(audit: Audit, matrix: Matrix) -> tuple[str, ...]:
    """Sentences, the measured ones first."""
    return (*_measured(matrix), *_by_cause(audit))


def _measured(matrix: Matrix) -> Iterator[str]:
    for view in matrix.views:
        worst = [pair for pair in view.worst if pair.deviation is not None]
        overview = view.rail is None or len(matrix.choices) == 1
        if not overview or not worst or (worst[0].deviation or 0.0) > _ENOUGH:
            continue
        share = 1 + (worst[0].deviation or 0.0)
        slower = f"{1 / share:.1f} times as long" if share > 0 else "without end"
        pair = f"{worst[0].client} → {worst[0].server} on rail {worst[0].rail}"
        yield (
            f"{view.test}: the slowest direction, {pair}, reaches {100 * share:.0f} % of the median. The part of a "
            f"step that waits for it takes {slower}, on every GPU of the job."
        )


def _by_cause(audit: Audit) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for cause in to_fix(audit):
        for family in cause.families:
            found.setdefault(family, []).append(component(cause))
    for family, where in list(found.items())[:MOST]:
        if family in _COSTS:
            more = f" and {counted(len(where) - 3, 'other component')}" if len(where) > 3 else ""  # noqa: PLR2004 - a line
            yield f"{', '.join(where[:3])}{more}: {_COSTS[family]}."

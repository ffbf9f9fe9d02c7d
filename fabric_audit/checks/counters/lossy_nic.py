"""No NIC loses packets with all of its peers.

Why: one packet in a thousand is what ordinary monitoring misses and what stalls a thousand GPUs: RDMA sends a whole
window again for each. The receiver counts the gap, the sender's side caused it, so one counter alone blames the wrong
host; over all pairs the side that stands in every lossy one is the culprit.

Fix: cable and optics first (`ethtool -S`: rx_crc_errors_phy, rx_pcs_symbol_err_phy; `mlxlink` for BER), then the
port's queue drops at the leaf.

Source: out_of_sequence and packet_seq_err of mlx5, out_of_seq_request and rcvd_seq_err of rxe, oos_drop_count of
bnxt_re (each driver's counter table). Loss is more than the policy's `loss_ratio_limit` of the packets that a test
sent: a job that runs beside it loses a few of its own. Where packets may be reordered, gaps at the receiver alone are
no loss: the policy's `reordering_possible`. Retransmissions alone are none either: a timer that was too short for a
busy peer sends again what was never lost.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.blame import blame
from fabric_audit.analysis.growth import Growth, growths
from fabric_audit.analysis.sides import Blame, Observation
from fabric_audit.checks.model import Scope
from fabric_audit.checks.performance.pairs import never_tested
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.checks.silence import unknown
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.PAIRS


def check(pair_result: "pd.DataFrame", counter: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a lossy NIC, one a lossy pair that nobody explains, and one for every NIC without loss."""
    classes = ("loss",) if design.fabric.reordering_possible else ("loss", "reorder")
    grown: dict[tuple[str, str, str], list[Growth]] = {}
    told: set[tuple[str, str, str]] = set()
    for sign in growths(counter, classes):
        if sign.delta.value is not None:
            told.add((sign.target, sign.after, sign.port.split("/")[0]))
        if sign.delta.value:
            grown.setdefault((sign.target, sign.after, sign.port.split("/")[0]), []).append(sign)
    results = [row for row in rows(pair_result) if row.outcome == "ok"]
    observations = {_observation(row, grown, design.of(row.client).loss_ratio_limit): row for row in results}
    verdict = blame(list(observations))
    blamed = set()
    for culprit in verdict.blamed:
        blamed.add((culprit.host, f"rail {culprit.rail}"))
        yield _lossy(culprit, observations, grown)
    for one in verdict.unexplained:
        yield _open(one, observations[one], grown)
    yield from never_tested(pair_result)
    tested = {(row.client, f"rail {row.rail}"): False for row in results}
    for row in results:
        ends = ((row.client, f"round-{row.round:04d}", name) for name in (row.client_device, row.client_port))
        tested[row.client, f"rail {row.rail}"] |= not told.isdisjoint(ends)
    for subject, counts in sorted(tested.items()):
        if subject not in blamed:
            yield _clean(subject) if counts else unknown(subject, "none of its counters of loss is known of its tests")


def _clean(subject: tuple[str, ...]) -> Finding:
    return Finding(verdict=Verdict.PASS, subject=subject, message="no loss that it explains")


def _observation(row: Any, grown: dict[tuple[str, str, str], list[Growth]], limit: float) -> Observation:
    lost = max((sign.delta.value or 0 for sign in _signs(row, grown)), default=0)
    return Observation(client=row.client, server=row.server, rail=row.rail, bad=lost > limit * _packets(row))


def _packets(row: Any) -> float:
    """About how many packets the test sent; 0 where that is not known, so that any loss is too much."""
    if None in (row.bandwidth_bps, row.duration_s, row.mtu_bytes):
        return 0.0
    return float(row.bandwidth_bps * row.duration_s / 8 / row.mtu_bytes)


def _signs(row: Any, grown: dict[tuple[str, str, str], list[Growth]]) -> list[Growth]:
    """Counters that grew in the pair's round at either end: gaps at the receiver, repeats at the sender."""
    phase = f"round-{row.round:04d}"
    ends = ((row.client, row.client_device), (row.server, row.server_device))
    return [one for target, device in ends for one in grown.get((target, phase, device), [])]


def _lossy(
    culprit: Blame, observations: dict[Observation, Any], grown: dict[tuple[str, str, str], list[Growth]]
) -> Finding:
    mine = [row for o, row in observations.items() if o.bad and culprit.host in (o.client, o.server)]
    signs = [sign for row in mine if row.rail == culprit.rail for sign in _signs(row, grown)]
    counted = _counted(signs)
    where = {"sends": "what it sends", "receives": "what it receives", "both": "what it sends and receives"}
    return Finding(
        verdict=Verdict.FAIL,
        subject=(culprit.host, f"rail {culprit.rail}"),
        message=f"{culprit.host} rail {culprit.rail} loses packets of {where[culprit.role]}, with every peer: {counted}"
        f" in {culprit.bad} of {culprit.seen} tests, first {_first_seen(signs)}",
        expected="no growth of loss counters",
        observed=counted,
        remedy="look at cable and optics of this NIC, then at the errors and drops of its leaf port",
        evidence=evidence(*(sign.row for sign in signs[:4])),
    )


def _open(one: Observation, row: Any, grown: dict[tuple[str, str, str], list[Growth]]) -> Finding:
    signs = _signs(row, grown)
    return Finding(
        verdict=Verdict.FAIL,
        subject=(one.client, f"rail {one.rail}", one.server),
        message=f"packets were lost between {one.client} and {one.server}; which end cannot be told apart:"
        f" {_counted(signs)}",
        expected="no growth of loss counters",
        observed=_counted(signs),
        remedy="test both hosts against others",
        evidence=evidence(*(sign.row for sign in signs[:4])),
    )


def _first_seen(signs: list[Growth]) -> str:
    """When the first loss was counted: counters are read at the end of each round."""
    first = min(signs, key=lambda sign: float(sign.row.at_s), default=None)
    return f"{first.row.at_s:.0f} s into the run, in {first.after}" if first else "at an unknown time"


def _counted(signs: list[Growth]) -> str:
    total: dict[str, int] = {}
    for sign in signs:
        total[sign.name] = total.get(sign.name, 0) + (sign.delta.value or 0)
    return ", ".join(f"{name} {value}" for name, value in sorted(total.items()))

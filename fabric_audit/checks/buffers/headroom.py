"""Headroom of the lossless class holds what still arrives after a pause, for the port's speed, cable and MTU.

Why: a pause takes time. Until it is obeyed, the peer goes on at full rate: at 400G with 40 m of fibre about a hundred
kilobytes. Headroom for a shorter cable or a slower port is used up by the first burst, and a lossless class drops.

Fix: SONiC: the right length in CABLE_LENGTH (dynamic model), or the profile `pg_lossless_SPEED_LENGTH`. NX-OS: `pause
buffer-size`, or the cable length. Cumulus: `nv set qos pfc NAME cable-length`. Junos: `cable-length` in the input
profile.

Source: IEEE 802.1Qbb annex O and IEEE 802.3 31B.3.7 (response time), the arithmetic stands in the finding; an ASIC's
cells and pipeline come on top. Length: the cable plan's, else the configured one, else the policy's. A pool of shared
headroom counts. Without drops in the lossless class this is a risk, not a loss.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from fabric_audit.analysis.headroom import headroom
from fabric_audit.checks.folding import by_target
from fabric_audit.checks.links.mtu import ROCE_HEADERS
from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, not_asked, rows
from fabric_audit.checks.silence import Cannot, silent
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

ON = Scope.SWITCHES
BY_CONFIGURATION = True
RESTS_ON = ("fabric_port",)


def check(
    priority_group: "pd.DataFrame",
    buffer_pool: "pd.DataFrame",
    interface: "pd.DataFrame",
    cable: "pd.DataFrame",
    fabric_port: "pd.DataFrame",
    design: "Designs",
    cannot: Cannot,
) -> Iterator[Finding]:
    """One finding a switch port of the fabric."""
    groups: dict[tuple[str, str], Any] = {}
    for row in rows(priority_group, lossless=True):
        groups.setdefault((row.target, row.port), row)
    ports = {(row.target, row.port): row for row in rows(interface)}
    shared: dict[str, int] = {}
    for pool in rows(buffer_pool):
        shared[pool.target] = max(shared.get(pool.target, 0), pool.shared_headroom_bytes or 0)
    lengths = _lengths(cable)

    def examined(end: tuple[str, str]) -> Finding:
        wanted, group, port = design.of(end[0]), groups.get(end), ports.get(end)
        if not wanted.pfc_required:
            return not_asked(end, "pfc_required")
        return _judged(end, group, port, _length(lengths.get(end), group, port, wanted), wanted, shared, cannot)

    yield from by_target(examined((port.target, port.port)) for port in rows(fabric_port, side={"host", "fabric"}))


def _lengths(cable: "pd.DataFrame") -> dict[tuple[str, str], float]:
    found = {}
    for row in rows(cable):
        if row.length_m is not None:
            found[row.a_target, row.a_port] = found[row.b_target, row.b_port] = row.length_m
    return found


def _length(planned: float | None, group: Any, port: Any, wanted: "Design") -> float:
    configured = [row.cable_length_m for row in (group, port) if row is not None and row.cable_length_m is not None]
    return planned if planned is not None else next(iter(configured), wanted.headroom_cable_m)


def _judged(
    end: tuple[str, str],
    group: Any,
    port: Any,
    length_m: float,
    wanted: "Design",
    shared: Mapping[str, int],
    cannot: Cannot,
) -> Finding:
    speed_bps = None if port is None else port.speed_bps or port.admin_speed_bps
    if group is None or group.xoff_bytes is None or speed_bps is None or port.mtu_bytes is None:
        fields = ("priority_group", "priority_group.xoff_bytes")
        return silent(end, "headroom of the lossless class", cannot, *fields, seen=(group,))
    lossless = wanted.roce_mtu_bytes + ROCE_HEADERS
    needed = headroom(speed_bps=speed_bps, cable_m=length_m, mtu_bytes=port.mtu_bytes, lossless_bytes=lossless)
    if needed is None:
        return silent(end, f"how long a peer at {speed_bps / 1e9:g}G goes on", cannot, seen=(port,))
    has = max(group.xoff_bytes, shared.get(end[0], 0))
    enough = has >= needed.total
    sentence = f"headroom of {has} bytes, {length_m:g} m at {speed_bps / 1e9:g}G need {needed.total}"
    return Finding(
        verdict=Verdict.PASS if enough else Verdict.FAIL,
        subject=end,
        message=sentence,
        expected=f"at least {needed}",
        observed=f"{group.xoff_bytes} bytes for the group, {shared.get(end[0], 0)} shared",
        remedy="" if enough else f"give the lossless group headroom for {length_m:g} m",
        remedy_source="IEEE 802.1Qbb annex O",
        evidence=evidence(group, port),
    )

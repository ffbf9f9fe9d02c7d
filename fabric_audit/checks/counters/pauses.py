"""How long each port was paused, or paused its peer, and how long it may."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from fabric_audit.analysis.phases import Load, load_between, loads
from fabric_audit.analysis.readings import Interval, intervals
from fabric_audit.checks.rows import rows

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Design, Designs

End: TypeAlias = tuple[str, str]
LONGEST_PAUSE_BITS = 65535 * 512
"""What one PFC frame can ask for: 65535 quanta of 512 bit times (IEEE 802.3 annex 31B)."""
COLUMNS = ("rx_frames", "rx_pause_us", "tx_frames", "tx_pause_us")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """A share of the time between two readings in which one priority stood still."""

    share: float
    exact: bool
    """The platform counts time; else it counts frames, and the share is the most they can have asked for."""
    load: Load
    interval: Interval

    @property
    def words(self) -> str:
        """For a person."""
        most = "" if self.exact else "up to "
        return f"{most}{self.share:.1%} of the time {self.load.words} (priority {self.interval.key[0]})"

    def limit(self, wanted: "Design") -> float:
        """The most that the policy allows under this load."""
        limits = {
            Load.IDLE: wanted.pause_share_idle,
            Load.ONE_TO_ONE: wanted.pause_share_one_to_one,
            Load.INCAST: wanted.pause_share_incast,
        }
        return limits[self.load]


def pauses(
    pfc_counter: "pd.DataFrame", interface: "pd.DataFrame", pair_result: "pd.DataFrame", way: str, design: "Designs"
) -> dict[End, list[Pause]]:
    """(target, port) → its pauses of lossless priorities between all readings, the longest of each load first.

    Args:
        pfc_counter: what was counted.
        interface: for the rates of ports that count frames.
        pair_result: what was sent in which round.
        way: ``rx``, the port was paused, or ``tx``, it paused its peer.
        design: which priorities are lossless on which target.
    """
    of_rounds = loads(rows(pair_result))
    speeds = {(row.target, row.port): row.speed_bps for row in rows(interface)}
    found: dict[End, list[Pause]] = {}
    for one in intervals(pfc_counter, ("priority",), COLUMNS):
        end = (one.target, one.port)
        if one.key[0] in design.of(one.target).lossless_priorities and one.elapsed_s > 0:
            pause = _pause(one, way, speeds.get(end), load_between(one.before, one.after, of_rounds))
            if pause is not None:
                found.setdefault(end, []).append(pause)
    return {end: sorted(some, key=lambda pause: -pause.share) for end, some in found.items()}


def _pause(one: Interval, way: str, speed_bps: int | None, load: Load) -> Pause | None:
    micros, frames = one.growth[f"{way}_pause_us"].value, one.growth[f"{way}_frames"].value
    if micros is not None:
        return Pause(share=min(1.0, micros / 1e6 / one.elapsed_s), exact=True, load=load, interval=one)
    if frames == 0:
        return Pause(share=0.0, exact=True, load=load, interval=one)
    if frames is None or not speed_bps:
        return None
    most = frames * LONGEST_PAUSE_BITS / speed_bps / one.elapsed_s
    return Pause(share=min(1.0, most), exact=False, load=load, interval=one)


def too_long(some: list[Pause], wanted: "Design") -> Pause | None:
    """The pause that exceeds its limit by most."""
    over = [pause for pause in some if pause.share > pause.limit(wanted)]
    return max(over, key=lambda pause: (pause.exact, pause.share / max(pause.limit(wanted), 1e-9)), default=None)

"""Loss, pause and what else counters tell, and what traffic between pairs tells."""

from fabric_audit.facts.performance import PairResult
from fabric_audit.findings import Verdict
from tests.checks.proofs.model import Change, Given, Proof, set_

NIC = {"target": "gpu001", "phase": "final"}
ROUNDS = ("round-0001", "round-0002", "round-0003", "round-0004")


def _grown(target: str, port: str, name: str, by: int, *phases: str) -> tuple[Change, ...]:
    """A counter that is higher in these phases and all after them."""
    return tuple(
        set_("counter", {"target": target, "port": port, "name": name, "phase": phase}, value=lambda was: was + by)
        for phase in phases
    )


def _later(target: str, port: str, name: str, each: int) -> tuple[Change, ...]:
    """A counter that grows in every round."""
    return tuple(
        change
        for number, phase in enumerate((*ROUNDS, "final"), 1)
        for change in _grown(target, port, name, number * each, phase)
    )


def _ping(client: str, server: str, micros: float, rail: int, memory: str = "host") -> Given:
    result = PairResult(
        round=9,
        client=client,
        server=server,
        rail=rail,
        tool="ib_write_lat",
        memory=memory,
        outcome="ok",
        client_port=f"rail{rail}",
        server_port=f"rail{rail}",
        latency_typical_us=micros,
    )
    return client, "round-0001", result


PINGS = tuple(_ping(a, b, 2.0, rail) for a, b in (("gpu001", "gpu002"), ("gpu002", "gpu001")) for rail in (0, 1))
LOSSLESS = {"target": "leaf01", "port": "Ethernet0", "phase": "final"}

PROOFS = (
    Proof(
        check="counters.lossy-nic",
        change=_later("gpu001", "mlx5_0/1", "packet_seq_err", 90_000),
    ),
    Proof(
        check="counters.retransmission",
        base=(Change("pair_result", {}, None),),
        change=_grown("gpu001", "mlx5_0/1", "packet_seq_err", 90, "final"),
    ),
    Proof(check="counters.no-wire-errors", change=_grown("gpu001", "rail0", "rx_crc_errors_phy", 5, "final")),
    Proof(check="counters.no-global-pause", change=_grown("spine01", "Ethernet1/1", "rxPause", 7, "final")),
    Proof(
        check="counters.lossless-drops",
        change=(set_("queue_counter", LOSSLESS | {"queue": 3, "group": False}, drop_packets=44),),
    ),
    Proof(
        check="counters.slow-receiver",
        change=_grown("gpu001", "rail0", "tx_pause_storm_error_events", 1, "final"),
    ),
    Proof(
        check="counters.pause-storm",
        change=(set_("pfc_counter", NIC | {"port": "rail0", "priority": 3}, rx_pause_us=900_000_000),),
    ),
    Proof(
        check="counters.receivers-ready",
        change=_grown("gpu001", "mlx5_0/1", "out_of_buffer", 50_000, "final"),
    ),
    Proof(
        check="ecn.answers-marks",
        change=_grown("gpu001", "mlx5_0/1", "np_ecn_marked_roce_packets", 500, "final"),
    ),
    Proof(
        check="qos.traffic-in-class",
        change=_later("gpu001", "rail0", "tx_prio0_bytes", 10**13),
    ),
    Proof(
        check="performance.line-rate",
        change=(set_("pair_result", {"target": "gpu001", "rail": 0, "tool": "ib_write_bw"}, bandwidth_bps=2.0e11),),
        cause="performance.slow-nic",
    ),
    Proof(
        check="performance.slow-nic",
        change=(set_("pair_result", {"rail": 0, "tool": "ib_write_bw"}, bandwidth_bps=2.0e11),),
    ),
    Proof(
        check="performance.reachable",
        change=(
            set_(
                "pair_result",
                {"target": "gpu001", "rail": 0},
                outcome="retry_exceeded",
                bandwidth_bps=None,
            ),
        ),
    ),
    Proof(
        check="performance.latency",
        given=PINGS,
        change=(set_("pair_result", {"target": "gpu001", "tool": "ib_write_lat", "rail": 0}, latency_typical_us=9.0),),
    ),
    Proof(
        check="links.flaps",
        change=_grown("gpu001", "rail0", "carrier_down_count", 2, "final"),
    ),
    Proof(
        check="evidence.counters-kept",
        change=(set_("counter", NIC | {"port": "rail0", "name": "rx_packets"}, value=0),),
        fails_as=Verdict.UNKNOWN,
    ),
)

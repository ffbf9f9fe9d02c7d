"""What healthy pods show too: nothing of it is a fault, and nobody must be blamed for it."""

from fabric_audit.simulator.fabric import Host, Nic
from fabric_audit.simulator.faults.model import Fault, Plot, sets, sized


def _stale(nic: Nic, plot: Plot) -> None:
    """Errors of long ago: cables were seated, jobs were killed."""
    for name in ("out_of_sequence", "packet_seq_err", "local_ack_timeout_err", "rx_crc_errors_phy", "out_of_buffer"):
        nic.counters[name] += plot.dice.randrange(1, plot.size)
    for name in ("rx_prio3_pause", "rx_prio3_pause_duration", "tx_prio3_pause", "tx_prio3_pause_duration"):
        nic.counters[name] += plot.dice.randrange(1, 1000 * plot.size)


def _old_drops(host: Host, plot: Plot) -> None:
    """The same at the switch ports of a host."""
    for nic in host.nics:
        port = plot.fabric.leaf_port(nic)
        port.counters["rx_errors"] += plot.size
        port.counters["queue3_drop_packets"] += plot.size
        port.counters["pfc3_rx"] += 100 * plot.size


CONDITIONS = (
    Fault("stale-counters", "NIC", "counters hold errors of long ago", _stale, (100, 1_000_000)),
    Fault("old-drops", "host", "its switch ports count errors of long ago", _old_drops, (7, 90_000)),
    Fault("cleared-counters", "NIC", "somebody clears the driver's counters now and then", sized("cleared"), (1, 3)),
    Fault("corrected-errors", "NIC", "FEC corrects bit errors and leaves none", sized("raw_ber"), (1e-8, 1e-6)),
    Fault("moderate-pause", "NIC", "the NIC pauses its switch for moments", sized("pauses"), (0.001, 0.004)),
    Fault("reordered", "NIC", "what arrives was reordered by adaptive routing", sized("reordered"), (50, 40_000)),
    Fault("few-flaps", "NIC", "the link went down a few times in weeks", sized("flaps"), (3, 12)),
    Fault("background-job", "host", "somebody else's job is marked, answers, and resends a little", sets(busy=True)),
)

"""RoCE of a simulated Cumulus switch as NVUE shows it: whole, per port, and counted.

NVUE prints sizes in units of 1,024 with two decimals: of the switch as configured, of a port as the ASIC rounds them.
"""

from fabric_audit.simulator.fabric import LOSSLESS, Fabric, Port, Switch
from fabric_audit.simulator.switches.cumulus_config import CNP_PRIORITY
from fabric_audit.simulator.traffic import Traffic

_PRIORITIES = range(8)
_POOLS = (
    ("lossy-default-ingress", "50%", "0,1,2,4,5,6,7", "-"),
    ("roce-reserved-ingress", "50%", "3", "-"),
    ("lossy-default-egress", "50%", "-", "0,6"),
    ("roce-reserved-egress", "inf", "-", "3"),
)


def roce(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`nv show qos roce -o json`."""
    landings = {priority: _landing(switch, priority) for priority in _PRIORITIES}
    return {
        "congestion-control": _congestion("0,3", "146.48 KB"),
        "lldp-app-tlv": {"priority": LOSSLESS, "protocol-id": 4791, "selector": "UDP"},
        "mode": "lossless",
        "pfc": {"pfc-priority": str(LOSSLESS), "rx-enabled": "enabled", "tx-enabled": "enabled"},
        "pool-map": {
            str(number): {
                "name": name,
                "mode": "Dynamic",
                "size": size,
                "switch-priorities": priorities,
                "traffic-class": queues,
            }
            for number, (name, size, priorities, queues) in enumerate(_POOLS)
        },
        "prio-map": {str(priority): landing for priority, landing in landings.items()},
        "state": "enabled",
        "tc-map": {str(priority): _queue(priority) for priority in _PRIORITIES},
        "trust": {"trust-mode": "pcp,dscp"},
    }


def _landing(switch: Switch, priority: int) -> dict[str, str]:
    dscps = sorted(dscp for dscp, lands in switch.dscp_to_tc.items() if lands == priority)
    return {"dscp": ",".join(map(str, dscps)), "pcp": str(priority), "switch-prio": str(priority)}


def _queue(priority: int) -> dict[str, str]:
    queue = priority if priority in (LOSSLESS, CNP_PRIORITY) else 0
    weight = "strict-priority" if priority == CNP_PRIORITY else "DWRR-50%"
    return {"scheduler-weight": weight, "switch-prio": str(priority), "traffic-class": str(queue)}


def _congestion(queues: str, least: str) -> dict[str, object]:
    return {
        "congestion-mode": "ecn, absolute",
        "enabled-tc": queues,
        "max-threshold": "1.43 MB",
        "min-threshold": least,
        "probability": 100,
    }


def status(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`nv show interface qos-roce-status -o json`."""
    shown = {port.name: {"qos": {"roce": {"status": _status(switch, port)}}} for port in switch.ports.values()}
    return {"eth0": {}, "lo": {}, **shown}


def _status(switch: Switch, port: Port) -> dict[str, object]:
    on = "yes" if port.pfc else "no"
    roce_dscps = sorted(dscp for dscp in range(24, 32) if switch.dscp_to_tc[dscp] == LOSSLESS)
    return {
        "congestion-control": _congestion("0,3" if port.ecn else "0", "153.00 KB"),
        "lldp-app-tlv": {"priority": LOSSLESS, "protocol-id": 4791, "selector": "UDP"},
        "mode": "lossless",
        "pfc": {
            "pfc-priority": ",".join(map(str, sorted(port.pfc) or [LOSSLESS])),
            "rx-enabled": on,
            "tx-enabled": on,
        },
        "prio-map": {
            "cnp": {"dscp": "48", "pcp": "6", "switch-prio": "6"},
            "roce": {"dscp": ",".join(map(str, roce_dscps)), "pcp": "3", "switch-prio": "3"},
        },
        "tc-map": {
            "cnp": {"scheduler-weight": "strict priority", "switch-prio": "6", "traffic-class": "6"},
            "roce": {"scheduler-weight": "dwrr-50%", "switch-prio": "3", "traffic-class": "3"},
        },
        "trust": {"trust-mode": "pcp,dscp"},
    }


def counters(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`nv show interface qos-roce-counters -o json`."""
    shown = {port.name: {"qos": {"roce": {"counters": _counted(traffic, port)}}} for port in switch.ports.values()}
    return {"eth0": {}, "lo": {}, **shown}


def _counted(traffic: Traffic, port: Port) -> dict[str, object]:
    seen = traffic.seen(port)
    roce_packets, roce_bytes = seen[f"queue{LOSSLESS}_packets"], seen[f"queue{LOSSLESS}_bytes"]
    idle = {"buffer-max-usage": "0 Bytes", "buffer-usage": "0 Bytes"}
    return {
        "rx-stats": {
            "rx-non-roce-stats": {**idle, "no-buffer-discard": 0, "non-roce-bytes": 0, "non-roce-packets": 0},
            "rx-pfc-stats": {"pause-duration": 0, "pause-packets": seen[f"pfc{LOSSLESS}_rx"]},
            "rx-roce-stats": {
                **idle,
                "no-buffer-discard": 0,
                "pg-max-usage": "0 Bytes",
                "pg-usage": "0 Bytes",
                "roce-bytes": seen["rx_bytes"],
                "roce-packets": seen["rx_packets"],
            },
        },
        "tx-stats": {
            "tx-cnp-stats": {
                **idle,
                "cnp-bytes": seen[f"queue{CNP_PRIORITY}_bytes"],
                "cnp-packets": seen[f"queue{CNP_PRIORITY}_packets"],
                "unicast-no-buffer-discard": 0,
            },
            "tx-ecn-stats": {"ecn-marked-packets": seen[f"queue{LOSSLESS}_marked"]},
            "tx-pfc-stats": {"pause-duration": 0, "pause-packets": seen[f"pfc{LOSSLESS}_tx"]},
            "tx-roce-stats": {
                **idle,
                "roce-bytes": roce_bytes,
                "roce-packets": roce_packets,
                "tc-max-usage": "0 Bytes",
                "tc-usage": "0 Bytes",
                "unicast-no-buffer-discard": seen[f"queue{LOSSLESS}_drop_packets"],
            },
        },
    }

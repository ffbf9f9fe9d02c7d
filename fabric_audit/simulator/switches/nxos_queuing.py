"""Queues, PFC and its watchdog of a simulated NX-OS switch, in the models of Cisco's show command reference (9.3).

JSON of NX-OS has numbers as text, and one row of a table as an object instead of a list.
"""

from fabric_audit.simulator.fabric import LOSSLESS, Fabric, Port, Switch
from fabric_audit.simulator.traffic import Traffic

_RULE = "    " + "-" * 117
_PRIORITIES = range(8)
_CNP_GROUP = 6


def queuing(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show queuing interface | json`."""
    rows = [row for port in switch.ports.values() for row in (_egress(traffic, port), _ingress(traffic, port))]
    interfaces = {"TABLE_queuing_interface": {"ROW_queuing_interface": rows}}
    return {"TABLE_module": {"ROW_module": {"module": "1", **interfaces}}}


def _egress(traffic: Traffic, port: Port) -> dict[str, object]:
    seen = traffic.seen(port)
    return {
        "dir": "Egress",
        "if_name_str": port.name,
        "TABLE_qosgrp_cfg": {"ROW_qosgrp_cfg": [_configured(group) for group in range(7, -1, -1)]},
        "TABLE_qosgrp_egress_stats": {
            "ROW_qosgrp_egress_stats": [
                {
                    "eq-qosgrp": str(group),
                    "TABLE_qosgrp_egress_stats_entry": {
                        "ROW_qosgrp_egress_stats_entry": [
                            _entry("Tx", "Pkts", seen[f"queue{group}_packets"]),
                            _entry("Tx", "Byts", seen[f"queue{group}_bytes"]),
                            _entry("WRED/AFD & Tail Drop", "Pkts", seen[f"queue{group}_drop_packets"]),
                            _entry("WRED/AFD & Tail Drop", "Byts", 0),
                            _entry("Q Depth", "Byts", 0),
                            _entry("WD & Tail Drop", "Pkts", 0),
                            *([_entry("ECN", "Pkts", seen[f"queue{group}_marked"])] if port.ecn else []),
                        ]
                    },
                }
                for group in _PRIORITIES
            ]
        },
    }


def _configured(group: int) -> dict[str, str]:
    row = {"qosgrp": str(group), "priority": "1" if group == _CNP_GROUP else "-", "q-limit": "9(D)"}
    return row | {"bandwidth": "-" if group == _CNP_GROUP else "50" if group in (0, LOSSLESS) else "0"}


def _entry(kind: str, units: str, count: int) -> dict[str, str]:
    return {
        "eq-stat-type": kind,
        "eq-stat-units": units,
        "eq-uc-stat-value": str(count),
        "eq-mc-stat-value": "0",
    }


def _ingress(traffic: Traffic, port: Port) -> dict[str, object]:
    seen = traffic.seen(port)
    sizes = {"buffer-size": "348608", "pause-threshold": "77376", "resume-threshold": "75712"}
    none = dict.fromkeys(sizes, "-")
    return {
        "dir": "Ingress",
        "if_name_str": port.name,
        "TABLE_qosgrp_cfg": {
            "ROW_qosgrp_cfg": [
                {"qosgrp": str(group), **(sizes if group == LOSSLESS else none)} for group in range(7, -1, -1)
            ]
        },
        "TABLE_ingress_stats_entry": {
            "ROW_ingress_stats_entry": [
                {"ip-stat-type": kind, "ip-stat-units": "Pkts", "ip-stat-value": "0"}
                for kind in ("Hi Priority Drop", "Low Priority Drop", "Ingress Overflow Drop")
            ]
        },
        "tx-ppp": str(sum(seen[f"pfc{priority}_tx"] for priority in _PRIORITIES)),
        "rx-ppp": str(sum(seen[f"pfc{priority}_rx"] for priority in _PRIORITIES)),
        "TABLE_pfc_stats": {
            "ROW_pfc_stats": [
                {
                    "cos": str(priority),
                    "pfc-qosgrp": str(priority if priority in port.pfc else 0),
                    "tx-pause-state": "Inactive",
                    "tx-pause-count": str(seen[f"pfc{priority}_tx"]),
                    "rx-pause-state": "Inactive",
                    "rx-pause-count": str(seen[f"pfc{priority}_rx"]),
                }
                for priority in _PRIORITIES
            ]
        },
    }


def pfc_detail(_fabric: Fabric, traffic: Traffic, switch: Switch) -> str:
    """`show interface priority-flow-control detail`: no bitmap where PFC is off."""
    heads = "|".join(f"  Priority{priority}  " for priority in _PRIORITIES)
    lines = []
    for port in switch.ports.values():
        seen = traffic.seen(port)
        counted = {way: [seen[f"pfc{p}_{way.lower()}"] for p in _PRIORITIES] for way in ("Rx", "Tx")}
        state = "On" if port.pfc else "Off"
        lines += [port.name, f"    Admin Mode: {state}", f"    Oper Mode: {state}"]
        if port.pfc:
            lines.append(f"    VL bitmap: ({sum(1 << priority for priority in port.pfc):x})")
        lines += [f"    Total {way} PFC Frames: {sum(frames)}" for way, frames in counted.items()]
        lines += [_RULE, f"        |{heads}|", _RULE]
        rows = [f"    {way}  {''.join(f'|{count:<13}' for count in frames)}" for way, frames in counted.items()]
        lines += [rows[0], _RULE, rows[1]]
    return "\n".join(lines) + "\n"


def watchdog(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    """`show queuing pfc-queue detail | json`."""
    ports = [_watched(traffic, port) for port in switch.ports.values()]
    return {
        "glb-wd-status": "Enabled",
        "glb-wd-force-status": "Disabled",
        "glb-wd-timer": "100",
        "glb-wd-timer-thresh": "100",
        "glb-auto-restore": "0",
        "glb-fixed-restore": "0",
        "glb-int-intf-multi": "1",
        "TABLE_queuing_interface": {"ROW_queuing_interface": ports},
    }


def _watched(traffic: Traffic, port: Port) -> dict[str, object]:
    on, fired = port.watchdog and bool(port.pfc), str(traffic.seen(port)["storms"])
    queues = [
        {
            "eq-qosgrp": str(group),
            "eq-qosgrp-state": "Active",
            "pfc-configured": "YES",
            "pfc-cos": str(group),
            "TABLE_qosgrp_stats_entry": {
                "ROW_qosgrp_stats_entry": {
                    "q-stat-type": "0",
                    **dict.fromkeys(("q-shutdown", "q-restored"), fired),
                    **dict.fromkeys(("q-pkt-drained", "q-pkt-dropped"), "0"),
                    **dict.fromkeys(("q-aggr-pkt-dropped", "q-ing-pkt-dropped", "q-ing-aggr-pkt-dropped"), "0"),
                }
            },
        }
        for group in sorted(port.pfc)
    ]
    row = {
        "if_name_str": port.name,
        "wd-status": "Enabled" if on else "Disabled",
        "disable-action": "No",
        "intf-multi": "1",
        "vl-bmp": f"{sum(1 << priority for priority in port.pfc):x}",
    }
    if not on:
        return dict(row)
    return row | {"TABLE_qosgrp_stats": {"ROW_qosgrp_stats": queues if len(queues) > 1 else queues[0]}}

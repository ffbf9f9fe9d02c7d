"""A simulated EOS switch: running configuration, and JSON as eAPI gives it."""

import json
from collections.abc import Callable

from fabric_audit.simulator.fabric import LOSSLESS, Fabric, Port, Switch
from fabric_audit.simulator.switches import eos_routing
from fabric_audit.simulator.switches.links import told_by_lldp
from fabric_audit.simulator.traffic import Traffic

PROMPT = "{name}#"


def answer(fabric: Fabric, traffic: Traffic, switch: Switch, command: str) -> str:
    """What the switch prints for one command."""
    text = " ".join(command.split())
    if text in _TEXT:
        return _TEXT[text](fabric, traffic, switch)
    if text.endswith("| json") and text in _JSON:
        return json.dumps(_JSON[text](fabric, traffic, switch), indent=4) + "\n"
    return "% Invalid input (at token 1: '" + (text.split()[1] if " " in text else text) + "')\n"


def _running_config(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    lines = [
        "! Command: show running-config",
        f"! device: {switch.name} (DCS-7060DX5-64S, EOS-4.31.2F)",
        "!",
        f"hostname {switch.name}",
        "!",
        "switchport default mode routed",
        "!",
        "qos rewrite dscp",
        *_dscp_lines(switch),
        "!",
        "interface Loopback0",
        f"   ip address {switch.loopback}/32",
        "!",
    ]
    for port in switch.ports.values():
        lines += _interface(port)
    lines += [
        "priority-flow-control pause watchdog default timeout 0.2",
        "priority-flow-control pause watchdog default recovery-time 0.4",
        "priority-flow-control pause watchdog default polling-interval 0.1",
        "priority-flow-control pause watchdog action drop",
        "!",
        "end",
    ]
    return "\n".join(lines) + "\n"


def _dscp_lines(switch: Switch) -> list[str]:
    by_class: dict[int, list[int]] = {}
    for dscp, traffic_class in sorted(switch.dscp_to_tc.items()):
        by_class.setdefault(traffic_class, []).append(dscp)
    return [
        f"qos map dscp {' '.join(map(str, dscps))} to traffic-class {traffic_class}"
        for traffic_class, dscps in sorted(by_class.items())
    ]


def _interface(port: Port) -> list[str]:
    lines = [
        f"interface {port.name}",
        f"   description {' '.join(port.peer)}",
        f"   mtu {port.mtu}",
        "   no switchport",
    ]
    if port.ip:
        lines.append(f"   ip address {port.ip}/31")
    if port.fec == "rs":
        lines.append("   error-correction encoding reed-solomon")
    lines.append("   qos trust dscp")
    if port.pfc:
        lines.append("   priority-flow-control on")
        lines += [f"   priority-flow-control priority {priority} no-drop" for priority in sorted(port.pfc)]
    if not port.watchdog:
        lines.append("   no priority-flow-control pause watchdog")
    if port.ecn:
        thresholds = "minimum-threshold 150 kbytes maximum-threshold 1500 kbytes max-mark-probability 100 weight 0"
        lines += ["   !", f"   uc-tx-queue {LOSSLESS}", "      no priority", "      bandwidth percent 50"]
        lines += [f"      random-detect ecn {thresholds}", "      random-detect ecn count"]
    return [*lines, "   !", "   uc-tx-queue 6", "      priority strict", "!"]


def _pfc_status(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    head = [
        "The hardware supports PFC on priorities 0 1 2 3 4 5 6 7",
        "PFC receive processing is enabled on priorities 0 1 2 3 4 5 6 7",
        "The PFC watchdog timeout is 0.2 second(s)",
        "The PFC watchdog recovery-time is 0.4 second(s) (auto)",
        "The PFC watchdog polling-interval is 0.1 second(s)",
        "The PFC watchdog action is drop",
        "The PFC watchdog override action drop is false",
        "The PFC watchdog non-disruptive priorities are not configured",
        "The PFC watchdog non-disruptive action is not configured",
        "The PFC watchdog port non-disruptive-only is false",
        "Global PFC : Enabled",
        "",
        "E: PFC Enabled, D: PFC Disabled, A: PFC Active, W: PFC Watchdog Enabled",
        "Port       Status  Priorities  Action      Timeout  Recovery        Polling         Note",
        "                                                  Interval/Mode   Config/Oper",
        "-" * 87,
    ]
    rows = []
    for port in switch.ports.values():
        status = f"{'E A' if port.pfc else 'D -'} {'W' if port.watchdog and port.pfc else '-'}"
        priorities = "".join(map(str, sorted(port.pfc)))
        note = "DCBX disabled" if port.pfc else ""
        middle = "-           -        - / -           - / -           "
        rows.append(f"{port.alias:<10} {status:<7} {priorities:<11} {middle}{note}".rstrip())
    return "\n".join([*head, *rows]) + "\n"


def _interfaces(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    found: dict[str, object] = {}
    for port in switch.ports.values():
        seen = traffic.seen(port)
        found[port.name] = {
            "name": port.name,
            "interfaceStatus": "connected" if port.up else "notconnect",
            "lineProtocolStatus": "up" if port.up else "down",
            "hardware": "ethernet",
            "mtu": port.mtu,
            "bandwidth": port.speed_bps,
            "lanes": 8,
            "forwardingModel": "routed",
            "burnedInAddress": port.mac,
            "physicalAddress": port.mac,
            "description": " ".join(port.peer),
            "interfaceAddress": [],
            "interfaceCounters": {
                "inOctets": seen["rx_bytes"],
                "inUcastPkts": seen["rx_packets"],
                "inDiscards": 0,
                "inTotalErrors": seen["rx_errors"],
                "inputErrorsDetail": {"fcsErrors": seen["rx_errors"], "symbolErrors": 0, "rxPause": 0},
                "outOctets": seen["tx_bytes"],
                "outUcastPkts": seen["tx_packets"],
                "outDiscards": 0,
                "totalOutErrors": 0,
                "linkStatusChanges": 1,
            },
        }
    return {"interfaces": found}


def _flow_control(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    off = {"rxAdminState": "off", "rxOperState": "off", "txAdminState": "off", "txOperState": "off"}
    return {"interfaceFlowControls": {port: off | {"rxPause": 0, "txPause": 0} for port in switch.ports}}


def _lldp(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    found: dict[str, object] = {}
    for port in switch.ports.values():
        seen = told_by_lldp(fabric, port)
        told = {"interfaceIdType": "interfaceName", "interfaceId": f'"{seen.port_id}"'}
        told["interfaceDescription"] = seen.description
        info = {"chassisIdType": "macAddress", "chassisId": seen.chassis, "systemName": seen.system}
        found[port.name] = {"lldpNeighborInfo": [info | {"neighborInterfaceInfo": told, "ttl": 120}]}
    return {"lldpNeighbors": found}


def _pfc_detail(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    return {
        "interfaces": {
            port.name: {
                "priorities": {
                    str(p): {"rxFrames": traffic.seen(port)[f"pfc{p}_rx"], "txFrames": traffic.seen(port)[f"pfc{p}_tx"]}
                    for p in range(8)
                }
            }
            for port in switch.ports.values()
        }
    }


def _ecn_counters(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    return {
        "intfQueueCounters": {
            port.name: {"queueCounters": {str(q): str(traffic.seen(port)[f"queue{q}_marked"]) for q in range(8)}}
            for port in switch.ports.values()
        }
    }


def _queues(_fabric: Fabric, traffic: Traffic, switch: Switch) -> str:
    lines = [
        "Port       TxQ   Counter/pkts   Counter/bytes   Drop/pkts   Drop/bytes",
        "---------- ----- -------------- --------------- ----------- ----------",
    ]
    for port in switch.ports.values():
        seen = traffic.seen(port)
        for q in range(8):
            packets, octets = seen[f"queue{q}_packets"], seen[f"queue{q}_bytes"]
            lines.append(f"{port.alias:<10} {f'UC{q}':<5} {packets:>14} {octets:>15} {0:>11} {0:>10}")
    return "\n".join(lines) + "\n"


def _version(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    return {
        "mfgName": "Arista",
        "modelName": "DCS-7060DX5-64S-F",
        "serialNumber": f"EXA{sum(switch.name.encode()):08d}",
        "systemMacAddress": "02:00:5f:00:00:10",
        "version": "4.31.2F",
        "uptime": 8640000.0,
    }


_TEXT: dict[str, Callable[[Fabric, Traffic, Switch], str]] = {
    "show running-config": _running_config,
    "show priority-flow-control": _pfc_status,
    "show interfaces counters queue detail": _queues,
}
_JSON: dict[str, Callable[[Fabric, Traffic, Switch], dict[str, object]]] = {
    "show interfaces | json": _interfaces,
    "show interfaces flow-control | json": _flow_control,
    "show lldp neighbors detail | json": _lldp,
    "show priority-flow-control counters detail | json": _pfc_detail,
    "show priority-flow-control counters watchdog | json": lambda *_: {"interfaces": {}},
    "show qos interfaces ecn counters queue | json": _ecn_counters,
    "show version | json": _version,
    "show ip bgp summary vrf all | json": eos_routing.bgp_summary,
    "show ip route vrf all | json": eos_routing.routes,
    "show port-channel detailed | json": lambda *_: {"portChannels": {}},
    "show interfaces transceiver | json": lambda *_: {"interfaces": {}},
    "show hostname | json": lambda _f, _t, switch: {"hostname": switch.name, "fqdn": switch.name},
}

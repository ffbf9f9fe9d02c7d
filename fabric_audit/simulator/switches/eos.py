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
        *_queue_lines(switch),
        *(["ip hardware fib load-balance distribution dynamic"] if switch.sprays else []),
        "!",
        "interface Loopback0",
        f"   ip address {switch.loopback}/32",
        "!",
    ]
    for port in switch.ports.values():
        lines += _interface(switch, port)
    lines += [
        f"priority-flow-control pause watchdog default timeout {switch.watchdog_ms / 1000:g}",
        "priority-flow-control pause watchdog default recovery-time 0.4",
        "priority-flow-control pause watchdog default polling-interval 0.1",
        f"priority-flow-control pause watchdog action {switch.watchdog_action}",
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


def _queue_lines(switch: Switch) -> list[str]:
    moved = {tc: queue for tc, queue in switch.tc_to_queue.items() if tc != queue}
    return [f"qos map traffic-class {tc} to tx-queue {queue}" for tc, queue in moved.items()]


def _interface(switch: Switch, port: Port) -> list[str]:
    lines = [
        f"interface {port.name}",
        f"   description {' '.join(port.peer).strip() or 'spare'}",
        f"   mtu {port.mtu}",
        "   no switchport",
    ]
    if port.ip:
        lines.append(f"   ip address {port.ip}/31")
    if port.fec == "rs":
        lines.append("   error-correction encoding reed-solomon")
    lines.append(f"   qos trust {'dscp' if port.trust == 'dscp' else 'cos'}")
    if port.link_pause:
        lines += ["   flowcontrol send on", "   flowcontrol receive on"]
    if port.pfc:
        lines.append("   priority-flow-control on")
        lines += [f"   priority-flow-control priority {priority} no-drop" for priority in sorted(port.pfc)]
    if not port.watchdog:
        lines.append("   no priority-flow-control pause watchdog")
    if port.ecn:
        lines += ["   !", f"   uc-tx-queue {LOSSLESS}", "      no priority", "      bandwidth percent 50"]
        lines += [f"      {line}" for line in _detection(switch)]
    return [
        *lines,
        "   !",
        "   uc-tx-queue 6",
        f"      {'priority strict' if switch.cnp_strict else 'no priority'}",
        "!",
    ]


def _detection(switch: Switch) -> list[str]:
    low, high = (octets // 1000 for octets in switch.ecn_bytes)
    limits = f"minimum-threshold {low} kbytes maximum-threshold {high} kbytes"
    if switch.ecn_marks:
        return [f"random-detect ecn {limits} max-mark-probability 100 weight 0", "random-detect ecn count"]
    return [f"random-detect drop {limits} drop-probability 100"]


def _pfc_status(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    head = [
        "The hardware supports PFC on priorities 0 1 2 3 4 5 6 7",
        "PFC receive processing is enabled on priorities 0 1 2 3 4 5 6 7",
        f"The PFC watchdog timeout is {switch.watchdog_ms / 1000:g} second(s)",
        "The PFC watchdog recovery-time is 0.4 second(s) (auto)",
        "The PFC watchdog polling-interval is 0.1 second(s)",
        f"The PFC watchdog action is {switch.watchdog_action}",
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
        damaged = {"fcsErrors": seen["rx_errors"], "symbolErrors": _symbols(traffic, port), "rxPause": 0}
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
                "inputErrorsDetail": damaged,
                "outOctets": seen["tx_bytes"],
                "outUcastPkts": seen["tx_packets"],
                "outDiscards": 0,
                "totalOutErrors": 0,
                "linkStatusChanges": 1,
            },
        }
    return {"interfaces": found}


def _symbols(traffic: Traffic, port: Port) -> int:
    """Symbols that FEC could not correct: a link carries them also while nobody sends."""
    return round(port.loss * traffic.clock.now() * 1e4)


def _flow_control(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    states = ("rxAdminState", "rxOperState", "txAdminState", "txOperState")
    return {
        "interfaceFlowControls": {
            port.name: dict.fromkeys(states, "on" if port.link_pause else "off") | {"rxPause": 0, "txPause": 0}
            for port in switch.ports.values()
        }
    }


def _lldp(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    found: dict[str, object] = {}
    for port in switch.ports.values():
        if not port.up:
            continue
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


def _watchdog_counters(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    """A port on which nothing ever happened is left out."""
    fired = {port.name: traffic.seen(port)["storms"] for port in switch.ports.values()}
    found = {
        name: {"txQueues": {f"UC{LOSSLESS}": {"stuckCount": times, "recoveryCount": times}}}
        for name, times in fired.items()
        if times
    }
    return {"interfaces": found}


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
            lost = seen[f"queue{q}_drop_packets"]
            lines.append(f"{port.alias:<10} {f'UC{q}':<5} {packets:>14} {octets:>15} {lost:>11} {lost * 4170:>10}")
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
    "show priority-flow-control counters watchdog | json": _watchdog_counters,
    "show qos interfaces ecn counters queue | json": _ecn_counters,
    "show version | json": _version,
    "show ip bgp summary vrf all | json": eos_routing.bgp_summary,
    "show ip route vrf all | json": eos_routing.routes,
    "show port-channel detailed | json": lambda *_: {"portChannels": {}},
    "show interfaces transceiver | json": lambda *_: {"interfaces": {}},
    "show hostname | json": lambda _f, _t, switch: {"hostname": switch.name, "fqdn": switch.name},
}

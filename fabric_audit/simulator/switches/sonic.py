"""A simulated SONiC switch: CONFIG_DB and the counters its CLI shows."""

import json
from collections import Counter
from collections.abc import Callable, Iterator

from fabric_audit.simulator.fabric import CNP_DSCP, GBPS, LOSSLESS, Fabric, Port, Switch
from fabric_audit.simulator.switches import frr, sonic_system
from fabric_audit.simulator.switches.links import told_by_lldp
from fabric_audit.simulator.switches.table import ruled
from fabric_audit.simulator.traffic import Traffic

PROMPT = "admin@{name}:~$ "
POOL_BYTES = 113_091_584
LOSSLESS_PROFILE, LOSSY_PROFILE = "pg_lossless_400000_5m_profile", "ingress_lossy_profile"


def answer(fabric: Fabric, traffic: Traffic, switch: Switch, command: str) -> str:
    """What the switch prints for one command."""
    text = command.removeprefix("sudo -n ").strip()
    if text in _SHOWS:
        return _SHOWS[text](fabric, traffic, switch)
    if text in _FRR:
        return json.dumps(_FRR[text](fabric, traffic, switch), indent=2) + "\n"
    if text.startswith("show "):
        word = text.split()[-1]
        return f'Usage: show [OPTIONS] COMMAND [ARGS]...\nTry "show -h" for help.\n\nError: No such command "{word}".\n'
    return f"-bash: {text.split()[0] if text else ''}: command not found\n"


def _config(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    ports = switch.ports.values()
    tables: dict[str, object] = {
        "DEVICE_METADATA": {
            "localhost": {
                "hostname": switch.name,
                "hwsku": "Example-64x400",
                "platform": "x86_64-example_64x400-r0",
                "mac": f"02:00:5f:00:00:{sum(switch.name.encode()) % 256:02x}",
                "type": "LeafRouter",
                "buffer_model": "traditional",
                "bgp_asn": str(switch.asn),
            }
        },
        "PORT": {port.name: _port(port) for port in ports},
        "INTERFACE": {key: {} for port in ports if port.ip for key in (port.name, f"{port.name}|{port.ip}/31")},
        "LOOPBACK_INTERFACE": {"Loopback0": {}, f"Loopback0|{switch.loopback}/32": {}},
        "CABLE_LENGTH": {"AZURE": {port.name: "5m" for port in ports}},
        "DSCP_TO_TC_MAP": {"ROCE": {str(dscp): str(tc) for dscp, tc in sorted(switch.dscp_to_tc.items())}},
        "DOT1P_TO_TC_MAP": {"ROCE": {str(pcp): str(pcp) for pcp in range(8)}},
        "TC_TO_QUEUE_MAP": {"ROCE": {str(tc): str(queue) for tc, queue in switch.tc_to_queue.items()}},
        "TC_TO_PRIORITY_GROUP_MAP": {"ROCE": {str(tc): str(group) for tc, group in switch.tc_to_group.items()}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"ROCE": {str(p): str(p) for p in range(8)}},
        "PORT_QOS_MAP": {port.name: _qos(port) for port in ports},
        "WRED_PROFILE": {"ROCE_LOSSLESS": dict(_wred(switch))} if switch.defined else {},
        "SCHEDULER": {"dwrr.50": {"type": "DWRR", "weight": "50"}, "strict": {"type": "STRICT"}},
        "QUEUE": {f"{port.name}|{queue}": _queue(switch, port, queue) for port in ports for queue in range(8)},
        "BUFFER_POOL": {
            "ingress_pool": {"type": "ingress", "mode": "dynamic", "size": str(POOL_BYTES), **_shared(switch)},
            "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "164075364"},
        },
        "BUFFER_PROFILE": {
            LOSSLESS_PROFILE: {
                "pool": "ingress_pool",
                "size": "18796",
                "xon": "18796",
                "xon_offset": "3556",
                "xoff": str(switch.headroom_bytes),
                "dynamic_th": str(switch.alpha),
            },
            LOSSY_PROFILE: {"pool": "ingress_pool", "size": "0", "dynamic_th": "3"},
        },
        "BUFFER_PG": {
            f"{port.name}|{group}": {"profile": LOSSLESS_PROFILE if group and port.lossless_buffer else LOSSY_PROFILE}
            for port in ports
            for group in (0, LOSSLESS)
        },
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}}
        | {
            port.name: {
                "action": switch.watchdog_action,
                "detection_time": str(switch.watchdog_ms),
                "restoration_time": "400",
            }
            for port in ports
            if port.watchdog
        },
    }
    return json.dumps(tables, indent=4, sort_keys=True) + "\n"


def _shared(switch: Switch) -> dict[str, str]:
    return {"xoff": str(switch.shared_headroom_bytes)} if switch.shared_headroom_bytes else {}


def _port(port: Port) -> dict[str, str]:
    return {
        "admin_status": "up",
        "alias": port.alias,
        "description": " ".join(port.peer),
        "fec": port.fec,
        "lanes": port.lanes,
        "mtu": str(port.mtu),
        "pfc_asym": "off",
        "speed": str(port.speed_bps // 10**6),
    }


def _wred(switch: Switch) -> Iterator[tuple[str, str]]:
    low, high = switch.ecn_bytes
    yield "ecn", "ecn_all" if switch.ecn_marks else "ecn_none"
    yield "green_min_threshold", str(low)
    yield "green_max_threshold", str(high)
    yield "green_drop_probability", "100"
    yield "wred_green_enable", "true"


def _qos(port: Port) -> dict[str, str]:
    classifies = "dscp_to_tc_map" if port.trust == "dscp" else "dot1p_to_tc_map"
    maps = {
        classifies: "ROCE",
        "tc_to_queue_map": "ROCE",
        "tc_to_pg_map": "ROCE",
        "pfc_to_queue_map": "ROCE",
    }
    return maps | ({"pfc_enable": ",".join(map(str, sorted(port.pfc)))} if port.pfc else {})


def _queue(switch: Switch, port: Port, queue: int) -> dict[str, str]:
    strict = switch.cnp_strict and queue == CNP_DSCP // 8
    found = {"scheduler": "strict" if strict else "dwrr.50"}
    return found | ({"wred_profile": "ROCE_LOSSLESS"} if queue == LOSSLESS and port.ecn else {})


def _status(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    header = ("Interface", "Lanes", "Speed", "MTU", "FEC", "Alias", "Vlan", "Oper", "Admin", "Type", "Asym PFC")
    rows = [
        (p.name, p.lanes, f"{p.speed_bps // GBPS}G", p.mtu, p.fec, p.alias, "routed", *_state(p), "QSFP-DD", "off")
        for p in switch.ports.values()
    ]
    return ruled(header, rows)


def _state(port: Port) -> tuple[str, str]:
    return "up" if port.up else "down", "up"


def _counters(_fabric: Fabric, traffic: Traffic, switch: Switch) -> str:
    header = (
        *("IFACE", "STATE", "RX_OK", "RX_BPS", "RX_UTIL", "RX_ERR", "RX_DRP", "RX_OVR"),
        *("TX_OK", "TX_BPS", "TX_UTIL", "TX_ERR", "TX_DRP", "TX_OVR"),
    )
    rows = []
    for port in switch.ports.values():
        seen = traffic.seen(port)
        rx, tx = f"{seen['rx_packets']:,}", f"{seen['tx_packets']:,}"
        errors = f"{seen['rx_errors']:,}"
        rows.append(
            (
                port.name,
                "U" if port.up else "D",
                rx,
                "0.00 B/s",
                "0.00%",
                errors,
                0,
                0,
                tx,
                "0.00 B/s",
                "0.00%",
                0,
                0,
                0,
            )
        )
    return ruled(header, rows)


def _pfc_counters(_fabric: Fabric, traffic: Traffic, switch: Switch) -> str:
    tables = []
    for side in ("Rx", "Tx"):
        header = (f"Port {side}", *(f"PFC{priority}" for priority in range(8)))
        rows = [
            (p.name, *(f"{traffic.seen(p)[f'pfc{priority}_{side.lower()}']:,}" for priority in range(8)))
            for p in switch.ports.values()
        ]
        tables.append(ruled(header, rows))
    return "\n".join(tables)


def _queue_counters(_fabric: Fabric, traffic: Traffic, switch: Switch) -> str:
    header = ("Port", "TxQ", "Counter/pkts", "Counter/bytes", "Drop/pkts", "Drop/bytes")
    text = []
    for port in switch.ports.values():
        seen = traffic.seen(port)
        rows = [
            (port.name, f"UC{q}", f"{seen[f'queue{q}_packets']:,}", f"{seen[f'queue{q}_bytes']:,}", *_dropped(seen, q))
            for q in range(8)
        ]
        text.append("For namespace :\n" + ruled(header, rows))
    return "\n".join(text)


def _dropped(seen: Counter[str], queue: int) -> tuple[str, str]:
    packets = seen[f"queue{queue}_drop_packets"]
    return f"{packets:,}", f"{packets * 4170:,}"


def _lldp(fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    seen = [(port.name, told_by_lldp(fabric, port)) for port in switch.ports.values() if port.up]
    rows = [(name, told.system, told.port_id, "BR", told.description) for name, told in seen]
    table = ruled(("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr"), rows)
    end = f"{'-' * 50}\nTotal entries displayed:  {len(rows)}\n"
    return f"Capability codes: (R) Router, (B) Bridge, (O) Other\n{table}{end}"


def _pfc_priority(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    rows = [(p.name, ",".join(map(str, sorted(p.pfc)))) for p in switch.ports.values() if p.pfc]
    return "\n" + ruled(("Interface", "Lossless priorities"), rows) + "\n"


def _pfc_asymmetric(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    return "\n" + ruled(("Interface", "Asymmetric"), [(p.name, "off") for p in switch.ports.values()]) + "\n"


def _watchdog_config(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    header = ("PORT", "ACTION", "DETECTION TIME", "RESTORATION TIME", "HISTORY")
    times = (switch.watchdog_action, switch.watchdog_ms, 400, "disable")
    rows = [(p.name, *times) for p in switch.ports.values() if p.watchdog]
    return "Changed polling interval to 200ms\n" + ruled(header, rows)


def _watchdog_stats(_fabric: Fabric, traffic: Traffic, switch: Switch) -> str:
    header = (
        *("QUEUE", "STATUS", "STORM DETECTED/RESTORED", "TX OK/DROP", "RX OK/DROP"),
        *("TX LAST OK/DROP", "RX LAST OK/DROP"),
    )
    rows = [
        (f"{p.name}:{queue}", "operational", _fired(traffic.seen(p)), "0/0", "0/0", "0/0", "0/0")
        for p in switch.ports.values()
        if p.watchdog
        for queue in sorted(p.pfc)
    ]
    return ruled(header, rows)


def _fired(seen: Counter[str]) -> str:
    return f"{seen['storms']}/{seen['storms']}"


def _ecn(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    if not switch.defined:
        return ""
    rows = sorted(_wred(switch), reverse=True)
    width = max(len(name) for name, _ in rows)
    rule = f"{'-' * width}  {'-' * 8}"
    return "\n".join(["Profile: ROCE_LOSSLESS", rule, *(f"{n.ljust(width)}  {v}" for n, v in rows), rule, ""])


_SHOWS: dict[str, Callable[[Fabric, Traffic, Switch], str]] = {
    "show runningconfiguration all": _config,
    "show interfaces status": _status,
    "show interfaces counters": _counters,
    "show pfc counters": _pfc_counters,
    "show queue counters": _queue_counters,
    "show lldp table": _lldp,
    "show pfc priority": _pfc_priority,
    "show pfc asymmetric": _pfc_asymmetric,
    "show pfcwd config": _watchdog_config,
    "show pfcwd stats": _watchdog_stats,
    "show ecn": _ecn,
    "show version": sonic_system.version,
    "show interfaces portchannel": sonic_system.port_channels,
    "show interfaces transceiver eeprom --dom": sonic_system.transceivers,
}
_FRR: dict[str, Callable[[Fabric, Traffic, Switch], dict[str, object]]] = {
    "vtysh -c 'show bgp vrf all summary json'": frr.bgp_summary,
    "vtysh -c 'show ip route vrf all json'": frr.routes,
}

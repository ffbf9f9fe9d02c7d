"""A simulated Cumulus Linux 5.14 switch: bash with `nv show ... -o json`, and what Linux below it tells."""

import json
from collections.abc import Callable

from fabric_audit.simulator.fabric import Fabric, Port, Switch
from fabric_audit.simulator.switches import cumulus_config, cumulus_roce, frr
from fabric_audit.simulator.switches.links import UPTIME_S, mac_of, told_by_lldp
from fabric_audit.simulator.traffic import Traffic

PROMPT = "cumulus@{name}:mgmt:~$ "


def answer(fabric: Fabric, traffic: Traffic, switch: Switch, command: str) -> str:
    """What the switch prints for one command."""
    text = command.strip()
    if text in _TEXT:
        return _TEXT[text](fabric, traffic, switch)
    if text in _JSON:
        return json.dumps(_JSON[text](fabric, traffic, switch), indent=2) + "\n"
    if text.startswith("nv show bridge "):
        return "Error: The requested item does not exist.\n"
    if text.startswith("nv "):
        return f"Error: {text!r} is not a valid command.\nSee 'nv --help'\n"
    return f"-bash: {text.split()[0] if text else ''}: command not found\n"


def _system(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    return {
        "build": "Cumulus Linux 5.14.0",
        "hostname": switch.name,
        "product-name": "Cumulus Linux",
        "product-release": "5.14.0",
        "timezone": "Etc/UTC",
        "uptime": f"{UPTIME_S // 86_400} days, 0:00:00",
    }


def _interfaces(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    management = {"admin-status": "up", "oper-status": "up", "mac-address": mac_of(switch), "mtu": 1500, "speed": "1G"}
    return {
        "eth0": {"link": management, "type": "eth"},
        "lo": {
            "ipv4": {"address": {f"{switch.loopback}/32": {}, "127.0.0.1/8": {}}},
            "link": {"admin-status": "up", "oper-status": "up", "mtu": 65536},
            "type": "loopback",
        },
        **{port.name: _interface(traffic, port) for port in switch.ports.values()},
    }


def _interface(traffic: Traffic, port: Port) -> dict[str, object]:
    seen, state = traffic.seen(port), "up" if port.up else "down"
    speed = {"speed": f"{port.speed_bps // 10**9}G"} if port.up else {}
    shown: dict[str, object] = {
        "description": " ".join(port.peer),
        "link": {
            "admin-status": "up",
            "auto-negotiate": "off",
            "duplex": "full",
            "fec": port.fec,
            "mac-address": port.mac,
            "mtu": port.mtu,
            "oper-status": state,
            **speed,
            "stats": {
                "carrier-transitions": 1,
                "in-bytes": seen["rx_bytes"],
                "in-drops": 0,
                "in-errors": seen["rx_errors"],
                "in-pkts": seen["rx_packets"],
                "out-bytes": seen["tx_bytes"],
                "out-drops": 0,
                "out-errors": 0,
                "out-pkts": seen["tx_packets"],
            },
        },
        "type": "swp",
    }
    return shown | ({"ipv4": {"address": {f"{port.ip}/31": {}}}} if port.ip else {})


def _lldp(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    found: dict[str, object] = {}
    for port in switch.ports.values():
        if not port.up:
            found[port.name] = {"lldp": {"neighbor": {}}}
            continue
        told = told_by_lldp(fabric, port)
        seen = {
            "age": f"{UPTIME_S}",
            "chassis": {"chassis-id": told.chassis, "system-name": told.system},
            "port": {"description": told.description, "name": told.port_id, "ttl": 120, "type": "ifname"},
        }
        found[port.name] = {"lldp": {"neighbor": {told.system: seen}}}
    return found


def _transceivers(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    return {
        port.name: {
            "cable-length": "2m",
            "cable-type": "Passive copper cable",
            "identifier": "QSFP-DD",
            "vendor-name": "EXAMPLE",
            "vendor-pn": "DAC-400G-2M",
            "vendor-sn": f"EX{number:06d}",
        }
        for number, port in enumerate(switch.ports.values(), 1)
    }


def _neighbors(fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    """`ip -j neigh show`: one line."""
    found = []
    for port in switch.ports.values():
        end = fabric.peer_of(port) if port.up else port
        if port.up and (port.ip or not isinstance(end, Port)):
            found.append({"dst": end.ip, "dev": port.name, "lladdr": end.mac, "state": ["REACHABLE"]})
    return json.dumps(found) + "\n"


_TEXT: dict[str, Callable[[Fabric, Traffic, Switch], str]] = {
    "nv config show -o commands": cumulus_config.commands,
    "cat /etc/cumulus/datapath/qos/qos_features.conf": cumulus_config.features_file,
    "ip -j neigh show": _neighbors,
}
_JSON: dict[str, Callable[[Fabric, Traffic, Switch], dict[str, object]]] = {
    "nv show system -o json": _system,
    "nv show interface -o json": _interfaces,
    "nv show interface lldp-detail -o json": _lldp,
    "nv show platform transceiver detail -o json": _transceivers,
    "nv show qos roce -o json": cumulus_roce.roce,
    "nv show interface qos-roce-status -o json": cumulus_roce.status,
    "nv show interface qos-roce-counters -o json": cumulus_roce.counters,
    "sudo -n vtysh -c 'show bgp vrf all summary json'": frr.bgp_summary,
    "sudo -n vtysh -c 'show ip route vrf all json'": frr.routes,
}

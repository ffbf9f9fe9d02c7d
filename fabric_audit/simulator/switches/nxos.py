"""A simulated Nexus 9000 with NX-OS 10.3: its running configuration, and JSON as `| json` gives it."""

import json
from collections.abc import Callable

from fabric_audit.simulator.fabric import GBPS, Fabric, Nic, Port, Switch
from fabric_audit.simulator.switches import nxos_config, nxos_queuing, nxos_routing
from fabric_audit.simulator.switches.links import UPTIME_S, mac_of, told_by_lldp
from fabric_audit.simulator.traffic import Traffic

PROMPT = "{name}# "


def answer(fabric: Fabric, traffic: Traffic, switch: Switch, command: str) -> str:
    """What the switch prints for one command."""
    text = " ".join(command.split())
    if text in _TEXT:
        return _TEXT[text](fabric, traffic, switch)
    if text in _JSON:
        return json.dumps(_JSON[text](fabric, traffic, switch)) + "\n"
    return f"{' ' * len(PROMPT.format(name=switch.name))}^\n% Invalid command at '^' marker.\n"


def dotted(mac: str) -> str:
    """A MAC address as Cisco writes it: `0200.5f01.0002`."""
    digits = mac.replace(":", "")
    return ".".join(digits[at : at + 4] for at in (0, 4, 8))


def _version(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    return {
        "bios_ver_str": "01.08",
        "nxos_ver_str": nxos_config.VERSION,
        "nxos_file_name": "bootflash:///nxos64-cs.10.3.4a.M.bin",
        "chassis_id": "Nexus9000 C9364D-GX2A Chassis",
        "host_name": switch.name,
        "proc_board_id": f"EXA{sum(switch.name.encode()):05d}",
        "kern_uptm_days": UPTIME_S // 86_400,
        "kern_uptm_hrs": 0,
        "kern_uptm_mins": 0,
        "kern_uptm_secs": 0,
        "rr_reason": "Unknown",
        "manufacturer": "Cisco Systems, Inc.",
    }


def _interfaces(_fabric: Fabric, traffic: Traffic, switch: Switch) -> dict[str, object]:
    management = {
        "interface": "mgmt0",
        "state": "up",
        "admin_state": "up",
        "eth_hw_addr": dotted(mac_of(switch)),
        "eth_bia_addr": dotted(mac_of(switch)),
        "eth_mtu": "1500",
        "eth_bw": 1_000_000,
        "eth_speed": "1000 Mb/s",
    }
    return {
        "TABLE_interface": {
            "ROW_interface": [management, *(_interface(traffic, port) for port in switch.ports.values())]
        }
    }


def _interface(traffic: Traffic, port: Port) -> dict[str, object]:
    seen = traffic.seen(port)
    address = {"eth_ip_addr": port.ip, "eth_ip_mask": 31, "eth_ip_prefix": port.ip} if port.ip else {}
    state = {"state": "up"} if port.up else {"state": "down", "state_rsn_desc": "Link not connected"}
    return {
        "interface": port.name,
        **state,
        "admin_state": "up",
        "share_state": "Dedicated",
        "eth_hw_desc": "400000/100000/50000/40000/25000/10000 Ethernet",
        "eth_hw_addr": dotted(port.mac),
        "eth_bia_addr": dotted(port.mac),
        "desc": " ".join(port.peer),
        **address,
        "eth_mtu": str(port.mtu),
        "eth_bw": port.speed_bps // 1000,
        "eth_dly": 10,
        "medium": "broadcast",
        "eth_mode": "routed",
        "eth_duplex": "full" if port.up else "auto",
        "eth_speed": f"{port.speed_bps // GBPS} Gb/s" if port.up else "auto-speed",
        "eth_autoneg": "on",
        "eth_in_flowctrl": "off",
        "eth_out_flowctrl": "off",
        "eth_fec_mode": "rs-fec",
        "eth_link_flapped": "14week(s) 2day(s)",
        "eth_clear_counters": "never",
        "eth_reset_cntr": 1,
        "eth_inpkts": seen["rx_packets"],
        "eth_inbytes": seen["rx_bytes"],
        "eth_runts": 0,
        "eth_giants": 0,
        "eth_crc": str(seen["rx_errors"]),
        "eth_nobuf": 0,
        "eth_inerr": str(seen["rx_errors"]),
        "eth_ignored": "0",
        "eth_indiscard": "0",
        "eth_inpause": 0,
        "eth_outpkts": seen["tx_packets"],
        "eth_outbytes": seen["tx_bytes"],
        "eth_outerr": "0",
        "eth_outdiscard": "0",
        "eth_outpause": 0,
    }


def _lldp(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    rows = []
    for port in switch.ports.values():
        if not port.up:
            continue
        told = told_by_lldp(fabric, port)
        row = {
            "chassis_type": "4",
            "chassis_id": dotted(told.chassis),
            "port_type": "5",
            "l_port_id": port.alias,
            "port_id": told.port_id,
            "port_desc": told.description,
            "sys_name": told.system,
            "sys_desc": "null",
            "ttl": "120",
            "system_capability": "B, R",
            "enabled_capability": "R",
            "vlan_id": "not advertised",
        }
        rows.append(row)
    return {"TABLE_nbor_detail": {"ROW_nbor_detail": rows}, "neigh_count": str(len(rows))}


def _arp(fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    rows = [
        {"intf-out": port.name, "ip-addr-out": end.ip, "time-stamp": "00:03:11", "mac": dotted(end.mac)}
        for port in switch.ports.values()
        if port.up and (isinstance(end := fabric.peer_of(port), Nic) or end.ip)
    ]
    vrf = {"vrf-name-out": "default", "cnt-total": str(len(rows)), "TABLE_adj": {"ROW_adj": rows}}
    return {"TABLE_vrf": {"ROW_vrf": vrf}}


def _modules(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> dict[str, object]:
    rows = [
        {
            "interface": port.name,
            "sfp": "present",
            "type": "QSFP-DD-400G-CR4",
            "name": "EXAMPLE",
            "partnum": "DAC-400G-2M",
            "rev": "A",
            "serialnum": f"EX{number:06d}",
            "nom_bitrate": "425000",
            "ciscoid": "25",
        }
        for number, port in enumerate(switch.ports.values(), 1)
    ]
    return {"TABLE_interface": {"ROW_interface": rows}}


_TEXT: dict[str, Callable[[Fabric, Traffic, Switch], str]] = {
    "show running-config": nxos_config.running_config,
    "show interface priority-flow-control detail": nxos_queuing.pfc_detail,
}
_JSON: dict[str, Callable[[Fabric, Traffic, Switch], dict[str, object]]] = {
    "show version | json": _version,
    "show interface | json": _interfaces,
    "show lldp neighbors detail | json": _lldp,
    "show mac address-table | json": lambda *_: {"TABLE_mac_address": {}},
    "show ip arp vrf all | json": _arp,
    "show interface transceiver details | json": _modules,
    "show queuing interface | json": nxos_queuing.queuing,
    "show queuing pfc-queue detail | json": nxos_queuing.watchdog,
    "show bgp ipv4 unicast summary vrf all | json": nxos_routing.bgp_summary,
    "show ip route vrf all | json": nxos_routing.routes,
    "show port-channel summary | json": lambda *_: {"TABLE_channel": {}},
}

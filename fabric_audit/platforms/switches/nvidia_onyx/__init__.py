"""NVIDIA (Mellanox) Onyx, formerly MLNX-OS, 3.6 to 3.10."""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.secrets import CLI
from fabric_audit.platforms.switches.nvidia_onyx.names import aliases
from fabric_audit.platforms.switches.nvidia_onyx.remedies import REMEDIES

_MANUAL = "NVIDIA Onyx User Manual v3.10.4100"
_FORM = r"( \| json-print)?"
_PORT = r"( ethernet \d{1,3}(/\d{1,3}){1,2})?"

PLATFORM = SwitchPlatform(
    name="nvidia_onyx",
    driver="mellanox_mlnxos",
    setup=("no cli session paging enable",),
    allowed=(
        r"show running-config",
        rf"show (version|roce|qos|traffic pool|mac-address-table){_FORM}",
        rf"show qos interface{_PORT}{_FORM}",
        rf"show dcb (priority-flow-control|ets( interface{_PORT})?){_FORM}",
        rf"show interfaces{_PORT}( status| congestion-control)?{_FORM}",
        rf"show interfaces ethernet( status)?{_FORM}",
        rf"show interfaces( ethernet|{_PORT}) counters( pfc prio (all|[0-7])| tc [0-7]| roce)?{_FORM}",
        rf"show lldp (local|remote|interfaces){_FORM}",
    ),
    errors=(
        r"^% ?(Unrecognized command|Ambiguous command|Incomplete command|Invalid|Insufficient|Unknown).*",
        r"^% .*\bnot (supported|enabled|available|permitted).*",
        r"^Type \"\S.*\?\" for help\.?$",
    ),
    cannot={
        "pfc_port.peer_priorities": "only DCBX tells them; `show dcb priority-flow-control interface` is not read",
        "pfc_port.willing": "`show lldp remote` does not print it for all ports",
        "pfc_port.asymmetric": "pause is sent and obeyed on the same priorities, but for the macro semi-lossless",
        "pfc_watchdog": "the manual has no watchdog for PFC",
        "pfc_priority_map": "a PFC priority is the switch priority of the same number",
        "priority_group": "buffers of a port are printed port by port: `show buffers details interfaces`",
        "traffic_class_map.pg": "a priority group is bound to switch priorities per port, and not printed for all",
        "queue.lossless": "switch priorities and traffic pools are lossless, no line calls a queue so",
        "queue.ecn_mark_pct": "the probability at the upper threshold is not configured",
        "queue.ecn_drops_non_ect": "the manual does not say what becomes of packets without ECT",
        "bgp_neighbor": "`show ip bgp summary` is not read",
        "ecmp_group": "`show ip route` is not read",
        "transceiver": "`show interfaces ethernet transceiver` is not read",
        "vxlan": "`show interfaces nve` is not read",
    },
    absent_means={
        "pfc_port.mode": f"off: no `dcb priority-flow-control mode` on the port ({_MANUAL}, Priority Flow Control)",
        "pfc_port.admin_priorities": f"none ({_MANUAL}, Priority Flow Control)",
        "interface.trust_mode": f"pcp: L2; with the macro `roce` dscp ({_MANUAL}, QoS Commands, qos trust)",
        "interface.mtu_bytes": f"1500 ({_MANUAL}, Ethernet Interfaces, mtu)",
        "interface.admin_up": f"up: no `shutdown` ({_MANUAL}, Ethernet Interfaces)",
        "interface.link_pause_rx": f"off ({_MANUAL}, Ethernet Interfaces, flowcontrol)",
        "interface.link_pause_tx": f"off ({_MANUAL}, Ethernet Interfaces, flowcontrol)",
        "lldp_port.transmit": f"on, where a line `lldp` switches it on for the switch ({_MANUAL}, LLDP)",
        "lldp_port.receive": f"on, where a line `lldp` switches it on for the switch ({_MANUAL}, LLDP)",
        "dscp_map.traffic_class": f"DSCP / 8 ({_MANUAL}, QoS Classification)",
        "pcp_map.traffic_class": f"the same number ({_MANUAL}, QoS Classification)",
        "traffic_class_map.queue": f"the same number; with the macro `roce` 3 and 6, all others 0 ({_MANUAL}, RoCE)",
        "queue.ecn": f"off; with the macro `roce` on for queue 3 ({_MANUAL}, Congestion Control, RoCE)",
        "queue.scheduler": f"wrr; with the macro `roce` queue 6 strict ({_MANUAL}, ETS, RoCE)",
    },
    saved=("running-config",),
    remedies=REMEDIES,
    secrets=CLI,
    aliases=aliases,
)

"""Cisco NX-OS on Nexus 9000, with the layouts of Nexus 3000 and 5000 where they differ."""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.secrets import CLI
from fabric_audit.platforms.switches.cisco_nxos.names import aliases
from fabric_audit.platforms.switches.cisco_nxos.remedies import REMEDIES

_GUIDE = "Cisco Nexus 9000 Series NX-OS Quality of Service Configuration Guide"
_FORM = r"( \| json)?( \| no-more)?"

PLATFORM = SwitchPlatform(
    name="cisco_nxos",
    driver="cisco_nxos",
    setup=("terminal width 511", "terminal length 0"),
    allowed=(
        r"show running-config( (ipqos|interface))?( all)?",
        rf"show (version|hostname|lldp neighbors detail|mac address-table|port-channel summary){_FORM}",
        rf"show interface( (status|flowcontrol|capabilities|transceiver( details)?|counters brief)){_FORM}",
        rf"show interface( counters errors)?{_FORM}",
        rf"show interface priority-flow-control( detail)?{_FORM}",
        rf"show queuing (interface|summary|pfc-queue( detail)?){_FORM}",
        rf"show policy-map( interface( ethernet [0-9/]+)?| system type network-qos)?{_FORM}",
        rf"show (ip arp|bgp ipv4 unicast summary|ip route) vrf all{_FORM}",
    ),
    errors=(
        r"^% ?(Invalid (command|interface|number|parameter)|Incomplete command|Ambiguous command|Permission denied)",
        r"^% ?(Invalid input|Unrecognized command|Command not|Not supported)",
        r"^Syntax error while parsing",
        r"^ERROR: .*not (supported|enabled|configured)",
        r"^\s*Note: process currently not running$",
    ),
    cannot={
        "pfc_priority_map.pg": "NX-OS prints no priority group on Cloud Scale switches",
        "traffic_class_map.pg": "NX-OS prints no priority group of a qos-group on Cloud Scale switches",
        "buffer_pool": "NX-OS prints buffer pools per slice, each generation of chips in its own form",
        "pfc_port.peer_priorities": "only DCBX tells them; `show lldp dcbx interface` is not read",
        "pfc_port.willing": "NX-OS does not print the willing bit of all ports at once",
        "pfc_port.asymmetric": "NX-OS sends and honours pause on the same priorities",
        "pfc_counter.tx_pause_us": "NX-OS counts PFC frames, not time",
        "pfc_counter.rx_pause_us": "NX-OS counts PFC frames, not time",
        "pfc_watchdog.detect_ms": "the interval is 100 ms times multipliers that are not printed per port",
        "pfc_watchdog.restore_ms": "restore is a multiple of an interval that is not printed per port",
        "queue.ecn_min_pct": "thresholds are absolute",
        "queue.ecn_max_pct": "thresholds are absolute",
        "priority_group.alpha_raw": "NX-OS prints the index of egress queues, not of priority groups",
        "priority_group.alpha_exp": "the index that `9(D)` prints has no published table",
        "vxlan.ecn_copy": "NX-OS has no line for it",
    },
    absent_means={
        "pfc_port.mode": f"auto: PFC only if a DCBX neighbour agrees ({_GUIDE}, Configuring Priority Flow Control)",
        "pfc_port.admin_priorities": f"none: the default network-qos policy pauses nothing ({_GUIDE}, Network QoS)",
        "pfc_watchdog.enabled": f"off: `priority-flow-control watch-dog-interval` ({_GUIDE}, PFC watchdog)",
        "pfc_watchdog.action": f"drop: the queue is shut down and drained ({_GUIDE}, PFC watchdog)",
        "interface.mtu_bytes": "1500 (Cisco Nexus 9000 Series NX-OS Interfaces Configuration Guide)",
        "interface.admin_up": "switched ports up, routed ports shut down (NX-OS Interfaces Configuration Guide)",
        "interface.trust_mode": f"none: everything is in qos-group 0 ({_GUIDE}, default system policies)",
        "interface.link_pause_rx": "off (NX-OS Interfaces Configuration Guide, flow control)",
        "interface.link_pause_tx": "off (NX-OS Interfaces Configuration Guide, flow control)",
        "dscp_map.traffic_class": f"0: no policy of type qos ({_GUIDE}, default system policies)",
        "pcp_map.traffic_class": f"0: no policy of type qos ({_GUIDE}, default system policies)",
        "traffic_class_map.queue": f"the same number: a qos-group is a queue ({_GUIDE})",
        "queue.scheduler": f"group 7 strict, the others share ({_GUIDE}, default-8q-out-policy)",
        "queue.ecn": f"off: no `random-detect ... ecn` ({_GUIDE}, Configuring WRED)",
        "queue.lossless": f"lossy: no `pause` in the applied network-qos policy ({_GUIDE}, Network QoS)",
    },
    saved=("running-config",),
    remedies=REMEDIES,
    secrets=CLI,
    aliases=aliases,
)

"""Dell SmartFabric OS10."""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.secrets import CLI
from fabric_audit.platforms.switches.dell_os10.names import aliases
from fabric_audit.platforms.switches.dell_os10.remedies import REMEDIES

_GUIDE = "Dell SmartFabric OS10 User Guide 10.5"

PLATFORM = SwitchPlatform(
    name="dell_os10",
    driver="dell_os10",
    setup=("terminal width 511", "terminal length 0"),
    allowed=(
        r"show running-configuration( interface ethernet ?\d+/\d+/\d+(:\d)?)?",
        r"show interface( ethernet ?\d+/\d+/\d+(:\d)?)?",
        r"show lldp neighbors detail",
        r"show mac address-table",
    ),
    errors=(
        r"^% ?Error: ?.*",
        r"^%?\s*(Unrecognized|Incomplete|Ambiguous|Illegal|Invalid) (command|parameter|input|argument).*",
    ),
    cannot={
        "pfc_port.oper_priorities": "`show interface ethernet N priority-flow-control details` is not read",
        "pfc_port.peer_priorities": "`show lldp dcbx interface ethernet N pfc detail` is not read",
        "pfc_port.willing": "`show lldp dcbx interface ethernet N pfc detail` is not read",
        "pfc_port.asymmetric": "pause is sent and obeyed on the same priorities",
        "pfc_counter": "`show interface ethernet N priority-flow-control statistics` is not read: no output is known",
        "pfc_watchdog": "the configuration of PFC watchdogs differs by release and is not read",
        "priority_group.xoff_bytes": "headroom is computed by the switch and not printed by the configuration",
        "priority_group.alpha_exp": "thresholds of shared buffers are not read",
        "buffer_pool": "pools are set by `system qos` in buffers of the series and are not read",
        "queue_counter": "`show queuing statistics` is not read: no output is known",
        "queue.ecn_min_pct": "thresholds are absolute",
        "queue.ecn_max_pct": "thresholds are absolute",
        "neighbor_entry": "`show ip arp` is not read",
        "bgp_neighbor": "`show ip bgp summary` is not read",
        "ecmp_group": "`show ip route` is not read",
        "vxlan": "the configuration of virtual networks is not read",
    },
    absent_means={
        "pfc_port.mode": f"off: no `priority-flow-control mode on` ({_GUIDE}, Priority flow control)",
        "pfc_port.admin_priorities": f"none: no network-qos policy with `pause` and `pfc-cos` ({_GUIDE}, PFC)",
        "interface.trust_mode": f"none: everything is in qos-group 0 ({_GUIDE}, Trust)",
        "interface.mtu_bytes": f"1532, the frame ({_GUIDE}, mtu)",
        "interface.link_pause_rx": f"off ({_GUIDE}, flowcontrol)",
        "interface.link_pause_tx": f"off ({_GUIDE}, flowcontrol)",
        "lldp_port.transmit": f"on ({_GUIDE}, LLDP)",
        "lldp_port.receive": f"on ({_GUIDE}, LLDP)",
        "lldp_port.dcbx": f"off: no `dcbx enable` ({_GUIDE}, DCBX)",
        "dscp_map.traffic_class": f"0: no trust map, or no line of it for the value ({_GUIDE}, Trust)",
        "pcp_map.traffic_class": f"0: no trust map, or no line of it for the value ({_GUIDE}, Trust)",
        "traffic_class_map.queue": f"the same number: no `qos-map traffic-class` ({_GUIDE}, Queue selection)",
        "queue.ecn": f"off: no WRED profile with `random-detect ecn` on the queue ({_GUIDE}, WRED)",
        "queue.lossless": f"lossy: no `pause` with `pfc-cos` ({_GUIDE}, PFC)",
        "priority_group.lossless": f"lossy: no `pause` with `pfc-cos` ({_GUIDE}, PFC)",
    },
    saved=("running-config",),
    remedies=REMEDIES,
    secrets=CLI,
    aliases=aliases,
)

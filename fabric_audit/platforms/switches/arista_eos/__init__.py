"""Arista EOS, 4.13 to 4.3x."""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.secrets import CLI
from fabric_audit.platforms.switches.arista_eos.names import aliases
from fabric_audit.platforms.switches.arista_eos.remedies import REMEDIES

_MANUAL = "Arista EOS user manual"
_QOS = f"{_MANUAL}, Quality of Service"
_PFC = f"{_MANUAL}, DCBX and Flow Control"
_FORM = r"( \| json)?( \| no-more)?"

PLATFORM = SwitchPlatform(
    name="arista_eos",
    driver="arista_eos",
    setup=("terminal width 511", "terminal length 0"),
    allowed=(
        r"show running-config( section [a-z-]+| interfaces [A-Za-z0-9/,-]+)?",
        rf"show (version|hostname|lldp neighbors detail|mac address-table|mlag( interfaces)?){_FORM}",
        rf"show interfaces( (status|flow-control|transceiver|error-correction|phy detail|counters errors))?{_FORM}",
        rf"show interfaces counters queue( detail)?{_FORM}",
        rf"show priority-flow-control( status)?{_FORM}",
        rf"show priority-flow-control counters( detail| watchdog)?{_FORM}",
        rf"show qos (maps|interfaces ecn( counters queue)?){_FORM}",
        rf"show (ip arp|ipv6 neighbors|ip bgp summary|ip route)( vrf all)?{_FORM}",
        rf"show port-channel detailed( all)?{_FORM}",
    ),
    errors=(
        r"^% (Invalid|Incomplete|Ambiguous|Unavailable|Unsupported|Authorization denied|Not supported)\b",
        r"^% This (command|is an unconverted)",
        r"^% [\w /-]*\bnot (supported|enabled|running|available|configured)",
        r"^ +\"(% )?(Invalid input|Incomplete command|Ambiguous command|Unavailable command|Unsupported command)",
        r"^ +\"(% )?(Authorization denied|This is an unconverted command|Command cannot be used)",
    ),
    cannot={
        "pfc_priority_map": "EOS shows no map from PFC priority to queue or priority group",
        "priority_group": "EOS prints no headroom, xon or xoff of a priority group on all platforms",
        "buffer_pool": "EOS prints buffer pools per chip, each platform in its own form",
        "traffic_class_map.pg": "EOS shows no priority group of a traffic class",
        "pfc_port.peer_priorities": "only DCBX tells them, and EOS keeps DCBX off by default",
        "pfc_port.willing": "EOS does not print the willing bit",
        "pfc_port.asymmetric": "EOS sends and honours pause on the same priorities",
        "pfc_counter.tx_pause_us": "EOS counts PFC frames, not time",
        "pfc_counter.rx_pause_us": "EOS counts PFC frames, not time",
        "pfc_watchdog.big_red_switch": "EOS has no such mode",
        "pfc_watchdog.dropped_packets": "EOS counts stuck queues, not the packets dropped meanwhile",
        "queue.lossless": "EOS marks PFC priorities, not queues, as no-drop",
        "queue.ecn_min_pct": "thresholds are absolute",
        "queue.ecn_max_pct": "thresholds are absolute",
        "queue_counter.watermark_bytes": "queue lengths need LANZ, which not every platform has",
    },
    absent_means={
        "pfc_port.mode": f"off: no `priority-flow-control on` on the port ({_PFC})",
        "pfc_port.admin_priorities": f"none is no-drop ({_PFC})",
        "pfc_watchdog.enabled": f"off: the default timeout is 0 ({_PFC}: `pause watchdog default timeout`)",
        "pfc_watchdog.action": f"errdisable ({_PFC}: `pause watchdog action`)",
        "pfc_watchdog.storms_detected": "none: a port or queue without an event is left out of the counters",
        "interface.trust_mode": f"dscp on routed ports, pcp on switched ones ({_QOS}: `qos trust`)",
        "interface.mtu_bytes": f"1500 of IP on routed ports, 9214 of Ethernet on switched ones ({_MANUAL}: `mtu`)",
        "interface.admin_up": f"up: no `shutdown` ({_MANUAL}: `shutdown`)",
        "interface.link_pause_rx": f"off ({_PFC}: `flowcontrol receive`)",
        "interface.link_pause_tx": f"off ({_PFC}: `flowcontrol send`)",
        "dscp_map.traffic_class": f"0-7 to 1, 8-15 to 0, else DSCP / 8 ({_QOS}: default map)",
        "pcp_map.traffic_class": f"0 to 1, 1 to 0, else the same number ({_QOS}: default map)",
        "traffic_class_map.queue": f"the same number ({_QOS}: default map)",
        "queue.scheduler": f"strict: `no priority` takes a queue out of it ({_QOS}: `priority`)",
        "queue.ecn": f"off: no `random-detect ecn` with thresholds ({_QOS})",
        "queue.ecn_drops_non_ect": f"dropped: no `qos random-detect ecn allow non-ect` ({_QOS})",
        "dscp_rewrite.dscp": f"DSCP leaves as it came: no `qos rewrite dscp` ({_QOS})",
        "vxlan.udp_port": "4789 (RFC 7348 section 5)",
    },
    saved=("running-config",),
    remedies=REMEDIES,
    pfc_reserves=(
        "EOS makes each pair of interface and PFC priority a priority group, with a headroom profile of its own or the "
        "default one (Arista TOI, PFC Fair Adaptive Dynamic Threshold)"
    ),
    secrets=(r"^\s*key [0-9a-fA-F]+ (?:0|7|8a) (\S+)", r"(?i)auth=(?:key|token),([^\s,]+)", *CLI),
    aliases=aliases,
)

"""H3C and HPE Comware 7 and 9."""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.switches.h3c_comware.names import aliases
from fabric_audit.platforms.switches.h3c_comware.remedies import REMEDIES

_H3C = "H3C S9825 and S9855 Command References R913x"
_GUIDE = "H3C Layer 2 - LAN Switching Configuration Guide, Configuring PFC"
_HPE = "HPE FlexFabric 11900 ACL and QoS Configuration Guide"
_PORT = r"( [\w-]+ ?\d+(/\d+){0,3}(:\d+)?)?"

PLATFORM = SwitchPlatform(
    name="h3c_comware",
    driver="hp_comware",
    setup=("screen-length disable",),
    allowed=(
        rf"display current-configuration( interface{_PORT})?",
        rf"display (priority-flow-control|packet-drop) interface{_PORT}",
        rf"display interface{_PORT}",
        r"display lldp neighbor-information verbose",
        r"display qos map-table( (dot1p-lp|dscp-lp|dscp-dot1p))?",
        r"display (mac-address|arp)",
    ),
    errors=(
        r"^\s*% ?(Unrecognized|Incomplete|Ambiguous) command.*",
        r"^\s*% ?(Too many parameters|Wrong parameter|Permission denied).*",
        r"^\s*Permission denied\.?$",
        r"^\s*\^$",
    ),
    cannot={
        "pfc_port.peer_priorities": "`display lldp neighbor-information verbose` does not print DCBX of all releases",
        "pfc_port.willing": "Comware does not print the willing bit",
        "pfc_port.asymmetric": "pause is sent and obeyed on the same priorities",
        "pfc_counter.tx_pause_us": "Comware counts PFC frames, not time",
        "pfc_counter.rx_pause_us": "Comware counts PFC frames, not time",
        "pfc_watchdog.detect_ms": "the interval counts ticks of the precision, whose length no line tells",
        "pfc_watchdog.restore_ms": "the unit of the recovery delay differs between series",
        "pfc_watchdog.storms_detected": "Comware logs PFC deadlocks and prints no count",
        "pfc_watchdog.state": "Comware logs PFC deadlocks and prints no state",
        "priority_group.xoff_bytes": "headroom is in cells, whose size no line tells",
        "priority_group.alpha_exp": "series read the number of a dynamic threshold as percent or as an index",
        "queue.ecn_min_bytes": "thresholds are in cells, whose size no line tells",
        "queue.ecn_max_bytes": "thresholds are in cells, whose size no line tells",
        "queue.ecn_min_pct": "thresholds are in cells",
        "queue.ecn_max_pct": "thresholds are in cells",
        "queue_counter": "`display qos queue-statistics` is not read",
        "buffer_pool": "pools are in cells, and `display buffer usage` prints each series in its own form",
        "traffic_class_map.pg": "an ingress buffer belongs to the 802.1p priority of the same number",
        "bgp_neighbor": "`display bgp peer` is not read",
        "ecmp_group": "`display ip routing-table` is not read",
        "transceiver": "`display transceiver` is not read",
        "vxlan": "the configuration of VXLAN is not read",
    },
    absent_means={
        "pfc_port.mode": f"off: no `priority-flow-control enable` ({_GUIDE})",
        "pfc_port.admin_priorities": f"none: no `priority-flow-control no-drop dot1p` ({_GUIDE})",
        "pfc_watchdog.enabled": f"off: no `priority-flow-control deadlock enable` ({_GUIDE})",
        "pfc_watchdog.action": f"forward: packets are forwarded while PFC rests ({_GUIDE})",
        "interface.trust_mode": "port: neither DSCP nor 802.1p (HPE 12500 ACL and QoS Configuration Guide)",
        "interface.admin_up": "up: no `shutdown` (H3C Interface Configuration Guide)",
        "interface.link_pause_rx": "off: no `flow-control` (H3C Interface Configuration Guide)",
        "interface.link_pause_tx": "off: no `flow-control` (H3C Interface Configuration Guide)",
        "dscp_map.traffic_class": "DSCP / 8, then by dot1p-lp (HPE 5900 ACL and QoS Configuration Guide, appendix)",
        "pcp_map.traffic_class": "0, 1, 2 go to 2, 0, 1, others stay (HPE 5900 ACL and QoS Configuration Guide)",
        "traffic_class_map.queue": "local precedence N is queue N (HPE 5900 ACL and QoS Configuration Guide)",
        "queue.ecn": f"off: no `ecn` for the queue ({_HPE}, WRED)",
        "queue.ecn_raw": f"100 to 1000, 10 % in a WRED table without a line ({_HPE}, WRED)",
        "queue.lossless": f"lossy: no `priority-flow-control no-drop dot1p` ({_H3C}, PFC commands)",
    },
    saved=("current-configuration",),
    remedies=REMEDIES,
    secrets=(
        r"\bauthentication-mode simple (?:plain |cipher )?(\S+)",
        r"(?<!algorithm )(?<![-\w])(?:cipher|simple|hash) (?!authentication-mode )(\S+)",
        r"\bsnmp-agent community (?:read|write) (?!cipher |simple )(\S+)",
        r"\b(?:authentication-mode (?:md5|sha\S*|hmac-\S+)|privacy-mode \S+) (?!cipher |simple )(\S+)",
        r"(?<![-\w])(?:key|password) (?:a\w+ing |a\w+tion )?(?!(?:cipher|simple|hash|role|is|for|policy)(?: |$))(\S+)",
        r"\bsecurityname (?!cipher )(\S+)",
    ),
    aliases=aliases,
)

"""Huawei CloudEngine, VRP V200 and V300."""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.switches.huawei_vrp.names import aliases
from fabric_audit.platforms.switches.huawei_vrp.remedies import REMEDIES

_MANUAL = "Huawei CE6800 V300R023C00 command reference"
_PORT = r"( interface [\w-]+ ?\d+(/\d+){0,2}(:\d+)?)?"
_SLOT = r"( slot \d+( chip \d+)?)?"

PLATFORM = SwitchPlatform(
    name="huawei_vrp",
    driver="huawei_vrpv8",
    setup=("screen-length 0 temporary",),
    allowed=(
        r"display current-configuration",
        rf"display dcb( (pfc( buffer| deadlock trigger status)?|fail-record)?{_PORT})?",
        r"display dcb (pfc|ets)-profile( [\w-]+)?",
        rf"display dcb status{_PORT}( verbose)?",
        rf"display dcb pfc uplink-group statistics{_SLOT}",
        rf"display buffer optimization configuration{_SLOT}",
        rf"display qos (ecn (threshold|statistics)|configuration|queue statistics|headroom-usage){_PORT}{_SLOT}",
        rf"display qos (buffer (ingress-usage|egress-usage|ingress-statistics)|buffer-usage){_PORT}{_SLOT}",
        r"display (drop-profile|diffserv domain)( [\w-]+)?",
        r"display ai-ecn calculated state",
        r"display interface( main| brief)?",
        rf"display interface counters errors{_SLOT}",
        r"display (lldp neighbor( brief)?|mac-address|arp)",
    ),
    errors=(
        r"^\s*Error: ?.*",
        r"^\s*\^$",
        r"^.*(Unrecognized|Incomplete|Ambiguous) command found at '\^' position.*",
    ),
    cannot={
        "pfc_port.oper_priorities": "`display dcb status` tells them port by port, and is not asked",
        "pfc_port.peer_priorities": "`display dcb status` tells them port by port, and is not asked",
        "pfc_port.willing": "VRP does not print the willing bit",
        "pfc_port.asymmetric": "pause is sent and obeyed on the same priorities",
        "pfc_counter.tx_pause_us": "VRP counts PFC frames, not time",
        "pfc_counter.rx_pause_us": "VRP counts PFC frames, not time",
        "pfc_priority_map": "a PFC priority is the queue of the same number",
        "traffic_class_map.pg": "a priority is its own ingress queue",
        "priority_group.alpha_exp": "the index of a dynamic threshold has no published table",
        "queue_counter.ecn_marked_packets": "VRP counts marks per port: `display qos ecn statistics`",
        "bgp_neighbor": "`display bgp peer` is not read",
        "ecmp_group": "`display ip routing-table` is not read",
        "transceiver": "`display interface transceiver verbose` is not read",
        "vxlan.dscp_mode": "the configuration has no line that tells it for all models",
        "vxlan.ecn_copy": "VRP has no line for it",
    },
    absent_means={
        "pfc_port.mode": f"off: no `dcb pfc enable` on the port ({_MANUAL}, DCB Configuration Commands)",
        "pfc_port.admin_priorities": f"3, where PFC is on ({_MANUAL}, DCB Configuration Commands, priority)",
        "interface.trust_mode": f"pcp: the outer 802.1p tag ({_MANUAL}, Priority Mapping Configuration Commands)",
        "interface.mtu_bytes": f"9216, the frame length ({_MANUAL}, display interface)",
        "interface.admin_up": f"up: no `shutdown` ({_MANUAL}, Interface Basic Configuration Commands)",
        "interface.link_pause_rx": f"off: no `flow-control` ({_MANUAL}, Ethernet Interface Configuration Commands)",
        "interface.link_pause_tx": f"off: no `flow-control` ({_MANUAL}, Ethernet Interface Configuration Commands)",
        "lldp_port.dcbx": f"not sent: no `lldp tlv-enable dcbx` ({_MANUAL}, LLDP Configuration Commands)",
        "dscp_map.traffic_class": f"DSCP / 8 ({_MANUAL}, display diffserv domain)",
        "pcp_map.traffic_class": f"the same number ({_MANUAL}, display diffserv domain)",
        "traffic_class_map.queue": f"the same number ({_MANUAL}, Priority Mapping Configuration Commands)",
        "queue.ecn": f"off: no `qos queue N ecn` ({_MANUAL}, qos queue ecn)",
        "queue.ecn_min_pct": f"100 % in the default drop profile: marks only when full ({_MANUAL}, color)",
        "queue.scheduler": f"strict: PQ ({_MANUAL}, qos pq drr)",
        "queue.lossless": f"lossy: no `dcb pfc enable` ({_MANUAL}, DCB Configuration Commands)",
        "priority_group.xoff_bytes": f"256 KB on models with `dcb pfc buffer N hdrm` ({_MANUAL}, dcb pfc buffer)",
        "pfc_watchdog.action": f"forward: PFC of the queue is switched off ({_MANUAL}, port pfc-deadlock trigger)",
        "pfc_watchdog.detect_ms": f"100 ({_MANUAL}, priority deadlock-detect time)",
        "pfc_watchdog.restore_ms": f"100 ({_MANUAL}, priority deadlock-recovery time)",
    },
    saved=("current-configuration",),
    remedies=REMEDIES,
    secrets=(
        r"\bauthentication-mode simple (?:plain |cipher )?(\S+)",
        r"\b(?<!server )(?:irreversible-cipher|cipher|simple|plain) (%\^%#.*?%\^%#|\S+)",
        r"\bsnmp-agent community (?:read|write) (?!cipher )(\S+)",
        r"\b(?:shared-key|pre-shared-key|key-string|authentication-key) (?!cipher |simple |plain )(\S+)",
        r"\bauthentication-mode (?:md5|sha\S*|hmac-\S+)(?: \d+)? (?!\d+ |cipher |simple |plain )(\S+)",
        r"\bsecurityname (?!cipher )(\S+)",
    ),
    aliases=aliases,
)

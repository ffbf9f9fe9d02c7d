"""Juniper Junos and Junos OS Evolved on QFX."""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.switches.juniper_junos.names import aliases
from fabric_audit.platforms.switches.juniper_junos.remedies import REMEDIES

_GUIDE = "Junos OS Class of Service User Guide for QFX"
_FORM = r"( \| display (json|xml))?( \| no-more)?"

PLATFORM = SwitchPlatform(
    name="juniper_junos",
    driver="juniper_junos",
    setup=(
        "set cli screen-width 511",
        "set cli complete-on-space off",
        "set cli screen-length 0",
    ),
    allowed=(
        r"show configuration( (class-of-service|interfaces))?( \| display inheritance( no-comments)?)?( \| no-more)?",
        r"show configuration( \| display set)?( \| no-more)?",
        rf"show (version|arp no-resolve|ethernet-switching table|lacp interfaces|lldp neighbors|bgp summary){_FORM}",
        rf"show interfaces (extensive|queue|diagnostics optics){_FORM}",
        rf"show class-of-service (interface|congestion-notification){_FORM}",
        rf"show route active-path{_FORM}",
    ),
    errors=(
        r"^error: .*",
        r"^\s*\^\s*\n(unknown command|syntax error|invalid).*",
        r"^(unknown command|syntax error, expecting .*|syntax error)\.?$",
        r"^permission denied\b.*",
        r"^warning: .*subsystem not running.*",
    ),
    cannot={
        "pfc_priority_map.pg": "Junos has no priority groups in its configuration",
        "traffic_class_map.pg": "Junos has no priority groups in its configuration",
        "priority_group": "headroom is a share of the shared buffer: `buffer_pool.size_pct`",
        "pfc_port.peer_priorities": "only DCBX tells them; `show dcbx neighbors` is not read",
        "pfc_port.willing": "`show dcbx neighbors` is not read",
        "pfc_counter.tx_pause_us": "Junos counts PFC frames, not time",
        "pfc_counter.rx_pause_us": "Junos counts PFC frames, not time",
        "pfc_watchdog.state": "Junos has no show command for the watchdog; it tells storms in the system log",
        "pfc_watchdog.storms_detected": "Junos has no show command for the watchdog",
        "pfc_watchdog.storms_restored": "Junos has no show command for the watchdog",
        "queue.ecn_min_bytes": "thresholds are fill levels in percent",
        "queue.ecn_max_bytes": "thresholds are fill levels in percent",
        "buffer_pool.size_bytes": "buffers are shares in percent",
        "vxlan.ecn_copy": "Junos has no line for it",
        "vxlan.dscp_mode": "Junos has no line for it",
    },
    absent_means={
        "pfc_port.mode": f"off: no congestion-notification-profile on the port ({_GUIDE})",
        "pfc_priority_map.queue": f"3 and 4 stop queues 3 and 4: no output stanza ({_GUIDE}, code-point (output))",
        "pfc_watchdog.enabled": f"off: no pfc-watchdog in the profile ({_GUIDE}, PFC Watchdog)",
        "pfc_watchdog.poll_ms": f"100 ({_GUIDE}, PFC Watchdog)",
        "pfc_watchdog.detect_ms": f"two polls, 200 ({_GUIDE}, PFC Watchdog)",
        "pfc_watchdog.restore_ms": f"200 ({_GUIDE}, PFC Watchdog)",
        "pfc_watchdog.action": f"drop ({_GUIDE}, PFC Watchdog)",
        "interface.mtu_bytes": "1514, with the Ethernet header (Junos OS Interfaces Fundamentals Guide)",
        "interface.admin_up": "up: no `disable`",
        "interface.link_pause_rx": "off: no `flow-control` (QFX: Ethernet PAUSE is off by default)",
        "interface.link_pause_tx": "off: no `flow-control` (QFX: Ethernet PAUSE is off by default)",
        "dscp_map.traffic_class": f"best-effort for code points that the classifier leaves out ({_GUIDE})",
        "traffic_class_map.queue": f"the number of the queue ({_GUIDE}, forwarding-classes)",
        "queue.ecn": f"off: no explicit-congestion-notification in the scheduler ({_GUIDE})",
        "queue.lossless": f"only the default classes fcoe and no-loss are ({_GUIDE}, Default CoS Settings)",
    },
    saved=("running-config",),
    remedies=REMEDIES,
    pfc_reserves=(
        "Junos reserves headroom for every code point with `pfc`, from cable length (100 m by default) and MRU "
        f"({_GUIDE}, cable-length)"
    ),
    secrets=(
        r"\b(?:encrypted-password|simple-password|secret|cak|community-name) \"?([^\";\s]+)",
        r"\b(?:authentication-key|privacy-key|md5 \d+ key) \"?([^\";\s]+)",
        r"(?<![-\w])community \"?([^\s{;\"]+)",
        r"\b(?:ssh-rsa|ssh-ed25519|ecdsa-sha2-nistp\d+) \"?([^\";]+)",
    ),
    aliases=aliases,
)

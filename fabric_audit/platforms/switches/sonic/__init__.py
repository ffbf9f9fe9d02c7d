"""SONiC, community: bash with ``show`` commands, and CONFIG_DB as JSON. Edgecore ships it too.

What an absent line means stands in ``absent_means``, what SONiC cannot tell in ``cannot``; both with their sources.
"""

from fabric_audit.platforms.model import SwitchPlatform
from fabric_audit.platforms.switches.sonic.remedies import REMEDIES

PLATFORM = SwitchPlatform(
    name="sonic",
    driver="linux",
    setup=(),
    allowed=(
        r"sudo -n show runningconfiguration all",
        r"sudo -n vtysh -c 'show (bgp vrf all summary|ip route vrf all) json'",
        r"show version",
        r"show interfaces (portchannel|transceiver eeprom --dom)",
        r"show interfaces (status|counters|flap|errors [A-Za-z0-9_.-]+)",
        r"show interfaces (fec status|counters (fec-stats|detailed [A-Za-z0-9_.-]+))",
        r"show lldp (table|neighbors)",
        r"show pfc (counters( --history)?|priority|asymmetric)",
        r"show pfcwd (config|stats)",
        r"show queue (counters|wredcounters)( --json)?",
        r"show queue watermark unicast",
        r"show priority-group (drop counters|watermark (shared|headroom))",
        r"show (buffer_pool|headroom-pool) watermark",
        r"show buffer (configuration|information)",
        r"show (ecn|mmu)",
        r"show dropcounters counts",
        r"mmuconfig -l",
    ),
    errors=(
        r"^Error: .*(No such command|[Nn]o such option|[Gg]ot unexpected extra argument|Missing argument)",
        r"^Usage: \w+ \[OPTIONS\]",
        r"^-?(ba|da|)sh: .*(command not found|[Pp]ermission denied|No such file or directory)",
        r"^sudo: (a password is required|.*command not found|.*not allowed)",
        r"^\S+ is not in the sudoers file",
        r"^Root privileges are required",
    ),
    cannot={
        "vxlan.dscp_mode": "SAI_TUNNEL_ATTR_ENCAP_DSCP_MODE of VXLAN is set by the orchagent and shown by no command",
        "vxlan.ecn_copy": "no setting and no command for it",
        "interface.link_pause_rx": "no setting and no command for 802.3x pause (YANG sonic-port.yang)",
        "interface.link_pause_tx": "no setting and no command for 802.3x pause (YANG sonic-port.yang)",
        "queue.lossless": "priorities and priority groups are lossless, no table calls a queue so",
        "pfc_port.oper_priorities": "show pfc priority prints CONFIG_DB, not the hardware (pfc/main.py)",
        "pfc_port.peer_priorities": "SONiC runs no DCBX (sonic-buildimage dockers/docker-lldp)",
        "pfc_port.willing": "SONiC runs no DCBX (sonic-buildimage dockers/docker-lldp)",
        "pfc_counter.tx_pause_us": "only the time a port was paused is counted (scripts/pfcstat)",
    },
    absent_means={
        "lag.protocol": "LACP: YANG sonic-portchannel.yang static",
        "vxlan.udp_port": "4789 (RFC 7348 section 5)",
        "interface.admin_up": "down: sonic-swss cfgmgr/portmgr.h DEFAULT_ADMIN_STATUS_STR",
        "interface.mtu_bytes": "9100: sonic-swss cfgmgr/portmgr.h DEFAULT_MTU_STR",
        "interface.trust_mode": "none, all is traffic class 0: SAI inc/saiport.h SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP",
        "pfc_port.admin_priorities": "none: sonic-swss orchagent/qosorch.cpp handlePortQosMapTable",
        "pfc_port.asymmetric": "off: YANG sonic-port.yang pfc_asym",
        "queue.ecn": "off: SAI inc/saiqueue.h SAI_QUEUE_ATTR_WRED_PROFILE_ID",
        "pfc_watchdog.enabled": "off: sonic-swss orchagent/pfcwdorch.cpp starts it for entries of PFC_WD only",
        "pfc_watchdog.action": "drop: sonic-swss orchagent/pfcwdorch.cpp createEntry",
        "pfc_watchdog.restore_ms": "0, a storm ends only by hand: sonic-swss orchagent/pfcwdorch.cpp createEntry",
        "pfc_watchdog.poll_ms": "100: sonic-swss orchagent/orchdaemon.cpp PFC_WD_POLL_MSECS",
        "pfc_watchdog.big_red_switch": "off: sonic-swss orchagent/pfcwdorch.cpp",
    },
    saved=("config-db",),
    remedies=REMEDIES,
    secrets=(
        r'(?i)"\w*(?:passkey|passwd|password|secret|_cak)":\s*"([^"]+)"',
        r'"([^"]+)":\s*\{\s*"TYPE":\s*"R[OW]"',
        r'\bpassword (?:\d+ )?(?!(?:is|for|policy)\b)([^\s\\"]+)',
        r'(?i)"community":\s*"([^"]+)"',
        r'"type":\s*"(?:md5|sha\w*)",\s*"value":\s*"([^"]+)"',
        r'"value":\s*"([^"]+)",\s*"type":\s*"(?:md5|sha)',
    ),
)

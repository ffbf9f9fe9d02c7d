"""What mends a finding on SONiC: the entries of CONFIG_DB, and the command where there is one."""

from fabric_audit.platforms.model import Remedy

_SCHEMA = "sonic-net/sonic-buildimage, src/sonic-yang-models/doc/Configuration.md"
_CLI = "sonic-net/sonic-utilities, doc/Command-Reference.md"
_WRED = '`WRED_PROFILE|NAME`: `"ecn": "ecn_all"'
_THRESHOLDS = '`"green_min_threshold": "{ecn_min}"`, `"green_max_threshold": "{ecn_max}"`'

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        '`PORT_QOS_MAP|{port}`: `"pfc_enable": "{priority}"`; `config interface pfc priority {port} {priority} on`',
        f"{_SCHEMA}, PORT_QOS_MAP",
    ),
    "pfc.only-on-lossless-priority": Remedy(
        '`PORT_QOS_MAP|{port}`: `"pfc_enable": "{priority}"`, no other priority in the list', f"{_SCHEMA}, PORT_QOS_MAP"
    ),
    "pfc.watchdog-enabled": Remedy(
        '`PFC_WD|{port}`: `"action": "{action}"`, `"detection_time": "200"`, `"restoration_time": "400"`; `pfcwd start'
        " --action {action} {port} 200 --restoration-time 400`",
        f"{_CLI}, PFC Watchdog Commands",
    ),
    "watchdog.action": Remedy('`PFC_WD|{port}`: `"action": "{action}"`', f"{_CLI}, PFC Watchdog Commands"),
    "watchdog.times": Remedy(
        "`pfcwd start --action {action} {port} 200 --restoration-time 400`, `pfcwd interval 200`",
        f"{_CLI}, PFC Watchdog Commands",
    ),
    "ecn.marks-on-lossless-queue": Remedy(
        f'`QUEUE|{{port}}|{{priority}}`: `"wred_profile": "NAME"`; {_WRED}`, {_THRESHOLDS}', f"{_SCHEMA}, WRED_PROFILE"
    ),
    "ecn.marks-not-drops": Remedy(f"{_WRED}`: with `ecn_none` it drops", f"{_SCHEMA}, WRED_PROFILE"),
    "ecn.thresholds": Remedy(f"`WRED_PROFILE|NAME`: {_THRESHOLDS}; `ecnconfig -p NAME`", f"{_CLI}, ECN Commands"),
    "qos.trust-dscp": Remedy('`PORT_QOS_MAP|{port}`: `"dscp_to_tc_map": "NAME"`', f"{_SCHEMA}, PORT_QOS_MAP"),
    "qos.dscp-is-lossless": Remedy(
        '`DSCP_TO_TC_MAP|NAME`: `"{dscp}": "{priority}"`; `PORT_QOS_MAP|{port}` names it, and has `"pfc_enable":'
        ' "{priority}"`',
        f"{_SCHEMA}, DSCP_TO_TC_MAP",
    ),
    "qos.cnp-not-lossless": Remedy(
        '`DSCP_TO_TC_MAP|NAME`: `"{cnp_dscp}": "{cnp_priority}"`', f"{_SCHEMA}, DSCP_TO_TC_MAP"
    ),
    "qos.cnp-strict": Remedy(
        '`SCHEDULER|NAME`: `"type": "STRICT"`; `QUEUE|{port}|{cnp_priority}`: `"scheduler": "NAME"`',
        f"{_SCHEMA}, SCHEDULER",
    ),
    "buffers.lossless-group": Remedy(
        '`BUFFER_PG|{port}|{priority}`: `"profile": "NULL"` (dynamic model) or a profile with xoff;'
        ' `TC_TO_PRIORITY_GROUP_MAP|NAME`: `"{priority}": "{priority}"`',
        f"{_SCHEMA}, BUFFER_PG",
    ),
    "buffers.headroom": Remedy(
        '`CABLE_LENGTH|AZURE`: `"{port}": "40m"`, the true length; or a profile of BUFFER_PG with a larger xoff',
        f"{_SCHEMA}, Cable length",
    ),
    "links.switch-mtu": Remedy(
        '`PORT|{port}`: `"mtu": "9216"`; `config interface mtu {port} 9216`', f"{_SCHEMA}, PORT"
    ),
    "links.mtu": Remedy('`PORT|{port}`: `"mtu": "9216"`; `config interface mtu {port} 9216`', f"{_SCHEMA}, PORT"),
}

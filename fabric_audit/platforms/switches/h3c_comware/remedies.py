"""What mends a finding on Comware."""

from fabric_audit.platforms.model import Remedy

_H3C = "H3C S9825 and S9855 Command References R913x"
_PFC = f"{_H3C}, PFC commands"
_QOS = f"{_H3C}, ACL and QoS: priority mapping"
_WRED = f"{_H3C}, ACL and QoS: congestion avoidance"
_QUEUES = f"{_H3C}, ACL and QoS: congestion management"
_PORTS = f"{_H3C}, Ethernet interface commands"

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        "interface {port}: `priority-flow-control enable`, `priority-flow-control no-drop dot1p {priority}`", _PFC
    ),
    "pfc.only-on-lossless-priority": Remedy(
        "interface {port}: `priority-flow-control no-drop dot1p {priority}`, no other priority in the list", _PFC
    ),
    "pfc.link-pause-off": Remedy("interface {port}: `undo flow-control`, `undo flow-control receive enable`", _PORTS),
    "pfc.not-negotiated": Remedy("interface {port}: `priority-flow-control enable` in place of `auto`", _PFC),
    "pfc.watchdog-enabled": Remedy(
        "`priority-flow-control deadlock cos {priority} interval 10`; interface {port}: `priority-flow-control deadlock"
        " enable`",
        _PFC,
    ),
    "watchdog.action": Remedy("`priority-flow-control deadlock auto-recover action discard`", _PFC),
    "watchdog.times": Remedy("`priority-flow-control deadlock cos {priority} interval N`, `... precision high`", _PFC),
    "ecn.marks-on-lossless-queue": Remedy(
        "`qos wred queue table NAME`: `queue {priority} drop-level 0 low-limit N high-limit N discard-probability N`,"
        " `queue {priority} ecn`; interface {port}: `qos wred apply NAME`",
        _WRED,
    ),
    "ecn.marks-not-drops": Remedy("in the WRED table of {port}: `queue {priority} ecn`", _WRED),
    "qos.trust-dscp": Remedy("interface {port}: `qos trust dscp`", _QOS),
    "qos.dscp-is-lossless": Remedy(
        "`qos map-table dscp-dot1p`: `import {dscp} export {priority}`; `qos map-table dot1p-lp`: `import {priority}"
        " export {priority}`",
        _QOS,
    ),
    "qos.cnp-not-lossless": Remedy(
        "`qos map-table dscp-dot1p`: `import {cnp_dscp} export {cnp_priority}`; {cnp_priority} not in `no-drop dot1p`",
        _QOS,
    ),
    "qos.cnp-strict": Remedy("interface {port}: `qos wfq cs{cnp_priority} group sp`", _QUEUES),
    "links.switch-mtu": Remedy("interface {port}: `jumboframe enable 9416`", f"{_PORTS}, jumboframe enable"),
    "links.mtu": Remedy("interface {port}: `jumboframe enable 9416`", f"{_PORTS}, jumboframe enable"),
}

"""What mends a finding on EOS."""

from fabric_audit.platforms.model import Remedy

_PFC = "Arista EOS user manual, DCBX and Flow Control"
_QOS = "Arista EOS user manual, Quality of Service"
_PORTS = "Arista EOS user manual, Ethernet Ports"

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        "interface {port}: `priority-flow-control on`, `priority-flow-control priority {priority} no-drop`, or the same"
        " lines in the qos profile that its service-profile names; and no `priority-flow-control all off`",
        _PFC,
    ),
    "pfc.only-on-lossless-priority": Remedy(
        "interface {port} or its qos profile: `priority-flow-control priority N drop` for each other priority N", _PFC
    ),
    "pfc.link-pause-off": Remedy("interface {port}: `flowcontrol receive off`, `flowcontrol send off`", _PFC),
    "pfc.not-negotiated": Remedy("interface {port}: `priority-flow-control on`, `no dcbx mode`", _PFC),
    "pfc.watchdog-enabled": Remedy(
        "`priority-flow-control pause watchdog default timeout 0.2`, `priority-flow-control pause watchdog action"
        " {action}`; no `priority-flow-control pause watchdog disable` on interface {port}",
        _PFC,
    ),
    "watchdog.action": Remedy("`priority-flow-control pause watchdog action {action}`", _PFC),
    "watchdog.times": Remedy(
        "`priority-flow-control pause watchdog default timeout 0.2`, `... default recovery-time 0.2`,"
        " `... default polling-interval 0.1`",
        _PFC,
    ),
    "ecn.marks-on-lossless-queue": Remedy(
        "interface {port} or its qos profile, uc-tx-queue {priority}: `random-detect ecn minimum-threshold {ecn_min}"
        " bytes maximum-threshold {ecn_max} bytes max-mark-probability {ecn_pct}`",
        _QOS,
    ),
    "ecn.marks-not-drops": Remedy(
        "uc-tx-queue {priority}: `no random-detect drop`, then `random-detect ecn ...`", _QOS
    ),
    "ecn.thresholds": Remedy(
        "uc-tx-queue {priority}: `random-detect ecn minimum-threshold {ecn_min} bytes maximum-threshold {ecn_max} bytes"
        " max-mark-probability {ecn_pct}`",
        _QOS,
    ),
    "qos.trust-dscp": Remedy("interface {port} or its qos profile: `qos trust dscp`", _QOS),
    "qos.dscp-is-lossless": Remedy("`qos map dscp {dscp} to traffic-class {priority}`", _QOS),
    "qos.cnp-not-lossless": Remedy("`qos map dscp {cnp_dscp} to traffic-class {cnp_priority}`", _QOS),
    "qos.cnp-strict": Remedy(
        "interface {port} or its qos profile, uc-tx-queue {cnp_priority}: `priority strict`", _QOS
    ),
    "links.switch-mtu": Remedy("interface {port}: `mtu 9214`", _PORTS),
    "links.mtu": Remedy("interface {port}: `mtu 9214`", _PORTS),
}

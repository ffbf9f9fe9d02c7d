"""What mends a finding on OS10."""

from fabric_audit.platforms.model import Remedy

_GUIDE = "Dell SmartFabric OS10 User Guide 10.5"
_PFC = f"{_GUIDE}, Priority flow control"
_WRED = f"{_GUIDE}, WRED and ECN"

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        "`policy-map type network-qos NAME`, class with `match qos-group {priority}`: `pause`, `pfc-cos {priority}`;"
        " interface {port}: `service-policy input type network-qos NAME`, `priority-flow-control mode on`",
        _PFC,
    ),
    "pfc.only-on-lossless-priority": Remedy(
        "in the network-qos policy of {port}: `pfc-cos {priority}` alone, no `pause` in other classes", _PFC
    ),
    "pfc.link-pause-off": Remedy(
        "interface {port}: `flowcontrol receive off`, `flowcontrol transmit off`", f"{_GUIDE}, flowcontrol"
    ),
    "ecn.marks-on-lossless-queue": Remedy(
        "`wred NAME`: `random-detect color green minimum-threshold KB maximum-threshold KB drop-probability {ecn_pct}`,"
        " `random-detect ecn`; `policy-map type queuing`, class with `match queue {priority}`: `random-detect NAME`;"
        " interface {port}: `service-policy output type queuing POLICY`",
        _WRED,
    ),
    "ecn.marks-not-drops": Remedy("in the WRED profile of queue {priority}: `random-detect ecn`", _WRED),
    "ecn.thresholds": Remedy(
        "in the WRED profile: `random-detect color green minimum-threshold KB maximum-threshold KB drop-probability"
        " {ecn_pct}`",
        _WRED,
    ),
    "ecn.before-pause": Remedy(
        "in the network-qos policy: a larger `pause-threshold`; or in the WRED profile a smaller minimum-threshold",
        _PFC,
    ),
    "qos.trust-dscp": Remedy("interface {port}, or `system qos`: `trust-map dscp NAME`", f"{_GUIDE}, Trust"),
    "qos.dscp-is-lossless": Remedy("`trust dscp-map NAME`: `qos-group {priority} dscp {dscp}`", f"{_GUIDE}, Trust"),
    "qos.cnp-not-lossless": Remedy(
        "`trust dscp-map NAME`: `qos-group {cnp_priority} dscp {cnp_dscp}`, a group without `pause`", f"{_GUIDE}, Trust"
    ),
    "qos.cnp-strict": Remedy(
        "`policy-map type queuing NAME`, class with `match queue {cnp_priority}`: `priority`",
        f"{_GUIDE}, Strict priority",
    ),
    "buffers.lossless-group": Remedy(
        "in the network-qos policy of {port}, class with `match qos-group {priority}`: `pause`, `pfc-cos {priority}`",
        _PFC,
    ),
    "links.switch-mtu": Remedy("interface {port}: `mtu 9216`", f"{_GUIDE}, mtu"),
    "links.mtu": Remedy("interface {port}: `mtu 9216`", f"{_GUIDE}, mtu"),
}

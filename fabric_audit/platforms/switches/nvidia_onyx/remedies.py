"""What mends a finding on Onyx."""

from fabric_audit.platforms.model import Remedy

_MANUAL = "NVIDIA Onyx User Manual v3.10.4100"
_PFC = f"{_MANUAL}, Priority Flow Control"
_ECN = f"{_MANUAL}, Congestion Control"
_QOS = f"{_MANUAL}, QoS Classification"
_PORTS = f"{_MANUAL}, Ethernet Interfaces"
_KB = "minimum-absolute 150 maximum-absolute 1500`, in KB"

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        "`dcb priority-flow-control enable force`, `dcb priority-flow-control priority {priority} enable`, and on the"
        " port: `interface {port} dcb priority-flow-control mode on force`",
        _PFC,
    ),
    "pfc.only-on-lossless-priority": Remedy("`no dcb priority-flow-control priority N enable`, N not {priority}", _PFC),
    "pfc.link-pause-off": Remedy(
        "`interface {port} flowcontrol receive off force`, `interface {port} flowcontrol send off force`", _PORTS
    ),
    "pfc.not-negotiated": Remedy("`interface {port} dcb priority-flow-control mode on force`", _PFC),
    "ecn.marks-on-lossless-queue": Remedy(
        f"`interface {{port}} traffic-class {{priority}} congestion-control ecn {_KB}", _ECN
    ),
    "ecn.marks-not-drops": Remedy(
        f"`interface {{port}} traffic-class {{priority}} congestion-control ecn {_KB}, in place of `red`", _ECN
    ),
    "ecn.thresholds": Remedy(f"`interface {{port}} traffic-class {{priority}} congestion-control ecn {_KB}", _ECN),
    "qos.trust-dscp": Remedy("`interface {port} qos trust L3`", _QOS),
    "qos.dscp-is-lossless": Remedy("`interface {port} qos map dscp {dscp} to switch-priority {priority}`", _QOS),
    "qos.cnp-not-lossless": Remedy(
        "`interface {port} qos map dscp {cnp_dscp} to switch-priority {cnp_priority}`", _QOS
    ),
    "qos.cnp-strict": Remedy("`interface {port} traffic-class {cnp_priority} dcb ets strict`", f"{_MANUAL}, ETS"),
    "links.switch-mtu": Remedy("`interface {port} mtu 9216 force`", _PORTS),
    "links.mtu": Remedy("`interface {port} mtu 9216 force`", _PORTS),
}

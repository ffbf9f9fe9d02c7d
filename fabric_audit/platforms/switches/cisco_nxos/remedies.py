"""What mends a finding on NX-OS."""

from fabric_audit.platforms.model import Remedy

_GUIDE = "Cisco Nexus 9000 Series NX-OS Quality of Service Configuration Guide"
_PORTS = "Cisco Nexus 9000 Series NX-OS Interfaces Configuration Guide"
_PFC = f"{_GUIDE}, Configuring Priority Flow Control"
_WRED = f"{_GUIDE}, Configuring Queuing and Scheduling"
_CLASSES = f"{_GUIDE}, Configuring Classification"
_NETWORK = f"{_GUIDE}, Configuring Network QoS"
_THRESHOLDS = (
    "`random-detect minimum-threshold {ecn_min} bytes maximum-threshold {ecn_max} bytes drop-probability {ecn_pct}"
    " weight 0 ecn`"
)

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        "interface {port}: `priority-flow-control mode on`; in the network-qos policy under `system qos`, class"
        " c-8q-nq{priority}: `pause pfc-cos {priority}`",
        _PFC,
    ),
    "pfc.only-on-lossless-priority": Remedy(
        "no `pause pfc-cos N` in the other classes of the network-qos policy under `system qos`", _NETWORK
    ),
    "pfc.link-pause-off": Remedy(
        "interface {port}: `no flowcontrol receive on`, `no flowcontrol send on`", f"{_PORTS}, flow control"
    ),
    "pfc.not-negotiated": Remedy("interface {port}: `priority-flow-control mode on`", _PFC),
    "pfc.watchdog-enabled": Remedy(
        "`priority-flow-control watch-dog-interval on`, for the switch and on interface {port}", _PFC
    ),
    "watchdog.times": Remedy(
        "`priority-flow-control watch-dog interval 100`, `priority-flow-control watch-dog shutdown-multiplier 1`", _PFC
    ),
    "ecn.marks-on-lossless-queue": Remedy(
        f"in the queuing policy of `system qos` or of {{port}}, class c-out-8q-q{{priority}}: {_THRESHOLDS}", _WRED
    ),
    "ecn.marks-not-drops": Remedy(
        f"in the queuing policy, class c-out-8q-q{{priority}}: {_THRESHOLDS}; without `ecn` the queue drops", _WRED
    ),
    "ecn.thresholds": Remedy(f"in the queuing policy, class c-out-8q-q{{priority}}: {_THRESHOLDS}", _WRED),
    "qos.trust-dscp": Remedy(
        "a policy-map of type qos with `match dscp {dscp}` and `set qos-group {priority}`, on interface {port}:"
        " `service-policy type qos input NAME`",
        _CLASSES,
    ),
    "qos.dscp-is-lossless": Remedy(
        "in the qos policy on {port}: `match dscp {dscp}` in a class with `set qos-group {priority}`; network-qos class"
        " c-8q-nq{priority}: `pause pfc-cos {priority}`",
        _CLASSES,
    ),
    "qos.cnp-not-lossless": Remedy(
        "in the qos policy on {port}: `match dscp {cnp_dscp}` in a class with `set qos-group {cnp_priority}`; no"
        " `pause` in network-qos class c-8q-nq{cnp_priority}",
        _CLASSES,
    ),
    "qos.cnp-strict": Remedy(
        "in the queuing policy, class c-out-8q-q{cnp_priority}: `priority level 1`", f"{_WRED}, priority level"
    ),
    "buffers.headroom": Remedy(
        "network-qos class c-8q-nq{priority}: `pause buffer-size BYTES pause-threshold BYTES resume-threshold BYTES"
        " pfc-cos {priority}`",
        _NETWORK,
    ),
    "links.switch-mtu": Remedy(
        "interface {port}: `mtu 9216`; where it is switched, network-qos class c-8q-nq{priority}: `mtu 9216`", _PORTS
    ),
    "links.mtu": Remedy("interface {port}: `mtu 9216`", _PORTS),
}

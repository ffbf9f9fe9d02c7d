"""What mends a finding on VRP."""

from fabric_audit.platforms.model import Remedy

_MANUAL = "Huawei CloudEngine Command Reference"
_DCB = f"{_MANUAL}, DCB Configuration Commands"
_MAPPING = f"{_MANUAL}, Priority Mapping Configuration Commands"
_CONGESTION = f"{_MANUAL}, Congestion Avoidance and Congestion Management Configuration Commands"
_PORTS = f"{_MANUAL}, Ethernet Interface Configuration Commands"

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        "`dcb pfc NAME`: `priority {priority}`; interface {port}: `dcb pfc enable NAME mode manual`", _DCB
    ),
    "pfc.only-on-lossless-priority": Remedy(
        "in the `dcb pfc` profile of {port}: `undo priority N` for each other priority N", _DCB
    ),
    "pfc.link-pause-off": Remedy("interface {port}: `undo flow-control`, `undo flow-control negotiation`", _PORTS),
    "pfc.not-negotiated": Remedy("interface {port}: `dcb pfc enable NAME mode manual`", _DCB),
    "pfc.watchdog-enabled": Remedy(
        "in the `dcb pfc` profile of {port}: `priority {priority} deadlock-detect time N`, `priority {priority}"
        " deadlock-recovery time N`",
        _DCB,
    ),
    "watchdog.action": Remedy("interface {port}: `undo port pfc-deadlock trigger error-down`", _DCB),
    "watchdog.times": Remedy(
        "`dcb pfc deadlock-detect interval 100`; in the profile: `priority {priority} deadlock-detect time 2`", _DCB
    ),
    "ecn.marks-on-lossless-queue": Remedy(
        "`drop-profile NAME`: `ecn buffer-size low-limit {ecn_min} high-limit {ecn_max} discard-percentage {ecn_pct}`;"
        " interface {port}: `qos queue {priority} wred NAME`, `qos queue {priority} ecn`",
        _CONGESTION,
    ),
    "ecn.marks-not-drops": Remedy("interface {port}: `qos queue {priority} ecn`, beside its `wred`", _CONGESTION),
    "ecn.thresholds": Remedy(
        "in the drop profile of queue {priority}: `ecn buffer-size low-limit {ecn_min} high-limit {ecn_max}"
        " discard-percentage {ecn_pct}`",
        _CONGESTION,
    ),
    "qos.trust-dscp": Remedy("interface {port}: `trust dscp`", _MAPPING),
    "qos.dscp-is-lossless": Remedy(
        "`diffserv domain NAME`: `ip-dscp-inbound {dscp} phb af3 green` (af3 is queue 3); interface {port}: `trust"
        " upstream NAME`, `trust dscp`",
        _MAPPING,
    ),
    "qos.cnp-not-lossless": Remedy(
        "`diffserv domain NAME`: `ip-dscp-inbound {cnp_dscp} phb cs6 green`; no `priority {cnp_priority}` in the"
        " `dcb pfc` profile",
        _MAPPING,
    ),
    "qos.cnp-strict": Remedy(
        "interface {port}: `qos pq {cnp_priority}`, its queue left out of `qos drr`", f"{_CONGESTION}, qos pq"
    ),
    "buffers.headroom": Remedy(
        "interface {port}: `dcb pfc buffer {priority} hdrm N kbytes`, within `qos buffer headroom-pool size`", _DCB
    ),
    "links.switch-mtu": Remedy("interface {port}: `jumboframe enable 9216`", f"{_PORTS}, jumboframe enable"),
    "links.mtu": Remedy("interface {port}: `jumboframe enable 9216`", f"{_PORTS}, jumboframe enable"),
}

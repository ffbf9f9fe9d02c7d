"""What mends a finding on Cumulus Linux."""

from fabric_audit.platforms.model import Remedy

_GUIDE = "Cumulus Linux 5.12 user guide"
_QOS = f"{_GUIDE}, Quality of Service"
_ROCE = f"{_GUIDE}, RDMA over Converged Ethernet - RoCE"
_ECN = "`nv set qos congestion-control default-global traffic-class {priority}"

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        "`nv set qos roce mode lossless`; a PFC profile of {port} instead: `nv set qos pfc NAME switch-priority"
        " {priority}`, `nv set interface {port} qos pfc profile NAME`",
        f"{_QOS}, Priority Flow Control",
    ),
    "pfc.only-on-lossless-priority": Remedy(
        "`nv unset qos pfc NAME switch-priority N` for each N besides {priority}", f"{_QOS}, Priority Flow Control"
    ),
    "pfc.link-pause-off": Remedy("`nv unset interface {port} qos link-pause`", f"{_QOS}, Link Pause"),
    "pfc.watchdog-enabled": Remedy("`nv set interface {port} qos pfc-watchdog state enabled`", f"{_QOS}, PFC Watchdog"),
    "watchdog.times": Remedy(
        "`nv set qos pfc-watchdog polling-interval 100`, `nv set qos pfc-watchdog robustness 3`",
        f"{_QOS}, PFC Watchdog",
    ),
    "ecn.marks-on-lossless-queue": Remedy(
        f"`nv set qos roce`, or {_ECN} ecn enabled`, `... min-threshold-bytes {{ecn_min}}`, `... max-threshold-bytes"
        " {ecn_max}`",
        f"{_QOS}, Congestion Control",
    ),
    "ecn.marks-not-drops": Remedy(f"{_ECN} red disabled`, `... ecn enabled`", f"{_QOS}, Congestion Control"),
    "ecn.thresholds": Remedy(
        f"{_ECN} min-threshold-bytes {{ecn_min}}`, `... max-threshold-bytes {{ecn_max}}`, `... probability"
        " {ecn_pct}`",
        f"{_QOS}, Congestion Control",
    ),
    "qos.trust-dscp": Remedy("`nv set qos roce`, or `nv set qos mapping default-global trust l3`", _ROCE),
    "qos.dscp-is-lossless": Remedy(
        "`nv set qos mapping default-global dscp {dscp} switch-priority {priority}`", f"{_QOS}, Trust DSCP"
    ),
    "qos.cnp-not-lossless": Remedy(
        "`nv set qos mapping default-global dscp {cnp_dscp} switch-priority {cnp_priority}`", f"{_QOS}, Trust DSCP"
    ),
    "qos.cnp-strict": Remedy(
        "`nv set qos egress-scheduler default-global traffic-class {cnp_priority} mode strict`",
        f"{_QOS}, Egress Scheduler",
    ),
    "buffers.headroom": Remedy(
        "`nv set qos pfc NAME cable-length METRES`, for the profile of {port}", f"{_QOS}, Priority Flow Control"
    ),
    "links.switch-mtu": Remedy("`nv set interface {port} link mtu 9216`", f"{_GUIDE}, Switch Port Attributes, MTU"),
    "links.mtu": Remedy("`nv set interface {port} link mtu 9216`", f"{_GUIDE}, Switch Port Attributes, MTU"),
}

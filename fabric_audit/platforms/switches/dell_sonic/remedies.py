"""What mends a finding on Enterprise SONiC, in the words of its CLI; CONFIG_DB is as on every SONiC."""

from fabric_audit.platforms.model import Remedy
from fabric_audit.platforms.switches import sonic

_GUIDE = "Enterprise SONiC Distribution by Dell Technologies User Guide, Quality of Service"

REMEDIES = {
    **sonic.PLATFORM.remedies,
    "pfc.enabled-on-lossless-priority": Remedy(
        "interface {port}: `priority-flow-control priority {priority}`", f"{_GUIDE}, Priority flow control"
    ),
    "pfc.only-on-lossless-priority": Remedy(
        "interface {port}: `no priority-flow-control priority N` for each N besides {priority}",
        f"{_GUIDE}, Priority flow control",
    ),
    "pfc.watchdog-enabled": Remedy(
        "interface {port}: `priority-flow-control watchdog action {action}`, `priority-flow-control watchdog on"
        " detect-time 200`, `priority-flow-control watchdog restore-time 400`",
        f"{_GUIDE}, PFC watchdog",
    ),
    "watchdog.action": Remedy(
        "interface {port}: `priority-flow-control watchdog action {action}`", f"{_GUIDE}, PFC watchdog"
    ),
    "ecn.marks-on-lossless-queue": Remedy(
        "`qos wred-policy NAME`: `green minimum-threshold KBYTES maximum-threshold KBYTES drop-probability {ecn_pct}`,"
        " `ecn green`; interface {port}: `queue {priority} wred-policy NAME`",
        f"{_GUIDE}, WRED",
    ),
    "qos.trust-dscp": Remedy("interface {port}: `qos-map dscp-tc NAME`", f"{_GUIDE}, QoS maps"),
    "qos.dscp-is-lossless": Remedy(
        "`qos map dscp-tc NAME`: `dscp {dscp} traffic-class {priority}`; interface {port}: `priority-flow-control"
        " priority {priority}`",
        f"{_GUIDE}, QoS maps",
    ),
    "qos.cnp-not-lossless": Remedy(
        "`qos map dscp-tc NAME`: `dscp {cnp_dscp} traffic-class {cnp_priority}`", f"{_GUIDE}, QoS maps"
    ),
    "qos.cnp-strict": Remedy(
        "`qos scheduler-policy NAME`, `queue {cnp_priority}`: `type strict`; interface {port}: `scheduler-policy NAME`",
        f"{_GUIDE}, Scheduler policy",
    ),
    "links.switch-mtu": Remedy("interface {port}: `mtu 9216`", f"{_GUIDE}, mtu"),
}

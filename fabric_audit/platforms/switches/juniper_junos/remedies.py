"""What mends a finding on Junos."""

from fabric_audit.platforms.model import Remedy

_GUIDE = "Junos OS Traffic Management User Guide (QFX Series)"
_PFC = f"{_GUIDE}, Configuring DSCP-based PFC for Layer 3 Untagged Traffic"
_ECN = f"{_GUIDE}, Explicit Congestion Notification"
_SCHEDULERS = f"{_GUIDE}, Defining CoS Queue Schedulers"
_CLASSES = f"{_GUIDE}, Defining CoS BA Classifiers"
_INPUT = "set class-of-service congestion-notification-profile NAME input"

REMEDIES = {
    "pfc.enabled-on-lossless-priority": Remedy(
        "`set class-of-service forwarding-classes class NAME no-loss pfc-priority {priority}`, "
        f"`{_INPUT} dscp code-point BITS pfc`, `set class-of-service interfaces {{port}}"
        " congestion-notification-profile NAME`",
        _PFC,
    ),
    "pfc.only-on-lossless-priority": Remedy(
        f"`{_INPUT.replace('set', 'delete', 1)} dscp code-point BITS` for each class besides priority {{priority}}",
        _PFC,
    ),
    "pfc.link-pause-off": Remedy(
        "`delete interfaces {port} ether-options flow-control`, `set interfaces {port} ether-options no-flow-control`",
        f"{_GUIDE}, Understanding CoS Flow Control",
    ),
    "pfc.watchdog-enabled": Remedy(
        "`set class-of-service congestion-notification-profile NAME pfc-watchdog watchdog-action {action}`, for the"
        " profile of {port}",
        f"{_GUIDE}, PFC Watchdog",
    ),
    "watchdog.action": Remedy(
        "`set class-of-service congestion-notification-profile NAME pfc-watchdog watchdog-action {action}`",
        f"{_GUIDE}, PFC Watchdog",
    ),
    "watchdog.times": Remedy(
        "`set class-of-service congestion-notification-profile NAME pfc-watchdog poll-interval 100`, `... detection 2`,"
        " `... recovery 200`",
        f"{_GUIDE}, PFC Watchdog",
    ),
    "ecn.marks-on-lossless-queue": Remedy(
        "`set class-of-service schedulers NAME explicit-congestion-notification` and `... drop-profile-map"
        " loss-priority any protocol any drop-profile NAME`, for the scheduler of the lossless class; fill levels"
        " of the profile ascend",
        _ECN,
    ),
    "ecn.marks-not-drops": Remedy(
        "`set class-of-service schedulers NAME explicit-congestion-notification`, beside its drop-profile-map", _ECN
    ),
    "qos.trust-dscp": Remedy(
        "`set class-of-service interfaces {port} unit * classifiers dscp NAME`", f"{_CLASSES}, DSCP"
    ),
    "qos.dscp-is-lossless": Remedy(
        "`set class-of-service classifiers dscp NAME forwarding-class LOSSLESS loss-priority low code-points BITS`,"
        " BITS being DSCP {dscp} in six binary digits, LOSSLESS the class with pfc-priority {priority}",
        _CLASSES,
    ),
    "qos.cnp-not-lossless": Remedy(
        "`set class-of-service classifiers dscp NAME forwarding-class CNP loss-priority low code-points BITS`, BITS"
        " being DSCP {cnp_dscp}, CNP a class without no-loss",
        _CLASSES,
    ),
    "qos.cnp-strict": Remedy(
        "`set class-of-service schedulers NAME priority strict-high`, for the scheduler of the class of CNPs",
        _SCHEDULERS,
    ),
    "links.switch-mtu": Remedy("`set interfaces {port} mtu 9216`", "Junos OS Interfaces Fundamentals Guide, mtu"),
    "links.mtu": Remedy("`set interfaces {port} mtu 9216`", "Junos OS Interfaces Fundamentals Guide, mtu"),
}

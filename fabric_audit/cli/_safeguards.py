"""What must hold before hosts are loaded, and what the user allows all the same."""

from pathlib import Path
from typing import TYPE_CHECKING

from fabric_audit.errors import UsageError

if TYPE_CHECKING:
    from fabric_audit.cli._collecting import Wishes
    from fabric_audit.collect.resume import Earlier
    from fabric_audit.collect.safety import Limits
    from fabric_audit.inventory.model import Inventory
    from fabric_audit.plan.model import Plan


def limits(wishes: "Wishes", inventory: "Inventory") -> "Limits":
    """What this run may do to others.

    Raises:
        UsageError: hosts in use are to be loaded and no reason is given, or there are no such hosts.
    """
    from fabric_audit.collect.safety import Limits

    if not wishes.allow_busy:
        return Limits(most_s=wishes.max_time, most_bytes=wishes.max_bytes)
    if not (wishes.reason or "").strip():
        raise UsageError("--allow-busy needs --reason TEXT: the report says who was loaded, and why")
    try:
        busy = frozenset(host.name for host in inventory.limited_to(wishes.allow_busy).hosts)
    except UsageError as error:
        raise UsageError(str(error).replace("--limit", "--allow-busy", 1)) from None
    words = f"--allow-busy {wishes.allow_busy}: {wishes.reason}"
    return Limits(busy=busy, busy_reason=words, most_s=wishes.max_time, most_bytes=wishes.max_bytes)


def guarded(wishes: "Wishes", plan: "Plan") -> None:
    """Ask the user's own guard, with the hosts that are to be loaded in its environment.

    Raises:
        UsageError: it said no.
    """
    if not wishes.guard:
        return
    from fabric_audit.inventory.nodes import fold
    from fabric_audit.transport.local import refusal
    from fabric_audit.transport.secrets import environment_without

    hosts = plan.traffic.hosts if plan.traffic else tuple(host.name for host in plan.inventory.hosts)
    environment = environment_without(target.login.password for target in plan.inventory.targets)
    variables = {"FABRIC_AUDIT_HOSTS": " ".join(hosts), "FABRIC_AUDIT_NODESET": fold(hosts)}
    words = refusal(wishes.guard, {**environment, **variables})
    if words:
        raise UsageError(f"the guard {wishes.guard!r} {words}; nothing was sent")


def begun(wishes: "Wishes") -> "Earlier | None":
    """The capture to complete, where there is one.

    Raises:
        UsageError: other traffic is wanted than it has.
        CaptureError: it cannot be read.
    """
    if not wishes.resume:
        return None
    from fabric_audit.capture.reader import Capture
    from fabric_audit.collect.resume import Earlier

    capture = Capture.open(Path(wishes.resume))
    mode = capture.manifest.traffic.get("mode")
    if wishes.traffic not in (None, mode):
        raise UsageError(f"--resume goes on with traffic {mode}; leave --traffic out")
    return Earlier(capture)

"""Faults of reaching a target."""

from fabric_audit.simulator.fabric import Switch
from fabric_audit.simulator.faults.model import Change, Fault, Plot


def _refuses(kind: str) -> Change:
    def refuse(target: str, plot: Plot) -> None:
        plot.fabric.refusals[target] = kind

    return refuse


def _answers(kind: str) -> Change:
    def answer_so(switch: Switch, _plot: Plot) -> None:
        switch.manners.add(kind)

    return answer_so


FAULTS = (
    Fault("down", "target", "nothing listens there", _refuses("down")),
    Fault("silent", "target", "accepts TCP and says nothing", _refuses("silent")),
    Fault("refuses-login", "target", "refuses the key or password", _refuses("login")),
    Fault("changed-host-key", "target", "shows another host key than the one on record", _refuses("host_key")),
)
MANNERS = (
    Fault("slow-cli", "switch", "stops in the middle of its answers", _answers("slow")),
    Fault("paged-cli", "switch", "answers in pages: AAA does not let paging be turned off", _answers("paged")),
)
"""How a switch answers over SSH: nothing is wrong with what it says."""

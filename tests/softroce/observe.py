"""What tests read from a running lab: RDMA counters, and the processes that are left on its hosts."""

import re
from dataclasses import dataclass

from .lab import Lab

Counters = dict[str, int]
"""``hw_counters`` and ``counters`` of one RDMA port, by file name."""

_PERFTEST = re.compile(r"\b(ib_(write|read|send|atomic)_(bw|lat)|raw_ethernet_\w+)\b")


@dataclass(frozen=True)
class HostProcess:
    """A process on a host; ``pid`` is the one that the switch, not the host, knows it by."""

    host: str
    pid: int
    argv: tuple[str, ...]

    @property
    def is_perftest(self) -> bool:
        """Whether it is a perftest program, or one that was told to start one."""
        return bool(_PERFTEST.search(" ".join(self.argv)))


def processes(lab: Lab) -> list[HostProcess]:
    """Every process of every host, save its sshd and the sessions of it: seen from outside, no login needed."""
    listing = lab.on_switch(
        f"for host in {_names(lab)}; do for pid in $(ip netns pids $host); do",
        r"""printf '%s\036%s\036' $host $pid; { tr '\n' ' ' </proc/$pid/cmdline; } 2>/dev/null || true; echo""",
        "done; done",
    )
    found = []
    for line in listing.rstrip("\n").split("\n"):
        host, pid, command = line.split("\x1e", 2)
        argv = tuple(command.rstrip("\0").split("\0"))
        if argv[0] and not argv[0].startswith(("sshd:", "sshd-session:", "unshare")):
            found.append(HostProcess(host, int(pid), argv))
    return found


def perftest_processes(lab: Lab) -> list[HostProcess]:
    return [process for process in processes(lab) if process.is_perftest]


def counters(lab: Lab, rail: int = 0) -> dict[str, Counters]:
    """The port counters of every host on a rail, by host name, as they stand now."""
    port = f"/sys/class/infiniband/{lab.fabric.device(rail)}/ports/1"
    listing = lab.on_switch(
        f"for host in {_names(lab)}; do",
        f'ip netns exec $host grep -r . {port}/hw_counters {port}/counters | sed "s,.*/,$host ,"',
        "done",
    )
    found: dict[str, Counters] = {host.name: {} for host in lab.fabric.hosts}
    for line in listing.splitlines():
        host, name, value = line.replace(":", " ").split()
        found[host][name] = int(value)
    return found


def moved(before: dict[str, Counters], after: dict[str, Counters], name: str) -> dict[str, int]:
    """By how much one counter moved on every host."""
    return {host: after[host][name] - before[host][name] for host in after}


def _names(lab: Lab) -> str:
    return " ".join(host.name for host in lab.fabric.hosts)

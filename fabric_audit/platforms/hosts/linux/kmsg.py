"""The kernel log."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.events import KernelEvent
from fabric_audit.facts.system import KernelSetting
from fabric_audit.platforms.hosts.linux.kernel_events import event
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import numbered, torn, whole

_BOOT = r"\[ *(?P<boot>\d+\.\d+)\]"
_WALL = r"\[(?P<wall>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})\]"
_ISO = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?\S*"
_RECORD = re.compile(r"\d+,\d+,(?P<usec>\d+),[^;]*;(?P<message>.*)")
_DMESG = re.compile(rf"(?:<\d+>|\w+ *:\w+ *: )?(?:{_BOOT}|{_WALL}|(?P<iso>{_ISO}))(?:\[[^\]]*\])? (?P<message>.*)")
_SYSLOG = re.compile(
    rf"(?P<time>[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d|{_ISO}) \S+ kernel: (?:{_BOOT} )?(?P<message>.*)"
)
_SECOND = re.compile(r"\[ *\d+\.\d{6}\] |\S\[[A-Z][a-z]{2} [A-Z][a-z]{2} |\S\d{4}-\d\d-\d\dT\d\d:|\d,\d+,\d+,[-cC]")
"""In a message: two records that became one line."""
_DOMAIN = re.compile(r"iommu: Default domain type: (?P<type>\w+)")
_PATIENCE = 100
"""Lines that may be no log lines before the whole text counts as something else."""


@section(
    "kmsg",
    Run("dmesg", root=True),
    yields=(KernelEvent, KernelSetting),
    proven=Provenance.FIELD,
    timeout_s=30.0,
)
def parse_kmsg(output: Output) -> Iterator[Answer]:
    """The kernel log, from ``dmesg`` with any of its time formats, ``/dev/kmsg``, ``journalctl -k`` or syslog.

    Records of ``/dev/kmsg`` read ``priority,sequence,microseconds,flags;message``, and lines that go on with a
    record begin with a blank. Only messages that bear on the data plane become events: links, modules, NICs, PCIe,
    GPUs (Xid), NVSwitches (SXid), peermem, IOMMU. Where times count from boot they are kept as seconds. The type of
    the IOMMU's default domain becomes the setting ``iommu:default_domain``. The log is a ring: what is not there may
    have been overwritten. Reading it needs root where ``kernel.dmesg_restrict`` is set. Source: kernel
    ``Documentation/ABI/testing/dev-kmsg``; dmesg(1).
    """
    missing = tuple(refused(output, KernelEvent))
    if missing:
        yield from missing
        return
    lines = events = strange = 0
    for number, line in numbered(whole(output.stdout)):
        entry = _entry(line)
        if entry and _SECOND.search(entry[0]):
            yield Skipped(number, line, "one record a line")
            continue
        message, time = entry or (line, "")
        found = event(message, time, number) or _domain(message, number)
        lines += bool(entry or found)
        events += isinstance(found, KernelEvent)
        if found:
            yield found
        elif line and not entry and not line[0].isspace():
            strange += 1
            if strange > _PATIENCE and not lines:
                break
            yield Skipped(number, line, "a line of the kernel log with its time")
    if not lines:
        raise ParseError(1, output.stdout.strip().split("\n")[0], "lines of the kernel log with their times")
    if not events:
        yield Missing("kernel_event", Why.ABSENT, f"none of {lines} lines bears on the data plane")
    yield from torn(output.stdout)


def _domain(message: str, line: int) -> KernelSetting | None:
    found = _DOMAIN.match(message)
    return KernelSetting(line=line, name="iommu:default_domain", value=found["type"]) if found else None


def _entry(line: str) -> tuple[str, str] | None:
    """(message, time) of a line with a time; None for another."""
    if found := _RECORD.fullmatch(line):
        return found["message"], f"{int(found['usec']) / 1e6:.6f}"
    if found := _SYSLOG.fullmatch(line):
        return found["message"], found["boot"] or found["time"]
    if found := _DMESG.fullmatch(line):
        return found["message"], found["boot"] or found["wall"] or found["iso"]
    return None

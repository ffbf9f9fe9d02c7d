"""Which system a host is: name, distribution, kernel, model, clock and uptime."""

import re
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime

from fabric_audit.errors import ParseError
from fabric_audit.facts.system import System
from fabric_audit.platforms.model import Answer, Files, Output, Provenance, Run, Skipped, section
from fabric_audit.platforms.text import decimal, file_lines, numbered, torn, whole

_HOST = "/proc/sys/kernel/hostname"
_KERNEL = "/proc/sys/kernel/osrelease"
_RELEASE = "/etc/os-release"
_UPTIME = "/proc/uptime"
_DMI = "/sys/class/dmi/id/*"
_LONGEST = 4096
"""Characters of a value that are read: shlex takes long for long ones."""
_UNAME = re.compile(r"Linux (?P<name>\S+) (?P<kernel>\d\S*) #.* (?P<machine>\S+)(?: GNU/Linux| Linux)?")


@section("uname", Run("uname", "-a"), yields=(System,), proven=Provenance.FIELD)
def parse_uname(output: Output) -> Iterator[Answer]:
    """``uname -a``: host name and kernel release. Further lines are left out and listed."""
    lines = [(number, line) for number, line in numbered(output.stdout) if line]
    found = _UNAME.fullmatch(lines[0][1]) if lines else None
    if not found:
        raise ParseError(*(lines[0] if lines else (0, "")), "Linux HOST KERNEL #BUILD MACHINE")
    yield System(line=lines[0][0], name=found["name"], os="linux", kernel=found["kernel"])
    for number, line in lines[1:]:
        yield Skipped(number, line, "nothing after the line of uname -a")


@section(
    "system",
    Files(_HOST, _KERNEL, _RELEASE, _UPTIME, "/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name"),
    yields=(System,),
    proven=Provenance.DOCUMENT,
)
def parse_system(output: Output) -> Iterator[Answer]:
    """Host name, kernel, distribution (os-release(5)), uptime, and vendor and model from DMI.

    A host without DMI tables (most Arm systems have them, few others lack them) has no model.
    """
    told: dict[str, str] = {}
    release: dict[str, str] = {}
    text = whole(output.stdout)
    for number, glob, stars, content in file_lines(text, (_HOST, _KERNEL, _RELEASE, _UPTIME, _DMI)):
        if glob == _RELEASE:
            release.update(_assignment(content, number))
        else:
            told.setdefault(stars[0] if stars else glob, content.strip())
    if not re.fullmatch(r"[\w.-]+", told.get(_HOST, "")):
        raise ParseError(0, output.stdout.strip(), f"{_HOST}:NAME")
    product = told.get("product_name")
    model = " ".join(filter(None, (told.get("sys_vendor"), product))) if product else None
    kernel = told.get(_KERNEL, "")
    uptime = told.get(_UPTIME, "").split(" ")[0]
    yield System(
        name=told[_HOST],
        os="linux",
        os_version=release.get("PRETTY_NAME") or release.get("NAME"),
        kernel=kernel if re.fullmatch(r"[\w.+~-]+", kernel) else None,
        model=model,
        uptime_s=decimal(uptime, 0, "seconds since boot"),
    )
    yield from torn(output.stdout)


def _assignment(content: str, line: int) -> dict[str, str]:
    name, equals, value = content.partition("=")
    if content.lstrip().startswith("#") or not content.strip():
        return {}
    try:
        words = shlex.split(value[:_LONGEST])
    except ValueError:
        words = ["a quote", "left open"]
    if not equals or len(words) > 1:
        raise ParseError(line, content, "NAME=value of os-release(5)")
    return {name: words[0] if words else ""}


@section(
    "clock",
    Run("sh", "-c", "uname -n; date -u +%Y-%m-%dT%H:%M:%SZ"),
    yields=(System,),
    proven=Provenance.DOCUMENT,
)
def parse_clock(output: Output) -> Iterator[Answer]:
    """Host name, and its own clock in UTC to the second, for comparing hosts' clocks and reading their logs."""
    lines = [(number, line) for number, line in numbered(whole(output.stdout)) if line]
    if len(lines) != 2:  # noqa: PLR2004 - a name and a time
        raise ParseError(0, output.stdout, "a host name and a line YYYY-MM-DDTHH:MM:SSZ")
    (_, name), (number, clock) = lines
    try:
        moment = datetime.strptime(clock, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise ParseError(number, clock, "a time YYYY-MM-DDTHH:MM:SSZ") from None
    yield System(line=number, name=name, clock_utc=moment.strftime("%Y-%m-%dT%H:%M:%SZ"))

"""Saved configurations as a capture for which no device was asked: the same evidence, from files.

One file is one switch. Nothing but its configuration was planned, so that a check of state or counters is out of
scope, and no check lacks evidence that a configuration cannot hold.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from fabric_audit import __version__
from fabric_audit.capture.model import Entry, Manifest, Planned, sha256
from fabric_audit.capture.reader import Capture
from fabric_audit.capture.scrub import mask
from fabric_audit.errors import FabricAuditError
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.system import System
from fabric_audit.findings import Origin
from fabric_audit.inventory.model import Inventory, Login, Switch
from fabric_audit.platforms.model import Output, Section, Skipped, SwitchPlatform
from fabric_audit.platforms.reading import Reading, read_in_any_case
from fabric_audit.platforms.registry import all_sections
from fabric_audit.platforms.secrets import ANYWHERE

_PHASE = "baseline"


@dataclass(frozen=True, slots=True)
class Saved:
    """Configurations as evidence, and the lines of each file that were not understood."""

    capture: Capture
    inventory: Inventory
    skipped: Mapping[str, tuple[Skipped, ...]]
    ports: frozenset[str]
    """Every port that one of them names."""


class UnreadableConfigurationError(FabricAuditError):
    """A file that is no configuration of its platform; the message says where, and what would be one."""


def saved(platform: SwitchPlatform, files: Mapping[str, bytes], started: datetime) -> Saved:
    """A capture of the files, and an inventory of the switches they configure.

    Args:
        platform: OS of all of them.
        files: text by path, as a person named it; secrets in it are masked.
        started: moment at which waivers are judged.

    Raises:
        UnreadableConfigurationError: a file is not understood.
    """
    masked = {path: mask(text, (*ANYWHERE, *platform.secrets))[0] for path, text in files.items()}
    entries: list[Entry] = []
    skipped: dict[str, tuple[Skipped, ...]] = {}
    ports: set[str] = set()
    for path, text in masked.items():
        section, reading = _read(platform, path, text.decode("utf-8", "replace"))
        skipped[path] = reading.skipped
        ports |= {fact.port for fact in reading.facts if isinstance(fact, Interface | PfcPort)}
        entries.append(
            Entry(
                target=_unused(_host_name(reading) or Path(path).name.partition(".")[0], entries),
                phase=_PHASE,
                command=section.name,
                section=section.id,
                text="",
                started=started.isoformat(),
                duration_s=0.0,
                path=path,
                sha256=(sha256(text), ""),
                given=True,
            )
        )
    targets = tuple(entry.target for entry in entries)
    fabric = targets[0] if len(targets) == 1 else f"{len(targets)} configurations"
    manifest = Manifest(
        run=started.isoformat(),
        tool_version=__version__,
        fabric=fabric,
        origin=Origin.FILES,
        started=started.isoformat(),
        ended=started.isoformat(),
        sealed=True,
        planned=tuple(Planned(phase=_PHASE, targets=(e.target,), sections=(e.section,)) for e in entries),
    )
    switches = tuple(Switch(name=name, login=Login(address=name), platform=platform.name) for name in targets)
    capture = Capture(Path(), manifest, tuple(entries), (), (), masked)
    return Saved(capture, Inventory(fabric=fabric, switches=switches), skipped, frozenset(ports))


def _read(platform: SwitchPlatform, path: str, text: str) -> tuple[Section, Reading]:
    """The first section that understands the text; else the error of the one that came furthest."""
    failed: list[tuple[int, str]] = []
    for name in platform.saved:
        section = all_sections()[f"{platform.name}:{name}"]
        reading = read_in_any_case(section, Output(text, rc=None))
        if reading.state in ("parsed", "partial"):
            return section, reading
        at = re.match(r"line (\d+): ", reading.reason)
        failed.append((int(at[1]) if at else 0, reading.reason[at.end() :] if at else reading.reason))
    line, reason = max(failed, key=lambda one: one[0])
    where = f"{path}:{line}" if line else path
    raise UnreadableConfigurationError(f"{where}: no configuration of {platform.name}: {reason}")


def _host_name(reading: Reading) -> str:
    return next((fact.name for fact in reading.facts if isinstance(fact, System)), "")


def _unused(name: str, entries: Iterable[Entry]) -> str:
    """The name, or one with a number behind it where another file has the same."""
    taken = {entry.target for entry in entries}
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}#{number}"
    return found

"""``show buffer``: pools, profiles, and the profile of every priority group."""

import re
from collections.abc import Iterator

from fabric_audit.facts.buffers import BufferPool, PriorityGroup
from fabric_audit.facts.profiles import BufferProfile
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, When, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.partial import kept, of_whole_lines
from fabric_audit.platforms.switches.sonic.buffers import pool_fact, profile_fact
from fabric_audit.platforms.switches.sonic.database import Entry
from fabric_audit.platforms.text import numbered

_TITLE = re.compile(r"(Pool|Profile) (\S+):")
_FIELD = re.compile(r"\s+(\w[\w ]*?)\s*:\s*(\S+)(?: bytes)?")
_FIELDS = {
    "shared head room": "xoff",
    "shared headroom": "xoff",
    "static_threshold": "static_th",
    "dynamic_threshold": "dynamic_th",
}


def _entries(text: str, kind: str) -> Iterator[Entry | Skipped]:
    entry: Entry | None = None
    for number, line in numbered(text):
        title, found = _TITLE.fullmatch(line.strip()), _FIELD.fullmatch(line)
        if title and title[1] == kind:
            yield from (entry,) if entry and entry.key else ()
            entry = Entry(title[2], number, {}, {})
        elif found and entry and _FIELDS.get(found[1], found[1]) in entry.fields:
            yield Skipped(number, line, f"the title of the next {kind}: {found[1]} stands twice")
            entry = Entry("", number, {}, {})  # of nobody knows which
        elif found and entry:
            name = _FIELDS.get(found[1], found[1])
            entry.fields[name] = found[2]  # type: ignore[index]  # its own mapping, still growing
            entry.lines[name] = number  # type: ignore[index]  # the same
        elif not is_noise(line):
            yield Skipped(number, line, f"{kind} NAME: and its fields")
    yield from (entry,) if entry and entry.key else ()
    if entry is None:
        yield Skipped(0, text.strip()[:200], f"{kind} NAME:")


@section(
    "show-buffer-pool",
    Cli('sonic-cli -c "show buffer pool | no-more"'),
    yields=(BufferPool,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_buffer_pool(output: Output) -> Iterator[Answer]:
    """``show buffer pool``: each pool with its fields; ``shared head room`` is what CONFIG_DB calls xoff."""
    yield from of_whole_lines(output.stdout, _pools, (BufferPool,), "there is no pool")


def _pools(text: str) -> Iterator[Answer]:
    for entry in _entries(text, "Pool"):
        yield from (entry,) if isinstance(entry, Skipped) else kept(pool_fact(entry))


@section(
    "show-buffer-profile",
    Cli('sonic-cli -c "show buffer profile | no-more"'),
    yields=(BufferProfile,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_buffer_profile(output: Output) -> Iterator[Answer]:
    """``show buffer profile``: each profile with its fields, in bytes."""
    yield from of_whole_lines(output.stdout, _profiles, (BufferProfile,), "there is no profile")


def _profiles(text: str) -> Iterator[Answer]:
    for entry in _entries(text, "Profile"):
        yield from (entry,) if isinstance(entry, Skipped) else kept(profile_fact(entry))


_HEADER = re.compile(r"Interface\s+Priority-group\s+Profile")
_ROW = re.compile(r"(\S+)\s+(\d)(?:-(\d))?\s+(\S+)")


@section(
    "show-buffer-interface-priority-group",
    Cli('sonic-cli -c "show buffer interface all priority-group | no-more"'),
    yields=(PriorityGroup,),
    proven=Provenance.DOCUMENT,
    when=When.REQUEST,
)
def show_buffer_interface_priority_group(output: Output) -> Iterator[Answer]:
    """``show buffer interface all priority-group``: which profile each priority group has; its name says lossless.

    A group that is not listed has no profile of its own.
    """
    yield from of_whole_lines(output.stdout, _groups, (PriorityGroup,), "no priority group has a profile")


def _groups(text: str) -> Iterator[Answer]:
    headed = False
    for number, line in numbered(text):
        row = _ROW.fullmatch(line.strip())
        if _HEADER.fullmatch(line.strip()):
            headed = True
        elif row and headed:
            port, first, last, profile = row.groups()
            lossless = "lossless" in profile or (False if "lossy" in profile else None)
            for group in range(int(first), int(last or first) + 1):
                yield PriorityGroup(port=port, pg=group, profile=profile, lossless=lossless, line=number)
        elif not is_noise(line) and not re.fullmatch(r"[- ]+", line):
            yield Skipped(number, line, "an interface, a priority group and its profile")
    if not headed:
        yield Skipped(0, text.strip()[:200], "Interface, Priority-group and Profile")

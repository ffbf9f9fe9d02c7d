"""Offloads, rings, channels and interrupt moderation of one interface as ``ethtool`` lists them."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Each, Output, Provenance, Run, Skipped, When, section
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole

_HEADING = re.compile(r"(?P<what>Features|Ring parameters|Channel parameters|Coalesce parameters) for (?P<port>\S+):")
_PAIR = re.compile(
    r"\s*(?P<name>[A-Za-z][\w /-]*):\s+"
    r"(?P<value>\d+|n/a|(?:on|off)(?: \[(?:fixed|requested on|requested off|not requested)\])?)"
)
_TWO = re.compile(r"(?P<name>Adaptive|CQE mode) +RX: (?P<rx>\S+) +TX: (?P<tx>\S+)")


@section(
    "ethtool-k",
    Each("netdevs", Run("ethtool", "-k", "{}")),
    yields=(NicSetting,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
)
@section(
    "ethtool-g",
    Each("netdevs", Run("ethtool", "-g", "{}")),
    yields=(NicSetting,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
)
@section(
    "ethtool-l",
    Each("netdevs", Run("ethtool", "-l", "{}")),
    yields=(NicSetting,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
)
@section(
    "ethtool-c",
    Each("netdevs", Run("ethtool", "-c", "{}")),
    yields=(NicSetting,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
)
def parse_settings(output: Output) -> Iterator[Answer]:
    """``ethtool -k``, ``-g``, ``-l`` or ``-c``: one row a setting, named as printed.

    They bear on packets that the kernel handles, not on RDMA. The values below ``Pre-set maximums`` are named
    ``max NAME``. ``n/a`` is a setting the driver does not have: no row. ``[fixed]`` stays part of the value.
    Source: ethtool ``netlink/{features,rings,channels,coalesce}.c``.
    """
    missing = tuple(refused(output, NicSetting))
    yield from missing or some(consistent(_settings(output)), output, "PARAMETERS for INTERFACE:")


def _settings(output: Output) -> Iterator[Answer]:
    port = source = ""
    prefix: str | None = ""  # None: not told yet whether of the maximums or of what is set
    for number, line in numbered(whole(output.stdout)):
        if found := _HEADING.fullmatch(line):
            port, source = found["port"], f"ethtool {found['what'].lower()}"
            prefix = None if found["what"] in ("Ring parameters", "Channel parameters") else ""
        elif line in ("Pre-set maximums:", "Current hardware settings:"):
            prefix = "max " if line.startswith("Pre-set") else ""
        elif port and (found := _TWO.fullmatch(line)):
            for side in ("rx", "tx"):
                yield from _row(
                    NicSetting(
                        line=number,
                        device=port,
                        name=f"{found['name']} {side.upper()}",
                        value=found[side],
                        source=source,
                    )
                )
        elif port and prefix is not None and (found := _PAIR.fullmatch(line)):
            yield from _row(
                NicSetting(line=number, device=port, name=prefix + found["name"], value=found["value"], source=source)
            )
        elif line:
            yield Skipped(number, line, "NAME: VALUE below a heading that names the interface")
    if prefix:
        raise ParseError(0, port, "Current hardware settings: below the maximums")
    yield from torn(output.stdout)


def _row(row: NicSetting) -> Iterator[NicSetting]:
    if row.value != "n/a":
        yield row

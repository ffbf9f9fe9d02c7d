"""Link, driver, pause and FEC settings of one interface as ``ethtool`` tells them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Interface
from fabric_audit.platforms.hosts.linux.iproute import objects, tells_json
from fabric_audit.platforms.hosts.linux.paths import PCI_ADDRESS
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.hosts.linux.sysfs import Value
from fabric_audit.platforms.model import Answer, Each, Output, Provenance, Run, Skipped, section
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.text import numbered, some, speed_bps, torn, whole, whole_rows

_ROW = re.compile(
    r"(?:Settings|Pause parameters|FEC parameters) for (?P<port>\S+):"
    r"|\s*Lane \d+:.*"
    r"|\s*(?P<key>[A-Za-z][\w /.()-]*?):(?:\s+(?P<value>.*))?"
    r"|\s+(?P<more>\S.*)"
)
_DIGIT = re.compile("[0-9]")
_MODE = re.compile(r"(\d+)base[\w-]+/(?:Full|Half)")


@dataclass(frozen=True, slots=True)
class Settings:
    """What ethtool printed about one interface: values by key, and the lines that are none."""

    port: str
    values: Mapping[str, Value]
    skipped: tuple[Skipped, ...]

    def text(self, key: str) -> str:
        """The value of a key; "" where it is missing."""
        return self.values[key].text if key in self.values else ""

    def line(self, key: str) -> int:
        """The line of a key; 0 where it is missing."""
        return self.values[key].line if key in self.values else 0


def settings(output: Output) -> Settings:
    """The ``key: value`` lines below a heading; a line without a colon goes on with the value before it.

    Raises:
        ParseError: the text belongs to another interface than was asked, or to several, or a key stands twice.
    """
    port, last = output.item, ""
    values: dict[str, Value] = {}
    skipped: list[Skipped] = []
    for number, line, found in whole_rows(numbered(whole(output.stdout)), _ROW, _DIGIT):
        if found is None or is_noise(line):
            skipped += [] if is_noise(line) else [Skipped(number, line, "KEY: VALUE")]
        elif found["port"]:
            if values or found["port"] != (port or found["port"]):
                raise ParseError(number, line, f"the settings of {port or 'one interface'} alone")
            port = found["port"]
        elif found["key"]:
            last = found["key"].strip()
            if values.setdefault(last, Value((found["value"] or "").strip(), number)).line != number:
                raise ParseError(number, line, f"{last} once")
        elif found["more"] and last:
            values[last] = Value(f"{values[last].text} {line.strip()}", values[last].line)
    if not port:
        raise ParseError(0, output.stdout.strip(), "a heading that names the interface")
    return Settings(port, values, (*skipped, *torn(output.stdout)))


def whether(told: Settings, key: str, words: Mapping[str, bool]) -> bool | None:
    """The truth of a value that is one of ``words``; None where the key is missing or ``n/a``.

    Raises:
        ParseError: the value is another word.
    """
    word = told.text(key)
    if word in ("", "n/a"):
        return None
    if word not in words:
        raise ParseError(told.line(key), f"{key}: {word}", f"one of {', '.join(words)}")
    return words[word]


ON_OFF: Mapping[str, bool] = {"on": True, "off": False}
YES_NO: Mapping[str, bool] = {"yes": True, "no": False}


@section("ethtool", Each("netdevs", Run("ethtool", "{}")), yields=(Interface,), proven=Provenance.FIELD)
def parse_ethtool(output: Output) -> Iterator[Answer]:
    """``ethtool IF``, plain or ``--json``: speed, supported speeds, negotiation, and whether a link is detected.

    ``Unknown!`` stands for a speed that is not known: the link is down, or the interface is virtual. Versions since
    5.6 append why the link is down: ``no (No cable)``. Without root some lines are missing; none of them is read.
    Source: ethtool ``netlink/settings.c``.
    """
    missing = tuple(refused(output, Interface))
    yield from missing or some(_link(output), output, "Settings for INTERFACE:")


def _link(output: Output) -> Iterator[Answer]:
    if tells_json(output.stdout):
        for one in objects(output.stdout, "a list of interfaces"):
            yield _link_of_json(one)
        return
    told = settings(output)
    yield from told.skipped
    yield _link_of_text(told)


def _link_of_json(one: Mapping[str, Any]) -> Interface:
    port, modes, speed = one.get("ifname"), one.get("supported-link-modes"), one.get("speed")
    link, autoneg = one.get("link-detected"), one.get("auto-negotiation")
    if not isinstance(port, str) or not isinstance(link, bool):
        raise ParseError(0, str(dict(one)), "an interface with ifname and link-detected")
    return Interface(
        port=port,
        oper_up=link,
        speed_bps=speed * 10**6 if type(speed) is int and speed > 0 else None,
        max_speed_bps=_fastest(" ".join(map(str, modes)) if isinstance(modes, list) else ""),
        autoneg=autoneg if isinstance(autoneg, bool) else None,
        down_reason=str(one["link-state"]) if one.get("link-state") else None,
    )


def _link_of_text(told: Settings) -> Interface:
    found = re.fullmatch(r"(?P<word>yes|no)(?: \((?P<reason>.*)\))?", told.text("Link detected"))
    if not found:
        raise ParseError(told.line("Link detected"), told.text("Link detected"), "Link detected: yes or no")
    return Interface(
        line=told.line("Link detected"),
        port=told.port,
        oper_up=YES_NO[found["word"]],
        speed_bps=speed_bps(told.text("Speed"), told.line("Speed")),
        max_speed_bps=_fastest(told.text("Supported link modes")),
        autoneg=whether(told, "Auto-negotiation", ON_OFF),
        down_reason=found["reason"],
    )


def _fastest(modes: str) -> int | None:
    speeds = [int(megabits) * 10**6 for megabits in _MODE.findall(modes)]
    return max(speeds, default=None)


@section("ethtool-i", Each("netdevs", Run("ethtool", "-i", "{}")), yields=(Interface,), proven=Provenance.FIELD)
def parse_driver(output: Output) -> Iterator[Answer]:
    """``ethtool -i IF``: driver, its firmware version and the PCI address of the function.

    ``bus-info`` is no PCI address for devices on other buses. The text does not name its interface.
    Source: ethtool ``ethtool.c``, ``dump_drvinfo``.
    """
    missing = tuple(refused(output, Interface))
    yield from missing or some(_driver(output), output, "driver: NAME")


def _driver(output: Output) -> Iterator[Answer]:
    told = settings(output if output.item else Output(output.stdout, item="unnamed"))
    yield from told.skipped
    if not told.text("driver") or "bus-info" not in told.values:
        raise ParseError(told.line("driver"), output.stdout.strip(), "driver: NAME ... bus-info: ADDRESS")
    joined = next((value for value in told.values.values() if re.search(r"[a-z]:(?: |$)", value.text)), None)
    if joined:
        raise ParseError(joined.line, joined.text, "one value a line")
    bus = told.text("bus-info")
    yield Interface(
        line=told.line("driver"),
        port=output.item,
        driver=told.text("driver"),
        firmware=told.text("firmware-version").replace("N/A", "") or None,
        pci=bus if re.fullmatch(PCI_ADDRESS, bus) else None,
    )

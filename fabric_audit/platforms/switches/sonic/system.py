"""What a SONiC switch is and runs."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.system import System
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.text import numbered, whole

_LINE = re.compile(r"(SONiC Software Version|Kernel|Platform|HwSKU|Serial Number|Uptime):\s*(.*)")
_UNTOLD = ("", "N/A")
_UP = re.compile(r".* up +(?:(\d+) days?(?:, +|(?=,)))?(?:(\d+):(\d\d)|(\d+) min)?, +\d+ users?,.*")
_DAYS = re.compile(r"(\d+) days?")


@section("show-version", Cli("show version"), yields=(System,), proven=Provenance.DOCUMENT)
def show_version(output: Output) -> Iterator[Answer]:
    """``show version``: image, kernel, model and serial number. It does not tell the host name.

    The model is ``HwSKU``, as in CONFIG_DB; ``Model Number``, the vendor's own, is not told by older images. Of
    ``Uptime`` both spellings are read, ``17:47:47 up 50 min,  1 user`` and ``62 days``. The table of Docker images
    below says nothing of the switch.

    Source: sonic-utilities show/main.py, version.
    """
    told: dict[str, tuple[str, int]] = {}
    for number, line in numbered(whole(output.stdout)):
        found = _LINE.match(line.strip())
        if found and found[2] not in _UNTOLD:
            told.setdefault(found[1], (found[2], number))
    if "SONiC Software Version" not in told:
        raise ParseError(0, output.stdout.strip()[:200], "SONiC Software Version: ...")
    version, at = told["SONiC Software Version"]
    yield System(
        name="",
        os="sonic",
        os_version=version.removeprefix("SONiC."),
        kernel=_value(told, "Kernel"),
        model=_value(told, "HwSKU"),
        serial=_value(told, "Serial Number"),
        uptime_s=_seconds(_value(told, "Uptime") or ""),
        line=at,
    )


def _value(told: dict[str, tuple[str, int]], name: str) -> str | None:
    return told[name][0] if name in told else None


def _seconds(text: str) -> float | None:
    """Seconds of ``1 day, 18:08``, ``50 min`` or ``62 days``; None where neither is told."""
    found, whole_days = _UP.fullmatch(text), _DAYS.fullmatch(text)
    if whole_days:
        return float(int(whole_days[1]) * 86_400)
    if not found or not any(found.groups()):
        return None
    days, hours, minutes, alone = (int(part or 0) for part in found.groups())
    return float(days * 86_400 + hours * 3_600 + (minutes + alone) * 60)

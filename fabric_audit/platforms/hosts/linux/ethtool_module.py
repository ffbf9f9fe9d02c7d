"""The pluggable module of one interface as ``ethtool -m`` tells it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Transceiver
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.hosts.linux.sysfs import Value
from fabric_audit.platforms.model import Answer, Each, Output, Provenance, Run, Skipped, section
from fabric_audit.platforms.text import numbered, torn, whole

_LANE = re.compile(r"(?P<what>.+?) ?\((?:Channel|Chan|Lane) (?P<lane>\d+)\)")
_OF_LANE = re.compile(r"\((?:Channel|Chan|Lane) \d+\)")
_DBM = re.compile(r"-?\d+\.\d+ mW / (?P<dbm>-?(?:\d+\.\d+|inf)) dBm")
_RAISABLE = re.compile(r"\b(?:alarm|warning|loss of|fault)\b(?! flags)")
_SECOND = re.compile(r"\s:\s")
_FLAG = re.compile(r"On|Off|None|Yes|No|\[ (?:Yes|No)(?:, (?:Yes|No))* \]")
_RX = ("Rcvr signal avg optical power", "Receiver signal average optical power", "Receiver signal OMA")
_TX = ("Transmit avg optical power", "Laser output power")


@dataclass(slots=True)
class _Module:
    """What was told of one module; ``lanes`` holds values per lane by key, and by lane below it."""

    values: dict[str, Value] = field(default_factory=dict)
    lanes: dict[str, dict[int, Value]] = field(default_factory=dict)
    whole: bool = True  # False once a line of a lane is lost
    flags: dict[str, bool] = field(default_factory=dict)

    def text(self, *keys: str) -> str | None:
        return next((self.values[key].text for key in keys if key in self.values and self.values[key].text), None)


@section(
    "ethtool-m",
    Each("netdevs", Run("ethtool", "-m", "{}", root=True)),
    yields=(Transceiver,),
    proven=Provenance.DOCUMENT,
)
def parse_module(output: Output) -> Iterator[Answer]:
    """``ethtool -m IF``: the module's name plate, temperature and light, of SFF-8472, SFF-8636 and CMIS modules.

    Light is told per lane, and as ``-inf dBm`` where there is none; a module without lanes has one value. Passive
    copper has no light, and no thermometer: zeros, which mean nothing. A flag is raised where a line that names an
    alarm, a warning or a loss says ``On`` or ``Yes``. The text does not name its interface. Reading the module
    needs root, and fails for interfaces without a cage. Source: ethtool ``sff-common.c``, ``qsfp.c``, ``cmis.c``.
    """
    missing = tuple(refused(output, Transceiver))
    if missing:
        yield from missing
        return
    module = _Module()
    for number, line in numbered(whole(output.stdout)):
        key, colon, value = line.partition(":")
        if colon and key.strip() and (not value or value[0].isspace()) and not _SECOND.search(value):
            _take(module, key.strip(), Value(value.strip(), number))
        elif line:
            module.whole = module.whole and not _OF_LANE.search(line)
            yield Skipped(number, line, "KEY : VALUE")
    if "Identifier" not in module.values:
        raise ParseError(0, output.stdout.strip(), "Identifier : 0xNN (FORM)")
    cut = tuple(torn(output.stdout))
    if cut:
        module.flags.clear()  # those behind the cut may be raised
        module.whole = False
    if not module.whole:
        module.lanes.clear()
    yield from _incomplete(module)
    yield _transceiver(output.item, module)
    yield from cut


def _incomplete(module: _Module) -> Iterator[Skipped]:
    """Drop and tell what is not known of all lanes."""
    most = max((len(lanes) for lanes in module.lanes.values()), default=0)
    for key, lanes in tuple(module.lanes.items()):
        if len(lanes) < most or max(lanes) - min(lanes) >= most:
            del module.lanes[key]
            yield Skipped(next(iter(lanes.values())).line, key, f"{most} lanes, none left out")


def _take(module: _Module, key: str, value: Value) -> None:
    lane = _LANE.fullmatch(key)
    if lane:
        module.lanes.setdefault(lane["what"].strip(), {}).setdefault(int(lane["lane"]), value)
    else:
        module.values.setdefault(key, value)
    if _RAISABLE.search(key) and _FLAG.fullmatch(value.text):
        name = re.sub(r"\s+", " ", key)
        module.flags[name] = module.flags.get(name, False) or "On" in value.text or "Yes" in value.text


def _transceiver(port: str, module: _Module) -> Transceiver:
    passive = _passive(module)
    form = re.search(r"\((.*)\)$", module.values["Identifier"].text)
    told_flags = bool(module.flags) and not passive
    state = re.search(r"\((\w+)\)$", module.text("Module State") or "")
    return Transceiver(
        line=module.values["Identifier"].line,
        port=port,
        part=module.text("Vendor PN"),
        vendor=module.text("Vendor name"),
        serial=module.text("Vendor SN"),
        form=form[1] if form else None,
        passive=passive,
        length_m=_length(module),
        module_state=state[1] if state else None,
        temperature_c=None if passive else _temperature(module.values.get("Module temperature")),
        rx_power_dbm=None if passive else _light(module, _RX),
        tx_power_dbm=None if passive else _light(module, _TX),
        alarms=",".join(name for name, raised in module.flags.items() if raised) if told_flags else None,
    )


def _passive(module: _Module) -> bool | None:
    told = (module.text(key) for key in ("Transmitter technology", "Transceiver type", "Connector"))
    words = " ".join(filter(None, told))
    if "Passive Cu cmplnce." in module.values or re.search(
        r"[Cc]opper cable,? (?:unequalized|passive)|Passive C(?:able|u)|passive copper", words
    ):
        return True
    return False if re.search(r"VCSEL|DFB|EML|FP\b|laser|[Aa]ctive|Optic|\bSR|\bLR|\bDR|\bFR", words) else None


def _length(module: _Module) -> float | None:
    found = re.match(
        r"(\d+(?:\.\d+)?) ?m\b", module.text("Cable assembly length", "Length (Copper or Active cable)") or ""
    )
    return float(found[1]) if found and float(found[1]) else None


def _temperature(value: Value | None) -> float | None:
    if value is None:
        return None
    found = re.match(r"(-?\d+\.\d+) degrees C", value.text)
    if not found:
        raise ParseError(value.line, value.text, "NN.NN degrees C / NN.NN degrees F")
    return float(found[1]) or None


def _light(module: _Module, keys: tuple[str, ...]) -> str | None:
    for key in keys:
        lanes = module.lanes.get(key, {})
        if key in module.values:
            return _dbm(module.values[key])
        if lanes:
            return ",".join(_dbm(lanes[lane]) for lane in sorted(lanes))
    return None


def _dbm(value: Value) -> str:
    found = _DBM.fullmatch(value.text)
    if not found:
        raise ParseError(value.line, value.text, "N.NNNN mW / N.NN dBm")
    return found["dbm"]

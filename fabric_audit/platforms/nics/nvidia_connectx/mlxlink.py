"""State, error rates and module of a ConnectX port as ``mlxlink`` prints them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.facts.counters import Counter
from fabric_audit.facts.ports import Transceiver
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.platforms.counter_meanings import counter_fact, counter_tables
from fabric_audit.platforms.hosts.linux.iproute import tells_json
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import (
    Answer,
    Each,
    Missing,
    Output,
    Provenance,
    Run,
    Skipped,
    Why,
    section,
)
from fabric_audit.platforms.text import decimal, json_document, mapping, numbered, torn, whole

_FAILED = re.compile(r"-E- (?P<words>.*)")
_SETTINGS = (
    *("State", "Physical state", "Speed", "Width", "FEC", "Loopback Mode", "Auto Negotiation"),
    *("Status Opcode", "Recommendation"),
)
_LANE_GBPS = {"SDR": 2.5, "DDR": 5, "QDR": 10, "FDR10": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100, "XDR": 200}
_COUNTERS = ("Effective Physical Errors", "Symbol Errors", "Link Down Counter", "Link Error Recovery Counter")
_NO_ERRORS = "15E-255"
_PER_LANE = "Raw Physical Errors Per Lane"


@dataclass(frozen=True, slots=True)
class _Value:
    text: str
    line: int | None


_Told = Mapping[str, _Value]


@section(
    "mlxlink",
    Each("rdma_devices", Run("mlxlink", "-d", "{}", "-m", "-c", "--json", root=True)),
    yields=(RdmaPort, Transceiver, Counter, NicSetting),
    proven=Provenance.FIELD,
    timeout_s=30.0,
)
def parse_mlxlink(output: Output) -> Iterator[Answer]:
    """``mlxlink -d DEV -m -c``: link state, FEC, bit error rates, module; ``--json`` or ``key : value`` with colours.

    ``Raw Physical BER`` is before correction, ``Effective Physical BER`` after it; ``15E-255`` is the tool's word for
    no errors. Its counters count since the last clear. A passive copper cable has neither light nor a temperature and
    reports zeros, or LOS: these values are left out. ``Speed`` is ``400G`` on Ethernet and ``IB-NDR`` on InfiniBand,
    whose rate follows from the width. A state other than Active is told as DOWN. Values in brackets behind
    a measurement are thresholds. Source: mstflint ``mlxlink/modules/mlxlink_commander.cpp``, NVIDIA MFT manual
    "mlxlink Utility".
    """
    document = json_document(output.stdout) if tells_json(output.stdout) else None
    missing = tuple(refused(output, Transceiver)) or tuple(_failure(output, document))
    if missing:
        yield from missing
        return
    told, skipped = _of_text(output.stdout) if document is None else _of_json(document)
    if "State" not in told or len(skipped) > len(told):
        first = next(((n, line) for n, line in numbered(output.stdout) if line), (0, ""))
        raise ParseError(*first, "State : STATE below Operational Info")
    yield _rdma_port(told, output.item)
    for name in _SETTINGS:
        if name in told and told[name].text not in ("", "N/A"):
            one = told[name]
            yield NicSetting(device=output.item, name=name, value=one.text, source="mlxlink", line=one.line)
    yield from _counters(told, f"{output.item}/1" if output.item else "")
    yield from _transceiver(told, output.item)
    yield from skipped


def _failure(output: Output, document: Any) -> Iterator[Missing]:
    found = _FAILED.search(output.stdout) or _FAILED.search(output.stderr)
    words = found["words"].strip() if found else _status(document)
    if words:
        denied = re.search(r"permission|root|privilege", words, re.IGNORECASE)
        yield Missing("transceiver", Why.NOT_COLLECTED if denied else Why.NOT_SUPPORTED, words)


def _status(document: Any) -> str:
    """The message of JSON whose status is not 0; "" for everything else."""
    status = document.get("status") if isinstance(document, dict) else None
    if not isinstance(status, dict) or status.get("code") in (0, "0", None):
        return ""
    return str(status.get("message") or status)


def _of_text(text: str) -> tuple[_Told, list[Skipped]]:
    told: dict[str, _Value] = {}
    twice: set[str] = set()
    skipped: list[Skipped] = []
    lines = [(number, line) for number, line in numbered(whole(text)) if line]
    for (number, line), (_, below) in pairwise([*lines, (0, "")]):
        key, colon, text_after = line.partition(" :")
        if colon and line[0] != " ":
            value = _Value(text_after.strip(), number)
            if told.setdefault(key.rstrip(), value).text != value.text:
                skipped.append(Skipped(number, line, f"{key.rstrip()} once: neither counts"))
                twice.add(key.rstrip())
        elif not re.fullmatch(r"-{3,}", line) and not re.fullmatch(r"-{3,}", below):
            skipped.append(Skipped(number, line, "KEY : VALUE"))
    return {key: value for key, value in told.items() if key not in twice}, [*skipped, *torn(text)]


def _of_json(document: Any) -> tuple[_Told, list[Skipped]]:
    result = mapping(document, "the JSON object of mlxlink").get("result")
    blocks = mapping(result, "result").get("output") if isinstance(result, dict) else None
    told: dict[str, _Value] = {}
    for block in mapping(blocks, "result and output of mlxlink").values():
        for key, value in block.items() if isinstance(block, dict) else ():
            told.setdefault(key, _Value(_text(value), None))
    return told, []


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("values", "")
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _rdma_port(told: _Told, device: str) -> RdmaPort:
    state = told["State"]
    physical = told.get("Physical state")
    return RdmaPort(
        device=device,
        port=1,
        state="ACTIVE" if state.text == "Active" else "DOWN",
        physical_state=physical.text if physical and physical.text != "N/A" else None,
        rate_bps=_rate(told),
        line=state.line,
    )


def _rate(told: _Told) -> int | None:
    speed, width = (told[name].text if name in told else "" for name in ("Speed", "Width"))
    ethernet = re.fullmatch(r"([0-9]{1,4}(?:\.5)?)(?:G|GbE)(?:_[0-9]X)?", speed)
    if ethernet:
        return round(float(ethernet[1]) * 10**9)
    infiniband = re.fullmatch(r"IB-(\w+)", speed)
    lanes = re.fullmatch(r"([0-9]{1,2})x", width)
    if infiniband and lanes and infiniband[1] in _LANE_GBPS:
        return round(_LANE_GBPS[infiniband[1]] * int(lanes[1]) * 10**9)
    return None


def _counters(told: _Told, port: str) -> Iterator[Answer]:
    table = counter_tables()["mlxlink"]
    named = [(name, told[name]) for name in _COUNTERS if name in told]
    lanes = told[_PER_LANE].text.split(",") if _PER_LANE in told else []
    width = re.fullmatch(r"([0-9]{1,2})x", told["Width"].text) if "Width" in told else None
    if lanes and width and len(lanes) != int(width[1]):
        yield Skipped(told[_PER_LANE].line or 0, told[_PER_LANE].text, f"{_PER_LANE}: {width[1]} values")
        lanes = []
    named += [(f"Raw Physical Errors Lane {n}", _Value(text, told[_PER_LANE].line)) for n, text in enumerate(lanes)]
    for name, one in named:
        if re.fullmatch(r"[0-9]{1,20}", one.text):
            made = counter_fact(
                table.meaning(name), port=port, name=name, value=int(one.text), source="mlxlink", line=one.line
            )
            yield replace(made, scope="since_clear")
        elif one.text not in ("N/A", ""):
            yield Skipped(one.line or 0, f"{name} {one.text}", f"a number for {name}")


def _transceiver(told: _Told, port: str) -> Iterator[Answer]:
    if not {"Cable Type", "Cable Technology", "Identifier", "Vendor Name", "Raw Physical BER"} & set(told):
        yield Missing("transceiver", Why.ABSENT, "neither Module Info nor Physical Counters and BER Info")
        return
    passive = _passive(told)
    downs = told.get("Link Down Counter", _Value("", None)).text
    yield Transceiver(
        port=port,
        part=_word(told, "Vendor Part Number"),
        vendor=_word(told, "Vendor Name"),
        passive=passive,
        temperature_c=_measure(told, "Temperature [C]") if passive is False else None,
        rx_power_dbm=_per_lane(told, "Rx Power Current [dBm]") if passive is False else None,
        tx_power_dbm=_per_lane(told, "Tx Power Current [dBm]") if passive is False else None,
        pre_fec_ber=_measure(told, "Raw Physical BER"),
        post_fec_ber=_measure(told, "Effective Physical BER"),
        link_downs=int(downs) if re.fullmatch(r"[0-9]{1,20}", downs) else None,
        line=told["State"].line,
    )


def _passive(told: _Told) -> bool | None:
    kind, technology = (told[name].text.lower() if name in told else "" for name in ("Cable Type", "Cable Technology"))
    if "passive" in f"{kind} {technology}" or technology == "copper cable unequalized":
        return True
    return False if kind not in ("", "n/a") else None


def _word(told: _Told, name: str) -> str | None:
    text = told[name].text if name in told else ""
    return text if text not in ("", "N/A") else None


def _measure(told: _Told, name: str) -> float | None:
    text = re.sub(r"\s*\[.*\]$|C$", "", told[name].text) if name in told else ""
    if text == _NO_ERRORS:
        return 0.0
    try:
        return decimal(text, 0)
    except ParseError:
        return None


def _per_lane(told: _Told, name: str) -> str | None:
    text = re.sub(r"\s*\[.*\]$", "", told[name].text) if name in told else ""
    return text if re.fullmatch(r"-?[0-9.]+(?:,-?[0-9.]+)*", text) else None

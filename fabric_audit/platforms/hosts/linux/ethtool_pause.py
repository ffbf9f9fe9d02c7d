"""802.3x pause and FEC of one interface, set and counted, as ``ethtool`` tells them."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.ports import Interface
from fabric_audit.platforms.hosts.linux.ethtool import ON_OFF, Settings, settings, whether
from fabric_audit.platforms.hosts.linux.iproute import objects, tells_json
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Each, Output, Provenance, Run, When, section
from fabric_audit.platforms.text import integer, readable, some

_CLASSES = {
    "tx_pause_frames": CounterClass.PAUSE_SENT,
    "rx_pause_frames": CounterClass.PAUSE_RECEIVED,
    "corrected_blocks": CounterClass.QUALITY,
    "corrected_bits": CounterClass.QUALITY,
    "uncorrectable_blocks": CounterClass.WIRE_ERROR,
}
_FEC_WORDS = {"None": "none", "Off": "none", "BaseR": "fc", "RS": "rs", "LLRS": "llrs", "Auto": "auto"}
"""BaseR is the fire code of IEEE 802.3 clause 74, RS Reed-Solomon of clauses 91 and 134, LLRS low-latency RS."""


@section(
    "ethtool-a", Each("netdevs", Run("ethtool", "-a", "{}")), yields=(Interface, Counter), proven=Provenance.DOCUMENT
)
@section(
    "ethtool-a-stats",
    Each("rdma_netdevs", Run("ethtool", "-I", "-a", "{}")),
    yields=(Interface, Counter),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_pause(output: Output) -> Iterator[Answer]:
    """``ethtool -a IF``, with ``-I`` or without, plain or ``--json``: global pause of IEEE 802.3 annex 31B.

    ``RX negotiated`` stands only where pause is negotiated and then is what is in force; else ``RX`` is. With
    ``-I`` (ethtool 5.10) the frames are counted. Virtual interfaces do not support it.
    Source: ethtool ``netlink/pause.c``.
    """
    missing = tuple(refused(output, Interface))
    yield from missing or some(_pause(output), output, "Pause parameters for INTERFACE:")


def _pause(output: Output) -> Iterator[Answer]:
    if tells_json(output.stdout):
        for one in objects(output.stdout, "a list of pause parameters"):
            yield _pause_of_json(one)
            yield from _counters_of_json(one, "ethtool -a")
        return
    told = settings(output)
    yield from told.skipped
    yield _pause_of_text(told)
    yield from _counters_of_text(told, "ethtool -a")


def _pause_of_json(one: Mapping[str, Any]) -> Interface:
    in_force = one.get("negotiated") if isinstance(one.get("negotiated"), dict) else one
    port, autoneg = one.get("ifname"), one.get("autonegotiate")
    rx, tx = (in_force or {}).get("rx"), (in_force or {}).get("tx")
    if not isinstance(port, str) or not isinstance(rx, bool) or not isinstance(tx, bool):
        raise ParseError(0, str(dict(one)), "pause parameters with ifname, rx and tx")
    return Interface(
        port=port,
        link_pause_rx=rx,
        link_pause_tx=tx,
        pause_autoneg=autoneg if isinstance(autoneg, bool) else None,
    )


def _pause_of_text(told: Settings) -> Interface:
    if not {"RX", "TX"} <= told.values.keys():
        raise ParseError(0, f"Pause parameters for {told.port}", "RX and TX")
    negotiated = " negotiated" if "RX negotiated" in told.values else ""
    autoneg = whether(told, "Autonegotiate", ON_OFF)
    lost = autoneg and not negotiated and told.skipped
    return Interface(
        line=told.line(f"RX{negotiated}"),
        port=told.port,
        link_pause_rx=None if lost else whether(told, f"RX{negotiated}", ON_OFF),
        link_pause_tx=None if lost else whether(told, f"TX{negotiated}", ON_OFF),
        pause_autoneg=autoneg,
    )


def _counters_of_json(one: Mapping[str, Any], source: str) -> Iterator[Answer]:
    statistics = one.get("statistics")
    for name, value in statistics.items() if isinstance(statistics, dict) else ():
        total = value.get("total") if isinstance(value, dict) else value
        if name in _CLASSES and type(total) is int:
            yield _counter(str(one.get("ifname")), name, total, source, 0)


def _counters_of_text(told: Settings, source: str) -> Iterator[Answer]:
    for name in _CLASSES:
        if name in told.values:
            yield from readable(partial(_counter_of_text, told, name, source))


def _counter_of_text(told: Settings, name: str, source: str) -> Counter:
    total = re.sub(r" \[ per_lane:.*\]$", "", told.text(name))
    return _counter(told.port, name, integer(total, told.line(name)), source, told.line(name))


def _counter(port: str, name: str, value: int | None, source: str, line: int) -> Counter:
    return Counter(
        line=line or None,
        port=port,
        name=name,
        value=value,
        counter_class=_CLASSES[name],
        unit="frames" if "frames" in name else name.split("_")[1],
        bits=64,
        saturates=False,
        scope="absolute",
        source=source,
    )


@section(
    "ethtool-fec",
    Each("netdevs", Run("ethtool", "--show-fec", "{}")),
    yields=(Interface, Counter),
    proven=Provenance.DOCUMENT,
)
@section(
    "ethtool-fec-stats",
    Each("rdma_netdevs", Run("ethtool", "-I", "--show-fec", "{}")),
    yields=(Interface, Counter),
    proven=Provenance.DOCUMENT,
    when=When.COUNTERS,
)
def parse_fec(output: Output) -> Iterator[Answer]:
    """``ethtool --show-fec IF``, with ``-I`` or without, plain or ``--json``: FEC set and in use.

    Versions before 5.18 write ``Configured``, newer ones ``Supported/Configured FEC encodings``: drivers disagree on
    which of the two they list, so what is in use is ``Active``. With ``-I`` blocks are counted, in total and per
    lane; corrected ones tell of quality, uncorrectable ones of loss. Source: ethtool ``netlink/fec.c``.
    """
    missing = tuple(refused(output, Interface))
    yield from missing or some(_fec(output), output, "FEC parameters for INTERFACE:")


def _fec(output: Output) -> Iterator[Answer]:
    if tells_json(output.stdout):
        for one in objects(output.stdout, "a list of FEC parameters"):
            yield _fec_of_json(one)
            yield from _counters_of_json(one, "ethtool --show-fec")
        return
    told = settings(output)
    yield from told.skipped
    yield _fec_of_text(told)
    yield from _counters_of_text(told, "ethtool --show-fec")


def _fec_of_json(one: Mapping[str, Any]) -> Interface:
    port, configured, active = one.get("ifname"), one.get("config"), one.get("active")
    if not isinstance(port, str) or not isinstance(active, list):
        raise ParseError(0, str(dict(one)), "FEC parameters with ifname and active")
    words = list(map(str, configured)) if isinstance(configured, list) else []
    return Interface(port=port, fec_mode=_words(words, 0), fec_oper=_words(list(map(str, active)), 0))


def _fec_of_text(told: Settings) -> Interface:
    key = next((key for key in told.values if key.endswith("onfigured FEC encodings")), "")
    active = next((key for key in told.values if key.startswith("Active FEC encoding")), "")
    if not key or not active:
        raise ParseError(0, f"FEC parameters for {told.port}", "Configured FEC encodings and Active FEC encoding")
    return Interface(
        line=told.line(active),
        port=told.port,
        fec_mode=_words(told.text(key).split(), told.line(key)),
        fec_oper=_words(told.text(active).split(), told.line(active)),
    )


def _words(words: list[str], line: int) -> str | None:
    unknown = [word for word in words if word not in _FEC_WORDS]
    if unknown:
        raise ParseError(line, " ".join(words), f"FEC encodings of {', '.join(_FEC_WORDS)}")
    told = [_FEC_WORDS[word] for word in words]
    return "auto" if "auto" in told else ",".join(told) or None

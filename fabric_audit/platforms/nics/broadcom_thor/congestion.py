"""Congestion control of Broadcom NICs, from configfs and debugfs of the driver bnxt_re."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabric_audit.facts.congestion import CongestionControl, CongestionSetting, NicSetting
from fabric_audit.platforms.hosts.linux.paths import PCI_ADDRESS
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.model import Answer, Files, Output, Provenance, Skipped, section
from fabric_audit.platforms.text import numbered, some, torn, whole

_CONFIG = "/sys/kernel/config/bnxt_re"
_DEBUG = "/sys/kernel/debug/bnxt_re"
_CONFIG_ROW = re.compile(rf"{_CONFIG}/(?P<port>[\w.-]+)/ports/[0-9]+/cc/(?P<name>\w+):(?P<content>.*)")
_DEBUG_ROW = re.compile(rf"{_DEBUG}/(?P<port>{PCI_ADDRESS}|[\w.-]+)/cc_config/(?P<name>\w+):(?P<content>.*)")
_INFO_ROW = re.compile(rf"{_DEBUG}/(?P<port>{PCI_ADDRESS}|[\w.-]+)/info:(?P<content>.*)")
_OWNER = re.compile(r"\s*fw_service_prof_type_sup\s*:\s*(?P<value>[01])")
_APPLY = re.compile(r"(?P<name>\w+)=(?P<value>0x[0-9a-f]{1,16}|[0-9]{1,10})\s+# [^:]*:\s*(?P<words>.*)")
_NUMBER = re.compile(r"0x[0-9a-f]{1,8}|[0-9]{1,10}")
_NAMES = {
    "alt_vlan_dscp": "cnp_dscp",
    "cnp_prio": "cnp_priority",
    "alt_vlan_pcp": "cnp_priority",
    "min_time_bet_cnp": "min_time_between_cnps_us",
    "tos_dscp": "roce_dscp",
    "tos_ecn": "ecn_marking",
    "ecn_enable": "enable_cc",
    "roce_prio": "roce_priority",
    "run_avg_weight_g": "g",
}
_TABLES = ("dcn", "ext_settings", "advanced")
_EXPECTED = f"{_CONFIG}/DEVICE/ports/1/cc/NAME:NUMBER"


@dataclass(slots=True)
class _Port:
    source: str
    settings: dict[str, tuple[int, int]] = field(default_factory=dict)
    mode: str = ""
    contradicted: set[str] = field(default_factory=set)


@section(
    "bnxt-cc",
    Files(f"{_CONFIG}/*/ports/*/cc/*", f"{_DEBUG}/*/cc_config/*", f"{_DEBUG}/*/info", root=True),
    yields=(CongestionControl, CongestionSetting, NicSetting),
    proven=Provenance.CONSTRUCTED,
)
def parse_bnxt_cc(output: Output) -> Iterator[Answer]:
    """``/sys/kernel/config/bnxt_re/DEV/ports/1/cc/`` and ``/sys/kernel/debug/bnxt_re/PCI/cc_config/``.

    The folder in configfs is there only where a script made it and left it; making it would change the machine. The
    kernel's own driver has debugfs since 6.15, by PCI address. Numbers are hexadecimal in configfs, decimal in
    debugfs, and told in decimal. ``apply`` prints all of them at once, with the mode in words.

    ``enable_cc`` (``ecn_enable``) switches the reaction point. ``cc_mode`` 0 is DCQCN with deterministic reduction.
    1 is DCQCN with probabilistic reduction on Thor, but TCP-like on older chips, so without the words of ``apply``
    the algorithm stays unknown. Where the firmware keeps priorities and DSCPs (``fw_service_prof_type_sup`` 1), APP
    entries of DCB decide about the CNP's DSCP. Source: Broadcom bnxt_re ``configfs.c``, Linux
    ``drivers/infiniband/hw/bnxt_re/debugfs.c``.
    """
    missing = tuple(nothing_matched(output, "no folder of bnxt_re in configfs or debugfs", CongestionControl))
    yield from missing or some(_answers(output.stdout), output, _EXPECTED)


def _answers(text: str) -> Iterator[Answer]:
    ports: dict[str, _Port] = {}
    for number, line in numbered(whole(text)):
        row = _CONFIG_ROW.fullmatch(line) or _DEBUG_ROW.fullmatch(line)
        info = _INFO_ROW.fullmatch(line)
        owner = _OWNER.fullmatch(info["content"]) if info else None
        if row and row["name"] not in _TABLES:
            source = "configfs" if line.startswith(_CONFIG) else "debugfs cc_config"
            port = ports.setdefault(row["port"], _Port(source))
            if not _take(port, row["name"], row["content"].strip(), number):
                yield Skipped(number, line, _EXPECTED)
        elif info and owner:
            yield NicSetting(
                device=info["port"],
                name="fw_service_prof_type_sup",
                value=owner["value"],
                source="debugfs info",
                line=number,
            )
        elif line and not row and not info:
            yield Skipped(number, line, _EXPECTED)
    yield from torn(text)
    for name, port in ports.items():
        yield from _facts(name, port)


def _take(port: _Port, name: str, content: str, line: int) -> bool:
    """Keep one value; False where it is none, or another one than before: then neither counts."""
    applied = _APPLY.fullmatch(content) if name == "apply" else None
    if applied:
        port.mode = applied["words"] if applied["name"] == "cc_mode" else port.mode
        name, content = applied["name"], applied["value"]
    elif name == "apply":
        return not content or ":" in content
    if not _NUMBER.fullmatch(content):
        return False
    setting = _NAMES.get(name, name)
    value = int(content, 16 if content.startswith("0x") else 10)
    if port.settings.setdefault(setting, (value, line))[0] != value:
        port.contradicted.add(setting)
    return setting not in port.contradicted


def _facts(name: str, port: _Port) -> Iterator[Answer]:
    for setting in port.contradicted:
        del port.settings[setting]
    enabled, line = port.settings.get("enable_cc", (None, None))
    yield CongestionControl(
        port=name,
        priority=-1,
        algorithm=_algorithm(port, enabled),
        reaction_point=None if enabled is None else enabled != 0,
        source=port.source,
        line=line,
    )
    for setting, (value, at) in port.settings.items():
        yield CongestionSetting(port=name, name=setting, value=str(value), source=port.source, line=at)


def _algorithm(port: _Port, enabled: int | None) -> str:
    if enabled == 0:
        return "none"
    if port.mode.startswith("DCQCN") or (not port.mode and port.settings.get("cc_mode", (None, 0))[0] == 0):
        return "dcqcn"
    return "unknown"

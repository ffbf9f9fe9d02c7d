"""Driver and firmware parameters of network devices as ``devlink`` tells them, for every driver."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.platforms.hosts.linux.iproute import tells_json
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Skipped, Why, section
from fabric_audit.platforms.text import json_document, mapping, numbered, some, torn, whole

_HANDLE = re.compile(r"(?P<handle>\w+/[\w:.-]+):")
_NAME = re.compile(r"\s*name (?P<name>\w+) type [\w-]+")
_VALUE = re.compile(r"\s*cmode (?P<cmode>runtime|driverinit|permanent) value (?P<value>\S+)(?: default \S+)?")
_FIELDS = {"runtime": "value", "driverinit": "next_reload", "permanent": "next_boot"}
_EXPECTED = "cmode runtime, driverinit or permanent, and a value"
_SOURCE = "devlink"


@section(
    "devlink-dev-param", Run("devlink", "-j", "dev", "param", "show"), yields=(NicSetting,), proven=Provenance.DOCUMENT
)
def parse_devlink_dev_param(output: Output) -> Iterator[Answer]:
    """``devlink [-j] dev param show``: settings of mlx5, ice, bnxt and others, by PCI address.

    Only ``runtime`` is in force. ``driverinit`` is what the driver takes at its next ``devlink reload``, in force
    already or not; ``permanent`` is kept in the card and taken at the next boot. A parameter can have several of
    them. On kernels where one driver cannot answer, the list ends early with ``kernel answers``: what follows is not
    known. Source: iproute2 ``devlink/devlink.c`` (pr_out_param), Linux ``Documentation/networking/devlink/``.
    """
    missing = tuple(refused(output, NicSetting))
    if missing:
        yield from missing
        return
    if tells_json(output.stdout):
        parameters = list(_of_json(output.stdout))
        if not parameters:
            yield Missing("nic_setting", Why.ABSENT, "no device with parameters")
            return
        yield from some(parameters, output, _EXPECTED)
    else:
        yield from some(_of_text(output.stdout), output, "BUS/DEVICE: and its parameters")
    said = re.search(r"kernel answers: .*", output.stderr)
    if said:
        yield Skipped(0, said[0], "the parameters of every device")


def _of_json(text: str) -> Iterator[Answer]:
    devices = mapping(mapping(json_document(text), "an object with param").get("param"), "an object of devices")
    for handle, parameters in devices.items():
        if not isinstance(parameters, list):
            raise ParseError(0, str(parameters)[:200], "a list of parameters")
        for parameter in parameters:
            told = mapping(parameter, "a parameter with name and values")
            name, values = told.get("name"), told.get("values")
            if not isinstance(name, str) or not isinstance(values, list):
                yield Skipped(0, str(parameter)[:200], "a parameter with name and values")
                continue
            yield from _setting(handle, name, [mapping(value, _EXPECTED) for value in values], None)


def _setting(handle: str, name: str, values: list[Mapping[str, Any]], line: int | None) -> Iterator[Answer]:
    told: dict[str, str] = {}
    for value in values:
        place = _FIELDS.get(str(value.get("cmode")))
        if (
            place is None
            or "value" not in value
            or told.setdefault(place, _word(value["value"])) != _word(value["value"])
        ):
            yield Skipped(line or 0, str(dict(value))[:200], _EXPECTED)
            return
    yield NicSetting(
        device=handle.removeprefix("pci/"),
        name=name,
        value=told.get("value"),
        next_reload=told.get("next_reload"),
        next_boot=told.get("next_boot"),
        source=_SOURCE,
        line=line,
    )


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _of_text(text: str) -> Iterator[Answer]:
    handle, name, at = "", "", 0
    values: list[Mapping[str, Any]] = []
    for number, line in numbered(whole(text)):
        starts_device, starts_parameter, value = (p.fullmatch(line) for p in (_HANDLE, _NAME, _VALUE))
        if starts_device or starts_parameter:
            if name:
                yield from _setting(handle, name, values, at)
            handle = starts_device["handle"] if starts_device else handle
            name, at, values = (starts_parameter["name"] if starts_parameter and handle else ""), number, []
        elif value and name:
            values.append(value.groupdict())
        elif line and line.strip() != "values:":
            yield Skipped(number, line, _EXPECTED)
    cut = tuple(torn(text))
    if name and not cut:
        yield from _setting(handle, name, values, at)
    yield from cut

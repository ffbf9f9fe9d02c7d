"""Fields of inventory files: each reads what people write and says what would be right where it cannot."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, ValidationInfo

from fabric_audit.documents.quantities import QuantityError, duration_s, size_bytes, speed_bps
from fabric_audit.documents.validation import Text, meant, shown, wrong
from fabric_audit.inventory.addresses import AddressError, check_template
from fabric_audit.inventory.model import Secret
from fabric_audit.inventory.nodes import NodesError, expand

TOOLS = ("ib_write_bw", "ib_send_bw", "ib_read_bw", "ib_write_lat", "ib_send_lat", "ib_read_lat")
"""Programs of linux-rdma/perftest that the tool can drive."""

_MODE = re.compile(r"none|smoke|tournament|adaptive|(?:sample|incast):[1-9]\d{0,5}|soak:\d+(?:ms|s|m|h)", re.ASCII)
_MODES = "write none, smoke, tournament, adaptive, sample:K, incast:K or soak:DURATION"
_PCI = re.compile(r"(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_JUMP = re.compile(r"(?:[\w.-]+@)?(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?", re.ASCII)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEPT = "write password: {env: VARIABLE}, {keyring: SERVICE} or {prompt: WORDS}"


def _nodes(value: object) -> tuple[str, ...]:
    if not isinstance(value, str):
        raise wrong(
            f"name: {shown(value)} is no node set", "write a name or a node set in quotes, as in 'gpu[001-032]'"
        )
    try:
        return expand(value)
    except NodesError as error:
        raise wrong(error.problem, error.remedy) from None


def _address(value: str) -> str:
    try:
        return check_template(value)
    except AddressError as error:
        raise wrong(error.problem, error.remedy) from None


def _secret(value: object) -> Secret:
    """A reference. What stands there instead may be a password, so no message repeats it."""
    if not isinstance(value, dict):
        raise wrong("a password stands here in clear text", f"take it out, change it, and {_KEPT}")
    if len(value) != 1 or not value.keys() <= {"env", "keyring", "prompt"}:
        raise wrong("password is no reference to where one is kept", _KEPT)
    kind, name = next(iter(value.items()))
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise wrong(f"password: {kind} names nothing", _KEPT)
    if kind == "env" and not _VARIABLE.fullmatch(name):
        raise wrong("password: env is no name of a variable", "write letters, digits and '_', as in SWITCH_PASSWORD")
    return Secret(kind, name)


def _speed(value: object) -> int:
    try:
        return speed_bps(value if isinstance(value, str) else "")
    except QuantityError as error:
        raise wrong(f"speed: {shown(value)} is no speed", f"write {error}") from None


def _size(value: object) -> int:
    try:
        return size_bytes(str(value) if type(value) in {int, str} else "")
    except QuantityError as error:
        raise wrong(f"size: {shown(value)} is no size", f"write {error}") from None


def _duration(value: object) -> float:
    try:
        return duration_s(value if isinstance(value, str) else "")
    except QuantityError as error:
        raise wrong(f"duration: {shown(value)} is no duration", f"write {error}") from None


def _platform(value: str, info: ValidationInfo) -> str:
    known = (info.context or {}).get("platforms", ())
    if value not in known:
        raise wrong(f"unknown platform {shown(value)}", meant(value, known))
    return value


def _policy(value: str, info: ValidationInfo) -> str:
    known = (info.context or {}).get("policies", ())
    if known and value not in known and not value.endswith((".yaml", ".yml")):
        raise wrong(f"unknown policy {shown(value)}", f"{meant(value, known)} a file's name ends in .yaml")
    return value


def _mode(value: str) -> str:
    if not _MODE.fullmatch(value):
        raise wrong(f"mode: {shown(value)} is not known", _MODES)
    return value


def _tool(value: str) -> str:
    if value not in TOOLS:
        raise wrong(f"unknown tool {shown(value)}", meant(value, TOOLS))
    return value


def _program(value: str) -> str:
    if not value.startswith("/"):
        raise wrong(f"{shown(value)} is no absolute path", "write the path on the hosts, from / on")
    return value


def _pci(value: str) -> str:
    if not _PCI.fullmatch(value.lower()):
        raise wrong(f"pci: {shown(value)} is no PCI address", "write it as in '0000:1a:00.0'")
    return value.lower() if value.count(":") > 1 else f"0000:{value.lower()}"


def _jumps(value: object) -> object:
    """As in ssh_config(5): hosts joined by commas; ``none`` goes straight whatever ssh_config says."""
    return [host.strip() for host in value.split(",")] if isinstance(value, str) else value


def _jump(value: str) -> str:
    if not _JUMP.fullmatch(value) or value.startswith("-"):
        raise wrong(f"jump: {shown(value)} is no host", "write [USER@]HOST[:PORT] or an alias of ssh_config")
    return value


def _word(value: str) -> str:
    if value.startswith("-") or any(map(str.isspace, value)):
        raise wrong(f"{shown(value)} holds a space or begins with '-'", "write one word")
    return value


def _fault(value: str) -> str:
    if not re.fullmatch(r"[\w-]+(:[\w.+-]+)?@[^@\s]+", value):
        raise wrong(f"{shown(value)} is no fault of the pod", "write NAME@TARGET, or NAME:SIZE@TARGET")
    return value


Nodes = Annotated[tuple[str, ...], PlainValidator(_nodes)]
Address = Annotated[Text, AfterValidator(_address)]
SecretReference = Annotated[Secret, PlainValidator(_secret)]
Speed = Annotated[int, PlainValidator(_speed)]
Size = Annotated[int, PlainValidator(_size)]
Duration = Annotated[float, PlainValidator(_duration)]
Platform = Annotated[Text, AfterValidator(_platform)]
PolicyName = Annotated[Text, AfterValidator(_policy)]
Mode = Annotated[Text, AfterValidator(_mode)]
Tool = Annotated[Text, AfterValidator(_tool)]
Program = Annotated[Text, AfterValidator(_program)]
Pci = Annotated[Text, AfterValidator(_pci)]
Jumps = Annotated[list[Annotated[Text, AfterValidator(_jump)]], BeforeValidator(_jumps)]
Word = Annotated[Text, AfterValidator(_word)]
PlantedFault = Annotated[Text, AfterValidator(_fault)]
Memory = Literal["host", "gpu", "gpu_host", "host_gpu"]
Port = Annotated[int, Field(ge=1, le=65535)]
Count = Annotated[int, Field(ge=0, le=1024)]

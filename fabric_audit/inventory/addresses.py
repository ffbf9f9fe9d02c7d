"""Address templates: one line for all targets of a node set.

Fields: ``{name}`` the target's name; ``{n}`` the last number in it, without leading zeros; ``{n1}`` to ``{n9}``
its first to ninth number; ``{i}`` its position in the node set, from 0. Numbers take an offset and a width, as
in ``10.1.0.{n+100}`` and ``oob-{n:03}.example.net``.
"""

import re
from ipaddress import ip_address

_FIELD = re.compile(r"\{(name|n[1-9]?|i)([+-]\d{1,6})?(?::0?([1-9])d?)?\}", re.ASCII)
_ANY_FIELD = re.compile(r"\{[^{}]*\}?|\}")
_HOST_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")
_FIELDS = "fields are {name}, {n}, {n1} to {n9} and {i}, as in 10.1.0.{n+100} or host-{n:03}"


class AddressError(ValueError):
    """An address template that cannot be used: the problem and the remedy."""

    def __init__(self, problem: str, remedy: str) -> None:
        self.problem = problem
        self.remedy = remedy
        super().__init__(f"{problem}; {remedy}")


def check_template(template: str) -> str:
    """The template, if some target's address can come of it.

    Raises:
        AddressError: an unknown field, a lone brace, or text that no address holds.
    """
    if stray := _ANY_FIELD.search(_FIELD.sub("", template)):
        raise AddressError(f"address {template!r}: {stray.group()!r} is no field", _FIELDS)
    for field in _FIELD.finditer(template):
        if field[1] == "name" and (field[2] or field[3]):
            raise AddressError(f"address {template!r}: {{name}} takes no number", _FIELDS)
    _checked(_FIELD.sub("1", template), template)
    return template


def render(template: str, name: str, position: int) -> str:
    """The address of one target.

    Raises:
        AddressError: the name has not the number asked for, or no address comes of it.
    """
    return _checked(_FIELD.sub(lambda field: _filled(field, name, position), template), template)


def _filled(field: re.Match[str], name: str, position: int) -> str:
    if field[1] == "name":
        return name
    number = position if field[1] == "i" else _number(field, name)
    value = number + int(field[2] or 0)
    if value < 0:
        raise AddressError(f"{field.group()} is negative for {name}", "choose a smaller offset")
    return f"{value:0{field[3] or 1}}"


def _number(field: re.Match[str], name: str) -> int:
    numbers = re.findall(r"\d{1,18}", name)
    index = int(field[1][1:]) - 1 if field[1][1:] else -1
    try:
        return int(numbers[index])
    except IndexError:
        raise AddressError(
            f"{field.group()} asks for a number that {name!r} has not", "use {name}, or {i} for its position"
        ) from None


def _checked(address: str, template: str) -> str:
    if _HOST_NAME.fullmatch(address):
        return address
    try:
        ip_address(address)
    except ValueError:
        raise AddressError(
            f"address {template!r} gives no host name and no IP address",
            "write as in {name}.example.net, 192.0.2.{n} or 2001:db8::{n}; a port has a key of its own",
        ) from None
    return address

"""YAML that :mod:`fabric_audit.documents.read` reads back: flow style, every text in quotes."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

_BARE_KEY = re.compile(r"[a-z][a-z_0-9]*")


def flow(value: object) -> str:
    """One value on one line. Texts are quoted, so that none reads as a number."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)}: {flow(child)}" for key, child in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def items(entries: Iterable[object]) -> list[str]:
    """A list, an entry on each line."""
    return [f"- {flow(entry)}" for entry in entries]


def pairs(values: Mapping[str, Any]) -> list[str]:
    """A mapping, a key on each line."""
    return [f"{_key(key)}: {flow(value)}" for key, value in values.items()]


def sections(written: Mapping[str, list[str]]) -> list[str]:
    """Lines under the keys of a file; keys with nothing under them are left out."""
    lines = []
    for name, below in written.items():
        if below:
            lines += [f"{name}:", *(f"  {line}" for line in below)]
    return lines


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)

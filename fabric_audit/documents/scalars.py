"""What an unquoted word means: the core schema of YAML 1.2, section 10.3.2.

So ``yes`` and ``12:34`` are words and ``0777`` is a decimal number; not-a-number and infinity stay words.
"""

import re

from fabric_audit.documents.nodes import Scalar

_NULL = re.compile(r"~|null|Null|NULL|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]{1,300}")
_OTHER_BASE = re.compile(r"0o[0-7]{1,300}|0x[0-9a-fA-F]{1,300}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


def resolve(word: str) -> Scalar:
    """The value of an unquoted word."""
    if _NULL.fullmatch(word):
        return None
    if _BOOL.fullmatch(word):
        return word.lower() == "true"
    if _INT.fullmatch(word):
        return int(word)
    if _OTHER_BASE.fullmatch(word):
        return int(word, 0)
    if _FLOAT.fullmatch(word):
        return float(word)
    return word

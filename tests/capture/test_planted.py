"""Secrets planted in everything that devices print: masked before the disk, and nothing else is."""

from pathlib import Path

import pytest

from fabric_audit.capture.scrub import mask
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.platforms.secrets import ANYWHERE

PLANTED = Path(__file__).with_name("planted")
CANARY = b"c4n4ry"
WORDS = (
    "sudo: a password is required",
    "Permission denied (publickey,password).",
    "[sudo] password for ops: ",
    "% Invalid password policy",
    "ib_write_bw: Couldn't connect to 192.0.2.1:18515",
)
"""What devices say about secrets without saying them; parsers tell refusals by these."""
KINDS = ("linux", *switch_platforms())


def patterns(kind: str) -> tuple[str, ...]:
    return (*ANYWHERE, *(switch_platforms()[kind].secrets if kind in switch_platforms() else ()))


def test_every_switch_platform_has_its_planted_secrets() -> None:
    assert {path.stem for path in PLANTED.iterdir()} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_no_planted_secret_is_left(kind: str) -> None:
    text = (PLANTED / f"{kind}.txt").read_bytes()
    masked, _ = mask(text, patterns(kind))
    leaked = [line.decode() for line in masked.splitlines() if CANARY in line]
    assert leaked == []
    assert masked.count(b"\n") == text.count(b"\n"), "lines keep their numbers"


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_secret_stays(kind: str) -> None:
    text = (PLANTED / f"{kind}.txt").read_text("utf-8")
    lines = [*(line for line in text.splitlines() if "c4n4ry" not in line), *WORDS]
    assert [line for line in lines if mask(line.encode(), patterns(kind))[0] != line.encode()] == []

"""ECN: WRED profiles, by name."""

from collections.abc import Iterator
from dataclasses import dataclass

from fabric_audit.errors import ParseError
from fabric_audit.facts.profiles import EcnProfile
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, Skipped, section
from fabric_audit.platforms.partial import kept, settled
from fabric_audit.platforms.switches.sonic.blocks import blocks
from fabric_audit.platforms.switches.sonic.database import Database, Entry, each

_MARKS_GREEN = frozenset({"ecn_green", "ecn_green_yellow", "ecn_green_red", "ecn_all"})
_MODES = _MARKS_GREEN | {"ecn_none", "ecn_yellow", "ecn_red", "ecn_yellow_red"}
_FIELDS = {"ecn"} | {f"{colour}_min_threshold" for colour in ("green", "yellow", "red")}
_BOOLEAN = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Marking:
    """What a WRED profile does to green packets: all traffic is green unless a policer colours it."""

    ecn: bool | None
    min_bytes: int | None
    max_bytes: int | None
    mark_pct: int | None
    drops: bool | None
    raw: str | None


def marking(profile: Entry) -> Marking:
    """Read a WRED profile.

    ``ecn`` names the colours that are marked; absent or ``ecn_none``: none, and with ``wred_green_enable`` the
    profile *drops* between its thresholds instead. Thresholds are bytes, the probability is percent (YANG
    sonic-wred-profile.yang; sonic-swss qosorch.cpp ``ecn_map``, SAI_WRED_ATTR_ECN_MARK_MODE).

    Raises:
        ParseError: a field has a value that SONiC does not know.
    """
    mode = profile.text("ecn") or "ecn_none"
    if mode not in _MODES:
        raise ParseError(profile.at("ecn"), mode, f"one of {', '.join(sorted(_MODES))}")
    return Marking(
        ecn=mode in _MARKS_GREEN,
        min_bytes=profile.number("green_min_threshold"),
        max_bytes=profile.number("green_max_threshold"),
        mark_pct=profile.number("green_drop_probability"),
        drops=_BOOLEAN.get(profile.text("wred_green_enable") or ""),
        raw=_as_written(profile, mode),
    )


def _as_written(profile: Entry, mode: str) -> str | None:
    """``ecn_all 1048576/2097152 bytes 5 %``; None where a threshold is missing.

    A profile whose units were converted brings its printed form along in ``as_printed``.
    """
    printed = profile.text("as_printed")
    low, high = profile.text("green_min_threshold"), profile.text("green_max_threshold")
    if printed or not low or not high:
        return printed
    return f"{mode} {low}/{high} bytes {profile.text('green_drop_probability') or '?'} %"


def profile_fact(profile: Entry) -> Iterator[EcnProfile]:
    """A WRED profile as a fact of its own."""
    found = marking(profile)
    yield EcnProfile(
        profile=profile.key,
        ecn=found.ecn,
        ecn_min_bytes=found.min_bytes,
        ecn_max_bytes=found.max_bytes,
        ecn_mark_pct=found.mark_pct,
        wred_drops=not found.ecn and found.drops,
        ecn_raw=found.raw,
        line=profile.line,
    )


def configured(database: Database) -> Iterator[Answer]:
    """The WRED profiles by name; which queue has which, says :mod:`.queues`."""
    yield from each(database.table("WRED_PROFILE").values(), profile_fact)


@section("show-ecn", Cli("show ecn"), yields=(EcnProfile,), proven=Provenance.DOCUMENT)
def show_ecn(output: Output) -> Iterator[Answer]:
    """``show ecn`` (``ecnconfig -l``): the WRED profiles of CONFIG_DB, a block of fields each.

    It says nothing about the queues they are bound to. On boxes with several ASICs the profiles follow one another
    without a heading. Thresholds are bytes. Source: sonic-utilities scripts/ecnconfig.
    """
    yield from settled(_profiles(output.stdout), (EcnProfile,), "there is no profile")


def _profiles(text: str) -> Iterator[Answer]:
    for block in blocks(text, "a block that starts with Profile: NAME"):
        if isinstance(block, Skipped):
            yield block
        elif block[0] == "Profile" and _FIELDS & block[1].fields.keys():
            yield from kept(profile_fact(block[1]))
        else:
            yield Skipped(block[1].line, f"{block[0]}: {block[1].key}", "a profile with thresholds")

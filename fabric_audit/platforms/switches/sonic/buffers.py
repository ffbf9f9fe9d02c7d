"""Buffers: pools, profiles, and the headroom of every priority group."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from fabric_audit.facts.buffers import BufferPool, PriorityGroup
from fabric_audit.facts.profiles import BufferProfile
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Skipped, Why, section
from fabric_audit.platforms.partial import kept, settled
from fabric_audit.platforms.switches.sonic.blocks import blocks
from fabric_audit.platforms.switches.sonic.database import (
    Database,
    Entry,
    broken,
    each,
    holder,
    unreadable_keys,
)
from fabric_audit.platforms.switches.sonic.pfc import priorities
from fabric_audit.platforms.switches.sonic.ports import cable_lengths

_DYNAMIC = "NULL"


def pool_fact(pool: Entry, prefix: str = "") -> Iterator[BufferPool]:
    """A pool. ``xoff`` is headroom that all ports share; the dynamic model computes ``size`` at run time."""
    yield BufferPool(
        pool=prefix + pool.key,
        direction=pool.text("type"),
        mode=pool.text("mode"),
        size_bytes=pool.number("size"),
        shared_headroom_bytes=pool.number("xoff"),
        line=pool.line,
    )


def profile_fact(profile: Entry, *, applied: bool = False) -> Iterator[BufferProfile]:
    """A profile. ``xoff`` is an amount, what can still arrive after pause was sent, not the level that sends it.

    ``dynamic_th`` is the exponent: the threshold is 2^n times what is free in the pool (sonic-swss bufferorch.cpp,
    SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH). ``size`` is ``xon`` plus ``xoff`` unless the pool shares its
    headroom.
    """
    alpha = profile.number("dynamic_th")
    yield BufferProfile(
        profile=profile.key,
        pool=profile.reference("pool"),
        size_bytes=profile.number("size"),
        xon_bytes=profile.number("xon"),
        xoff_bytes=profile.number("xoff"),
        alpha_raw=profile.text("dynamic_th"),
        alpha_exp=alpha,
        static_limit_bytes=profile.number("static_th"),
        applied=applied,
        line=profile.line,
    )


def configured(database: Database) -> Iterator[Answer]:
    """Pools, profiles, and the priority groups of every physical port.

    A profile with ``xoff`` is lossless. ``NULL`` is lossless too: in the dynamic buffer model ``buffermgrd``
    computes the headroom from speed and cable length, and only APPL_DB has it. A lossless priority without an
    entry of its own is in the dynamic model a priority group without headroom; in the traditional one
    ``buffermgrd`` may have made it at run time (sonic-swss cfgmgr/buffermgr.cpp makes one for each priority of
    ``pfc_enable``), so it is unknown.
    """
    prefix = f"{database.namespace}:" if database.namespace else ""
    yield from each(database.table("BUFFER_POOL").values(), lambda pool: pool_fact(pool, prefix))
    profiles: dict[str, BufferProfile] = {}
    for answer in each(database.table("BUFFER_PROFILE").values(), profile_fact):
        if isinstance(answer, BufferProfile):
            profiles[answer.profile] = answer
        yield answer
    yield from unreadable_keys(database, "BUFFER_PG")
    groups = _Groups(database, profiles, _is_dynamic(database))
    bound, cables = database.indexed("BUFFER_PG"), cable_lengths(database)
    bindings = database.bound("PORT_QOS_MAP")
    for port in database.ports:
        found = groups.of_port(port, bound.get(port, {}), holder(bindings.get(port, ()), "pfc_enable"))
        yield from kept(replace(group, cable_length_m=cables.get(port)) for group in found)
    yield from groups.missing()


def _is_dynamic(database: Database) -> bool:
    """DEVICE_METADATA says so, or a profile that only the dynamic model knows."""
    local = database.table("DEVICE_METADATA").get("localhost")
    entries = database.table("BUFFER_PG").values()
    return (local is not None and local.fields.get("buffer_model") == "dynamic") or any(
        entry.fields.get("profile") == _DYNAMIC for entry in entries
    )


@dataclass(frozen=True, slots=True)
class _Groups:
    """Priority groups by port; ``lost`` and ``computed`` gather what the configuration does not say."""

    database: Database
    profiles: Mapping[str, BufferProfile]
    dynamic: bool
    lost: dict[str, Answer] = field(default_factory=dict)
    computed: list[str] = field(default_factory=list)

    def of_port(
        self, port: str, bound: Mapping[int, tuple[Entry, ...]], lossless: Entry | None
    ) -> Iterator[PriorityGroup]:
        """Groups that have an entry, then those of lossless priorities that have none."""
        for pg, entries in sorted(bound.items()):
            entry = holder(entries, "profile")
            if entry:
                yield self._group(PriorityGroup(port=port, pg=pg, line=entry.line), entry)
        if lossless:
            line = lossless.at("pfc_enable")
            for priority in priorities(lossless.text("pfc_enable") or "", line):
                if int(priority) not in bound:
                    if not self.dynamic:
                        self.computed.append(f"line {line}: {port} has no BUFFER_PG entry for priority {priority}")
                    yield PriorityGroup(
                        port=port, pg=int(priority), lossless=False if self.dynamic else None, line=line
                    )

    def _group(self, group: PriorityGroup, entry: Entry) -> PriorityGroup:
        name = entry.reference("profile") or ""
        if name == _DYNAMIC:
            self.computed.append(f"line {entry.line}: {entry.key} has profile NULL")
            return replace(group, profile=name, lossless=True)
        profile = self.profiles.get(name)
        if profile is None:
            self.lost[entry.key] = broken(self.database, "BUFFER_PROFILE", name, entry, "profile")
            return replace(group, profile=name)
        return replace(
            group,
            profile=name,
            lossless=profile.xoff_bytes is not None,
            size_bytes=profile.size_bytes,
            xon_bytes=profile.xon_bytes,
            xoff_bytes=profile.xoff_bytes,
            alpha_raw=profile.alpha_raw,
            alpha_exp=profile.alpha_exp,
            static_limit_bytes=profile.static_limit_bytes,
        )

    def missing(self) -> Iterator[Answer]:
        """What the configuration does not say about headroom."""
        yield from self.lost.values()
        if self.computed:
            words = f"{self.computed[0]}; headroom is computed at run time, APPL_DB has it"
            yield Missing("priority_group", Why.NOT_COLLECTED, words, field="xoff_bytes")


@section(
    "mmuconfig-l",
    Cli("mmuconfig -l"),
    yields=(BufferPool, BufferProfile),
    proven=Provenance.FIELD,
)
def mmuconfig_l(output: Output) -> Iterator[Answer]:
    """``mmuconfig -l``, ``show mmu`` and ``show buffer configuration``: pools and profiles of CONFIG_DB in bytes.

    A pool without ``size`` is sized at run time. Source: sonic-utilities scripts/mmuconfig.
    """
    yield from settled(_pools_and_profiles(output.stdout, applied=False), (BufferPool,), "there is no pool")


@section(
    "show-buffer-information",
    Cli("show buffer information"),
    yields=(BufferPool, BufferProfile),
    proven=Provenance.DOCUMENT,
)
def show_buffer_information(output: Output) -> Iterator[Answer]:
    """``show buffer information`` (``buffershow -l``): pools and profiles of APPL_DB, as they run, in bytes.

    In the dynamic buffer model only this has the headroom profiles that ``buffermgrd`` computed. Source:
    sonic-utilities scripts/buffershow.
    """
    yield from settled(_pools_and_profiles(output.stdout, applied=True), (BufferPool,), "there is no pool")


def _pools_and_profiles(text: str, *, applied: bool) -> Iterator[Answer]:
    for block in blocks(text, "a block that starts with Pool: NAME or Profile: NAME"):
        if isinstance(block, Skipped):
            yield block
        elif block[0] == "Pool":
            yield from kept(pool_fact(block[1]))
        elif block[0] == "Profile" and "pool" in block[1].fields:
            yield from kept(profile_fact(block[1], applied=applied))
        elif block[0] != "Lossless traffic pattern":
            yield Skipped(block[1].line, f"{block[0]}: {block[1].key}", "a pool, or a profile with its pool")

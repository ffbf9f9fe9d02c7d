"""What a platform is made of: sections, the ways to ask for them, and what a parser answers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

from fabric_audit.facts import Fact


class Provenance(StrEnum):
    """What a parser's format was proven on. A pass on a constructed format is an unverified one."""

    FIELD = "field output"
    DOCUMENT = "vendor document"
    CONSTRUCTED = "constructed"


class Why(StrEnum):
    """Why a value or a table is missing."""

    ABSENT = "absent"
    """The target has no such thing: no row is the answer."""
    NOT_SUPPORTED = "not_supported"
    """The target cannot say."""
    NOT_COLLECTED = "not_collected"
    """It was asked and did not deliver."""
    PARSE_ERROR = "parse_error"
    """It delivered and the text was not understood."""


@dataclass(frozen=True, slots=True)
class Output:
    """What one section printed. ``item`` is the device of a section that walks devices; ``rc`` None on a CLI."""

    stdout: str
    stderr: str = ""
    rc: int | None = 0
    item: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that was left out, and what would have been understood there."""

    line: int
    text: str
    expected: str


@dataclass(frozen=True, slots=True)
class Missing:
    """A table, or one field of it, that this output cannot give, with the target's own words."""

    table: str
    why: Why
    words: str
    field: str = ""


Answer: TypeAlias = Fact | Skipped | Missing
Parser: TypeAlias = Callable[[Output], Iterator[Answer]]


@dataclass(frozen=True, slots=True, init=False)
class Run:
    """One program of a host with its arguments; ``root`` marks it for ``become``."""

    argv: tuple[str, ...]
    root: bool

    def __init__(self, *argv: str, root: bool = False) -> None:
        object.__setattr__(self, "argv", argv)
        object.__setattr__(self, "root", root)


@dataclass(frozen=True, slots=True, init=False)
class Files:
    """Contents of the files that match the globs, as ``path:line`` (``grep -H ''``)."""

    globs: tuple[str, ...]
    root: bool

    def __init__(self, *globs: str, root: bool = False) -> None:
        object.__setattr__(self, "globs", globs)
        object.__setattr__(self, "root", root)


@dataclass(frozen=True, slots=True, init=False)
class Links:
    """Where the symbolic links that match the globs lead, as ``path -> real path``."""

    globs: tuple[str, ...]

    def __init__(self, *globs: str) -> None:
        object.__setattr__(self, "globs", globs)


@dataclass(frozen=True, slots=True)
class Each:
    """The same program for each device; ``{}`` in an argument is the device.

    ``devices`` names a walk the host script knows: ``rdma_devices``, ``rdma_netdevs`` (interfaces behind RDMA
    devices), ``netdevs`` (interfaces with hardware behind them), ``rdma_pci`` (PCI addresses of RDMA devices).
    """

    devices: str
    run: Run


@dataclass(frozen=True, slots=True)
class Cli:
    """One command of a switch CLI. ``heavy`` ones are never asked while traffic runs."""

    text: str
    heavy: bool = False


Ask: TypeAlias = Run | Files | Links | Each | Cli | None


class When(StrEnum):
    """When a section is collected."""

    BASELINE = "baseline"
    """Once, before traffic."""
    COUNTERS = "counters"
    """Before, around every round or block, and after."""
    REQUEST = "request"
    """Only when the user asks for it, or as part of a traffic slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One thing to ask a target, and how to read the answer."""

    name: str
    ask: Ask
    parse: Parser
    yields: tuple[type[Fact], ...]
    proven: Provenance
    when: When = When.BASELINE
    timeout_s: float = 20.0
    platform: str = ""
    """Filled by the registry: the folder it lies in, such as linux, nvidia_connectx, sonic."""
    kind: str = ""
    """Filled by the registry: hosts, gpus, nics, switches or workloads."""
    manual: str = ""
    """Filled by the registry: the parser's docstring."""

    @property
    def id(self) -> str:
        """Name that ``fabric-audit parse`` takes: switch sections carry their platform."""
        return f"{self.platform}:{self.name}" if self.kind == "switches" else self.name

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the tables it yields."""
        return tuple(fact.TABLE for fact in self.yields)


@dataclass(frozen=True, slots=True)
class SectionMark:
    """What :func:`section` leaves on a parser for the registry to find."""

    section: Section


def section(
    name: str,
    ask: Ask = None,
    *,
    yields: tuple[type[Fact], ...],
    proven: Provenance,
    when: When = When.BASELINE,
    timeout_s: float = 20.0,
) -> Callable[[Parser], Parser]:
    """Declare that a parser reads what ``ask`` prints.

    Args:
        name: section id, unique within the platform; hosts, gpus, nics and workloads share one name space.
        ask: how to get the text; None for text that only arrives as a file or in a traffic slot.
        yields: the fact tables it can fill; needs of checks select sections by these.
        proven: what the format was proven on.
        when: baseline, counters or request.
        timeout_s: the longest the command may take on the target.
    """

    def mark(parser: Parser) -> Parser:
        made = Section(name=name, ask=ask, parse=parser, yields=yields, proven=proven, when=when, timeout_s=timeout_s)
        marks = (*getattr(parser, "sections", ()), SectionMark(made))
        parser.sections = marks  # type: ignore[attr-defined]  # a function carries its declaration
        return parser

    return mark


def placed(found: Section, *, platform: str, kind: str) -> Section:
    """The section with its place in the tree filled in."""
    return replace(found, platform=platform, kind=kind, manual=found.parse.__doc__ or "")


@dataclass(frozen=True, slots=True)
class Remedy:
    """What mends a finding, in a platform's own words.

    ``words`` may name ``{port}``, and values of the policy: ``{priority}`` and ``{dscp}`` of RoCE, ``{cnp_dscp}`` and
    ``{cnp_priority}``, ``{mtu}``, ``{ecn_min}``, ``{ecn_max}`` and ``{ecn_pct}``.
    """

    words: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchPlatform:
    """What the tool must know of a switch OS besides its sections.

    Attributes:
        name: folder name, which inventories use.
        driver: netmiko device_type.
        setup: commands the driver sends by itself when a session opens, for ``fabric-audit commands``.
        allowed: regular expressions; a command is sent only if one matches it whole.
        errors: regular expressions; a line that matches one is the box refusing the command.
        cannot: table or ``table.field`` → why this OS cannot tell (``NOT_VERIFIABLE``).
        absent_means: ``table.field`` → the documented default that an absent line means, with its source.
        pfc_reserves: how PFC on a priority by itself gives it a lossless ingress buffer with headroom, with its source;
            empty where buffers are configured, and told, on their own.
        secrets: regular expressions whose group 1 is masked before text reaches the disk.
        saved: names of the sections that read a saved configuration, in the order in which they are tried.
        remedies: check → what mends it here.
    """

    name: str
    driver: str
    setup: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    cannot: dict[str, str] = field(default_factory=dict)
    absent_means: dict[str, str] = field(default_factory=dict)
    pfc_reserves: str = ""
    secrets: tuple[str, ...] = ()
    saved: tuple[str, ...] = ()
    remedies: Mapping[str, Remedy] = field(default_factory=dict)
    aliases: Callable[[str], tuple[str, ...]] = lambda _port: ()
    """Other names a neighbour may use for one of its ports."""

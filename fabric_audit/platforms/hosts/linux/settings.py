"""What the kernel was told: sysctls, boot parameters and limits."""

import re
import shlex
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.system import KernelSetting
from fabric_audit.platforms.model import Answer, Files, Output, Provenance, Run, Skipped, section
from fabric_audit.platforms.text import numbered, some, torn, whole, whole_rows

_IPV4 = "/proc/sys/net/ipv4"
_SYSCTL = re.compile(r"(?P<name>[a-z][\w.*/:@-]*) = ?(?P<value>(?!.*\w =(?: |$)).*)")
_PATH = re.compile(r"/proc/sys/(?P<path>[^:]+):(?P<value>(?!.*/proc/sys/).*)")
_PATHLESS = re.compile(r"(?!/proc/)")
_LONGEST = 65536
"""Characters of boot parameters: no architecture takes more than 4096, and shlex takes long for long lines."""
_LIMIT = re.compile(r"(?P<name>Max [a-z ]+?) {2,}(?P<soft>\d+|unlimited) +(?P<hard>\d+|unlimited)(?: +\w+)?")


@section(
    "proc-sys",
    Files(
        *(
            f"{_IPV4}/conf/*/{name}"
            for name in ("arp_ignore", "arp_announce", "arp_filter", "rp_filter", "accept_local")
        ),
        f"{_IPV4}/tcp_ecn",
        f"{_IPV4}/fib_multipath_hash_policy",
        f"{_IPV4}/neigh/default/gc_thresh3",
        "/proc/sys/net/ipv6/conf/*/disable_ipv6",
        "/proc/sys/net/core/rmem_max",
        "/proc/sys/net/core/wmem_max",
        "/proc/sys/kernel/numa_balancing",
    ),
    yields=(KernelSetting,),
    proven=Provenance.FIELD,
)
def parse_proc_sys(output: Output) -> Iterator[Answer]:
    """Sysctls by their files, named ``net.ipv4.conf.eth1.rp_filter``.

    The dot of a VLAN interface (``eth1.7``) stays a dot, so such a name is split from both ends. For ``rp_filter``,
    ``arp_announce`` and ``arp_ignore`` the larger of ``all`` and the interface's own is in force. Source: kernel
    ``Documentation/networking/ip-sysctl.rst``.
    """
    yield from some(_files(output), output, "/proc/sys/NAME:VALUE")


def _files(output: Output) -> Iterator[Answer]:
    for number, line, found in whole_rows(numbered(whole(output.stdout)), _PATH, _PATHLESS):
        if found:
            yield _setting(found["path"].replace("/", "."), found["value"], number)
        else:
            yield Skipped(number, line, "/proc/sys/NAME:VALUE")
    yield from torn(output.stdout)


def _setting(name: str, value: str, line: int) -> KernelSetting:
    return KernelSetting(line=line, name=name, value=" ".join(value.split()))


@section("sysctl", yields=(KernelSetting,), proven=Provenance.FIELD)
def parse_sysctl(output: Output) -> Iterator[Answer]:
    """``sysctl -a`` as a file: ``name = value``, several values apart by TAB. Source: sysctl(8)."""
    yield from some(_sysctls(output), output, "name = value")


def _sysctls(output: Output) -> Iterator[Answer]:
    for number, line in numbered(whole(output.stdout)):
        found = _SYSCTL.fullmatch(line)
        if found:
            yield _setting(found["name"], found["value"], number)
        elif line:
            yield Skipped(number, line, "name = value")
    yield from torn(output.stdout)


@section("proc-cmdline", Run("cat", "/proc/cmdline"), yields=(KernelSetting,), proven=Provenance.FIELD)
def parse_cmdline(output: Output) -> Iterator[Answer]:
    """``/proc/cmdline``: boot parameters, named ``cmdline:intel_iommu``.

    A parameter given twice counts as the kernel takes it: the last one wins. A flag without ``=`` has the value "".
    A value may be quoted. A word that can be no name, and all after ``--``, is for init. What IOMMU parameters mean
    depends on the CPU's vendor and on the kernel's build; what is in force stands in the IOMMU groups. Source:
    kernel ``Documentation/admin-guide/kernel-parameters.rst``.
    """
    lines = [(number, line) for number, line in numbered(whole(output.stdout)) if line]
    if len(lines) != 1:
        raise ParseError(*(lines[1] if lines else (0, "")), "one line of boot parameters")
    number, line = lines[0]
    if len(line) > _LONGEST:
        raise ParseError(number, line[:200], f"at most {_LONGEST} characters")
    try:
        words = shlex.split(line, posix=True)
    except ValueError:
        raise ParseError(number, line, "boot parameters whose quotes are closed") from None
    told: dict[str, str] = {}
    for word in words[: words.index("--") if "--" in words else None]:
        name, _, value = word.partition("=")
        if word == "...":
            yield Skipped(number, word, "a boot parameter")
        elif re.fullmatch(r"[A-Za-z_][\w.-]*", name):
            told[name] = value
    if not any(told.values()):
        raise ParseError(number, line, "boot parameters such as intel_iommu=on")
    for name, value in told.items():
        yield KernelSetting(line=number, name=f"cmdline:{name}", value=value)


@section("limits", Run("cat", "/proc/self/limits"), yields=(KernelSetting,), proven=Provenance.FIELD)
def parse_limits(output: Output) -> Iterator[Answer]:
    """``/proc/self/limits`` of the login: soft limits, named ``limit:max locked memory``.

    A value is a number or ``unlimited``. ``max locked memory`` (bytes) bounds what an RDMA program may register.
    The lines of ``ulimit -a`` in front are left out: they say the same in other units. Source: proc_pid_limits(5).
    """
    yield from some(_limits(output), output, "Max NAME  SOFT  HARD  UNIT")


def _limits(output: Output) -> Iterator[Answer]:
    for number, line in numbered(whole(output.stdout)):
        found = _LIMIT.fullmatch(line)
        if found:
            yield KernelSetting(line=number, name=f"limit:{found['name'].lower()}", value=found["soft"])
        elif line and not re.match(r"Limit +Soft Limit|[a-zA-Z -]+ +\(.*-\w\) ", line):
            yield Skipped(number, line, "Max NAME  SOFT  HARD  UNIT")
    yield from torn(output.stdout)

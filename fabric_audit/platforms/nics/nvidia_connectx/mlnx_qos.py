"""Classification, PFC and buffers of a ConnectX port as ``mlnx_qos`` prints them."""

from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.facts.buffers import PriorityGroup
from fabric_audit.facts.congestion import NicSetting
from fabric_audit.facts.pfc import PfcPort
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.qos import DscpMap, PriorityMap, Queue
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import (
    Answer,
    Each,
    Missing,
    Output,
    Provenance,
    Run,
    Skipped,
    Why,
    section,
)
from fabric_audit.platforms.nics.nvidia_connectx.qos_text import QosText, read
from fabric_audit.platforms.text import numbered, torn, whole

QOS_TABLES: tuple[type[Fact], ...] = (
    Interface,
    PfcPort,
    DscpMap,
    PriorityMap,
    Queue,
    PriorityGroup,
    NicSetting,
)
_CANNOT = "ETS features are not supported on your system"


@section(
    "mlnx_qos",
    Each("rdma_netdevs", Run("mlnx_qos", "-i", "{}")),
    yields=QOS_TABLES,
    proven=Provenance.FIELD,
)
def parse_mlnx_qos(output: Output) -> Iterator[Answer]:
    """``mlnx_qos -i IF`` without further options only reads: by DCB netlink, or from files of MLNX_OFED.

    ``DCBX mode`` tells who may change the rest: the host's software, or the NIC's firmware by talking to the
    switch. PFC is what the port does now. The DSCP map is printed only with trust dscp; with trust pcp the VLAN
    tag decides, and packets without one ride priority 0. ``default priority:`` came and went between versions
    (removed in mlnx-tools 374d9b5, 2024-11), ``total_size`` became ``max_buffer_size`` in 2023-05, the row
    ``buffer`` and the line ``Receive buffer size`` are newer than MLNX_OFED 4.x, and ``up:`` with ``skprio:``
    lines are older than that. Priority 0 on traffic class 1 and 1 on 0 is ordinary on mlx5. ``Cable len`` is in
    metres, ``tsa: vendor`` the firmware's own scheduler. A driver without rate limits prints the scheduler alone,
    and the number of its traffic class is not known.

    A warning about lldpad comes first; it is told as a setting, because lldpad may overwrite what is printed.
    Source: mlnx-tools ``python/mlnx_qos`` and ``dcbnetlink.py``.
    """
    missing = tuple(refused(output, PfcPort))
    if missing:
        yield from missing
        return
    if _CANNOT in output.stdout:
        yield from (Missing(table.TABLE, Why.NOT_SUPPORTED, _CANNOT) for table in QOS_TABLES)
        return
    told, strange = read(numbered(whole(output.stdout)))
    _refuse_what_is_no_mlnx_qos(output, told, strange)
    yield from told.facts(output.item, "mlnx_qos")
    yield from (Skipped(number, line, "a line of mlnx_qos") for number, line in strange)
    yield from torn(output.stdout)
    if not told.complete or not told.ordered:
        yield Skipped(output.stdout.count("\n"), "", "traffic classes 0 and up that cover each priority once")
    trust = told.get("trust")
    if trust and trust != "dscp":
        yield Missing("dscp_map", Why.ABSENT, f"trust {trust}: DSCP does not decide")
    if trust == "none":
        yield Missing("interface", Why.NOT_SUPPORTED, "Priority trust state: none", "trust_mode")


def _refuse_what_is_no_mlnx_qos(output: Output, told: QosText, strange: list[tuple[int, str]]) -> None:
    if told.get("enabled") and len(strange) <= len(told.said) + len(told.classes):
        return
    text = output.stdout if output.stdout.strip() else output.stderr
    number, line = strange[0] if strange else (0, text.strip().split("\n")[-1])
    raise ParseError(number, line, "PFC configuration: with a row enabled of eight digits")

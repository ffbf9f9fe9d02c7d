"""What Cumulus Linux counts of RoCE, CNP and other traffic of a port."""

from collections.abc import Iterator

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, When, section
from fabric_audit.platforms.partial import of_whole_lines, settled, whole
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Shown, shown, size_bytes
from fabric_audit.platforms.switches.nvidia_cumulus.shown_json import of_ports, shown_json

_MEANINGS = {
    "no-buffer-discard": (CounterClass.LOSS, "packets"),
    "unicast-no-buffer-discard": (CounterClass.LOSS, "packets"),
    "ecn-marked-packets": (CounterClass.CONGESTION, "packets"),
    "cnp-packets": (CounterClass.CONGESTION, "packets"),
    "cnp-bytes": (CounterClass.TRAFFIC, "bytes"),
    "roce-packets": (CounterClass.TRAFFIC, "packets"),
    "roce-bytes": (CounterClass.TRAFFIC, "bytes"),
    "non-roce-packets": (CounterClass.TRAFFIC, "packets"),
    "non-roce-bytes": (CounterClass.TRAFFIC, "bytes"),
}
_PAUSE = {"pause-packets": "frames", "pause-duration": "us"}


@section("nv-show-interface-qos-roce-counters", yields=(Counter,), proven=Provenance.DOCUMENT)
def parse_roce_counters(output: Output) -> Iterator[Answer]:
    """``nv show interface PORT qos roce counters`` as text.

    Names are the paths of the tree, such as ``tx-stats.tx-roce-stats.unicast-no-buffer-discard``. Sizes are rounded
    to hundredths of KB, MB or GB of 1,024; the JSON has all digits. Discards of RoCE packets with no pause sent or
    received are the sign of a queue that PFC does not protect. Usage is what a buffer holds or has held, no counter.

    Source: Cumulus Linux user guide, RDMA over Converged Ethernet - RoCE.
    """
    yield from of_whole_lines(
        output.stdout, lambda text: _facts(shown(text), output.item), (Counter,), "no RoCE counters"
    )


@section(
    "nv-show-interface-qos-roce-counters-json",
    Cli("nv show interface qos-roce-counters -o json"),
    yields=(Counter,),
    proven=Provenance.CONSTRUCTED,
    when=When.COUNTERS,
    timeout_s=120.0,
)
def parse_roce_counters_json(output: Output) -> Iterator[Answer]:
    """``nv show interface qos-roce-counters -o json``: the counters of all ports at once, since release 5.14.

    Source: names of the NVUE object model in the NVUE command reference; no output with values was seen.
    """
    yield from settled(_of_ports(output.stdout), (Counter,), "no port counts RoCE")


def _of_ports(text: str) -> Iterator[Answer]:
    for port, node in of_ports(document(text), "qos", "roce", "counters"):
        told = shown_json(node)
        if any(path.startswith(("rx-stats.", "tx-stats.")) for path in told.leaves):
            yield from whole(_facts(told, port))


def _facts(told: Shown, item: str) -> Iterator[Answer]:
    port = told.port(item)
    for path, leaf in ((path, leaf) for path, leaf in told.leaves.items() if leaf.value):
        counter_class, unit = _meaning(path)
        yield Counter(
            port=port,
            name=path,
            value=size_bytes(leaf.value, leaf.line),
            counter_class=counter_class,
            unit=unit,
            scope="gauge" if path.endswith("-usage") else "since_clear",
            source="nv show interface qos roce counters",
            line=leaf.line,
        )


def _meaning(path: str) -> tuple[CounterClass, str]:
    name = path.rpartition(".")[2]
    if name in _PAUSE:
        sent = path.startswith("tx-stats.")
        return (CounterClass.PAUSE_SENT if sent else CounterClass.PAUSE_RECEIVED), _PAUSE[name]
    return _MEANINGS.get(name, (CounterClass.OTHER, "bytes"))

"""The same answers with ``-o json``: one reader for both.

The members of NVUE's JSON are the settings of its text, and an object of numbered objects is one of its tables.
"""

from collections.abc import Iterator

from fabric_audit.platforms.document import Node
from fabric_audit.platforms.switches.nvidia_cumulus.shown import Leaf, Row, Shown, Table

_TITLES = {
    "prio-map": "RoCE PCP/DSCP->SP",
    "tc-map": "RoCE SP->TC",
    "pool-map": "RoCE pool",
    "pool": "RoCE pool",
    "ingress-buffer-stats": "Ingress Buffer Statistics",
    "egress-queue-stats": "Egress Queue Statistics",
    "pfc-stats": "PFC Statistics",
    "port-stats": "Qos Port Statistics",
    "status": "PFC WD Status",
}
_NUMBERS = {
    "egress-queue-stats": "traffic-class",
    "ingress-buffer-stats": "priority-group",
    "pfc-stats": "switch-priority",
    "port-stats": "Counter",
    "status": "traffic-class",
}


def shown_json(node: Node) -> Shown:
    """An object of NVUE as settings and tables.

    Raises:
        ParseError: a value stands where a table has objects.
    """
    leaves: dict[str, Leaf] = {}
    tables: list[Table] = []
    _walk(node, "", leaves, tables)
    return Shown(leaves, tuple(tables))


def of_ports(node: Node, *path: str) -> Iterator[tuple[str, Node]]:
    """The object of each interface in a view of all of them; a view keeps the path down to what it shows."""
    for port, value in node.members():
        here = value
        for name in path:
            below = here.get(name)
            here = below if below.there else here
        yield port, here


def _walk(node: Node, path: str, leaves: dict[str, Leaf], tables: list[Table]) -> None:
    for name, value in node.members():
        if isinstance(value.value, bool):
            leaves[path + name] = Leaf("on" if value.value else "off", "", value.line)
        elif isinstance(value.value, str | int | float):
            leaves[path + name] = Leaf(value.text() or "", "", value.line)
        elif name in _TITLES:
            rows = tuple(_row(name, key, row) for key, row in _numbered(value))
            tables.append(Table(_TITLES[name], value.line, rows))
        elif isinstance(value.value, list):
            leaves[path + name] = Leaf(",".join(str(one.value) for one in _listed(value)), "", value.line)
        else:
            _names(value, path + name, leaves)
            _walk(value, f"{path}{name}.", leaves, tables)


def _names(value: Node, path: str, leaves: dict[str, Leaf]) -> None:
    """An object whose members are all empty is a set: ``"switch-priority": {"3": {}}``."""
    members = list(value.members())
    if members and all(member.value is not None and not _filled(member) for _, member in members):
        leaves[path] = Leaf(",".join(name for name, _ in members), "", value.line)


def _filled(node: Node) -> bool:
    return not hasattr(node.value, "members") or bool(node.value.members)


def _listed(value: Node) -> Iterator[Node]:
    if not isinstance(value.value, list):
        raise value.wrong("a list")
    for one in value.value:
        yield Node(one, value.path, value.line)


def _numbered(value: Node) -> Iterator[tuple[str, Node]]:
    if isinstance(value.value, list):
        yield from ((str(number), row) for number, row in enumerate(value.rows()))
    else:
        yield from value.members()


def _row(table: str, key: str, row: Node) -> Row:
    cells = {_NUMBERS.get(table, "#"): key}
    for name, cell in row.members():
        if isinstance(cell.value, list):
            cells[name] = ",".join(str(one.value) for one in _listed(cell))
        elif isinstance(cell.value, str | int | float):
            cells[name] = str(cell.value)
    return Row(row.line, cells)

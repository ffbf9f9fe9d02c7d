"""``{value: …, source: …}`` in a policy file: the value goes where the pair stood, the source is kept aside."""

from collections.abc import Mapping
from dataclasses import replace

from fabric_audit.documents.nodes import Document, Node
from fabric_audit.errors import Fault

Path = tuple[str | int, ...]


def without_sources(document: Document) -> tuple[Document, dict[Path, str]]:
    """The document with plain values only, and the source of each value that names one."""
    sources: dict[Path, str] = {}
    faults: list[Fault] = []
    root = _plain(document, document.root, (), sources, faults)
    return replace(document, root=root, faults=(*document.faults, *faults)), sources


def _plain(document: Document, node: Node, path: Path, sources: dict[Path, str], faults: list[Fault]) -> Node:
    if isinstance(node.value, tuple):
        children = [_plain(document, child, (*path, i), sources, faults) for i, child in enumerate(node.value)]
        return replace(node, value=tuple(children))
    if not isinstance(node.value, Mapping):
        return node
    if "value" in node.value:
        _keep_source(document, node, path, sources, faults)
        return _plain(document, node.value["value"], path, sources, faults)
    below = {key: _plain(document, child, (*path, key), sources, faults) for key, child in node.value.items()}
    return replace(node, value=below)


def _keep_source(document: Document, pair: Node, path: Path, sources: dict[Path, str], faults: list[Fault]) -> None:
    for key in pair.keys.keys() - {"value", "source"}:
        place = pair.keys[key]
        faults.append(Fault(document.file, place.line, place.column, f"unknown key {key!r}", "write value and source"))
    source = pair.below("source")
    if source is None:
        return
    if isinstance(source.value, str) and source.value.strip():
        sources[path] = source.value
        return
    place = source.place
    faults.append(Fault(document.file, place.line, place.column, "source names nothing", "write a page, or 'ours: …'"))

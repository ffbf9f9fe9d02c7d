"""The form of all JSON of NX-OS: ``TABLE_x`` holds ``ROW_x``, one object where there is one row, else a list."""

from collections.abc import Iterator

from fabric_audit.platforms.document import Node


def rows(node: Node, *names: str) -> Iterator[Node]:
    """The rows of ``TABLE_name`` below a place, and of the tables below those, outermost name first.

    Raises:
        ParseError: a table or a row is there and is none.
    """
    if not names:
        yield node
        return
    table = node.get(f"TABLE_{names[0]}")
    for part in [table] if table.there and not isinstance(table.value, list) else list(table.rows()):
        for row in part.get(f"ROW_{names[0]}").rows():
            yield from rows(row, *names[1:])

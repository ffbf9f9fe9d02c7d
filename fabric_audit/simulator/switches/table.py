"""Tables as switches print them."""

from collections.abc import Sequence


def ruled(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns two blanks apart under a dashed rule, numbers to the right (python-tabulate's "simple" form)."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[i]) for line in [list(header), *cells]) for i in range(len(header))]
    rule = ["-" * width for width in widths]
    numeric = [all(_number(row[i]) for row in cells) and bool(cells) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        placed = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric, strict=True)]
        return "  ".join(placed).rstrip()

    return "\n".join([line(list(header)), "  ".join(rule), *(line(row) for row in cells)]) + "\n"


def _number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").isdigit()

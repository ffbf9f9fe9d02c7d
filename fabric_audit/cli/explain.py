"""``fabric-audit explain``: the manual of a check, a table, a parser or a policy value."""

import click

from fabric_audit.cli import nearest

_WIDTH = 120
_OPTIONAL = "?"
_LEGEND = (
    "key: names the row; exact: any change is a change; counter: only grows; measure: compared within a tolerance;",
    "volatile: never compared. ?: may be missing, the coverage of a capture says why. Units stand in the names:",
    "_bytes, _us and _s, _bps (bits a second), _pct, _w, _c (degrees Celsius), _mhz.",
)


@click.command()
@click.argument("name")
def command(name: str) -> int:
    """Print the manual of NAME: a check, a fact table, a parser, or a value of the policy."""
    from fabric_audit.checks.model import all_checks
    from fabric_audit.facts import all_tables
    from fabric_audit.platforms.registry import all_sections
    from fabric_audit.policy.design import meanings

    checks = {check.id: check for check in all_checks()}
    if name in checks:
        click.echo(f"{name}\n\n{checks[name].manual}\n\nReads: {', '.join(checks[name].needs) or 'the coverage'}")
    elif name in all_tables():
        click.echo(_table(name))
    elif name in all_sections():
        click.echo(_section(name))
    elif name in meanings():
        click.echo(f"{name}: {meanings()[name]}")
    else:
        known = [*checks, *all_tables(), *all_sections(), *meanings()]
        raise click.UsageError(f"nothing is called {name!r}{nearest(name, known)}")
    return 0


def _table(name: str) -> str:
    from inspect import cleandoc

    from fabric_audit.facts import Kind, all_tables, columns
    from fabric_audit.platforms.registry import all_sections

    fact = all_tables()[name]
    lines = [name, "", cleandoc(fact.__doc__ or ""), ""]
    for column in columns(fact):
        kind = "key" if column.kind is Kind.KEY else f"{column.kind}{_OPTIONAL * column.type.endswith('| None')}"
        head = f"  {column.name:26} {column.type.removesuffix(' | None'):6} {kind:10} "
        source = f" [{column.source}]" if column.source else ""
        lines += _wrapped(head, column.meaning + source)
    told_by = [section.id for section in all_sections().values() if name in section.tables]
    lines += [
        "",
        *_LEGEND,
        "",
        *_wrapped("Told by ", ", ".join(told_by) or "the inventory, or joined from other tables"),
    ]
    if told_by:
        lines += ["Where a column names no source, the manual of its parser does: fabric-audit explain PARSER"]
    return "\n".join([*lines, *(_known_counters() if name == "counter" else ())])


def _known_counters() -> list[str]:
    """The tables of counters' meanings, and what each rests on."""
    from fabric_audit.platforms.counter_meanings import counter_tables

    lines = ["", "Meanings of counters by driver; one that is in no table is of class other, and judged by nobody:"]
    for driver, table in sorted(counter_tables().items()):
        sources = "; ".join(dict.fromkeys(meaning.source for meaning in table.meanings))
        lines += _wrapped(f"  {driver:22} {table.rows:4} names  ", f"[{sources}]")
    return lines


def _wrapped(head: str, text: str) -> list[str]:
    from textwrap import wrap

    return wrap(text, _WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_on_hyphens=False) or [head]


def _section(name: str) -> str:
    from inspect import cleandoc

    from fabric_audit.platforms.registry import all_sections

    section = all_sections()[name]
    return "\n".join(
        [
            name,
            "",
            cleandoc(section.manual),
            "",
            f"Fills: {', '.join(section.tables)}",
            f"Proven on: {section.proven.value}",
            f"Asked: {section.when.value}",
        ]
    )

"""``fabric-audit explain``: the manual of a check, a table, a parser or a policy value."""

import click

from fabric_audit.cli import nearest


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

    from fabric_audit.facts import all_tables, columns
    from fabric_audit.platforms.registry import all_sections

    fact = all_tables()[name]
    rows = [
        f"  {column.name:26} {column.type:14} {column.kind.value:9} {column.meaning}"
        + (f" [{column.source}]" if column.source else "")
        for column in columns(fact)
    ]
    told_by = [section.id for section in all_sections().values() if name in section.tables]
    told = "\n".join(["", "Told by: " + (", ".join(told_by) or "the inventory, or joined from other tables")])
    return "\n".join([name, "", cleandoc(fact.__doc__ or ""), "", *rows, told])


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

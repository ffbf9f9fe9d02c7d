"""``fabric-audit parse``: one raw output to facts as JSON."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabric_audit.cli import ExitCode, nearest

if TYPE_CHECKING:
    from fabric_audit.platforms.reading import Reading

SCHEMA = 1


@click.command()
@click.argument("name", required=False)
@click.argument("file", required=False, default="-")
@click.option("--list", "list_names", is_flag=True, help="List all parsers.")
@click.option("--stderr", "stderr_file", type=click.Path(), help="What the command wrote to stderr.")
@click.option("--rc", type=int, default=None, help="Exit status of the command.")
@click.option("--item", default="", help="Device the output is about, where the command was asked for one.")
def command(name: str | None, file: str, list_names: bool, stderr_file: str | None, rc: int | None, item: str) -> int:
    """Turn one raw output into facts, printed as JSON.

    NAME is a parser: nvidia-smi-topo, ib_write_bw's perftest, sonic:show-pfc-counters, ... FILE is the output; - or
    nothing is stdin. A tool's own error is a fact; text that is not understood ends with exit code 3.
    """
    from fabric_audit.platforms.model import Output
    from fabric_audit.platforms.reading import read
    from fabric_audit.platforms.registry import all_sections

    sections = all_sections()
    if list_names:
        for section in sections.values():
            click.echo(f"{section.id:45} {section.proven:16} {', '.join(section.tables)}")
        return 0
    if name is None:
        raise click.UsageError("name a parser; fabric-audit parse --list shows them all")
    if name not in sections:
        raise click.UsageError(
            f"no parser is called {name!r}{nearest(name, sections)}; fabric-audit parse --list shows all"
        )
    section = sections[name]
    default_rc = None if section.kind == "switches" else 0
    output = Output(
        stdout=_text(file),
        stderr=_text(stderr_file) if stderr_file else "",
        rc=default_rc if rc is None else rc,
        item=item,
    )
    reading = read(section, output)
    click.echo(json.dumps(_document(section.id, str(section.proven), reading), indent=2, ensure_ascii=False))
    if reading.state == "parse_error":
        click.echo(f"fabric-audit: {section.id}: {reading.reason}", err=True)
        return ExitCode.INCOMPLETE
    return 0


def _text(file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{file}: {error.strerror}") from None
    return data.decode("utf-8", "replace")


def _document(parser: str, provenance: str, reading: "Reading") -> dict[str, object]:
    from fabric_audit.facts.tables import rows_by_table

    return {
        "schema": SCHEMA,
        "parser": parser,
        "provenance": provenance,
        "state": reading.state,
        "reason": reading.reason,
        "tables": rows_by_table(reading.facts),
        "missing": [{"table": m.table, "field": m.field, "why": str(m.why), "words": m.words} for m in reading.missing],
        "skipped": [{"line": s.line, "text": s.text, "expected": s.expected} for s in reading.skipped],
    }

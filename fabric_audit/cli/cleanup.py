"""``fabric-audit cleanup``: end what any earlier run left on hosts."""

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import click

from fabric_audit.cli import ExitCode

if TYPE_CHECKING:
    from fabric_audit.inventory.model import Host
    from fabric_audit.transport import Transport


@click.command()
@click.argument("inventory")
@click.option("--limit", metavar="NODESET", help="Only these hosts.")
@click.option("--accept-new-host-keys", is_flag=True, help="Record unknown host keys; changed ones are refused.")
def command(inventory: str, limit: str | None, accept_new_host_keys: bool) -> int:
    """End processes that an earlier run left on hosts, and remove its temporary files.

    Found by the run's tag in their environment, never by name; a run that still goes on is left alone.
    """
    from fabric_audit.api.planning import load_inventory
    from fabric_audit.api.running import open_sessions

    loaded = load_inventory(inventory)
    hosts = (loaded.limited_to(limit) if limit else loaded).hosts
    with (
        open_sessions(loaded, accept_new_host_keys=accept_new_host_keys) as sessions,
        ThreadPoolExecutor(32) as executor,
    ):
        answers = list(executor.map(lambda host: _swept(sessions.hosts, host), hosts))
    for host, (words, _) in zip(hosts, answers, strict=True):
        click.echo(f"{host.name}: {words}")
    return ExitCode.CLEAN if all(reached for _, reached in answers) else ExitCode.INCOMPLETE


def _swept(transport: "Transport", host: "Host") -> tuple[str, bool]:
    from fabric_audit.collect.asking import new_mark
    from fabric_audit.collect.run import SWEEP, SWEEP_S
    from fabric_audit.errors import TransportError

    mark = new_mark()
    try:
        session = transport.open(host)
    except TransportError as error:
        return str(error), False
    answer = session.ask(SWEEP.text(mark), deadline_s=SWEEP_S)
    session.close()
    lines = [line for line in answer.stdout.decode("utf-8", "replace").splitlines() if line.startswith("left by")]
    return ("; ".join(lines) or "nothing was left") if answer.error is None else str(answer.error), answer.error is None

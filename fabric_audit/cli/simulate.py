"""``fabric-audit simulate``: a pod in the foreground, and the inventory that leads to it."""

import sys

import click

from fabric_audit.errors import UsageError


@click.command()
@click.argument("pod", default="")
@click.option("--fault", "faults", metavar="NAME@TARGET", multiple=True, help="Plant a fault; may be repeated.")
@click.option("--platform", "platforms", metavar="SWITCH=OS", multiple=True, help="What a switch or a role runs.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides what faults leave open.")
@click.option("--scale", type=float, default=1.0, show_default=True, help="Real seconds for each simulated one.")
@click.option("--output", metavar="FILE", help="Where to write the inventory.")
@click.option("--list-faults", is_flag=True, help="List the faults, and what is none, and end.")
def command(pod: str, faults: tuple[str, ...], platforms: tuple[str, ...], list_faults: bool, **more: object) -> int:
    """Serve a simulated pod on loopback until Ctrl-C, and write an ordinary inventory for it.

    POD is clos-<hosts>x<rails>, such as clos-8x2, wired by rail; clos-8x2-rack is wired by rack. Leaves run SONiC and
    spines EOS; --platform leaf=nvidia_cumulus or spine02=cisco_nxos changes a role or one switch. Switch logins take
    the password in the environment variable that the inventory names.
    """
    if list_faults:
        _list_faults()
        return 0
    if not pod:
        raise UsageError("which pod? clos-8x2 is 8 hosts with 2 rails")
    try:
        from fabric_audit.simulator import __main__ as served
    except ImportError:
        raise UsageError("a simulated pod needs: pip install 'fabric-audit[sim]'") from None
    if wrong := next((said for said in platforms if "=" not in said), ""):
        raise UsageError(f"--platform {wrong}: write a switch or a role and what it runs, as in leaf=nvidia_cumulus")
    words = [pod, *(word for fault in faults for word in ("--fault", fault))]
    words += [word for said in platforms for word in ("--platform", said)]
    words += [word for name, value in more.items() if value is not None for word in (f"--{name}", str(value))]
    return served.main(words, until=sys.stdin if not sys.stdin.isatty() else None)


def _list_faults() -> None:
    """What can be planted, faults first, each with its target and its sizes."""
    from fabric_audit.simulator.faults import FAULTS, HARMLESS

    for heading, group in (("", FAULTS), ("No faults, and nothing to blame:", HARMLESS)):
        if heading:
            click.echo(f"\n{heading}")
        for fault in group.values():
            sizes = f" ({', '.join(map(str, fault.sizes))})" if fault.sizes else ""
            click.echo(f"{fault.name:24} {fault.on:16} {fault.words}{sizes}")

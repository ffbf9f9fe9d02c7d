"""The lab by hand: ``python -m tests.softroce --help``."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from . import faults
from .fabric import Fabric, Host
from .image import obtain_image
from .inventory import inventory_text
from .lab import Lab, default_folder, find, running, start
from .observe import perftest_processes
from .requirements import CannotRunError, LabError, require_to_run
from .shaping import Direction, Shape

CANNOT_RUN = 77
"""Exit code where the machine lacks what the lab needs: what test harnesses take for *skipped*. 1 is *failed*."""


class _Commands(click.Group):
    """Tells what cannot run here from what failed, in one line each."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CannotRunError as reason:
            click.echo(f"cannot run the Soft-RoCE lab here: {reason}", err=True)
            ctx.exit(CANNOT_RUN)
        except LabError as reason:
            click.echo(f"the Soft-RoCE lab failed: {reason}", err=True)
            ctx.exit(1)


@click.group(cls=_Commands)
def main() -> None:
    """Start, shape and stop a lab of real RDMA hosts in one emulated machine."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


_folder = click.option(
    "--folder", type=click.Path(path_type=Path), default=default_folder, help="The lab's keys, records and inventory."
)


def _fabric_options(command: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.option("--hosts", type=click.IntRange(2, 16), default=4, show_default=True),
        click.option("--rails", type=click.IntRange(1, 8), default=1, show_default=True),
        click.option("--rate", type=float, default=0, help="Mbit/s of every port; default by the number of hosts."),
        click.option("--port", type=int, default=0, help="SSH port at every host's address; default any free one."),
        click.option("--tcsh", multiple=True, metavar="HOST", help="A host whose users have tcsh as login shell."),
        click.option("--without-perftest", multiple=True, metavar="HOST", help="A host that has no perftest."),
        click.option("--user", type=click.Choice(["root", "audit"]), default="root", help="Of the inventory."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _fabric(
    hosts: int, tcsh: tuple[str, ...], without_perftest: tuple[str, ...], rate: float, **settings: Any
) -> Fabric:
    plain = [Host(number) for number in range(1, hosts + 1)]
    unknown = {*tcsh, *without_perftest} - {host.name for host in plain}
    if unknown:
        raise click.UsageError(f"no such host: {', '.join(sorted(unknown))}; there are node1 to node{hosts}")
    altered = (
        Host(host.number, "/bin/tcsh" if host.name in tcsh else host.shell, perftest=host.name not in without_perftest)
        for host in plain
    )
    return Fabric(tuple(altered), rate_mbit=rate, **settings)


def _introduce(lab: Lab, user: str) -> None:
    inventory = lab.folder / "inventory.yaml"
    inventory.write_text(inventory_text(lab, user=user), encoding="utf-8")
    for host in lab.fabric.hosts:
        click.echo(f"{host.name}  ssh -F {lab.folder}/ssh_config {host.name}")
    click.echo(inventory)


@main.command("check")
def check_() -> None:
    """Say whether the lab can run here, and build its image if that is not done yet."""
    require_to_run()
    click.echo(obtain_image().folder)


@main.command("start")
@_folder
@_fabric_options
def start_(folder: Path, port: int, user: str, **layout: Any) -> None:
    """Start a lab that stays until `stop`."""
    _introduce(start(_fabric(**layout), folder, port=port), user)


@main.command("stop")
@_folder
def stop_(folder: Path) -> None:
    """End a lab and delete its folder."""
    find(folder).stop()


@main.command("status")
@_folder
def status_(folder: Path) -> None:
    """Show a lab's hosts and the perftest processes on them."""
    lab = find(folder)
    click.echo(f"qemu {lab.machine.pid} {'runs' if lab.machine.alive else 'is gone'}")
    for host in lab.fabric.hosts if lab.machine.alive else ():
        click.echo(f"{host.name}  {host.address}:{lab.port}  {host.rail_address(0)}")
    for process in perftest_processes(lab) if lab.machine.alive else ():
        click.echo(f"{process.host}  {' '.join(process.argv)}")


@main.command("shape")
@_folder
@click.argument("host")
@click.option("--direction", type=click.Choice([d.value for d in Direction]), default=Direction.SEND.value)
@click.option("--rail", type=int, default=0)
@click.option("--rate", type=float, default=None, help="Mbit/s; default the fabric's rate.")
@click.option("--loss", type=float, default=0, help="Per cent.")
@click.option("--delay", type=float, default=0, help="Milliseconds.")
def shape_(folder: Path, host: str, direction: str, rail: int, rate: float | None, loss: float, delay: float) -> None:
    """Give one direction of a host's port a shape; without options make it healthy."""
    lab = find(folder)
    wanted = Shape(lab.fabric.rate_mbit if rate is None else rate, loss, delay)
    faults.shape(lab, host, Direction(direction), wanted, rail=rail)


@main.command("run", context_settings={"ignore_unknown_options": True})
@_folder
@_fabric_options
@click.argument("command", nargs=-1, type=click.UNPROCESSED, required=True)
def run_(folder: Path, port: int, user: str, command: tuple[str, ...], **layout: Any) -> None:
    """Start a lab, run COMMAND with SOFTROCE_INVENTORY and SOFTROCE_FOLDER set, stop the lab whatever happens."""
    with running(_fabric(**layout), folder, port=port) as lab:
        _introduce(lab, user)
        code = _accompany(command, lab.folder)
    sys.exit(code)


def _accompany(command: tuple[str, ...], folder: Path) -> int:
    """Run a command to its end; signals sent to this program are for the command, which then cleans up."""
    places = {"SOFTROCE_FOLDER": str(folder), "SOFTROCE_INVENTORY": str(folder / "inventory.yaml")}
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", "--", *command], env=os.environ | places, process_group=0
    )
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: child.send_signal(received))
    return child.wait()


if __name__ == "__main__":
    main(prog_name="python -m tests.softroce")

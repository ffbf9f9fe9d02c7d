"""The text a host executes: one script on stdin of ``exec /bin/sh -s``, sections framed by a random mark.

A script is a preamble of shell functions, then ``main() {`` with one *verb* a line, then ``main``. The shell has
read it whole before the first verb runs, so what still comes on stdin is a lifeline: its end means that the
controller is gone, and the traffic on this host with it.
"""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from fabric_audit.platforms.model import Each, Files, Links, Run, Section

SHELL = "exec /bin/sh -s"
"""Command line of every host exec: works under sh, bash, dash, busybox and tcsh as login shell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """One exec on one host. ``body`` is what the capture keeps; ``text`` what is sent."""

    command: str
    body: tuple[str, ...]
    run: str
    become: str = ""
    traffic: bool = False

    def text(self, mark: str) -> str:
        """The whole script, with its first line naming the command."""
        become = f"{self.become} -n" if self.become else ""
        lines = [
            f": fabric-audit {self.command}",
            f"mark={shlex.quote(mark)} runid={shlex.quote(self.run)}",
            f'become={shlex.quote(become)}; [ "$(id -u)" = 0 ] && become=',
            preamble(traffic=self.traffic),
            "main() {",
            "setup",
            *(["setup_traffic"] if self.traffic else []),
            *self.body,
            "}",
            "main",
        ]
        return "\n".join(lines) + "\n"


@cache
def preamble(*, traffic: bool) -> str:
    """The shell functions, as they lie beside this file."""
    names = ("preamble.sh", "traffic.sh") if traffic else ("preamble.sh",)
    return "".join(files("fabric_audit.plan").joinpath(name).read_text("utf-8") for name in names).rstrip("\n")


def verb(section: Section) -> str:
    """The line of a script that asks for one section.

    Raises:
        TypeError: the section is not one of a host.
    """
    time = f"{section.timeout_s:g}"
    match section.ask:
        case Run(argv, root):
            words = ["root" if root else "run", section.name, time, *argv]
        case Files(globs, root):
            words = ["rootfiles" if root else "files", section.name, time, *globs]
        case Links(globs):
            words = ["links", section.name, time, *globs]
        case Each(devices, Run(argv, root)):
            words = ["rooteach" if root else "each", devices, section.name, time, *argv]
        case _:
            raise TypeError(f"{section.id} is not asked by a host script")
    return shlex.join(words)


def verbs(sections: Iterable[Section]) -> tuple[str, ...]:
    """One line a section, in order."""
    return tuple(verb(section) for section in sections)

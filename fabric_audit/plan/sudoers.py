"""The lines of sudoers(5) that let a user run as root exactly what the tool asks for, and nothing else.

Arguments are regular expressions, which sudo knows since 1.9.10: in a wildcard ``*`` would also take further
arguments. Devices are the only thing that varies, and their names hold no blank.
"""

import re
from collections.abc import Iterable, Iterator

from fabric_audit.errors import UsageError
from fabric_audit.platforms.model import Each, Files, Run, Section

_DEVICES = {
    "netdevs": "[A-Za-z0-9][A-Za-z0-9._@-]*",
    "rdma_netdevs": "[A-Za-z0-9][A-Za-z0-9._@-]*",
    "rdma_devices": "[A-Za-z0-9][A-Za-z0-9_.-]*",
    "rdma_pci": "[0-9a-f]+:[0-9a-f]{2}:[0-9a-f]{2}[.][0-7]",
}
"""Walk of the host script → the names its devices can have."""


def sudoers(user: str, sections: Iterable[Section]) -> Iterator[str]:
    """A file for ``/etc/sudoers.d``.

    Args:
        user: the account that the inventory names.
        sections: those of hosts; those that need no root give no line.

    Raises:
        UsageError: no account can be called so.
    """
    if not re.fullmatch("[a-z_][a-z0-9_-]{0,31}", user):
        raise UsageError(f"{user!r} is no name of a user; write letters, digits, - and _, as useradd(8) takes them")
    yield f"Defaults:{user} !requiretty"
    for section in sections:
        for command in _commands(section):
            yield f"{user} ALL=(root) NOPASSWD: {command}"


def _commands(section: Section) -> Iterator[str]:
    match section.ask:
        case Run(argv, root=True):
            yield _command(argv[0], " ".join(map(_literal, argv[1:])))
        case Each(devices, Run(argv, root=True)):
            yield _command(argv[0], " ".join(_DEVICES[devices] if a == "{}" else _literal(a) for a in argv[1:]))
        case Files(globs, root=True):
            for glob in globs:
                yield _command("sh", _literal(f"-c grep -H '' {glob}"))


def _command(program: str, arguments: str) -> str:
    """The path matches /usr/bin and /usr/sbin: distributions differ."""
    return f"/usr/*bin/{program} " + (f"^{arguments}$" if arguments else '""')


def _literal(text: str) -> str:
    """Text as itself in an extended regular expression; sudoers takes no backslash but its own."""
    return re.sub(r"[.$*+?()\[\]{}|]", r"[\g<0>]", text)

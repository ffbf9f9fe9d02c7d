"""Switches get registered read-only commands and nothing else."""

import re

from fabric_audit.errors import RefusedCommandError
from fabric_audit.platforms.model import SwitchPlatform

_NEVER = re.compile(r"[\x00-\x1f\x7f;`]|\$\(|\|\||&&|[<>]")
"""A second command, a redirect or a control character, whatever a platform allows."""
_PIPE = re.compile(r"\|")
_HARMLESS_PIPES = re.compile(r"\| ?(json|json-pretty|json-print|no-more|display (json|xml|inheritance|set))")


def refuse_unless_allowed(platform: SwitchPlatform, command: str) -> None:
    """Let a command pass that the platform names as read-only.

    Raises:
        RefusedCommandError: it is not, or it hides a second command, a redirect or a pipe to something else.
    """
    outside = _HARMLESS_PIPES.sub("", command)
    if _NEVER.search(command) or _PIPE.search(outside):
        raise RefusedCommandError(f"{platform.name}: refused {command!r}: more than one read-only command")
    if not any(re.fullmatch(allowed, command) for allowed in platform.allowed):
        raise RefusedCommandError(f"{platform.name}: refused {command!r}: not on its list of read-only commands")

"""Switches get the read-only commands of their platform's list, and the code has no way to any other."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import fabric_audit
from fabric_audit.errors import RefusedCommandError
from fabric_audit.platforms.model import Cli
from fabric_audit.platforms.registry import all_sections, switch_platforms
from fabric_audit.transport.guard import refuse_unless_allowed

EOS = switch_platforms()["arista_eos"]
SONIC = switch_platforms()["sonic"]
CHANGES = (
    *("send_config_set", "send_config_from_file", "config_mode", "exit_config_mode", "check_config_mode"),
    *("save_config", "commit", "enable", "exit_enable_mode", "send_multiline", "send_multiline_timing"),
    *("send_command_timing", "write_channel", "file_transfer", "FileTransfer", "InLineTransfer", "progress_bar"),
    *("ConnectHandler", "ConnLogOnly", "ConnUnify", "redispatch", "run_ttp_template"),
)
"""Of netmiko: what configures, saves, copies files, raises privileges, or goes round the dialler and the guard."""


@pytest.mark.parametrize("command", ["show running-config", "show interfaces | json", "show version | json | no-more"])
def test_commands_of_the_list_pass(command: str) -> None:
    refuse_unless_allowed(EOS, command)


@pytest.mark.parametrize(
    "command",
    [
        "configure terminal",
        "show running-config ; reload",
        "show running-config; reload",
        "show running-config\nreload",
        "show running-config\rreload",
        "show running-config | redirect flash:x",
        "show running-config > flash:x",
        "show running-config >> flash:x",
        "show running-config | bash",
        "show running-config | json | bash",
        "show running-config | no-more | tee flash:x",
        "show version | jsonx",
        "show running-config && reload",
        "show running-config || reload",
        "show version `reload`",
        "show version $(reload)",
        "show version\x00",
        "show version\x1b[A",
        " show version",
        "show version ",
        "Show version",
        "show tech-support",
        "write memory",
        "copy running-config startup-config",
        "bash",
        "start shell",
        "",
    ],
)
def test_anything_else_is_refused(command: str) -> None:
    with pytest.raises(RefusedCommandError, match="refused"):
        refuse_unless_allowed(EOS, command)


@pytest.mark.parametrize(
    "command", ["sudo -n show runningconfiguration all; id", "sudo reboot", "show pfc counters -c"]
)
def test_a_linux_switch_is_no_shell_for_it(command: str) -> None:
    with pytest.raises(RefusedCommandError):
        refuse_unless_allowed(SONIC, command)


def test_every_command_that_is_ever_asked_is_on_its_platforms_list() -> None:
    asked = [(s.platform, s.ask.text) for s in all_sections().values() if isinstance(s.ask, Cli)]
    assert len(asked) > 20
    for platform, text in asked:
        refuse_unless_allowed(switch_platforms()[platform], text)


@cache
def names_used() -> tuple[tuple[Path, str], ...]:
    """Every name, attribute and import of the package's code."""
    return tuple(_names())


def _names() -> Iterator[tuple[Path, str]]:
    for path in Path(fabric_audit.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                yield path, node.attr
            elif isinstance(node, ast.Name):
                yield path, node.id
            elif isinstance(node, ast.alias):
                yield path, node.name


def test_nothing_that_configures_saves_or_copies_is_reachable_in_the_code() -> None:
    assert any(name == "send_command" for _, name in names_used())
    assert [(str(path), name) for path, name in names_used() if name in CHANGES] == []


def test_one_file_alone_knows_netmiko() -> None:
    assert {path.name for path, name in names_used() if name.split(".")[0] == "netmiko"} == {"switch_cli.py"}

"""What is sent to a switch: only what its platform names as read-only."""

import re

import pytest

from fabric_audit.platforms.model import Cli
from fabric_audit.platforms.registry import sections_of, switch_platforms

PLATFORMS = sorted(switch_platforms())


@pytest.mark.parametrize("name", PLATFORMS)
def test_what_is_asked_is_on_the_list(name: str) -> None:
    allowed = switch_platforms()[name].allowed
    asked = [section.ask.text for section in sections_of("switches", name) if isinstance(section.ask, Cli)]
    assert asked
    assert [text for text in asked if not any(re.fullmatch(pattern, text) for pattern in allowed)] == []


@pytest.mark.parametrize("name", PLATFORMS)
@pytest.mark.parametrize(
    "command",
    [
        "configure",
        "configure terminal",
        "reload",
        "request system reboot",
        "start shell",
        "bash",
        "run bash ls",
        "clear counters",
        "show running-config | tee flash:x",
        "show version; reload",
        "show version\nreload",
        "show version > flash:x",
        "show configuration | save x",
        "show tech-support",
        "copy running-config startup-config",
        "write memory",
        "",
    ],
)
def test_what_changes_or_floods_is_not(name: str, command: str) -> None:
    assert not any(re.fullmatch(allowed, command) for allowed in switch_platforms()[name].allowed)


@pytest.mark.parametrize("name", PLATFORMS)
def test_patterns_of_a_platform_compile_and_secrets_have_one_group(name: str) -> None:
    platform = switch_platforms()[name]
    for pattern in (*platform.allowed, *platform.errors):
        re.compile(pattern)
    assert [pattern for pattern in platform.secrets if re.compile(pattern).groups != 1] == []

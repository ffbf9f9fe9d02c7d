import re

import pytest

from fabric_audit.platforms.model import Cli, Output
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections, sections_of
from fabric_audit.platforms.switches.sonic import PLATFORM


def is_allowed(command: str) -> bool:
    return any(re.fullmatch(pattern, command) for pattern in PLATFORM.allowed)


def test_every_question_is_allowed() -> None:
    asked = [section.ask.text for section in sections_of("switches", "sonic") if isinstance(section.ask, Cli)]
    assert asked
    assert [command for command in asked if not is_allowed(command)] == []


@pytest.mark.parametrize(
    "command",
    [
        "sudo config reload -y",
        "show techsupport",
        "sonic-clear pfccounters",
        "show pfc counters; reboot",
        "show pfc counters\nreboot",
        "show pfc counters | sh",
        "show pfc counters > /etc/passwd",
        "show interfaces errors $(reboot)",
        "mmuconfig -p ingress_lossy_profile -a 1",
        "ecnconfig -p AZURE_LOSSLESS -gmax 1",
        "sudo show runningconfiguration all --verbose",
        "pfcwd stop",
        "pfcstat -c",
    ],
)
def test_anything_else_is_refused(command: str) -> None:
    assert not is_allowed(command)


@pytest.mark.parametrize(
    "words",
    [
        "Usage: show pfc counters [OPTIONS]\n\nError: No such option: --history\n",
        "Usage: show [OPTIONS] COMMAND [ARGS]...\n\nError: No such command 'headroom-pool'.\n",
        "-bash: mmuconfig: command not found\n",
        "sudo: a password is required\n",
        "Root privileges are required for this operation\n",
    ],
)
def test_a_refusal_is_not_supported_in_the_words_of_the_box(words: str) -> None:
    found = read(all_sections()["sonic:show-pfc-counters-history"], Output(words, rc=None))
    assert found.state == "not_supported"
    assert found.reason in words


def test_secrets_are_named() -> None:
    text = """{
    "TACPLUS": {"global": {"passkey": "planted-1"}},
    "BGP_NEIGHBOR": {"192.0.2.1": {"auth_password": "planted-2"}},
    "SNMP_COMMUNITY": {"planted-3": {"TYPE": "RO"}, "planted-4": {
        "TYPE": "RW"}},
    "MACSEC_PROFILE": {"p": {"primary_cak": "planted-5"}},
    "bgpraw": "neighbor 192.0.2.1 password planted-6\\n neighbor 192.0.2.2 password 7 planted-7\\n"
}"""
    masked = {found[1] for pattern in PLATFORM.secrets for found in re.finditer(pattern, text)}
    assert masked == {f"planted-{number}" for number in range(1, 8)}

"""Markdown for a ticket."""

import pytest

from fabric_audit.findings import Audit
from fabric_audit.report import RENDERERS
from fabric_audit.report.to_markdown import code, plain
from tests.report.audits import Lines, faulty, healthy


def written(audit: Audit) -> str:
    return RENDERERS["markdown"].render(audit, Lines()).decode("utf-8")


def test_a_ticket_says_what_to_do() -> None:
    text = written(faulty(origin="simulated"))
    assert text.startswith("# SIMULATED FAIL: pod3\n")
    for words in (
        "1. `gpu005` (critical): GPU memory cannot be registered",
        "   - expected `PFC on for priority 3`, observed `PFC off`",
        "   - evidence: `baseline/leaf01/config-db.out:5`",
        "   - explains 3 other findings",
        "- unknown: `gpu007`",
        "maintenance window 4711",
    ):
        assert words in text


def test_a_healthy_fabric_has_nothing_to_fix() -> None:
    assert "Fix first" not in written(healthy())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a_b*c", r"a\_b\*c"),
        ("<img src=x>", r"\<img src=x\>"),
        ("[x](y)", r"\[x\](y)"),
        ("&lt;", r"\&lt;"),
        ("see http://evil.example", r"see http\://evil.example"),
        ("www.evil.example", r"www\.evil.example"),
        ("hello @team", "hello `@`team"),
        ("fixes #12", "fixes `#`12"),
        ("`@team", r"\``@`team"),
        ("a\nb", "a b"),
        ("~~x~~ $y$ |z|", r"\~\~x\~\~ \$y\$ \|z\|"),
    ],
)
def test_text_is_only_text(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"), [("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("``a", "``` ``a ```"), ("", "")]
)
def test_a_code_span_holds_any_backticks(text: str, shown: str) -> None:
    assert code(text) == shown

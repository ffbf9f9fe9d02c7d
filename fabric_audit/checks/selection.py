"""Which checks a person asks for, by the names of checks and families."""

from collections.abc import Sequence

from fabric_audit.checks.model import Check, all_checks
from fabric_audit.documents.validation import meant
from fabric_audit.errors import UsageError


def chosen(select: Sequence[str] = (), ignore: Sequence[str] = ()) -> tuple[Check, ...]:
    """The checks that are selected, all where nothing is, without those that are ignored.

    Raises:
        UsageError: a word names neither a check nor a family.
    """
    checks = all_checks()
    for word in (*select, *ignore):
        _known(word, checks)

    def named(check: Check, words: Sequence[str]) -> bool:
        return check.id in words or check.family in words

    return tuple(c for c in checks if (not select or named(c, select)) and not named(c, ignore))


def _known(word: str, checks: Sequence[Check]) -> None:
    families = {check.family for check in checks}
    family = word.split(".", maxsplit=1)[0]
    near = [check.id for check in checks if check.family == family] if "." in word else []
    if word not in families and word not in near:
        known = f"{meant(word, near or families)} (`fabric-audit checks` lists all)"
        raise UsageError(f"no check or family is called {word!r}; {known}")

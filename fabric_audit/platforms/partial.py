"""Outputs that are readable in part: what can be read is kept, the rest is listed, and nothing at all is an error."""

from collections.abc import Iterable, Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Answer, Missing, Skipped, Why


def kept(answers: Iterator[Answer]) -> Iterator[Answer]:
    """The answers up to the part that cannot be read, which is listed."""
    try:
        yield from answers
    except ParseError as error:
        yield Skipped(error.line, error.text, error.expected)


def whole(answers: Iterator[Answer]) -> Iterator[Answer]:
    """All of the answers, or none of them and the part that cannot be read: for a row whose facts stand together."""
    try:
        made = list(answers)
    except ParseError as error:
        made = [Skipped(error.line, error.text, error.expected)]
    yield from made


def settled(answers: Iterable[Answer], yields: tuple[type[Fact], ...], words: str) -> Iterator[Answer]:
    """The answers of a whole output; where they hold no fact, rows are absent, in these ``words``.

    Raises:
        ParseError: there is neither fact nor anything missing, but there are parts that could not be read.
    """
    told = False
    skipped: list[Skipped] = []
    for answer in answers:
        if isinstance(answer, Skipped):
            skipped.append(answer)
        else:
            told = True
            yield answer
    if not told and skipped:
        raise ParseError(skipped[0].line, skipped[0].text, skipped[0].expected)
    yield from skipped
    if not told:
        yield from (Missing(fact.TABLE, Why.ABSENT, words) for fact in yields)

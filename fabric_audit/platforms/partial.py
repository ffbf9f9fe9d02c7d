"""Outputs that are readable in part: what can be read is kept, the rest is listed, and nothing at all is an error."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from fabric_audit.errors import ParseError
from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Answer, Missing, Skipped, Why
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.text import torn


def ended(text: str) -> tuple[str, tuple[Skipped, ...]]:
    """The text without a last line that does not end, and that line: it was cut, and its last number with it.

    A prompt behind the answer does not end either, and is no loss.
    """
    cut = tuple(line for line in torn(text) if not is_noise(line.text))
    return text[: text.rfind("\n") + 1] if cut else text, cut


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

    What is missing for many rows is told once.

    Raises:
        ParseError: there is neither fact nor anything missing, but there are parts that could not be read.
    """
    told = False
    skipped: list[Skipped] = []
    missing: set[Missing] = set()
    for answer in answers:
        if isinstance(answer, Skipped):
            skipped.append(answer)
            continue
        if isinstance(answer, Missing):
            if answer in missing:
                continue
            missing.add(answer)
        told = True
        yield answer
    if not told and skipped:
        raise ParseError(skipped[0].line, skipped[0].text, skipped[0].expected)
    yield from skipped
    if not told:
        yield from (Missing(fact.TABLE, Why.ABSENT, words) for fact in yields)


def of_whole_lines(
    text: str, read: Callable[[str], Iterator[Answer]], yields: tuple[type[Fact], ...], words: str
) -> Iterator[Answer]:
    """:func:`settled` answers of the text up to its last whole line; a line that was cut is listed."""
    whole_text, cut = ended(text)
    yield from settled(chain(read(whole_text), cut), yields, words)

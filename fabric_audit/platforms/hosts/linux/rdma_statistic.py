"""Counters of RDMA ports as the ``rdma`` tool of iproute2 tells them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.counters import Counter
from fabric_audit.platforms.counter_meanings import counter_fact, counter_tables, table_that_fits
from fabric_audit.platforms.hosts.linux.hw_counters import own_name
from fabric_audit.platforms.hosts.linux.iproute import objects, tells_json
from fabric_audit.platforms.hosts.linux.refusals import refused
from fabric_audit.platforms.model import (
    Answer,
    Missing,
    Output,
    Provenance,
    Run,
    Skipped,
    When,
    Why,
    section,
)
from fabric_audit.platforms.noise import is_noise
from fabric_audit.platforms.text import consistent, numbered, torn, whole

_LINK = re.compile(r"[\w.-]+/[0-9]{1,3}")
_NAME = re.compile(r"[A-Za-z]\w*(?: [A-Za-z0-9]\w*)*")
_OF_THE_COUNTER = frozenset({"cntn", "pid", "comm", "qp-type", "lqpn", "mrn", "mr"})
_HEADINGS = ("Optional-set:", "LQPN:", "MRN:")
_LONGEST_NAME_WORDS = 4
_ENOUGH_DIGITS = 20


@dataclass(slots=True)
class _Link:
    name: str
    cntn: str = ""
    values: list[tuple[str, int, int | None]] = field(default_factory=list)

    @property
    def port(self) -> str:
        return f"{self.name} cntn {self.cntn}" if self.cntn else self.name


@section(
    "rdma-statistic",
    Run("rdma", "-j", "statistic", "show"),
    yields=(Counter,),
    proven=Provenance.FIELD,
    when=When.REQUEST,
)
def parse_rdma_statistic(output: Output) -> Iterator[Answer]:
    """``rdma statistic show``: the hardware counters of every RDMA port, and of single queue pairs.

    The same numbers as in ``hw_counters``, and besides them the optional counters that someone switched on
    (iproute2 5.16); so it is asked only on request. With ``-j`` a list of objects; without, ``link DEVICE/PORT``
    and pairs of name and number, on one line, on many, or wrapped by who copied them. Optional counters follow
    ``Optional-set:``. ``rdma statistic qp show`` adds ``cntn``, ``pid`` and ``comm`` of a counter set, and
    ``LQPN: <...>`` with its queue pairs; its port is told with the number of the set. Names of newer irdma hold
    blanks. Nothing here switches a counter on. Source: iproute2 ``rdma/stat.c``.
    """
    missing = tuple(refused(output, Counter))
    if missing:
        yield from missing
        return
    answers = tuple(_json(output.stdout) if tells_json(output.stdout) else _text(output.stdout))
    links = [one for one in answers if isinstance(one, _Link)]
    skipped = [one for one in answers if isinstance(one, Skipped)]
    if skipped and not any(link.values for link in links):
        raise ParseError(skipped[0].line, skipped[0].text, skipped[0].expected)
    yield from skipped
    if not links:
        yield Missing("counter", Why.ABSENT, "rdma shows no counter")
    yield from consistent(chain.from_iterable(_counters(link) for link in links))


def _counters(link: _Link) -> Iterator[Counter]:
    table = table_that_fits("hw_counters", (name for name, _, _ in link.values), link.name)
    for name, value, line in link.values:
        known, shown = table.meaning(name), own_name(name)
        yield counter_fact(known, port=link.port, name=shown, value=value, source="rdma statistic", line=line)


def _json(text: str) -> Iterator[_Link]:
    for one in objects(text, "a list of RDMA ports with counters"):
        name, port = one.get("ifname"), one.get("port")
        if not isinstance(name, str) or not isinstance(port, int):
            raise ParseError(1, str(one), "ifname and port of the counters")
        link = _Link(f"{name}/{port}", str(one.get("cntn", "")))
        link.values.extend(_json_values(one))
        yield link


def _json_values(one: Mapping[str, Any]) -> Iterator[tuple[str, int, int | None]]:
    for name, value in one.items():
        if name in _OF_THE_COUNTER or name in ("ifname", "port", "ifindex"):
            continue
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            yield name, value, None


def _text(text: str) -> Iterator[_Link | Skipped]:
    words = list(_words(text))
    pairs = enumerate(pairwise(words))
    starts = [index for index, (one, two) in pairs if one[1] == "link" and _LINK.fullmatch(two[1])]
    if starts[:1] != [0]:
        number, word = words[0] if words else (0, text.strip())
        raise ParseError(number, word, "link DEVICE/PORT NAME NUMBER ...")
    for start, end in pairwise([*starts, len(words)]):
        link = _Link(words[start + 1][1])
        yield from _fill(link, words[start + 2 : end])
        yield link
    yield from torn(text)


def _fill(link: _Link, words: Iterable[tuple[int, str]]) -> Iterator[Skipped]:
    pending: list[str] = []
    number = 0
    for number, word in words:
        if word in _HEADINGS or word.startswith("<"):
            yield from _unread(pending, number)
            pending.clear()
        else:
            pending.append(word)
            yield from _pair(link, pending, number)
    yield from _unread(pending, number)


def _words(text: str) -> Iterator[tuple[int, str]]:
    for number, line in numbered(whole(text)):
        if not is_noise(line):
            yield from ((number, word) for word in line.split())


def _pair(link: _Link, words: list[str], number: int) -> Iterator[Skipped]:
    """Take a name and its value off ``words``, if they are complete."""
    name, value = " ".join(words[:-1]), words[-1]
    if words[0] in _OF_THE_COUNTER:
        if len(words) > 1:
            link.cntn = value if name == "cntn" else link.cntn
            words.clear()
    elif value.isdecimal() and value.isascii():
        if _NAME.fullmatch(name) and len(value) <= _ENOUGH_DIGITS and (len(words) == 2 or _known(name)):  # noqa: PLR2004 - name, value
            link.values.append((name, int(value), number))
        else:
            yield Skipped(number, " ".join(words), "NAME NUMBER")
            if not name and link.values:  # it may be the rest of the number before it
                link.values.pop()
        words.clear()
    elif len(words) > _LONGEST_NAME_WORDS:
        yield from _unread(words, number)
        words.clear()


def _known(name: str) -> bool:
    return any(table.known(name) for table in counter_tables().values() if table.text == "hw_counters")


def _unread(words: Iterable[str], number: int) -> Iterator[Skipped]:
    rest = " ".join(words)
    if rest:
        yield Skipped(number, rest, "NAME NUMBER")

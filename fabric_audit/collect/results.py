"""From what hosts said to facts: what the baseline tells traffic, and what came of a round's slots."""

from collections.abc import Iterable, Sequence

from fabric_audit.capture.model import Entry
from fabric_audit.collect.asking import Answered
from fabric_audit.facts import Fact
from fabric_audit.facts.merge import joined
from fabric_audit.facts.pairs import pair_result
from fabric_audit.facts.performance import PairResult, PerftestRow
from fabric_audit.plan.bind import Bound
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.reading import Reading, read_in_any_case, read_span
from fabric_audit.platforms.registry import all_sections


def facts_of(answered: Iterable[Answered]) -> tuple[Fact, ...]:
    """Everything that execs of one host told: several tools each know a part of a device."""
    return joined(fact for _, reading in _readings(answered) for fact in reading.facts)


def all_facts(answered: Sequence[Answered]) -> tuple[Fact, ...]:
    """Everything that hosts and switches told."""
    found = list(facts_of(answered))
    sections = all_sections()
    for entry, answer in answered:
        if entry.section in sections and not entry.error:
            output = Output(answer.stdout.decode("utf-8", "replace"), rc=None)
            found += read_in_any_case(sections[entry.section], output).facts
    return tuple(found)


def results_of(bounds: Sequence[Bound], sent: Answered, served: Answered) -> list[PairResult]:
    """What became of one pair's slots in a round."""
    rows: list[dict[str, Reading]] = [dict(_readings([answered])) for answered in (sent, served)]
    found = []
    for bound in bounds:
        client, server = (side.get(bound.slot.id) for side in rows)
        found.append(
            pair_result(
                bound.slot,
                _rows(client),
                _rows(server),
                client_error=sent[0].error,
                server_error=served[0].error,
                started=sent[0].started,
                duration_s=_took(sent[0], bound.slot.id),
            )
        )
    return found


def _readings(answered: Iterable[Answered]) -> Iterable[tuple[str, Reading]]:
    """(item, reading) of every section of host execs."""
    sections = all_sections()
    for entry, answer in answered:
        for frame in entry.frames:
            if frame.section in sections:
                section = sections[frame.section]
                yield frame.item, read_span(section, frame, answer.stdout, answer.stderr, error=entry.error)


def _took(entry: Entry, slot: str) -> float | None:
    return next((frame.took_s for frame in entry.frames if frame.item == slot), None)


def _rows(reading: Reading | None) -> tuple[PerftestRow, ...]:
    return tuple(fact for fact in (reading.facts if reading else ()) if isinstance(fact, PerftestRow))

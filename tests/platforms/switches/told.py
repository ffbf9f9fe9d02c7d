"""What a switch section says of a text, as facts of one table."""

from typing import TypeVar

from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.reading import Reading, read
from fabric_audit.platforms.registry import all_sections

FactT = TypeVar("FactT", bound=Fact)


def reading(section: str, text: str) -> Reading:
    return read(all_sections()[section], Output(text, rc=None))


def told(section: str, text: str, table: type[FactT], state: str = "parsed") -> list[FactT]:
    answer = reading(section, text)
    assert answer.state == state, answer.reason
    return [fact for fact in answer.facts if isinstance(fact, table)]

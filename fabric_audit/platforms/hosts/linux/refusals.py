"""What Linux says when it has nothing to show: the words of errno, and those of tools too old to be asked."""

import re
from collections.abc import Iterator

from fabric_audit.facts import Fact
from fabric_audit.platforms.model import Missing, Output, Why

EMPTY_JSON = "[]{} \t\r\n"
"""What JSON without anything in it is made of."""
_ABSENT = re.compile(
    r"No such (?:file or directory|device)|[Nn]o data available|does not exist|[Dd]evice not found", re.ASCII
)
_DENIED = re.compile(r"Permission denied|Operation not permitted|must be root", re.ASCII)
_CANNOT = re.compile(
    r"Operation not supported|Inappropriate ioctl|Function not implemented|Protocol not supported|Invalid argument"
    r"|Option \"-\w+\" is unknown|unrecognized option|invalid option|bad command line argument"
    r"|can't (?:init|open)|failed to open '|Unknown command|unable to connect"
    r"|Failed to open netlink|Connection refused",
    re.ASCII | re.IGNORECASE,
)


def refused(output: Output, *tables: type[Fact]) -> Iterator[Missing]:
    """The tables as missing, if there is no text to read and stderr says why.

    Nothing is yielded where stdout has something, or where stderr has no words that are known.
    """
    if output.stdout.strip(EMPTY_JSON):
        return
    for why, words in ((Why.NOT_COLLECTED, _DENIED), (Why.NOT_SUPPORTED, _CANNOT), (Why.ABSENT, _ABSENT)):
        told = next((line.strip() for line in output.stderr.splitlines() if words.search(line)), "")
        if told:
            yield from (Missing(table.TABLE, why, told) for table in tables)
            return


def nothing_matched(output: Output, what: str, *tables: type[Fact]) -> Iterator[Missing]:
    """The tables as absent, if a section of files found no file at all; ``what`` names what is not there."""
    if output.stdout.strip():
        return
    missing = tuple(refused(output, *tables))
    yield from missing or (Missing(table.TABLE, Why.ABSENT, what) for table in tables)

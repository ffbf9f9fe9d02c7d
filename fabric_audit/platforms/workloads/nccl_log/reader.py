"""Reads a log of any length line by line; what it keeps grows with the job, not with the log."""

import re
from collections import deque
from collections.abc import Iterable, Iterator

from fabric_audit.facts.nccl import NcclLog
from fabric_audit.facts.nccl_versions import version_in
from fabric_audit.platforms.model import Answer, Skipped
from fabric_audit.platforms.text import plain
from fabric_audit.platforms.workloads.nccl_log.connections import Group
from fabric_audit.platforms.workloads.nccl_log.messages import BEGINNINGS, EXPECTED, Messages
from fabric_audit.platforms.workloads.nccl_log.speakers import Speaker, Speakers
from fabric_audit.platforms.workloads.nccl_tests.devices import read_device

_MARK = "NCCL "
_INFO = "INFO "
_WARN = "WARN "
_MESSAGE = len(_MARK) + len(_INFO)
_LEVELS = re.compile(r"NCCL (?:INFO|WARN) ")
_DOUBTFUL_LINES = 8
"""So many lines after a path without GPUDirect RDMA, a stray ``/GDRDMA`` may still be its end."""
_FRAGMENT_STARTS = frozenset("[(/0123456789GDRMS")
_FRAGMENT = re.compile(r"(?:\[[0-9]+,[0-9]+\]<\w+>: ?)?[0-9]*(?:\([0-9]+\))?/?(?:G?D?R?DMA|Shared)")


def read_log(lines: Iterable[str]) -> Iterator[Answer]:
    """The facts of an NCCL log. Lines left out come as they are met, all else after the last line.

    Args:
        lines: the log, each line with its newline as a file yields it; a last one without is taken as cut.
    """
    reader = _Reader()
    words = reader.messages.words
    number = passed = 0
    for number, line in enumerate(lines, 1):
        at = line.find(_MARK)
        if at >= 0:
            start = at + _MESSAGE
            word = line[start : line.find(" ", start)]
            if word not in words and word[:3] not in BEGINNINGS and line.startswith(_INFO, at + 5):
                passed += 1
                continue
        elif not reader.doubtful and " via " not in line and " Pid " not in line:
            continue
        if not reader.take(number, line):
            yield from reader.torn()
    yield from reader.finish(number, passed)


class _Reader:
    """State between lines: the paths that the next lines may still spoil, and counts."""

    def __init__(self) -> None:
        self.messages = Messages()
        self.doubtful: deque[tuple[Group, int, int, str]] = deque(maxlen=_DOUBTFUL_LINES)
        """Group, channel, line and text of network paths without GPUDirect RDMA just read. ``/GDRDMA`` at the start
        of a line soon after shows that one of them was torn; which one is not known."""
        self._speakers = Speakers()
        self._nccl_lines = 0
        self._torn_lines = 0
        self._torn: list[tuple[int, str]] = []
        self._versions: dict[str, None] = {}

    def take(self, number: int, line: str) -> bool:
        """Read a line that may say something; False when it, or a path before it, was torn."""
        if self.doubtful:
            if line[:1] in _FRAGMENT_STARTS and _FRAGMENT.match(line):
                self._doubt()
                return False
            if number - self.doubtful[-1][2] >= _DOUBTFUL_LINES:
                self.doubtful.clear()
        text = line.rstrip()
        if "\x1b" in text or "\r" in text:
            text = _last_overprint(text)
        self._torn = [(number, text)]
        at = text.find(_MARK)
        if at < 0:
            return self._quoted(number, text)
        level = text[at + len(_MARK) : at + _MESSAGE]
        if level not in (_INFO, _WARN):
            self._nccl_lines += version_in(text) is not None
            return self._version(text)
        self._nccl_lines += 1
        if not line.endswith("\n") or (text.find(_MARK, at + 1) >= 0 and len(_LEVELS.findall(text)) > 1):
            return False
        speaker, source = self._speakers.of(text[:at])
        if level == _INFO:
            return self._info(number, speaker, text[at + _MESSAGE :])
        self.messages.warning(number, speaker, text[at + _MESSAGE :], source)
        return True

    def _info(self, number: int, speaker: Speaker, message: str) -> bool:
        if " via " not in message:
            if message.startswith("NCCL version "):
                return self._version(message)
            return self.messages.info(number, speaker, message)
        joined = self.messages.path(number, speaker, message)
        if joined is None:
            return not message.startswith(("Channel ", "Ring ", "CollNet "))
        group, channel = joined
        if group.path.transport == "net" and not group.path.gdr:
            self.doubtful.append((group, channel, number, message))
        return True

    def _doubt(self) -> None:
        """Take back the paths of which a stray end may be the rest."""
        self._torn = []
        for group, channel, number, text in self.doubtful:
            group.drop(channel)
            self._torn.append((number, text))
        self.doubtful.clear()

    def _version(self, text: str) -> bool:
        """The version, which stands without a prefix before 2.24."""
        version = version_in(text)
        if version:
            self._versions.setdefault(version)
        return True

    def _quoted(self, number: int, text: str) -> bool:
        """A path without NCCL's prefix, as articles quote it, or a GPU in nccl-tests' list; nothing else is ours."""
        device = read_device(text)
        if device:
            self.messages.job.add_model(device)
        start = max(text.find("Channel "), text.find("Ring "))
        if start >= 0 and self.messages.path(number, self._speakers.nobody, text[start:]):
            self._nccl_lines += 1
        return True

    def torn(self) -> Iterator[Skipped]:
        """The lines that were left out last."""
        self._torn_lines += len(self._torn)
        for number, text in self._torn:
            yield Skipped(number, text[:200], EXPECTED)

    def finish(self, lines: int, passed: int) -> Iterator[Answer]:
        """All that the log has told."""
        yield from self.messages.facts(tuple(self._versions))
        yield NcclLog(
            version=" ".join(self._versions),
            lines=lines,
            nccl_lines=self._nccl_lines + passed,
            torn_lines=self._torn_lines,
            ranks=self.messages.job.largest,
        )


def _last_overprint(text: str) -> str:
    """What a terminal shows of a line with colours, or with a progress bar that returns to its start."""
    text = text[text.rfind("\r") + 1 :]
    return plain(text).rstrip()

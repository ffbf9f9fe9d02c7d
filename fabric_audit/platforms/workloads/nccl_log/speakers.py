"""Who printed a line: the prefix NCCL puts before its message, with whatever launchers put before that."""

import re
from dataclasses import dataclass

_KEPT = 100_000  # prefixes remembered; with time stamps in them no two are alike
_FULL = re.compile(r"([\w.-]+):([0-9]+):([0-9]+) \[([0-9]+)\](?: (\S+:[0-9]+)(?: \([^)]*\))?)? $")
_HOST_ONLY = re.compile(r"([\w.-]+): (?:(\S+:[0-9]+)(?: \([^)]*\))? )?$")
_SOURCE = re.compile(r"(?:^| )(\S+\.(?:cc|cu|h|cpp):[0-9]+)(?: \([^)]*\))? $")


@dataclass(frozen=True, slots=True, eq=False)
class Speaker:
    """A thread's GPU: host, process, current CUDA device. One object each, so that it can be told by identity."""

    host: str
    pid: int
    device: int


class Speakers:
    """Recognises the speaker of a prefix; threads print thousands of lines, so that each is read once.

    ``host:pid:tid [cudaDev] `` before ``NCCL INFO``; before ``NCCL WARN`` also the source line, and from 2.30 the
    function in parentheses. In front may stand time stamps, ``[1,0]<stdout>:``, ``0: ``, and anything else a
    launcher adds. Source: NCCL src/debug.cc of each version.
    """

    def __init__(self) -> None:
        self._heads: dict[str, tuple[Speaker, str]] = {}
        self._speakers: dict[tuple[str, int, int], Speaker] = {}
        self.nobody = self._speaker("", -1, -1)

    def of(self, head: str) -> tuple[Speaker, str]:
        """The speaker of a line, by the text before ``NCCL INFO``, and the file:line that a warning names."""
        found = self._heads.get(head)
        if found is None:
            if len(self._heads) >= _KEPT:
                self._heads.clear()
            found = self._heads[head] = self._read(head)
        return found

    def _read(self, head: str) -> tuple[Speaker, str]:
        found = _FULL.search(head)
        if found:
            return self._speaker(found[1], int(found[2]), int(found[4])), found[5] or ""
        found = _HOST_ONLY.match(head)
        if found:
            return self._speaker(found[1], -1, -1), found[2] or ""
        found = _SOURCE.search(head)
        return self.nobody, found[1] if found else ""

    def _speaker(self, host: str, pid: int, device: int) -> Speaker:
        return self._speakers.setdefault((host, pid, device), Speaker(host, pid, device))

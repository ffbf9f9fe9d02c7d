"""The command line of a simulated switch as a person meets it: banner, echo, pages, answers that take their time."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from fabric_audit.simulator.fabric import Switch

PAGE = 23
"""Lines of a page: a terminal's 24 less the pager's own."""
MORE = " --More-- "
ERASED = "\b" * len(MORE) + " " * len(MORE) + "\b" * len(MORE)
PAUSE_S = 0.3
"""How long a slow switch stops in the middle of an answer, in real seconds."""
_BANNER = (
    "##########################################################",
    "#  Property of example.net - sessions are recorded > /dev #",
    "##########################################################",
)
"""With the characters that end prompts, as banners like to have them."""
_SETUP = {
    "arista_eos": {
        "terminal length 0": "Pagination disabled.\n",
        "terminal width 511": "Width set to 511 columns.\n",
    },
    "cisco_nxos": {"terminal length 0": "", "terminal width 511": ""},
}
"""What is answered to the commands that netmiko's drivers send when a session opens; bash has none of them."""


@dataclass(slots=True)
class Terminal:
    """One session on one switch."""

    switch: Switch
    prompt: str
    pages: bool = False

    def __post_init__(self) -> None:
        self.pages = self.switch.platform in _SETUP

    def greeting(self) -> str:
        """What a login shows first."""
        return "".join(f"{line}\r\n" for line in ("", *_BANNER, "")) + self.prompt

    def setup(self, line: str) -> str | None:
        """The answer to a command that is about the session alone; None to any other."""
        said = _SETUP.get(self.switch.platform, {}).get(line)
        if said is not None and "paged" in self.switch.manners:
            return f"% Authorization denied for command '{line}'\n"
        if line == "terminal length 0" and said is not None:
            self.pages = False
        return said

    async def said(self, text: str) -> AsyncIterator[tuple[str, bool]]:
        """(part of an answer, a key is awaited before the next) to the answer's end."""
        lines = text.replace("\n", "\r\n").splitlines(keepends=True)
        size = PAGE if self.pages else max(1, len(lines))
        for start in range(0, len(lines), size):
            page, last = "".join(lines[start : start + size]), start + size >= len(lines)
            if "slow" in self.switch.manners:
                yield page[: len(page) // 2], False
                await asyncio.sleep(PAUSE_S)
                page = page[len(page) // 2 :]
            yield page if last else page + MORE, not last
            if not last:
                yield ERASED, False

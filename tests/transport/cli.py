"""A switch's command line behind SSH, with the habits that real ones have."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import asyncssh

from tests.transport.sshd import Process, cut, silence

PAGE = 24
MORE = b" --More-- "


@dataclass(kw_only=True)
class Cli:
    """One switch. ``seen`` are the lines it was given."""

    prompt: bytes
    answers: Mapping[str, bytes] = field(default_factory=dict)
    banner: bytes = b""
    slow_s: float = 0.0
    pages: bool = False
    refuses_setup: bool = False
    breaks_on: str = ""
    hangs_on: str = ""
    seen: list[str] = field(default_factory=list)

    async def __call__(self, process: Process) -> None:
        """Serve one session."""
        process.stdout.write(self.banner)
        await asyncio.sleep(self.slow_s)
        process.stdout.write(b"\r\n" + self.prompt)
        lines = _typed(process)
        async for line in lines:
            self.seen.append(line)
            process.stdout.write(line.encode() + b"\r\n")
            if line and line in (self.breaks_on, self.hangs_on):
                await self._fail(process, line)
                return
            await self._say(process, lines, self._answer(line).replace(b"\n", b"\r\n"))
            await asyncio.sleep(self.slow_s)
            process.stdout.write(self.prompt)

    def _answer(self, line: str) -> bytes:
        if line.startswith("terminal "):
            if self.refuses_setup:
                return b"% Authorization denied for command '" + line.encode() + b"'\n"
            self.pages = self.pages and "length 0" not in line
            width = line.removeprefix("terminal width ")
            said = "Pagination disabled.\n" if "length" in line else f"Width set to {width} columns.\n"
            return said.encode()
        return self.answers.get(line, b"% Invalid input\n" if line else b"")

    async def _say(self, process: Process, lines: AsyncIterator[str], text: bytes) -> None:
        if not self.pages:
            process.stdout.write(text)
            return
        parts = text.split(b"\r\n")
        for start in range(0, len(parts), PAGE):
            process.stdout.write(b"\r\n".join(parts[start : start + PAGE]))
            if start + PAGE < len(parts):
                process.stdout.write(b"\r\n" + MORE)
                await anext(lines)

    async def _fail(self, process: Process, line: str) -> None:
        process.stdout.write(self.answers.get(line, b""))
        await asyncio.sleep(0.2)
        await (cut(process) if line == self.breaks_on else silence(process))


async def _typed(process: Process) -> AsyncIterator[str]:
    pending = b""
    while True:
        try:
            data = await process.stdin.read(4096)
        except asyncssh.TerminalSizeChanged:
            continue
        if not data:
            return
        pending += data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        while b"\n" in pending:
            line, _, pending = pending.partition(b"\n")
            yield line.decode()

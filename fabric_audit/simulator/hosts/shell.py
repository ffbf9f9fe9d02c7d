"""The shell of a simulated host: carries out the verbs of a host script and frames what they print."""

import asyncio
import re
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from fabric_audit.simulator.fabric import Fabric, Host
from fabric_audit.simulator.hosts import files, perftest
from fabric_audit.simulator.hosts.programs import Printed, run
from fabric_audit.simulator.traffic import Traffic

Said: TypeAlias = tuple[Literal["out", "err"], bytes] | tuple[Literal["rc"], int]
Hear: TypeAlias = Callable[[], Awaitable[str | None]]

_NO_WORD = 75
_TERMINATED = 143
_MARK = re.compile(r"^mark=(\S+)", re.MULTILINE)
_BODY = re.compile(r"^main\(\) \{\n(.*?)^\}$", re.MULTILINE | re.DOTALL)


@dataclass(slots=True)
class Shell:
    """One script while it runs."""

    fabric: Fabric
    traffic: Traffic
    host: Host
    hear: Hear
    mark: str = ""
    jobs: dict[str, "asyncio.Task[perftest.Outcome]"] = field(default_factory=dict)
    began: dict[str, float] = field(default_factory=dict)
    """When jobs began, by the host's uptime."""
    life: "asyncio.Task[None] | None" = None
    cut: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, text: str) -> AsyncIterator[Said]:
        """Carry a script out, verb by verb."""
        body, mark = _BODY.search(text), _MARK.search(text)
        if not body or not mark:
            yield "err", b"sh: syntax error\n"
            yield "rc", 2
            return
        self.mark = shlex.split(mark[1])[0]
        self.traffic.shells.add(id(self))
        try:
            for line in body[1].splitlines():
                words = shlex.split(line)
                async for said in self._verb(words):
                    yield said
                    if said[0] == "rc":
                        return
                if self.cut.is_set():
                    yield "rc", _TERMINATED
                    return
            yield "rc", 0
        finally:
            self._stop()
            if self.life:
                self.life.cancel()
            self.traffic.shells.discard(id(self))

    async def _verb(self, words: list[str]) -> AsyncIterator[Said]:
        for said in self._asked(words):
            yield said
        match words:
            case ["ready"]:
                yield "out", f"\n{self.mark} R\n".encode()
            case ["sweep"]:
                yield "out", self._sweep().encode()
            case ["go"]:
                yield "out", f"\n{self.mark} W\n".encode()
                if await self.hear() != "go":
                    yield "rc", _NO_WORD
            case ["finish"]:
                async for said in self._finish():
                    yield said

    def _asked(self, words: list[str]) -> list[Said]:
        """Verbs that are done at once: readings, and what goes on in the background."""
        match words:
            case ["run" | "root", section, _, *argv]:
                return self._framed(section, "", run(self.fabric, self.host, tuple(argv)))
            case ["files" | "rootfiles", section, _, *globs]:
                return self._framed(section, "", self._files(globs))
            case ["links", section, _, *globs]:
                return self._framed(section, "", self._links(globs))
            case ["each" | "rooteach", walk, section, _, *argv]:
                return self._each(walk, section, argv)
            case ["begin", section]:
                return self._framed(section, "", Printed())
            case ["listen", job, _, _, *argv]:
                self._listen(job, tuple(argv))
            case ["background", job, _, *argv]:
                self._send(job, tuple(argv))
            case ["lifeline"]:
                self.life = asyncio.create_task(self._lifeline())
        return []

    def _uptime(self) -> float:
        return self.traffic.clock.counted_s(self.traffic.clock.now())

    def _framed(self, section: str, item: str, printed: Printed, began: float | None = None) -> list[Said]:
        now = self._uptime()
        times = f"{now if began is None else began:.2f} {now:.2f}"
        begin, end = f"\n{self.mark} B {section} {item}\n", f"\n{self.mark} E {printed.rc} {times}\n"
        return [
            ("out", f"{begin}{printed.stdout}{end}".encode()),
            ("err", f"{begin}{printed.stderr}{end}".encode()),
        ]

    def _files(self, globs: list[str]) -> Printed:
        out, err = [], []
        for glob in globs:
            found = list(files.matching(self.host, glob))
            out += [f"{path}:{line}\n" for path, content in found for line in content.split("\n")]
            if not found:
                err.append(f"grep: {glob}: No such file or directory\n")
        return Printed("".join(out), "".join(err))

    def _links(self, globs: list[str]) -> Printed:
        out = []
        for glob in globs:
            wanted = re.compile("/".join(re.escape(p).replace(r"\*", "[^/]*") for p in glob.split("/")))
            out += [f"{a} -> {b}\n" for a, b in files.links(self.host).items() if wanted.fullmatch(a)]
        return Printed("".join(out))

    def _each(self, walk: str, section: str, argv: list[str]) -> list[Said]:
        names = {
            "rdma_devices": [nic.device for nic in self.host.nics],
            "rdma_pci": [nic.pci for nic in self.host.nics],
        }.get(walk, [nic.netdev for nic in self.host.nics])
        said: list[Said] = []
        for name in names:
            filled = tuple(word.replace("{}", name) for word in argv)
            said += self._framed(section, name, run(self.fabric, self.host, filled))
        return said

    def _listen(self, job: str, argv: tuple[str, ...]) -> None:
        self.began[job] = self._uptime()
        call = perftest.read_call(argv)
        refused = perftest.unusable(self.host, call)
        if refused is None and not perftest.listen(self.traffic, self.host, call):
            refused = perftest.Outcome("", f"Couldn't listen to port {call.options['-p']}\n", 1)
        if refused:
            self.jobs[job] = asyncio.create_task(_told(refused))
            return
        self.jobs[job] = asyncio.create_task(perftest.serve(self.traffic, self.host, call))
        self.jobs[job].add_done_callback(lambda _job: perftest.hang_up(self.traffic, self.host, call))
        self._begun(job)

    def _send(self, job: str, argv: tuple[str, ...]) -> None:
        self.began[job] = self._uptime()
        call = perftest.read_call(argv)
        refused = perftest.unusable(self.host, call)
        self.jobs[job] = asyncio.create_task(
            _told(refused) if refused else perftest.send(self.traffic, self.fabric, self.host, call)
        )
        self._begun(job)

    def _begun(self, job: str) -> None:
        mine = (self.host.name, job, id(self))
        self.traffic.jobs.add(mine)
        self.jobs[job].add_done_callback(lambda _job: self.traffic.jobs.discard(mine))

    def _sweep(self) -> str:
        """Tests on this host whose script is gone, as the real sweep tells of them."""
        left = [one for one in self.traffic.jobs if one[0] == self.host.name and one[2] not in self.traffic.shells]
        self.traffic.jobs.difference_update(left)
        return "".join(f"left by an ended run: {job}\n" for _, job, _ in left)

    async def _lifeline(self) -> None:
        while (word := await self.hear()) is not None:
            if word == "stop":
                self._stop()
        self.cut.set()
        self._stop()

    def _stop(self) -> None:
        for job in self.jobs.values():
            job.cancel()

    async def _finish(self) -> AsyncIterator[Said]:
        for name, job in self.jobs.items():
            await asyncio.wait((job,))
            outcome = perftest.Outcome("", "", _TERMINATED) if job.cancelled() else job.result()
            section, _, item = name.partition("@")
            printed = Printed(outcome.stdout, outcome.stderr, outcome.rc)
            for said in self._framed(section, item, printed, self.began[name]):
                yield said


async def _told(outcome: perftest.Outcome) -> perftest.Outcome:
    return outcome

"""One pod, one ``answer``: behind SSH and behind the in-process transport alike."""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime

from fabric_audit.errors import DeadlineError, HostKeyError, LoginError, TransportError, UnreachableError
from fabric_audit.simulator.cabling import USUAL, build
from fabric_audit.simulator.clock import Clock
from fabric_audit.simulator.faults import plant
from fabric_audit.simulator.hosts.shell import Hear, Said, Shell
from fabric_audit.simulator.switches import cumulus, eos, nxos, sonic
from fabric_audit.simulator.traffic import Traffic

_ANSWERS = {
    "sonic": sonic.answer,
    "nvidia_cumulus": cumulus.answer,
    "arista_eos": eos.answer,
    "cisco_nxos": nxos.answer,
}
_PROMPTS = {
    "sonic": sonic.PROMPT,
    "nvidia_cumulus": cumulus.PROMPT,
    "arista_eos": eos.PROMPT,
    "cisco_nxos": nxos.PROMPT,
}


BEGAN = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()
"""The time of day at which a pod without real time begins."""


class SimulatedPod:
    """A fabric with its faults, and everything that moves in it."""

    def __init__(
        self,
        pod: str,
        *,
        seed: int = 1,
        faults: tuple[str, ...] = (),
        scale: float = 1.0,
        platforms: Mapping[str, str] = USUAL,
    ) -> None:
        """Build a pod.

        Args:
            pod: its name, such as ``clos-8x2``.
            seed: decides what faults leave open.
            faults: each ``name@target``.
            scale: real seconds for each simulated one; 0 for no time at all.
            platforms: what switches run, by name or by role.

        Raises:
            UnknownPodError: no such pod, switch or operating system.
            UnknownFaultError: no such fault or target.
        """
        self.fabric = build(pod, platforms)
        plant(self.fabric, faults, seed)
        self.clock = Clock(scale)
        self.traffic = Traffic(self.fabric, self.clock)
        if not scale:
            self.fabric.wall = lambda: BEGAN + self.clock.now()

    def refuses(self, target: str) -> TransportError | None:
        """Why a target cannot be logged in to, None where it can."""
        words: dict[str, TransportError] = {
            "down": UnreachableError(f"{target}: connection refused", "check that sshd runs there"),
            "silent": DeadlineError(f"{target}: accepted the connection and stayed silent", "check its sshd"),
            "login": LoginError(f"{target}: login refused", "check user and key"),
            "host_key": HostKeyError(f"host key of {target} has changed", "find out why"),
        }
        return words.get(self.fabric.refusals.get(target, ""))

    async def answer(self, target: str, text: str, hear: Hear) -> AsyncIterator[Said]:
        """Answer one question: a host script on its stdin, or one command of a switch."""
        if target in self.fabric.hosts:
            shell = Shell(self.fabric, self.traffic, self.fabric.hosts[target], hear)
            async for said in shell.run(text):
                yield said
            return
        yield "out", self.cli(target, text).encode()
        yield "rc", 0

    def cli(self, target: str, command: str) -> str:
        """What a switch prints for one command."""
        switch = self.fabric.switches[target]
        return _ANSWERS[switch.platform](self.fabric, self.traffic, switch, command)

    def prompt(self, target: str) -> str:
        """A switch's prompt."""
        return _PROMPTS[self.fabric.switches[target].platform].format(name=target)

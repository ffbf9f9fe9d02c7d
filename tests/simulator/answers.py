"""Everything a pod would print, asked of the pod itself."""

import asyncio
from collections.abc import AsyncIterator, Mapping

from fabric_audit.capture.frames import split
from fabric_audit.inventory.model import Host, Login, Nic, Switch, Target
from fabric_audit.plan.commands import sections_for
from fabric_audit.plan.script import Script, verbs
from fabric_audit.platforms.model import Cli
from fabric_audit.simulator.hosts.shell import Said
from fabric_audit.simulator.pod import SimulatedPod

MARK = "@@m"


def said(pod: SimulatedPod, target: str, text: str, *lines: str, held: bool = False) -> tuple[str, str, int | None]:
    """(stdout, stderr, exit status) of one question.

    ``lines`` are what comes on stdin after a script; then it ends, or is ``held`` open until the script ends.
    """
    waiting = list(lines)

    async def hear() -> str | None:
        if waiting:
            return waiting.pop(0)
        if held:
            await asyncio.Event().wait()
        return None

    return asyncio.run(_gathered(pod.answer(target, text, hear)))


async def _gathered(answer: AsyncIterator[Said]) -> tuple[str, str, int | None]:
    streams = {"out": b"", "err": b""}
    rc: int | None = None
    async for kind, data in answer:
        if kind == "rc":
            rc = int(data)
        else:
            streams[kind] += bytes(data)
    return streams["out"].decode(), streams["err"].decode(), rc


def script(*body: str, traffic: bool = False) -> str:
    return Script(command="test", body=body, run="run-1", traffic=traffic).text(MARK)


def everything(pod: SimulatedPod) -> Mapping[tuple[str, str], str]:
    """(target, section) → what it prints, for every section of every target."""
    found: dict[tuple[str, str], str] = {}
    for target in _targets(pod):
        sections = sections_for(target)
        if isinstance(target, Switch):
            for section in sections:
                if isinstance(section.ask, Cli):
                    found[target.name, section.id] = said(pod, target.name, section.ask.text)[0]
            continue
        out, err = (stream.encode() for stream in said(pod, target.name, script(*verbs(sections)))[:2])
        for frame in split(out, err, MARK):
            told = f"{frame.item} {frame.rc}\n{out[slice(*frame.out)].decode()}{err[slice(*frame.err)].decode()}"
            found[target.name, frame.section] = found.get((target.name, frame.section), "") + told
    return found


def _targets(pod: SimulatedPod) -> list[Target]:
    login = Login(address="unused")
    nics = (Nic(rail=0, device="mlx5_0"),)
    hosts = [Host(name=name, login=login, gpus=2, nics=nics) for name in pod.fabric.hosts]
    switches = [Switch(name=s.name, login=login, platform=s.platform) for s in pod.fabric.switches.values()]
    return [*hosts, *switches]

"""Simulated switches of every OS, through netmiko's drivers: banners, pages and slow answers change no answer."""

from contextlib import closing

import pytest

from fabric_audit.inventory.model import Secret, Switch
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.simulator.server import serve
from fabric_audit.transport.switch_cli import SwitchCli
from tests.transport.conftest import QUICK, Bench

pytestmark = pytest.mark.ssh
ASKED = {
    "leaf01": "nv config show -o commands",
    "leaf02": "show pfc counters",
    "spine01": "show running-config",
    "spine02": "show interfaces | json",
}
RUN = {"leaf01": "nvidia_cumulus", "leaf02": "sonic", "spine01": "cisco_nxos", "spine02": "arista_eos"}


@pytest.mark.parametrize("manner", ["", "slow-cli", "paged-cli"])
def test_the_answer_is_the_same_in_every_manner(bench: Bench, monkeypatch: pytest.MonkeyPatch, manner: str) -> None:
    monkeypatch.setenv("TEST_SWITCH_WORD", "word")
    faults = tuple(f"{manner}@{name}" for name in RUN) if manner else ()
    pod = SimulatedPod("clos-2x2", platforms=RUN, faults=faults, scale=0.0)
    assert bench.keep(bench.loop.run(serve(pod, bench.folder, bench.public.decode(), "word")))
    ports = dict(line.split() for line in (bench.folder / "ports").read_text("utf-8").splitlines())
    switches = SwitchCli(bench.dialler(QUICK), bench.config(), switch_platforms())
    for name, command in ASKED.items():
        proof = {"password": Secret("env", "TEST_SWITCH_WORD"), "identity_file": None}
        login = bench.login(int(ports[name]), user="audit", **proof)
        with closing(switches.open(Switch(name=name, login=login, platform=RUN[name]))) as session:
            answer = session.ask(command, deadline_s=30.0)
        told, meant = answer.stdout.decode().strip(), pod.cli(name, command).strip()
        assert (answer.error, told.splitlines()) == (None, meant.splitlines())

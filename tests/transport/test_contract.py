"""One contract, two transports: a simulated pod answers alike over SSH and in process."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from fabric_audit.errors import DeadlineError, HostKeyError, LoginError, TransportError
from fabric_audit.inventory.model import Host, Login, Secret, Switch, Target
from fabric_audit.plan.script import Script, verbs
from fabric_audit.platforms.registry import all_sections, switch_platforms
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.simulator.server import serve
from fabric_audit.transport import Answer, Talk, Transport
from fabric_audit.transport.in_process import InProcess
from fabric_audit.transport.switch_cli import SwitchCli
from tests.transport.conftest import QUICK, Bench

pytestmark = pytest.mark.ssh
FAULTS = ("refuses-login@gpu002", "changed-host-key@gpu003", "silent@gpu004", "refuses-login@leaf02", "down@spine02")
MARK = "@@0123456789"


class Ways:
    """Opens targets of the pod by one of the transports."""

    def __init__(self, hosts: Transport, switches: Transport, target: Callable[[str], Target]) -> None:
        self._hosts, self._switches, self._target = hosts, switches, target

    def ask(self, name: str, text: str, *, deadline_s: float = 10.0, talk: Talk | None = None) -> Answer:
        target = self._target(name)
        transport = self._hosts if isinstance(target, Host) else self._switches
        with closing(transport.open(target)) as session:
            return session.ask(text, deadline_s=deadline_s, talk=talk)


@pytest.fixture(params=["in process", "over SSH"])
def ways(request: pytest.FixtureRequest, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ways]:
    monkeypatch.setenv("TEST_SWITCH_WORD", "word")
    pod = SimulatedPod("clos-4x2", faults=FAULTS, scale=0.0)
    if request.param == "in process":
        transport = InProcess(pod)
        yield Ways(transport, transport, lambda name: _target(pod, name, Login(address="unused")))
        transport.close()
        return
    server = bench.keep(bench.loop.run(serve(pod, bench.folder, bench.public.decode(), "word")))
    assert server
    ports = dict(line.split() for line in (bench.folder / "ports").read_text("utf-8").splitlines())

    def target(name: str) -> Target:
        proof = {"password": Secret("env", "TEST_SWITCH_WORD"), "identity_file": None}
        is_host = name in pod.fabric.hosts
        return _target(pod, name, bench.login(int(ports[name]), user="audit", **({} if is_host else proof)))

    switches = SwitchCli(bench.dialler(QUICK), bench.config(), switch_platforms())
    yield Ways(bench.ssh(QUICK), switches, target)


def _target(pod: SimulatedPod, name: str, login: Login) -> Target:
    if name in pod.fabric.hosts:
        return Host(name=name, login=login)
    return Switch(name=name, login=login, platform=pod.fabric.switches[name].platform)


def script(*body: str, traffic: bool = False) -> str:
    return Script(command="test", body=body, run="run-1", traffic=traffic).text(MARK)


def test_a_host_script_is_framed_with_its_streams_apart(ways: Ways) -> None:
    section = all_sections()["ethtool-S"]
    answer = ways.ask("gpu001", script("run nothing 5 no-such-program", *verbs([section])))
    assert (answer.rc, answer.error) == (0, None)
    assert answer.stdout.startswith(f"\n{MARK} B nothing \n\n{MARK} E 127 ".encode()), "and its times"
    assert b"no-such-program" in answer.stderr
    assert answer.stdout.count(f"{MARK} B ethtool-S rail".encode()) == 2
    assert answer.stdout.count(b"NIC statistics:") == 2


def test_a_switch_answers_without_echo_and_prompt(ways: Ways) -> None:
    for name, command, first in (
        ("leaf01", "show pfc counters", b"  Port Rx"),
        ("spine01", "show version | json", b"{"),
    ):
        answer = ways.ask(name, command)
        assert answer.error is None
        assert answer.stdout.lstrip(b"\n").startswith(first.lstrip())
        assert answer.stdout.endswith(b"\n")
        assert name.encode() not in answer.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gpu002", LoginError),
        ("gpu003", HostKeyError),
        ("gpu004", DeadlineError),
        ("leaf02", LoginError),
        ("spine02", TransportError),
    ],
)
def test_a_target_that_cannot_be_opened_says_why(ways: Ways, name: str, kind: type[TransportError]) -> None:
    with pytest.raises(kind):
        ways.ask(name, "show version")


def test_a_client_waits_for_its_word_and_goes(ways: Ways) -> None:
    heard: list[str] = []

    def hears(words: str) -> None:
        heard.append(words)
        talk.say("go")

    talk = Talk(MARK, hears)
    answer = ways.ask("gpu001", script("go", "finish", "run after 5 uname -a", traffic=True), talk=talk)
    assert heard == ["W"] if len(heard) == 1 else heard[0] == "W"
    assert (answer.rc, answer.error) == (0, None)
    assert b"Linux gpu001" in answer.stdout


def test_a_client_that_is_sent_home_ends_with_the_scripts_own_status(ways: Ways) -> None:
    talk = Talk(MARK, lambda _words: talk.say("home"))
    answer = ways.ask("gpu001", script("go", "run after 5 uname -a", traffic=True), talk=talk)
    assert (answer.rc, answer.error) == (75, None)
    assert b"Linux" not in answer.stdout


def test_a_server_without_a_client_ends_at_the_deadline_with_what_it_said(ways: Ways) -> None:
    talk = Talk(MARK, lambda _words: None)
    listen = "listen perftest@slot-1 18515 60 ib_write_bw -d mlx5_0 -p 18515"
    answer = ways.ask("gpu001", script(listen, "lifeline", "ready", "finish", traffic=True), deadline_s=0.5, talk=talk)
    assert isinstance(answer.error, DeadlineError)
    assert str(answer.error) == "no end of its answer within 0.5 s"
    assert f"{MARK} R".encode() in answer.stdout
    assert answer.rc is None


def test_a_server_is_stopped_and_its_script_goes_on(ways: Ways) -> None:
    talk = Talk(MARK, lambda words: talk.say("stop") if words == "R" else None)
    listen = "listen perftest@slot-1 18515 60 ib_write_bw -d mlx5_0 -p 18515"
    body = (listen, "lifeline", "ready", "finish", "run after 5 uname -a")
    answer = ways.ask("gpu001", script(*body, traffic=True), talk=talk)
    assert (answer.rc, answer.error) == (0, None)
    assert f"{MARK} B perftest slot-1".encode() in answer.stdout
    assert b"Linux gpu001" in answer.stdout

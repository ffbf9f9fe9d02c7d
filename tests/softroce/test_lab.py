"""The lab is what it claims to be, so that what an audit finds in it is the audit's doing."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyroute2 import IPRoute, netns

from . import faults
from .fabric import Fabric, Host
from .lab import Lab, find, running
from .machine import Process
from .observe import counters, moved, perftest_processes
from .requirements import LabError
from .shaping import Direction
from .traffic import Pair, listening, send

pytestmark = pytest.mark.softroce

ONE_TO_TWO, TWO_TO_ONE = Pair("node1", "node2"), Pair("node2", "node1")


class TestHosts:
    def test_each_has_its_own_name_processes_devices_and_files(self, lab: Lab) -> None:
        lab.ssh("node1", "touch /tmp/mine /root/mine; ln -s /bin/sleep /tmp/sleeper; /tmp/sleeper 60 >/dev/null 2>&1 &")
        look = "hostname; ls /sys/class/infiniband; echo $(ls /sys/class/net); ls /tmp /root; ps ax"
        for host in lab.fabric.hosts:
            name, device, interfaces, rest = lab.ssh(host.name, look).split("\n", 3)
            assert (name, device, interfaces) == (host.name, "mlx5_0", "eth0 eth1 lo")
            assert (rest.count("mine"), "sleeper 60" in rest) == ((2, True) if name == "node1" else (0, False))
        lab.ssh("node1", "pkill sleeper; rm /root/mine /tmp/mine")

    def test_the_audit_user_logs_in_and_may_become_root(self, lab: Lab) -> None:
        assert lab.ssh("node3", "id -un; sudo -n id -un; ulimit -l", user="audit").split() == [
            "audit",
            "root",
            "unlimited",
        ]

    def test_every_host_key_is_known_and_an_unknown_one_refused(self, lab: Lab) -> None:
        command = lab.ssh_command("node2", "true")
        assert subprocess.run(command, check=False).returncode == 0
        stranger = [*command[:1], "-o", "UserKnownHostsFile=/dev/null", *command[1:]]
        refused = subprocess.run(stranger, check=False, capture_output=True, text=True)
        assert refused.returncode == 255
        assert "Host key verification failed" in refused.stderr

    def test_processes_are_seen_on_the_host_that_runs_them(self, lab: Lab) -> None:
        assert perftest_processes(lab) == []
        with listening(lab, "node3", "ib_send_bw"):
            found = {(process.host, Path(process.argv[0]).name) for process in perftest_processes(lab)}
            lab.ssh("node3", "pkill ib_send_bw")
        assert {("node3", "timeout"), ("node3", "ib_send_bw")} <= found
        assert {host for host, _ in found} == {"node3"}
        assert perftest_processes(lab) == []


class TestPorts:
    def test_a_port_lets_through_what_it_is_shaped_to_and_no_more(self, lab: Lab) -> None:
        half = lab.fabric.rate_mbit / 2
        faults.slow_down(lab, "node2", 0.5, Direction.RECEIVE)
        assert half / 2 < send(lab, ONE_TO_TWO) < half
        assert half < send(lab, TWO_TO_ONE) < lab.fabric.rate_mbit

    def test_sending_is_shaped_apart_from_receiving(self, lab: Lab) -> None:
        half = lab.fabric.rate_mbit / 2
        faults.slow_down(lab, "node2", 0.5, Direction.SEND)
        assert half < send(lab, ONE_TO_TWO) < lab.fabric.rate_mbit
        assert half / 2 < send(lab, TWO_TO_ONE) < half

    @pytest.mark.parametrize("tool", ["ib_write_bw", "ib_send_bw"])
    def test_healthy_ports_lose_nothing(self, lab: Lab, tool: str) -> None:
        before = counters(lab)
        send(lab, ONE_TO_TWO, tool=tool)
        after = counters(lab)
        assert moved(before, after, "rcvd_pkts")["node2"] > 1000
        assert moved(before, after, "out_of_seq_request") == {"node1": 0, "node2": 0, "node3": 0, "node4": 0}
        assert moved(before, after, "rcvd_seq_err") == {"node1": 0, "node2": 0, "node3": 0, "node4": 0}

    @pytest.mark.parametrize("percent", [1, 0.1])
    def test_loss_at_the_sender_is_counted_by_the_receiver(self, lab: Lab, percent: float) -> None:
        faults.lose(lab, "node1", percent)
        before = counters(lab)
        send(lab, ONE_TO_TWO, seconds=15)
        after = counters(lab)
        lost = moved(before, after, "out_of_seq_request")
        packets = moved(before, after, "rcvd_pkts")["node2"]
        assert percent / 3 < 100 * lost.pop("node2") / packets < percent * 3
        assert set(lost.values()) == {0}


class TestOptions:
    def test_a_host_without_perftest_and_one_with_another_shell(self) -> None:
        with running(Fabric((Host(1, "/bin/tcsh"), Host(2, perftest=False)))) as lab:
            assert lab.ssh("node1", "echo $tcsh; which ib_write_bw").split()[-1] == "/usr/bin/ib_write_bw"
            assert lab.ssh("node1", "echo $0", user="audit").strip() == "tcsh"
            missing = lab.ssh_unchecked("node2", "ib_write_bw")
            assert (missing.returncode, "not found" in missing.stderr) == (127, True)
            folder, machine = lab.folder, lab.machine
        assert not folder.exists()
        assert not machine.alive


class TestEnd:
    @pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    def test_nothing_stays_whatever_ends_it(self, tmp_path: Path, how: signal.Signals) -> None:
        before = _network()
        folder = tmp_path / "lab"
        command = _by_hand("run", folder, "--", "sleep", "99")
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as controller:
            assert controller.stdout
            for line in controller.stdout:
                if line.strip().endswith("inventory.yaml"):
                    break
            lab = find(folder)
            sleeper = _child(controller.pid, "sleep")
            assert lab.machine.alive
            controller.send_signal(how)
            assert controller.wait(timeout=20) != 0
        _until_gone(lab.machine, sleeper)
        assert folder.exists() is (how is signal.SIGKILL)
        assert _network() == before

    def test_interrupted_while_it_boots(self, tmp_path: Path) -> None:
        folder = tmp_path / "lab"
        with subprocess.Popen(_by_hand("start", folder)) as controller:
            machine = _until_found(folder)
            controller.send_signal(signal.SIGINT)
            assert controller.wait(timeout=20) != 0
        _until_gone(machine)
        assert not folder.exists()


def _by_hand(verb: str, folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "tests.softroce", verb, "--folder", str(folder), "--hosts", "2", *more]


def _network() -> tuple[set[str], set[str]]:
    """Interfaces and named network namespaces of the machine that runs the lab."""
    with IPRoute() as routes:
        links = {str(link.get("ifname")) for link in routes.get_links()}
    return links, set(netns.listnetns())


def _child(parent: int, name: str) -> Process:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split():
            if Path(f"/proc/{pid}/comm").read_text(encoding="ascii").strip() == name:
                return Process.of(int(pid))
        time.sleep(0.05)
    raise AssertionError(f"{parent} has no child {name}")


def _until_found(folder: Path) -> Process:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            return find(folder).machine
        except (LabError, ValueError):
            time.sleep(0.1)
    raise AssertionError(f"no lab in {folder}")


def _until_gone(*processes: Process) -> None:
    deadline = time.monotonic() + 10
    while any(process.alive for process in processes):
        assert time.monotonic() < deadline, f"still there: {processes}"
        time.sleep(0.05)

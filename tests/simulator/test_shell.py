"""A simulated host carries out the verbs of a script as a real shell would: framed, listening, stopped, cut."""

import pytest

from fabric_audit.capture.frames import Frame, split
from fabric_audit.simulator.pod import SimulatedPod
from tests.simulator.answers import MARK, said, script

LISTEN = "listen perftest@slot-1 18515 60 ib_write_bw -d mlx5_0 -p 18515 -D 5"
SEND = "background perftest@slot-1 60 ib_write_bw -d mlx5_0 -p 18515 -D 5 --tclass=106 10.1.0.3"


@pytest.fixture
def pod() -> SimulatedPod:
    return SimulatedPod("clos-2x2", scale=0.0)


def frames(pod: SimulatedPod, *body: str, lines: tuple[str, ...] = (), traffic: bool = False) -> dict[str, Frame]:
    out, err, _ = said(pod, "gpu001", script(*body, traffic=traffic), *lines)
    return {frame.section + frame.item: frame for frame in split(out.encode(), err.encode(), MARK)}


def test_programs_files_and_walks_are_framed(pod: SimulatedPod) -> None:
    found = frames(
        pod,
        "run a 5 uname -a",
        "root b 5 no-such-program",
        "files c 5 '/sys/class/net/*/mtu' /no/such/file",
        "links d 5 '/sys/class/infiniband/*'",
        "each rdma_netdevs e 5 ethtool -i {}",
    )
    assert [(name, frame.rc) for name, frame in found.items()] == [
        ("a", 0),
        ("b", 127),
        ("c", 0),
        ("d", 0),
        ("erail0", 0),
        ("erail1", 0),
    ]


def test_files_carry_their_names_and_missing_ones_are_named_on_stderr(pod: SimulatedPod) -> None:
    out, err, rc = said(pod, "gpu001", script("files c 5 '/sys/class/net/*/mtu' /no/such/file"))
    assert "/sys/class/net/rail0/mtu:9000\n" in out
    assert "/sys/class/net/lo/mtu:65536\n" in out
    assert "grep: /no/such/file: No such file or directory\n" in err
    assert rc == 0


def test_a_star_does_not_cross_a_slash(pod: SimulatedPod) -> None:
    out, err, _ = said(pod, "gpu001", script("files c 5 '/sys/class/*/mtu'"))
    assert "mtu:" not in out
    assert "No such file" in err


def test_something_that_is_no_script_is_refused(pod: SimulatedPod) -> None:
    assert said(pod, "gpu001", "rm -rf /\n") == ("", "sh: syntax error\n", 2)


def test_a_port_is_taken_while_a_test_listens_and_free_afterwards(pod: SimulatedPod) -> None:
    body = (LISTEN, LISTEN.replace("slot-1", "slot-2"), "lifeline", "ready", "finish")
    out, err, rc = said(pod, "gpu001", script(*body, traffic=True), "stop", held=True)
    assert f"\n{MARK} R\n" in out
    assert "Couldn't listen to port 18515" in err
    assert rc == 0
    assert pod.traffic.listening == {}


def test_a_client_that_is_not_told_to_go_goes_home(pod: SimulatedPod) -> None:
    for lines in ((), ("home",)):
        out, _, rc = said(pod, "gpu001", script("go", SEND, "lifeline", "finish", traffic=True), *lines)
        assert (out, rc) == (f"\n{MARK} W\n", 75)


def test_a_client_without_a_server_is_refused(pod: SimulatedPod) -> None:
    _, err, rc = said(pod, "gpu001", script("go", SEND, "finish", traffic=True), "go")
    assert "Couldn't connect to 10.1.0.3:18515" in err
    assert rc == 0


def test_the_end_of_the_lifeline_ends_the_tests_and_the_script(pod: SimulatedPod) -> None:
    out, _, rc = said(pod, "gpu001", script(LISTEN, "lifeline", "ready", "finish", "run a 5 uname -a", traffic=True))
    assert rc == 143
    assert "Linux" not in out
    assert pod.traffic.listening == {}


def test_the_sweep_tells_of_tests_whose_script_is_gone_and_of_no_others(pod: SimulatedPod) -> None:
    alive = 7
    pod.traffic.shells.add(alive)
    pod.traffic.jobs |= {("gpu001", "perftest@gone", 5), ("gpu001", "perftest@alive", alive), ("gpu002", "x", 5)}
    out, _, _ = said(pod, "gpu001", script("begin sweep", "sweep", "end", traffic=True))
    assert "left by an ended run: perftest@gone\n" in out
    assert out.count("left by") == 1
    said(pod, "gpu001", script("go", SEND, "lifeline", "finish", traffic=True), "go")
    assert {job for _, job, _ in pod.traffic.jobs} == {"perftest@alive", "x"}


def test_gpu_memory_needs_the_module_or_dmabuf() -> None:
    pod = SimulatedPod("clos-2x2", faults=("gdr-module-missing@gpu001",), scale=0.0)
    gpu = SEND.replace("-D 5", "-D 5 --use_cuda=0")
    for argv, refused in ((SEND, False), (gpu, True), (gpu.replace("=0", "=0 --use_cuda_dmabuf"), False)):
        _, err, _ = said(pod, "gpu001", script("go", argv, "finish", traffic=True), "go")
        assert ("Couldn't allocate MR" in err) is refused

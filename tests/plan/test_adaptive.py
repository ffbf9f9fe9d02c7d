"""The adaptive schedule on modelled pods: it names what was planted, in few waves, and nobody where nothing was."""

import pytest

from fabric_audit.analysis.blame import Verdict
from fabric_audit.analysis.slowness import judged
from fabric_audit.plan.adaptive import MOST_WAVES, adaptive
from tests.plan.modelled_pod import Fault, ModelledPod


def verdict_of(pod: ModelledPod, *, leaves: bool = True) -> Verdict:
    field = pod.known(leaves=leaves)
    results = pod.all_results(adaptive(field, pod.qps))
    return judged(results, field.leaves, field.share)["ib_write_bw", "host"].verdict


def named(verdict: Verdict) -> set[tuple[str, ...]]:
    nics = {("nic", blame.host, blame.role) for blame in verdict.blamed}
    return nics | {(blame.what, blame.leaf, blame.role) for blame in verdict.fabric}


@pytest.mark.parametrize("role", ["sends", "receives", "both"])
@pytest.mark.parametrize("hosts", [8, 33, 128])
def test_a_sick_nic_is_named_with_its_role(hosts: int, role: str) -> None:
    pod = ModelledPod(hosts, below=8, faults=[Fault("nic", "gpu0005", role)])
    assert named(verdict_of(pod)) == {("nic", "gpu0005", role)}
    assert pod.waves <= MOST_WAVES


@pytest.mark.parametrize("kind", ["leaf", "uplinks"])
def test_a_sick_leaf_and_sick_uplinks_are_told_from_nics(kind: str) -> None:
    pod = ModelledPod(64, below=8, faults=[Fault(kind, "leaf03", factor=0.5)])
    assert named(verdict_of(pod)) == {(kind, "leaf03", "both")}


def test_uplinks_that_are_sick_one_way_are_named_with_the_way() -> None:
    pod = ModelledPod(64, below=8, faults=[Fault("uplinks", "leaf03", "receives", factor=0.4)])
    assert named(verdict_of(pod)) == {("uplinks", "leaf03", "receives")}


@pytest.mark.parametrize("seed", range(6))
def test_collisions_in_a_healthy_pod_blame_nobody(seed: int) -> None:
    pod = ModelledPod(64, below=8, seed=seed, qps=1)
    verdict = verdict_of(pod)
    assert named(verdict) == set()
    assert verdict.moved, "with one queue pair flows do collide"


def test_without_leaves_a_sick_nic_is_named_all_the_same() -> None:
    pod = ModelledPod(8, below=8, faults=[Fault("nic", "gpu0003", "sends")])
    assert named(verdict_of(pod, leaves=False)) == {("nic", "gpu0003", "sends")}
    assert pod.tests < 8 * 7, "fewer than a tournament's"


def test_two_hosts_cannot_be_told_apart_and_it_ends() -> None:
    pod = ModelledPod(2, faults=[Fault("nic", "gpu0001", "both")], noise=0.0)
    verdict = verdict_of(pod)
    assert named(verdict) == set()
    assert pod.waves <= MOST_WAVES


def test_no_host_stands_twice_in_a_wave_and_pairs_below_a_leaf_come_first() -> None:
    pod = ModelledPod(32, below=8, faults=[Fault("nic", "gpu0003", "sends"), Fault("uplinks", "leaf02")])
    field = pod.known()
    running = adaptive(field, 4)
    wave = next(running)
    waves = []
    while True:
        waves.append(wave)
        players = [host for pair in wave.pairs for host in pair]
        assert len(players) == len(set(players))
        try:
            wave = running.send(pod.sent(wave))
        except StopIteration:
            break
    near = [all(pod.leaf_of[a] == pod.leaf_of[b] for a, b in wave.pairs) for wave in waves]
    far = [all(pod.leaf_of[a] != pod.leaf_of[b] for a, b in wave.pairs) for wave in waves]
    assert (near[:4], far[:4]) == ([True, True, False, False], [False, False, True, True])
    assert {wave.qps for wave in waves[4:]} <= {8}

"""A matrix is judged against the GPU model's own link map; without a model, by what it shows alone."""

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import pytest

from fabric_audit.analysis.gpu_models import DGX_1V, Wiring, model_of
from fabric_audit.analysis.gpu_topology import judge, topology
from fabric_audit.facts.gpu import Gpu, GpuLink
from fabric_audit.findings import Finding, Verdict
from fabric_audit.platforms.model import Output
from fabric_audit.platforms.reading import read
from fabric_audit.platforms.registry import all_sections

GOLDENS = Path(__file__).parent.parent / "platforms" / "gpus" / "nvidia" / "nvidia-smi-topo"


def link(one: int, other: int, links: int) -> GpuLink:
    return GpuLink(gpu=one, peer=other, path=f"NV{links}" if links else "SYS", nvlinks=links)


def judged(model: str | None, count: int, links: Mapping[tuple[int, int], int], rest: int) -> list[Finding]:
    gpus = [Gpu(gpu=number, model=model) for number in range(count)]
    facts = [link(*pair, links.get(pair, rest)) for pair in combinations(range(count), 2)]
    return list(judge(topology("host", gpus, facts)))


def failing(findings: list[Finding]) -> set[str]:
    return {finding.subject[1] for finding in findings if finding.verdict is Verdict.FAIL}


@pytest.mark.parametrize(
    ("model", "count", "links"),
    [
        ("NVIDIA H100 80GB HBM3", 8, 18),
        ("NVIDIA H100 80GB HBM3", 4, 6),
        ("NVIDIA H200", 8, 18),
        ("NVIDIA H20", 8, 18),
        ("NVIDIA B200", 8, 18),
        ("NVIDIA GB200", 4, 18),
        ("NVIDIA A100-SXM4-80GB", 8, 12),
        ("NVIDIA A100-SXM4-40GB", 4, 4),
        ("NVIDIA A800-SXM4-80GB", 8, 8),
        ("NVIDIA H800", 8, 8),
        ("Tesla V100-SXM3-32GB", 16, 6),
        ("Tesla V100-SXM2-16GB", 4, 2),
        ("NVIDIA L40S", 8, 0),
        ("NVIDIA A100 80GB PCIe", 4, 0),
    ],
)
def test_a_host_as_it_is_built_passes(model: str, count: int, links: int) -> None:
    (finding,) = judged(model, count, {}, links)
    assert finding.verdict is Verdict.PASS


@pytest.mark.parametrize("path", ["PIX", "PXB", "PHB", "NODE", "SYS"])
def test_a_pair_without_nvlink_on_an_nvswitch_host_fails_whatever_the_rest_shows(path: str) -> None:
    gpus = [Gpu(gpu=number, model="NVIDIA H100 80GB HBM3") for number in range(8)]
    links = [link(*pair, 18) for pair in combinations(range(8), 2) if pair != (2, 5)]
    findings = list(judge(topology("host", gpus, [*links, GpuLink(gpu=2, peer=5, path=path, nvlinks=0)])))
    assert failing(findings) == {"GPU2-GPU5"}
    assert findings[0].observed == path
    assert "NV18" in findings[0].expected


@pytest.mark.parametrize("model", ["NVIDIA H100 80GB HBM3", None])
def test_fewer_links_than_built_are_degraded_and_the_gpu_behind_them_is_named(model: str | None) -> None:
    lost = {pair: 16 for pair in combinations(range(8), 2) if 3 in pair}
    findings = judged(model, 8, lost, 18)
    assert failing(findings) == {f"GPU{min(3, gpu)}-GPU{max(3, gpu)}" for gpu in range(8) if gpu != 3}
    assert all("GPU3 is the cause" in finding.message for finding in findings)


def test_a_dead_fabric_fails_when_the_model_is_known() -> None:
    assert len(failing(judged("NVIDIA A100-SXM4-80GB", 8, {}, 0))) == 28


def test_all_links_short_alike_fail_by_the_model_alone() -> None:
    assert len(failing(judged("NVIDIA H100 80GB HBM3", 8, {}, 16))) == 28
    (finding,) = judged(None, 8, {}, 16)
    assert finding.verdict is Verdict.UNKNOWN


def test_no_nvlink_without_a_model_is_undecidable_and_names_the_command_that_decides() -> None:
    (finding,) = judged(None, 4, {}, 0)
    assert finding.verdict is Verdict.UNKNOWN
    assert "nvidia-smi --query-gpu=index,name" in finding.message


def test_multi_instance_mode_decides_nothing() -> None:
    gpus = [Gpu(gpu=0, model="NVIDIA H100 80GB HBM3", mig=True), Gpu(gpu=1, model="NVIDIA H100 80GB HBM3")]
    (finding,) = judge(topology("host", gpus, [link(0, 1, 0)]))
    assert finding.verdict is Verdict.UNKNOWN


CUBE = {(one, other): links for one, row in DGX_1V.items() for other, links in row.items() if one < other}


def test_the_cube_mesh_gives_each_gpu_six_links_both_ways_alike() -> None:
    assert all(sum(row.values()) == 6 for row in DGX_1V.values())
    assert all(DGX_1V[other][one] == links for one, row in DGX_1V.items() for other, links in row.items())


@pytest.mark.parametrize("model", ["Tesla V100-SXM2-32GB", None])
def test_a_cube_mesh_is_healthy_under_any_numbering_and_in_part(model: str | None) -> None:
    renumbered = {4: 0, 0: 1, 7: 2, 2: 3, 1: 4, 6: 5, 3: 6, 5: 7}
    moved = {tuple(sorted((renumbered[one], renumbered[other]))): links for (one, other), links in CUBE.items()}
    part = {pair: links for pair, links in CUBE.items() if max(pair) < 4}
    for count, links in ((8, CUBE), (8, moved), (4, part)):
        (finding,) = judged(model, count, links, 0)  # type: ignore[arg-type]  # sorted pairs are pairs
        assert finding.verdict is Verdict.PASS


@pytest.mark.parametrize("model", ["Tesla V100-SXM2-32GB", None])
def test_a_link_missing_from_a_cube_mesh_is_named(model: str | None) -> None:
    assert failing(judged(model, 8, {**CUBE, (0, 3): 1}, 0)) == {"GPU0-GPU3"}
    assert failing(judged(model, 8, {pair: n for pair, n in CUBE.items() if pair != (2, 6)}, 0)) == {"GPU2-GPU6"}


def test_a_cube_mesh_without_any_link_fails() -> None:
    assert len(failing(judged("Tesla V100-SXM2-32GB", 8, {}, 0))) == 16


def test_a_bridged_pair_is_judged_against_its_bridges() -> None:
    pairs = {(0, 1): 12, (2, 3): 12}
    (finding,) = judged("NVIDIA H100 PCIe", 4, pairs, 0)
    assert finding.verdict is Verdict.PASS
    assert failing(judged("NVIDIA H100 PCIe", 4, {**pairs, (2, 3): 8}, 0)) == {"GPU2-GPU3"}
    (finding,) = judged("NVIDIA H100 PCIe", 4, {(0, 1): 12}, 0)
    assert finding.verdict is Verdict.UNKNOWN
    assert "GPU2, GPU3 have no bridge" in finding.message
    (finding,) = judged(None, 4, pairs, 0)
    assert finding.verdict is Verdict.PASS


@pytest.mark.parametrize("golden", ["constructed-dgx-1v-cube-mesh", "constructed-bridged-pairs", "h100-nic-legend"])
def test_goldens_of_healthy_hosts_pass(golden: str) -> None:
    text = (GOLDENS / f"{golden}.txt").read_text("utf-8")
    facts = read(all_sections()["nvidia-smi-topo"], Output(text)).facts
    gpus = [fact for fact in facts if isinstance(fact, Gpu)]
    links = [fact for fact in facts if isinstance(fact, GpuLink)]
    assert [finding.verdict for finding in judge(topology("host", gpus, links))] == [Verdict.PASS]


@pytest.mark.parametrize(
    ("name", "wiring"),
    [
        ("NVIDIA A100-PCIE-40GB", Wiring.BRIDGE),
        ("A100-SXM4-40GB", Wiring.MESH),
        ("NVIDIA H100 NVL", Wiring.BRIDGE),
        ("Tesla V100-PCIE-32GB", Wiring.NONE),
        ("NVIDIA GeForce RTX 5090", Wiring.NONE),
        ("NVIDIA RTX A6000", Wiring.BRIDGE),
        ("NVIDIA RTX 6000 Ada Generation", Wiring.NONE),
        ("NVIDIA GH200 480GB", Wiring.MESH),
    ],
)
def test_product_names_find_their_model(name: str, wiring: Wiring) -> None:
    found = model_of(name)
    assert found is not None
    assert found.wiring is wiring


def test_an_unknown_name_is_no_model() -> None:
    assert model_of("NVIDIA Graphics Device") is None

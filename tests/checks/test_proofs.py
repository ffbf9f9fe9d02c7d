"""Every check passes a healthy pod, fails it by one change, alone with what depends on it; silence is unknown."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from fabric_audit.checks.engine import examined_by
from fabric_audit.checks.model import all_checks
from fabric_audit.facts import Kind, all_tables, columns
from fabric_audit.findings import Result, Verdict
from tests.checks.proofs import addressing, counted, hosts, jobs, links, pairs, switches, trust
from tests.checks.proofs.healthy import Healthy, check_of, lost, touched_by
from tests.checks.proofs.model import Change, Proof

PROOFS: dict[str, Proof] = {
    proof.check: proof
    for module in (addressing, counted, hosts, jobs, links, pairs, switches, trust)
    for proof in module.PROOFS
}


@pytest.fixture(scope="module")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Healthy:
    return Healthy(tmp_path_factory.mktemp("healthy"))


def test_every_check_is_proven() -> None:
    assert sorted(PROOFS) == [check.id for check in all_checks()]


@pytest.mark.parametrize("name", PROOFS)
def test_a_healthy_pod_passes(healthy: Healthy, name: str) -> None:
    proof = PROOFS[name]
    result = healthy.judged([check_of(name)], proof)[name]
    assert result.verdict is Verdict.PASS, [f for f in result.findings if f.verdict is not Verdict.PASS][:3]


@pytest.mark.parametrize("name", PROOFS)
def test_one_change_fails_it_and_what_depends_on_it(healthy: Healthy, name: str) -> None:
    proof = PROOFS[name]
    results = healthy.judged(touched_by(proof), proof, faulty=True)
    assert results[name].verdict is proof.fails_as, results[name].reason or results[name].findings[:2]
    if proof.fails_as is Verdict.FAIL:
        assert roots(results.values()) - {*proof.also} == {proof.cause or name}


@pytest.mark.parametrize("name", [name for name in PROOFS if check_of(name).evidence])
def test_silence_is_unknown(healthy: Healthy, name: str) -> None:
    proof = PROOFS[name]
    check = check_of(name)
    told = healthy.told(proof)
    for target in sorted(examined_by(check, healthy.inventory)):
        silent = lost(told, check, target)
        if silent != told:
            result = healthy.judged([check], proof, coverage=silent)[name]
            assert result.verdict is Verdict.UNKNOWN
            return
    pytest.fail("no target tells anything that it reads")


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("addressing.neighbor-is-meant", "neighbor_entry"),
        ("counters.lossless-drops", "queue_counter"),
        ("counters.lossy-nic", "counter"),
        ("host.acs", "pci_acs"),
        ("host.memlock", "kernel_setting"),
        ("pfc.enabled-on-lossless-priority", "pfc_port"),
    ],
)
def test_values_that_are_not_told_pass_nothing(healthy: Healthy, name: str, table: str) -> None:
    untold = {column.name: None for column in columns(all_tables()[table]) if column.kind is not Kind.KEY}
    proof = replace(PROOFS[name], base=(*PROOFS[name].base, Change(table, {}, untold)))
    assert healthy.judged([check_of(name)], proof)[name].verdict is not Verdict.PASS


def roots(results: Iterable[Result]) -> set[str]:
    found: set[str] = set()
    for result in results:
        found |= {f.check for f in result.findings if f.verdict is Verdict.FAIL and not f.explained_by}
    return found

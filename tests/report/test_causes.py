"""What is to be done, in which order, and what goes away with it."""

from dataclasses import replace

from fabric_audit.findings import Audit, Finding, Severity, Verdict
from fabric_audit.report.causes import causes, to_fix
from tests.report.audits import audit, checks, faulty, unknown, with_findings
from tests.report.frames import Pod


def failing(*subject: str, explained_by: str = "", message: str = "it is off") -> Finding:
    return Finding(verdict=Verdict.FAIL, subject=subject, message=message, explained_by=explained_by)


def judged(findings: dict[str, list[Finding]], severities: dict[str, Severity] | None = None) -> Audit:
    results = {result.check: result for result in checks(Pod(hosts=2))}
    for check, found in findings.items():
        severity = (severities or {}).get(check, Severity.MAJOR)
        results[check] = with_findings(replace(results[check], findings=()), found, severity)
    return audit(Pod(hosts=2), results.values())


def test_consequences_stand_under_their_cause() -> None:
    module, port = to_fix(faulty())
    assert port.subjects == (("leaf01", "Ethernet12"),)
    assert [one.subject[0] for one in port.consequences] == ["gpu003"] * 3
    assert module.consequences == ()


def test_what_says_the_same_is_one_cause() -> None:
    found = to_fix(judged({"pfc.on": [failing("leaf01", "Ethernet0"), failing("leaf02", "Ethernet4")]}))
    assert [cause.subjects for cause in found] == [(("leaf01", "Ethernet0"), ("leaf02", "Ethernet4"))]


def test_the_same_words_but_for_the_name_are_the_same() -> None:
    both = [failing(name, message=f"PFC of {name} is off") for name in ("gpu001", "gpu002")]
    assert [cause.message for cause in to_fix(judged({"pfc.on": both}))] == ["PFC of … is off"]
    assert [cause.message for cause in to_fix(judged({"pfc.on": both[:1]}))] == ["PFC of gpu001 is off"]


def test_other_words_or_another_check_are_another_cause() -> None:
    found = to_fix(
        judged(
            {
                "pfc.on": [failing("leaf01"), failing("leaf01", "Ethernet0", message="it is wrong")],
                "qos.trust": [failing("leaf01")],
            }
        )
    )
    assert len(found) == 3


def test_the_worst_that_goes_away_decides_the_order() -> None:
    loss = failing("gpu001", explained_by="qos.trust:leaf01")
    found = to_fix(
        judged(
            {"qos.trust": [failing("leaf01")], "counters.loss": [loss], "links.mtu": [failing("leaf02")]},
            {"qos.trust": Severity.MINOR, "counters.loss": Severity.CRITICAL, "links.mtu": Severity.MAJOR},
        )
    )
    assert [(cause.first.check, cause.worst) for cause in found] == [
        ("qos.trust", Severity.CRITICAL),
        ("links.mtu", Severity.MAJOR),
    ]


def test_among_equals_the_one_that_explains_more_comes_first() -> None:
    slow = failing("gpu001", explained_by="qos.trust:leaf01")
    found = to_fix(
        judged({"links.mtu": [failing("leaf02")], "qos.trust": [failing("leaf01")], "counters.loss": [slow]})
    )
    assert [cause.first.check for cause in found] == ["qos.trust", "links.mtu"]


def test_an_explanation_that_does_not_exist_leaves_a_root_cause() -> None:
    assert len(to_fix(judged({"pfc.on": [failing("leaf01", explained_by="links.mtu:nowhere")]}))) == 1


def test_findings_that_explain_each_other_are_all_shown() -> None:
    one = failing("leaf01", explained_by="pfc.on:leaf02")
    other = failing("leaf02", explained_by="pfc.on:leaf01", message="it is off, too")
    third = failing("gpu001", explained_by="pfc.on:leaf01", message="it is slow")
    found = to_fix(judged({"pfc.on": [one, other, third]}))
    assert sorted(f.subject for cause in found for f in (*cause.findings, *cause.consequences)) == [
        ("gpu001",),
        ("leaf01",),
        ("leaf02",),
    ]


def test_a_chain_of_explanations_leads_to_its_end() -> None:
    found = to_fix(
        judged(
            {
                "pfc.on": [failing("leaf01")],
                "counters.loss": [failing("gpu001", explained_by="pfc.on:leaf01")],
                "links.mtu": [failing("gpu002", explained_by="counters.loss:gpu001")],
            }
        )
    )
    assert [(cause.first.check, len(cause.consequences)) for cause in found] == [("pfc.on", 2)]


def test_a_failing_consequence_of_missing_evidence_is_something_to_fix() -> None:
    silent = Finding(verdict=Verdict.UNKNOWN, subject=("leaf01",), message="no answer")
    slow = failing("gpu001", explained_by="evidence.delivered:leaf01")
    assert len(to_fix(judged({"evidence.delivered": [silent], "counters.loss": [slow]}))) == 1


def test_one_silence_of_many_checks_is_one_cause() -> None:
    found = causes(unknown())
    assert len(found) == 1
    assert len(found[0].checks) == 11
    assert found[0].message == "no evidence from …: no route to host"

"""Small invented audits, shaped as the audit stage shapes them: healthy, faulty, unknown, large, hostile."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from fabric_audit.facts.tables import frame
from fabric_audit.findings import Audit, CoverageRow, Evidence, Finding, Result, Severity, Verdict
from fabric_audit.report.model import Excerpt
from tests.report.frames import Pod, tables

PROVEN = "field output"


@dataclass(frozen=True)
class Lines:
    """An evidence reader that has eight lines of everything."""

    text: Sequence[str] = field(default_factory=lambda: [f"line {number} of the answer" for number in range(1, 9)])

    def excerpt(self, evidence: Evidence) -> Excerpt:
        return Excerpt(path=evidence.path, lines=tuple(self.text), marked=evidence.line)


def audit(pod: Pod, results: Iterable[Result], **more: Any) -> Audit:
    given: dict[str, Any] = {
        "fabric": "pod3",
        "policy": "roce-lossless",
        "origin": "real",
        "started": "2026-03-04T05:06:07+00:00",
        "as_of": "2026-03-04",
        "tool_version": "9.8.7",
        "coverage": coverage(pod),
        "tables": tables(pod),
    }
    return Audit(**given | {"results": tuple(results)} | more)


def healthy(pod: Pod | None = None, **more: Any) -> Audit:
    pod = pod or Pod()
    return audit(pod, checks(pod), **more)


def faulty(**more: Any) -> Audit:
    """PFC is off at one switch port, its pair of NICs is slow for it, and one host lacks the GPU module."""
    pod = Pod()
    root = Finding(
        verdict=Verdict.FAIL,
        subject=("leaf01", "Ethernet12"),
        message="PFC is off for priority 3",
        expected="PFC on for priority 3",
        observed="PFC off",
        remedy='CONFIG_DB, PORT_QOS_MAP|Ethernet12: "pfc_enable": "3"',
        remedy_source="SONiC, doc/qos/pfc.md",
        evidence=(Evidence("baseline/leaf01/config-db.out", 5),),
        reproduce="fabric-audit parse sonic:config-db capture/baseline/leaf01/config-db.out",
    )
    slow = [
        Finding(
            verdict=Verdict.FAIL,
            subject=("gpu003", "rail 1", peer),
            message=f"gpu003 to {peer} on rail 1: 181.3 Gb/s, floor 371 Gb/s",
            expected="at least 371 Gb/s",
            observed="181.3 Gb/s",
            explained_by="pfc.on:leaf01/Ethernet12",
            evidence=(Evidence("round-0001/gpu003/send.out", 3),),
        )
        for peer in ("gpu001", "gpu002", "gpu004")
    ]
    module = Finding(
        verdict=Verdict.FAIL,
        subject=("gpu005",),
        message="GPU memory cannot be registered: nvidia_peermem is not loaded",
        expected="nvidia_peermem loaded, or DMA-BUF",
        observed="neither",
        remedy="modprobe nvidia_peermem, and list it in /etc/modules-load.d",
        remedy_source="NVIDIA GPUDirect RDMA guide, 'Installing'",
        evidence=(Evidence("baseline/gpu005/host.out", 2),),
    )
    unknown = Finding(
        verdict=Verdict.UNKNOWN,
        subject=("gpu007", "login"),
        message="no evidence from gpu007: the host refused the key",
        observed="the host refused the key",
    )
    wanted = {
        "pfc.on": [root],
        "performance.line-rate": slow,
        "gdr.possible": [module],
        "evidence.delivered": [unknown],
    }
    severities = {"gdr.possible": Severity.CRITICAL}
    results = [
        with_findings(result, wanted[result.check], severities.get(result.check, result.severity))
        if result.check in wanted
        else result
        for result in checks(pod)
    ]
    slow_pairs = {("gpu003", peer, 1): 0.453 for peer in ("gpu001", "gpu002", "gpu004")}
    more = {"tables": tables(pod, slow=slow_pairs, moved=True), "coverage": coverage(pod, lost=("gpu007",))} | more
    return audit(pod, results, overrides=("--allow-busy gpu[001-002]: maintenance window 4711",), **more)


def unknown(**more: Any) -> Audit:
    """Nothing was delivered."""
    pod = Pod()
    results = [
        replace(
            result,
            verdict=Verdict.UNKNOWN,
            reason="no evidence from gpu001: no route to host",
            findings=tuple(
                Finding(
                    verdict=Verdict.UNKNOWN,
                    subject=(host, "unreachable"),
                    message=f"no evidence from {host}: no route to host",
                    check=result.check,
                )
                for host in pod.host_names
            ),
        )
        for result in checks(pod)
    ]
    empty = {name: frame(name) for name in tables(pod)}
    return audit(pod, results, tables=empty, coverage=coverage(pod, lost=(*pod.host_names, *pod.leaf_names)), **more)


def with_findings(result: Result, findings: Sequence[Finding], severity: Severity) -> Result:
    """A result that has these findings besides those it has."""
    stamped = [replace(finding, check=result.check, severity=severity) for finding in findings]
    return replace(
        result,
        findings=(*result.findings, *stamped),
        verdict=stamped[0].verdict,
        severity=severity,
        reason=_reason(stamped),
    )


def _reason(findings: Sequence[Finding]) -> str:
    return next((f.message for f in findings if f.verdict is Verdict.UNKNOWN), "")


def checks(pod: Pod) -> Iterator[Result]:
    """A dozen checks, all of which pass but for one that is out of scope and one not verifiable."""
    yield _passing("evidence.delivered", "Every target delivered everything it was asked for", pod.host_names)
    yield _passing("links.mtu", "Both ends of every link carry the same MTU", pod.nics)
    yield _passing("pfc.on", "PFC is on for the lossless priority", pod.nics)
    yield replace(
        _passing("pfc.watchdog", "The PFC watchdog is on", [(leaf,) for leaf in pod.leaf_names]),
        unverified_parsers=("arista_eos:pfc-watchdog",),
    )
    yield _passing("ecn.marks", "ECN marks on the lossless queue before PFC stops it", pod.nics)
    yield _passing("qos.trust", "Ports trust DSCP", pod.nics)
    yield _passing("gdr.possible", "GPUDirect RDMA is possible", pod.host_names)
    yield _passing("performance.line-rate", "Every pair reaches its share of the line rate", pod.nics)
    yield _passing("counters.loss", "Nothing is lost", pod.nics)
    yield Result(
        check="gpu.nvlink-map",
        title="NVLinks are as built",
        manual="NVLinks are as built.\n\nWhy: traffic takes PCIe where one is down.",
        verdict=Verdict.OUT_OF_SCOPE,
        severity=Severity.MAJOR,
        reason="the inventory names no GPUs",
    )
    yield Result(
        check="ecn.thresholds",
        title="ECN thresholds lie below the PFC ones",
        manual="ECN thresholds lie below the PFC ones.\n\nWhy: else PFC stops the queue first.",
        verdict=Verdict.NOT_VERIFIABLE,
        severity=Severity.MINOR,
        findings=(
            Finding(
                verdict=Verdict.NOT_VERIFIABLE,
                subject=("leaf02", "queue"),
                message="the platform prints no thresholds",
                check="ecn.thresholds",
                severity=Severity.MINOR,
            ),
        ),
    )


def _passing(check: str, title: str, subjects: Iterable[tuple[str, ...] | str]) -> Result:
    findings = tuple(
        Finding(
            verdict=Verdict.PASS,
            subject=(subject,) if isinstance(subject, str) else subject,
            message="as it ought to be",
            observed="as it ought to be",
            check=check,
            evidence=(Evidence("baseline/gpu001/host.out", 3),),
        )
        for subject in subjects
    )
    manual = f"{title}.\n\nWhy: an invented pod has its reasons.\n\nFix: none is needed here."
    return Result(
        check=check, title=title, manual=manual, verdict=Verdict.PASS, severity=Severity.MAJOR, findings=findings
    )


SECTIONS = {
    "rdma-dev": ("rdma_device",),
    "ethtool-s": ("counter",),
    "mlnx-qos": ("pfc_port",),
    "perftest": ("perftest_row",),
}


def coverage(pod: Pod, lost: Sequence[str] = ()) -> tuple[CoverageRow, ...]:
    rows = []
    for target in (*pod.host_names, *pod.leaf_names):
        for section, names in SECTIONS.items():
            gone = target in lost
            rows.append(
                CoverageRow(
                    target=target,
                    phase="round-0001" if section == "perftest" else "baseline",
                    section=section,
                    tables=names,
                    state="not_delivered" if gone else "parsed",
                    reason="the host refused the key" if gone else "",
                    cause="login" if gone else "",
                    path="" if gone else f"baseline/{target}/host.out",
                    provenance="constructed" if section == "mlnx-qos" else PROVEN,
                )
            )
    return tuple(rows)

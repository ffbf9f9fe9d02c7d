"""``fabric-audit check-config`` judges saved configurations, and asks no device."""

import json
from pathlib import Path
from typing import Any

import pytest

from fabric_audit.checks.model import all_checks
from fabric_audit.checks.remedies import mended
from fabric_audit.cli import ExitCode, run
from fabric_audit.findings import Finding, Verdict
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.policy.load import load_policy
from fabric_audit.policy.model import Designs

GOOD = Path(__file__).parents[1] / "platforms" / "switches" / "one_intent"


def judged(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = run(["check-config", "--format", "json", "--fail-on", "minor", *arguments])
    return code, json.loads(capfd.readouterr().out)


def failing(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [f for result in document["results"] for f in result["findings"] if f["verdict"] == "FAIL"]


@pytest.mark.parametrize("platform", sorted(switch_platforms()))
def test_a_good_configuration_of_each_os_is_clean(platform: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check-config", "--platform", platform, str(GOOD / f"{platform}.txt")]) == ExitCode.CLEAN
    assert capfd.readouterr().out.startswith("PASS: leaf1 holds to policy roce-lossless: ")


def test_what_no_configuration_tells_is_out_of_scope(capfd: pytest.CaptureFixture[str]) -> None:
    code, document = judged(capfd, "--platform", "sonic", str(GOOD / "sonic.txt"))
    assert code == ExitCode.CLEAN
    verdicts = {result["check"]: result["verdict"] for result in document["results"]}
    assert "UNKNOWN" not in verdicts.values()
    for check in ("counters.lossless-drops", "watchdog.no-storms", "links.mtu", "pfc.same-on-both-ends"):
        assert verdicts[check] == "OUT_OF_SCOPE"


def test_a_configuration_without_ports_is_not_called_good(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "qos.cfg"
    file.write_text("class-map type qos match-any ROCE\n  match dscp 26\nhostname leaf1\n", "utf-8")
    assert run(["check-config", "--platform", "cisco_nxos", str(file)]) == ExitCode.INCOMPLETE
    assert "nothing to examine" in capfd.readouterr().out


def test_of_a_part_that_shows_no_interfaces_the_ports_it_binds_are_judged(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cos.conf"
    text = (
        "class-of-service {\n    interfaces {\n        et-0/0/4 {\n"
        "            congestion-notification-profile cnp;\n        }\n    }\n"
        "    congestion-notification-profile {\n        cnp {\n            input {\n"
        "                ieee-802.1 {\n                    code-point 100 {\n                        pfc;\n"
        "                    }\n                }\n            }\n        }\n    }\n}\n"
    )
    file.write_text(text, "utf-8")
    _, document = judged(capfd, "--platform", "juniper_junos", str(file))
    wrong = [f for f in failing(document) if f["id"].startswith("pfc.enabled-on-lossless-priority")]
    assert [f["subject"][1:] for f in wrong] == [["et-0/0/4"]]


def test_only_the_ports_that_are_named_are_judged(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "leaf1.cfg"
    unused = "interface Ethernet3/1\n!\ninterface Ethernet4/1\n!\npriority-flow-control pause"
    text = (GOOD / "arista_eos.txt").read_text("utf-8").replace("priority-flow-control pause", unused, 1)
    file.write_text(text, "utf-8")
    arguments = ("--platform", "arista_eos", str(file))
    code, document = judged(capfd, *arguments)
    assert code == ExitCode.FINDINGS
    assert {f["subject"][1] for f in failing(document) if len(f["subject"]) > 1} == {"Ethernet3/1", "Ethernet4/1"}
    assert judged(capfd, *arguments, "--ports", "Ethernet[1-2]/1")[0] == ExitCode.CLEAN
    assert run(["check-config", *arguments, "--ports", "Ethernet[1-9]/1"]) == ExitCode.USAGE
    assert "no file names a port 'Ethernet5/1'" in capfd.readouterr().err


def test_code_scanning_gets_the_file_as_named_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (GOOD / "arista_eos.txt").read_text("utf-8").replace("   priority-flow-control on\n", "")
    Path("leaf1.cfg").write_text(text, "utf-8")
    arguments = ["--format", "sarif,junit", "--output", "out", "leaf1.cfg"]
    assert run(["check-config", "--platform", "arista_eos", *arguments]) == ExitCode.FINDINGS
    log = json.loads(Path("out/findings.sarif").read_text("utf-8"))["runs"][0]
    assert "originalUriBaseIds" not in log
    wrong, _ = [r for r in log["results"] if r["ruleId"] == "pfc.enabled-on-lossless-priority"]
    place = wrong["locations"][0]["physicalLocation"]
    line = text[: text.index("interface Ethernet1/1")].count("\n") + 1
    assert place == {"artifactLocation": {"uri": "leaf1.cfg"}, "region": {"startLine": line}}
    assert "priority-flow-control priority 3 no-drop" in wrong["message"]["text"]
    assert f"leaf1.cfg:{line}" in Path("out/junit.xml").read_text("utf-8")


def test_each_file_is_a_switch(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good = (GOOD / "cisco_nxos.txt").read_text("utf-8")
    texts = {"a.cfg": good, "b.cfg": good, "rack7.cfg": good.replace("hostname leaf1\n", "")}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    files = [str(tmp_path / name) for name in texts]
    code, document = judged(capfd, "--platform", "cisco_nxos", *files)
    assert code == ExitCode.CLEAN
    assert document["fabric"] == "3 configurations"
    assert [row["target"] for row in document["coverage"]] == ["leaf1", "leaf1#2", "rack7"]


def test_a_file_that_is_no_configuration_is_refused_with_its_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config_db.json"
    file.write_text('{\n  "PORT": {\n    "Ethernet0": {"mtu": "9100",,}\n  }\n}\n', "utf-8")
    assert run(["check-config", "--platform", "sonic", str(file)]) == ExitCode.INCOMPLETE
    told = capfd.readouterr()
    assert told.err.startswith(f"fabric-audit: {file}:3: no configuration of sonic: ")
    assert not told.out


def test_a_line_that_is_not_understood_leaves_the_verdict_open(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = (GOOD / "arista_eos.txt").read_text("utf-8").replace("no-drop", "no-dorp")
    file = tmp_path / "leaf1.cfg"
    file.write_text(text, "utf-8")
    assert run(["check-config", "--platform", "arista_eos", str(file)]) == ExitCode.INCOMPLETE
    line = text[: text.index("no-dorp")].count("\n") + 1
    assert f"{file}:{line}: not understood: 'priority-flow-control priority 3 no-dorp'" in capfd.readouterr().err


def test_secrets_of_a_configuration_reach_no_report(tmp_path: Path) -> None:
    text = (GOOD / "arista_eos.txt").read_text("utf-8").replace("   priority-flow-control on\n", "")
    secret = "   description gpu2 eth1\n   ospf authentication-key 7 T0pS3cret\n"
    file = tmp_path / "leaf1.cfg"
    file.write_text(text.replace("   description gpu2 eth1\n", secret), "utf-8")
    arguments = ["--format", "html,json,text", "--output", str(tmp_path / "out"), str(file)]
    assert run(["check-config", "--platform", "arista_eos", *arguments]) == ExitCode.FINDINGS
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "authentication-key 7 &lt;masked&gt;" in page
    assert not [path for path in (tmp_path / "out").iterdir() if "T0pS3cret" in path.read_text("utf-8")]


def test_marks_and_line_ends_of_other_editors_change_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "leaf1.cfg"
    for platform in switch_platforms():
        text = (GOOD / f"{platform}.txt").read_text("utf-8")
        file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        assert run(["check-config", "--platform", platform, str(file)]) == ExitCode.CLEAN, capfd.readouterr()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--platform", "arista", "x"],
            "no switch OS is called 'arista'; did you mean 'arista_eos'?; there are arista_",
        ),
        (["--platform", "sonic"], "name the configurations to judge, or - for stdin"),
        (["--platform", "sonic", "missing.json"], "missing.json: No such file or directory"),
        (["--platform", "sonic", "--format", "json,sarif", "x"], "2 formats do not fit on stdout"),
        (["--platform", "sonic", "--format", "pdf", "x"], "no report format is called 'pdf'"),
        (["--platform", "sonic", "--select", "pfk", "x"], "no check or family is called 'pfk'"),
    ],
)
def test_bad_usage_is_told(arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["check-config", *arguments]) == ExitCode.USAGE
    assert words in capfd.readouterr().err


def test_every_remedy_is_for_a_check_and_names_its_source() -> None:
    known = {check.id for check in all_checks()}
    designs = Designs(load_policy("roce-lossless").design)
    for platform in switch_platforms().values():
        assert set(platform.remedies) <= known
        for remedy in platform.remedies.values():
            finding = Finding(verdict=Verdict.FAIL, subject=("leaf1", "P1"), message="", check="c")
            told = mended(finding, {"leaf1": {"c": remedy}}, designs)
            assert "{" not in told.remedy.replace("{}", "")
            assert told.remedy_source


@pytest.mark.parametrize("platform", sorted(switch_platforms()))
def test_what_a_configuration_decides_has_a_remedy_in_the_words_of_the_os(platform: str) -> None:
    told = switch_platforms()[platform]
    wanted = {
        "pfc.enabled-on-lossless-priority": "pfc_port",
        "pfc.only-on-lossless-priority": "pfc_port",
        "pfc.link-pause-off": "interface.link_pause_rx",
        "pfc.watchdog-enabled": "pfc_watchdog",
        "ecn.marks-on-lossless-queue": "queue",
        "qos.trust-dscp": "interface",
        "qos.dscp-is-lossless": "dscp_map",
        "qos.cnp-strict": "queue",
        "qos.cnp-not-lossless": "dscp_map",
        "links.switch-mtu": "interface",
    }
    lacking = [check for check, fact in wanted.items() if check not in told.remedies and fact not in told.cannot]
    assert not lacking

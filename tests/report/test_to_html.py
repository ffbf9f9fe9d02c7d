"""The page as it is written: complete, self-contained, and deaf to what devices say."""

import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from fabric_audit.findings import Audit, CoverageRow, Evidence, Finding, Severity, Verdict
from fabric_audit.report import RENDERERS
from fabric_audit.report.cards import MOST_CARDS
from fabric_audit.report.page import PACKAGE, template_folder
from fabric_audit.report.to_html import FIRST, RICH_ROWS
from tests.report.audits import Lines, audit, checks, faulty, healthy, unknown, with_findings
from tests.report.frames import Pod

SECTIONS = (
    *("findings", "impact", "topology", "pairs", "directions", "counters", "compliance", "shapes"),
    *("unmeasured", "checks", "coverage", "software"),
)


class Seen(HTMLParser):
    """Tags with their attributes, scripts, and the text people see."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self.within = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.text += " "
        self.within = tag if tag in {"script", "style"} and "type" not in dict(attrs) else self.within
        if self.within == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.within = "" if tag == self.within else self.within

    def handle_data(self, data: str) -> None:
        if self.within == "script":
            self.scripts[-1] += data
        elif not self.within:
            self.text += data

    def ids(self) -> list[str]:
        return [attributes["id"] or "" for _, attributes in self.tags if "id" in attributes]


def page(audit_: Audit, lines: Lines | None = None) -> str:
    return RENDERERS["html"].render(audit_, lines or Lines()).decode()


def seen(audit_: Audit, lines: Lines | None = None) -> Seen:
    return Seen(page(audit_, lines))


def failing(*subject: str, **more: str) -> Finding:
    given = {"message": f"number {'/'.join(subject)} is off"} | more
    return Finding(verdict=Verdict.FAIL, subject=subject, **given)  # type: ignore[arg-type]


def with_failing(findings: list[Finding]) -> Audit:
    results = list(checks(Pod()))
    return audit(Pod(), [with_findings(results[2], findings, Severity.MAJOR), *results[:2], *results[3:]])


@pytest.mark.parametrize("make", [healthy, faulty, unknown, lambda: audit(Pod(), [], coverage=(), tables={})])
def test_every_section_is_there_whatever_was_found(make: Callable[[], Audit]) -> None:
    found = seen(make())
    assert set(SECTIONS) <= set(found.ids())
    assert len(found.ids()) == len(set(found.ids()))
    assert "{{" not in found.text
    assert "Undefined" not in found.text


def test_the_first_screen_names_what_matters() -> None:
    text = " ".join(seen(faulty()).text.partition("Findings")[0].split())
    for words in ("pod3", "FAIL", "roce-lossless", "4 March 2026", "nvidia_peermem is not loaded", "leaf01 Ethernet12"):
        assert words in text
    for words in ("the host refused the key", "the inventory names no GPUs", "arista_eos:pfc-watchdog", "4711"):
        assert words in text
    assert "SIMULATED" not in text


def test_a_simulated_pod_is_called_so_in_title_and_page() -> None:
    text = seen(faulty(origin="simulated")).text
    assert text.count("SIMULATED") == 2


def test_five_causes_at_most_stand_first_and_the_rest_is_counted() -> None:
    found = page(with_failing([failing(f"gpu{n:03}", f"eth{n}") for n in range(1, 8)]))
    first = found.partition('class="fix"')[2].partition("</section>")[0]
    assert first.count("<li>") == FIRST
    assert "And 2 more causes" in first


def test_a_finding_stands_with_everything_that_belongs_to_it() -> None:
    text = " ".join(seen(faulty()).text.split())
    for words in (
        "Expected PFC on for priority 3",
        "Observed PFC off",
        'CONFIG_DB, PORT_QOS_MAP|Ethernet12: "pfc_enable": "3"',
        "SONiC, doc/qos/pfc.md",
        "baseline/leaf01/config-db.out",
        "line 5 of the answer",
        "fabric-audit parse sonic:config-db",
        "Explains 3 other findings",
    ):
        assert words in text


def test_the_line_a_finding_rests_on_is_marked() -> None:
    assert re.search(r'class="marked"><i>5</i>line 5 of the answer<', page(faulty()))


def test_links_lead_somewhere() -> None:
    found = seen(faulty())
    inside = [a["href"] for tag, a in found.tags if tag in {"a", "use"} and a.get("href")]
    assert inside
    assert {href.removeprefix("#") for href in inside if href} <= set(found.ids())


def test_the_page_loads_nothing_and_admits_only_its_own_scripts() -> None:
    found = seen(faulty())
    policy = next(a["content"] or "" for tag, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    digests = {f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in found.scripts}
    assert len(found.scripts) == 3
    assert digests == set(re.findall(r"'sha256-[^']*'", policy))
    assert "unsafe-eval" not in policy
    for tag, attributes in found.tags:
        assert tag not in {"link", "iframe", "object", "embed", "base"}
        assert not any(name == "src" or name.startswith("on") for name in attributes)


def test_the_heavy_bundles_are_there_only_for_what_needs_them() -> None:
    assert len(page(unknown())) < 100_000
    assert "Bokeh" not in page(unknown())
    assert "tables-data" not in page(faulty())
    assert "tables-data" in page(replace(healthy(), coverage=strange(RICH_ROWS + 1)))


def strange(rows: int) -> tuple[CoverageRow, ...]:
    """Coverage of which no two rows are alike."""
    return tuple(replace(healthy().coverage[0], reason=f"trouble {n}", state="parse_error") for n in range(rows))


def test_no_text_of_a_device_becomes_markup_or_acts() -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'\x1b[31m\u202e{{ 7*7 }}\x00\ud800</pre></script>"
    finding = failing(
        "leaf01",
        evil,
        message=evil,
        expected=evil,
        observed=evil,
        remedy=evil,
        remedy_source=evil,
        reproduce=evil,
    )
    told = replace(with_failing([replace(finding, evidence=(Evidence(evil, 1),))]), overrides=(evil,), policy=evil)
    found = page(told, Lines([evil, evil]))
    assert not any("alert(1)" in text for text in Seen(found).scripts)
    assert not any(tag == "img" for tag, _ in Seen(found).tags)
    assert "{{ 7*7 }}" in Seen(found).text
    for active in ("\x1b", "\u202e", "\x00", "\ud800"):
        assert active not in found
    assert "⟨U+001B⟩[31m⟨U+202E⟩" in found


def test_hosts_with_hostile_names_stay_inside_the_data_of_the_figure() -> None:
    told = healthy()
    evil = "</script><script>alert(1)</script>"
    rows = told.tables["pair_result"].replace({"client": {"gpu001": evil}, "server": {"gpu001": evil}})
    found = seen(replace(told, tables={**told.tables, "pair_result": rows}))
    assert len(found.scripts) == 3
    assert not any("alert(1)" in text for text in found.scripts)


def test_a_huge_line_does_not_make_a_huge_page() -> None:
    found = page(with_failing([failing("leaf01", message="x" * 1_000_000)]), Lines(["y" * 1_000_000]))
    assert len(found) < len(page(faulty())) + 100_000
    assert "1,000,000" in found


def test_endless_findings_are_bounded_and_counted() -> None:
    told = with_failing([failing(f"gpu{n:03}", f"eth{n}", message=f"number {n}") for n in range(MOST_CARDS + 50)])
    found = page(told)
    assert found.count('<article class="finding') == MOST_CARDS
    assert "51 more causes" in found


def test_a_large_pod_has_an_overview_of_its_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    assert '<option value="1">1</option>' in page(healthy())
    monkeypatch.setattr("fabric_audit.report.to_html.MOST_HOSTS", 7)
    found = page(healthy())
    assert '<option value="1">1</option>' not in found
    assert '<option value="worst">' in found
    assert "Single rails of so large a pod" in found


def test_the_same_audit_gives_the_same_page() -> None:
    assert page(faulty()) == page(faulty())


def test_templates_are_installed_with_the_package() -> None:
    """Every file a template includes lies in the folder that goes into the wheel."""
    folder = template_folder(PACKAGE)
    for path in folder.rglob("*.j2"):
        for name in re.findall(r'{% (?:include|import) "([^"]+)"', path.read_text("utf-8")):
            assert (folder / name).is_file()

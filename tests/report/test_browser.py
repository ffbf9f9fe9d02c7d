"""The page in a headless Chromium: quiet, complete, usable by keyboard, at any width and in both schemes."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fabric_audit.findings import Audit
from fabric_audit.report import RENDERERS
from fabric_audit.report.comparison import COMPARISONS
from fabric_audit.report.to_html import RICH_ROWS
from tests.diff.comparisons import everything
from tests.report.audits import Lines, faulty, healthy, unknown
from tests.report.browser import Page, chromium, program

pytestmark = pytest.mark.browser


def long_tables() -> Audit:
    """So many rows that tables can be sorted and searched."""
    row = faulty().coverage[0]
    rows = tuple(replace(row, reason=f"trouble {n:02}", state="parse_error") for n in range(RICH_ROWS + 20))
    return faulty(coverage=rows)


MAKERS = {"healthy": healthy, "faulty": faulty, "unknown": unknown, "long": long_tables}


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    binary = program()
    if binary is None:
        pytest.skip("NO BROWSER TESTS: no chromium on PATH; on Debian: apt-get install chromium")
    with chromium(binary) as page:
        yield page


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    for name, make in MAKERS.items():
        (folder / f"{name}.html").write_bytes(RENDERERS["html"].render(make(), Lines()))
    return {name: folder / f"{name}.html" for name in MAKERS}


@pytest.fixture
def opened(browser: Page, pages: dict[str, Path]) -> Callable[..., Page]:
    def opening(name: str, width: int = 1400, scheme: str = "light") -> Page:
        browser.size(width)
        browser.scheme(scheme)
        browser.open(pages[name])
        return browser

    return opening


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 420])
@pytest.mark.parametrize("name", MAKERS)
def test_no_complaint_no_request_no_sideways_scroll(
    opened: Callable[..., Page], name: str, width: int, scheme: str
) -> None:
    page = opened(name, width, scheme)
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith(("file:", "data:", "blob:"))] == []
    assert sum(url.startswith("file:") for url in page.requests()) == 1
    assert page.value("document.documentElement.scrollWidth") <= width


def test_the_policy_is_in_force(opened: Callable[..., Page]) -> None:
    page = opened("faulty")
    assert page.value("(() => { try { return eval('1') } catch (e) { return e.name } })()") == "EvalError"
    assert page.value("fetch('http://192.0.2.1/').then(() => 'sent', () => 'refused')") == "refused"
    assert any("Content Security Policy" in complaint for complaint in page.complaints())


def test_dark_is_dark_and_light_is_light(opened: Callable[..., Page]) -> None:
    brightness = (
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number).reduce((a, b) => a + b) / 3"
    )
    assert opened("faulty", scheme="light").value(brightness) > 240
    page = opened("faulty", scheme="dark")
    assert page.value(brightness) < 40
    assert red_cells(page, "dark") > 0


def focused(page: Page, selector: str) -> None:
    """Tab until the element has the focus."""
    page.value("document.activeElement.blur()")
    for _ in range(200):
        page.press("Tab")
        if page.value(f"document.activeElement.matches({selector!r})"):
            return
    pytest.fail(f"{selector} cannot be reached with the Tab key")


def shown(page: Page) -> list[str]:
    found: list[str] = page.value(
        "[...document.querySelectorAll('article.finding')].filter(f => f.offsetHeight).map(f => f.dataset.verdict)"
    )
    return found


def test_findings_are_filtered_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened("faulty")
    assert shown(page) == ["FAIL", "FAIL", "UNKNOWN", "NOT_VERIFIABLE"]
    focused(page, "[data-filter=verdict]")
    page.press("ArrowDown")
    assert shown(page) == ["FAIL", "FAIL"]
    focused(page, "[data-filter=target]")
    page.press("ArrowDown", "ArrowDown")
    assert page.value("document.activeElement.value") == "leaf01"
    assert shown(page) == ["FAIL"]
    assert page.value("document.getElementById('filtered').textContent") == "1 of 4 shown"
    focused(page, "button[type=reset]")
    page.press("Enter")
    page.until("document.querySelectorAll('article.finding:not([hidden])').length === 4")


def test_a_target_finds_what_it_suffers_from(opened: Callable[..., Page]) -> None:
    """Consequences count: whoever asks for gpu003 must see the switch port that makes it slow."""
    page = opened("faulty")
    page.value("document.querySelector('[data-filter=target]').value = 'gpu003'")
    page.value("document.getElementById('filters').dispatchEvent(new Event('change'))")
    assert (
        page.value("document.querySelector('article.finding:not([hidden]) .components').innerText")
        == "leaf01 Ethernet12"
    )


def test_a_link_shows_a_finding_that_a_filter_hides(opened: Callable[..., Page]) -> None:
    page = opened("faulty")
    focused(page, "[data-filter=verdict]")
    page.press("ArrowDown", "ArrowDown")
    assert shown(page) == ["UNKNOWN"]
    page.value("document.querySelector('.fix a').click()")
    page.until("document.querySelectorAll('article.finding:not([hidden])').length === 4")


OUTLIER = {"light": (0xC4, 0x12, 0x2F), "dark": (0xFF, 0x5A, 0x5F)}
REDS = """(() => {
  const inside = (node) => [...node.querySelectorAll("*")].flatMap((e) => (e.shadowRoot ? inside(e.shadowRoot) : e));
  let count = 0;
  for (const canvas of inside(document.getElementById("pairs-figure")).filter((e) => e.tagName === "CANVAS")) {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] === %d && data[at + 1] === %d && data[at + 2] === %d) count += 1;
    }
  }
  return count;
})()"""


def reds(scheme: str) -> str:
    return REDS % OUTLIER[scheme]


def red_cells(page: Page, scheme: str = "light") -> int:
    """Pixels in the colour of an outlier."""
    return int(page.value(reds(scheme)))


def test_slow_pairs_are_drawn_red_and_healthy_ones_are_not(opened: Callable[..., Page]) -> None:
    assert red_cells(opened("faulty")) > 1000
    assert red_cells(opened("healthy")) == 0


def test_colours_follow_the_scheme_while_the_page_is_open(opened: Callable[..., Page]) -> None:
    page = opened("faulty")
    page.scheme("dark")
    page.until(f"{reds('dark')} > 1000")


def test_the_view_is_chosen_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened("faulty")
    focused(page, "#pairs-choice [name=rail]")
    page.press("ArrowDown")
    page.until(f"{reds('light')} === 0")
    visible = "document.querySelector('.view:not([hidden]) p').innerText"
    assert page.value(visible).startswith("ib_write_bw, host memory, rail 0")


def test_the_cell_under_the_pointer_is_told_in_gigabits(opened: Callable[..., Page]) -> None:
    page = opened("faulty")
    page.value("document.getElementById('pairs-figure').scrollIntoView({behavior: 'instant'})")
    frame = page.value(
        """(() => {
          const view = Object.values(Bokeh.index)[0] || Bokeh.index.roots[0];
          const inner = view.frame.bbox, outer = document.querySelector("#pairs-figure").getBoundingClientRect();
          return { x: outer.x + inner.left, y: outer.y + inner.top, width: inner.width, height: inner.height };
        })()"""
    )
    page.point(frame["x"] + frame["width"] * 0.5 / 8, frame["y"] + frame["height"] * 2.5 / 8)
    page.until("document.getElementById('pairs-cell').textContent.startsWith('gpu003')")
    said = page.value("document.getElementById('pairs-cell').textContent")
    assert re.fullmatch("gpu003 → gpu001, rail 1: 181 Gb/s, \N{MINUS SIGN}53\\.\\d % from the median", said)


def test_long_tables_are_sorted_and_searched_by_keyboard(opened: Callable[..., Page]) -> None:
    page = opened("long")
    first = "document.querySelector('#coverage-rows tbody tr').innerText"
    assert "trouble 00" in page.value(first)
    focused(page, "#coverage-rows thead th:nth-child(4) [role=button], #coverage-rows thead th:nth-child(4)")
    for order, top in (("ascending", "00"), ("descending", str(RICH_ROWS + 19))):
        page.press("Enter")
        page.until(f"document.querySelector('#coverage-rows th:nth-child(4)').ariaSort === {order!r}")
        page.until(f"{first}.includes('trouble {top}')")
    focused(page, "input[type=search]")
    page.press(*"trouble 07")
    page.until("document.querySelectorAll('#coverage-rows tbody tr').length === 1")
    assert page.value("document.querySelector('#coverage-rows caption').innerText")


def test_it_prints_on_paper(opened: Callable[..., Page]) -> None:
    printed = opened("faulty").pdf()
    assert printed.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 3
    assert re.search(rb"/MediaBox\s*\[0 0 59[45][.\d]* 84[12]", printed)


@pytest.mark.parametrize("name", ["certificate", "difference"])
def test_pages_to_be_signed_or_kept_say_nothing_and_ask_for_nothing(browser: Page, tmp_path: Path, name: str) -> None:
    renders = {
        "certificate": lambda: RENDERERS["certificate"].render(faulty(), Lines()),
        "difference": lambda: COMPARISONS["html"].render(everything()),
    }
    path = tmp_path / "page.html"
    path.write_bytes(renders[name]())
    browser.events.clear()
    for width in (1400, 420):
        browser.size(width)
        browser.call("Page.navigate", url=path.as_uri())
        browser.until(f"location.href === {path.as_uri()!r} && document.readyState === 'complete'")
        assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.complaints() == []
    assert {url.partition(":")[0] for url in browser.requests()} == {"file"}
    pages = len(re.findall(rb"/Type\s*/Page\b", browser.pdf()))
    assert pages == 1 if name == "certificate" else pages >= 1


MUST_HAVE_A_NAME = {"link", "button", "combobox", "searchbox", "textbox", "image", "heading", "region", "navigation"}


@pytest.mark.parametrize("name", ["faulty", "long"])
def test_everything_that_is_operated_or_drawn_has_a_name_for_a_screen_reader(
    opened: Callable[..., Page], name: str
) -> None:
    page = opened(name)
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    shown = [node for node in nodes if not node.get("ignored")]
    nameless = [
        node["role"]["value"]
        for node in shown
        if node["role"]["value"] in MUST_HAVE_A_NAME and not node.get("name", {}).get("value")
    ]
    assert nameless == []
    assert {"navigation", "main", "heading", "combobox"} <= {node["role"]["value"] for node in shown}
    assert page.value("document.documentElement.lang") == "en"
    assert page.value("document.querySelectorAll('h1').length") == 1
    untitled = "[...document.querySelectorAll('table')].filter(t => !t.caption && !t.closest('.dt-scroll-head')).length"
    assert page.value(untitled) == 0


CONTRAST = """(() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) || [0, 0, 0]).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const element of document.querySelectorAll("main *, header *, footer *")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest("svg, #pairs-figure, .heat, option")) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${element.tagName}.${element.className}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(poor)];
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(opened: Callable[..., Page], scheme: str) -> None:
    """WCAG 2.1, 1.4.3: a contrast of 4.5 to 1."""
    assert opened("faulty", scheme=scheme).value(CONTRAST) == []

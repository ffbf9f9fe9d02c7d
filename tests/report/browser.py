"""A headless Chromium over its debugging pipe: no driver program, no socket, no dependency."""

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE_S = 60.0


def program() -> str | None:
    """The Chromium of this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@dataclass
class Page:
    """One tab; everything it says or asks the network for is kept."""

    reader: int
    writer: int
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    events: list[dict[str, Any]] = field(default_factory=list)
    session: str = ""
    buffer: bytes = b""

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command of the DevTools protocol, and its result."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            said = self._next(PATIENCE_S)
            if said.get("id") == number:
                if "error" in said:
                    raise RuntimeError(f"{method}: {said['error']['message']}")
                result: dict[str, Any] = said["result"]
                return result

    def _next(self, patience_s: float) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.reader], [], [], patience_s)
            if not ready:
                raise TimeoutError(f"Chromium said nothing for {patience_s} s")
            received = os.read(self.reader, 1 << 20)
            if not received:
                raise RuntimeError("Chromium ended")
            self.buffer += received
        raw, _, self.buffer = self.buffer.partition(b"\0")
        said: dict[str, Any] = json.loads(raw)
        if "method" in said:
            self.events.append(said)
        return said

    def open(self, path: Path) -> None:
        """Load a file, and wait until its scripts have run."""
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        deadline = time.monotonic() + PATIENCE_S
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._next(deadline - time.monotonic())
        self.settle()

    def settle(self) -> None:
        """Wait until the page says that it has drawn everything."""
        self.value(_READY)

    def value(self, expression: str) -> Any:
        """What an expression gives in the page."""
        how = {"returnByValue": True, "awaitPromise": True, "allowUnsafeEvalBlockedByCSP": False}
        result = self.call("Runtime.evaluate", expression=expression, **how)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:2000])
        return result["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression holds in the page."""
        deadline = time.monotonic() + PATIENCE_S
        while not self.value(expression):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {expression}")
            time.sleep(0.05)

    def size(self, width: int, height: int = 900) -> None:
        """Give the window a width in CSS pixels."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, scheme: str) -> None:
        """Prefer ``light`` or ``dark``."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)

    def press(self, *keys: str) -> None:
        """Press keys as a person would: ``Tab``, ``Enter``, ``ArrowDown``, or a character."""
        for key in keys:
            named = _KEYS.get(key, {"text": key})
            for kind in ("keyDown", "keyUp"):
                self.call("Input.dispatchKeyEvent", type=kind, key=key, **named)

    def point(self, x: float, y: float) -> None:
        """Move the pointer to a place in the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Save what it looks like."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def pdf(self) -> bytes:
        """What printing gives."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, scripts that failed, and violations of the page's own policy."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        found = []
        for event in self.events:
            params = event["params"]
            entry = params.get("entry", params)
            level = entry.get("level", params.get("type", "error"))
            advice = entry.get("source") == "rendering"  # how to draw faster
            if event["method"] in kinds and not advice and level not in {"info", "log", "verbose", "debug"}:
                found.append(json.dumps(params)[:2000])
        return found

    def requests(self) -> list[str]:
        """Every address the page asked for, in order."""
        sent = (e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent")
        return [url[:200] for url in sent]


_READY = "new Promise(r => { const t = () => document.documentElement.dataset.ready ? r(1) : setTimeout(t, 10); t(); })"
_KEYS: dict[str, dict[str, Any]] = {
    "Tab": {"windowsVirtualKeyCode": 9, "code": "Tab"},
    "Enter": {"windowsVirtualKeyCode": 13, "code": "Enter", "text": "\r"},
    "Space": {"windowsVirtualKeyCode": 32, "code": "Space", "text": " "},
    "ArrowDown": {"windowsVirtualKeyCode": 40, "code": "ArrowDown"},
    "ArrowUp": {"windowsVirtualKeyCode": 38, "code": "ArrowUp"},
    "Home": {"windowsVirtualKeyCode": 36, "code": "Home"},
    "End": {"windowsVirtualKeyCode": 35, "code": "End"},
}


@contextmanager
def chromium(binary: str) -> Iterator[Page]:
    """A browser with one empty tab, ended and cleaned up afterwards."""
    to_browser, writer = os.pipe()
    reader, from_browser = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        pid = _start(binary, profile, to_browser, from_browser)
        for end in (to_browser, from_browser):
            os.close(end)
        try:
            yield _tab(Page(reader, writer))
        finally:
            os.close(writer)
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(reader)


def _start(binary: str, profile: str, to_browser: int, from_browser: int) -> int:
    """Chromium reads commands from descriptor 3 and answers on 4."""
    quiet = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, quiet, at) for at in (0, 1, 2)]
    high = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser, from_browser)]
    actions += [(os.POSIX_SPAWN_DUP2, end, at) for at, end in zip((3, 4), high, strict=True)]
    argv = [binary, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    pid = os.posix_spawn(binary, argv, dict(os.environ), file_actions=actions, setpgroup=0)
    for end in (quiet, *high):
        os.close(end)
    return pid


def _tab(page: Page) -> Page:
    target = page.call("Target.createTarget", url="about:blank")["targetId"]
    page.session = page.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        page.call(f"{domain}.enable")
    return page

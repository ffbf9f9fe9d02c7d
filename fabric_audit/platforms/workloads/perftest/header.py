"""The block that perftest prints before its table: which test, on which device, with which GIDs."""

import re
from typing import Any

_TITLE = re.compile(
    r"(?P<verb>Send|RDMA_Write|RDMA_Read|Atomic)(?:_imm)?[ _](?:(?:CMP_AND_SWAP|FETCH_AND_ADD)[ _])?"
    r"(?P<both>Bidirectional[ _])?(?:Post[ _]List[ _])?(?:(?P<kind>BW|Latency)[ _])?(?:[A-Za-z]+[ _])*Test"
)
_VERBS = {"Send": "send", "RDMA_Write": "write", "RDMA_Read": "read", "Atomic": "atomic"}
_SAID = re.compile(
    r"(Device|Number of qps|Connection type|Link type|[Gg][Ii][Dd] index|TX depth)\s*: (\S+)|(Mtu)\s*: (\d+)\[B\]"
)
_WAITING = re.compile(r"Waiting for client to connect")
_ADDRESS = re.compile(r"(local|remote) address:")
_GID = re.compile(r"GID:\s*((?:\d{2,3}:){15}\d{2,3})$")


def title(text: str) -> tuple[str, bool] | None:
    """(program, bidirectional) of a title such as ``RDMA_Write Bidirectional BW Test``; None for other text."""
    found = _TITLE.fullmatch(text) if text.endswith("Test") else None
    if not found:
        return None
    return f"ib_{_VERBS[found['verb']]}_{'bw' if found['kind'] == 'BW' else 'lat'}", found["both"] is not None


def program(tool: str, connection: str | None) -> str:
    """The program of a title: the raw Ethernet tests print the titles of the send tests."""
    if connection == "RawEth" and tool.startswith("ib_send_"):
        return f"raw_ethernet_{tool.removeprefix('ib_send_')}"
    return tool


class Told:
    """What one test has said of itself so far. Two tests that print into one file at the same time tell nothing."""

    def __init__(self) -> None:
        self._said: dict[str, set[str]] = {}
        self._side = ""
        self.titles = 0

    def hear(self, text: str) -> bool:
        """Take in one line; whether it was one of perftest's own."""
        found = title(text)
        if found:
            self.titles += 1
            self._add("tool", found[0])
            self._add("bidirectional", str(found[1]))
        elif ":" not in text:
            if not _WAITING.search(text):
                return False
            self._add("waiting", "yes")
        elif side := _ADDRESS.match(text):
            self._side = side[1]
        elif self._side and (gid := _GID.match(text)):
            self._add(f"{self._side}_gid", gid[1])
        else:
            said = list(_SAID.finditer(text))
            for pair in said:
                self._add((pair[1] or pair[3]).replace("Gid", "GID"), pair[2] or pair[4])
            return bool(said)
        return True

    def _add(self, name: str, value: str) -> None:
        self._said.setdefault(name, set()).add(value)

    def _one(self, name: str) -> str | None:
        values = self._said.get(name, set())
        return next(iter(values)) if len(values) == 1 else None

    @property
    def waits(self) -> bool:
        """Whether it is a server that no client has reached."""
        return "waiting" in self._said and not self.titles

    @property
    def bidirectional(self) -> bool:
        """Whether the figures are sums of both directions."""
        return self._one("bidirectional") == "True"

    def fields(self) -> dict[str, Any]:
        """The fields of a fact that this fills."""
        connection = self._one("Connection type")
        told: dict[str, Any] = {
            "tool": program(self._one("tool") or "", connection),
            "device": self._one("Device"),
            "qps": _whole(self._one("Number of qps")),
            "connection": connection,
            "mtu_bytes": _whole(self._one("Mtu")),
            "link_layer": self._one("Link type"),
            "gid_index": _whole(self._one("GID index")),
            "local_gid": hexadecimal(self._one("local_gid")),
            "remote_gid": hexadecimal(self._one("remote_gid")),
            "role": self._role(),
        }
        if self._one("bidirectional"):
            told["bidirectional"] = self.bidirectional
        return {name: value for name, value in told.items() if value is not None}

    def _role(self) -> str | None:
        """A server says that it waits. In one direction only the client has a send queue, and prints its depth."""
        if self.titles > 1 or not (self.titles or "waiting" in self._said):
            return None
        if "waiting" in self._said:
            return "server"
        if self.bidirectional or "Mtu" not in self._said:
            return None
        return "client" if "TX depth" in self._said else "server"


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() else None


def hexadecimal(gid: str | None) -> str | None:
    """A GID of sixteen decimal bytes in eight groups of four hex digits."""
    if gid is None:
        return None
    octets = [int(octet) for octet in gid.split(":")]
    if max(octets) > 255:  # noqa: PLR2004 - a byte
        return None
    return ":".join(f"{high:02x}{low:02x}" for high, low in zip(octets[::2], octets[1::2], strict=True))

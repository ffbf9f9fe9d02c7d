"""Fact tables of an invented pod: every pair, its counters, its software."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from fabric_audit.facts.counters import Counter, CounterClass
from fabric_audit.facts.intent import Target
from fabric_audit.facts.pfc import PfcCounter
from fabric_audit.facts.system import System
from fabric_audit.facts.tables import STAMPS, Stamped, frame

LINE_RATE = 400_000_000_000
USUAL = 0.975  # of line rate, what a healthy pair reaches


@dataclass(frozen=True)
class Pod:
    """The size of an invented pod."""

    hosts: int = 8
    rails: int = 2
    leaves: int = 2

    @property
    def host_names(self) -> tuple[str, ...]:
        return tuple(f"gpu{number:03}" for number in range(1, self.hosts + 1))

    @property
    def leaf_names(self) -> tuple[str, ...]:
        return tuple(f"leaf{number:02}" for number in range(1, self.leaves + 1))

    @property
    def nics(self) -> tuple[tuple[str, str], ...]:
        return tuple((host, f"rail{rail}") for host in self.host_names for rail in range(self.rails))


Slow = Mapping[tuple[str, str, int], float]
"""(client, server, rail) → share of line rate; 0 for a test without a result."""


def tables(pod: Pod, slow: Slow | None = None, *, moved: bool = False) -> dict[str, pd.DataFrame]:
    return {
        "pair_result": pair_result(pod, slow or {}),
        "counter": frame("counter", list(counters(pod, moved=moved))),
        "pfc_counter": frame("pfc_counter", list(pauses(pod, moved=moved))),
        "system": frame("system", list(systems(pod))),
        "target": frame("target", list(targets(pod))),
        "link": frame("link"),
        "intended_nic": frame("intended_nic"),
    }


def pair_result(pod: Pod, slow: Slow, tools: Sequence[str] = ("ib_write_bw", "ib_send_bw")) -> pd.DataFrame:
    """Every host with every other, each rail, both directions; a seeded wobble of half a percent."""
    names = np.array(pod.host_names)
    client, server = (side.ravel() for side in np.meshgrid(names, names, indexing="ij"))
    client, server = client[client != server], server[client != server]
    parts = []
    for number, tool in enumerate(tools):
        for rail in range(pod.rails):
            share = USUAL * (1 + np.random.default_rng(number * 100 + rail).normal(0, 0.005, len(client)))
            for at, pair in enumerate(zip(client, server, strict=True)):
                share[at] = slow.get((*pair, rail), share[at]) if slow else share[at]
            parts.append(_tests(client, server, rail, tool, share))
    found = pd.concat(parts, ignore_index=True)
    template = frame("pair_result")
    for name in template.columns:
        if name not in found:
            found[name] = None
    dtypes = {name: template[name].dtype for name in template.columns if name not in STAMPS}
    return found[list(template.columns)].astype(dtypes)


def _tests(client: Any, server: Any, rail: int, tool: str, share: Any) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "target": client,
            "phase": "round-0001",
            "at_s": 20.0,
            "evidence": [f"round-0001/{name}/send.out" for name in client],
            "evidence_line": 1,
            "round": 1,
            "client": client,
            "server": server,
            "rail": rail,
            "tool": tool,
            "memory": "host",
            "bidirectional": False,
            "line_rate_bps": LINE_RATE,
            "mtu_bytes": 4096,
            "bandwidth_bps": np.where(share > 0, share * LINE_RATE, np.nan),
            "outcome": np.where(share > 0, "ok", "retry_exceeded"),
            "message": np.where(share > 0, "", "the peer stopped acknowledging"),
        }
    )


READINGS = (("baseline", 10.0), ("round-0001", 40.0), ("final", 70.0))


def counters(pod: Pod, *, moved: bool) -> Iterator[Stamped]:
    """One traffic counter and one of loss on every NIC; the loss of the first moves in the round, if wanted."""
    for number, (host, port) in enumerate(pod.nics):
        for reading, (phase, at_s) in enumerate(READINGS):
            lost = 37 if moved and not number and reading else 0
            for name, kind, value in (
                ("rx_bytes", CounterClass.TRAFFIC, 10**9 * reading),
                ("rx_discards", CounterClass.LOSS, 5 + lost),
            ):
                fact = Counter(
                    port=port,
                    name=name,
                    value=value,
                    counter_class=kind.value,
                    unit="packets",
                    bits=64,
                    scope="absolute",
                )
                yield Stamped(host, phase, f"{phase}/{host}/host.out", fact, 7, at_s)


def pauses(pod: Pod, *, moved: bool) -> Iterator[Stamped]:
    for leaf in pod.leaf_names:
        for reading, (phase, at_s) in enumerate(READINGS):
            frames = 2_000 * reading if moved and leaf == pod.leaf_names[0] else 0
            fact = PfcCounter(port="Ethernet12", priority=3, tx_frames=100 + frames, rx_frames=4, scope="absolute")
            yield Stamped(leaf, phase, f"{phase}/{leaf}/pfc.out", fact, 3, at_s)


def systems(pod: Pod) -> Iterator[Stamped]:
    for host in pod.host_names:
        fact = System(name=host, os="linux", os_version="Ubuntu 24.04.1 LTS", kernel="6.8.0-45-generic", model="HGX")
        yield Stamped(host, "baseline", f"baseline/{host}/host.out", fact)
    for leaf in pod.leaf_names:
        yield Stamped(
            leaf, "baseline", f"baseline/{leaf}/version.out", System(name=leaf, os="sonic", os_version="202405.1")
        )


def targets(pod: Pod) -> Iterator[Stamped]:
    for host in pod.host_names:
        yield Stamped(host, "inventory", "inventory.yaml", Target(kind="host", platform="linux", unit="su1"))
    for leaf in pod.leaf_names:
        yield Stamped(leaf, "inventory", "inventory.yaml", Target(kind="switch", platform="sonic", role="leaf"))

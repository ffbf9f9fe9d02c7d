"""What tests between many hosts tell of leaves, and of flows that meet by accident."""

from fabric_audit.facts.intent import Link
from fabric_audit.facts.performance import PairResult
from tests.checks.proofs.model import Given, Proof, set_, without

HOSTS = {f"h{n}": f"leaf{(n - 1) // 3 + 1}" for n in range(1, 16)}
FAST, SLOW = 3.9e11, 2.0e11


def _result(client: str, server: str, number: int = 1, qps: int = 4) -> Given:
    result = PairResult(
        round=number,
        client=client,
        server=server,
        rail=0,
        tool="ib_write_bw",
        memory="host",
        outcome="ok",
        qps=qps,
        client_port="p",
        server_port="p",
        bandwidth_bps=FAST,
        mtu_bytes=4096,
        line_rate_bps=400 * 10**9,
    )
    return client, f"round-{number:04d}", result


PAIRS = tuple((a, b) for a in HOSTS for b in HOSTS if a != b)
CABLES = tuple(
    (host, "baseline", Link(a_target=host, a_port="p", b_target=leaf, b_port=host, role="host"))
    for host, leaf in HOSTS.items()
)
POD: tuple[Given, ...] = (
    *CABLES,
    *(_result(*pair) for pair in PAIRS),
)
NONE_ELSE = tuple(without("pair_result", target=host) for host in ("gpu001", "gpu002"))

PROOFS = (
    Proof(
        check="performance.slow-leaf",
        base=NONE_ELSE,
        given=POD,
        change=tuple(
            set_("pair_result", {"client": a, "server": b}, bandwidth_bps=SLOW)
            for a, b in PAIRS
            if "leaf2" in (HOSTS[a], HOSTS[b])
        ),
    ),
    Proof(
        check="performance.ecmp-collision",
        base=NONE_ELSE,
        given=POD,
        change=(set_("pair_result", {"client": "h1", "server": "h4"}, bandwidth_bps=SLOW),),
        added=(_result("h1", "h4", 9, 16), _result("h1", "h4", 10, 16)),
    ),
)

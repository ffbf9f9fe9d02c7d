"""VXLAN, and how SONiC balances load, as configured."""

from collections.abc import Iterator

from fabric_audit.facts.routing import LoadBalancing, Vxlan
from fabric_audit.platforms.model import Answer
from fabric_audit.platforms.switches.sonic.database import Database, Entry, each

_HASHED = {
    "SRC_IP": "src_ip",
    "DST_IP": "dst_ip",
    "L4_SRC_PORT": "src_port",
    "L4_DST_PORT": "dst_port",
    "IP_PROTOCOL": "protocol",
}
_VXLAN_PORT = 4789  # RFC 7348 section 5; sonic-swss orchagent sets it where SWITCH_TABLE says nothing


def configured(database: Database) -> Iterator[Answer]:
    """``VXLAN_TUNNEL`` with its maps, and ``SWITCH_HASH``: an entry there replaces the vendor's own choice of fields.

    Sources: sonic-yang-models, sonic-vxlan.yang and sonic-hash.yang.
    """
    maps = [key.partition("|")[0] for key in database.table("VXLAN_TUNNEL_MAP")]

    def tunnel(entry: Entry) -> Iterator[Answer]:
        yield Vxlan(
            port=entry.key,
            present=True,
            source=entry.text("src_ip"),
            udp_port=_VXLAN_PORT,
            vnis=maps.count(entry.key),
            dscp_mode="unknown",
            line=entry.line,
        )

    yield from each(database.table("VXLAN_TUNNEL").values(), tunnel)
    yield from each(database.table("SWITCH_HASH").values(), _hash)


def _hash(entry: Entry) -> Iterator[Answer]:
    for scope in ("ecmp", "lag"):
        said = entry.text(f"{scope}_hash")
        if said:
            fields = [_HASHED[word] for word in said.replace("@", "").split(",") if word in _HASHED]
            yield LoadBalancing(
                scope=scope,
                mode="hash",
                fields=",".join(fields),
                raw=said,
                line=entry.at(f"{scope}_hash"),
            )

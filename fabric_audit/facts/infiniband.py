"""An InfiniBand fabric as its subnet manager agents tell it."""

from fabric_audit.facts import Fact, exact, key, table


@table
class IbPort(Fact):
    """One port of one node of an InfiniBand fabric, and what is at its other end."""

    guid: str = key("GUID of the node or, for a channel adapter, of the port; four groups of four hex digits")
    port: int = key("port number")
    node: str | None = exact("name of the node", source="InfiniBand Architecture 14.2.5.2 NodeDescription")
    node_type: str | None = exact("switch, ca or router")
    lid: int | None = exact("local id")
    state: str | None = exact("ACTIVE, DOWN, INIT, ARMED", source="InfiniBand Architecture 14.2.5.6 PortState")
    physical_state: str | None = exact("LinkUp, Polling, Disabled, ...")
    width: int | None = exact("lanes in use")
    generation: str | None = exact("speed class in use: SDR, DDR, QDR, FDR10, FDR, EDR, HDR, NDR, XDR")
    rate_bps: int | None = exact("nominal rate: lanes times 2.5, 5, 10, 10, 14, 25, 50, 100 or 200 Gb/s")
    possible_width: int | None = exact("lanes both ends could use, where that is more")
    possible_generation: str | None = exact("speed class both ends could use, where that is faster")
    peer: str | None = exact("name of the node at the other end; None where nothing answers there")
    peer_guid: str | None = exact("GUID of the node or port at the other end")
    peer_lid: int | None = exact("local id of the other end")
    peer_port: int | None = exact("port number of the other end")

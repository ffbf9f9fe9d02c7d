"""Network interfaces of hosts and switches, and whom they see."""

from fabric_audit.facts import Fact, counter, exact, key, measure, passing, table, volatile


@table
class Interface(Fact):
    """One Ethernet interface; field names follow OpenConfig interfaces and IEEE 802.3 where they have one."""

    port: str = key("canonical name, as the platform writes it in full")
    admin_up: bool | None = exact("switched on by configuration", source="OpenConfig admin-status")
    oper_up: bool | None = exact("link is up", source="OpenConfig oper-status")
    mtu_bytes: int | None = exact("largest frame or packet, see mtu_kind")
    mtu_kind: str | None = exact("what mtu_bytes counts: l2 (frame payload) or ip")
    speed_bps: int | None = exact("negotiated speed in bits per second")
    fec_mode: str | None = exact("rs, fc, none or auto")
    link_pause_rx: bool | None = exact("802.3x global pause honoured", source="IEEE 802.3 annex 31B")
    link_pause_tx: bool | None = exact("802.3x global pause sent", source="IEEE 802.3 annex 31B")
    trust_mode: str | None = exact("what classifies packets: dscp, pcp, dscp_pcp, port or none")
    mac: str | None = exact("hardware address, lower case with colons")
    description: str | None = exact("operator's text")
    kind: str | None = exact("physical, internal (no cage: between ASICs), bond, vlan, bridge, virtual, management")
    pci: str | None = exact("PCI address of the function behind it")
    master: str | None = exact("bond or bridge it belongs to")
    driver: str | None = exact("kernel driver behind it", source="ethtool -i")
    firmware: str | None = exact("firmware version the driver reports", source="ethtool -i")
    pause_autoneg: bool | None = exact("802.3x pause is negotiated, not fixed", source="IEEE 802.3 annex 28B")
    admin_speed_bps: int | None = exact("speed set by configuration, in bits per second")
    max_speed_bps: int | None = exact("highest speed among the link modes the port supports, in bits per second")
    autoneg: bool | None = exact("speed is negotiated, not fixed", source="IEEE 802.3 clause 73")
    down_reason: str | None = exact("why the link is down, in the driver's words")
    fec_oper: str | None = exact("FEC in use on the link, where the platform tells it from fec_mode: rs, fc, none")
    cable_length_m: float | None = exact("cable length by configuration, from which headroom is computed")


@passing
class PortAlias(Fact):
    """Another name for a port: topology joins on these, so that two vendors' names for one end meet."""

    port: str = key("canonical name")
    alias: str = key("other name: abbreviation, front panel label, MAC address or description")
    kind: str | None = exact("abbreviation, label, mac, description, ifindex or altname (Linux)")


@passing
class Neighbor(Fact):
    """Who says to be at the other end of a port."""

    port: str = key("own port")
    system_name: str = key("name the neighbour gives", source="IEEE 802.1AB system name")
    port_id: str = key("port id the neighbour gives", source="IEEE 802.1AB port id")
    chassis_id: str | None = exact("chassis id the neighbour gives", source="IEEE 802.1AB chassis id")
    port_description: str | None = exact("port description", source="IEEE 802.1AB port description")
    by: str | None = exact("how it is known: lldp, mac_table, arp, nd")


@table
class LldpPort(Fact):
    """LLDP of one own port: without it neither neighbours nor DCBX settings are exchanged there."""

    port: str = key("own port")
    transmit: bool | None = exact("sends LLDP", source="IEEE 802.1AB adminStatus")
    receive: bool | None = exact("takes in LLDP", source="IEEE 802.1AB adminStatus")
    dcbx: bool | None = exact("sends the DCBX TLV of PFC", source="IEEE 802.1Qaz annex D")


@passing
class MacEntry(Fact):
    """A MAC address learned on a switch port."""

    port: str = key("own port")
    mac: str = key("learned address, lower case with colons")
    vlan: int | None = exact("VLAN it was learned in")


@passing
class NeighborEntry(Fact):
    """One row of the ARP or neighbour discovery table."""

    port: str = key("own interface")
    address: str = key("IPv4 or IPv6 address of the neighbour")
    mac: str | None = exact("its hardware address, lower case with colons")
    state: str | None = volatile("kernel or vendor state word")


@table
class Address(Fact):
    """One IP address of an interface."""

    port: str = key("interface")
    address: str = key("address with prefix length")
    scope: str | None = exact("global, site, link or host", source="rtnetlink(7)")


@table
class Route(Fact):
    """One route of a host."""

    destination: str = key("prefix, or default")
    port: str = key("outgoing interface")
    table_id: str = key("routing table: main, or the number or name of a policy table")
    gateway: str | None = exact("next hop")
    source: str | None = exact("preferred source address")
    metric: int | None = exact("priority among routes to the same prefix: the smallest wins")
    usable: bool | None = exact("False where the kernel marks the next hop dead or its link down")


@table
class RouteRule(Fact):
    """One routing policy rule of a host: which table a packet is looked up in."""

    priority: int = key("order of evaluation, smallest first", source="ip-rule(8)")
    source: str = key("source prefix, or all")
    table_id: str = key("routing table: main, or the number or name of a policy table")
    destination: str | None = exact("destination prefix")
    iif: str | None = exact("incoming interface")
    oif: str | None = exact("outgoing interface of locally made packets")
    fwmark: str | None = exact("firewall mark")
    negated: bool | None = exact("the rule is for packets that its selectors do not match")


@table
class BondMember(Fact):
    """One interface in a bond."""

    bond: str = key("bond interface")
    port: str = key("member interface")
    mode: str | None = exact("bonding mode by its kernel name, such as 802.3ad or active-backup")
    hash_policy: str | None = exact("transmit hash policy, such as layer3+4")
    up: bool | None = exact("the bond considers the member's link up")
    speed_bps: int | None = exact("speed of the member in bits per second")
    link_failures: int | None = counter("times the member's link failed")
    aggregator: int | None = exact("802.3ad aggregator; members in different ones do not carry traffic together")
    active: bool | None = exact("carries traffic: the active slave, or a member of the active aggregator")


@table
class Transceiver(Fact):
    """One pluggable module."""

    port: str = key("port it sits in")
    part: str | None = exact("vendor part number")
    vendor: str | None = exact("vendor name")
    passive: bool | None = exact("passive copper: light levels and temperature mean nothing")
    form: str | None = exact("form factor, such as QSFP28 or OSFP", source="SFF-8024 table 4-1")
    serial: str | None = exact("vendor serial number: another one is another module or cable")
    length_m: float | None = exact("cable length the module reports, in metres")
    module_state: str | None = exact("state of a managed module, such as ModuleReady", source="OIF-CMIS 6.3.2")
    alarms: str | None = exact("alarm and warning flags that are raised, comma separated; empty for none")
    temperature_c: float | None = measure("case temperature in degrees Celsius", tolerance=0.2)
    rx_power_dbm: str | None = volatile("received light per lane in dBm, comma separated")
    tx_power_dbm: str | None = volatile("sent light per lane in dBm, comma separated")
    pre_fec_ber: float | None = measure("bit error ratio before correction", tolerance=10.0)
    post_fec_ber: float | None = measure("effective bit error ratio after correction", tolerance=10.0)
    link_downs: int | None = counter("times the link went down")

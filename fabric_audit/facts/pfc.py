"""Priority-based flow control, configured and counted; a NIC port and a switch port alike."""

from fabric_audit.facts import Fact, counter, exact, key, passing, table


@table
class PfcPort(Fact):
    """PFC of one port. ``*_priorities`` are ascending digits, such as "34"; "" is none."""

    port: str = key("port")
    mode: str | None = exact("on, auto (by DCBX) or off")
    admin_priorities: str | None = exact("priorities configured lossless", source="lldpXdot1dcbxAdminPFCEnableEnabled")
    oper_priorities: str | None = exact("priorities in force", source="lldpXdot1dcbxLocPFCEnableEnabled")
    peer_priorities: str | None = exact("priorities the neighbour announces", source="lldpXdot1dcbxRemPFCEnableEnabled")
    willing: bool | None = exact("takes the neighbour's settings", source="IEEE 802.1Qaz willing bit")
    peer_willing: bool | None = exact("the neighbour takes ours", source="IEEE 802.1Qaz willing bit")
    asymmetric: bool | None = exact("receives pause on all priorities, sends it only on the lossless ones")
    capable: bool | None = exact("the hardware can do PFC on this port")
    rx_enabled: bool | None = exact("pause frames that arrive are obeyed, where the platform sets directions apart")
    tx_enabled: bool | None = exact("pause frames are sent, where the platform sets directions apart")
    source: str | None = exact("which tool or file said so, where there are several")


@table
class PfcCounter(Fact):
    """PFC of one priority of one port, as the port itself sees it."""

    port: str = key("port")
    priority: int = key("priority, 0 to 7")
    tx_frames: int | None = counter("pause frames sent: this port could not absorb")
    rx_frames: int | None = counter("pause frames received: the other end could not absorb")
    tx_pause_us: int | None = counter("time it has paused the other end, in microseconds")
    rx_pause_us: int | None = counter("time it was paused, in microseconds")
    rx_transitions: int | None = counter("changes from paused to running")
    scope: str | None = exact("absolute, since_clear or unknown")
    refresh_s: float | None = exact("how old a reading can be, in seconds")
    source: str | None = exact("which tool or file said so, where there are several")


@table
class PfcWatchdog(Fact):
    """The PFC watchdog of one queue of one port."""

    port: str = key("port")
    queue: int = key("queue; -1 for a watchdog of the whole port")
    enabled: bool | None = exact("is on")
    action: str | None = exact("drop, forward, alert, shutdown or errdisable")
    detect_ms: int | None = exact("time without progress that counts as a storm")
    restore_ms: int | None = exact("time without pause that ends it; 0: only by hand")
    poll_ms: int | None = exact("how often it looks")
    state: str | None = exact("operational, stormed, stopped or unknown")
    storms_detected: int | None = counter("storms since boot or clear")
    storms_restored: int | None = counter("storms that ended")
    dropped_packets: int | None = counter("packets dropped while stormed")
    big_red_switch: bool | None = exact("acts on every configured queue whether there is a storm or not")


@passing
class DcbxFailure(Fact):
    """One negotiation of DCBX that failed, as the switch recorded it."""

    port: str = key("port")
    time: str = key("when, as printed")
    reason: str = key("why, in the platform's words")

"""What switches show of the one intent says the same as their configurations, as far as each output goes."""

import pytest

from fabric_audit.facts import Kind, columns
from fabric_audit.facts.qos import ROUNDED
from fabric_audit.facts.tables import key_of
from fabric_audit.platforms.registry import switch_platforms
from tests.platforms.switches.test_one_intent import OTHERWISE, wanted
from tests.platforms.switches.told import reading

SHOWN = {
    ("sonic:show-pfc-priority", "Ethernet0"): """
Interface    Lossless priorities
-----------  ---------------------
Ethernet0    3
""",
    ("sonic:show-pfcwd-config", "Ethernet0"): """Changed polling interval to 200ms
     PORT    ACTION    DETECTION TIME    RESTORATION TIME    HISTORY
---------  --------  ----------------  ------------------  ---------
Ethernet0      drop               200                 200    disable
""",
    ("dell_sonic:show-pfcwd-config", "Ethernet0"): """Changed polling interval to 200ms
     PORT    ACTION    DETECTION TIME    RESTORATION TIME
---------  --------  ----------------  ------------------
Ethernet0      drop               200                 200
""",
    ("arista_eos:show-priority-flow-control", "Ethernet1/1"): """The hardware supports PFC on priorities 0 1 2 3 4 5 6 7
PFC receive processing is enabled on priorities 0 1 2 3 4 5 6 7
The PFC watchdog timeout is 0.2 second(s)
The PFC watchdog recovery-time is 0.2 second(s) (auto)
The PFC watchdog polling-interval is 0.1 second(s)
The PFC watchdog action is drop
The PFC watchdog override action drop is false
The PFC watchdog non-disruptive priorities are not configured
The PFC watchdog non-disruptive action is not configured
The PFC watchdog port non-disruptive-only is false
Global PFC : Enabled

E: PFC Enabled, D: PFC Disabled, A: PFC Active, W: PFC Watchdog Enabled
Port       Status  Priorities  Action      Timeout  Recovery        Polling         Note
                                                  Interval/Mode   Config/Oper
---------------------------------------------------------------------------------------
Et1/1      E A W   3           -           -        - / -           - / -
""",
    (
        "cisco_nxos:show-interface-priority-flow-control",
        "Ethernet1/1",
    ): """============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================

Ethernet1/1        On   On   (8)       0          12
""",
    ("nvidia_onyx:show-dcb-priority-flow-control", "Eth1/1"): """PFC: enabled
Priority Enabled List: 3
Priority Disabled List: 0 1 2 4 5 6 7
-------------------------------------------------
Interface        PFC admin        PFC oper
-------------------------------------------------
Eth1/1           on               Enabled
""",
    (
        "nvidia_cumulus:nv-show-interface-qos-roce-status",
        "swp1",
    ): """cumulus@leaf1:mgmt:~$ nv show interface swp1 qos roce status
                    operational    applied  description
------------------  -------------  -------  ---------------------------------------------------
congestion-control
  congestion-mode   ecn, absolute           Congestion config mode
  enabled-tc        0,3                     Congestion config enabled Traffic Class
  max-threshold     1.43 MB                 Congestion config max-threshold
  min-threshold     153.00 KB               Congestion config min-threshold
  probability       100
pfc
  pfc-priority      3                       switch-prio on which PFC is enabled
  rx-enabled        yes                     PFC Rx Enabled status
  tx-enabled        yes                     PFC Tx Enabled status
trust
  trust-mode        dscp                    Trust Setting on the port for packet classification
mode                lossless                Roce Mode

RoCE PCP/DSCP->SP mapping configurations
===========================================
          pcp  dscp  switch-prio
    ----  ---  ----  -----------
    cnp   6    48    6
    roce  3    26    3

RoCE SP->TC mapping and ETS configurations
=============================================
          switch-prio  traffic-class  scheduler-weight
    ----  -----------  -------------  ----------------
    cnp   6            6              strict priority
    roce  3            3              dwrr-50%
""",
    (
        "huawei_vrp:display-dcb",
        "100GE1/0/1",
    ): """M:Manual;    A:Auto
-------------------------------------------------------------------------------
Interface         PFC Name     PFC Status  ETS Name    ETS Status App-Profile
-------------------------------------------------------------------------------
100GE1/0/1        roce         ENABLE(M)   -           -          -
-------------------------------------------------------------------------------
""",
    ("huawei_vrp:display-qos-ecn-threshold", "100GE1/0/1"): """* : indicates AI ECN
[] : indicates the upper ECN threshold
Interface       Queue     Min     Max  Probability  Queue Size
                         (KB)    (KB)          (%)        (KB)
--------------------------------------------------------------
100GE1/0/1          3     150    1500          100           0
""",
    (
        "h3c_comware:display-priority-flow-control-interface",
        "HGE1/0/1",
    ): """\
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv       Send       Inpps      Outpps
---------------------------------------------------------------------------------------------------
HGE1/0/1                         Enabled    Enabled   3           3     120        4471       0          12
""",
    ("dell_os10:show-interface", "ethernet1/1/1"): """Ethernet 1/1/1 is up, line protocol is up
Description: gpu1 eth1
Hardware is Eth, address is 02:00:5e:c4:cf:c5
    Current address is 02:00:5e:c4:cf:c5
Interface index is 16
MTU 9216 bytes, IP MTU 9184 bytes
LineSpeed 100G, Auto-Negotiation off, Link-Training off
Flowcontrol rx off tx off
""",
}
JUNOS_PROFILE = """Name: cnp, Index: 46504
Type: Input
Cable Length: 100 m
  Priority    PFC         MRU
  010         Disabled
  011         Enabled     9216
"""


@pytest.mark.parametrize(("section", "port"), sorted(SHOWN), ids=str)
def test_what_is_shown_is_what_was_configured(section: str, port: str) -> None:
    platform = section.partition(":")[0]
    answer = reading(section, SHOWN[section, port])
    assert answer.state == "parsed", answer.reason
    spelt = next((str(name) for fact in answer.facts if (name := getattr(fact, "port", None))), port)
    intended = {(fact.TABLE, key_of(fact)[1:]): fact for fact in wanted(spelt)}
    compared = 0
    for fact in answer.facts:
        meant = intended.get((fact.TABLE, key_of(fact)[1:]))
        for column in columns(type(fact)) if meant else ():
            value, right = getattr(fact, column.name), getattr(meant, column.name)
            if None in (value, right) or column.kind is Kind.KEY:
                continue
            right, _ = OTHERWISE.get((platform, fact.TABLE, column.name), (right, ""))
            assert value == (pytest.approx(right, rel=ROUNDED) if column.tolerance else right), column.name
            compared += 1
    assert compared


def test_junos_shows_the_profile_that_ports_bind() -> None:
    answer = reading("juniper_junos:show-class-of-service-congestion-notification", JUNOS_PROFILE)
    paused = {getattr(f, "code_point", None): getattr(f, "pfc", None) for f in answer.facts if f.TABLE == "pfc_profile"}
    assert paused == {2: False, 3: True}


def test_every_platform_shows_something_of_it() -> None:
    shown = {section.partition(":")[0] for section, _ in SHOWN} | {"juniper_junos"}
    assert shown == set(switch_platforms())

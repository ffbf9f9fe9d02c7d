"""Broadcom Thor NICs (BCM5750x, BCM5760x; drivers bnxt_en and bnxt_re).

PFC, ETS and the DSCP map are in the kernel's DCB netlink (sections ``dcb-*`` and ``lldptool-local``); ``niccli`` tells
the same from the firmware, congestion control stands in configfs and debugfs.
"""

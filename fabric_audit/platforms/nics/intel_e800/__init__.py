"""Intel E800 NICs (drivers ice and irdma).

They have no tool of their own for a lossless configuration: PFC, ETS and the DSCP map come from the kernel's DCB
netlink (sections ``dcb-*``, ``lldptool-local``), driver parameters from ``devlink-dev-param``, counters from sysfs
and ``ethtool-S``. With the private flag ``fw-lldp-agent`` the firmware speaks DCBX itself: ``dcb dcbx`` then says
``lld-managed``, and what the host configures is not in force. At most four traffic classes, one of them with PFC.
"""

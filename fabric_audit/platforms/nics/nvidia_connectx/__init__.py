"""NVIDIA (Mellanox) ConnectX and BlueField: mlnx_qos, OFED sysfs, mlxconfig, mlxlink."""

"""The Soft-RoCE lab: real RDMA hosts without RDMA hardware.

One virtual machine in plain software emulation holds everything: a switch, and around it hosts that are as
separate as an SSH user can see (own network, processes, host name, file system, sshd and RDMA devices of
``rdma_rxe``). What `fabric-audit` meets there is a real kernel, a real sshd and a real perftest; what it never
meets there is PFC, ECN, optics or PCIe, which Soft-RoCE does not have.

The flow: ``archive`` and ``recipe`` say what the guest is made of, ``image`` builds it once into a cache, ``fabric``
lays out hosts and addresses, ``seed`` packs keys and guest scripts onto a small disk, ``machine`` runs qemu, ``lab``
ties these together, ``shaping`` and ``observe`` are what tests do to it and read from it. ``python -m
tests.softroce`` is the same by hand.

The lab's network lives inside the guest: no tap, bridge or namespace is made on the machine that runs it, so a
qemu process and a folder are all that ``stop`` has to take away. Absolute speeds mean nothing here. Every port is
shaped below what the emulated CPU carries, so that relations between speeds do.
"""

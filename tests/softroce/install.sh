#!/bin/sh -e
# Installs what the Soft-RoCE lab needs, on Debian and its kin. Needs root.
[ "$(id -u)" = 0 ] || { echo "$0: needs root" >&2; exit 77; }
command -v apt-get >/dev/null || { echo "$0: no apt-get: install qemu (x86), mmdebstrap, cpio, zstd, e2fsprogs, kmod" >&2; exit 77; }
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
exec apt-get install -y -q --no-install-recommends \
    qemu-system-x86 mmdebstrap debian-archive-keyring cpio zstd e2fsprogs kmod util-linux openssh-client

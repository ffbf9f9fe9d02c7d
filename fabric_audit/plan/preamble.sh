setup() {
  LC_ALL=C LANG=C LANGUAGE=; export LC_ALL LANG LANGUAGE
  PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  umask 077
  exec 3<&0 </dev/null
  if timeout -k 1 5 true 2>/dev/null; then limit() { timeout -k 2 "$@"; }; else limit() { shift; "$@"; }; fi
  if setsid true 2>/dev/null; then alone=setsid; else alone=; fi
}
begin() {
  printf '\n%s B %s %s\n' "$mark" "$1" "$2"; printf '\n%s B %s %s\n' "$mark" "$1" "$2" >&2
  read -r t0 _ </proc/uptime
}
end() {
  set -- $?; read -r t1 _ </proc/uptime
  printf '\n%s E %s %s %s\n' "$mark" "$1" "$t0" "$t1"; printf '\n%s E %s %s %s\n' "$mark" "$1" "$t0" "$t1" >&2
}
run() { begin "$1"; shift; limit "$@"; end; }
root() { begin "$1"; shift; t=$1; shift; limit "$t" $become "$@"; end; }
files() { i=$1 t=$2; shift 2; begin "$i"; for g; do limit "$t" grep -H '' $g; done; end; }
rootfiles() { i=$1 t=$2; shift 2; begin "$i"; for g; do limit "$t" $become sh -c "grep -H '' $g"; done; end; }
links() {
  i=$1 t=$2; shift 2; begin "$i"
  for g; do for f in $g; do [ -e "$f" ] && printf '%s -> %s\n' "$f" "$(readlink -f "$f")"; done; done; end
}
each() { as= walk=$1; shift; for_each "$@"; }
rooteach() { as=$become walk=$1; shift; for_each "$@"; }
for_each() {
  i=$1 t=$2 met=; shift 2; set -f
  for d in $(set +f; $walk); do set +f; met=1; begin "$i" "$d"; with "$d" "$@"; end; done; set +f
  [ "$met" ] || { begin "$i"; echo "no devices: $walk" >&2; end; }
}
with() {
  d=$1; shift; n=$#
  while [ "$n" -gt 0 ]; do
    a=$1; shift; n=$((n-1))
    case $a in *'{}'*) a=${a%%'{}'*}$d${a#*'{}'};; esac
    set -- "$@" "$a"
  done
  limit "$t" $as "$@"
}
rdma_devices() { for f in /sys/class/infiniband/*; do [ -e "$f" ] && echo "${f##*/}"; done; }
rdma_pci() { for f in /sys/class/infiniband/*/device; do [ -e "$f" ] && f=$(readlink -f "$f") && echo "${f##*/}"; done; }
rdma_netdevs() {
  { for f in /sys/class/infiniband/*/device/net/*; do [ -e "$f" ] && echo "${f##*/}"; done
    cat /sys/class/infiniband/*/ports/*/gid_attrs/ndevs/0; } 2>/dev/null | sort -u
}
netdevs() { for f in /sys/class/net/*/device; do [ -e "$f" ] && f=${f%/device} && echo "${f##*/}"; done; }

workdir() {
  for w in /dev/shm "${TMPDIR:-/tmp}" /run/user/$(id -u) /var/tmp; do
    work=$(mktemp -d "$w/fabric-audit.$$.${tag##*:}.XXXXXX" 2>/dev/null) && return 0
  done
  echo 'no writable folder for test results in /dev/shm, /tmp, /run/user or /var/tmp' >&2; exit 73
}
stop() {
  trap '' TERM INT HUP; trap - EXIT
  halt 2>/dev/null
  [ -n "$groups" ] && { n=0; while [ $n -lt 20 ] && alive; do sleep 0.1; n=$((n+1)); done; }
  for p in $groups; do kill -KILL "-$p" "$p"; done 2>/dev/null
  [ -n "$life" ] && kill -KILL "$life" 2>/dev/null
  [ -n "$work" ] && rm -rf "$work"
  exit "${1:-143}"
}
alive() { for p in $groups; do kill -0 "$p" 2>/dev/null && return 0; done; return 1; }
lifeline() { { while read -r word; do [ "$word" = stop ] && halt; done <&3; kill -TERM $$; } 2>/dev/null & life=$!; }
halt() { for p in $groups; do kill -TERM "-$p" "$p"; done; }
background() {
  i=$1 t=$2; shift 2
  FABRIC_AUDIT_RUN=$tag $alone timeout -k 2 "$t" "$@" >"$work/$i.out" 2>"$work/$i.err" & p=$!
  read -r t0 _ </proc/uptime; groups="$groups $p"; jobs="$jobs $i:$p:$t0"
  read -r s <"/proc/$p/stat" 2>/dev/null && s=${s##*) } && set -- $s && printf '\n%s P %s %s %s\n' "$mark" "$i" "$p" "${20}"
}
listening() { grep -q "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$1") [0-9A-F:]* 0A " /proc/net/tcp /proc/net/tcp6 2>/dev/null; }
listen() {
  i=$1 port=$2; shift 2
  if listening "$port"; then echo "fabric-audit: port $port is taken" >"$work/$i.err"; : >"$work/$i.out"; jobs="$jobs $i:0:0"; return; fi
  background "$i" "$@"; ports="$ports $port:$p"
}
ready() {
  for one in $ports; do
    while kill -0 "${one#*:}" 2>/dev/null && ! listening "${one%:*}"; do sleep 0.02; done
  done
  printf '\n%s R\n' "$mark"
}
go() { printf '\n%s W\n' "$mark"; read -r word <&3; [ "$word" = go ] || stop 75; }
finish() {
  for one in $jobs; do
    i=${one%%:*} p=${one#*:} t=${one##*:}; p=${p%:*}; c=98
    [ "$p" != 0 ] && { wait "$p"; c=$?; }
    begin "${i%%@*}" "${i#*@}"; t0=$t; cat "$work/$i.out"; cat "$work/$i.err" >&2; (exit "$c"); end
  done
  groups=
}
setup_traffic() {
  groups= jobs= ports= life= work=
  read -r s </proc/$$/stat; s=${s##*) }; set -- $s; tag=$runid:$$:${20}
  trap 'stop 143' TERM INT HUP; trap 'stop $?' EXIT
  workdir
}
lives() { read -r s 2>/dev/null <"/proc/$1/stat" && s=${s##*) } && since=$2 && set -- $s && [ "${20}" = "$since" ]; }
sweep() {
  for f in /proc/[0-9]*/environ; do
    tag=$(tr '\0' '\n' <"$f" 2>/dev/null | sed -n 's/^FABRIC_AUDIT_RUN=//p'); [ -n "$tag" ] || continue
    owner=${tag#*:} since=${tag##*:}; owner=${owner%%:*}; pid=${f#/proc/}; pid=${pid%/environ}
    lives "$owner" "$since" && continue
    read -r s 2>/dev/null <"/proc/$pid/stat" || continue
    echo "left by an ended run: pid $pid tag $tag: $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
    kill -KILL "$pid"
  done
  for w in /dev/shm "${TMPDIR:-/tmp}" /run/user/$(id -u) /var/tmp; do
    for d in "$w"/fabric-audit.*.*.*; do
      [ -d "$d" ] && [ ! -h "$d" ] && [ -O "$d" ] || continue
      owner=${d##*/fabric-audit.} since=${d%.*}; owner=${owner%%.*} since=${since##*.}
      lives "$owner" "$since" || { rm -rf "$d" && echo "left by an ended run: folder $d"; }
    done
  done
}

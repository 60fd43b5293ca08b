/** One attempt to get out. The script prints nothing if it fails, or what it has reached. */
export interface EscapeAttempt {
  name: string
  title: string
  /** For bash, which is all that is certain to be in a box. */
  script: string
}

/** The targets of the attempts. */
export interface EscapeTargets {
  /** A file of this machine, outside of the workspace. */
  secretFile: string
  /** Its content. */
  secretText: string
  serverPid: number
  /** A port on 127.0.0.1 of this machine on which somebody listens. */
  port: number
  /** The names of environment variables that a box may have. */
  mayHave: readonly string[]
  processes: number
  openFiles: number
}

/** The attempts, cheapest first. Each runs in a subshell of the same box. */
export function escapeAttempts(targets: EscapeTargets): readonly EscapeAttempt[] {
  return [...filesAttempts(targets), ...processAttempts(targets), ...limitAttempts(targets)]
}

function filesAttempts({ secretFile }: EscapeTargets): EscapeAttempt[] {
  return [
    {
      name: 'files',
      title: 'Reads no file of this machine',
      script: `[ -e '${secretFile}' ] && echo 'the file is there'
for folder in /root /home /var /srv /etc/shadow /boot /sys/kernel; do [ -e $folder ] && echo "$folder is there"; done`,
    },
    {
      name: 'link',
      title: 'Follows no link out of the workspace',
      script: `cat /workspace/link 2>/dev/null`,
    },
    {
      name: 'write',
      title: 'Writes nowhere but into the workspace and /tmp',
      script: `for file in /x /usr/x /etc/x /dev/x /proc/x /run/x /bin/x; do
( : > $file ) 2>/dev/null && echo "wrote $file"; done`,
    },
    {
      name: 'kernel',
      title: 'Changes no setting of the kernel',
      script: `for file in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sysrq-trigger /sys/kernel/uevent_helper; do
( : >> $file ) 2>/dev/null && echo "opened $file"; done`,
    },
    {
      name: 'devices',
      title: 'Opens no device',
      script: `for file in /dev/*; do [ -b $file ] && echo "$file"; done
for file in /dev/mem /dev/kmsg /dev/kvm /dev/fuse /dev/vsock; do [ -e $file ] && echo "$file"; done`,
    },
  ]
}

function processAttempts({ serverPid, port, mayHave }: EscapeTargets): EscapeAttempt[] {
  return [
    {
      name: 'processes',
      title: 'Sees and signals no process of this machine',
      script: `[ -e /proc/${serverPid} ] && [ ${serverPid} -gt 200 ] && echo 'sees the server'
kill -0 ${serverPid} 2>/dev/null && [ ${serverPid} -gt 200 ] && echo 'signals the server'
count=0; for folder in /proc/[0-9]*; do count=$((count + 1)); done; [ $count -gt 8 ] && echo "sees $count processes"
( : >> /proc/1/mem ) 2>/dev/null && echo 'writes to the memory of the first process'`,
    },
    {
      name: 'environment',
      title: 'Has no environment variable of the server',
      script: `for name in $(compgen -e); do case " ${mayHave.join(' ')} " in *" $name "*) ;; *) echo "$name" ;; esac; done
for file in /proc/[0-9]*/environ; do while IFS= read -r -d '' line; do
case " ${mayHave.join(' ')} " in *" \${line%%=*} "*) ;; *) echo "\${line%%=*} in $file" ;; esac; done < $file; done 2>/dev/null`,
    },
    {
      name: 'descriptors',
      title: 'Has inherited no open file',
      script: `echo -n "$inherited"`,
    },
    {
      name: 'network',
      title: 'Reaches no network',
      script: `( exec 9<>/dev/tcp/127.0.0.1/${port} ) 2>/dev/null && echo 'reached 127.0.0.1'
( exec 9<>/dev/udp/1.1.1.1/53 ) 2>/dev/null && echo 'has a socket'
while IFS=: read -r name rest; do case $name in *lo*|*Inter*|*face*) ;; *) echo "$name" ;; esac; done < /proc/net/dev`,
    },
    {
      name: 'privileges',
      title: 'Has no privileges, and can get none',
      script: `while read -r name value; do case $name$value in
CapInh:0000000000000000|CapPrm:0000000000000000|CapEff:0000000000000000|CapBnd:0000000000000000|CapAmb:0000000000000000|NoNewPrivs:1|Seccomp:2) ;;
Cap*|NoNewPrivs:*|Seccomp:*) echo "$name $value" ;; esac; done < /proc/self/status
[ "$EUID" = 1000 ] || echo "uid $EUID"`,
    },
    {
      name: 'namespaces',
      title: 'Creates no namespace',
      script: `command -v unshare >/dev/null || exit 0
for kind in --user --mount --net --pid; do unshare $kind true 2>/dev/null && echo "unshare $kind"; done`,
    },
  ]
}

function limitAttempts({ processes, openFiles }: EscapeTargets): EscapeAttempt[] {
  return [
    {
      name: 'memory files',
      title: 'Fills no memory through /dev/shm',
      script: `head -c 20000000 /dev/zero > /dev/shm/x 2>/dev/null && echo 'wrote 20 MB'; rm -f /dev/shm/x`,
    },
    {
      name: 'process limit',
      title: `Runs at most ${processes} processes`,
      script: `[ "$(ulimit -Hu)" -le ${processes} ] || echo "up to $(ulimit -Hu)"`,
    },
    {
      name: 'file limit',
      title: `Opens at most ${openFiles} files`,
      script: `[ "$(ulimit -Hn)" -le ${openFiles} ] || echo "up to $(ulimit -Hn)"
[ "$(ulimit -Hc)" = 0 ] || echo 'core files'`,
    },
  ]
}

/** Before any redirection, which opens descriptors of its own. */
const listInherited = `inherited=; for fd in /proc/$$/fd/*; do case \${fd##*/} in
0|1|2|255) ;; *) [ -e $fd ] && inherited="$inherited $fd" ;; esac; done`

/** One script that makes all attempts; each line of its output is a number and what was reached. */
export function attemptScript(attempts: readonly EscapeAttempt[]): string {
  const lines = attempts
    .map(
      ({ script }, index) =>
        `found=$( { ${script}\n} 2>/dev/null ); printf '%s\\t%s\\n' ${index} "\${found//$'\\n'/, }"`,
    )
    .join('\n')
  return `${listInherited}\n${lines}`
}

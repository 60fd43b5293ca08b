import { existsSync } from 'node:fs'
import { runCommand } from './run-command.mjs'

const patienceMs = 300_000

/**
 * Whether apt-get can be used without asking anybody anything.
 *
 * @param {'root' | 'sudo'} as
 */
export async function mayUseApt(as) {
  if (!existsSync('/usr/bin/apt-get')) return false
  const isRoot = process.getuid?.() === 0
  if (as === 'root') return isRoot
  return !isRoot && (await runCommand('sudo', ['-n', 'true'])).code === 0
}

/**
 * Installs the distribution's server, without the cluster and the running service that its package
 * makes by default: the tests start their own.
 *
 * @param {readonly string[]} prefix `[]` as root, `['sudo', '-n']` otherwise
 * @returns {() => Promise<void>} after it the binaries are found on the machine
 */
export function installWithApt(prefix) {
  return async () => {
    const [command = '', ...args] = prefix.concat('sh', '-c', aptScript)
    const { code, output } = await runCommand(command, args, { timeoutMs: patienceMs })
    if (code === 0) return
    const lastWords = output.trim().split('\n').slice(-3).join(' ')
    throw new Error(`could not install postgresql: ${lastWords}`)
  }
}

// The candidate is looked at first: an old distribution's server would be installed for nothing.
const aptScript = `
set -eu
export DEBIAN_FRONTEND=noninteractive
options='-o DPkg::Lock::Timeout=120 -o Acquire::Retries=1 -o Acquire::http::Timeout=20'
apt-get $options update
major=$(apt-cache policy postgresql | sed -n 's/.*Candidate: \\([0-9]*\\).*/\\1/p')
if [ "\${major:-0}" -lt 15 ]; then echo "the package is version \${major:-none}"; exit 1; fi
settings=/etc/postgresql-common/createcluster.d
mkdir -p "$settings"
trap 'rm -f "$settings/toolcrib.conf"' EXIT
echo 'create_main_cluster = false' > "$settings/toolcrib.conf"
apt-get $options install -y --no-install-recommends postgresql
`

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { holdLock } from './lock.mjs'
import { mayUseApt } from './postgres-from-apt.mjs'
import { say, withProgress } from './progress.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './run-command.mjs'

const usualPlaces = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap']

/**
 * Installs bubblewrap for the tests of the sandbox, where that is possible without asking anybody.
 * Elsewhere they are skipped; a server does without it, too, and keeps tools that run programs off.
 */
export async function ensureBubblewrap() {
  if (process.platform !== 'linux' || usualPlaces.some(existsSync)) return
  const lock = await holdLock(join(projectRoot, '.tmp', 'bubblewrap.lock'), {
    onWait: (pid) => say(`bubblewrap is being installed (process ${pid}); waiting for it …`),
  })
  try {
    if (!usualPlaces.some(existsSync)) await install()
  } finally {
    lock.release()
  }
}

async function install() {
  const prefix = (await mayUseApt('root'))
    ? []
    : (await mayUseApt('sudo'))
      ? ['sudo', '-n']
      : undefined
  if (prefix === undefined) {
    say('Skipped: tests of the sandbox. They need bubblewrap (bwrap), which is not installed.')
    return
  }
  const [command = '', ...args] = prefix.concat('sh', '-c', aptScript)
  const { code, output } = await withProgress(
    'Installing bubblewrap for the tests of the sandbox',
    runCommand(command, args, { timeoutMs: 300_000 }),
  )
  if (code === 0) return
  say(`Skipped: tests of the sandbox. bubblewrap: ${output.trim().split('\n').at(-1)}`)
}

// Lists of packages may be there already; fetching them takes longer than the package.
const aptScript = `
set -eu
export DEBIAN_FRONTEND=noninteractive
options='-o DPkg::Lock::Timeout=120 -o Acquire::Retries=1 -o Acquire::http::Timeout=20'
apt-get $options install -y --no-install-recommends bubblewrap && exit 0
apt-get $options update
apt-get $options install -y --no-install-recommends bubblewrap
`

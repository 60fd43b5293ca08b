import { existsSync } from 'node:fs'
import { holdLock } from './lock.mjs'
import { join } from 'node:path'
import { mayUseApt } from './postgres-from-apt.mjs'
import { say, withProgress } from './progress.mjs'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './run-command.mjs'

// The shell first: the same engine without the windows and tabs around it. A page in it costs a fifth
// less, and a start half.
const usualPlaces = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** A Chromium of this machine: the one that TOOLCRIB_CHROMIUM names, else one in a usual place. */
export function findChromium() {
  const named = process.env.TOOLCRIB_CHROMIUM
  return [named, ...usualPlaces].find((place) => place && existsSync(place))
}

/**
 * Makes a Chromium available for the tests of the console, where that is possible without asking
 * anybody anything. Returns its path, or undefined.
 */
export async function ensureChromium() {
  const found = findChromium()
  if (found !== undefined) return found
  const lock = await holdLock(join(projectRoot, '.tmp', 'chromium.lock'), {
    onWait: (pid) => say(`Chromium is being installed (process ${pid}); waiting for it …`),
  })
  try {
    if (findChromium() === undefined) await install()
  } finally {
    lock.release()
  }
  return findChromium()
}

async function install() {
  const prefix = (await mayUseApt('root'))
    ? []
    : (await mayUseApt('sudo'))
      ? ['sudo', '-n']
      : undefined
  if (prefix === undefined) {
    say('No Chromium here, and none can be installed: the tests of the console are left out.')
    say('Install one, or name it with TOOLCRIB_CHROMIUM=/path/to/chromium.')
    return
  }
  const [command = '', ...args] = prefix.concat('sh', '-c', aptScript)
  const { code, output } = await withProgress(
    'Installing Chromium for the tests of the console',
    runCommand(command, args, { timeoutMs: 600_000 }),
  )
  if (code !== 0) say(`Chromium could not be installed: ${output.trim().split('\n').at(-1)}`)
}

const aptScript = `
set -eu
export DEBIAN_FRONTEND=noninteractive
options='-o DPkg::Lock::Timeout=120 -o Acquire::Retries=1 -o Acquire::http::Timeout=20'
apt-get $options update
# Where the distribution has no package of the shell alone, the whole browser does.
apt-get $options install -y --no-install-recommends chromium-headless-shell ||
  apt-get $options install -y --no-install-recommends chromium
`

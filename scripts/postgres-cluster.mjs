import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createClusterFolder, isReachableByAll } from './postgres-leftovers.mjs'
import { runCommand } from './run-command.mjs'

const role = 'toolcrib'
const startDeadlineMs = 60_000

/**
 * Makes a cluster in a folder of its own and starts its server, on a free port of the loopback
 * interface only. There is a password although the data is worthless: a superuser of PostgreSQL
 * can run programs as the account the server runs under, which may be yours.
 *
 * @param {{ bin: string, fsync: boolean }} options
 * @returns {Promise<{
 *   url: string,
 *   ended: Promise<void>,
 *   restart: (how: 'fast' | 'immediate' | 'killed') => Promise<void>,
 *   close: () => Promise<void>,
 * }>} `ended` is about the first server; `restart` puts another on the same data and port
 */
export async function openCluster({ bin, fsync }) {
  const account = serverAccount()
  const folder = createClusterFolder(account)
  const password = randomBytes(18).toString('hex')
  try {
    const reachable = account && !isReachableByAll(bin) ? copyServer(bin, folder) : bin
    const place = { bin: reachable, folder, account }
    await initialise(place, password)
    let server = await startServer(place, fsync)
    const { port } = server
    return {
      url: `postgres://${role}:${password}@127.0.0.1:${port}/postgres`,
      ended: server.ended,
      async restart(how) {
        await stopServer(server, how)
        server = { ...(await startAgain(place, port, fsync)), port }
      },
      close: () => closeCluster(server, folder),
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** PostgreSQL refuses to run as root, so root lends it an account that owns nothing. */
function serverAccount() {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  for (const name of ['postgres', 'nobody']) {
    const found = accounts.find((account) => account.name === name)
    if (found) return { uid: found.uid, gid: found.gid }
  }
  throw new Error('as root, PostgreSQL needs an account `postgres` or `nobody` in /etc/passwd')
}

/** Binaries below a home folder that others may not enter are of no use to the lent account. */
function copyServer(bin, folder) {
  const copy = join(folder, 'server')
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

async function initialise({ bin, folder, account }, password) {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)
  const initdb = (locale) =>
    runCommand(
      join(bin, 'initdb'),
      [
        `--pgdata=${join(folder, 'data')}`,
        `--username=${role}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--no-sync',
        ...locale,
      ],
      { cwd: folder, env: serverEnvironment(), ...account },
    )
  // Servers out there sort text by language, not by byte: what relies on byte order shows up here.
  const byLanguage = await initdb(['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'])
  if (byLanguage.code === 0) return
  const byByte = await initdb(['--locale=C'])
  if (byByte.code !== 0) throw new Error(`initdb failed: ${byByte.output.trim()}`)
}

/** Nothing of ours: a PGPORT or PGDATA in the environment would lead it elsewhere. */
function serverEnvironment() {
  return { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
}

async function startServer(place, fsync) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const server = await tryServer(place, port, fsync)
    if (server.isReady) return { ...server, port }
    // Somebody else may take the port between our look and the server's.
    if (attempt === 5 || !/could not bind|Address already in use/.test(server.log)) {
      throw new Error(
        `the server did not start: ${server.log.trim().split('\n').slice(-8).join('\n')}`,
      )
    }
  }
}

/** For data that nobody needs after a crash, in hundreds of databases that live for seconds. */
const throwAway = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', jit: 'off' }

async function tryServer({ bin, folder, account }, port, fsync) {
  const logFile = join(folder, 'log')
  const log = openSync(logFile, 'w')
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    ...(!fsync && throwAway),
  }
  const child = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      join(folder, 'data'),
      ...Object.entries(settings).map(([key, value]) => `--${key}=${value}`),
    ],
    { cwd: folder, env: serverEnvironment(), stdio: ['ignore', log, log], ...account },
  )
  closeSync(log)
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
  const isReady = await waitUntilReady(child, logFile)
  if (!isReady) child.kill('SIGKILL')
  return { child, ended, isReady, log: readFileSync(logFile, 'utf8') }
}

async function waitUntilReady(child, logFile) {
  for (const deadline = Date.now() + startDeadlineMs; Date.now() < deadline;) {
    if (readFileSync(logFile, 'utf8').includes('ready to accept connections')) return true
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
      probe.close(() => resolve(port))
    })
  })
}

/** The processes of a killed server take a moment to notice, and hold its memory and port until then. */
async function startAgain(place, port, fsync) {
  for (let attempt = 1; ; attempt++) {
    const server = await tryServer(place, port, fsync)
    if (server.isReady) return server
    if (attempt === 20) throw new Error(`the server did not start again: ${server.log.trim()}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** `fast` ends sessions and writes everything down; the others are crashes the next start recovers from. */
const stopSignals = /** @type {const} */ ({
  fast: 'SIGINT',
  immediate: 'SIGQUIT',
  killed: 'SIGKILL',
})

async function stopServer(server, how) {
  server.child.kill(stopSignals[how])
  await server.ended
}

/** At once: the data goes anyway. */
async function closeCluster(server, folder) {
  await stopServer(server, 'immediate')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

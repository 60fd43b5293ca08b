import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isSameProcess, processMark } from './process-mark.mjs'

const prefix = 'toolcrib-postgres-'

/**
 * A new folder for one cluster that names its keeper, below a place the server's account can reach.
 *
 * @param {{ uid: number, gid: number } | undefined} account who runs the server, when it is not us
 */
export function createClusterFolder(account) {
  const place = places().find((folder) => !account || isReachableByAll(folder)) ?? tmpdir()
  const folder = mkdtempSync(join(place, prefix))
  writeFileSync(join(folder, 'keeper.json'), JSON.stringify(processMark(process.pid)))
  chmodSync(folder, 0o700)
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

/** Whether any account may enter this folder and all above it. */
export function isReachableByAll(folder) {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Ends and removes clusters whose keeper was itself killed and so could not do it. */
export function sweepClusters() {
  for (const place of places()) {
    for (const name of namesIn(place)) {
      if (name.startsWith(prefix)) sweep(join(place, name))
    }
  }
}

function places() {
  return [...new Set([tmpdir(), '/tmp', '/var/tmp'])].filter((place) => existsSync(place))
}

function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Somebody else's folder can't be read and is left alone; one without a keeper yet is being made. */
function sweep(folder) {
  try {
    if (isSameProcess(JSON.parse(readFileSync(join(folder, 'keeper.json'), 'utf8')))) return
    stopOrphan(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch {
    // Not ours to clean, or gone in the meantime: either way there is nothing to do.
  }
}

/** The server writes its pid and folder into postmaster.pid; with the folder gone too it would live on for ever. */
function stopOrphan(folder) {
  const file = join(folder, 'data', 'postmaster.pid')
  if (!existsSync(file)) return
  const [pid] = readFileSync(file, 'utf8').split('\n')
  const { command } = processMark(Number(pid))
  if (command?.includes(folder)) process.kill(Number(pid), 'SIGQUIT')
}

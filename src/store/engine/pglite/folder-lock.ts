import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUuid } from '../../../core/kernel/ids.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { findLiveness, readOwnIdentity } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** A claim whose process can't be looked up (another container) counts as live while it is touched this often. */
const normalSignOfLifeMs = 2_000
const silenceMs = 10_000
/** For so many signs of life a claim that looks old is watched, and so often between two of them. */
const watchedSigns = 2.5
const looksPerSign = 10
/** Two that come at once both step back and try again; a holder stays. */
const contendForMs = 600

export interface FolderLock {
  release(): Promise<void>
}

/**
 * Takes the folder for this process. Every contender puts down a claim under a name of its own and
 * then looks at the others: any living one makes it step back. As a claim is written before the
 * look, two can't both miss each other, and as names are never used twice, clearing away the claim
 * of a dead process can't hit a living one.
 */
export async function lockFolder(
  dataDir: string,
  signOfLifeMs = normalSignOfLifeMs,
): Promise<FolderLock> {
  const folder = join(dataDir, 'lock')
  await mkdir(folder, { recursive: true })
  const own = await readOwnIdentity()
  const deadline = performance.now() + contendForMs
  for (;;) {
    const claim = await writeClaim(folder, own)
    const holder = await findHolder(folder, { claim, own, signOfLifeMs })
    if (holder === undefined) return holdClaim(join(folder, claim), signOfLifeMs)
    await rm(join(folder, claim), { force: true })
    if (performance.now() > deadline) throw lockedError(dataDir, holder)
    await sleep(10 + Math.random() * 40)
  }
}

/** Written aside and renamed, so that nobody reads half a claim. */
async function writeClaim(folder: string, own: ProcessIdentity): Promise<string> {
  const claim = `${createUuid()}.claim`
  const draft = join(folder, `${claim}.draft`)
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
  await rename(draft, join(folder, claim))
  return claim
}

async function findHolder(
  folder: string,
  { claim, own, signOfLifeMs }: { claim: string; own: ProcessIdentity; signOfLifeMs: number },
): Promise<ProcessIdentity | undefined> {
  let holder: ProcessIdentity | undefined
  for (const name of await readdir(folder)) {
    if (name === claim || !name.endsWith('.claim')) continue
    const path = join(folder, name)
    const other = await readClaim(path)
    if (other === undefined) continue
    if (await isLive(path, await findLiveness(other, own), signOfLifeMs)) holder = other
    else await rm(path, { force: true })
  }
  return holder
}

async function readClaim(path: string): Promise<ProcessIdentity | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ProcessIdentity
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    // Unreadable is not proof of death.
    return { pid: 0, pidNamespace: 'unreadable' }
  }
}

async function isLive(
  path: string,
  liveness: Awaited<ReturnType<typeof findLiveness>>,
  signOfLifeMs: number,
): Promise<boolean> {
  if (liveness !== 'unknown') return liveness === 'alive'
  const touchedMs = await readTouch(path)
  if (touchedMs === undefined) return false
  if (Math.abs(Date.now() - touchedMs) < silenceMs) return true
  return isTouchedSoon(path, touchedMs, signOfLifeMs)
}

async function readTouch(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs
}

/**
 * A lock that looks old is watched before it counts as dead, because the clock of its machine or
 * ours may be wrong.
 */
async function isTouchedSoon(path: string, before: number, signOfLifeMs: number): Promise<boolean> {
  const until = performance.now() + watchedSigns * signOfLifeMs
  while (performance.now() < until) {
    await sleep(signOfLifeMs / looksPerSign)
    const touchedMs = await readTouch(path)
    if (touchedMs === undefined) return false
    if (touchedMs !== before) return true
  }
  return false
}

function holdClaim(path: string, signOfLifeMs: number): FolderLock {
  const timer = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, signOfLifeMs)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      await rm(path, { force: true })
    },
  }
}

function lockedError(dataDir: string, holder: ProcessIdentity): ToolError {
  return new ToolError(
    'data_locked',
    `The data folder ${dataDir} is in use by process ${holder.pid}.`,
    {
      fix: 'Stop that process, or give this one another data folder (--data, or data in createCrib). Commands and MCP clients share the crib of a running server (toolcrib start); several servers on the same data need PostgreSQL.',
      details: { pid: holder.pid },
    },
  )
}

import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { isSameProcess, processMark } from './process-mark.mjs'

const pollMs = 250
const beatMs = 2000
/** An owner on another machine (or container) is known only by its beat. */
const silenceMs = 30_000

/**
 * Waits until this process holds the lock file. A lock whose owners are all gone is taken over.
 *
 * @param {string} file
 * @param {{ onWait: (pid: number) => void }} options told once, when somebody else holds it
 * @returns {Promise<{ addOwner: (pid: number) => void, release: () => void }>}
 */
export async function holdLock(file, { onWait }) {
  mkdirSync(dirname(file), { recursive: true })
  for (let waited = false; !tryCreate(file);) {
    const owner = readOwner(file)
    if (isGone(owner) && takeOver(file)) continue
    const [holder] = owner?.owners ?? []
    if (!waited && holder) onWait(holder.pid)
    waited ||= holder !== undefined
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  return heldLock(file)
}

function heldLock(file) {
  const owners = [processMark(process.pid)]
  const write = () => writeFileSync(file, JSON.stringify({ host: hostname(), owners }))
  write()
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), beatMs)
  beat.unref()
  return {
    /** Work goes on as long as this one lives, even if we are killed: nobody may take over before. */
    addOwner(pid) {
      owners.push(processMark(pid))
      write()
    },
    release() {
      clearInterval(beat)
      rmSync(file, { force: true })
    },
  }
}

function tryCreate(file) {
  try {
    closeSync(openSync(file, 'wx'))
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw new Error(`${file} can't be written (${error.code}): this folder must be writable.`, {
      cause: error,
    })
  }
}

/** `undefined` for a lock that was created this instant and is not written yet, or is gone again. */
function readOwner(file) {
  try {
    const { mtimeMs } = statSync(file)
    const text = readFileSync(file, 'utf8')
    return text === '' ? { host: '', owners: [], mtimeMs } : { ...JSON.parse(text), mtimeMs }
  } catch {
    return undefined
  }
}

function isGone(owner) {
  if (owner === undefined) return false
  if (owner.host === hostname()) return !owner.owners.some((mark) => isSameProcess(mark))
  return Date.now() - owner.mtimeMs > silenceMs
}

/**
 * Removes a dead lock. Two who saw the same dead lock must not both remove: the second would remove
 * the first one's new lock. So removing needs a lock of its own, held for a moment only, under which
 * the look is repeated.
 */
function takeOver(file) {
  const guard = `${file}.takeover`
  if (!tryCreate(guard)) {
    const guarded = readOwner(guard)
    if (guarded && Date.now() - guarded.mtimeMs > silenceMs) rmSync(guard, { force: true })
    return false
  }
  try {
    if (isGone(readOwner(file))) rmSync(file, { force: true })
    return true
  } finally {
    rmSync(guard, { force: true })
  }
}

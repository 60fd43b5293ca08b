import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isSameProcess, processMark } from './process-mark.mjs'

/** Where Linux keeps files in memory. */
const shared = '/dev/shm'
const prefix = 'toolcrib-tests-'
/** The suite has had half a gigabyte there at once; the rest is for other days, and for the programs it starts. */
const neededBytes = { folder: 3 * 2 ** 30, memory: 6 * 2 ** 30 }

/**
 * A folder in memory for what tests write and throw away, where there is room for it. Databases of a few
 * seconds are thousands of files: nine test files that open many took 53 s with them in memory, 72 on a disk.
 *
 * @param {string} [place]
 * @returns {{ path: string, remove: () => void } | undefined} undefined where there is no such place, or too little of it
 */
export function createMemoryFolder(place = shared) {
  try {
    sweep(place)
    if (!hasRoom(place)) return undefined
    const path = mkdtempSync(join(place, prefix))
    writeFileSync(join(path, 'owner.json'), JSON.stringify(processMark(process.pid)))
    // The account that PostgreSQL is lent must be able to reach its own folder in there.
    chmodSync(path, 0o711)
    return { path, remove: () => tryRemove(path) }
  } catch {
    return undefined
  }
}

/** What a process that is just ending still writes is left to the next run. */
function tryRemove(path) {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  } catch {
    // A run that went well does not fail over it.
  }
}

function hasRoom(place) {
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize >= neededBytes.folder && process.availableMemory() >= neededBytes.memory
}

/** What a run that was itself killed has left would be held in memory for as long as the machine is on. */
function sweep(place) {
  for (const name of readdirSync(place).filter((one) => one.startsWith(prefix))) {
    const folder = join(place, name)
    try {
      if (isSameProcess(JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')))) continue
    } catch {
      // Somebody else's, or just being made.
      continue
    }
    tryRemove(folder)
  }
}

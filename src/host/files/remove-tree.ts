import {
  chmodSync,
  fstatSync,
  lstatSync,
  opendirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs'
import { createUuid } from '../../core/kernel/ids.ts'
import { createBreather } from './breather.ts'
import { hasErrno } from './file-error.ts'
import { addressOf, type Folder, openFolderIn, openRootFolder } from './folder.ts'

/**
 * Empties a scratch folder of everything that is older than this. Folders in it are moved up before
 * they are removed, so that no depth is too deep.
 */
export async function emptyScratch(
  folder: string,
  { olderThanMs }: { olderThanMs: number },
): Promise<void> {
  const held = openRootFolder(folder)
  try {
    const names = readNames(held).filter((name) => isOld(held, name, olderThanMs))
    for (const name of names) await removeFrom(held, name)
  } finally {
    held.close()
  }
}

/** Removes one name of a scratch folder with everything in it. */
export async function removeFrom(scratch: Folder, name: Buffer | string): Promise<void> {
  const left = [typeof name === 'string' ? Buffer.from(name) : name]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (unlinkOne(scratch, next)) continue
    left.push(...(await emptyFolder(scratch, next)))
    removeEmpty(scratch, next)
  }
}

/** Removes the files of a folder, and moves the folders in it up. Returns their new names. */
async function emptyFolder(scratch: Folder, name: Buffer): Promise<Buffer[]> {
  const breather = createBreather()
  const folder = openFolderIn(scratch, name)
  const moved: Buffer[] = []
  try {
    allowChanges(folder)
    // A folder is read in parts: it can have millions of names.
    for (let names = readNames(folder); names.length > 0; names = readNames(folder)) {
      const folders = names.filter((inner) => !unlinkOne(folder, inner))
      moved.push(...folders.map((inner) => moveUp(folder, inner, scratch)))
      await breather.pause()
    }
    return moved
  } finally {
    folder.close()
  }
}

/** False for a folder. */
function unlinkOne(folder: Folder, name: Buffer): boolean {
  try {
    unlinkSync(addressOf(folder, name))
    return true
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return true
    // EISDIR on Linux, EPERM elsewhere.
    if (hasErrno(error, 'EISDIR', 'EPERM')) return false
    throw error
  }
}

function moveUp(folder: Folder, name: Buffer, scratch: Folder): Buffer {
  const moved = Buffer.from(createUuid())
  const inner = openFolderIn(folder, name)
  try {
    allowChanges(inner)
  } finally {
    inner.close()
  }
  renameSync(addressOf(folder, name), addressOf(scratch, moved))
  return moved
}

/** Moving a folder changes what is in it, its `..`. Its owner may have taken the right away. */
export function allowChanges(folder: Folder): void {
  const { mode } = fstatSync(folder.fd)
  if ((mode & 0o700) !== 0o700) chmodSync(folder.self, 0o700)
}

function removeEmpty(scratch: Folder, name: Buffer): void {
  try {
    rmdirSync(addressOf(scratch, name))
  } catch (error) {
    // A process that has not ended yet has put something in: the next sweep gets it.
    if (!hasErrno(error, 'ENOENT', 'ENOTEMPTY')) throw error
  }
}

const namesAtOnce = 1000

function readNames(folder: Folder): Buffer[] {
  // The types of Node know names as text alone.
  const encoding = 'buffer' as BufferEncoding
  const opened = opendirSync(folder.at('.'), { encoding, bufferSize: namesAtOnce })
  const names: Buffer[] = []
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      names.push(entry.name as unknown as Buffer)
      if (names.length === namesAtOnce) return names
    }
    return names
  } finally {
    opened.closeSync()
  }
}

function isOld(folder: Folder, name: Buffer, olderThanMs: number): boolean {
  const facts = lstatSync(addressOf(folder, name), { throwIfNoEntry: false })
  return facts === undefined || Date.now() - facts.ctimeMs >= olderThanMs
}

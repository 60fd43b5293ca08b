import { fstatSync, lstatSync, opendirSync } from 'node:fs'
import type { WorkspaceSize } from '../../core/host/workspace-disk.ts'
import { type Breather, createBreather } from './breather.ts'
import { hasErrno } from './file-error.ts'
import { addressOf, type Folder, openFolderIn, openRootFolder } from './folder.ts'
import { allowChanges } from './remove-tree.ts'

const blockBytes = 512
/** Levels that hold a descriptor each. Below them, the way back is `..`. */
const mostHeld = 64

interface Level {
  /** Undefined while the walk is far below it. */
  folder: Folder | undefined
  /** Distinguishes it from another folder that a process has put in its place. */
  inode: string
  /** The folders in it that are left. */
  inner: Buffer[]
}

interface Count {
  size: WorkspaceSize
  most: number
  breather: Breather
}

/**
 * Counts what is below a folder, up to so many files. Everything on the disk counts, also what no
 * tool can name: in a folder too deep for a path, with a name that is not UTF-8, or closed by its
 * owner. Otherwise a process could hide there what exceeds its quota.
 */
export async function measureTree(root: string, most: number): Promise<WorkspaceSize> {
  const count: Count = { size: { bytes: 0, files: 0 }, most, breather: createBreather() }
  const levels: Level[] = []
  try {
    levels.push(await enter(openRootFolder(root), count))
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      if (count.size.files >= most) break
      const name = level.inner.pop()
      const isDown = name === undefined ? leave(levels) : await descend(levels, name, count)
      if (!isDown) break
    }
    return count.size
  } finally {
    for (const { folder } of levels) folder?.close()
  }
}

/** Counts what is in a folder, and keeps it open. */
async function enter(folder: Folder, count: Count): Promise<Level> {
  try {
    const { dev, ino } = fstatSync(folder.fd)
    return { folder, inode: `${dev}:${ino}`, inner: await countFolder(folder, count) }
  } catch (error) {
    folder.close()
    throw error
  }
}

async function countFolder(folder: Folder, { size, most, breather }: Count): Promise<Buffer[]> {
  const inner: Buffer[] = []
  // The types of Node know names as text alone.
  const opened = openNames(folder)
  try {
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      if (size.files >= most) break
      size.files += 1
      const name = entry.name as unknown as Buffer
      const facts = lstatSync(addressOf(folder, name), { throwIfNoEntry: false })
      if (facts?.isDirectory() === true) inner.push(Buffer.from(name))
      // Of a sparse file, only what it takes on the disk.
      else if (facts?.isFile() === true) {
        size.bytes += Math.min(facts.size, facts.blocks * blockBytes)
      }
      await breather.pause()
    }
    return inner
  } finally {
    opened.closeSync()
  }
}

/** A folder that its owner has closed is opened: without that, nobody could count what is in it. */
function openNames(folder: Folder) {
  const open = () =>
    opendirSync(folder.at('.'), { encoding: 'buffer' as BufferEncoding, bufferSize: 1024 })
  try {
    return open()
  } catch (error) {
    if (!hasErrno(error, 'EACCES')) throw error
    allowChanges(folder)
    return open()
  }
}

/** Goes one folder down, unless it was deleted or replaced. */
async function descend(levels: Level[], name: Buffer, count: Count): Promise<boolean> {
  const above = levels.at(-1)
  if (above?.folder === undefined) return false
  try {
    levels.push(await enter(openFolderIn(above.folder, name), count))
  } catch (error) {
    if (hasErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return true
    throw error
  }
  if (levels.length > mostHeld) {
    above.folder.close()
    above.folder = undefined
  }
  return true
}

/** Goes back up. False at the top, and where a process has moved the folder in the meantime. */
function leave(levels: Level[]): boolean {
  const left = levels.pop()
  const above = levels.at(-1)
  try {
    if (left?.folder === undefined || above === undefined) return false
    if (above.folder !== undefined) return true
    const folder = openFolderIn(left.folder, '..')
    const { dev, ino } = fstatSync(folder.fd)
    above.folder = folder
    return `${dev}:${ino}` === above.inode
  } finally {
    left?.folder?.close()
  }
}

import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import { databaseFolder } from './pglite-folder.ts'

/** Distinguishes a file from its copy. */
interface Mark {
  inode: string
  /** In nanoseconds; absent where the file system does not keep it. */
  born?: string
}

/**
 * Leaves a mark in the database's folder while it is open. The mark describes its own file, so in a
 * copy of the folder it describes another one. A mark like that shows that the folder was copied
 * while open, or after a kill. Returns false if it had one.
 */
export async function markInUse(dataDir: string): Promise<boolean> {
  const path = markPath(dataDir)
  const left = await readMark(path)
  if (left !== undefined) return false
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 })
    await writeFile(path, JSON.stringify(await describe(path)))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // No database yet: it is marked once it is there. One of another format is left alone.
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  }
  return true
}

/** The folder was closed in order: a copy of it is as good as itself. */
export async function unmarkInUse(dataDir: string): Promise<void> {
  await rm(markPath(dataDir), { force: true })
}

/**
 * Files of a running server are copied at different moments: what was acknowledged in between is in
 * none of them, and nothing in the copy shows that it is missing.
 */
export async function refuseCopy(dataDir: string): Promise<void> {
  const path = markPath(dataDir)
  const mark = await readMark(path)
  if (mark === undefined) return
  const own = await describe(path)
  const isSame =
    mark.born !== undefined && own.born !== undefined
      ? mark.born === own.born
      : mark.inode === own.inode
  if (isSame) return
  throw new ToolError(
    'data_damaged',
    `The data folder ${dataDir} is a copy of one that was open: calls may be missing from it, and it may be damaged.`,
    {
      fix: `Make copies with toolcrib backup, or with the server stopped. If the server was not running when the folder was copied (it had crashed, or was killed), remove ${path} and start again.`,
    },
  )
}

async function describe(path: string): Promise<Mark> {
  const { ino, birthtimeNs } = await stat(path, { bigint: true })
  return { inode: String(ino), ...(birthtimeNs > 0n && { born: String(birthtimeNs) }) }
}

async function readMark(path: string): Promise<Mark | undefined> {
  try {
    const mark = JSON.parse(await readFile(path, 'utf8')) as Partial<Mark> | null
    return typeof mark?.inode === 'string' ? (mark as Mark) : undefined
  } catch {
    // Not there, or cut off while it was written: then nothing was opened yet.
    return undefined
  }
}

function markPath(dataDir: string): string {
  return join(databaseFolder(dataDir), 'toolcrib-in-use.json')
}

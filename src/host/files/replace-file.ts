import {
  close,
  constants,
  fchmodSync,
  fchownSync,
  fsync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  write,
} from 'node:fs'
import { promisify } from 'node:util'
import { createUuid } from '../../core/kernel/ids.ts'
import { exists, hasErrno } from './file-error.ts'
import { lookAt, type Place } from './find-place.ts'
import { type Folder, openRootFolder } from './folder.ts'
import { assertRegular } from './open-file.ts'
import { badPath } from './workspace-path.ts'

const writeSome = promisify(write)
const sync = promisify(fsync)
const closeFile = promisify(close)

export interface Owner {
  uid: number
  gid: number
}

/** Whole files are written here first. On the same disk as the workspace, and invisible in it. */
export interface Scratch {
  folder: string
  /** The owner of new files, if it isn't the server's own user. */
  owner: Owner | undefined
}

/** A complete file on the disk that does not have its name yet. */
export interface Draft {
  folder: Folder
  name: string
  bytes: number
  /** Removes what is left and closes the folder. */
  discard(): void
}

type Content = Uint8Array | AsyncIterable<Uint8Array>

/** Writes the content to the disk for good, under a name that nobody looks for. */
export async function draftFile({ folder, owner }: Scratch, content: Content): Promise<Draft> {
  const held = openRootFolder(folder)
  const name = createUuid()
  const discard = () => {
    rmSync(held.at(name), { force: true })
    held.close()
  }
  try {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants
    const fd = openSync(held.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644)
    try {
      const bytes = await writeAll(fd, content)
      if (owner !== undefined) fchownSync(fd, owner.uid, owner.gid)
      fchmodSync(fd, 0o644)
      // Without this the new name could outlive a power cut, and its content not.
      await sync(fd)
      return { folder: held, name, bytes, discard }
    } finally {
      await closeFile(fd)
    }
  } catch (error) {
    discard()
    throw error
  }
}

async function writeAll(fd: number, content: Content): Promise<number> {
  let total = 0
  for await (const part of content instanceof Uint8Array ? [content] : content) {
    for (let at = 0; at < part.length;) {
      const { bytesWritten } = await writeSome(fd, part, at, part.length - at, total)
      at += bytesWritten
      total += bytesWritten
    }
  }
  return total
}

/** The file that a draft would replace; undefined if there is none. Throws for anything else. */
export function findReplaced(place: Place, asked: string): Stats | undefined {
  if (place.name === undefined) throw badPath(asked, 'is a folder')
  const facts = lookAt(place.folder, place.name)
  if (facts !== undefined) assertRegular(facts, asked)
  return facts
}

interface Commit {
  place: Place
  asked: string
  mayReplace: boolean
}

/** Gives a draft its name in one step. It keeps the rights of the file that it replaces. */
export function commitDraft(draft: Draft, { place, asked, mayReplace }: Commit): void {
  const from = draft.folder.at(draft.name)
  const replaced = findReplaced(place, asked)
  const to = place.folder.at(place.name ?? '')
  if (replaced === undefined) return linkOrRename(from, to, { place, asked, mayReplace })
  if (!mayReplace) throw exists(asked)
  const mode = replaced.mode & 0o777
  if (mode !== 0o644) setMode(draft, mode)
  renameSync(from, to)
}

/** Without leave to replace, a name that appears at the last moment is kept. */
function linkOrRename(from: string, to: string, { place, asked, mayReplace }: Commit): void {
  if (mayReplace) return renameSync(from, to)
  try {
    linkSync(from, to)
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) throw exists(asked)
    // Disks without hard links.
    if (!hasErrno(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error
    if (lookAt(place.folder, place.name ?? '') !== undefined) throw exists(asked)
    return renameSync(from, to)
  }
  unlinkSync(from)
}

function setMode(draft: Draft, mode: number): void {
  const fd = openSync(draft.folder.at(draft.name), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    fchmodSync(fd, mode)
  } finally {
    void closeFile(fd)
  }
}

import { chmodSync, chownSync, constants, lchownSync, mkdirSync, symlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { FileOwner, PackedFile } from '../../../core/host/workspace-disk.ts'
import { hasErrno } from '../file-error.ts'
import { type Folder, openFolderIn, openRootFolder } from '../folder.ts'
import { badPath, parseWorkspacePath } from '../workspace-path.ts'

/** Where a packed workspace goes. */
export interface TreeTarget {
  root: string
  /** The owner of everything that is written, if the server runs as root. */
  owner: FileOwner | undefined
}

/** When a file was changed, as it was packed and as this disk holds it. */
export interface WrittenFile {
  packedMs: number
  writtenMs: number
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants

/**
 * Writes one entry below the root. The folders above it are opened one by one and never through a
 * link, so that no archive can lead out. Existing files are not replaced.
 */
export async function unpackEntry(
  target: TreeTarget,
  path: string,
  entry: PackedFile,
): Promise<WrittenFile | undefined> {
  const { parts } = parseWorkspacePath(path)
  const [name, ...above] = parts.toReversed()
  if (name === undefined || parts.includes('..')) throw badPath(path, 'leads out of the workspace')
  const folder = openAbove(target, above.toReversed())
  try {
    if (entry.kind === 'file') return await writeFile(folder, name, { ...entry, ...target })
    if (entry.kind === 'folder') makeFolder(folder, name, { ...target, mode: entry.mode })
    else {
      symlinkSync(entry.target ?? '', folder.at(name))
      if (target.owner !== undefined) {
        lchownSync(folder.at(name), target.owner.uid, target.owner.gid)
      }
    }
    return undefined
  } finally {
    folder.close()
  }
}

function openAbove(target: TreeTarget, names: readonly string[]): Folder {
  let folder = openRootFolder(target.root)
  for (const name of names) {
    const above = folder
    try {
      folder = openOrMake(above, name, target)
    } finally {
      above.close()
    }
  }
  return folder
}

/** The folder above a file is missing if it could not be read when the archive was made. */
function openOrMake(above: Folder, name: string, target: TreeTarget): Folder {
  try {
    return openFolderIn(above, name)
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error
    makeFolder(above, name, { ...target, mode: 0o755 })
    return openFolderIn(above, name)
  }
}

/** Its owner can always write in it: what follows goes there. */
function makeFolder(
  above: Folder,
  name: string,
  { owner, mode }: Pick<TreeTarget, 'owner'> & { mode: number },
): void {
  mkdirSync(above.at(name), 0o700)
  const made = openFolderIn(above, name)
  try {
    chmodSync(made.self, (mode & 0o777) | 0o700)
    if (owner !== undefined) chownSync(made.self, owner.uid, owner.gid)
  } finally {
    made.close()
  }
}

async function writeFile(
  folder: Folder,
  name: string,
  { content, bytes, mode, modifiedMs, owner }: PackedFile & Pick<TreeTarget, 'owner'>,
): Promise<WrittenFile> {
  const file = await open(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  try {
    await writeSparse(file, content)
    await file.truncate(bytes)
    if (owner !== undefined) await file.chown(owner.uid, owner.gid)
    await file.chmod(mode & 0o777)
    await file.utimes(modifiedMs / 1000, modifiedMs / 1000)
    return { packedMs: modifiedMs, writtenMs: (await file.stat()).mtimeMs }
  } finally {
    await file.close()
  }
}

const blockBytes = 65_536
const zeros = Buffer.alloc(blockBytes)

/** Leaves out blocks of zeros: a sparse file stays one, and a small archive can't fill the disk with it. */
async function writeSparse(file: FileHandle, content: AsyncIterable<Uint8Array>): Promise<void> {
  let at = 0
  for await (const piece of content) {
    for (let start = 0; start < piece.length; start += blockBytes) {
      const block = piece.subarray(start, start + blockBytes)
      if (zeros.compare(block, 0, block.length, 0, block.length) !== 0) {
        await writeAt(file, block, at)
      }
      at += block.length
    }
  }
}

async function writeAt(file: FileHandle, block: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < block.length;) {
    done += (await file.write(block, done, block.length - done, at + done)).bytesWritten
  }
}
